"""Texts of functions whose arguments are containers, where nothing tells that.

The parts are measured by central differences, for arguments of several shapes.
"""

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

rng = np.random.default_rng(3)


def R(*shape):
    return rng.normal(size=shape)


SOURCE = """
def forward(p, x):
    h = np.tanh(x @ p["W1"] + p["b1"])
    return h @ p["W2"] + p["b2"]


def layer(p, x):
    W, b = p
    return np.tanh(x @ W + b)


def pair(p, x):
    W, b = p
    return np.sum(np.tanh(x @ W + b))


def by_place(p, x):
    return np.sum(np.tanh(x @ p[0] + p[1]) @ p[2] + p[3])


def nested(p, x):
    (W1, b1), (W2, b2) = p
    return np.sum(np.tanh(x @ W1 + b1) @ W2 + b2)


def called(p, x):
    first, second = p
    return np.sum(layer(second, layer(first, x)) ** 2)


def matrices(p, R):
    U, V = p
    return np.sum((R - U @ V.T) ** 2)


def logistic(p, x):
    w, b = p
    return np.mean(np.log1p(np.exp(-(x @ w + b))))


def gaussian(p, x):
    mean, S = p
    d = x - mean
    return np.sum(d.T * np.linalg.solve(S, d.T)) + np.linalg.slogdet(S)[1]


def keys(p, x):
    return np.mean(forward(p, x) ** 2) + 0.1 * np.sum(p["W1"] ** 2)


def keys_inside(p, x):
    out = np.tanh(x @ p["l1"]["W"] + p["l1"]["b"])
    return np.sum(out @ p["l2"]["W"])


def pairs_under_keys(p, x):
    return np.sum(layer(p["second"], layer(p["first"], x)) ** 2)
"""
W, b, V, c = (3, 4), (4,), (4, 2), (2,)
CASES = {
    "pair": lambda: ((R(*W), R(*b)), R(5, 3)),
    "by_place": lambda: ((R(*W), R(*b), R(*V), R(*c)), R(5, 3)),
    "nested": lambda: (((R(*W), R(*b)), (R(*V), R(*c))), R(5, 3)),
    "called": lambda: (((R(*W), R(*b)), (R(*V), R(*c))), R(5, 3)),
    "matrices": lambda: ((R(6, 2), R(3, 2)), R(6, 3)),
    "logistic": lambda: ((R(3), 0.5), R(6, 3)),
    "gaussian": lambda: ((R(3), np.eye(3) * 2 + 0.1), R(6, 3)),
    "keys": lambda: (dict(W1=R(*W), b1=R(*b), W2=R(*V), b2=R(*c)), R(5, 3)),
    "keys_inside": lambda: (dict(l1=dict(W=R(*W), b=R(*b)), l2=dict(W=R(*V))), R(5, 3)),
    "pairs_under_keys": lambda: (
        dict(first=(R(*W), R(*b)), second=(R(*V), R(*c))),
        R(5, 3),
    ),
}


def steps(value):
    return value.items() if isinstance(value, dict) else enumerate(value)


def measured(f, value):
    """The gradient of f in a container of arrays, in its form."""
    if isinstance(value, dict):
        return {
            k: measured(lambda one, k=k: f({**value, k: one}), part)
            for k, part in value.items()
        }
    if isinstance(value, tuple):
        return tuple(
            measured(lambda one, i=i: f((*value[:i], one, *value[i + 1 :])), part)
            for i, part in enumerate(value)
        )
    found, h = np.zeros(np.shape(value)), 1e-5
    for place in np.ndindex(found.shape):
        step = np.zeros(found.shape)
        step[place] = h
        found[place] = (f(value + step) - f(value - step)) / (2 * h)
    return found


def agree(found, wanted):
    assert isinstance(found, type(wanted)) or np.ndim(wanted) == 0
    if isinstance(wanted, (dict, tuple)):
        assert len(found) == len(wanted)
        for key, part in steps(wanted):
            agree(found[key], part)
    else:
        assert np.shape(found) == np.shape(wanted)
        np.testing.assert_allclose(found, wanted, 1e-6, 1e-8)


@pytest.mark.parametrize("name", CASES)
def test_the_gradient_has_the_form_of_the_argument(name, tmp_path):
    f = written(SOURCE, tmp_path, function=name)
    text = gradgen.emit(f)
    assert "Assumed: p is a " in text
    names: dict = {}
    exec(text, names)
    p, x = CASES[name]()
    wanted = measured(lambda p: f(p, x), p)
    agree(names[f"grad_{name}"](p, x), wanted)
    agree(gradgen.grad(f)(p, x), wanted)


REFUSED = {
    "a loop": "for W, b in p:\n        x = np.tanh(x @ W + b)\n    return np.sum(x)",
    "all but the last": "for W, b in p[:-1]:\n        x = np.tanh(x @ W + b)\n"
    "    W, b = p[-1]\n    return np.sum(x @ W + b)",
    "by an index": "for i in range(len(p)):\n        W, b = p[i]\n        x = x @ W + b\n"
    "    return np.sum(x)",
    "a rest": "W, b, *rest = p\n    return np.sum(x @ W + b)",
    "all keys": "return np.sum(x @ p['W']) + sum(np.sum(v ** 2) for v in p.values())",
    "names of keys": "return np.sum(x @ p['W']) + sum(np.sum(p[k]) for k in p)",
    "how many": "return np.sum(x @ p['W']) * len(p)",
}


