"""examined: every mode is measured, held variables and containers included."""

import numpy as np
import pytest

from gradgen.commands.order import Order, make
from gradgen.verify.gradients import Unmeasured, Wrong, function_in
from gradgen.verify.judge import examined
from gradgen.verify.report import Checked


def loss(x, y):
    w = np.exp(x)
    return np.sum(w * x * y * x)


def fit(params, x):
    return np.sum(np.tanh(x @ params["W"] + params["b"]) ** 2)


def stats(x, w):
    return np.mean(x * w), {"a": x * 2, "n": 3}


def weighed(x, weight=2.0):
    return weight * x


def noted(x):
    return np.sum(x * x), (x * 2, 5)


def outer(x, y):
    s = np.sin(x)
    return s[:, None] * y


def energy(z, x):
    return np.sum(np.abs(z) ** 2 * x)


def waves(x):
    return np.sum(np.abs(np.sin(1e6 * x)))


def ripples(x):
    return np.sum(np.abs(np.sin(1e5 * x)))


def steps(x):
    return np.sum(np.where(x > np.round(x, 1), x, 2 * x))


def scaled(x, y):
    return np.sum(x * x) / x.shape[0] * np.sum(y)


PLAIN = ("x=n", "y=n")
NET = ('params={"W": "n m", "b": "m"}', "x=k n")

# function, options, what makes the text wrong
MODES = [
    (loss, dict(mode="hvp", shape=PLAIN), "(1 + x)", "(1 - x)"),
    (loss, dict(mode="hvp", wrt="x,y", shape=PLAIN), "v_y", "v_x"),
    (loss, dict(mode="hvp", wrt="y,x", shape=PLAIN, stop=("w",)), "2 * ", ""),
    (loss, dict(mode="hvp", shape=PLAIN, stop=("w",)), " + v_d_wx", ""),
    (loss, dict(mode="hessian", shape=PLAIN), "v_w", "2 * v_w"),
    (loss, dict(mode="hessian", shape=PLAIN, stop=("w",)), " + v_d_wx", ""),
    (fit, dict(mode="hvp", shape=NET), "x @ v_W", "2 * x @ v_W"),
    (fit, dict(mode="hvp", wrt="x,params", shape=NET), "v_x @ W", "x @ W"),
    (fit, dict(mode="hvp", wrt="params.W", shape=NET), "x @ v_W", "2 * x @ v_W"),
    (fit, dict(mode="forward", shape=NET), "x @ d_W + d_b", "x @ d_W"),
    (stats, dict(mode="forward", wrt="x,w", shape=("x=n", "w=n")), "2 * d_x", "d_x"),
    (outer, dict(mode="forward", shape=("x=n", "y=m")), "np.cos(x)", "np.cos(x * x)"),
    (outer, dict(mode="jacobian", wrt="x,y", shape=("x=n", "y=m")), "cos", "sin"),
    (energy, dict(wrt="z,x", complex=("z",), shape=("z=n", "x=n")), "np.conj(z)", "z"),
    (
        energy,
        dict(mode="forward", wrt="z,x", complex=("z",), shape=("z=n", "x=n")),
        "np.real",
        "np.imag",
    ),
]


def made_for(function, options):
    return make(Order(f"{function.__module__}.{function.__name__}", **options))


@pytest.mark.parametrize(
    "function, options, old, new",
    MODES,
    ids=[f"{f.__name__} {o.get('mode', '')} {o.get('stop', '')}" for f, o, *_ in MODES],
)
def test_modes(function, options, old, new):
    made = made_for(function, options)
    text = made.emitted.text
    found = examined(function_in(text), made, 0)
    assert isinstance(found, Checked), found
    assert found.points == 12 and max(found.errors.values()) < 1e-8
    assert found.directions == 2 and "=23" in found.sizes
    at = text.rindex(old)
    wrong = function_in(text[:at] + new + text[at + len(old) :])
    assert isinstance(examined(wrong, made, 0), Wrong)


def test_a_gradient_that_a_hessian_is_of_is_measured_too(monkeypatch):
    import gradgen.verify.judge as judge

    made = made_for(loss, dict(mode="hvp", shape=PLAIN))
    right = judge.grad

    def skewed(*args, **options):
        made = right(*args, **options)
        first = made.general.function
        made.general.function = lambda x, y, d_out=1.0: 1.01 * first(x, y, d_out)
        return made

    monkeypatch.setattr(judge, "grad", skewed)
    found = examined(function_in(made.emitted.text), made, 0)
    assert isinstance(found, Wrong) and "d_x[" in str(found)


