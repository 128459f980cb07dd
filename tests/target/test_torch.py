"""Texts for torch give NumPy's numbers, in float64 and in float32.

Needs torch, whose package is large, and is so run by hand: python -m pytest -m torch.
"""

import numpy as np
import pytest

from tests.target.elsewhere import fault, fetched, programs, taken
from tests.target.texts import defined, difference
from tests.test_generated import FILES

pytestmark = pytest.mark.torch
# what torch has under no name, and what is called with Python numbers
REFUSED = set(
    "binomial_option dose fixed_point kalman_loglik lstm_loss rnn_loss spectral_loss "
    "validation_loss".split()
)


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return taken("torch")


def tensor(array: np.ndarray):
    import torch

    return torch.from_numpy(np.array(array))


def test_the_files_that_are_refused(texts):
    assert set(FILES) - set(texts) == REFUSED


def test_each_equals_numpy(texts):
    assert len(texts) >= 20
    faults = {name: fault(name, text, tensor) for name, text in texts.items()}
    assert not any(faults.values()), {k: v for k, v in faults.items() if v}


def test_float32_stays_float32(texts):
    for name, text in texts.items():
        found = fault(name, text, tensor, dtype=np.float32, rtol=2e-3)
        assert not found, f"{name}: {found}"


def test_programs_with_views():
    tried = 0
    for name, text, want, args in programs("torch"):
        got = defined(text)(*map(tensor, args))
        assert not difference(fetched(got), fetched(want)), f"{name}\n{text}"
        tried += 1
    assert tried >= 10


def made_in_double(x):
    total = np.zeros(len(x))
    for k in range(len(x)):
        total[k] = x[k] ** 2
    return np.sum(total * np.ones(len(x)) * np.arange(len(x)))


def test_new_arrays_are_float64_as_numpy_makes_them():
    from tests.target.texts import Asked

    x = np.array([0.1, -0.7, 1.3])
    asked = Asked(made_in_double, ("x",), {"x": "n"}, {})
    got = defined(asked.text("torch"))(tensor(x))
    assert not difference(fetched(got), fetched(defined(asked.text())(x)), 1e-15)
