"""Convention B: in `A @ B` there are no batch axes, and an A of unknown rank is a matrix.

Capitals are matrices. Of x @ W it is W: the text is right for any x then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from gradgen.facts.through import as_one_shape
from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Var
from gradgen.ir.operators import LOGARITHMS, TOTALS
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets, subexpressions
from gradgen.shapes.infer import Facts

# what is written for stacks of matrices as well
STACKED = {
    f"numpy.{name}"
    for name in "swapaxes moveaxis rollaxis linalg.matrix_transpose matrix_transpose".split()
}
TURNED = ("numpy.transpose", "numpy.negative", "numpy.conjugate")
Step = list[tuple[Var, int]]


class Products:
    """The products of a function, and what is assumed of their operands."""

    def __init__(self, primal: Function, facts: Facts) -> None:
        self.primal, self.facts = primal, facts
        self.params = {param.var for param in primal.params}

    @property
    def are_stacked(self) -> bool:
        """Whether the function speaks of a third axis, or of any number of axes."""
        return any(map(self._is_stacked, lets(self.primal.body)))

    def steps(self) -> Iterator[Step]:
        if self.are_stacked:
            return
        for let in lets(self.primal.body):
            value = let.value
            if not isinstance(value, Apply) or value.op != "numpy.matmul":
                continue
            left, right = value.args
            if {2} in ({self.facts.rank(left)}, {self.facts.rank(right)}):
                continue
            sides = [self.root(left), self.root(right)]
            if sides[0] is not None and sides[0] == sides[1]:
                continue
            for side, root in zip((left, right), sides):
                if (
                    root is not None
                    and root.name[:1].isupper()
                    and isinstance(side, Ref)
                ):
                    yield [(side.var, 2)]
                    break

    def diagonals(self) -> Iterator[Step]:
        """What the logarithms or the sum of a diagonal are taken of is a matrix.

        before:  2 * np.sum(np.log(np.diag(L)))
        after:   L is a matrix: of a vector np.diag makes one, with zeros
        """
        taken = {
            Ref(let.var): let.value.args[0]
            for let in lets(self.primal.body)
            if isinstance(let.value, Apply) and let.value.op == "numpy.diag"
        }
        for let in lets(self.primal.body):
            value = let.value
            if isinstance(value, Apply) and value.op in LOGARITHMS | TOTALS:
                part = value.args[0]
                whole = taken.get(part) if isinstance(part, Ref) else None
                if isinstance(whole, Ref):
                    yield [(whole.var, 2)]

    def root(self, value: Expr) -> Var | None:
        """The argument that a value is, but for signs, transposition and factors."""
        stem = self.stem(value)
        return stem if stem in self.params else None

    def stem(self, value: Expr) -> Var | None:
        """What a value is made of by signs, transposition and numbers as factors."""
        found = None
        for _ in range(20):
            if not isinstance(value, Ref):
                return found
            found = value.var
            made = self.facts.definitions.get(found)
            if isinstance(made, Ref):
                value = made
            elif isinstance(made, Apply) and made.op in TURNED:
                value = made.args[0]
            elif isinstance(made, Apply) and made.op == "numpy.multiply":
                rest = [arg for arg in made.args if self.facts.rank(arg) != 0]
                value = rest[0] if len(rest) == 1 else Const(None)
            else:
                return found
        return found

    def on_both_sides(self) -> set[Var]:
        """The arguments that products have on the left and on the right: x @ A @ x."""
        sides: tuple[set[Var], set[Var]] = (set(), set())
        for let in lets(self.primal.body):
            if isinstance(let.value, Apply) and let.value.op == "numpy.matmul":
                for found, value in zip(sides, let.value.args):
                    root = self.root(value)
                    found |= {root} if root is not None else set()
        return sides[0] & sides[1]

    def _is_stacked(self, let: Let) -> bool:
        """Whether a statement speaks of a third axis, or of any number of axes.

        Not of what surely has three, as heads of x.reshape(n, heads, d // heads).
        """
        value = let.value
        if not isinstance(value, Apply):
            return False
        if value.args and self.facts.rank(value.args[0]):
            return False
        if value.op in STACKED:
            return True
        nodes = list(subexpressions(value))
        if value.op == "getitem":
            key = value.args[1]
            items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
            return Const(...) in items or sum(i != Const(None) for i in items) > 2
        axes = [v for name, v in value.kwargs if name in ("axis", "axes")]
        inside = [n for axis in axes for n in subexpressions(axis)]
        numbers = [n.value for n in inside if isinstance(n, Const)]
        if any(type(n) is int and (n > 1 or n < -2) for n in numbers):
            return True
        if value.op == "numpy.transpose" and len(nodes) > 4:
            return True
        return value.op == "numpy.einsum" and "..." in str(nodes[1:2])


def product_sides(
    value: Apply, primal: Function, facts: Facts
) -> Iterator[tuple[Var, int]]:
    """The ranks that a person guesses of the operands of a product, by their names.

    Capitals are matrices. Of X @ w the second is a vector, of x @ W the first a matrix.
    """
    if len(value.args) < 2:
        return
    products = Products(primal, facts)
    left, right = value.args[:2]
    roots = [products.root(left), products.root(right)]
    capital = [root is not None and root.name[:1].isupper() for root in roots]
    words = [root is not None and len(root.name) > 1 for root in roots]
    around = products.on_both_sides()
    first = 2 if capital[0] or roots[0] is None or capital[1] or all(words) else 1
    wished = [first, 2 if capital[1] else 1]
    if products.stem(left) == products.stem(right):
        wished = [1, 1]
    for i, root in enumerate(roots):
        wished[i] = 1 if root in around else wished[i]
    for side, rank in zip((left, right), wished):
        if isinstance(side, Ref):
            yield side.var, rank


def first_of(
    value: Expr, asked: Collection[Var], primal: Function, facts: Facts
) -> Var | None:
    """The first `asked` argument of those that a value is computed of entry by entry.

    Or the only one, or one with a capital among them, which is no smaller. None where
    it is made of other things as well, products of matrices for example.
    """
    found: set[Var] = set()
    for end in upstream(value, facts.definitions, of_arrays):
        if isinstance(end, Ref) and end.var.origin is Origin.PARAM:
            found.add(end.var)
        elif not isinstance(end, Const):
            return None
    given = [param.var for param in primal.params if param.var in found]
    if len(given) == 1:
        return given[0]
    capital = [var for var in given if var.name[:1].isupper()]
    return next((var for var in capital or given if capital or var in asked), None)


def of_arrays(value: Apply) -> Sequence[Expr] | None:
    """The operands of what has their shape, or the array that a slice leaves a part of."""
    is_part = value.op == "getitem" and getattr(value.args[1], "op", "") == "slice"
    return value.args[:1] if is_part else as_one_shape(value)
