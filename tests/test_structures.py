"""Results and arguments that are containers, and results left in arguments."""

import copy
import re

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.frontend import writing
from tests.refusals import refusal

rng = np.random.default_rng(5)


def written(text, tmp_path, function=None):
    """The function of the text, the first unless it is named."""
    name = function or re.search(r"^def (\w+)", text, re.M).group(1)
    return writing.written(text, tmp_path, function=name)


X = rng.uniform(0.3, 1.5, 5)
FACT = {"x": "n"}

STATS = """
def stats(x):
    mean = np.mean(x)
    var = np.mean((x - mean) ** 2)
    return mean, var
"""
MANY = """
def many(x):
    if x[0] > 1:
        return {"loss": np.sum(x**2), "parts": [np.sin(x), x[1]], "n": len(x)}
    return {"loss": np.sum(x), "parts": [np.cos(x), x[2]], "n": len(x)}
"""
AUX = """
def aux(x):
    y = np.sin(x)
    return np.sum(y * x), {"y": y, "rounds": 3, "note": "done", "none": None}
"""


def weighted(f, flatten, seeds):
    """sum(seed * leaf) of the leaves of f's result."""

    def total(*args):
        return sum(np.sum(s * v) for s, v in zip(seeds, flatten(f(*args)), strict=True))

    return total


def agrees(got, f, args, i=0):
    want = numeric_gradient(f, list(args), i).value
    assert np.shape(got) == np.shape(args[i])
    assert np.asarray(got).dtype == np.asarray(args[i]).dtype
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)


def leaves_of_many(value):
    return [value["loss"], *value["parts"]]


@pytest.mark.parametrize("facts", [FACT, None])
def test_a_tuple_of_results_has_a_seed_each(tmp_path, facts):
    f = written(STATS, tmp_path)
    total = weighted(f, list, (0.7, -1.3))
    agrees(gradgen.grad(f, shapes=facts)(X, seed=(0.7, -1.3)), total, [X])
    value, d_x = gradgen.value_and_grad(f, shapes=facts)(X, seed=(0.7, -1.3))
    assert value == f(X)
    agrees(d_x, total, [X])
    value, pullback = gradgen.vjp(f, shapes=facts)(X)
    assert value == f(X)
    for _ in range(2):
        agrees(pullback((0.7, -1.3)), total, [X])


def test_the_emitted_texts_name_the_seeds(tmp_path):
    f = written(STATS, tmp_path)
    assert "def grad_stats(x, d_mean, d_var):" in gradgen.emit(f, shapes=FACT)
    text = gradgen.emit(f, shapes=FACT, style="callback")
    assert "def backprop(d_mean, d_var):" in text
    assert "return (mean, var), backprop" in text
    text = gradgen.emit(f, shapes=FACT, value=True)
    assert "return (mean, var), d_x" in text
    line = "Shapes: x (n), d_mean (), d_var () -> mean (), var (), d_x (n)"
    assert line in text


@pytest.mark.parametrize("first", [0.5, 1.4])
def test_nested_results_of_several_returns(tmp_path, first):
    f = written(MANY, tmp_path)
    x = X.copy()
    x[0] = first
    seeds = 0.5, rng.uniform(0.5, 1.5, 5), -2.0
    seed = {"loss": seeds[0], "parts": [seeds[1], seeds[2]], "n": None}
    total = weighted(f, leaves_of_many, seeds)
    value, d_x = gradgen.value_and_grad(f, shapes=FACT)(x, seed=seed)
    assert value["n"] == 5 and list(value) == ["loss", "parts", "n"]
    assert isinstance(value["parts"], list)
    assert np.array_equal(value["parts"][0], f(x)["parts"][0])
    agrees(d_x, total, [x])
    _, pullback = gradgen.vjp(f, shapes=FACT)(x)
    agrees(pullback(seed), total, [x])


def test_none_as_a_seed_is_zeros_and_a_number_fills(tmp_path):
    f = written("def f(x):\n    return np.sin(x), x * 2", tmp_path)
    g = gradgen.grad(f, shapes=FACT)
    assert np.allclose(g(X, seed=(None, 3.0)), 6.0)
    assert np.allclose(g(X, seed=(1.0, None)), np.cos(X))


