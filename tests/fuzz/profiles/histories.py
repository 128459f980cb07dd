"""What loops put by as people write it: tuples, rows, copies, and how it is read.

Lists of tuples that are gone over, counted, reversed, taken apart and popped; rows of
an array that a loop fills; views of vectors in another shape that are stored into.
Nothing that a list holds changes behind its back, so that next to none is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case, Truth, case_of
from tests.fuzz.imperative import Imperative, is_fit
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.program import Parameter

PROGRAMS = 12
REFUSED_AT_MOST = 0.25  # without facts reshape may copy
SIZES = ({"n": 4, "m": 3}, {"n": 5, "m": 4})
STEPS = [
    "h = np.tanh(h * y)",
    "h = h * 0.5 + x",
    "h = np.sin(h) * y",
    "h = h.copy()\nh[{i}] = y[0] * h[1]",
    "h = 0.9 * h\nh += 0.1 * x",
    "z = h * y\nh = np.tanh(z)",
    "h = np.maximum(h, 0.1 * x)",
    "h = np.where(h > y, h * 0.5, y)",
    "u = h * y\nu.reshape(-1)[0] = x[1]\nh = u",
    "u = 0.5 * h\nw = u.reshape(1, -1)\nw[0] = w[0] * 2.0\nh = u",
    "u = np.outer(h, y)\nw = u.ravel()\nw[1] = x[0]\nh = u[0] * 0.5",
]
PARTS = [
    "h",
    "c",
    "np.sum(h)",
    "h * 0.5",
    "h.copy()",
    "{i}",
    "h[1:]",
    "h[0]",
    "1.0",
    "h - y",
    "np.sum(h * y)",
]
# of pairs: how they are put by, and how read
PUT = ["hist.append(({a}, {b}))"] * 4 + [
    "if {i} > 0:\n    hist.append(({a}, {b}))",
    "hist += [({a}, {b})]",
    "pair = {a}\nhist.append((pair, {b}))",
]
READ = [
    "total = 0.0\nfor p, q in hist:\n    total += np.sum(p * q)",
    "total = sum(np.sum(p) * np.sum(q) for p, q in hist)",
    "total = np.sum([np.sum(p) + np.sum(q * q) for p, q in hist])",
    "total = 0.0\nfor k, (p, q) in enumerate(hist):\n    total += k * np.sum(p) + np.sum(q)",
    "total = 1.0\nfor p, q in reversed(hist):\n    total = total * 0.5 + np.sum(p) * np.sum(q)",
    "p, q = hist[-1]\ntotal = np.sum(p) * np.sum(q)",
    "total = np.sum(hist[0][0]) + len(hist) * np.sum(hist[-1][1])",
    "total = 0.0\nfor one in hist:\n    total += np.sum(one[0]) * np.sum(one[1])",
    "total = 0.0\nfor k in range(len(hist)):\n    total += np.sum(hist[k][0] * hist[k][1])",
    "total = 0.0\nwhile len(hist) > 0:\n    p, q = hist.pop()\n    total = total * 0.5 + np.sum(p * q)",
    "total = sum(np.sum(p) for p, _ in hist[1:]) + np.sum(hist[0][1])",
    "total = sum(np.sum(p * a) for (p, q), a in zip(hist, x))",
]


def program(rng: Random, seed: int) -> Imperative:
    """A loop that puts pairs by, or rows."""
    index = rng.choice(["i", "k_", "t"])
    body = rng.choice(STEPS).splitlines()
    a, b = rng.choice(PARTS), rng.choice(PARTS)
    put = rng.choice(PUT).replace("{a}", a).replace("{b}", b).splitlines()
    body = [*put, *body] if rng.random() < 0.5 else [*body, *put]
    start = rng.choice(["hist = []"] * 3 + ["hist = [(0.5 * x, y)]"])
    head = rng.choice(
        ["for {i} in range(3):"] * 3
        + ["for {i} in range(len(x)):", "for {i}, e in enumerate(x):"]
    )
    lines = ["h = x * 1.0", "c = np.sum(y)", start, head]
    lines += [f"    {line}" for line in body]
    lines += rng.choice(READ).splitlines()
    lines.append(f"return total{rng.choice(['', ' + np.sum(h * y)', ' * c'])}")
    text = "\n".join(lines).replace("{i}", index)
    params = (Parameter("x", ("n",)), Parameter("y", ("n",)))
    return Imperative(params, tuple(text.splitlines()), seed, "program", SIZES)


def fitting(seed: int) -> Imperative:
    """The program of this seed: one that runs with finite results."""
    rng = Random(f"histories {seed}")
    while True:
        try:
            found = program(rng, seed)
            if is_fit(found):
                return found
        except (SyntaxError, ValueError, IndexError, KeyError, TypeError):
            continue  # no program: another draw follows


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed, with all facts and with none."""
    found = fitting(seed)
    truth = Truth(found)
    for level in ("full", "none"):
        case = case_of(found, level)
        case = Case(found, case.shapes, case.wrt, level=level)
        yield case, examine(case, engine, truth, companions=seed % 4 == 0)
