"""Methods of instances, differentiated in arguments and in attributes."""

import copy

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.request.parts import part_of, path_of
from gradgen.verify.finite import numeric_gradient
from tests.methods import models

X = np.array([0.4, -0.7, 1.1])
BATCH = np.array([[0.4, -0.7, 1.1], [0.2, 0.5, -0.3]])
Y = np.array([0.3, -0.2])

CASES = [
    (models.Linear, "loss", (X,), "x self.W self.b self.rate"),
    (models.Linear, "loss", (BATCH,), "x self.W self.b"),
    (models.Linear, "by_setting", (X,), "x self.W"),
    (models.Linear, "changed", (X,), "x self.W self.b"),
    (models.Linear, "by_name", (X,), "x self.W self.b"),
    (models.Deep, "loss", (X,), "x self.W self.V self.rate"),
    (models.Deep, "forward", (BATCH,), "x self.V"),
    (lambda: models.Linear.made(3), "loss", (X,), "x self.b"),
    (lambda: models.Dense(3, 2), "loss", (BATCH,), "X self.parameters"),
    (lambda: models.Dense(3, 2, np.tanh), "loss", (BATCH,), "self.parameters"),
    (
        lambda: models.Dense(3, 2, models.Softplus()),
        "loss",
        (BATCH,),
        'self.parameters["W"] self.act.beta',
    ),
    (models.Net, "loss", (BATCH, Y), "X y self.encoder.parameters"),
    (models.Net, "loss", (BATCH, Y), "self.layers[0].gamma self.layers[1].act.beta"),
    (models.Net, "loss", (BATCH, Y), "self.layers[2].parameters"),
    (
        models.Net,
        "by_index",
        (np.ones((2, 4)),),
        'X self.layers[1].parameters["b"]',
    ),
    (models.Held, "loss", (X,), "x self.weights.W self.more self.settings.rate"),
    (lambda: models.Poly([1.0, 2.0, 3.0]), "__call__", (X,), "x self.coefficients"),
    (lambda: models.Poly(np.ones(3)), "__call__", (X,), "x self.coefficients"),
]


def with_value(instance, keys, value):
    """A copy of an instance with another value at a place."""
    instance = copy.deepcopy(instance)
    base = part_of(instance, keys[:-1])
    if hasattr(base, "_fields"):
        return with_value(instance, keys[:-1], base._replace(**{keys[-1]: value}))
    if isinstance(base, (dict, list)):
        base[keys[-1]] = value
    else:
        setattr(base, keys[-1], value)
    return instance


def measured(instance, method, args, wrt):
    """The gradient by steps of the method itself, nested as what it is in."""
    name, keys = path_of(wrt)
    if name != "self":
        names = getattr(type(instance), method).__code__.co_varnames[1:]
        place = list(names).index(name)

        def run(*given):
            return getattr(copy.deepcopy(instance), method)(*given)

        return numeric_gradient(run, args, place).value
    value = part_of(instance, keys)
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        found = [
            (k, measured(instance, method, args, f"{wrt}[{k!r}]")) for k, _ in items
        ]
        return dict(found) if isinstance(value, dict) else [one for _, one in found]

    def moved(one):
        return getattr(with_value(instance, keys, one), method)(*args)

    return numeric_gradient(moved, [value], 0).value


def alike(a, b):
    """Whether two values hold the same."""
    if isinstance(a, dict):
        return list(a) == list(b) and all(alike(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, np.ndarray):
        return np.array_equal(a, b)
    if type(a).__module__ == models.__name__ and hasattr(a, "__dict__"):
        return alike(vars(a), vars(b))
    return a == b


def same(found, want, value):
    """Whether a gradient has the numbers, the shape and the dtype that it should."""
    if isinstance(value, dict):
        assert found.keys() == value.keys()
        return [same(found[k], want[k], value[k]) for k in value]
    if isinstance(value, list):
        assert isinstance(found, list) and len(found) == len(value)
        return [same(*three) for three in zip(found, want, value)]
    assert np.shape(found) == np.shape(value)
    if isinstance(value, np.ndarray):
        assert found.dtype == value.dtype
    return np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)


