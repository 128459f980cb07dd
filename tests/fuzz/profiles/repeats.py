"""Parts that are written twice: equal expressions, and what happens between them.

A few parts are drawn for each program, and every statement is made of them, so that
equal ones stand in one line, in several, in rounds and in arms. Between them names
get other values, arrays change in place, parts are viewed and viewed parts change,
so that what is written alike may be another value.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.program import Parameter, Program

PROGRAMS = 3
REFUSED_AT_MOST = 0.1
PARTS = (
    "(x - np.mean(x))",
    "(a - np.mean(x))",
    "np.exp(a - a.max())",
    "np.sum(np.exp(a - a.max()))",
    "(a * y)",
    "np.sum(a * y)",
    "np.sqrt(1 + a**2)",
    "np.tanh(a + y)",
    "(x[1:] - x[:-1])[0]",
    "np.linalg.norm(a)",
    "(a @ y)",
    "np.mean((a - np.mean(a)) ** 2)",
    "a[0]",
    "np.roll(x * a, 1)",
    "(1 - a)",
)
USES = (
    "{p} * {q}",
    "{p} / (2 + {p} ** 2)",
    "{p} + {q}",
    "{p} * np.cos({p})",
    "({p} - {q}) * {p}",
    "np.where({p} > 0.0137, {p}, {q})",
)
BETWEEN = (
    "a = a + 0.3 * y",
    "a += 0.2 * x",
    "a[0] = 0.5 * y[1]",
    "a[1:] *= 0.7",
    "v = a[1:]\nv += 0.1",
    "w = np.asarray({p} + 0 * y)\nw[0] = 0.3\ntotal = total + np.sum(w * y)",
    "w = {p} + 0 * y\nw[1:] *= y[1:]\ntotal = total + np.sum(w)",
    "mean = np.mean(x)\ntotal = total + mean\nmean = 2 * mean",
    "kept = [{p}]\ntotal = total + np.sum(kept[0] * {p})",
)


def _statements(rng: Random, parts: list[str], depth: int) -> list[str]:
    lines: list[str] = []
    for _ in range(rng.randint(2, 4 - depth)):
        p, q = rng.choice(parts), rng.choice(parts)
        kind = rng.random()
        if kind < 0.2 and depth < 2:
            head = rng.choice(
                ["for i in range(2):", "if np.sum(a) > 0.0137:", "for j in range(3):"]
            )
            inner = _statements(rng, parts, depth + 1)
            lines += [head, *(f"    {line}" for line in inner)]
        elif kind < 0.55:
            lines += rng.choice(BETWEEN).format(p=p).split("\n")
        else:
            used = rng.choice(USES).format(p=p, q=q)
            lines.append(f"total = total + np.sum({used} * y)")
    return lines


def program(seed: int) -> Program:
    rng = Random(f"repeats {seed}")
    parts = rng.sample(PARTS, rng.randint(2, 3))
    body = _statements(rng, parts, 0)
    last = rng.choice(USES).format(p=parts[0], q=parts[1])
    start = rng.choice(["x * 1.0", "np.sin(x)", "x.copy()"])
    lines = (f"a = {start}", "total = 0.0", *body, f"return total + np.sum({last})")
    params = (Parameter("x", ("n",)), Parameter("y", ("n",)))
    return Program(params, lines, seed, "f", ({"n": 4}, {"n": 3}))


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    made = program(seed)
    if not made.fits():
        return
    told = {p.name: p.fact for p in made.params} if seed % 2 else {}
    case = Case(made, told, ("x", "y"), level="half")
    yield case, examine(case, engine, companions=seed % 5 == 0)
