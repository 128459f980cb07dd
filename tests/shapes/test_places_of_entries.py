"""np.tril_indices and its kin name each entry once: a store, and no np.add.at."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

ONCE = {
    "noise on a diagonal": """
def f(K, s):
    K = K * 2
    K[np.diag_indices_from(K)] += s[0]
    return np.sum(K**3)
""",
    "scaled below": """
def f(K, s):
    i, j = np.tril_indices(len(K), -1)
    K = K * 2
    K[i, j] *= s[0]
    return np.sum(K**3)
""",
    "transposed": """
def f(K, s):
    i, j = np.triu_indices_from(K, 1)
    return np.sum(K[j, i] ** 3) * s[0] + np.sum(K[i, j] ** 2)
""",
    "a factor from its entries": """
def f(K, s):
    L = np.zeros((3, 3))
    L[np.tril_indices(3)] = K[np.triu_indices(3)] * s
    L[np.diag_indices(3)] = np.exp(np.diag(L))
    return np.sum((L @ L.T) ** 2)
""",
    "where it is so": """
def f(K, s):
    i, j = np.nonzero(K > 0.5)
    return np.sum(K[i, j] ** 3) * s[0]
""",
    "an axis behind": """
def f(K, s):
    i, j = np.tril_indices(3)
    cube = K[:, :, None] * s[:3]
    return np.sum(cube[i, j] ** 2) + np.sum(cube[i, :, j] ** 2)
""",
}
TWICE = {
    "rows alone": "np.sum(K[i] ** 3)",
    "the same results": "np.sum(K[i, i] ** 3)",
    "results of two": "np.sum(K[i, k] ** 3)",
}
SIZES = {"K": "n n", "s": "m"}


def judged(f, text):
    rng = np.random.default_rng(3)
    args = [rng.uniform(0.2, 1, (3, 3)), rng.uniform(0.5, 2, 6)]
    space: dict[str, object] = {}
    exec(text, space)
    for k, found in enumerate(space["grad_f"](*args)):
        wanted = numeric_gradient(f, args, k).value
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8)


# of how many axes np.nonzero tells is not known without the rank
UNTOLD = [(name, {}) for name in ONCE if "nonzero" not in ONCE[name]]


@pytest.mark.parametrize("name, shapes", [*((n, SIZES) for n in ONCE), *UNTOLD])
def test_each_entry_once(name, shapes, tmp_path):
    f = written(ONCE[name], tmp_path)
    text = gradgen.emit(f, wrt=("K", "s"), shapes=shapes)
    assert "np.add.at" not in text and "_stored_last" not in text
    judged(f, text)


@pytest.mark.parametrize("name", TWICE)
def test_places_that_may_be_the_same_are_added(name, tmp_path):
    f = written(
        f"""
def f(K, s):
    i, j = np.tril_indices(3)
    k, l = np.triu_indices(3)
    return {TWICE[name]} * s[0]
""",
        tmp_path,
    )
    text = gradgen.emit(f, wrt=("K", "s"), shapes=SIZES)
    assert "np.add.at(d_K" in text
    judged(f, text)
