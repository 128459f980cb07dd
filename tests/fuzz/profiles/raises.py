"""Programs that raise at some arguments: there the gradient raises as well.

A name that was assigned on some ways alone is read, an exception is raised, an
assertion fails, or `out=` does not fit, by the value of the count n. Where the
program returns, its gradient is held against differences.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import Case, tolerance
from tests.fuzz.imperative import Imperative
from tests.fuzz.judge import Fault, Verdict, noted
from tests.fuzz.program import Parameter

PROGRAMS = 30
REFUSED_AT_MOST = 0.1
COUNTS = (0, 1, 2, 3, 5)
SIZES = ({"n": 3, "m": 3}, {"n": 3, "m": 3})
HELPERS = """def late(u, n):
    for i in range(n):
        w = u * i
    return w


def checked(u, n):
    if n < 2:
        raise ValueError("too few")
    return u * n


def asserted(u, n):
    assert n != 1, "one is none"
    return 0.5 * u"""
VALUES = ["x * 2", "np.sin(x)", "x * x", "np.sum(x)", "2.0", "n", "x[0]", "x + {i}"]
# a name that has a value on some ways alone
LATE = [
    "for {i} in range(n):\n    y = {v}",
    "for {i} in range(1, n):\n    y = {v}",
    "for {i} in range(n, 1, -1):\n    y = {v}",
    "for {i} in range(0, n, 2):\n    y = {v}",
    "for {i} in range(n):\n    if {i} == 1:\n        y = {v}",
    "for {i} in range(4):\n    if {i} < n - 1:\n        y = {v}",
    "for {i} in range(n):\n    if {i} > 1:\n        break\n    y = {v}",
    "for {i} in range(n):\n    if {i} < 2:\n        continue\n    y = {v}",
    "for {i} in range(2):\n    for j in range(n):\n        y = {v}",
    "for {i} in range(n):\n    for j in range({i}):\n        y = {v}",
    "for {i}, a in enumerate(x[:n]):\n    y = {v}",
    "{i} = 0\nwhile {i} < n:\n    y = {v}\n    {i} += 1",
    "{i} = 1\nif n > 0:\n    y = {v}",
    "{i} = 1\nif n > 2:\n    y = {v}\nelif n == 1:\n    y = x",
    "{i} = 1\nif n == 1:\n    pass\nelse:\n    y = {v}",
    "{i} = 1\nif n > 0:\n    if n < 3:\n        y = {v}",
    "{i} = 1\nif n > 1:\n    y, z = {v}, x",
    "{i} = 1\nif n > 1 and np.sum(x) > -90:\n    y = {v}",
    "for {i} in range(3):\n    if {i} >= n:\n        y = {v}\n        break",
    "{i} = 1\nif n > 3:\n    y = x\nif n < 2:\n    y = {v}",
    "for {i} in range(n):\n    pass\ny = x * {i}",
    "y = late(x, n)",
]
RAISED = [
    "if n < 1:\n    raise ValueError('n')\ny = {v}",
    "if n == 2:\n    raise IndexError\ny = {v}",
    "assert n > 0\ny = {v}",
    "assert n != 2, 'two'\ny = {v}",
    "y = {v}\nassert np.sum(x) > 100 or n > 1",
    "y = {v}\nfor {i} in range(n):\n    if {i} == 2:\n        raise RuntimeError('late')",
    "y = checked(x, n)",
    "y = asserted(x, n)",
    "y = x\nfor {i} in range(3):\n    assert {i} < n\n    y = y * x",
    "y = {v}\nwhile n > 0:\n    n -= 1\n    if n == 1:\n        raise KeyError(n)",
    "if n > 2:\n    y = {v}\nelif n == 1:\n    raise ValueError('one')\nelse:\n    y = x",
]
OUT = [
    "v = np.zeros(n)\nnp.multiply(x, 2.0, out=v)\ny = v",
    "v = np.ones((n, 3))\nnp.add(x, 1.0, v)\ny = v",
    "v = np.zeros(n)\nnp.sin(x, out=v)\ny = x",
    "v = np.zeros(3 if n > 1 else 4)\nnp.multiply(x, x, out=v)\ny = v",
    "v = np.zeros(max(n, 1))\nnp.exp(x, v)\ny = v * 2",
    "v = np.ones((3, n))\nnp.multiply(x, x, out=v)\ny = v",
    "v = np.zeros(1)\nif n > 1:\n    np.add(x, x, out=v)\ny = v * x",
]
USES = [
    "return np.sum(y)",
    "return np.sum(y * x)",
    "return np.sum(x) + 0.5 * np.sum(y)",
    "z = y\nreturn np.sum(x)",
    "return np.sum(x) * (1 + np.ndim(y))",
    "w = np.sin(y)\nreturn np.sum(w * w)",
    "if np.sum(y) > 90:\n    x = x * 2\nreturn np.sum(x)",
    "hs = [y]\nreturn np.sum(hs[0] * 3)",
    "half = lambda u: 0.5 * u\nreturn np.sum(half(y))",
    "for k in range(2):\n    y = y * x\nreturn np.sum(y)",
    "total = 0.0\nfor k in range(2):\n    total += np.sum(y)\nreturn total",
    "return np.sum([np.sum(y) for k in range(2)][0])",
    "return np.sum(x if n == 1 else y)",
]


def program(rng: Random, seed: int) -> Imperative:
    """A program that raises at some counts."""
    part = rng.choice([*LATE * 3, *RAISED * 2, *OUT])
    index = rng.choice(["i", "t"])
    text = f"{part}\n{rng.choice(USES)}".replace("{v}", rng.choice(VALUES))
    params = (Parameter("x", ("n",)), Parameter("n", (), "int"))
    lines = tuple(text.replace("{i}", index).splitlines())
    return Imperative(params, lines, seed, "program", SIZES, HELPERS)


def fitting(seed: int) -> Imperative:
    """The program of this seed: one that returns at some counts and raises at others."""
    rng = Random(f"raises {seed}")
    while True:
        found = program(rng, seed)
        ends = [raised(found.function, *arguments(found, n)) for n in COUNTS]
        if any(ends) and not all(ends) and NameError not in ends:
            return found


def arguments(found: Imperative, count: int) -> list:
    return [found.arguments(0)[0], count]


def raised(function, *args) -> type | None:
    """What a call raises."""
    try:
        with np.errstate(all="ignore"):
            value = function(*args)
    except Exception as error:
        return type(error)
    return None if np.ndim(value) == 0 else TypeError


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed, with all facts and with none."""
    found = fitting(seed)
    for level, shapes in (("full", {"x": "3", "n": ":int"}), ("none", {})):
        case = Case(found, shapes, "x", level=level)
        verdict = Verdict()
        with noted(verdict):
            verdict.faults += judged(found, shapes, engine, verdict)
        yield case, verdict


