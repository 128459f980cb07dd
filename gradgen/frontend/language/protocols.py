"""What Python and NumPy ask of an instance that no operator of the text names.

before:  if n: ...; a == b; y * v; np.sum(w)
after:   if n.__bool__(): ...; a is b, where there is no __eq__; else refused

NumPy on the left decides first: an array goes over its entries, and takes what has
items for an array, before `__rmul__` is asked.
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gast
import numpy

from gradgen.frontend.control.assumed_keys import ask_for_any
from gradgen.frontend.calls.protocols import COMPARED, own_method, refuse_object
from gradgen.frontend.control.truths import known_truth
from gradgen.frontend.heap.arguments_changed import note_length, note_not_empty
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.asked_ranks import note_ranks
from gradgen.frontend.heap.lengths import count_of, value_known
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record, is_object, is_structure
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.source.lookup import MISSING, looked_up
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.ir.operators import OF_ANYTHING
from gradgen.rules.load import operations

# operations that take any object
OF_OBJECTS = ("is", "is_not", "isinstance", "type", "hasattr", "callable", "id")
# what makes NumPy take an object for an array
LIKE_ARRAYS = ("__getitem__", "__array__", "__array_interface__", "__array_struct__")


@answers(Lowering.as_truth)
def as_truth(lowering: Lowering, handle: Expr, node: gast.AST) -> Expr:
    """What a test asks of a value: of an instance __bool__, else __len__.

    A shape is true where the array has axes.
    """
    known = contents(lowering, handle) if handle is not REFUSED else None
    many = count_of(lowering, handle)
    if many is not None:
        note_ranks(lowering, [handle])
        return Const(many > 0)  # of a shape, or a part of one
    if known is not None and known.op == "dict":
        ask_for_any(lowering, handle)
        note_not_empty(lowering, handle)
    elif known is not None:
        note_length(lowering, handle)
    if not isinstance(known, Record) or known.op == "namedtuple":
        return handle
    for name in ("__bool__", "__len__"):
        method = own_method(lowering, handle, name)
        if method is not None:
            found = lowering.call(method, [handle], (), node)
            value = value_known(lowering, found)
            return Const(bool(value)) if type(value) in (bool, int) else found
        if looked_up(known.cls, name) is not MISSING:
            refuse_object(lowering, known, f"the {name} of", "is not known here", node)
    return Const(True)


@handles(gast.UnaryOp)
def unary_operation(lowering: Lowering, node: gast.UnaryOp) -> Expr:
    if not isinstance(node.op, gast.Not):
        return unary_operation.further(lowering, node)
    operand = lowering.read(node.operand)
    if operand is REFUSED:
        return REFUSED
    asked = lowering.as_truth(operand, node)
    if asked is not operand and isinstance(asked, Const):
        return Const(not asked.value)
    truth = known_truth(lowering, asked) if isinstance(asked, Const) else None
    if truth is not None:
        return Const(not truth)
    made = gast.UnaryOp(op=node.op, operand=Held(asked, node.operand))
    return unary_operation.further(lowering, gast.copy_location(made, node))


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    if value is bool and len(node.args) == 1:
        handle = lowering.read(node.args[0])
        asked = lowering.as_truth(handle, node)
        if asked is not handle and isinstance(asked, Const):
            return asked
        if asked is not handle and asked is not REFUSED:
            return lowering.bind(Apply("bool", (asked,), (), "name:bool"), node)
        held = Held(asked, node.args[0])
        made = gast.Call(func=node.func, args=[held], keywords=node.keywords)
        node = gast.copy_location(made, node)
    return special_call.further(lowering, value, node)


@answers(Lowering.comparison)
def comparison(
    lowering: Lowering, op: gast.cmpop, left: Expr, right: Expr, node: gast.AST
) -> Expr:
    names = COMPARED.get(type(op).__name__)
    if names is None or REFUSED in (left, right):
        return comparison.further(lowering, op, left, right, node)
    both = map(functools.partial(contents, lowering), (left, right))
    records = [known for known in both if is_object(known)]
    if not records:
        return comparison.further(lowering, op, left, right, node)
    asked = [*names, "__eq__"] if names[0] == "__ne__" else list(names)
    methods = [own_method(lowering, h, n) for h in (left, right) for n in asked]
    if any(method is not None for method in methods):
        _beside_numpy(lowering, left, right, node)
        return comparison.further(lowering, op, left, right, node)
    equal = _identical(lowering, left, right, records, node)
    if names[0] not in ("__eq__", "__ne__") or equal is None:
        refuse_object(
            lowering, records[0], "the comparison of", "is not supported", node
        )
    return Const(equal is (names[0] == "__eq__"))


def _identical(
    lowering: Lowering, left: Expr, right: Expr, records: list[Any], node: gast.AST
) -> bool | None:
    """Whether two objects are one, where their classes have no __eq__."""
    if any(looked_up(r.cls, "__eq__") is not object.__eq__ for r in records):
        return None
    if len(records) == 1:
        other = right if is_object(contents(lowering, left)) else left
        number = isinstance(other, Ref) and lowering.facts.rank(other) == 0
        if isinstance(other, Const) or number or contents(lowering, other) is not None:
            return False
        return None
    if not isinstance(left, Ref) or not isinstance(right, Ref):
        return None
    one, two = lowering.memory.buffer(left.var), lowering.memory.buffer(right.var)
    if one == two:
        return True
    given = {Origin.PARAM} & {left.var.origin, right.var.origin}
    held = left.var in lowering.places or right.var in lowering.places
    return None if given or held else False


@answers(Lowering.by_methods)
def by_methods(
    lowering: Lowering, name: str, left: Expr, right: Expr, node: gast.AST
) -> Expr | None:
    _beside_numpy(lowering, left, right, node)
    return by_methods.further(lowering, name, left, right, node)


@answers(Lowering.augment)
def augment(
    lowering: Lowering, handle: Expr, op: str, value: Expr, node: gast.AST, name: str
) -> Expr:
    if REFUSED not in (handle, value):
        _beside_numpy(lowering, handle, value, node, in_place=True)
    return augment.further(lowering, handle, op, value, node, name)


def _beside_numpy(
    lowering: Lowering, left: Expr, right: Expr, node: gast.AST, in_place: bool = False
) -> None:
    """Refuses NumPy's value on the left of an instance that it goes into."""
    known = contents(lowering, right)
    if not is_object(known) or contents(lowering, left) is not None:
        return
    if isinstance(left, Const) and not isinstance(left.value, numpy.generic):
        return
    rank = 0 if isinstance(left, Const) else lowering.facts.rank(left)
    if not (in_place and rank != 0) and _asked_first(known.cls, rank == 0):
        return
    like = [n for n in LIKE_ARRAYS if looked_up(known.cls, n) is not MISSING]
    if rank == 0 and not like:
        return
    lowering.fail(
        "GG243",
        f"NumPy takes the entries of an array, or the items of a "
        f"{known.cls.__name__}, before it asks the class",
        node,
        f"the {known.cls.__name__} on the left, or __array_ufunc__ = None in it",
    )


