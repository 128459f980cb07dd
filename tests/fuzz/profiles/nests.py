"""Texts for numba of programs with loops, run as Python: the same lines, not compiled.

A nest that reads past the end of an array raises here. The truth is measured; shape and
dtype are those of NumPy's text.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gradgen.errors import GradgenError
from tests.fuzz.case import Case, Truth, case_of, tolerance
from tests.fuzz.generate import generate
from tests.fuzz.imperative import imperative
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.target.numba_texts import function_of

PROGRAMS = 8
# helpers, what numba has no word for, and names of more than one type
REFUSED_AT_MOST = 0.6


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = generate(seed) if seed % 4 == 3 else imperative(seed)
    truth = Truth(program)
    for level in ("full", "half") if seed % 3 else ("full",):
        case = case_of(program, level)
        yield case, verdict(case, truth, engine)


def verdict(case: Case, truth: Truth, engine, compiled: bool = False) -> Verdict:
    """What is wrong with the text for numba of one request."""
    found = Verdict()
    told = dict(wrt=case.names, shapes=case.shapes)
    try:
        text = engine.emit(case.program.function, target="numba", **told)
        plain = engine.emit(case.program.function, **told)
    except GradgenError as refusal:
        found.refusal = str(refusal)
        return found
    except Exception:
        found.faults.append(broken_off())
        return found
    found.text = text
    # one function for all samples: each one made is compiled
    plainly, function = function_of(plain), function_of(text, compiled)
    for sample in (0, 1):
        args, seed = case.program.arguments(sample), truth.seed(sample)
        with np.errstate(all="ignore"):
            try:
                want = plainly(*case.program.arguments(sample), seed)
            except ValueError as error:
                if "is taken for" not in str(error):  # half the facts may be too few
                    raise
                found.refusal = f"GG501 {error}"
                return found
            try:
                got = function(*args, seed)
            except Exception as error:
                if type(error).__module__.startswith("numba."):
                    name = type(error).__name__  # to be refused before it is printed
                    found.faults.append(Fault("crash", f"{name}: {raw(error)}"))
                else:
                    found.faults.append(broken_off())
                return found
        many = len(case.names) > 1
        pairs = zip(got, want) if many else [(got, want)]
        for name, (one, other) in zip(case.names, pairs):
            measured = truth.gradient(sample, name)
            limit = tolerance(measured.value)
            if np.any(measured.error > limit / 4):
                return Verdict(measured=False)
            if np.shape(one) != np.shape(other):
                detail = f"{name}: {np.shape(one)}, not {np.shape(other)}"
                found.faults.append(Fault("shape", detail))
            elif np.asarray(one).dtype != np.asarray(other).dtype:
                dtypes = np.asarray(one).dtype, np.asarray(other).dtype
                found.faults.append(Fault("dtype", f"{name}: {dtypes}"))
            elif np.any(np.abs(one - measured.value) > limit):
                detail = f"{name}: {one}, not {measured.value}"
                found.faults.append(Fault("value", detail))
    return found


def raw(error: Exception) -> str:
    """What numba says, without the places: its last line that tells of one."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = [line for line in lines if not line.startswith(("File", "During", "-", ">"))]
    return " | ".join(told[:3])[:300]
