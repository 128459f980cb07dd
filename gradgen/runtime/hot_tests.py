"""The tests that tell a hot signature: of types, of dtypes, and of shapes.

They are written into the call of a derivative (`inline_cache.py`). Where shapes are
those that passed before, they are compared with these as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from itertools import combinations
from typing import Any

import numpy as np

from gradgen.frozen import dataclass
from gradgen.shapes.dims import Dim
from gradgen.signature.abstract import Abstract, Array, Number, Static

# so many tests of shapes cost more than to compare the shapes with those before
LEAST = 4


@dataclass(frozen=True)
class Entry:
    """A hot signature: its abstract values, dtype, equations, and the text's function."""

    values: Mapping[str, Abstract]
    dtype: np.dtype[Any] | None
    letters: tuple[str, ...]
    equations: tuple[tuple[Dim, Dim], ...]
    function: Callable[..., Any]
    # how the result of the text's function is returned
    result: str = "{0}"
    # the names that the text was made of, with their tables and values
    constants: tuple[tuple[dict[str, Any], str, object], ...] = ()
    # what a pullback does with the value, what the text's function gave, the arguments
    pulled: Callable[..., Any] | None = None
    # the arguments whose tangents come behind the function's own
    tangents: tuple[str, ...] = ()
    takes_seed: bool = True
    # the functions that the text was made of, with their code and their defaults
    callees: tuple[tuple[Any, ...], ...] = ()
    # the arguments that the function changes, which share memory with no other
    changed: tuple[str, ...] = ()
    # the dtypes of the arrays of whole numbers and truth values, which are held
    whole: Mapping[str, np.dtype[Any]] = field(default_factory=dict)


@dataclass
class Tests:
    """Tests of shapes: those of the kept ones alone, and those that read others."""

    alone: list[str]
    beside: list[str]


def remembered(
    tests: list[str], count: int, number: int, names: dict[str, Any]
) -> list[str]:
    """Tests of shapes that are passed where the shapes are those that passed before.

    before:  len(s0) == 2, 0 not in s0, 1 not in s0, s0[1] == s1
    after:   (s0, s1) == last or len(s0) == 2 and ... and keep((s0, s1))
    """
    if len(tests) < LEAST:
        return tests
    last = f"_g_last_{number}"

    def keep(shapes: Any) -> bool:
        names[last] = shapes  # at once: another thread reads all of them or none
        return True

    names |= {last: None, f"_g_keep_{number}": keep}
    read = ", ".join(f"_g_s{k}" for k in range(count))
    shapes = f"({read})" if count > 1 else read
    tested = " and ".join([*tests, f"_g_keep_{number}({shapes})"])
    same = f"{shapes} == {last}"
    return [f"({same} or {tested})"]


def tests_of(entry: Entry, number: int) -> tuple[list[str], list[str], Tests]:
    """The tests of an entry: of types, the shapes that it keeps, the tests of these.

    before:  two vectors of one length and a number
    after:   type(x) is ndarray, x.dtype is dtype_0, x.ndim == 1, the same of y, ...
             s0 = len(x)
             s0 > 1, len(y) == s0

    Of a vector the rank and the length are read, which costs less than its shape.
    """
    kinds: list[str] = []
    shapes: list[str] = []
    tests = Tests([], [])
    letters = iter(entry.letters)
    first: dict[tuple[Any, ...], str] = {}
    places: dict[str, str] = {}
    named: dict[str, tuple[str, int]] = {}
    for name, known in entry.values.items():
        if isinstance(known, Array):
            rank = len(known.ones)
            own = f"{number}_{name}" if name in entry.whole else f"{number}"
            kinds += _array(name, rank, own)
            axes = [next(letters) for _ in known.ones]
            form = known.ones, tuple(_root(axis, entry) for axis in axes)
            if form in first:
                same = [f"{_read(name, rank)} == {first[form]}"] if rank else []
                tests.beside += same
            elif rank:
                s = f"_g_s{len(shapes)}"
                shapes.append(f"{s} = {_read(name, rank)}")
                tests.alone += _rank_and_ones(s, known.ones)
                first[form] = s
            like = first.get(form, "")
            for j, axis in enumerate(axes):
                places[axis] = like if rank == 1 else f"{like}[{j}]"
            named[name] = like, rank
        elif isinstance(known, Number):
            kinds.append(f"_g_type({name}) is _g_{known.sort}")
        else:
            is_text = isinstance(known, Static) and known.sort == "str"
            kinds.append(f"_g_type({name}) is _g_str" if is_text else f"{name} is None")
    for i, name in enumerate(entry.tangents):
        if name in named:
            like, rank = named[name]
            kinds += _array(f"_g_t{i}", rank, f"{number}")
            same = [f"{_read(f'_g_t{i}', rank)} == {like}"] if rank else []
            tests.beside += same
        else:
            kinds.append(f"_g_type(_g_t{i}) is _g_float")
    for pair in entry.equations:
        left, right = (_code(size, places) for size in pair)
        if left != right:
            tests.alone.append(f"{left} == {right}")
    for one, other in combinations(named, 2):
        if one in entry.changed or other in entry.changed:
            tests.beside.append(f"not _g_overlap({one}, {other})")
    return kinds, shapes, tests


def _array(name: str, rank: int, dtype: str) -> list[str]:
    """The tests of an array before its lengths are read; `dtype` ends its dtype's name."""
    tests = [f"_g_type({name}) is _g_ndarray", f"{name}.dtype is _g_dtype_{dtype}"]
    return [*tests, f"{name}.ndim == {rank}"] if rank < 2 else tests


def _read(name: str, rank: int) -> str:
    """What is read of an array: the length of a vector, the shape of others."""
    return f"_g_len({name})" if rank == 1 else f"{name}.shape"


def _rank_and_ones(shape: str, ones: tuple[bool, ...]) -> list[str]:
    """The tests of a rank above 1, and of which axes have the length 1.

    What has no entries goes the long way, which looks whether the function raises.
    """
    if len(ones) < 2:
        return [f"{shape} {'==' if one else '>'} 1" for one in ones]
    if not any(ones):
        of_none = [f"0 not in {shape}", f"1 not in {shape}"]
        return [f"_g_len({shape}) == {len(ones)}", *of_none]
    signs = ("==" if one else ">" for one in ones)
    each = [f"{shape}[{j}] {sign} 1" for j, sign in enumerate(signs)]
    return [f"_g_len({shape}) == {len(ones)}", *each]


def _root(letter: str, entry: Entry) -> str:
    """One letter for all that equations of two letters say to be equal."""
    group, grown = set[str](), {letter}
    while grown != group:
        group = grown
        pairs = ({x.symbol, y.symbol} for x, y in entry.equations)
        pairs = (pair for pair in pairs if None not in pair and pair & group)
        grown = group.union(*(set(filter(None, pair)) for pair in pairs))
    return min(group, key=entry.letters.index)


def _code(size: Dim, places: Mapping[str, str]) -> str:
    """A size as Python that reads it of the shapes."""
    if size.symbol is not None:
        return places[size.symbol]
    terms = ("*".join([str(k), *(places[n] for n in names)]) for names, k in size.terms)
    return " + ".join(terms) or "0"
