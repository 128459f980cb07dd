"""np.insert at one place: how many entries go in is the values' to say, by NumPy's rules.

A number takes values[0], values[1], ... as layers; a list of one place takes them along
the axis.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

RNG = np.random.default_rng(5)
CASES = [
    ("[1]", ", axis=1", (3, 4), (4,)),
    ("[1]", ", axis=-1", (3, 4), (3, 2)),
    ("(2,)", ", axis=0", (3, 4), (4,)),
    ("[1]", ", axis=0", (3, 4), (2, 4)),
    ("[1]", "", (4,), (3,)),
    ("[1]", "", (3, 4), (5,)),
    ("1", "", (4,), (3,)),
    ("-1", "", (4,), (2,)),
    ("1", ", axis=0", (3, 4), (2, 4)),
    ("1", ", axis=1", (3, 4), (2, 3)),
    ("2", ", axis=1", (3, 4), (3,)),
    ("[0, 2]", ", axis=1", (3, 4), (3, 2)),
]


@pytest.mark.parametrize("told", [False, True], ids=["nothing told", "told"])
@pytest.mark.parametrize("place, axis, of_x, of_y", CASES)
def test_entries_put_in(place, axis, of_x, of_y, told):
    f = imported(
        "import numpy as np\n"
        "def f(x, y):\n"
        f"    z = np.insert(x, {place}, y{axis})\n"
        "    return np.sum(z**2 * np.cos(np.arange(z.size).reshape(z.shape)))\n",
        "f",
    )
    args = [RNG.normal(size=of_x), RNG.normal(size=of_y)]
    facts = [" ".join(map(str, shape)) for shape in (of_x, of_y)]
    shapes = dict(zip("xy", facts)) if told else None
    found = gradgen.grad(f, wrt=("x", "y"), shapes=shapes)(*args)
    twice = gradgen.hvp(f, wrt="x", shapes=shapes)(*args, args[0])
    for i in (0, 1):
        want = numeric_gradient(f, args, i).value
        assert found[i].shape == args[i].shape
        np.testing.assert_allclose(found[i], want, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(twice, found[0], rtol=1e-12, atol=0)  # of a square
