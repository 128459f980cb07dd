"""Stores into the same few entries of two arrays, before, in and after loops.

Each line adds to places that another has stored, read or taken a view of: entries,
slices, places named twice, arrays that change their names. What a pass takes for the
only store to a place, or for zeros, meets others here.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from random import Random

import numpy as np

from tests.fuzz.case import Case
from tests.fuzz.clauses import indented
from tests.fuzz.judge import Verdict, noted
from tests.fuzz.profiles.python import Written
from tests.fuzz.profiles.unset import judged
from tests.fuzz.program import Parameter

PROGRAMS = 16
REFUSED_AT_MOST = 0.1

# keys, by how many of three entries they name: one, which is a number, or several
KEYS = {
    1: ["0", "1", "-1", "2", "m - 1"],
    2: ["1:", ":2", "::2", "[0, 2]", "[1, 1]", ":-1", "k"],
    3: [":", "::-1", "...", "[0, 2, 0]"],
}
IN_LOOPS = ["i", "i - 1", "2 - i"]
HEADS = ["range(2)", "range(1, 3)", "range(2, 0, -1)", "reversed(range(3))", "range(m)"]
TESTS = ["s > 0.1", "c[0] > 0.2", "t < 0.5", "m > 1"]
WHOLE = "c * 1.0; d + c; c * d; np.sin(c); d[::-1].copy(); np.roll(c, 1); d.copy()"
ENDS = """
np.sum(c * d) + s
np.sum(c) + t * s
np.sum(c[1:] * d[:-1]) + s * t
c[0] + 2 * d[1] + s
np.sum(c ** 2) + np.sum(d) * t
np.sum(c) * 1.5 + s
""".strip().splitlines()


class Writer:
    """Writes one program, at random."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"cells {seed}")
        self.loops = 0

    def key(self, size: int) -> str:
        keys = KEYS[size] + (IN_LOOPS if self.loops and size == 1 else [])
        return self.rng.choice(keys)

    def atom(self, size: int) -> str:
        return f"{self.rng.choice('cccdx')}[{self.key(size)}]"

    def value(self, size: int, depth: int = 2) -> str:
        """An expression of so many entries."""
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            return self.atom(size)
        inner = self.value(size, depth - 1)
        return rng.choice(
            [
                f"{inner} * {rng.choice(['0.5', '2', 's', '-1.5'])}",
                f"({inner} {rng.choice('+-')} {self.value(size, depth - 1)})",
                f"{inner} * {self.atom(1)}",
                f"np.sin({inner})",
                f"(-{self.atom(size)})",
            ]
        )

    def line(self, depth: int) -> list[str]:
        """A store, a number, a view, an array by another name, a loop or a branch."""
        rng = self.rng
        array, size = rng.choice("ccd"), rng.choice((1, 1, 1, 2, 2, 3))
        sort = rng.randrange(14)
        if sort < 6:
            op = rng.choice(["+=", "-=", "*=", "=", "="])
            return [f"{array}[{self.key(size)}] {op} {self.value(size)}"]
        if sort == 6:
            return [f"s {rng.choice(['+=', '-=', '='])} {self.value(1)}"]
        if sort == 7:
            return [f"t = {self.value(1)}"]
        if sort == 8:
            op = rng.choice(["+=", "-=", "=", "*="])
            return [
                f"{array}[{self.key(size)}] {op} {rng.choice('0 1.0 2 s t'.split())}"
            ]
        if sort == 9:
            view = f"v = {array}[{rng.choice(['1:', ':2', '::2'])}]"
            op, key = rng.choice(["+=", "=", "*="]), rng.choice(["0", "-1", "1:", ":1"])
            return [view, f"v[{key}] {op} {rng.choice(['s', 't', 'x[0]', 'c[1]'])}"]
        if sort == 10:
            return ["c, d = d, c"]
        if sort == 11:
            return [f"{rng.choice('cd')} = {rng.choice(WHOLE.split('; '))}"]
        if depth == 2:
            return [f"s += np.sum({array}[{self.key(2)}]) * 0.5"]
        if sort == 12:
            return self.loop(depth)
        own = [one for _ in range(rng.randint(1, 2)) for one in self.line(depth + 1)]
        lines = [f"if {rng.choice(TESTS)}:", *indented(own)]
        if rng.random() < 0.5:
            lines += ["else:", *indented(self.line(depth + 1))]
        return lines

    def loop(self, depth: int) -> list[str]:
        rng = self.rng
        name = "_" if self.loops else "i"
        head = f"for {name} in {rng.choice(HEADS)}:"
        self.loops += 1
        own = [one for _ in range(rng.randint(1, 3)) for one in self.line(depth + 1)]
        self.loops -= 1
        return [head, *indented(own)]

    def text(self) -> str:
        rng = self.rng
        lines = ["s, t, k = 0.3, x[1], np.array([2, 0])"]
        lines.append(rng.choice(["c = x.copy()", "c = x * 0.5", "c = np.zeros(3)"]))
        lines.append(rng.choice(["d = np.ones(3) * x[2]", "d = np.zeros_like(x)"]))
        for _ in range(rng.randint(2, 4)):
            lines += self.line(0)
        lines += self.loop(0)
        for _ in range(rng.randint(0, 2)):
            lines += self.line(0)
        body = indented([*lines, f"return {rng.choice(ENDS)}"])
        return "\n".join(["import numpy as np", "", "", "def f(x, m=2):", *body, ""])


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed with nothing told."""
    text = Writer(seed).text()
    program = Written((Parameter("x", ("3",)),), tuple(text.split("\n")), seed, "f")
    case, verdict = Case(program, {}, "x", level="none"), Verdict()
    with noted(verdict), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        verdict.faults += judged(program, engine, verdict, "3")
    yield case, verdict
