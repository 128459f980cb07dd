"""What a function asks of an object that it is handed, and of how many axes arrays have.

A text is made for one object and one array, in an example, and run on others: of other
settings, lengths, ranks, classes, with attributes more or less. A method's text is run
on instances that are not the one that it was made for, and so are texts with nothing
told. Each gives the gradient of what it is called with, or raises.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.called import Called, called
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.program import imported

PROGRAMS = 8
REFUSED_AT_MOST = 0.2  # what an attribute of unknown kind is asked for
HEAD = """import numpy as np


class Gear:
    k = 3
    def up(self, x):
        return x * self.k


class Fast(Gear):
    def up(self, x):
        return x ** 2 * self.k


class Car:
    wheels = 4
    def __init__(self):
        self.mode, self.flag, self.cnt, self.num = "mean", True, 2, 1.5
        self.vec, self.mat = np.array([1.0, 2.0]), np.array([[1.0, 2.0], [3.0, 4.0]])
        self.gear, self.opt, self.act = Gear(), None, np.sin
        self.table, self.pair, self.items = {"a": 1.0, "b": 2.0}, (1.0, 2.0), [0.5, 1.5]
    def __len__(self):
        return len(self.vec)
    def __bool__(self):
        return self.flag
    @property
    def twice(self):
        return 2 * self.num
    def drive(self, x):
        if self.flag:
            return self.gear.up(x)
        return x ** 3


"""
OF_METHODS = """

def f(x, p, m):
    return p.f(x, m)
