"""The seeds of a call: for one result a number or an array, for several one each."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.frozen import dataclass
from gradgen.ir.absent import NO_SEED
from gradgen.ir.structure import Structure
from gradgen.runtime.copied import copied
from gradgen.runtime.handed import refuse_kinds

# no seed, where None may be an argument of the function's own
UNSET: Any = object()


def seed_given(seed: Any, open: Collection[str], maker: str) -> Any:
    """The seed that a call gives, None without one.

    Raises GradgenError where the keyword is the name of an argument as well, one of
    the `open` ones, that the call has not given by its place.
    """
    if seed is not UNSET and "seed" in open:
        raise GradgenError(
            "GG513",
            f"seed= may be the seed of gradgen.{maker}, or the function's own argument",
            advice="the argument by its place, or gradgen.vjp: its function takes "
            "seed= as the argument, and its pullback the seed",
        )
    return None if seed is UNSET else seed


@dataclass(frozen=True)
class Outcome:
    """What a function hands out: its result's structure, and which leaves have seeds.

    `of` are arguments whose final entries are the result, besides what it returns.
    `complexes` tells of each result with a seed whether it is complex.
    """

    structure: Structure
    seeded: tuple[bool, ...]
    of: tuple[str, ...] = ()
    aux: bool = False
    complexes: tuple[bool, ...] = (False,)

    @property
    def several(self) -> bool:
        """Whether there is more than one seed."""
        return sum(self.seeded) > 1

    def refuse_default(self, seed: Any) -> None:
        """Raises GradgenError where no seed is given for a complex result."""
        if seed is None and any(self.complexes):
            raise GradgenError(
                "GG506",
                "the result is complex, and no seed is given",
                advice="seed=1.0 for the gradient of the real part, or 1j",
            )

    def leaves(
        self,
        primal: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[Any, Any],
        names: Sequence[str],
    ) -> list[Any]:
        """The leaves of the result at these arguments, which stay as they are."""
        args, kwargs = copied((args, kwargs))
        value = primal(*args, **kwargs)
        if self.of:
            given = dict(zip(names, args)) | kwargs
            left = tuple(given[name] for name in self.of)
            value = self.with_left(value, left)
        return self.structure.flatten(value)

    def with_left(self, value: Any, left: tuple[Any, ...]) -> Any:
        """What a function returns, with what it leaves in arguments: None for nothing."""
        nested = self.structure.sort == "tuple"  # else it is one array, or dictionary
        count = len(self.structure.parts) if nested else 1
        parts = left if count == len(left) else (value, *left)
        return parts if nested else parts[0]

    def seeds(self, seed: Any, leaves: Callable[[], list[Any]]) -> list[Any]:
        """A seed for each leaf that has one, from the caller's `seed`.

        It has the structure of the result (with aux, of its first part): a number
        stands for that many, None for zeros; None in all for 1.0 where there is one
        result. Raises GradgenError.
        """
        whole = self.structure.parts[0] if self.aux else self.structure
        self.refuse_default(seed)
        refuse_kinds("the seed", seed, "GG508")
        if seed is None:
            if self.several:
                raise GradgenError(
                    "GG506",
                    f"the function has {sum(self.seeded)} results, and no seed is given",
                    advice=f"seed={_form(whole)}, one for each result",
                )
            return [_filled(1.0, leaves, self.seeded.index(True))]
        if not whole or not self.several and _is_plain(seed) and np.ndim(seed) == 0:
            return [_filled(seed, leaves, self.seeded.index(True))]
        try:
            given = _flat(whole, seed)
        except (ValueError, AttributeError) as error:
            raise GradgenError(
                "GG506",
                f"the seed is not {error}, as the result is",
                advice=f"seed={_form(whole)}",
            ) from None
        for (_, part), one in zip(whole.leaves(), given):
            if part.fact == NO_SEED and not _is_none(one):
                raise GradgenError(
                    "GG506",
                    "a seed is given for a list of tuples whose length no text knows",
                    advice="None for it; or the function without it",
                )
        return [
            _filled(0.0 if one is None else one, leaves, i)
            for i, (one, has) in enumerate(zip(given, self.seeded))
            if has
        ]

    def zeros(self, leaves: Callable[[], list[Any]]) -> list[Any]:
        """A seed of zeros for each leaf that has one."""
        seeded = (i for i, has in enumerate(self.seeded) if has)
        return [_filled(0.0, leaves, i) for i in seeded]


def _is_none(seed: Any) -> bool:
    """Whether a seed is None, or made of None alone."""
    parts = seed.values() if isinstance(seed, dict) else seed
    nested = isinstance(seed, (dict, list, tuple))
    return all(map(_is_none, parts)) if nested else seed is None


def _flat(whole: Structure, seed: Any) -> list[Any]:
    """The leaves of a seed; None stands for each leaf of a part.

    One of a named tuple may be a tuple without names. Raises ValueError and
    AttributeError where it is not of this structure.

    before:  out, (x, mean) of a layer; seed = (1.0, None)
    after:   1.0, None, None
    """
    if not whole:
        return [seed]
    if seed is None:
        return [None for _ in whole.leaves()]
    is_plain = whole.sort == "namedtuple" and type(seed) is tuple
    items = seed if is_plain else whole.items(seed)
    pairs = zip(whole.parts, items, strict=True)
    return [leaf for part, item in pairs for leaf in _flat(part, item)]


def _goes_over(seed: Any) -> bool:
    """Whether a seed has items: a list, a tuple, an array of an axis or more."""
    return isinstance(seed, (list, tuple)) or np.ndim(seed) > 0


def _is_plain(seed: object) -> bool:
    return not isinstance(seed, (dict, tuple, list))


def _filled(seed: Any, leaves: Callable[[], list[Any]], i: int) -> Any:
    """A seed of the shape and the dtype of its result.

    A number as seed of an array stands for that many of it; of a list or a tuple whose
    length no text knows, too: its seed is a list, made of any sequence of as many.
    """
    leaf = leaves()[i]
    if isinstance(leaf, (list, tuple)):
        given = list(seed) if _goes_over(seed) else [seed] * len(leaf)
        if len(given) != len(leaf):
            raise GradgenError(
                "GG506",
                f"a seed has {len(given)} items, and its result {len(leaf)}",
                advice="a seed for each item of the result, or a number",
            )
        inner = list(leaf)
        items = (0.0 if one is None else one for one in given)
        return [_filled(one, lambda: inner, k) for k, one in enumerate(items)]
    if not _has_numbers(seed):
        raise GradgenError(
            "GG508",
            f"a seed is a {type(seed).__name__}, and no array of numbers",
            advice="a seed of the result's shape, or a number",
        )
    result = np.asarray(leaf)
    if np.iscomplexobj(seed) and not np.iscomplexobj(result):
        raise GradgenError(
            "GG508",
            "a seed is complex, and its result is real",
            advice="a real seed; two calls, for its real and its imaginary part",
        )
    if np.ndim(seed):
        if np.shape(seed) != result.shape:
            raise GradgenError(
                "GG508",
                f"a seed has the shape {np.shape(seed)}, and its result {np.shape(leaf)}",
                advice="a seed of the result's shape, or a number",
            )
        return np.asarray(seed).astype(result.dtype, copy=False)
    if result.ndim:
        return np.full_like(result, seed)
    seed = seed.item() if isinstance(seed, (np.generic, np.ndarray)) else seed
    return float(seed) if isinstance(seed, int) else seed


def _has_numbers(seed: object) -> bool:
    """Whether a seed is a number, or an array of numbers."""
    try:
        return np.asarray(seed).dtype.kind in "fiubc"
    except ValueError:  # rows of several lengths
        return False


def _form(structure: Structure) -> str:
    """The structure with a name at each leaf, as a reader would write it."""
    numbers = iter(range(10**6))

    def show(part: Structure) -> str:
        if not part:
            return f"d_{next(numbers)}"
        inner = [show(one) for one in part.parts]
        if part.sort == "dict":
            keys = zip(part.keys, inner)
            return "{" + ", ".join(f"{key!r}: {one}" for key, one in keys) + "}"
        if part.is_record:
            fields = (f"{k}={one}" for k, one in zip(part.keys, inner))
            return f"{part.name}({', '.join(fields)})"
        text = ", ".join(inner) + ("," if len(inner) == 1 else "")
        return f"[{', '.join(inner)}]" if part.sort == "list" else f"({text})"

    return show(structure)


def check_tangent(name: str, value: Any, tangent: Any) -> None:
    """Raises GradgenError for a tangent that is not like its argument."""
    if isinstance(value, Mapping):
        same = isinstance(tangent, Mapping) and tangent.keys() == value.keys()
        parts = {f"{name}[{key!r}]": (value[key], key) for key in value}
    elif isinstance(value, (tuple, list)):
        same = isinstance(tangent, (tuple, list)) and len(tangent) == len(value)
        parts = {f"{name}[{i}]": (one, i) for i, one in enumerate(value)}
    elif dataclasses.is_dataclass(value):
        same, parts = type(tangent) is type(value), {}
    else:
        _check_leaf(name, value, tangent)
        return
    if not same:
        raise GradgenError(
            "GG509",
            f"the tangent of {name} has not the structure of {name}",
            advice=f"the same nesting as {name}",
        )
    for label, (one, key) in parts.items():
        check_tangent(label, one, tangent[key])


def of_dtype(value: Any, tangent: Any) -> Any:
    """A tangent in the dtype of its argument, as it is where that has none."""
    if isinstance(value, np.ndarray):
        return np.asarray(tangent).astype(value.dtype, copy=False)
    is_number = isinstance(value, (int, float, complex, np.generic))
    return tangent * 1.0 if is_number and np.ndim(tangent) == 0 else tangent


def _check_leaf(name: str, value: Any, tangent: Any) -> None:
    refuse_kinds(f"the tangent of {name}", tangent, "GG509")
    if not _has_numbers(tangent):
        raise GradgenError(
            "GG509", f"the tangent of {name} is no array of numbers", advice="floats"
        )
    shapes = np.shape(tangent), np.shape(value)
    if shapes[0] != shapes[1]:
        raise GradgenError(
            "GG509",
            f"the tangent of {name} has the shape {shapes[0]}, and {name} {shapes[1]}",
            advice="a tangent of the argument's shape",
        )
    kind = np.asarray(tangent).dtype.kind
    if kind == "c" and not np.iscomplexobj(value):
        raise GradgenError(
            "GG509",
            f"the tangent of {name} is complex, and {name} is real",
            advice="two calls, for the real part and for the imaginary one",
        )
