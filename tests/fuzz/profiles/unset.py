"""Names that one way alone gives a value, read wherever that way was gone.

A name is made in an arm of a branch, in a loop that may have no round, in a try or
before an early return; it is read, once or more, behind the same test, in branches and
loops inside each other: g is an array, a part of one, a number, or both in turn.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from random import Random

import numpy as np

from gradgen.verify.finite import directional, numeric_gradient
from tests.fuzz.case import Case, tolerance
from tests.fuzz.clauses import indented
from tests.fuzz.judge import Fault, Verdict, noted
from tests.fuzz.profiles.python import Written
from tests.fuzz.program import Parameter

PROGRAMS = 16
REFUSED_AT_MOST = 0.1
LARGEST = 1e6  # sines of larger numbers are told by rounding alone

# what a way makes: by how many axes it has
MADE = {
    0: ["y[0] * 2", "np.sum(y) * 0.3", "v * v + 0.1", "y[1] + v", "np.max(y)"],
    1: ["y * 2", "np.sin(y)", "y * v", "y + x", "np.cumsum(y)", "y[::-1] * v"],
    2: ["np.outer(y, x)", "y[:, None] * x", "np.eye(len(y)) * y", "y[None, :] + v"],
}
# what is read of it; <g> is the name
READ = {
    0: """
y = y * <g>
s = s + <g> * v
y[1:] = y[1:] + <g>
y[0] += <g>
for i in range(m): s += <g> * y[i]
y = np.where(y > 0.3, <g>, y)
if v > 0.2: y = y * <g>
if v > 0.4: s += <g>
""",
    1: """
y = y * <g>
y = y + <g> * v
s = s + np.sum(<g>) * v
s = s + <g>[0] * <g>[1]
y[1:] = <g>[1:] * 0.5
y[0] += <g>[1]
for i in range(m): s += <g>[i] * y[i]
for i in range(m): y = y * 0.9 + <g> * 0.1
for i in range(len(y)): y[i] = y[i] + <g>[i] * v
for one in <g>: s += one * v
y = np.where(y > 0.3, <g>, y)
s += y @ <g>
if v > 0.2: y = y * <g>
if v > 0.4: s += <g>[0]
s += np.sum(<g>[1:] * y[:-1])
""",
    2: """
y = <g> @ y if <g>.shape[0] > 1 else y + <g>[0]
s = s + np.sum(<g>) * v
s = s + <g>[0, 1] * v
y = y + <g>[0] * 0.1
for i in range(m): y = y * 0.9 + <g>[0] * 0.1
for row in <g>: s += row[1] * v
y = y + np.sum(<g>, axis=0) * 0.1
""",
}
TESTS = """
v > 0.3
v > 0.7
x[1] > 0.5
m > 1
m == 2
x[0] < x[1]
len(x) > 2
""".strip().splitlines()
OTHER = ("y = y * 0.7", "s = s + v", "y = np.tanh(y)", "pass")
HEAD = """import numpy as np

