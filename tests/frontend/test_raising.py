"""Where the program raises, the gradient raises: the same exception, in every form."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported
from tests.refusals import refusal

X = np.array([0.7, 1.2, 0.4])
COUNTS = (0, 1, 2, 3)
PROGRAMS = {
    # a name that some way has not set
    "loop": "for i in range(n):\n    y = x * i\nreturn np.sum(y)",
    "loop_from_one": "for i in range(1, n):\n    y = x * i\nreturn np.sum(y * y)",
    "loop_downwards": "for i in range(n, 1, -2):\n    y = x * i\nreturn np.sum(y)",
    "loop_over_rows": "for a in x[:n]:\n    y = a * 2\nreturn y * x[0]",
    "branch": "if n > 1:\n    y = x * 2\nreturn np.sum(y)",
    "other_arm": "if n == 0:\n    z = 1.0\nelse:\n    y = x\nreturn np.sum(y)",
    "elif": "if n > 2:\n    y = x\nelif n == 1:\n    y = 2 * x\nreturn np.sum(y * x)",
    "branch_in_loop": (
        "for i in range(n):\n    if i == 1:\n        y = x * i\nreturn np.sum(y * x)"
    ),
    "break_before": (
        "for i in range(n):\n    if i > 0:\n        break\n    y = x * 3\n"
        "return np.sum(y)"
    ),
    "found_and_left": (
        "for i in range(2):\n    if i >= n:\n        y = x * 3\n        break\n"
        "return np.sum(y)"
    ),
    "while": "k = 1\nwhile k < n:\n    y = x * k\n    k += 1\nreturn np.sum(y)",
    "read_in_the_loop": (
        "t = 0.0\nfor i in range(3):\n    if i >= 3 - n:\n        y = x[i]\n"
        "    t = t + y\nreturn t"
    ),
    "never_used": "for i in range(n):\n    y = 2.0\nz = y\nreturn np.sum(x)",
    "a_number": "for i in range(n):\n    y = 2.0\nreturn np.sum(x) * y",
    "the_index": "for i in range(n):\n    pass\nreturn np.sum(x) * (i + 1)",
    "several_names": "if n > 1:\n    a, b = x, x * x\nreturn np.sum(a) + np.sum(b)",
    "augmented": "if n > 1:\n    y = x[0]\ny += x[1]\nreturn y * y",
    "in_a_condition": "if n > 1:\n    y = x[0]\nreturn x[1] if y > 0 else x[2]",
    "in_a_comprehension": (
        "if n > 1:\n    y = x * 2\nreturn sum([np.sum(y) * k for k in range(2)])"
    ),
    "in_a_lambda": "f = lambda u: u * y\nif n > 1:\n    y = x\nreturn np.sum(f(x))",
    "in_a_helper": (
        "def last(u, n):\n    for i in range(n):\n        w = u * i\n    return w\n"
        "return np.sum(last(x, n))"
    ),
    # raised on purpose
    "raise": "if n < 2:\n    raise ValueError('few')\nreturn np.sum(x * n)",
    "raise_late": (
        "y = x\nfor i in range(n):\n    if i == 2:\n        raise KeyError(i)\n"
        "return np.sum(y)"
    ),
    "raise_in_a_helper": (
        "def half(u, n):\n    if n == 1:\n        raise RuntimeError\n    return u / 2\n"
        "return np.sum(half(x, n))"
    ),
    "assert": "assert n > 0\nreturn np.sum(x) * 3",
    "assert_in_a_loop": (
        "y = x\nfor i in range(3):\n    assert i < n, 'few'\n    y = y * x\n"
        "return np.sum(y)"
    ),
    # out= that does not fit
    "out_too_short": "v = np.zeros(n)\nnp.sin(x, out=v)\nreturn np.sum(v)",
    "out_never_read": "v = np.zeros(n)\nnp.sin(x, out=v)\nreturn np.sum(x * x)",
    "out_of_two_axes": (
        "v = np.zeros((2, n))\nnp.multiply(x, x, out=v)\nreturn np.sum(v)"
    ),
    "out_by_place": "v = np.ones(n)\nnp.add(x, 1.0, v)\nreturn np.sum(x)",
    "out_of_a_sum": (
        "v = np.zeros(())\nif n > 1:\n    v = np.zeros(n)\nnp.sum(x, out=v)\n"
        "return np.sum(x * x)"
    ),
    # as many values as names
    "unpacked": "a, b = x[:n]\nreturn a * b",
    "unpacked_and_not_read": "a, b = x[:n]\nreturn np.sum(x)",
}
FACTS = [{"x": "3", "n": ":int"}, {}]


def program(text: str):
    body = "\n".join(f"    {line}" for line in text.splitlines())
    return imported(f"import numpy as np\n\ndef f(x, n):\n{body}\n", "f")


def raised(function, *args):
    try:
        function(*args)
    except Exception as error:
        return type(error)
    return None


@pytest.mark.parametrize("facts", FACTS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_gradient_raises_where_the_program_does(name, facts):
    f = program(PROGRAMS[name])
    gradient = gradgen.grad(f, wrt="x", shapes=facts)
    both = gradgen.value_and_grad(f, wrt="x", shapes=facts)
    callback = gradgen.vjp(f, wrt="x", shapes=facts)
    ends = set()
    for n in COUNTS:
        error = raised(f, X.copy(), n)
        ends.add(error)
        ways = (gradient, both, lambda x, n: callback(x, n)[1](1.0))
        for way in ways:
            found = raised(way, X.copy(), n)
            # of a name from around a lambda Python says NameError
            assert found == error or error and issubclass(found, error), (n, error)
        if error is None:
            want = numeric_gradient(f, [X, n], 0).value
            for got in (gradient(X, n), both(X, n)[1], callback(X, n)[1](1.0)):
                assert got.shape == want.shape and got.dtype == want.dtype
                np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)
    assert None in ends and len(ends) > 1


ORDINARY = {
    "constant_rounds": "for i in range(3):\n    y = x * i\nreturn np.sum(y)",
    "both_arms": "if n > 1:\n    y = x\nelse:\n    y = x * 2\nreturn np.sum(y)",
    "raising_arm": (
        "if n > 1:\n    y = x\nelse:\n    raise ValueError\nreturn np.sum(y * y)"
    ),
    "returning_arm": "if n > 1:\n    y = x\nelse:\n    return x[0]\nreturn np.sum(y)",
    "endless": (
        "k = 0\nwhile True:\n    y = x * k\n    k += 1\n    if k > n:\n        break\n"
        "return np.sum(y)"
    ),
    "out_that_fits": "v = np.empty_like(x)\nnp.sin(x, out=v)\nreturn np.sum(v * v)",
    "as_many": "a, b, c = x\nreturn a * b * c",
    "set_before": "y = x\nfor i in range(n):\n    y = y * x\nreturn np.sum(y)",
}


@pytest.mark.parametrize("name", ORDINARY)
def test_a_text_that_cannot_raise_asks_nothing(name):
    text = gradgen.grad(program(ORDINARY[name]), wrt="x", shapes=FACTS[0]).source
    for word in ("has_", "UnboundLocalError", "does not fit", "are wanted"):
        assert word not in text


@pytest.mark.parametrize(
    "made", ["np.zeros(3, dtype=int)", "np.zeros(3, bool)", "np.array([1, 2, 3])"]
)
def test_out_of_integers_takes_no_floats(made):
    for last in ("np.sum(v * x)", "np.sum(x)"):
        f = program(f"v = {made}\nnp.multiply(x, 2.0, out=v)\nreturn {last}")
        assert raised(f, X.copy(), 1) is not None
        assert refusal(f, wrt="x").code == "GG309"
