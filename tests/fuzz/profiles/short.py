"""Texts with letters told, of arguments that have no entry, one, or two.

Parts that may lie beyond the ends of arrays, masks, and what is joined of them or
handed on by an arm or by rounds, meet arguments of the same letter and of another one; or
the program is one of the generators', with one letter so short. The text is right, or it
raises.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from tests.fuzz.case import Case, Truth, tolerance
from tests.fuzz.generate import generate as straight
from tests.fuzz.imperative import imperative
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.profiles.single import DIFFERENTIABLE, _is_smooth
from tests.fuzz.program import FIRST_SIZES, SAMPLES, Parameter, Program, run

PROGRAMS = 60
REFUSED_AT_MOST = 0.6  # n - 2 beside n, which NumPy takes where n is 3
PARTS = (
    "{a}[1:-1]",
    "{a}[1:]",
    "{a}[:-2]",
    "{a}[:1]",
    "{a}[-1:]",
    "{a}[:2]",
    "{a}[::2]",
    "{a}[{a} > 0.5]",
    "np.diff({a})",
    "np.cumsum({a})",
    "np.repeat({a}, 2)",
)
JOINED = (
    "np.pad({a}, 1)",
    "np.concatenate([{a}, {b}])",
    "np.concatenate([[0.5], {a}, [1.5]])",
    "np.hstack([{a}[:1], {b}, {a}[-1:]])",
    "np.append({a}[:1], {b}[1:])",
)
HANDED = (
    ("{p} = {a}", "if np.sum({b}) > 1.0:", "    {p} = {p} * 0.5"),
    ("{p} = {a}[:1]", "if np.sum({b}) > 1.0:", "    {p} = {b}[-1:]"),
    ("{p} = {a}", "if np.sum({b}) > 1.0:", "    {p} = np.pad({a}[1:-1], 1)"),
    ("{p} = {a}", "for i in range(len({b})):", "    {p} = np.tanh({p})"),
    ("{p} = {a}[:1]", "for i in range(2):", "    {p} = {p} * {b}[:1]"),
    ("{p} = np.split({a}, [1])[0]",),
    ("{p} = np.repeat({a}[:1], len({b}))",),
    ("{p} = np.convolve(np.pad({a}, 1), np.array([1.0, -2.0, 1.0]), 'valid')",),
)
MET = (
    "{a} * {b}",
    "np.maximum({a}, {b})",
    "{b} - {a} ** 2",
    "np.outer({a}, {b}).sum(axis=0)",
    "({a}[:, None] - {b}).sum(axis=1)",
    "{a} - np.sum({b}, keepdims=True)",
    "np.einsum('i,i->i', {a}, {b})",
)
TOTALS = (
    "np.sum({a} ** 2)",
    "np.sum(({a} - {b}) ** 2)",
    "np.sum({a} + np.sum({b}) ** 2)",
    "np.sum(np.exp(np.mean({b}) - {a}))",
)
SIZES = (0, 1, 1, 2, 3)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = generate(seed)
    names = tuple(p.name for p in program.params if p.kind in DIFFERENTIABLE)
    shapes = {p.name: p.fact for p in program.params if p.dims}
    case = Case(program, shapes, names, level="full")
    with np.errstate(all="ignore"):
        yield case, verdict_on(case, engine, Truth(program))


def generate(seed: int) -> Program:
    """The first program of this seed that runs at its lengths."""
    rng = Random(f"short {seed}")
    while True:
        if rng.random() < 0.25:
            program = rng.choice([straight, imperative])(rng.randrange(10**9))
            letters = {dim for p in program.params for dim in p.dims if dim != "1"}
            if not letters:
                continue
            sizes = FIRST_SIZES | {rng.choice(sorted(letters)): rng.choice((1, 2))}
            if not replace(program, sizes=(sizes, sizes)).fits():
                continue
        else:
            program = _of_parts(rng)
            sizes = FIRST_SIZES | {"n": rng.choice(SIZES), "m": rng.choice(SIZES)}
        program = replace(program, sizes=(sizes, sizes), seed=seed)
        found = [run(program.function, program.arguments(k)) for k in SAMPLES]
        numbers = all(one is not None and np.ndim(one) == 0 for one in found)
        if numbers and program.params and _is_smooth(program):
            return program


def _of_parts(rng: Random) -> Program:
    params = Parameter("x", ("n",)), Parameter("y", (rng.choice("nnm"),))
    known, lines = ["x", "y"], []
    for i in range(rng.randint(1, 3)):
        form = rng.choice(rng.choice([PARTS, PARTS, JOINED, MET, HANDED]))
        form = (f"p{i} = {form}",) if isinstance(form, str) else form
        names = dict(p=f"p{i}", a=known[-1], b=rng.choice("xy"))
        lines += [line.format(**names) for line in form]
        known.append(f"p{i}")
    total = rng.choice(TOTALS).format(a=known[-1], b=rng.choice("xxy"))
    return Program(params, (*lines, f"return {total}")).without_unused()


def verdict_on(case: Case, engine, truth: Truth) -> Verdict:
    """What is wrong with the text, where the function itself has a number."""
    verdict, args = Verdict(), case.program.arguments(0)
    if not truth.measures(case.names):
        verdict.measured = False
        return verdict
    try:
        wrt, shapes = case.names, dict(case.shapes)
        verdict.text = engine.emit(case.program.function, wrt=wrt, shapes=shapes)
        names: dict = {}
        exec(compile(verdict.text, "<gradgen text>", "exec"), names)
        found = names[f"grad_{case.program.name}"](*args, truth.seed(0))
    except GradgenError as refusal:
        verdict.refusal = str(refusal)
        return verdict
    except (ValueError, IndexError, ZeroDivisionError):
        return verdict  # it is looked at, by the text or by NumPy
    except Exception:
        verdict.faults.append(broken_off())
        return verdict
    for name, one in zip(case.names, found if len(case.names) > 1 else (found,)):
        want = truth.gradient(0, name).value
        if np.shape(one) != np.shape(want):
            told = f"d_{name}: {np.shape(one)}, not {np.shape(want)}"
            verdict.faults.append(Fault("shape", told))
        elif not np.all(np.abs(one - want) <= tolerance(want)):
            verdict.faults.append(Fault("value", f"d_{name}: {one}, not {want}"))
    return verdict
