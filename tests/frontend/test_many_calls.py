"""Functions that call others thousands of times are refused, and not read for minutes."""

import numpy as np
import pytest

import gradgen
from gradgen.frontend.language import inlining
from tests.frontend.writing import written

HEAD = "def g0(x):\n    return np.sin(x)\n\n\n"
NEXT = "def g{0}(x):\n    return g{1}(x) + g{1}(2 * x) + g{1}(3 * x)\n\n\n"
FORMS = {
    "functions": "def f(x):\n    return np.sum(g{0}(x))\n",
    "a loop": "def f(x):\n    s = 0.0\n    for i in range(3):\n        s = s + np.sum(g{0}(x * i))\n    return s\n",
    "a method": "class A:\n    def go(self, x):\n        return g{0}(x)\n\n\ndef f(x):\n    return np.sum(A().go(x))\n",
    "a lambda": "def f(x):\n    return np.sum((lambda v: g{0}(v))(x))\n",
}


def chain(depth: int) -> str:
    return HEAD + "".join(NEXT.format(i, i - 1) for i in range(1, depth + 1))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "most", [300, pytest.param(inlining.MOST, marks=pytest.mark.long)]
)
def test_too_many_calls_are_refused(form, most, tmp_path, monkeypatch):
    """Fewer calls are as many for each run; those of the language take seconds."""
    monkeypatch.setattr(inlining, "MOST", most)
    name = "many_" + form.replace(" ", "_")
    f = written(chain(8) + FORMS[form].format(8), tmp_path, name)
    for door in (gradgen.emit, lambda f: gradgen.grad(f)(np.ones(3))):
        with pytest.raises(gradgen.GradgenError) as told:
            door(f)
        assert told.value.code == "GG199" and "calls functions" in str(told.value)
    f = written(chain(3) + FORMS[form].format(3), tmp_path, name + "_few")
    x = np.array([0.3, -0.5])
    step = 1e-6
    want = [(f(x + step * one) - f(x - step * one)) / (2 * step) for one in np.eye(2)]
    np.testing.assert_allclose(gradgen.grad(f)(x), want, rtol=1e-6, atol=1e-7)
