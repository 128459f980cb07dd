"""What is around the methods of a class is looked at once, however many call each other."""

import types

import numpy as np
import pytest

import gradgen
from gradgen.runtime.environment import Environment

COUNT = 40
TEXT = """
SCALE = 2.0


class Node:
    def __init__(self, child=None):
        self.child = child

    def loss(self, x):
        return step0(self, x) * SCALE

""" + "\n\n".join(
    f"def step{i}(node, x):\n"
    f"    return np.sum(np.sin(x)) if node.child is None else step{i + 1}(node.child, x)"
    for i in range(COUNT)
)
TEXT += f"\n\n\ndef step{COUNT}(node, x):\n    return np.sum(np.cos(x))\n"


def module(tmp_path, monkeypatch):
    (tmp_path / "many_steps.py").write_text("import numpy as np\n" + TEXT)
    monkeypatch.syspath_prepend(str(tmp_path))
    import many_steps

    return many_steps


def test_functions_that_several_call_are_noted_once(tmp_path, monkeypatch):
    made = module(tmp_path, monkeypatch)
    own = [one for one in vars(made).values() if isinstance(one, types.FunctionType)]
    alone = len(Environment(made.Node.loss).names)
    # each as a method behind another one, and as a function that one calls
    assert len(Environment(made.Node.loss, *own).names) <= 4 * alone


def test_what_any_of_them_reads_may_change(tmp_path, monkeypatch):
    made = module(tmp_path, monkeypatch)
    node, x = made.Node(made.Node(made.Node())), np.array([0.3, 0.8])
    grad = gradgen.grad(node.loss)
    np.testing.assert_allclose(grad(x), 2 * np.cos(x))
    monkeypatch.setattr(made, "SCALE", 3.0)
    np.testing.assert_allclose(grad(x), 3 * np.cos(x))
    monkeypatch.setattr(made, "step2", lambda node, x: np.sum(x**2))
    np.testing.assert_allclose(grad(x), 3 * 2 * x)
    node.child.child = None
    np.testing.assert_allclose(grad(x), 3 * np.cos(x))


class Link:
    def __init__(self, n=None, k=1.0):
        self.n, self.k = n, k


class Chains:
    deep = shallow = None


CHAINS = Chains()


def scaled_by_the_end(x):
    if CHAINS.deep is None:
        return x
    return x * CHAINS.shallow.n.k


@pytest.mark.parametrize("length", range(4, 10))
def test_what_lies_deep_on_one_way_is_seen_on_a_shorter_one(length):
    end = Link(None, 3.0)
    CHAINS.shallow = CHAINS.deep = Link(end)
    for _ in range(length):
        CHAINS.deep = Link(CHAINS.deep)
    gradient = gradgen.grad(scaled_by_the_end)
    assert gradient(2.0) == 3.0
    end.k = 5.0
    assert gradient(2.0) == 5.0
