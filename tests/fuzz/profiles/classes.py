"""Methods of instances: classes as people write them, called as they are.

A program is a module with a base class, layers that inherit from it, a model that
holds some of them, and an instance. Its method is differentiated in an argument, in
arrays on the instance and in whole dictionaries of them, twice with changed weights.
The instance must stay as it was. In some programs a function makes the instances.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.request.parts import part_of, path_of
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.judge import Fault, Verdict, noted
from tests.fuzz.program import Parameter, Program, imported

PROGRAMS = 2
REFUSED_AT_MOST = 0.03
N = 3

HEAD = """import dataclasses
import enum
import functools
from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

RNG = np.random.default_rng({seed})
GAIN = 0.7


class Kind(enum.Enum):
    TANH = "tanh"
    SIN = "sin"


class Pair(NamedTuple):
    w: np.ndarray
    b: np.ndarray


@dataclasses.dataclass
class Config:
    rate: float = 0.3
    kind: Kind = Kind.TANH
    steps: int = 2
    name: str = "config"

    def scaled(self, x):
        return self.rate * x


def soft(x):
    return np.log(1 + np.exp(x))


def weight(layer, x):
    return layer.gain * x


class Sine:
    def __init__(self, speed=1.0):
        self.speed = speed

    def __call__(self, x):
        return np.sin(self.speed * x)


class Layer(ABC):
    gain = 1.5
    names = ("W", "b")

    def __init__(self, n, act=None):
        self.n = n
        self.act = act
        self.trainable = True
        self.cache = {{}}
        self.calls = 0
        self.seen = []
        self.out = None

    @abstractmethod
    def forward(self, x):
        ...

    def __call__(self, x):
        return self.forward(x)

    @staticmethod
    def square(x):
        return x * x

    @classmethod
    def default(cls, n):
        return cls(n)

    @property
    def size(self):
        return self.n + 1

    def activate(self, z):
        return z if self.act is None else self.act(z)

    def penalty(self):
        return 0.0
