"""Products of matrices whose result and argument both go on, with shifts and scales.

Recursions in logarithms that take a maximum off and add it again, vectors that are
scaled to a sum of 1, quotients by a norm: what comes back through a product is summed
against what went into it, so that terms may cancel, and must not where they do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case
from tests.fuzz.facts import facts
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.program import Parameter, Program

PROGRAMS = 10
REFUSED_AT_MOST = 0.02
SHIFTS = "np.max(a) np.mean(a) a[0] np.min(a) np.sum(a) 0.5*np.max(a) c".split()
INTO = "np.exp(a - s)", "np.exp(a) - s", "(a - s)", "np.exp(a) / s", "np.tanh(a * s)"
OUT = (
    "s + np.log(p * p + {e})",
    "s * p",
    "p / s",
    "np.log(p * p + 0.3) - s",
    "s - p",
    "p / np.sum(p * p + 1)",
    "s + p * np.sum(u)",
)
PRODUCT = "u @ W", "W @ u", "np.dot(u, W)", "W.T @ u", "u @ W.T", "np.matmul(W, u)"
ROWS = "np.max(a, axis=-1, keepdims=True)", "np.mean(a, axis=1, keepdims=True)", "c"
RESULTS = "np.sum(a)", "np.sum(np.sin(a))", "s + np.log(np.sum(np.exp(a - s)))", "s * a"
EXPONENTIALS = ("np.log(np.exp(a - s) @ W)", "np.log(W @ np.exp(a - s))")


def program(seed: int) -> Program:
    rng = Random(f"products {seed}")
    rows = rng.random() < 0.3
    shift = rng.choice(ROWS if rows and rng.random() < 0.7 else SHIFTS)
    product = rng.choice([p for p in PRODUCT if not rows or p[0] == "u"][:3])
    if not rows:
        product = rng.choice(PRODUCT)
    if rng.random() < 0.7:  # the recursion itself
        back = EXPONENTIALS[0 if rows else rng.randrange(2)]
        sign = rng.choice(("s + ", "s + ", "0.5 * s + ", "", "2 * s - "))
        step = [f"s = {shift}", f"a = {sign}{back}"]
    else:
        out = rng.choice(OUT).format(e=rng.choice(("0.5", "c * c")))
        step = [
            f"s = {shift}",
            f"u = {rng.choice(INTO)}",
            f"p = {product}",
            f"a = {out}",
        ]
        if rng.random() < 0.5:
            into = step[1].removeprefix("u = ")
            step[1:3] = ["p = " + re.sub(r"\bu\b", f"({into})", product)]
            step[-1] = step[-1].replace("np.sum(u)", "np.sum(p)")
    if rng.random() < 0.3:
        step.append(f"a = a + 0.3 * x{rng.choice(('', ' * c'))}")
    if rng.random() < 0.6:
        step = ["for t in range(2):", *(f"    {line}" for line in step)]
    result = rng.choice(RESULTS)
    body = ("a = x + 0.1", "s = c", *step, f"return np.sum({result})")
    x = Parameter("x", ("m", "n") if rows else ("n",), low=0.3, high=0.9, signed=False)
    W = Parameter("W", ("n", "n"), low=0.2, high=0.8, signed=False)
    c = Parameter("c", (), low=0.5, high=1.5, signed=False)
    return Program((x, W, c), body, seed)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    rng = Random(f"products of {seed}")
    made, level = program(seed), rng.choice(("none", "full", "full"))
    told = facts(made, level)
    case = Case(made, told, rng.choice("xWc"), level=level)
    yield case, examine(case, engine, companions=False)
