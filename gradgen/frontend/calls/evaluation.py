"""What is computed while the text is made, of values that are known."""

from __future__ import annotations

import math
import operator
import re
import types
import warnings
from collections.abc import Callable
from typing import Any

import gast
import numpy

from gradgen.errors import words_of
from gradgen.frontend.control.at_once import taken_at_once
from gradgen.frontend.heap.containers import new_dict
from gradgen.frontend.heap.contents import wish_of_list
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.lists import new_list
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.pending import Raised
from gradgen.frontend.lowering.statics import is_known, ordered, set_of
from gradgen.frontend.source.names import NO_VALUE, is_plain
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.strong import strong_constant

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
    *(numpy.issubdtype, numpy.can_cast, numpy.isscalar),
    *(numpy.iterable, numpy.result_type),
    *(numpy.int8, numpy.int16, numpy.int32, numpy.int64, numpy.bool_),
    *(numpy.uint8, numpy.uint16, numpy.uint32, numpy.uint64),
    numpy.broadcast_shapes,
    numpy.float16,
    *(operator.itemgetter, operator.attrgetter, operator.methodcaller),
    *(operator.contains, operator.length_hint, operator.index, operator.concat),
    *(re.compile, re.match, re.search, re.fullmatch, re.sub, re.subn, re.split),
    *(re.findall, re.escape),
)
# one of these itself, not what equals it; the tuple keeps them
OF_PURE = frozenset(map(id, PURE))
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
    re.Pattern: frozenset("match search fullmatch sub subn split findall".split()),
    re.Match: frozenset("group groups groupdict start end span".split()),
}


GETTERS = (operator.itemgetter, operator.attrgetter, operator.methodcaller)
# what stays as it is, and has methods alone
OBJECTS = (*GETTERS, re.Pattern, re.Match)
# a value that takes more room is left to the text
LONGEST = 10_000


def evaluated(
    lowering: Lowering,
    function: Callable[..., Any],
    args: list[Expr],
    kwargs: Any,
    node: Any,
) -> Expr | None:
    """The result of a pure function where all arguments are known, else None."""
    values = [value_known(lowering, arg, True) for arg in args]
    named = {name: value_known(lowering, value, True) for name, value in kwargs}
    if any(value is NO_VALUE for value in (*values, *named.values())):
        return None
    return result_of(lowering, lambda: function(*values, **named), node)


