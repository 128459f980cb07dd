"""Texts of functions whose arguments are objects: what they look at, how they are asked."""

import shlex
import subprocess
import sys
import types

import numpy as np
import pytest

import gradgen
from gradgen.printer.header import read_header
from gradgen.verify.finite import numeric_gradient


class Utility:
    kind = "crra"

    def __init__(self, rho=0.5, weights=(0.2, 0.3)):
        self.rho, self.weights = rho, np.array(weights)

    def __call__(self, c):
        return c ** (1 - self.rho)


class Extended(Utility):
    def __init__(self, rho=0.5, extra=4.0):
        super().__init__(rho)
        self.extra = extra


class Rule:
    def __init__(self, n=2):
        self.points, self.w = np.linspace(0.1, 0.9, n), [1.0] * n


def called(v, c):
    return v(c) * np.sum(v.weights)


def by_kind(v: Utility, c):
    if v.kind == "linear":
        return c
    return np.sum(np.exp(c * v.weights))


def by_presence(c, v):
    if hasattr(v, "extra"):
        return c * v.extra
    return c**2 * v.rho


def by_default(c, v):
    return c**2 * getattr(v, "extra", v.rho)


def by_class(c, v):
    return c**3 if isinstance(v, Extended) else c**2


def by_rounds(c, rule):
    total = 0.0
    for p, w in zip(rule.points, rule.w):
        total += w * np.exp(c * p)
    return total


def two(v, c, rule):
    return v(c) * np.sum(rule.points)


LINEAR = Utility()
LINEAR.kind = "linear"
OTHER = Utility(0.3, (0.1, 0.4, 0.8))
CASES = [
    (called, (Utility(), 2.0), (OTHER, 1.5), None),
    (by_kind, (Utility(), 2.0), (OTHER, 1.5), (LINEAR, 2.0)),
    (by_presence, (2.0, Utility()), (1.5, OTHER), (2.0, Extended())),
    (by_presence, (2.0, Extended()), (1.5, Extended(0.2, 2.0)), (2.0, Utility())),
    (by_default, (2.0, Utility()), (1.5, OTHER), (2.0, Extended())),
    (by_class, (2.0, Utility()), (1.5, OTHER), (2.0, Extended())),
    (by_rounds, (2.0, Rule()), (1.5, Rule()), (2.0, Rule(3))),
    (two, (Utility(), 2.0, Rule()), (OTHER, 1.5, Rule()), None),
]


@pytest.mark.parametrize("function, example, like, unlike", CASES)
def test_a_text_is_right_for_objects_like_the_example_and_raises_for_others(
    function, example, like, unlike
):
    namespace = {}
    exec(gradgen.emit(function, wrt="c", example=example), namespace)
    made = namespace[f"grad_{function.__name__}"]
    at = function.__code__.co_varnames.index("c")
    for args in (example, like):
        want = numeric_gradient(function, args, at).value
        np.testing.assert_allclose(made(*args), want, rtol=1e-6)
    if unlike is not None:
        with pytest.raises((ValueError, AttributeError)):
            made(*unlike)


COMMAND = [sys.executable, "-m", "gradgen", "emit", "objects_of_tests:area"]
MODULE = """
class Box:
    def __init__(self, width):
        self.width = width


def area(box, height):
    return box.width * height**2
"""


def emitted(tmp_path, instance):
    (tmp_path / "objects_of_tests.py").write_text(MODULE)
    words = [*COMMAND, "--wrt", "height", "--shape", "height=", "--instance", instance]
    return subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)


def test_the_command_takes_objects_by_the_names_of_their_arguments(tmp_path):
    done = emitted(tmp_path, "box=Box(3.0)")
    assert done.returncode == 0, done.stderr
    assert "--instance 'box=Box(3.0)'" in done.stdout
    namespace = {}
    exec(done.stdout, namespace)
    box = type("Box", (), {"width": 5.0})()
    assert namespace["grad_area"](box, 2.0) == 20.0


@pytest.mark.parametrize("instance", ["w=Box(3.0)", "box=Box()", "Box(3.0)"])
def test_what_is_wrong_with_the_instances_is_said(tmp_path, instance):
    done = emitted(tmp_path, instance)
    assert done.returncode == 2 and "GG014" in done.stderr, done.stderr


