"""Dictionaries of which nothing tells, read by options.get("k", 1.0)."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

SHIFT = 0.25


def made(text):
    space = {}
    exec(text, space)
    return next(value for name, value in space.items() if name.startswith("grad_"))


def several(x, p):
    rate, turns = p.get("rate", 1.0), p.get("turns", 3)
    kind, shift = p.get("kind", "relu"), p.get("shift")
    x = x * rate * p["scale"] + p.get("base", SHIFT)
    if kind == "relu":
        x = np.maximum(x, 0)
    if p.get("doubled", False):
        x = x * 2
    if shift is not None:
        x = x + shift
    for _ in range(turns):
        x = np.tanh(x)
    return np.sum(x**2)


def by_keyword(x, *, p):
    return np.sum(x**2) * p.get("rate", 0.5)


def handed_on(x, p):
    return np.sum(_scaled(x, p) ** 2)


def _scaled(x, options):
    return x * options.get("scale", 2.0)


def nested(x, p):
    return np.sum(x**2 * p["inner"].get("rate", 0.5))


def by_both(x, p):
    return np.sum(x * p.get("rate", 1.0) * p["rate"])


def by_default(x, p={}):
    return np.sum(x**2) * p.get("rate", 0.5)


def several_by_default(x, p={}):
    return np.sum(x ** p.get("rate", 2.0)) * p.get("more", 3.0)


def not_read(x, p={}):
    return np.sum(x**2)


def asked(x, p):
    if "shift" in p:
        x = x + p["shift"]
    return np.sum(x**2)


def not_asked(x, p={}):
    return np.sum(x**2) * (p["rate"] if "rate" in p else 0.5)


EVERY = {
    "rate": 0.7,
    "turns": 2,
    "kind": "none",
    "shift": 0.3,
    "scale": 1.3,
    "base": 0.1,
    "doubled": True,
    "more": 1,
}
CASES = [
    (several, {"scale": 1.3}),
    (several, EVERY),
    (several, {"scale": 1.3, "shift": 0.2, "kind": "relu"}),
    (by_keyword, {}),
    (by_keyword, {"rate": 2.0}),
    (handed_on, {}),
    (handed_on, {"scale": 0.3}),
    (nested, {"inner": {}}),
    (nested, {"inner": {"rate": 3.0}}),
    (by_both, {"rate": 3.0}),
    (by_default, {}),
    (by_default, {"rate": 3.0}),
    (not_read, {}),
    (not_read, {"rate": 3.0}),
    (asked, {}),
    (asked, {"shift": 0.2}),
    (asked, {"shift": np.array([0.2, 0.3, -0.1])}),
    (not_asked, {}),
    (not_asked, {"rate": 3.0}),
]


@pytest.mark.parametrize(("f", "p"), CASES)
def test_the_text_takes_what_the_function_takes(f, p):
    x = np.array([0.4, -0.3, 1.1])
    want = numeric_gradient(lambda x: f(x, p=p), (x,), 0).value
    text = gradgen.emit(f, wrt="x")
    np.testing.assert_allclose(made(text)(x, p=p), want, rtol=1e-6)
    np.testing.assert_allclose(gradgen.grad(f, wrt="x")(x, p=p), want, rtol=1e-6)


def test_the_text_reads_it_as_the_function_does():
    text = gradgen.emit(several, wrt="x")
    assert 'shift = p.get("shift")' in text
    assert 'base = p.get("base", 0.25)' in text
    assert 'scale = p["scale"]' in text
    assert "it may lack rate, turns, kind, shift, base, doubled" in " ".join(
        text.split()
    )


@pytest.mark.parametrize("f", [by_default, not_read, not_asked])
def test_options_may_be_left_out(f):
    x = np.array([0.4, -0.3, 1.1])
    text = gradgen.emit(f, wrt="x")
    assert "p={}" in text
    want = 2 * x if f is not_read else x
    np.testing.assert_allclose(made(text)(x), want, rtol=1e-12)


def test_the_gradient_has_the_keys_of_the_argument():
    gradient = made(gradgen.emit(handed_on, wrt="p"))
    x = np.array([0.4, -0.3, 1.1])
    got = gradient(x, {"scale": 0.5})
    np.testing.assert_allclose(got["scale"], np.sum(x**2), rtol=1e-12)
    assert gradient(x, {}) == {}
    inner = made(gradgen.emit(nested, wrt="p"))
    assert inner(x, {"inner": {}}) == {"inner": {}}
    got = inner(x, {"inner": {"rate": 3.0}})
    np.testing.assert_allclose(got["inner"]["rate"], np.sum(x**2), rtol=1e-12)


@pytest.mark.parametrize("wrt", ["p", ("x", "p")])
@pytest.mark.parametrize("f", [by_default, not_asked, several_by_default])
def test_the_gradient_of_options_that_may_be_left_out(f, wrt):
    gradient = made(gradgen.emit(f, wrt=wrt))
    x = np.array([0.4, 0.3, 1.1])
    for p in ({"rate": 3.0}, {"rate": 0.7, "more": 2.0}, {}):
        want = {
            key: numeric_gradient(lambda v: f(x, {**p, key: v}), (p[key],), 0).value
            for key in p
            if key == "rate" or f is several_by_default
        }
        got = gradient(x, p) if wrt == "p" else gradient(x, p)[1]
        assert got.keys() == want.keys()
        for key in want:
            np.testing.assert_allclose(got[key], want[key], rtol=1e-6)


@pytest.mark.parametrize("p", [{}, {"rate": 3.0}, {"rate": 0.7, "more": 2.0}])
def test_tangents_are_of_the_keys_given(p):
    x, v = np.array([0.4, 0.3, 1.1]), np.array([0.2, -0.1, 0.5])
    d_p = {"rate": 0.4, "more": -0.3}

    def along(t):
        moved = {key: one + t * d_p[key] for key, one in p.items()}
        return several_by_default(x + t * v, moved)

    want = numeric_gradient(lambda t: along(float(t)), (np.array(0.0),), 0).value
    space = {}
    exec(gradgen.emit(several_by_default, wrt=("x", "p"), mode="forward"), space)
    tangents = {key: d_p[key] for key in p}
    got = space["jvp_several_by_default"](x, p, v, tangents)[1]
    np.testing.assert_allclose(got, want, rtol=1e-6)


def test_a_dictionary_of_integers_has_its_place_among_the_results():
    def repeated(x, p):
        for _ in range(p["n"]):
            x = np.tanh(x)
        return np.sum(x)

    x = np.array([0.4, 0.3])
    d_x, d_p = made(gradgen.emit(repeated, wrt=("x", "p")))(x, {"n": 2})
    want = numeric_gradient(lambda x: repeated(x, {"n": 2}), (x,), 0).value
    np.testing.assert_allclose(d_x, want, rtol=1e-6)
    assert d_p == {"n": 0.0}


@pytest.mark.parametrize("f", [asked, several])
def test_a_key_that_is_missing_has_no_entry(f):
    gradient = made(gradgen.emit(f, wrt=("p", "x")))
    x = np.array([0.4, 0.3, 1.1])
    options = {"shift": 0.2, "scale": 1.1}
    for p in (options, {"scale": 1.1}):
        got, d_x = gradient(x, p)
        assert got.keys() == p.keys() & (EVERY.keys() if f is several else {"shift"})
        want = numeric_gradient(lambda x: f(x, p), (x,), 0).value
        np.testing.assert_allclose(d_x, want, rtol=1e-6)
        for key in got:
            want = numeric_gradient(lambda v: f(x, {**p, key: v}), (p[key],), 0).value
            np.testing.assert_allclose(got[key], want, rtol=1e-6)


def test_a_key_that_is_read_outright_as_well_is_needed():
    with pytest.raises(KeyError):
        made(gradgen.emit(by_both, wrt="x"))(np.ones(2), {})


def test_two_defaults_of_a_key_are_asked_for():
    def f(x, p):
        return np.sum(x * p.get("rate", 1.0)) * p.get("rate", 2.0)

    gradient = made(gradgen.emit(f, wrt="x"))
    for p, want in (({}, 2.0), ({"rate": 3.0}, 9.0)):
        np.testing.assert_allclose(gradient(np.ones(2), p), [want, want])


def test_a_number_by_default_is_looked_at():
    text = gradgen.emit(by_keyword, wrt="x")
    with pytest.raises(ValueError, match="is taken for a number"):
        made(text)(np.ones(3), p={"rate": np.ones(3)})
