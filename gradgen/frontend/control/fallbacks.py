"""A try block whose handler computes something else: a branch at run time.

The text keeps the try, with a name that tells whether its body ended; the gradient asks
that name which arm was taken.
"""

from __future__ import annotations

import builtins
import cmath
import functools
import inspect
import math
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import gast
import numpy

from gradgen.frontend.control.branches import block, close
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.lists import is_a_list
from gradgen.frontend.heap.names import lookup
from gradgen.frontend.lowering.callables import Closure, Partial
from gradgen.frontend.lowering.jumps import FALSE, TRUE
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Poison, Record
from gradgen.frontend.source.lookup import among
from gradgen.frontend.source.names import NO_VALUE, assigned
from gradgen.ir.nodes import Apply, Branch, Const, Effect, Expr, Ref
from gradgen.rules.load import operation_of

MODULES = (math, cmath)
# the modules of what raises, by how their names start
MATH, LINALG = ("math", "cmath"), ("numpy.linalg", "scipy.linalg")
# so many functions are looked into, and none of these modules
MOST = 200
OTHERS = ("builtins", "numpy", "scipy", "typing", "collections", "functools", "abc")
# a name that no user can have
CHECKED = "checked "
SINGULAR = numpy.linalg.LinAlgError
# what a text raises wherever the function does, by a routine that both call
RAISED = {MATH: (ValueError, OverflowError), LINALG: (SINGULAR,)}


def fallback_of(lowering: Lowering, node: gast.Try, kinds: Sequence[Any]) -> int | None:
    """The place of the handler that goes on where the body raises at run time.

    None where what the text may raise has no handler that goes on. Raises where one of
    several goes on, or where a division may raise that the text computes otherwise.
    """
    going = [goes_on(one) for one in node.handlers]
    caught = [one for classes in kinds for one in classes]
    known = [error for errors in RAISED.values() for error in errors]
    raised: set[type] = set()
    if any(issubclass(error, one) for error in known for one in caught):
        raised = {error for one in node.body for error in _raised(lowering, one)}
    raised |= {SINGULAR for one in caught if one is SINGULAR}
    if _divides(node) and any(issubclass(ZeroDivisionError, one) for one in caught):
        raised.add(ZeroDivisionError)
    places = set()
    for error in raised:
        every = (i for i, one in enumerate(kinds) if issubclass(error, one))
        place = next(every, None)
        if place is not None and going[place]:
            places.add(place)
            if error is ZeroDivisionError and _converts(lowering.frame.node):
                _refuse_division(lowering, node)
    if len(places) > 1:
        lowering.fail(
            "GG113",
            "a try block of which several handlers go on is not supported",
            node,
            "one handler, or a test before what may raise",
        )
    return places.pop() if places else None


def goes_on(handler: Any) -> bool:
    """Whether a handler does something else than raise."""
    return not isinstance(handler.body[-1], gast.Raise)


def caught_as(lowering: Lowering, handler: Any) -> None:
    """Binds what a handler calls the exception: no value, and refused where it is read."""
    if handler.name:
        name = handler.name.id
        told = f"what {name} holds is an exception, which is not known here"
        poison = Poison("GG113", told, f"a handler that does not read {name}")
        lowering.state.names[lowering.frame.number, name] = poison


def unless_number(lowering: Lowering, target: Expr) -> None:
    """Raises where a store is into a number, or a read, and a handler goes on behind it.

    before:  try: y[y < 0] = 0.0
             except TypeError: y = max(y, 0.0)
    after:   if np.ndim(y) == 0:
                 raise ValueError("numbers for y have no gradient here")
             y[y < 0] = 0.0
    """
    if not isinstance(target, Ref):
        return
    last, now = lowering.trying[-1], lowering.current(target)
    place = last.handler_of(TypeError)
    if place is None or not last.goes_on[place]:
        return
    if lowering.facts.rank(now) is not None or is_a_list(lowering, now):
        return
    if contents(lowering, target) is not None:
        return  # a dictionary, an instance
    told = f"numbers for {lowering.known_name(target.var)} have no gradient here"

    def fail() -> None:
        args = Const(ValueError, "ValueError"), Const(told)
        lowering.body.append(Effect(Apply("raise", args), lowering.note))
        lowering.state.dead = True

    rank = Apply("numpy.ndim", (now,))
    test = Apply("numpy.equal", (rank, Const(0)), (), "operator")
    if any(isinstance(one, Branch) and one.test == test for one in lowering.body):
        return  # it is asked already
    before, mark = lowering.state, lowering.mark()
    then, orelse = lowering.arm(before, fail), lowering.arm(before, lambda: None)
    close(lowering, test, then, orelse, mark, lowering.note)


