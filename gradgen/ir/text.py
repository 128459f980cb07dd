"""IR as plain text, for tests, errors and the explanation of passes."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Const, Expr, Function, Ref
from gradgen.ir.operators import BINARY, COMPARE, UNARY

_SIGNS = {
    "Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "Pow": "**", "Mod": "%",
    "FloorDiv": "//", "MatMult": "@", "BitAnd": "&", "BitOr": "|", "BitXor": "^",
    "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Eq": "==", "NotEq": "!=",
    "USub": "-", "UAdd": "+", "Invert": "~",
}  # fmt: skip
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
    """A function's statements and results, a line each."""
    lines = [f"{let.var.name} = {show(let.value)}" for let in function.body]
    results = [show(value) for value in function.values]
    results += [show(result.value) for result in function.results]
    return "\n".join([*lines, "return " + ", ".join(results)])
