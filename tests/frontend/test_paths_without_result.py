"""Functions that return a value by one path and nothing by another, at a call."""

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare
from tests.frontend.writing import written

X = np.array([0.7, 0.4, 1.3])
PATHS = {
    "if np.sum(x) > 0:\n    return np.sum(x * x)": (X, -X),
    "if k == 1 and x[0] > 0:\n    y = x * 3\n    return np.sum(y * x)": (X, -X),
    "for i in range(3):\n    if x[i] > 1:\n        return x[i] ** 2": (X, X - 1),
    "if x[0] > 0:\n    if x[1] > 0:\n        return x[0] * x[1]\n    print(x)": (
        X,
        X - 0.5,
    ),
    "if x[0] < 0:\n    print(x)\nelse:\n    return np.sin(x)": (X, -X),
    "while True:\n    if x[0] < 0:\n        break\n    return np.sum(x)": (X, -X),
}


@pytest.mark.parametrize("body", PATHS)
def test_a_call_takes_the_path_that_returns(body, tmp_path):
    text = body.replace("\n", "\n    ")
    function = written(f"def f(x, k=1):\n    {text}\n", tmp_path)
    there, nothing = PATHS[body]
    compare(function, (there,), text=False)
    assert function(nothing) is None
    with pytest.raises(ValueError, match="f returns nothing here"):
        gradgen.grad(function)(nothing)
    with pytest.raises(gradgen.GradgenError, match="GG111"):
        gradgen.emit(function)


def test_nothing_at_all_is_refused(tmp_path):
    function = written("def f(x):\n    y = x * 2\n", tmp_path)
    with pytest.raises(gradgen.GradgenError, match="GG111"):
        gradgen.grad(function)(X)


WORDS = {
    "last": "if kind == 'a':\n        return np.sum(x * x)\n"
    "    elif kind == 'b':\n        return np.sum(np.sin(x))\n",
    "printed": "if kind == 'a':\n        return np.sum(x * x)\n"
    "    elif kind == 'b':\n        return np.sum(np.sin(x))\n"
    "    else:\n        print('unknown')\n",
    "apart": "if kind == 'a':\n        return np.sum(x * x)\n"
    "    if kind in ('b', 'c'):\n        return np.sum(np.sin(x))\n",
}


@pytest.mark.parametrize("body", WORDS)
def test_a_text_takes_all_words_and_raises_for_others(body, tmp_path, capsys):
    function = written(f"def f(x, kind='a'):\n    {WORDS[body]}", tmp_path)
    made: dict = {}
    exec(gradgen.emit(function), made)
    np.testing.assert_array_equal(made["grad_f"](X), 2 * X)
    np.testing.assert_array_equal(made["grad_f"](X, "b"), np.cos(X))
    assert function(X, "z") is None
    with pytest.raises(ValueError, match="f returns nothing here"):
        made["grad_f"](X, "z")


OTHERS = {
    "if isinstance(x, np.ndarray):\n        return np.sum(x * x)\n"
    "    elif isinstance(x, Other):\n        return x.value\n": (X.tolist(),),
    "if kind == 'a':\n        return np.sum(x * x)\n"
    "    if kind == 'b':\n        return np.sum(np.sin(x))\n": (X, "z"),
    "if not isinstance(x, Other):\n        if kind in ('a', 'b'):\n"
    "            return np.sum(x * x)\n": (X, "z"),
    "if isinstance(x, np.ndarray) and kind != 'c':\n        return np.sum(x * x)\n": (
        X,
        "c",
    ),
}


@pytest.mark.parametrize("body", OTHERS)
def test_a_text_raises_for_other_kinds_of_arguments(body, tmp_path):
    source = f"class Other:\n    value = 1.0\n\n\ndef f(x, kind='a'):\n    {body}"
    for text in (source, source.replace("kind='a'", "kind")):
        function = written(text, tmp_path)
        made: dict = {}
        exec(gradgen.emit(function), made)
        np.testing.assert_array_equal(made["grad_f"](X, "a"), 2 * X)
        others = OTHERS[body]
        others += ("a",) if len(others) == 1 else ()
        assert function(*others) is None
        with pytest.raises(ValueError, match="f returns nothing here"):
            made["grad_f"](*others)


def test_what_entries_decide_is_refused(tmp_path):
    body = "    if isinstance(x, np.ndarray):\n        if x[0] > 0:\n            return x[0] ** 2\n"
    function = written(f"def f(x):\n{body}", tmp_path)
    with pytest.raises(gradgen.GradgenError, match="GG111"):
        gradgen.emit(function)
