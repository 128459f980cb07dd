"""Facts that go into a called function, and what they tell of its results."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, count
from typing import TYPE_CHECKING

from gradgen.ir.callee import Callee
from gradgen.ir.nodes import Expr
from gradgen.shapes.dims import Dim
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import Ranked, Shape, Whole, join, ranked
from gradgen.shapes.spec import read_shape

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts

LETTERS = "nmkpqrstuvw"
SORTS = {Kind.INTEGER: ":int", Kind.BOOLEAN: ":bool"}


def described(
    facts: Facts, args: Iterable[Expr]
) -> tuple[tuple[str | None, ...], dict[str, tuple[int, int]]]:
    """The shapes of arguments as facts of a function's own, and where sizes are.

    before:  X of (n - 1, d), y of (d), a number, an integer
    after:   "n m", "m", "", ":int"; n is axis 0 of the first, m axis 1
    """
    named: dict[Dim, str] = {}
    places: dict[str, tuple[int, int]] = {}
    texts: list[str | None] = []
    for i, arg in enumerate(args):
        dims = facts.of(arg).dims
        if dims is None:
            texts.append(None)
            continue
        words = []
        for axis, dim in enumerate(dims):
            if dim.number is not None:
                words.append(str(dim.number))
                continue
            if dim not in named:
                named[dim] = _name(dim, set(places))
                places[named[dim]] = (i, axis)
            words.append(named[dim])
        texts.append(" ".join(words) if dims else SORTS.get(facts.kind(arg), ""))
    return tuple(texts), places


def _name(dim: Dim, taken: set[str]) -> str:
    """A name for a size: its own, or a letter that is free."""
    sort = "?" if any(name[0] in "#?" for name in dim.names) else ""
    own = dim.symbol
    wished = [own] if own and not sort else []
    letters = (f"{c}{i or ''}" for i in count() for c in LETTERS)
    return next(
        f"{sort}{n}" for n in chain(wished, letters) if f"{sort}{n}" not in taken
    )


def shapes_told(callee: Callee) -> dict[str, Shape]:
    """The shapes of a function's parameters, as far as they are known."""
    told = zip(callee.params, callee.texts, strict=True)
    return {
        name: read_shape(text)
        for name, text in told
        if text is not None and not text.startswith(":")
    }


def shape_of_result(
    facts: Facts, callee: Callee, index: int, args: tuple[Expr, ...]
) -> Shape:
    """The shape of one result of a call, in the names of the caller's facts."""
    shape = callee.outcomes[index].shape
    if shape is None:
        return facts.fresh()
    found = [_atom(facts, callee, atom, args) for atom in shape.atoms]
    return facts.fresh() if None in found else join(*found)


def _atom(facts: Facts, callee: Callee, atom, args: tuple[Expr, ...]) -> Shape | None:
    if isinstance(atom, Whole) and atom.name in callee.params:
        return facts.of(args[callee.params.index(atom.name)])
    if not isinstance(atom, Ranked):
        return None
    dims = (_dim(facts, callee, dim, args) for dim in atom.dims)
    return ranked(*(facts.fresh_dim() if dim is None else dim for dim in dims))


def _dim(facts: Facts, callee: Callee, dim: Dim, args: tuple[Expr, ...]) -> Dim | None:
    """A size of the function's as one of the caller's."""
    total = Dim(())
    for names, factor in dim.terms:
        product = Dim.of(factor)
        for name in names:
            if name not in callee.letters:
                return None
            place, axis = callee.letters[name]
            dims = facts.of(args[place]).dims
            if dims is None or axis >= len(dims):
                return None
            product = product * dims[axis]
        total = total + product
    return total
