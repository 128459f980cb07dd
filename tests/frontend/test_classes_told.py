"""Classes in what is told: a text knows those of Python alone, by their own names."""

import warnings

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

X = np.array([1.0, 2.0])


class Old(UserWarning):
    pass


class Loud(UserWarning):
    def __str__(self):
        return "loud"


class Thing:
    pass


def made_with(kind):
    def f(x):
        category = kind
        warnings.warn("old", category, stacklevel=2)
        return np.sum(x * x)

    return f


def by_keyword(x):
    kind = Old
    warnings.warn("old", category=kind)
    return np.sum(x * x)


def of_a_table(x):
    kinds = {"a": Old, "b": RuntimeWarning}
    warnings.warn("old", kinds["a"])
    return np.sum(x * x)


def either_alike(x):
    kind = UserWarning if x[0] < 0 else Old
    warnings.warn("old", kind)
    return np.sum(x * x)


def as_an_object(x):
    warnings.warn(Old("old"))
    return np.sum(x * x)


def of_numpy(x):
    warnings.warn("old", np.exceptions.ComplexWarning)
    return np.sum(x * x)


def executed(f):
    space = {}
    exec(gradgen.emit(f), space)
    return next(v for k, v in space.items() if k.startswith("grad_"))


@pytest.mark.parametrize(
    "f, kind",
    [
        (made_with(Old), UserWarning),
        (made_with(DeprecationWarning), DeprecationWarning),
        (by_keyword, UserWarning),
        (of_a_table, UserWarning),
        (either_alike, UserWarning),
        (as_an_object, UserWarning),
        (of_numpy, RuntimeWarning),
    ],
)
@pytest.mark.parametrize("made", [gradgen.grad, executed])
def test_a_warning_has_the_nearest_class_of_pythons(f, kind, made):
    with pytest.warns(kind, match="^old$") as told:
        gradient = made(f)(X)
    assert [one.category for one in told] == [kind]
    np.testing.assert_array_equal(gradient, 2 * X)


def other_kinds(x):
    kind = UserWarning if x[0] < 0 else RuntimeWarning
    warnings.warn("old", kind)
    return np.sum(x * x)


def of_its_own_text(x):
    warnings.warn(Loud("old"))
    return np.sum(x * x)


@pytest.mark.parametrize(
    "f, code", [(other_kinds, "GG223"), (of_its_own_text, "GG205")]
)
def test_a_warning_whose_class_no_text_has_is_refused(f, code):
    with pytest.raises(GradgenError, match=code):
        gradgen.emit(f)


def shown(x):
    print(Thing, float, np.float32, Old)
    return np.sum(x * x)


def test_classes_that_are_printed(capsys):
    np.testing.assert_array_equal(executed(shown)(X), 2 * X)
    printed = capsys.readouterr().out
    assert printed.startswith("Thing <class 'float'> <class 'numpy.float32'>")
