"""The public functions: emit a gradient's text, or make it and call it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any


from gradgen.frontend.source import Source, find, with_closure
from gradgen.gradient import Gradient
from gradgen.maps import Matrix, Pullback, Pushforward
from gradgen.paths import with_paths
from gradgen.pipeline import Emitted, run
from gradgen.recent import Recent, key_of
from gradgen.settings import guard_setting, python_setting
from gradgen.request import (
    Request,
    as_names,
    canonical,
    complex_arguments,
    example_arguments,
    fact_of_example,
    refuse_integer_leaves,
    request,
)


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
    python: str | None = None,
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
    its denominators are at least so large; None asks pyproject.toml. `python="3.9"`
    is the oldest Python that the text is for, with its NumPy; None asks pyproject.toml.

    Raises GradgenError with every construct that is not supported.
    """
    options = (style, value, shapes, example, stop, strict, complex, of, has_aux, mode)
    *_, emitted = _emitted(
        function,
        wrt,
        *options,
        save=save,
        keep_calls=keep_calls,
        guard=guard,
        stable=stable,
        direction=direction,
        diagonal=diagonal,
        python=python_setting() if python is None else python,
        again=False,
    )
    return emitted.text


# A function that takes derivatives while it runs asks for the same again and again.
_recent = Recent()


def _emitted(
    function: Callable[..., Any] | str,
    wrt: str | int | Sequence[Any] | None,
    style: str,
    value: bool,
    shapes: Mapping[str, object] | None,
    example: Sequence[Any] | None,
    stop: str | Sequence[str],
    strict: bool,
    complex: str | Sequence[str] = (),
    of: str | Sequence[str] = (),
    has_aux: bool = False,
    mode: str = "reverse",
    guard: bool | float | None = None,
    again: bool = True,
    **extra: Any,
) -> tuple[Source, Request, Emitted]:
    function = getattr(function, "function", function)
    options = (wrt, style, value, shapes, stop, strict, complex, of, has_aux, mode)
    key = None
    if again and not isinstance(function, str) and not example:
        guard = guard_setting() if guard is None else guard
        key = key_of(function, *options, guard, extra)
        made = _recent.get(key)
        if made is not None:
            return (with_closure(made[0], function), *made[1:])
    source = find(function)
    names = [arg.id for arg in source.node.args.args + source.node.args.kwonlyargs]
    facts = with_paths({k: canonical(v) for k, v in (shapes or {}).items()})
    examples = example_arguments(example or (), names)
    facts = {name: fact_of_example(value) for name, value in examples.items()} | facts
    asked = request(
        source.name,
        wrt=wrt,
        style=style,
        value=value,
        shapes=facts,
        stop=stop,
        strict=strict,
        parameters=names,
        mode=mode,
        of=of,
        aux=has_aux,
        complex={*as_names(complex), *complex_arguments(examples)},
        guard=guard_setting() if guard is None else guard,
        **extra,
    )
    for name in asked.wrt or names[:1]:
        refuse_integer_leaves(name, examples)
    made = source, asked, run(asked, source)
    _recent.keep(key, made)
    return made


def _gradient(
    function: Callable[..., Any] | str,
    wrt: str | int | Sequence[Any] | None,
    *options: Any,
    **extra: Any,
) -> Gradient:
    source, asked, emitted = _emitted(function, wrt, *options, **extra)
    as_tuple = wrt is not None and not isinstance(wrt, (str, int))
    primal = _primal(function, source)
    return Gradient(primal, asked, source, as_tuple, emitted)


