"""Examples with words and flags that are no defaults: the text is for these."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([0.7, -0.4, 1.3])
# by `kind` a refused operation (np.packbits has no rule), or one that has a gradient
BODIES = {
    "word": (
        "x, kind='flat'",
        "if kind == 'flat':\n        return np.packbits(3, np.sum(x))\n"
        "    return np.sum(x * x)",
        "round",
    ),
    "flag": (
        "x, kind=False",
        "if not kind:\n        return np.packbits(3, np.sum(x))\n"
        "    return np.sum(x * x)",
        True,
    ),
    "keyed": (
        "x, kind='flat'",
        "f = {'flat': lambda a: np.packbits(3, np.sum(a)),\n"
        "         'round': lambda a: np.sum(a * a)}[kind]\n    return f(x)",
        "round",
    ),
}


@pytest.mark.parametrize("case", BODIES)
def test_the_text_is_for_what_the_example_has(case, tmp_path):
    arguments, body, value = BODIES[case]
    function = written(f"def f({arguments}):\n    {body}\n", tmp_path)
    text = gradgen.emit(function, example=(X, value))
    made: dict = {}
    exec(text, made)
    want = numeric_gradient(lambda x: function(x, value), [X], 0, 1.0).value
    np.testing.assert_allclose(made["grad_f"](X, value), want, rtol=1e-7)
    with pytest.raises(ValueError, match="have no gradient here"):
        made["grad_f"](X)  # the default is another word


def test_a_word_that_is_told_is_looked_at_where_the_default_is_another(tmp_path):
    body = "if kind == 'a':\n        return np.sum(x)\n    return np.sum(x * x)"
    function = written(f"def f(x, kind='a'):\n    {body}\n", tmp_path)
    made: dict = {}
    exec(gradgen.emit(function, shapes={"kind": "='b'"}), made)
    np.testing.assert_array_equal(made["grad_f"](X, "b"), 2 * X)
    with pytest.raises(ValueError, match='other than "b"'):
        made["grad_f"](X)


def test_words_that_the_text_takes_anyway_stay_open(tmp_path):
    body = "if kind == 'a':\n        return np.sum(x)\n    return np.sum(x * x)"
    function = written(f"def f(x, kind='a'):\n    {body}\n", tmp_path)
    made: dict = {}
    exec(gradgen.emit(function, example=(X, "b")), made)
    np.testing.assert_array_equal(made["grad_f"](X, "b"), 2 * X)
    np.testing.assert_array_equal(made["grad_f"](X), np.ones(3))
