"""try blocks whose handlers compute something else, where matrices are singular or not.

Which arm is taken depends on matrices that are held, or on a test far from its kink: so
differences see one arm.
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
REFUSED_AT_MOST = 0.4  # a store before what may raise is refused

HEAD = """import numpy as np
from numpy.linalg import LinAlgError


def solved(A, v):
    if v[0] > 100:
        raise LinAlgError("singular")
    return np.linalg.solve(A, v)


def safe(A, v):
    try:
        return np.linalg.solve(A, v)
    except LinAlgError:
        return 0.5 * v


"""
BODIES = [
    ["y = np.linalg.solve(<A>, v)"],
    ["y = np.linalg.inv(<A>) @ v"],
    ["L = np.linalg.cholesky(<A>)", "y = np.linalg.solve(L, v)"],
    ["w = np.linalg.inv(<A>)", "y = w @ np.sin(v)"],
    ["y = solved(<A>, v)"],
    ["y = np.linalg.solve(<A>, v) * np.linalg.inv(<A>)[0, 0]"],
    ["if v[0] > <t>:", "    raise LinAlgError('far')", "y = np.exp(v)"],
    ["w = np.linalg.solve(<A>, v)", "if w[0] > 1e3:", "    w = w / 2", "y = w + 1"],
    ["y = np.linalg.solve(<A>, y)"],
    ["y[0] = np.linalg.inv(<A>)[0, 0] * v[0]"],
    ["y[0] = 2.0", "y = np.linalg.solve(<A>, y)"],
    ["q = q * 2.0", "y = np.linalg.solve(<A>, v) * q"],
]
HANDLERS = [
    ["y = v * <c>"],
    ["y = np.tanh(<A> @ v)"],
    ["y = np.linalg.pinv(M) @ v"],
    ["w = np.sum(v)", "y = v * w"],
    ["y = y * <c> + v"],
    ["return np.sum(v**2) * <c>"],
    ["if v[0] > 0:", "    y = v + q", "else:", "    y = v - q"],
    ["y = safe(N, v)"],
    ["pass"],
]
CATCHES = [
    "except np.linalg.LinAlgError:",
    "except LinAlgError:",
    "except LinAlgError as error:",
    "except (LinAlgError,):",
]


class Writer:
    """Writes one program, at random."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"fallbacks {seed}")

    def filled(self, lines: list[str]) -> list[str]:
        done = []
        for line in lines:
            while "<A>" in line:
                line = line.replace("<A>", self.rng.choice(["M", "N", "M * q"]), 1)
            line = line.replace("<c>", self.rng.choice(["0.5", "-1.5", "3"]))
            done.append(line.replace("<t>", self.rng.choice(["-50", "50"])))
        return done

    def block(self, depth: int = 0) -> list[str]:
        rng = self.rng
        body = self.filled(rng.choice(BODIES))
        handler = self.filled(rng.choice(HANDLERS))
        if depth == 0 and rng.random() < 0.12:
            handler = self.block(1)
        lines = ["try:", *indented(body)]
        if rng.random() < 0.15:
            lines += ["except ZeroDivisionError:", "    raise"]
        lines += [rng.choice(CATCHES), *indented(handler)]
        if rng.random() < 0.2:
            lines += ["else:", f"    y = y * {rng.choice(['2.0', 'q'])}"]
        if rng.random() < 0.15:
            lines += ["finally:", "    pass"]
        where = rng.random()
        if where < 0.2:
            lines = ["for k in range(2):", *indented(lines), "    v = v * 0.9 + k"]
        elif where < 0.3:
            lines = ["if len(v) > 0:", *indented(lines)]
        elif where < 0.4 and depth == 0:
            inner = [*lines, "return y"]
            lines = ["def part(v, y, q):", *indented(inner), "y = part(v, y, q)"]
        return lines

    def text(self) -> str:
        rng = self.rng
        body = ["q = 1.0 + x[0] ** 2", "v = np.cos(x)", "y = v * 0.25"]
        body += self.block()
        if rng.random() < 0.3:
            body += ["v = np.sin(y + x)", *self.block(1)]
        body += [rng.choice(["return np.sum(y * y)", "return np.sum(y) * q"])]
        return "\n".join([HEAD + "def f(x, M, N):", *indented(body), ""])


def matrices(rng: Random) -> tuple[np.ndarray, np.ndarray]:
    """Regular, singular and indefinite matrices."""
    every = [[[2.0, 0.5], [0.5, 1.0]], [[1.0, 2.0], [2.0, 4.0]], [[1.0, 2.0], [2.0, 1]]]
    return np.array(rng.choice(every)), np.array(rng.choice(every))


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed with nothing told, at four pairs of matrices."""
    writer = Writer(seed)
    text = writer.text()
    params = tuple(Parameter(n, s) for n, s in [("x", ("n",)), ("M", ("n", "n"))])
    params += (Parameter("N", ("n", "n")),)
    program = Module(params, ("return x",), seed, "f", text=text)
    case, verdict = Case(program, {}, "x", level="none"), Verdict()
    with noted(verdict), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        with contextlib.redirect_stdout(io.StringIO()):
            verdict.faults += judged(text, engine, verdict, writer.rng)
    yield case, verdict


def judged(text: str, engine, verdict: Verdict, rng: Random) -> Iterator[Fault]:
    function = imported(text, "f")
    for _ in range(4):
        args = (np.array([rng.uniform(0.2, 0.9), rng.uniform(1, 1.4)]), *matrices(rng))
        try:
            primal = function(*args)
            want = numeric_gradient(function, args, 0)
        except Exception:
            continue  # raised by what is not caught
        if not np.all(want.error <= tolerance(want.value) / 4):
            continue
        gradient = engine.value_and_grad(function)
        value, got = gradient(*args)
        verdict.text = text = gradient.source
        if not np.array_equal(value, primal):
            yield Fault("primal value", f"{value}, not {primal}\n{text}")
        if np.shape(got) != want.value.shape:
            yield Fault("shape", str(np.shape(got)))
        elif not np.all(np.abs(got - want.value) <= 10 * tolerance(want.value)):
            yield Fault("value", f"{got}, not {want.value}\n{text}")
