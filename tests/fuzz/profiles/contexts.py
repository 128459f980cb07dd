"""with blocks of classes that set a name of the module or a field, and finally blocks.

Blocks stand in arms, loops, calls and one in another, and returns and breaks leave them
by one way or by all. What a mode is where an operation reads it decides what it computes.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from random import Random

import numpy as np

from gradgen.verify.finite import numeric_gradient
from tests.fuzz.clauses import indented
from tests.fuzz.case import Case, tolerance
from tests.fuzz.judge import Fault, Verdict, noted
from tests.fuzz.profiles.constants import Module
from tests.fuzz.program import Parameter, imported

PROGRAMS = 30
REFUSED_AT_MOST = 0.3  # a mode that a branch decides on is refused

HEAD = """import numpy as np

MODE = "plain"
LEVEL = 1.0


def get_mode():
    return MODE


def set_mode(word, level=1.0):
    global MODE, LEVEL
    MODE = word.lower()
    LEVEL = level


class mode:
    def __init__(self, word, level=1.0):
        self._word, self._level = word, level
        self._before = get_mode(), LEVEL

    def __enter__(self):
        set_mode(self._word, self._level)
        return self

    def __exit__(self, *given):
        set_mode(*self._before)

    def __call__(self, function):
        def wrapped(*args):
            with self:
                return function(*args)

        return wrapped


class counted:
    def __init__(self, start):
        self.n = start

    def __enter__(self):
        self.n = self.n + 1.0
        return self.n

    def __exit__(self, kind, error, trace):
        self.n = self.n * 0.5


def op(a, b):
    if MODE == "plain":
        return a / (1.5 + b * b) * LEVEL
    if MODE == "half":
        return a * np.cos(b) * 0.5 + LEVEL
    return np.sin(a) + b * LEVEL


@mode("half", 2.0)
def halved(a):
    return op(a, a)


"""
EXPRESSIONS = ["op(y, v)", "op(v, y)", "halved(y)", "y * v", "op(y, x)", "y * c.n"]
STORES = ["y[0] = op(y[1], v[0])", "y[1] *= c.n", "y *= 0.5", "c.n = c.n + 0.25"]
TESTS = ["x[0] > <t>", "y[0] * 0 + x[1] > <t>", 'MODE == "half"', "LEVEL > 1.5"]
CONTEXTS = [
    "mode('Half')",
    "mode('other', 0.5)",
    "mode('plain', 3.0)",
    "mode(get_mode())",
]


class Writer:
    """Writes one program, at random."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"contexts {seed}")
        self.loops = 0
        self.parts = 0
        self.returned = "return np.sum(y) * c.n"

    def statements(self, depth: int) -> list[str]:
        return [
            line
            for _ in range(self.rng.randint(1, 3 - depth // 2))
            for line in self.statement(depth)
        ]

    def statement(self, depth: int) -> list[str]:
        rng = self.rng
        chosen = rng.random()
        if depth > 2 or chosen < 0.25:
            return [f"y = {rng.choice(EXPRESSIONS)}"]
        if chosen < 0.35:
            return [rng.choice(STORES)]
        if chosen < 0.62:
            return [self.heading(), *indented(self.ended(depth + 1))]
        if chosen < 0.74:
            lines = ["try:", *indented(self.ended(depth + 1)), "finally:"]
            return [*lines, *indented([rng.choice([*STORES, "y[0] = v[1]"])])]
        if chosen < 0.86:
            test = rng.choice(TESTS).replace("<t>", rng.choice(["-50", "0.5", "50"]))
            lines = [f"if {test}:", *indented(self.ended(depth + 1))]
            if rng.random() < 0.4:
                lines += ["else:", *indented(self.statements(depth + 1))]
            return lines
        if chosen < 0.94:
            self.loops += 1
            inner = indented(self.ended(depth + 1))
            self.loops -= 1
            return [f"for k in range({rng.choice('123')}):", *inner]
        self.parts += 1
        before = self.loops, self.returned
        self.loops, self.returned = 0, "return y * c.n"
        inner = indented([*self.statements(depth + 1), "return y"])
        self.loops, self.returned = before
        name = f"part_{self.parts}"
        return [f"def {name}(v, y):", *inner, f"y = {name}(v, y * 1.0)"]

    def heading(self) -> str:
        rng = self.rng
        if rng.random() < 0.2:
            return rng.choice(
                ["with c:", "with c as level:", "with counted(2.0) as level:"]
            )
        if rng.random() < 0.2:
            return f"with {rng.choice(CONTEXTS)} as m, {rng.choice(CONTEXTS)}:"
        return f"with {rng.choice(CONTEXTS)}:"

    def ended(self, depth: int) -> list[str]:
        """Statements that may end in a jump."""
        rng, lines = self.rng, self.statements(depth)
        chosen = rng.random()
        if chosen < 0.12:
            lines.append(self.returned)
        elif chosen < 0.2 and self.loops:
            lines.append(rng.choice(["break", "continue"]))
        return lines

    def text(self) -> str:
        body = ["v = np.cos(x)", "y = v * 0.25", "c = counted(1.0)"]
        body += self.statements(0) + self.statements(0)
        body += [self.rng.choice(["return np.sum(op(y, v))", "return np.sum(y) * c.n"])]
        return "\n".join([HEAD + "def f(x):", *indented(body), ""])


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed with nothing told, at a few points."""
    writer = Writer(seed)
    text = writer.text()
    params = (Parameter("x", ("n",)),)
    program = Module(params, ("return x",), seed, "f", text=text)
    case, verdict = Case(program, {}, "x", level="none"), Verdict()
    with noted(verdict), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        with contextlib.redirect_stdout(io.StringIO()):
            verdict.faults += judged(text, engine, verdict, writer.rng)
    yield case, verdict


def judged(text: str, engine, verdict: Verdict, rng: Random) -> Iterator[Fault]:
    function = imported(text, "f")
    gradient = engine.value_and_grad(function)
    for _ in range(3):
        args = (np.array([rng.uniform(0.2, 0.9), rng.uniform(-1, 1.4)]),)
        try:
            primal = function(*args)
            want = numeric_gradient(function, args, 0)
        except UnboundLocalError:
            continue  # a counter that is the loop's own
        if not np.all(want.error <= tolerance(want.value) / 4):
            continue
        value, got = gradient(*args)
        verdict.text = gradient.source
        if not np.allclose(value, primal, rtol=1e-13, atol=0):
            yield Fault("primal value", f"{value}, not {primal}\n{text}")
        if np.shape(got) != want.value.shape:
            yield Fault("shape", str(np.shape(got)))
        elif not np.all(np.abs(got - want.value) <= 10 * tolerance(want.value)):
            yield Fault("value", f"{got}, not {want.value}\n{text}")
