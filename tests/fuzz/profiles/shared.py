"""Arguments that are one object, hold one, or stand around the function as well.

Methods and functions that store fields, entries of dictionaries and of arrays; called with
arguments that are apart, and with such as share something. Either the derivative is that
of the call at hand, or it raises.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import tolerance
from tests.fuzz.called import Called, called
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.program import imported

PROGRAMS = 12
REFUSED_AT_MOST = 0.7  # what shares something is refused
TEXT = """import dataclasses
import types
import numpy as np

AROUND = np.array([0.6, 1.1, 0.9])
TABLE = {"w": np.array([0.5, 0.8, 1.2]), "k": 1.5}

class Plain:
    def __init__(self, w, v):
        self.w = w
        self.v = v
        self.c = None
    def up(self, z):
        self.w = self.w * z
        return self.w
    def get(self, z):
        return self.w * np.sum(self.v * z)

@dataclasses.dataclass
class Record:
    w: float
    v: np.ndarray
    c: object = None
    def up(self, z):
        self.w = self.w * z
        return self.w
    def get(self, z):
        return self.w * np.sum(self.v * z)
"""
LINES = """{p}.w = {q}.w * x[0] + 0.3; {p}.w += x[1]; {p}.up(x[2]); x = x * {p}.w
{p}.v = {q}.v * x; y = x + {p}.get(x) * 0.1; {q}.w = {p}.w * np.sum({q}.v)"""
PATHS = ("m", "n", "m.c", "n.c")
DICTS = """m["w"] = m["w"] * x[0]; n["w"] = n["w"] + x; x = x * n["k"]; m["k"] = n["k"] * x[1]
x = x + TABLE["w"]; m["w"] = TABLE["w"] * x"""
ARRAYS = """m[0] = x[0] * 2; m *= x; x = x * n; n[1:] = x[1:] * m[:-1]; x = x * AROUND
m += AROUND * x"""
APART = "apart"
SHARING = ("child", "same", "holds", "itself", "array", "around")


def program(seed: int) -> tuple[str, str]:
    """A module, and the sort of what its function takes beside x."""
    rng = Random(f"shared {seed}")
    sort = rng.choice(("Plain", "Record", "dict", "array"))
    source = {"dict": DICTS, "array": ARRAYS}.get(sort, LINES)
    lines = [one.strip() for one in source.replace("\n", ";").split(";")]
    body = []
    for line in rng.sample(lines, rng.randint(2, 4)):
        p, q = rng.choice(PATHS), rng.choice(PATHS)
        body.append(line.format(p=p, q=q) if sort in ("Plain", "Record") else line)
    p, q = rng.choice(PATHS), rng.choice(PATHS)
    ends = {
        "dict": 'np.sum(m["w"] * x) + n["k"] * np.sum(n["w"])',
        "array": "np.sum(m * x) + np.sum(n**2)",
    }
    end = ends.get(sort, f"{p}.w * np.sum({q}.v * x) + m.w * n.w")
    body.append(f"return {end}")
    lines = "".join(f"    {line}\n" for line in body)
    return f"{TEXT}\ndef f(m, n, x):\n{lines}", sort


def arguments(function, sort: str, sharing: str):
    """Two arguments, and what is around the function in the state that it begins with."""
    around = function.__globals__
    around["AROUND"][:] = [0.6, 1.1, 0.9]
    around["TABLE"].update({"w": np.array([0.5, 0.8, 1.2]), "k": 1.5})

    def one(k):
        w = np.array([1.0, 0.7, 1.3]) + 0.1 * k
        if sort == "array":
            return w
        if sort == "dict":
            return {"w": w, "k": 0.9 + 0.2 * k}
        return around[sort](1.2 + 0.3 * k, w)

    m, n = one(0), one(1)
    if sort in ("Plain", "Record"):
        m.c, n.c = one(2), one(3)
        if sharing == "child":
            n.c = m.c
        elif sharing == "holds":
            m.c = n
        elif sharing == "itself":
            m.c = m
        elif sharing == "array":
            n.v = m.v
    elif sort == "dict" and sharing == "itself":
        m["c"] = m
    elif sharing == "around":
        m = around["TABLE" if sort == "dict" else "AROUND"]
    if sharing == "same":
        n = m
    return m, n


def verdicts(seed: int, engine) -> Iterator[tuple[Called, Verdict]]:
    text, sort = program(seed)
    function = imported(text, "f")
    rng = Random(f"shared call {seed}")
    derivative = engine.grad(function, wrt="x")
    for sharing in (APART, *rng.sample(SHARING, 2)):
        yield (
            called(text, seed, "x"),
            verdict(function, derivative, sort, sharing, text),
        )


def verdict(function, derivative, sort: str, sharing: str, text: str) -> Verdict:
    found = Verdict(text=f"# {sharing}\n{text}")
    x = np.array([1.3, 0.7, 0.4])

    def value(moved):
        return function(*arguments(function, sort, sharing), moved.copy())

    try:
        want = numeric_gradient(value, [x], 0, 1.0).value
    except Exception:
        found.measured = False
        return found
    try:
        got = derivative(*arguments(function, sort, sharing), x.copy())
    except GradgenError as refusal:
        found.refusal = str(refusal)
        return found
    except ValueError as error:
        if "are one" in str(error):
            found.refusal = "raised: are one"
        else:
            found.faults.append(broken_off())
        return found
    except Exception:
        found.faults.append(broken_off())
        return found
    if not np.all(np.abs(got - want) <= tolerance(want)):
        found.faults.append(Fault("value", f"{sharing}: {got}, not {want}"))
    return found
