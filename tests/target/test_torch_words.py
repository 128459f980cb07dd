"""What torch has under another name, or in another form, is written so.

These read texts and need no torch; tests/target/test_torch.py runs such texts.
"""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError


def greatest(x):
    return x[np.argmax(x)] ** 2


def least_of_rows(x):
    return np.sum(x[np.arange(len(x)), np.argmin(x, axis=1)] ** 2)


def clipped(x):
    return np.sum(np.clip(x, 0, 1) ** 2)


def clipped_above(x):
    return np.sum(np.clip(x, None, 1) ** 2)


def clipped_between(x, y):
    return np.sum(np.clip(x, y, 1) ** 2)


def of_matrix(x, y):
    return np.sum(np.dot(x, y) ** 2)


def of_vectors(x, y):
    return np.dot(x, y) ** 2


def paired(x, y):
    return np.vdot(x, y) ** 2


def contracted(x, y):
    return np.sum(np.tensordot(x, y, axes=1) ** 2)


def stacked(x):
    return np.sum(np.vstack([x, 2 * x]) ** 2) + np.sum(np.hstack([x, x]) ** 3)


WORDS = [
    (greatest, {"x": "n"}, "torch.argmax(x)"),
    (least_of_rows, {"x": "n m"}, "torch.argmin(x, axis=1)"),
    (clipped, {"x": "n"}, "torch.clamp(x, min=0, max=1)"),
    (clipped_above, {"x": "n"}, "torch.clamp(x, max=1)"),
    (clipped_between, {"x": "n", "y": "n"}, "torch.clamp(torch.maximum(x, y), max=1)"),
    (of_matrix, {"x": "n m", "y": "m"}, "x @ y"),
    (of_vectors, {"x": "n", "y": "n"}, "x @ y"),
    (paired, {"x": "n", "y": "n"}, "torch.sum(x * y)"),
    (contracted, {"x": "n m", "y": "m k"}, "torch.tensordot(x, y, 1)"),
    (stacked, {"x": "n"}, "torch.vstack([x, 2 * x])"),
]


@pytest.mark.parametrize("function, shapes, words", WORDS, ids=lambda v: str(v)[:24])
def test_it_is_written_as_torch_has_it(function, shapes, words):
    text = gradgen.emit(function, shapes=shapes, target="torch", value=True)
    assert words in text
    code = [line for line in text.split("\n") if not line.lstrip().startswith("#")]
    assert not any("np." in line for line in code)


def test_what_another_rank_would_mean_otherwise_is_refused():
    for function in (of_matrix, paired):
        with pytest.raises(GradgenError, match="GG70"):
            gradgen.emit(
                function,
                shapes={"x": "b n m", "y": "b m k"},
                target="torch",
                value=True,
            )
