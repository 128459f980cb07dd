"""The benchmark of calls measures derivatives that take the short way."""

import numpy as np
import pytest

import gradgen
from bench import call


@pytest.mark.parametrize("count", call.COUNTS)
def test_the_call_is_written_for_its_signature(count):
    x = np.linspace(0.1, 0.8, 8)
    args = [x + k for k in range(count)]
    derivative = gradgen.grad(call.FUNCTIONS[count])
    found = [derivative(*args) for _ in range(4)]
    other = args[1] if count > 1 else 2 * args[0]
    assert all(np.array_equal(one, other) for one in found)
    assert type(derivative).__call__.__name__ == "call"


@pytest.mark.parametrize("maker", call.MAKERS)
def test_every_maker_has_a_call_of_its_own(maker):
    x = np.linspace(0.1, 0.8, 8)
    args = [x, x + 1] + [x] * call.MAKERS[maker]
    derivative = getattr(gradgen, maker)(call.FUNCTIONS[2])
    cold = derivative(*args)
    for _ in range(3):
        found = derivative(*args)
    assert type(derivative).__call__.__name__ == "call"
    if maker == "vjp":
        cold, found = (cold[0], cold[1](2.0)), (found[0], found[1](2.0))
    many = isinstance(found, tuple)
    pairs = zip(found, cold) if many else [(found, cold)]
    assert all(np.array_equal(one, other) for one, other in pairs)


def test_the_table_has_a_row_for_each_maker_and_count(monkeypatch):
    monkeypatch.setattr(call, "ROUNDS", 1)
    monkeypatch.setattr(call, "CALLS", 5)
    titles, *rows = call.rows()
    counts = [str(count) for count in call.COUNTS]
    assert [row[:2] for row in rows] == [[m, c] for m in call.MAKERS for c in counts]
    assert all(len(row) == len(titles) for row in rows)
