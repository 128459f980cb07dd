"""Records that a function makes, reads and returns; gradients of parts of containers."""

import re

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.frontend import writing
from tests.refusals import refusal

HEAD = """
from dataclasses import dataclass, field, replace
from typing import NamedTuple


class State(NamedTuple):
    x: np.ndarray
    v: np.ndarray
    k: int = 3

    @property
    def potential(self):
        return np.sum(self.x**2)

    def energy(self, mass=2.0):
        return mass / 2 * np.sum(self.v**2) + self.potential


@dataclass(frozen=True)
class Pair:
    a: np.ndarray
    s: State
    scale: float = 2.0

    @staticmethod
    def of(x, v):
        return Pair(x, State(x, v))


"""
STEPS = """
def f(x, v, dt):
    s = State(x, v)
    for i in range(3):
        a = -np.sin(s.x)
        s = s._replace(x=s.x + dt * s.v, v=s.v + dt * a)
    return s
"""
NESTED = """
def f(x, v, dt):
    d = Pair(np.sin(x), State(v=v * x, x=x), scale=dt * 1.5)
    return replace(d, a=d.a * d.scale)
"""
BRANCH = """
def f(x, v, dt):
    s = State(x * v, v=np.cos(v))
    if x[0] > 0.9:
        s = State(s.v, s.x * 2, 5)
    return s
"""
METHODS = """
def f(x, v, dt):
    s = State(x, v * dt)
    return s.energy() * s.energy(mass=dt) + s.potential * s.k
"""
UNPACKED = """
def f(x, v, dt):
    a, b, k = State(x, v)
    s = State(*[a * b, b], k=2)
    t = State(**s._asdict())
    return np.sum(t[0] * t.v * dt) * t.k + len(s)
"""
STORES = """
def f(x, v, dt):
    s = State(x.copy(), v)
    s.x[1:] *= s.v[:-1]
    y = s.x
    y[0] = dt
    return np.sum(s.x**2) + dt * s.x[0]
"""
RETURNED = """
def f(x, v, dt):
    s = State(x, v)
    for i in range(5):
        s = State(s.x * s.v, s.v + dt)
        if np.sum(s.x) > 3:
            return s
    return State(s.x, s.v * 2)
"""
LISTED = """
def f(x, v, dt):
    states = [State(x * i, v + i) for i in (0, 1, 2)]
    total = 0.0
    for s in states:
        total += s.energy() * s.k
    return total + np.sum(states[-1].x * states[0].v) * dt
"""
MADE = [STEPS, NESTED, BRANCH, METHODS, UNPACKED, STORES, RETURNED, LISTED]
X, V = np.array([0.7, 1.2, 0.4]), np.array([1.1, 0.6, 0.9])


def written(text, tmp_path, function="f"):
    return writing.written(HEAD + text, tmp_path, function=function)


def numbers(value):
    """The floating leaves of a record, in order."""
    if isinstance(value, tuple):
        return [leaf for part in value for leaf in numbers(part)]
    if hasattr(value, "__dataclass_fields__"):
        return [leaf for name in vars(value) for leaf in numbers(getattr(value, name))]
    return [] if isinstance(value, int) else [value]


@pytest.mark.parametrize("text", MADE)
@pytest.mark.parametrize("facts", [{}, {"x": "n", "v": "n", "dt": ""}])
@pytest.mark.parametrize("first", [0.7, 1.3])
def test_records_that_are_made(tmp_path, text, facts, first):
    f = written(text, tmp_path)
    facts = facts or {"dt": ""}
    args = [np.array([first, *X[1:]]), V, 0.3]
    wrt = ("x", "v", "dt")
    value, pullback = gradgen.vjp(f, wrt, shapes=facts)(*args)
    want = f(*args)
    assert type(value) is type(want)
    for one, other in zip(numbers(value), numbers(want), strict=True):
        assert np.array_equal(one, other)
    weights = [
        np.cos(np.arange(np.size(w))).reshape(np.shape(w)) for w in numbers(want)
    ]
    seed = with_numbers(want, iter(weights)) if weights[1:] else 1.0

    def total(*args):
        pairs = zip(weights, numbers(f(*args)), strict=True)
        return sum(np.sum(w * leaf) for w, leaf in pairs)

    for i, got in enumerate(pullback(seed)):
        np.testing.assert_allclose(got, numeric_gradient(total, args, i).value, 1e-7)
        assert np.shape(got) == np.shape(args[i])


def with_numbers(value, leaves):
    """A record of the same nesting, with other numbers."""
    if isinstance(value, int):
        return None
    if isinstance(value, tuple):
        return type(value)(*(with_numbers(part, leaves) for part in value))
    if hasattr(value, "__dataclass_fields__"):
        parts = {k: with_numbers(v, leaves) for k, v in vars(value).items()}
        return type(value)(**parts)
    return next(leaves)


def test_the_text_imports_the_class_for_the_value_alone(tmp_path):
    f = written(NESTED, tmp_path)
    assert "import" not in gradgen.emit(f).split("import numpy as np", 1)[1]
    text = gradgen.emit(f, value=True)
    assert "\nfrom primal import Pair, State\n" in text
    assert re.search(r"return Pair\(a=.*, s=State\(x=.*, scale=scale\), d_x", text)


