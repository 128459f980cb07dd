"""The public functions: emit a gradient's text, or make it and call it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from gradgen.compiled import compiled
from gradgen.errors import GradgenError
from gradgen.facts import Facts
from gradgen.frontend.source import Source, find
from gradgen.maps import Pullback, Pushforward
from gradgen.paths import with_paths
from gradgen.pipeline import Emitted, run
from gradgen.seeds import Outcome
from gradgen.settings import guard_setting
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
    function: Callable | str,
    wrt: str | int | Sequence | None = None,
    *,
    style: str = "joint",
    value: bool = False,
    shapes: Mapping[str, object] | None = None,
    example: Sequence | None = None,
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
) -> str:
    """The text of a module that computes the gradient of a NumPy function.

    `function` is the function, or its name ("module.fn", "path/file.py:fn").
    `wrt` names the arguments (names or positions; default the first). `style`
    is "joint" or "callback"; `value=True` returns the value as well. `shapes`
    gives shape facts ({"X": "n d"}); `example` is a tuple of example arguments
    whose sizes become facts. `of` names array arguments that the function leaves its
    results in; with `has_aux=True` it returns (value, aux), and aux is handed on as
    it is. `stop` names variables to hold constant. In `mode`
    "forward" the text is the value and its derivative along tangents. `complex`
    names the arguments that are complex; the others count as real. With
    `strict=True` a text that needs a broadcasting helper is refused. Loops keep the
    values that the gradient reads; with `save="state"` only what enters a round, and
    its elementwise statements run again: less memory, more arithmetic. With
    `keep_calls=True` functions that are called get functions of their own in the text.
    With `stable=True` log(1 + exp(x)) and its like are computed without overflow.
    With `guard=True` quotients by zero in the gradient are zero, and with a number
    its denominators are at least so large; None asks pyproject.toml.

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
    )
    return emitted.text


def _emitted(
    function,
    wrt,
    style,
    value,
    shapes,
    example,
    stop,
    strict,
    complex=(),
    of=(),
    has_aux=False,
    mode="reverse",
    guard=None,
    **extra,
) -> tuple[Source, Request, Emitted]:
    source = find(getattr(function, "function", function))
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
    return source, asked, run(asked, source)