def test_a_leaf_that_does_not_depend_on_wrt_keeps_its_seed(tmp_path):
    f = written("def f(x, y):\n    a = x * 2\n    b = y * 3\n    return a, b", tmp_path)
    text = gradgen.emit(f, shapes={"x": "n", "y": "n"})
    assert "def grad_f(x, y, d_a, d_b):" in text
    assert np.allclose(gradgen.grad(f)(X, X, seed=(1.0, 1.0)), 2)


def test_one_value_twice_and_an_argument_handed_on(tmp_path):
    f = written("def f(x):\n    y = np.sin(x)\n    return y, y, x", tmp_path)
    seeds = [rng.uniform(0.5, 1.5, 5) for _ in range(3)]
    got = gradgen.grad(f, shapes=FACT)(X, seed=tuple(seeds))
    agrees(got, weighted(f, list, seeds), [X])


def test_an_array_changed_after_it_was_put_into_the_result(tmp_path):
    f = written(
        "def f(x):\n    y = x * 2\n    both = [y, np.sum(y)]\n    y[0] = x[1] ** 2\n"
        "    return both",
        tmp_path,
    )
    seeds = rng.uniform(0.5, 1.5, 5), 0.3
    got = gradgen.grad(f, shapes=FACT)(X, seed=list(seeds))
    agrees(got, weighted(f, list, seeds), [X])


def test_return_inside_a_loop(tmp_path):
    f = written(
        "def f(x, n):\n    s = np.sum(x)\n    for i in range(n):\n        s = s * x[i]\n"
        "        if s < 1:\n            return s, x * i\n    return s, x * 2.0",
        tmp_path,
    )
    seeds = 0.7, rng.uniform(0.5, 1.5, 5)
    for x in (X, X + 1):
        got = gradgen.grad(f, shapes=FACT)(x, 4, seed=seeds)
        agrees(got, weighted(f, list, seeds), [x, 4])


def test_results_of_a_function_with_several_of_them(tmp_path):
    f = written("def f(A):\n    return np.linalg.eigh(A)", tmp_path)
    A = rng.uniform(0.5, 1.5, (3, 3))
    A = A + A.T
    g = gradgen.value_and_grad(f, shapes={"A": "n n"})
    value, _ = g(A, seed=(np.ones(3), np.zeros((3, 3))))
    assert np.array_equal(value[0], np.linalg.eigh(A)[0])


def test_aux_is_handed_on_and_has_no_seed(tmp_path):
    f = written(AUX, tmp_path)
    text = gradgen.emit(f, shapes=FACT, value=True, has_aux=True)
    assert "def value_and_grad_aux(x, d_out=1.0):" in text and "--aux" in text
    (value, aux), d_x = gradgen.value_and_grad(f, shapes=FACT, has_aux=True)(X)
    assert value == f(X)[0] and np.array_equal(aux["y"], np.sin(X))
    assert (aux["rounds"], aux["note"], aux["none"]) == (3, "done", None)
    agrees(d_x, lambda x: f(x)[0], [X])
    agrees(gradgen.grad(f, shapes=FACT, has_aux=True)(X), lambda x: f(x)[0], [X])
    _, pullback = gradgen.vjp(f, shapes=FACT, has_aux=True)(X)
    agrees(pullback(), lambda x: f(x)[0], [X])


# arguments

LAYER = """
def layer(params, x):
    W, b = params
    return np.sum(np.tanh(x @ W + b))
"""
KEYS = """
def layer(params, x):
    return np.sum(np.tanh(x @ params["W"] + params["b"]))
"""
DEEP = """
def deep(layers, x):
    for W, b in layers[:-1]:
        x = np.tanh(x @ W + b)
    W, b = layers[-1]
    return np.sum(x @ W + b)
"""
RECORD = """
from typing import NamedTuple
from dataclasses import dataclass


class Pair(NamedTuple):
    W: np.ndarray
    b: np.ndarray


@dataclass
class Net:
    pair: Pair
    scale: float
    rounds: int
    kind: str = "tanh"


def layer(params: Pair, x):
    return np.sum(np.tanh(x @ params.W + params.b))


def net(p: Net, x):
    W, b = p.pair
    for i in range(p.rounds):
        x = np.tanh(x @ W + b) * p.scale
    return np.sum(x)
"""
W, B = rng.uniform(-1, 1, (4, 3)), rng.uniform(-1, 1, 3)
SQUARE = rng.uniform(-1, 1, (3, 3))
XS = rng.uniform(-1, 1, (2, 4))
FORMS = [
    (LAYER, (W, B), ("n m", "m"), tuple),
    (LAYER, [W, B], ["n m", "m"], list),
    (KEYS, {"W": W, "b": B}, {"W": "n m", "b": "m"}, lambda d: [d["W"], d["b"]]),
]


