"""Views of an array that a loop puts into a list, and the array changes later.

The list is written out, appended to, filled by a comprehension or by places; what it
holds are views of an array, copies of these, entries, or what is computed of them. The
array, or what the list holds, is changed before, between and after, and both are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz import along
from tests.fuzz.case import Case
from tests.fuzz.clauses import indented
from tests.fuzz.judge import Verdict

PROGRAMS = 12
REFUSED_AT_MOST = 0.75  # what may or may not have changed

STARTS = """
a = np.outer(x, x)
a = x.reshape(2, 2) * 1.0
a = x.copy()
a = np.zeros((4, 4))|a[:] = x
a = np.stack([x, x ** 2, np.sin(x)])
a = np.zeros(4)|a[1:] = x[1:]
"""
# what is put into the list in round i
ITEMS = """
a[i]
a[i:]
a[:i + 1]
a[i].copy()
a[i] * x[0]
a[i:i + 2]
a[::-1]
a
a.T
a.copy()
a.reshape(-1)
a[i] + 0.0
np.asarray(a[i])
a[-1]
a[0]
"""
FILLED = """
hs = []|for i in range(n):|    hs.append(<i>)
hs = []|for i in range(n):|    hs.append(<i>)|    <c>
hs = []|for i in range(n):|    <c>|    hs.append(<i>)
hs = [<i> for i in range(n)]
hs = [None] * n|for i in range(n):|    hs[i] = <i>
hs = [<i> for i in range(n)]|hs[0] = hs[1]
hs = []|for i in range(n):|    h = <i>|    hs += [h]|    <c>
hs = []|for i in range(n):|    if i > 0:|        hs.append(<i>)|    <c>
hs = list(a)
hs = []|for row in a:|    hs.append(row)
hs = []|i = 0|while i < n:|    hs.append(<i>)|    i += 1
hs = [h for h, _ in [(<i>, i) for i in range(n)]]
"""
CHANGES = """
a *= 1.5
a += x[0]
a[0] = x[1]
a[0] *= x[2]
a[-1] += 0.5 * x[3]
a = a * x[1]
a = a.copy()|a *= 0.5
a[:] = np.sin(a)
a[1] = a[0] * 0.5
np.tanh(a, out=a)
for k in range(2):|    a[k] = a[k] * x[k]
b = a|b *= 0.7
b = a[1:]|b += x[0]
pass
"""
OF_LISTS = """
hs[0] *= 2
hs[1] += x[0]
hs[-1] = x[0]
hs[0][...] = x[1]
hs.append(a[0])
hs = hs[1:]
h = hs[0]|h *= x[0]
for h in hs:|    h *= 0.5
for h in hs:|    h += x[1]
"""
READS = """
t += sum(np.sum(h ** 2) for h in hs)
for h in hs:|    t += np.sum(np.sin(h))
t += np.sum(hs[0] * x[0]) + np.sum(hs[-1])
for i in range(len(hs)):|    t = t + np.sum(hs[i]) * x[i]
t += np.sum(np.exp(-hs[-1] ** 2))
t += np.sum(a * a)
t = t * np.sum(a) + np.sum(hs[0])
t += np.sum(hs[1] ** 3)
for h, v in zip(hs, x):|    t += np.sum(h) * v * v
"""


class Writer:
    """Writes one program, at random."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"strung {seed}")

    def one(self, text: str) -> list[str]:
        return self.rng.choice(text.strip().splitlines()).split("|")

    def filled(self) -> list[str]:
        item, lines = self.one(ITEMS)[0], []
        for line in self.one(FILLED):
            room = line[: len(line) - len(line.lstrip())]
            if "<c>" in line:
                lines += [room + one for one in self.one(CHANGES)]
            else:
                lines.append(line.replace("<i>", item))
        return lines

    def draft(self) -> str:
        rng = self.rng
        lines = ["n, t = 2, 0.0", *self.one(STARTS)]
        if rng.random() < 0.3:
            lines += self.one(CHANGES)
        lines += self.filled()
        for _ in range(rng.randint(1, 3)):
            lines += self.one(rng.choice((CHANGES, CHANGES, OF_LISTS, READS)))
        lines += self.one(READS)
        if rng.random() < 0.15:
            lines = [*lines[:1], "for turn in range(2):", *indented(lines[1:])]
        body = indented([*lines, "return t"])
        return "\n".join(["import numpy as np", "", "", "def f(x):", *body, ""])

    def text(self) -> str:
        """A program that Python runs: a number has no places."""
        while True:
            text, space = self.draft(), {}
            try:
                exec(text, space)
                space["f"](space["np"].array([0.3, 0.5, 0.8, 0.4]))
            except Exception:
                continue
            return text


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed with nothing told."""
    yield from along.verdicts(Writer(seed).text(), seed, engine, 4)