def _refuse_division(lowering: Lowering, node: gast.Try) -> NoReturn:
    """Of numbers of Python's, which in a text are NumPy's and do not raise."""
    lowering.fail(
        "GG113",
        "a handler goes on where a division by zero raises",
        node,
        "a test before the division: if d != 0",
    )


def _named(kinds: Iterable[type]) -> Iterator[Const]:
    """The exceptions that a text names: NumPy's, and those of Python's own."""
    for one in kinds:
        if one is SINGULAR:
            yield Const(one, "np.linalg.LinAlgError")
        elif one is BaseException:
            yield Const(Exception, "Exception")
        elif getattr(builtins, one.__name__, None) is one:
            yield Const(one, one.__name__)


def _divides(node: gast.Try) -> bool:
    """Whether the body divides by what may be zero."""
    return any(_is_division(one) for part in node.body for one in gast.walk(part))


def _is_division(node: gast.AST) -> bool:
    """Whether a / b or a /= b, of numbers of Python's, may raise."""
    if not isinstance(node, (gast.BinOp, gast.AugAssign)):
        return False
    by = node.right if isinstance(node, gast.BinOp) else node.value
    divisions = (gast.Div, gast.FloorDiv, gast.Mod, gast.Pow)
    return isinstance(node.op, divisions) and not _is_nonzero(by)


def _is_nonzero(node: Any) -> bool:
    return isinstance(node, gast.Constant) and bool(node.value)


def _converts(function: Any) -> bool:
    """Whether a function makes numbers of Python's of what it is given."""
    names = ("float", "int", "complex", "item", "tolist")
    return any(
        getattr(one, "id", getattr(one, "attr", "")) in names
        for one in gast.walk(function)
    )


def _raised(lowering: Lowering, node: gast.AST) -> Iterator[type]:
    """What the functions raise that a statement names, themselves or by others."""
    seen: set[int] = set()
    for one in gast.walk(node):
        if isinstance(one, (gast.Name, gast.Attribute)):
            value = lowering.resolve(one)
            if value is not NO_VALUE:
                yield from _of(value, seen)
            elif isinstance(one, gast.Name):
                for held in _held(lowering, lookup(lowering, one.id)):
                    yield from _of(held, seen)


def _held(lowering: Lowering, handle: Any) -> Iterator[Any]:
    """The functions and the classes of what a name of the function's own holds."""
    known = contents(lowering, handle) if isinstance(handle, (Ref, Apply)) else None
    if isinstance(known, Record):
        yield known.cls
    for one in (handle, *(known.args if known is not None else ())):
        if callable(getattr(one, "value", None)):
            yield one.value


def _of(value: Any, seen: set[int]) -> Iterator[type]:
    """What a function raises, or any method of a class or of an instance."""
    if isinstance(value, (functools.partial, Partial)):
        value = getattr(value, "func", getattr(value, "function", None))
    if isinstance(value, types.MethodType):
        yield from _of(type(value.__self__), seen)
    value = inspect.unwrap(value) if callable(value) else value
    module = str(getattr(value, "__module__", ""))
    for modules, errors in RAISED.items():
        if module.startswith(modules) and callable(value):
            yield from errors
            return
    if id(value) in seen or len(seen) > MOST or module.partition(".")[0] in OTHERS:
        return
    seen.add(id(value))
    names: set[str] = set()
    outer: Mapping[Any, Any] = {}
    if isinstance(value, Closure):
        names = {n.id for n in gast.walk(value.node) if isinstance(n, gast.Name)}
        outer = value.frame.source.globals
    elif isinstance(value, types.FunctionType):
        names, outer = set(value.__code__.co_names), value.__globals__
    elif isinstance(value, type) or callable(value):
        cls = value if isinstance(value, type) else type(value)
        for held in (one for base in cls.__mro__[:-1] for one in vars(base).values()):
            yield from _of(getattr(held, "__func__", held), seen)
    for name in names & outer.keys():
        if among(outer[name], MODULES):
            yield from RAISED[MATH]
        elif callable(outer[name]):
            yield from _of(outer[name], seen)


