"""np.vectorize(f)(x, y): a loop over the entries, which f takes one by one.

before:  y = np.vectorize(f)(x)
after:   y = np.reshape(np.array([f(one) for one in np.ravel(x)]), np.shape(x))

A function that has no branch is computed on the arrays at once (decorated.py).
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import Any

import gast
import numpy

from gradgen.frontend.calls.arguments import apply, by_keyword
from gradgen.frontend.control.comprehensions import placed
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.names import global_value
from gradgen.frontend.lowering.callables import Closure
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import State
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.source.decorated import is_straight, node_of
from gradgen.frontend.source.floating import Around, gives_floats, results_are_floats
from gradgen.frontend.source.names import NO_VALUE
from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.shapes.kinds import INTEGRAL, Kind


@dataclass(frozen=True, eq=False)
class Vectorized:
    """np.vectorize of a function that is known; `floats` where otypes say so."""

    function: Expr
    floats: bool
    once: bool = False  # whether NumPy keeps the first entry's result
    __name__ = "np.vectorize"

    def __call__(self) -> None:
        raise TypeError("what is vectorized is only read")


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    if value is numpy.vectorize and node.args:
        return _vectorize(lowering, node)
    if isinstance(value, numpy.vectorize):
        if value.excluded or value.signature:
            _refuse(lowering, "excluded and signature are not supported", node)
        floats = value.otypes is not None
        if floats and _letters(value.otypes) not in ("d", "f"):
            _refuse(lowering, "other otypes than float are not supported", node)
        value = Vectorized(Const(value.pyfunc), floats, bool(value.cache))
    if isinstance(value, Vectorized):
        return _entry_by_entry(lowering, value, node)
    return special_call.further(lowering, value, node)


def _letters(otypes: Any) -> str:
    """The dtypes as letters, as which an older NumPy keeps them: "d" of [float]."""
    return "".join(numpy.dtype(one).char for one in otypes)


def _refuse(lowering: Lowering, what: str, node: gast.AST) -> None:
    lowering.fail("GG205", f"np.vectorize: {what}", node, "a loop over the entries")


def _vectorize(lowering: Lowering, node: gast.Call) -> Expr:
    """np.vectorize(f, otypes=[float])."""
    function = lowering.read(node.args[0])
    if not callable(getattr(function, "value", None)):
        lowering.fail(
            "GG253", "the function must be known here", node, "a def, by name"
        )
    options = {str(k.arg): k.value for k in node.keywords}
    if len(node.args) > 1:
        options["otypes"] = node.args[1]
    otypes = options.pop("otypes", None)
    options.pop("doc", None)
    once = "cache" in options and value_known(
        lowering, lowering.read(options.pop("cache"))
    )
    kinds = None if otypes is None else value_known(lowering, lowering.read(otypes))
    if options:
        _refuse(lowering, f"{min(options)} is not supported", node)
    if otypes is not None and kinds not in ("d", [float], [numpy.float64], ["d"]):
        _refuse(lowering, "other otypes than float are not supported", node)
    return Const(Vectorized(function, otypes is not None, once is True))


def _entry_by_entry(lowering: Lowering, made: Vectorized, node: gast.Call) -> Expr:
    function: Any = getattr(made.function, "value", None)
    text = function.node if isinstance(function, Closure) else node_of(function)
    args = [lowering.read(arg) for arg in node.args]
    kwargs = by_keyword(lowering, node)
    if REFUSED in (*args, *(value for _, value in kwargs)):
        return REFUSED
    library = _names_a_library(lowering, function)
    if isinstance(function, numpy.ufunc) or text and is_straight(text, library):
        return apply(lowering, made.function, args, kwargs, node)
    if any(_has_entries(lowering, value, node) for _, value in kwargs):
        _refuse(lowering, "a keyword that is no known number is not supported", node)
    if not made.floats and not _gives_floats(lowering, function, text, args, kwargs):
        lowering.fail(
            "GG205",
            "np.vectorize: the dtype is that of the first entry's result, and a "
            "result may be a whole number",
            node,
            "np.vectorize(f, otypes=[float]), or 0.0 for 0 in f",
        )
    arrays = [arg for arg in args if _has_entries(lowering, arg, node)]
    if not arrays:
        return apply(lowering, made.function, args, kwargs, node)
    rows = [Held(array, node) for array in arrays]
    if len(arrays) > 1:
        together = lowering.read(_numpy("broadcast_arrays", rows, node))
        if together is REFUSED:
            return REFUSED
        rows = [
            Held(lowering.item(together, Const(i), node), node)
            for i in range(len(arrays))
        ]
    names = ["one ", "other ", *(f"other_{i} " for i in range(2, len(arrays)))]
    flat: list[Any] = [_numpy("ravel", [row], node) for row in rows]
    over: Any = flat[0]
    target: Any = gast.Name(names[0], gast.Store(), None, None)
    if len(flat) > 1:
        over = gast.Call(Held(Const(zip), node), flat, [])
        stores = [gast.Name(name, gast.Store(), None, None) for name in names]
        target = gast.Tuple(stores, gast.Store())
    loads = iter(names)
    handed: list[Any] = [
        gast.Name(next(loads), gast.Load(), None, None)
        if any(arg is array for array in arrays)
        else Held(arg, node)
        for arg in args
    ]
    words = [gast.keyword(name, Held(value, node)) for name, value in kwargs]
    each = gast.Call(Held(made.function, node), handed, words)
    inner = gast.comprehension(target, over, [], 0)
    listed = gast.ListComp(each, [inner])
    shape = _numpy("shape", [rows[0]], node)
    array = _numpy("array", [placed(lowering, listed, node)], node)
    before, mark = lowering.state.copy(), lowering.mark()
    made_array = lowering.read(
        placed(lowering, _numpy("reshape", [array, shape], node), node)
    )
    if not (made.floats or made.once) and _has_changed(lowering, before, mark):
        lowering.fail(
            "GG205",
            "np.vectorize: the function changes what is outside of it, and is "
            "called once more for the dtype",
            node,
            "np.vectorize(f, otypes=[float])",
        )
    return made_array


def _has_entries(lowering: Lowering, handle: Expr, node: gast.Call) -> bool:
    """Whether the function is given one entry of a value: of lists that are known, too."""
    known = value_known(lowering, handle)
    if known is NO_VALUE:
        return True
    try:
        array = numpy.asarray(known)
    except ValueError:
        _refuse(lowering, "rows of several lengths are not supported", node)
    if array.ndim and array.dtype.kind not in "biuf":
        _refuse(lowering, "entries that are no real numbers are not supported", node)
    return array.ndim > 0


def _has_changed(lowering: Lowering, before: State, mark: int) -> bool:
    """Whether a name or an object of before has another value now."""
    now = lowering.state
    names = [key for key in before.names if "%" not in key[1]]
    if any(now.names.get(key) != before.names[key] for key in names):
        return True
    known = [var for var in now.versions if var.id < mark]
    return any(now.version(var) != before.version(var) for var in known)


def _gives_floats(
    lowering: Lowering, function: Any, text: Any, args: list[Expr], kwargs: Any
) -> bool:
    """Whether a function's results surely are floats, for these arguments."""
    if isinstance(function, types.BuiltinFunctionType):  # math.sin
        return gives_floats(function)
    if text is None:
        return False
    first = [*getattr(text.args, "posonlyargs", []), *text.args.args]
    given = [(arg.id, value) for arg, value in zip(first, args)]
    known = {name for name, value in (*given, *kwargs) if _is_float(lowering, value)}
    if isinstance(function, Closure):
        defaults = list(function.defaults.items())
    else:
        told = inspect.signature(function).parameters.values()
        defaults = [(p.name, Const(p.default)) for p in told]
    handed = {name for name, _ in (*given, *kwargs)}
    for name, value in defaults:
        if name not in handed and _is_float(lowering, value):
            known.add(name)
    return results_are_floats(text, frozenset(known), _around(lowering, function))


