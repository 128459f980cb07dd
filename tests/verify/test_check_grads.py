"""check_grads: hand-written backward passes, right and wrong, in all their forms.

Two of them were published: `sx_cosine_loss` is the cosine loss with a gradient
translated from a formula, and right; `cosine_loss_v3` came out of a clean-up by
hand that put `similarity` where the product of the norms belongs, and is wrong.
"""

import re
from dataclasses import dataclass

import numpy as np
import pytest

import gradgen
from examples.losses import cosine_division, cosine_loss, cossim_flat, dot
from gradgen import GradgenError, check_grads

RNG = np.random.default_rng(0)
VEC1, VEC2 = RNG.uniform(size=128), RNG.uniform(size=128)


def sx_cosine_loss(yh, y):
    # Add a small constant to avoid 0 vectors
    yh = yh + 1e-8
    y = y + 1e-8
    norm_yh = np.linalg.norm(yh)
    norm_y = np.linalg.norm(y)
    mul_norms = norm_yh * norm_y
    cosine = (yh * y).sum() / mul_norms
    d_yh = (y / mul_norms) - (cosine * (yh / norm_yh**2))
    loss = np.abs(1 - cosine).sum()
    return loss, -d_yh


def cosine_loss_v3(X, Y):
    XY_dot = (X * Y).sum()
    X_norm = np.sqrt((X * X).sum())
    Y_norm = np.sqrt((Y * Y).sum())
    similarity = XY_dot / (X_norm * Y_norm)
    loss = 1 - similarity

    def get_dX(d_loss):
        d_XY_dot = -d_loss / similarity
        d_X_norm = d_loss * XY_dot / (similarity**2)
        return d_XY_dot * Y + d_X_norm * (2.0 * X_norm)

    return loss, get_dX


def cosine_division_v2(XY_dot, X_norm, Y_norm):
    similarity = XY_dot / (X_norm * Y_norm)
    loss = 1 - similarity

    def get_d_XY_dot(d_loss):
        return -d_loss / similarity

    def get_dX_norm(d_loss):
        return d_loss * XY_dot / (similarity * similarity) * Y_norm

    def get_dY_norm(d_loss):
        return d_loss * XY_dot / (similarity * similarity) * X_norm

    return loss, (get_d_XY_dot, get_dX_norm, get_dY_norm)


def test_the_formula_is_right():
    report = check_grads(cossim_flat, sx_cosine_loss, (VEC1, VEC2))
    assert report.errors["yh"] < 1e-9
    assert "d_yh" in str(report)
    generated = gradgen.grad(cossim_flat, shapes={"yh": "n", "y": "n"})
    value, gradient = sx_cosine_loss(VEC1, VEC2)
    assert np.allclose(generated(VEC1, VEC2), gradient, rtol=1e-12, atol=1e-15)
    plain = gradgen.grad(cosine_loss, shapes={"X": "n", "Y": "n"})
    assert np.allclose(plain(VEC1, VEC2), gradient, rtol=1e-6)


def test_the_clean_up_by_hand_is_wrong():
    with pytest.raises(GradgenError) as caught:
        check_grads(cosine_loss, cosine_loss_v3, (VEC1, VEC2))
    assert caught.value.code == "GG601"
    text = str(caught.value)
    _, got = cosine_loss_v3(VEC1, VEC2)
    want = gradgen.grad(cosine_loss, shapes={"X": "n", "Y": "n"})(VEC1, VEC2)
    worst = int(np.argmax(np.abs(got(1.0) - want)))
    assert f"d_X[{worst}] is {got(1.0)[worst]:.8g}" in text
    assert f"differences give {want[worst]:.8g}" in text
    assert "cosine_loss_v3" in text


