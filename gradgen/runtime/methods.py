"""Derivatives of bound methods: what the instance holds at each call decides.

The arrays and numbers that the method reads of its instance are arguments of the text,
which reads them itself: `W = self.W`. Strings, flags, None, whole numbers and functions
among the attributes are part of the signature.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gradgen.errors import GradgenError
from gradgen.frontend.source.unwrapped import undecorated
from gradgen.frontend.source.holding import Held, Holding, with_number
from gradgen.frontend.source.reach import NOTHING, Reach, is_written_class
from gradgen.frontend.source.source import owner_of
from gradgen.request.parts import path_of, read_of
from gradgen.runtime.dispatcher import Dispatcher, Kind
from gradgen.runtime.variant import Variant
from gradgen.runtime.environment import Environment
from gradgen.runtime.instances import leaves_at
from gradgen.runtime.left_out import with_left_out
from gradgen.runtime.specializing import is_by_a_rule
from gradgen.signature.abstract import Abstract, Number, abstract
from gradgen.signature.abstract import complex_parts
from gradgen.signature.letters import Letters

# what a text for some facts, complex arguments and an instance is made by
Maker = Callable[..., Any]


class Around:
    """What the functions behind a method read around them, and the classes' methods."""

    def __init__(self, found: Reach) -> None:
        self._lookups: dict[type, list[tuple[str, object]]] = {}
        for cls, name, value in found.lookups:
            self._lookups.setdefault(cls, []).append((name, value))
        self._environment = Environment(*found.functions)

    def holds(self) -> bool:
        """Whether each name means what it meant when a text was made."""
        for cls, lookups in self._lookups.items():
            own = vars(cls)
            for name, value in lookups:
                if own.get(name, NOTHING) is not value:
                    return False
        return self._environment.holds()


def leaf_of(name: str, value: Any, asked: Iterable[str]) -> Abstract:
    """What an array or a number of an instance is; a whole number in wrt is a number."""
    known = abstract(value)
    whole = isinstance(known, Number) and known.sort == "int"
    in_wrt = whole and path_of(name) in map(path_of, asked)
    return Number("float") if in_wrt else known


def made_or_general(letters: Letters, made: Maker, general: Maker) -> Any:
    """The text for a signature of an instance; where that is refused, the general one.

    Where that is refused as well, the text for these lengths.
    """
    longer: tuple[Any, list[Any]] | None = None
    while True:
        values = letters.abstracts.items()
        complexes = tuple(one for k, v in values for one in complex_parts(k, v))
        try:
            found = made(letters.facts(), complexes, {})
            before = list(letters.equations)
            if letters.learn_alike(getattr(found, "alike", ())):
                longer = found, before
                continue
            return found
        except GradgenError as error:
            told = error.unequal, error.surely, error.further
            if error.unequal and letters.learn_all(*told):
                letters.learn_alike(error.twins)
                continue
            refusal = error
        if longer is not None:
            letters.equations = longer[1]
            return longer[0]
        if refusal.surely and refusal.unequal and letters.contradict(refusal.unequal):
            letters.fix()  # n - 2 may be 1 here; else this is refused with the lengths
            return made(letters.facts(), complexes, {})
        try:
            if not is_by_a_rule(refusal):
                return general({}, complexes, {})
        except GradgenError:
            pass
        letters.fix()
        try:
            return made(letters.facts(), complexes, {})
        except GradgenError:
            raise refusal from None


