"""Convention C: an array that has to have two axes has no more, and what is squared one.

`axis=1`, `x[:, 0]`, an inverse or a determinant ask for two axes at least. `x @ x`,
`np.dot(x, x)` and `x @ A @ x` are written of vectors, `x @ y.T` of matrices, and so
are products of what has a capital: `Xc.T @ Xc`. Names of what a model is held against
(y), of biases and of numbers are read as people write them.
"""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.keys import beside_rows, is_place, is_turned
from gradgen.facts.matrices import of_arrays, STACKED, Products, Step
from gradgen.facts.numbers import NUMBERS
from gradgen.frozen import dataclass
from gradgen.facts.through import factors_of, is_lower_argument
from gradgen.ir.nodes import Apply, Const, Expr, Function, Origin, Ref, Var
from gradgen.ir.operators import MATRIX_PRODUCTS
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets, reads, subexpressions
from gradgen.shapes.asked import asked_axes
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Ranks

# what arrays of points are taken apart into
COORDINATES = frozenset("x y z u v w t r".split())
NAMED = (Origin.PARAM, Origin.USER)
# words in the names of matrices: transition_matrix, std_diag_mx
MATRIX = frozenset("matrix mat mx".split())
# what the coefficients of a model are called, one for each column of its data
COEFFICIENTS = frozenset("theta beta coef coefs".split())