def test_the_wrong_term_of_the_clean_up_is_named():
    with pytest.raises(GradgenError) as caught:
        check_grads(cosine_loss, cosine_loss_v3, (VEC1, VEC2))
    text = str(caught.value)
    # The first of its adjoints that is wrong, with its line and both numbers.
    row = cosine_loss_v3.__code__.co_firstlineno + 8
    line = "d_XY_dot = -d_loss / similarity"
    assert f"test_check_grads.py:{row}: {line}" in text
    norms = np.linalg.norm(VEC1) * np.linalg.norm(VEC2)
    similarity = VEC1 @ VEC2 / norms
    got, want = -1 / similarity, -1 / norms
    assert f"d_XY_dot is {got:.6g}, and differences give {want:.6g}" in text
    # What the generated text has in its place.
    term = "d_similarity / (xnorm * ynorm) * Y"
    assert re.search(rf"generated, line \d+: d_X = {re.escape(term)} \+ ", text)
    assert f"d_XY_dot * Y is {got / want:.6g} times {term}" in text
    assert "d_X_norm * (2.0 * X_norm) is none of its terms" in text


def test_so_is_its_middle_step():
    names = ("XY_dot", "X_norm", "Y_norm")
    with pytest.raises(GradgenError, match="d_XY_dot is ") as caught:
        check_grads(cosine_division, cosine_division_v2, (2.0, 3.0, 4.0), names)
    assert caught.value.code == "GG601"
    check_grads(
        cosine_division, gradgen.grad(cosine_division, names), (2.0, 3.0, 4.0), names
    )


X, Y = RNG.normal(size=(3, 4)), RNG.normal(size=(3, 4))
SEED = RNG.normal(size=(3, 4))


def callbacks(X, Y):
    return np.sum(X * Y), (lambda d: Y * d, lambda d: X * d)


@pytest.mark.parametrize(
    "hand, wrt",
    [
        (lambda X, Y: Y, None),
        (lambda X, Y: Y, "X"),
        (lambda X, Y: X, 1),
        (lambda X, Y: (Y,), ("X",)),
        (lambda X, Y: (Y, X), ("X", "Y")),
        (lambda X, Y: (X, Y), (1, 0)),
        (lambda X, Y: (np.sum(X * Y), Y), "X"),
        (lambda X, Y: (np.sum(X * Y), (Y, X)), ("X", "Y")),
        (lambda X, Y: (np.sum(X * Y), Y, X), ("X", "Y")),
        (lambda X, Y: (np.sum(X * Y), lambda d: Y * d), "X"),
        (lambda X, Y: (np.sum(X * Y), lambda d: (Y * d, X * d)), ("X", "Y")),
        (callbacks, ("X", "Y")),
        (gradgen.grad(dot, ("X", "Y")), ("X", "Y")),
        (gradgen.value_and_grad(dot), "X"),
        (gradgen.vjp(dot, ("X", "Y")), ("X", "Y")),
    ],
)
def test_forms_of_a_right_gradient(hand, wrt):
    report = check_grads(dot, hand, (X, Y), wrt)
    assert max(report.errors.values()) < 1e-9


def product(X, Y):
    return X * Y


def test_array_results():
    check_grads(product, lambda X, Y: Y, (X, Y))
    check_grads(product, lambda X, Y: SEED * Y, (X, Y), seed=SEED)
    check_grads(product, lambda X, Y: (X * Y, lambda d: d * Y), (X, Y))
    check_grads(product, lambda X, Y: (X * Y, lambda d: d * Y), (X, Y), seed=SEED)
    # Ones as a seed would not see that this one forgets it.
    with pytest.raises(GradgenError, match=r"d_X\[\d, \d\] is "):
        check_grads(product, lambda X, Y: (X * Y, lambda d: Y), (X, Y))


