"""Shapes as joins of atoms, ordered by "broadcasts to".

A shape is a set of atoms read as their broadcast join: an axis list, the shape of
a thing of unknown rank, or such a shape with axes kept as 1, dropped or indexed.
Dims of different names are taken never to broadcast against each other; #n may
be n or 1.
"""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache, reduce
from hashlib import sha1
from typing import Any, TypeGuard
from weakref import WeakValueDictionary

from gradgen.frozen import dataclass
from gradgen.shapes.dims import ONE, Dim


FITTING = "shapes that fit, or another line"


class ShapeConflict(ValueError):
    """Shapes that do not fit an operation; `advice` is a shape fact that may.

    `unequal` are two sizes that the operation takes for equal; where they are
    `contracted` neither is stretched along the other, unless it `stretches` what has
    one entry, as an einsum does.
    """

    def __init__(
        self,
        message: str,
        advice: str = FITTING,
        unequal: tuple[Dim, Dim] | None = None,
        contracted: bool = False,
        stretches: bool = False,
    ) -> None:
        super().__init__(message)
        self.stretches = stretches
        self.contracted = contracted
        self.advice = advice
        self.unequal = unequal


@dataclass(frozen=True)
class Ranked:
    """A list of axes."""

    dims: tuple[Dim, ...]


@dataclass(frozen=True)
class Whole:
    """The shape of something of unknown rank, by name."""

    name: str


@dataclass(frozen=True)
class Within:
    """The shape of something of unknown rank, by name, that broadcasts to the base.

    Of a row, it is (d) or (1, d), and the base is (1, d).
    """

    name: str
    base: Shape
    is_row: bool = False


@dataclass(frozen=True)
class Kept:
    """A shape of unknown rank with some axes (None: all) set to 1."""

    base: Shape
    axes: tuple[Any, ...] | None


@dataclass(frozen=True)
class Dropped:
    """A shape of unknown rank without some axes."""

    base: Shape
    axes: tuple[Any, ...]


@dataclass(frozen=True)
class Indexed:
    """A shape of unknown rank after a constant index, by canonical key."""

    base: Shape
    key: tuple[Any, ...]


@dataclass(frozen=True)
class Replaced:
    """The shape of a product with a matrix: the base, whose contracted axis was `was`.

    It is the last one (`last`), or that a matrix on the left contracts: the only axis
    or the last but one.
    """

    base: Shape
    new: Dim
    was: Dim
    last: bool


@dataclass(frozen=True)
class Below:
    """Some shape that broadcasts to the base: a seed that may be a scalar."""

    base: Shape


Atom = Ranked | Whole | Within | Kept | Dropped | Indexed | Replaced | Below


@dataclass(frozen=True)
class Shape:
    """A set of atoms, read as their broadcast join.

    Equal ones are one object (hash consing): shapes stand in shapes, and two that are
    compared part by part take 2 to the depth.
    """

    atoms: frozenset[Atom]

    def __new__(cls, atoms: frozenset[Atom]) -> Shape:
        known = _KNOWN.get(atoms)
        if known is None:
            known = super().__new__(cls)
            object.__setattr__(known, "atoms", atoms)  # before another thread has it
            _KNOWN[atoms] = known
        return known

    def __eq__(self, other: object) -> bool:
        return self is other or isinstance(other, Shape) and self.atoms == other.atoms

    def __hash__(self) -> int:
        return hash(self.atoms)

    def __reduce__(self) -> tuple[type[Shape], tuple[frozenset[Atom]]]:
        return Shape, (self.atoms,)

    @property
    def dims(self) -> tuple[Dim, ...] | None:
        """The axes, or None when the rank is unknown."""
        if len(self.atoms) == 1:
            (atom,) = self.atoms
            if isinstance(atom, Ranked):
                return atom.dims
        return None

    @property
    def rank(self) -> int | None:
        return None if self.dims is None else len(self.dims)

    def __le__(self, other: Shape) -> bool:
        """Whether this shape provably broadcasts to the other."""
        return _fits(self, other)


_KNOWN: WeakValueDictionary[frozenset[Atom], Shape] = WeakValueDictionary()


