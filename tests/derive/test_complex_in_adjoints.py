"""Second derivatives of complex arguments: what an adjoint's own lines call."""

import itertools

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Origin, Ref, Supply
from gradgen.shapes.complexes import refuse_real_rule
from tests.frontend.writing import written

BODIES = {
    "eigenvalues": "np.sum(np.linalg.eigvalsh(z + z.conj().T) ** 2 * w)",
    "eigenvalues of one triangle": "np.sum(np.linalg.eigvalsh(z @ z.conj().T, UPLO='U') * w)",
    "eigenvalues of a stack": """np.sum(
        np.linalg.eigvalsh(np.stack([z @ z.conj().T, z + z.conj().T])) ** 3 * w
    )""",
    "eigenvalues of an outer product": """np.sum(
        np.linalg.eigvalsh(np.outer(z[0], z[1].conj()) + np.outer(z[1], z[0].conj()))
        * w
    )""",
    "determinant": "np.linalg.det(z).real",
    "polynomial in x": "np.sum(np.polyval(w, z).imag)",
    "polynomial in p": "np.sum(np.abs(np.polyval(z[0], z[1])) ** 2)",
    "powers": "np.sum(np.abs(np.vander(z[0]) @ z[1]) ** 2)",
    "coefficients of a derivative": "np.sum(np.abs(np.polyder(z[0])) ** 4)",
}
RNG = np.random.default_rng(7)
Z, V = RNG.normal(size=(2, 3, 3)) + 1j * RNG.normal(size=(2, 3, 3))


def slope(f, z, h=2e-3):
    """The gradient by differences of the fourth order, dL/dRe(z) - i dL/dIm(z)."""
    found = np.zeros(z.shape, complex)
    for place, unit in itertools.product(np.ndindex(z.shape), (1, -1j)):
        step = np.zeros(z.shape, complex)
        step[place] = h * np.conj(unit)
        near, far = (f(z + k * step) - f(z - k * step) for k in (1, 2))
        found[place] += unit * (8 * near - far) / (12 * h)
    return found


def along(f, z, v, h=2e-3):
    """The derivative of the gradient along v, by differences too."""
    near, far = (slope(f, z + k * h * v) - slope(f, z - k * h * v) for k in (1, 2))
    return (8 * near - far) / (12 * h)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_hessians_times_vectors(body, tmp_path):
    f = written(
        f"def f(z):\n    w = np.array([1.0, 2.0, 5.0])\n    return {body}\n", tmp_path
    )
    space = {}
    exec(gradgen.emit(f, mode="hvp", complex=("z",), shapes={"z": "3 3"}), space)
    want = along(f, Z, V)
    for found in (space["hvp_f"](Z, V), gradgen.hvp(f)(Z, V)):
        np.testing.assert_allclose(found, want, rtol=2e-6, atol=2e-6)
    np.testing.assert_allclose(gradgen.grad(f)(Z), slope(f, Z), rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("body", list(BODIES.values())[:3], ids=list(BODIES)[:3])
def test_gradients_of_gradients(body, tmp_path):
    """By reverse mode twice, which has adjoints of the eigenvectors."""
    f = written(
        f"""
import gradgen

def loss(z):
    w = np.array([1.0, 2.0, 5.0])
    return {body}

def f(z, v):
    return np.sum((gradgen.grad(loss)(z) * v).real)
""",
        tmp_path,
    )
    loss = f.__globals__["loss"]
    found = gradgen.grad(f, "z", complex=("z", "v"))(Z, V)
    np.testing.assert_allclose(found, along(loss, Z, V), rtol=2e-6, atol=2e-6)


def test_a_rule_for_real_numbers_is_refused_there_as_in_the_function():
    z = Supply().var("z", Origin.PARAM)
    for op, count in (("numpy.maximum", 2), ("numpy.linalg.eigh", 1)):
        called = Apply(op, (Ref(z),) * count)
        with pytest.raises(GradgenError, match="GG312"):
            refuse_real_rule(called, {z})
        assert refuse_real_rule(called, set()) == (None, {})
