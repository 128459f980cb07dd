"""Functions with as many results as their arguments say; block; methods of ufuncs."""

import numpy as np
import pytest

import gradgen
from tests.fuzz.program import imported
from tests.refusals import refusal
from tests.rules.checker import faults, ranked, shaped
from tests.rules.test_rules import label

SPLITS = [
    shaped("np.split(x, 2)[0] * np.split(x, 2)[1]", "4"),
    shaped("np.split(x, 3)[1]", "6 d"),
    shaped("np.split(x, 2)[0:1][0] ** 2", "4 d"),
    shaped("np.split(x, [1, 2])[1]", "n d"),
    shaped("np.split(x, [-1])[0] * np.split(x, [-1])[1]", "n"),
    shaped("np.split(x, [2, 1])[0][0] * np.split(x, [2, 1])[2]", "n d"),
    shaped("np.split(x, 2, axis=1)[-1]", "n 4"),
    shaped("np.split(x, 2, axis=-1)[1] ** 2", "b 3 4"),
    shaped("np.split(x, 1)[0]", "n d"),
    shaped("np.split(x, (1,), 1)[1]", "n d"),
    shaped("np.array_split(x, 3)[1]", "5"),
    shaped("np.array_split(x, 2)[0]", "n d"),
    shaped("np.array_split(x, [1, 2], axis=1)[2]", "n d"),
    ranked("np.hsplit(x, 2)[1]", "n 4"),
    ranked("np.hsplit(x, 2)[1]", "4"),
    ranked("np.hsplit(x, [1])[1]", "n d"),
    shaped("np.vsplit(x, 2)[1]", "4 d"),
    shaped("np.dsplit(x, 2)[0]", "n d 4"),
]
if hasattr(np, "unstack"):  # NumPy 2.1
    SPLITS += [
        ranked("np.unstack(x)[1]", "3 d"),
        ranked("np.unstack(x, axis=-1)[1] * np.unstack(x, axis=-1)[0]", "n 2"),
    ]

GRIDS = [
    shaped("np.meshgrid(x, y)[0] * np.meshgrid(x, y)[1]", "n", "d"),
    shaped("np.meshgrid(x, y, indexing='ij')[0]", "n", "d"),
    shaped("np.meshgrid(x, y)[1] + np.meshgrid(x, y, sparse=True)[0]", "n", "d"),
    shaped("np.meshgrid(x, y, x)[2] * np.meshgrid(x, y, x)[0]", "n", "d"),
    shaped("np.meshgrid(x, y)[0]", "", "n"),
    shaped("np.meshgrid(x)[0]", "n"),
    shaped("np.broadcast_arrays(x, y)[0] * 2", "n 1", "d"),
    shaped("np.broadcast_arrays(x, y)[1] * x", "n d", ""),
    shaped("np.atleast_1d(x, y)[0] * np.atleast_1d(x, y)[1]", "n", ""),
    shaped("np.atleast_2d(x, y)[0] + np.atleast_2d(x, 1.0)[1]", "n", "m d"),
    shaped("np.atleast_3d(x, y)[1] * 3", "n", "m d"),
]

PLACES = [
    ranked("x[np.nonzero(x > 0)]", "n d"),
    ranked("x[np.nonzero(y > 0)[0]]", "n d", "n"),
    ranked("x[np.where(x > 0)]", "n"),
    ranked("x[np.where(y > 0)[1]]", "d", "n d"),
    shaped("x[np.ix_([0, 1], [0, 2, 0])]", "n m"),
    shaped("x[np.ix_(np.argsort(y), [0, 1])]", "n m", "n"),
]

SLOPES = [
    ranked("np.gradient(x)[0] * np.gradient(x)[1]", "n d"),
    ranked("np.gradient(x, 0.5)[1]", "n d"),
    shaped("np.gradient(x, axis=(0, 2))[1]", "b n d"),
    shaped("np.gradient(x, axis=(-1, 0))[0]", "n d"),
]

BLOCKS = [
    ranked("np.block([x, y])", "n", "m"),
    ranked("np.block([x, 1.0, y])", "n", ""),
    ranked("np.block([x, y])", "n d", "n m"),
    ranked("np.block([[x, y], [y, x]])", "n d", "n d"),
    ranked("np.block([[x, y], [w, 2.0]])", "n d", "n 1", "d"),
    ranked("np.block([[x], [y]])", "d", "m d"),
    ranked("np.block([[x, y], [w, 2.0]]) ** 2", "n d", "n 1", "d"),
    ranked("np.block([[x, y]])", "b n d", "b n 1"),
]

