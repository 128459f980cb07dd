"""Products of matrices of one row or one column, and of sums that keep their axis.

What flows back to one is the same along an axis, of length 1 or not, or a number: it
must not be summed along the wrong one, nor lack one that a product needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case
from tests.fuzz.facts import facts
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.program import Parameter, Program

PROGRAMS = 15
REFUSED_AT_MOST = 0.02
DEPTH = 2
# by rows and columns: n or 1
MATRICES = {
    "nn": ("S", "S.T", "np.sin(S)", "np.diag(y)", "np.outer(y, np.sum(S, axis=0))"),
    "1n": (
        "y[None]",
        "np.atleast_2d(y)",
        "S[:1]",
        "y[:, None].T",
        "np.sum(S, axis=0, keepdims=True)",
        "np.max(S, axis=0, keepdims=True)",
    ),
    "n1": (
        "y[:, None]",
        "y[None].T",
        "S[:, :1]",
        "np.reshape(y, (-1, 1))",
        "np.mean(S, axis=1, keepdims=True)",
    ),
    "11": ("np.sum(S, keepdims=True)", "y[:1, None]", "y[None, :1]"),
}
PRODUCTS = ("({} @ {})",) * 3 + ("np.einsum('ij,jk->ik', {}, {})", "np.dot({}, {})")
RESULTS = (
    "np.sum({})",
    "np.mean({})",
    "np.sum({} ** 2)",
    "np.sum(np.sum({}, axis=1) * 2.0)",
    "np.sum(np.sum({}, axis=0) ** 2)",
    "np.sum(np.mean({}, axis=1, keepdims=True) * y)",
    "np.sum(np.mean({}, axis=0, keepdims=True) * y[:, None])",
)


def matrix(rng: Random, rows: str, columns: str, depth: int = 0) -> str:
    """An expression of n rows or one, and n columns or one."""

    def part(r: str, c: str) -> str:
        return matrix(rng, r, c, depth + 1)

    simple = MATRICES[rows + columns]
    if depth == DEPTH or rng.random() < 0.4:
        return rng.choice(simple)
    form = rng.random()
    if form < 0.55:
        inner = rng.choice("nn1")
        return rng.choice(PRODUCTS).format(part(rows, inner), part(inner, columns))
    if form < 0.7:
        first = part(rng.choice((rows, "1")), rng.choice((columns, "1")))
        return f"({first} {rng.choice('*+')} {part(rows, columns)})"
    if columns == "1" and form < 0.9:
        return f"np.mean({part(rows, 'n')}, axis=1, keepdims=True)"
    if rows == "1":
        return f"np.sum({part('n', columns)}, axis=0, keepdims=True)"
    if columns == "1":
        return f"np.sum({part(rows, 'n')}, axis=1)[:, None]"
    return f"np.outer({part('n', '1')}, y)"


def program(seed: int) -> Program:
    rng = Random(f"thin {seed}")
    inside = matrix(rng, rng.choice("nn1"), rng.choice("nn1"))
    line = f"return {rng.choice(RESULTS).format(inside)} + 0.1 * np.sum(S) * y[0]"
    S = Parameter("S", ("n", "n"), low=0.3, high=1.2)
    y = Parameter("y", ("n",), low=0.3, high=1.2)
    return Program((S, y), (line,), seed)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    made = program(seed)
    told = facts(made, "full")
    case = Case(made, told, Random(f"thin of {seed}").choice("Sy"), level="full")
    yield case, examine(case, engine, companions=False)
