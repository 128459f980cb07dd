"""check_grads: how backward passes are called, what they return, where they are wrong."""

import functools

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError, check_grads

RNG = np.random.default_rng(3)
X, W = RNG.normal(size=(4, 3)), RNG.normal(size=(3, 2))
Y = RNG.normal(size=(4, 3))


def layer(x, w):
    return np.tanh(x @ w)


def slope(x, w):
    return 1 - np.tanh(x @ w) ** 2


class Layer:
    """A backward pass that is a method, and one that is an object."""

    def backward(self, x, w, grad_output):
        return (grad_output * slope(x, w)) @ w.T

    def __call__(self, w, x, d_out):
        return (d_out * slope(x, w)) @ w.T


def with_seed_first(d_out, x, w):
    return (d_out * slope(x, w)) @ w.T


def with_seed_last(x, w, dY):
    return (dY * slope(x, w)) @ w.T


def with_the_arguments_turned(w, x, dout):
    return (dout * slope(x, w)) @ w.T


def with_other_names(inputs, weights, g):
    return (g * slope(inputs, weights)) @ weights.T


def with_a_seed_by_keyword(x, *, w, seed):
    return (seed * slope(x, w)) @ w.T


def with_a_default_seed(x, w, d_out=None):
    assert d_out is not None
    return (d_out * slope(x, w)) @ w.T


def with_other_names_seed_first(dY, a, b):
    return (dY * slope(a, b)) @ b.T


def as_list(x, w, dout):
    return [(dout * slope(x, w)) @ w.T]


def with_its_value(x, w, dout):
    return layer(x, w), (dout * slope(x, w)) @ w.T


def with_a_callback(x, w):
    return layer(x, w), lambda dout: (dout * slope(x, w)) @ w.T


def with_a_callback_alone(x, w):
    return lambda dout: (dout * slope(x, w)) @ w.T


@pytest.mark.parametrize(
    "hand",
    [
        with_seed_first,
        with_seed_last,
        with_the_arguments_turned,
        with_other_names,
        with_other_names_seed_first,
        with_a_seed_by_keyword,
        with_a_default_seed,
        as_list,
        with_its_value,
        with_a_callback,
        with_a_callback_alone,
        Layer().backward,
        Layer(),
    ],
    ids=lambda hand: getattr(hand, "__name__", "object"),
)
def test_ways_of_calling(hand):
    assert check_grads(layer, hand, (X, W)).errors["x"] < 1e-8
    # A seed that the caller gives is the one that is used.
    check_grads(layer, hand, (X, W), seed=RNG.normal(size=(4, 2)))


def both(x, w, dout):
    d_in = dout * slope(x, w)
    return d_in @ w.T, x.T @ d_in


@pytest.mark.parametrize(
    "hand",
    [
        both,
        lambda x, w, d: list(both(x, w, d)),
        lambda x, w, d: dict(zip(("x", "w"), both(x, w, d))),
        lambda x, w, d: dict(zip(("dw", "dx"), reversed(both(x, w, d)))),
        lambda x, w, d: dict(zip(("d_x", "d_w"), both(x, w, d))),
        lambda x, w, d: (layer(x, w), dict(zip(("x", "w"), both(x, w, d)))),
        lambda x, w: (layer(x, w), lambda d: both(x, w, d)),
        lambda x, w: (
            layer(x, w),
            {"w": lambda d: both(x, w, d)[1], "x": lambda d: both(x, w, d)[0]},
        ),
    ],
)
def test_forms_for_several_arguments(hand):
    assert set(check_grads(layer, hand, (X, W), ("x", "w")).errors) == {"x", "w"}
    with pytest.raises(GradgenError, match="GG60[12]"):
        other = functools.wraps(hand)(lambda x, w, **d: hand(x, 1.01 * w, **d))
        check_grads(layer, other, (X, W), ("x", "w"))


