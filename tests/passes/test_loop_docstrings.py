"""Passes over loops: a gradient without the pass, and with it, as docstrings say."""

import re
import textwrap

import pytest

import gradgen
from gradgen import endings, pipeline
from gradgen.guard.rounds import rounds
from gradgen.printer.storage import storage
from gradgen.simplify.products import products
from gradgen.simplify.saved import saved
from tests.frontend.writing import written

# pass -> (primal, the arguments asked for, shapes)
PASSES = {
    rounds: (
        """
        def f(X, Y):
            for i in range(len(Y)):
                X = X / Y[i]
            return np.sum(X)
        """,
        ("X", "Y"),
        {"X": "n", "Y": "m"},
    ),
    saved: (
        """
        def f(x, w, T):
            h = x
            for t in range(T):
                h = np.tanh(w * h)
            return np.sum(h)
        """,
        "w",
        {"x": "n", "w": "n"},
    ),
    products: (
        """
        def f(X, W):
            s = 0.0
            for t in range(len(X)):
                h = X[t] @ W
                s += np.sum(h * h)
            return s
        """,
        "W",
        {"X": "t n", "W": "n m"},
    ),
    storage: (
        """
        def f(x):
            x[0] = np.sin(x[1])
            z = 2 * x[1:]
            x[1:] = z * z
            return np.sum(x * z[0])
        """,
        "x",
        {"x": "n"},
    ),
}


def examples(function) -> list[str]:
    """The texts before and after in a docstring."""
    text = textwrap.dedent("    " + function.__doc__)
    found = re.search(r"\n( *before:.*?)\n( *after:.*?)(?:\n\n|\Z)", text, re.S)
    return [
        textwrap.dedent(re.sub("before:|after: ", "       ", block))
        for block in found.groups()
    ]


def code(text: str) -> str:
    """The text without comments."""
    lines = [line for line in text.splitlines() if not line.strip().startswith("#")]
    return "\n".join(lines)


def is_in(excerpt: str, text: str) -> bool:
    """Whether the lines stand together in a text, at one indentation."""
    indented = textwrap.indent(excerpt.strip("\n"), "    ")
    return indented in code(text)


@pytest.mark.parametrize("function", PASSES, ids=lambda f: f.__name__)
def test_docstring_example(function, monkeypatch, tmp_path):
    text, wrt, shapes = PASSES[function]
    primal = written(text, tmp_path)
    before, after = examples(function)
    told = {"wrt": wrt, "shapes": shapes, "guard": function is rounds}
    on = gradgen.emit(primal, **told)
    assert is_in(after, on) and not is_in(before, on), on
    stage = pipeline if hasattr(pipeline, function.__name__) else endings
    monkeypatch.setattr(stage, function.__name__, lambda given, *_: given)
    off = gradgen.emit(primal, **told)
    assert is_in(before, off) and not is_in(after, off), off
