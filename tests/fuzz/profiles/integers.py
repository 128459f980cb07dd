"""What varies goes into whole numbers, or does not, and nothing tells which.

A held argument is an array of integers, of booleans or of floats, or a list; the
program makes arrays of its dtype and stores into them. Where the fraction is cut off
the derivative is 0: to let a gradient through is wrong, and most are refused. A text
made with nothing told is run alone as well, and may raise what it takes k for.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import Case
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.program import Parameter, Program

PROGRAMS = 20
REFUSED_AT_MOST = 0.75  # half of the arguments hold whole numbers
# arrays made of k, and of its dtype
MADE = """k.copy()
np.zeros_like(k)
np.ones_like(k)
np.full_like(k, 2)
np.zeros(3, k.dtype)
np.zeros(len(k), dtype=k.dtype)
np.array(k)
np.asarray(k).copy()
np.zeros(3, dtype=int)
np.arange(3)
np.array([1, 2, 3])
np.array([1, 2, 3.0])
np.where(np.asarray(k) > 1, 1, 0)
np.where(np.asarray(k) > 1, 1.0, 0)
np.sort(k)
np.concatenate([k, k])
np.stack([k, k])[0]
np.asarray(k).reshape(-1).copy()
np.asarray(k) + np.asarray(k)
np.asarray(k) * 2
np.asarray(k) / 2
np.asarray(k) * 1.0
np.maximum(k, 1)
np.cumsum(k)
np.abs(k)
np.tile(k, 1)
np.flip(k).copy()
np.pad(k, (1, 1))
np.asarray(k)[[0, 1, 2]]
np.asarray(k).astype(x.dtype)
np.outer(k, k)[0]
np.full(3, k)
np.array([k, k, k])
np.repeat(k, 3)
np.broadcast_to(k, (3,)).copy()
np.zeros(3, dtype=np.result_type(k))
np.zeros_like(x, dtype=np.asarray(k).dtype)
np.bincount([0, 1, 2])
np.bincount([0, 1, 2], weights=[1, 2, 1])
np.histogram(x, 3)[0].copy()
np.histogram(x, 3, density=True)[0].copy()
np.unique([3, 1, 2], return_counts=True)[1]
np.frexp(x)[1]
np.frexp(x)[0].copy()
np.array(list(k))
np.array([v for v in k])
np.array([v + 0.5 for v in k])
np.array([*k])
np.array(sorted(k))
np.array([0.5, *k])
np.array([v * x[0] for v in k])""".splitlines()
STORES = """a[0] = x[0]
a[:3] = x
a[1:3] = 0.5 * x[1:]
a[[0, 1]] = x[:2]
a[0] += x[0]
a.fill(x[0])
np.copyto(a[:3], x, casting="unsafe")
np.add.at(a, [0, 1], x[0])
v = a[1:]|v[0] = x[0]
for i in range(3):|    a[i] = x[i] * 2
if x[0] > 0:|    a[0] = x[0]|else:|    a[1] = x[1]
a = a * x[0]
a = np.full_like(a, x[0])
a = np.full(3, x[0], a.dtype)
a = np.full_like(a, x[0], dtype=float)
a = np.insert(a, 0, x[0])
a = np.append(a, x[0])
a = np.pad(a, 1, constant_values=x[0])
a = np.array(x, dtype=a.dtype)
a = np.asarray(x, a.dtype)
a = x.astype(a.dtype)
a = x.astype(int) * x
a = np.array([x[0], x[1]], dtype=a.dtype)
a = np.array([x[0], x[1]], dtype=int)
a = np.cumsum(x, dtype=a.dtype)
a = np.full_like(a, x[0], dtype=np.result_type(a))
a = np.full(np.shape(a), x[0], dtype=np.asarray(k).dtype)
a = np.full_like(k, x[0])
a = np.empty_like(k, shape=3)|a[...] = x
a = np.sum(x, dtype=a.dtype) * x
a = np.where(np.asarray(k) > 1, x, np.asarray(k))
put(a, x[0])""".splitlines()
KINDS = {
    "int": lambda: np.array([1, 2, 3]),
    "int32": lambda: np.array([1, 2, 3], np.int32),
    "bool": lambda: np.array([True, False, True]),
    "float": lambda: np.array([1.0, 2.0, 3.0]),
    "list": lambda: [1, 2, 3],
    "floats": lambda: [1.0, 2.0, 3.0],
    "number": lambda: 3,
    "numpy": lambda: np.int64(3),
    "point": lambda: 3.0,
}
HELPER = "def put(u, v):|    u[0] = v"
# what a text says that looks at an argument, and what NumPy says of a list as a dtype
# said by a text, and by NumPy of a list whose dtype is asked for; and of a number, whose
# method fill fills nothing
TAKEN = re.compile(
    "(is|are) taken for|Cannot interpret|Field elements must be"
    "|float64' object does not support item assignment"
)
LEVELS = ("none", "full", "alone")


@dataclass(frozen=True)
class Held(Program):
    """A program whose second argument is of some kind."""

    held: str = "int"

    def arguments(self, sample: int, dtype=np.float64) -> list:
        rng = np.random.default_rng([self.seed, sample])
        x = rng.uniform(0.3, 0.7, 3) + rng.integers(-3, 3, 3)
        return [x.astype(dtype), KINDS[self.held]()]


def program(seed: int) -> Held:
    rng = Random(f"integers {seed}")
    lines = [*HELPER.split("|"), f"a = {rng.choice(MADE)}"]
    for _ in range(rng.choice((1, 1, 2))):
        lines += rng.choice(STORES).split("|")
    result = rng.choice(("np.sum(a * 1.5)", "np.sum(a) * x[1]", "a * 0.5", "a[0] * 2"))
    lines.append(f"return {result}")
    params = (Parameter("x", ("n",)), Parameter("k", ("n",), "int"))
    sizes = ({"n": 3}, {"n": 3})
    held = rng.choice(tuple(KINDS))
    return Held(params, tuple(lines), seed, sizes=sizes, held=held)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    made = program(seed)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            value = made.function(*made.arguments(0))
            want = measured(made, value)
        except Exception:
            return  # no program: NumPy does not take it
        for level in LEVELS:
            shapes = {"x": "n"} | ({"k": "n"} if level == "full" else {})
            case = Case(made, shapes if level == "full" else {}, "x", level=level)
            yield case, verdict(case, want, engine)


def measured(made: Held, value) -> np.ndarray:
    """The gradient in x: differences of the function itself."""
    x, _ = made.arguments(0)

    def of_x(x):
        return made.function(x.copy(), KINDS[made.held]())

    return numeric_gradient(of_x, [x], 0, np.ones(np.shape(value))[()]).value


def alone(text: str, made: Held):
    """The gradient by the text that nothing was told for, executed by itself."""
    names: dict = {}
    exec(compile(text, "<alone>", "exec"), names)
    seed = np.ones(np.shape(made.function(*made.arguments(0))))[()]
    return names[f"grad_{made.name}"](*made.arguments(0), seed)


def verdict(case: Case, want: np.ndarray, engine) -> Verdict:
    made, found = case.program, Verdict()
    try:
        if case.level == "alone":
            found.text = engine.emit(made.function, wrt="x")
            got = alone(found.text, made)
        else:
            gradient = engine.grad(made.function, wrt="x", shapes=case.shapes)
            try:
                got = gradient(*made.arguments(0))
            finally:
                found.text = f"{made.held}\n{getattr(gradient, 'source', '')}"
    except GradgenError as refusal:
        found.refusal = str(refusal)
    except (ValueError, TypeError) as error:
        if case.level != "alone" or not TAKEN.search(str(error)):
            found.faults.append(broken_off())
        found.refusal = str(error)
    except Exception:
        found.faults.append(broken_off())
    else:
        if got.shape != want.shape or not np.allclose(got, want, rtol=1e-6, atol=1e-7):
            found.faults.append(Fault("value", f"{made.held}: {got}, not {want}"))
    return found