def test_arguments_that_it_does_not_need_may_be_missing():
    def scaled(x, offset):
        return np.sum(3 * x) + offset

    check_grads(scaled, lambda x: np.full_like(x, 3), (X, 1.0))
    check_grads(scaled, lambda x, d_out: d_out * np.full_like(x, 3), (X, 1.0))


def test_a_seed_of_a_number_has_to_be_used():
    def total(x):
        return np.sum(x * x)

    check_grads(total, lambda x: (total(x), lambda d: 2 * d * x), (X,))
    with pytest.raises(GradgenError) as caught:
        check_grads(total, lambda x: (total(x), lambda d: 2 * x), (X,))
    assert "the gradient of the result is 0.5" in str(caught.value)


def narrow(x, w, dout):
    return ((dout * slope(x, w)) @ w.T).astype(np.float32)


def widened(x, w, dout):
    return with_seed_last(x, w, dout).astype(np.float64)


def test_float32():
    args = X.astype(np.float32), W.astype(np.float32)
    check_grads(layer, with_seed_last, args)
    with pytest.raises(GradgenError, match="dtype of d_x is float64, not float32"):
        check_grads(layer, widened, args)
    with pytest.raises(GradgenError, match="dtype of d_x is float32, not float64"):
        check_grads(layer, narrow, (X, W), rtol=1e-3)
    with pytest.raises(GradgenError, match="GG601"):
        check_grads(layer, lambda x, w, d: 1.1 * with_seed_last(x, w, d), args)


def writes_into_an_argument(x, w, dout):
    found = with_seed_last(x, w, dout)
    x *= 2
    return found


def writes_into_the_seed(x, w, dout):
    dout *= slope(x, w)
    return dout @ w.T


def doubles_the_seed(x, w, dout):
    dout *= 2  # and with it what is held against it
    return with_seed_last(x, w, dout)


def once(x, w):
    saved = slope(x, w)

    def back(dout):
        saved[...] *= dout
        return saved @ w.T

    return layer(x, w), back


def first_time(x, w):
    calls = []

    def back(dout):
        calls.append(dout)
        return len(calls) * with_seed_last(x, w, dout)

    return layer(x, w), back


@pytest.mark.parametrize(
    "hand, words",
    [
        (writes_into_an_argument, "writes_into_an_argument writes into x"),
        (writes_into_the_seed, "writes into the gradient of the result"),
        (doubles_the_seed, "writes into the gradient of the result"),
        (once, "at the second call of its callback d_x["),
        (first_time, "at the second call of its callback d_x["),
    ],
)
def test_what_leaves_something_changed(hand, words):
    with pytest.raises(GradgenError) as caught:
        check_grads(layer, hand, (X, W))
    assert caught.value.code == "GG607" and words in str(caught.value)


def test_what_the_function_itself_changes_may_be_changed():
    def halves(x):
        x *= 0.5
        return np.sum(x * x)

    def grad_halves(x):
        x *= 0.5
        return x

    check_grads(halves, grad_halves, (X,))


def test_a_callback_that_may_be_called_once():
    def single(x, w):
        saved = [slope(x, w)]
        return layer(x, w), lambda dout: (dout * saved.pop()) @ w.T

    check_grads(layer, single, (X, W))


def fails(x, w, dout):
    return dout @ w


def takes_its_output(y, cache, extra, dout):
    return dout


@pytest.mark.parametrize(
    "hand, code, words",
    [
        (fails, "GG606", ["test_hand_written.py:", "return dout @ w", "ValueError"]),
        (takes_its_output, "GG605", ["y, cache, extra, dout", "x, w"]),
        (lambda x, w, dout: None, "GG603", ["NoneType"]),
        (lambda x, w, dout: (X, W), "GG602", ["has the shape (4, 3)"]),
        (lambda x, w, dout: (X, W, X), "GG603", ["3 gradient(s)"]),
        (lambda x, w, dout: {"v": X}, "GG603", ["a dict with 'v'"]),
        (lambda x, w, dout: X.T, "GG601", ["shape of d_x is (3, 4), not (4, 3)"]),
        (lambda x, w, dout: X > 0, "GG601", ["no array of real numbers"]),
        (lambda q, v, dout: dout @ v.T, "GG601", ["q is given x, v is given w"]),
    ],
)
def test_what_is_wrong_is_said(hand, code, words):
    with pytest.raises(GradgenError) as caught:
        check_grads(layer, hand, (X, W))
    assert caught.value.code == code
    for word in words:
        assert word in str(caught.value)


