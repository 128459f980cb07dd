"""Calls of NumPy's functions as calls of another library's."""

from __future__ import annotations

from dataclasses import replace

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import call
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.target.arrays import Arrays
from gradgen.target.forms import OLDER, UNCHECKED, zeros_of_numbers
from gradgen.target.forms_torch import TORCH_KEYWORDS, TORCH_METHODS, minus
from gradgen.target.host import are_counts
from gradgen.target.links import Links, links
from gradgen.target.table import Target

MODULES = ("numpy.", "scipy.")
# operations that every library has as an operator or under another word
WORDS = ("numpy.transpose", "numpy.shape", "numpy.ndim", "numpy.real", "numpy.imag")
# of counts, which the host knows
BOUNDS = {"numpy.minimum": "min", "numpy.maximum": "max"}
SPELLED = ("operator", "augmented", "attribute")


class Calls:
    """Changes calls to those that a library has, or refuses them."""

    def __init__(self, facts: Facts, target: Target):
        self.facts, self.target = facts, target
        self.table: Links | None = links(target.table) if target.table else None
        self.arrays = Arrays(facts, target.device)

    def has(self, op: str) -> bool:
        """Whether the library has a function."""
        return self.table is None or self.table.has(_name(op))

    def changed(self, node: Expr) -> Expr:
        """The call in the library's words. Raises GradgenError where it has none."""
        if isinstance(node, Const):
            return self._constant(node)
        if isinstance(node, Apply) and node.op in UNCHECKED:
            if self.target.name != "numpy":
                return self.changed(call(UNCHECKED[node.op], *node.args))
        if isinstance(node, Apply) and node.op.startswith("helper."):
            return self.arrays.of_helper(node) if self._wants_arrays() else node
        if not isinstance(node, Apply) or not node.op.startswith(MODULES):
            return self._word(node)
        if node.spelling.partition(":")[0] in ("operator", "augmented"):
            of_torch = self.target.name == "torch" and node.op == "numpy.subtract"
            return minus(node) if of_torch else node
        if node.spelling in ("name:min", "name:max") and self._is_unread(node):
            node = replace(node, spelling="")  # Python's own compares on the host
        if node.op in self.target.refused:
            reason, advice = self.target.refused[node.op]
            raise GradgenError(
                "GG701",
                f"{_shown(node.op)} on {self.target.name}: {reason}",
                advice=advice,
            )
        first = self.target.always.get(node.op)
        other = first(node, self.facts) if first is not None else None
        if other is not None and other is not node:
            return other if not isinstance(other, Apply) else self._checked(other)
        return self._checked(node)

    def _checked(self, node: Apply) -> Expr:
        """A call that the library has, by another form where it has to be."""
        node = self._without_method(node)
        kind, _, word = node.spelling.partition(":")
        if kind in SPELLED or not node.op.startswith(MODULES):
            return node
        if node.op in self.target.names:
            node = replace(node, op=f"numpy.{self.target.names[node.op]}", spelling="")
        name = _name(node.op)
        if not self._has(name) and name in OLDER:
            node, name = (
                replace(node, op=f"numpy.{OLDER[name]}", spelling=""),
                OLDER[name],
            )
        if not self._has(name) and self._has_method(name) and node.args:
            # np.copy(x) as x.copy()
            return replace(node, spelling=f"method:{name}")
        wrong: list[str | None] = [] if self._has(name) else [None]
        wrong += [
            k for k, _ in node.kwargs if self._has(name) and not self._takes(name, k)
        ]
        if not wrong:
            self._refuse_numbers(node)
            return self._of_arrays(node, name)
        form = self.target.forms.get(node.op)
        other = form(node, self.facts) if form is not None else None
        if isinstance(other, Apply) and other != node:
            if other.op != node.op:
                return self._checked_all(other)
            if all(self._takes(name, k) for k, _ in other.kwargs):
                return self._of_arrays(other, name)
        what = (
            _shown(node.op) if wrong[0] is None else f"{wrong[0]}= of {_shown(node.op)}"
        )
        raise GradgenError(
            "GG702" if wrong[0] is None else "GG703",
            f"{self._lacks()} {what}{self._version()}",
            advice=_advice(node, wrong[0]),
        )

    def _lacks(self) -> str:
        """What is said of a name that is not in the table; torch's is of what was run."""
        name = self.target.name
        return f"{name} is not known to have" if name == "torch" else f"{name} has no"

    def _of_arrays(self, node: Apply, name: str) -> Apply:
        if not self._wants_arrays() or self.table is None:
            return node
        if self.target.device and node.op in BOUNDS and are_counts(node):
            return replace(node, spelling=f"name:{BOUNDS[node.op]}")
        if node.spelling.startswith("name:"):
            return node
        return self.arrays.of(node, self.table.names.get(name))

    def _wants_arrays(self) -> bool:
        """Whether the library's functions take no lists."""
        return self.target.device or self.target.library.pure

    def _checked_all(self, node: Apply) -> Expr:
        args = tuple(
            self._checked_all(arg) if isinstance(arg, Apply) else arg
            for arg in node.args
        )
        node = replace(node, args=args)
        return self._checked(node) if node.op.startswith(MODULES) else node

    def _has(self, name: str) -> bool:
        if self.target.name == "torch" and name not in TORCH_KEYWORDS:
            return False
        known = self.target.name == "torch"  # by TORCH_KEYWORDS
        return known or self.table is None or self.table.has(name)

    def _takes(self, name: str, keyword: str) -> bool:
        if self.target.name == "torch":
            return keyword in TORCH_KEYWORDS[name]
        return self.table is None or self.table.takes(name, keyword)

    def _version(self) -> str:
        return f" (as of {self.table.version})" if self.table is not None else ""

    def _without_method(self, node: Apply) -> Apply:
        """x.max(axis=0) as a function where the library's method is another one."""
        kind, _, word = node.spelling.partition(":")
        if kind in ("method", "method*", "attribute") and not self._has_method(word):
            args = node.args
            return Apply(node.op, args, node.kwargs)
        if kind == "name" and word.startswith("math."):
            kinds = [self.facts.kind(arg) for arg in node.args]
            if any(k in (Kind.LIKE, Kind.WIDE, Kind.MIXED) for k in kinds):
                return replace(node, spelling="")
        return node

    def _has_method(self, word: str) -> bool:
        if self.target.name == "torch":
            return word in TORCH_METHODS
        return self.table is None or word in self.table.methods

    def _refuse_numbers(self, node: Apply) -> None:
        """torch's functions take tensors only."""
        if self.target.name != "torch" or node.spelling.startswith("name:"):
            return
        first = node.args[0] if node.args else None
        making = "arange concatenate einsum eye ones stack tensor zeros".split()
        if first is None or _name(node.op) in making or _name(node.op) == "where":
            return
        is_number = isinstance(first, Const) or self.facts.is_index(first)
        if is_number or self.facts.kind(first) is Kind.WEAK:
            raise GradgenError(
                "GG706",
                f"{_shown(node.op)} of a Python number: torch's functions take tensors",
                advice=f"--shape of an array, or math.{_name(node.op)}",
            )

    def _word(self, node: Expr) -> Expr:
        if isinstance(node, Apply) and node.op == "or" and self._is_unread(node):
            # a guard: out or np.inf
            value, other = node.args
            zero = Apply("numpy.equal", (value, Const(0)), spelling="operator")
            return self._checked(call("numpy.where", zero, other, value))
        if isinstance(node, Apply) and node.op == "split_like":
            raise GradgenError(
                "GG702",
                f"{self.target.name} takes no list of lengths: parts that a loop made",
                advice="np.stack of parts of one shape, or --target numpy",
            )
        if isinstance(node, Apply) and node.op == "zeros_of":
            takes_numbers = not self.target.device and self.target.name != "torch"
            if takes_numbers or self.facts.kind(node.args[0]) is Kind.LIKE:
                return node
            return zeros_of_numbers(node, self.facts)
        stacked = isinstance(node, Apply) and node.op == "stacked"
        if stacked and (self.target.lazy or self.target.name == "torch"):
            if self.facts.depth(node.args[0]) > 1:
                raise GradgenError(
                    "GG702",
                    f"{self.target.name} makes no array of a list of lists",
                    advice="np.stack of the rows, each an np.stack",
                )
            # np.array(list) computes its entries
            return replace(node, spelling="name:numpy.stack")
        if self.target.name == "torch" and isinstance(node, Apply):
            backwards = node.op == "slice" and _is_negative(node.args[2])
            if backwards:
                raise GradgenError(
                    "GG702",
                    "torch has no slices with a negative step",
                    advice="np.flip(x, axis)",
                )
        return node

    def _is_unread(self, node: Apply) -> bool:
        """Whether a choice is of an array that the host does not read."""
        numbers = (Kind.MIXED, Kind.LIKE, Kind.WIDE)
        chosen = any(self.facts.kind(arg) in numbers for arg in node.args)
        return chosen and (self._wants_arrays() or self.target.lazy)

    def _constant(self, node: Const) -> Const:
        text = node.text or ""
        if node.dtype and self.target.name != "numpy":
            raise GradgenError(
                "GG702",
                f"{text or node.value} is a number of NumPy's, a {node.dtype}",
                advice="a Python number",
            )
        module, dot, name = text.partition(".")
        if dot and module in ("np", "numpy") and not self._has(name):
            raise GradgenError(
                "GG702",
                f"{self._lacks()} {text}{self._version()}",
                advice="a number",
            )
        return node


def _name(op: str) -> str:
    """The name in a table: "numpy.linalg.norm" is linalg.norm."""
    return op.removeprefix("numpy.")


def _shown(op: str) -> str:
    return f"np.{_name(op)}" if op.startswith("numpy.") else op


def _is_negative(step: Expr) -> bool:
    if isinstance(step, Const):
        return isinstance(step.value, int) and step.value < 0
    return isinstance(step, Apply) and step.op == "numpy.negative"


def _advice(node: Apply, keyword: str | None) -> str:
    if keyword == "where":
        return f"np.where(mask, x, neutral) as what {_shown(node.op)} is of"
    if keyword is not None:
        return f"{_shown(node.op)} without {keyword}="
    return "the operations that it is made of, or --target numpy"
