"""The public functions: emit a gradient's text, or make it and call it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

from gradgen.request.options import (
    OfGradients,
    OfMatrices,
    OfProducts,
    OfTangents,
    OfTexts,
    Told,
)
from gradgen.request.usage import read_options, with_keywords
from gradgen.runtime.compile import emitted_for, made_of
from gradgen.runtime.dispatcher import Dispatcher
from gradgen.runtime.nested import OfDerivative
from gradgen.runtime.foreign import Elsewhere
from gradgen.runtime.gradient import Gradient
from gradgen.runtime.pullback import Matrix, Pullback, Pushforward

# what the makers of functions return: one that chooses its text by the arguments of
# each call, or for another library than NumPy the function of one text
Derivative = Dispatcher | OfDerivative | Elsewhere


Function = Callable[..., Any] | str
Wrt = str | int | Sequence[Any] | None


@with_keywords(OfTexts)
def emit(function: Function, wrt: Wrt = None, **options: Unpack[OfTexts]) -> str:
    """The text of a module that computes the gradient of a NumPy function.

    `function` is the function, or its name ("module.fn", "path/file.py:fn").
    `wrt` names the arguments (names or positions; default the first). In `mode`
    "forward" the text is the value and its derivative along tangents, in "hvp" the
    Hessian times vectors, in "jacobian" and "hessian" these matrices. Of arguments that
    nothing tells of two things are assumed, unless `general=True`.

    Raises GradgenError with every construct that is not supported.
    """
    given = read_options("emit", OfTexts, options)
    return emitted_for(function, wrt, given, again=False)[-1].text


@with_keywords(OfGradients)
def grad(
    function: Function, wrt: Wrt = None, **options: Unpack[OfGradients]
) -> Derivative:
    """The gradient of a function, as a function of the same arguments.

    `g(*args, seed=1.0, **kwargs)` returns an array of the argument's shape and
    dtype, for a container one of the same structure; for a tuple `wrt`, a tuple of
    them. A function of several results takes seed=(d_mean, d_var), in the structure
    of its result. Where the function has an argument `seed`, that is given by its
    place.
    """
    given = read_options("grad", OfGradients, options)
    return _made("grad", Gradient, function, wrt, given)


@with_keywords(OfGradients)
def value_and_grad(
    function: Function, wrt: Wrt = None, **options: Unpack[OfGradients]
) -> Derivative:
    """A function that returns the value and the gradient: `(y, g)`.

    The value is bit-identical to the primal's. See `grad`.
    """
    given = read_options("value_and_grad", OfGradients, options, value=True)
    return _made("value_and_grad", Gradient, function, wrt, given)


@with_keywords(OfGradients)
def vjp(
    function: Function, wrt: Wrt = None, **options: Unpack[OfGradients]
) -> Derivative:
    """A function that returns the value and its pullback: `(y, pullback)`.

    `pullback(seed)` has the form of `grad`'s result, and may be called again. It reads
    the arguments and the value when it is called: neither may be changed in place before.
    """
    given = read_options("vjp", OfGradients, options, style="callback")
    return _made("vjp", _pullback, function, wrt, given)


@with_keywords(OfTangents)
def jvp(
    function: Function, wrt: Wrt = None, **options: Unpack[OfTangents]
) -> Derivative:
    """A function that returns the value and its derivative: `(y, dy)`.

    `j(*args, *tangents, **kwargs)` takes one tangent, of the argument's shape, for
    each argument in `wrt`, after the positional arguments.
    """
    given = read_options("jvp", OfTangents, options, mode="forward")
    return _made("jvp", Pushforward, function, wrt, given)


@with_keywords(OfMatrices)
def jacobian(
    function: Function, wrt: Wrt = None, **options: Unpack[OfMatrices]
) -> Derivative:
    """The Jacobian of a function of one result: `J(*args, **kwargs)`.

    Its shape is that of the result, then that of the argument; for a tuple `wrt` there
    is one for each. All rows are computed at once where the shapes are known and each
    operation can be, else one at a time. `direction` "reverse" makes rows of gradients,
    "forward" columns of tangents; without it the smaller side decides. With
    `diagonal=True` the result is the diagonal, of the argument's shape, of a function
    that works entry by entry; GradgenError for another.
    """
    given = read_options("jacobian", OfMatrices, options, mode="jacobian")
    return _made("jacobian", Matrix, function, wrt, given)


@with_keywords(Told)
def hessian(function: Function, wrt: Wrt = None, **options: Unpack[Told]) -> Derivative:
    """The Hessian of a function of one number in one argument: `H(*args, **kwargs)`.

    Its shape is the argument's, twice. See `jacobian`.
    """
    given = read_options("hessian", Told, options, mode="hessian")
    return _made("hessian", Matrix, function, wrt, given)


@with_keywords(OfProducts)
def hvp(
    function: Function, wrt: Wrt = None, **options: Unpack[OfProducts]
) -> Derivative:
    """The Hessian of a function of one number, times a vector.

    `h(*args, *vectors, **kwargs)` takes one vector, of the argument's shape, for each
    argument (or part of one) in `wrt`, after the positional arguments, and returns the
    products, of the same shapes. It is the forward derivative of the gradient; the
    Hessian itself is never made.
    """
    given = read_options("hvp", OfProducts, options, mode="hvp")
    return _made("hvp", Pushforward, function, wrt, given)


def stop_gradient(x: Any) -> Any:
    """x itself; in a function that is differentiated no derivative goes through it."""
    return x


def _pullback(*parts: Any) -> Pullback:
    return Pullback(Gradient(*parts))


def _made(
    maker: str,
    form: Callable[..., Any],
    function: Function,
    wrt: Wrt,
    given: Mapping[str, Any],
) -> Derivative:
    made: Derivative = made_of(maker, form, function, wrt, given)
    return made