@pytest.mark.parametrize("text, params, fact, leaves", FORMS)
@pytest.mark.parametrize("how", ["fact", "text", "example", "unknown"])
def test_a_container_gets_a_gradient_of_its_structure(
    tmp_path, text, params, fact, leaves, how
):
    f = written(text, tmp_path)
    options = {"shapes": {"params": fact, "x": "k n"}}
    if how == "text":
        options["shapes"]["params"] = repr(fact)
    if how == "example":
        options = {"example": (params, XS)}
    if how == "unknown":
        nothing = (
            dict.fromkeys(fact) if isinstance(fact, dict) else type(fact)((None,) * 2)
        )
        options["shapes"] = {"params": nothing}
    build = (lambda w, b: {"W": w, "b": b}) if isinstance(params, dict) else None
    build = build or (lambda w, b: type(params)((w, b)))
    got = gradgen.grad(f, **options)(params, XS)
    assert type(got) is type(params)
    for i, leaf in enumerate(leaves(got)):
        agrees(leaf, lambda w, b: f(build(w, b), XS), [W, B], i)
    d_p, d_x = gradgen.grad(f, ("params", "x"), **options)(params, XS)
    agrees(d_x, lambda x: f(params, x), [XS])
    _, pullback = gradgen.vjp(f, **options)(params, XS)
    assert np.array_equal(leaves(pullback())[0], leaves(got)[0])


BARE = """
from typing import Tuple
from dataclasses import dataclass


@dataclass
class Bare:
    w: np.ndarray
    parts: Tuple


def bare(p: Bare, x):
    return np.sum(np.sin(p.w) * x)
"""


def test_a_field_of_a_bare_typing_tuple_tells_nothing(tmp_path):
    f = written(BARE, tmp_path)
    Bare = f.__globals__["Bare"]
    got = gradgen.grad(f)(Bare(X, np.ones(2)), X)
    agrees(got.w, lambda w: f(Bare(w, None), X), [X])
    assert np.array_equal(got.parts, np.zeros(2))


def test_layers_of_known_length_are_written_out(tmp_path):
    f = written(DEEP, tmp_path)
    layers = [(W, B), (SQUARE, B), (SQUARE[:, :2], B[:2])]
    got = gradgen.grad(f, example=(layers, XS))(layers, XS)
    assert isinstance(got, list) and isinstance(got[0], tuple)
    for i in range(3):

        def one(w, i=i):
            new = [(w, b) if k == i else (v, b) for k, (v, b) in enumerate(layers)]
            return f(new, XS)

        agrees(got[i][0], one, [layers[i][0]])


def test_records_give_records(tmp_path):
    f = written(RECORD, tmp_path, "layer")
    Pair, Net = f.__globals__["Pair"], f.__globals__["Net"]
    got = gradgen.grad(f)(Pair(W, B), XS)
    assert type(got) is Pair
    agrees(got.W, lambda w: f(Pair(w, B), XS), [W])
    net = f.__globals__["net"]
    p = Net(Pair(SQUARE, B), 0.7, 2)
    x = XS[:, :3]
    got = gradgen.grad(net, shapes={"p": 'Net(pair=Pair(W="n n", b="n"))'})(p, x)
    assert type(got) is Net and type(got.pair) is Pair
    assert got.rounds is None and got.kind is None
    agrees(got.pair.W, lambda w: net(Net(Pair(w, B), 0.7, 2), x), [SQUARE])
    agrees(got.scale, lambda s: net(Net(Pair(SQUARE, B), s, 2), x), [0.7])
    assert p.scale == 0.7 and p.rounds == 2