@dataclass(frozen=True)
class TwoAxes:
    """What is assumed of arrays that a function takes for matrices, or for vectors."""

    primal: Function
    facts: Facts
    ranks: Ranks

    def unpacked(self) -> Iterator[Step]:
        """What is taken apart into names, coordinates apart, is a vector of numbers."""
        parts: dict[Var, list[str]] = {}
        for let in lets(self.primal.body):
            value = let.value
            if isinstance(value, Apply) and value.op == "getitem":
                whole, key = value.args
                if getattr(self._made(whole), "op", "") in STACKED:
                    continue  # r, g, b = np.moveaxis(image, -1, 0)
                if isinstance(whole, Ref) and is_place(key) and let.var.name:
                    parts.setdefault(whole.var, []).append(let.var.name)
        for var, names in parts.items():
            if len(set(names)) > 1 and not COORDINATES.issuperset(names):
                yield [(var, 1)]

    def vectors(self) -> Iterator[Step]:
        """What is multiplied by itself, or on both sides of a matrix, is a vector.

        So are both sides of u @ v / (np.linalg.norm(u) * np.linalg.norm(v)), and returns
        of np.dot(w, returns) / np.sqrt(np.dot(w, np.dot(cov, w))).
        """
        lengths = {
            let.value.args[0]
            for let in lets(self.primal.body)
            if isinstance(let.value, Apply) and let.value.op == "numpy.linalg.norm"
            if len(let.value.args) == 1 and not let.value.kwargs
        }
        for left, right in self._products():
            both = [one for one in (left, right) if one in lengths]
            if len(both) == 2:
                yield [(one.var, 1) for one in both if isinstance(one, Ref)]
        first: dict[Expr, Ref] = {}
        alike: dict[Expr, Expr] = {
            Ref(let.var): first.setdefault(let.value, Ref(let.var))
            for let in lets(self.primal.body)
        }  # (x - mu) @ P @ (x - mu)
        for left, right in self._products():
            if any(map(is_called_matrix, (left, right))):
                continue
            sides = [alike.get(one, one) for one in self._sides(right)]
            inner = [alike.get(one, one) for one in self._sides(left)[:1]]
            left, right = alike.get(left, left), alike.get(right, right)
            around = (right, *sides[1:])  # x @ x, x @ (A @ x)
            if isinstance(left, Ref) and left in around:
                yield [(left.var, 1)]
                matrix = sides[0] if right != left else None
                if isinstance(matrix, Ref) and matrix != left:
                    yield [(matrix.var, 2)]
                    yield from self._beside(left)
                    yield from self._apart(left)
            if isinstance(right, Ref) and right in inner:  # x @ A @ x
                yield [(right.var, 1)]
                yield from self._apart(right)
            factors = self._factors(inner[0] if inner else left)
            if isinstance(right, Ref) and right in factors:  # c * x @ x, c * x @ A @ x
                others = [one.var for one in factors if one != right]
                yield [(right.var, 1), *((var, 0) for var in others)]

    def _beside(self, vector: Ref) -> Iterator[Step]:
        """The arguments in small letters that a vector alone is multiplied with."""
        every = list(self._products())
        for left, right in every:
            other = right if left == vector else left if right == vector else None
            if isinstance(other, Ref) and other.var.origin is Origin.PARAM:
                if other.var.name.islower() and not is_called_matrix(other):
                    alone = all(vector in one for one in every if other in one)
                    if alone and not self._is_multiplied(left, right):
                        yield [(other.var, 1)]

    def _is_multiplied(self, left: Expr, right: Expr) -> bool:
        """Whether a product is an operand of another one."""
        return any(
            (left, right) == self._sides(one) for p in self._products() for one in p
        )

    def _apart(self, value: Expr) -> Iterator[Step]:
        """Of d @ P @ d with d = x - mu both are vectors."""
        made = self._made(value)
        if made is not None and made.op == "numpy.subtract":
            yield from ([(one.var, 1)] for one in made.args if isinstance(one, Ref))

    def dots(self) -> Iterator[Step]:
        """Of np.dot(X, w) the capital is a matrix and w a vector.

        So is x of np.dot(x, W) a matrix. Of X.dot(dt) nothing is known of dt.
        """
        if Products(self.primal, self.facts).are_stacked:
            return
        rows = set(beside_rows(self.primal, self.facts))
        for let in lets(self.primal.body):
            sides = let.value.args[:2] if isinstance(let.value, Apply) else ()
            if getattr(let.value, "op", "") != "numpy.dot" or let.var in rows:
                continue
            if any(map(self._is_capital, sides)):
                for side, rank in zip(sides, (2, 1)):
                    one = self._coefficients(side)
                    if not isinstance(one, Ref) or one.var.name in NUMBERS:
                        continue
                    if self._is_capital(one):
                        yield [(one.var, 2)]
                    elif one.var.name.islower():
                        yield [(one.var, rank)]

    def _coefficients(self, value: Expr) -> Expr:
        """theta of X @ theta.T, which is written of a vector as well; else the value."""
        made = self._made(value)
        turned = made.args[0] if made and made.spelling == "attribute:T" else None
        is_vector = isinstance(turned, Ref) and turned.var.name in COEFFICIENTS
        return turned if turned is not None and is_vector else value

    def matrices(self) -> Iterator[Step]:
        """Capitals in products are matrices, and what is turned: x @ y.T.

        So is x of x @ R.T for an R that the function makes: it has points in its rows.
        """
        if Products(self.primal, self.facts).are_stacked or self._from_behind():
            return
        for left, right in self._products():
            for one in (left, right):
                if isinstance(one, Ref):
                    if self._is_capital(one) or is_called_matrix(one):
                        yield [(one.var, 2)]
            made = self._made(right)
            if (
                made is not None
                and made.op == "numpy.transpose"
                and len(made.args) == 1
            ):
                # x @ x.T is written of vectors, too
                turned = made.args[0]
                if isinstance(turned, Ref) and turned.var.name in COEFFICIENTS:
                    continue  # of X @ theta.T theta is a vector as well
                if isinstance(turned, Ref) and turned != left:
                    yield [(turned.var, 2)]
                    array = self._made(turned)
                    entries = array.args[0] if array and array.args else None
                    if isinstance(entries, Apply) and entries.op == "list":
                        if isinstance(left, Ref):
                            yield [(left.var, 2)]

    def asked(self) -> Iterator[Step]:
        """What has to have two axes or more has no more than are spoken of.

        before:  q[:, None, :] - q[None, :, :]       x[:, None] - x        x.sum((2, 3))
        after:   q is a matrix                       x is a vector         x has 4 axes
        """
        if self._from_behind() or self._turns_stacks():
            return
        least: dict[Var, int] = {}
        # X[:, None] - X is written of matrices as well, which are summed along axis=-1
        alone = all(axis == Const(0) for axis in self._axes())
        stacked = Products(self.primal, self.facts).are_stacked
        for let, var, found in self.ranks.asked():
            if Const(...) in subexpressions(let.value) or _leaves_open(let.value):
                continue  # x[..., 0] has one axis or more
            if stacked and not _names_axes(let.value):
                continue  # an inverse may be one of a stack
            spoken = min(found)
            turned = alone and is_turned(let.value) and not self._is_capital(Ref(var))
            turned = turned or _is_channels(let.value)
            if spoken > 1 or spoken == 1 and turned:
                least[var] = max(spoken, least.get(var, 0))
        for var, spoken in asked_axes(self.primal.body, behind=False):
            if spoken > 1 and not stacked:  # X.shape[1]
                least[var] = max(spoken, least.get(var, 0))
        for var, spoken in least.items():
            if len(self.ranks.of(Ref(var))) > 1:
                yield [(var, spoken)]

    def columns(self) -> Iterator[Step]:
        """What the means of its columns are subtracted from is a matrix.

        before:  centred = x - x.mean(axis=0)
        after:   x is a matrix
        """
        if self._from_behind() or self._turns_stacks():
            return
        means: dict[Expr, Expr] = {}
        for let in lets(self.primal.body):
            value = let.value
            if not isinstance(value, Apply):
                continue
            if value.op == "numpy.mean" and dict(value.kwargs).get("axis") == Const(0):
                means[Ref(let.var)] = value.args[0]
            if (
                value.op == "numpy.subtract"
                and means.get(value.args[1]) == value.args[0]
            ):
                first = value.args[0]
                if isinstance(first, Ref):
                    yield [(first.var, 2)]

    def _array_of(self, value: Expr) -> Var | None:
        """The array that a value is an entry of, by one index."""
        made = self._made(value)
        if made is None or made.op != "getitem" or not isinstance(made.args[0], Ref):
            return None
        return made.args[0].var if self.facts.is_index(made.args[1]) else None

    def no_stacks(self, ranks: Ranks) -> Iterator[Step]:
        """What a vector is multiplied with has two axes, where it has two at least.

        before:  w @ cov @ w        # w is a vector, and w @ cov no number
        after:   cov is a matrix
        """
        if Products(self.primal, self.facts).are_stacked or self._from_behind():
            return
        for left, right in self._products():
            known = ranks.of(right)
            if isinstance(right, Ref) and ranks.of(left) == {1}:
                if min(known) == 2 and len(known) > 1:
                    yield [(right.var, 2)]

    def written_out(self) -> Iterator[Step]:
        """A matrix that is written out has numbers for entries, and is no stack.

        before:  np.array([[c, -s], [s, c]]) @ v        c, s = q
        after:   q and v are vectors
        """
        for left, right in self._products():
            if (rows := self._rows_written(right)) is not None:
                yield [(var, 0) for var in reads(rows)]
            if (rows := self._rows_written(left)) is None:
                continue
            yield [(var, 0) for var in reads(rows)]
            if isinstance(right, Ref) and right.var.origin is Origin.PARAM:
                name = right.var.name
                if name.islower() and not name.endswith("s"):
                    yield [(right.var, 1)]

    def _rows_written(self, value: Expr) -> Expr | None:
        """The rows of a matrix that is written out: of np.array([[c, -s], [s, c]])."""
        made = self._made(value)
        if made is not None and made.spelling == "attribute:T":
            made = self._made(made.args[0])
        if made is None or not made.op.endswith(".array"):
            return None
        rows = made.args[0]
        if not isinstance(rows, Apply) or rows.op != "list" or not rows.args:
            return None
        plain = all(getattr(row, "op", "") == "list" for row in rows.args)
        return rows if plain else None

    def _products(self) -> Iterator[tuple[Expr, Expr]]:
        for let in lets(self.primal.body):
            value = let.value
            if isinstance(value, Apply) and value.op in MATRIX_PRODUCTS:
                left, right = value.args[:2]
                yield left, right

    def _from_behind(self) -> bool:
        """Whether the last axis but one is spoken of, as it is of stacks: axis=-2."""
        inside = (node for axis in self._axes() for node in subexpressions(axis))
        return any(isinstance(one, Const) and one.value == -2 for one in inside)

    def _axes(self) -> Iterator[Expr]:
        """What axis= is in the function's calls."""
        for let in lets(self.primal.body):
            value = let.value
            axis = dict(value.kwargs).get("axis") if isinstance(value, Apply) else None
            if axis is not None:
                yield axis

    def _turns_stacks(self) -> bool:
        """Whether axes are turned that stacks of matrices have."""
        ops = (getattr(let.value, "op", "") for let in lets(self.primal.body))
        return not STACKED.isdisjoint(ops)

    def _is_capital(self, value: Expr) -> bool:
        """Whether a variable has a capital, and is no argument of another name."""
        if not isinstance(value, Ref) or not value.var.name[:1].isupper():
            return False
        if value.var.origin not in NAMED:
            return False  # X[t] is no X
        made = self.facts.definitions.get(value.var)
        if isinstance(made, Apply) and made.op.endswith("array") and made.args:
            made = made.args[0]  # X = np.asarray(x)
        if isinstance(made, Apply):  # V = x[:n]
            ends = upstream(made, self.facts.definitions, of_arrays)
            known = [end for end in ends if isinstance(end, Ref)]
            arrays = [self._array_of(end) for end in known]  # EA = p[0] * p[1]
            own = [x if a is None else Ref(a) for a, x in zip(arrays, known)]
            return not all(is_lower_argument(end) for end in own)
        return not isinstance(made, Ref) or made.var.name[:1].isupper()

    def _factors(self, value: Expr) -> list[Ref]:
        """The variables that a value is the product of, but for its sign."""
        ends = upstream(value, self.facts.definitions, factors_of)
        return [end for end in ends if isinstance(end, Ref)]

    def _sides(self, value: Expr) -> tuple[Expr, ...]:
        """The operands of a product, or nothing of what is none."""
        made = self._made(value)
        if made is None or made.op not in MATRIX_PRODUCTS | {"numpy.linalg.solve"}:
            return ()
        return made.args[:2]

    def _made(self, value: Expr) -> Apply | None:
        made = (
            self.facts.definitions.get(value.var) if isinstance(value, Ref) else value
        )
        return made if isinstance(made, Apply) else None


def is_called_matrix(value: Expr) -> bool:
    """Whether a variable of the user's is called a matrix: transition_matrix."""
    if not isinstance(value, Ref) or value.var.origin not in NAMED:
        return False
    return not MATRIX.isdisjoint(value.var.name.lower().split("_"))


def _names_axes(value: Expr) -> bool:
    """Whether a value is a part of an array, or an operation along axes that are told."""
    if not isinstance(value, Apply):
        return False
    return value.op == "getitem" or "axis" in dict(value.kwargs)


def _leaves_open(value: Expr) -> bool:
    """Whether a value is an einsum of any number of axes: "ij...,j...->i..."."""
    first = value.args[0] if isinstance(value, Apply) and value.args else None
    text = first.value if isinstance(first, Const) else None
    return isinstance(text, str) and "..." in text


def _is_channels(value: Expr) -> bool:
    """Whether a value is x[None, :, None, None]: nobody writes that of a matrix."""
    key = getattr(value, "args", (None, None))[1] if is_turned(value) else None
    return key is not None and key.args.count(Const(None)) > 1 and len(key.args) > 2
