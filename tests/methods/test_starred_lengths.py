"""Arrays that __init__ makes with several lengths in one place: (n, *size)."""

import numpy as np
import pytest

import gradgen

RNG = np.random.default_rng(5)
X = RNG.uniform(0.5, 1.5, (1, 2, 4, 3))
SEED = np.array([1.0, 2.0, -0.5, 0.3])


class ByLengths:
    def __init__(self, n=4, size=(3, 2)):
        self.n, self.size = n, size
        self.W = np.random.randn(n, 2, *size)

    def total(self, x):
        n, c, h, w = x.shape
        kh, kw = self.size
        out = np.zeros((n, self.n))
        for b in range(n):
            for i in range(self.n):
                out[b, i] = np.sum(self.W[i] * x[b, :, 0:kh, 0:kw])
        return out


class ByShape(ByLengths):
    def __init__(self, n=4, size=(3, 2)):
        self.n, self.size = n, size
        self.W = np.ones((n, 2, *size))

    def total(self, x):
        n, c, h, w = x.shape
        kh, kw = self.size
        out = np.zeros((n, self.n))
        for b in range(n):
            for i in range(self.n):
                out[b, i] = np.sum(self.W[i] * x[b, :, 0:kh, 0:kw])
        return out


class BySize(ByLengths):
    def __init__(self, n=4, size=(3, 2)):
        self.n, self.size = n, size
        self.W = np.random.normal(0.0, 1.0, size=[n, 2, *size])

    def total(self, x):
        n, c, h, w = x.shape
        kh, kw = self.size
        out = np.zeros((n, self.n))
        for b in range(n):
            for i in range(self.n):
                out[b, i] = np.sum(self.W[i] * x[b, :, 0:kh, 0:kw])
        return out


@pytest.mark.parametrize("cls", [ByLengths, ByShape, BySize])
def test_how_many_axes_there_are_is_not_told(cls):
    namespace = {}
    exec(gradgen.emit(cls.total, wrt="self.W"), namespace)
    made = cls()
    want = SEED[:, None, None, None] * X[0, :, :3, :2]
    found = namespace["grad_total"](made, X, SEED[None])
    assert found.shape == made.W.shape
    np.testing.assert_allclose(found, want, rtol=1e-12)
