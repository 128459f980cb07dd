"""Objects with attributes as arguments: namespaces, plain instances, slots, records.

Alone, in lists and in dictionaries, one inside another, beside settings and methods.
The gradient is in an argument beside them, in one attribute, in several, or in the
whole, which then has the attributes of what it is of.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import tolerance
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.called import Called, called
from tests.fuzz.program import imported

PROGRAMS = 12
REFUSED_AT_MOST = 0.02
TEXT = """import dataclasses
import types
import numpy as np

class Plain:
    def __init__(self, **own):
        self.__dict__.update(own)
    def scaled(self, x):
        return self.k * x
    @property
    def twice(self):
        return 2 * self.k

class Slots:
    __slots__ = ("w", "k", "mode", "n", "act", "inner")
    def __init__(self, **own):
        for name, value in own.items():
            setattr(self, name, value)
    def scaled(self, x):
        return self.k * x
    @property
    def twice(self):
        return 2 * self.k

@dataclasses.dataclass
class Record:
    w: object
    k: float
    mode: str = "sum"
    n: int = 2
    act: object = np.tanh
    inner: object = None
    def scaled(self, x):
        return self.k * x
    @property
    def twice(self):
        return 2 * self.k

Space = types.SimpleNamespace

def helper(c, x):
    return c.w * x + c.k
"""
# what is read of an object c
READS = """c.w * x; c.k * x; np.sum(c.w) * x; x ** 2 * c.w * c.k; c.w * x ** c.n; c.act(c.w * x)
helper(c, x); (c.w * x if c.mode == 'sum' else x); sum([c.w * x for i in range(c.n)])
c.inner.w * x * c.k; c.inner.k * c.w + x; (x if c.mode is None else c.w * x)
getattr(c, 'w') * x; c.w * x if hasattr(c, 'k') else x; c.w @ x * x"""
OF_CLASSES = "c.scaled(x) * c.w; c.twice * x; c.scaled(x) + c.inner.scaled(x)"
PLACES = {
    "alone": ("c", "", "c"),
    "first": ("c", "", "c"),
    "list": ("cs", "    c = cs[0]\n    x = x * cs[1].w\n", "cs[0]"),
    "loop": ("cs", "", "cs[1]"),
    "dict": ("d", "    c = d['a']\n    x = x * d['b']\n", "d['a']"),
    "tuple": ("t", "    c, more = t\n    x = x * more\n", "t[0]"),
}


def program(seed: int) -> tuple[str, str, str, str]:
    """A module, the class of its objects, and how the argument holds them."""
    rng = Random(f"objects {seed}")
    cls = rng.choice(("Plain", "Slots", "Space", "Record"))
    place = rng.choice(list(PLACES))
    name, lines, inside = PLACES[place]
    reads = READS if cls == "Space" else f"{READS}; {OF_CLASSES}"
    use = rng.choice([one.strip() for one in reads.replace("\n", ";").split(";")])
    head = f"{name}, x" if place == "first" else f"x, {name}"
    body = f"{lines}    y = {use}\n"
    if place == "loop":
        body = f"    y = 0 * x\n    for c in cs:\n        y = y + ({use})\n"
    form = rng.choice(("np.sum(np.sin(y))", "np.sin(y)", "np.sum(y) ** 2"))
    text = f"{TEXT}\ndef f({head}):\n{body}    return {form}\n"
    return text, cls, place, inside


def argument(function, cls: str, place: str, rng: Random):
    """The argument that is an object, or holds some."""
    make = function.__globals__[cls]
    mode = rng.choice(("sum", "mean", None))

    def one(low, inner=None):
        w = np.array([low, 0.9, 1.3]) + 0.1 * rng.random()
        return make(w=w, k=low + 0.5, mode=mode, n=2, act=np.tanh, inner=inner)

    first = one(0.5, one(0.8))
    if place in ("alone", "first"):
        return first
    if place == "dict":
        return {"a": first, "b": np.array([0.7, 1.0, 0.4])}
    if place == "tuple":
        return first, 0.75
    return [first, one(0.6, one(0.3))]


def verdicts(seed: int, engine) -> Iterator[tuple[Called, Verdict]]:
    text, cls, place, inside = program(seed)
    function, rng = imported(text, "f"), Random(f"objects call {seed}")
    held = argument(function, cls, place, rng)
    x = np.array([0.4, 1.1, 1.7])
    args = [held, x] if place == "first" else [x, held]
    name = PLACES[place][0]
    ways = rng.sample(["x", f"{inside}.w", f"{inside}.k", name, "several"], 2)
    for way in ways:
        wrt = (f"{inside}.w", "x") if way == "several" else way
        yield (
            called(text, seed, wrt),
            verdict(function, wrt, args, inside, name, engine, text),
        )


def part(value, path: str, name: str):
    """The part of an argument that a path names."""
    return eval(path, {name: value})


def measured(function, args, path: str, name: str) -> np.ndarray:
    at = next(i for i, one in enumerate(args) if not isinstance(one, np.ndarray))
    at = 1 - at if path == "x" else at

    def along(moved):
        own = copy.deepcopy(args)
        if path == "x":
            own[at] = moved
        else:
            base, _, key = path.rpartition(".")
            setattr(part(own[at], base, name), key, moved)
        return function(*own)

    start = args[at] if path == "x" else part(args[at], path, name)
    value = np.asarray(function(*copy.deepcopy(args)))
    seed = np.ones(value.shape) if value.shape else 1.0
    return numeric_gradient(along, [start], 0, seed).value


def verdict(function, wrt, args, inside, name, engine, text: str) -> Verdict:
    found = Verdict(text=text)
    try:
        with np.errstate(all="ignore"):
            value = np.asarray(function(*copy.deepcopy(args)))
    except Exception:
        return found
    paths = wrt if isinstance(wrt, tuple) else (wrt,)
    if wrt == name:
        paths = f"{inside}.w", f"{inside}.k"
    want = [measured(function, args, path, name) for path in paths]
    try:
        made = engine.value_and_grad(function, wrt)
        for _ in range(2):
            got, gradient = made(*args)
    except GradgenError as refusal:
        found.refusal = str(refusal)
        return found
    except Exception:
        found.faults.append(broken_off())
        return found
    found.text += f"\n{made.source}"
    if np.asarray(got).tobytes() != value.tobytes():
        found.faults.append(Fault("primal value", f"{got!r}, not {value!r}"))
    try:
        parts = [gradient] if len(paths) == 1 else list(gradient) if wrt != name else []
        parts = parts or [part(gradient, path, name) for path in paths]
    except Exception as error:
        found.faults.append(Fault("structure", f"{gradient!r}: {error!r}"))
        return found
    for path, one, truth in zip(paths, parts, want):
        close = np.all(np.abs(np.asarray(one) - truth) <= 4 * tolerance(truth))
        if np.shape(one) != np.shape(truth) or not close:
            found.faults.append(Fault("value", f"{path}: {one}, not {truth}"))
    return found
