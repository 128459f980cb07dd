"""Members of enums and functions as arguments of texts: those of the example, by name."""

from __future__ import annotations

import itertools
from enum import Enum, IntEnum

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError


class Scheme(Enum):
    EULER = 1
    HEUN = 2


class Mode(str, Enum):
    STRESS = "stress"
    STRAIN = "strain"


def decay(y):
    return -y * y


def swing(y):
    return np.sin(y) + 0.5


def run(y, h=0.1, scheme=Scheme.EULER, f=decay, steps=2):
    for _ in range(steps):
        k = f(y)
        if scheme is Scheme.HEUN:
            k = 0.5 * (k + f(y + h * k))
        y = y + h * k
    return np.sum(y)


def modulus(E, nu, mode=Mode.STRESS):
    if mode == Mode.STRESS:
        return E / (1 - nu**2)
    return E * (1 - nu)


def applied(x, f, scheme):
    if scheme == Scheme.HEUN:
        return np.sum(f(x) * x)
    return np.sum(f(x))


Y = np.array([0.4, 0.9, -0.3])
RUNS = [
    (Y, 0.2, scheme, f)
    for scheme, f in itertools.product(Scheme, (decay, swing, np.tanh))
]


def _measured(function, args):
    step = 1e-6
    return [
        (function(Y + step * e, *args) - function(Y - step * e, *args)) / (2 * step)
        for e in np.eye(3)
    ]


def _text(text, name):
    names: dict = {}
    exec(text, names)
    return names[name]


@pytest.mark.parametrize("args", RUNS)
def test_the_text_is_made_for_what_the_example_hands_over(args):
    gradient = _text(gradgen.emit(run, "y", example=args), "grad_run")
    np.testing.assert_allclose(gradient(*args), _measured(run, args[1:]), atol=1e-8)
    for other in RUNS:
        if other[2:] != args[2:]:
            with pytest.raises(ValueError, match="have no gradient here"):
                gradient(*other)


def test_what_is_left_out_is_the_default_or_raises():
    gradient = _text(gradgen.emit(run, "y", example=(Y,)), "grad_run")
    want = _measured(run, ())
    np.testing.assert_allclose(gradient(Y), want, atol=1e-8)
    np.testing.assert_allclose(gradient(Y, 0.1, Scheme.EULER, decay), want, atol=1e-8)
    example = (Y, 0.1, Scheme.HEUN)
    gradient = _text(gradgen.emit(run, "y", example=example), "grad_run")
    with pytest.raises(ValueError, match="values of scheme other than Scheme.HEUN"):
        gradient(Y)


@pytest.mark.parametrize("mode", list(Mode))
def test_members_that_are_words(mode):
    # without an example the text is the default's
    gradient = _text(gradgen.emit(modulus, "E"), "grad_modulus")
    want = modulus(1.0, 0.3, mode)
    if mode is Mode.STRESS:
        np.testing.assert_allclose(gradient(2.0, 0.3, mode), want)
        np.testing.assert_allclose(gradient(2.0, 0.3), want)
    else:
        with pytest.raises(ValueError, match="values of mode other than Mode.STRESS"):
            gradient(2.0, 0.3, mode)
    text = gradgen.emit(modulus, "E", example=(2.0, 0.3, mode))
    gradient = _text(text, "grad_modulus")
    np.testing.assert_allclose(gradient(2.0, 0.3, mode), want)
    with pytest.raises(ValueError, match="values of mode other than"):
        gradient(2.0, 0.3, mode.value)  # which the function may ask for by `is`


@pytest.mark.parametrize("args", [*itertools.product((decay, np.sin), Scheme)])
def test_arguments_without_a_default(args):
    gradient = _text(gradgen.emit(applied, "x", example=(Y, *args)), "grad_applied")
    np.testing.assert_allclose(gradient(Y, *args), _measured(applied, args), atol=1e-8)


def test_the_command_of_a_text_names_them():
    text = gradgen.emit(applied, "x", example=(Y, swing, Scheme.HEUN))
    assert '--shape f="=swing"' in text and '--shape scheme="=Scheme.HEUN"' in text
    told = {"x": "n", "f": "=swing", "scheme": "=Scheme.HEUN"}
    assert gradgen.emit(applied, "x", shapes=told) == text


def test_a_name_that_is_not_there():
    with pytest.raises(GradgenError, match="GG402.*names nothing"):
        gradgen.emit(applied, "x", shapes={"f": "=swung", "scheme": "=Scheme.HEUN"})


