"""insert, pop at a place, clear and del of lists whose length no text knows."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

BODIES = {
    "insert first": "s.insert(0, v * v)",
    "insert at a place": "s.insert(1, v * v)",
    "insert from the end": "s.append(v)\ns.insert(-1, v * v)",
    "insert beyond the end": "s.insert(70, v * v)",
    "insert beyond the start": "s.insert(-70, v * v)",
    "pop at a place": "s.append(v * v)\ns.append(v)\nt = t + s.pop(1) * v",
    "pop from the end": "s.append(v * v)\ns.append(v)\nt = t * s.pop(-2)",
    "another name": "r = s\nr.insert(0, s.pop() * v)\ns.insert(1, r[0])",
    "clear": "s.append(v * v)\nif len(s) > 2:\n    t = t + s[0] * s[-1]\n    s.clear()",
    "clear a known one": "u = [v, v * v]\nu.clear()\ns += u\ns.append(v)",
    "del an entry": "s.append(v * v)\ns.append(v)\ndel s[1]",
    "del entries": "s.append(v * v)\ns.append(v)\ndel s[1:2]",
    "del the first": "s.extend([v * v, v])\ndel s[:1]",
    "del the last": "s.extend([v * v, v])\ndel s[-2:]\ns.append(v)",
    "del none": "s.append(v)\ndel s[5:]",
}
TAKEN = """
def f(x):
    s = [x[0], x[1] * 2]
    t = 1.0
    for v in x:
        {body}
    return sum((i + 1) * v for i, v in enumerate(s)) * t + len(s) * x[0]
"""
X = [
    np.array([0.5, 1.21, 0.7, -0.4]),
    np.array([0.3, -1.1]),
    np.array([1.0, 2, 3, 4, 5.5]),
]


@pytest.mark.parametrize("name", BODIES)
def test_a_list_that_is_put_together_anew(name, tmp_path):
    f = written(TAKEN.format(body=BODIES[name].replace("\n", "\n        ")), tmp_path)
    names: dict = {}
    exec(gradgen.emit(f), names)
    for x in X:
        wanted = numeric_gradient(f, [x], 0).value
        np.testing.assert_allclose(gradgen.grad(f)(x), wanted, 1e-6, 1e-7)
        np.testing.assert_allclose(names["grad_f"](x), wanted, 1e-6, 1e-7)
        np.testing.assert_allclose(gradgen.value_and_grad(f)(x)[0], f(x), 1e-12)


def test_what_a_loop_goes_over_is_not_cut(tmp_path):
    f = written(
        """
        def f(x):
            s = [v * v for v in x]
            for v in s:
                del s[:1]
            return sum(s)
        """,
        tmp_path,
    )
    with pytest.raises(gradgen.GradgenError, match="GG249"):
        gradgen.grad(f)(X[0])