"""

# what a layer's __init__ makes, the arrays of it, and how they are read
STORES = [
    (
        "self.W = 0.5 * RNG.normal(size=(n, n))\nself.b = RNG.normal(size=n)",
        ("W", "b"),
        ("self.W", "self.b"),
    ),
    (
        'self.params = {"W": 0.5 * RNG.normal(size=(n, n)), "b": RNG.normal(size=n)}',
        ('params["W"]', "params"),
        ('self.params["W"]', 'self.params["b"]'),
    ),
    (
        "self.params = {}\n"
        'self.params["W"] = 0.5 * RNG.normal(size=(n, n))\n'
        'self.params["b"] = RNG.normal(size=n)',
        ('params["b"]', "params"),
        ('self.params["W"]', 'self.params["b"]'),
    ),
    (
        "self.ws = [0.5 * RNG.normal(size=(n, n)), RNG.normal(size=n)]",
        ("ws[0]", "ws"),
        ("self.ws[0]", "self.ws[1]"),
    ),
    (
        "self.p = Pair(0.5 * RNG.normal(size=(n, n)), RNG.normal(size=n))",
        ("p.w", "p.b"),
        ("self.p.w", "self.p.b"),
    ),
    (
        "self._W = 0.5 * RNG.normal(size=(n, n))\nself.shift = 0.4",
        ("_W", "shift"),
        ("self.W", "self.shift"),
    ),
    (
        "self.config = Config(rate=0.6)\nself.W = 0.5 * RNG.normal(size=(n, n))",
        ("W", "config.rate"),
        ("self.W", "self.config.rate"),
    ),
    (
        "for i, name in enumerate(self.names):\n    setattr(self, name, RNG.normal(size=n))",
        ("W", "b"),
        ("(getattr(self, 'W') * np.eye(self.n))", "self.b"),
    ),
]
FORWARDS = [
    "return self.activate(x @ {W} + {b})",
    "z = x @ {W} + {b}\nself.z = z\nreturn self.activate(self.z)",
    "self.out = np.tanh(x @ {W})\nself.out = self.out + {b}\nreturn self.out",
    "self.calls += 1\nself.seen.append(x)\nreturn x @ {W} * self.gain + {b}",
    'self.cache["x"] = x\nself.cache["z"] = x @ {W}\nreturn self.cache["z"] + {b}',
    "if self.trainable:\n    return np.sin(x @ {W}) + {b}\nreturn x",
    "h = x\nfor _ in range(2):\n    h = np.tanh(h @ {W}) * self.gain + {b}\nreturn h",
    "assert x.ndim >= 1\nreturn weight(self, x @ {W}) + {b}",
    "return self.square(x) @ {W} + self._bias(x)",
    "if self.act is not None and callable(self.act):\n"
    "    return self.act(x @ {W}) + {b}\nreturn np.cos(x @ {W}) + {b}",
    "W, b = {W}, {b}\nreturn (x @ W + b) / self.size",
    "return x @ {W} + {b} * self.n - GAIN",
    "out = np.zeros_like(x)\nout[...] = x @ {W}\nout += {b}\nreturn out",
    "self.total = 0.0 * x\nfor k in range(3):\n"
    "    self.total = self.total + np.tanh(k * x @ {W})\nreturn self.total + {b}",
    "def inner(v):\n    return v @ {W} + {b}\nreturn inner(np.tanh(x))",
    "if np.sum(x) > 0:\n    self.z = x @ {W}\nelse:\n    self.z = -x @ {W}\n"
    "return self.z + {b}",
]
EXTRA = [
    "def penalty(self):\n    return 0.1 * np.sum({W} ** 2)",
    "def penalty(self):\n    return super().penalty() + 0.2 * np.sum(np.abs({W}))",
    "@property\ndef norm(self):\n    return np.sum({W} * {W})\n\n"
    "def penalty(self):\n    return 0.1 * self.norm",
    "",
]
SUBCLASS = [
    "class Deep(Dense):\n    gain = 0.8\n\n    def forward(self, x):\n"
    "        return 0.5 * x + super().forward(x)",
    "class Deep(Dense):\n    def __init__(self, n, act=None):\n"
    "        super().__init__(n, act)\n        self.scale = 0.9\n\n"
    "    def forward(self, x):\n        return self.scale * super().forward(x)",
    "class Mixin:\n    def activate(self, z):\n        return np.tanh(super().activate(z))"
    "\n\n\nclass Deep(Mixin, Dense):\n    pass",
    "class Deep(Dense):\n    @property\n    def gain(self):\n        return 1.1\n\n"
    "    def penalty(self):\n        return 0.3 + super().penalty()",
    "class Deep(Dense):\n    def __call__(self, x):\n"
    "        return super().__call__(x) + self.square(x)",
]
ACTS = ["None", "np.tanh", "soft", "Sine()", "Sine(0.7)", "np.sin", "np.tanh"]
HOLDS = [
    (
        "self.layers = [{a}, {b}]",
        "layers[{i}]",
        "for layer in self.layers:\n    x = layer(x)",
        "self.layers",
    ),
    (
        "self.layers = [{a}, {b}]",
        "layers[{i}]",
        "for i in range(len(self.layers)):\n    x = self.layers[i].forward(x)",
        "self.layers",
    ),
    (
        "self.first = {a}\nself.last = {b}",
        "{which}",
        "x = self.last.forward(self.first(x))",
        "(self.first, self.last)",
    ),
    (
        'self.parts = {{"first": {a}, "last": {b}}}',
        'parts["{which}"]',
        "for name, part in self.parts.items():\n    x = part(x)",
        "self.parts.values()",
    ),
    (
        "self.layers = [{a}, {b}]",
        "layers[{i}]",
        "hs = [x]\nfor layer in self.layers:\n    hs.append(layer(hs[-1]))\nx = hs[-1]",
        "self.layers",
    ),
    (
        "self.layers = ({a}, {b})",
        "layers[{i}]",
        "for i, layer in enumerate(self.layers):\n"
        "    if isinstance(layer, Deep) and hasattr(layer, 'gain'):\n"
        "        x = layer(x) * layer.gain\n    else:\n        x = layer(x)",
        "self.layers",
    ),
]
LOSSES = [
    "return np.sum((x - self.target) ** 2)",
    "r = x - self.target\nself.residual = r\nreturn 0.5 * np.mean(r * r)",
    "return np.mean(np.square(x)) + self.lam * self.penalty()",
    "loss = np.sum(np.tanh(x)) + self.lam * self.penalty()\n"
    "self.history.append(loss)\nreturn loss",
    "return self.config.scaled(np.sum(x * x)) + self.penalty()",
    "return {{'sum': np.sum, 'mean': np.mean}}[self.reduction](x * x)",
    "if self.reduction == 'sum':\n    return np.sum(x * x)\nreturn np.mean(x * x)",
    "return np.sum(np.sin(x)) if self.config.kind is Kind.TANH else np.sum(x)",
]
MAKES = [
    "    p = Point(x, GAIN * x)\n    p.move(0.5)\n    return p.norm()",
    "    a = Sum.start(0.0)\n    for k in range(3):\n        a.add(np.sum(np.sin(k * x)))\n"
    "    return a.total",
    "    layer = Sine(x[0])\n    return np.sum(layer(x) * layer.speed)",
    "    p = Point(x, x[::-1])\n    q = Point(np.sin(x), p.x)\n"
    "    return p.dot(q) + q.norm()",
    "    c = Config(rate=x[0])\n    return np.sum(c.scaled(x)) * c.steps",
    "    a = Sum(np.sum(x))\n    b = a\n    b.add(x[1])\n    return a.total * a.total",
    "    p = Pair(x, 2.0)\n    q = p._replace(b=x[0])\n    return np.sum(p.w * q.b) + p.b",
    "    a = Sum(0.0)\n    if x[0] > 0:\n        a.add(np.sum(x))\n    else:\n"
    "        a.total = x[1] * x[1]\n    return a.total + x[0]",
    "    c = Bare()\n    for k in range(3):\n        c.add(np.sum(np.sin(k * x)))\n"
    "    return c.total + c.last",
    "    c = Bare()\n    if x[0] > 0:\n        c.total = np.sum(x)\n"
    "    c.add(x[1])\n    return c.total * c.total + c.last",
    "    c = Bare()\n    for k in range(3):\n        c.last = k * x\n"
    "        if k > 0:\n            c.total = c.total + np.sum(c.last)\n"
    "    return c.total + np.sum(np.sin(c.last))",
    "    c = Bare()\n    while c.total < 2:\n        c.add(x[0] * x[0] + 0.5)\n"
    "    return c.total",
    "    points = [Point(k * x, x) for k in range(3)]\n"
    "    return sum(p.norm() for p in points)",
]
POINTS = """

