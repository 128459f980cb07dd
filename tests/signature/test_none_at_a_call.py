"""Arguments that are None at a call, where a fact or a comparison tells a number.

A text for numbers knows that they are no None; it may not be taken for a call with one.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

import gradgen
from gradgen.errors import GradgenError

Y = np.array([0.7, 1.3, 0.9, 1.6])


def annotated(y, k: float = None):
    if k is None:
        return np.sum(y)
    return np.sum(y) * k


def annotated_alike(y, k: float = None):
    return np.sum(y) * (2.0 if k is None else 3.0)


def annotated_array(y, w: "Float[np.ndarray, 'n']" = None):  # noqa: F722, F821
    if w is None:
        return np.sum(y**2)
    return np.sum(y**2 * w)


def described(y, k=None):
    """A total.

    Parameters
    ----------
    y : ndarray
    k : float or None
        The factor.
    """
    if k is None:
        return np.sum(y)
    return np.sum(y) * 2


def compared(y, k=None):
    if k is None:
        return np.sum(y**3)
    if k == 0:
        return np.sum(y)
    return np.sum(y) * 2


class Model:
    k: float = None

    def scaled(self, y, k: float = None):
        return np.sum(y) if k is None else np.sum(y) * k

    def own(self, y):
        return np.sum(y) if self.k is None else np.sum(y) * self.k


@dataclass
class Options:
    w: np.ndarray
    k: float = None


def of_options(y, c: Options, s: float = None):
    total = np.sum(c.w * y) if s is None else s * np.sum(y)
    return total if c.k is None else total * c.k


def of_untold_options(y, c, s=None):
    total = np.sum(c.w * y) if s is None else s * np.sum(y)
    return total if c.k is None else total * c.k


def differences(function, *others):
    h = 1e-6
    return np.array(
        [
            (function(Y + e, *others) - function(Y - e, *others)) / (2 * h)
            for e in h * np.eye(len(Y))
        ]
    )


CALLS = [
    (annotated, ()),
    (annotated, (None,)),
    (annotated, (2.5,)),
    (annotated_alike, ()),
    (annotated_alike, (2.5,)),
    (annotated_array, ()),
    (annotated_array, (Y,)),
    (described, ()),
    (described, (2.5,)),
    (compared, ()),
    (compared, (0.0,)),
    (compared, (2.5,)),
    (Model().scaled, ()),
    (Model().scaled, (2.5,)),
    (Model().own, ()),
    (of_options, (Options(Y),)),
    (of_options, (Options(Y), 2.5)),
    (of_options, (Options(Y, 1.5), None)),
    (of_untold_options, (Options(Y),)),
    (of_untold_options, (Options(Y, 1.5), 2.5)),
]


@pytest.mark.parametrize("function, others", CALLS)
def test_what_is_none_is_none(function, others):
    wanted = differences(function, *others)
    found = [
        gradgen.grad(function)(Y, *others),
        gradgen.value_and_grad(function)(Y, *others)[1],
        gradgen.vjp(function)(Y, *others)[1](),
        gradgen.jacobian(function)(Y, *others),
    ]
    for one in found:
        np.testing.assert_allclose(one, wanted, rtol=1e-7, atol=1e-8)
    tangent = gradgen.jvp(function)(Y, *others, Y)[1]
    np.testing.assert_allclose(tangent, wanted @ Y, rtol=1e-7)


@pytest.mark.parametrize(
    "function, calls",
    [
        (annotated, [(2.5,), (2.5,), (), (None,), (2.5,), ()]),
        (annotated_array, [(), (Y,), (Y,), (), ()]),
        (compared, [(2.5,), (2.5,), (), (), (0.0,), (None,)]),
    ],
)
def test_one_call_after_the_other(function, calls):
    made = gradgen.grad(function)
    for others in calls:
        wanted = differences(function, *others)
        np.testing.assert_allclose(made(Y, *others), wanted, rtol=1e-7)


def fitted(y, k=None):
    """A total.

    Parameters
    ----------
    y : ndarray
    k : float or None
        The power; fitted by default.
    """
    if k is None:
        return np.sum(stats.boxcox(y)[0])
    if k == 0:
        return np.sum(np.log(y))
    return np.sum(y**k)


def test_no_text_for_numbers_where_the_one_for_none_is_refused():
    with pytest.raises(GradgenError):
        gradgen.grad(fitted)(Y)
    for k in (0.0, 2.5):
        np.testing.assert_allclose(
            gradgen.grad(fitted)(Y, k), differences(fitted, k), rtol=1e-7
        )


def of_a_tuple(y, options):
    k, factor = options
    if k is None:
        return np.sum(y) * factor
    return np.sum(y**2)


def of_a_name(y, options):
    name, factor = options
    if isinstance(name, str):
        return np.sum(y) * factor
    return np.sum(y**2)


def beside_an_array(y, options):
    k, weights = options
    if k is None:
        return np.sum(y * weights)
    return np.sum(y**2)


@pytest.mark.parametrize(
    "function, options",
    [
        (of_a_tuple, (None, 2.0)),
        (of_a_tuple, [None, 2.0]),
        (of_a_tuple, (1.0, 2.0)),
        (of_a_name, ("sum", 2.0)),
        (of_a_name, ["sum", 2.0]),
        (of_a_name, (1.0, 2.0)),
        (beside_an_array, (None, Y)),
        (beside_an_array, (2.0, Y)),
    ],
)
def test_entries_that_are_no_numbers(function, options):
    wanted = differences(function, options)
    made = gradgen.grad(function)
    np.testing.assert_allclose(made(Y, options), wanted, rtol=1e-7)
    np.testing.assert_allclose(made(Y, options), wanted, rtol=1e-7)


def test_a_tuple_after_one_of_numbers():
    made = gradgen.grad(of_a_tuple)
    for options in ((1.0, 2.0), (1.0, 2.0), (None, 2.0), (1.0, 2.0), (None, 2.0)):
        wanted = differences(of_a_tuple, options)
        np.testing.assert_allclose(made(Y, options), wanted, rtol=1e-7)


@pytest.mark.parametrize("function", [annotated, annotated_alike, described, compared])
def test_the_text_asks_for_none(function):
    space = {}
    exec(gradgen.emit(function), space)
    grad = space[f"grad_{function.__name__}"]
    np.testing.assert_allclose(grad(Y), differences(function), rtol=1e-7)
    np.testing.assert_allclose(grad(Y, 2.5), differences(function, 2.5), rtol=1e-7)
