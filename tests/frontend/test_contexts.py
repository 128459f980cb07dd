"""with blocks of classes, names of a module that functions bind, and what is in finally."""

from __future__ import annotations

import textwrap
import threading

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.frontend.measured import X, at_three_points, is_right

MODE = "plain"
LEVEL = 2
LOCK = threading.Lock()


def set_mode(word):
    global MODE
    MODE = word.lower()


class mode:
    def __init__(self, word):
        self._word, self._before = word, MODE

    def __enter__(self):
        set_mode(self._word)
        return self

    def __exit__(self, *given):
        set_mode(self._before)

    def __call__(self, function):
        def wrapped(*args):
            with self:
                return function(*args)

        return wrapped


class Swallows(mode):
    def __exit__(self, *given):
        set_mode(self._before)
        return True


class Counted:
    def __init__(self):
        self.factor = 1.0

    def __enter__(self):
        self.factor = self.factor + 1.0
        return self.factor

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.factor = self.factor - 0.5


COUNTED = Counted()


def quotient(a, b):
    if MODE == "plain":
        return a / b
    if MODE == "half":
        return a / b / 2
    return a * b


def in_a_block(x):
    with mode("Half"):
        y = quotient(x, 3.0)
    return np.sum(y * quotient(x, 2.0))


def returned_from_a_block(x):
    with mode("other"):
        return np.sum(quotient(x, x) * x)


def in_an_arm(x):
    z = x
    if x[0] > 0:
        with mode("half"):
            z = quotient(x, x + 1)
    return np.sum(quotient(z, x + 2))


def in_each_round(x):
    z = x * 1.0
    with mode("times") as m, mode("half"):
        for _ in range(3):
            with mode(m._word):
                z = quotient(z, x)
            z = quotient(z, 1.5)
    return np.sum(quotient(z, x))


def left_by_one_way(x):
    for i in range(3):
        with mode("half"):
            if x[i] > 0.5:
                return quotient(x[i], 3.0)
            if x[i] < -5:
                break
    return np.sum(quotient(x, 3.0))


@mode("half")
def decorated(x):
    return np.sum(quotient(x, x**2 + 1))


def bound_back_to_what_it_was_at_first(x):
    with mode("half"):
        y = x * 1.0
        for _ in range(2):
            y = quotient(y, 3.0)
            set_mode("plain")
    return np.sum(y)


def a_field_that_is_counted(x):
    box = Counted()
    with box as n:
        y = x * box.factor * n
    with box:
        y = y * box.factor
    return np.sum(y) * box.factor


def a_lock(x):
    with LOCK:
        return np.sum(x**2)


def raises_by_one_way(x):
    with mode("half"):
        if np.sum(x) > 100:
            raise ValueError("far")
        return np.sum(quotient(x, x + 3))


def in_a_try_block(x):
    try:
        with mode("half"):
            y = np.linalg.inv(np.outer(x, x) + np.eye(3))[0]
            return np.sum(quotient(y, 3.0))
    except np.linalg.LinAlgError:
        return np.sum(quotient(x, 5.0))


def bound_and_bound_back(x):
    global LEVEL
    before = LEVEL
    LEVEL = 3
    y = x**LEVEL
    LEVEL = before
    return np.sum(y * x**LEVEL)


def a_local_of_the_same_name(x):
    LEVEL = x * 2

    def inner(v):
        global LEVEL
        LEVEL = 5
        out = v**LEVEL
        LEVEL = 2
        return out

    return np.sum(inner(x) * LEVEL)


def stored_in_finally(x):
    y = x * 2
    try:
        return np.sum(y * y)
    finally:
        y[0] = 0.0


def stored_into_the_result(x):
    y = x * 2
    try:
        return y
    finally:
        y[0] = y[1] * y[2]


def of_what_finally_stores(x):
    return np.sum(stored_into_the_result(x) ** 2)


def finally_behind_one_way(x):
    y = x * 1.0
    for i in range(3):
        try:
            if x[i] > 0.5:
                return np.sum(y * y)
        finally:
            y[i] = y[i] * 3.0
    return np.sum(y)


