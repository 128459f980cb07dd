"""Loops over iterators and copies of what the loop's body, or a function in it, changes.

A part goes over y in one way, takes the items in another, and stores into y on the way.
Some ways read y as they go, some copy it first, some keep what they have read.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case
from tests.fuzz.judge import Verdict
from tests.fuzz.profiles import python

PROGRAMS = 12
REFUSED_AT_MOST = 0.8  # most of what changes as it is gone through

HEAD = """
import functools
import itertools
import operator
from collections import deque

import numpy as np


class Steps:
    def __init__(self, values):
        self.values, self.at = values, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.at >= 3:
            raise StopIteration
        self.at += 1
        return self.values[self.at - 1]


class Over:
    def __init__(self, values):
        self.values = values

    def __iter__(self):
        return Steps(self.values)


class Around:
    def __init__(self, values):
        self.values = values

    def __iter__(self):
        return iter(self.values)


def doubled(v):
    for i in range(3):
        v[i] *= 1.25
        yield v[i]


def entries(v):
    for one in v:
        yield one * 0.5
"""

# what is gone over, item by item; <y> is an array or a list of some of its entries
SINGLE = """
<y>; list(<y>); tuple(<y>); [*<y>]; <y>[:]; <y>.copy(); reversed(<y>); sorted(<y>)
iter(<y>); list(reversed(<y>)); reversed(list(<y>)); Steps(<y>); Over(<y>); Around(<y>)
itertools.chain(<y>, <y>); itertools.chain([0.5, x[0]], <y>); itertools.chain(x, <y>)
itertools.chain.from_iterable([<y>, <y>]); itertools.accumulate(<y>)
itertools.accumulate(<y>, f); itertools.accumulate(<y>, initial=0.5)
itertools.accumulate(<y>, lambda a, b: a * 0.5 + b); itertools.accumulate(y[:0])
itertools.islice(<y>, 1, 3); itertools.islice(<y>, 2); itertools.repeat(y[1], 3)
map(g, <y>); (g(v) for v in <y>); [g(v) for v in <y>]; map(g, (1, 2, 3))
(g(v) for v in (1, 2, 3)); filter(g, (1, 2, 3)); map(operator.mul, <y>, x)
itertools.starmap(f, zip(<y>, x)); doubled(y); entries(y); itertools.takewhile(g, <y>)
[v * 2 for v in <y> if v > -9]; deque(<y>); [entry for entry in map(g, <y>)]
"""
# pairs of them
PAIRS = """
enumerate(<y>); enumerate(list(<y>)); list(enumerate(<y>)); zip(<y>, x); zip(x, <y>)
zip(list(<y>), <y>); zip(<y>, <y>[1:]); list(zip(<y>, <y>)); itertools.pairwise(<y>)
itertools.product(<y>, <y>); itertools.product(<y>, repeat=2); itertools.product(x, <y>)
itertools.product([0.5, 2.0], <y>); itertools.combinations(<y>, 2)
itertools.combinations_with_replacement(<y>, 2); itertools.permutations(<y>, 2)
zip(np.arange(7.0), itertools.cycle(<y>)); zip(<y>, itertools.count(1))
zip(map(g, <y>), x); zip(Steps(<y>), x); zip(doubled(y), x); zip(entries(y), <y>)
itertools.zip_longest(<y>, x[:1], fillvalue=0.5); zip(itertools.chain(<y>, x), <y>)
enumerate(map(g, <y>)); enumerate(itertools.accumulate(<y>)); enumerate(entries(y))
"""
CHANGES = """
y[2] = t; y[1] = t * 0.5; y *= 0.9; y[1:] *= 0.8; y[0] += t; y[-1] = x[0]; y = y * 0.9
t = t * 0.5; pass; t += y[0]; y[:] = x * t
"""
TAKEN = """
sum(<s>); sum(g(v) for v in <s>); sum([g(v) * 0.5 for v in <s>]); max(<s>)
float(any(g(v) > 0.2 for v in <s>)); float(all(g(v) < 0.2 for v in <s>)); next(iter(<s>), 0.5)
next(g(v) for v in <s>); float(any(map(g, <s>))); list(<s>)[1]; sum(map(g, <s>))
functools.reduce(f, <s>); len(list(<s>)) * 0.1; next(iter(<s>)); min([g(v) for v in <s>])
float(any(v > 0.2 for v in <s>)); float(all(v > 0 for v in <s>)); sum(v * y[0] for v in <s>)
"""


def _split(text: str) -> list[str]:
    return [one.strip() for one in text.replace("\n", ";").split(";") if one.strip()]


class Writer:
    """Writes one program, at random."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"iterating {seed}")

    def one(self, text: str) -> str:
        return self.rng.choice(_split(text))

    def source(self, text: str) -> str:
        base = "y" if self.rng.random() < 0.75 else "[y[0], y[1], x[2]]"
        return self.one(text).replace("<y>", base)

    def loop(self) -> list[str]:
        rng = self.rng
        target, term, source = "v", "v**2", self.source(SINGLE)
        if rng.random() < 0.4:
            target, term, source = "a, b", "a * b", self.source(PAIRS)
        body = [f"t = t + {term}", self.one(CHANGES)]
        if rng.random() < 0.2:
            body.append("if t > 0.7:")
            body.append(rng.choice(["    break", "    continue"]))
            body.append(self.one(CHANGES))
        lines = [f"for {target} in {source}:", *python.indented(body)]
        if rng.random() < 0.1:
            lines += ["else:", "    t = t * 2.0"]
        return lines

    def taken(self) -> list[str]:
        taken = self.one(TAKEN).replace("<s>", self.source(SINGLE))
        return [f"t = t + {taken}"]

    def text(self) -> str:
        rng = self.rng
        of = rng.choice(["v", "v", "v * y[1]", "v * 0.5 + y[0]"])
        body = [
            "y = x * 1.0",
            "t = 0.0",
            "def g(v):",
            f"    {rng.choice(['pass', 'y[0] *= 1.5', 'y[2] = v * 0.5'])}",
            f"    return {of}",
            "def f(a, b):",
            f"    {rng.choice(['pass', 'y[1:] *= 0.9', 'y[2] = a'])}",
            "    return a * 0.5 + b",
        ]
        for _ in range(rng.choice((1, 1, 2))):
            body += self.loop() if rng.random() < 0.6 else self.taken()
        end = rng.choice(["t", "t + np.sum(y * x)", "t * y[0] + y[2]"])
        lines = python.indented([*body, f"return {end}"])
        return "\n".join([HEAD, "", "def f(x):", *lines, ""])


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed with nothing told."""
    yield from python.verdicts(seed, engine, Writer)
