"""What stops before its last item: steps that Python does not come to change nothing.

Iterators are read as a whole. That is right where what they compute changes nothing
that is read elsewhere, and refused where it does.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

TEXT = """
import functools
import itertools
import numpy as np

def h(x):
    y = x * 1.0
    t = 0.0
    def g(v):
        y[2] = v * 0.5
        return v * 0.5 + y[0]
    def p(v):
        y[2] = v * 0.3
        return v < 100
    def f(a, b):
        y[2] = a * 0.7
        return a * 0.5 + b
    def gen(v):
        for i in range(3):
            y[2] += v[i]
            yield v[i] * y[0]
    t = t + {}
    return t + np.sum(y * x)
"""
TAKEN = [
    "next(iter(itertools.accumulate([y[0], y[1], x[2]], f)), 0.5)",
    "next(itertools.accumulate([y[0], y[1], x[2]], f))",
    "next(iter(itertools.accumulate(x, f)))",
    "next(map(g, x))",
    "next(iter(map(g, [y[0], x[1]])))",
    "next(gen(x))",
    "next(iter(gen(x)), 1.0)",
    "next(filter(p, x))",
    "next(itertools.chain(map(g, x), x))",
    "next(g(v) for v in x)",
    "next((g(v) for v in x), 0.0)",
    "next(zip(map(g, x), x))[0]",
    "next(enumerate(map(g, x)))[1]",
    "list(itertools.islice(map(g, x), 1))[0]",
    "list(itertools.islice(itertools.accumulate(x, f), 1))[0]",
    "next(itertools.islice(map(g, x), 1, None))",
    "next(iter([g(v) for v in x]))",
    "next(reversed([g(v) for v in x]))",
    "next(itertools.starmap(f, [(x[0], x[1]), (x[1], x[2])]))",
    "any(p(v) for v in x) * x[0]",
    "all(p(v) for v in x) * x[0]",
    "(x[0] in map(g, x)) * 1.0",
    "max(map(g, x))",
    "sum(map(g, x))",
    "next(itertools.accumulate([g(v) for v in x]))",
    "next(itertools.accumulate((g(v) for v in x)))",
    "next(iter(itertools.accumulate(map(g, x))))",
    "next(itertools.pairwise(map(g, x)))[0]",
    "next(itertools.product(map(g, x), x))[0]",
    "dict(zip('ab', map(g, x)))['a']",
    "[a for a, b in zip(x[:1], map(g, x))][0]",
    "[a for a, b in zip(map(g, x), x[:1])][0]",
    "next(iter(zip(x[:1], map(g, x))))[1]",
    "list(zip(x[:1], gen(x)))[0][1]",
    "list(zip(gen(x), x[:1]))[0][0]",
    "next(itertools.zip_longest(map(g, x), x))[0]",
    "min(itertools.islice(gen(x), 2))",
    "next(itertools.cycle(map(g, x)))",
    "functools.reduce(f, x)",
    "next(itertools.compress(map(g, x), [1, 0, 1]))",
    "next(itertools.takewhile(p, x))",
    "list(itertools.takewhile(p, x))[0]",
    "next(itertools.dropwhile(p, x), 0.0)",
    "sum(itertools.islice(itertools.accumulate(x, f), 2))",
    "[*itertools.islice(gen(x), 1)][0]",
    "next(iter(set([g(x[0])])))",
    "next(iter({'a': g(x[0])}.values()))",
    "next(a for a, b in zip(map(g, x), x))",
    "sum(a * b for a, b in zip(map(g, x), x))",
    "sum(a * b for a, b in zip(map(g, x), x[:2]))",
    "sum(a * b for a, b in zip(x[:2], map(g, x)))",
    "sum(a * b for a, b in zip(x, map(g, x)))",
    "sum(a * b for a, b in zip(gen(x), x[:2]))",
    "sum(a * i for a, i in zip(map(g, x), range(2)))",
    "sum(a * i for i, a in zip(range(2), map(g, x)))",
    "sum(a * i for a, i in zip(map(g, x), itertools.count()))",
    "sum(a * i for a, i in zip((g(v) for v in x), [1, 2]))",
    "sum(map(lambda a, b: a * b, map(g, x), x[:1]))",
    "sum(a * b * i for i, (a, b) in enumerate(zip(map(g, x), x[:1])))",
    "sum(a * b for a, b in zip(map(lambda v: v * 2, x), x[:2]))",
    "sum(a for a, b in itertools.zip_longest(map(g, x), x))",
    "sum(a * b for a, b in zip(itertools.accumulate(x, f), x[:1]))",
    "sum(a * i for a, i in zip(map(g, x), range(len(x))))",
    "sum(a * i for a, i in zip(map(g, x), range(len(x) - 1)))",
]
# these are right, whatever else is refused
RIGHT = [
    "sum(a * i for a, i in zip(map(g, x), range(len(x))))",
    "sum(map(g, x))",
    "functools.reduce(f, x)",
    "sum(a * b for a, b in zip(map(g, x), x))",
    "sum(a * b for a, b in zip(x[:2], map(g, x)))",
    "sum(a * b for a, b in zip(map(lambda v: v * 2, x), x[:2]))",
]


@pytest.mark.parametrize("taken", TAKEN)
def test_right_or_refused(taken):
    function = imported(TEXT.format(taken), "h")
    x = np.array([0.3, 0.5, 0.4])
    want = numeric_gradient(function, [x], 0).value
    try:
        value, found = gradgen.value_and_grad(function)(x)
    except gradgen.GradgenError as refusal:
        assert taken not in RIGHT and refusal.advice
        assert refusal.code in ("GG205", "GG243", "GG268")
        return
    assert np.allclose(value, function(x)) and np.allclose(found, want, rtol=1e-6)
