"""Functions of *args: a text with a parameter for each that they read."""

import inspect

import numpy as np
import pytest

import gradgen
from gradgen.cli import run
from gradgen.verify.finite import numeric_gradient

SOURCE = '''
import numpy as np


def unpacked(theta, *args):
    """The squared errors."""
    x, y = args
    return np.sum((x @ theta - y) ** 2)


def by_place(theta, *args):
    return np.sum((args[0] @ theta) ** 2) * args[1]


def handed_on(theta, *more):
    return 2 * _inner(theta, *more)


def _inner(theta, x, scale=1.0):
    return np.sum((x @ theta) ** 2) * scale


def gone_through(theta, *args):
    total = 0.0
    for one in args:
        total = total + np.sum(theta * one)
    return total


def either(theta, *args):
    return _inner(theta, *args) + args[1] ** 2


def in_an_arm(theta, *args):
    if theta[0] > 1:
        return np.sum(theta**2)
    x, y = args
    return np.sum((x @ theta - y) ** 2)


def at_times(theta, *args):
    return np.sum(theta) if theta[0] > 1 else _two(theta, *args)


def _two(theta, x, y):
    return np.sum((x @ theta - y) ** 2)


def stored_again(theta, *args):
    x, y = args
    y = y * 2
    return np.sum((x @ theta) ** 2 * y)
'''
X, Y = np.array([[0.5, 1.0, -0.3], [0.2, 0.4, 2.0]]), np.array([0.3, -1.0])
THETA = np.array([0.2, 0.5, -0.7])
GIVEN = {
    "unpacked": (X, Y),
    "by_place": (X, 1.5),
    "handed_on": (X,),
    "gone_through": (THETA * 3, 2.0),
    "stored_again": (X, Y),
    "either": (X, 1.5),
    "in_an_arm": (X, Y),
    "at_times": (X, Y),
}
NAMED = {
    "unpacked": ["theta", "x", "y"],
    "by_place": ["theta", "args_0", "args_1"],
    "handed_on": ["theta", "more_0"],
    "stored_again": ["theta", "args_0", "args_1"],
    "either": ["theta", "args_0", "args_1"],
    "in_an_arm": ["theta", "x", "y"],
    "at_times": ["theta", "args_0", "args_1"],
}


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    place = tmp_path_factory.mktemp("rest") / "rest.py"
    place.write_text(SOURCE)
    space = {"__name__": "rest"}
    exec(compile(SOURCE, str(place), "exec"), space)
    return space, place


def made(text):
    space = {}
    exec(text, space)
    return next(value for name, value in space.items() if name.startswith("grad_"))


@pytest.mark.parametrize("name", NAMED)
def test_the_function_tells_how_many(functions, name):
    f = functions[0][name]
    grad = made(gradgen.emit(f))
    assert list(inspect.signature(grad).parameters)[:-1] == NAMED[name]
    want = numeric_gradient(f, (THETA, *GIVEN[name]), 0).value
    np.testing.assert_allclose(grad(THETA, *GIVEN[name]), want, rtol=1e-7)


@pytest.mark.parametrize("name", GIVEN)
def test_an_example_tells_how_many(functions, name):
    f = functions[0][name]
    want = numeric_gradient(f, (THETA, *GIVEN[name]), 0).value
    grad = made(gradgen.emit(f, example=(THETA, *GIVEN[name])))
    np.testing.assert_allclose(grad(THETA, *GIVEN[name]), want, rtol=1e-7)
    np.testing.assert_allclose(gradgen.grad(f)(THETA, *GIVEN[name]), want, rtol=1e-7)


def test_what_is_given_behind_is_no_seed_where_nothing_tells(functions):
    """Else a third argument would be taken for the gradient of the result."""
    grad = made(gradgen.emit(functions[0]["gone_through"]))
    with pytest.raises(TypeError):
        grad(THETA, THETA)
    np.testing.assert_array_equal(grad(THETA, d_total=2.0), np.zeros(3))


@pytest.mark.parametrize("name", ["handed_on", "by_place"])
@pytest.mark.parametrize("told", [False, True])
def test_what_is_given_behind_those_that_are_read_is_no_seed(functions, name, told):
    """The function takes one argument more, which the text does not know of."""
    f = functions[0][name]
    given = {"example": (THETA, *GIVEN[name])} if told else {}
    grad = made(gradgen.emit(f, **given))
    with pytest.raises(TypeError):
        grad(THETA, *GIVEN[name], 3.0)
    assert np.isfinite(f(THETA, *GIVEN[name], 3.0))


@pytest.mark.parametrize("name", ["in_an_arm", "at_times"])
def test_what_an_arm_alone_counts_is_open_in_the_other(functions, name):
    f, far = functions[0][name], THETA + 2
    assert np.isfinite(f(far, X, Y, 3.0))
    with pytest.raises(TypeError):
        made(gradgen.emit(f))(far, X, Y, 3.0)


def test_more_than_the_function_reads_is_refused(functions):
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.emit(functions[0]["unpacked"], example=(THETA, X, Y, 3.0))
    assert caught.value.code == "GG015"


@pytest.mark.parametrize("name", ["unpacked", "gone_through"])
def test_the_command_makes_it_again_and_judges_it(functions, name, tmp_path, capsys):
    out = tmp_path / f"grad_{name}.py"
    example = "(np.ones(3), np.ones((2, 3)), np.ones(2))"
    if name == "gone_through":
        example = "(np.ones(3), np.ones(3), 2.0)"
    emit = ["emit", f"{functions[1]}:{name}", "--example", example, "-o", str(out)]
    for command in (emit, ["check", str(out)]):
        assert run(command) == 0
    assert "agrees with differences" in capsys.readouterr().err
