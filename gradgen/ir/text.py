"""IR as plain text, for tests, errors and the explanation of passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
)
from gradgen.ir.operators import BINARY, COMPARE, UNARY

_SIGNS = {
    "Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "Pow": "**", "Mod": "%",
    "FloorDiv": "//", "MatMult": "@", "BitAnd": "&", "BitOr": "|", "BitXor": "^",
    "LShift": "<<", "RShift": ">>",
    "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Eq": "==", "NotEq": "!=",
    "USub": "-", "UAdd": "+", "Invert": "~",
}  # fmt: skip
INDENT = "    "
_BY_OP = {
    op: _SIGNS[name] for table in (BINARY, COMPARE, UNARY) for name, op in table.items()
}


def show(expr: Expr) -> str:
    """An expression as text, every operation in brackets."""
    if isinstance(expr, Ref):
        return expr.var.name
    if isinstance(expr, Const):
        return expr.text or repr(expr.value)
    assert isinstance(expr, Apply)
    args = [show(arg) for arg in expr.args]
    if expr.op in _BY_OP and expr.spelling in ("operator", ""):
        sign = _BY_OP[expr.op]
        return f"({sign}{args[0]})" if len(args) == 1 else f"({f' {sign} '.join(args)})"
    keywords = [f"{name}={show(value)}" for name, value in expr.kwargs]
    return f"{expr.op.removeprefix('numpy.')}({', '.join(args + keywords)})"


def listing(function: Function) -> str:
    """A function's statements and results, a line each.

    A loop names what it carries, a branch what leaves it:

        for i in range(n), h = h0:       if test:
            h_1 = tanh(h)                    y_1 = x
            next h = h_1                 else:
                                             y_2 = (-x)
                                         y = y_1 or y_2
    """
    results = [show(value) for value in function.values]
    results += [show(result.value) for result in function.results]
    return "\n".join([*_block(function.body, ""), "return " + ", ".join(results)])


def _block(body: Iterable[Stmt], indent: str) -> Iterator[str]:
    for stmt in body:
        if isinstance(stmt, Let):
            yield f"{indent}{stmt.var.name} = {show(stmt.value)}"
        elif isinstance(stmt, Effect):
            yield f"{indent}{show(stmt.value)}"
        elif isinstance(stmt, Branch):
            yield f"{indent}if {show(stmt.test)}:"
            yield from _block(stmt.then, indent + INDENT)
            yield f"{indent}else:"
            yield from _block(stmt.orelse, indent + INDENT)
            for merge in stmt.merges:
                then, orelse = show(merge.then), show(merge.orelse)
                yield f"{indent}{merge.var.name} = {then} or {orelse}"
        elif isinstance(stmt, Loop):
            yield from _loop(stmt, indent)


def _loop(loop: Loop, indent: str) -> Iterator[str]:
    over = "rounds" if loop.over is None else show(loop.over)
    head = [f"for {loop.index.name} in {over}"]
    head += [f"while {show(loop.test)}"] if loop.test is not None else []
    head += [f"{slot.inner.name} = {show(slot.entry)}" for slot in loop.carried]
    yield indent + ", ".join(head) + ":"
    inside = indent + INDENT
    yield from _block(loop.body, inside)
    for slot in loop.carried:
        yield f"{inside}next {slot.inner.name} = {show(slot.next)}"
    if loop.until is not None:
        yield f"{inside}until {show(loop.until)}"
