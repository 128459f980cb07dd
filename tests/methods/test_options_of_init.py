"""Functions and instances that __init__ chooses by an option, with nothing told."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

X = np.array([[0.4, -0.9, 1.3], [0.2, 0.7, -0.5]])


def relu(x):
    return np.maximum(x, 0)


def soft(x):
    return np.log1p(np.exp(x))


class Tanh:
    def __call__(self, x):
        return np.tanh(x)


class Leaky:
    def __init__(self, slope=0.1):
        self.slope = slope

    def __call__(self, x):
        return np.where(x > 0, x, self.slope * x)


FUNCTIONS = {"relu": relu, "soft": soft}
LAYERS = {"tanh": Tanh, "leaky": Leaky}
PAIRS = {"relu": (relu, np.sign), "soft": (soft, np.tanh)}


class Layer:
    def __init__(self, W=None):
        self.W = np.array([[0.3, -0.2], [0.5, 0.8], [-0.4, 0.1]])

    def forward(self, x):
        z = x @ self.W
        return self.f(z) if self.f else z


class OfATable(Layer):
    def __init__(self, act="soft"):
        super().__init__()
        self.f = FUNCTIONS[act]


class OfAPair(Layer):
    def __init__(self, act: str = "soft"):
        super().__init__()
        self.f, self.slope = PAIRS[act]


class ByGet(Layer):
    def __init__(self, act="Soft"):
        super().__init__()
        self.f = FUNCTIONS.get(act.lower(), relu)


class Made(Layer):
    def __init__(self, act="tanh"):
        super().__init__()
        self.f = LAYERS[act]()


class MadeWith(Layer):
    def __init__(self, act="leaky"):
        super().__init__()
        self.f = LAYERS[act](slope=0.2)


class LeftOut(Layer):
    def __init__(self, act=None):
        super().__init__()
        self.f = act


class MadeIfGiven(Layer):
    def __init__(self, act=None):
        super().__init__()
        self.f = LAYERS[act]() if act else None


class AskedByItsOption(Layer):
    def __init__(self, act=None):
        super().__init__()
        self.act = act
        self.f = LAYERS[act]() if act else None

    def forward(self, x):
        z = x @ self.W
        return self.f(z) if self.act else z


class InArms(Layer):
    def __init__(self, act="tanh"):
        super().__init__()
        if act == "tanh":
            self.f = Tanh()
        elif act == "leaky":
            self.f = Leaky()
        else:
            raise ValueError(act)


class InArmsOfFunctions(Layer):
    def __init__(self, act="soft"):
        super().__init__()
        if act == "relu":
            self.f = relu
        else:
            self.f = soft


class InsteadOfNone(Layer):
    def __init__(self, f=None):
        super().__init__()
        self.f = soft if f is None else f


class Kernel(Layer):
    """What an option decides on beside functions is read of the instance."""

    def __init__(self, act="tanh", size=3, bias=True):
        super().__init__()
        self.f = LAYERS[act]()
        self.sizes = size if isinstance(size, tuple) else (size, size)
        self.b = np.array([0.3, 0.2]) if bias else None

    def forward(self, x):
        z = x @ self.W
        z = z if self.b is None else z + self.b
        return self.f(z) * self.sizes[0]


class OfAModule(Layer):
    def __init__(self, other=None):
        super().__init__()
        self.xp = np if other is None else other

    def forward(self, x):
        return self.xp.exp(self.xp.matmul(x, self.W))


class OfTheModuleByDefault(OfAModule):
    def __init__(self, xp=np):
        Layer.__init__(self)
        self.xp = xp


class OfTheModule(OfAModule):
    def __init__(self, other=None):
        Layer.__init__(self)
        self.xp = np
        if other is not None:
            self.xp = other


def without_bias():
    made = Kernel(size=(4, 2), bias=False)
    return made


CASES = [
    (OfATable(), OfATable("relu")),
    (OfAPair(), OfAPair("relu")),
    (ByGet(), ByGet("relu")),
    (Made(), Made("leaky")),
    (MadeWith(), Made("tanh")),
    (LeftOut(), LeftOut(soft)),
    (MadeIfGiven(), MadeIfGiven("tanh")),
    (AskedByItsOption(), AskedByItsOption("tanh")),
    (InArms(), InArms("leaky")),
    (InArmsOfFunctions(), InArmsOfFunctions("relu")),
    (InsteadOfNone(), InsteadOfNone(relu)),
    (Kernel(), Kernel("leaky")),
    (OfTheModuleByDefault(), OfTheModuleByDefault(np.linalg)),
    (OfTheModule(), OfTheModule(np.linalg)),
]


def named(cls):
    """The method that a class inherits, by its own name."""
    return f"{__name__}:{cls.__name__}.forward"


def seeded(function, *args):
    seed = np.random.default_rng(3).uniform(0.5, 1.5, np.shape(function(*args)))
    return seed, lambda x: np.sum(seed * function(x))


@pytest.mark.parametrize("made, other", CASES, ids=lambda one: type(one).__name__)
def test_the_default_decides(made, other):
    cls = type(made)
    text = gradgen.emit(named(cls))
    namespace = {}
    exec(text, namespace)
    gradient = namespace["grad_forward"]
    seed, total = seeded(made.forward, X)
    found = gradient(made, X, seed)
    expected = numeric_gradient(total, (X,), 0).value
    assert found.shape == X.shape and found.dtype == X.dtype
    assert np.allclose(found, expected, rtol=1e-6, atol=1e-8)
    assert np.allclose(gradgen.grad(made.forward)(X, seed=seed), found, rtol=1e-12)
    with pytest.raises((ValueError, AttributeError)):
        gradient(other, X, seed)


def test_what_else_an_option_decides_on_is_read():
    namespace = {}
    exec(gradgen.emit(named(Kernel), wrt="self.W"), namespace)
    for made in (Kernel(), without_bias()):
        seed, _ = seeded(made.forward, X)
        found = namespace["grad_forward"](made, X, seed)

        def total(W):
            z = X @ W if made.b is None else X @ W + made.b
            return np.sum(seed * np.tanh(z) * made.sizes[0])

        expected = numeric_gradient(total, (made.W,), 0).value
        assert np.allclose(found, expected, rtol=1e-6, atol=1e-8)


class Required(Layer):
    def __init__(self, act):
        super().__init__()
        self.f = FUNCTIONS[act]


class NotThere(Layer):
    def __init__(self, act="none"):
        super().__init__()
        self.f = FUNCTIONS[act]


class GivenLater(Layer):
    def __init__(self, f=None):
        super().__init__()
        self.f = f

    def use(self, f):
        self.f = f


class Nothing(Layer):
    def __init__(self):
        super().__init__()
        self.f = None

    def forward(self, x):
        return self.f(x)


def test_nothing_is_no_function():
    with pytest.raises(GradgenError) as problem:
        gradgen.emit(named(Nothing))
    assert "None is no function" in str(problem.value)


@pytest.mark.parametrize("cls", [Required, NotThere, GivenLater])
def test_what_no_default_tells_is_refused(cls):
    with pytest.raises(GradgenError) as problem:
        gradgen.emit(named(cls))
    assert problem.value.code == "GG208"
