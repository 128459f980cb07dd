"""Slices that start and end at arguments, which are whole numbers or None.

x[:h] and x[h:] share no entry where h is a number, and are all of x both where it is
None: a text of which nothing tells what h is has to be right for both, or to raise.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import Case, tolerance
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.profiles.python import Written
from tests.fuzz.program import Parameter

PROGRAMS = 15
REFUSED_AT_MOST = 0.05
PARTS = """
x[:h] x[h:] x[h:k] x[:k] x[k:] x[::h] x[:h][::-1] x[h:][:k] y[:h] y[h:] A[:,:h] A[h:]
A[:h,k:] A[h:,:] np.exp(x)[:h] np.exp(x)[h:] (x*y)[k:] (x*y)[:k] x[h:-1] x[-3:k]
""".split()
TERMS = (
    "np.sum({} ** 2)",
    "np.sum(np.sin({}))",
    "np.sum({})",
    "np.sum(np.cumsum({}))",
    "np.sum({0} * {0})",
    "np.mean({} * 2.0) ** 2",
)
HEADS = ("x, y, A, h, k", "x, y, A, h=1, k=2", "x, y, A, h=None, k=None")
BODIES = (
    ("return {}",),
    ("t = 0.0", "for r in range(2):", "    t = t + {}", "return t"),
    (
        "z = np.zeros_like(x)",
        "z[:h] = x[:h] * 2",
        "z[h:] = np.sin(x[h:])",
        "return np.sum(z**2) + {}",
    ),
    ("z = x * 1.0", "z[:h] *= 2", "z[k:] += y[k:]", "return np.sum(z**2) + {}"),
    ("if k is not None:", "    x = x * k", "return {}"),
)
BOUNDS = ((None, None), (1, 2), (2, 1), (None, 1), (3, None), (-1, None), (1, -1))
RAISED = re.compile("taken for|is expected|cannot be broadcast|are wanted")


def text_of(rng: Random) -> str:
    terms = [
        rng.choice(TERMS).format(rng.choice(PARTS)) for _ in range(rng.randint(2, 4))
    ]
    lines = [line.format(" + ".join(terms)) for line in rng.choice(BODIES)]
    head = f"def f({rng.choice(HEADS)}):"
    return "\n    ".join(["import numpy as np\n\n\n" + head, *lines]) + "\n"


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    rng = Random(f"ends {seed}")
    params = *(Parameter(name, ("n",)) for name in "xy"), Parameter("A", ("n", "n"))
    program = Written(params, tuple(text_of(rng).split("\n")), seed, "f")
    wrt = rng.choice("xA")
    case, verdict = Case(program, {}, wrt, level="none"), Verdict()
    values = np.random.default_rng(seed)
    args = [values.uniform(0.3, 1.7, shape) for shape in (4, 4, (4, 4))]
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            verdict.faults += judged(program, engine, verdict, args, "xyA".index(wrt))
    except GradgenError as refusal:
        verdict.refusal = str(refusal)
    except Exception:
        verdict.faults.append(broken_off())
    yield case, verdict


def judged(
    program: Written, engine, verdict: Verdict, args: list[np.ndarray], at: int
) -> Iterator[Fault]:
    """Faults of a call, and of texts of which nothing, or the shapes, are told."""
    f, wrt = program.function, "xyA"[at]
    doors = {"call": engine.grad(f, wrt=wrt)}
    told = {"x": "n", "y": "n", "A": "n n"}
    for door, shapes in {"alone": {}, "told": told}.items():
        verdict.text, space = engine.emit(f, wrt=wrt, shapes=shapes), {}
        exec(compile(verdict.text, "<gradgen text>", "exec"), space)
        doors[door] = space["grad_f"]
    for bounds in BOUNDS:
        try:
            want = numeric_gradient(f, [*args, *bounds], at)
        except Exception:
            continue  # Python itself does not run it
        if not np.all(np.isfinite(want.value)):
            continue
        for door, gradient in doors.items():
            try:
                got = gradient(*args, *bounds)
            except ValueError as error:
                if door == "alone" and RAISED.search(str(error)):
                    continue
                raise
            if np.shape(got) != want.value.shape:
                yield Fault("shape", f"{door}, {bounds}: {np.shape(got)}")
            elif not np.all(np.abs(got - want.value) <= tolerance(want.value)):
                yield Fault("value", f"{door}, {bounds}: {got}, not {want.value}")
