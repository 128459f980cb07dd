"""Arrays made like an argument that may be whole are floating all the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Origin, Ref, Stmt, Var
from gradgen.ir.operators import BINARY, COMPARISONS, LIKES, OF_TYPES, UNARY, call
from gradgen.ir.walk import children, lets, rewrite, with_blocks, with_children
from gradgen.ir.walk import with_expressions
from gradgen.rules.load import operations
from gradgen.shapes.complexes import is_complex
from gradgen.shapes.infer import Facts
from gradgen.shapes.perhaps_real import perhaps_real
from gradgen.shapes.wholes import may_be_whole, wholes

# annotations of what is given as a list, and of arrays
SEQUENCES = re.compile(r"\b(list|List|Sequence|tuple|Tuple|Iterable)\b")
OPERATORS = {*BINARY.values(), *UNARY.values(), *COMPARISONS}
ARRAYS = re.compile(r"\W*(NDArray|(np|numpy|npt)\.)")


def floating(function: Function, facts: Facts) -> Function:
    """The function whose gradients lose no fraction where an argument is whole.

        before:  d_x = np.full_like(x, 0.5 * d_out)
                 return d_x
        after:   d_x = np.full_like(x, 0.5 * d_out, dtype=np.result_type(x, 0.0))
                 return d_x

        before:  d_z = np.zeros_like(z)
        after:   d_z = np.zeros_like(z, dtype=np.result_type(z, 0j))

    The second where z is complex by one arm alone. Without a fact x may be an array of integers, or a Python int, and so may what is
    computed of it; `np.result_type(x, 0.0)` is x's own dtype where that is floating.
    A Python number has no attributes either: x.T is np.transpose(x).
    """
    found, real = wholes(function, facts), perhaps_real(function, facts)
    listed = {p.var for p in function.params if p.listed}
    function = with_arrays(function)
    if not found and not listed and not real:
        return function
    sure = facts.complexes - real
    rows = {p.var: _is_mixed(p.annotation) for p in function.params if p.annotation}
    rows |= {p.var: True for p in function.params if p.listed and not p.annotation}
    entries = {p.var for p in function.params if p.by_entries and not p.annotation}
    rows |= dict.fromkeys(entries, True)
    depths = {p.var: p.listed for p in function.params if p.listed}
    for let in lets(function.body) if rows else ():  # r of `for r in rows`
        if let.var not in rows and (whole := _whole(let.value)) in rows:
            rows[let.var] = rows[whole]
            depths[let.var] = depths.get(whole, 0) - 1
    listed |= {var for var, depth in depths.items() if depth > 0}
    for let in lets(function.body) if listed else ():  # inner = K[: len(x)]
        if not let.note.derived and _is_of_rows(let.value, listed):
            listed.add(let.var)
    ranks = ((p, facts.rank(Ref(p.var))) for p in function.params)
    untold = {p.var for p, rank in ranks if rank is None or rank and p.assumed}
    bare = {var for var in untold if var.origin is Origin.PARAM} - listed

    def made(expr: Expr) -> Expr:
        if listed:
            expr = rewrite(expr, lambda one: _of_rows(one, listed))
        if real:
            expr = rewrite(expr, lambda one: _complex(one, facts, sure))
        expr = rewrite(expr, lambda one: _of_numbers(one, facts))
        expr = rewrite(expr, lambda one: _compared(one, bare))
        return _floats(expr, found, rows)

    body = tuple(_changed(stmt, made) for stmt in function.body)
    results = tuple(replace(one, value=made(one.value)) for one in function.results)
    return replace(function, body=body, results=results)


def _complex(expr: Expr, facts: Facts, sure: Set[Var]) -> Expr:
    """np.zeros_like(z, dtype=np.result_type(z, 0j)), where z may be real by its way.

    What is added up there is complex all the same, and made real where z is made.
    """
    if (
        not isinstance(expr, Apply)
        or expr.op not in LIKES
        or "dtype" in dict(expr.kwargs)
    ):
        return expr
    (like, *_) = expr.args
    if not facts.is_complex(like) or is_complex(like, sure):
        return expr
    dtype = call("numpy.result_type", like, Const(0j))
    return replace(expr, kwargs=(*expr.kwargs, ("dtype", dtype)))


def _compared(expr: Expr, bare: Set[Var]) -> Expr:
    """np.asarray(x) > y for x > y, where both are handed over and may be lists.

    All else that is done with a list in the place of an array raises; lists compare.
    """
    if not isinstance(expr, Apply) or expr.op not in COMPARISONS or len(expr.args) != 2:
        return expr
    left, right = expr.args
    both = all(isinstance(arg, Ref) and arg.var in bare for arg in expr.args)
    return replace(expr, args=(call("numpy.asarray", left), right)) if both else expr


def _of_rows(expr: Expr, listed: Set[Var]) -> Expr:
    """2 * np.asarray(x) for 2 * x, where x may be a list of numbers; np.shape(x)."""
    if isinstance(expr, Apply) and expr.spelling.startswith("attribute:"):
        is_of_rows = bool(expr.args) and _is_of_rows(expr.args[0], listed)
        known = is_of_rows and expr.op.startswith("numpy.")
        return replace(expr, spelling="") if known else expr
    if not isinstance(expr, Apply) or expr.op not in OPERATORS:
        return expr
    args = (
        call("numpy.asarray", arg) if _is_of_rows(arg, listed) else arg
        for arg in expr.args
    )
    return replace(expr, args=tuple(args))


def with_arrays(function: Function) -> Function:
    """The function whose gradients compute with no lists that are written out.

    before:  d_p = d_out * np.where([0, 1] == 1, 1 / p, -1 / (1 - p))
    after:   d_p = d_out * np.where(np.asarray([0, 1]) == 1, 1 / p, -1 / (1 - p))

    Lists and shapes that are compared with one another are what they are.
    """

    def made(expr: Expr) -> Expr:
        return rewrite(expr, _of_written)

    body = tuple(_changed(stmt, made) for stmt in function.body)
    if body == function.body:
        return function
    return replace(function, body=body)


def _of_written(expr: Expr) -> Expr:
    if not isinstance(expr, Apply) or expr.op not in OPERATORS:
        return expr
    listed = [getattr(arg, "op", "") in ("list", "tuple") for arg in expr.args]
    others = [arg for arg, is_listed in zip(expr.args, listed) if not is_listed]
    if not any(listed):
        return expr
    # X.shape == (3, 4), and lists that are compared
    plain = bool(others) and all(isinstance(one, Const) for one in others)
    if expr.op in COMPARISONS and not plain:
        return expr
    args = (
        call("numpy.asarray", arg) if is_listed else arg
        for arg, is_listed in zip(expr.args, listed, strict=True)
    )
    return replace(expr, args=tuple(args))


def _is_of_rows(arg: Expr, listed: Set[Var]) -> bool:
    """Whether it is x, or x[1:], of an argument that may be a list."""
    if isinstance(arg, Apply) and arg.op == "getitem":
        arg = arg.args[0] if getattr(arg.args[1], "op", "") == "slice" else arg
    return isinstance(arg, Ref) and arg.var in listed


def _is_mixed(annotation: str) -> bool | None:
    """Whether what is annotated may be an array as well as a list; None for no list."""
    ways = re.sub(r"\bOptional\b", "", annotation).split("|")
    if any(one in annotation for one in ("dict", "Dict", "Mapping", "Callable")):
        return None
    if "ArrayLike" in annotation:
        return True
    arrays = [way for way in ways if ARRAYS.match(way)]
    given = any(SEQUENCES.search(way) for way in ways if way not in arrays)
    return bool(arrays) if given else None


def _changed(stmt: Stmt, made: Callable[[Expr], Expr]) -> Stmt:
    """A statement of the gradient with its arrays floating; one of the primal's as is."""
    if stmt.note.derived:
        stmt = with_expressions(stmt, made)
    return with_blocks(stmt, lambda block: tuple(_changed(one, made) for one in block))


