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


def test_the_table_has_a_row_for_each_count(monkeypatch):
    monkeypatch.setattr(call, "ROUNDS", 1)
    monkeypatch.setattr(call, "CALLS", 5)
    titles, *rows = call.rows()
    assert [row[0] for row in rows] == ["1", "2", "4", "8"]
    assert all(len(row) == len(titles) for row in rows)