UFUNCS = [
    shaped("np.add.reduce(x)", "n d"),
    shaped("np.add.reduce(x, axis=None)", "n d"),
    shaped("np.add.reduce(x, 1, keepdims=True)", "n d"),
    shaped("np.multiply.reduce(x, axis=-1)", "n d"),
    shaped("np.maximum.reduce(x)", "n d"),
    shaped("np.minimum.reduce(x, axis=1)", "n d"),
    shaped("np.fmax.reduce(x, axis=(0, 1))", "n d"),
    shaped("np.logaddexp.reduce(x)", "n d"),
    shaped("np.logaddexp.reduce(x, axis=-1, keepdims=True)", "n d"),
    shaped("np.logaddexp.reduce(x, axis=None)", "n d"),
    shaped("np.logaddexp2.reduce(x, axis=1)", "n d"),
    shaped("np.hypot.reduce(x, axis=1)", "n d"),
    shaped("np.add.accumulate(x)", "n d"),
    shaped("np.multiply.accumulate(x, axis=1)", "n d"),
    ranked("np.multiply.outer(x, y)", "n", "d"),
    ranked("np.multiply.outer(x, y)", "n d", "m"),
    ranked("np.multiply.outer(x, y)", "", "m d"),
    ranked("np.add.outer(x, y)", "n 1", "m"),
    ranked("np.subtract.outer(x, x)", "n"),
    ranked("np.divide.outer(x, 2 + np.abs(y))", "n", "d"),
    ranked("np.maximum.outer(x, y)", "n", "d"),
    ranked("np.hypot.outer(x, y)", "n", "b d"),
    ranked("np.power.outer(np.abs(x), 2.0)", "n"),
    ranked("np.multiply.outer(3.0, x)", "n"),
    ranked("np.less.outer(x, y) * x[:, None]", "n", "d"),
]

# the spacing of several axes has no forward rule
SPACINGS = [
    ranked("np.gradient(x, 0.5, y)[1]", "n d", ""),
    ranked("np.gradient(x, y)[0] * np.gradient(x, y)[1]", "n d", ""),
]


@pytest.mark.parametrize("line", SPACINGS, ids=label)
def test_spacing(line):
    found = faults(line, gradgen)
    if found:
        pytest.fail(found, pytrace=False)


@pytest.mark.parametrize(
    "line", [*SPLITS, *GRIDS, *PLACES, *SLOPES, *BLOCKS, *UFUNCS], ids=label
)
def test_line(line):
    found = faults(line, gradgen, forward=True)
    if found:
        pytest.fail(found, pytrace=False)


def function_of(body: str):
    text = f"import numpy as np\n\n\ndef f(x, y=1.0):\n    {body}\n"
    return imported(text, "f")


def text_of(body: str, shape: str = "n", mode: str = "reverse") -> str:
    return gradgen.emit(function_of(body), wrt="x", shapes={"x": shape}, mode=mode)


def test_all_the_parts_come_together_again():
    text = text_of("a, b = np.split(x, 2)\n    return np.sum(a * b)")
    assert "    a, b = np.split(x, 2)\n" in text
    assert "    d_x = np.concatenate((d_a, d_b))\n" in text


def test_some_of_the_parts_are_stored():
    text = text_of("parts = np.split(x, 3)\n    return parts[0] * parts[2]")
    assert "d_x[: len(x) // 3] = d_out * parts[2]\n" in text
    assert "d_x[2 * (len(x) // 3) :] += d_out * parts[0]\n" in text


def test_tangents_are_unpacked_as_the_values_are():
    text = text_of("a, b = np.split(x, 2)\n    return a * b", mode="forward")
    assert "    a, b = np.split(x, 2)\n    d_a, d_b = np.split(d_x, 2)\n" in text


def test_a_part_that_is_read_twice():
    body = "a, b = np.array_split(x, 2)\n    return np.sum(a * a) * np.sum(a) + b[0]"
    x = np.arange(1.0, 6.0)
    found = gradgen.grad(function_of(body))(x)
    wanted = np.append(14 + 2 * x[:3] * 6, [1, 0])
    np.testing.assert_allclose(found, wanted)


REFUSALS = {
    "return np.sum(np.split(x, 2))": "the results of split are used as one array",
    "return np.split(x, 2)[2]": "numpy.split has 2 results here",
    "a, b, c = np.split(x, 2)\n    return a": "3 names for 2 results",
    "return np.split(x, y)[0]": "the number of parts of a split is not a constant",
    "return np.unstack(x)[0]": "how many results np.unstack has is not known",
    "return np.hsplit(x, 2)[0]": "np.hsplit of an array of unknown rank",
    "return x[np.nonzero(x)]": "how many results np.nonzero has is not known",
    "return np.block([[x, [x]], [x, x]])": "np.block of lists nested like this",
    "return np.block(x)": "np.block of what is no list",
    "return np.gradient(x)": "np.gradient of what may have several axes",
    "return np.add.at(x, 0, 1)": "np.add.at has no rule",
    "return np.add.reduceat(x, [0, 1])": "np.add.reduceat has no rule",
    "return np.subtract.reduce(x)": "np.subtract.reduce has no rule",
    "return np.maximum.accumulate(x)": "a running extreme of unknown rank",
    "return np.add.reduce(x, extra=2)": "sum has no rule for the argument extra=",
}


@pytest.mark.parametrize("body", REFUSALS)
def test_refusal(body):
    if "unstack" in body and not hasattr(np, "unstack"):
        pytest.skip("this NumPy does not have it")
    assert REFUSALS[body] in str(refusal(function_of(body), general=True))
