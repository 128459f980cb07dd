"""The Python around NumPy, with nothing told: by a call, and as a text alone.

Each class has several forms of it. The gradient is held against differences of the
program itself; where the text is executed alone, it must be the same.
"""

import inspect

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.corpus import python as corpus

X = np.array([0.7, -0.4, 1.3])


def rest(function):
    """Values for the arguments that have no default, behind the first."""
    given = inspect.signature(function).parameters.values()
    return [X * 0.5 + 1 for p in given if p.default is p.empty and p.kind == 1][1:]


def check(got, function, args):
    want = numeric_gradient(function, args, 0)
    assert np.shape(got) == want.value.shape and got.dtype == want.value.dtype
    assert not np.isnan(got).any()
    np.testing.assert_allclose(got, want.value, rtol=1e-6, atol=1e-8)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", corpus.PROGRAMS)
def test_with_nothing_told(name, capsys):
    function = getattr(corpus, name)
    args = [X.copy(), *rest(function)]
    check(gradgen.grad(function)(*args), function, args)
    space: dict = {"__name__": "alone"}
    exec(gradgen.emit(function), space)
    made = next(v for k, v in space.items() if k.startswith("grad_"))
    check(made(*args), function, args)


def activated(x, activation=np.tanh):
    return np.sum(activation(x) * x)


def scaled(x, *factors, power=1, **options):
    for factor in factors:
        x = x * factor
    return np.sum(x**power) * options.get("scale", 1.0)


def chosen(x, options):
    if options["mode"].upper() == "SUM":
        return options["scale"] * np.sum(x**2)
    return np.mean(x)


def split(x, spec="2,3"):
    a, b = spec.split(",")
    return np.sum(x ** int(a)) * float(b)


CALLS = [
    (activated, (np.sin,), {}),
    (activated, (), {"activation": lambda v: v * v}),
    (activated, (), {}),
    (scaled, (2.0,), {}),
    (scaled, (2.0, 3.0), {"power": 2}),
    (scaled, (), {"scale": 0.5}),
    (chosen, ({"mode": "sum", "scale": 2.0},), {}),
    (chosen, ({"mode": "mean", "scale": 2.0},), {}),
    (split, (), {}),
    (split, ("3,0.5",), {}),
]


@pytest.mark.parametrize("function, args, options", CALLS)
def test_arguments_that_are_static(function, args, options):
    got = gradgen.grad(function)(X, *args, **options)
    check(got, lambda x: function(x, *args, **options), [X])


def test_one_gradient_for_several_functions():
    made = gradgen.grad(activated)
    for given in (np.sin, np.cos, np.tanh, np.sin):
        check(made(X, given), lambda x, given=given: activated(x, given), [X])


def test_a_text_raises_for_other_values_than_it_was_made_for():
    space: dict = {}
    exec(gradgen.emit(activated), space)
    with pytest.raises(ValueError, match="other than np.tanh have no gradient"):
        space["grad_activated"](X, np.sin)
    text = gradgen.emit(split)
    assert 'Decided: spec is "2,3"' in text
    exec(text, space)
    with pytest.raises(ValueError):
        space["grad_split"](X, "3,1")


def series(x):
    if hasattr(x, "to_numpy"):
        x = x.to_numpy()
    return np.sum(x**2)


def strange(x, mode="plain"):
    if mode == "strange":
        return np.sum(np.packbits(3, x))
    return np.sum(x**2)


def conditional(x, mode="plain"):
    return np.sum(x.byteswap() if mode == "list" else x**2)


@pytest.mark.parametrize("function", [series, strange, conditional])
def test_an_arm_that_is_refused_raises(function):
    check(gradgen.grad(function)(X), function, [X])
    if function is not series:
        with pytest.raises(GradgenError, match="no gradient"):
            gradgen.grad(function)(X, "strange" if function is strange else "list")


REFUSED = {
    "the order of a set": (
        "for v in {1.0, 2.0}:\n        x = x * v",
        "GG243",
        "for v in sorted({1.0, 2.0}):\n        x = x * v",
    ),
    "what surely raises": ('x = x * int("two")', "GG269", 'x = x * int("2")'),
    "a string as a number": ('x = x * ("a" + str(x))', "GG213", "x = x * 2"),
    "stars of unknown length": (
        "x = (lambda *v: v[0])(*[w for w in x if w > 0])",
        "GG207",
        "x = np.add(x[0], x[1])",
    ),
    "a block that does something": (
        'with open("f") as file:\n        x = x * 2',
        "GG113",
        "x = x * 2",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_and_their_rewrites(name, write):
    text, code, instead = REFUSED[name]
    program = "import numpy as np\n\n\ndef f(x):\n    {}\n    return np.sum(x)\n"
    with pytest.raises(GradgenError) as caught:
        gradgen.emit(write(program.format(text)))
    assert code in {problem.code for problem in caught.value.problems}
    assert gradgen.emit(write(program.format(instead)))
