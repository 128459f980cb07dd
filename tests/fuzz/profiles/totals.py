"""Totals: what the gradient may write shorter, in forms where it may and may not.

Losses that loops add up (whose gradient goes once through the loop where no round reads
what another one has left), losses by pieces, normalised arrays, sums of products of two
vectors and quotients. A program takes a few statements of each sort at random; states,
buffers, stores and what is read after the loop stand between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.program import Parameter, Program

PROGRAMS = 4
REFUSED_AT_MOST = 0.02
# statements before the loop; y is an array like x, c is a vector like w
BEFORE = """y = np.sin(x) + 0.2
y = x - np.mean(x, axis=0)
y = x / np.sqrt(np.mean(x * x, axis=1, keepdims=True) + 1)
y = (x - np.mean(x, axis=1, keepdims=True)) / (1 + np.std(x + 0.1 * w))
y = np.where(x > 0.013, 0.5 * x * x, 0.3 * x * w)
y = np.maximum(0.4 * x, -0.3 * x) + w
y = x.copy()"""
CARRIED = ["", "", "", "s = 1.0", "row = 1.0 * w", "work = 1.0 * y", "last = 0.3 * w"]
OVER = ["range(len(y))", "range(len(y) - 1, -1, -1)", "range(1, len(y))"]
OVER += ["range(0, len(y), 2)"]
# the statements of a round; g is a vector of it, a a number
ROUND = """g = y[i] - w
g = y[i] * c
g = y[i] - y[i - 1]
g = np.tanh(y[i]) + c
g = y[i] / (1 + c @ c)
g = np.where(y[i] > 0.017, y[i] * c, y[i] * w)"""
NUMBER = """a = g @ g
a = np.sum(g * c) / (2 + g @ g)
a = np.sqrt(np.sum(g**2) + 0.5)
a = np.exp(-(g @ g)) * (1 - w[0])
a = (1 / (1 + np.sum(g * g))) ** 2
a = np.mean(g) * np.sum(g)"""
STATE = {
    "s = 1.0": ["s = 0.5 * s + 0.1 * a", "s = 0.7 * s + 0.1", "a = a * s"],
    "row = 1.0 * w": ["row = 0.5 * row + g", "a = a + row @ g", "row = 0.9 * row"],
    "work = 1.0 * y": ["work[i] = 0.5 * g", "a = a + np.sum(work[i] * g)"],
    "last = 0.3 * w": ["a = a * np.sum(last * g)\nlast = g", "g, last = last, g"],
}
ADDED = [
    "total += a",
    "total -= 0.3 * a * a",
    "total = total + a / (1 + a * a)",
    "other += a * w[1]\ntotal += np.cos(a)",
    "part[i] = a",
]
INNER = [
    "for j in range(i):\n    d = g - y[j]\n    total += np.exp(-0.5 * (d @ d))",
    "for j in range(2):\n    total += np.sum(g * c) ** 2 / (1 + j)",
    "for j in range(len(w)):\n    if j == 1:\n        continue\n    total += a * g[j]",
]
AFTER = ["return total", "return total", "return total + other", "return np.sin(total)"]
AFTER += ["return total + np.sum(part**2)", "y *= 2\nreturn total + np.sum(y)"]
AFTER += [
    "return total / len(y)",
    "return other - total",
    "return total + np.mean(y * y)",
]


def statements(rng: Random) -> list[str]:
    """The statements of a program."""
    lines = [rng.choice(BEFORE.split("\n")), "c = np.cos(w)", "total = other = 0.0"]
    lines.append("part = np.zeros(len(y))")
    carried = rng.choice(CARRIED)
    lines += [carried] if carried else []
    body = [rng.choice(ROUND.split("\n")), rng.choice(NUMBER.split("\n"))]
    for _ in range(rng.choice((1, 2)) if carried else 0):
        body += rng.choice(STATE[carried]).split("\n")
    inner = rng.choice(("", "", *INNER))
    body += inner.split("\n") if inner else []
    for _ in range(rng.choice((1, 1, 2))):
        body += rng.choice(ADDED).split("\n")
    if rng.random() < 0.15:
        body = [body[0], "if i == 2:", "    continue", *body[1:]]
    loop = [f"for i in {rng.choice(OVER)}:", *(f"    {line}" for line in body)]
    return [*lines, *loop, *rng.choice(AFTER).split("\n")]


def program(seed: int) -> Program:
    rng = Random(f"totals {seed}")
    text = statements(rng)
    params = (Parameter("x", ("n", "m")), Parameter("w", ("m",)))
    sizes = {"n": 4, "m": 3}, {"n": 2, "m": 2}
    return Program(params, tuple(text), seed, "f", sizes)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    made = program(seed)
    told = {"x": "n m", "w": "m"} if seed % 2 else {}
    for name in ("x", "w"):
        case = Case(made, told, name, level="full" if told else "none")
        yield case, examine(case, engine, companions=seed % 3 == 0)
