"""Masks along sums and new axes, where each lane of the result is chosen as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Ref, Stmt, Var
from gradgen.ir.operators import MULTIPLICATIVE, call, getitem
from gradgen.ir.sharing import PARTS, VIEWS
from gradgen.ir.walk import is_static, lets, reads, static, subexpressions
from gradgen.shapes.dims import ONE
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import Shape, ShapeConflict, equal, join
from gradgen.simplify.masks_ahead import HANDING_ON, is_argument, is_nonzero

FILLED = "numpy.full_like"
ZEROS = (Const(0), Const(0.0))
ALL = slice(None)
WHOLE = Apply("slice", (Const(None),) * 3)
Moved = tuple[Expr, Expr]


def divided(body: Iterable[Stmt], facts: Facts) -> set[Var]:
    """The adjoints that are divided, or multiplied by a quotient, later or at once.

    Only their masks have to go on: what is never divided is 0 where it was masked. A
    quotient by a number is the same for all lanes.
    """
    derived = [let for let in lets(body) if let.note.derived]
    quotients: set[Var] = set()
    for let in derived:
        if quotients & set(reads(let.value)) or _divides(let.value, facts):
            quotients.add(let.var)
    found = set(quotients)
    for let in reversed(derived):
        if let.var in found:
            found |= set(reads(let.value))
    return found


def multiplied(body: Iterable[Stmt]) -> set[Var]:
    """The adjoints that are multiplied or divided lane by lane, later or at once.

    What never is may be read with its mask: no lane of it is 0 times infinity.
    """
    found: set[Var] = set()
    for let in reversed([let for let in lets(body) if let.note.derived]):
        if let.var in found or _multiplies(let.value):
            found |= {let.var, *reads(let.value)}
    return found


def _multiplies(expr: Expr) -> bool:
    """Whether lanes are multiplied or divided by something else than numbers."""
    return any(
        isinstance(node, Apply)
        and node.op in MULTIPLICATIVE
        and not any(isinstance(arg, Const) for arg in node.args)
        for node in subexpressions(expr)
    )


def _divides(expr: Expr, facts: Facts) -> bool:
    """Whether lanes are divided by what each of them has, as in x**-1.5."""
    for node in subexpressions(expr):
        if isinstance(node, Apply):
            divisor = 1 if _is_quotient(node) else 0 if _is_root(node) else None
            if divisor is None:
                continue
            base = node.args[divisor]
            if facts.rank(base) != 0 or isinstance(base, Const) or is_argument(base):
                return True
    return False


def _is_quotient(node: Apply) -> bool:
    """Whether an expression is a quotient that may be infinite."""
    return node.op == "numpy.divide" and not is_nonzero(node.args[1])


def _is_root(node: Apply) -> bool:
    """Whether an expression is a power that is infinite, or nan, at some numbers."""
    if node.op != "numpy.power" or not is_static(node.args[1]):
        return False
    exponent = static(node.args[1])
    return isinstance(exponent, int | float) and (exponent < 0 or exponent % 1 != 0)


def beyond_sum(expr: Apply, value: Expr, around: Expr, facts: Facts) -> Moved | None:
    """The sum of a value and the choice around it, None where the sum goes over the choice.

    A mask with one entry along the summed axes chooses whole sums: of what it leaves
    out the sum is 0.

        before:  np.sum(np.where(m, v, 0), axis=1, keepdims=True)     m (n, 1), v (n, d)
        after:   np.where(m, np.sum(v, axis=1, keepdims=True), 0)

    Where v has the last axes alone, their sum is np.sum(v, axis=-1, keepdims=True).
    """
    given = dict(expr.kwargs)
    axis, keeps = given.pop("axis", None), given.pop("keepdims", Const(False))
    dims, whole = facts.of(value).dims, facts.of(expr.args[0]).dims
    if given or len(expr.args) != 1 or axis is None or dims is None or whole is None:
        return None
    if not is_static(axis) or not is_static(keeps) or static(axis) is None:
        return None
    told = static(axis)
    rank = len(whole)
    axes = {one % rank for one in (told if isinstance(told, tuple) else (told,))}
    behind = len(dims) < rank and static(keeps)  # v (d): it is summed from the end
    if behind and min(axes) < rank - len(dims) or not behind and len(dims) != rank:
        return None
    if any(dims[one - rank] != whole[one] for one in axes):
        return None

    def moved(test: Expr) -> Expr | None:
        shape = facts.of(test).dims
        if shape is not None and max(axes) < rank - len(shape):
            return test  # it has the axes behind those alone
        if shape is None or len(shape) != rank:
            return None
        if any(shape[one] != ONE for one in axes):
            return None
        if static(keeps):
            return test
        return getitem(test, tuple(0 if i in axes else ALL for i in range(rank)))

    found = _with_tests(around, moved)
    if found is None:
        return None
    summed = replace(expr, args=(value,))
    if behind:
        last = tuple(Const(one - rank) for one in sorted(axes))
        axis = Apply("tuple", last) if last[1:] else last[0]
        kwargs = tuple((k, axis if k == "axis" else v) for k, v in expr.kwargs)
        summed = replace(summed, kwargs=kwargs)
    return summed, found


def beyond_stretch(
    expr: Apply, value: Expr, around: Expr, facts: Facts
) -> Moved | None:
    """An array's sum to a shape that the mask has at most, or a fill of such a shape.

    before:  _unbroadcast(np.where(m, v, 0), x)      m no larger than x
    after:   np.where(m, _unbroadcast(v, x), 0)
    """
    whole = facts.of(expr)

    found = _with_tests(around, lambda test: test if fits(test, whole, facts) else None)
    at = spread_at(expr)
    args = (*expr.args[:at], value, *expr.args[at + 1 :])
    return None if found is None else (replace(expr, args=args), found)


def fits(test: Expr, whole: Shape, facts: Facts) -> bool:
    """Whether a mask is no larger than what it is of."""
    try:
        return equal(join(facts.of(test), whole), whole)
    except ShapeConflict:
        return False


def spread_at(expr: Apply) -> int:
    """Which argument of an operation its lanes come from."""
    return 1 if expr.op == FILLED else 0


def beyond_axes(expr: Apply, value: Expr, around: Expr, facts: Facts) -> Moved | None:
    """A value with new axes, or without one of length 1, and the choice around it.

    before:  np.where(m, v, 0)[:, None]              m and v (n)
    after:   np.where(m[:, None], v[:, None], 0)
    """
    key = expr.args[1]
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    dims, own = facts.of(expr.args[0]).dims, facts.of(value).dims
    if dims is None or own is None or len(own) not in (0, len(dims)):
        return None
    place = 0
    for item in items:
        if item == Const(0) and (place >= len(dims) or dims[place] != ONE):
            return None
        if item not in (WHOLE, Const(None), Const(0)):
            return None
        place += item != Const(None)

    def moved(test: Expr) -> Expr | None:
        return _at(test, key, facts) if facts.rank(test) == len(dims) else None

    found = _with_tests(around, moved)
    if found is None:
        return None
    return (_at(value, key, facts) if own else value), found


def is_view(expr: Apply) -> bool:
    """Whether an operation shows entries at other places: d[::-1], d.reshape(2, -1)."""
    if expr.op != "getitem":
        moves = expr.op in VIEWS - PARTS - HANDING_ON
        moves = moves and expr.op != "numpy.expand_dims"  # no more lanes than before
        return moves and expr.op.startswith("numpy.")
    key = expr.args[1]
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    return all(
        isinstance(item, Apply)
        and item.op == "slice"
        or isinstance(item, Const)
        and (item.value is ... or type(item.value) is int)
        for item in items
    )


def beyond_view(expr: Apply, around: Expr, facts: Facts) -> Expr | None:
    """The choice around a view of a value: of the same entries.

    before:  np.where(m, v, 0)[::-1]                 m and v alike
    after:   np.where(m[::-1], v[::-1], 0)
    """
    whole = facts.of(expr.args[0])

    def moved(test: Expr) -> Expr | None:
        alike = equal(facts.of(test), whole)
        return replace(expr, args=(test, *expr.args[1:])) if alike else None

    return _with_tests(around, moved)


def view_of(
    expr: Apply, value: Expr, masked: Callable[[Expr], Expr], facts: Facts
) -> Expr:
    """The view of a value; of what is smaller than the whole of the masked one."""
    if facts.rank(value) == 0 and facts.rank(expr) != 0:
        return value
    alike = equal(facts.of(value), facts.of(expr.args[0]))
    return replace(
        expr, args=(value if alike else masked(expr.args[0]), *expr.args[1:])
    )


def stored_axes(expr: Apply, value: Expr, zeros: Expr, facts: Facts) -> Moved | None:
    """A value that a mask of one axis stores into zeros, and these, with new axes behind.

    before:  d = np.zeros_like(n)               after:   np.zeros_like(n)[:, None], where
             d[m] = v                                    v[:, None] is stored by m
             d[:, None]
    """
    if expr.op != "getitem":
        return None
    key = expr.args[1]
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    if items[0] != WHOLE or facts.rank(zeros) != 1 or set(items[1:]) != {Const(None)}:
        return None
    return getitem(value, key), getitem(zeros, key)


def wider(other: Expr, zeros: Expr, facts: Facts) -> bool:
    """Whether an array has the rows of zeros of one row each, d[:, None], and more."""
    dims, narrow = facts.of(other).dims, facts.of(zeros).dims
    if dims is None or narrow is None or len(dims) != len(narrow) or len(dims) < 2:
        return False
    return dims[0] == narrow[0] and set(narrow[1:]) == {ONE}


def like(other: Expr) -> Expr:
    """Zeros of the shape of an array."""
    return call("numpy.zeros_like", other)


def inverse(test: Expr, facts: Facts) -> Expr:
    """~test, where that is no Python bool: ~True is -2."""
    if not facts.rank(test):
        return call("numpy.logical_not", test)
    return Apply("numpy.invert", (test,), spelling="operator")


def complex_like(zeros: Expr) -> Expr:
    """Zeros like other zeros, real ones, for what is complex where it is chosen."""
    assert isinstance(zeros, Apply)
    dtype = call("numpy.result_type", zeros.args[0], Const(1j))
    return replace(zeros, kwargs=(*zeros.kwargs, ("dtype", dtype)))


def _at(expr: Expr, key: Expr, facts: Facts) -> Expr:
    """expr[key], and t for t[:, 0][:, None], whose axis has length 1."""
    inner = facts.definitions.get(expr.var) if isinstance(expr, Ref) else expr
    if isinstance(inner, Apply) and inner.op == "getitem":
        whole, dropped = inner.args
        dims = facts.of(whole).dims or ()
        keys = [list(k.args) if isinstance(k, Apply) else [] for k in (dropped, key)]
        back = [Const(None) if item == Const(0) else item for item in keys[0]]
        ones = all(dim == ONE for dim, k in zip(dims, keys[0]) if k == Const(0))
        if back == keys[1] and len(back) == len(dims) and ones:
            if all(item in (WHOLE, Const(0)) for item in keys[0]):
                return whole
    return getitem(expr, key)


def _with_tests(around: Expr, moved: Callable[[Expr], Expr | None]) -> Expr | None:
    """A choice between a value and 0, with other tests; None for another one."""
    if not isinstance(around, Apply):
        return around  # the place of the value
    if around.op != "numpy.where" or len(around.args) != 3:
        return None
    test, yes, no = around.args
    if (yes in ZEROS) == (no in ZEROS):
        return None
    other = moved(test)
    inner = _with_tests(no if yes in ZEROS else yes, moved)
    if other is None or inner is None:
        return None
    ways = (other, yes, inner) if yes in ZEROS else (other, inner, no)
    return replace(around, args=ways)
