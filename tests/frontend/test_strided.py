"""Views by strides of an array's own: windows, rows, repeats; each against a complex step."""

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import gradgen
from gradgen.errors import GradgenError


def rolling(a, window=3):
    shape = a.shape[:-1] + (a.shape[-1] - window + 1, window)
    strides = a.strides + (a.strides[-1],)
    return np.sum(np.prod(as_strided(a, shape=shape, strides=strides), axis=-1) ** 2)


def convolved(x, w, step=2):
    n, c, h, width = x.shape
    o, _, kh, kw = w.shape
    oh, ow = (h - kh) // step + 1, (width - kw) // step + 1
    sn, sc, sh, sw = x.strides
    windows = as_strided(
        x,
        shape=(n, c, oh, ow, kh, kw),
        strides=(sn, sc, step * sh, sw * step, sh, sw),
    )
    return np.sum(np.tanh(np.einsum("ncijkl,ockl->noij", windows, w)))


def pooled(x, size=2):
    n, h, w = x.shape
    shape = (n, h // size, w // size, size, size)
    s = x.strides
    by = (s[0], size * s[1], size * s[2], s[1], s[2])
    return np.sum(np.lib.stride_tricks.as_strided(x, shape, by).mean(axis=(3, 4)) ** 2)


def frames(x, n=6, hop=3):
    count = 1 + (len(x) - n) // hop
    b = x.strides[0]
    return np.sum((as_strided(x, (count, n), (hop * b, b)) @ np.hanning(n)) ** 3)


def hankel(x):
    (s,) = x.strides
    return np.sum(np.linalg.inv(np.eye(4) + 0.1 * as_strided(x, (4, 4), (s, s))))


def windows_first(x):
    s = x.strides[0]
    return np.sum(as_strided(x, (2, 3), (s, 2 * s)) ** 3 * np.arange(6.0).reshape(2, 3))


def dilated(x):
    s = x.strides[0]
    return np.sum(as_strided(x, (2, 2), (3 * s, 2 * s)) ** 3 * np.arange(1, 3.0))


def repeated(x):
    shape, by = (3, x.shape[0], 2), (0, x.strides[0], 0)
    return np.sum(as_strided(x, shape, by) ** 2 * np.arange(6.0).reshape(3, 1, 2))


def first_column(x):
    return np.sum(as_strided(x, (3,), (x.strides[0],)) ** 2)


def turned(x):
    a, b = x.strides
    return np.sum(as_strided(x, x.shape[::-1], (b, a)) @ np.arange(1.0, 6.0) ** 2)


def whole(x):
    return np.sum(as_strided(x, x.shape, x.strides) ** 3)


def of_another_shape(x):
    s = np.shape(x[1:, 1:])
    return np.sum(as_strided(x, s, (x.strides[0], x.strides[1])) ** 3)


CASES = [
    (rolling, (7,)),
    (rolling, (2, 7)),
    (convolved, (2, 2, 6, 7)),
    (pooled, (2, 4, 5)),
    (frames, (20,)),
    (hankel, (7,)),
    (windows_first, (8,)),
    (dilated, (8,)),
    (repeated, (4,)),
    (first_column, (5, 2)),
    (turned, (5, 2)),
    (whole, (5, 2)),
    (of_another_shape, (5, 3)),
]
OTHERS = {convolved: (np.random.default_rng(1).normal(size=(3, 2, 3, 2)),)}


def stepped(function, x, others):
    found = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        moved = x.astype(complex)
        moved[place] += 1e-30j
        found[place] = function(moved, *others).imag / 1e-30
    return found


@pytest.mark.parametrize(
    "function, shape", CASES, ids=lambda one: getattr(one, "__name__", str(one))
)
@pytest.mark.parametrize("layout", ["rows", "columns", "every second"])
def test_calls(function, shape, layout):
    x = np.random.default_rng(0).normal(size=shape)
    if layout == "columns":
        x = np.asfortranarray(x)
    if layout == "every second":
        x = np.repeat(x, 2, axis=-1)[..., ::2]
    others = OTHERS.get(function, ())
    got = gradgen.grad(function)(x, *others)
    assert got.shape == x.shape and got.dtype == x.dtype
    np.testing.assert_allclose(
        got, stepped(function, x, others), rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize(
    "function, shape",
    [CASES[i] for i in (0, 2, 3, 4, 5, 10)],
    ids=lambda one: getattr(one, "__name__", str(one)),
)
def test_texts_with_nothing_told(function, shape):
    """The axes that strides and shapes are unpacked into tell how many there are."""
    space = {}
    exec(gradgen.emit(function), space)
    x = np.random.default_rng(0).normal(size=shape)
    others = OTHERS.get(function, ())
    got = space[f"grad_{function.__name__}"](x, *others)
    np.testing.assert_allclose(
        got, stepped(function, x, others), rtol=1e-12, atol=1e-12
    )


def of_another(x):
    y = np.ones(3)
    return np.sum(as_strided(x, (3,), (y.strides[0],)))


def in_bytes(x):
    return np.sum(as_strided(x, (3,), (8,)))


def three_of_an_axis(x):
    s = x.strides[0]
    return np.sum(as_strided(x, (2, 2, 2), (s, s, s)))


def computed_with(x):
    return np.sum(x) + x.strides[0] // 8


def compared(x):
    s = x.strides[0]
    return np.sum(x) if s > 8 else np.sum(x) * 2


def in_an_array(x):
    return np.sum(as_strided(x, (2,), np.array(x.strides)))


def stored_into(x):
    s = x.strides[0]
    view = as_strided(x, (3, 2), (s, s))
    view[0, 1] = 2.0
    return np.sum(x * x)


@pytest.mark.parametrize(
    "function",
    [
        of_another,
        in_bytes,
        three_of_an_axis,
        computed_with,
        compared,
        in_an_array,
        stored_into,
    ],
)
def test_refused(function):
    with pytest.raises(GradgenError) as found:
        gradgen.grad(function)(np.arange(1.0, 6.0))
    assert not found.value.code.startswith("GG9")
