"""Derivatives inside a function: gradgen.grad(f)(x) and its kin, where they are called."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import Any, NoReturn

import gast

from gradgen.frontend.calls.arguments import by_keyword, positional
from gradgen.frontend.calls.makers import STOP, Derivative, Pullback, made_outside
from gradgen.frontend.calls.makers import maker_of
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.callables import Closure, Partial
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import is_structure, leaves
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.source.called import calling
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref, Var
from gradgen.ir.slope import OF_ARGUMENTS, POINT, STOPPED, Slope
from gradgen.ir.walk import all_defined, reads_of, statements

# how many arguments behind the function's own a derivative takes for each of wrt
TANGENTS = ("jvp", "hvp")
# those whose functions take the seed of the gradient by this name
SEEDED = ("grad", "value_and_grad")
# what a maker is told that does not change the numbers
FACTS = ("shapes", "example", "strict", "save", "keep_calls", "direction")
# and options of derivatives made elsewhere that do
CHANGING = ("stop", "of", "aux", "complex", "guard", "stable", "diagonal")


@answers(Lowering.other_call)
def other_call(lowering: Lowering, node: gast.Call) -> Expr:
    maker = maker_of(lowering.resolve(node.func))
    if maker == STOP:
        return _stopped(lowering, node)
    return (
        other_call.further(lowering, node)
        if not maker
        else _differentiated(lowering, maker, node)
    )


@answers(Lowering.is_called)
def is_called(lowering: Lowering, value: object) -> bool:
    if isinstance(value, (Derivative, Pullback)) or made_outside(value):
        return True
    return is_called.further(lowering, value) and not maker_of(value)


def _differentiated(lowering: Lowering, maker: str, node: gast.Call) -> Expr:
    """The derivative that a call of gradgen.grad makes."""
    args = positional(lowering, node)
    options = dict(by_keyword(lowering, node))
    function = getattr(args[0], "value", None) if args else None
    if not callable(function):
        lowering.fail(
            "GG253", "the function must be known here", node, "a def, by name"
        )
    wrt = args[1] if len(args) > 1 else options.pop("wrt", Const(None))
    for name in options.keys() - set(FACTS):
        lowering.fail(
            "GG260",
            f"{name}= of gradgen.{maker} inside a function is not supported",
            node,
            f"gradgen.{maker}({lowering.source.segment(node.args[0])})",
        )
    known = contents(lowering, wrt)
    chosen = (wrt,) if known is None else known.args
    for one in chosen:
        if not isinstance(one, Const):
            lowering.fail("GG260", "wrt must be constant here", node, 'wrt="x"')
    given = tuple(one.value for one in chosen)
    names = given[0] if known is None else given
    return Const(Derivative(maker, calling(function) or function, names))


def _stopped(lowering: Lowering, node: gast.Call) -> Expr:
    """gradgen.stop_gradient(x): x, and no derivative goes through it."""
    args = positional(lowering, node)
    if len(args) != 1 or node.keywords:
        lowering.fail(
            "GG209", "stop_gradient takes one value", node, "stop_gradient(x)"
        )
    (value,) = args
    if value is REFUSED or isinstance(value, Const):
        return value
    if not isinstance(value, Ref) or contents(lowering, value) is not None:
        lowering.fail(
            "GG260",
            "stop_gradient of a container is not supported",
            node,
            "stop_gradient of each part",
        )
    ref = lowering.result(
        Apply(STOPPED, (value,)), lowering.known_name(value.var), node
    )
    if lowering.is_number(value):
        lowering.memory.numbers.add(ref.var)
    return ref


@answers(Lowering.call)
def call(
    lowering: Lowering,
    function: Callable[..., Any],
    args: list[Any],
    kwargs: Any,
    node: gast.AST,
) -> Expr:
    if isinstance(function, Derivative):
        return _derivative(lowering, function, args, dict(kwargs), node)
    if isinstance(function, Pullback):
        return _pulled(lowering, function, args, node)
    made = made_outside(function)
    if made is not None:
        _refuse_options(lowering, function, node)
        return _derivative(lowering, made, args, dict(kwargs), node)
    return call.further(lowering, function, args, kwargs, node)


def _refuse_options(lowering: Lowering, function: Any, node: gast.AST) -> None:
    """Refuses g = gradgen.grad(f, stop="c"): the option is not known here.

    And a derivative whose text has numbers that are others by now.
    """
    if function.is_outdated:
        lowering.fail(
            "GG260",
            f"what {function.primal.__name__} reads of its module has changed since "
            "its derivative was made",
            node,
            f"gradgen.{function.maker}({function.primal.__name__}), made again",
        )
    for name in CHANGING:
        if getattr(function.asked, name):
            lowering.fail(
                "GG260",
                f"a derivative that was made with {name} is not supported inside "
                "a function",
                node,
                "gradgen.stop_gradient for what is held constant, or the text of "
                "gradgen emit",
            )


def _derivative(
    lowering: Lowering,
    made: Derivative,
    args: list[Any],
    kwargs: dict[Any, Any],
    node: gast.AST,
) -> Expr:
    """Writes the function out at points of its own, and the slopes there."""
    names = _parameters(lowering, made.function, node)
    seed = None
    if made.maker in SEEDED and "seed" in kwargs:
        if "seed" in _parameters(lowering, made.function, node, every=True):
            lowering.fail(
                "GG513",
                "seed= may be the gradient's seed or the function's own argument",
                node,
                "seed by its place, or the pullback of gradgen.vjp for the seed",
            )
        seed = kwargs.pop("seed")
    seed = None if seed == Const(None) else seed
    star, places = _places(made.function, names)
    places += [f"{star}_{i}" for i in range(len(args) - len(places)) if star]
    names = [*places, *(name for name in names if name not in (star, *places))]
    wrt, as_tuple = _wrt(lowering, made, names, node)
    count = len(wrt) if made.maker in TANGENTS else 0
    args, given = args[: len(args) - count], args[len(args) - count :]
    bound = dict(zip(places, args)) | kwargs
    for name in wrt:
        if name not in bound:
            lowering.fail(
                "GG209", f"an argument {name} is missing", node, f"{name}=..."
            )
    moved = {name: _apart(lowering, value, name, node) for name, value in bound.items()}
    points = tuple(_point(lowering, moved[name], name, node) for name in wrt)
    moved |= {name: Ref(point) for name, point in zip(wrt, points)}
    start = len(lowering.body)
    rest = [moved[name] for name in places[: len(args)]]
    keywords = tuple((name, moved[name]) for name in kwargs)
    out = lowering.call(made.function, rest, keywords, node)
    if out is REFUSED:
        return REFUSED
    if not isinstance(out, Ref) or contents(lowering, out) is not None:
        return _without_slope(lowering, made, out, node)
    _note_shared(lowering, out, bound, moved)
    extras = tuple(lowering.current(value, node) for value in given)
    if seed is not None:
        extras = (lowering.current(seed, node),)
    mode = {"value_and_grad": "grad", "vjp": "vjp"}.get(made.maker, made.maker)
    if made.maker == "vjp":
        inside = tuple(lowering.body[start:])
        read = {v for stmt in statements(inside) for v in reads_of(stmt)}
        parts = {leaf for value in bound.values() for leaf in leaves(value)}
        read |= {leaf.var for leaf in parts if isinstance(leaf, Ref)}
        read |= {out.var, *all_defined(inside)}
        now = lowering.current(out, node)
        assert isinstance(now, Ref)  # a number, or an array
        known = frozenset(read), lowering.state.copy()
        pullback = Pullback(now, points, as_tuple, *known)
        return Apply("tuple", (out, Const(pullback)))
    mode = "vjp" if mode == "grad" and extras else mode
    slopes = _slopes(lowering, mode, out, points, extras, node)
    if made.maker == "jvp":
        return Apply("tuple", (out, slopes[0]))
    found = slopes[0] if not as_tuple else Apply("tuple", tuple(slopes))
    if made.maker == "value_and_grad":
        return Apply("tuple", (out, found))
    return found


def _slopes(
    lowering: Lowering,
    mode: str,
    out: Ref,
    points: tuple[Var, ...],
    extras: tuple[Expr, ...],
    node: gast.AST,
) -> list[Ref]:
    value = lowering.current(out, node)
    count = len(points) if mode in OF_ARGUMENTS else 1
    if mode in ("jacobian", "hessian") and len(points) > 1:
        lowering.fail(
            "GG260", f"a {mode} in several arguments is not supported", node, "one"
        )
    found = []
    for index in range(count):
        slope = Slope(mode, index, value, points, extras)
        wished = f"d_{points[index].name if mode in OF_ARGUMENTS else out.var.name}"
        ref = lowering.emit(slope.written(), wished, node)
        like = out if mode == "jvp" else Ref(points[index])
        if lowering.is_number(like) and mode not in ("jacobian",):
            lowering.memory.numbers.add(ref.var)
        found.append(ref)
    return found


def _pulled(
    lowering: Lowering, pullback: Pullback, args: list[Any], node: gast.AST
) -> Expr:
    if len(args) != 1:
        lowering.fail("GG209", "a pullback takes one seed", node, "pullback(seed)")
    _refuse_changed(lowering, pullback, node)
    seed = (lowering.current(args[0], node),)
    slopes = _slopes(lowering, "vjp", pullback.out, pullback.points, seed, node)
    return Apply("tuple", tuple(slopes)) if pullback.as_tuple else slopes[0]


def _refuse_changed(lowering: Lowering, pullback: Pullback, node: gast.AST) -> None:
    """Refuses a pullback of what was changed in place after the call of vjp.

    At run time the pullback may read the arrays as they are when it is called.
    """
    for var in pullback.read:
        for buffer in lowering.memory.reach(var):
            if lowering.state.version(buffer) != pullback.state.version(buffer):
                name = lowering.known_name(buffer)
                lowering.fail(
                    "GG260",
                    f"{name} is changed in place between gradgen.vjp and the call "
                    "of its pullback",
                    node,
                    f"the change of a copy: {name} = {name}.copy()",
                )


def _note_shared(
    lowering: Lowering, out: Ref, bound: dict[str, Expr], moved: dict[str, Expr]
) -> None:
    """Notes that a result is an argument, or a view of it, where it is one."""
    for name, value in moved.items():
        given = bound[name]
        if isinstance(value, Ref) and isinstance(given, Ref):
            if lowering.memory.may_share(out.var, value.var):
                lowering.memory.join(out.var, lowering.memory.reach(given.var))


def _parameters(
    lowering: Lowering,
    function: Callable[..., Any],
    node: gast.AST,
    every: bool = False,
) -> list[str]:
    """The names of the parameters of a function that is differentiated.

    With `every` those too that are given by keyword alone, or are given already.
    """
    made = made_outside(function) or function
    if isinstance(made, Derivative):
        return _parameters(lowering, made.function, node, every)
    if isinstance(made, Closure):
        spec = made.node.args
        more = spec.kwonlyargs if every else []
        return [a.id for a in [*getattr(spec, "posonlyargs", []), *spec.args, *more]]
    if isinstance(made, Partial):
        if every:
            return _parameters(lowering, made.function, node, every)
        given = {name for name, _ in made.kwargs}
        names = _parameters(lowering, made.function, node)[len(made.args) :]
        return [name for name in names if name not in given]
    if isinstance(made, types.FunctionType):
        return list(inspect.signature(made).parameters)
    name = getattr(made, "__name__", "this")
    lowering.fail("GG260", f"a derivative of {name} is not supported", node, "a def")


def _places(function: Callable[..., Any], names: list[str]) -> tuple[str, list[str]]:
    """The name of *args, if there are any, and the parameters that places name."""
    made = made_outside(function) or function
    if isinstance(made, Derivative):
        return _places(made.function, names)
    if isinstance(made, Closure):
        spec = made.node.args
        return getattr(spec.vararg, "id", ""), list(names)
    if isinstance(made, Partial):
        star, places = _places(made.function, names)
        return star, [name for name in names if name in places]
    kinds = inspect.signature(made).parameters
    star = next((n for n, p in kinds.items() if p.kind is p.VAR_POSITIONAL), "")
    by_place = (
        inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
    )
    return star, [n for n in names if n in kinds and kinds[n].kind in by_place]


def _wrt(
    lowering: Lowering, made: Derivative, names: list[str], node: gast.AST
) -> tuple[list[str], bool]:
    """The names to differentiate in, and whether the gradients are a tuple."""
    wrt = names[0] if made.wrt is None and names else made.wrt
    whole = isinstance(wrt, (tuple, list))
    chosen = [names[w] if isinstance(w, int) else w for w in (wrt if whole else [wrt])]
    for name in chosen:
        if name not in names:
            lowering.fail(
                "GG002", f"there is no argument {name}", node, ", ".join(names)
            )
    return chosen, whole


def _apart(lowering: Lowering, value: Expr, name: str, node: gast.AST) -> Expr:
    """An argument as a value that the function may change for itself."""
    if isinstance(value, Const) or value is REFUSED or is_structure(value):
        return value
    if not isinstance(value, Ref) or contents(lowering, value) is not None:
        return value
    start = Apply(POINT, (lowering.current(value, node),))
    ref = lowering.emit(start, name, node, Origin.USER)
    if lowering.is_number(value):
        lowering.memory.numbers.add(ref.var)
    elif lowering.is_array(value):
        lowering.memory.arrays.add(ref.var)
    return ref


def _point(lowering: Lowering, value: Expr, name: str, node: gast.AST) -> Var:
    """The point that stands for an argument in wrt."""
    if isinstance(value, Const) and isinstance(value.value, (int, float)):
        ref = lowering.emit(Const(float(value.value)), name, node, Origin.USER)
        lowering.memory.numbers.add(ref.var)
        return ref.var
    if not isinstance(value, Ref) or contents(lowering, value) is not None:
        lowering.fail(
            "GG260",
            f"a derivative in the container {name}, inside a function, is not "
            "supported",
            node,
            "its parts as arguments",
        )
    return value.var


def _without_slope(
    lowering: Lowering, made: Derivative, out: Expr, node: gast.AST
) -> NoReturn:
    if isinstance(out, Const):
        what = "a constant"
    else:
        what = "several values"
    lowering.fail(
        "GG260",
        f"the function that gradgen.{made.maker} is given returns {what}",
        node,
        "one array or number that depends on the argument",
    )
