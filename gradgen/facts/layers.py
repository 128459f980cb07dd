"""Convention C of models: what is added to a product, held against it, or handed on by it.

Names of what a model is held against (y), and of biases, are read as people write them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from gradgen.facts.matrices import Products, Step, first_of
from gradgen.facts.numbers import MOMENTS, is_parameter, summed
from gradgen.facts.keys import is_place, is_slice, is_turned
from gradgen.facts.main_operands import MainOperands
from gradgen.facts.through import as_one_shape, terms_of
from gradgen.ir.nodes import Apply, Const, Expr, Loop, Origin, Ref, Var
from gradgen.ir.operators import ADDITIVE, CROSSES, MATRIX_PRODUCTS
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import defined_inside, lets, statements
from gradgen.rules.load import operations
from gradgen.shapes.ranks import Ranks

# what the values of a model are held against, and what is added to its products
TARGETS = frozenset("y t target targets label labels y_true observed".split())
BIASES = frozenset("b b0 w0 bias intercept".split())
# weights of a model, whatever its matrix is called
WEIGHTS = frozenset("w weights beta coef coefs".split())
# ... and of one gate or layer of several
OF_GATES = re.compile(r"b(ias)?_?\w?\w?")
# what the matrices of layers are called, with whatever behind that
OF_LAYERS = "WUV"
# queries, keys and values
TRIOS = ("q k v", "Q K V", "query key value", "queries keys values")


class Layers(MainOperands):
    """What is assumed of the arguments of models, layers and recurrences."""

    def rows(self, ranks: Ranks) -> Iterator[Step]:
        """Of x[t] @ W the entry of x is a vector, and so is h @ U that is added to it.

        So is h of W @ h, or of W @ np.tanh(h), that a loop hands on, and x[t] that is
        added to that.
        """
        if Products(self.primal, self.facts).are_stacked:
            return
        handed_on = {
            slot.inner
            for stmt in statements(self.primal.body)
            for slot in (stmt.carried if isinstance(stmt, Loop) else ())
        }
        for left, right in self._products():
            fed = self._state(right)
            if isinstance(right, Ref) and fed in handed_on:
                if self._is_capital(left) and fed.name.islower():
                    yield [(right.var, 1), (fed, 1)]
            made = self._made(left)
            is_entry = made is not None and made.op == "getitem"
            if isinstance(left, Ref) and made is not None and is_entry:
                if self._is_capital(right) and self.facts.is_index(made.args[1]):
                    yield [(left.var, 1)]
            state = self._state(left)
            if state in handed_on and state.name.islower():
                if isinstance(left, Ref) and isinstance(right, Ref):
                    told = self._is_capital(right) or self._state(right) in handed_on
                    if not told and self._array_of(right) is not None:
                        yield [(right.var, 2)]  # layers, of each row of h
                    elif not told:  # np.exp(h - top) @ moves
                        yield [(right.var, 2), (left.var, 1)]
        reduced = summed(self.primal, self.facts)
        for let in ranks.statements:
            value = let.value
            if not isinstance(value, Apply) or value.op not in ADDITIVE:
                continue
            for one, other in (value.args, value.args[::-1]):
                is_entry = isinstance(one, Ref) and self._array_of(one) is not None
                if is_entry and ranks.of(other) == {1}:  # alpha + log_emissions[t]
                    data = getattr(other, "var").origin is Origin.PARAM
                    # np.exp(-((x - p[k]) ** 2))
                    alone = data and let.var not in reduced
                    yield [(getattr(one, "var"), 0 if alone else 1)]
                if not self._sides(other) or not (is_entry or self._sides(one)):
                    continue
                known = ranks.of(other)
                if isinstance(one, Ref) and len(known) == 1 < len(ranks.of(one)):
                    array = self._array_of(one)  # b[i] of x @ W[i] + b[i]
                    bias = array is not None and OF_GATES.fullmatch(array.name)
                    yield [(one.var, min(1, *known) if bias else min(known))]

    def _state(self, value: Expr) -> Var | None:
        """What a value is computed of entry by entry, numbers apart: h of np.exp(h - 1)."""
        while isinstance(value, Ref):
            made = self._made(value)
            rule = operations().get(made.op) if made is not None else None
            if made is None or rule is None or rule.shape is not None:
                return value.var if made is None else None
            terms = {arg for arg in made.args if self.facts.rank(arg) != 0}
            if len(terms) != 1:
                return None
            value = terms.pop()
        return None

    def biases(self, ranks: Ranks) -> Iterator[Step]:
        """Of W @ x + U @ h + b, a vector, b is one.

        Of X @ W + b, a matrix, it may be a row of one as well, of X @ w + b a number.
        """
        layers: set[Expr] = set()
        for let in ranks.statements:
            value = let.value
            if not isinstance(value, Apply):
                continue
            sides = self._sides(value)
            if any(map(self._is_capital, sides)):
                if getattr(sides[-1], "var", let.var).name not in WEIGHTS:
                    layers.add(Ref(let.var))
            if value.op not in ADDITIVE or layers.isdisjoint(value.args):
                continue
            layers.add(Ref(let.var))
            for one, other in (value.args, value.args[::-1]):
                if isinstance(one, Ref) and other in layers and ranks.of(other) == {1}:
                    if OF_GATES.fullmatch(one.var.name) and len(ranks.of(one)) > 1:
                        yield [(one.var, 1)]

    def offsets(self, ranks: Ranks) -> Iterator[Step]:
        """What is added to a column and to a row without an axis of its own: a number.

        before:  mu + bu[:, None] + bi[None, :]
        after:   mu is a number

        Only what is called so: the transitions that stand there are a matrix.
        """
        if not any(is_turned(let.value) for let in lets(self.primal.body)):
            return
        for let in lets(self.primal.body):
            if getattr(let.value, "op", "") not in ADDITIVE:
                continue
            terms = list(upstream(Ref(let.var), self.facts.definitions, terms_of))
            keys = [getattr(self._turned(one), "args", ()) for one in terms]
            rows = any(key and key[0] == Const(None) for key in keys)
            columns = any(key and key[-1] == Const(None) for key in keys)
            for one in terms if rows and columns else ():
                if isinstance(one, Ref) and one.var.origin is Origin.PARAM:
                    name = one.var.name
                    called = is_parameter(name) or name in MOMENTS or "bias" in name
                    if called and len(ranks.of(one)) > 1:
                        yield [(one.var, 0)]

    def _turned(self, value: Expr) -> Expr | None:
        """The index of x[:, None]: where the new axis is."""
        made = self._made(value)
        return made.args[1] if made is not None and is_turned(made) else None

    def batches(self, ranks: Ranks, wrt: Collection[str]) -> Iterator[Step]:
        """Of x @ W, with a gradient in W, x is a matrix: it has a row for each example.

        before:  np.tanh(x @ W + h @ U)        # W and U are asked for
        after:   x and h are matrices

        Not what a loop hands on, or reads by its index: that is one state; no weights,
        targets or shares of w @ W and p @ T, which are vectors.
        """
        if Products(self.primal, self.facts).are_stacked:
            return
        params = {param.var for param in self.primal.params}
        asked = {param.var for param in self.primal.params if param.label in wrt}
        handed_on = {var for stmt in self.primal.body for var in defined_inside(stmt)}
        for left, right in self._products():
            made = self._made(right)
            turned = made is not None and made.spelling == "attribute:T"
            right = made.args[0] if made is not None and turned else right  # s @ J.T
            if not isinstance(right, Ref) or ranks.of(right) != {2}:
                continue
            if right.var not in asked or not isinstance(left, Ref):
                continue
            if right.var.name[0] not in OF_LAYERS and not turned:
                continue
            first: Var | None = left.var
            if left.var not in params:  # z of mu + sigma * eps
                alone = left.var not in handed_on
                first = (
                    first_of(left, asked, self.primal, self.facts) if alone else None
                )
            if first is not None and left.var.name.islower():
                if left.var.name not in WEIGHTS | TARGETS:
                    yield [(left.var, 2), (first, 2)]

    def crossed(self, ranks: Ranks) -> Iterator[Step]:
        """Both operands of a cross product are vectors where one is, or rows of matrices.

        before:  v @ np.cross(r, v)    np.linalg.norm(np.cross(b - a, c - a), axis=1)
        after:   r is a vector         b - a and c - a are matrices

        Of a quaternion, w, v = q[0], q[1:], v is a vector.
        """
        for let in lets(self.primal.body):
            value = let.value
            if not isinstance(value, Apply) or value.op not in CROSSES or value.kwargs:
                continue
            sides = [one.var for one in value.args[:2] if isinstance(one, Ref)]
            known = {frozenset(ranks.of(Ref(side))) for side in sides}
            rest = [side for side in sides if self._is_rest(side)]
            if rest:
                yield [(side, 1) for side in rest]
            elif ranks.of(Ref(let.var)) == {2} or frozenset([1]) in known:
                rank = 2 if ranks.of(Ref(let.var)) == {2} else 1
                yield [(side, rank) for side in sides]

    def _is_rest(self, var: Var) -> bool:
        """Whether it is what an entry leaves of a vector: v of w, v = q[0], q[1:]."""
        made = self._made(Ref(var))
        if made is None or made.op != "getitem" or not is_slice(made.args[1]):
            return False
        parts = (let.value for let in lets(self.primal.body))
        entries = (one for one in parts if isinstance(one, Apply))
        return any(
            one.op == "getitem"
            and one.args[0] == made.args[0]
            and is_place(one.args[1])
            for one in entries
        )

    def attended(self, ranks: Ranks) -> Iterator[Step]:
        """Queries, keys and values have one rank: q, k and v, or Q, K and V."""
        of = {param.var.name: param.var for param in self.primal.params}
        for names in TRIOS:
            both = [of[name] for name in names.split() if name in of]
            known = [ranks.of(Ref(var)) for var in both]
            sure = [one for one in known if len(one) == 1]
            if len(both) == 3 and sure:
                yield from ([(var, min(sure[0]))] for var in both)

    def paired(self, ranks: Ranks) -> Iterator[Step]:
        """Of A[:, None] - B[None] both have one rank: each row meets each row."""
        for let in ranks.statements:
            value = let.value
            if not isinstance(value, Apply) or value.op not in ADDITIVE:
                continue
            both = [self._stretched(arg) for arg in value.args]
            for one, other in (both, both[::-1]):
                if one is None or other is None or one == other:
                    continue
                known = ranks.of(one)
                if len(known) == 1 < len(ranks.of(other)):
                    yield [(other.var, min(known))]

    def moved(self, ranks: Ranks) -> Iterator[Step]:
        """What each entry of a vector is added to a row of is a matrix, if it is reduced.

        before:  np.logaddexp.reduce(alpha[:, None] + log_moves, axis=0)
        after:   log_moves is a matrix

        A row alone could stay out of the reduction.
        """
        for let in ranks.statements:
            value = let.value
            if not isinstance(value, Apply) or "axis" not in dict(value.kwargs):
                continue
            made = self._made(value.args[0]) if value.args else None
            if made is None or made.op not in ADDITIVE:
                continue
            for one, other in (made.args, made.args[::-1]):
                stretched = self._stretched(one) is not None and ranks.of(one) == {2}
                if stretched and isinstance(other, Ref) and len(ranks.of(other)) > 1:
                    if other.var.origin is Origin.PARAM:
                        yield [(other.var, 2)]

    def _stretched(self, value: Expr) -> Ref | None:
        """x of x[:, None] and x[None]: an array that gets a new axis."""
        made = self._made(value)
        if made is None or made.op != "getitem":
            return None
        base, key = made.args
        has_new = key == Const(None) or is_turned(made)
        return base if has_new and isinstance(base, Ref) else None

    def fitted(self, ranks: Ranks) -> Iterator[Step]:
        """Of a model X @ w + b that y is held against w is a vector, and b a number.

        What is called y, or a target, has the rank of what it is subtracted from or
        multiplied with.
        """
        yield from self._named_weights(ranks)
        if Products(self.primal, self.facts).are_stacked:
            return
        models: set[Expr] = set()
        for let in lets(self.primal.body):
            for right in self._weights(let.value):
                left = let.value.args[0] if isinstance(let.value, Apply) else right
                if not self._is_layer(left) and right.var.name != "x":
                    models.add(Ref(let.var))
                if len(ranks.of(right)) > 1:
                    yield [(right.var, 1)]
                weighed = _is_weighed(left, right) and not self._sides(left)
                if isinstance(left, Ref) and weighed:  # not w @ cov of w @ cov @ w
                    yield [(left.var, 2)]
        yield from self._named_weights(ranks)
        for let in ranks.statements:
            value = let.value
            rule = operations().get(value.op) if isinstance(value, Apply) else None
            if rule is None or rule.kind != "elementwise":
                continue
            assert isinstance(value, Apply)
            if len(value.args) != 2:
                continue
            for one, other in (value.args, value.args[::-1]):
                known = ranks.of(other)
                if not isinstance(one, Ref) or one.var.origin is not Origin.PARAM:
                    continue
                if len(ranks.of(one)) == 1 or 0 in known:
                    continue
                if one.var.name in BIASES and other in models and known == {1}:
                    yield [(one.var, 0)]
                is_held = one.var.name in TARGETS and not is_turned(self._made(other))
                is_held &= value.op.endswith(("subtract", "multiply"))  # no R.T + t
                is_held = is_held and not self._is_time(one.var)
                if value.op == "numpy.multiply":  # (1 - t) * p[:k] + t * p[1:]
                    part = getattr(self._made(other), "op", "") == "getitem"
                    is_held = is_held and not part
                if is_held and len(known) == 1:
                    yield [(one.var, min(known))]

    def _is_time(self, var: Var) -> bool:
        """Whether t is a time: it comes first, f(t, y), or a step is added to it, t + h."""
        values = [let.value for let in lets(self.primal.body)]
        added = any(
            Ref(var) in value.args
            for value in values
            if isinstance(value, Apply) and value.op == "numpy.add"
        )
        return var.name == "t" and (added or self.primal.params[0].var == var)

    def _named_weights(self, ranks: Ranks) -> Iterator[Step]:
        """Weights that a matrix is multiplied with: returns @ benchmark_weights."""
        for left, right in self._products():
            if self._is_reshaped(left):
                continue
            name = right.var.name if isinstance(right, Ref) else ""
            if name in WEIGHTS or name.rpartition("_")[2] in WEIGHTS - {"w"}:
                if min(ranks.of(left)) == 2 and len(ranks.of(right)) > 1:
                    yield [(getattr(right, "var"), 1)]

    def _is_layer(self, value: Expr) -> bool:
        """Whether it is the matrix of a layer, turned round: W.T @ w + b has several b."""
        made = self._made(value)
        inner = made.args[0] if made and made.spelling == "attribute:T" else None
        return isinstance(inner, Ref) and inner.var.name[0] in OF_LAYERS

    def normalised(self, ranks: Ranks) -> Iterator[Step]:
        """Rows that are normalised and go into a layer are those of a matrix.

        before:  x / np.sqrt(np.mean(x**2, axis=-1, keepdims=True)) @ W
        after:   x is a matrix
        """
        if Products(self.primal, self.facts).are_stacked:
            return
        rows: set[Var] = set()
        for let in lets(self.primal.body):
            if _keeps_rows(let.value) and isinstance(let.value, Apply):
                rows |= self._entries(let.value.args[0])
        for left, right in self._products():
            layer = self._is_capital(right) or ranks.of(right) == {2}
            if rows and layer:
                yield from ([(var, 2)] for var in self._entries(left) & rows)

    def _entries(self, value: Expr) -> set[Var]:
        """The arguments without a capital that a value is computed of entry by entry."""
        ends = upstream(value, self.facts.definitions, as_one_shape)
        read = [end.var for end in ends if isinstance(end, Ref)]
        params = {var for var in read if var.origin is Origin.PARAM}
        return {var for var in params if var.name.islower()}

    def _weights(self, value: Expr) -> Iterator[Ref]:
        """The argument w of X @ w, a vector."""
        if isinstance(value, Apply) and value.op in MATRIX_PRODUCTS:
            left, right = value.args[:2]
            if self._is_reshaped(left):  # x.reshape(n * t, d) @ w may be a layer
                return
            is_model = self._is_capital(left) or _is_weighed(left, right)
            if is_model and isinstance(right, Ref):
                part = self._made(right)
                is_part = part is not None and part.op == "getitem"
                whole = part.args[0] if part is not None and is_part else right  # w[1:]
                if isinstance(whole, Ref) and whole.var.name.islower():
                    if whole.var.origin is Origin.PARAM:
                        yield right


def _keeps_rows(value: Expr) -> bool:
    """Whether a value is a mean or a sum of each row, which stays a column of them."""
    told = dict(value.kwargs) if isinstance(value, Apply) else {}
    return told.get("axis") == Const(-1) and told.get("keepdims") == Const(True)


def _is_weighed(left: Expr, right: Expr) -> bool:
    """Whether a product is one of data and weights by their names: returns @ w."""
    if not isinstance(left, Ref) or not isinstance(right, Ref):
        return False
    name = left.var.name
    return right.var.name in WEIGHTS and len(name) > 1 and name not in WEIGHTS