def square(x, method="flat", q=50.0):
    if method == "rank":
        return np.percentile(x, q)
    return np.sum(x) * q


def test_a_text_of_the_example_is_none_for_other_options():
    with pytest.raises(GradgenError, match="GG308"):
        gradgen.emit(square, ("x", "q"), example=(Y, "rank", 30.0))


class Other(Enum):
    EULER = 7
    HEUN = 8


def table(x, parts=(decay, swing)):
    return np.sum(parts[0](x) + parts[1](x))


def part(x, key=(0, 1)):
    return np.sum(x[key] ** 2)


def test_members_of_other_classes_and_none_are_others():
    gradient = _text(gradgen.emit(run, "y", example=(Y,)), "grad_run")
    for other in (Other.EULER, None, "EULER", 1):
        with pytest.raises(ValueError, match="values of scheme other than"):
            gradient(Y, 0.1, other)
    for other in (_made(2), _made(3), np.sin, Scheme):
        with pytest.raises(ValueError, match="values of f other than decay"):
            gradient(Y, 0.1, Scheme.EULER, other)


def _made(power):
    def decay(y):
        return y**power

    return decay


SECOND, THIRD = _made(2), _made(3)


def closed(x, f=SECOND):
    return np.sum(f(x))


def test_functions_of_one_factory_are_not_told_apart_and_raise():
    gradient = _text(gradgen.emit(closed, "x"), "grad_closed")
    np.testing.assert_allclose(gradient(Y), _measured(closed, ()), atol=1e-8)
    for other in (SECOND, THIRD, decay):
        with pytest.raises(ValueError, match="values of f other than"):
            gradient(Y, other)
    with pytest.raises(GradgenError, match="GG208"):
        gradgen.emit(closed, "x", example=(Y, THIRD))
    with pytest.raises(GradgenError, match="GG402"):
        gradgen.emit(closed, "x", shapes={"f": "=THIRD"})


class Level(IntEnum):
    LOW = 0
    HIGH = 1


def levelled(x, level=Level.LOW):
    return np.sum(x * x) if level is Level.LOW else np.sum(x)


@pytest.mark.parametrize("level", list(Level))
def test_members_that_are_numbers(level):
    text = gradgen.emit(levelled, "x", example=(Y, level))
    gradient = _text(text, "grad_levelled")
    np.testing.assert_allclose(gradient(Y, level), _measured(levelled, (level,)))
    for other in (level.value, Level(1 - level), False):
        with pytest.raises((ValueError, AttributeError)):
            gradient(Y, other)


def test_a_function_without_a_name_is_refused_where_there_is_a_default():
    with pytest.raises(GradgenError, match="GG208.*by a name"):
        gradgen.emit(run, "y", example=(Y, 0.1, Scheme.EULER, lambda y: y))


def test_tables_of_functions_are_left_out():
    gradient = _text(gradgen.emit(table, "x"), "grad_table")
    np.testing.assert_allclose(gradient(Y), _measured(table, ()), atol=1e-8)
    with pytest.raises(ValueError, match="values of parts other than"):
        gradient(Y, (swing, decay))


@pytest.mark.parametrize(
    ("told", "given", "other"),
    [
        ("=(0, 1)", (0, 1), (0, 2)),
        ("=[0, 2]", [0, 2], [0, 1]),
        ("=(1,)", (1,), (0,)),
        ("=slice(0, 2)", slice(0, 2), slice(0, 1)),
    ],
)
def test_containers_are_compared(told, given, other):
    text = gradgen.emit(part, "x", shapes={"x": "4 3", "key": told})
    gradient = _text(text, "grad_part")
    x = np.arange(12.0).reshape(4, 3)
    want = np.zeros_like(x)
    want[given] = 2 * x[given]
    np.testing.assert_allclose(gradient(x, given), want)
    with pytest.raises(ValueError, match="values of key other than"):
        gradient(x, other)


def scaled(x, options):
    return np.sum(x ** options["p"]) * (2 if options["kind"] == "a" else 3)


def test_dictionaries_are_compared():
    shapes = {"x": "n", "options": "={'p': 3, 'kind': 'a'}"}
    gradient = _text(gradgen.emit(scaled, "x", shapes=shapes), "grad_scaled")
    np.testing.assert_allclose(gradient(Y, {"p": 3, "kind": "a"}), 6 * Y**2)
    for other in ({"p": 2, "kind": "a"}, {"p": 3, "kind": "b"}, {"p": 3}, {}):
        with pytest.raises(ValueError, match="values of options other than"):
            gradient(Y, other)