@lru_cache(maxsize=1 << 14)
def _fits(shape: Shape, other: Shape) -> bool:
    """The same; each base of shapes in shapes is asked for on several ways."""
    return all(
        (not _only_itself(a) and any(_below(a, b) for b in other.atoms))
        or (_shrinks(a) and a.base <= other)
        for a in shape.atoms - other.atoms
    )


def ranked(*dims: Dim | int | str) -> Shape:
    """The shape with these axes."""
    axes = tuple(dim if isinstance(dim, Dim) else Dim.of(dim) for dim in dims)
    return Shape(frozenset([Ranked(axes)]))


def row(name: str, *dims: Dim) -> Shape:
    """The shape of something of so many entries, or of one row of them."""
    return Shape(frozenset([Within(name, ranked(ONE, *dims), True)]))


def entries_of_row(shape: Shape) -> tuple[Dim, ...] | None:
    """The axes of a row, (d) of what is (d) or (1, d); None for another shape."""
    if len(shape.atoms) == 1:
        (atom,) = shape.atoms
        if isinstance(atom, Within) and atom.is_row:
            return (atom.base.dims or ())[1:]
    return None


SCALAR = ranked()
LONG = 400


def whole(name: str) -> Shape:
    """The shape of something of unknown rank."""
    return Shape(frozenset([Whole(name)]))


def within(name: str, base: Shape) -> Shape:
    """The shape of something that broadcasts to the base: a number, or of fewer axes."""
    return base if base == SCALAR else Shape(frozenset([Within(name, base)]))


def equal(a: Shape, b: Shape) -> bool:
    """Whether two shapes are provably the same."""
    return a == b or (a <= b and b <= a)


def replaced(base: Shape, new: Dim, was: Dim, last: bool) -> Shape:
    """The shape of base @ matrix (`last`), or of matrix @ base, of unknown rank.

    A product with the transpose gives the base back: (x @ W) @ W.T has the shape of x.
    """
    if len(base.atoms) == 1:
        (atom,) = base.atoms
        if isinstance(atom, Replaced) and atom.last == last and atom.new == was:
            base, was = atom.base, atom.was
    return base if new == was else Shape(frozenset([Replaced(base, new, was, last)]))


@lru_cache(maxsize=1 << 14)
def join(*shapes: Shape) -> Shape:
    """The shape of an elementwise operation on such arguments.

    Raises ShapeConflict when the axes cannot broadcast.
    """
    atoms = {atom for shape in shapes for atom in shape.atoms}
    lists = [
        atom.dims
        for shape in shapes
        for atom in shape.atoms
        if isinstance(atom, Ranked)
    ]
    others: set[Atom] = {atom for atom in atoms if not isinstance(atom, Ranked)}
    none: tuple[Dim, ...] = ()
    axes = reduce(_broadcast, lists, none)
    if axes or not others:
        others.add(Ranked(axes))
    kept = set(others)
    smaller = [atom for atom in others if not _only_itself(atom)]
    for atom in sorted(smaller, key=_text):
        if any(b != atom and _below(atom, b) for b in kept):
            kept.discard(atom)
    return Shape(frozenset(kept))


@lru_cache(maxsize=1 << 14)
def _text(atom: Atom) -> str:
    """What tells an atom apart, the same in each run; a long text is its digest.

    Shapes in shapes are shared: written out whole, they grow as 2 to the depth.
    """
    shown = []
    for one in fields(atom):
        value = getattr(atom, one.name)
        if isinstance(value, Shape):
            inner = ", ".join(sorted(map(_text, value.atoms)))
            shown.append(f"{one.name}=Shape(atoms=frozenset({{{inner}}}))")
        else:
            shown.append(f"{one.name}={value!r}")
    text = f"{type(atom).__name__}({', '.join(shown)})"
    return text if len(text) < LONG else f"{text[:40]}{sha1(text.encode()).hexdigest()}"


def _broadcast(a: tuple[Dim, ...], b: tuple[Dim, ...]) -> tuple[Dim, ...]:
    rank = max(len(a), len(b))
    a = (ONE,) * (rank - len(a)) + a
    b = (ONE,) * (rank - len(b)) + b
    return tuple(_common(x, y, a, b) for x, y in zip(a, b, strict=True))


