"""What numba has under other words: ranges backwards, bounds, messages, lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from gradgen.errors import GradgenError
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Effect,
    Expr,
    Function,
    Let,
    Loop,
    Ref,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import STORES, call, multiply, subtract
from gradgen.ir.sharing import Sharing
from gradgen.ir.walk import lets, reads, rewrite, static, subexpressions
from gradgen.ir.walk import with_expressions
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind
from gradgen.target.numba_looks import axes_of, surely
from gradgen.target.forms import FORMS, OLDER, zeros_of_numbers
from gradgen.target.host import are_counts
from gradgen.target.numba_choices import arms_of
from gradgen.target.numba_lengths import Lengths
from gradgen.target.numba_ranges import forwards
from gradgen.target.numba_reduced import REDUCED, TURNS, Length
from gradgen.target.numba_reduced import keyworded, reduced, turned
from gradgen.target.numba_scalars import CALLED, is_diagonal, unraised
from gradgen.target.numba_tokens import learned

# NumPy's own functions that are others with other arguments
WRITTEN = {
    name: FORMS[f"numpy.{name}"]
    for name in "vecdot linalg.vecdot linalg.multi_dot linalg.vector_norm".split()
}
JOINED = {
    f"numpy.{name}" for name in "concatenate stack vstack hstack column_stack".split()
}
DTYPES: dict[type, str] = {
    float: "np.float64",
    complex: "np.complex128",
    int: "np.int64",
    bool: "np.bool_",
}
# what reads an array in another order than it lies in
TURNED = {
    f"numpy.{name}"
    for name in "transpose swapaxes moveaxis flip fliplr flipud rot90".split()
}


def in_words(
    function: Function, facts: Facts, supply: Supply, callback: bool = False
) -> Function:
    """The function in words that numba compiles.

    before:  for t in reversed(range(steps)):
    after:   for t in range(steps - 1, -1, -1):

    So np.clip(x, 0.0, 1.0) is np.minimum(np.maximum(x, 0.0), 1.0), and np.array(rows) of
    a list of arrays a helper's call.
    """
    if callback:
        raise GradgenError(
            "GG712",
            "numba compiles no function that is handed back, as a backprop function is",
            advice="gradgen.grad or gradgen.value_and_grad, without --style callback",
        )
    facts = learned(function, facts)
    lengths = Lengths(function, facts)
    words = _Words(facts, _ranks_in_lists(function, facts), lengths.of_params)
    body = tuple(words.block(function.body))
    values = tuple(words.changed(one) for one in function.values)
    results = tuple(
        replace(one, value=words.changed(one.value)) for one in function.results
    )
    return replace(function, body=body, values=values, results=results)


class _Words:
    def __init__(
        self, facts: Facts, lists: Callable[[Expr], int | None], length: Length
    ):
        self.facts, self.rank_in, self.length = facts, lists, length

    def block(self, body: Iterable[Stmt]) -> Iterator[Stmt]:
        for stmt in body:
            if isinstance(stmt, Branch) and _op(stmt.test) == "numpy.errstate":
                yield from self.block(stmt.then)
                for merge in stmt.merges:
                    yield Let(merge.var, merge.then, stmt.note)
                continue
            if isinstance(stmt, Branch):
                alone = not (stmt.orelse or stmt.merges)
                if alone and self.changed(stmt.test) == Const(False):
                    continue  # a rank that is known here is not looked at
                then, orelse = self.block(stmt.then), self.block(stmt.orelse)
                stmt = replace(stmt, then=tuple(then), orelse=tuple(orelse))
            elif isinstance(stmt, Loop):
                stmt = replace(stmt, body=tuple(self.block(stmt.body)))
                if stmt.over is not None:
                    stmt = replace(stmt, over=forwards(stmt.over))
            elif isinstance(stmt, Effect) and _op(stmt.value) in ("raise", "assert"):
                stmt = replace(stmt, value=_plainly(stmt.value))
            yield with_expressions(stmt, self.changed)

    def changed(self, expr: Expr) -> Expr:
        return rewrite(rewrite(expr, self._filled), self._word)

    def _filled(self, node: Expr) -> Expr:
        """A list of arrays that may be empty, as rows of an array of a known shape.

        before:  np.array(rows, x.dtype).reshape(len(rows), n)
        after:   _rows_in(rows, np.empty((len(rows), n), x.dtype))
        """
        if _op(node) != "numpy.reshape" or _op(node.args[0]) != "numpy.array":
            return node
        rows, *dtype = node.args[0].args
        if len(dtype) != 1 or node.kwargs or not self.rank_in(rows):
            return node
        return call("helper._rows_in", rows, call("numpy.empty", node.args[1], *dtype))

    def _word(self, node: Expr) -> Expr:
        if not isinstance(node, Apply):
            return node
        name = node.op.removeprefix("numpy.")
        if node.op in ("numpy.minimum", "numpy.maximum") and are_counts(node):
            return node
        if name in OLDER and node.spelling not in ("operator", "augmented"):
            if not node.spelling.startswith("name:"):
                node = replace(node, op=f"numpy.{OLDER[name]}", spelling="")
        if node.op.removeprefix("numpy.") in WRITTEN:
            other = WRITTEN[node.op.removeprefix("numpy.")](node, self.facts)
            node = other if isinstance(other, Apply) else node
        if node.op == "numpy.clip" and len(node.args) == 3 and not node.kwargs:
            return self._clipped(node)
        if node.op == "numpy.where" and len(node.args) == 3:
            if all(self.facts.rank(arg) == 0 for arg in node.args):
                return Apply("helper._chosen", arms_of(node, self.facts))
        if node.op == "numpy.power" and self.facts.rank(node) == 0:
            return unraised(node)
        if node.op == "numpy.linalg.norm":
            return self._norm(node)
        if node.op == "numpy.matmul":
            return self._product(node)
        node = _spelled(node, self.facts)
        if node.op in TURNS:
            node = turned(node, self.facts)
        node = keyworded(node)
        if node.op in REDUCED:
            found = reduced(node, self.facts, self.length)
            if not isinstance(found, Apply) or found != node:
                return found
        if node.op == "numpy.trace" and is_diagonal(_diagonal(node), self.facts):
            return call("numpy.sum", _diagonal(node))
        if node.op == "numpy.diff":
            return self._steps(_differences(node))
        if node.op == "zeros_of":
            return zeros_of_numbers(node, self.facts)
        if node.op == "numpy.zeros_like" and self.facts.rank(node.args[0]) == 0:
            if len(node.args) == 1 and not node.kwargs:
                return Const(0.0, "0.0")
        if node.op == "numpy.ndim" and self.facts.rank(node.args[0]) is not None:
            return axes_of(node, self.facts)
        if node.op in ("numpy.not_equal", "or"):
            return surely(node)
        if node.op in ("getitem", *STORES):
            node = replace(
                node, args=(node.args[0], _key(node.args[1]), *node.args[2:])
            )
        if node.op in ("getitem", *STORES) and node.args[1] == Const(...):
            if self.facts.rank(node.args[0]) != 0:  # x[...], which numba has as x[:]
                whole = Apply("slice", (Const(None),) * 3)
                return replace(node, args=(node.args[0], whole, *node.args[2:]))
        if node.op == "stacked" or node.op in ("numpy.array", "numpy.asarray"):
            return self._stacked(node)
        if node.op in ("numpy.matrix_transpose", "numpy.swapaxes"):
            if self.facts.rank(node.args[0]) == 2:
                return Apply("numpy.transpose", node.args[:1], spelling="attribute:T")
        kind = node.spelling.partition(":")[0]
        if kind == "method" and node.op.startswith("numpy.") and node.kwargs:
            return replace(node, spelling="")
        if kind == "name" and self._is_array(node) and not node.op.startswith("len"):
            if node.op.startswith("numpy."):
                return replace(node, spelling="")
        return node

    def _is_array(self, node: Apply) -> bool:
        return self.facts.rank(node) != 0

    def _clipped(self, node: Apply) -> Expr:
        """np.clip(x, a, b), which numba has of arrays alone."""
        x, low, high = node.args
        if low != Const(None):
            x = call("numpy.maximum", x, low)
        return x if high == Const(None) else call("numpy.minimum", x, high)

    def _product(self, node: Apply) -> Expr:
        """A @ B of more than two axes by its letters: "aij,ajk->aik".

        numba multiplies arrays of one dtype: integers are given the other's.
        """
        kinds = [self.facts.kind(arg) for arg in node.args]
        for at, one in enumerate(node.args):
            other = node.args[1 - at]
            whole = kinds[at] in (Kind.BOOLEAN, *INTEGRAL)
            if whole and kinds[1 - at] in (Kind.LIKE, Kind.WIDE):
                dtype = Apply("dtype", (other,), spelling="attribute:dtype")
                wide = Const(None, "np.float64")
                to = dtype if isinstance(other, Ref) else wide
                made = Apply("numpy.astype", (one, to), spelling="method:astype")
                args = (made, other) if at == 0 else (other, made)
                return self._product(replace(node, args=args))
        ranks = [self.facts.rank(arg) for arg in node.args]
        first, second = (rank or 0 for rank in ranks)
        if None in ranks or max(first, second) < 3 or min(first, second) < 1:
            return node
        batch = "abcdefgh"[: max(first, second) - 2]
        left = batch[len(batch) - max(first - 2, 0) :] + "ij"[-min(first, 2) :]
        right = batch[len(batch) - max(second - 2, 0) :] + "jk"[: min(second, 2)]
        out = batch + "i" * (first > 1) + "k" * (second > 1)
        return call("numpy.einsum", Const(f"{left},{right}->{out}"), *node.args)

    def _steps(self, node: Expr) -> Expr:
        """np.diff(x) of a vector, which numba compiles slowly, as x[1:] - x[:-1]."""
        if _op(node) != "numpy.diff" or len(node.args) != 1 or node.kwargs:
            return node
        x = self._steps(node.args[0])
        once = all(_op(one) not in CALLED for one in subexpressions(x))
        if self.facts.rank(node.args[0]) != 1 or not once:
            return replace(node, args=(x,))
        none = Const(None)
        later = Apply("slice", (Const(1), none, none))
        former = Apply("slice", (none, Const(-1), none))
        parts = (
            Apply("getitem", (x, key), spelling="operator") for key in (later, former)
        )
        return subtract(*parts)

    def _norm(self, node: Apply) -> Expr:
        """np.linalg.norm(x, axis=1) as a root of a sum of squares."""
        given = dict(node.kwargs)
        plain = len(node.args) == 1 and not given.keys() - {"axis", "keepdims"}
        x = node.args[0]
        if not plain or "axis" not in given or self.facts.is_complex(x):
            return node
        if type(_static(given["axis"])) is not int:
            return node
        squares = multiply(x, x)
        return call("numpy.sqrt", Apply("numpy.sum", (squares,), node.kwargs))

    def _stacked(self, node: Apply) -> Expr:
        """np.array(rows) of a list of arrays, which numba makes of numbers alone."""
        first = node.args[0]
        written = _op(first) in ("list", "tuple")
        if written:
            ranks = {self.facts.rank(one) for one in first.args}
            if ranks and None not in ranks and 0 not in ranks:
                rows = Apply("tuple", first.args)
                return call("numpy.stack", rows)
            return node
        if not written and self.rank_in(first):
            return call("helper._rows_of", first)
        return node


def _spelled(node: Apply, facts: Facts) -> Apply:
    """An operation as numba has it.

    before:  np.vstack([x, y])   np.inner(x, y)   A.diagonal()   x.astype(float)
    after:   np.vstack((x, y))   np.dot(x, y)     np.diag(A)     x.astype(np.float64)

    And np.reshape(np.ascontiguousarray(x.T), n) of what is not in one piece.
    """
    ranks = [facts.rank(arg) for arg in node.args[:2]]
    if node.op in JOINED and _op(node.args[0]) == "list" and node.args[0].args:
        parts = Apply("tuple", node.args[0].args)
        return replace(node, args=(parts, *node.args[1:]))
    if node.op == "numpy.inner" and ranks == [1, 1] and not node.kwargs:
        return call("numpy.dot", *node.args)
    if node.op == "numpy.diagonal" and ranks == [2] and not node.kwargs:
        return call("numpy.diag", *node.args)
    if node.op.startswith("numpy."):
        node = replace(
            node,
            args=tuple(map(_dtype, node.args)),
            kwargs=tuple((name, _dtype(one)) for name, one in node.kwargs),
        )
    if node.op == "numpy.reshape" and _op(node.args[0]) in TURNED:
        whole = call("numpy.ascontiguousarray", node.args[0])
        return replace(node, args=(whole, *node.args[1:]), spelling="")
    return node


def _dtype(given: Expr) -> Expr:
    """Python's word for a dtype as NumPy's, which is the one that numba knows."""
    value = given.value if isinstance(given, Const) else None
    known = isinstance(value, type) and DTYPES.get(value)
    return Const(None, known) if known else given


def _key(key: Expr) -> Expr:
    """A written list of places as an array: x[[0, 2]] as x[np.array([0, 2])]."""
    if _op(key) == "list" and key.args:
        return call("numpy.array", key)
    if _op(key) == "tuple":
        return replace(key, args=tuple(map(_key, key.args)))
    if _op(key) == "chain":  # x[1:-1][...] is x[1:-1]
        found = [one for one in key.args if one != Const(...)]
        if len(found) == 1:
            return found[0]
        return replace(key, args=tuple(found)) if found else Const(...)
    return key


def _diagonal(trace: Apply) -> Apply:
    """What np.trace is the sum of."""
    return replace(trace, op="numpy.diag", spelling="")


def _differences(node: Apply) -> Expr:
    """np.diff(x, n=2) as np.diff(np.diff(x))."""
    given = dict(node.kwargs)
    count = _static(given["n"]) if given.keys() == {"n"} else None
    if len(node.args) != 1 or type(count) is not int or not 0 < count < 8:
        return node
    found = node.args[0]
    for _ in range(count):
        found = call("numpy.diff", found)
    return found


def _ranks_in_lists(function: Function, facts: Facts) -> Callable[[Expr], int | None]:
    """How many axes the arrays have that a list gets, None for no known list."""
    sharing, ranks = Sharing(function.body), dict[Var, int | None]()
    for let in lets(function.body):
        if _op(let.value) == "append":
            entry = let.value.args[1]
            known = all(var in facts.shapes for var in reads(entry))
            if known and _op(entry) not in ("tuple", "list"):
                ranks[sharing.root(let.var)] = facts.rank(entry)

    def rank_in(expr: Expr) -> int | None:
        if _op(expr) in ("sliced", "reversed"):
            return rank_in(expr.args[0])  # past[1:]
        if facts.is_list(expr):
            shape = facts.entries_of(expr)
            if shape is not None and shape.rank is not None:
                return shape.rank
        return ranks.get(sharing.root(expr.var)) if isinstance(expr, Ref) else None

    return rank_in


def _plainly(value: Expr) -> Expr:
    """A message without values: numba raises what is known when it compiles.

    before:  raise ValueError(f"no root in {n} rounds")
    after:   raise ValueError("no root in ... rounds")
    """
    return rewrite(value, _message)


def _message(node: Expr) -> Expr:
    if isinstance(node, Apply) and node.op == "text":
        parts = (
            str(one.value) if isinstance(one, Const) else "..." for one in node.args
        )
        return Const("".join(parts))
    return node


def _static(expr: Expr) -> object:
    try:
        return static(expr)
    except ValueError:
        return None


def _op(expr: Expr) -> str:
    return expr.op if isinstance(expr, Apply) else ""
