"""Following a message's advice works: refused programs beside what is advised.

The codes whose page has an example are tried in test_codes.py; these are others.
"""

import pytest

import gradgen
from gradgen import GradgenError
from tests.fuzz.program import imported

HEAD = "import numpy as np\nimport contextlib\n\n\n"
PAIRS = {
    "GG201": [
        ("def f(x):\n    return {x[0], x[1]}", "def f(x):\n    return (x[0], x[1])"),
    ],
    "GG205": [
        ("def f(x):\n    return np.sum(np.sinn(x))", "def f(x):\n    return np.sum(np.sin(x))"),
    ],
    "GG206": [
        ("def f(x):\n    return np.sum(x.transposed())", "def f(x):\n    return np.sum(x.transpose())"),
        ("def f(x):\n    return np.sum(x.tobytes())", "def f(x):\n    return np.sum(x)"),
    ],
    "GG209": [
        ("def f(x):\n    return np.sum(np.sin(x, x, x, x))", "def f(x):\n    return np.sum(np.sin(x))"),
        ("def g(a, b):\n    return a * b\n\n\ndef f(x):\n    return g(x)", "def g(a, b):\n    return a * b\n\n\ndef f(x):\n    return g(x, b=2.0)"),
    ],
    "GG210": [
        ("def f(x):\n    return scale * x", "def f(x, scale):\n    return scale * x"),
    ],
    "GG215": [
        ("def f(x):\n    y = y + x\n    return y", "def f(x):\n    y = 0.0\n    y = y + x\n    return y"),
    ],
    "GG218": [
        ("def f(A):\n    return len(np.union1d(A, A)) * np.sum(A)", "def f(A, n):\n    return n * np.sum(A)"),
    ],
    "GG250": [
        ("def g(x):\n    return g(x * 0.5)\n\n\ndef f(x):\n    return g(x)", "def f(x):\n    for _ in range(5):\n        x = x * 0.5\n    return x"),
    ],
    "GG253": [
        ("def f(x, g):\n    import gradgen\n    return gradgen.grad(g)(x)", "def g(x):\n    return x * x\n\n\ndef f(x):\n    import gradgen\n    return gradgen.grad(g)(x)"),
    ],
    "GG113": [
        ("class timed:\n    def __enter__(self):\n        return self\n\n    def __exit__(self, *given):\n        return True\n\n\ndef f(x):\n    with timed():\n        y = np.sin(x)\n    return np.sum(y)", "def f(x):\n    y = np.sin(x)\n    return np.sum(y)"),
        ("@contextlib.contextmanager\ndef scaled(k):\n    if k > 1.0:\n        yield k\n    else:\n        yield 1.0\n\n\ndef f(x):\n    with scaled(2.0) as k:\n        y = k * x\n    return np.sum(y)", "def f(x):\n    k = 2.0\n    y = k * x\n    return np.sum(y)"),
        ("def f(x, M):\n    y = x * 1.0\n    try:\n        y[0] = 2.0\n        w = np.linalg.inv(M)[0, 0] * y\n    except np.linalg.LinAlgError:\n        w = y\n    return np.sum(w)", "def f(x, M):\n    y = x * 1.0\n    try:\n        w = np.linalg.inv(M)[0, 0]\n        w = w * y\n    except np.linalg.LinAlgError:\n        w = y\n    return np.sum(w)"),
        ("def f(x, M):\n    q = x * 2\n    try:\n        q = q * 3\n        w = np.sum(np.linalg.inv(M)) * q\n    except np.linalg.LinAlgError:\n        w = q\n    return np.sum(w)", "def f(x, M):\n    q = x * 2\n    try:\n        p = q * 3\n        w = np.sum(np.linalg.inv(M)) * p\n    except np.linalg.LinAlgError:\n        w = q\n    return np.sum(w)"),
    ],
    "GG501": [
        ("def f(x):\n    return np.argmax(x)", "def f(x):\n    return np.max(x)"),
    ],
}  # fmt: skip
CASES = [(code, *pair) for code, pairs in PAIRS.items() for pair in pairs]


def followed(code, refused, advised, asked={}, told={}):
    """Asserts that a program is refused with a code and advice, which works.

    `asked` are the options of the request that is refused, `told` of the one advised.
    """
    with pytest.raises(GradgenError) as caught:
        gradgen.emit(imported(HEAD + refused + "\n", "f"), **asked)
    problems = caught.value.problems
    assert {problem.code for problem in problems} == {code}
    assert all(problem.advice for problem in problems)
    assert gradgen.emit(imported(HEAD + advised + "\n", "f"), **told)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_what_is_advised_is_taken(case):
    followed(*case)
