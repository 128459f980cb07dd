"""Whole numbers that an instance holds, of which a gradient is asked."""

import subprocess
import sys

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


class Ion:
    def __init__(self, charge, inner, outer):
        self.charge, self.inner, self.outer = charge, inner, outer

    def nernst(self):
        return 25 / self.charge * np.log(self.outer / self.inner)

    def beside(self, other, x):
        return np.sum(x**2) * self.outer * np.sqrt(other.inner)


class Cell:
    def __init__(self, ions):
        self.ions = ions

    def total(self, x):
        return x * self.ions[0].outer ** 2 + self.ions[1].inner * x


def of_an_object(ion, x):
    return x**2 * ion.outer


def made(text):
    space = {"np": np}
    exec(text, space)
    return next(value for name, value in space.items() if name.startswith("grad_"))


@pytest.mark.parametrize("name", ["charge", "inner", "outer"])
def test_an_attribute_of_the_instance(name):
    def at(value):
        held = {"charge": 1, "inner": 155, "outer": 4} | {name: value}
        return Ion(**held).nernst()

    ion = Ion(1, 155, 4)
    gradient = made(gradgen.emit(ion.nernst, example=(), wrt=f"self.{name}"))
    for one in (ion, Ion(1, 12.5 if name == "inner" else 155, 4)):
        want = gradgen.grad(one.nernst, wrt=f"self.{name}")()
        np.testing.assert_allclose(gradient(one), want)
    own = float(getattr(ion, name))
    want = numeric_gradient(at, (own,), 0).value
    np.testing.assert_allclose(gradient(ion), want, rtol=1e-6)


def test_several_and_an_argument():
    ion, other, x = Ion(1, 155, 4), Ion(1, 9, 1), np.array([1.0, 2.0])
    wrt = ("self.outer", "other.inner", "x")
    gradient = made(gradgen.emit(ion.beside, example=(other, x), wrt=wrt))
    outer, inner, d_x = gradient(ion, other, x)
    np.testing.assert_allclose(outer, 15.0)
    np.testing.assert_allclose(inner, 20.0 / 6.0)
    np.testing.assert_allclose(d_x, 24.0 * x)


def test_an_attribute_of_what_it_holds():
    cell = Cell([Ion(1, 2, 3), Ion(1, 5, 7)])
    gradient = made(
        gradgen.emit(cell.total, example=(2.0,), wrt=("self.ions[0].outer", "x"))
    )
    outer, d_x = gradient(cell, 2.0)
    np.testing.assert_allclose([outer, d_x], [12.0, 14.0])


def test_an_attribute_of_an_argument():
    text = gradgen.emit(of_an_object, example=(Ion(1, 2, 3), 1.5), wrt="ion.outer")
    np.testing.assert_allclose(made(text)(Ion(1, 2, 5), 1.5), 2.25)


def test_the_command(tmp_path):
    body = "class Ion:\n    def __init__(self, outer):\n        self.outer = outer\n\n"
    body += "    def value(self, x):\n        return x * self.outer**2\n"
    (tmp_path / "ions.py").write_text(body)
    order = ["ions.py:Ion.value", "--wrt", "self.outer", "--instance", "Ion(4)"]
    command = [sys.executable, "-m", "gradgen", "emit", *order, "--shape", "x="]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    gradient = made(done.stdout)

    class Held:
        outer = 4

    np.testing.assert_allclose(gradient(Held, 1.5), 12.0)


class Template:
    def __init__(self, flux=500, since=300, steps=2):
        self.flux, self.since, self.steps = flux, since, steps

    def curve(self, x):
        for _ in range(self.steps):
            x = x * self.flux + self.since
        return np.sum(x**2)


class Nested:
    def __init__(self):
        self.template = Template()

    def value(self, x):
        return self.template.curve(x) * 2


@pytest.mark.parametrize("name", ["flux", "since"])
@pytest.mark.parametrize("cls", [Template, Nested])
def test_an_attribute_that_is_whole_by_default(cls, name):
    method = cls.curve if cls is Template else cls.value

    def holding(one):
        held = one if cls is Template else Nested()
        if cls is Nested:
            held.template = one
        return held

    label = name if cls is Template else f"template.{name}"
    gradient = made(gradgen.emit(method, wrt=f"self.{label}"))
    x = np.array([0.5, -1.5])

    def at(value):
        one = Template(**({"flux": 5, "since": 3} | {name: value}))
        return method(holding(one), x)

    for value in (4, 2.5):
        one = Template(**({"flux": 5, "since": 3} | {name: value}))
        found = gradient(holding(one), x)
        want = numeric_gradient(at, (float(value),), 0).value
        np.testing.assert_allclose(found, want, rtol=1e-6)


def test_several_attributes_that_are_whole_by_default():
    text = gradgen.emit(Template.curve, wrt=("self.since", "x", "self.flux"))
    x = np.array([0.5, -1.5])
    since, d_x, flux = made(text)(Template(2, 3, 1), x)
    np.testing.assert_allclose(since, np.sum(2 * (2 * x + 3)))
    np.testing.assert_allclose(d_x, 4 * (2 * x + 3))
    np.testing.assert_allclose(flux, np.sum(2 * (2 * x + 3) * x))
