"""Entries at places that are written out: stored, cleared, read, and added up once."""

from random import Random

import numpy as np
import pytest

import gradgen
from gradgen.shapes.apart import written
from gradgen.verify.finite import numeric_gradient
from tests.passes.reading import Reading

MATRIX = ["0", "1", "2", "0, 1", "1, 3", "2, 2", ":, 1", ":, 2", "..., 3", "..., 0"]
VECTOR = ["0", "1", "2", "3"]


def quaternions(p, q):
    out = np.zeros(4)
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3]
    out[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2]
    out[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1]
    out[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]
    return out


def turned(p, q):
    out = np.zeros_like(q)
    out[..., 0] = p[..., 0] * q[..., 0] - p[..., 1] * q[..., 1]
    out[..., 1] = p[..., 0] * q[..., 1] + p[..., 1] * q[..., 0]
    return out


def text_of(function, shape):
    return gradgen.emit(function, wrt=("p", "q"), shapes={"p": shape, "q": shape})


def run(text, name, *args):
    namespace = {}
    exec(text, namespace)
    return namespace[name](*args)


@pytest.mark.parametrize(("function", "shape"), [(quaternions, "4"), (turned, "n 2")])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_each_entry_is_read_where_it_stands_and_stored_once(function, shape, dtype):
    text = text_of(function, shape)
    assert "copy" not in text and " g" not in text.partition("Grad of")[2], text
    assert "+=" not in text
    size = (4,) if shape == "4" else (3, 2)
    p, q, seed = (np.random.default_rng(i).normal(size=size) for i in range(3))
    given = [one.astype(dtype) for one in (p, q, seed)]
    found = run(text, f"grad_{function.__name__}", *given)
    for i, one in enumerate(found):
        assert one.dtype == dtype and one.shape == size
        want = numeric_gradient(function, [p, q], i, seed).value
        near = 1e-8 if dtype is np.float64 else 1e-5
        np.testing.assert_allclose(one, want, rtol=near, atol=near)


def program(random, places, kind):
    """A program that stores at places, and reads of them before and afterwards."""
    value = ["c * a", "np.sin(b)", "a * b", "c", "0", "a + 2 * b"]
    lines = [f"y = np.zeros({'(3, 4)' if kind == 'matrix' else 4})"]
    for _ in range(random.randint(2, 6)):
        place = random.choice(places)
        other = random.choice(places)
        what = random.choice([*value, f"np.sum(y[{other}]) * a"])
        if place == other or random.random() < 0.2:
            what = f"y[{place}] * b + {what}"
        lines.append(f"y[{place}] = {what}")
        if random.random() < 0.2:
            lines.append("s += np.sum(y) * c")
    ending = random.choice(["y", "y * c", f"y[{random.choice(places)}] + s", "y + s"])
    body = ["s = a * 1.0", *filter(None, lines), f"return {ending}"]
    return "import numpy as np\n\n\ndef f(a, b, c):\n    " + "\n    ".join(body) + "\n"


@pytest.mark.parametrize("seed", range(40))
def test_random_stores_and_reads_of_places(seed, tmp_path):
    random = Random(f"places {seed}")
    kind = random.choice(["matrix", "vector"])
    text = program(random, MATRIX if kind == "matrix" else VECTOR, kind)
    args = [0.7, -1.3, 0.4]
    primal = {}
    exec(text, primal)
    out = primal["f"](*args)
    file = tmp_path / "program.py"
    file.write_text(text)
    facts = {"a": "", "b": "", "c": ""}
    emitted = gradgen.emit(f"{file}:f", ("a", "b", "c"), shapes=facts)
    weights = np.cos(np.arange(np.size(out))).reshape(np.shape(out))
    before = weights.copy()
    found = run(emitted, "grad_f", *args, weights[()])
    np.testing.assert_array_equal(weights, before)
    for i, one in enumerate(found):
        want = numeric_gradient(primal["f"], args, i, weights).value
        np.testing.assert_allclose(one, want, rtol=1e-7, atol=1e-9, err_msg=text)


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("X[1]", ((True,), (1,))),
        ("X[0, 2]", ((True, True), (0, 2))),
        ("X[:, 2]", ((False, True), (2,))),
        ("X[..., 2]", ((False, True), (2,))),
        ("X[-1]", None),
        ("X[1:]", None),
        ("X[:]", None),
        ("X[None, 1]", None),
        ("X[k]", None),
    ],
)
def test_the_place_of_a_key(key, place):
    function = Reading({"k": ""}, frozenset()).function(f"y = {key}\nreturn y")
    assert written(function.body[0].value.args[1]) == place
