"""Lists of dictionaries that rounds append to, read by their words: hist[-1]["loss"]."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

R = np.random.default_rng(4)


def history(x, n):
    w, hist = 0.0, []
    for i in range(n):
        new = w - 0.1 * (w - np.mean(x))
        hist.append({"step": i, "loss": (new - 1.0) ** 2})
        if abs(new - w) < 1e-6:
            break
        w = new
    return hist[-1]["loss"]


def caches(x, n):
    kept = []
    h = x
    for _ in range(n):
        z = np.tanh(h)
        kept.append({"h": h, "z": z})
        h = z * 0.5 + x
    return np.sum(h) + sum(np.sum(c["z"] * c["h"]) for c in kept)


def gone_over(x, n):
    log = []
    total = 0.0
    for i in range(n):
        log.append({"v": x[i] ** 2, "k": i})
    for one in log:
        total += one["v"] * one["k"]
    return total + len(log)


def named(x, n):
    log = []
    for i in range(n):
        log.append({"v": x[i] ** 2})
    last = log[-1]
    return last["v"] * 2 + log[0]["v"]


TAKEN = (history, caches, gone_over, named)


def changed_later(x, n):
    log = []
    for i in range(n):
        log.append({"v": x[i] ** 2})
    log[0]["v"] = 3.0 * x[1]
    return log[0]["v"] + log[-1]["v"]


def other_words(x, n):
    log = []
    for i in range(n):
        if i % 2:
            log.append({"v": x[i] ** 2, "w": 1.0})
        else:
            log.append({"w": 2.0, "v": x[i]})
    return log[0]["v"] * log[-1]["w"]


def by_get(x, n):
    log = []
    for i in range(n):
        log.append({"v": x[i] ** 2})
    return log[0].get("v") + log[-1].get("u", 2.0)


def gone_over_by_words(x, n):
    log = []
    for i in range(n):
        log.append({"v": x[i] ** 2, "u": x[i]})
    return sum(log[-1][word] for word in ("u", "v"))


def an_alias(x, n):
    log = []
    for i in range(n):
        log.append({"v": x[i] ** 2})
    other = log
    other.append({"v": x[0] * 7.0})
    return log[-1]["v"]


def held(x, n):
    log = []
    entry = {"v": 0.0}
    for i in range(n):
        entry["v"] = x[i] ** 2
        log.append(entry)
    return log[0]["v"]


def missing(x, n):
    log = []
    for i in range(n):
        log.append({"v": x[i] ** 2})
    return log[-1]["w"] * x[0]


def a_sum_that_goes_on(x, n):
    w = np.zeros(3)
    hist = []
    for i in range(n):
        w += x * (i + 1)
        hist.append({"w": w, "i": i})
    return np.sum(hist[0]["w"] ** 2)


def changed_behind_it(x, n):
    hist = []
    for i in range(n):
        z = np.sin(x * (i + 1))
        hist.append({"z": z})
        z[0] = 0.0
    return np.sum(hist[0]["z"]) + sum(np.sum(h["z"] ** 2) for h in hist)


ODD = (
    changed_later,
    other_words,
    by_get,
    gone_over_by_words,
    an_alias,
    held,
    missing,
    a_sum_that_goes_on,
    changed_behind_it,
)


def made(f, door, example):
    if door == "grad":
        return gradgen.grad(f)
    space = {}
    exec(gradgen.emit(f, **({"example": example} if door == "like" else {})), space)
    return space[f"grad_{f.__name__}"]


@pytest.mark.parametrize("door", ("grad", "emit", "like"))
@pytest.mark.parametrize("f", TAKEN)
def test_of_any_number_of_rounds(f, door):
    gradient = made(f, door, (R.normal(size=5), 3))
    for n in (3, 1, 4, 2):
        x = R.normal(size=5)
        want = numeric_gradient(f, (x, n), 0).value
        np.testing.assert_allclose(gradient(x, n), want, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("door", ("grad", "emit", "like"))
@pytest.mark.parametrize("f", ODD)
def test_others_are_right_or_refused(f, door):
    x = R.normal(size=5)
    for n in (2, 3, 4):
        try:
            found = made(f, door, (x, 2))(x, n)
        except (gradgen.GradgenError, ValueError, KeyError):
            continue
        want = numeric_gradient(lambda x: f(x.copy(), n), (x,), 0).value
        np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-8)
