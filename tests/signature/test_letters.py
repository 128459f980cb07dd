"""Abstract values of arguments, and letters for their axes."""

import gradgen
from typing import NamedTuple

import numpy as np
import pytest

from gradgen.shapes.dims import Dim
from gradgen.signature.abstract import Array, Number, Static, Unknown, abstract, lengths
from gradgen.signature.letters import Letters
from gradgen.verify.finite import numeric_gradient


class Pair(NamedTuple):
    W: np.ndarray
    b: object


@pytest.mark.parametrize(
    "value, known",
    [
        (np.ones((5, 1), np.float32), Array((False, True), "float")),
        (np.arange(3), Array((False,), "int")),
        (np.ones(3) > 0, Array((False,), "bool")),
        (np.ones(2) * 1j, Array((False,), "complex")),
        (np.ones((2, 0)), Array((False, False), "float")),
        (2.0, Number("float")),
        (2, Number("int")),
        (True, Number("bool")),
        (1j, Number("complex")),
        (np.float32(2), Number("float", True)),
        (np.array(2.0), Array((), "float")),
        (np.array(2), Unknown("array of i")),
        (np.array([None]), Unknown("array of O")),
        ([1.0, 2.0], Unknown("list")),
        ([np.ones(2)] * 101, Unknown("list")),
        ("sum", Static("str")),
        (None, Static("NoneType")),
        (np, Unknown("module")),
    ],
)
def test_abstract_values(value, known):
    assert abstract(value) == known


def facts(**values):
    return of(values).facts()


def of(values, **more):
    return Letters({k: abstract(v) for k, v in values.items()}, values, **more)


def test_each_axis_has_a_letter_of_its_own_and_one_is_one():
    found = facts(X=np.ones((4, 4)), y=np.ones((1, 4)), lam=0.5, i=3, on=True)
    assert found == {"X": "n m", "y": "1 k", "lam": "", "i": ":int", "on": ":bool"}


def test_sorts_are_told_of_integers_and_masks():
    found = facts(i=np.arange(3), m=np.ones((2, 2), bool), z=np.ones(2) * 1j)
    assert found == {"i": "n:int", "m": "m k:bool", "z": "p"}


def test_containers_are_told_part_by_part():
    layers = [(np.ones((2, 3)), np.ones(2)), {"b": 1.0, "n": 2, "name": "tanh"}]
    assert facts(layers=layers) == {
        "layers": '[("n m", "k"), {"b": "", "n": int, "name": str}]'
    }
    assert facts(p=Pair(np.ones(3), None)) == {"p": 'Pair(W="n", b=None)'}


def test_nothing_is_told_of_what_is_not_known():
    none = facts(s="sum", none=None, f=np.sin, zero=np.array(2), r=[1.0])
    assert none == {"none": "=None"}
    assert facts(zero=np.array(2.0)) == {"zero": ":array"}


def test_lengths_are_those_of_all_axes_in_order():
    assert list(lengths({"a": np.ones((2, 3)), "b": [np.ones(4), 5.0]})) == [2, 3, 4]


N, M, K = map(Dim.of, "nmk")


def test_an_equation_unifies_letters():
    letters = of({"X": np.ones((4, 3)), "y": np.ones(4)})
    assert letters.learn((N, K), True)
    assert letters.facts() == {"X": "n m", "y": "n"}
    assert letters.equations == [(N, K)]


def test_an_equation_may_make_one_length_of_others():
    letters = of({"x": np.ones(5), "y": np.ones(4), "z": np.ones(8)})
    assert letters.learn((N - Dim.of(1), M), True)
    assert letters.learn((M * Dim.of(2), K), True)
    assert letters.facts() == {"x": "n", "y": "n-1", "z": "2*n-2"}


def test_a_length_that_an_operation_needs_is_fixed():
    letters = of({"x": np.ones((5, 3))})
    assert letters.learn((M, Dim.of(3)), True)
    assert letters.facts() == {"x": "n 3"}


def test_other_lengths_than_the_equation_says_are_refused_or_left_open():
    values = {"x": np.ones(5), "y": np.ones(4)}
    assert not of(values).learn((N, M), True)
    letters = of(values)
    assert letters.learn((N, M), False)  # in an arm that these arguments do not reach
    assert letters.facts() == {"x": "?n", "y": "?m"}
    assert not letters.learn((N, M), False)  # nothing is left to be opened


def test_what_is_left_open_and_solved_for_keeps_a_name_of_its_own():
    letters = of({"x": np.ones((3, 3)), "y": np.ones((2, 3))})
    assert letters.learn((M, K), False)
    assert letters.learn((M, N), False)
    assert letters.facts() == {"x": "n ?m", "y": "?k p"}


def test_names_of_the_code_stay_in_equations():
    values = {"x": np.ones(5), "X": np.ones((5, 2))}
    letters = of(values, named={("X", 0): "rows", ("X", 1): "n"})
    assert letters.facts() == {"x": "m", "X": "rows n"}
    assert letters.learn((Dim.of("m"), Dim.of("rows")), True)
    assert letters.facts() == {"x": "rows", "X": "rows n"}
    assert of(values, taken=("n", "m")).facts() == {"x": "k", "X": "p q"}


def halves(u, X):
    h = np.concatenate([X, X], axis=-2)[1]
    return (X - np.sum(h)) * np.mean(u)


def annotated(u: "Float[np.ndarray, 'd n']", X):  # noqa: F821, F722
    h = np.concatenate([X, X], axis=-2)[1]
    return (X - np.sum(h)) * np.mean(u)


@pytest.mark.parametrize(
    "function, told",
    [
        (halves, {"X": "b n d"}),
        (halves, {"u": "n m"}),
        (halves, {"u": "d b"}),
        (halves, {}),
        (annotated, {}),
        (annotated, {"X": "b k d"}),
    ],
)
def test_letters_of_one_argument_are_not_those_told_of_another(function, told):
    """Equal letters are equal lengths: no fact says that these are."""
    u, X = np.cos(np.ones((5, 7))), np.sin(np.arange(30.0).reshape(2, 3, 5))
    seed = np.cos(X)
    g = gradgen.grad(function, "X", shapes=told)
    for _ in range(3):
        found = g(u, X, seed=seed)
        want = numeric_gradient(function, [u, X], 1, seed).value
        np.testing.assert_allclose(found, want, rtol=1e-9, atol=1e-12)
