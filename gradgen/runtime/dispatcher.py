"""Multiple dispatch: a derivative has a text for each signature that it is called with.

Nothing is emitted before the first call. The arguments of a call tell the ranks, the
axes of length 1, the sorts and the nesting; their abstract values are the key of a table
of texts. Lengths are no part of it: axes have letters, which are unified where the
function combines them, and each text holds for the calls that fulfil its equations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.frozen import dataclass
from gradgen.request.request import Request
from gradgen.runtime.emptiness import raise_as
from gradgen.runtime.cotangents import seed_given
from gradgen.runtime.around import Around
from gradgen.runtime.as_function import AsFunction
from gradgen.runtime.attributes import holds_objects
from gradgen.runtime.by_value import is_by_identity
from gradgen.runtime.handed import refuse_asked
from gradgen.runtime.html import html
from gradgen.runtime.specializing import Maker, Specializing
from gradgen.runtime.sequences import sort_of
from gradgen.runtime.variant import Variant
from gradgen.runtime.left_out import defaults_of, is_option, with_left_out
from gradgen.runtime.hot_calls import HotCalls
from gradgen.signature.abstract import (
    Abstract,
    Number,
)
from gradgen.signature.letters import Letters, axes_told, is_whatever

Signature = tuple[tuple[str, Abstract | str], ...]
# arguments that are no options, whatever a text takes them for
ARRAYS = (np.ndarray, float, complex)
# refusals of arguments that a text does not take, and of seeds
OF_KINDS, OF_SEEDS = ("GG511", "GG512"), ("GG506", "GG508")
# attributes that are those of a text; nobody who looks for others has one emitted
OF_A_TEXT = (
    "function",
    "signature",
    "wrt",
    "held",
    "outcome",
    "with_value",
    "as_tuple",
)


@dataclass(frozen=True)
class Kind:
    """What a dispatcher is: the function that makes it, and what was asked for.

    `wrt` are the arguments as they were named. `tangents` is the number of
    arguments behind the function's own, `told` the arguments whose facts were told.
    """

    maker: str
    asked: Request
    wrt: Any
    tangents: int
    told: frozenset[str]
    options: object
    # those of them that are numbers, which may come as arrays of rank 0
    numbers: frozenset[str] = frozenset()
    # what axes are called in the facts that were told
    letters: frozenset[str] = frozenset()
    # the arguments of which annotations alone tell something
    annotated: frozenset[str] = frozenset()
    # the facts that were told, as text
    facts: tuple[tuple[str, str], ...] = ()

    @property
    def open(self) -> frozenset[str]:
        """The arguments that were told to have whatever axes: "*s"."""
        return frozenset(name for name, fact in self.facts if is_whatever(fact))


class Dispatcher(AsFunction, Specializing, HotCalls, Around):
    """A derivative that chooses its text by the arguments of each call.

    `make(facts, complexes)` emits a text and makes it a function.
    """

    def __init__(self, function: Callable[..., Any], make: Maker, kind: Kind) -> None:
        self.primal, self.maker, self.asked = function, kind.maker, kind.asked
        self.given_wrt = kind.wrt
        self._dress(function)
        self._make, self._kind = make, kind
        code = function.__code__
        count = code.co_argcount + code.co_kwonlyargcount
        self._parameters = code.co_varnames[:count]
        self._positional = code.co_varnames[: code.co_argcount]
        self._variants: dict[Signature, list[Variant]] = {}
        self._start_cold()
        self._general: Any = None
        self._latest: Any = None
        self._start_by_signature()
        # makes the same for calls with objects; whether records count as these
        self.of_objects: Callable[[], Dispatcher] | None = None
        self._objects: Dispatcher | None = None
        self._by_attributes = False

    def _called(self, /, *args: Any, **kwargs: Any) -> Any:
        found = self._found(*args, **kwargs)
        own = args[: len(args) - self._kind.tangents]
        named = set(kwargs) - ({"seed"} - set(self._parameters))
        raise_as(self.primal, own, {name: kwargs[name] for name in named})
        return found

    def _found(self, /, *args: Any, **kwargs: Any) -> Any:
        split = len(args) - self._kind.tangents
        if split >= 0:
            own, kwargs = with_left_out(self.primal, args[:split], kwargs)
            args, split = (*own, *args[split:]), len(own)
        other = self._other(args, kwargs, split)
        if other is not None:
            return other[0](*other[1], **other[2])
        objects = self._with_objects((*args[:split], *kwargs.values()))
        if objects is not None:
            try:
                return objects(*args, **kwargs)
            except GradgenError as error:
                other = (
                    self._valued(args, kwargs, split) if is_by_identity(error) else None
                )
                if other is None:
                    raise
                return other[0](*other[1], **other[2])
        made = None
        try:
            made = self._chosen(args[:split] if split > 0 else (), kwargs)
            found = made(*args, **kwargs)
        except (GradgenError, TypeError, ValueError, IndexError) as error:
            own = args[:split] if split > 0 else ()
            if made is not None and self._is_of_lengths(error, own, kwargs):
                return self._chosen(own, kwargs, True)(*args, **kwargs)
            if not self._may_be_option(error, made is not None, (args, kwargs)):
                raise
            other = self._valued(args, kwargs, split)
            if other is not None:
                return other[0](*other[1], **other[2])
            objects = self._with_records(args, kwargs, split)
            if objects is None:
                ran = made is not None
                listed = self._with_lists(error, ran, own, kwargs)
                if listed is not None:
                    return listed(*args, **kwargs)
                other = self._handing(self._told(error), args, kwargs, split)
                return other[0](*other[1], **other[2])
            return objects(*args, **kwargs)
        if self._again is not None:  # and the call has passed all its checks
            self._inline(*self._again)
        return found

    def _with_objects(self, values: Iterable[Any]) -> Dispatcher | None:
        """The derivative for calls with objects; None where no value is one."""
        if self.of_objects is None:
            return None
        if not any(holds_objects(one, self._by_attributes) for one in values):
            return None
        if self._objects is None:
            self._objects = self.of_objects()
        self._latest = self._objects
        return self._objects

    def _with_records(self, args: Any, kwargs: Any, split: int) -> Dispatcher | None:
        """The derivative that takes records for objects, with methods and settings."""
        if self._by_attributes:
            return None
        self._by_attributes = True
        own = args[: max(split, 0)]
        try:
            words = self._without_seed(kwargs)
            found = self._with_objects((*own, *words.values()))
            if found is not None and found.specialize(*self._ahead(own), **words):
                return found
        except GradgenError:
            pass
        self._by_attributes = False
        return None

    def _may_be_option(self, error: Exception, ran: bool, call: Any) -> bool:
        """Whether an argument that was taken for an array or a number is an option."""
        code = error.code if isinstance(error, GradgenError) else ""
        if not ran or code == "GG302":
            return bool(code)
        given = [*call[0], *call[1].values()]
        if code in OF_SEEDS:  # a flag or a number may tell how many results there are
            return any(type(one) in (int, bool, str) for one in given)
        if code:
            return code in OF_KINDS
        given += self._defaults().values()
        return any(map(is_option, given))

    def specialize(self, /, *args: Any, **kwargs: Any) -> Any:
        """The derivative for arguments of this signature: `.function`, `.source`.

        `args` are example arguments. What is emitted holds for all lengths that the
        function takes.
        """
        ahead = len(self._ahead(()))
        args, kwargs = with_left_out(self.primal, args, kwargs, ahead)
        other = self._other(args, kwargs, len(args))
        if other is not None:
            return other[0].specialize(*other[1], **other[2])
        objects = self._with_objects((*args, *kwargs.values()))
        if objects is not None:
            try:
                return objects.specialize(*self._ahead(args), **kwargs)
            except GradgenError as error:
                n = len(args)
                other = self._valued(args, kwargs, n) if is_by_identity(error) else None
                if other is None:
                    raise
                return other[0].specialize(*other[1], **other[2])
        try:
            made = self._chosen(args, kwargs)
            if not all(isinstance(one, ARRAYS) for one in (*args, *kwargs.values())):
                made.accept(self._ahead(args), kwargs)
            return made
        except GradgenError as error:
            n = len(args)
            other = self._valued(args, kwargs, n)
            objects = None if other else self._with_records(args, kwargs, n)
            if objects is not None:
                return objects.specialize(*self._ahead(args), **kwargs)
            listed = None if other else self._with_lists(error, False, args, kwargs)
            if listed is not None:
                return listed
            other = other or self._handing(error, args, kwargs, n)
            return other[0].specialize(*other[1], **other[2])

    def _chosen(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any], fixed: bool = False
    ) -> Any:
        """The text for a call; if `fixed`, a new one for its lengths alone.

        Where arguments were told to have whatever axes, one for axes like theirs.
        """
        self._again = None
        values = self._defaults()
        placed = dict(zip(self._positional, args))
        free = [k for k in self._parameters if k not in placed]
        if kwargs.get("seed", 0) is None and self.maker in ("grad", "value_and_grad"):
            seed_given(None, free, self.maker)
        values |= placed | {k: v for k, v in kwargs.items() if k in free}
        values = {k: values[k] for k in self._parameters if k in values}
        told = self._kind.told - {k for k, v in values.items() if self._is_other(k, v)}
        opened = told & self._kind.open if fixed else frozenset()
        told -= opened
        wrt = self.asked.wrt or self._parameters[:1]
        wholes = {k: sort for k in told & values.keys() if (sort := sort_of(values[k]))}
        named = axes_told(self._kind.facts, {k: values.get(k) for k in told})
        values = {k: self._given(k, v) for k, v in values.items() if k not in told}
        abstracts = {name: self._abstract(name, v) for name, v in values.items()}
        signature = *abstracts.items(), *sorted(wholes.items())
        known = self._variants.setdefault(signature, [])
        for variant in () if fixed and not opened else tuple(known):
            if variant.holds(values.values(), named):
                if variant.made.is_outdated:
                    self._forget(variant)
                    continue
                self._latest = variant.made
                if not told and self._is_cold(variant):
                    self._again = variant, values, abstracts
                return variant.made
        for name in wrt:
            refuse_asked(name, values.get(name, 0.0), self._defaults().get(name, 0.0))
        taken = (*self._parameters, *self._kind.letters)
        letters = Letters(abstracts, values, taken, told=named)
        made = (
            self._in_lengths(letters, wholes)
            if fixed and not opened
            else self._specialized(letters, wholes)
        )
        variant = Variant(made, tuple(letters.own), tuple(letters.equations))
        known.insert(0 if fixed else len(known), variant)
        self._latest = made
        return made

    def _forget(self, outdated: Variant) -> None:
        """Drops a text of what the primal does not read any more.

        What was an axis of its own may be unified with one of the module's arrays now.
        """
        for known in self._variants.values():
            known[:] = [one for one in known if one.made is not outdated.made]
        if self._general is outdated.made:
            self._general = None

    def _abstract(self, name: str, value: Any) -> Abstract:
        """The abstract value of an argument; a whole number in wrt is a number."""
        known = self._known_as(value)
        whole = isinstance(known, Number) and known.sort in ("int", "bool")
        wrt = self.asked.wrt or self._parameters[:1]
        return Number("float") if whole and name in wrt else known

    def _is_other(self, name: str, value: Any) -> bool:
        """Whether an argument is something else in this call than its fact tells.

        A number may be an array of rank 0, and of any where only an annotation tells
        it; all may be None: `k: float = None`.
        """
        if not isinstance(value, np.ndarray):
            return value is None and not isinstance(self._defaults().get(name), float)
        hinted = name in self._kind.annotated
        return name in self._kind.numbers and (hinted or not value.ndim)

    def _defaults(self) -> dict[str, Any]:
        """The arguments that a call may leave out, by name."""
        return defaults_of(self.primal)

    @property
    def is_outdated(self) -> bool:
        """Whether what the primal reads is no longer as it was for one of the texts."""
        made = [variant.made for known in self._variants.values() for variant in known]
        return any(one.is_outdated for one in (*made, self._general) if one is not None)

    def __getattr__(self, name: str) -> Any:
        # what there is of a text: the latest one's, the general one's before any call
        if name not in OF_A_TEXT:
            raise AttributeError(name)
        return getattr(self._latest or self.general, name)

    @property
    def source(self) -> str:
        """The text of the latest signature, the general one before any call."""
        text: str = (self._latest or self.general).source
        return text

    def _repr_html_(self) -> str:
        """The text, as a notebook shows it."""
        return html(self.source)

    def __repr__(self) -> str:
        return f"<{self.maker} of {self.primal.__name__}>"
