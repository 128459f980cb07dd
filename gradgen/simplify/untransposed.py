"""What is transposed twice is read as it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeGuard

from gradgen.ir.nodes import Apply, Expr, Function, Let, Origin, Ref, Stmt, Var
from gradgen.ir.operators import matmul
from gradgen.ir.walk import lets, reads, rewrite, static, subexpressions, substitute
from gradgen.ir.walk import with_located
from gradgen.rules.words_linalg import transposed
from gradgen.shapes.infer import Facts


def untransposed(function: Function, facts: Facts) -> Function:
    """The function whose gradient transposes nothing back, and no product of such.

        before:  t = K.transpose(0, 2, 1)
                 s = Q @ t
                 d_Q = d_s @ t.swapaxes(-1, -2)
                 d_K = np.transpose(Q.swapaxes(-1, -2) @ d_s, (0, 2, 1))
        after:   t = K.transpose(0, 2, 1)
                 s = Q @ t
                 d_Q = d_s @ K
                 d_K = d_s.swapaxes(-1, -2) @ Q

    The last two axes alone change places, of what has two or more. A vector is read as it
    is: w, also where the user has written w.T.
    """
    found = list(lets(function.body))
    derived = [node for let in found if let.note.derived for node in _swaps(let)]
    vectors = {
        let.var: array
        for let in found
        if let.var.origin is Origin.TEMP and _is_turned(let.value)
        if isinstance(array := let.value.args[0], Ref) and facts.rank(array) == 1
    }
    if not derived and not vectors:
        return function
    sources: dict[Var, Ref] = {}
    for let in found:
        source = None if let.note.derived else _swapped(let.value, facts)
        named = let.var.origin is Origin.USER  # the subexpression needs no name then
        if isinstance(source, Ref) and not (named and source.var.origin is Origin.TEMP):
            sources[let.var] = source
    turned = _Turned(facts, sources, vectors)
    body = tuple(turned.block(function.body, ()))
    return function if body == function.body else replace(function, body=body)


def _swaps(let: Let) -> Iterator[Apply]:
    for node in subexpressions(let.value):
        if _is_turned(node):
            yield node


def _is_turned(node: Expr) -> TypeGuard[Apply]:
    if not isinstance(node, Apply):
        return False
    return node.op == "numpy.transpose" or node.op == "numpy.swapaxes"


class _Turned:
    def __init__(
        self, facts: Facts, sources: dict[Var, Ref], vectors: dict[Var, Ref]
    ) -> None:
        self.facts, self.sources, self.vectors = facts, sources, vectors

    def block(self, body: Iterable[Stmt], path: tuple[Any, ...]) -> Iterator[Stmt]:
        """One block of the function, at a place in loops and arms."""
        here = self.facts.within(path)
        for stmt in body:
            if not isinstance(stmt, Let):
                yield with_located(stmt, path, self.block)
            elif stmt.note.derived:
                read = set(reads(stmt.value)) & self.vectors.keys()
                seen = (var for var in read if here.visible(self.vectors[var].var))
                value = substitute(stmt.value, {x: self.vectors[x] for x in seen})
                if any(True for _ in _swaps(stmt)):
                    value = rewrite(value, lambda node: self._changed(node, here))
                yield stmt if value == stmt.value else replace(stmt, value=value)
            else:
                yield stmt

    def _changed(self, node: Expr, here: Facts) -> Expr:
        inner = _swapped(node, self.facts)
        if inner is None:
            return node
        source = self._source(inner, here)
        if source is not None:
            return source
        if not isinstance(inner, Apply) or inner.op != "numpy.matmul":
            return node
        sides = inner.args[1], inner.args[0]
        ranks = [self.facts.rank(side) for side in sides]
        ways = [self._source(side, here) for side in sides]
        if ways == [None, None] or not all(rank and rank > 1 for rank in ranks):
            return node
        rank = self.facts.rank
        both = (way or transposed(rank, side) for way, side in zip(ways, sides))
        return matmul(*both)

    def _source(self, value: Expr, here: Facts) -> Expr | None:
        """What is transposed here, or was where the value got its name."""
        inner = _swapped(value, self.facts)
        if inner is None and isinstance(value, Ref):
            source = self.sources.get(value.var)
            return source if source and here.visible(source.var) else None
        return inner


def _swapped(value: Expr, facts: Facts) -> Expr | None:
    """The array whose last two axes change places here, and nothing else does."""
    if not _is_turned(value) or value.kwargs:
        return None
    array, *others = value.args
    rank = facts.rank(array)
    if not rank or rank < 2:
        return None
    try:
        axes = [static(one) for one in others]
    except (ValueError, TypeError):
        return None
    if value.op == "numpy.swapaxes":
        places = {axis % rank for axis in axes if type(axis) is int}
        return array if places == {rank - 1, rank - 2} else None
    order = (*range(rank - 2), rank - 1, rank - 2)
    if not axes:
        return array if rank == 2 else None
    return array if tuple(axes[0] or ()) == order else None
