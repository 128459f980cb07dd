"""Arrays that loops fill entry by entry, in every order, and read before or after.

One array of one axis or two, loops of one or two indices (from the front, from the
back, in steps, triangular), stores at the index and at steps from it, some of them
twice, some in branches; reads of entries, rows and parts that later stores change or
leave alone. What a way back may read of the finished array is decided there.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from tests.fuzz.case import Case, Truth
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.program import SAMPLES, Parameter, Program

PROGRAMS = 12
REFUSED_AT_MOST = 0.03
LARGEST = 1e3
X, W = Parameter("x", ("n",)), Parameter("w", ("n", "n"))


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = generate(seed)
    truth = Truth(program)
    told = {"x": "n", "w": "n n"}
    for level, shapes in (("all", told), ("none", {})):
        case = Case(program, shapes, ("x", "w"), level=level)
        yield case, examine(case, engine, truth, companions=False)


def generate(seed: int) -> Program:
    """The first program of this seed that runs at all sizes."""
    rng = Random(f"filled {seed}")
    while True:
        lines = vector(rng) if rng.random() < 0.5 else matrix(rng)
        program = Program((X, W), tuple(lines), seed)
        if program.fits() and all(
            is_small(program.function(*program.arguments(k))) for k in SAMPLES
        ):
            return program


def is_small(value) -> bool:
    """Whether differences can measure a program of this value."""
    return bool(np.all(np.abs(value) < LARGEST))


def value(rng: Random, read: str, index: str) -> str:
    """Something of what is read that needs its value on the way back."""
    other = rng.choice([f"x[{index} % len(x)]", f"w[{index} % len(x), 0]", "0.3"])
    return rng.choice(
        [
            f"np.tanh({read}) + {other}",
            f"{other} * {read} * {read}",
            f"{other} / (2 + {read} ** 2)",
            f"np.sin({read}) * {other}",
        ]
    )


def rounds(rng: Random, stop: str = "n") -> str:
    return rng.choice(
        [
            f"range(1, {stop})",
            f"range(1, {stop})",
            f"range({stop})",
            f"range({stop} - 1, 0, -1)",
            f"reversed(range(1, {stop}))",
            f"range(0, {stop}, 2)",
        ]
    )


def vector(rng: Random) -> list[str]:
    keys = ["t", "t", "t - 1", "t + 1", "t + 2", "n - t", "0", "-1", "t // 2", "2 * t"]
    parts = [":t", "t:", "t + 1:", ":t + 1", "t - 1:t + 1", ":-1", ":"]
    start = rng.choice(["np.zeros(2 * n + 3)", "np.ones(2 * n + 3) * x[0]"])
    lines = ["n = len(x)", f"s = {start}", f"for t in {rounds(rng)}:"]
    inner = []
    for k in range(rng.choice((1, 1, 2))):
        read = f"s[{rng.choice(keys)}]"
        if rng.random() < 0.3:
            read = f"np.sum(s[{rng.choice(parts)}] ** 2)"
        if rng.random() < 0.5:
            inner.append(f"r{k} = {read}")
            read = f"r{k}"
        found = value(rng, read, "t")
        if rng.random() < 0.4:
            inner.append(f"v{k} = {found}")
            found = f"v{k} * v{k}" if rng.random() < 0.3 else f"v{k}"
        store = f"s[{rng.choice(keys)}] = {found}"
        if rng.random() < 0.3:
            test = rng.choice(["t % 2 == 0", "t == n - 1", "x[t] > 0", "t != 1"])
            inner += [f"if {test}:", f"    {store}"]
            if rng.random() < 0.6:
                again = value(rng, f"s[{rng.choice(keys)}]", "t")
                inner += ["else:", f"    s[{rng.choice(keys)}] = {again}"]
        else:
            inner.append(store)
    lines += [f"    {line}" for line in inner]
    if rng.random() < 0.3:
        lines += ["s[1] = s[2] * s[1]"]
    return [*lines, "return np.sum(s * s * np.arange(1, len(s) + 1))"]


def matrix(rng: Random) -> list[str]:
    keys = "i, j|i, j|j, i|i - 1, j|i, j - 1|i + 1, j|j, j|i, i|i, 0|i, j + 1".split(
        "|"
    )
    parts = ["i, :j", "j, :j", ":i, j", "i, :", ":, j", "i, j:", "i, :j + 1", "j, :i"]
    inside = rng.choice(["range(i)", "range(i + 1)", "range(i, n)", rounds(rng)])
    lines = ["n = len(x)", "s = np.ones((n + 2, n + 2)) * 0.5"]
    lines += [f"for i in {rounds(rng)}:", f"    for j in {inside}:"]
    inner = []
    if rng.random() < 0.6:
        one, other = rng.choice(parts), rng.choice(parts)
        inner.append(f"a = np.sum(s[{one}] ** 2) + w[i % n, j % n]")
        inner.append(f"b = np.sum(np.sin(s[{other}]))")
        read = "a * b"
    else:
        read = f"s[{rng.choice(keys)}]"
    store = f"s[{rng.choice(keys)}] = {value(rng, read, 'j')}"
    if rng.random() < 0.5:
        test = rng.choice(["i == j", "i != j", "j % 2 == 0", "x[i % n] > 0"])
        again = value(rng, f"s[{rng.choice(keys)}]", "i")
        inner += [f"if {test}:", f"    {store}"]
        inner += ["else:", f"    s[{rng.choice(keys)}] = {again}"]
    else:
        inner.append(store)
    lines += [f"        {line}" for line in inner]
    if rng.random() < 0.3:
        after = value(rng, f"s[{rng.choice(['i, 0', 'i, i', 'i - 1, 1'])}]", "i")
        lines.append(f"    s[i, {rng.choice('01')}] = {after}")
    return [*lines, "return np.sum(s * s)"]
