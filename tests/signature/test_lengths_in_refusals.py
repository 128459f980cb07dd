"""A call that the function cannot take is refused in the lengths that it has."""

import numpy as np
import pytest

import gradgen


def product(W, b, x):
    return np.sum((W @ x + b) ** 2)


def total(x, y):
    return np.sum(x + y)


def joined(x, y):
    return np.sum(np.concatenate([x, y], axis=1) ** 2)


def inside(x, W):
    h = np.tanh(x @ W)
    return np.sum(h * x)


CALLS = [
    (product, [(2, 3), (2,), (4, 2)], "W is (2, 3), x is (4, 2): 3 and 4 differ"),
    (total, [(3,), (4,)], "x is (3), y is (4): 3 and 4 do not broadcast"),
    (joined, [(2, 3), (3, 3)], "x is (2, 3), y is (3, 3): 2 and 3 differ"),
    (inside, [(5, 3), (3, 4)], "h is (5, 4), x is (5, 3): 4 and 3 do not broadcast"),
]


@pytest.mark.parametrize("function, shapes, words", CALLS, ids=lambda a: str(a)[:12])
@pytest.mark.parametrize("maker", ["grad", "value_and_grad", "vjp"])
def test_the_lengths_of_the_call_are_told(function, shapes, words, maker):
    args = [np.ones(shape) for shape in shapes]
    with pytest.raises(ValueError):
        function(*args)
    made = getattr(gradgen, maker)(function)
    with pytest.raises(gradgen.GradgenError) as told:
        made(*args)
    assert told.value.code == "GG401" and words in str(told.value)
    # what such a call has taught is of that call alone
    square = np.ones((3, 3))
    if function is product:
        made(np.ones((2, 3)), np.ones(2), np.ones(3))
    else:
        made(square, square)


def test_a_letter_of_the_users_stays_one():
    with pytest.raises(gradgen.GradgenError, match=r"W is \(n, m\), x is \(k, n\)"):
        gradgen.emit(product, shapes={"W": "n m", "b": "n", "x": "k n"})