@pytest.mark.parametrize(
    "hand, code, words",
    [
        (lambda X, Y: 1.0001 * Y, "GG601", "d_X["),
        (lambda X, Y: Y.T, "GG601", "the shape of d_X is (4, 3), not (3, 4)"),
        (lambda X, Y: Y * np.nan, "GG601", "d_X[0, 0] is nan"),
        (lambda X, Y: (np.sum(X * Y) + 1, Y), "GG602", "the value of <lambda> is"),
        (lambda X, Y: (np.ones(3), Y), "GG602", "has the shape (3,), and dot ()"),
        (lambda X, Y: (np.sum(X * Y), Y, X), "GG603", "(value, backprop)"),
        (lambda X, Y: None, "GG603", "NoneType"),
        (lambda X, Y: "gradient", "GG601", "type str"),
    ],
)
def test_what_is_wrong_is_said(hand, code, words):
    with pytest.raises(GradgenError) as caught:
        check_grads(dot, hand, (X, Y))
    assert caught.value.code == code
    assert words in str(caught.value)


def test_a_looser_tolerance():
    check_grads(dot, lambda X, Y: 1.0001 * Y, (X, Y), rtol=1e-3)


def test_what_cannot_be_measured_is_not_called_right():
    kinked = np.array([0.0, 1.0])
    with pytest.raises(GradgenError) as caught:
        check_grads(lambda x: np.sum(np.abs(x)), lambda x: np.sign(x), (kinked,))
    assert caught.value.code == "GG604"


def test_arguments():
    with pytest.raises(GradgenError, match="(?s)GG605.*one of X, Y"):
        check_grads(dot, lambda X, Y: Y, (X, Y), wrt="Z")
    with pytest.raises(GradgenError, match="GG502.*int64"):
        check_grads(dot, lambda X, Y: Y, (np.arange(3), np.arange(3)))
    # What a backward pass writes into its arguments is told, and stays unseen else.
    kept = X.copy()

    def writes(X, Y):
        X[...] = 0
        return Y

    with pytest.raises(GradgenError, match="GG607 writes writes into X"):
        check_grads(dot, writes, (X, Y))
    assert np.array_equal(X, kept)


def test_it_is_loaded_when_asked_for():
    assert "check_grads" in gradgen.__all__
    with pytest.raises(AttributeError, match="check_grad'"):
        gradgen.check_grad


# containers

W, B = np.sin(np.arange(6.0)).reshape(3, 2), np.array([0.3, -0.2])
XS = np.cos(np.arange(12.0)).reshape(4, 3)
PARAMS = {"W": W, "b": B, "rounds": 2}


def layer(params, x):
    return params["rounds"] * np.sum(np.tanh(x @ params["W"] + params["b"]))


def grad_layer(params, x, wrong=1.0):
    t = 2 * (1 - np.tanh(x @ params["W"] + params["b"]) ** 2)
    return {"W": x.T @ t, "b": wrong * np.sum(t, axis=0), "rounds": None}


def several(pair):
    a, b = pair
    return {"s": np.sum(a * b), "n": 3, "v": [a * 2, np.sin(b)]}


def vjp_several(pair):
    a, b = pair

    def backprop(d_s, d_a, d_b):
        return d_s * b + 2 * d_a, d_s * a + np.cos(b) * d_b

    return several(pair), backprop


def test_containers_leaf_by_leaf():
    checked = gradgen.check_grads(layer, grad_layer, (PARAMS, XS))
    assert list(checked.errors) == ['params["W"]', 'params["b"]']

    def only(params, x):
        return grad_layer(params, x)["W"]

    assert gradgen.check_grads(layer, only, (PARAMS, XS), wrt="params.W")
    assert gradgen.check_grads(several, vjp_several, ((B, B + 1),))
    seed = {"s": 0.5, "n": None, "v": [None, 2.0]}
    assert gradgen.check_grads(several, vjp_several, ((B, B + 1),), seed=seed)


