"""Steps of what is gone through, and calls on what it gives: who takes turns with whom.

A source (a generator, a map, a list, an iterator, an instance with __next__) goes into
what calls a function for each item, or puts the items by. Both may change an array
that both read: the text must do everything in Python's order, or be refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case
from tests.fuzz.judge import Verdict
from tests.fuzz.profiles import python

PROGRAMS = 24
REFUSED_AT_MOST = 0.8  # most programs change what they go through
HEAD = '''import functools
import itertools

import numpy as np


class Steps:
    """Counts to 3."""

    def __init__(self):
        self.i = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.i += 1
        if self.i > 3:
            raise StopIteration
        return self.i * 1.0
'''
SINGLE = """
y; y[:3]; list(y); iter(y); (y[0], y[1], y[2]); [y[0], y[1], y[2]]; reversed(y); named
(g(v) for v in (1.0, 2.0, 3.0)); (h(v) for v in y); map(g, [1.0, 2.0, 3.0]); map(h, y)
itertools.chain(y[:2], [g(1.0)]); [h(1.0), h(2.0), h(3.0)]; reversed([h(1.0), h(2.0)])
filter(lambda v: True, (g(v) for v in (1.0, 2.0))); steps(3); Steps(); sorted((2.0, 1.0))
itertools.islice(y, 3); itertools.islice((g(v) for v in (1.0, 2.0, 3.0)), 2); range(3)
d.values(); [v * y[1] for v in (1.0, 2.0)]; (v * y[1] for v in (1.0, 2.0)); m[:, 0]
"""
PAIRS = """
zip(y, y); enumerate(y); zip([h(1.0), h(2.0)], [h(3.0), h(4.0)]); itertools.pairwise(y)
zip((0, 1), map(g, (1.0, 2.0, 3.0))); enumerate(map(h, y)); zip(steps(2), map(g, y))
"""
TAKEN = """
s = sum(map(k, <s>)); s = sum([k(v) for v in <s>]); s = sum(k(v) for v in <s>)
s = sum(list(map(k, <s>))); s = sum(itertools.accumulate(map(k, <s>), both))
s = functools.reduce(both, map(k, <s>), 0.0); p, q, *_ = map(k, <s>)|s = p + 2 * q
s = 0.0|for v in <s>:|    s = s + k(v); s = k(max(<s>, key=k)); s = min(map(k, <s>)) + y[0]
t = sorted(<s>, key=k)|s = k(t[0]); e = {i: k(v) for i, v in enumerate(<s>)}|s = e[0] + 2 * e[1]
s = sum(map(both, map(k, <s>), map(k, <s>))); t = list(map(k, <s>))|y[1] *= 2.0|s = t[0] + 2 * t[1]
s = y[0]|for i, v in enumerate(<s>):|    s = s + i * k(v)|    y[1] = y[1] * 1.1
it = iter(<s>)|s = k(next(it))|y[0] *= 0.5|s = s + 2 * k(next(it))
e = dict(zip((0, 1), map(k, <s>)))|s = e[0] * 2 + e[1]; t = [1.0]|t += map(k, <s>)|s = t[0] + 2 * t[1]
t = []|t.extend(map(k, <s>))|y[0] *= 2|s = t[0] + 2 * t[1]
t = []|for v in <s>:|    t.append(k(v))|    y[1] *= 0.5|s = t[0] + 2 * t[1]
e = {}|i = 0|for v in <s>:|    e[i] = k(v)|    i += 1|s = e[0] + 3 * e[1]
s = sum(one(v) * y[0] for v in filter(keep, <s>)); s = every(*<s>)
"""
CHANGES = ["pass", "y[0] *= 1.25", "y[1] = y[1] + 0.25", "y[2] *= 0.5"]


def _split(text: str) -> list[str]:
    return [one.strip() for one in text.replace("\n", ";").split(";") if one.strip()]


class Writer:
    """Writes one program, at random."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"turns {seed}")

    def text(self) -> str:
        rng = self.rng
        pairs = rng.random() < 0.2
        source = rng.choice(_split(PAIRS if pairs else SINGLE))
        one = "v[0] + 2.0 * v[1]" if pairs else "v"
        taken = rng.choice(_split(TAKEN)).replace("<s>", source)
        change = rng.choice(CHANGES)
        body = [
            "y = x * 1.0",
            "m = np.outer(y, y)",
            'd = {"a": y[0] * 1.0, "b": y[1] * 2.0}',
            "named = [y[0] * 1.0, y[1], y[2]]",
            "def g(v):",
            f"    {rng.choice(CHANGES)}",
            "    return v * 0.5 + y[0]",
            "def h(v):",
            "    return v * y[0] + y[1]",
            "def steps(n):",
            "    for i in range(n):",
            "        yield g(i * 1.0)",
            "def one(v):",
            f"    return {one}",
            "def k(v):",
            f"    {change}",
            "    return one(v) * 1.5 + y[0] * y[1]",
            "def both(a, b):",
            f"    {rng.choice(['pass', change])}",
            "    return a * 1.5 + b * y[0]",
            "def keep(v):",
            f"    {change}",
            "    return True",
            "def every(*parts):",
            "    t = 0.0",
            "    for part in parts:",
            "        t = t + one(part) * y[0]",
            f"        {change}",
            "    return t",
            *taken.replace("    ", "\t").split("|"),
            "return s * 1.0 + y[1] * 0.5",
        ]
        lines = python.indented([line.replace("\t", "    ") for line in body])
        return "\n".join([HEAD, "", "def f(x):", *lines, ""])


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed with nothing told."""
    yield from python.verdicts(seed, engine, Writer)
