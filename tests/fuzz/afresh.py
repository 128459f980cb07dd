"""judged(text, engine): a module whose function leaves something behind, judged.

The truth is measured with a module that is read anew at each evaluation; a function
that changes what outlives its call is measured as it is when it is called first.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from itertools import count

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import Case, tolerance
from tests.fuzz.judge import Fault, TooLong, Verdict, broken_off, patience, side_by_side
from tests.fuzz.program import Parameter, Program, imported

X = np.array([0.4, 0.9, -0.31, 1.3])
_numbers = count()


def called_first(text: str):
    """The function f of a module of this text that is new at each call."""
    code = compile(text, "<afresh>", "exec")

    def function(x):
        name = f"fuzz_afresh_{next(_numbers)}"
        module = sys.modules[name] = types.ModuleType(name)
        try:
            exec(code, vars(module))
            return module.f(x)
        finally:
            del sys.modules[name]

    return function


def runs(text: str) -> bool:
    """Whether the function gives a finite number where it is called first."""
    try:
        with np.errstate(all="ignore"):
            return bool(np.isfinite(called_first(text)(X.copy())))
    except Exception:  # it raises by itself: no program
        return False


def judged(text: str, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program as a gradient that is called, and as a text that runs alone."""
    program = Program((Parameter("x", ("n",)),), tuple(text.splitlines()))
    case, verdict = Case(program, {}, "x", level="none"), Verdict(text=text)
    with np.errstate(all="ignore"):
        want = numeric_gradient(called_first(text), [X.copy()], 0, 1.0)
    if np.any(want.error > tolerance(want.value) / 4):
        verdict.measured = False
        yield case, verdict
        return
    for way in (_called, _alone):
        verdict = Verdict(text=text)
        try:
            with np.errstate(all="ignore"), patience():
                got = way(imported(text, "f"), engine)
            if not np.all(np.abs(got - want.value) <= tolerance(want.value)):
                verdict.faults.append(Fault("value", side_by_side(got, want.value)))
        except GradgenError as refusal:
            verdict.refusal = str(refusal)
        except TooLong:
            verdict.faults.append(Fault("too long", "no end"))
        except Raised as error:
            verdict.refusal = str(error)  # the text says so when it runs
        except Exception:  # whatever else comes out is a fault of its own
            verdict.faults.append(broken_off())
        yield case, verdict


class Raised(Exception):
    """A text alone has raised: of a try block it has the body, and says so."""


def _called(function, engine):
    return engine.grad(function)(X.copy())


def _alone(function, engine):
    space: dict = {}
    exec(engine.emit(function), space)
    try:
        return space["grad_f"](X.copy())
    except Exception as error:
        raise Raised(f"{type(error).__name__}: {error}") from None