class Gradient:
    """A gradient as a function: `g(*args, seed=1.0)`; `g.source` is its text.

    The seed is 1.0 by default, which for an array result stands for ones. A function
    of several results needs one for each, in the structure of its result; None
    stands for zeros. An argument that is a Python
    integer counts as a float; an integer array in wrt raises GradgenError.
    `g.function` is the emitted function itself.
    """

    def __init__(
        self,
        primal: Callable,
        asked: Request,
        source: Source,
        as_tuple: bool,
        emitted: Emitted,
    ):
        self.primal = primal
        self.given_wrt = None if asked.wrt is None else self._as_given(asked, as_tuple)
        # A tuple of one argument gives a tuple of one gradient.
        names = [arg.id for arg in source.node.args.args]
        self.wrt = asked.wrt or tuple(names[:1])
        self.as_tuple = as_tuple and len(self.wrt) == 1
        self.with_value = emitted.function.startswith("value_and_grad_")
        self.source = emitted.text
        self.function = compiled(emitted, source)
        self.__name__ = emitted.function
        self.__doc__ = self.function.__doc__
        code = self.function.__code__
        names = code.co_varnames[: code.co_argcount]
        self._positions = {name: i for i, name in enumerate(names)}
        held = [name for name in emitted.factors if name not in self.wrt]
        self._facts = Facts(asked.shapes, names, emitted.complex, held, emitted.changed)
        self._complexes = emitted.complex
        self.held = {name: source.closure[name] for name in emitted.captured}
        self._names = [a.id for a in source.node.args.args]
        count = sum(emitted.seeded)
        self._seeds = names[len(names) - count :]
        self.outcome = Outcome(emitted.structure, emitted.seeded, asked.of, asked.aux)
        self._complex_result = emitted.complex_result

    @property
    def maker(self) -> str:
        """The function that makes it: grad or value_and_grad."""
        return "value_and_grad" if self.with_value else "grad"

    @staticmethod
    def _as_given(asked: Request, as_tuple: bool):
        return asked.wrt if as_tuple else asked.wrt[0]

    def __call__(self, *args, seed=None, **kwargs):
        args, kwargs = self._checked(args, kwargs)

        def leaves() -> list:
            return self.outcome.leaves(self.primal, args, kwargs, self._names)

        if seed is None and not self._needs_array():
            seeds = [1.0]
        else:
            seeds = self.outcome.seeds(seed, leaves)
        seeds = self._of_their_sorts(seeds)
        named = dict(zip(self._seeds, seeds, strict=True))
        result = self.function(*args, **kwargs, **self.held, **named)
        if not self.as_tuple:
            return result
        return (result[0], (result[1],)) if self.with_value else (result,)

    def _of_their_sorts(self, seeds: list) -> list:
        """Seeds that are complex where their results are."""
        pairs = zip(seeds, self._complex_result, strict=True)
        return [s + 0j if c and not np.iscomplexobj(s) else s for s, c in pairs]

    def _needs_array(self) -> bool:
        code = self.function.__code__
        defaults = len(self.function.__defaults__ or ())
        return (
            code.co_argcount == 0
            or defaults == 0
            or not isinstance(self.function.__defaults__[-1], float)
        )

    def _checked(self, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
        """The arguments, once they are what the facts say and not integers."""
        self._facts.check(args, kwargs)
        given = dict(zip(self._positions, args)) | kwargs
        for name in self.wrt:
            at = self._positions.get(name, len(args))
            if not name.isidentifier():
                refuse_integer_leaves(name, given)
            elif at < len(args):
                value = self._floating(name, args[at])
                if value is not args[at]:
                    args = (*args[:at], value, *args[at + 1 :])
            elif name in kwargs:
                kwargs = {**kwargs, name: self._floating(name, kwargs[name])}
        return args, kwargs

    def _floating(self, name: str, value):
        """The value of an argument in wrt, a Python number as what it counts as."""
        if isinstance(value, (bool, int, float)) and not isinstance(value, np.generic):
            return complex(value) if name in self._complexes else float(value)
        refuse_integer_leaves(name, {name: value})
        if name in self._complexes and not np.iscomplexobj(value):
            raise GradgenError(
                "GG504",
                f"the argument {name} is real, and counts as complex",
                advice=f"{name}.astype(complex)",
            )
        return value

    def __repr__(self) -> str:
        return f"<gradient {self.__name__}>"


def _gradient(function, wrt, *options, **extra) -> Gradient:
    source, asked, emitted = _emitted(function, wrt, *options, **extra)
    as_tuple = wrt is not None and not isinstance(wrt, (str, int))
    primal = _primal(function, source)
    return Gradient(primal, asked, source, as_tuple, emitted)


def _primal(function: Callable | str, source: Source) -> Callable:
    """The function itself, where its name was given."""
    return source.globals[source.node.name] if isinstance(function, str) else function


def grad(
    function: Callable | str,
    wrt: str | int | Sequence | None = None,
    *,
    shapes: Mapping[str, object] | None = None,
    example: Sequence | None = None,
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
    function: Callable | str,
    wrt: str | int | Sequence | None = None,
    *,
    shapes: Mapping[str, object] | None = None,
    example: Sequence | None = None,
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
    function: Callable | str,
    wrt: str | int | Sequence | None = None,
    *,
    shapes: Mapping[str, object] | None = None,
    example: Sequence | None = None,
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
    function: Callable | str,
    wrt: str | int | Sequence | None = None,
    *,
    shapes: Mapping[str, object] | None = None,
    example: Sequence | None = None,
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
    options = ("joint", False, shapes, example, stop, strict, complex)
    options += ((), False, "forward")
    source, asked, emitted = _emitted(
        function, wrt, *options, guard=guard, stable=stable
    )
    return Pushforward(_primal(function, source), asked, source, emitted)


def hvp(
    function: Callable | str,
    wrt: str | int | Sequence | None = None,
    *,
    shapes: Mapping[str, object] | None = None,
    example: Sequence | None = None,
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
    options = ("joint", False, shapes, example, stop, strict)
    options += ((), (), False, "hvp")
    source, asked, emitted = _emitted(
        function, wrt, *options, save=save, guard=guard, stable=stable
    )
    return Pushforward(_primal(function, source), asked, source, emitted)
