"""A text for an older Python: written so that it runs there, or refused."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import gast

from gradgen.backport.newer import Newer, newer
from gradgen.backport.table import offered
from gradgen.errors import GradgenError, gather
from gradgen.frontend.source.source import Source
from gradgen.lines import lines_of

FUTURE = "from __future__ import annotations"
UNIONS = (3, 10)  # from here on X | Y makes a type
# What to write instead of names that are not another name of something older.
INSTEAD = {
    "cbrt": "np.cbrt(x)",
    "exp2": "2**x",
    "sumprod": "sum(a * b for a, b in zip(x, y))",
    "fma": "x * y + z",
    "strict=": "zip without strict=",
    "correction=": "ddof=",
    "mean=": "np.std without mean=",
    "mT": "np.swapaxes(x, -1, -2)",
    "matrix_transpose": "np.swapaxes(x, -1, -2)",
    "vecdot": "np.sum(x * y, axis=-1)",
    "vector_norm": "np.linalg.norm(x, axis=-1)",
    "matrix_norm": "np.linalg.norm(x, axis=(-2, -1))",
    "svdvals": "np.linalg.svd(x, compute_uv=False)",
    "trapezoid": "np.sum((y[1:] + y[:-1]) / 2 * np.diff(x))",
    "astype": "x.astype(dtype)",
    "cumulative_sum": "np.cumsum(x)",
    "cumulative_prod": "np.cumprod(x)",
    "unstack": "tuple(x)",
    "shape=": "the new shape as the second argument",
    "average": "np.sum(x * w, axis=axis) / np.sum(w)",
    "stable=": 'kind="stable"',
    "upper=": "the conjugate transpose of np.linalg.cholesky(x)",
    "pairwise": "zip(x, x[1:])",
}


def for_python(text: str, python: str, source: Source) -> str:
    """The text so that it runs on a version of Python, with its NumPy, and on later ones.

    before:  def grad_f(x: float | None): ...
    after:   from __future__ import annotations (above it)

    Raises GradgenError for syntax, names and keywords that came later.
    """
    table = offered(python)
    if table.numbers < UNIONS and _has_unions(text):
        text = f"{FUTURE}\n\n{text}"
    try:
        ast.parse(text, feature_version=table.numbers)
    except SyntaxError as error:
        lines = lines_of(text)
        shown = lines[(error.lineno or 1) - 1].strip()
        raise source.error(
            "GG801",
            f"the text has syntax that Python {python} does not have: {shown}",
            advice="older syntax, or a later --python",
        ) from None
    found = newer(text, table)
    if found:
        raise gather([_refused(one, python, source) for one in found])
    return text


def _has_unions(text: str) -> bool:
    """Whether an annotation is a union: float | None."""
    return any(
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)
        for annotation in _annotations(ast.parse(text))
        for node in ast.walk(annotation)
    )


def _annotations(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.annotation is not None:
            yield node.annotation
        elif isinstance(node, ast.FunctionDef) and node.returns is not None:
            yield node.returns


def _refused(one: Newer, python: str, source: Source) -> GradgenError:
    """The refusal of a name or a keyword, at the primal's line that has it."""
    table = offered(python)
    last = one.name.removesuffix("=")
    inside = [
        node
        for node in gast.walk(source.node)
        if last in (getattr(node, name, "") for name in ("attr", "id", "arg"))
    ]
    place = min(inside, key=lambda node: node.lineno) if inside else None
    alias = table.aliases.get(one.name, "") if one.module == "numpy" else ""
    return source.error(
        "GG802",
        f"the text is for Python {python}, and {table.version_of(one.module)} has no "
        f"{one.what}",
        place,
        f"np.{alias}" if alias else INSTEAD.get(one.name, "older names"),
    )
