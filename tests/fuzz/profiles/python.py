"""The Python around NumPy: options, tests of kinds, tables of functions, decorators.

A program is a chain of pieces, each of which makes the vector y anew from y. A piece
stands in the function itself or in a function of the module; its slots are drawn at
random. It is judged by grad, by value_and_grad and by the text alone, with nothing
told, against differences of the program itself.
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
from tests.fuzz.profiles_python import HEAD, PIECES
from tests.fuzz.program import Parameter, Program, imported

PROGRAMS = 12
REFUSED_AT_MOST = 0.1

SLOTS = {
    "g": "np.sin np.cos np.tanh np.arctan".split(),
    "h": "np.tanh np.sinh np.square np.cos".split(),
    "b": "np.add np.multiply np.subtract np.hypot".split(),
    "o": "add mul sub".split(),
    "c": "0.5 2.0 -1.5 3 0.25".split(),
    "d": "1.5 0.75 -2.0 2".split(),
    "k": "2 3".split(),
    "q": ["'", '"'],
    "w": "sum mean half".split(),
    "W": "SUM Mean hAlf sum".split(),
    "t": "np.ndarray (list,np.ndarray) (np.ndarray,) np.ndarray".split(),
    "s": "(list,tuple) list tuple (tuple,list)".split(),
    "n": "float (int,float) numbers.Number (float,np.floating)".split(),
    "e": "ValueError TypeError (ValueError,KeyError) Exception".split(),
    "C": "combinations permutations combinations_with_replacement".split(),
    "K": "0 1 9".split(),
    "z": "list tuple".split(),
    "f": "{:.3f} {0} {0!r} {:>8}".split(),
    "u": "%s %r %d".split(),
}


class Written(Program):
    """A program whose text is written as a whole."""

    @property
    def source(self) -> str:
        return "\n".join(self.lines)

    @property
    def function(self):
        return imported(self.source, self.name)

    def fits(self) -> bool:
        """Whether it runs; a module with a line less in it may be no Python."""
        try:
            return super().fits()
        except Exception:
            return False


class Writer:
    """Writes one program, at random."""

    head, pieces = HEAD, PIECES

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"python {seed}")
        self.module: list[str] = []
        self.params: list[str] = []
        self.body: list[str] = []

    def piece(self, number: int, text: str) -> None:
        """One piece, in the function itself or in one of the module."""
        rng = self.rng
        for slot, values in SLOTS.items():
            while f"<{slot}>" in text:
                text = text.replace(f"<{slot}>", rng.choice(values), 1)
        text = text.replace("<i>", str(number))
        lines = text.strip("\n").splitlines()
        self.module += [line[2:] for line in lines if line.startswith("m:")]
        params = [line[2:].strip() for line in lines if line.startswith("p:")]
        body = [line for line in lines if line[:2] not in ("m:", "p:")]
        where = rng.random()
        if where < 0.3 and "return" not in text.replace("m:    return", ""):
            head = ", ".join(["y", *params])
            inner = [f"def part{number}({head}):", *indented(body), "    return y"]
            handed = []
            for param in params:
                name, _, default = param.partition("=")
                if rng.random() < 0.5:
                    handed.append(f"{name}={default}")
            call = [f"y = part{number}({', '.join(['y', *handed])})"]
            if rng.random() < 0.3 and not params:
                body = [*inner, *call]
            else:
                self.module += ["", *inner, ""]
                body = call
        else:
            self.params += params
            if where > 0.9:
                body = ["if len(x) > 0:", *indented(body)]
        self.body += body

    def text(self) -> str:
        rng = self.rng
        for number, piece in enumerate(rng.sample(self.pieces, rng.randint(1, 3))):
            self.piece(number, piece)
        start = rng.choice(["y = x", "y = np.sin(x)", "y = np.asarray(x) * 0.5"])
        end = rng.choice(
            [
                "np.sum(y * y)",
                "np.sum(np.tanh(y))",
                "np.mean(y * x)",
                "np.sum(y) * x[0]",
            ]
        )
        body = indented([start, *self.body, f"return {end}"])
        head = f"def f({', '.join(['x', *self.params])}):"
        return "\n".join([self.head, *self.module, "", "", head, *body, ""])


def verdicts(
    seed: int, engine, writer=Writer, length: str = "n"
) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed, of a vector so long, with nothing told."""
    text = writer(seed).text()
    program = Written((Parameter("x", (length,)),), tuple(text.split("\n")), seed, "f")
    case, verdict = Case(program, {}, "x", level="none"), Verdict()
    with noted(verdict), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        with contextlib.redirect_stdout(io.StringIO()):
            verdict.faults += judged(program, engine, verdict)
    yield case, verdict


def judged(program: Written, engine, verdict: Verdict) -> Iterator[Fault]:
    """Faults of the gradient by a call, of the value with it, and of the text alone."""
    function = program.function
    for sample in (0, 1):
        args = program.arguments(sample)
        try:
            function(*program.arguments(sample))
        except Exception:  # Python itself does not run it
            verdict.measured = False
            return
        want = numeric_gradient(function, args, 0)
        if not np.all(want.error <= tolerance(want.value) / 4):
            verdict.measured = False
            return
        if sample == 0:
            text = verdict.text = engine.emit(function)
            space: dict = {"__name__": "alone"}
            exec(compile(text, "<gradgen alone>", "exec"), space)
        value, both = engine.value_and_grad(function)(*args)
        primal = function(*args)
        if not np.array_equal(value, primal):
            yield Fault("primal value", f"{value}, not {primal}")
        ways = {
            "grad": engine.grad(function)(*args),
            "value_and_grad": both,
        }
        # a text that nothing was told for may be one for matrices, and says so
        if "=1.0" in text.partition("def grad_f(")[2].partition("):")[0]:
            ways["text"] = space["grad_f"](*args)
        for way, got in ways.items():
            if np.shape(got) != want.value.shape:
                yield Fault("shape", f"{way}: {np.shape(got)}")
            elif not np.all(np.abs(got - want.value) <= tolerance(want.value)):
                yield Fault("value", f"{way}: {got}, not {want.value}")
