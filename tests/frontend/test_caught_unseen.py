"""What a try block raises and handles in lines that no gradient reads, or rebinds before."""

import math

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def of_an_entry(x, y):
    try:
        t = x * x + [1.0, 2.0, 3.0][int(y) + 1]
    except IndexError:
        t = x**3
    return t


def of_a_text(x, y):
    try:
        t = x * x + float("2" if y < 2 else "q")
    except ValueError:
        t = x**3
    return t


def inverse(y):
    return 1 / (y - 3)


def of_a_call(x, y):
    try:
        t = x * x + inverse(y)
    except ZeroDivisionError:
        t = x**3
    return t


def of_lengths(x, y):
    try:
        t = x * x + np.array([1.0, 2.0]) @ np.ones(int(y) + 1)
    except ValueError:
        t = x**3
    return t


def of_no_attribute(x, y):
    try:
        n = y.shape[0] if y > 2 else 1  # noqa: F841
        t = x * x
    except AttributeError:
        t = x**3
    return t


def in_a_state(x, y):
    with np.errstate(divide="raise"):
        try:
            t = x * x + np.divide(1.0, y - 3)
        except FloatingPointError:
            t = x**3
    return t


def around_another(x, y):
    try:
        try:
            t = x * x + math.log(2 - y)
        except ValueError:
            t = x**4
        t = t + [1.0, 2.0, 3.0, 4.0, 5.0][int(y)]
    except Exception:
        t = x**3
    return t


UNSEEN = [
    of_an_entry,
    of_a_text,
    of_a_call,
    of_lengths,
    of_no_attribute,
    in_a_state,
]
MAKERS = {
    "grad": lambda f, x, y: gradgen.grad(f, "x")(x, y),
    "value_and_grad": lambda f, x, y: gradgen.value_and_grad(f, "x")(x, y)[1],
    "vjp": lambda f, x, y: gradgen.vjp(f, "x")(x, y)[1](1.0),
    "jvp": lambda f, x, y: gradgen.jvp(f, "x")(x, y, 1.0)[1],
    "jacobian": lambda f, x, y: gradgen.jacobian(f, "x")(x, y),
}


def measured(function, x, y):
    return numeric_gradient(lambda x: function(x, y), [x], 0).value


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("function", UNSEEN)
def test_where_nothing_is_raised(function, maker):
    got = MAKERS[maker](function, 1.3, 1.0)
    np.testing.assert_allclose(got, measured(function, 1.3, 1.0), rtol=1e-6)


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("function", UNSEEN)
def test_refused_where_the_function_goes_into_its_handler(function, maker):
    function(1.3, 3.0)
    with pytest.raises(gradgen.GradgenError, match="GG113"):
        MAKERS[maker](function, 1.3, 3.0)


@pytest.mark.parametrize("function", UNSEEN)
def test_refused_after_calls_that_went_well(function):
    gradient = gradgen.grad(function, "x")
    for y in (1.0, 1.5, 1.0, 1.5):
        got = gradient(1.3, y)
        np.testing.assert_allclose(got, measured(function, 1.3, y), rtol=1e-6)
    with pytest.raises(gradgen.GradgenError, match="GG113"):
        gradient(1.3, 3.0)


@pytest.mark.parametrize("y", (1.0, 3.0))
def test_a_handler_inside_takes_it_first(y):
    got = gradgen.grad(around_another, "x")(1.3, y)
    np.testing.assert_allclose(got, measured(around_another, 1.3, y), rtol=1e-6)


def test_with_a_seed_as_without():
    gradient = gradgen.grad(of_a_call, "x")
    for more in ({}, {"seed": 2.0}):
        with pytest.raises(gradgen.GradgenError, match="GG113"):
            gradient(1.3, 3.0, **more)


def test_nothing_is_printed_twice(capsys):
    def f(x, y):
        print("loss", y)
        try:
            t = x * x + [1.0, 2.0][int(y)]
        except IndexError:
            t = x
        return t

    gradgen.grad(f)(1.3, 1.0)
    assert capsys.readouterr().out == "loss 1.0\n"


class Log:
    def __init__(self, v):
        self.v = v

    def __add__(self, other):
        return math.log(other) * self.v


