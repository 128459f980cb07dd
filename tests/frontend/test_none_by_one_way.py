"""A name that is None by one way: what reads it sees None, and not the value before."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

# what is done, and by how much the sum of x is multiplied where that of x is positive
FORMS = {
    "compared": ("if np.sum(x) > 0: w = None\n  k = 2 if w == 'a' else 3", 3),
    "is None": ("if np.sum(x) > 0: w = None\n  k = 2 if w is None else 3", 2),
    "in": ("if np.sum(x) > 0: w = None\n  k = 2 if w in ('a', 'b') else 3", 3),
    "truth": ("if np.sum(x) > 0: w = None\n  k = 2 if w else 3", 3),
    "or": ("w = 4.0\n  if np.sum(x) > 0: w = None\n  k = w or 3.0", 3),
    "by if else": ("w = x if np.sum(x) < 0 else None\n  k = 3 if w is None else 2", 3),
    "in a loop": (
        "for _ in range(3):\n    if np.sum(x) > 0: w = None\n  k = 2 if w == 'a' else 3",
        3,
    ),
    "next round": (
        "k = 1\n  v = x\n  for i in range(3):\n"
        "    if isinstance(v, np.ndarray): k = k * 2\n    v = None if i < 5 else x",
        2,
    ),
    "hasattr": (
        "v = x if np.sum(x) < 0 else None\n  k = 2 if hasattr(v, 'shape') else 3",
        3,
    ),
    "isinstance": (
        "v = 1.0\n  if np.sum(x) > 0: v = None\n  k = 2 if isinstance(v, float) else 3",
        3,
    ),
    "ndim": ("v = x if np.sum(x) < 0 else None\n  k = 2 if np.ndim(v) == 1 else 3", 3),
    "size": ("v = x if np.sum(x) < 0 else None\n  k = 2 + np.size(v)", 3),
    "asked first": (
        "v = x if np.sum(x) < 0 else None\n"
        "  k = 2 if v is not None and np.ndim(v) == 1 else 3",
        3,
    ),
    "returned": ("v = part(x)\n  k = 2 if hasattr(v, 'shape') else 3", 3),
    "fallen off": ("v = rest(x)\n  k = 2 if np.ndim(v) == 1 else 3", 3),
    "in a dictionary": (
        "d = {'m': 'a'}\n  if np.sum(x) > 0: d['m'] = None\n  k = 2 if d['m'] == 'a' else 3",
        3,
    ),
    "in a dictionary in a loop": (
        "d = {'m': 'a'}\n  for i in range(3):\n    if np.sum(x) > i: d['m'] = None\n"
        "  k = 2 if d['m'] == 'a' else 3",
        3,
    ),
    "in a list": (
        "r = ['a', 1.0]\n  if np.sum(x) > 0: r[0] = None\n  k = 2 if r[0] == 'a' else 3",
        3,
    ),
    "a field": (
        "o = Held('a')\n  if np.sum(x) > 0: o.m = None\n  k = 2 if o.m == 'a' else 3",
        3,
    ),
    "a field in a loop": (
        "o = Held('a')\n  for i in range(3):\n    if np.sum(x) > 0: o.m = None\n"
        "  k = 2 if o.m == 'a' else 3",
        3,
    ),
    "a field that an arm sets": (
        "o = Held('a')\n  if np.sum(x) < 0: o.u = x * 2\n"
        "  k = 2 if hasattr(o.u, 'shape') else 3",
        3,
    ),
    "another value": ("if np.sum(x) > 0: w = 7\n  k = 2 if w == 'a' else 3", 3),
    "no longer": (
        "w = None\n  if np.sum(x) > 0: w = 'a'\n  k = 2 if w == 'a' else 3",
        2,
    ),
}
AROUND = """
class Held:
  def __init__(self, m):
    self.m = m
    self.u = None

def part(a):
  if np.sum(a) > 0: return None
  return a

def rest(a):
  if np.sum(a) < 0:
    return a * 2
