"""Functions that call themselves through a decorator, no one knows how often."""

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare
from tests.frontend.writing import written

DECORATORS = """import functools

def compiled(**options):
    return lambda function: function

def timed(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)
    return wrapper

def doubled(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return 2 * f(*args, **kwargs)
    return wrapper

def moved(by):
    def decorator(inner):
        @functools.wraps(inner)
        def f(x, n):
            return inner(x + by, n) - by * n
        return f
    return decorator

"""
BODY = """
    if n == 0:
        return np.sum(np.sin(x))
    return {name}(x * 1.5, n - 1) + np.sum(x * x)
"""
DECORATED = [
    *("@compiled(nopython=True)", "@timed", "@doubled", "@moved(0.5)"),
    *("@timed\n@doubled", "@functools.lru_cache", "@functools.lru_cache(maxsize=8)"),
]
X = np.array([0.7, 0.4, -1.3])


@pytest.mark.parametrize("decorator", DECORATED)
def test_by_itself(decorator, tmp_path):
    head = f"{decorator}\ndef f(x, n):"
    function = written(DECORATORS + head + BODY.format(name="f"), tmp_path)
    x = 0.7 if "cache" in decorator else X
    compare(function, (x, 3))


@pytest.mark.parametrize("decorator", DECORATED)
def test_by_another(decorator, tmp_path):
    text = f"{decorator}\ndef g(x, n):{BODY.format(name='g')}\n"
    text += "def f(x, n):\n    return g(x * x, n + 1) + g(x, n) ** 2\n"
    function = written(DECORATORS + text, tmp_path)
    compare(function, (0.7 if "cache" in decorator else X, 2))


def test_by_turns(tmp_path):
    text = f"@doubled\ndef g(x, n):{BODY.format(name='f')}\n"
    text += f"@moved(0.5)\ndef f(x, n):{BODY.format(name='g')}\n"
    compare(written(DECORATORS + text, tmp_path), (X, 3))


def test_what_a_cache_makes_fast_is_refused(tmp_path):
    text = "@functools.cache\ndef f(x, n):\n"
    text += "    return x * n if n < 2 else f(x, n - 1) + f(x, n - 2) * x\n"
    function = written(DECORATORS + text, tmp_path)
    with pytest.raises(gradgen.GradgenError, match="GG250.*kept in a cache"):
        gradgen.emit(function)
    compare(function, (0.7, 6), text=False)


LENGTHS = """
def basis(p, x, k):
    if k == 0:
        return np.outer(np.arange(1.0, p + 1), x)
    inner = basis(p - 1, x, k - 1)
    N = np.zeros((p, x.size))
    for i in range(p - 1):
        N[i] = inner[i] * np.sin(x) * p
    return N

"""


@pytest.mark.parametrize(
    "line",
    [
        "np.sum(y * basis(3, x, n))",
        "np.sum(y ** 2) + np.sum(basis(n + 2, x, n)) * np.sum(y)",
        "np.sum([np.sum(y * basis(n + 2, x, k)) for k in range(n)])",
    ],
)
@pytest.mark.parametrize("wrt", [0, 1])
def test_a_length_beside_what_has_no_gradient(line, wrt, tmp_path):
    """Where no gradient goes through a call, none is asked for of a length."""
    function = written(LENGTHS + f"def f(y, x, n):\n    return {line}\n", tmp_path)
    compare(function, (X, np.array([0.2, 0.6, 0.3]), 2), wrt)
