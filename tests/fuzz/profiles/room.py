"""Changes in place by what may need more room than there is, where NumPy raises.

`z += y`, `z[:] = y`, `z[0] *= y`, `np.add(z, y, out=z)` and their like, in loops, arms,
lists and views, by arrays of many shapes. Where the program raises its gradient has to
raise or to be refused, called as it is and as a text that is told nothing. What
`np.matmul(x, y)` itself raises is not looked for: where nothing reads the product, no
gradient computes it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import Case, tolerance
from tests.fuzz.imperative import Imperative
from tests.fuzz.judge import Fault, Verdict, noted
from tests.fuzz.program import Parameter

PROGRAMS = 6
REFUSED_AT_MOST = 0.3
SIZES = ({"n": 3, "m": 3}, {"n": 3, "m": 3})
SHAPES = [(3,), (1,), (3, 1), (3, 3), (2, 3), (3, 2)]
MADE = [
    *("z = np.exp(x)", "z = x * 1.0", "z = x.copy()", "z = np.zeros_like(x)"),
    *("z = np.ones(np.shape(x))", "z = np.array(x)", "z = x + 0.5", "z = np.sin(x)"),
]
# {v} is what goes in
CHANGES = [
    *("z += {v}", "z -= {v}", "z *= {v}", "z /= {v}", "z **= {v}"),
    *("z[:] = {v}", "z[...] = {v}", "z[0] = {v}", "z[-1] += {v}", "z[1:] -= {v}"),
    *("z[:] *= {v}", "z[...] += {v}", "z[:2] = {v}", "z[0] /= {v}"),
    *("np.add(z, {v}, out=z)", "np.multiply(z, {v}, z)", "np.maximum(z, {v}, out=z)"),
    *("np.subtract({v}, x, out=z)", "np.matmul(x, {v}, out=z)"),
    *("zs = [z]\nzs[0] += {v}", "v = z.T\nv += {v}", "v = z[...]\nv *= {v}"),
    *("z = z.T\nz += {v}", "zs = {'a': z}\nzs['a'] -= {v}", "w = z\nw *= {v}"),
]
VALUES = [
    *("y", "np.sin(y)", "y * x", "y[0]", "np.sum(y, axis=0)", "2.0 * y"),
    *("np.where(y > 1, y, 0.5)", "y + 1"),
]
AROUND = ["{c}", "{c}", "for i in range(2):\n    {c}", "if np.sum(y) > 0:\n    {c}"]
USES = [
    *("return np.sum(z)", "return np.sum(z * x)", "return np.sum(x ** 2)"),
    *("return np.sum(z) + np.sum(x)", "return np.mean(z ** 2)"),
    *("return np.sum(z * 2.0) * np.sum(x)", "w = np.tanh(z)\nreturn np.sum(w)"),
]


def program(seed: int) -> Imperative:
    """The program of this seed: it returns for some shapes and raises for others."""
    rng = Random(f"room {seed}")
    while True:
        change = rng.choice(CHANGES).replace("{v}", rng.choice(VALUES))
        around = rng.choice(AROUND)
        inside = change.replace("\n", "\n    " if "\n" in around else "\n")
        text = "\n".join(
            [rng.choice(MADE), around.replace("{c}", inside), rng.choice(USES)]
        )
        params = Parameter("x", ("n",)), Parameter("y", ("n",))
        found = Imperative(params, tuple(text.splitlines()), seed, "program", SIZES, "")
        ends = [ran(found.function, args) for args in calls(seed)]
        if any(ends) and not all(ends):
            return found


def calls(seed: int) -> Iterator[list[np.ndarray]]:
    """Arguments of every pair of shapes."""
    rng = np.random.default_rng(seed)
    for first, last in itertools.product(SHAPES, SHAPES):
        yield [rng.uniform(0.5, 1.5, shape) for shape in (first, last)]


def refuses(error: Exception) -> bool:
    """Whether it is a refusal: of a matmul as well that NumPy stretches into out=."""
    return isinstance(error, GradgenError) or "out= does not fit" in str(error)


def ran(function, args: list, strictly: bool = False) -> bool:
    """Whether a call returns."""
    try:
        with np.errstate(all="ignore"):
            return np.ndim(function(*(arg.copy() for arg in args))) == 0
    except Exception as error:
        # an array of one entry for one number: some versions of NumPy take it
        return not strictly and "array element" in str(error)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program, called as a user does, and as a text alone."""
    found = program(seed)
    case, verdict = Case(found, {}, "x", level="none"), Verdict()
    with noted(verdict):
        gradient = engine.grad(found.function)
        rng = Random(seed)
        some = rng.sample(list(calls(seed)), 12)
        verdict.faults += judged("grad", found, gradient, some)
        text = engine.grad(found.function, wrt="x", shapes={})
        verdict.text = text.source
        names: dict = {}
        exec(compile(verdict.text, "text", "exec"), names)
        alone = names["grad_program"]
        verdict.faults += judged("text", found, alone, calls(seed))
    yield case, verdict


def judged(way: str, found: Imperative, gradient, every) -> Iterator[Fault]:
    """A gradient where the program raises, none where it runs, or a wrong one."""
    alone = (
        line.replace(", out=z", "") if "matmul" in line else line
        for line in found.lines
    )
    product = replace(found, lines=tuple(alone))
    for args in every:
        shapes = f"{args[0].shape}, {args[1].shape}"
        try:
            got = gradient(*(arg.copy() for arg in args))
        except Exception as error:
            inner = type(error).__module__.startswith("gradgen")
            if inner and not isinstance(error, GradgenError):
                yield Fault("internal", f"{way} of {shapes}: {error}")
            elif not refuses(error) and ran(found.function, args, strictly=True):
                yield Fault("exception", f"{way} of {shapes}: {error!r}")
                return
            continue
        if not ran(found.function, args):
            if not ran(product.function, args):
                continue
            yield Fault("no exception", f"{way} of {shapes}, where the program raises")
            return
        try:
            want = numeric_gradient(found.function, args, 0).value
        except (ValueError, TypeError):
            continue
        if np.shape(got) != want.shape:
            yield Fault("shape", f"{way} of {shapes}: {np.shape(got)}")
        elif not np.all(np.abs(got - want) <= tolerance(want)):
            yield Fault("value", f"{way} of {shapes}: {got}, not {want}")