RIGHT = [
    in_a_block,
    returned_from_a_block,
    in_an_arm,
    in_each_round,
    left_by_one_way,
    decorated,
    a_field_that_is_counted,
    a_lock,
    raises_by_one_way,
    in_a_try_block,
    bound_and_bound_back,
    a_local_of_the_same_name,
    stored_in_finally,
    of_what_finally_stores,
    finally_behind_one_way,
]


@pytest.mark.parametrize("function", RIGHT, ids=lambda f: f.__name__)
@at_three_points
def test_its_gradient(function, x):
    is_right(function, x)


def test_what_the_mode_is_by_the_call():
    gradient = gradgen.grad(of_a_mode)
    first = gradient(X)
    with mode("half"):
        second = gradient(X)
    np.testing.assert_allclose(first, 1 / (X + 1) ** 2, rtol=1e-12)
    np.testing.assert_allclose(second, first / 2, rtol=1e-12)
    np.testing.assert_allclose(gradient(X), first, rtol=0)


def of_a_mode(x):
    return np.sum(quotient(x, x + 1))


def leaves_it_bound(x):
    set_mode("half")
    return np.sum(quotient(x, 3.0))


def leaves_it_by_one_way(x):
    global LEVEL
    if x[0] > 0.5:
        LEVEL = 3
        return np.sum(x)
    return np.sum(x * x)


def depends_on_a_branch(x):
    global MODE
    if x[0] > 0:
        MODE = "half"
    y = quotient(x, 3.0)
    MODE = "plain"
    return np.sum(y)


def holds_an_array(x):
    global LEVEL
    LEVEL = x * 2
    y = np.sum(LEVEL)
    LEVEL = 2
    return y


def goes_on_behind_what_is_raised(x):
    with Swallows("half"):
        if x[0] > 100:
            raise ValueError("far")
        return np.sum(quotient(x, 2.0))


def raises_in_a_block(x):
    try:
        with mode("half"):
            y = x * {}["a"]
    except KeyError:
        y = quotient(x, 3.0)
    return np.sum(y)


def changes_what_is_around_it(x):
    with COUNTED as n:
        return np.sum(x) * n


def bound_before_a_handler(x):
    global LEVEL
    try:
        LEVEL = 3
        y = np.linalg.inv(np.outer(x, x))[0] * LEVEL
    except np.linalg.LinAlgError:
        y = x * LEVEL
    LEVEL = 2
    return np.sum(y)


def a_def_under_the_name(x):
    global quotient_of_all

    def quotient_of_all(a):
        return a / 3

    return np.sum(quotient_of_all(x))


def a_return_in_finally(x):
    try:
        return np.sum(x)
    finally:
        return np.sum(x * x)  # noqa: B012


REFUSED = [
    bound_back_to_what_it_was_at_first,
    leaves_it_bound,
    leaves_it_by_one_way,
    depends_on_a_branch,
    holds_an_array,
    goes_on_behind_what_is_raised,
    raises_in_a_block,
    changes_what_is_around_it,
    bound_before_a_handler,
    a_def_under_the_name,
    a_return_in_finally,
]


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_it_is_refused(function):
    with pytest.raises(GradgenError) as caught:
        gradgen.grad(function)(X)
    assert any(one.code in ("GG113", "GG230") for one in caught.value.problems)
    assert (MODE, LEVEL) == ("plain", 2)


def test_another_module_and_its_names(tmp_path, monkeypatch):
    """module.NAME of a module whose name is bound by a function of it."""
    (tmp_path / "settings_apart.py").write_text(
        textwrap.dedent(
            """
            FACTOR = 2.0

            def set_factor(value):
                global FACTOR
                FACTOR = value

            def times(x):
                return FACTOR * x
            """
        )
    )
    (tmp_path / "use_apart.py").write_text(
        textwrap.dedent(
            """
            import numpy as np
            import settings_apart
            from settings_apart import FACTOR

            def f(x):
                settings_apart.set_factor(5.0)
                y = settings_apart.times(x) * settings_apart.FACTOR + FACTOR * x
                settings_apart.set_factor(FACTOR)
                return np.sum(y * settings_apart.FACTOR)
            """
        )
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    import use_apart

    got = gradgen.grad(use_apart.f)(X)
    np.testing.assert_allclose(got, np.full(3, 54.0), rtol=1e-12)