@pytest.mark.parametrize(
    "f, hand, args, code, words",
    [
        (
            layer,
            lambda p, x: grad_layer(p, x, 1.01),
            (PARAMS, XS),
            "GG601",
            'd_params["b"][0] is',
        ),
        (
            layer,
            lambda p, x: {**grad_layer(p, x), "W": None},
            (PARAMS, XS),
            "GG603",
            'None for params["W"]',
        ),
        (layer, lambda p, x: [W, B], (PARAMS, XS), "GG603", "for params"),
        (layer, grad_layer, ({"rounds": 2}, XS), "GG502", "no part of params"),
        (
            several,
            lambda p: ({**several(p), "s": 0.0}, vjp_several(p)[1]),
            ((B, B),),
            "GG602",
            'the value["s"] of',
        ),
        (
            several,
            lambda p: ({**several(p), "n": 4}, vjp_several(p)[1]),
            ((B, B),),
            "GG602",
            'the value["n"] of',
        ),
        (
            several,
            lambda p: (several(p)["v"], vjp_several(p)[1]),
            ((B, B),),
            "GG602",
            "not nested as that of several",
        ),
    ],
)
def test_the_leaf_that_is_wrong_is_named(f, hand, args, code, words):
    if code == "GG502":
        f = lambda params, x: np.sum(x)  # noqa: E731
    with pytest.raises(GradgenError) as caught:
        gradgen.check_grads(f, hand, args)
    assert caught.value.code == code and words in str(caught.value)


def test_a_seed_of_another_nesting_is_refused():
    with pytest.raises(GradgenError) as caught:
        gradgen.check_grads(several, vjp_several, ((B, B),), seed=(1.0, 2.0))
    assert caught.value.code == "GG506" and "None for zeros" in str(caught.value)


def test_arguments_without_names_are_told_apart_by_their_places():
    def product(*factors):
        return np.sum(factors[0] * factors[1])

    checked = check_grads(product, lambda *factors: factors[0], (XS, XS + 1), wrt=1)
    assert list(checked.errors) == ["1"]
    with pytest.raises(GradgenError) as caught:
        check_grads(product, lambda *factors: factors[1], (XS, XS + 1), wrt=1)
    assert caught.value.code == "GG601"


@dataclass
class Options:
    """An argument that has nothing in it."""


def test_an_argument_without_fields_has_no_leaves():
    def squares(x, options):
        return np.sum(x * x)

    args = (XS, Options())
    assert check_grads(squares, lambda x, options: 2 * x, args)
    with pytest.raises(GradgenError) as caught:
        check_grads(squares, lambda x, options: x, args)
    assert caught.value.code == "GG601"


CANCELLED = {
    "mean": lambda y: np.mean(np.sin(y) - np.sin(y).mean(axis=-1, keepdims=True)),
    "sum": lambda y: np.sum(np.sin(y) - np.sin(y).mean()),
    "shares": lambda y: np.log(np.sum(np.exp(y) / np.sum(np.exp(y)))),
    "circle": lambda y: np.sum(np.cos(y) ** 2 + np.sin(y) ** 2 - 1),
}


@pytest.mark.parametrize("name", CANCELLED)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_zero_but_for_rounding_has_a_gradient_of_zero(name, seed):
    f, y = CANCELLED[name], np.random.default_rng(seed).normal(size=5)
    gradgen.check_grads(f, lambda y, d_out=1.0: 0.0 * y, (y,))
    for factor in (1e-3, 1e-6):
        with pytest.raises(GradgenError):
            gradgen.check_grads(f, lambda y, d_out=1.0: factor * np.cos(y), (y,))


JUMPS = {
    "floor": lambda x: np.sum(np.floor(x * 2)),
    "step": lambda x: np.sum(np.where(x >= 0.5, 1.0, 0.0) * x),
    "small": lambda x: 1e-12 * np.sum(np.floor(x * 2)),
}


@pytest.mark.parametrize("name", JUMPS)
@pytest.mark.parametrize("factor", [0.0, 1.0, 1e3])
def test_where_a_function_jumps_nothing_is_told(name, factor):
    def hand(x, d_out=1.0):
        return factor * np.ones_like(x)

    with pytest.raises(GradgenError, match="GG604"):
        gradgen.check_grads(JUMPS[name], hand, (np.array([0.5, 1.5, 0.5]),))
