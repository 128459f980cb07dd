"""Parts of an array that fill it are joined; what may overlap or be missing is stored."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def halves(x, h):
    return np.sum(np.sin(x[:h])) + np.sum(x[h:] ** 2)


def halves_of_rows(x, h):
    a, b = x[:, :h], x[:, h:]
    return np.sum(np.sin(a)) * np.sum(b * b)


def last_axis(x, h):
    a, b = x[..., :h], x[..., h:]
    return np.sum(np.sin(a)) * np.sum(b * b)


def scaled_halves(x, h):
    a, b = x[:, :h], x[:, h:] / np.sqrt(len(x))
    return np.sum(np.sin(a)) * np.sum(b * b)


def half_alone(x, h):
    return np.sum(np.sin(x[:h]) ** 2)


def with_a_gap(x, h):
    return np.sum(np.sin(x[:h])) + np.sum(x[h + 1 :] ** 2)


def that_overlap(x, h):
    return np.sum(np.sin(x[: h + 1])) + np.sum(x[h:] ** 2)


def thirds(x, h):
    a, b, c = x[:, :h], x[:, h : 2 * h], x[:, 2 * h :]
    return np.sum(np.sin(a)) + np.sum(b * b) + np.sum(np.cos(c)) * x[0, 0]


def twice(x, h):
    return np.sum(np.sin(x[:h])) + np.sum(x[h:] ** 2) + np.sum(np.cos(x[:h]))


def in_fours(x, h):
    a, b = x[:2], x[2:]
    return np.sum(np.sin(a)) + np.sum(b**3) * h


def stepped(x, h):
    return np.sum(np.sin(x[::2])) + np.sum(x[1::2] ** 2)


CASES = {
    halves: ("n", 7, [0, 1, 3, 7, 9, -2, -9]),
    half_alone: ("n", 7, [0, 3, 9, -2]),
    with_a_gap: ("n", 7, [0, 3, 6, -1, -3]),
    that_overlap: ("n", 7, [0, 3, 7, -1, -3]),
    twice: ("n", 7, [0, 3, 7, -2]),
    in_fours: ("6", 6, [1]),
    stepped: ("n", 7, [1]),
    halves_of_rows: ("n m", (2, 5), [0, 2, 5, -1]),
    last_axis: ("n m", (2, 5), [0, 2, 5, -1]),
    scaled_halves: ("n m", (2, 5), [0, 2, 5, -1]),
    thirds: ("n m", (2, 7), [1, 2, 3, 4, -1, -2]),
}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_parts_of_every_length(function, dtype):
    told, size, places = CASES[function]
    x = np.random.default_rng(3).normal(0, 1, size)
    for shapes in ({"x": told, "h": ":int"}, {}):
        names: dict = {}
        exec(gradgen.emit(function, "x", shapes=shapes), names)
        for h in places:
            want = numeric_gradient(lambda one: function(one, h), [x], 0).value
            found = names[f"grad_{function.__name__}"](x.astype(dtype), h)
            assert found.dtype == dtype and found.shape == x.shape
            loose = 1e-4 if dtype == np.float32 else 1e-6
            np.testing.assert_allclose(found, want, rtol=loose, atol=loose)


NINE = {"camera": "9"}


def of_a_camera(camera):
    turn, shift = camera[:3], camera[3:6]
    f, k = camera[6], camera[7]
    return np.sum(np.sin(turn) * shift) * f + k * camera[8] + np.sum(turn**2)


def but_one_entry(camera):
    return np.sum(np.sin(camera[:3] * camera[3:6])) * camera[7] + camera[8]


def and_one_entry_more(camera):
    return np.sum(np.sin(camera[:6])) * camera[5] + np.sum(camera[6:] ** 2)


@pytest.mark.parametrize(
    "function",
    [of_a_camera, but_one_entry, and_one_entry_more],
    ids=lambda f: f.__name__,
)
def test_parts_and_entries(function):
    x = np.random.default_rng(4).normal(0, 1, 9)
    want = numeric_gradient(function, [x], 0).value
    for shapes in (NINE, {}):
        names: dict = {}
        exec(gradgen.emit(function, shapes=shapes), names)
        found = names[f"grad_{function.__name__}"](x)
        np.testing.assert_allclose(found, want, rtol=1e-7, atol=1e-9)


def test_what_a_person_writes():
    text = gradgen.emit(halves, "x", shapes={"x": "n", "h": ":int"})
    assert "d_x = np.concatenate([" in text and "zeros" not in text
    text = gradgen.emit(last_axis, "x", shapes={"x": "n m", "h": ":int"})
    assert "np.concatenate([d_a, d_b], axis=" in text
    text = gradgen.emit(of_a_camera, shapes=NINE)
    assert "np.concatenate(" in text and "zeros" not in text
    text = gradgen.emit(that_overlap, "x", shapes={"x": "n", "h": ":int"})
    assert "concatenate" not in text
