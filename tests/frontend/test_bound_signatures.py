"""Decorators that bind their arguments by the signature of what they stand around."""

import inspect

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([0.7, 0.4, 1.3])
WITH_DEFAULTS = "b = inspect.signature(f).bind(*args, **kwargs)\nb.apply_defaults()\n"
BINDING = {
    "one is another": WITH_DEFAULTS + "b.arguments['x'] = b.arguments['x'][:, None]\n"
    "return f(*b.args, **b.kwargs)",
    "by a name around": WITH_DEFAULTS
    + "for name in NAMES:\n    v = b.arguments[name]\n"
    "    if len(v.shape) == 1:\n        b.arguments[name] = v * v\n"
    "return f(*b.args, **b.kwargs)",
    "each by its item": "b = SIGNATURE(f).bind(*args, **kwargs)\n"
    "for name, v in b.arguments.items():\n    b.arguments[name] = np.sin(v)\n"
    "return f(**b.arguments)",
    "each by its parameter": "s = inspect.signature(f)\nb = s.bind(*args, **kwargs)\n"
    "for name, p in s.parameters.items():\n"
    "    if p.default is inspect.Parameter.empty:\n"
    "        b.arguments[name] = 3.0 * b.arguments[name]\n"
    "return f(*b.args, **b.kwargs)",
    "some not given": "b = inspect.signature(f).bind_partial(*args, **kwargs)\n"
    "n = len(b.arguments)\nreturn f(*b.args, **b.kwargs) * n",
    "whether one is given": "b = inspect.signature(f).bind(*args, **kwargs)\n"
    "s = 5.0 if 'k' in b.arguments else 2.0\nreturn f(*b.args, **b.kwargs) * s",
    "as a dictionary": "d = inspect.getcallargs(f, *args, **kwargs)\n"
    "return f(**d) * d['k']",
    "kinds": "kinds = [p.kind for p in inspect.signature(f).parameters.values()]\n"
    "s = 2.0 if inspect.Parameter.KEYWORD_ONLY in kinds else 3.0\n"
    "return f(*args, **kwargs) * s",
}
HEADS = ("x, k=1.0", "x, *, k=1.0", "x, k=1.0, **other", "x, k=1.0, *more")
CALLS = ([X], {}), ([X], {"k": 2.0}), ([X, 2.0], {})


def made(lines, head, tmp_path):
    body = lines.replace("\n", "\n        ")
    return written(
        "import inspect\nfrom functools import wraps\n"
        "from inspect import signature as SIGNATURE\n\nNAMES = ('x',)\n\n\n"
        f"def asking(f):\n    @wraps(f)\n    def wrapper(*args, **kwargs):\n"
        f"        {body}\n    return wrapper\n\n\n"
        f"@asking\ndef f({head}):\n    return np.sum(x**2 * k)\n",
        tmp_path,
    )


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("name", BINDING)
def test_calls(name, head, tmp_path):
    function = made(BINDING[name], head, tmp_path)
    taken = 0
    for args, kwargs in CALLS:
        try:
            function(*args, **kwargs)
        except (TypeError, KeyError):
            continue
        want = numeric_gradient(
            lambda x: function(x, *args[1:], **kwargs), (X.copy(),), 0, 1.0
        ).value
        g = gradgen.grad(function)(*args, **kwargs)
        np.testing.assert_allclose(g, want, rtol=1e-7, atol=1e-9)
        taken += 1
    assert taken or "*" in head[1:]


@pytest.mark.parametrize("name", BINDING)
def test_texts(name, tmp_path):
    function = made(BINDING[name], HEADS[0], tmp_path)
    space = {}
    exec(gradgen.emit(function), space)
    want = numeric_gradient(function, (X.copy(),), 0, 1.0).value
    np.testing.assert_allclose(space["grad_f"](X), want, rtol=1e-7, atol=1e-9)
    # what is filled in is no question whether it was given
    told = "k" in inspect.signature(space["grad_f"]).parameters
    assert told == ("apply_defaults" in BINDING[name] or name == "kinds")


@pytest.mark.parametrize("more", [("x, k=2.0",), ("a, b=x", "a, *, k=x * x", "a, *b")])
def test_functions_of_the_text(more, tmp_path):
    for head in more:
        function = written(
            f"""import inspect

def f(x):
    def inner({head}):
        return np.sum(np.exp({head[0]}))
    bound = inspect.signature(inner).bind(x * x)
    before = len(bound.arguments)
    bound.apply_defaults()
    last = list(bound.arguments.values())[-1]
    scale = np.sum(last) if before == 1 and not isinstance(last, tuple) else 3.0
    return inner(*bound.args, **bound.kwargs) * scale
""",
            tmp_path,
        )
        want = numeric_gradient(function, (X.copy(),), 0, 1.0).value
        g = gradgen.grad(function)(X)
        np.testing.assert_allclose(g, want, rtol=1e-7, atol=1e-9)


def test_what_does_not_fit_is_refused(tmp_path):
    function = made(
        "b = inspect.signature(f).bind(*args, z=3.0)\nreturn f(*b.args)",
        "x, k=1.0",
        tmp_path,
    )
    with pytest.raises(gradgen.GradgenError, match="GG209.*'z'"):
        gradgen.emit(function)
