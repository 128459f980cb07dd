"""A derivative where Python takes a function: signatures, sources, pickles, copies."""

import copy
import functools
import inspect
import pickle
import traceback

import numpy as np
import pytest

import gradgen

x = np.array([0.4, 1.1, 1.7])
MAKERS = {
    "grad": 0,
    "value_and_grad": 0,
    "vjp": 0,
    "jvp": 1,
    "hvp": 1,
    "jacobian": 0,
    "hessian": 0,
}


def energy(y, k=2.0, *, m=1.5):
    """Half the weight."""
    return np.sum(k * m * y**2)


def several(y, *rest):
    return np.sum(y**2) * (1 + len(rest))


class Model:
    def __init__(self):
        self.W = np.array([1.0, 2.0, 3.0])

    def loss(self, y, k=1.0):
        return np.sum(self.W * y**3) * k


def unsupported(y):
    return np.sum(np.linalg.nothing(y))


MODEL = Model()
FUNCTIONS = {
    "plain": (energy, (x,)),
    "starred": (several, (x,)),
    "bound": (MODEL.loss, (x,)),
    "unbound": (Model.loss, (MODEL, x)),
}


def outcome(maker, found):
    """The numbers of a result, of a pullback those of a seed."""
    if maker == "vjp":
        return [found[0], found[1](2.0)]
    return list(found) if isinstance(found, tuple) else [found]


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("form", FUNCTIONS)
def test_before_and_after_calls(form, maker):
    function, args = FUNCTIONS[form]
    args = args + (np.ones(3),) * MAKERS[maker]
    made = getattr(gradgen, maker)(function)
    own = list(inspect.signature(function).parameters.values())
    for _ in range(4):
        assert list(inspect.signature(made).parameters.values()) == own
        assert "def " in inspect.getsource(made)
        again = pickle.loads(pickle.dumps(made))
        want = outcome(maker, made(*args))
        for other in (again, copy.copy(made), copy.deepcopy(made)):
            for one, two in zip(outcome(maker, other(*args)), want, strict=True):
                np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("maker", MAKERS)
def test_names(maker):
    made = getattr(gradgen, maker)(energy)
    assert made.__name__ == made.__qualname__ == f"{maker}_energy"
    assert made.__module__ == __name__ and made.__wrapped__ is energy
    assert "Half the weight." in made.__doc__

    @functools.wraps(made)
    def around(*args):
        return made(*args)

    assert around.__name__ == f"{maker}_energy"


@gradgen.grad
def decorated(y):
    return np.sum(y**3)


def test_what_a_decorator_made_is_pickled_by_its_name():
    np.testing.assert_allclose(decorated(x), 3 * x**2)
    assert pickle.loads(pickle.dumps(decorated)) is decorated


def test_a_local_function_has_no_pickle_and_copies():
    made = gradgen.grad(lambda y: np.sum(y**2))
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(made)
    np.testing.assert_array_equal(copy.deepcopy(made)(x), 2 * x)


@pytest.mark.parametrize("maker", MAKERS)
def test_the_traceback_of_a_refusal_ends_where_the_derivative_is_called(maker):
    made = getattr(gradgen, maker)(unsupported)
    args = (x,) * (1 + MAKERS[maker])
    with pytest.raises(gradgen.GradgenError, match="GG205") as caught:
        made(*args)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert frames[-1].filename == __file__ and "made(*args)" in frames[-1].line
    assert len(frames) <= 3