def value_of(instance, method, args, wrt):
    name, keys = path_of(wrt)
    if name == "self":
        return part_of(instance, keys)
    names = getattr(type(instance), method).__code__.co_varnames[1:]
    return args[list(names).index(name)]


@pytest.mark.parametrize(
    "make, method, args, wrt",
    [(m, n, a, one) for m, n, a, names in CASES for one in names.split(" ")],
)
def test_gradients_of_bound_methods(make, method, args, wrt):
    instance = make()
    before = copy.deepcopy(vars(instance))
    derivative = gradgen.grad(getattr(instance, method), wrt=wrt)
    found = derivative(*args)
    same(
        found,
        measured(instance, method, args, wrt),
        value_of(instance, method, args, wrt),
    )
    assert alike(vars(instance), before)
    value, again = gradgen.value_and_grad(getattr(instance, method), wrt=wrt)(*args)
    same(again, found, value_of(instance, method, args, wrt))
    np.testing.assert_array_equal(value, getattr(instance, method)(*args))


FUNCTIONS = [
    models.makes_points,
    models.counts,
    models.counts_in_arms,
    models.makes_a_layer,
    models.by_class,
    models.in_a_list,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("x", [X, -X])
def test_instances_that_a_function_makes(function, x):
    want = numeric_gradient(function, [x], 0).value
    np.testing.assert_allclose(gradgen.grad(function)(x), want, rtol=1e-7, atol=1e-9)


def test_attributes_are_read_at_each_call():
    model = models.Linear()
    derivative = gradgen.grad(model.loss, wrt="self.W")
    first = derivative(X)
    model.W = 2 * model.W
    assert not np.allclose(derivative(X), first)
    np.testing.assert_allclose(
        derivative(X), measured(model, "loss", (X,), "self.W"), rtol=1e-6
    )
    assert derivative.specialize(X) is derivative.specialize(X)
    text = derivative.source
    model.W[...] = 0.1
    derivative(X)
    assert derivative.source == text


@pytest.mark.parametrize(
    "mode, trainable", [("mean", True), ("mean", False), ("sum", 1)]
)
def test_settings_are_part_of_the_signature(mode, trainable):
    model = models.Linear()
    derivative = gradgen.grad(model.by_setting, wrt="self.W")
    derivative(X)
    model.mode, model.trainable, model.steps = mode, trainable, 5
    want = measured(model, "by_setting", (X,), "self.W")
    np.testing.assert_allclose(derivative(X), want, rtol=1e-6, atol=1e-12)


def test_a_list_that_is_only_filled_makes_no_new_text():
    model = models.Linear()
    model.loss(X)
    derivative = gradgen.grad(model.loss, wrt="self.W")
    first = derivative.specialize(X)
    for _ in range(3):
        model.loss(X)
    assert derivative.specialize(X) is first


def test_a_method_that_is_replaced_makes_a_new_text(monkeypatch):
    model = models.Deep()
    derivative = gradgen.grad(model.loss)
    derivative(X)
    monkeypatch.setattr(models.Deep, "_more", lambda self, x: 2.5 * x)
    want = measured(model, "loss", (X,), "x")
    np.testing.assert_allclose(derivative(X), want, rtol=1e-6)


def test_an_array_under_two_names_is_one():
    """Changed in place it changes under both: the gradient is of both."""
    model = models.Tied()
    found = gradgen.grad(model.loss, wrt="self.W")(X)

    def both(W):
        other = models.Tied()
        other.W = other.V = W
        return other.loss(X)

    want = numeric_gradient(both, [model.W], 0).value
    np.testing.assert_allclose(found, want, rtol=1e-6)
    model.V = model.W.copy()
    alone = gradgen.grad(model.loss, wrt="self.W")(X)
    want = measured(model, "loss", (X,), "self.W")
    np.testing.assert_allclose(alone, want, rtol=1e-6)


@pytest.mark.parametrize(
    "call",
    [
        lambda m: gradgen.grad(models.Linear.loss)(m, X),
        lambda m: gradgen.grad("tests.methods.models:Linear.loss")(m, X),
        lambda m: gradgen.vjp(m.loss)(X)[1](1.0),
        lambda m: gradgen.jacobian(m.loss)(X),
    ],
)
def test_other_ways_to_ask(call):
    model = models.Linear()
    want = measured(model, "loss", (X,), "x")
    np.testing.assert_allclose(call(model), want, rtol=1e-6)


def test_second_derivatives_in_an_attribute():
    model, v = models.Linear(), np.ones((3, 2))
    product = gradgen.hvp(model.loss, wrt="self.W")(X, v)
    g, eps = gradgen.grad(model.loss, wrt="self.W"), 1e-6
    model.W += eps * v
    above = g(X)
    model.W -= 2 * eps * v
    below = g(X)
    np.testing.assert_allclose(product, (above - below) / (2 * eps), rtol=1e-5)


def test_float32_stays_float32():
    model = models.Linear()
    model.W, model.b = model.W.astype(np.float32), model.b.astype(np.float32)
    found = gradgen.grad(model.loss, wrt=("self.W", "x"))(X.astype(np.float32))
    assert [one.dtype for one in found] == [np.float32, np.float32]


def test_a_whole_number_in_wrt_is_a_number():
    model = models.Linear(rate=2)
    assert gradgen.grad(model.loss, wrt="self.rate")(X) == np.sum(model.W**2)


def test_the_docstring_says_what_is_not_stored_and_what_was_decided():
    model = models.Linear()
    text = gradgen.emit(model.loss)
    assert "Unlike loss, leaves self.out and self.history as they were." in text
    text = gradgen.emit(model.by_setting, wrt="self.W")
    assert "Decided: self.mode is 'sum'" in text
    assert "def grad_by_setting(self, x, d_out=1.0):" in text


class Magic:
    def __init__(self):
        self.w = 2.0

    def __getattr__(self, name):
        return 1.0

    def loss(self, x):
        return self.w * self.u * x


class Described:
    class Constant:
        def __get__(self, instance, owner=None):
            return 3.0

    w = Constant()

    def loss(self, x):
        return self.w * x


class Meta(type):
    def __getattribute__(cls, name):
        return super().__getattribute__(name)


class Odd(metaclass=Meta):
    def loss(self, x):
        return 2.0 * x * self.w


class Frame:
    """A table, as of pandas."""

    __module__ = "pandas.core.frame"

    def to_numpy(self):
        return np.ones(3)

    def __array__(self, dtype=None, copy=None):
        return np.ones(3)


class Tensor(Frame):
    __module__ = "torch"


class Table:
    def __init__(self, data):
        self.data = data

    def loss(self, x):
        return np.sum(self.data * x)


@pytest.mark.parametrize(
    "make, wrt, code, words",
    [
        (Magic, None, "GG270", "__getattr__"),
        (Described, None, "GG270", "a descriptor"),
        (Odd, None, "GG270", "metaclass"),
        (lambda: Table(Frame()), None, "GG272", "self.data.to_numpy()"),
        (lambda: Table(Tensor()), None, "GG272", "self.data.detach().numpy()"),
        (lambda: Table(np.ones(3)), "self.nothing", "GG021", "self.data"),
        (lambda: Table(np.ones(3)), "self", "GG273", "self.data"),
    ],
)
def test_what_is_refused_by_name(make, wrt, code, words):
    with pytest.raises(GradgenError) as refusal:
        gradgen.grad(make().loss, wrt=wrt)(X)
    assert refusal.value.code == code and words in str(refusal.value)


def test_a_method_without_arguments_needs_wrt():
    class Weights:
        def __init__(self):
            self.w = 2.0

        def loss(self):
            return self.w**2

    with pytest.raises(GradgenError, match='wrt="self.w"'):
        gradgen.grad(Weights().loss)()
    assert gradgen.grad(Weights().loss, wrt="self.w")() == 4.0