def test_a_leaf_changed_under_another_name_stays_as_it_was(tmp_path):
    f = written(
        "def f(params, x):\n    W, b = params\n    b += x\n    return np.sum(W * b * b)",
        tmp_path,
    )
    one, two = X.copy(), X[::-1].copy()
    before = two.copy()
    options = {"params": ("n", "n"), "x": "n"}
    got = gradgen.grad(f, shapes=options)((one, two), X)
    assert np.array_equal(two, before)
    agrees(got[1], lambda b: f((one, b), X), [two])


def test_the_structure_is_checked_at_the_call(tmp_path):
    g = gradgen.grad(written(LAYER, tmp_path), shapes={"params": ("n m", "m")})
    for wrong in ((W,), (W, B, B), (W, B[:2]), W):
        with pytest.raises(GradgenError):
            g(wrong, XS)


# results in arguments

JACOBI = """
def jacobi(A, B, n):
    for t in range(n):
        B[1:-1] = (A[:-2] + A[1:-1] * A[2:]) / 3
        A[1:-1] = (B[:-2] + B[1:-1] * B[2:]) / 3
"""
BESIDES = """
def step(A, x):
    A[0] = x * A[1]
    return np.sum(A)
"""


@pytest.mark.parametrize("facts", [{"A": "n", "B": "n"}, {}])
def test_results_left_in_arguments(tmp_path, facts):
    f = written(JACOBI, tmp_path)
    A, B_ = rng.uniform(0.5, 1.5, (2, 6))
    before = A.copy(), B_.copy()
    seeds = rng.uniform(0.5, 1.5, (2, 6))

    def left(a, b, seeds=seeds):
        f(a, b, 3)
        return np.sum(seeds[0] * a) + np.sum(seeds[1] * b)

    options = {"wrt": ("A", "B"), "of": ("A", "B"), "shapes": facts}
    got = gradgen.grad(f, **options)(A, B_, 3, seed=tuple(seeds))
    value, got = gradgen.value_and_grad(f, **options)(A, B_, 3, seed=tuple(seeds))
    assert np.array_equal(A, before[0]) and np.array_equal(B_, before[1])
    for i in range(2):
        agrees(got[i], left, [A, B_], i)
    final = A.copy(), B_.copy()
    f(*final, 3)
    assert np.array_equal(value[0], final[0]) and np.array_equal(value[1], final[1])
    value, pullback = gradgen.vjp(f, **options)(A, B_, 3)
    for _ in range(2):
        agrees(pullback(tuple(seeds))[1], left, [A, B_], 1)
    only = gradgen.grad(f, "B", of="A", shapes=facts)(A, B_, 3)
    agrees(only, lambda a, b: left(a, b, (1.0, 0.0)), [A, B_], 1)
    assert np.array_equal(A, before[0])


def test_an_argument_besides_the_result(tmp_path):
    f = written(BESIDES, tmp_path)
    A = X.copy()
    seeds = 0.4, rng.uniform(0.5, 1.5, 5)

    def both(a, x):
        value = f(a, x)
        return seeds[0] * value + np.sum(seeds[1] * a)

    options = {"of": "A", "shapes": {"A": "n", "x": ""}}
    g = gradgen.value_and_grad(f, ("A", "x"), **options)
    value, (d_A, d_x) = g(A, 0.8, seed=seeds)
    agrees(d_A, both, [A, 0.8])
    agrees(d_x, both, [A, 0.8], 1)
    assert len(value) == 2 and value[1][0] == 0.8 * A[1]
    assert "what step returns and leaves in A" in gradgen.emit(f, **options)


# refusals


def test_what_is_refused(tmp_path):
    f = written(JACOBI, tmp_path)
    error = refusal(f)
    assert error.code == "GG111" and "--of A,B" in str(error)
    assert refusal(f, of="n").code == "GG029"
    assert refusal(f, of="C").code == "GG002"
    f = written(STATS, tmp_path)
    with pytest.raises(GradgenError) as caught:
        gradgen.grad(f, shapes=FACT)(X)
    assert caught.value.code == "GG506" and "seed=(d_0, d_1)" in str(caught.value)
    with pytest.raises(GradgenError):
        gradgen.grad(f, shapes=FACT)(X, seed=(1.0,))
    assert "d_x" in gradgen.emit(f, mode="forward")


