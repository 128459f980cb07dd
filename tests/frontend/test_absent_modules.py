"""Modules that raise when they are asked for a name: as one that is loaded when used."""

import re
import types

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError


class Lazy(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise self.error("No module named 'absent'\n\nand more of it")


absent, broken = Lazy("absent"), Lazy("broken")
absent.error, broken.error = ModuleNotFoundError, RuntimeError
X = np.array([1.0, 2.0])


def called(x):
    return np.sum(absent.scaled(x))


def read(x):
    return np.sum(x * broken.CONSTANT)


def of_a_part(x):
    return np.sum(absent.part.scaled(x))


def under_a_name(x):
    scaled = broken.scaled
    return np.sum(scaled(x))


def asked(x):
    return np.sum(x) if hasattr(absent, "scaled") else np.sum(x * x)


def handed(x):
    return np.sum(list(map(absent.scaled, x)))


def for_its_effect(x):
    broken.seed(3)
    return np.sum(x * x)


def around(x):
    with absent.context():
        return np.sum(x * x)


@pytest.mark.parametrize(
    "f",
    [called, read, of_a_part, under_a_name, asked, handed, for_its_effect, around],
)
@pytest.mark.parametrize("door", [gradgen.emit, lambda f: gradgen.grad(f)(X)])
def test_a_module_that_is_not_there_is_named(f, door):
    with pytest.raises(GradgenError) as refused:
        door(f)
    told = [one.message for one in refused.value.problems]
    said = r"cannot be read: (ModuleNotFound|Runtime)Error: No module named 'absent'"
    assert refused.match("GG205")
    assert any(re.search(said, one) for one in told), told
    assert not any("more of it" in one for one in told)


def never_used(x, kind="own"):
    if kind == "other":
        return np.sum(absent.scaled(x))
    return np.sum(x * x)


def in_a_function(x):
    other = lambda v: broken.scaled(v)  # noqa: E731, F841
    return np.sum(x * x)


@pytest.mark.parametrize("f", [never_used, in_a_function])
def test_a_way_not_taken_is_no_matter(f):
    np.testing.assert_array_equal(gradgen.grad(f)(X), 2 * X)
