"""Loops that hand arrays round: swapped buffers, and stores into what was made last.

Two or three arrays of one length are made before a loop. Its body makes new ones,
copies, views and sums, stores into some of them in place, keeps some in a list, and
hands them on under other names (`u, before = after, u`). Loops stand in loops, and
some run no round at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.program import Parameter, Program

PROGRAMS = 3
REFUSED_AT_MOST = 0.25  # GG220: names that may or may not be one array
NAMES = ["a", "b", "c"]
MADE = """2 * {v} - {w}; 0.5 * {v}; {v} * {w}; np.tanh({v}); {v}.copy(); {v} + 0.1 * y; np.sin({v}) + {w}
np.where({v} > 0.0137, {v}, {w}); {v}[::-1] * 0.5; np.zeros_like({v}); np.roll({v}, 1); {v} / (1 + {w} ** 2)"""
STORED = """{t}[0] += {v}[1]; {t}[1:-1] += 0.3 * y[1:-1] * {v}[:-2]; {t}[1:] = np.sin({v}[:-1]); {t} *= 0.5
{t}[:] = {t} * {w}; {t}[::2] -= {v}[::2] * {w}[::2]; {t} += 0.2 * {v}; {t}[-1] = {v}[0] * {w}[-1]"""
PASSED = """{a}, {b} = {b}, {a}; {a} = {t}; {a}, {b} = {t}, {a}; {a}, {b}, {c} = {b}, {t}, {a}; {a} = {t}; {b} = {t}.copy()
{a}, {b}, {c} = {t}, {a}, {b}; {b} = {a}; {b}, {a} = {a}, {t}"""
RANGES = ["range(3)", "range(2)", "range(len(x) - 3)", "range(0)", "range(2, 0, -1)"]


def split(text: str) -> list[str]:
    return [one.strip() for one in text.replace("\n", ";").split(";")]


class Writer:
    """Writes the statements of a program."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.number, self.kept = rng, 0, False

    def filled(self, form: str, names: list[str], t: str = "") -> str:
        a, b, c = self.rng.sample(NAMES, 3)
        v, w = (self.rng.choice(names) for _ in range(2))
        return form.format(a=a, b=b, c=c, v=v, w=w, t=t)

    def body(self, indent: str, deep: int) -> list[str]:
        """The statements of one round."""
        rng, names, lines = self.rng, list(NAMES), []
        for _ in range(rng.randint(1, 2)):
            t, self.number = f"t{self.number}", self.number + 1
            made = self.filled(rng.choice(split(MADE)), names)
            lines.append(f"{indent}{t} = {made}")
            names.append(t)
            for _ in range(rng.randint(0, 2)):
                target = t if rng.random() < 0.7 else rng.choice(NAMES)
                stored = self.filled(rng.choice(split(STORED)), names, target)
                if rng.random() < 0.2:
                    lines.append(f"{indent}if np.sum({rng.choice(NAMES)}) > 0.0137:")
                    stored = f"    {stored}"
                lines.append(f"{indent}{stored}")
            if deep < 2 and rng.random() < 0.25:
                lines.append(f"{indent}for {'ijk'[deep]} in {rng.choice(RANGES)}:")
                lines += self.body(f"{indent}    ", deep + 1)
            if rng.random() < 0.12:
                self.kept = True
                lines.append(f"{indent}kept.append({rng.choice(names)}.copy())")
            lines.append(indent + self.filled(rng.choice(split(PASSED)), names, t))
        return lines

    def program(self) -> list[str]:
        starts = ["x.copy()", "0.5 * x", "np.zeros_like(x)", "x * y", "x"]
        lines = [f"{name} = {self.rng.choice(starts)}" for name in NAMES]
        lines.append(f"for i in {self.rng.choice(RANGES)}:")
        lines += self.body("    ", 1)
        if self.rng.random() < 0.3:
            lines.append(self.filled(self.rng.choice(split(STORED)), NAMES, "b"))
        result = "np.sum(a * b) + np.sum(np.cos(c) * y)"
        if self.kept:
            lines.insert(0, "kept = [1.0 * x]")
            result += " + np.sum(kept[-1] * x) + np.sum(kept[0])"
        return [*lines, f"return {result}"]


def program(seed: int) -> Program:
    lines = Writer(Random(f"buffers {seed}")).program()
    params = (Parameter("x", ("n",)), Parameter("y", ("n",)))
    return Program(params, tuple(lines), seed, "f", ({"n": 5}, {"n": 3}))


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    made = program(seed)
    if not made.fits():
        return
    told = {p.name: p.fact for p in made.params} if seed % 3 else {}
    case = Case(made, told, ("x", "y"), level="half")
    yield case, examine(case, engine, companions=seed % 5 == 0)
