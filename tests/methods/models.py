"""Classes as people write them, for the tests of methods."""

import dataclasses
import enum
from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np


def rng():
    return np.random.default_rng(7)


class Kind(enum.Enum):
    MEAN = 1
    SUM = 2


class Linear:
    """Arrays on self."""

    scale = 1.5

    def __init__(self, n=3, m=2, rate=0.3):
        self.W = rng().normal(size=(n, m))
        self.b = rng().normal(size=m)
        self.rate = rate
        self.steps = 2
        self.mode = "sum"
        self.trainable = True
        self.history = []

    def forward(self, x):
        self.out = x @ self.W + self.b
        return np.tanh(self.out)

    def loss(self, x):
        value = np.sum(self.forward(x) ** 2) * self.scale + self.penalty
        self.history.append(value)
        return value

    @property
    def penalty(self):
        return self.rate * np.sum(self.W**2)

    @staticmethod
    def square(x):
        return x * x

    @classmethod
    def made(cls, n):
        return cls(n, n)

    def by_setting(self, x):
        z = self.square(x @ self.W)
        if self.mode == "sum":
            return np.sum(z) * self.steps
        return np.mean(z) if self.trainable else 0.0 * np.sum(z)

    def changed(self, x):
        self.W += 0.1
        self.b *= 2.0
        return np.sum(np.sin(x @ self.W + self.b))

    def by_name(self, x):
        for name in ("W", "b"):
            if hasattr(self, name) and not hasattr(self, "nothing"):
                x = x * np.sum(getattr(self, name))
        return np.sum(x)


class Deep(Linear):
    """Inherited, with super()."""

    def __init__(self, n=3):
        super().__init__(n, n)
        self.V = rng().normal(size=n)

    def forward(self, x):
        return super().forward(x) * self.V + self._more(x)

    def _more(self, x):
        return 0.5 * x


class Layer(ABC):
    """A layer of a library: parameters in a dictionary."""

    def __init__(self, act=None):
        self.act = act
        self.parameters = {}
        self.hyperparameters = {"n": 3, "name": "layer"}
        self.derived_variables = {"Z": []}
        self.trainable = True
        self.X = []

    @abstractmethod
    def forward(self, X): ...

    def __call__(self, X):
        return self.forward(X)

    def freeze(self):
        self.trainable = False


class Dense(Layer):
    def __init__(self, n, m, act=None):
        super().__init__(act)
        self.parameters = {
            "W": rng().normal(size=(n, m)),
            "b": np.zeros((1, m)),
        }

    def forward(self, X, retain_derived=True):
        assert X.ndim == 2, "a batch"
        Y, Z = self._fwd(X)
        if retain_derived:
            self.X.append(X)
            self.derived_variables["Z"].append(Z)
        return Y

    def _fwd(self, X):
        W = self.parameters["W"]
        b = self.parameters["b"]
        Z = X @ W + b
        return (Z if self.act is None else self.act(Z)), Z

    def loss(self, X):
        return np.sum(self.forward(X) ** 2)


class Softplus:
    def __init__(self, beta=1.0):
        self.beta = beta

    def __call__(self, z):
        return np.log(1 + np.exp(self.beta * z)) / self.beta


class Norm(Layer):
    def __init__(self, n):
        super().__init__()
        self.gamma = 1.0 + 0.1 * rng().normal(size=n)

    def forward(self, X):
        mean = np.mean(X, axis=1, keepdims=True)
        self.var = np.var(X, axis=1, keepdims=True)
        return self.gamma * (X - mean) / np.sqrt(self.var + 1e-5)


class Net:
    """Nested objects, in a list and by name."""

    def __init__(self):
        self.encoder = Dense(3, 4, np.tanh)
        self.layers = [Norm(4), Dense(4, 3, Softplus(0.7)), Dense(3, 1)]
        self.kind = Kind.MEAN

    def forward(self, X):
        X = self.encoder.forward(X)
        for layer in self.layers:
            X = layer(X)
        return X[:, 0]

    def loss(self, X, y):
        r = self.forward(X) - y
        if self.kind is Kind.MEAN:
            return np.mean(r**2)
        return np.sum(r**2)

    def by_index(self, X):
        for i in range(len(self.layers)):
            if isinstance(self.layers[i], Dense):
                X = self.layers[i](np.tanh(X))
        return np.sum(X)


class Weights(NamedTuple):
    W: np.ndarray
    b: np.ndarray


@dataclasses.dataclass
class Settings:
    rate: float = 0.2
    steps: int = 3


class Held:
    """Weights in a NamedTuple and in a list, settings in a dataclass."""

    def __init__(self):
        self.weights = Weights(rng().normal(size=(3, 3)), rng().normal(size=3))
        self.more = [rng().normal(size=3), rng().normal(size=3)]
        self.settings = Settings()

    def loss(self, x):
        for _ in range(self.settings.steps):
            x = np.tanh(x @ self.weights.W + self.weights.b)
        return self.settings.rate * np.sum(x * self.more[0] + self.more[1])


class Tied:
    """One array under two names."""

    def __init__(self):
        self.W = rng().normal(size=(3, 3))
        self.V = self.W

    def loss(self, x):
        return np.sum(np.tanh(x @ self.W) @ self.V.T)


class Poly:
    """Called itself."""

    def __init__(self, coefficients):
        self.coefficients = coefficients

    def __call__(self, x):
        total = 0 * x
        for c in self.coefficients:
            total = total * x + c
        return np.sum(total)


@dataclasses.dataclass
class Point:
    x: np.ndarray
    y: np.ndarray
    hits: list = dataclasses.field(default_factory=list)

    def move(self, step):
        self.x = self.x + step
        self.hits.append(step)
        return self

    @property
    def norm(self):
        return np.sqrt(self.dot(self))

    def dot(self, other):
        return np.sum(self.x * other.x + self.y * other.y)


class Counter:
    total = 0.0

    def add(self, value):
        self.total += value


def makes_points(x):
    p = Point(x, 2 * x).move(0.5)
    q = Point(np.sin(x), p.x)
    return p.dot(q) + p.norm + len(p.hits)


def counts(x):
    counter = Counter()
    for k in range(3):
        counter.add(np.sum(np.sin(k * x)))
    return counter.total


def counts_in_arms(x):
    counter = Counter()
    other = counter
    if np.sum(x) > 0:
        counter.add(np.sum(x * x))
    else:
        counter.total = x[0]
    return other.total


def makes_a_layer(x):
    layer = Softplus(beta=x[0])
    return np.sum(layer(x)) * layer.beta


def by_class(x):
    return np.sum(Linear.square(x)) * Linear.scale


def in_a_list(x):
    points = [Point(k * x, x) for k in range(1, 3)]
    return sum(p.norm for p in points)
