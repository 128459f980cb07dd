"""match on a parameter: its default tells what it is, while the name still holds it."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

X = np.array([0.7, 1.2, -0.4, 0.9])
MATCH = """
match <p>:
    case [a, b]:
        return a * x[0] * 2 + b * x[1]
    case _:
        return np.sum(<p>) ** 2 * x[1]
"""
BEFORE = {
    "rebound": "p = x[:2]",
    "rebound_by_a_computation": "p = np.tanh(x) * 2",
    "rebound_by_a_loop": "for p in [x[:2], x[1:]]:\n    x = x * 1.5",
    "unpacked": "p, q = x[:2], x[2:]",
    "kept": "q = p",
    "rebound_as_a_tuple": "p = x[0], x[2]",
    "by_another_name": "q = p\np = x[:2]",
}


@pytest.mark.parametrize("name", BEFORE)
def test_the_case_that_python_takes_is_taken(name):
    subject = "q" if name in ("kept", "by_another_name") else "p"
    lines = f"{BEFORE[name]}{MATCH}".replace("<p>", subject).splitlines()
    body = "\n".join(f"    {line}" for line in lines)
    text = f"import numpy as np\n\n\ndef f(x, p=(1.0, 2.0)):\n{body}\n"
    f = imported(text, "f")
    got = gradgen.grad(f, "x")(X.copy())
    want = numeric_gradient(f, [X], 0).value
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)