def before_a_quotient(x, y):
    s = x
    try:
        s = s * 2
        t = s / y
    except ZeroDivisionError:
        t = s + 1
    return s * t


def in_the_quotient(x, y):
    s = x
    try:
        t = (s := s * 2) / y
    except ZeroDivisionError:
        t = s + 1
    return s * t


def in_place(x, y):
    s = x * 1.0
    try:
        s = s * 2
        s /= y
    except ZeroDivisionError:
        pass
    return s * x


def before_an_operator(x, y):
    s, one = x, Log(x)
    try:
        s = s * 2
        t = one + y
    except ValueError:
        t = s + 1
    return s * t


@pytest.mark.parametrize(
    "function", [before_a_quotient, in_the_quotient, in_place, before_an_operator]
)
def test_a_name_that_is_bound_anew_before_it_raises(function):
    with pytest.raises(gradgen.GradgenError, match="GG113"):
        gradgen.grad(function, "x")(1.3, 0.0)


def behind_the_quotient(x, y):
    s = x
    try:
        t = s / y
        s = s * 2
    except ZeroDivisionError:
        t = s + 1
    return s * t


@pytest.mark.parametrize("y", (0.0, 2.5))
def test_a_name_that_is_bound_anew_behind_what_raises(y):
    got = gradgen.grad(behind_the_quotient, "x")(1.3, y)
    np.testing.assert_allclose(got, measured(behind_the_quotient, 1.3, y), rtol=1e-6)


def put_by(x, y):
    try:
        d = {"a": x}
        d["b"] = [1.0, 2.0, 3.0][int(y)]
        t = d["a"] ** 2
    except (LookupError, np.linalg.LinAlgError):
        t = x**3
    return t


def beside_in_a_list(x, y):
    try:
        w = [x, x / (y - 3)]
        t = w[0] * w[0]
    except ZeroDivisionError:
        t = x**3
    return t


def never_read(x, y):
    try:
        t = x * x
        z = [1.0, 2.0, 3.0][int(y)]  # noqa: F841
    except (LookupError, np.linalg.LinAlgError):
        return x**4
    return t


def in_rounds(x, y):
    s = x
    for k in range(2):
        try:
            w = (x * s, [math.log(y + k), 2.0 / (y - 3 + k)])
            t = w[0]
        except (ValueError, ZeroDivisionError):
            t = x**3
        s = s + t
    return s


IN_THE_TEXT = [put_by, beside_in_a_list, never_read, in_rounds]


@pytest.mark.parametrize("y", (1.0, 3.0))
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("function", IN_THE_TEXT)
def test_a_try_block_of_the_text_has_all_that_raises(function, maker, y):
    got = MAKERS[maker](function, 1.3, y)
    np.testing.assert_allclose(got, measured(function, 1.3, y), rtol=1e-6)


@pytest.mark.parametrize("y", (1.0, 3.0))
@pytest.mark.parametrize("function", IN_THE_TEXT)
def test_the_text_alone(function, y):
    names = {}
    exec(gradgen.emit(function, "x", example=(1.3, 1.0)), names)
    got = names[f"grad_{function.__name__}"](1.3, y)
    np.testing.assert_allclose(got, measured(function, 1.3, y), rtol=1e-6)


def test_a_store_into_a_dictionary_in_a_try_block_that_takes_all():
    def f(x, y):
        t = s = x
        for _ in range(2):
            try:
                d = {"a": x}
                d["b"] = 1 / y
                t = d["a"] ** 2
            except:  # noqa: E722
                pass
            s = s + t
        return s

    for y in (2.0, 0.0):
        got = gradgen.grad(f)(1.3, y)
        np.testing.assert_allclose(got, measured(f, 1.3, y), rtol=1e-6)


def test_a_finally_that_returns_takes_all():
    def f(x, y):
        t = x * x
        try:
            z = [x, 1.0 / y]
            t = t * z[0]
        finally:
            if y < 1:
                return t
        return t * x

    got = gradgen.grad(f)(1.3, 2.0)
    np.testing.assert_allclose(got, measured(f, 1.3, 2.0), rtol=1e-6)
    with pytest.raises(gradgen.GradgenError, match="GG113"):
        gradgen.grad(f)(1.3, 0.0)
