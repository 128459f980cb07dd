"""Planted faults: check_grads rejects an edited gradient and accepts the unedited one.

The gradient of a program of A or B is right: it is held against the measured one.
Edits of its text whose effect on the numbers is more than 1e-6 are faults.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from gradgen.errors import GradgenError
from tests.fuzz.case import Case, Truth, case_of, tolerance
from tests.fuzz.edits import KINDS, edited
from tests.fuzz.generate import generate
from tests.fuzz.imperative import imperative
from tests.fuzz.judge import Fault, TooLong, Verdict, patience
from tests.fuzz.program import Program

PROGRAMS = 16
EDITS = 3  # faults in the text of one program
EFFECT = 1e-6  # of an entry, from which on it is a fault
SMALLEST = 1e-9  # of the largest entry: what is smaller may be rounding
NOISES = 10  # times what it moves by where its arguments are moved by their rounding
ROUNDING = 1e-14  # of the function's value: a gradient that is 0 is of this size


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    rng = np.random.default_rng([seed, 77])
    program = imperative(seed) if seed % 2 else generate(seed)
    case = replace(case_of(program, "full"), complete=False)
    names = [p.name for p in program.params if p.differentiable]
    case = replace(case, wrt=names[int(rng.integers(len(names)))])
    try:
        made = engine.grad(program.function, case.wrt, shapes=case.shapes)
    except GradgenError:
        return  # A and B count what is refused
    truth = Truth(program)
    if not (_known(truth, case) and _is_right(made, truth, case)):
        return  # wrong gradients are A's and B's
    yield case, _verdict(engine, program, case, made.source, "")
    kinds = list(rng.permutation(list(KINDS)))
    planted = 0
    while kinds and planted < EDITS:
        kind = kinds.pop()
        text = edited(made.source, kind, rng)
        if text is None or not _has_effect(made.source, text, program):
            continue
        if not _is_measured(made.source, text, truth, case):
            continue
        planted += 1
        yield case, _verdict(engine, program, case, text, kind)


def _known(truth: Truth, case: Case) -> bool:
    """Whether differences tell the gradient at the arguments that are tried."""
    want = truth.gradient(0, case.wrt)
    return bool(np.all(want.error <= tolerance(want.value) / 4))


def _is_right(made, truth: Truth, case: Case) -> bool:
    want = truth.gradient(0, case.wrt).value
    with np.errstate(all="ignore"):
        got = made(*case.program.arguments(0), seed=truth.seed(0))
    return bool(np.all(np.abs(got - want) <= tolerance(want)))


def _function(text: str):
    names: dict = {}
    exec(compile(text, "<edited>", "exec"), names)
    return [f for n, f in names.items() if n.startswith("grad_")][-1]


def _is_measured(text: str, other: str, truth: Truth, case: Case) -> bool:
    """Whether two gradients differ by more than measuring tells of a gradient at all."""
    args, seed = truth.program.arguments(0), truth.seed(0)
    with np.errstate(all="ignore"):
        right, got = (_function(one)(*args, seed) for one in (text, other))
    error = truth.gradient(0, case.wrt).error
    return not np.all(np.abs(got - right) <= 2 * error)


def _has_effect(text: str, other: str, program: Program) -> bool:
    """Whether an edit changes an entry of the gradient by more than EFFECT of it.

    What changes as much as any entry does where the arguments are moved by their own
    rounding is none: a gradient that is 0 is of that size everywhere.
    """
    value = program.function(*program.arguments(0))
    rounding = ROUNDING * np.max(np.abs(value), initial=0.0)
    near = [_moved(one, k) for k, one in enumerate(program.arguments(0))]
    shape = np.shape(value)
    seed = np.random.default_rng(5).uniform(0.5, 1.5, shape)
    for sign in (1.0, -1.0):
        with np.errstate(all="ignore"):
            right = _function(text)(*program.arguments(0), sign * seed)
            noise = np.abs(_function(text)(*near, sign * seed) - right)
            try:
                with patience():
                    got = _function(other)(*program.arguments(0), sign * seed)
            except (Exception, TooLong):
                return False  # it is not silently wrong
        if np.shape(got) != np.shape(right) or not np.all(np.isfinite(right)):
            return False
        size = np.maximum(np.abs(right), SMALLEST * np.max(np.abs(right), initial=0.0))
        least = EFFECT * size + rounding + NOISES * np.max(noise, initial=0.0)
        if np.any(~(np.abs(got - right) <= least)):
            return True
    return False


def _moved(value, k: int):
    """An argument of which each entry is moved by a few of its own roundings."""
    if not np.issubdtype(np.asarray(value).dtype, np.floating):
        return value
    steps = np.random.default_rng(k).integers(-4, 5, np.shape(value))
    moved = value + steps * np.spacing(np.abs(value))
    return np.asarray(moved) if isinstance(value, np.ndarray) else float(moved)


def _verdict(engine, program: Program, case: Case, text: str, kind: str) -> Verdict:
    """A fault where check_grads says other than it should."""
    verdict = Verdict(text=text)
    told = ""
    try:
        with np.errstate(all="ignore"), patience():
            engine.check_grads(
                program.function,
                _function(text),
                tuple(program.arguments(0)),
                case.wrt,
            )
    except GradgenError as error:
        told = str(error)
        if error.code == "GG604":
            verdict.faults.append(Fault("not measured", told))
            return verdict
    if bool(told) != bool(kind):
        what = f"accepted: {kind}" if kind else "cry of wolf"
        verdict.faults.append(Fault(what, told))
    return verdict
