"""Strings that are known: joined, repeated, cut, read letter by letter, by any key."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

TERMS = [("ZZ", 0.5), ("X", 0.3), ("IY", -1.2)]


def padded_by_sum(x, terms):
    e = 0.0
    for s, c in terms:
        p = s + "I" * (3 - len(s))
        for q in range(3):
            if p[q] != "I":
                e += c * x[q] ** 2
    return e


def padded_by_method(x, terms):
    e = 0.0
    for s, c in terms:
        p = s.ljust(3, "I").lower()
        for q in range(len(p)):
            if p[q] == "z":
                e += c * x[q] ** 2
            elif p[q] == "x":
                e -= c * np.sin(x[q])
    return e


def by_letters(x, terms):
    e = 0.0
    for s, c in terms:
        for q, letter in enumerate(s.replace("I", "-")[::-1]):
            if letter != "-":
                e += c * x[q] ** (q + 2)
    return e


def by_parts(x, terms):
    names = ",".join(s for s, _ in terms)
    e = 1.0
    for q, name in enumerate(names.split(",")):
        if name.startswith("Z") or name.endswith("Y"):
            e = e * x[q]
    return e * len(names)


def plus(x, s):
    p = s + "II"
    return np.sum(x**2) if p[1] == "I" else 2 * np.sum(x**3)


def repeated(x, s):
    p = s * 2
    e = 0.0
    for q in range(len(p) - 1):
        if p[q] + p[q + 1] == "ZX":
            e = e + x[q] ** 2
    return e * len(p)


def upper(x, s):
    return np.sum(x**2) if s.upper().strip() == "ZX" else np.sum(x**3)


X = np.array([0.5, 1.5, -0.7])
CASES = [(f, TERMS) for f in (padded_by_sum, padded_by_method, by_letters, by_parts)]
CASES += [(plus, "ZZ"), (plus, "Z"), (repeated, "ZX"), (repeated, "XZ"), (upper, " zx")]


def made(text):
    space = {}
    exec(text, space)
    return next(value for name, value in space.items() if name.startswith("grad_"))


@pytest.mark.parametrize("f, told", CASES)
def test_a_call_and_a_text_of_an_example(f, told):
    want = numeric_gradient(lambda x: f(x, told), (X.copy(),), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X, told), want, rtol=1e-6, atol=1e-9)
    gradient = made(gradgen.emit(f, example=(X, told)))
    np.testing.assert_allclose(gradient(X, told), want, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("f", [padded_by_sum, padded_by_method, plus])
def test_the_text_is_for_the_strings_of_the_example(f):
    of_words = f is plus
    text = gradgen.emit(f, example=(X, "ZX" if of_words else TERMS))
    with pytest.raises(ValueError, match="other than"):
        made(text)(X, "XX" if of_words else TERMS[:2])


@pytest.mark.parametrize("f, told", [(plus, "Z"), (repeated, "ZX"), (upper, "zx ")])
def test_the_default_of_an_option(f, told):
    def g(x, s=told):
        return f(x, s)

    want = numeric_gradient(g, (X.copy(),), 0).value
    np.testing.assert_allclose(made(gradgen.emit(g))(X), want, rtol=1e-6, atol=1e-9)


def test_a_list_of_the_module_by_places():
    names = ["ZI", "IZ", "XX"]

    def f(x):
        e = 0.0
        for k in range(3):
            if names[k] + "!" == "IZ!":
                e = e + x[k] ** 2
        return e

    np.testing.assert_allclose(gradgen.grad(f)(X), [0, 3.0, 0])


def test_a_string_of_which_nothing_tells():
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.emit(plus)
    assert caught.value.code == "GG213"
    assert "--shape s=" in caught.value.advice
    told = gradgen.emit(plus, shapes={"s": "='ZZ'"})
    np.testing.assert_allclose(made(told)(X, "ZZ"), 6 * X**2)


def test_what_is_refused_is_told_once():
    def f(x, **words):
        rate = words["rate"]
        return np.sum(x) * rate[0] * len(rate)

    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.emit(f)
    assert [one.code for one in caught.value.problems] == ["GG240"]