"""


class Writer:
    """Writes one program, at random."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"unset {seed}")
        self.count = 0
        self.helpers: list[str] = []
        self.known: list[tuple[str, str, int]] = []  # behind which test, what, axes

    def name(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def test(self) -> tuple[list[str], str]:
        """A test that may be asked again: by its text, or by a name for it."""
        test = self.rng.choice(TESTS)
        if self.rng.random() < 0.4:
            name = self.name("c")
            return [f"{name} = {test}"], name
        return [], test

    def made(self, name: str, axes: int) -> str:
        return f"{name} = {self.rng.choice(MADE[axes])}"

    def read(self, name: str, axes: int) -> list[str]:
        """One to three lines that read a name, some in a branch or a loop."""
        rng, lines = self.rng, []
        for _ in range(rng.choice((1, 1, 2, 3))):
            line = rng.choice(READ[axes].strip().splitlines()).replace("<g>", name)
            own = [line]
            if line.startswith(("for ", "if ")):
                head, _, inner = line.partition(": ")
                own = [f"{head}:", *indented([inner])]
            if rng.random() < 0.25:
                own = [f"if {rng.choice(TESTS)}:", *indented(own)]
            if rng.random() < 0.15:
                own = [f"for r in range({rng.choice('m23')}):", *indented(own)]
            lines += own
        return lines

    def arms(self) -> list[str]:
        """A branch, each arm of which may give a name of its own, or a common one."""
        rng = self.rng
        before, test = self.test()
        lines = [f"if {test}:"]
        names = [(self.name("g"), rng.choice((0, 1, 1, 1, 2))) for _ in range(2)]
        if rng.random() < 0.3:
            names[1] = (names[0][0], rng.choice((0, 1, 1)))
        nested = rng.random() < 0.3
        for (name, axes), way in zip(names, (test, f"not ({test})")):
            own = [self.made(name, axes)]
            if nested:
                more, second = self.test()
                before += more
                own, way = [f"if {second}:", *indented(own)], f"{way} and {second}"
            if rng.random() < 0.4:
                own.append(rng.choice(OTHER))
            lines += indented(own)
            self.known.append((way, name, axes))
            if len(self.known) % 3 == 0:
                break  # no other arm
            lines.append("else:")
        return [*before, *(lines[:-1] if lines[-1] == "else:" else lines)]

    def rounds(self) -> list[str]:
        """A loop that gives a name a value in its rounds, if it has any."""
        rng = self.rng
        name, axes = self.name("g"), rng.choice((0, 1, 1))
        count, inner = rng.choice("m,m - 1,m - 2".split(",")), rng.random() < 0.5
        own, least = [self.made(name, axes)], 1 if inner else 0
        if inner:
            own = [f"if {rng.choice(('k > 0', 'k % 2'))}:", *indented(own)]
        if rng.random() < 0.5:  # what an earlier round has made
            own = [f"if k > {least}:", *indented(self.read(name, axes)), *own]
        self.known.append((f"{count} > {least}", name, axes))
        return [f"for k in range({count}):", *indented(own)]

    def tried(self) -> list[str]:
        """A try that gives a name a value, where nothing is raised before."""
        name, flag = self.name("g"), self.name("c")
        scale = self.rng.choice(["m * 1.0", "(m - 2) * 1.0"])
        self.known.append((flag, name, 1))
        return [
            "try:",
            f"    {name} = np.linalg.solve(np.eye(len(y)) * ({scale}), y)",
            f"    {flag} = True",
            "except np.linalg.LinAlgError:",
            f"    {flag} = False",
        ]

    def returned(self) -> list[str]:
        """A function that returns before a name has a value."""
        rng, inner = self.rng, self.name("part")
        axes = rng.choice((0, 1, 1))
        body = ["s = 0.0", f"if {rng.choice(TESTS)}:", "    return y * 0.5, s"]
        body += [self.made("h", axes), *self.read("h", axes), "return y, s"]
        self.helpers += [f"def {inner}(y, x, v, m):", *indented(body), "", ""]
        return [f"y, t = {inner}(y, x, v, m)", "s = s + t"]

    def behind(self) -> list[str]:
        """Reads of a name behind its test, some in a further branch or a loop."""
        rng = self.rng
        way, name, axes = rng.choice(self.known)
        own = [f"if {way}:", *indented(self.read(name, axes))]
        rest = [one for one in self.known if one[0] == f"not ({way})"]
        if rest and rng.random() < 0.6:
            own += ["else:", *indented(self.read(*rest[0][1:]))]
        if rng.random() < 0.3:
            own = [f"for j in range({rng.choice('m23')}):", *indented(own)]
        if rng.random() < 0.2:
            own = [f"if {rng.choice(TESTS)}:", *indented(own)]
        return own

    def text(self) -> str:
        rng = self.rng
        start, lines = ["y = x * 0.5 + 0.2", "s, v = 0.0, x[0]"], []
        makers = [self.arms] * 3 + [self.rounds, self.rounds, self.tried, self.returned]
        for _ in range(rng.choice((1, 1, 2))):
            lines += rng.choice(makers)()
        for _ in range(rng.choice((1, 2, 2, 3)) if self.known else 0):
            lines += self.behind()
        if rng.random() < 0.2:
            lines = ["for turn in range(2):", *indented(lines)]
        end = rng.choice(["np.sum(y * x)", "np.sum(np.sin(y))"])
        body = indented([*start, *lines, f"return {end} + s"])
        return "\n".join([HEAD, *self.helpers, "def f(x, m=2):", *body, ""])


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed with nothing told."""
    text = Writer(seed).text()
    program = Written((Parameter("x", ("3",)),), tuple(text.split("\n")), seed, "f")
    case, verdict = Case(program, {}, "x", level="none"), Verdict()
    with noted(verdict), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        verdict.faults += judged(program, engine, verdict)
    yield case, verdict


def judged(
    program: Written, engine, verdict: Verdict, axes: str = "n"
) -> Iterator[Fault]:
    """Faults of the gradient by a call, of two texts alone, of tangents and Hessians.

    One of the texts is told that x has these `axes`.
    """
    function = program.function
    verdict.text = engine.emit(function, wrt="x", general=True)
    told = engine.emit(function, wrt="x", shapes={"x": axes, "m": ""})
    ways = {"grad": engine.grad(function, "x")}
    for way, text in (("text", verdict.text), ("told", told)):
        space: dict = {"__name__": "alone"}
        exec(compile(text, f"<gradgen {way}>", "exec"), space)
        ways[way] = space["grad_f"]
    pushed, curved = engine.jvp(function, "x"), engine.hvp(function, "x")
    verdict.measured = False
    for sample, m in enumerate((2, 3, 1, 0)):
        rng = np.random.default_rng([program.seed, sample])
        x, along = rng.uniform(0.1, 0.9, 3), rng.uniform(-1, 1, 3)
        try:
            primal = function(x.copy(), m)
        except Exception:  # Python itself does not run it
            continue
        if not abs(primal) < LARGEST:
            continue
        want = numeric_gradient(lambda x: function(x, m), [x], 0)
        if not np.all(want.error <= tolerance(want.value) / 4):
            continue
        verdict.measured = True
        for way, made in ways.items():
            try:
                got = made(x, m)
            except ValueError as error:  # m decides how the text is
                if "have no gradient here" in str(error):
                    continue
                raise
            if np.shape(got) != want.value.shape:
                yield Fault("shape", f"{way}: {np.shape(got)}")
            elif not np.all(np.abs(got - want.value) <= tolerance(want.value)):
                yield Fault("value", f"{way}: {got}, not {want.value} (m={m})")
        value, tangent = pushed(x, m, along)
        if not np.array_equal(value, primal):
            yield Fault("primal value", f"jvp: {value}, not {primal}")
        if not abs(tangent - want.value @ along) <= 3 * np.max(tolerance(want.value)):
            yield Fault("value", f"jvp: {tangent}, not {want.value @ along} (m={m})")
        second = directional(lambda x: ways["grad"](x, m), [x], [along])
        size = 1e-5 * np.max(np.abs(second.value)) + 1e-7
        if np.all(second.error <= size / 4):
            got = curved(x, m, along)
            if not np.all(np.abs(got - second.value) <= size):
                yield Fault("value", f"hvp: {got}, not {second.value} (m={m})")
