"""Complex numbers through branches, around loops, in stores and in lists."""

import warnings

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

BODIES = {
    "a power of a matrix's kind": """
    z = x * 1j
    for i in range(3):
        z = z * z + x
    return np.sum(np.abs(z))""",
    "a sum that starts as a real number": """
    s = 0.0
    h = np.zeros(3, dtype=complex)
    for i in range(3):
        h[i] = x[i] * np.exp(1j * w[i])
        s = s + h[i]
    return np.abs(s) + np.real(np.sum(h))""",
    "one arm is complex": """
    if np.sum(x) > 0:
        z = x * 1j
    else:
        z = x
    return np.sum(np.abs(z + 1) * w)""",
    "one arm is complex, each round another": """
    z = np.zeros(3, dtype=complex)
    t = 0.0
    for k in range(3):
        u = x * w[k]
        if w[k] > 0.6:
            u = u * 1j
            z = z + u
        else:
            z[k] += np.exp(1j * x[k])
            t += np.real(z[k])
        z *= np.exp(1j * w[k])
    return np.sum(np.abs(z)) + t""",
    "a list of complex numbers": """
    zs = []
    for i in range(3):
        zs.append(np.exp(1j * x[i]) * w[i])
    z = np.array(zs)
    return np.sum(np.abs(z + x) ** 2)""",
    "a list that begins with a real array": """
    zs = [x + 0.0]
    for k in range(3):
        zs.append(zs[k] * np.exp(1j * w[k]) + x)
    total = 0.0
    for k in range(4):
        total += np.sum(np.abs(zs[k]) ** 2)
    return total""",
    "stores into a complex array": """
    z = x + 0j
    z[1:] += 1j * x[:-1]
    z[0] = w[1]
    return np.sum(np.abs(z) ** 2)""",
    "a transform in each round": """
    total = 0
    for k in range(3):
        y = np.fft.fft(x * w[k])
        total = total + y * np.conj(y)
    return np.real(np.sum(total * np.array([1.0, 2.0, 3.0])))""",
    "complex within the rounds alone": """
    y = x
    for k in range(3):
        y = np.abs(y + 1j * w[k] * y)
    return np.sum(y)""",
}


@pytest.mark.parametrize("shapes", [{}, {"x": "3", "w": "3"}], ids=["none", "all"])
@pytest.mark.parametrize("name", BODIES)
def test_gradient_equals_differences(name, shapes):
    text = f"import numpy as np\n\n\ndef program(x, w):{BODIES[name]}\n"
    function = imported(text, "program")
    rng = np.random.default_rng(3)
    args = (rng.uniform(0.3, 1, 3), rng.uniform(0.3, 1, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # numpy warns of imaginary parts it drops
        found = gradgen.grad(function, ("x", "w"), shapes=shapes)(*args)
    for place, got in enumerate(found):
        want = numeric_gradient(function, args, place, 1.0).value
        assert got.dtype == float
        np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize(
    "body",
    [
        "z = np.zeros(3)\n    z[0] = 1j * x[0]\n    return np.sum(z)",
        "z = np.zeros(3)\n    for i in range(3):\n        z[i] += 1j * x[i]\n"
        "    return np.sum(z)",
        "z = x.copy()\n    z[:2][0] = np.fft.fft(x)[0]\n    return np.sum(z)",
    ],
)
def test_a_store_into_a_real_array_is_refused(body):
    text = f"import numpy as np\n\n\ndef program(x):\n    {body}\n"
    with pytest.raises(GradgenError, match="GG313 a store into a real array drops"):
        gradgen.emit(imported(text, "program"))