@dataclasses.dataclass
class Point:
    x: np.ndarray
    y: np.ndarray
    hits: list = dataclasses.field(default_factory=list)

    def move(self, step):
        self.x = self.x + step * self.y
        self.hits.append(step)

    def dot(self, other):
        return np.sum(self.x * other.x) + np.sum(self.y * other.y)

    def norm(self):
        return np.sqrt(self.dot(self) + 1.0)


class Bare:
    total = 0.0

    def add(self, value):
        self.last = value
        self.total += value


class Sum:
    count = 0

    def __init__(self, total):
        self.total = total

    @classmethod
    def start(cls, value):
        return cls(value)

    def add(self, value):
        self.total += value
        self.count += 1
        return self


def f(x):
{body}
"""


@dataclass(frozen=True)
class Classes(Program):
    """A program of classes; `paths` are parts of the instance `model` to ask for."""

    text: str = ""
    paths: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        return self.text


def indented(text: str, depth: int = 2) -> str:
    return "".join(f"{'    ' * depth}{line}\n" for line in text.split("\n") if line)


def program_of(seed: int) -> Classes:
    """The program of a seed."""
    rng = Random(seed)
    head = HEAD.format(seed=seed)
    param = (Parameter("x", ("n",)),)
    if rng.random() < 0.25:
        text = head + POINTS.replace("{body}", rng.choice(MAKES))
        return Classes(param, (), seed, "f", text=text)
    init, arrays, (W, b) = rng.choice(STORES)
    dense = "\n\nclass Dense(Layer):\n    def __init__(self, n, act=None):\n"
    dense += "        super().__init__(n, act)\n" + indented(init)
    if W == "self.W" and "_W" in init:
        dense += "\n    @property\n    def W(self):\n        return self._W\n"
    dense += f"\n    def _bias(self, x):\n        return {b} + 0 * x\n"
    dense += "\n    def forward(self, x):\n"
    dense += indented(rng.choice(FORWARDS).replace("{W}", W).replace("{b}", b))
    extra = rng.choice(EXTRA).replace("{W}", W)
    dense += "\n" + indented(extra, 1) if extra else ""
    holds, where, run, every = rng.choice(HOLDS)
    made = [f"{rng.choice(['Dense', 'Deep'])}({N}, {rng.choice(ACTS)})" for _ in "ab"]
    model = "\n\nclass Model:\n    def __init__(self):\n        self.lam = 0.2\n"
    model += "        self.history = []\n        self.config = Config()\n"
    model += f"        self.reduction = {rng.choice(['sum', 'mean'])!r}\n"
    model += "        self.target = RNG.normal(size=3)\n"
    model += indented(holds.format(a=made[0], b=made[1]))
    model += "\n    def forward(self, x):\n" + indented(run) + "        return x\n"
    total = f"sum(layer.penalty() for layer in {every})"
    model += f"\n    def penalty(self):\n        return {total}\n"
    model += "\n    def loss(self, x):\n        x = self.forward(x)\n"
    model += indented(rng.choice(LOSSES).replace("{{", "{").replace("}}", "}"))
    text = head + dense + "\n\n" + rng.choice(SUBCLASS) + "\n" + model
    text += "\n\nmodel = Model()\n"
    i = rng.randrange(2)
    place = where.format(i=i, which=("first", "last")[i])
    paths = ["x", *(f"self.{place}.{one}" for one in arrays)]
    if "lam" in text:
        paths.append("self.lam")
    return Classes(param, (), seed, "Model", text=text, paths=tuple(paths))


@dataclass(frozen=True)
class Asked:
    """One request of a program."""

    program: Classes
    wrt: str
    level: str = "none"


def verdicts(seed: int, engine) -> Iterator[tuple[Asked, Verdict]]:
    """The verdicts on the program of one seed."""
    program = program_of(seed)
    for wrt in program.paths or ("x",):
        verdict = Verdict()
        with noted(verdict), np.errstate(all="ignore"):
            _examine(program, wrt, engine, verdict)
        yield Asked(program, wrt), verdict


def _examine(program: Classes, wrt: str, engine, verdict: Verdict) -> None:
    made = imported(program.source, program.name)
    x = program.arguments(0)[0][:N]
    x = x if len(x) == N else np.array([0.4, -0.7, 1.1])
    if not program.paths:
        want = numeric_gradient(made, [x], 0)
        derivative = engine.grad(made)
        _compare(verdict, "x", derivative(x), want, x)
        verdict.text = derivative.source
        return
    model = made()
    derivative = engine.grad(model.loss, wrt=wrt)
    keys = path_of(wrt)[1]
    for turn in range(2):
        before = copy.deepcopy(vars(model))
        try:
            found = derivative(x)
        except GradgenError as refusal:
            if "GG021" in str(refusal) and _unread(model, keys, x):
                return  # nothing to ask for
            raise
        verdict.text = derivative.source
        if not _alike(before, vars(model)):
            verdict.faults.append(Fault("changed", f"the instance, wrt {wrt}"))
        value = x if wrt == "x" else part_of(model, keys)
        for key, part in _parts(value):
            _compare(
                verdict,
                f"{wrt} {key}, turn {turn}",
                found if key is None else found[key],
                _measured(model, wrt, keys, key, x),
                part,
            )
        model.loss(x)  # which fills caches
        if wrt != "x" and isinstance(value, np.ndarray):
            value *= 0.9
        x = 0.8 * x


def _parts(value):
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, list):
        return list(enumerate(value))
    return [(None, value)]


def _with(model, keys, value):
    """A copy of the model with another value at a place."""
    model = copy.deepcopy(model)
    base = part_of(model, keys[:-1])
    last = keys[-1]
    if hasattr(base, "_fields"):
        inner = base._replace(**{last: value})
        return _with(model, keys[:-1], inner)
    if isinstance(base, (dict, list)):
        base[last] = value
    else:
        setattr(base, last, value)
    return model


def _measured(model, wrt, keys, key, x):
    if wrt == "x":
        return numeric_gradient(lambda v: copy.deepcopy(model).loss(v), [x], 0)
    way = keys if key is None else (*keys, key)
    at = part_of(model, way)
    return numeric_gradient(lambda v: _with(model, way, v).loss(x), [at], 0)


def _unread(model, keys, x) -> bool:
    """Whether the loss stays the same with other numbers at a place."""
    at = part_of(model, keys)
    one = next(iter(at.values())) if isinstance(at, dict) else at
    if not isinstance(one, (float, np.ndarray)):
        return False
    other = _with(model, keys, at * 1.5 + 0.1) if at is one else model
    return bool(np.all(other.loss(x) == copy.deepcopy(model).loss(x)))


def _compare(verdict: Verdict, what: str, found, want, value) -> None:
    if np.shape(found) != np.shape(value):
        verdict.faults.append(Fault("shape", f"{what}: {np.shape(found)}"))
        return
    if isinstance(value, np.ndarray) and found.dtype != value.dtype:
        verdict.faults.append(Fault("dtype", f"{what}: {found.dtype}"))
    size = 1e-6 * np.max(np.abs(want.value), initial=0.0) + 1e-8
    if np.all(want.error <= size / 4) and not np.allclose(
        found, want.value, rtol=0, atol=size, equal_nan=True
    ):
        verdict.faults.append(Fault("value", f"{what}: {found} is not {want.value}"))


def _alike(a, b) -> bool:
    """Whether two values hold the same."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_alike(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(_alike, a, b))
    if isinstance(a, np.ndarray):
        return np.array_equal(a, b)
    if hasattr(a, "__dict__") and not callable(a):
        return _alike(vars(a), vars(b))
    return callable(a) or a == b
