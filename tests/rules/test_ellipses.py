"""np.einsum with ellipses: texts for any ranks, at ranks that differ."""

import itertools

import numpy as np
import pytest

import gradgen
from tests.fuzz.program import imported

FORMS = [
    "ij...,j...->i...",
    "ij...,jk...->ik...",
    "ij...,kj...->k...i",
    "i...j,i...->...j",
    "i...j,...j->i...",
    "i...,i...->...",
    "i...,j...->...ij",
    "i...,...j->ij...",
    "i...k,...->i...k",
    "i...j,j->i...",
    "...i,i...->...",
    "...ij,...jk->...ik",
    "i...->...",
    "ij...->i...",
    "i...j->...ji",
    "i...,j...,...k->ijk...",
]
MORE = [(), (2,), (1,), (3, 5), (1, 5)]
SIZES = {"i": 2, "j": 3, "k": 4}


def points(form):
    """Arrays for the operands of a form, of each choice of ranks that broadcast."""
    rng = np.random.default_rng(0)
    inputs = form.partition("->")[0].split(",")
    for more in itertools.product(MORE, repeat=len(inputs)):
        arrays = []
        for indices, axes in zip(inputs, more, strict=True):
            before, dots, after = indices.partition("...")
            if axes and not dots:
                break
            shape = [SIZES[c] for c in before], axes, [SIZES[c] for c in after]
            arrays.append(rng.normal(size=tuple(itertools.chain(*shape))))
        else:
            try:
                np.einsum(form, *arrays)
            except ValueError:
                continue
            yield arrays


@pytest.mark.parametrize("form", FORMS)
def test_each_operand_has_its_adjoint(form):
    names = "xyz"[: form.count(",") + 1]
    given = ", ".join(names)
    text = f"import numpy as np\n\n\ndef f({given}):\n"
    f = imported(f"{text}    return np.einsum({form!r}, {given})\n", "f")
    for k, name in enumerate(names):
        space: dict = {}
        exec(gradgen.emit(f, wrt=name), space)
        for arrays in points(form):
            seed = np.random.default_rng(1).normal(size=f(*arrays).shape)
            found = space["grad_f"](*arrays, seed)
            want = np.zeros_like(arrays[k])
            for place in np.ndindex(want.shape):
                one = np.zeros_like(want)
                one[place] = 1
                moved = [one if i == k else a for i, a in enumerate(arrays)]
                want[place] = np.sum(seed * f(*moved))
            assert found.shape == want.shape
            np.testing.assert_allclose(found, want, rtol=1e-12, atol=1e-12)
