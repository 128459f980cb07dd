"""Options in a dictionary that a call gives: filled where left out, and words in it."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

X = np.random.default_rng(0).normal(size=(4, 3))
W = np.random.default_rng(1).normal(size=3)


def filled(w, dw, config=None):
    if config is None:
        config = {}
    config.setdefault("rate", 1e-2)
    config.setdefault("momentum", 0.9)
    v = config.get("velocity", np.zeros_like(w))
    v = config["momentum"] * v - config["rate"] * dw**2
    config["velocity"] = v
    return w + config["velocity"], config


def filled_by_or(w, dw, config=None):
    config = config or {}
    config.setdefault("rate", 1e-2)
    config["t"] = config.get("t", 0) + 1
    v = config.get("velocity", np.zeros_like(w))
    return w + v - config["rate"] * dw**2 / config["t"], config


def never_none(w, dw, config):
    config.setdefault("rate", 1e-2)
    v = config.get("velocity", np.zeros_like(w))
    config["velocity"] = v - config["rate"] * dw**2
    return w + config["velocity"], config


def differences(f, x):
    h, found = 1e-6, np.zeros(x.shape)
    for at in np.ndindex(x.shape):
        step = np.zeros(x.shape)
        step[at] = h
        found[at] = (f(x + step) - f(x - step)) / (2 * h)
    return found


GIVEN = {"rate": 0.1, "velocity": np.ones(3)}


@pytest.mark.parametrize("f", [filled, filled_by_or, never_none])
@pytest.mark.parametrize("config", [GIVEN, {}])
def test_a_dictionary_that_is_given_is_filled(f, config):
    given = dict(config)
    got = gradgen.grad(f, wrt="dw")(W, 2 * W, given, seed=(W, None))
    wanted = differences(lambda dw: np.sum(W * f(W, dw, dict(config))[0]), 2 * W)
    np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-8)
    assert given.keys() == config.keys()


@pytest.mark.parametrize("f", [filled, filled_by_or, never_none])
def test_the_gradient_in_an_entry_of_it(f):
    def value(velocity):
        return np.sum(W * f(W, W, {"rate": 0.1, "velocity": velocity})[0])

    got = gradgen.grad(f, wrt="config['velocity']")(W, W, GIVEN, seed=(W, None))
    wanted = differences(value, GIVEN["velocity"])
    np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-8)


def of_a_part(x, config):
    config = config["inner"]
    config["rate"] = config["rate"] * 2
    return x * config["rate"]


def of_another(x, config, other):
    config = other
    config["rate"] = x * 2
    return other["rate"] * x


def test_a_part_of_it_is_refused_and_another_one_is_changed():
    with pytest.raises(GradgenError, match="GG230"):
        gradgen.grad(of_a_part)(2.0, {"inner": {"rate": 0.5}})
    assert gradgen.grad(of_another)(3.0, {"rate": 1.0}, {"rate": 5.0}) == 12.0


def layer(x, p):
    mode, cache = p["mode"], None
    if mode == "train":
        mean = np.mean(x, axis=0)
        out = x * p["gain"] - mean
        cache = (x, mean)
    elif mode == "test":
        out = x * p["gain"] - p["mean"]
    else:
        raise ValueError(f"no mode {mode}")
    return out**2, cache


def layer_that_stores(x, p):
    cache = (x, x) if p["mode"] == "train" else None
    p["mean"] = p["mean"] * 0.9
    return (x * p["gain"] - p["mean"]) ** 2, cache


def layer_of_flags(x, p):
    cache = None
    if p["centred"]:
        cache = x, p["mean"]
    if p["kept"] is None:
        return (x * p["gain"]) ** 2, cache
    return (x * p["gain"] - p["mean"]) ** 2, cache


WORDS = {"centred": False, "kept": None, "gain": W, "mean": 2 * W}


@pytest.mark.parametrize("f", [layer, layer_that_stores, layer_of_flags])
@pytest.mark.parametrize("mode", ["test", "train"])
def test_words_among_arrays_decide_what_is_returned(f, mode):
    words = {**WORDS, "mode": mode, "centred": mode == "train"}
    got = gradgen.grad(f)(X, dict(words), seed=(1.0, None))
    wanted = differences(lambda x: np.sum(f(x, dict(words))[0]), X)
    np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-8)
    gain = gradgen.grad(f, wrt="p['gain']")(X, dict(words), seed=(1.0, None))
    wanted = differences(lambda g: np.sum(f(X, {**words, "gain": g})[0]), W)
    np.testing.assert_allclose(gain, wanted, rtol=1e-6, atol=1e-8)


def test_each_word_has_a_text_of_its_own():
    g = gradgen.grad(layer)
    for mode in ("test", "train", "test"):
        words = {**WORDS, "mode": mode}
        wanted = differences(lambda x: np.sum(layer(x, dict(words))[0]), X)
        got = g(X, words, seed=(1.0, None))
        np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-8)
    with pytest.raises(GradgenError, match="no mode other"):
        g(X, {**WORDS, "mode": "other"}, seed=(1.0, None))


def by_a_word(x, gain, mode):
    cache = (x, gain) if mode == "train" else None
    return (x * gain) ** 2, cache


def by_a_flag(x, gain, kept=False):
    return (x * gain) ** 2, (x, {"gain": gain}) if kept else None


def by_a_count(x, gain, depth=1):
    cache = [x] * 3 if depth > 1 else None
    return (x * gain) ** 2, cache


@pytest.mark.parametrize(
    "f, ways",
    [(by_a_word, ("train", "test")), (by_a_flag, (True, False)), (by_a_count, (1, 2))],
)
def test_none_is_the_seed_of_all_that_a_part_holds(f, ways):
    for way in ways:
        got = gradgen.grad(f)(X, W, way, seed=(1.0, None))
        np.testing.assert_allclose(got, 2 * X * W**2, rtol=1e-12)
