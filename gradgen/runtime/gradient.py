"""A gradient as a function: what gradgen.grad makes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Container, Mapping, Sequence
from inspect import unwrap
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.frontend.heap.outer_instances import found_at
from gradgen.frontend.source.source import Source
from gradgen.pipeline.emitted import Emitted
from gradgen.request.options import Request
from gradgen.runtime.arguments import refuse_integer_leaves
from gradgen.runtime.arithmetic import computed
from gradgen.runtime.check_arguments import Facts
from gradgen.runtime.copied import copied
from gradgen.runtime.cotangents import UNSET, Outcome, seed_given
from gradgen.runtime.environment import Environment
from gradgen.runtime.surroundings import surroundings
from gradgen.runtime.exec_text import compiled
from gradgen.runtime.handed import Handing, native, refuse_kinds
from gradgen.runtime.html import html
from gradgen.shapes.statics import NONE


class Made:
    """An emitted function with what the library knows of it.

    `asked` is what was asked for, `primal` the function that it is a derivative of,
    `given_wrt` the arguments as the caller named them (None for the default).
    """

    def __init__(
        self,
        primal: Callable[..., Any],
        asked: Request,
        source: Source,
        as_tuple: bool,
        emitted: Emitted,
    ) -> None:
        self.primal, self.asked = primal, asked
        names = [arg.id for arg in source.node.args.args]
        self.wrt = asked.wrt or tuple(source.parameters[:1])
        self.given_wrt = None
        if asked.wrt is not None:
            self.given_wrt = self.wrt if as_tuple else self.wrt[0]
        # A tuple of one argument gives a tuple of one gradient.
        self.as_tuple = as_tuple and len(self.wrt) == 1
        self.source = emitted.text
        self.is_stopped = emitted.stopped
        self.function = compiled(emitted, source)
        self.__name__ = emitted.function
        self.__doc__ = self.function.__doc__
        # the arrays of an enclosing function, which are arguments of the text
        around = {**source.globals, **source.closure}
        self.held = {name: found_at(path, around) for name, path in emitted.captured}
        code = unwrap(self.function).__code__
        self._names = names
        self._own = {*names, *(arg.id for arg in source.node.args.kwonlyargs)}
        self._arguments = code.co_varnames[: code.co_argcount]
        self._positions = {name: i for i, name in enumerate(self._arguments)}
        held = [name for name in emitted.factors if name not in self.wrt]
        known = emitted.facts, self._arguments, emitted.complex, held, emitted.changed
        read = surroundings(primal, self.held) if emitted.changed else None
        self._facts = Facts(*known, emitted.numbers, emitted.bundles, read)
        told = [name for name, _, _ in emitted.facts]
        fixed = self._facts.statics
        of_text = emitted.bundles, self.wrt, told, fixed, emitted.handled
        self._handing = Handing(primal, names, *of_text)
        self._is_numpys = asked.library in ("numpy", "numba")
        for name, value in self.held.items():
            refuse_kinds(f"the array {name}", value)
        self._complexes = emitted.complex
        # sizes that would give a shorter text if they were one
        self.alike = emitted.alike
        self._defaults = source.defaults
        self._environment = Environment(primal)
        # what makes it again
        self.again: Callable[[], Made] | None = None

    def given(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """The arguments of a call by name."""
        return dict(zip(self._names, args)) | dict(kwargs)

    def taken(
        self, args: tuple[Any, ...], kwargs: dict[Any, Any], complexes: Container[str]
    ) -> tuple[tuple[Any, ...], dict[Any, Any]]:
        """The arguments as the text takes them. Raises GradgenError for others."""
        if self._is_numpys:
            self._handing.refuse(args, kwargs)
            args = tuple(map(native, args))
            kwargs = {name: native(value) for name, value in kwargs.items()}
        self._facts.check(args, kwargs)
        args, kwargs = floating(args, kwargs, self.wrt, self._positions, complexes)
        return self._handing.arrays(args, kwargs) if self._is_numpys else (args, kwargs)

    def accept(self, args: tuple[Any, ...], kwargs: dict[Any, Any]) -> None:
        """Raises GradgenError for arguments that a call would refuse."""
        self.taken(args, kwargs, self._complexes)

    def _formed(self, given: Mapping[str, Any], found: Any) -> Any:
        """The gradients as the caller gets them: in the forms of the arguments."""
        found = self._handing.results({**self._defaults, **given}, found)
        return (found,) if self.as_tuple else found

    @property
    def constants(self) -> list[tuple[dict[str, Any], str, object]] | None:
        """The names that decide whether the text is stale, None where more does."""
        return self._environment.constants

    @property
    def callees(self) -> list[tuple[Any, ...]]:
        """The functions behind the text, with their code and their defaults."""
        return self._environment.callees

    @property
    def is_outdated(self) -> bool:
        """Whether what the primal reads, numbers of its module, is no longer as it was."""
        return not self._environment.holds()

    @property
    def changed(self) -> tuple[str, ...]:
        """The arguments that the primal changes: they share memory with no other."""
        return tuple(self._facts.changed)

    @property
    def takes_plainly(self) -> bool:
        """Whether the emitted function takes the arguments of a call as they are."""
        return not (
            self.as_tuple
            or self.held
            or self._handing.handled
            or self._facts.axes
            or self._facts.around
            or set(self._facts.statics.values()) - {NONE}
            or any(not name.isidentifier() for name in self.wrt)
        )

    def made_by(self, again: Callable[[], Made]) -> None:
        """Notes what makes it again, where what the primal reads has changed."""
        self.again = again

    def renew(self) -> None:
        """Makes the text again where what the primal reads has changed."""
        if self.again is not None and not self._environment.holds():
            again = self.again
            vars(self).update(vars(again()))
            self.again = again

    def _run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[[], Any]:
        """What runs the primal at arguments, which stay as they are."""
        return lambda: self.primal(*copied(args), **copied(kwargs))

    def _repr_html_(self) -> str:
        """The text, as a notebook shows it."""
        return html(self.source)


class Gradient(Made):
    """A gradient as a function: `g(*args, seed=1.0)`; `g.source` is its text.

    The seed is 1.0 by default, which for an array result stands for ones. A function
    of several results needs one for each, in the structure of its result; None
    stands for zeros. An argument that is a Python
    integer counts as a float; an integer array in wrt raises GradgenError. The
    gradient of a list of numbers is a list of floats.
    `g.function` is the emitted function itself.
    """

    def __init__(
        self,
        primal: Callable[..., Any],
        asked: Request,
        source: Source,
        as_tuple: bool,
        emitted: Emitted,
    ) -> None:
        super().__init__(primal, asked, source, as_tuple, emitted)
        self.with_value = emitted.function.startswith("value_and_grad_")
        self._seeds = self._arguments[len(self._arguments) - sum(emitted.seeded) :]
        self._complex_result = emitted.complex_result
        kinds = asked.of, asked.aux, self._complex_result
        self.outcome = Outcome(emitted.structure, emitted.seeded, *kinds)

    @property
    def is_plain(self) -> bool:
        """Whether a call without a seed is a call of the emitted function."""
        needs_seed = self._needs_array() or any(self._complex_result)
        return self.takes_plainly and not needs_seed

    @property
    def seeds_needed(self) -> tuple[str, ...]:
        """The arguments of the text for cotangents that a call of it has to give."""
        return tuple(self._seeds) if self._needs_array() else ()

    @property
    def is_of_one_array(self) -> bool:
        """Whether the function's result is one real array, and nothing besides."""
        plain = not self.outcome.structure and not self.outcome.of
        return plain and len(self._seeds) == 1 and not any(self._complex_result)

    @property
    def maker(self) -> str:
        """The function that makes it: grad or value_and_grad."""
        return "value_and_grad" if self.with_value else "grad"

    def __call__(self, /, *args: Any, seed: Any = UNSET, **kwargs: Any) -> Any:
        self.renew()
        placed = self._names[: len(args)]
        seed = seed_given(seed, self._own.difference(placed), self.maker)
        own, given = (args, kwargs), self.given(args, kwargs)
        args, kwargs = self._checked(args, kwargs)

        @functools.cache
        def leaves() -> list[Any]:
            return self.outcome.leaves(self.primal, args, kwargs, self._names)

        if seed is None and not self._needs_array():
            self.outcome.refuse_default(seed)
            seeds = [1.0]
        else:
            seeds = self.outcome.seeds(seed, leaves)
        seeds = self._of_their_sorts(seeds)
        named = dict(zip(self._seeds, seeds, strict=True))

        def call() -> Any:
            every = kwargs | self.held | named
            # what is kept of it would not show what it raises
            return computed(self.function, args, every, leaves.__wrapped__)

        result = self._handing.run(call, *own)
        if self.with_value:
            return result[0], self._formed(given, result[1])
        return self._formed(given, result)

    def _of_their_sorts(self, seeds: list[Any]) -> list[Any]:
        """Seeds that are complex where their results are."""
        pairs = zip(seeds, self._complex_result, strict=True)
        return [s + 0j if c and not np.iscomplexobj(s) else s for s, c in pairs]

    def _needs_array(self) -> bool:
        code = self.function.__code__
        defaults = self.function.__defaults__ or ()
        return (
            code.co_argcount == 0
            or len(defaults) == 0
            or not isinstance(defaults[-1], float)
        )

    def _checked(
        self, args: tuple[Any, ...], kwargs: dict[Any, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments, once they are what the facts say and not integers."""
        return self.taken(args, kwargs, self._complexes)

    def __repr__(self) -> str:
        return f"<gradient {self.__name__}>"


def floating(
    args: tuple[Any, ...],
    kwargs: dict[Any, Any],
    wrt: Sequence[str],
    positions: Mapping[str, int],
    complexes: Container[str],
) -> tuple[tuple[Any, ...], dict[Any, Any]]:
    """The arguments with Python numbers in `wrt` as floats, and no integers there.

    `positions` are those of the parameters, `complexes` those that are complex.
    """
    given = dict(zip(positions, args)) | kwargs
    for name in wrt:
        at = positions.get(name, len(args))
        if not name.isidentifier():
            refuse_integer_leaves(name, given)
        elif at < len(args):
            value = _floating(name, args[at], complexes)
            if value is not args[at]:
                args = (*args[:at], value, *args[at + 1 :])
        elif name in kwargs:
            kwargs = {**kwargs, name: _floating(name, kwargs[name], complexes)}
    return args, kwargs


def _floating(name: str, value: Any, complexes: Container[str]) -> Any:
    """The value of an argument in wrt, a Python number as what it counts as."""
    if isinstance(value, (bool, int, float)) and not isinstance(value, np.generic):
        return complex(value) if name in complexes else float(value)
    refuse_integer_leaves(name, {name: value})
    if name in complexes and not np.iscomplexobj(value):
        raise GradgenError(
            "GG504",
            f"the argument {name} is real, and counts as complex",
            advice=f"{name}.astype(complex)",
        )
    return value