def test_the_seed_that_is_missing_is_shown_as_a_record(tmp_path):
    g = gradgen.grad(written(STEPS, tmp_path), shapes={"dt": ""})
    with pytest.raises(GradgenError, match=r"seed=State\(x=d_0, v=d_1, k=d_2\)"):
        g(X, V, 0.3)


REFUSED = [
    (
        "class P:\n    a: float\n    def __post_init__(self):\n        self.a *= 2",
        "GG233",
    ),
    (
        "class P:\n    a: float\n    def __getattribute__(self, name):\n        return 1",
        "GG270",
    ),
    ("class P:\n    a: float\n    b: float = field(init=False)", "GG240"),
    ("class P:\n    a: object = field(default_factory=set)", "GG116"),
]


@pytest.mark.parametrize("text, code", REFUSED)
def test_classes_that_are_more_than_their_fields(tmp_path, text, code):
    arguments = "" if code == "GG116" else "x"
    field = "b" if code == "GG240" else "a"
    text = f"@dataclass\n{text}\n\n\ndef f(x):\n    return P({arguments}).{field} * x"
    error = refusal(written(text, tmp_path), general=True)
    assert error.code == code and "P(" in str(error)


@pytest.mark.parametrize(
    "line, code, words",
    [
        ("return State(x, x) + (x,)", "GG214", "its fields"),
        ("return State(x, x) * 2", "GG214", "its fields"),
        ("return State(x)", "GG209", "x, v, k"),
        ("return State(x, x)._replace(y=x)", "GG240", "one of x, v, k"),
        ("return State(x, x).y", "GG240", "one of x, v, k"),
        ("s = State(x, x)\n    return s.y", "GG240", "one of x, v, k"),
        ("s = State(x, x)\n    s.x = 2 * x\n    return s.x", "GG230", "State"),
        ("s = State(x, x)\n    return s.count(x)", "GG241", "a function"),
    ],
)
def test_what_records_do_not_do(tmp_path, line, code, words):
    error = refusal(written(f"def f(x):\n    {line}", tmp_path))
    assert error.code == code and words in str(error)


def test_a_class_inside_a_function_cannot_be_imported(tmp_path):
    text = """
def make():
    class Inner(NamedTuple):
        a: float

    def f(x):
        return Inner(x * 2)

    return f


f = make()
"""
    error = refusal(written(text, tmp_path))
    assert error.code == "GG247" and "Inner at the top of its module" in str(error)


# gradients of parts

LAYERS = """
def f(layers, x):
    for W, b in layers:
        x = np.tanh(x @ W + b)
    return np.sum(x)
"""
KEYS = """
def f(params, x):
    return np.sum(np.tanh(x @ params["W"] + params["b"]) * params["rounds"])
"""
W, B, XS = np.sin(np.arange(6.0)).reshape(3, 2), V[:2], np.cos(np.arange(12.0))
XS = XS.reshape(4, 3)
PARAMS = {"W": W, "b": B, "rounds": 3}


@pytest.mark.parametrize("spelled", ["params.W", 'params["W"]', "params['W']"])
def test_the_gradient_of_one_leaf(tmp_path, spelled):
    f = written(KEYS, tmp_path)
    text = gradgen.emit(f, spelled, example=(PARAMS, XS))
    assert " --wrt params.W\n#     --shape" in text and text.endswith(
        "    return d_W\n"
    )
    assert 'respect to params["W"].' in text and "d_b" not in text
    for wrt, take in ((spelled, lambda g: g), ((spelled, "x"), lambda g: g[0])):
        got = take(gradgen.grad(f, wrt, example=(PARAMS, XS))(PARAMS, XS))
        want = numeric_gradient(lambda w: f({**PARAMS, "W": w}, XS), [W], 0).value
        np.testing.assert_allclose(got, want, 1e-7)


def test_the_gradient_of_a_container_in_a_container(tmp_path):
    f = written(LAYERS, tmp_path)
    layers = [(W, B), (W[:2], B)]
    wrt = ("layers[1]", "layers[0][1]")
    (d_w, d_b), d_first = gradgen.grad(f, wrt, example=(layers, XS))(layers, XS)
    whole = gradgen.grad(f, example=(layers, XS))(layers, XS)
    for got, want in ((d_w, whole[1][0]), (d_b, whole[1][1]), (d_first, whole[0][1])):
        np.testing.assert_allclose(got, want, 1e-13)
    _, pullback = gradgen.vjp(f, "layers[-1]", example=(layers, XS))(layers, XS)
    assert isinstance(pullback(), tuple) and len(pullback()) == 2


@pytest.mark.parametrize(
    "wrt, code, words",
    [
        ("params.c", "GG021", 'one of params["W"]'),
        ("params.rounds", "GG021", "no part params.rounds with a gradient"),
        ("other.W", "GG002", "no argument other"),
        ("params + 1", "GG002", "neither an argument nor a part"),
        ("x.T", "GG021", '--shape x.T="..."'),
        (("params", "params.W"), "GG007", "twice"),
        (("params.W", "params['W']"), "GG007", "twice"),
    ],
)
def test_parts_that_are_not_there(tmp_path, wrt, code, words):
    error = refusal(written(KEYS, tmp_path), wrt, example=(PARAMS, XS))
    assert error.code == code and words in str(error)
