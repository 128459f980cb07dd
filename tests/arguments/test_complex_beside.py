"""Complex arguments and attributes beside those that a gradient is asked of: a text whose
slopes for real arguments they would change raises, or is told of them by the instance."""

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

X = np.array([0.4, 1.3])
C = np.array([1 + 2j, 0.3j])
SEEN = {
    "x, c": "np.sum((c * x).real)",
    "c, x": "np.sum(np.imag(np.sin(x) * c))",
    "x, c, k=2.0": "np.sum(np.angle(x + c) * k)",
    "x, o": "np.sum((o['c'] * x).real ** 2 + (o['c'] * x).imag ** 2)",
    "x, ws": "sum(np.sum(np.real(w * x)) for w in ws)",
    "x, c, /": "np.sum(np.abs(np.fft.fft(x * c)) ** 2)",
    "x, c, *, n=3": "np.sum(np.real(np.conj(c * x) * 1.0) + np.abs(c * x))",
}
UNSEEN = {
    "x, c": "np.sum(np.real(c) * x ** 2)",
    "x, c, /": "np.sum(np.abs(c) * np.real(x))",
    "x, k": "np.sum(np.real(x * np.exp(1j * k)))",
    "x, b, n=2": "np.sum(n * np.real(x + b))",
}
WAYS = ({}, {"general": True}, {"mode": "forward"}, {"style": "callback"})


def called(f, options, *args):
    found: dict = {}
    exec(gradgen.emit(f, wrt="x", **options), found)
    if options.get("mode") == "forward":
        return np.array([found["jvp_f"](*args, d_x=row)[1] for row in np.eye(2)])
    if options.get("style") == "callback":
        return found["vjp_f"](*args)[1](1.0)
    return found["grad_f"](*args)


def of_differences(f, *args):
    k = next(k for k, one in enumerate(args) if one is X)
    steps = 1e-6 * np.eye(2)
    ends = [[(*args[:k], X + s * h, *args[k + 1 :]) for s in (1, -1)] for h in steps]
    return np.array([(f(*above) - f(*below)) / 2e-6 for above, below in ends])


def arguments(case, c):
    given = {"x": X, "o": {"c": c}, "ws": [c, c]}
    names = [one.strip() for one in case.split(",")]
    return [given.get(n, c) for n in names if n not in "/*" and "=" not in n]


@pytest.mark.parametrize("case", SEEN)
def test_what_slopes_depend_on_is_looked_at(tmp_path, case):
    f = written(f"def f({case}):\n    return {SEEN[case]}\n", tmp_path)
    # what a container holds is assumed, and not with --general
    for options in [one for one in WAYS if case != "x, o" or not one.get("general")]:
        with pytest.raises(ValueError, match="real"):
            called(f, options, *arguments(case, C))
        given = arguments(case, C.real + 0.5)
        got = called(f, options, *given)
        np.testing.assert_allclose(got, of_differences(f, *given), rtol=1e-6)


@pytest.mark.parametrize("case", UNSEEN)
def test_what_slopes_do_not_depend_on_may_be_complex(tmp_path, case):
    f = written(f"def f({case}):\n    return {UNSEEN[case]}\n", tmp_path)
    for options in WAYS:
        given = arguments(case, C)
        got = called(f, options, *given)
        np.testing.assert_allclose(got, of_differences(f, *given), rtol=1e-6)


def test_what_a_loop_multiplies_is_looked_at(tmp_path):
    source = """
def f(x, c):
    z = x
    for _ in range(3):
        z = z * c
    return np.sum(np.real(z))
"""
    f = written(source, tmp_path)
    for options in WAYS:
        with pytest.raises(ValueError, match="real"):
            called(f, options, X, C)


def test_no_text_looks_where_no_part_is_taken(tmp_path):
    f = written("def f(x, c):\n    return np.sum(np.abs(c * x))\n", tmp_path)
    assert "iscomplexobj" not in gradgen.emit(f)


MODEL = """
class Model:
    shift = 0.5 + 1j

    def __init__(self, w):
        self.w = w
        self.scale = 2j
        self.layers = [w, w[0]]

    def f(self, x):
        return np.sum(np.abs(self.w * x))

    def g(self, x):
        return np.sum((self.shift * x + self.scale * self.layers[0] * x).real)

    def h(self, x):
        return np.linalg.norm(self.layers[1] * x) + np.sum(np.imag(self.scale * x))

MODEL = Model(np.array([1j, 2 + 1j]))
"""


@pytest.mark.parametrize("name", "fgh")
def test_the_instance_tells(tmp_path, name):
    model = written(MODEL + "\ndef f(x):\n    return x\n", tmp_path).__globals__[
        "MODEL"
    ]
    method = getattr(model, name)
    want = of_differences(method, X)
    text = gradgen.emit(method)
    assert "--complex" in text.splitlines()[1]
    found: dict = {}
    exec(text, found)
    got = found[f"grad_{name}"](model, X)
    assert got.dtype == float
    np.testing.assert_allclose(got, want, rtol=1e-6)
