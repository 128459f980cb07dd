"""What is called a matrix is one in products: transition_matrix, std_diag_mx, rot_mat.

Each text is right, in value and shape, or raises what it assumes.
"""

import numpy as np
import pytest

from tests.signature.sweep import right_or_raised

RNG = np.random.default_rng(8)


def some(*shape):
    return RNG.uniform(0.3, 0.9, shape)


def scaled(diag_mx, kernel):
    return diag_mx @ kernel @ diag_mx


def scaled_by_functions(kernel, std_matrix, alpha):
    return np.matmul(np.matmul(std_matrix, kernel**alpha), std_matrix)


def mapped(proj_matrix, x):
    return np.sum((proj_matrix @ x) ** 2)


def propagated(state, transition_matrix):
    for _ in range(3):
        state = state @ transition_matrix
    return state


def squared(rot_mat):
    return np.sum(rot_mat @ rot_mat)


def sandwiched(w, cov_mat):
    return w @ cov_mat @ w


def of_a_format(fmt, mattress):
    return fmt @ mattress @ fmt


CASES = [
    (
        scaled,
        "diag_mx is a matrix",
        (np.diag(some(3)), some(3, 3)),
        {"diag_mx": [some(3)]},
    ),
    (
        scaled_by_functions,
        "std_matrix is a matrix",
        (some(3, 3), np.diag(some(3)), 1.5),
        {"std_matrix": [some(3)], "alpha": [some(3, 3)]},
    ),
    (
        mapped,
        "proj_matrix is a matrix",
        (some(2, 3), some(3)),
        {"x": [some(3, 2)], "proj_matrix": [some(3)]},
    ),
    (
        propagated,
        "transition_matrix is a matrix",
        (some(3), some(3, 3)),
        {"state": [some(2, 3)]},
    ),
    (squared, "rot_mat is a matrix", (some(3, 3),), {"rot_mat": [some(3)]}),
    (sandwiched, "w is a vector", (some(3), some(3, 3)), {"w": [some(3, 3)]}),
    (of_a_format, "fmt is a vector", (some(3), some(3, 3)), {"fmt": [some(3, 3)]}),
]


@pytest.mark.parametrize("function, words, args, others", CASES)
def test_the_name_tells(function, words, args, others):
    assert words in " ".join(right_or_raised(function, args, others).split())