@answers(Lowering.bind)
def bind(lowering: Lowering, value: Apply, node: gast.AST | None) -> Expr:
    """An operation; an instance in the place of an array is refused."""
    if value.op in OF_OBJECTS:
        return bind.further(lowering, value, node)
    value = replace(value, args=tuple(map(_number_of, value.args)))
    if value.spelling != "operator":
        args = tuple(_as_tuple(lowering, arg) for arg in value.args)
        kwargs = tuple((key, _as_tuple(lowering, v)) for key, v in value.kwargs)
        value = replace(value, args=args, kwargs=kwargs)
    if lowering.memory.optional:
        _unless_may_be_none(lowering, value, node)
    for arg in (*value.args, *(v for _, v in value.kwargs)):
        for known in _records_in(lowering, arg):
            lowering.fail(
                "GG214",
                f"a {known.cls.__name__} is not an array",
                node,
                "its fields one by one",
            )
    return bind.further(lowering, value, node)


def _unless_may_be_none(
    lowering: Lowering, value: Apply, node: gast.AST | None
) -> None:
    """Refuses an axis that is None by one way, or an array: the result has another shape."""
    rule = operations().get(value.op)
    named = dict(zip(rule.by_name, value.args)) if rule is not None else {}
    axis = (named | dict(value.kwargs)).get("axis")
    if isinstance(axis, Ref) and lowering.memory.is_optional(axis):
        lowering.fail(
            "GG303",
            "the axis may be None here, which makes another shape",
            node,
            "a branch for None, and one for an axis",
        )
    first = value.args[0] if value.op in OF_ANYTHING and value.args else None
    if isinstance(first, Ref) and lowering.memory.is_optional(first):
        lowering.fail(
            "GG303",
            "this may be None here, of which NumPy makes an array of objects",
            node,
            "a branch for None, and one for an array",
        )


def _as_tuple(lowering: Lowering, handle: Expr) -> Expr:
    """A namedtuple as the tuple that NumPy takes it for."""
    known = contents(lowering, handle) if handle is not REFUSED else None
    if isinstance(known, Record) and known.op == "namedtuple":
        return Apply(
            "tuple", tuple(map(functools.partial(_as_tuple, lowering), known.args))
        )
    return handle


def _records_in(lowering: Lowering, handle: Expr) -> Iterator[Record]:
    known = contents(lowering, handle) if handle is not REFUSED else None
    if isinstance(known, Record):
        yield known
    elif is_structure(known) and not isinstance(handle, Const):
        for part in known.args:
            yield from _records_in(lowering, part)


def _number_of(handle: Expr) -> Expr:
    """A member of an IntEnum as the number that it is."""
    value = getattr(handle, "value", None)
    if isinstance(handle, Const) and isinstance(value, (enum.IntEnum, enum.IntFlag)):
        return Const(int(value))
    return handle


def _asked_first(cls: type, is_number: bool) -> bool:
    """Whether NumPy leaves an operator to a class: __array_ufunc__, __array_priority__."""
    own = looked_up(cls, "__array_ufunc__")
    if own is not MISSING:
        return own is None
    priority = looked_up(cls, "__array_priority__")
    return type(priority) in (int, float) and priority > (-1e6 if is_number else 0)
