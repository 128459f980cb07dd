"""Dictionaries that rounds fill by their number, hs[t] = f(hs[t - 1]): lists."""

import numpy as np
import pytest

import gradgen
from gradgen.frontend.source.keyed_by_rounds import with_lists
from gradgen.frontend.source.source import find
from gradgen.verify.finite import numeric_gradient
from tests.both_doors import compare

R = np.random.default_rng(3)
U = R.normal(size=(3, 3)) * 0.5


def recurrent(x, W):
    hs = {}
    hs[-1] = np.zeros(3)
    for t in range(len(x)):
        hs[t] = np.tanh(x[t] + W @ hs[t - 1])
    return np.sum(hs[len(x) - 1] ** 2)


def several(X, W):
    hs, ys = {-1: np.ones(3)}, {}
    loss = 0.0
    for t in range(len(X)):
        hs[t] = np.tanh(X[t] + W @ hs[t - 1])
        ys[t] = hs[t] * X[t]
        loss += np.sum(ys[t] ** 2) + np.sum(hs[t])
    return loss


def layered(x, W):
    acts = {0: x[0]}
    for k in range(len(x)):
        acts[k + 1] = np.tanh(W @ acts[k]) + x[k]
    return np.sum(acts[len(x)] * acts[0])


def backwards(x, W):
    hs = {0: x[0]}
    for t in range(1, len(x)):
        hs[t] = np.sin(hs[t - 1]) + x[t]
    total = 0.0
    for t in reversed(range(len(x))):
        total = 0.5 * total + np.sum(hs[t] @ W)
    return total


def filled(x, W):
    xs = {}
    total = 0.0
    for t in range(len(x)):
        xs[t] = np.zeros(3)
        xs[t][1] = x[t][0] * x[t][1]
        total += np.sum(W @ xs[t])
    return total


def kept_alone(x, W):
    """Nobody reads it."""
    seen = {}
    h = np.ones(3)
    for t in range(len(x)):
        seen["h" + str(t)] = h
        h = np.tanh(W @ h + x[t])
        seen[(t, "after")] = h
    return np.sum(h)


TAKEN = (recurrent, several, layered, backwards, filled, kept_alone)


