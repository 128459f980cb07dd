"""Texts with nothing told, given what people hand over: lists, tuples, whole numbers.

Where the function takes it, the text does, and gives the numbers that it gives for arrays.
"""

import warnings
import zlib

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.arguments import given_functions
from tests.frontend.writing import written

CASES = list(given_functions.rows())
# Of lists these texts may raise: SciPy's function is read as Python, whose operators take
# none; one of two arguments may be a Python number, which takes the dtype of the other.
MAY_RAISE = ("scipy.fft.dct(x)", "np.average(x, weights=w)", "np.trapezoid(x, y)")
MAY_RAISE += ("np.sum(np.square(np.subtract(x, y)), axis=-1)",)
RAISED = (TypeError, ValueError, AttributeError)


def tuples(value):
    return tuple(map(tuples, value)) if isinstance(value, list) else value


class Given:
    """One function, its text, and arguments with the gradients that are right for them."""

    def __init__(self, arguments, expression, tmp_path, general):
        source = given_functions.source("f", arguments, expression)
        self.function = written(source, tmp_path)
        self.names = [name for name, _ in arguments]
        self.shapes = [shape for _, shape in arguments]
        self.rng = np.random.default_rng(zlib.crc32(expression.encode()))
        space = {}
        text = gradgen.emit(self.function, wrt=self.names, general=general)
        exec(text, space)
        self.text, self.gradient = text, space["grad_f"]

    def arrays(self, whole=False):
        return [given_functions.array(one, self.rng, whole) for one in self.shapes]

    def call(self, args, seed):
        found = self.gradient(*args, seed)
        return found if len(self.names) > 1 else (found,)

    def seed(self, out):
        return self.rng.uniform(0.5, 1.5, np.shape(out)) if np.ndim(out) else 1.25

    def is_taken(self, args, value):
        """Whether the function itself computes the same of these arguments."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = np.asarray(self.function(*args), dtype=np.asarray(value).dtype)
        except Exception:
            return False
        same = found.shape == np.shape(value)
        return same and np.allclose(found, value, 1e-5, 1e-6, equal_nan=True)

    def check(self, args, seed, want, value, dtype=float, may_raise=False, rtol=1e-9):
        if not self.is_taken(args, value):
            return
        try:
            found = self.call(args, seed)
        except RAISED as error:
            assumed = "taken for" in str(error)
            assert may_raise or assumed, (args, error, self.text)
            return
        for got, right in zip(found, want):
            assert np.shape(got) == np.shape(right), (args, self.text)
            assert np.allclose(got, right, rtol, rtol, equal_nan=True), (args, got)
            assert np.asarray(got).dtype == dtype, (args, self.text)


def forms(value):
    """What stands for an array: a list, tuples, a list of rows, a Python number."""
    if np.ndim(value) == 0:
        return [float(value), np.array(value)]
    listed = value.tolist()
    return [listed, tuples(listed), list(value)]


@pytest.mark.parametrize("general", [False, True], ids=["told", "general"])
@pytest.mark.parametrize("number", range(len(CASES)))
def test_what_people_hand_over(number, general, tmp_path):
    arguments, expression = CASES[number]
    try:
        given = Given(arguments, expression, tmp_path, general)
    except gradgen.GradgenError:
        assert general, expression
        return
    may_raise = general or expression in MAY_RAISE
    args = given.arrays()
    value = given.function(*args)
    seed = given.seed(value)
    want = [
        numeric_gradient(lambda *a: np.sum(seed * given.function(*a)), args, i).value
        for i in range(len(args))
    ]
    try:
        found = given.call(args, seed)
    except ValueError as error:  # what is assumed with nothing told does not hold here
        assert "taken for" in str(error) and not general
        return
    for got, right in zip(found, want):
        np.testing.assert_allclose(got, right, 1e-5, 1e-6)
    want = found
    for i, arg in enumerate(args):
        for form in forms(arg):
            given.check(
                [*args[:i], form, *args[i + 1 :]], seed, want, value, float, may_raise
            )
    for form in zip(*map(forms, args)):
        given.check(list(form), seed, want, value, float, may_raise)
    if np.ndim(value):  # a seed that is a list computes as an array, or raises
        given.check(args, seed.tolist(), want, value, float, True)
    narrow = [np.float32(arg) if np.ndim(arg) == 0 else arg.astype("f") for arg in args]
    out = given.function(*narrow)
    own = np.asarray(seed, np.asarray(out).dtype) if np.ndim(out) else seed
    if np.asarray(out).dtype == np.float32:
        given.check(narrow, own, want, value, np.float32, False, 2e-3)


@pytest.mark.parametrize("general", [False, True], ids=["told", "general"])
@pytest.mark.parametrize("number", range(len(CASES)))
def test_whole_numbers(number, general, tmp_path):
    arguments, expression = CASES[number]
    try:
        given = Given(arguments, expression, tmp_path, general)
    except gradgen.GradgenError:
        assert general, expression
        return
    may_raise = general or expression in MAY_RAISE
    args = given.arrays(whole=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = given.function(*args)
            seed = given.seed(value)
            want = given.call(args, seed)
        except (ArithmeticError, *RAISED, np.linalg.LinAlgError):
            return  # not defined there
    whole = [arg.astype(int) if np.ndim(arg) else int(arg) for arg in args]
    listed = [arg.tolist() if np.ndim(arg) else arg for arg in whole]
    for kind in (whole, listed):
        is_list = may_raise and kind is listed
        for i, arg in enumerate(kind):
            every = [*args[:i], arg, *args[i + 1 :]]
            given.check(every, seed, want, value, float, is_list)
        given.check(kind, seed, want, value, float, is_list)
