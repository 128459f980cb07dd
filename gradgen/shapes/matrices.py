"""Matrices that are symmetric by how they are made: A.T @ A, A @ P @ A.T, np.diag(v)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import LIKES, MADE, MATRIX_PRODUCTS, MULTIPLICATIVE
from gradgen.ir.operators import OF_SEQUENCE, PLACES, STORES, lift
from gradgen.ir.walk import is_static, static
from gradgen.rules.traits import SYMMETRIC

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts

COLUMN = lift((slice(None), None))
ROW = (lift(None), lift((None, slice(None))))


class Asked(Protocol):
    """What is asked for the parts of a matrix: see shapes/mirrored.py."""

    facts: Facts

    def made(self, expr: Expr) -> Expr: ...
    def view(self, expr: Expr) -> Expr: ...
    def sign(self, expr: Expr, rank: int) -> int: ...


class Matrices:
    """What is symmetric of two axes alone; `mirrored` is asked for the parts."""

    def __init__(self, mirrored: Asked) -> None:
        self.mirrored = mirrored
        self.made = mirrored.made
        self.facts = mirrored.facts

    def is_symmetric(self, expr: Apply) -> bool:
        """Whether a matrix is its transpose, by what makes it."""
        if expr.op in MATRIX_PRODUCTS:
            return len(expr.args) == 2 and self.is_form(*expr.args)
        if expr.op in STORES:
            return self._is_on_the_diagonal(expr) and self._holds(expr.args[0])
        if expr.op in LIKES | MADE:
            dims = self.facts.of(expr).dims
            filler = expr.args[1:2] if expr.op.endswith(("full", "full_like")) else ()
            filler += tuple(v for name, v in expr.kwargs if name == "fill_value")
            level = all(self.facts.rank(one) == 0 for one in filler)
            return level and dims is not None and dims[0] == dims[1]
        if expr.op in OF_SEQUENCE or expr.op == "numpy.block":
            return self._is_of_blocks(expr)
        way = SYMMETRIC.get(expr.op)
        return way is not None and WAYS[way](self, expr)

    def are_bands(self, one: Expr, other: Expr) -> bool:
        """Whether two are np.diag(v, k) and np.diag(v, -k)."""
        places = []
        for band in (one, other):
            if not isinstance(band, Apply) or band.op != "numpy.diag":
                return False
            if self.facts.rank(band.args[0]) != 1:
                return False  # of a matrix it is a vector
            said = band.args[1] if len(band.args) == 2 else dict(band.kwargs).get("k")
            if said is None or not is_static(said):
                return False
            places.append(static(said))
        assert isinstance(one, Apply) and isinstance(other, Apply)
        return places[0] == -places[1] and self.are_equal(one.args[0], other.args[0])

    def is_diagonal(self, expr: Expr) -> bool:
        """Whether it is s * np.eye(n), or np.diag(v)."""
        return any(
            isinstance(made := self.made(bare), Apply)
            and SYMMETRIC.get(made.op) == "diagonal"
            and self._is_main(made)
            for bare in self.numbered(expr)
        )

    def are_equal(self, one: Expr, other: Expr) -> bool:
        """Whether two values are one: the same name, or made in the same way."""
        if one == other or self.made(one) == self.made(other):
            return True
        one, other = self.made(one), self.made(other)
        if not isinstance(one, Apply) or not isinstance(other, Apply):
            return False
        if (one.op, one.kwargs) != (other.op, other.kwargs) or one.op in STORES:
            return False
        same = len(one.args) == len(other.args)
        return same and all(map(self.are_equal, one.args, other.args))

    def _holds(self, expr: Expr) -> bool:
        return self.mirrored.sign(expr, 2) == 1

    def is_form(
        self, first: Expr, second: Expr, between: Callable[[Expr], bool] | None = None
    ) -> bool:
        """Whether a product is A @ A.T, or A @ S @ A.T with a symmetric S between.

        `between` says of S whether it is that, or is taken for it.
        """
        lefts, rights = list(self._bare(first, 0)), list(self._bare(second, 1))
        if self._any_turned(lefts, rights):
            return True
        # what scales an axis beside S is part of the product: (A * w) @ S
        others = list(self.numbered(second)), list(self.numbered(first))
        for side, outers in zip((first, second), others):
            inner = self.made(side)
            if not isinstance(inner, Apply) or inner.op not in MATRIX_PRODUCTS:
                continue
            if len(inner.args) != 2:
                continue
            at = 0 if side is first else 1
            if self._any_turned(list(self.numbered(inner.args[at])), outers):
                if (between or self._holds)(inner.args[1 - at]):
                    return True
        return False

    def _any_turned(self, ones: list[Expr], others: list[Expr]) -> bool:
        return any(self.are_turned(one, other) for one in ones for other in others)

    def _bare(self, expr: Expr, side: int) -> Iterator[Expr]:
        """A factor, and it without what scales the axis that is summed: A of A * w."""
        yield expr
        made = self.made(expr)
        if not isinstance(made, Apply) or made.op not in MULTIPLICATIVE:
            return
        pairs = [made.args]
        if made.op == "numpy.multiply":
            pairs.append(made.args[::-1])
        for matrix, scale in pairs:
            if self.facts.rank(scale) == 0 or self._scales(scale, side):
                yield from self._bare(matrix, side)

    def numbered(self, expr: Expr) -> Iterator[Expr]:
        """A factor, and it without numbers that it is multiplied with."""
        yield expr
        made = self.made(expr)
        if isinstance(made, Apply) and made.op in MULTIPLICATIVE:
            matrix, number = made.args
            if self.facts.rank(number) == 0:
                yield from self.numbered(matrix)
            elif made.op == "numpy.multiply" and self.facts.rank(matrix) == 0:
                yield from self.numbered(number)

    def _scales(self, scale: Expr, side: int) -> bool:
        """Whether a factor is a row, at the left of @, or a column, at its right."""
        view = self.mirrored.view(scale)
        if isinstance(view, Apply) and view.op == "getitem":
            if self.facts.rank(view.args[0]) == 1:
                return view.args[1] in ROW if side == 0 else view.args[1] == COLUMN
        return side == 0 and self.facts.rank(scale) == 1

    def are_turned(self, one: Expr, other: Expr) -> bool:
        """Whether one matrix is the transpose of the other."""
        if self.facts.rank(one) not in (2, None):
            return False
        for first, second in ((one, other), (other, one)):
            view = self.mirrored.view(first)
            if isinstance(view, Apply) and view.op == "numpy.transpose":
                plain = len(view.args) == 1 and not view.kwargs
                if plain and self.are_equal(view.args[0], second):
                    return True
        return self._are_column_and_row(one, other)

    def _are_column_and_row(self, one: Expr, other: Expr) -> bool:
        """Whether two matrices are v[:, None] and v[None, :]."""
        column, row = self.mirrored.view(one), self.mirrored.view(other)
        for view in (column, row):
            if not isinstance(view, Apply) or view.op != "getitem":
                return False
            if self.facts.rank(view.args[0]) != 1:
                return False
        assert isinstance(column, Apply) and isinstance(row, Apply)
        turned = column.args[1] == COLUMN and row.args[1] in ROW
        return turned and self.are_equal(column.args[0], row.args[0])

    def _is_on_the_diagonal(self, store: Apply) -> bool:
        """Whether a store reaches the diagonal alone: K[np.diag_indices(n)] += s."""
        if len(store.args) < 3:
            return False
        key = self.made(store.args[1])
        if isinstance(key, Apply) and key.op in PLACES:
            return "diag" in key.op
        parts = key.args if isinstance(key, Apply) and key.op == "tuple" else ()
        places = [isinstance(self.made(part), Apply) for part in parts]
        twice = len(parts) == 2 and parts[0] == parts[1] and isinstance(parts[0], Ref)
        return twice and (any(places) or self.facts.rank(parts[0]) == 0)

    def _is_of_blocks(self, expr: Apply) -> bool:
        """Whether rows that are written out are symmetric, entry by entry or by blocks."""
        listed = self._listed(expr.args[0]) if len(expr.args) == 1 else None
        rows = None if listed is None else [self._listed(row) for row in listed]
        if not rows or any(row is None or len(row) != len(rows) for row in rows):
            return False
        table = [row for row in rows if row is not None]
        blocks = expr.op == "numpy.block"
        return all(
            self._are_opposite(table[i][j], table[j][i], blocks)
            for i in range(len(table))
            for j in range(i + 1)
        )

    def _are_opposite(self, one: Expr, other: Expr, blocks: bool) -> bool:
        if blocks and self.facts.rank(one) != 0:
            if one == other:
                return self._holds(one)
            level = isinstance(one, Apply) and one.op in LIKES | MADE
            return self.are_turned(one, other) or level and self.are_equal(one, other)
        return self.are_equal(one, other)

    def _listed(self, expr: Expr) -> tuple[Expr, ...] | None:
        made = self.made(expr)
        whole = isinstance(made, Apply) and made.op in ("list", "tuple")
        return made.args if isinstance(made, Apply) and whole else None

    def _is_outer(self, expr: Apply) -> bool:
        if len(expr.args) != 2 or not self.are_equal(*expr.args):
            return False
        # of a metric that is a function nothing is known
        said = [v for name, v in expr.kwargs if name == "metric"]
        return all(isinstance(v, Const) and isinstance(v.value, str) for v in said)

    def _is_main(self, expr: Apply) -> bool:
        """Whether np.diag or np.eye has something on its diagonal alone."""
        if expr.op == "numpy.diag" and self.facts.rank(expr.args[0]) != 1:
            return False
        if {name for name, _ in expr.kwargs} - {"dtype", "k"}:
            return False
        shift = dict(expr.kwargs).get("k", Const(0))
        if expr.op == "numpy.diag" and len(expr.args) == 2:
            shift = expr.args[1]
        elif len(expr.args) != 1:
            return False
        return shift == Const(0)

    def _is_of_symmetric(self, expr: Apply) -> bool:
        return not expr.kwargs and all(map(self._holds, expr.args))

    def _is_of_columns(self, expr: Apply) -> bool:
        """Whether np.cov or toeplitz has one argument, and no second by its name."""
        options = {"rowvar", "bias", "ddof", "dtype", "check_finite"}
        return len(expr.args) == 1 and {name for name, _ in expr.kwargs} <= options


# how the result of a function is symmetric, and what tells it
WAYS: dict[str, Callable[[Matrices, Apply], bool]] = {
    "equal": Matrices._is_outer,
    "diagonal": Matrices._is_main,
    "closed": Matrices._is_of_symmetric,
    "alone": Matrices._is_of_columns,
}
