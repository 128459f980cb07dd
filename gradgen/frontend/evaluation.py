"""Partial evaluation: pure functions and methods of what is known while emitting.

before:  mode = "Sum"; if mode.lower() == "sum": ...
after:   if True: ...

A table tells which functions and methods are pure; nothing else is run.
"""

from __future__ import annotations

import math
import operator
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast
import numpy

from gradgen.frontend.calling import Calling
from gradgen.frontend.held import Held
from gradgen.frontend.memory import Record
from gradgen.frontend.names import NO_VALUE, is_plain
from gradgen.frontend.probes import out_of_shape
from gradgen.frontend.statics import SetOf, is_known, ordered, set_of
from gradgen.frontend.writer import REFUSED, Refusal
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var

# functions of what is known alone, that have no rule or another one for numbers
PURE: tuple[Callable[..., Any], ...] = (
    *(str, repr, round, divmod, ord, chr, format, frozenset, set, complex, bool),
    *(int, float, hash, bin, hex, ascii, issubclass, callable, sum),
    *(
        math.factorial,
        math.comb,
        math.perm,
        math.gcd,
        math.prod,
        math.fsum,
        math.isclose,
    ),
    *(math.gamma, math.lgamma, math.erf, math.erfc, math.isfinite, math.isnan),
    *(math.isinf, math.trunc, math.copysign, math.fmod, math.isqrt, math.lcm),
    *(numpy.issubdtype, numpy.isscalar, numpy.iterable, numpy.result_type),
    *(operator.itemgetter, operator.attrgetter, operator.methodcaller),
    *(operator.contains, operator.length_hint, operator.index, operator.concat),
)
# methods that change nothing, by the type that they belong to
METHODS: dict[type, frozenset[str]] = {
    str: frozenset(
        "lower upper strip lstrip rstrip startswith endswith split rsplit join format "
        "replace title capitalize casefold swapcase find rfind index count isdigit "
        "isalpha isalnum isidentifier isupper islower isspace isnumeric zfill ljust "
        "rjust center partition rpartition splitlines removeprefix removesuffix "
        "encode expandtabs translate isdecimal".split()
    ),
    int: frozenset("bit_length conjugate is_integer".split()),
    float: frozenset("is_integer conjugate hex as_integer_ratio".split()),
    list: frozenset("index count copy".split()),
    tuple: frozenset("index count".split()),
    set: frozenset(
        "union intersection difference symmetric_difference issubset issuperset "
        "isdisjoint copy".split()
    ),
    dict: frozenset(),
}
OPERATORS: dict[str, Callable[..., Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Mod": operator.mod,
    "BitOr": operator.or_,
    "BitAnd": operator.and_,
    "BitXor": operator.xor,
    "LShift": operator.lshift,
    "RShift": operator.rshift,
}
GETTERS = (operator.itemgetter, operator.attrgetter, operator.methodcaller)
# a value that takes more room is left to the text
LONGEST = 10_000


class Raised(Exception):
    """What is evaluated raises, in a try block that takes it."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


@dataclass(frozen=True)
class Trying:
    """A try block: what is written in it, what its handlers take, which go on."""

    body: list[Any]
    kinds: tuple[tuple[type, ...], ...]
    goes_on: tuple[bool, ...]

    def handler_of(self, kind: type) -> int | None:
        """The place of the handler that takes an exception."""
        for i, kinds in enumerate(self.kinds):
            if issubclass(kind, kinds):
                return i
        return None


class Evaluation(Calling):
    """Evaluates what is static."""

    # what the dictionaries that make their values are made with
    factories: dict[Var, Expr]
    # the try blocks around, with what they catch
    trying: list[Trying]

    def evaluated(
        self, function: Callable[..., Any], args: list[Expr], kwargs: Any, node: Any
    ) -> Expr | None:
        """The result of a pure function where all arguments are known, else None."""
        values = [self.value_known(arg) for arg in args]
        named = {name: self.value_known(value) for name, value in kwargs}
        if any(value is NO_VALUE for value in (*values, *named.values())):
            return None
        return self._result(lambda: function(*values, **named), node)

    def _result(self, compute: Callable[[], Any], node: Any) -> Expr | None:
        """The handle of what is computed now; what it raises is refused."""
        try:
            found = compute()
        except Exception as error:
            kind = type(error).__name__
            self.raised(error, node)
            self.fail(
                "GG269",
                f"this raises {kind}: {error}",
                node,
                "an expression that has a value",
            )
        return self.handle_of(found)

    def handle_of(self, value: Any) -> Expr | None:
        """A Python value as a handle; None where it has none."""
        if isinstance(value, (set, frozenset)):
            if not all(map(is_plain, value)):
                return None
            return set_of([Const(one) for one in ordered(set(value))])
        if isinstance(value, GETTERS):
            return Const(value)
        if isinstance(value, numpy.dtype) or not is_known(value):
            return None
        if isinstance(value, (str, list, tuple, dict)) and len(value) > LONGEST:
            return None
        if isinstance(value, (list, tuple)):
            parts = [self.handle_of(one) for one in value]
            if any(part is None for part in parts):
                return None
            known = [part for part in parts if part is not None]
            if isinstance(value, list):
                return self.new_list(Apply("list", tuple(known)), self.wish_of_list())
            return Apply("tuple", tuple(known))
        if isinstance(value, dict):
            items = {key: self.handle_of(one) for key, one in value.items()}
            if any(one is None for one in items.values()):
                return None
            return self.new_dict(items)
        return Const(value)

    def other_call(self, node: gast.Call) -> Expr:
        found, node = self._evaluated_call(node)
        return super().other_call(node) if found is None else found

    def _evaluated_call(self, node: gast.Call) -> tuple[Expr | None, gast.Call]:
        """A call of a pure function or method of what is known, else None.

        Behind it stands the call with what has been read of it.
        """
        value = self.resolve(node.func)
        if value is not NO_VALUE:
            if not any(value is pure for pure in PURE) or not self._is_read(node):
                return None, node
            held = self.held_call(node, node.func)
            return self.evaluated(value, *self.held_arguments(held), node), held
        if isinstance(node.func, gast.Attribute):
            return self._evaluated_method(node, node.func)
        return None, node

    def _evaluated_method(
        self, node: gast.Call, func: gast.Attribute
    ) -> tuple[Expr | None, gast.Call]:
        if not any(func.attr in names for names in METHODS.values()):
            return None, node
        base = func.value
        if isinstance(self.resolve(base), (type, types.ModuleType)):
            return None, node
        receiver = self.read(base)
        if receiver is REFUSED:
            return REFUSED, node
        made = gast.Attribute(value=Held(receiver, base), attr=func.attr, ctx=func.ctx)
        func = gast.copy_location(made, func)
        held = self._with_function(node, func)
        owner = self.value_known(receiver)
        if owner is NO_VALUE or func.attr not in METHODS.get(type(owner), ()):
            return None, held
        held = self.held_call(node, func)
        method = getattr(owner, func.attr)
        return self.evaluated(method, *self.held_arguments(held), node), held

    def _is_read(self, node: gast.Call) -> bool:
        return not any(isinstance(arg, gast.GeneratorExp) for arg in node.args)

    def _with_function(self, node: gast.Call, func: gast.AST) -> gast.Call:
        made = gast.Call(func=func, args=node.args, keywords=node.keywords)
        return gast.copy_location(made, node)

    def held_call(self, node: gast.Call, func: gast.AST) -> gast.Call:
        """A call with what its arguments are in the place of them."""
        made = gast.Call(
            func=func,
            args=[Held(self.read_at_once(arg), arg) for arg in node.args],
            keywords=[
                gast.keyword(k.arg, Held(self.read(k.value), k.value))
                for k in node.keywords
            ],
        )
        for keyword in made.keywords:
            gast.copy_location(keyword, keyword.value)
        return gast.copy_location(made, node)

    def held_arguments(
        self, held: gast.Call
    ) -> tuple[list[Expr], list[tuple[str, Expr]]]:
        """The handles of a call that has been read. Raises Refusal."""
        args = [arg.handle for arg in held.args]
        kwargs = [(str(k.arg), k.value.handle) for k in held.keywords]
        if any(one is REFUSED for one in (*args, *(v for _, v in kwargs))):
            raise Refusal
        return args, kwargs

    # operators

    def read_BinOp(self, node: gast.BinOp) -> Expr:
        """ "a" + "b", "%d" % 3, {1} | {2}."""
        function = OPERATORS.get(type(node.op).__name__)
        if function is None:
            return super().read_BinOp(node)
        left, right = self.read(node.left), self.read(node.right)
        if REFUSED in (left, right):
            return REFUSED
        if (
            self._is_evaluated(left)
            or self._is_evaluated(right)
            or (type(node.op).__name__ in ("LShift", "RShift"))
        ):
            found = self.evaluated(function, [left, right], [], node)
            if found is not None:
                return found
        op = node.op
        made = gast.BinOp(
            left=Held(left, node.left), op=op, right=Held(right, node.right)
        )
        return super().read_BinOp(gast.copy_location(made, node))

    def _is_evaluated(self, handle: Expr) -> bool:
        """Whether operators on a value are no operations of the text: a string, a set."""
        value = handle.value if isinstance(handle, Const) else None
        return isinstance(value, str) or isinstance(handle, SetOf)

    def read_Set(self, node: gast.Set) -> Expr:
        items = [self.read(item) for item in node.elts]
        if REFUSED in items:
            return REFUSED
        if not all(isinstance(item, Const) for item in items):
            self.fail("GG201", "sets of values are not supported", node, "a tuple")
        return set_of(items)

    def known_text(self, node: gast.JoinedStr) -> Const | None:
        """What an f-string says, where all its values are known."""
        parts = []
        for part in node.values:
            if isinstance(part, gast.Constant):
                parts.append(str(part.value))
                continue
            found = self._formatted(part)
            if found is None:
                return None
            parts.append(found)
        return Const("".join(parts))

    def _formatted(self, part: Any) -> str | None:
        """What {value!r:>8} of an f-string says, where the value is known."""
        value = self.value_known(self.read(part.value))
        spec = Const("") if part.format_spec is None else self.read(part.format_spec)
        if value is NO_VALUE or not is_plain(value) or not isinstance(spec, Const):
            return None
        changes: dict[int, Callable[[Any], str]] = {
            ord("r"): repr,
            ord("s"): str,
            ord("a"): ascii,
        }
        change = changes.get(part.conversion)
        return format(value if change is None else change(value), str(spec.value))

    def item(self, base: Expr, key: Expr, node: gast.AST | None) -> Expr:
        """ "abc"[0], and what stands in a dictionary under no key."""
        if isinstance(base, Const) and isinstance(base.value, str):
            found = self.evaluated(operator.getitem, [base, key], [], node)
            if found is not None:
                return found
        if self.trying and out_of_shape(self, base, key):
            self.raised(IndexError("tuple index out of range"), node)
        known = self.contents(base) if base is not REFUSED else None
        if known is not None and known.op == "dict":
            key = self.constant_key(key)
        if known is not None and isinstance(key, Ref):
            value = self.value_known(key)
            key = Const(value) if type(value) in (int, str) else key
        if known is not None and isinstance(key, Const) and key is not REFUSED:
            names = [name for name, _ in self.pairs(known)] if known.kwargs else []
            if known.op == "dict" and key not in names and isinstance(base, Ref):
                if base.var in self.factories:
                    return self._made_for(base, known, key, node)
            if known.op == "dict" and key not in names:
                self.raised(KeyError(key.value), node)
            if known.op in ("tuple", "list") and type(key.value) is int:
                if not -len(known.args) <= key.value < len(known.args):
                    self.raised(IndexError("index out of range"), node)
        return super().item(base, key, node)

    def constant_key(self, key: Expr) -> Expr:
        """A tuple of constants as one constant, as a key is."""
        if isinstance(key, Apply) and key.op == "tuple":
            value = self.value_known(key)
            return key if value is NO_VALUE else Const(value)
        return key

    def _made_for(self, base: Ref, known: Apply, key: Const, node: Any) -> Expr:
        """What a defaultdict makes for a key that it has not."""
        made = self.apply(self.factories[base.var], [], (), node)
        items = {getattr(k, "value", None): v for k, v in self.pairs(known)}
        items[key.value] = made
        keys = tuple((str(i), Const(one)) for i, one in enumerate(items))
        changed = Apply("dict", tuple(items.values()), keys)
        self.state.versions[base.var] = changed
        self.touch(base.var)
        return made

    def raised(self, error: Exception, node: Any) -> None:
        """Goes on in the handler of a try block around what surely raises."""
        for one in reversed(self.trying):
            if one.body is self.body and one.handler_of(type(error)) is not None:
                raise Raised(error) from None

    def raises(self, kind: type[BaseException], node: Any) -> None:
        """A raise, or an assert: where a handler goes on it has to be sure."""
        for one in reversed(self.trying):
            place = one.handler_of(kind)
            if place is None or not one.goes_on[place]:
                continue
            if one.body is self.body and issubclass(kind, Exception):
                raise Raised(kind.__new__(kind)) from None
            self.fail(
                "GG113",
                f"a handler goes on where a test raises this {kind.__name__}",
                node,
                "if and else, in the place of raise and except",
            )

    # membership

    def membership(self, inside: bool, left: Expr, right: Expr, node: gast.AST) -> Expr:
        known = self.contents(right)
        value, among = self.value_known(left), self.value_known(right)
        if value is not NO_VALUE and among is not NO_VALUE:
            found = self._result(lambda: (value in among) is inside, node)
            assert found is not None
            return found
        if known is not None and known.op == "dict":
            right = Apply("tuple", tuple(key for key, _ in self.pairs(known)))
            return self.membership(inside, left, right, node)
        if known is not None and not isinstance(known, Record):
            if not known.args:
                return Const(not inside)
            right = Apply("tuple", known.args)
        return super().membership(inside, left, right, node)
