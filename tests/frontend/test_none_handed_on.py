"""An argument that may be None, handed on in every way there is, and asked then."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.frontend.writing import written

PASSED = [
    "copy.copy(w)",
    "copy.deepcopy(w)",
    "(w,)[0]",
    "[w][-1]",
    "{'a': w}['a']",
    "{'a': w}.get('a')",
    "{}.get('a', w)",
    "next(iter([w]))",
    "next(iter([]), w)",
    "(lambda v: v)(w)",
    "functools.reduce(lambda a, b: b, [1, w])",
    "max([w], key=lambda v: 0)",
    "list(map(lambda v: v, [w]))[0]",
    "[v for v in (w,)][0]",
    "list(zip([w], [x]))[0][0]",
    "dict(a=w)['a']",
    "SimpleNamespace(w=w).w",
    "getattr(SimpleNamespace(w=w), 'w')",
    "Box(w).w",
    "Box(w).get()",
    "ident(w)",
    "pair(w)[0]",
    "w or None",
    "w and w",
    "(w if w is not None else None)",
    "first(w, x)",
    "kw(w=w)",
    "star(*[w])",
    "star(**{'v': w})",
    "reversed([w]).__next__()",
    "vars(Box(w))['w']",
    "P(w, x).w",
    "P(w, x)._replace(x=x).w",
    "dataclasses.replace(D(w), b=2).w",
    "operator.itemgetter(0)((w,))",
    "operator.attrgetter('w')(Box(w))",
    "deque([w])[0]",
    "set([1]) and w",
    "cached(1) or w",
    "(u := w)",
    "w if x is not None else x",
    "functools.partial(ident, w)()",
    "itertools.chain([w], [x]).__next__()",
    "list(itertools.chain([w]))[0]",
    "{**{'a': w}}['a']",
    "[*[w]][0]",
    "enumerate_first(w)",
    "try_(w)",
    "gen(w)",
    "prop(w).v",
]
ASKED = [
    "v is None",
    "not (v is not None)",
    "isinstance(v, type(None))",
    "not isinstance(v, np.ndarray)",
]
HEAD = """\
import copy
import dataclasses
import functools
import itertools
import operator
from types import SimpleNamespace
from collections import deque
from typing import NamedTuple, Any
class Box:
    def __init__(self, w): self.w = w
    def get(self): return self.w
class P(NamedTuple):
    w: Any
    x: Any
@dataclasses.dataclass
class D:
    w: Any
    b: int = 1
class Q:
    def __init__(self, v): self._v = v
    @property
    def v(self): return self._v
def prop(w): return Q(w)
def ident(v): return v
def pair(v): return v, 1.0
def first(*a): return a[0]
def kw(**k): return k["w"]
def star(v): return v
def cached(k): return None
def enumerate_first(w):
    for i, v in enumerate([w]):
        return v
def try_(w):
    try:
        return w
    finally:
        pass
def gen(w):
    def g():
        yield w
    return next(g())


def f(x, w=None):
    v = {passed}
    if {asked}:
        return np.sum(x**2)
    return np.sum(x**2 * v)
"""
X, W = np.array([0.3, -0.5, 0.8]), np.array([1.5, 0.5, -2.0])


@pytest.mark.parametrize("place", range(len(PASSED)), ids=PASSED)
def test_right_or_refused(place, tmp_path):
    asked = ASKED[place % len(ASKED)], ASKED[(place + 2) % len(ASKED)]
    for i, one in enumerate(asked):
        source = HEAD.replace("{passed}", PASSED[place]).replace("{asked}", one)
        f = written(source, tmp_path, f"passed_{place}_{i}")
        made = [gradgen.grad(f)]
        try:
            space = {}
            exec(compile(gradgen.emit(f), "<text>", "exec"), space)
            made.append(space["grad_f"])
        except GradgenError as error:
            assert not isinstance(error, gradgen.errors.InternalError)
        for w, want in ((None, 2 * X), (W, 2 * X * W)):
            try:
                f(X, w)
            except Exception:  # `w or None` of an array
                continue
            for gradient in made:
                try:
                    found = gradient(X, w)
                except GradgenError as error:
                    assert not isinstance(error, gradgen.errors.InternalError)
                    continue
                np.testing.assert_allclose(found, want)