def _common(x: Dim, y: Dim, a: tuple[Dim, ...], b: tuple[Dim, ...]) -> Dim:
    if x == y or y == ONE:
        return x
    if x == ONE:
        return y
    # "#n" is n or 1, "?" is a size that nothing is known of.
    open_x, open_y = (any(n[0] in "#?" for n in dim.names) for dim in (x, y))
    if open_x and open_y:
        return y if _dim_below(x, y) else x if _dim_below(y, x) else _either(x, y)
    if open_x or open_y:
        known, other = (y, x) if open_x else (x, y)
        # m - 2 beside the entries x[:2] of an axis m: it is 1 where m is 3
        may_be_one = known.symbol is None and known.number is None
        if may_be_one and any("[" in name for name in other.names):
            return _either(x, y)
        return known
    both = f"{show_dims(a)} and {show_dims(b)}"
    raise ShapeConflict(f"the shapes {both} do not broadcast", unequal=(x, y))


def _either(x: Dim, y: Dim) -> Dim:
    """The length of two that are stretched along one another: one of theirs.

    Of several that met before, each counts once. A long list is its digest.
    """
    name = "|".join(sorted(_ways(x) | _ways(y)))
    if len(name) > LONG:
        name = name[: name.find("[") + 1] + sha1(name.encode()).hexdigest()
    return Dim.of(f"?({name})")


def _ways(dim: Dim) -> frozenset[str]:
    """The lengths of which one is meant."""
    name = dim.symbol or ""
    several = name.startswith("?(")
    return frozenset(name[2:-1].split("|") if several else [str(dim)])


def _dim_below(x: Dim, y: Dim) -> bool:
    if x == y or x == ONE:
        return True
    name = x.symbol
    if name and name.startswith("#") and y.symbol == name[1:]:
        return True
    return (y.symbol or "").startswith("?(") and _ways(x) <= _ways(y)


def _below(x: Atom, y: Atom) -> bool:
    """Whether atom x provably broadcasts to atom y."""
    if x == y:
        return True
    if isinstance(x, Ranked):
        if not x.dims:
            return True
        if isinstance(y, Replaced) and y.last and len(x.dims) == 1:
            return _dim_below(x.dims[0], y.new)  # b of x @ W + b
        if not isinstance(y, Ranked) or len(x.dims) > len(y.dims):
            return False
        tail = y.dims[len(y.dims) - len(x.dims) :]
        return all(map(_dim_below, x.dims, tail))
    target = Shape(frozenset([y]))
    if isinstance(x, Below | Within):
        return x.base <= target
    if isinstance(x, Kept):
        if isinstance(y, Kept) and x.axes == y.axes and _from_the_end(x.axes):
            return x.base <= y.base
        return x.base <= target
    if isinstance(x, Dropped) and isinstance(y, Dropped) and x.axes == y.axes:
        if _from_the_end(x.axes):
            return x.base <= y.base
    if isinstance(x, Dropped) and x.axes == tuple(range(len(x.axes))):
        # Leading axes: numpy puts them back by itself.
        return x.base <= target
    return False


def _only_itself(x: Atom) -> bool:
    """Whether no other atom is known that this one broadcasts to.

    There may be hundreds of such in one shape: A[0] + A[1] + ... of unknown rank.
    """
    return isinstance(x, (Whole, Indexed, Replaced))


def _shrinks(x: Atom) -> TypeGuard[Kept | Dropped | Below | Within]:
    """Whether the atom broadcasts to whatever its base broadcasts to."""
    if isinstance(x, Dropped):
        return x.axes == tuple(range(len(x.axes)))
    return isinstance(x, (Below, Within, Kept))


def _from_the_end(axes: tuple[Any, ...] | None) -> bool:
    return axes is None or all(isinstance(axis, int) and axis < 0 for axis in axes)


def show_dims(dims: tuple[Dim, ...]) -> str:
    """(n, d) as a person writes it."""
    return "(" + ", ".join(str(dim) for dim in dims) + ")"
