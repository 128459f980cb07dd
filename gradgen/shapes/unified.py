"""Sizes that an operation takes for equal are taken so, to find what else is."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from gradgen.ir.nodes import Apply, Expr
from gradgen.ir.operators import MATRIX_PRODUCTS
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import Shape


def unify(facts: Facts, unequal: tuple[Dim, Dim]) -> bool:
    """Whether two sizes could be made one in all facts, a letter of theirs replaced."""
    solved = _solution(unequal[0] - unequal[1])
    if solved is None:
        return False
    _rename(facts, solved)
    size = {solved[0]: solved[1]}
    facts.split = {k: (dim.renamed(size), n) for k, (dim, n) in facts.split.items()}
    facts.spans = {
        k: (low.renamed(size), high.renamed(size))
        for k, (low, high) in facts.spans.items()
    }
    return True


def learn_contracted(facts: Facts, value: Expr) -> None:
    """A length that nothing is known of is the one that a product sums it with.

    before:  Q @ K.transpose(0, 2, 1)        # Q (h, n, ?d), K (h, n, ?e)
    after:   K (h, n, ?d)

    NumPy raises where they differ, so that this holds behind a product that always
    runs. Indices of loops, and parts of what is split, stay what they are.
    """
    if not isinstance(value, Apply) or value.op not in MATRIX_PRODUCTS:
        return
    left, right = (facts.of(arg).dims for arg in value.args[:2])
    if not left or not right:
        return
    sizes = left[-1], right[-2 if len(right) > 1 else -1]
    kept = facts.spans.keys() | facts.split.keys()
    for one, other in (sizes, sizes[::-1]):
        name = one.symbol
        if name and name[0] == "?" and name not in kept | other.names:
            _rename(facts, (name, other))
            return


def _rename(facts: Facts, solved: tuple[str, Dim]) -> None:
    found: dict[Shape, Shape] = {}
    for table in (facts.shapes, facts.entries):
        for var, shape in table.items():
            if shape is not None:
                table[var] = _with(shape, solved, found)


def with_size(shape: Shape, solved: tuple[str, Dim]) -> Shape:
    """A shape with a size in a letter's place."""
    return _with(shape, solved, {})


def _solution(zero: Dim) -> tuple[str, Dim] | None:
    """A letter that a sum which is 0 gives by the others, and what it is."""
    for names, factor in zero.terms:
        if len(names) != 1 or abs(factor) != 1 or names[0][0] in "#?":
            continue
        rest = zero - Dim(((names, factor),))
        if names[0] not in rest.names:
            return names[0], Dim.of(0) - rest if factor == 1 else rest
    return None


def _with(shape: Shape, solved: tuple[str, Dim], known: dict[Shape, Shape]) -> Shape:
    """A shape with a letter replaced, in the shapes that it is made of as well."""
    if shape not in known:
        atoms = (_atom(atom, solved, known) for atom in shape.atoms)
        known[shape] = Shape(frozenset(atoms))
    return known[shape]


def _atom(atom: Any, solved: tuple[str, Dim], known: dict[Shape, Shape]) -> Any:
    size = {solved[0]: solved[1]}

    def changed(value: Any) -> Any:
        if isinstance(value, Shape):
            return _with(value, solved, known)
        if isinstance(value, tuple):
            return tuple(map(changed, value))
        return value.renamed(size) if isinstance(value, Dim) else value

    return replace(
        atom, **{one.name: changed(getattr(atom, one.name)) for one in fields(atom)}
    )
