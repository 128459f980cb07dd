"""Arguments that are containers, by what the body does with their parts.

An argument of which nothing is told is taken for a tuple where it is read by its parts
alone, and these are no rows of one array: one is multiplied as a matrix, another is not.
A dictionary has the keys that are read of it.

before:  W, b = p; return np.sum(np.tanh(x @ W + b))      p may be anything
after:   p is a tuple of 2: the gradient is (d_W, d_b)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from collections.abc import Sequence
from dataclasses import field, replace

from gradgen.errors import GradgenError
from gradgen.facts.assumed import Assumed, is_free
from gradgen.frontend.source.rows import tells_of_rows
from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Param, Ref, Var
from gradgen.ir.operators import LENGTHS, MATRIX_PRODUCTS
from gradgen.ir.structure import LEAF, Structure
from gradgen.ir.walk import children, lets, own_expressions, statements
from gradgen.ir.walk import subexpressions
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import MATRICES
from gradgen.shapes.tree import tree_text

Path = tuple[object, ...]
# a key that no function reads
UNREAD = "a key that nobody reads"
DIGIT = re.compile(r"[0-9]")


@dataclass
class Part:
    """A value that may be a container, and what is done with it and its parts."""

    name: str = ""
    parts: dict[int, Part] = field(default_factory=dict)
    count: int | None = None
    # a part whose place is not written, as in a loop: all of them
    each: Part | None = None
    # whether it is read as a whole, multiplied as a matrix, turned, or computed with
    whole: bool = False
    multiplied: bool = False
    turned: bool = False
    entrywise: bool = False
    # whether it has axes, as entries of it are read, or lengths
    measured: bool = False

    def inner(self) -> list[Part]:
        return [*self.parts.values(), *([] if self.each is None else [self.each])]

    @property
    def is_container(self) -> bool:
        """Whether its parts are surely no rows of one array."""
        inner = self.inner()
        if self.whole or self.multiplied or self.turned or self.entrywise or not inner:
            return False
        if any(part.is_container for part in inner):
            return True
        own = list(self.parts.values())  # rows that a loop takes are all alike
        if len(own) < 2:
            return False
        apart = any(p.multiplied for p in own) and any(
            p.entrywise and not p.multiplied for p in own
        )
        matrices = all(p.multiplied and p.name[:1].isupper() for p in own)
        # X, mu, gamma = cache: rows of one array would be of one kind
        mixed = len({_is_capital(p.name) for p in own}) == 2
        mixed = mixed and any(p.measured for p in own)
        return apart or matrices or mixed or any(p.turned for p in own)

    @property
    def has_length(self) -> bool:
        """Whether it is known how many parts it has, and those have."""
        if any(place < 0 for place in self.parts) or self.each is not None:
            return False
        held = [part for part in self.inner() if part.is_container]
        return all(part.has_length for part in held)

    def structure(self) -> Structure:
        """The tuple that it is; what is none of its parts is a leaf."""
        alike = any(part.is_container for part in self.inner())
        count = self.count or max(self.parts) + 1
        parts = [self.parts.get(i) for i in range(count)]
        return Structure(
            "tuple",
            tuple(
                part.structure()
                if part and (part.is_container or alike and part.has_parts)
                else LEAF
                for part in parts
            ),
        )

    def example(self) -> str:
        """What a list of two of its parts would be told by."""
        inner = self.each or next(iter(self.parts.values()))
        if inner.is_container and inner.has_length:
            one = tree_text(inner.structure())
        else:
            one = "None"
        return f"[{one}, {one}]"

    @property
    def is_gone_through(self) -> bool:
        """Whether a loop takes matrices, or several values at once, from it."""
        each = self.each
        inside = each is not None and (each.multiplied or each.count is not None)
        return inside and not self.whole and not self.is_container

    @property
    def is_read_by_parts(self) -> bool:
        """Whether nothing is done with it but to read its parts."""
        whole = self.whole or self.entrywise or self.multiplied or self.turned
        return not whole and bool(self.inner())

    @property
    def has_parts(self) -> bool:
        return bool(self.parts) and not self.whole and self.has_length


def _is_capital(name: str) -> bool:
    """Whether a word of a name begins with a capital: log_A."""
    return any(word[:1].isupper() for word in name.split("_"))


def parted(primal: Function, facts: Facts, found: Collection[str]) -> dict[Path, Part]:
    """The arguments that are read by their parts alone, by their names.

    So are the parts of those that were `found` to be containers, by their paths.
    """
    paths = {
        param.var: (param.bundle or param.var.name, *(key for _, key in param.path))
        for param in primal.params
        if is_free(param, facts) or param.bundle in found and param.fact is None
    }
    free = {var: Part() for var in paths}
    known: dict[Var, Part] = dict(free)
    for stmt in statements(primal.body):
        for expr in own_expressions(stmt):
            part = _seen(expr, known)
            if part is not None and isinstance(stmt, Let):
                known[stmt.var] = part
                part.name = part.name or stmt.var.name
            elif part is not None:
                part.whole = True
    for value in primal.values:
        part = _seen(value, known)
        if part is not None:
            part.whole = True
    return {paths[var]: part for var, part in free.items()}


def _seen(expr: Expr, known: Mapping[Var, Part]) -> Part | None:
    """The part that an expression is, after noting what it does with others."""
    if isinstance(expr, Ref):
        return known.get(expr.var)
    if not isinstance(expr, Apply):
        return None
    if expr.op == "getitem" and len(expr.args) == 2:
        base, key = _seen(expr.args[0], known), expr.args[1]
        return None if base is None else _item(base, key)
    args = list(children(expr))
    parts = [part for part in (_seen(arg, known) for arg in args) if part is not None]
    if expr.op in LENGTHS:
        for part in parts:
            part.measured = True
        return None
    if expr.op == "numpy.not_equal" and isinstance(args[1], Const):
        _counted(args[0], args[1].value, known)
    if expr.spelling == "attribute:T" and parts:
        parts[0].turned = True
        return parts[0]
    rule = operations().get(expr.op)
    for part in parts:
        if rule is None or rule.kind not in ("elementwise", "linear", "general"):
            part.whole = True
        elif expr.op in MATRICES or expr.op in MATRIX_PRODUCTS:
            part.multiplied = True
        else:
            part.entrywise = True
    return None


def _item(base: Part, key: Expr) -> Part:
    if isinstance(key, Const) and type(key.value) is int:
        return base.parts.setdefault(key.value, Part())
    if isinstance(key, Apply) and key.op == "slice":
        base.each = base.each or Part()
        return base
    if isinstance(key, Ref):
        base.each = base.each or Part()
        return base.each
    base.whole = base.measured = True
    return base


def _counted(measured: Expr, count: object, known: Mapping[Var, Part]) -> None:
    """Of a test whether as many values are there as are unpacked."""
    if isinstance(measured, Apply) and measured.op in LENGTHS and type(count) is int:
        part = _seen(measured.args[0], known) if measured.args else None
        if part is not None:
            part.count = count


def with_keys(
    found: Mapping[str, Structure],
    problems: Iterable[GradgenError],
    free: Collection[str],
) -> dict[str, Structure]:
    """The containers, with the keys that were read of what is no dictionary so far."""
    known = dict(found)
    for problem in problems:
        path, key = problem.read_of
        if path and path[0] in free:
            old = known.get(path[0], LEAF)
            known[path[0]] = _with_key(old, path[1:], key)
    return known


def _with_key(old: Structure, path: Path, key: object) -> Structure:
    if path:
        return replaced(old, path, lambda part: _with_key(part, (), key))
    if key in old.keys or old and old.sort != "dict":
        return old
    return Structure("dict", (*old.parts, LEAF), (*old.keys, key))


def replaced(
    old: Structure, path: Path, change: Callable[[Structure], Structure]
) -> Structure:
    """The structure with another part at a path."""
    if not path:
        return change(old)
    parts = tuple(
        replaced(part, path[1:], change) if place == path[0] else part
        for place, part in old.steps()
    )
    return replace(old, parts=parts)


def with_another(structure: Structure) -> Structure:
    """The same with more keys in each dictionary, which no function reads by name.

    A function may go through those that begin or end as one of its own does.
    """
    parts = tuple(map(with_another, structure.parts))
    if structure.sort != "dict":
        return replace(structure, parts=parts)
    more = [UNREAD]
    for key in structure.keys:
        if isinstance(key, str) and key:
            more += [f"{key} {UNREAD}", f"{UNREAD} {key}", f"{key[0]}~", f"~{key[-1]}"]
            more += [key[:at] + "~" + key[at + 1 :] for at in range(len(key))]
            more.append(DIGIT.sub(lambda one: str((int(one[0]) + 7) % 10), key))
    more = [key for key in dict.fromkeys(more) if key not in structure.keys]
    leaves = (LEAF,) * len(more)
    return replace(structure, parts=(*parts, *leaves), keys=(*structure.keys, *more))


def in_reading_order(structure: Structure, read: Sequence[object]) -> Structure:
    """A structure with the keys of its dictionaries in the order that they are `read`."""
    parts = tuple(in_reading_order(part, read) for part in structure.parts)
    if structure.sort != "dict":
        return replace(structure, parts=parts)
    order = [*read, *structure.keys]
    both = sorted(zip(structure.keys, parts), key=lambda one: order.index(one[0]))
    keys, parts = zip(*both) if both else ((), ())
    return replace(structure, parts=parts, keys=keys)


def read_alike(one: Function, other: Function, keyed: Collection[str] = ()) -> bool:
    """Whether two readings of a function do the same, whatever keys there are.

    The dictionaries that are `keyed` may be among its results as they are.
    """
    return _outline(one, keyed) == _outline(other, keyed)


def _outline(primal: Function, keyed: Collection[str]) -> list[object]:
    given = {param.var for param in primal.params if param.bundle in keyed}
    handed = {
        let.var
        for let in lets(primal.body)
        if isinstance(let.value, Ref) and let.value.var in given
    }
    values = [v for v in primal.values if getattr(v, "var", None) not in given | handed]
    found: list[object] = [len(values), len(primal.structure.parts)]
    for stmt in statements(primal.body):
        if isinstance(stmt, Let) and stmt.var in handed:
            continue
        found.append(type(stmt))
        for expr in own_expressions(stmt):
            for inner in subexpressions(expr):
                is_const = isinstance(inner, Const)
                found.append(repr(inner.value) if is_const else getattr(inner, "op", 0))
    return found


def assumed_parts(
    found: Mapping[str, Structure], optional: Collection[Path]
) -> Iterator[Assumed]:
    """What is assumed of containers, as the docstring says it."""
    for name, structure in found.items():
        words = f"a tuple of {len(structure.parts)}"
        if structure.sort == "dict":
            keys = [key for key in structure.keys if (name, key) not in optional]
            others = [str(key) for key in structure.keys if key not in keys]
            words = "a dictionary"
            words += f" of {', '.join(map(str, keys))}" if keys else ""
            words += f" (it may lack {', '.join(others)})" if others else ""
        yield Assumed(name, -1, False, told=words, fact=tree_text(structure))


def stacked(
    parts: Mapping[Path, Part],
    wrt: Collection[str],
    free: Collection[str],
    params: Iterable[Param],
) -> Iterator[Assumed]:
    """The arguments that are arrays, where their gradient is one: no list of arrays.

    One that is told to be a list of rows of numbers may be that, where nothing is done
    with a row but to read its entries.

    before:  for W in Ws: x = np.tanh(x @ W)
    after:   Ws is an array
    """
    rows = {param.label for param in params if is_of_rows(param)}
    for path, part in parts.items():
        name = str(path[0])
        if name in rows and part.each is not None and part.each.is_read_by_parts:
            continue
        if len(path) == 1 and name in wrt and name in free and part.is_gone_through:
            yield Assumed(name, -1, False, array=True, told="an array")


def is_of_rows(param: Param) -> bool:
    """Whether an argument is a list of rows of numbers, by annotation or an example."""
    return param.listed > 1 or tells_of_rows(param.annotation)


def facts_of(found: Mapping[str, Structure]) -> tuple[tuple[str, str], ...]:
    """The facts that tell of these containers: ("p", "(None, None)")."""
    return tuple((name, tree_text(structure)) for name, structure in found.items())
