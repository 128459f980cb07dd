"""The block of a line has one heading, and a place that is computed no name of its own."""

import numpy as np
import pytest

import gradgen


def gate(x, h, W, U, V):
    z = 1 / (1 + np.exp(-(x @ W + h @ U)))
    n = np.tanh(x @ V)
    return (1 - z) * h + z * n


def layers(x, W, b):
    h = np.tanh(x @ W + b)
    return np.sum(h**2) + np.sum(W**2)


def mixed(x, a, b):
    m = x @ a
    n = x @ b
    return np.sum((1 - m - n) ** 2) - (m + n) * np.sum(x)


FACTS = {
    gate: {"x": "b n", "h": "b m", "W": "n m", "U": "m m", "V": "n m"},
    layers: {"x": "b n", "W": "n m", "b": "m"},
    mixed: {"x": "n", "a": "n", "b": "n"},
}


@pytest.mark.parametrize("function", FACTS, ids=lambda f: f.__name__)
def test_what_several_lines_contribute_to_comes_behind_the_blocks_of_lines(function):
    text = gradgen.emit(function, wrt=tuple(FACTS[function]), shapes=FACTS[function])
    headings = [line for line in text.splitlines() if "# Grad of" in line]
    assert len(set(headings)) == len(headings), text


def halves(x):
    d = x.shape[-1]
    first = x[:, : d // 2]
    second = x[:, d // 2 :]
    return np.sum(np.sin(first), axis=1) * np.sum(second**2, axis=1)


def test_half_of_a_length_is_written_as_the_user_wrote_it():
    text = gradgen.emit(halves, wrt="x", shapes={"x": "n d"})
    assert "first = x[:, : d // 2]" in text and "second = x[:, d // 2 :]" in text
    assert "_in" not in text, text
