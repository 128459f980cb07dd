"""Classes whose fields are annotated with the class itself, as annotations."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple, Optional

import numpy as np
import pytest

import gradgen


class Floats:
    """An array of floats, as typing stubs write it."""

    T: Floats
    real: "Floats"


class Other:
    other: "Another"


class Another:
    one: Other


@dataclasses.dataclass
class Tree:
    value: np.ndarray
    left: Optional["Tree"] = None
    right: Optional["Tree"] = None


class Link(NamedTuple):
    value: np.ndarray
    next: Optional["Link"] = None


def stub(x: Floats, w: Floats | None = None) -> Floats:
    return np.sum(np.sin(x) * (1.0 if w is None else w))


def by_turns(x: Other) -> float:
    return np.sum(np.sin(x))


def of_a_tree(tree: Tree) -> float:
    total = np.sum(np.sin(tree.value))
    if tree.left is not None:
        total = total + np.sum(tree.left.value**2)
    return total


def of_links(link: Link) -> float:
    return np.sum(np.sin(link.value)) * np.sum(link.next.value)


X = np.array([0.3, -0.5, 0.8])


@pytest.mark.parametrize("function", [stub, by_turns])
def test_arrays(function):
    np.testing.assert_allclose(gradgen.grad(function)(X), np.cos(X))
    assert "np.cos(x)" in gradgen.emit(function)


def test_a_tree():
    found = gradgen.grad(of_a_tree)(Tree(X, Tree(2 * X)))
    np.testing.assert_allclose(found.value, np.cos(X))
    np.testing.assert_allclose(found.left.value, 4 * X)


def test_links():
    try:
        found = gradgen.grad(of_links)(Link(X, Link(2 * X)))
    except gradgen.GradgenError as error:
        assert "GG" in str(error)
        return
    np.testing.assert_allclose(found.value, np.cos(X) * np.sum(2 * X))
    np.testing.assert_allclose(found.next.value, np.sum(np.sin(X)) * np.ones(3))
