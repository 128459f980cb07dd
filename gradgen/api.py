"""The public functions: emit a gradient's text, or make it and call it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gradgen.request.settings import python_setting
from gradgen.runtime.compile import emitted_for, made_of
from gradgen.runtime.dispatcher import Dispatcher
from gradgen.runtime.nested import OfDerivative
from gradgen.runtime.foreign import Elsewhere
from gradgen.runtime.gradient import Gradient
from gradgen.runtime.pullback import Matrix, Pullback, Pushforward
from gradgen.signature.keywords import with_hints

# what the makers of functions return: one that chooses its text by the arguments of
# each call, or for another library than NumPy the function of one text
Derivative = Dispatcher | OfDerivative | Elsewhere


@with_hints
def emit(
    function: Callable[..., Any] | str,
    wrt: str | int | Sequence[Any] | None = None,
    *,
    style: str = "joint",
    value: bool = False,
    shapes: Mapping[str, object] | None = None,
    example: Sequence[Any] | None = None,
    stop: str | Sequence[str] = (),
    strict: bool = False,
    mode: str = "reverse",
    save: str = "values",
    of: str | Sequence[str] = (),
    has_aux: bool = False,
    complex: str | Sequence[str] = (),
    keep_calls: bool = False,
    guard: bool | float | None = None,
    stable: bool = False,
    direction: str = "",
    diagonal: bool = False,
    target: str = "numpy",
    python: str | None = None,
    general: bool = False,
) -> str:
    """The text of a module that computes the gradient of a NumPy function.

    `function` is the function, or its name ("module.fn", "path/file.py:fn").
    `wrt` names the arguments (names or positions; default the first). `style`
    is "joint" or "callback"; `value=True` returns the value as well. `shapes`
    gives shape facts ({"X": "n d"}); `example` is a tuple of example arguments
    whose sizes become facts. `of` names array arguments that the function leaves its
    results in; with `has_aux=True` it returns (value, aux), and aux is handed on as
    it is. `stop` names variables to hold constant. In `mode`
    "forward" the text is the value and its derivative along tangents, in "hvp" the
    Hessian times vectors, in "jacobian" and "hessian" these matrices (`direction` and
    `diagonal` as in `jacobian`). `complex`
    names the arguments that are complex; the others count as real. With
    `strict=True` a text that needs a broadcasting helper is refused. Loops keep the
    values that the gradient reads; with `save="state"` only what enters a round, and
    its elementwise statements run again: less memory, more arithmetic. With
    `keep_calls=True` functions that are called get functions of their own in the text.
    With `stable=True` log(1 + exp(x)) and its like are computed without overflow.
    With `guard=True` quotients by zero in the gradient are zero, and with a number
    its denominators are at least so large; None asks pyproject.toml. `target` is the
    library that the text computes with: "numpy", "cupy", "xp" (the module is an
    argument), "dask", "jax" or "torch". `python="3.9"` is the oldest Python that the
    text is for, with its NumPy; None asks pyproject.toml. Of arguments that nothing
    tells of two things are assumed, which the docstring names and the text looks at:
    what is added to a sum over an array is a number, and `A @ B` has no batch axes.
    With `general=True` nothing is, and the text is right for any shapes.

    Raises GradgenError with every construct that is not supported.
    """
    options = (style, value, shapes, example, stop, strict, complex, of, has_aux, mode)
    *_, emitted = emitted_for(
        function,
        wrt,
        *options,
        save=save,
        keep_calls=keep_calls,
        guard=guard,
        stable=stable,
        direction=direction,
        diagonal=diagonal,
        library=target,
        python=python_setting() if python is None else python,
        general=general,
        again=False,
    )
    return emitted.text


@with_hints
def grad(
    function: Callable[..., Any] | str,
    wrt: str | int | Sequence[Any] | None = None,
    *,
    shapes: Mapping[str, object] | None = None,
    example: Sequence[Any] | None = None,
    stop: str | Sequence[str] = (),
    strict: bool = False,
    save: str = "values",
    of: str | Sequence[str] = (),
    has_aux: bool = False,
    complex: str | Sequence[str] = (),
    keep_calls: bool = False,
    guard: bool | float | None = None,
    stable: bool = False,
    target: str = "numpy",
) -> Derivative:
    """The gradient of a function, as a function of the same arguments.

    `g(*args, seed=1.0, **kwargs)` returns an array of the argument's shape and
    dtype, for a container one of the same structure; for a tuple `wrt`, a tuple of
    them. A function of several results takes seed=(d_mean, d_var), in the structure
    of its result. Where the function has an argument `seed`, that is given by its
    place. See `emit` for the options.
    """
    options = ("joint", False, shapes, example, stop, strict, complex, of, has_aux)
    made: Derivative = made_of(
        "grad",
        Gradient,
        function,
        wrt,
        *options,
        save=save,
        keep_calls=keep_calls,
        guard=guard,
        stable=stable,
        library=target,
    )
    return made


@with_hints
def value_and_grad(
    function: Callable[..., Any] | str,
    wrt: str | int | Sequence[Any] | None = None,
    *,
    shapes: Mapping[str, object] | None = None,
    example: Sequence[Any] | None = None,
    stop: str | Sequence[str] = (),
    strict: bool = False,
    save: str = "values",
    of: str | Sequence[str] = (),
    has_aux: bool = False,
    complex: str | Sequence[str] = (),
    keep_calls: bool = False,
    guard: bool | float | None = None,
    stable: bool = False,
    target: str = "numpy",
) -> Derivative:
    """A function that returns the value and the gradient: `(y, g)`.

    The value is bit-identical to the primal's. See `grad`.
    """
    options = ("joint", True, shapes, example, stop, strict, complex, of, has_aux)
    made: Derivative = made_of(
        "value_and_grad",
        Gradient,
        function,
        wrt,
        *options,
        save=save,
        keep_calls=keep_calls,
        guard=guard,
        stable=stable,
        library=target,
    )
    return made


@with_hints
def vjp(
    function: Callable[..., Any] | str,
    wrt: str | int | Sequence[Any] | None = None,
    *,
    shapes: Mapping[str, object] | None = None,
    example: Sequence[Any] | None = None,
    stop: str | Sequence[str] = (),
    strict: bool = False,
    save: str = "values",
    of: str | Sequence[str] = (),
    has_aux: bool = False,
    complex: str | Sequence[str] = (),
    keep_calls: bool = False,
    guard: bool | float | None = None,
    stable: bool = False,
    target: str = "numpy",
) -> Derivative:
    """A function that returns the value and its pullback: `(y, pullback)`.

    `pullback(seed)` has the form of `grad`'s result, and may be called again.
    See `emit` for the options.
    """
    options = ("callback", False, shapes, example, stop, strict, complex, of, has_aux)
    made: Derivative = made_of(
        "vjp",
        _pullback,
        function,
        wrt,
        *options,
        save=save,
        keep_calls=keep_calls,
        guard=guard,
        stable=stable,
        library=target,
    )
    return made


def _pullback(*parts: Any) -> Pullback:
    return Pullback(Gradient(*parts))


@with_hints
def jvp(
    function: Callable[..., Any] | str,
    wrt: str | int | Sequence[Any] | None = None,
    *,
    shapes: Mapping[str, object] | None = None,
    example: Sequence[Any] | None = None,
    stop: str | Sequence[str] = (),
    strict: bool = False,
    complex: str | Sequence[str] = (),
    guard: bool | float | None = None,
    stable: bool = False,
    target: str = "numpy",
) -> Derivative:
    """A function that returns the value and its derivative: `(y, dy)`.

    `j(*args, *tangents, **kwargs)` takes one tangent, of the argument's shape, for
    each argument in `wrt`, after the positional arguments. See `emit` for the
    options.
    """
    options = ("joint", False, shapes, example, stop, strict, complex, (), False)
    more: dict[str, Any] = dict(guard=guard, stable=stable, library=target)
    made: Derivative
    made = made_of("jvp", Pushforward, function, wrt, *options, mode="forward", **more)
    return made


@with_hints
def jacobian(
    function: Callable[..., Any] | str,
    wrt: str | int | Sequence[Any] | None = None,
    *,
    shapes: Mapping[str, object] | None = None,
    example: Sequence[Any] | None = None,
    stop: str | Sequence[str] = (),
    strict: bool = False,
    guard: bool | float | None = None,
    stable: bool = False,
    direction: str = "",
    diagonal: bool = False,
    target: str = "numpy",
) -> Derivative:
    """The Jacobian of a function of one result: `J(*args, **kwargs)`.

    Its shape is that of the result, then that of the argument; for a tuple `wrt` there
    is one for each. All rows are computed at once where the shapes are known and each
    operation can be, else one at a time. `direction` "reverse" makes rows of gradients,
    "forward" columns of tangents; without it the smaller side decides. With
    `diagonal=True` the result is the diagonal, of the argument's shape, of a function
    that works entry by entry; GradgenError for another. See `emit` for the options.
    """
    options = shapes, example, stop, strict, guard, stable
    more: dict[str, Any]
    more = dict(direction=direction, diagonal=diagonal, library=target)
    return _matrix("jacobian", function, wrt, *options, **more)


@with_hints
def hessian(
    function: Callable[..., Any] | str,
    wrt: str | int | None = None,
    *,
    shapes: Mapping[str, object] | None = None,
    example: Sequence[Any] | None = None,
    stop: str | Sequence[str] = (),
    strict: bool = False,
    guard: bool | float | None = None,
    stable: bool = False,
    target: str = "numpy",
) -> Derivative:
    """The Hessian of a function of one number in one argument: `H(*args, **kwargs)`.

    Its shape is the argument's, twice. See `jacobian`.
    """
    options = shapes, example, stop, strict, guard, stable
    return _matrix("hessian", function, wrt, *options, library=target)


def _matrix(
    mode: str,
    function: Callable[..., Any] | str,
    wrt: str | int | Sequence[Any] | None,
    shapes: Mapping[str, object] | None,
    example: Sequence[Any] | None,
    stop: str | Sequence[str],
    strict: bool,
    guard: bool | float | None,
    stable: bool,
    **extra: Any,
) -> Derivative:
    options = ("joint", False, shapes, example, stop, strict, (), (), False)
    more: dict[str, Any] = dict(mode=mode, guard=guard, stable=stable, **extra)
    made: Derivative = made_of(mode, Matrix, function, wrt, *options, **more)
    return made


@with_hints
def hvp(
    function: Callable[..., Any] | str,
    wrt: str | int | Sequence[Any] | None = None,
    *,
    shapes: Mapping[str, object] | None = None,
    example: Sequence[Any] | None = None,
    stop: str | Sequence[str] = (),
    strict: bool = False,
    save: str = "values",
    guard: bool | float | None = None,
    stable: bool = False,
    target: str = "numpy",
) -> Derivative:
    """The Hessian of a function of one number, times a vector.

    `h(*args, *vectors, **kwargs)` takes one vector, of the argument's shape, for each
    argument (or part of one) in `wrt`, after the positional arguments, and returns the
    products, of the same shapes. It is the forward derivative of the gradient; the
    Hessian itself is never made. See `emit` for the options.
    """
    options = ("joint", False, shapes, example, stop, strict, (), (), False)
    more: dict[str, Any]
    more = dict(save=save, guard=guard, stable=stable, library=target)
    made: Derivative
    made = made_of("hvp", Pushforward, function, wrt, *options, mode="hvp", **more)
    return made


def stop_gradient(x: Any) -> Any:
    """x itself; in a function that is differentiated no derivative goes through it."""
    return x