@pytest.mark.parametrize("name", REFUSED)
def test_how_many_parts_there_are_has_to_be_told(name, tmp_path):
    f = written(f"def f(p, x):\n    {REFUSED[name]}\n", tmp_path)
    with pytest.raises(gradgen.GradgenError, match="GG245"):
        gradgen.emit(f)


def test_the_advice_is_taken(tmp_path):
    f = written(f"def f(p, x):\n    {REFUSED['all but the last']}\n", tmp_path)
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.emit(f)
    fact = caught.value.advice.partition("'")[2].partition("'")[0]
    names: dict = {}
    exec(gradgen.emit(f, shapes={"p": fact}), names)
    p, x = ((R(3, 4), R(4)), (R(4, 2), R(2))), R(5, 3)
    wanted = measured(lambda p: f(p, x), p)
    for found, one in zip(names["grad_f"](list(p), x), wanted):
        agree(found, one)


def test_an_array_that_a_loop_takes_matrices_from(tmp_path):
    f = written(
        """
        def f(Ws, x):
            for W in Ws:
                x = np.tanh(x @ W)
            return np.sum(x)
        """,
        tmp_path,
    )
    names: dict = {}
    exec(gradgen.emit(f), names)
    Ws, x = R(2, 3, 3), R(4, 3)
    agree(names["grad_f"](Ws, x), measured(lambda Ws: f(Ws, x), Ws))
    with pytest.raises(ValueError, match="Ws is taken for an array"):
        names["grad_f"]([R(3, 2), R(2, 4)], x)


@pytest.mark.parametrize(
    "body",
    [
        "x, y = p\n    return (1 - x) ** 2 + 100 * (y - x * x) ** 2",
        "a, b = p\n    return np.sum((a - b) ** 2)",
        "return p[0] * p[1] ** 2",
        "a, *b, c = p\n    return a * c + sum([v ** 2 for v in b])",
        "return np.sum(p[0] @ p[1]) + np.sum(p)",
    ],
)
def test_rows_of_an_array_are_none(body, tmp_path):
    f = written(f"def f(p):\n    {body}\n", tmp_path)
    text = gradgen.emit(f)
    assert "Assumed" not in text or "p is a vector." in text  # of numbers: a, *b, c


def test_rows_that_a_loop_takes_are_alike(tmp_path):
    f = written(
        """
        def f(A):
            s = 0.0
            for v in A:
                s += np.dot(v, v)
            return s * np.sum(A[-1] ** 3)
        """,
        tmp_path,
    )
    names: dict = {}
    exec(gradgen.emit(f), names)
    A = R(4, 3)
    agree(names["grad_f"](A), measured(f, A))


def test_general_assumes_nothing(tmp_path):
    f = written(SOURCE, tmp_path, function="pair")
    assert "Assumed" not in gradgen.emit(f, general=True)


GONE_THROUGH = [
    'k.startswith("W")',
    'k.endswith("1")',
    '"W" in k',
    "len(k) == 2",
    'k[0] == "W"',
    'k[-1:] == "2"',
    'k != "b1"',
    "k[1:].isdigit()",
    'k.lower() != "b1"',
    'k > "W"',
]


@pytest.mark.parametrize("wanted", GONE_THROUGH)
def test_keys_that_are_gone_through_have_to_be_told(wanted, tmp_path):
    f = written(
        f"""
        def f(p, x):
            h = np.tanh(x @ p["W1"] + p["b1"]) @ p["W2"] + p["b2"]
            return np.sum(h * h) + sum(np.sum(v * v) for k, v in p.items() if {wanted})
        """,
        tmp_path,
    )
    with pytest.raises(gradgen.GradgenError, match="GG245.*which keys it has"):
        gradgen.emit(f)
    p = {"W1": R(3, 4), "b1": R(4), "W2": R(4, 2), "b2": R(2), "W3": R(2)}
    x = R(5, 3)
    found = gradgen.grad(f)(p, x)
    assert list(found) == list(p)
    for key in p:
        want = measured(lambda one, key=key: f({**p, key: one}, x), p[key])
        agree(found[key], want)


def test_keys_are_in_the_order_that_they_are_read(tmp_path):
    f = written(
        """
        def f(p, x):
            h = np.tanh(x @ p["W1"] + p["b1"]) @ p["W2"] + p["b2"]
            return np.sum(h * h)
        """,
        tmp_path,
    )
    text = gradgen.emit(f)
    assert 'return {"W1": d_W1, "b1": d_b1, "W2": d_W2, "b2": d_b2}' in text


def test_leaves_of_a_dictionary_are_called_what_their_keys_are(tmp_path):
    f = written(
        """
        def f(p, x):
            total = 0.0
            for k, v in p.items():
                total = total + np.sum(v * v)
            return total + np.sum(np.tanh(x @ p["W"] + p["b"]))
        """,
        tmp_path,
    )
    text = gradgen.emit(f, shapes={"p": '{"W": "n d", "b": "d"}', "x": "k n"})
    assert 'W, b = p["W"], p["b"]' in text and 'return {"W": d_W, "b": d_b}' in text
    p, x = {"W": R(3, 2), "b": R(2)}, R(4, 3)
    names: dict = {}
    exec(text, names)
    found = names["grad_f"](p, x)
    for key in p:
        want = measured(lambda one, key=key: f({**p, key: one}, x), p[key])
        agree(found[key], want)
