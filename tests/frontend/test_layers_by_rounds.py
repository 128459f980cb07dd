"""Layers that are pairs of unlike arrays, (W, b), read by a place that is not known."""

import itertools

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

H = np.array([0.4, -0.7, 0.9])
SQUARE = [
    (np.sin(np.arange(9.0) + i).reshape(3, 3), np.cos(np.arange(3.0) + i))
    for i in range(3)
]
NARROW = [
    (np.sin(np.arange(6.0)).reshape(2, 3), np.cos(np.arange(2.0))),
    (np.cos(np.arange(6.0)).reshape(3, 2), np.sin(np.arange(3.0))),
]
LAYERS = {
    "square": SQUARE,
    "narrow": NARROW,
    "lists": [list(pair) for pair in SQUARE],
    "deep": [((W,), b) for W, b in SQUARE],
}
READ = {
    "pairs": "W, b = layers[k]",
    "each": "W = layers[k][0]\n        b = layers[k][1]",
    "from the end": "W, b = layers[k - n]",
}
FORMS = [
    form
    for form in itertools.product(LAYERS, READ)
    if form != ("narrow", "from the end")
]


def parts(layers):
    return [
        leaf
        for layer in layers
        for part in layer
        for leaf in (part if isinstance(part, tuple) else [part])
    ]


@pytest.mark.parametrize("form", FORMS, ids="; ".join)
def test_layers(form, tmp_path):
    sort, read = form
    layers = LAYERS[sort]
    read = READ[read]
    if sort == "deep":
        read = read.replace("W,", "(W,),").replace("[0]", "[0][0]")
    text = f"""
def f(layers, h, n={len(layers)}):
    for k in range(n):
        {read}
        h = np.tanh(W @ h + b)
    return np.sum(h**2)
"""
    f = written(text, tmp_path)
    names = {}
    exec(gradgen.emit(f, example=(layers, H)), names)
    texts, calls = names["grad_f"](layers, H), gradgen.grad(f)(layers, H)
    for leaf, one, other in zip(parts(layers), parts(texts), parts(calls), strict=True):
        want = np.zeros_like(leaf)
        for place in np.ndindex(leaf.shape):
            old, values = leaf[place], []
            for step in (1e-3, -1e-3, 2e-3, -2e-3):
                leaf[place] = old + step
                values.append(f(layers, H))
            leaf[place] = old
            want[place] = (8 * (values[0] - values[1]) - values[2] + values[3]) / 12e-3
        np.testing.assert_allclose(one, want, rtol=1e-7, atol=1e-8)
        np.testing.assert_allclose(other, want, rtol=1e-7, atol=1e-8)


def test_rows_of_like_entries_stay_one_array(tmp_path):
    text = """
def f(x, n=2):
    t = 0.0
    rows = [(x[0], x[1]), (x[1], x[2])]
    for k in range(n):
        p, q = rows[k]
        t += p * q * q
    return t
"""
    f = written(text, tmp_path)
    x = np.array([0.5, 1.5, -0.7])
    want = [x[1] ** 2, 2 * x[0] * x[1] + x[2] ** 2, 2 * x[1] * x[2]]
    names = {}
    exec(gradgen.emit(f, shapes={"x": "3"}), names)
    np.testing.assert_allclose(names["grad_f"](x), want, rtol=1e-12)
