"""What a function that is differentiated inside asks of an argument that may be None."""

import itertools

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.frontend.writing import written

X, W = np.array([0.3, -0.5, 0.8]), np.array([1.5, 0.5, -2.0])

# how the inner function asks, of w
ASKED = {
    "is": "if w is None:\n        return np.sum(x**2 * 3)\n    return np.sum(x**2 * w)",
    "is not": "y = x**2\n    if w is not None:\n        y = y * w\n    return np.sum(y)",
    "chosen": "w = 2.0 if w is None else w\n    return np.sum(x**2 * w)",
    "not": "if not (w is not None):\n        w = np.ones_like(x)\n    return np.sum(x**2 * w)",
    "both": "if w is not None and np.ndim(w) > 0:\n        return np.sum(x**2 * w)\n    return np.sum(x**2)",
    "either": "if w is None or np.ndim(w) == 0:\n        return np.sum(x**2)\n    return np.sum(x**2 * w)",
    "is a": "if isinstance(w, np.ndarray):\n        return np.sum(x**2 * w)\n    return np.sum(x**2)",
    "is none's": "if isinstance(w, type(None)):\n        return np.sum(x**2)\n    return np.sum(x**2 * w)",
    "has": "if hasattr(w, 'shape'):\n        return np.sum(x**2 * w)\n    return np.sum(x**2)",
    "equal": "if np.equal(w, None).all():\n        return np.sum(x**2)\n    return np.sum(x**2 * w)",
    "later": "y = np.sum(x**2)\n    v = w\n    if v is None:\n        v = 1.0\n    return np.sum(y * v)",
    "called": "return np.sum(x**2 * weight(w))",
}
# how the outer function takes the derivative
TAKEN = {
    "grad": "np.sum(gradgen.grad(v)(x, w) ** 2)",
    "by name": "np.sum(gradgen.grad(v)(x, w=w) ** 2)",
    "value": "gradgen.value_and_grad(v)(x, w)[0] ** 2",
    "vjp": "np.sum(gradgen.vjp(v)(x, w)[1](2.0) ** 2)",
    "jvp": "gradgen.jvp(v)(x, w, np.cos(x))[1]",
    "hvp": "np.sum(gradgen.hvp(v)(x, w, x))",
    "stopped": "np.sum(x * v(x, gradgen.stop_gradient(w)))",
    "twice": "np.sum(gradgen.grad(lambda z, u: np.sum(gradgen.grad(v)(z, u) ** 3))(x, w))",
}
SOURCE = """
import gradgen


def weight(w):
    return 2.0 if w is None else w


def v(x, w{default}):
    {asked}


def f(x, w=None):
    return {taken}
"""


def slope(f, x, w):
    """The gradient of f by complex steps of its own derivatives' closed forms."""
    out = np.zeros_like(x)
    for i in range(len(x)):
        ways = []
        for h in (1e-5, -1e-5):
            moved = x.copy()
            moved[i] += h
            ways.append(f(moved, w))
        out[i] = (ways[0] - ways[1]) / 2e-5
    return out


@pytest.mark.parametrize("asked", ASKED)
def test_none_and_an_array(asked, tmp_path):
    faults, right = [], 0
    for (taken, line), default in itertools.product(TAKEN.items(), ("", "=None")):
        source = SOURCE.format(default=default, asked=ASKED[asked], taken=line)
        name = f"asks_{asked}_{taken}_{bool(default)}".replace(" ", "_").replace(
            "'", ""
        )
        f = written(source, tmp_path, name)
        emitted = None
        try:
            space = {}
            exec(compile(gradgen.emit(f), "<text>", "exec"), space)
            emitted = space["grad_f"]
        except GradgenError:
            pass
        for w in (None, W):
            try:
                want = slope(f, X, w)
            except Exception:  # the derivative inside cannot be taken at all
                continue
            for door, made in (("call", gradgen.grad(f)), ("text", emitted)):
                try:
                    found = made and made(X, w)
                except GradgenError:
                    continue
                except (TypeError, ValueError, AttributeError) as error:
                    faults.append(f"{taken}{default} {door} {w is None}: {error!r}")
                    continue
                if found is None:
                    continue
                if np.allclose(found, want, rtol=1e-5, atol=1e-6):
                    right += 1
                else:
                    faults.append(
                        f"{taken}{default} {door} {w is None}: {found}, {want}"
                    )
    assert not faults, "\n".join(faults)
    assert right >= 8


CLASSES = [
    "type(None)",
    "(type(None), str)",
    "type(None) | str",
    "types.NoneType",
    "types.FunctionType",
    "(types.FunctionType, types.MethodType)",
    "type(...)",
]


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("test", ["isinstance(w, {})", "not isinstance(w, {})"])
def test_classes_that_have_no_name_of_their_own(classes, test, tmp_path):
    asked = test.format(classes)
    ways = "np.sum(x**2)", "np.sum(x**2 * (3.0 if w is None else w))"
    first, second = ways if "not" not in test else ways[::-1]
    source = (
        "import types\n\n\ndef f(x, w=None):\n"
        f"    if {asked}:\n        return {first}\n    return {second}\n"
    )
    f = written(source, tmp_path, f"classes_{len(asked)}_{CLASSES.index(classes)}")
    space = {}
    exec(compile(gradgen.emit(f), "<text>", "exec"), space)
    for w in (None, W):
        want = slope(f, X, w)
        for made in (gradgen.grad(f), space["grad_f"]):
            np.testing.assert_allclose(made(X, w), want, rtol=1e-5, atol=1e-6)