LENSES = """
import numpy as np


class Ray:
    def __init__(self, origin, slope):
        self.origin, self.slope = origin, slope


class Lens:
    def __init__(self, f):
        self.f = f

    def height(self, ray, z):
        return ray.origin + z * (ray.slope - ray.origin / self.f)


def swing(x, t):
    return np.array([x[1], -np.sin(x[0]) * t])


def euler(f, x, dt):
    return x + dt * f(x, 0.5)


def made(ray, z):
    return ray.origin * z**2


PAIR = (Ray(0.1, 0.2), 3.0)
"""
RAY = types.SimpleNamespace(origin=0.3, slope=-0.2)
SLOPES = [
    ("Lens.height", "z", "(Ray(0.1, 0.2), 3.0)", None, -0.2 - 0.3 / 0.5),
    ("Lens.height", "ray.origin", "(Ray(0.1, 0.2), 3.0)", None, 1 - 2 / 0.5),
    ("Lens.height", "self.f", "(Ray(0.1, 0.2), 3.0)", "Lens(0.4)", 2 * 0.3 / 0.5**2),
    ("Lens.height", "ray.slope", "PAIR", "Lens(0.4)", 2.0),
    ("made", "ray.origin", "(Ray(0.1, 0.2), 3.0)", None, 4.0),
    ("made", "z", "PAIR", None, 2 * 2 * 0.3),
]


def text_of_lenses(tmp_path, words):
    (tmp_path / "lenses_of_tests.py").write_text(LENSES)
    command = [sys.executable, "-m", "gradgen", "emit", *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name, wrt, example, instance, slope", SLOPES)
def test_an_example_names_what_the_module_has(
    tmp_path, name, wrt, example, instance, slope
):
    words = [f"lenses_of_tests:{name}", "--wrt", wrt, "--example", example]
    words += ["--instance", instance] if instance else []
    text = text_of_lenses(tmp_path, words)
    namespace = {}
    exec(text, namespace)
    lens = (types.SimpleNamespace(f=0.5),) if name.startswith("Lens") else ()
    found = namespace["grad_" + name.rpartition(".")[2]](*lens, RAY, 2.0)
    assert np.isclose(found, slope, rtol=1e-12)
    again = read_header(text)["command"].removeprefix("gradgen emit ")
    assert text_of_lenses(tmp_path, shlex.split(again)) == text


def test_an_example_names_a_function_of_the_module(tmp_path):
    words = ["lenses_of_tests:euler", "--wrt", "x"]
    text = text_of_lenses(tmp_path, [*words, "--example", "(swing, np.ones(2), 0.1)"])
    namespace = {}
    exec(LENSES, module := {"__name__": "lenses_of_tests"})
    exec(text, namespace)
    found = namespace["grad_euler"](
        module["swing"], np.array([0.4, 0.3]), 0.1, np.array([1.0, 2.0])
    )
    assert np.allclose(found, [1 - 0.1 * np.cos(0.4), 2 + 0.1], rtol=1e-12)


class Meter:
    def __init__(self):
        self.scale, self.limit, self.on, self.names = 1.5, 2.0, True, ["u", "v"]

    def __bool__(self):
        return self.on

    def __contains__(self, name):
        return name in self.names

    def __rpow__(self, other):
        return other**self.scale

    def __abs__(self):
        return abs(self.scale)

    def __pos__(self):
        return self.scale

    def __lt__(self, other):
        return self.limit < other

    def __eq__(self, other):
        return self.limit == other


OPERATORS = [
    lambda x, p: x**2 if p else x,
    lambda x, p: x**2 if p and x > 0 else x,
    lambda x, p: x**2 if "u" in p else x,
    lambda x, p: x**p,
    lambda x, p: x * abs(p),
    lambda x, p: x * (+p),
    lambda x, p: x**2 if p < x else x**3,
    lambda x, p: x**2 if p == 2.0 else x**3,
]


@pytest.mark.parametrize("function", OPERATORS)
def test_what_the_operators_of_an_object_alone_read_is_known(function):
    args = (1.3, Meter())
    want = numeric_gradient(function, args, 0).value
    np.testing.assert_allclose(gradgen.grad(function)(*args), want, rtol=1e-6)
