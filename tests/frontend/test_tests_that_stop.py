"""`a and b`, where a is known to be false: b is not asked, and may have no value.

"k" in options and options["k"] > 0, of options without a k.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([1.0, 2.0, 0.5])
TESTS = {
    "a key": "'k' in options and options['k'] > 0",
    "a key, in the middle": "np.sum(x) > 0 and 'k' in options and options['k'] > 0",
    "a key behind a flag": "loud and 'k' in options and isinstance(options['k'], int)",
    "no key, or": "not ('k' not in options or options['k'] > 0)",
    "an attribute": "hasattr(options, 'k') and options.k > 0",
    "a length": "len(parts) > 2 and parts[2] > 0",
    "not and": "not ('k' not in options or not options['k'])",
}


@pytest.mark.parametrize("form", ["if", "else", "while", "value"])
@pytest.mark.parametrize("name", TESTS)
def test_what_is_not_asked(name, form, tmp_path):
    test = TESTS[name]
    lines = {
        "if": f"if {test}:\n    x = 2 * x",
        "else": f"y = 2 * x if {test} else x\nx = y",
        "while": f"while {test}:\n    x = 2 * x",
        "value": f"asked = {test}\nif asked:\n    x = 2 * x",
    }[form].replace("\n", "\n    ")
    function = written(
        f"loud = True\n\n\ndef f(x):\n    options = {{'a': 1.0}}\n"
        f"    parts = [1.0, 2.0]\n    {lines}\n    return np.sum(x**3)\n",
        tmp_path,
    )
    want = numeric_gradient(function, (X.copy(),), 0, 1.0).value
    np.testing.assert_allclose(gradgen.grad(function)(X), want, rtol=1e-7)
    space = {}
    exec(gradgen.emit(function), space)
    np.testing.assert_allclose(space["grad_f"](X), want, rtol=1e-7)


def test_a_wrapper_that_looks_for_keywords(tmp_path):
    function = written(
        """
        from functools import wraps

        def in_units(f):
            @wraps(f)
            def wrapper(*args, **kwargs):
                if "t" in kwargs and isinstance(kwargs["t"], str):
                    kwargs["t"] = float(kwargs["t"])
                if kwargs and "unit" in kwargs and kwargs["unit"] == "km":
                    return 1000 * f(*args, t=kwargs.get("t", 0.0))
                return f(*args, **kwargs)
            return wrapper

        @in_units
        def f(x, t=0.0):
            return np.sum(x**2) * (1 + t)
        """,
        tmp_path,
    )
    np.testing.assert_allclose(gradgen.grad(function)(X), 2 * X)
    np.testing.assert_allclose(gradgen.grad(function)(X, t=2.0), 6 * X)
    np.testing.assert_allclose(gradgen.grad(function)(X, 2.0), 6 * X)
