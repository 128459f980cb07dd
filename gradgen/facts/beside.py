"""Convention C of what arrays are put together of, and of neighbours in one array."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.keys import is_turned
from gradgen.facts.matrices import Step
from gradgen.facts.through import is_elementwise, of_entries, is_lower_argument
from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Param, Ref
from gradgen.ir.nodes import Origin, Var
from gradgen.ir.operators import MATRIX_PRODUCTS
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets, reads
from gradgen.rules.load import operations
from gradgen.shapes.dims import ONE
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Ranks


def beside(primal: Function, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """What stands beside a number in a row of both is a vector, and so on.

    before:  np.hstack((p, 1))     np.append(p[i], 1)       u[neighbours] - u[:, None]
    after:   p is a vector         p is a matrix            neighbours is a matrix

    before:  np.tanh(x[:, t] @ W + h @ U)      # h has a row for each example
    after:   x has three axes

    So is what rows are made of twice: p of np.vstack((p, 1 - p)).
    """
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply):
            continue
        if value.op == "append" and isinstance(value.args[1], Ref):
            # what a list of matrices gets is one: self.Ws.append(x.T @ x)
            entries = facts.entries_of(value.args[0])
            rank = entries.rank if entries is not None else None
            if rank and {rank} < ranks.of(value.args[1]):
                yield [(value.args[1].var, rank)]
        for part in _joined(value, ranks):
            if isinstance(part, Ref) and {0, 1} <= ranks.of(part):
                yield [(part.var, 1)]
        if value.op == "numpy.vstack" and isinstance(value.args[0], Apply):
            stems = {_stem(part, facts) for part in value.args[0].args}
            for stem in stems if len(stems) == 1 else ():
                if stem is not None and {1, 2} <= ranks.of(Ref(stem)):
                    yield [(stem, 1)]
        yield from _with_capitals(value, facts, ranks)
        if value.op == "numpy.subtract" and is_elementwise(value):
            yield from _neighbours(value, facts, ranks)
        if value.op == "numpy.add":
            for one, other in (value.args, value.args[::-1]):
                yield from _before_columns(one, other, primal, facts, ranks)
                yield from _added(one, other, facts, ranks)
        if value.op in MATRIX_PRODUCTS:
            yield from _columns(let, primal, facts, ranks)


def _joined(value: Apply, ranks: Ranks) -> Iterator[Expr]:
    """The parts beside a number of what one row is made of."""
    rule = operations().get(value.op)
    shape = getattr(rule, "shape", None)
    word = getattr(shape, "op", "")
    if word == "appended" and not value.kwargs and len(value.args) == 2:
        yield value.args[0]
    elif word == "laid" and value.args and isinstance(value.args[0], Apply):
        parts = value.args[0].args
        if any(ranks.of(part) == {0} for part in parts) and not _is_column(value):
            yield from parts


def _stem(value: Expr, facts: Facts) -> Var | None:
    """The argument without a capital that a value is computed of, entry by entry."""
    ends = upstream(value, facts.definitions, of_entries)
    stems = {end for end in ends if not isinstance(end, Const)}
    stem = stems.pop() if len(stems) == 1 else None
    return stem.var if isinstance(stem, Ref) and is_lower_argument(stem) else None


def _with_capitals(value: Apply, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """What is called by a capital is a matrix where it is put beside others.

    before:  np.column_stack([np.ones(len(X)), X])     np.vstack([A, b[None, :]])
    after:   X is a matrix                             A is a matrix

    Columns that are called by other names are vectors: np.column_stack([x, y]).
    """
    shape = getattr(operations().get(value.op), "shape", None)
    if (
        getattr(shape, "op", "") not in ("laid", "joined", "concatenated")
        or not value.args
    ):
        return
    parts = value.args[0].args if isinstance(value.args[0], Apply) else ()
    for part in parts if len(parts) > 1 else ():
        if isinstance(part, Ref) and part.var.origin is Origin.PARAM:
            if part.var.name[:1].isupper() and {2} < ranks.of(part):
                yield [(part.var, 2)]
            elif value.op == "numpy.column_stack" and {1} < ranks.of(part):
                yield [(part.var, 1)]


def _is_column(value: Apply) -> bool:
    """Whether numbers are put below each other, as in np.vstack."""
    return not value.op.endswith(".hstack")


def _neighbours(value: Apply, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """The places of neighbours, some for each entry: of u[places] - u[:, None]."""
    made = [
        facts.definitions.get(arg.var) for arg in value.args if isinstance(arg, Ref)
    ]
    reads = [one for one in made if isinstance(one, Apply) and one.op == "getitem"]
    if len(reads) != 2 or reads[0].args[0] != reads[1].args[0]:
        return
    for one, other in (reads, reads[::-1]):
        key = one.args[1]
        last = is_turned(other) and other.args[1].args[-1] == Const(None)
        if last and isinstance(key, Ref) and {1, 2} <= ranks.of(key):
            yield [(key.var, 2)]


def _before_columns(
    product: Expr, bias: Expr, primal: Function, facts: Facts, ranks: Ranks
) -> Iterator[Step]:
    """What a matrix is multiplied with where a column is added: h of W @ h + b, (n, 1)."""
    made = facts.definitions.get(product.var) if isinstance(product, Ref) else None
    dims = facts.of(bias).dims or ()
    if not isinstance(made, Apply) or made.op not in MATRIX_PRODUCTS:
        return
    left, right = made.args[:2]
    if not isinstance(right, Ref) or not {1, 2} <= ranks.of(right):
        return
    if len(dims) == 2 and dims[1] == ONE and ranks.of(left) == {2}:
        yield [(right.var, 2)]
    # an instance holds W and b: x of W @ x + b is one example
    ahead = _param_of(left, primal, facts)
    behind = _param_of(right, primal, facts)
    if len(dims) == 1 and dims[0] != ONE and ahead is not None and ahead.path:
        if behind is not None and not behind.path:
            yield [(right.var, 1)]


def _added(one: Expr, other: Expr, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """Products that are added have as many axes, and so has what a loop reads of x.

    before:  x[:, t] @ W + h @ U      # h has a row for each example
    after:   x[:, t] @ W is a matrix, x has three axes
    """
    made, held = (
        facts.definitions.get(side.var) if isinstance(side, Ref) else None
        for side in (one, other)
    )
    if not isinstance(made, Apply) or made.op not in MATRIX_PRODUCTS:
        return
    if not isinstance(held, Apply) or held.op not in MATRIX_PRODUCTS:
        return
    if not isinstance(one, Ref) or ranks.of(other) != {2} or {1, 2} - ranks.of(one):
        return
    left = made.args[0]
    read = facts.definitions.get(left.var) if isinstance(left, Ref) else None
    if not isinstance(read, Apply) or read.op != "getitem":
        yield [(one.var, 2)]
        return
    whole, key = read.args
    keys = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    if isinstance(whole, Ref) and len(keys) > 1:
        yield [(one.var, 2), (whole.var, 2 + sum(map(facts.is_index, keys)))]


def _param_of(value: Expr, primal: Function, facts: Facts) -> Param | None:
    """The argument that a value is, or the transpose of."""
    made = facts.definitions.get(value.var) if isinstance(value, Ref) else None
    if isinstance(made, Apply) and made.spelling == "attribute:T":
        value = made.args[0]
    var = value.var if isinstance(value, Ref) else None
    return next((param for param in primal.params if param.var == var), None)


def _columns(let: Let, primal: Function, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """What is turned ahead of a matrix is one, of one column: w of np.dot(w.T, X) + b.

    Not of w.T @ A @ w, nor of x.T @ y, which are written of vectors.
    """
    left, right = getattr(let.value, "args")[:2]
    made = facts.definitions.get(left.var) if isinstance(left, Ref) else None
    if not isinstance(made, Apply) or made.spelling != "attribute:T":
        return
    whole = made.args[0]
    inside = any(
        let.var in reads(one.value)
        for one in lets(primal.body)
        if getattr(one.value, "op", "") in MATRIX_PRODUCTS
    )
    if isinstance(whole, Ref) and {1, 2} <= ranks.of(whole) and not inside:
        if min(ranks.of(right)) > 1 and whole != right:
            yield [(whole.var, 2)]
