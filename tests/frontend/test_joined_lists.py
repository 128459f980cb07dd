"""Lists that a loop fills in np.vstack, np.stack along an axis, and their kin."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

JOINED = {
    "number": ["np.vstack(r)", "np.hstack(r)"],
    "vector": [
        "np.stack(r, axis=1)",
        "np.stack(r, axis=-1)",
        "np.vstack(r)",
        "np.column_stack(r)",
        "np.dstack(r)",
    ],
    "matrix": [
        "np.stack(r, axis=1)",
        "np.stack(r, axis=2)",
        "np.stack(r, axis=-3)",
        "np.dstack(r)",
    ],
}
CASES = [(entry, text) for entry, texts in JOINED.items() for text in texts]
TEXT = """
def f(x):
    r = []
    for t in range(len(x)):
        r.append({entry})
    joined = {joined}
    return np.sum(joined**2 * np.arange(joined.size).reshape(joined.shape))
"""
WRITTEN = {
    "number": "x[t, 0] ** 2",
    "vector": "np.tanh(x[t])",
    "matrix": "np.outer(x[t], x[t])",
}


@pytest.mark.parametrize("entry, joined", CASES)
def test_value_and_gradient_with_nothing_told(entry, joined, tmp_path, monkeypatch):
    text = TEXT.format(entry=WRITTEN[entry], joined=joined)
    name = f"joined_{abs(hash((entry, joined)))}"
    (tmp_path / f"{name}.py").write_text(f"import numpy as np\n{text}")
    monkeypatch.syspath_prepend(tmp_path)
    f = __import__(name).f
    x = np.random.default_rng(1).uniform(0.3, 2, (4, 3))
    value, gradient = gradgen.value_and_grad(f)(x)
    np.testing.assert_allclose(value, f(x), rtol=1e-12)
    wanted = numeric_gradient(f, [x], 0).value
    np.testing.assert_allclose(gradient, wanted, rtol=1e-5, atol=1e-8)


def test_entries_of_several_lengths_raise_as_numpy_does():
    def f(x):
        rows = []
        for t in range(1, len(x)):
            rows.append(x[:t])
        return np.sum(np.vstack(rows))

    with pytest.raises(ValueError, match="same shape|dimensions"):
        gradgen.grad(f)(np.ones(4))


def test_a_list_that_is_put_into_at_its_front():
    def f(x):
        out = []
        for _ in range(len(x)):
            out.insert(0, x * len(out))
        return np.sum(np.vstack(out) ** 2)

    x = np.array([1.0, 2.0, -0.5])
    np.testing.assert_allclose(gradgen.grad(f)(x), 2 * x * (0 + 1 + 4))


ASSUMED = {
    "powers": """
def f(x, y):
    rows = [np.ones_like(x), x]
    for k in range(len(y)):
        rows.append(x ** (k + 2))
    return np.sum({joined}**2 * np.sin(y[0]))
""",
    "bends": """
def f(x, y):
    rows = [np.maximum(x - k, 0) ** 3 for k in y]
    return np.sum({joined}**3)
""",
}


@pytest.mark.parametrize("joined", ["np.vstack(rows)", "np.column_stack(rows).T"])
@pytest.mark.parametrize("name", ASSUMED)
def test_the_text_with_nothing_told_takes_vectors(name, joined, tmp_path):
    f = written(ASSUMED[name].format(joined=joined), tmp_path)
    text = gradgen.emit(f)
    assert "Assumed: x is a vector" in text
    space: dict[str, object] = {}
    exec(text, space)
    x, y = np.linspace(0.4, 1.7, 5), np.array([0.2, 0.6])
    wanted = numeric_gradient(f, [x, y], 0).value
    np.testing.assert_allclose(space["grad_f"](x, y), wanted, rtol=1e-5, atol=1e-8)
    with pytest.raises(ValueError, match="x is taken for a vector"):
        space["grad_f"](np.ones((2, 3)), y)


@pytest.mark.parametrize("axis", [1, -1])
@pytest.mark.parametrize("sizes", [(4, 3), (4, 3, 2)])
def test_the_text_with_nothing_told_stacks_along_an_axis(axis, sizes, tmp_path):
    f = written(
        TEXT.format(entry="np.tanh(x[t])", joined=f"np.stack(r, {axis=})"), tmp_path
    )
    space: dict[str, object] = {}
    exec(gradgen.emit(f), space)
    x = np.random.default_rng(2).uniform(0.3, 2, sizes)
    found = space["grad_f"](x)
    assert found.shape == x.shape
    wanted = numeric_gradient(f, [x], 0).value
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-8)
