"""Entries of rows: X[i][j], X[i][1:], X[i][:2, 0], and tables that are lists of rows.

An entry of a row is an entry of the array, and a part of a row is of other axes than the
row's place: X[1][:2, 0] is no X[1][:2][0]. A table is a list of rows of numbers, an array,
or a copy of an argument, and its rows have names of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case
from tests.fuzz.judge import Verdict
from tests.fuzz.profiles.late import first_of, verdicts_on
from tests.fuzz.program import Parameter

PROGRAMS = 12
REFUSED_AT_MOST = 0.3  # rows of lists under names, and maxima of them
X, Y = Parameter("X", ("n", "d")), Parameter("y", ("d",))
TABLES = (
    "T = [[0.0] * len(y) for _ in range(len(X))]",
    "T = [[0.5 for _ in range(len(y))] for _ in range(len(X))]",
    "T = np.zeros(X.shape)",
    "T = X * 1.0",
    "T = np.stack([X, X * y])[1]",
)
STORES = (
    "T[i][j] = X[i][j] * y[j]",
    "T[i][j] += X[i][j] ** 2",
    "T[i][j] = T[i - 1][j] * 0.5 + np.sin(X[i][j])",
    "T[i][j] = T[i][j - 1] * 0.5 + X[i][-1] * y[j]",
    "T[i][j] = T[i][j] * X[i][j] + y[j - 1]",
    "T[i][0] = np.tanh(X[i][j] * y[j])",
    "row = T[i]\nrow[j] = X[i][j] ** 2 * y[0]",
    "if j > 0:\n    T[i][j] = T[i][j - 1] + X[i][j] ** 2",
    "pass",
)
USES = (
    "t += X[i][j] ** 2 * y[j]",
    "t += T[i][j] * X[i][-1]",
    "t = t * 0.5 + np.sin(X[i][j]) * y[j]",
    "t += np.sum(X[i][1:] ** 2) * y[j]",
    "t += np.sum(X[i][:j + 1] * y[:j + 1])",
    "row = X[i]\nt += row[j] * y[j] ** 2",
    "t = t + np.cos(T[i][j] * T[0][j])",
    "t += X[i][j] * X[i - 1][j - 1]",
    "t += np.sum(B[1][i:, j] ** 2) * y[0]",
    "t += B[0][i][j] * B[1][i, j] + np.sum(B[1][i][1:] * B[0][0, 1:])",
)
ENDS = (
    "return t",
    "return t + T[0][1] * T[1][0]",
    "return t + np.sum(np.array(T) ** 2)",
    "return t * np.sum(np.asarray(T)) + X[0][1:] @ y[1:]",
    "return t + np.sum(B[1][:2, 0] * B[0][:2][:, 1]) + B[1][:2][1][0]",
    "return t + len(T) * len(T[0]) * X[-1][-1]",
    "return t + sum(T[1]) * y[0]",
    "return t + np.sum(np.max(T, axis=0) * 0.0 + np.array(T)[1] * y)",
)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    yield from verdicts_on(first_of("rows", seed, (X, Y), _lines), engine)


def _lines(rng: Random) -> Iterator[str]:
    yield from ("t = 0.0", rng.choice(TABLES), "B = np.stack([X, X * 0.5 + y])")
    yield rng.choice(["for i in range(len(X)):", "for i in range(1, len(X)):"])
    yield "    for j in range(len(y)):"
    for forms in rng.choice([(STORES, USES), (USES, STORES), (STORES, USES, USES)]):
        for line in rng.choice(forms).split("\n"):
            yield "        " + line
    yield rng.choice(ENDS)
