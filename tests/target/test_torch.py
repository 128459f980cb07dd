"""Texts for torch give NumPy's numbers, in float64 and in float32.

Needs torch, whose package is large, and is so run by hand: python -m pytest -m torch.
"""

import numpy as np
import pytest

from gradgen.errors import GradgenError
from tests.target.elsewhere import (
    converted,
    fault,
    fetched,
    programs,
    result,
    taken,
)
from tests.target.place import tensor, within
from tests.target.texts import defined, difference
from tests.test_generated import FILES, call

pytestmark = pytest.mark.torch
# what torch has under no name, and what is called with Python numbers
REFUSED = set(
    "binomial_option dose fixed_point kalman_loglik lstm_loss rnn_loss spectral_loss "
    "validation_loss".split()
)


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return taken("torch")


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
        assert not difference(fetched(got), fetched(want), within(1e-12)), (
            f"{name}\n{text}"
        )
        tried += 1
    assert tried >= 10


def elsewhere(value):
    """Tensors of the device "meta", which have shapes alone and meet no others."""
    return converted(value, lambda array: tensor(array).to("meta"))


def on_meta(value) -> list:
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in on_meta(item)]
    return [value]


def test_what_a_text_makes_is_where_its_arguments_are(texts):
    """A tensor of the host beside one of another device raises."""
    import torch

    tried = 0
    for name, text in texts.items():
        args, _, seed = call(name, 0, np.float64)
        form = FILES[name][1]
        if " if " in text or "while " in text or name == "masked_ratio":
            continue  # reads a value, and there is none
        found = result(text, form, elsewhere(args), elsewhere(seed))
        devices = {
            str(one.device) for one in on_meta(found) if isinstance(one, torch.Tensor)
        }
        assert devices == {"meta"}, f"{name}\n{text}"
        tried += 1
    assert tried >= 30


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
    assert not difference(
        fetched(got), fetched(defined(asked.text())(x)), within(1e-15)
    )


def share(x):
    return np.sum(np.arange(len(x)) / len(x) * x)


def roots(x):
    return np.sum(np.sqrt(np.arange(len(x)).reshape(2, -1)) * x.reshape(2, -1))


def powers(x):
    steps = np.arange(len(x)) + 1
    return np.sum(0.1**steps * x) + np.sum(steps**0.5 * x)


def masks(x):
    return np.sum((x > 0) * 0.1 * x) + np.sum((x > 0) / 3 * x) + np.mean(x > 0) * x[0]


def choices(x):
    return np.sum(np.where(x > 0, 0.1, 0.3) * x)


def counts(x, k):
    return np.sum(x * np.exp(-k / 3)) + np.mean(k) * np.sum(x * k * 0.1)


def count_of(x):
    return np.sum(x > 0) / 7 * 0.1 * np.sum(x)


def table(x):
    return np.sum(np.array([0.1, -0.7, 1.0, 0.3]) * x) * x[np.array([0, 2])][1]


def total(x):
    return np.sum(np.cumsum(x) ** 2)


@pytest.mark.parametrize(
    "function", [share, roots, powers, masks, choices, counts, count_of, table, total]
)
def test_integers_and_numbers_become_float64_as_in_numpy(function):
    """torch makes float32 of them, which is wrong in the eighth digit."""
    from tests.target.texts import Asked

    x, k = np.array([0.1, -0.7, 1.3, 0.4]), np.array([3, 1, 2, 0])
    facts = {"x": "4", "k": "4:int"}
    args = [x, k][: function.__code__.co_argcount]
    names = ("x", "k")[: len(args)]
    shapes = {name: facts[name] for name in names}
    asked = Asked(function, ("x",), shapes, {"value": True})
    got = defined(asked.text("torch"))(*map(tensor, args))
    want = fetched(defined(asked.text())(*args))
    assert not difference(fetched(got), want, within(1e-14)), asked.text("torch")
    assert not difference(want[0], function(*args), within(1e-14))


def between(x):
    y = np.ones((4, 4, 4)) * x
    return np.sum(y[0, :, [0, 1, 1, 2]] * x)


def of_counts(x):
    return np.sum(x) * np.sqrt(len(x))


def of_a_value(x):
    return np.sum(np.where(True, x, 0))


def at_places(x, k):
    y = x * 1
    y[k] = np.array([1.0, 2.0, 3.0])
    return np.sum(y**2)


def test_a_store_at_places_that_may_be_one_twice_is_refused():
    """torch and jax do not say which value stays."""
    from tests.target.texts import Asked

    asked = Asked(at_places, ("x",), {"x": "n", "k": "3:int"}, {})
    for library in ("torch", "jax"):
        with pytest.raises(GradgenError, match="GG704"):
            asked.text(library)


@pytest.mark.parametrize("function", [between, of_counts, of_a_value])
def test_what_torch_reads_otherwise_is_refused(function):
    from tests.target.texts import Asked

    with pytest.raises(GradgenError, match="GG70[46]"):
        Asked(function, ("x",), {"x": "4"}, {"mode": "forward"}).text("torch")
