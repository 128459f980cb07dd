"""The classes of what is not known, as far as its kind tells them."""

from __future__ import annotations

import builtins
import types

import numpy

from gradgen.frontend.heap.containers import written_path
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.lists import is_list_object
from gradgen.frontend.heap.outside import module_name
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record, is_structure
from gradgen.frontend.lowering.statics import RangeOf, SetOf
from gradgen.frontend.source.holding import Anything
from gradgen.frontend.source.names import canonical
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.ir.slope import is_same
from gradgen.ir.strong import number_of
from gradgen.shapes.kinds import INTEGRAL, Kind

FLOATS = (float, numpy.float64, numpy.float32, numpy.float16, numpy.longdouble)
INTEGERS = (int, numpy.int64, numpy.int32, numpy.int16, numpy.int8, numpy.uint8)
COMPLEX = (complex, numpy.complex128, numpy.complex64)
BOOLEANS = (bool, numpy.bool_)
# what a number may be of which no more is known
NUMBERS = (*FLOATS, *INTEGERS, *COMPLEX)
REALS = (*FLOATS, *INTEGERS)
# modules whose classes a text may name
NAMED = ("builtins", "numpy", "numbers", "collections.abc")


def types_of(lowering: Lowering, handle: Expr) -> tuple[type, ...] | None:
    """The types that a value may have; None where it may have any."""
    found = _types_of(lowering, handle)
    if found is not None and lowering.memory.is_optional(handle):
        return (*found, type(None))
    return found


def note_kind(lowering: Lowering, handle: Expr, test: Expr, answer: bool) -> None:
    """Notes that a text holds where a question about an argument has this answer.

    before:  if isinstance(t, list): ...         # t[0] is read: an array
    after:   if isinstance(t, list):
                 raise ValueError("t is taken for an array")

    What is called is told of its arguments; a derivative at hand has been.
    """
    source = lowering.root.source
    if not isinstance(handle, Ref) or handle.var.origin is not Origin.PARAM:
        return
    if source.at_hand:
        return
    if handle.var not in lowering.arguments and handle.var not in lowering.leaf_names:
        return
    known = types_of(lowering, handle) or ()
    called = "an array" if numpy.ndarray in known else "a number"
    wrong = Apply("not", (test,), (), "operator") if answer else test
    name = lowering.leaf_names.get(handle.var, lowering.known_name(handle.var))
    lowering.kinds_decided[wrong] = f"{name} is taken for {called}"


def note_no_instance(lowering: Lowering, handle: Expr, cls: type) -> None:
    """Notes that a text is made for an argument that is no instance of a class.

    It has no name for the class, which is the user's.

    before:  if isinstance(x, Table): x = x.values
    after:   if ".Table'>" in str(type(x).__mro__):
                 raise ValueError("x is taken for no Table")
    """
    if not isinstance(handle, Ref) or handle.var.origin is not Origin.PARAM:
        return
    if lowering.root.source.at_hand:
        return
    if handle.var in lowering.arguments or handle.var in lowering.leaf_paths:
        kind = Apply("type", (handle,), (), "name:type")
        every = Apply("field", (kind,), (), "attribute:__mro__")
        shown = Apply("str", (every,), (), "name:str")
        test = Apply("in", (Const(f".{cls.__name__}'>"), shown), (), "operator")
        name = written_path(lowering, handle)
        lowering.kinds_decided[test] = f"{name} is taken for no {cls.__name__}"