def is_right(f, gradient, x):
    want = numeric_gradient(f, (x, U), 0).value
    np.testing.assert_allclose(gradient(x, U), want, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("f", TAKEN)
def test_at_every_door_and_of_every_length(f):
    gradient = gradgen.grad(f)
    space, like = {}, {}
    exec(gradgen.emit(f), space)
    exec(gradgen.emit(f, example=(R.normal(size=(4, 3)), U)), like)
    name = f"grad_{f.__name__}"
    for length in (4, 1, 2, 5):
        x = R.normal(size=(length, 3))
        for one in (gradient, space[name], like[name]):
            is_right(f, one, x)


@pytest.mark.parametrize("f", (several, filled, kept_alone))
def test_without_a_round(f):
    x = np.zeros((0, 3))
    assert gradgen.grad(f)(x, U).shape == (0, 3)


def test_a_key_that_is_not_there_raises():
    space = {}
    exec(gradgen.emit(backwards), space)
    text = gradgen.emit(behind)
    assert "raise KeyError" in text
    exec(text, space)
    with pytest.raises(KeyError):
        space["grad_behind"](R.normal(size=(3, 3)), -2)
    is_right_at = numeric_gradient(lambda x: behind(x, 2), (GIVEN,), 0).value
    np.testing.assert_allclose(space["grad_behind"](GIVEN, 2), is_right_at, rtol=1e-6)


GIVEN = R.normal(size=(4, 3))


def behind(x, n):
    hs = {0: x[0]}
    for t in range(1, len(x)):
        hs[t] = np.sin(hs[t - 1]) + x[t]
    return np.sum(hs[n] ** 2)


def first_key_missing(x, W):
    hs = {}
    for t in range(len(x)):
        hs[t] = x[t] + (hs[t - 1] if t > 0 else 0.0)
    return np.sum(hs[len(x) - 1])


def read_before(x, W):
    hs = {0: x[0]}
    for t in range(len(x)):
        y = hs[t]
        hs[t] = y + x[t]
    return np.sum(hs[len(x) - 1])


def under_a_test(x, W):
    hs = {}
    for t in range(len(x)):
        if t % 2 == 0:
            hs[t] = x[t]
    return np.sum(hs[0])


def stored_twice(x, W):
    hs = {}
    for t in range(len(x)):
        hs[t] = x[t]
        hs[t] = hs[t] * 2
    return np.sum(hs[0] * hs[len(x) - 1])


def added_to(x, W):
    hs = {}
    for t in range(len(x)):
        hs[t] = x[t] * 1.0
        hs[t] += 1.0
    return np.sum(hs[0] * hs[len(x) - 1])


def with_a_gap(x, W):
    hs = {0: x[0]}
    for t in range(len(x)):
        hs[t + 2] = x[t]
    return np.sum(hs[2])


def broken_off(x, W):
    hs = {}
    for t in range(len(x)):
        hs[t] = x[t] ** 2
        if t == 1:
            break
    return np.sum(hs[min(1, len(x) - 1)])


def counted(x, W):
    hs = {}
    for t in range(len(x)):
        hs[t] = x[t] ** 2
    return np.sum(hs[0]) * len(hs)


def gone_over(x, W):
    hs = {}
    for t in range(len(x)):
        hs[t] = x[t] ** 2
    return sum(np.sum(v) * (k + 1) for k, v in hs.items())


def moved(x, W):
    hs = {}
    for t in range(len(x)):
        t = t + 1
        hs[t] = x[t - 1]
    return np.sum(hs[1])


def overwritten(x, W):
    hs = {0: x[0]}
    for t in range(len(x)):
        hs[t] = x[t] ** 2
    return np.sum(hs[0])


def seen_later(x, W):
    hs = {}
    for t in range(len(x)):
        hs[t] = x[t] * 1.0
    hs[0] = hs[0] * 3.0
    return np.sum(hs[0] * hs[len(x) - 1])


ODD = (
    first_key_missing,
    read_before,
    under_a_test,
    stored_twice,
    added_to,
    with_a_gap,
    broken_off,
    counted,
    gone_over,
    moved,
    overwritten,
    seen_later,
)


@pytest.mark.parametrize("f", ODD)
def test_others_are_right_or_refused(f):
    for door in ("grad", "emit", "like"):
        try:
            if door == "grad":
                gradient = gradgen.grad(f)
                try:
                    gradient(GIVEN, U)
                except KeyError:
                    pass  # as the function does
            else:
                space = {}
                example = {"example": (GIVEN, U)} if door == "like" else {}
                exec(gradgen.emit(f, **example), space)
                gradient = space[f"grad_{f.__name__}"]
        except gradgen.GradgenError:
            continue
        for length in (4, 2, 1, 3):
            x = R.normal(size=(length, 3))
            try:
                found = gradient(x, U)
            except (ValueError, KeyError, IndexError, gradgen.GradgenError):
                continue
            want = numeric_gradient(f, (x, U), 0).value
            np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("f", [*TAKEN[:5], counted, gone_over])
def test_what_the_form_takes(f):
    source = find(f)
    assert with_lists(source) is not source


@pytest.mark.parametrize("f", [f for f in ODD if f not in (counted, gone_over)])
def test_what_it_leaves(f):
    source = find(f)
    assert with_lists(source) is source


def the_item_before(x, n):
    hs = {}
    hs[-1] = x
    for t in range(n):
        hs[t] = hs[t - 1]
        hs[t] *= 2
    return np.sum(hs[n - 1])


def one_array(x, n):
    hs = {}
    v = np.zeros(3)
    for t in range(n):
        v += x
        hs[t] = v
    return np.sum(hs[0] * x)


def changed_by_its_name(x, n):
    hs = {-1: np.zeros(3)}
    for t in range(n):
        hs[t] = hs[t - 1] + x
        a = hs[t]
        a += 1.0
    return np.sum(hs[n - 1] ** 2)


def stored_into_twice(x, n):
    hs = {}
    for t in range(n):
        hs[t] = np.zeros(3)
        hs[t][1] = x[0] * (t + 1)
        y = hs[t]
        y[2] = x[1]
    return np.sum(hs[0] ** 2) + np.sum(hs[n - 1])


def the_first_is_changed(x, n):
    hs = {0: x}
    for t in range(n):
        hs[t + 1] = hs[t] * 2
    hs[0][1] = 5.0
    return np.sum(hs[n]) + np.sum(hs[0])


def made_of_a_state(x, n):
    hs = {}
    for t in range(n):
        hs[t] = x * t
        x = x + hs[t]
    return np.sum(hs[n - 1] * x)


CHANGED = (
    the_item_before,
    one_array,
    changed_by_its_name,
    stored_into_twice,
    the_first_is_changed,
    made_of_a_state,
)


@pytest.mark.parametrize("f", CHANGED)
def test_items_that_are_changed_in_place(f):
    x = R.normal(size=3)
    for door in ("grad", "emit", "like"):
        try:
            if door == "grad":
                gradient = gradgen.grad(f)
            else:
                example = {"example": (x, 3)} if door == "like" else {}
                space = {}
                exec(gradgen.emit(f, **example), space)
                gradient = space[f"grad_{f.__name__}"]
            for n in (3, 1, 2):
                found = gradient(x.copy(), n)
                want = numeric_gradient(lambda x: f(x.copy(), n), (x,), 0).value
                np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-7)
        except (gradgen.GradgenError, ValueError) as refusal:
            assert "no gradient" in str(refusal) or "GG2" in str(refusal)


def by_items(x, w):
    table = {}
    for i, one in enumerate(w):
        table[i] = one * x
    total = 0.0
    for i, value in table.items():
        total += (i + 1) * value**2
    return total


def by_values(x, w):
    table = {}
    for i in range(len(w)):
        table[i] = w[i] * x * x
    return sum(table.values()) * len(table)


def of_a_state(x, w):
    hs = {0: x}
    for i in range(1, len(w)):
        hs[i] = np.tanh(w[i] * hs[i - 1])
    return sum((k + 1) * h for k, h in hs.items())


def from_below(x, w):
    hs = {-1: x}
    for t in range(len(w)):
        hs[t] = np.sin(w[t] + hs[t - 1])
    return sum((k + 2) * h**2 for k, h in hs.items()) + len(hs)


@pytest.mark.parametrize("f", [by_items, by_values, of_a_state, from_below])
@pytest.mark.parametrize("wrt", [0, 1])
def test_all_items_are_gone_over_behind_the_loop(f, wrt):
    compare(f, (1.3, np.array([0.3, 0.7, 1.1])), wrt)


def before_it_is_filled(x, w):
    table, total = {0: x}, 0.0
    for k, value in table.items():
        total += value * k
    for i in range(1, len(w)):
        table[i] = w[i] * x
    return total + sum(table.values())


def test_items_before_the_loop_are_those_before_the_loop():
    w = np.array([0.3, 0.7, 1.1])
    try:
        found = gradgen.grad(before_it_is_filled)(1.3, w)
    except gradgen.GradgenError:
        return
    np.testing.assert_allclose(found, 1 + 0.7 + 1.1)