"""


@pytest.mark.parametrize("form", FORMS)
def test_the_way_that_is_taken(form, tmp_path):
    body, factor = FORMS[form]
    text = f"{AROUND}\ndef f(x, w='a'):\n  {body}\n  return np.sum(x) * k\n"
    f = written(text, tmp_path)
    x = np.array([0.5, 1.0, 2.0])
    assert f(x) == factor * 3.5
    value, gradient = gradgen.value_and_grad(f, wrt="x")(x)
    assert value == factor * 3.5
    np.testing.assert_array_equal(gradient, np.full(3, float(factor)))
    space = {}
    exec(gradgen.emit(f, wrt="x"), space)
    np.testing.assert_array_equal(space["grad_f"](x), np.full(3, float(factor)))


def test_arithmetic_on_none_raises_as_python_does(tmp_path):
    text = "def f(x, w=2.0):\n  if np.sum(x) > 0: w = None\n  return np.sum(x * w)\n"
    f = written(text, tmp_path)
    with pytest.raises(TypeError):
        f(np.ones(3))
    with pytest.raises((TypeError, gradgen.GradgenError)):
        gradgen.grad(f, wrt="x")(np.ones(3))
    np.testing.assert_array_equal(gradgen.grad(f, wrt="x")(-np.ones(3)), 2.0)


@pytest.mark.parametrize(
    "call", ["np.cumsum(X, ax)", "np.sort(X, axis=ax)", "X.sum(ax)"]
)
def test_an_axis_that_may_be_none_is_refused(call, tmp_path):
    text = "def f(x):\n  X = np.outer(x, x)\n  ax = None if np.sum(x) > 0 else 0\n"
    f = written(f"{text}  return np.sum({call} ** 2)\n", tmp_path)
    with pytest.raises(gradgen.GradgenError, match="GG303"):
        gradgen.grad(f)(np.ones(3))


@pytest.mark.parametrize("w", [np.array(2.0), np.array([2.0, 3.0]), 2.0, None])
def test_an_array_of_rank_0_is_not_gone_over(w, tmp_path):
    text = "def f(x, w=None):\n  return np.sum(x) * (3 if np.iterable(w) else 2)\n"
    f = written(text, tmp_path)
    x = np.ones(3)
    np.testing.assert_array_equal(gradgen.grad(f, wrt="x")(x, w), f(x, w) / 3)


ENTRIES = {
    "filtered": "return sum(v for v in c if v is not None)",
    "counted": "return sum(v for v in c if v is not None) * sum(v is None for v in c)",
    "chosen": "return c[1] * c[2] if c[0] is None else c[0]",
    "looped": "s = 0.0\n  for i, v in enumerate(c):\n"
    "    s = s + (x[i] if v is None else v * v)\n  return s",
}
FILLED = {
    "appended": "c = []\n  for v in x: c.append(v * 2 if v > 0.6 else None)",
    "comprehension": "c = [v * x[1] if v > 0.6 else None for v in x]",
    "stored": "c = [None] * 3\n  for i in range(3):\n    if x[i] > 0.6: c[i] = x[i] * 2",
}


@pytest.mark.parametrize("read", ENTRIES)
@pytest.mark.parametrize("made", FILLED)
def test_entries_of_lists_that_may_be_none(made, read, tmp_path):
    f = written(f"def f(x):\n  {FILLED[made]}\n  {ENTRIES[read]}\n", tmp_path)
    x = np.array([0.5, 1.2, 0.7])
    wanted = numeric_gradient(f, [x], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(x), wanted, rtol=1e-6, atol=1e-9)
    space = {}
    exec(gradgen.emit(f), space)
    np.testing.assert_allclose(space["grad_f"](x), wanted, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    "read", ["x[k] ** 2 * np.arange(3)", "np.outer(x, x)[:, k] ** 2"]
)
@pytest.mark.parametrize("first", [0.5, 1.5])
def test_an_index_that_may_be_none(read, first, tmp_path):
    text = f"def f(x):\n  k = None if x[0] < 1 else 0\n  return np.sum({read})\n"
    f = written(text, tmp_path)
    x = np.array([first, 1.2, 0.7])
    wanted = numeric_gradient(f, [x], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(x), wanted, rtol=1e-6, atol=1e-9)