def _of_numbers(expr: Expr, facts: Facts) -> Expr:
    """np.transpose(x) for x.T, where x may be a Python number, which has no .T."""
    if not isinstance(expr, Apply):
        return expr
    if expr.op == "numpy.matmul":  # which takes no numbers
        return replace(expr, args=tuple(map(_as_attribute, expr.args)))
    if expr.spelling != "attribute:T":
        return expr
    turned = expr.args[0]
    if isinstance(turned, Ref):
        shape = facts.shapes.get(turned.var)
        may_be_number = shape is not None and shape.rank is None
    else:
        may_be_number = isinstance(turned, Apply) and turned.op.startswith("helper.")
    return replace(expr, spelling="") if may_be_number else expr


def _as_attribute(expr: Expr) -> Expr:
    is_transpose = isinstance(expr, Apply) and expr.op == "numpy.transpose"
    if not is_transpose or len(expr.args) > 1 or expr.kwargs:
        return expr
    return replace(expr, spelling="attribute:T")


def _floats(expr: Expr, found: Set[Var], rows: Mapping[Var, bool | None]) -> Expr:
    """An expression with floats for what may be whole, but in what is only asked.

    before:  if np.issubdtype(x.dtype, np.integer): d_w = np.zeros_like(x)
    after:   the same test, and np.zeros_like(x, dtype=np.result_type(x, 0.0))
    """
    rule = operations().get(expr.op) if isinstance(expr, Apply) else None
    asks = isinstance(expr, Apply) and expr.op in OF_TYPES
    if asks or rule is not None and rule.kind == "boolean":
        return expr
    old = children(expr)
    new = [_floats(one, found, rows) for one in old]
    if isinstance(expr, Apply) and any(a is not b for a, b in zip(old, new)):
        expr = with_children(expr, new)
    return _made(expr, found, rows)


def _made(expr: Expr, found: Set[Var], rows: Mapping[Var, bool | None]) -> Expr:
    """np.zeros_like(x), x.dtype and np.result_type(x) for floats.

    A list is no dtype: what is annotated as one gets floats.
    """
    if not isinstance(expr, Apply):
        return expr
    if expr.op in LIKES and "dtype" not in dict(expr.kwargs):
        (like, *_) = expr.args
        if may_be_whole(like, found):
            dtype = _result_type(like, rows)
            return replace(expr, kwargs=(*expr.kwargs, ("dtype", dtype)))
    if expr.op in ("dtype", "numpy.result_type") and len(expr.args) == 1:
        if may_be_whole(expr.args[0], found):
            return _result_type(expr.args[0], rows)
    elif expr.op == "numpy.result_type" and may_be_whole(expr, found):
        return replace(expr, args=(*expr.args, Const(0.0)))
    return expr


def _whole(expr: Expr) -> Var | None:
    """The variable that a value is, or is an entry of: rows, of rows[i][0]."""
    while isinstance(expr, Apply) and expr.op in ("getitem", "item"):
        expr = expr.args[0]
    return expr.var if isinstance(expr, Ref) else None


def _result_type(like: Expr, rows: Mapping[Var, bool | None]) -> Expr:
    """np.result_type(x, 0.0), of a list the dtype that its array has, or float."""
    whole = _whole(like)
    mixed = None if whole is None else rows.get(whole)
    if mixed is False:
        return Const(float, "float")
    array = call("numpy.asarray", like) if mixed else like
    return call("numpy.result_type", array, Const(0.0))
