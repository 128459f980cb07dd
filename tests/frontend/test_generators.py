"""Generators are computed as they are gone through, and once."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported
from tests.refusals import refusal

X = np.array([0.7, 1.2, 0.4])
REFUSED = {
    "under_a_name": "g = (v * i for i in range(3))\nv += x\nreturn np.sum(sum(g))",
    "twice": "g = (x * i for i in range(3))\nreturn np.sum(sum(g) * sum(g))",
    "handed_over": (
        "def twice(items):\n    return sum(items) + sum(items)\n"
        "return np.sum(twice(v * i for i in range(3)))"
    ),
    "changes_on_the_way": (
        "t = 0.0\nfor a in (v * i for i in range(3)):\n    v += x\n"
        "    t = t + np.sum(a)\nreturn t"
    ),
    "known_items_on_the_way": (
        "t = 0.0\nfor a in (v * i for i in (1, 2, 3)):\n    v[0] = x[1] * t\n"
        "    t = t + np.sum(a)\nreturn t"
    ),
    "bound_anew_on_the_way": (
        "c = 1.0\nt = 0.0\nfor a in (c * v for i in range(3)):\n    c = c * x[0]\n"
        "    t = t + np.sum(a)\nreturn t"
    ),
    "beside_another": (
        "t = 0.0\nfor a, b in zip((v * i for i in range(3)), x):\n    v += x\n"
        "    t = t + np.sum(a) * b\nreturn t"
    ),
    "counted": (
        "t = 0.0\nfor i, a in enumerate(v * k for k in range(3)):\n    v *= 0.5\n"
        "    t = t + np.sum(a) * i\nreturn t"
    ),
    "mapped": (
        "t = 0.0\nfor a in map(lambda i: v * i, [1, 2, 3]):\n    v += x\n"
        "    t = t + np.sum(a)\nreturn t"
    ),
    "by_a_function": (
        "def half():\n    return 0.5 * v\nt = 0.0\n"
        "for a in (half() * i for i in range(3)):\n    v += x\n"
        "    t = t + np.sum(a)\nreturn t"
    ),
    "in_an_array": "return np.sum(np.sum(x * i for i in range(3)) ** 2)",
}
RIGHT = {
    "summed": "return sum(np.sum(v * i) for i in range(3))",
    "listed": "t = list(v * i for i in range(3))\nv += x\nreturn np.sum(sum(t) * v)",
    "tuple": "t = tuple(v * i for i in (1, 2))\nv += x\nreturn np.sum(t[1] * v)",
    "gone_through": (
        "t = 0.0\nfor a in (v * i for i in range(3)):\n    t += np.sum(a * x)\nreturn t"
    ),
    "beside_another_list": (
        "out = []\nfor a, b in zip((v * i for i in range(3)), x):\n"
        "    out.append(a * b)\nreturn np.sum(sum(out))"
    ),
    "unpacked": "a, b = (v * i for i in (1, 2))\nv += x\nreturn np.sum(a * b * v)",
    "spread": "t = [x, *(v * i for i in (1, 2))]\nv += x\nreturn np.sum(t[2] * v)",
    "extended": (
        "out = [x]\nout.extend(v * i for i in range(3))\nv += x\n"
        "return np.sum(sum(out) * v)"
    ),
    "extended_by_itself": (
        "out = [x]\nout.extend(out[-1] * x for i in range(3))\nreturn np.sum(out[-1])"
    ),
    "mapped": (
        "t = 0.0\nfor a in map(lambda u: u * x, [v, x]):\n    t += np.sum(a)\nreturn t"
    ),
    "changing_helper": (
        "def step(u):\n    u += x\n    return np.sum(u * u)\n"
        "return sum(step(v) for i in range(3))"
    ),
}


def program(text: str):
    body = "\n".join(f"    {line}" for line in text.splitlines())
    return imported(f"import numpy as np\n\ndef f(x):\n    v = x.copy()\n{body}\n", "f")


@pytest.mark.parametrize("facts", [{"x": "n"}, {}])
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_computed_later_is_refused(name, facts):
    error = refusal(program(REFUSED[name]), shapes=facts)
    assert error.code == "GG268" and error.advice == "a list: [...]"


@pytest.mark.parametrize("facts", [{"x": "n"}, {}])
@pytest.mark.parametrize("name", RIGHT)
def test_what_is_computed_at_once_is_right(name, facts):
    f = program(RIGHT[name])
    got, want = gradgen.grad(f, shapes=facts)(X.copy()), numeric_gradient(f, [X], 0)
    assert got.shape == want.value.shape and got.dtype == np.float64
    np.testing.assert_allclose(got, want.value, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("name", ["under_a_name", "changes_on_the_way", "mapped"])
def test_the_rewrite_as_a_list_is_right(name):
    text = REFUSED[name].replace(
        "(v * i for i in range(3))", "[v * i for i in range(3)]"
    )
    text = text.replace("map(lambda i: v * i, [1, 2, 3])", "[v * i for i in [1, 2, 3]]")
    f = program(text)
    want = numeric_gradient(f, [X], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X.copy()), want, rtol=1e-7, atol=1e-9)