def result_of(lowering: Lowering, compute: Callable[[], Any], node: Any) -> Expr | None:
    """The handle of what is computed now; what it raises is refused."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of numbers of NumPy's that overflow
            found = compute()
    except Exception as error:
        raised(lowering, error, node)
        lowering.fail(
            "GG269",
            f"this raises {words_of(error)}",
            node,
            "an expression that has a value",
        )
    return handle_of(lowering, found)


def handle_of(lowering: Lowering, value: Any) -> Expr | None:
    """A Python value as a handle; None where it has none."""
    if isinstance(value, (set, frozenset)):
        if not all(map(is_plain, value)):
            return None
        return set_of([Const(one) for one in ordered(set(value))])
    if isinstance(value, OBJECTS):
        return Const(value)
    if isinstance(value, numpy.generic):
        return strong_constant(value)
    if isinstance(value, numpy.dtype) or not is_known(value):
        return None
    if isinstance(value, (str, list, tuple, dict)) and len(value) > LONGEST:
        return None
    if isinstance(value, (list, tuple)):
        parts = [handle_of(lowering, one) for one in value]
        if any(part is None for part in parts):
            return None
        known = [part for part in parts if part is not None]
        if isinstance(value, list):
            return new_list(
                lowering, Apply("list", tuple(known)), wish_of_list(lowering)
            )
        return Apply("tuple", tuple(known))
    if isinstance(value, dict):
        items = {key: handle_of(lowering, one) for key, one in value.items()}
        if any(one is None for one in items.values()):
            return None
        return new_dict(lowering, items)
    return Const(value)


def evaluated_call(
    lowering: Lowering, node: gast.Call
) -> tuple[Expr | None, gast.Call]:
    """A call of a pure function or method of what is known, else None.

    Behind it stands the call with what has been read of it.
    """
    value = lowering.resolve(node.func)
    if value is not NO_VALUE:
        whole = taken_at_once(lowering, value, node)
        if isinstance(whole, Expr):
            return whole, node
        node = whole or node
        if not is_pure(lowering, node) or not _is_read(lowering, node):
            return None, node
        held = held_call(lowering, node, node.func)
        return evaluated(lowering, value, *held_arguments(lowering, held), node), held
    if isinstance(node.func, gast.Attribute):
        return _evaluated_method(lowering, node, node.func)
    return None, node


def is_pure(lowering: Lowering, node: gast.Call) -> bool:
    """Whether a call is of a function that is called where its arguments are known."""
    value = lowering.resolve(node.func)
    return id(value) in OF_PURE


def _evaluated_method(
    lowering: Lowering, node: gast.Call, func: gast.Attribute
) -> tuple[Expr | None, gast.Call]:
    if not any(func.attr in names for names in METHODS.values()):
        return None, node
    base = func.value
    outer = lowering.resolve(base)
    if isinstance(outer, (type, types.ModuleType)):
        return None, node
    found = isinstance(outer, re.Pattern)
    receiver = Const(outer) if found else lowering.read(base)
    if receiver is REFUSED:
        return REFUSED, node
    made = gast.Attribute(value=Held(receiver, base), attr=func.attr, ctx=func.ctx)
    func = gast.copy_location(made, func)
    held = _with_function(lowering, node, func)
    own = getattr(receiver, "value", None)
    owner = own if isinstance(own, OBJECTS) else value_known(lowering, receiver, True)
    if owner is NO_VALUE or func.attr not in METHODS.get(type(owner), ()):
        return None, held
    held = held_call(lowering, node, func)
    method = getattr(owner, func.attr)
    return evaluated(lowering, method, *held_arguments(lowering, held), node), held


def _is_read(lowering: Lowering, node: gast.Call) -> bool:
    return not any(isinstance(arg, gast.GeneratorExp) for arg in node.args)


def _with_function(lowering: Lowering, node: gast.Call, func: gast.AST) -> gast.Call:
    made = gast.Call(func=func, args=node.args, keywords=node.keywords)
    return gast.copy_location(made, node)


def held_call(lowering: Lowering, node: gast.Call, func: gast.AST) -> gast.Call:
    """A call with what its arguments are in the place of them."""
    made = gast.Call(
        func=func,
        args=[Held(lowering.read_at_once(arg), arg) for arg in node.args],
        keywords=[
            gast.keyword(k.arg, Held(lowering.read(k.value), k.value))
            for k in node.keywords
        ],
    )
    for keyword in made.keywords:
        gast.copy_location(keyword, keyword.value)
    return gast.copy_location(made, node)


def held_arguments(
    lowering: Lowering, held: gast.Call
) -> tuple[list[Expr], list[tuple[str, Expr]]]:
    """The handles of a call that has been read. Raises Refusal."""
    args = [arg.handle for arg in held.args]
    kwargs = [(str(k.arg), k.value.handle) for k in held.keywords]
    if any(one is REFUSED for one in (*args, *(v for _, v in kwargs))):
        raise Refusal
    return args, kwargs


def known_text(lowering: Lowering, node: gast.JoinedStr) -> Const | None:
    """What an f-string says, where all its values are known."""
    parts = []
    for part in node.values:
        if isinstance(part, gast.Constant):
            parts.append(str(part.value))
            continue
        found = _formatted(lowering, part)
        if found is None:
            return None
        parts.append(found)
    return Const("".join(parts))


def _formatted(lowering: Lowering, part: Any) -> str | None:
    """What {value!r:>8} of an f-string says, where the value is known."""
    value = value_known(lowering, lowering.read(part.value))
    spec = Const("") if part.format_spec is None else lowering.read(part.format_spec)
    if value is NO_VALUE or not is_plain(value) or not isinstance(spec, Const):
        return None
    changes: dict[int, Callable[[Any], str]] = {
        ord("r"): repr,
        ord("s"): str,
        ord("a"): ascii,
    }
    change = changes.get(part.conversion)
    return format(value if change is None else change(value), str(spec.value))


def constant_key(lowering: Lowering, key: Expr) -> Expr:
    """A tuple of constants as one constant, as a key is."""
    if isinstance(key, Apply) and key.op == "tuple":
        value = value_known(lowering, key)
        return key if value is NO_VALUE else Const(value)
    return key


def raised(lowering: Lowering, error: Exception, node: Any) -> None:
    """Goes on in the handler of a try block around what surely raises."""
    for one in reversed(lowering.trying):
        if one.body is lowering.body and one.handler_of(type(error)) is not None:
            raise Raised(error) from None
