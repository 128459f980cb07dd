"""Keys and attributes that only the arms of a function read, with nothing told."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([0.5, -1.5, 2.0])
OF_DICTIONARIES = """
    def penalty(x, info):
        y = np.sum(x**2)
        if info["kind"] == "l1":
            y = y + info["lam"] * np.sum(np.abs(x))
        elif info["kind"] == "elastic":
            y = y + info["lam"] * np.sum(np.abs(x)) + info["mu"] * np.sum(x**3)
        return y

    def early(x, info):
        if info["kind"] == "none":
            return np.sum(x**2)
        return np.sum(x**2) * info["lam"]

    def vector(x, info):
        y = np.sum(x**2)
        if info["kind"] == "l1":
            y = y + info["w"] @ x
        return y

    def chosen(x, info):
        return np.sum(x**2) * (info["lam"] if info["kind"] == "l1" else 3.0)
"""
CALLS = [
    {"kind": "none"},
    {"kind": "l1", "lam": 0.5, "w": np.array([1.0, 2.0, 3.0])},
    {"kind": "elastic", "lam": 0.5, "mu": 2.0},
]


@pytest.mark.parametrize("name", ["penalty", "early", "vector", "chosen"])
def test_a_dictionary_need_not_have_them(tmp_path, name):
    f = written(OF_DICTIONARIES, tmp_path, function=name)
    names: dict = {}
    exec(gradgen.emit(f), names)
    for info in CALLS:
        try:
            f(X, info)
        except KeyError:
            continue
        found = names[f"grad_{name}"](X, info)
        true = numeric_gradient(lambda x: f(x, info), [X], 0, np.ones(())).value
        np.testing.assert_allclose(found, true, rtol=1e-6)


def test_what_is_read_outside_of_arms_as_well_is_read_at_once(tmp_path):
    f = written(
        """
        def f(x, info):
            y = np.sum(x**2)
            if info["kind"] == "l1":
                y = y + info["lam"] * np.sum(x)
            return y * info["lam"]
        """,
        tmp_path,
    )
    text = gradgen.emit(f)
    assert 'kind, lam = info["kind"], info["lam"]' in text and ".get(" not in text


def test_an_instance_need_not_have_what_init_assigns_in_an_arm(tmp_path):
    cls = written(
        """
        class Layer:
            def __init__(self, n, bias=False):
                self.W = np.ones(n)
                self.bias = bias
                if bias:
                    self.b = 0.5
                if n > 2:
                    self.c = 1.0
                else:
                    self.c = 2.0

            def f(self, x):
                y = np.sum(self.W * x)
                if self.bias:
                    y = y + self.b + self.c
                return y**2
        """,
        tmp_path,
        function="Layer",
    )
    text = gradgen.emit(cls.f)
    assert 'getattr(self, "b", None)' in text and "c = self.c" in text
    names: dict = {}
    exec(text, names)
    for bias in (False, True):
        layer = cls(3, bias)
        true = numeric_gradient(layer.f, [X], 0, np.ones(())).value
        np.testing.assert_allclose(names["grad_f"](layer, X), true, rtol=1e-6)


def test_what_is_tested_is_read_at_once(tmp_path):
    f = written(
        """
        def f(x, use, info):
            y = np.sum(x)
            if use:
                y = y + (np.sum(x) if info["w"] is None else np.sum(x * info["w"]))
                mode = info["mode"]
                if mode == 2:
                    y = y + np.sum(x**3)
            return y
        """,
        tmp_path,
    )
    text = gradgen.emit(f)
    assert 'info["w"]' in text and ".get(" not in text
