"""What a hand-written backward pass returns, taken apart: value, gradients, seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.frozen import dataclass
from gradgen.ir.structure import Structure
from gradgen.verify.nested import (
    Nested,
    fits,
    is_active,
    listed,
    made,
    pulled_back,
    seeds_for,
)
from gradgen.verify.taking import Taking

FORMS = "the gradient, (value, gradient) or (value, backprop)"


@dataclass(frozen=True)
class Answer:
    """What a backward pass says: the value (None where it does not), the gradients.

    `seed` is what they are for, as one vector where the result is a container;
    `seeded` says that the backward pass was given it. `again` calls its callback with
    another seed and then with this one, None where it has none. `given` is the seed
    nested as the result.
    """

    value: object
    gradients: tuple[Any, ...]
    seed: Any
    seeded: bool
    again: Callable[[], tuple[Any, ...] | None] | None = None
    given: Any = None


def other_seed(given: Any, nested: Nested, change: Callable[[Any], Any]) -> Any:
    """A seed nested as the one given, each of its numbers or arrays changed."""
    return _mapped(change, given, nested)


def answer(
    hand: Callable[..., Any],
    how: Taking,
    args: Sequence[Any],
    asked: Asked,
    seed: Any = None,
) -> Answer:
    """What a backward pass says at arguments, for a seed or for one that is made.

    That is 1, and random numbers for an array result where the backward pass takes
    a seed. Raises GradgenError.
    """
    nested, result = asked.nested, asked.result
    drawn = _drawn(nested.result, result) if seed is None else seed
    _seeds(drawn, nested, result)  # it fits
    given: list[Any] = []

    def fresh() -> Any:
        """A copy of the seed, for a backward pass may write into it."""
        given.append(_mapped(_copied, drawn, nested))
        return given[-1]

    found = how.call(hand, nested.names, args, fresh())
    is_pair = isinstance(found, (tuple, list)) and len(found) == 2
    called = is_pair and _are_callable(found[1]) or callable(found)
    value = None
    if called:
        value, back = (None, found) if callable(found) else found

        def pulled(seed: Any) -> tuple[Any, ...] | None:
            if callable(back):
                each = _seeds(seed, nested, result)
                return asked.gradients(pulled_back(back, seed, each))
            if isinstance(back, Mapping):
                return asked.gradients({k: part(seed) for k, part in back.items()})
            return asked.gradients(tuple(part(seed) for part in back))

        def again() -> tuple[Any, ...] | None:
            pulled(_mapped(lambda leaf: 0.5 * leaf, drawn, nested))
            return pulled(_mapped(_copied, drawn, nested))

        gradients = pulled(fresh())
    else:
        gradients = asked.gradients(found)
        if gradients is None and is_pair:
            value, gradients = found[0], asked.gradients(found[1])
        if gradients is None and isinstance(found, tuple) and len(asked.names) > 1:
            value, gradients = found[0] if found else None, asked.gradients(found[1:])
    seeded = called or bool(how.seed)
    if not seeded:
        drawn = _ones(nested.result, result) if seed is None else seed
    if gradients is None:
        raise GradgenError(
            "GG603",
            f"{asked.title} returns {_form_of(found)} for {', '.join(asked.names)}",
            advice=f"a function that returns {FORMS}",
        )
    if (called or how.seed) and not all(
        _is_as_it_was(one, drawn, nested) for one in given
    ):
        raise GradgenError(
            "GG607",
            f"{asked.title} writes into the gradient of the result that it is given",
            advice="a new array: d = d * x in place of d *= x",
        )
    seeds = _seeds(drawn, nested, result)
    flat = np.concatenate([np.ravel(s) for s in seeds]) if nested.result else drawn
    callback = again if called else None
    return Answer(value, gradients, flat, seeded, callback, drawn)


@dataclass(frozen=True)
class Asked:
    """What a backward pass is asked: gradients for names, of these structures.

    `result` is the function's own result, `title` names the backward pass. `listed`
    has the shape of each argument that is a list of numbers: its gradient may be one.
    """

    nested: Nested
    names: tuple[str, ...]
    structures: tuple[Structure, ...]
    result: object
    title: str
    listed: tuple[tuple[int, ...] | None, ...] = ()

    def gradients(self, found: Any) -> tuple[Any, ...] | None:
        """A gradient for each name, where that is what was found."""
        structures = self.structures
        found = self._arrays(found)
        named = self._by_name(found)
        if named is not None:
            return named
        several = isinstance(found, (tuple, list)) and len(found) == len(structures)
        if len(structures) > 1 and not several:
            return None
        for way in ((found,), found) if len(structures) == 1 else (found,):
            if isinstance(way, (tuple, list)) and len(way) == len(structures):
                pairs = zip(way, structures, strict=True)
                if all(_is_gradient(one, structure) for one, structure in pairs):
                    return tuple(way)
        return None

    def _arrays(self, found: Any) -> Any:
        """What was found, with arrays for the gradients that are lists of numbers."""
        if len(self.names) == 1 and any(self.listed):
            return _array_of(found, self.listed[0])
        if any(self.listed) and isinstance(found, (tuple, list)):
            if len(found) == len(self.listed):
                pairs = zip(found, self.listed, strict=True)
                return tuple(_array_of(one, shape) for one, shape in pairs)
        return found

    def _by_name(self, found: Any) -> tuple[Any, ...] | None:
        """The gradients in a dict: {"X": ...}, {"dX": ...} or {"d_X": ...}."""
        if not isinstance(found, Mapping):
            return None
        for prefix in ("", "d", "d_", "grad_"):
            keys = [prefix + name for name in self.names]
            if all(key in found for key in keys):
                each = [found[key] for key in keys]
                pairs = zip(each, self.structures, strict=True)
                if all(_is_gradient(one, structure) for one, structure in pairs):
                    return tuple(each)
        return None


def _array_of(value: Any, shape: tuple[int, ...] | None) -> Any:
    """A list of numbers of a shape as an array; anything else as it is.

    A list, which is no pair of a value and a gradient, may have other lengths.
    """
    if shape is None or not isinstance(value, (list, tuple)) or not listed(value):
        return value
    same = len(np.shape(value)) == len(shape) and isinstance(value, list)
    return np.asarray(value) if same or np.shape(value) == shape else value


def _is_gradient(value: Any, structure: Structure) -> bool:
    if not structure and (value is None or callable(value)):
        return False
    return fits(value, structure)


def _form_of(found: Any) -> str:
    """What was returned, in words."""
    if isinstance(found, Mapping):
        return f"a dict with {', '.join(map(repr, found)) or 'nothing in it'}"
    parts = found if isinstance(found, (tuple, list)) else (found,)
    kinds = ", ".join(type(part).__name__ for part in parts)
    return f"{len(parts)} gradient(s) ({kinds})"


def _drawn(structure: Structure, result: Any) -> Any:
    """A random seed for each number of a result, nested as it is."""
    rng = np.random.default_rng(0)

    def one(leaf: Any) -> Any:
        if structure and not is_active(leaf):
            return None
        shape = np.shape(leaf)
        seed: Any = rng.uniform(0.5, 1.5, shape) if shape or structure else 1.0
        if np.iscomplexobj(leaf):
            seed = seed + 1j * rng.uniform(0.5, 1.5, shape)
        if shape and np.asarray(leaf).dtype.kind in "fc":
            seed = seed.astype(np.asarray(leaf).dtype)
        return seed

    return structure.build(
        iter([one(leaf) for leaf in structure.flatten(result)]), made
    )


def _ones(structure: Structure, result: Any) -> Any:
    if not structure:
        return 1.0
    leaves = structure.flatten(result)
    ones = [np.ones(np.shape(leaf)) if is_active(leaf) else None for leaf in leaves]
    return structure.build(iter(ones), made)


def _seeds(seed: Any, nested: Nested, result: Any) -> list[Any]:
    """The seeds of the numbers of a result. Raises GradgenError."""
    if not nested.result:
        return [seed]
    try:
        return seeds_for(nested.result.flatten(result), nested.result, seed)
    except (ValueError, AttributeError) as error:
        raise GradgenError(
            "GG506",
            f"the seed does not fit the result: {error}",
            advice="a seed that is nested as the result, with None for zeros",
        ) from None


def _are_callable(value: Any) -> bool:
    if isinstance(value, Mapping):
        return bool(value) and all(map(callable, value.values()))
    if isinstance(value, (tuple, list)):
        return bool(value) and all(map(callable, value))
    return callable(value)


def _mapped(change: Callable[[Any], Any], seed: Any, nested: Nested) -> Any:
    """The seed with another array in the place of each."""
    if not nested.result:
        return change(seed)
    leaves = nested.result.flatten(seed)
    changed = [leaf if leaf is None else change(leaf) for leaf in leaves]
    return nested.result.build(iter(changed), made)


def _copied(leaf: Any) -> Any:
    return leaf.copy() if isinstance(leaf, np.ndarray) else leaf


def _is_as_it_was(seed: Any, before: Any, nested: Nested) -> bool:
    if not nested.result:
        return is_same(seed, before)
    each = nested.result.flatten(seed), nested.result.flatten(before)
    return all(map(is_same, *each))


def is_same(one: Any, other: Any) -> bool:
    """Whether an array is as its copy is; what is no array cannot be written into."""
    if not isinstance(other, np.ndarray):
        return True
    return bool(one.shape == other.shape and one.tobytes() == other.tobytes())