@pytest.mark.parametrize(
    "line",
    [
        'params["W"] = params["W"] * 2',
        'params["W"] += 1.0',
        'params["W"][1] = 0.5',
        'params["c"] = x',
        "params.update(W=params['W'] * params['b'])",
        'params.setdefault("W", 3.0)',
        'w = params.pop("b"); params["W"] = w * params["W"]',
        'if len(params) == 2: params["W"] = params["W"] * x',
        'own = params; own["W"] = x * own["W"]',
    ],
)
def test_an_argument_is_stored_into_and_stays_as_it_is(tmp_path, line):
    line = line.replace("; ", "\n    ")
    text = f"def f(params, x):\n    {line}\n    return np.sum(params['W'] ** 2 * x)"
    f = written(text, tmp_path)
    given = {"W": np.array([0.5, -1.0, 2.0]), "b": np.array([2.0, 3.0, -1.0])}
    x, names = np.array([1.5, 0.5, -0.7]), {}
    before = copy.deepcopy(given)
    exec(gradgen.emit(f, example=(given, x)), names)
    for found in (gradgen.grad(f)(given, x), names["grad_f"](given, x)):
        for key in given:

            def moved(value):
                return f(copy.deepcopy(given) | {key: value}, x)

            want = numeric_gradient(moved, [given[key].copy()], 0)
            np.testing.assert_allclose(found[key], want.value, rtol=1e-7, atol=1e-9)
    assert all(np.array_equal(before[key], given[key]) for key in given)
    assert before.keys() == given.keys()


@pytest.mark.parametrize(
    "line, code",
    [
        ('x = params["c"]', "GG240"),
        ('TABLE["W"] = x', "GG230"),
        ('params = TABLE; params["W"] = x', "GG230"),
    ],
)
def test_what_is_no_argument_is_not_stored_into(tmp_path, line, code):
    line = line.replace("; ", "\n    ")
    text = "TABLE = {'W': 1.0}\n\n\n"
    text += f"def f(params, x):\n    {line}\n    return np.sum(params['W'] * x)"
    f = written(text, tmp_path)
    facts = {"params": {"W": "n", "b": "n"}, "x": "n"}
    assert refusal(f, shapes=facts).code == code


ALL_KEYS = {
    "gone over": "return sum(np.sum(p**2) for p in params.values())",
    "gone over by keys": "return sum([np.sum(params[k] ** 2) for k in params])",
    "copied": "own = {**params}; return sum(np.sum(p**2) for k, p in own.items())",
    "counted": "return np.sum(params['a'] ** 2) / len(params)",
    "asked for": "return np.sum(params['a'] ** 2) * (2.0 if 'c' in params else 1.0)",
    "with a default": "return np.sum(params['a'] ** 2) * np.sum(params.get('c', 1.0))",
    "a copy of it": "own = dict(params); return np.sum(own['a'] * own.get('c', 1.0))",
}


@pytest.mark.parametrize("name", ALL_KEYS)
def test_a_text_raises_for_keys_that_it_is_not_made_for(name, tmp_path):
    f = written(
        "def f(params):\n    " + ALL_KEYS[name].replace("; ", "\n    "), tmp_path
    )
    names = {}
    given = {"a": np.array([0.5, 2.0]), "b": np.array([2.0])}
    exec(gradgen.emit(f, example=(given,)), names)
    want, found = gradgen.grad(f)(given), names["grad_f"](given)
    assert all(np.allclose(want[key], found[key]) for key in given)
    with pytest.raises(ValueError, match="params"):
        names["grad_f"](given | {"c": np.array([3.0])})


def test_unlike_structures_are_refused(tmp_path):
    f = written(
        "def f(x):\n    if x[0] > 0:\n        return x, x\n    return x * 2", tmp_path
    )
    assert refusal(f, shapes=FACT).code == "GG222"
    f = written("def f(x):\n    return len(x), None", tmp_path)
    assert refusal(f, shapes=FACT).code == "GG501"