class OfMethod(Dispatcher):
    """A derivative of a method of one instance, called with the other arguments."""

    def __init__(self, method: types.MethodType, make: Maker, kind: Kind) -> None:
        self.instance: Any = method.__self__
        function: Any = undecorated(method.__func__)
        super().__init__(function, self._made_now, kind)
        self.__wrapped__ = method
        self.is_bound = True
        self._make_of = make
        self._receiver = self._parameters[0]
        self._positional = self._positional[1:]
        self._parameters = self._parameters[1:]
        self._holding = Holding(function, read_of(self._receiver, self.asked.wrt))
        self._held: Held | None = None
        self._known: dict[Any, list[tuple[Variant, Around]]] = {}

    def _called(self, /, *args: Any, **kwargs: Any) -> Any:
        split = len(args) - self._kind.tangents
        if split >= 0:
            own, kwargs = with_left_out(self.primal, args[:split], kwargs, 1)
            args, split = (*own, *args[split:]), len(own)
        other = self._other(args, kwargs, split)
        if other is not None:
            return other[0](*other[1], **other[2])
        objects = self._with_objects((*args[:split], *kwargs.values()))
        if objects is not None:
            return objects(self.instance, *args, **kwargs)
        made = None
        try:
            made = self._chosen(args[:split] if split > 0 else (), kwargs)
            return made(self.instance, *args, **kwargs)
        except (GradgenError, TypeError, ValueError, IndexError) as error:
            own = args[:split] if split > 0 else ()
            given = (self.instance, *own)
            if made is not None and self._is_of_lengths(error, given, kwargs):
                return self._chosen(own, kwargs, True)(self.instance, *args, **kwargs)
            if not self._may_be_option(error, made is not None, (args, kwargs)):
                raise
            other = self._valued(args, kwargs, split)
            if other is None:
                objects = self._with_records(args, kwargs, split)
                if objects is not None:
                    return objects(self.instance, *args, **kwargs)
                listed = self._with_lists(error, made is not None, own, kwargs)
                if listed is not None:
                    return listed(self.instance, *args, **kwargs)
            if other is None and (told := self._told(error)) is not error:
                raise told from None
            if other is None:
                raise
        return other[0](*other[1], **other[2])

    def _ahead(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        return (self.instance, *args)

    def _as_called(self, function: Callable[..., Any]) -> Callable[..., Any]:
        return types.MethodType(function, self.instance)

    def _wrt(self) -> tuple[str, ...]:
        return (*super()._wrt(), self._receiver)

    def _now(self) -> Held:
        """What the instance holds; a whole number in wrt is a number."""
        held = self._holding.of(self.instance)
        for name, keys in map(path_of, self.asked.wrt or ()):
            if name == self._receiver:
                held = with_number(held, keys)
        return held

    def _made_now(
        self, facts: Mapping[str, str], complexes: tuple[str, ...], *others: Any
    ) -> Any:
        """A text for the instance as it is."""
        held = self._held or self._now()
        return self._make_of(facts, complexes, held=held)

    def _chosen(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any], fixed: bool = False
    ) -> Any:
        values = self._defaults() | dict(zip(self._positional, args))
        values |= {k: v for k, v in kwargs.items() if k in self._parameters}
        values = {k: values[k] for k in self._parameters if k in values}
        told = self._kind.told
        values = {k: v if k in told else self._given(k, v) for k, v in values.items()}
        own = {name: self._abstract(name, v) for name, v in values.items()}
        held = self._now()
        leaves = dict(leaves_at(self._receiver, held, self.instance))
        values = leaves | values
        key = held, tuple(own.items())
        known = self._known.setdefault(key, [])
        for variant, environment in () if fixed else tuple(known):
            if not environment.holds():
                known.remove((variant, environment))
            elif variant.holds(values.values()):
                self._latest = variant.made
                return variant.made
        asked = self.asked.wrt or ()
        abstracts = {name: leaf_of(name, one, asked) for name, one in leaves.items()}
        abstracts |= own
        taken = (*self._parameters, *self._kind.letters)
        letters = Letters(abstracts, values, taken)
        self._held = held
        try:
            made = (
                self._in_lengths(letters, {})
                if fixed
                else made_or_general(letters, self._made, self._make)
            )
        finally:
            self._held = None
        found = Variant(made, tuple(letters.sizes), tuple(letters.equations))
        place = 0 if fixed else len(known)
        known.insert(place, (found, Around(self._holding.reach)))
        self._latest = made
        return made

    @property
    def is_outdated(self) -> bool:
        """Whether what the method reads is no longer as it was for one of the texts."""
        every = (one for known in self._known.values() for _, one in known)
        return any(not one.holds() for one in every)


def method_of(value: Any) -> types.MethodType | None:
    """The bound method that a value is, or that a call of an instance calls."""
    if isinstance(value, types.MethodType):
        return None if isinstance(value.__self__, type) else value
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, type)):
        return None
    call = getattr(value, "__call__", None)
    is_own = isinstance(call, types.MethodType) and is_written_class(type(value))
    return call if is_own and not hasattr(value, "primal") else None


class OfUnbound(OfMethod):
    """A derivative of a method that is called with the instance: g(net, x)."""

    def __init__(self, function: Any, make: Maker, kind: Kind) -> None:
        super().__init__(types.MethodType(function, self), make, kind)
        self._class = owner_of(function)
        self.__wrapped__, self.is_bound = function, False

    def _take(self, instance: Any) -> None:
        if self._class is None or not isinstance(instance, self._class):
            name = getattr(self._class, "__name__", "the class")
            raise GradgenError(
                "GG271",
                f"{self.primal.__qualname__} is called with an instance of {name} "
                f"first, not with a {type(instance).__name__}",
                advice=f"g({name.lower()}, ...), or grad(instance.method)",
            )
        if instance is not self.instance:
            self._fixed.clear()  # each is a method of the instance before
        self.instance = instance

    def _called(self, instance: Any, /, *args: Any, **kwargs: Any) -> Any:
        self._take(instance)
        return super()._called(*args, **kwargs)

    def specialize(self, instance: Any, /, *args: Any, **kwargs: Any) -> Any:
        """The derivative for an instance, and for arguments of this signature."""
        self._take(instance)
        return super().specialize(*args, **kwargs)

    @property
    def general(self) -> Any:
        """The derivative of which the class tells what is known."""
        return self._make_of({}, ())
