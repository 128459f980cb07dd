"""The lines of a text that keep values for the way back belong to the values' lines."""

import pytest

from gradgen.commands.order import Order, make
from gradgen.explain.account import Account
from gradgen.explain.origins import origins
from gradgen.explain.record import Record

PRIMAL = """import numpy as np


def walk(x, y):
    for i in range(3):
        h = np.sin(x)
        x = np.tanh(h) * y
    return np.sum(x**2)
"""
X = "7"  # the line of x, and of the tanh that it reads


@pytest.mark.parametrize("mode", ["reverse", "hvp"])
def test_lists_of_kept_values(mode, tmp_path):
    (tmp_path / "walks.py").write_text(PRIMAL)
    record = Record()
    target = f"{tmp_path / 'walks.py'}:walk"
    made = make(Order(target=target, mode=mode, shape=("x=n", "y=n")), record)
    account = Account(made.source, made.request, made.emitted, record)
    text = made.emitted.text
    rendered = [one.rendered for one in account.functions]
    found = origins(text, rendered, account.originals)
    rows = dict(enumerate(text.splitlines(), start=1))
    kept = [n for n, row in rows.items() if ".append(" in row]
    assert kept
    for number in kept:
        assert X in found[number], rows[number]
    read = [n for n, row in rows.items() if row.endswith("[i]")]
    assert read
    assert all(found.get(number) for number in read), [rows[n] for n in read]