def fall_back(lowering: Lowering, node: gast.Try, handler: Any, kinds: Any) -> None:
    """Writes a try block with a handler that computes something else.

    before:  try:                                after:  try:
                 y = np.linalg.inv(A)                        y = np.linalg.inv(A)
             except np.linalg.LinAlgError:                   went = True
                 y = np.linalg.pinv(A)                   except np.linalg.LinAlgError:
                                                             y = np.linalg.pinv(A)
                                                             went = False
    """
    lowering.start(node, "", "try:")
    note = lowering.note
    before, mark = lowering.state, lowering.mark()
    key = lowering.frame.number, f"%went.{mark}"
    unsure = _bound_again(lowering, node)

    def tried() -> None:
        block(lowering, [_asked(lowering, one) for one in node.body])
        lowering.state.names[key] = TRUE

    def handled() -> None:
        for name in unsure:
            gone = f"{name} is read where the try block may have bound it anew"
            poison = Poison("GG113", gone, f"another name for {name} in the try block")
            lowering.state.names[lowering.frame.number, name] = poison
        caught_as(lowering, handler)
        block(lowering, handler.body)
        lowering.state.names[key] = FALSE

    loose = lowering.loose
    then, orelse = lowering.arm(before, tried), lowering.arm(before, handled)
    if lowering.loose > loose or any(
        then.state.version(one) != before.version(one)
        for one in then.state.versions
        if one.id < mark
    ):
        lowering.fail(
            "GG113",
            "a try block that stores before it may raise is not supported",
            node,
            "the new values under a name of their own, stored behind the try",
        )
    place = len(lowering.body)
    test = Apply("try", tuple(_named(kinds)))
    close(lowering, test, then, orelse, mark, note)
    flag = lowering.state.names.pop(key, None)
    branch = lowering.body[place]
    if not isinstance(branch, Branch) or not isinstance(flag, Ref):
        lowering.fail(
            "GG113",
            "a try block after which a name has a value on one way alone is not "
            "supported",
            node,
            "a value for each name before the try",
        )
    own = [merge for merge in branch.merges if merge.var == flag.var]
    others = [merge for merge in branch.merges if merge.var != flag.var]
    lowering.body[place] = replace(branch, merges=(*own, *others))
    if node.orelse:
        _otherwise(lowering, node, flag)


def _asked(lowering: Lowering, node: gast.AST) -> gast.AST:
    """A call that stands for what it raises as an assignment.

    before:  np.linalg.cholesky(A)         after:  checked = np.linalg.cholesky(A)
    """
    call = node.value if isinstance(node, gast.Expr) else None
    if not isinstance(call, gast.Call) or any(k.arg == "out" for k in call.keywords):
        return node
    value = lowering.resolve(call.func)
    if id(value) not in operation_of() and getattr(value, "__module__", "") not in MATH:
        return node
    target = gast.copy_location(gast.Name(CHECKED, gast.Store(), None, None), node)
    made = gast.Assign(targets=[target], value=call)
    return gast.copy_location(made, node)


def _otherwise(lowering: Lowering, node: gast.Try, flag: Ref) -> None:
    """The statements behind else: where the body has ended."""
    note, before, mark = lowering.note, lowering.state, lowering.mark()
    then = lowering.arm(before, lambda: block(lowering, node.orelse))
    orelse = lowering.arm(before, lambda: None)
    close(lowering, flag, then, orelse, mark, note)


def _bound_again(lowering: Lowering, node: gast.Try) -> list[str]:
    """The names that a body may have bound anew before it raises.

    Calls raise, and divisions; what stands behind the last of them does not.
    """
    places = [i for i, one in enumerate(node.body) if _may_raise(lowering, one)]
    last = places[-1] if places else 0
    whole = (gast.Assign, gast.AnnAssign, gast.AugAssign, gast.Return, gast.Expr)
    behind = last if isinstance(node.body[last], whole) else last + 1
    names = dict.fromkeys([*assigned(node.body[:behind]), *_walruses(node.body[last])])
    return [name for name in names if lookup(lowering, name) is not None]


def _walruses(node: gast.AST) -> Iterator[str]:
    """What is bound inside a statement, which may raise behind that."""
    for one in gast.walk(node):
        if isinstance(one, gast.NamedExpr):
            yield one.target.id


def _may_raise(lowering: Lowering, node: gast.AST) -> bool:
    """Whether a statement calls, asks or divides, by an operator of a class as well."""
    kinds = gast.Call, gast.Raise, gast.Attribute, gast.Subscript
    return any(
        isinstance(one, kinds)
        or _is_division(one)
        or (isinstance(one, gast.Name) and _may_be_object(lowering, one.id))
        for one in gast.walk(node)
    )


def _may_be_object(lowering: Lowering, name: str) -> bool:
    """Whether a name holds an instance, or is bound in the try block alone."""
    handle = lookup(lowering, name)
    return handle is None or isinstance(contents(lowering, handle), Record)