"""
TESTS = (
    "p.mode == 'mean'",
    "p.mode in ('sum', 'mean')",
    "p.mode.startswith('m')",
    "p.flag",
    "not p.flag",
    "p",
    "p.cnt > 1",
    "p.cnt % 2 == 0",
    "p.mat.ndim == 2",
    "np.ndim(p.mat) > 1",
    "len(p.mat.shape) == 2",
    "p.mat.shape == (2, 2)",
    "p.mat.shape[0] == p.mat.shape[-1]",
    "np.ndim(p.num) == 0",
    "np.isscalar(p.num)",
    "isinstance(p.num, float)",
    "isinstance(p.vec, np.ndarray)",
    "isinstance(p.gear, Fast)",
    "type(p.gear) is Gear",
    "p.gear.k == 3",
    "p.gear.k > 2",
    "hasattr(p, 'extra')",
    "hasattr(p.gear, 'ratio')",
    "getattr(p, 'extra', None) is None",
    "getattr(p, 'extra', 2.0) > 1",
    "p.opt is None",
    "p.opt",
    "p.act is np.sin",
    "callable(p.act)",
    "'a' in p.table",
    "'z' in p.table",
    "len(p.table) == 2",
    "len(p) == 2",
    "len(p.items) > 2",
    "p.items",
    "p.pair[0] == 1.0",
    "p.vec.dtype == np.float64",
    "p.vec.size == 2",
    "p.wheels == 4",
    "p.twice > 2",
    "m.ndim == 1",
    "np.ndim(m) in (0, 2)",
    "len(np.shape(m)) < 2",
    "m.shape",
    "m.ndim > 1 and m.shape[1] == 2",
    "np.isscalar(m)",
)
ARMS = (
    "x = 2.0 * x",
    "x = x ** 2",
    "return np.sum(x ** 3)",
    "x = x + np.sin(x)",
    "x = x * p.num",
    "x = p.gear.up(x)",
)
READS = (
    "return np.sum(x ** 2) * p.num",
    "return np.sum(p.gear.up(x))",
    "return np.sum(p.drive(x))",
    "return np.sum(p.act(x))",
    "return np.sum(x ** p.cnt)",
    "return np.sum(x * p.vec)",
    "return np.sum(x ** 2) * p.vec[0]",
    "return np.sum(x ** 2) * np.sum(p.mat)",
    "return np.sum(p.mat.max(axis=p.mat.ndim - 1)) * np.sum(x)",
    "return np.sum(x ** 2) * np.sum(np.max(m, axis=np.ndim(m) - 1))",
    "return np.sum(x) ** np.ndim(m)",
    "return np.sum(x ** len(p))",
    "return np.sum(x ** 2) * sum(p.table.values())",
    "return np.sum(x ** 2) * p.table.get('z', 0.5)",
    "return np.sum(x ** 2) * p.pair[1] + p.pair[0]",
    "a, b = p.pair\nreturn np.sum(a * x ** 2) + b",
    "s = 0.0\nfor v in p.items:\n    s = s + v * np.sum(x ** 2)\nreturn s",
    "for k in range(p.cnt):\n    x = x * 1.5 + k\nreturn np.sum(x ** 2)",
    "s = 1.0\nfor n in np.shape(m):\n    s = s * n\nreturn s * np.sum(x ** 2)",
    "s = 0.0\nfor k in p.table:\n    s = s + p.table[k] * np.sum(x)\nreturn s",
    "return np.sum(x ** p.twice)",
    "return np.sum(x ** 2) * len(p.items)",
    "return np.sum(x) ** p.wheels",
    "return np.sum(x ** 2) if p.opt is None else np.sum(x * p.opt)",
)
X = np.array([1.2, 0.7])
MATRICES = (
    np.array([[1.0, 2.0], [3.0, 5.0]]),
    np.array([1.0, 2.0]),
    2.5,
    np.array(2.5),
    np.arange(8.0).reshape(2, 2, 2),
    np.ones((2, 3)),
)


def variants(module) -> Iterator[object]:
    """Cars that differ in one thing from the first."""
    car = module["Car"]
    yield car()
    changes = {
        "mode": ("sum", "max", None),
        "flag": (False, None, 1),
        "cnt": (3, 0, 2.0),
        "num": (2, 0.5, np.array([1.0, 2.0]), np.float64(1.5)),
        "vec": (np.ones(3), np.array([1, 2]), [1.0, 2.0]),
        "mat": (np.ones((2, 2, 2)), np.array([2.0, 1.0]), np.ones((3, 2)), 2.0),
        "gear": (module["Fast"](),),
        "opt": (np.array([1.0, 3.0]), 2.0),
        "act": (np.cos, np.exp),
        "table": ({"a": 1.0}, {"a": 1.0, "z": 3.0}, {}),
        "pair": ((3.0, 2.0), [1.0, 2.0], (1.0, 2.0, 3.0)),
        "items": ([0.5], [], [0.5, 1.5, 2.5]),
        "extra": (3.0, 0.5, None),
        "wheels": (3,),
    }
    for name, values in changes.items():
        for value in values:
            other = car()
            setattr(other, name, value)
            yield other
    for name, value in (("k", 5), ("ratio", 2.0)):
        other = car()
        setattr(other.gear, name, value)
        yield other


def program(seed: int) -> str:
    rng = Random(f"held {seed}")
    lines = [f"if {rng.choice(TESTS)}:", f"    {rng.choice(ARMS)}"]
    if rng.random() < 0.3:
        lines += [f"elif {rng.choice(TESTS)}:", f"    {rng.choice(ARMS)}"]
    if rng.random() < 0.3:
        lines += ["else:", f"    {rng.choice(ARMS)}"]
    if rng.random() < 0.3:
        lines += [f"w = 2.0 if {rng.choice(TESTS)} else 1.0", "x = x * w"]
    body = "\n".join((*lines, rng.choice(READS))).replace("\n", "\n    ")
    if rng.random() < 0.6:
        return f"{HEAD}def f(x, p, m):\n    {body}\n"
    body = re.sub(r"\bp\b", "self", body).replace("\n", "\n    ")
    return f"{HEAD.rstrip()}\n    def f(self, x, m):\n        {body}\n{OF_METHODS}"


def verdicts(seed: int, engine) -> Iterator[tuple[Called, Verdict]]:
    text = program(seed)
    function = imported(text, "f")
    cars = list(variants(function.__globals__))
    rng = Random(f"held told {seed}")
    pairs = [(car, MATRICES[0]) for car in cars]
    pairs += [(cars[0], matrix) for matrix in MATRICES[1:]]
    truths = [_truth(function, *pair) for pair in pairs]
    takes = [k for k, want in enumerate(truths) if want is not None]
    takes = [k for k in takes if type(pairs[k][1]) is float or np.ndim(pairs[k][1])]
    some = rng.sample(takes, min(2, len(takes)))
    for told in dict.fromkeys((None, *takes[:1], *some)):
        yield (
            called(text, seed, "x"),
            verdict(text, function, told, pairs, truths, engine),
        )


def _truth(function, car, matrix) -> np.ndarray | None:
    """The gradient by differences; None where it does not give a number of these."""
    try:
        with np.errstate(all="ignore"):
            if np.ndim(function(X, copy.deepcopy(car), matrix)):
                return None
            found = numeric_gradient(
                lambda x: function(x, copy.deepcopy(car), matrix), [X], 0
            )
        return found.value
    except Exception:
        return None


def verdict(source: str, function, told: int | None, pairs, truths, engine) -> Verdict:
    found, space = Verdict(), dict(function.__globals__)
    own = "def f(self" in source
    car, matrix = pairs[told or 0]
    try:
        if told is None:
            asked = function.__globals__["Car"].f if own else function
            found.text = engine.emit(asked, wrt="x")
        elif own:
            found.text = engine.emit(car.f, wrt="x", example=(X, matrix))
        else:
            found.text = engine.emit(function, wrt="x", example=(X, car, matrix))
    except GradgenError as refusal:
        found.refusal = str(refusal)
        return found
    except Exception:
        found.faults.append(broken_off())
        return found
    exec(compile(found.text, "<gradgen held>", "exec"), space)
    for k, ((car, matrix), want) in enumerate(zip(pairs, truths)):
        given = (car, X, matrix) if own else (X, car, matrix)
        try:
            with np.errstate(all="ignore"):
                got = space["grad_f"](*given)
        except Exception as error:
            if k == told:
                fault = f"its own example {k}: {error!r}"
                found.faults.append(Fault("raised", fault))
            continue  # it says what it is made for
        if want is not None and not np.allclose(got, want, rtol=1e-4, atol=1e-6):
            shown = "nothing" if told is None else told
            fault = f"made for {shown}, called with {k}: {got}, and not {want}"
            found.faults.append(Fault("wrong", fault))
    return found