def _primal(function: Callable[..., Any] | str, source: Source) -> Callable[..., Any]:
    """The function itself, where its name was given."""
    if isinstance(function, str):
        named: Callable[..., Any] = source.globals[source.node.name]
        return named
    return getattr(function, "function", function)  # of a gradient, its text's


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
) -> Gradient:
    """The gradient of a function, as a function of the same arguments.

    `g(*args, seed=1.0, **kwargs)` returns an array of the argument's shape and
    dtype, for a container one of the same structure; for a tuple `wrt`, a tuple of
    them. A function of several results takes seed=(d_mean, d_var), in the structure
    of its result. See `emit` for the options.
    """
    options = ("joint", False, shapes, example, stop, strict, complex, of, has_aux)
    return _gradient(
        function,
        wrt,
        *options,
        save=save,
        keep_calls=keep_calls,
        guard=guard,
        stable=stable,
    )


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
) -> Gradient:
    """A function that returns the value and the gradient: `(y, g)`.

    The value is bit-identical to the primal's. See `grad`.
    """
    options = ("joint", True, shapes, example, stop, strict, complex, of, has_aux)
    return _gradient(
        function,
        wrt,
        *options,
        save=save,
        keep_calls=keep_calls,
        guard=guard,
        stable=stable,
    )


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
) -> Pullback:
    """A function that returns the value and its pullback: `(y, pullback)`.

    `pullback(seed)` has the form of `grad`'s result, and may be called again.
    See `emit` for the options.
    """
    options = ("callback", False, shapes, example, stop, strict, complex, of, has_aux)
    return Pullback(
        _gradient(
            function,
            wrt,
            *options,
            save=save,
            keep_calls=keep_calls,
            guard=guard,
            stable=stable,
        )
    )


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
) -> Pushforward:
    """A function that returns the value and its derivative: `(y, dy)`.

    `j(*args, *tangents, **kwargs)` takes one tangent, of the argument's shape, for
    each argument in `wrt`, after the positional arguments. See `emit` for the
    options.
    """
    options = ("joint", False, shapes, example, stop, strict, complex, (), False)
    source, asked, emitted = _emitted(
        function, wrt, *options, "forward", guard=guard, stable=stable
    )
    as_tuple = wrt is not None and not isinstance(wrt, (str, int))
    return Pushforward(_primal(function, source), asked, source, as_tuple, emitted)


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
) -> Matrix:
    """The Jacobian of a function of one result: `J(*args, **kwargs)`.

    Its shape is that of the result, then that of the argument; for a tuple `wrt` there
    is one for each. All rows are computed at once where the shapes are known and each
    operation can be, else one at a time. `direction` "reverse" makes rows of gradients,
    "forward" columns of tangents; without it the smaller side decides. With
    `diagonal=True` the result is the diagonal, of the argument's shape, of a function
    that works entry by entry; GradgenError for another. See `emit` for the options.
    """
    options = shapes, example, stop, strict, guard, stable
    return _matrix(
        "jacobian", function, wrt, *options, direction=direction, diagonal=diagonal
    )


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
) -> Matrix:
    """The Hessian of a function of one number in one argument: `H(*args, **kwargs)`.

    Its shape is the argument's, twice. See `jacobian`.
    """
    return _matrix(
        "hessian", function, wrt, shapes, example, stop, strict, guard, stable
    )


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
) -> Matrix:
    options = ("joint", False, shapes, example, stop, strict, (), (), False, mode)
    source, asked, emitted = _emitted(
        function, wrt, *options, guard=guard, stable=stable, **extra
    )
    as_tuple = wrt is not None and not isinstance(wrt, (str, int))
    return Matrix(_primal(function, source), asked, source, as_tuple, emitted)


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
) -> Pushforward:
    """The Hessian of a function of one number, times a vector.

    `h(*args, *vectors, **kwargs)` takes one vector, of the argument's shape, for each
    argument in `wrt`, after the positional arguments, and returns the products, of
    the same shapes. It is the forward derivative of the gradient; the Hessian itself
    is never made. See `emit` for the options.
    """
    options = ("joint", False, shapes, example, stop, strict, (), (), False)
    source, asked, emitted = _emitted(
        function, wrt, *options, "hvp", save=save, guard=guard, stable=stable
    )
    as_tuple = wrt is not None and not isinstance(wrt, (str, int))
    return Pushforward(_primal(function, source), asked, source, as_tuple, emitted)


def stop_gradient(x: Any) -> Any:
    """x itself; in a function that is differentiated no derivative goes through it."""
    return x