def test_a_function_that_fails():
    with pytest.raises(GradgenError, match="(?s)GG606 layer fails with ValueError"):
        check_grads(layer, both, (X, W.T))


# which line is wrong


def energy(x, w):
    h = x @ w
    p = np.exp(h)
    norm = np.sqrt(np.sum(p * p))
    return np.sum(h * h) / norm


def back_energy(x, w, d_out, *, turn=1.0, drop=1.0, slip=0.0):
    h = x @ w
    p = np.exp(h)
    norm = np.sqrt(np.sum(p * p))
    d_norm = -d_out * np.sum(h * h) / norm ** (2 - slip)
    d_p = d_norm / norm * p
    d_h = 2 * d_out / norm * h + drop * turn * d_p * p
    d_x = d_h @ w.T
    return d_x


def test_a_right_one_with_adjoints():
    check_grads(energy, back_energy, (X, W))


def wrong(change: str, by: str):
    """back_energy with one piece of its text changed, as a function of a file."""
    import inspect
    import linecache

    text = inspect.getsource(back_energy)
    assert text.count(change) == 1
    text = text.replace(change, by)
    file = f"<{by}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names = {"np": np}
    exec(compile(text, file, "exec"), names)
    return names["back_energy"]


@pytest.mark.parametrize(
    "change, by, line, name",
    [
        ("-d_out * np.sum", "d_out * np.sum", 5, "d_norm"),
        ("norm ** (2 - slip)", "norm", 5, "d_norm"),
        ("d_norm / norm * p", "d_norm * norm * p", 6, "d_p"),
        (" + drop * turn * d_p * p", "", 7, "d_h"),
        ("drop * turn * d_p * p", "d_p", 7, "d_h"),
        ("2 * d_out / norm * h", "d_out / norm * h", 7, "d_h"),
    ],
)
def test_the_first_wrong_line_is_found_by_its_adjoint(change, by, line, name):
    with pytest.raises(GradgenError) as caught:
        check_grads(energy, wrong(change, by), (X, W))
    text = str(caught.value)
    assert f">:{line}: {name} = " in text, text
    assert f"\n    {name}" in text and "differences give" in text


def test_terms_of_the_gradient():
    def quadratic(x, y):
        return np.sum(x * x * y) + np.sum(x * np.sin(y))

    def dropped(x, y):
        return 2 * x * y

    def turned(x, y):
        return 2 * x * y - np.sin(y)

    def halved(x, y):
        return x * y + np.sin(y)

    for hand, words in [
        (dropped, "is missing"),
        (turned, "-np.sin(y) is "),
        (halved, "x * y is 0.5 times "),
    ]:
        with pytest.raises(GradgenError) as caught:
            check_grads(quadratic, hand, (X, Y))
        assert words in str(caught.value)
        assert "generated, line" in str(caught.value)
    check_grads(quadratic, lambda x, y: 2 * x * y + np.sin(y), (X, Y))


def test_without_a_text_the_numbers_are_told_all_the_same():
    names = {"np": np}
    exec("def hand(x, w, d):\n    return d @ w.T", names)
    with pytest.raises(GradgenError, match=r"(?s)GG601 hand: d_x\[.*generated, line"):
        check_grads(layer, names["hand"], (X, W))
    unknown = lambda x: np.sum(np.frompyfunc(float, 1, 1)(x).astype(float))  # noqa: E731
    with pytest.raises(GradgenError, match=r"GG60[14]"):
        check_grads(unknown, lambda x: 2 * np.ones_like(x), (X,))
    assert gradgen.check_grads is check_grads
