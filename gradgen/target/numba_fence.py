"""What numba does not compile is refused, with the line, before anything is printed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from gradgen.errors import GradgenError, gather
from gradgen.ir.nodes import Apply, Branch, Const, Expr, Function, Let, Loop, Stmt
from gradgen.ir.operators import STORES
from gradgen.ir.walk import own_expressions, subexpressions
from gradgen.shapes.infer import Facts
from gradgen.target.numba_scalars import CALLED, CHEAP
from gradgen.target.numba_tokens import learned
from gradgen.target.table import Target

VERSION = "0.61 and later"
# functions of NumPy that numba compiles, with their keywords
TAKEN = {
    f"numpy.{name}": set(words.split())
    for name, words in {
        "sum": "axis",
        "zeros": "dtype",
        "ones": "dtype",
        "empty": "dtype",
        "full": "dtype",
        "zeros_like": "dtype",
        "ones_like": "dtype",
        "empty_like": "dtype",
        "astype": "",
        "full_like": "dtype",
        "eye": "dtype",
        "array": "dtype",
        "concatenate": "axis",
        "stack": "axis",
        "expand_dims": "axis",
        "argmax": "axis",
        "argmin": "axis",
    }.items()
} | {
    f"numpy.{name}": set()
    for name in (
        "add.at all any arange argsort argwhere around asarray ascontiguousarray "
        "atleast_1d atleast_2d bincount broadcast_to column_stack convolve copy "
        "count_nonzero cross cumprod cumsum diag diff dot flatnonzero flip fliplr "
        "flipud hstack identity interp isclose kron linalg.cholesky linalg.det linalg.eig "
        "linalg.eigh linalg.eigvals linalg.inv linalg.lstsq linalg.matrix_power "
        "linalg.norm linalg.pinv linalg.qr linalg.slogdet linalg.solve linalg.svd "
        "linspace logical_xor matmul max mean median min mod nan_to_num nanmax "
        "nanmean nanmin nanprod nanstd nansum nanvar ndim nonzero outer prod ptp ravel "
        "repeat reshape roll rot90 round searchsorted shape sinc size sort "
        "std swapaxes take trace transpose trapz tri tril triu unique var vdot vstack "
        "bitwise_and bitwise_or bitwise_xor invert isnan imag real conj signbit finfo "
        "dtype bool_ float64 float32 int64 ldexp nextafter spacing"
    ).split()
}
# helpers that are written for it
HELPERS = {
    f"helper.{name}"
    for name in (
        "_rows_of _rows_in _chosen _largest _least _solved_lower _solved_upper "
        "_inverted_lower"
    ).split()
}
# what makes arrays of lists, or of numbers
ARRAYS = "numpy.array numpy.asarray stacked zeros_of numpy.zeros_like".split()
# Python's own and words of the text
WORDS = {"try", "percent", "format", "str", "repr", "of_string", "vjp", "kept"}


def refuse_uncompiled(function: Function, facts: Facts, target: Target) -> None:
    """Refuses what numba does not compile, with its lines. Raises GradgenError.

    refused:  np.fft.rfft(x)
    instead:  the operations that it is made of
    """
    if not target.compiled:
        return
    facts = learned(function, facts)
    problems: dict[str, GradgenError] = {}
    for stmt in _statements(function.body):
        try:
            _check(stmt, facts)
        except GradgenError as error:
            placed = error.at(stmt.note.place)
            problems.setdefault(str(placed), placed)
    for value in (*function.values, *(one.value for one in function.results)):
        try:
            _refuse(value, facts)
        except GradgenError as error:
            problems.setdefault(str(error), error)
    if problems:
        raise gather(list(problems.values()))


def _statements(body: Iterable[Stmt]) -> Iterable[Stmt]:
    for stmt in body:
        yield stmt
        if isinstance(stmt, Branch):
            yield from _statements(stmt.then)
            yield from _statements(stmt.orelse)
        elif isinstance(stmt, Loop):
            yield from _statements(stmt.body)


def _check(stmt: Stmt, facts: Facts) -> None:
    if isinstance(stmt, Branch) and stmt.is_try:
        _fail("a try block", "an if that tests what would fail")
    _refuse_two_types(stmt, facts)
    for expr in own_expressions(stmt):
        _refuse(expr, facts)


def _refuse_two_types(stmt: Stmt, facts: Facts) -> None:
    """A name that is a number here and an array there."""
    pairs: list[tuple[str, Expr, Expr]] = []
    if isinstance(stmt, Branch):
        pairs = [(one.var.name, one.then, one.orelse) for one in stmt.merges]
    elif isinstance(stmt, Loop):
        # what begins as a number is refused, or filled, by the pass starts
        named = ((one.exit.name, one.entry, one.next) for one in stmt.carried)
        pairs = [one for one in named if facts.rank(one[1]) != 0]
    elif isinstance(stmt, Let) and isinstance(stmt.value, Apply):
        if stmt.value.op == "accumulate":
            base, added = stmt.value.args
            pairs = [(stmt.var.name, base, added)]
    for name, *both in pairs:
        if Const(None) in both or any(map(facts.is_list, both)):
            continue
        first, second = (facts.rank(one) for one in both)
        grows = isinstance(stmt, Let) and second == 0
        if first != second and 0 in (first, second) and not grows:
            if None not in (first, second):
                _fail(f"{name} as a number and as an array", "an array at first")


def _refuse_array(one: Apply, facts: Facts) -> None:
    """np.array of a list of arrays, and zeros of numbers of which nothing is known."""
    first = one.args[0]
    if one.op in ("numpy.array", "numpy.asarray", "stacked"):
        if isinstance(first, Apply) and first.op in ("list", "tuple"):
            entries = first.args
            deep = (isinstance(e, Apply) and e.op in ("list", "tuple") for e in entries)
            if any(facts.rank(e) != 0 for e in entries) and not all(deep):
                _fail("np.array of a list of arrays", "np.stack of arrays of one shape")
        elif facts.is_list(first):
            shape = facts.entries_of(first)
            if shape is None or shape.rank != 0:
                _fail("np.array of a list of arrays", "an array that is stored into")
        elif facts.rank(first) is None:
            _needs_shapes("np.array")
    elif one.op == "zeros_of":
        shape = facts.entries_of(first) if facts.is_list(first) else None
        if shape is None or not shape.rank:
            _fail("a list of which the ranks are not known", "an array, x[i] = ...")
    elif one.op == "numpy.zeros_like" and facts.rank(first) is None:
        _needs_shapes("np.zeros_like")


def _refuse_key(key: Expr, facts: Facts) -> None:
    """An index of more than one axis, which numba takes for another."""
    is_tuple = isinstance(key, Apply) and key.op == "tuple"
    items = key.args if isinstance(key, Apply) and is_tuple else (key,)
    parts = (one for one in items if not isinstance(one, Const))
    ranks = [
        facts.rank(one) or 0
        for one in parts
        if not (isinstance(one, Apply) and one.op == "slice")
    ]
    if max(ranks, default=0) > 1:
        _fail("an index that is an array of two axes", "np.where(mask, x, y)")
    if sum(map(bool, ranks)) > 1:
        _fail("an index of several arrays", "a loop, A[i[k], j[k]]")


def _needs_shapes(shown: str) -> NoReturn:
    raise GradgenError(
        "GG708",
        f"numba compiles {shown} for arrays of known rank",
        advice='facts of shapes, as in --shape x="n d"',
    )


def _refuse(expr: Expr, facts: Facts) -> None:
    for one in subexpressions(expr):
        if isinstance(one, Apply):
            _refuse_call(one, facts)


def _refuse_call(one: Apply, facts: Facts) -> None:
    op = one.op
    if op.startswith("scipy."):
        _fail(op, "the operations that it is made of, or --target numpy", "GG702")
    if op.startswith("helper.") and op not in HELPERS:
        raise GradgenError(
            "GG708",
            f"the text needs the helper {op[7:]}, which is not written for numba",
            advice='facts of shapes, as in --shape x="n d"',
        )
    if op in WORDS:
        _fail(f"the operation {op}", "arrays instead of lists, or --target numpy")
    if op == "numpy.matmul" and max(facts.rank(arg) or 0 for arg in one.args) > 2:
        _fail("a product of arrays of more than two axes", "a loop over the products")
    if op in ARRAYS:
        _refuse_array(one, facts)
    if op in ("getitem", *STORES) and not facts.is_list(one.args[0]):
        _refuse_key(one.args[1], facts)
    if op == "add_at":
        _fail("np.add.at", "x[k] += v in a loop, or --target numpy")
    if op == "numpy.ndim" and facts.rank(one.args[0]) is None:
        _needs_shapes("np.ndim")
    if op == "numpy.full_like" and facts.rank(one.args[1]) is None:
        _needs_shapes("np.full_like")
    if op == "numpy.full_like" and facts.rank(one.args[1]):
        _fail("np.full_like of an array", "np.zeros_like(a) + v, or --target numpy")
    if op.startswith("math."):
        _fail(op, "the value as an argument, or --target numpy", "GG702")
    if not op.startswith("numpy.") or one.spelling in ("operator", "augmented"):
        return
    shown = "np." + op.removeprefix("numpy.")
    if op in CHEAP | CALLED:
        words: set[str] = set()
    elif op in TAKEN:
        words = TAKEN[op]
    else:
        _fail(shown, "the operations that it is made of, or --target numpy", "GG702")
    for name, _ in one.kwargs:
        if name not in words:
            raise GradgenError(
                "GG703",
                f"numba has no {name}= of {shown} (as of {VERSION})",
                advice=f'facts of shapes, as in --shape x="n d", or {shown} '
                f"without {name}=",
            )


def _fail(what: str, advice: str, code: str = "GG713") -> NoReturn:
    said = "has no" if code == "GG702" else "does not compile"
    raise GradgenError(code, f"numba {said} {what} (as of {VERSION})", advice=advice)
