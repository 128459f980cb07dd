"""np.r_, np.c_, piecewise, apply_along_axis, fill_diagonal, x.item(), x.flat."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.2, 0.7, 1.3])
A = np.array([[0.2, 0.7, 1.3], [0.4, 0.55, 0.6]])


def padded(x):
    return np.sum(np.sin(np.r_[x, 0.0, x[:2] * 2]))


def one_below_the_other(x, y):
    return np.sum(np.sin(np.r_[x, y]))


def among_ranges(x):
    return np.sum(np.sin(np.r_[0:3, x, 0:1:4j]) ** 2 * np.arange(10.0))


def of_numbers(x):
    return np.sum(np.sin(np.r_[x[0] * 2, 1.5, x[1], [2.0, 3.0]]) * np.arange(5.0))


def columns(x, y):
    return np.sum(np.sin(np.c_[x, y]) * np.arange(np.c_[x, y].size).reshape(len(x), -1))


def column_beside(x, y):
    return np.sum(np.sin(np.c_[x, x, y.T]))


def pieces(x):
    return np.sum(np.piecewise(x, [x < 0.5, x > 0.9], [np.sin, lambda v: v * v, 0.7]))


def later_pieces_win(x):
    return np.sum(np.piecewise(x, [x < 0.5, x > 0.3], [lambda v: v**3, np.square]))


def no_rest(x):
    return np.sum(np.piecewise(x, [x < 0.5, x >= 0.65], [1.0, np.exp]) * x)


def length(row):
    return np.sqrt(np.sum(row * row))


def scaled(row):
    return row * np.sum(row)


def lengths_of_rows(a):
    return np.sum(np.sin(np.apply_along_axis(length, 1, a)))


def scaled_columns(a):
    return np.sum(
        np.sin(np.apply_along_axis(scaled, 0, a)) * np.arange(6.0).reshape(2, 3)
    )


def turned_rows(a):
    turned = np.apply_along_axis(lambda r: r[::-1] * r[0], -1, a)
    return np.sum(np.sin(turned) * np.arange(6.0).reshape(2, 3))


def of_numpys(a):
    return np.sum(np.sin(np.apply_along_axis(np.sum, 0, a)))


def taken_once(a):
    waiting = [a, a * 2]
    rows = np.apply_along_axis(length, 1, waiting.pop())
    return np.sum(rows) * np.sum(waiting.pop())


def of_a_vector(x):
    return np.apply_along_axis(length, 0, x) ** 2


def filled_by_array(a, v):
    b = a * a
    np.fill_diagonal(b, v[:2])
    return np.sum(np.sin(b) * a)


def filled_by_number(a, v):
    b = a * 2
    np.fill_diagonal(b, v[0] * 2)
    return np.sum(np.sin(b) * a)


def cleared(a):
    b = a.T @ a
    np.fill_diagonal(b, 0.0)
    return np.sum(b * b)


def one_number(x):
    return np.sum(x**2).item() * np.sum(np.sin(x))


def by_places(a):
    return a.item(1, 2) ** 2 * a.item(4) + a[:1, 1].item()


def by_place_of_largest(x):
    return x[np.argmax(x).item()] ** 2


def flat_sum(a):
    return np.sum(np.sin(a.flat)) + a.flat[3] ** 2 + np.sum(a.flat[1:3])


def flat_loop(a):
    total = 0.0
    for v in a.flat:
        total += v**2
    return total


def of_constants(x):
    levels = np.unique(np.array([0.3, 0.1, 0.3]))
    return np.sum(np.sin(x * np.sum(levels)))


def of_places(x):
    return np.sum(np.sin(x[np.argwhere(x > 0.5)]))


CASES = [
    (padded, X),
    (one_below_the_other, X, X + 0.1),
    (one_below_the_other, A, A + 0.1),
    (among_ranges, X),
    (of_numbers, X),
    (columns, X, X + 0.1),
    (columns, A, A + 0.1),
    (column_beside, X, A),
    (pieces, X),
    (pieces, A),
    (later_pieces_win, X),
    (no_rest, X),
    (lengths_of_rows, A),
    (scaled_columns, A),
    (turned_rows, A),
    (of_numpys, A),
    (taken_once, A),
    (of_a_vector, X),
    (filled_by_array, A, X),
    (filled_by_number, A, X),
    (filled_by_number, A.T, X),
    (cleared, A),
    (one_number, X),
    (by_places, A),
    (by_place_of_largest, X),
    (flat_sum, A),
    (flat_loop, A),
    (of_constants, X),
    (of_places, X),
]


def right(found, case):
    function, *args = case
    for k, g in enumerate(found if isinstance(found, tuple) else (found,)):
        want = numeric_gradient(function, args, k)
        assert g.shape == args[k].shape
        np.testing.assert_allclose(g, want.value, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_of_a_call(case):
    function, *args = case
    before = [arg.copy() for arg in args]
    right(gradgen.grad(function, wrt=tuple(range(len(args))))(*args), case)
    assert all(map(np.array_equal, args, before))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_with_nothing_told_it_is_right_or_refused(case):
    function, *args = case
    try:
        text = gradgen.emit(function)
    except gradgen.GradgenError as refusal:
        assert refusal.code == "GG302"
        return
    space = {}
    exec(text, space)
    # of columns several numbers
    seed = {"d_out": 1.0} if ", d_out):" in text else {}
    try:
        got = space[f"grad_{function.__name__}"](*args, **seed)
    except ValueError as refusal:
        assert " is taken for a " in str(refusal)
        assert "Assumed: " in text
        return
    right(got, case)


@pytest.mark.parametrize("function", [padded, among_ranges, of_numbers])
def test_float32(function):
    g = gradgen.grad(function)(X.astype(np.float32))
    assert g.dtype == np.float32


def behind_a_count(x):
    return np.r_[0, np.cumsum(x), len(x)] ** 2


def with_a_number(x, k=0.1):
    return np.r_[k, x, True] * 3


def of_two_dtypes(x):
    return np.r_[0.1, x, np.arange(2.0)]


@pytest.mark.parametrize(
    "function",
    [padded, among_ranges, of_numbers, behind_a_count, with_a_number, of_two_dtypes],
)
def test_the_value_of_float32_has_the_bits_of_numpys(function):
    x = X.astype(np.float32)
    want = np.asarray(function(x))
    value, pullback = gradgen.vjp(function)(x)
    assert np.asarray(value).dtype == want.dtype
    assert np.array_equal(value, want)
    assert pullback(np.ones_like(value)).dtype == np.float32


def text_key(x):
    return np.sum(np.r_["-1,2,0", x, x])


def several(x, masks):
    return np.sum(np.piecewise(x, masks, [1.0, 2.0]))


def stored(a):
    b = a * 2
    b.flat[1] = 0.0
    return np.sum(b)


def kept(x):
    return np.sum(np.unique(x) ** 2)


@pytest.mark.parametrize(
    "function, args",
    [
        (text_key, (X,)),
        (several, (X, np.stack([X < 1, X > 1]))),
        (stored, (A,)),
        (kept, (X,)),
    ],
)
def test_refused(function, args):
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.grad(function)(*args)
    assert not caught.value.code.startswith("GG9")
    assert caught.value.line