def judged(found: Imperative, shapes, engine, verdict: Verdict) -> Iterator[Fault]:
    """Faults at each count: a gradient where the program raises, or a wrong one."""
    request = dict(wrt="x", shapes=shapes)
    gradient = engine.grad(found.function, **request)
    verdict.text = gradient.source
    both = engine.value_and_grad(found.function, **request)
    callback = engine.vjp(found.function, **request)
    ways = {
        "grad": gradient,
        "value_and_grad": lambda *args: both(*args)[1],
        "vjp": lambda *args: callback(*args)[1](1.0),
    }
    for count in COUNTS:
        error = raised(found.function, *arguments(found, count))
        for way, function in ways.items():
            args = arguments(found, count)
            if error is None:
                got = function(*args)
                want = _measured(found.function, args)
                if want is None:
                    continue
                if np.shape(got) != want.shape:
                    yield Fault("shape", f"{way} at n={count}: {np.shape(got)}")
                elif not np.all(np.abs(got - want) <= tolerance(want)):
                    yield Fault("value", f"{way} at n={count}: {got}, not {want}")
            elif not raises(function, args):
                detail = f"{way} at n={count}, where the program raises"
                yield Fault("no exception", f"{detail} {error.__name__}")


def _measured(function, args: list) -> np.ndarray | None:
    """The gradient by differences; None where a step of theirs goes another way."""
    try:
        return numeric_gradient(function, args, 0).value
    except Exception:  # the program's own
        return None


def raises(function, args: list) -> bool:
    try:
        with np.errstate(all="ignore"):
            function(*args)
    except Exception:
        return True
    return False
