"""Long lines are cut where a part is a value by itself."""

import numpy as np

import gradgen
from gradgen.verify.finite import numeric_gradient


def part_of_a_part(K):
    inner = K[1:]
    same = K.T
    for i in range(1, len(K)):
        inner[1, 1:] = 0.3 * (0.5 * same[1, 1]) * K[0, 0]
    return K


def test_the_keys_of_a_part_of_a_part_stay_together():
    K = np.arange(9.0).reshape(3, 3) / 7
    seed = np.cos(np.arange(9.0)).reshape(3, 3)
    gradient = gradgen.grad(part_of_a_part, save="state")
    assert "chain(" not in gradient.source
    assert max(map(len, gradient.source.split('"""')[2].splitlines())) <= 88
    want = numeric_gradient(lambda k: part_of_a_part(k.copy()), [K], 0, seed)
    assert np.allclose(gradient(K, seed=seed), want.value, rtol=1e-9, atol=1e-10)