def _types_of(lowering: Lowering, handle: Expr) -> tuple[type, ...] | None:
    if isinstance(handle, Const):
        if callable(handle.value) and not isinstance(handle.value, type):
            return (types.FunctionType,)
        if type(handle.value) is int:
            lowering.kinds_of_numbers = True
        return (type(number_of(handle)),)
    if isinstance(handle, Record):
        return None if handle.cls is Anything else (handle.cls,)
    if isinstance(handle, SetOf):
        return (set,)
    if isinstance(handle, RangeOf):
        return (range,)
    if is_structure(handle):
        kinds = {"list": list, "dict": dict, "slice": slice}
        return (kinds.get(handle.op, tuple),)
    if not isinstance(handle, Ref) or handle.var in lowering.likely:
        return None
    known = contents(lowering, handle)
    if known is not None:
        return types_of(lowering, known)
    if is_list_object(lowering, handle) or handle.var in lowering.memory.rows:
        return (list,)
    if _is_a_sequence_left_out(lowering, handle):
        return None
    whole = argument_of(lowering, handle)  # K[0] of K=([0, 1], [1, 2])
    if whole is not None and _is_a_sequence_left_out(lowering, whole):
        return None
    if lowering.is_array(handle) or bool(lowering.facts.rank(handle)):
        return (numpy.ndarray,)
    if lowering.is_number(handle):
        kind = lowering.facts.kind(handle)
        if kind is Kind.BOOLEAN:
            return BOOLEANS
        if kind in INTEGRAL:
            return INTEGERS
        return REALS if _is_real(lowering, handle) else NUMBERS
    if handle.var.origin is Origin.PARAM:
        return None
    defined = lowering.facts.definitions.get(handle.var)
    if is_same(defined):
        return types_of(lowering, defined.args[0])
    if isinstance(defined, Apply) and lowering.facts.kind(handle) >= Kind.WEAK:
        return (numpy.ndarray, *NUMBERS)
    return None


def argument_of(lowering: Lowering, handle: Expr) -> Ref | None:
    """The argument that a value is an entry of, or an entry of an entry."""
    value: Expr | None = handle
    while isinstance(value, Ref):
        value = lowering.facts.definitions.get(value.var)
        while isinstance(value, Apply) and value.op in ("getitem", "item"):
            value = value.args[0]
            if isinstance(value, Ref) and value.var.origin is Origin.PARAM:
                return value
        value = value.args[0] if is_same(value) else None
    return None


def _is_a_sequence_left_out(lowering: Lowering, handle: Ref) -> bool:
    """Whether an argument may be the tuple or list that is its default."""
    own = handle.var.origin is Origin.PARAM
    default = lowering.root.source.defaults.get(handle.var.name) if own else None
    return isinstance(default, (tuple, list))


def _is_real(lowering: Lowering, handle: Ref) -> bool:
    """Whether a number is surely no complex one.

    A text asks an argument of its own for that; what is computed of real ones is real.
    """
    source = lowering.root.source
    own = handle.var.origin is Origin.PARAM
    known = source.is_real and (source.at_hand or not own)
    return known and not lowering.facts.is_complex(lowering.current(handle))


def note_array(lowering: Lowering, handle: Expr) -> None:
    """Notes that what a value is an entry of is an array: of a list it may be a list."""
    whole = argument_of(lowering, handle)
    if whole is not None:
        test = instance_test(lowering, whole, [list, tuple])
        note_kind(lowering, whole, test, False)


def instance_test(lowering: Lowering, handle: Expr, named: list[type]) -> Apply:
    """isinstance(x, (list, tuple)), as the text asks it."""
    parts = tuple(class_of(lowering, one) for one in named)
    over = parts[0] if len(parts) == 1 else Apply("tuple", parts)
    return Apply("isinstance", (handle, over), (), "name:isinstance")


def class_of(lowering: Lowering, cls: type) -> Const:
    """A class as the text names it."""
    module = cls.__module__
    if module in ("numbers", "collections.abc"):
        name = module_name(lowering, module) if module == "numbers" else module
        if module != "numbers":
            lowering.context["collections"] = "import collections.abc"
        return Const(cls, f"{name}.{cls.__name__}")
    return Const(cls, canonical(cls, cls.__name__))


def has_a_name(cls: type) -> bool:
    """Whether a text has a name for a class: Python has none for that of functions."""
    if cls.__module__ != "builtins":
        return cls.__module__ in NAMED
    return cls is type(None) or getattr(builtins, cls.__name__, None) is cls
