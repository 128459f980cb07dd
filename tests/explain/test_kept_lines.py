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
H, X = 6, 7  # the lines of h and of x


@pytest.mark.parametrize("mode", ["reverse", "hvp"])
def test_lists_of_kept_values(mode, tmp_path):
    (tmp_path / "walks.py").write_text(PRIMAL)
    record = Record()
    target = f"{tmp_path / 'walks.py'}:walk"
    made = make(Order(target=target, mode=mode, shape=("x=n", "y=n")), record)
    account = Account(made.source, made.request, made.emitted, record)
    text = made.emitted.text
    found = origins(text, [one.rendered for one in account.functions], made.source)
    rows = dict(enumerate(text.splitlines(), start=1))
    kept = [n for n, row in rows.items() if row.endswith("s = []") or ".append" in row]
    assert len(kept) >= (2 if mode == "reverse" else 4)
    for number in kept:
        name = rows[number].replace(".append", " ").split()[0].removesuffix("s")
        line = H if name.removeprefix("v_") == "h" else X
        assert line in found[number], rows[number]
    read = [n for n, row in rows.items() if row.endswith("s[i]")]
    assert all(found.get(number) for number in read), [rows[n] for n in read]
