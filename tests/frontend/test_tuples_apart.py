"""Lists of tuples that comprehensions, zip and enumerate make, with nothing told."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

FORMS = {
    "comprehension": """
        segs = [(x[i], x[i + 1]) for i in range(len(x) - 1)]
        return sum((b - a) ** 2 * len(segs) for a, b in segs)""",
    "names used again": """
        p = 3.0
        pairs = [(p, q * i) for i, (p, q) in enumerate(zip(x, y)) if p > 0.8]
        s = 0
        for q, r in pairs:
            s += q * r * p
        return s""",
    "its own name": """
        pairs = [(x, x * x) for x in x]
        return sum(a * b for a, b in pairs)""",
    "zip": """
        pairs = list(zip(x[:-1], y[1:]))
        return sum(a * b for a, b in pairs) + pairs[0][1] * pairs[-1][0]""",
    "enumerate": """
        places = list(enumerate(x))
        return sum(k * v**2 for k, v in places[1:]) * len(places)""",
    "two loops": """
        every = [(a, b, a * b) for a in x for b in y if a < b]
        s = 0
        for i in range(len(every)):
            a, b, c = every[i]
            s += a * b**2 * c
        return s""",
    "in a called function": """
        return sum(a * b for a, b in [(1.0, total(x, y)), (total(y, x), 2.0)])

    def total(x, y):
        rows = list(zip(x, y))
        s = 0
        for a, b in rows:
            s += a * a * b
        return s / len(rows)""",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("length", [3, 20])
def test_gradient_with_nothing_told(form, length, tmp_path):
    f = written(f"    def f(x, y):{FORMS[form]}\n", tmp_path)
    rng = np.random.default_rng(5)
    x, y = rng.uniform(0.3, 2, length), rng.uniform(0.3, 2, length)
    value, gradient = gradgen.value_and_grad(f, wrt="x")(x, y)
    np.testing.assert_allclose(value, f(x, y), rtol=1e-12)
    wanted = numeric_gradient(f, [x, y], 0).value
    np.testing.assert_allclose(gradient, wanted, rtol=1e-6, atol=1e-8)


OWN = {
    "list": "np.sum(np.array([x * x for x in x]) * x)",
    "sum": "sum(x * x for x in x) + x[0]",
    "nested": "sum(sum(x * y for y in [x * 2, y[0]]) for x in x) * x[1]",
    "condition": "sum([x**2 for x in x if x > 0.5]) * x[-1]",
    "key": "sum({k: x**2 for k, x in zip('ab', (x[0], x[1]))}.values())",
}


@pytest.mark.parametrize("form", OWN)
@pytest.mark.parametrize("length", [3, 20])
def test_a_comprehension_over_what_it_names(form, length, tmp_path):
    f = written(f"def f(x, y):\n    return {OWN[form]}\n", tmp_path)
    rng = np.random.default_rng(6)
    x, y = rng.uniform(0.3, 2, length), rng.uniform(0.3, 2, length)
    wanted = numeric_gradient(f, [x, y], 0).value
    gradient = gradgen.grad(f, wrt="x")(x, y)
    np.testing.assert_allclose(gradient, wanted, rtol=1e-6, atol=1e-8)