def test_a_list_that_a_loop_fills_as_result(tmp_path):
    f = written(
        "def f(x):\n    out = []\n    for i in range(len(x)):\n"
        "        out.append(x[i] ** 2)\n    return out",
        tmp_path,
    )
    g = gradgen.grad(f, shapes=FACT)
    assert np.allclose(g(X), 2 * X)
    seed = [1.0, 2.0, 3.0, 4.0, 5.0]
    assert np.allclose(g(X, seed=seed), 2 * X * seed)
    assert seed == [1.0, 2.0, 3.0, 4.0, 5.0]


def test_a_setting_handed_on_has_no_seed(tmp_path):
    f = written(
        "def f(x, mode='a', n: int = 3):\n    return x**2, mode, n, None", tmp_path
    )
    value, d_x = gradgen.value_and_grad(f, shapes=FACT)(X)
    assert value[1:] == ("a", 3, None)
    assert np.allclose(d_x, 2 * X)


@pytest.mark.parametrize(
    "read, facts, code",
    [
        ("params.W", None, "GG245"),
        ("params.W", {"params": {"W": "n"}}, "GG240"),
    ],
)
def test_a_structure_that_is_not_told(tmp_path, read, facts, code):
    f = written(f"def f(params, x):\n    return np.sum({read} * x)", tmp_path)
    assert refusal(f, shapes=facts).code == code


def test_forward_mode_takes_whole_containers_and_one_dtype(tmp_path):
    f = written(KEYS, tmp_path)
    facts = {"params": {"W": "n m", "b": "m"}, "x": "k n"}
    along = {"W": np.cos(W), "b": np.sin(B)}
    found = gradgen.jvp(f, shapes=facts)({"W": W, "b": B}, XS, along)[1]
    step = 1e-6
    ends = [
        f({"W": W + s * along["W"], "b": B + s * along["b"]}, XS) for s in (-step, step)
    ]
    assert np.allclose(found, (ends[1] - ends[0]) / (2 * step), rtol=1e-7, atol=1e-7)
    g = gradgen.grad(f, shapes=facts)
    with pytest.raises(GradgenError):
        g({"W": W + 1j, "b": B}, XS)
    with pytest.raises(GradgenError):
        g({"W": np.ones((4, 3), int), "b": B}, XS)
    got = g({"W": W.astype("f"), "b": B.astype("f")}, XS.astype("f"))
    assert got["W"].dtype == np.float32 and got["b"].dtype == np.float32


HELD = {
    "in a list": "held = [opts]; opts['a'] = x * 2; return np.sum(held[0]['a'] * x)",
    "in a default": "g = lambda o=opts: o['a']; opts['a'] = x * 2; return np.sum(g() * x)",
    "in a partial": "g = partial(np.add, opts['a']); opts['a'] = x; return np.sum(g(x))",
    "by a closure": "g = lambda: opts['a']; opts['a'] = x * 2; return np.sum(g() * x)",
    "by another name": "o = opts; opts['a'] = x * 2; return np.sum(o['a'] * x)",
}


@pytest.mark.parametrize("name", HELD)
def test_what_else_holds_a_stored_dictionary_sees_it_or_it_is_refused(name, tmp_path):
    body = HELD[name].replace("; ", "\n    ")
    text = f"from functools import partial\n\n\ndef f(x, opts):\n    {body}"
    f = written(text, tmp_path)
    x, opts = np.array([0.5, -1.0]), {"a": np.array([2.0, 3.0])}
    want = numeric_gradient(lambda z: f(z, dict(opts)), [x], 0).value
    try:
        found = gradgen.grad(f)(x, opts)
    except GradgenError as error:
        assert "GG230" in str(error)
    else:
        np.testing.assert_allclose(found, want, rtol=1e-7)


def test_two_arguments_that_are_one_dictionary(tmp_path):
    text = "def f(x, a, b):\n    b['w'] = x * 2\n    return np.sum(a['w'] * x)"
    f = written(text, tmp_path)
    x, one = np.array([0.5, -1.0]), {"w": np.array([2.0, 3.0])}
    np.testing.assert_allclose(gradgen.grad(f)(x, one, dict(one)), one["w"])
    with pytest.raises(ValueError, match="one dictionary"):
        gradgen.grad(f)(x, one, one)