def test_a_fault_at_larger_sizes_alone_is_seen():
    made = made_for(scaled, dict(wrt="x,y", shape=("x=n", "y=m")))
    text = made.emitted.text
    assert isinstance(examined(function_in(text), made, 0), Checked)
    end = text.rindex("    return")
    late = text[:end] + "    d_x = d_x * (1 + 0.01 * (len(x) > 20))\n" + text[end:]
    found = examined(function_in(late), made, 0)
    assert isinstance(found, Wrong)
    words = str(found)
    assert "d_x along a random direction is " in words and "n=23, m=17" in words
    assert words.endswith(", seed 0")


# what stands in the text, what is planted, what is said of it
ODD = [
    ("d_x\n", "d_x if len(x) > 1 else 2 * d_x\n", "at n=1, m=1, float64"),
    (
        "d_x\n",
        "d_x if len(x) != len(y) or len(x) < 2 else 2 * d_x\n",
        "at n=3, m=3, float64",
    ),
    ("d_out=1.0", "d_out=2.0", "d_out is 2.0 by default, not 1.0"),
]


@pytest.mark.parametrize("old, new, words", ODD)
@pytest.mark.parametrize("style", ["joint", "callback"])
def test_a_fault_at_odd_lengths_or_in_a_default_is_seen(old, new, words, style):
    made = made_for(scaled, dict(style=style, shape=("x=n", "y=m")))
    text = made.emitted.text
    assert isinstance(examined(function_in(text), made, 0), Checked)
    assert text.count(old) == 1
    found = examined(function_in(text.replace(old, new)), made, 0)
    assert isinstance(found, Wrong) and words in str(found)


def test_a_seed_behind_a_default_has_no_number_by_default():
    made = made_for(weighed, dict(shape=("x=n", "weight=")))
    assert "d_out=None" in made.emitted.text
    assert isinstance(examined(function_in(made.emitted.text), made, 0), Checked)


@pytest.mark.parametrize("style", [dict(value=True), dict(style="callback")])
@pytest.mark.parametrize(
    "function, aux, old, new",
    [
        (stats, False, "n = 3", "n = 4"),
        (stats, False, "n = 3", "n = 3.0"),
        (noted, True, "out_1 = x * 2", "out_1 = x * 3"),
        (noted, True, "out_2 = 5", "out_2 = 6"),
    ],
)
def test_parts_of_the_value_without_a_gradient_are_compared(
    style, function, aux, old, new
):
    shapes = ("x=n", "w=n") if function is stats else ("x=n",)
    made = made_for(function, dict(aux=aux, shape=shapes, **style))
    text = made.emitted.text
    assert isinstance(examined(function_in(text), made, 0), Checked)
    assert old in text
    found = examined(function_in(text.replace(old, new)), made, 0)
    assert isinstance(found, Wrong) and "the value has " in str(found)


def test_kinks_are_avoided_and_told():
    made = made_for(steps, dict(shape=("x=n",)))
    assert isinstance(examined(function_in(made.emitted.text), made, 0), Checked)
    made = made_for(ripples, dict(shape=("x=n",)))
    found = examined(function_in(made.emitted.text), made, 0)
    assert (
        isinstance(found, Checked) and found.kinks and found.points + found.kinks >= 12
    )
    told = f"{found.kinks} points left aside, with a kink or a jump near"
    assert f"at {found.points} points" in str(found) and told in str(found)
    made = made_for(waves, dict(shape=("x=n",)))
    found = examined(function_in(made.emitted.text), made, 0)
    assert isinstance(found, Unmeasured) and "a kink or a jump" in found.why


def test_the_verdict_says_how_well_it_was_measured():
    made = made_for(loss, dict(shape=PLAIN))
    found = examined(function_in(made.emitted.text), made, 0)
    assert found.exact == 12 and found.errors["x"] <= found.bounds["x"] < 1e-12
    assert "12 of them by complex steps, and along 2 directions at n=23" in str(found)
    made = made_for(energy, dict(shape=("z=n", "x=n")))
    found = examined(function_in(made.emitted.text), made, 0)
    assert found.exact == 0 and 1e-14 < found.bounds["z"] < 1e-8
    assert examined(function_in(made.emitted.text), made, 0) == found
    assert examined(function_in(made.emitted.text), made, 1) != found


def test_other_shapes_and_dtypes_of_derivatives_are_seen():
    made = made_for(outer, dict(mode="forward", shape=("x=n", "y=m")))
    text = made.emitted.text
    name = text.rstrip().rpartition(", ")[2]
    for change, words in [
        (
            f"np.float64(1) * {name}",
            "the dtype of a derivative is float64, not float32",
        ),
        (f"{name}.T", "the shape of a derivative is (4, 3), not (3, 4)"),
    ]:
        wrong = text.rstrip().removesuffix(name) + change + "\n"
        assert words in str(examined(function_in(wrong), made, 0))