def _is_float(lowering: Lowering, handle: Expr) -> bool:
    if isinstance(handle, Const):
        return isinstance(handle.value, (float, numpy.floating))
    if contents(lowering, handle) is not None:
        return False
    now = lowering.current(handle)
    return lowering.facts.kind(now) >= Kind.WEAK and _has_float(lowering, now)


def _has_float(lowering: Lowering, handle: Expr) -> bool:
    """Whether a float goes into a value: np.arange(4) * 2 is made of integers."""
    try:
        made = _tried(lowering, handle)
    except Exception:  # whatever numpy raises
        return False
    return made is NO_VALUE or numpy.asarray(made).dtype.kind == "f"


def _tried(lowering: Lowering, handle: Expr) -> Any:
    """A value of the dtype that constants give; NO_VALUE where an argument goes in."""
    if isinstance(handle, Const):
        return handle.value
    if lowering.facts.kind(handle) in (Kind.BOOLEAN, *INTEGRAL):
        return 3
    if isinstance(handle, Ref):
        defined = lowering.facts.definitions.get(handle.var)
        return NO_VALUE if defined is None else _tried(lowering, defined)
    if not isinstance(handle, Apply):
        return NO_VALUE
    args = [_tried(lowering, arg) for arg in handle.args]
    words = {name: _tried(lowering, value) for name, value in handle.kwargs}
    if any(one is NO_VALUE for one in (*args, *words.values())):
        return NO_VALUE
    if handle.op in ("tuple", "list"):
        return args
    return getattr(numpy, handle.op.removeprefix("numpy."))(*args, **words)


def _around(lowering: Lowering, function: Any) -> Callable[[str], Any]:
    """What a name means around a function, for what is a float."""
    if not isinstance(function, Closure):
        cells = inspect.getclosurevars(function).nonlocals
        return lambda name: {**function.__globals__, **cells}.get(name)

    def meant(name: str) -> Any:
        frame: Any = function.frame
        while frame is not None:
            found = lowering.state.names.get((frame.number, name))
            if found is not None:
                value = getattr(found, "value", None)
                return value if callable(value) else Around(_is_float(lowering, found))
            if name in frame.locals:
                return Around(False)
            frame = frame.parent
        value = global_value(lowering, name)
        return None if value is NO_VALUE else value

    return meant


def _names_a_library(lowering: Lowering, function: Any) -> Callable[[str], bool]:
    """Whether a name is NumPy around a function."""
    table = getattr(function, "__globals__", lowering.source.globals)
    return lambda name: getattr(table.get(name), "__name__", "") == "numpy"


def _numpy(name: str, args: list[Any], node: gast.AST) -> gast.Call:
    func: Any = Held(Const(getattr(numpy, name)), node)
    return gast.copy_location(gast.Call(func=func, args=args, keywords=[]), node)
