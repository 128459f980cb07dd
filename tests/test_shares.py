"""The tests that are shared out exist, and some of their cases stay for each run."""

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.shares import SHARES, share_out

FOLDER = Path(__file__).parent


@pytest.mark.parametrize("name", SHARES)
def test_what_is_shared_out_is_a_test_of_several_cases(name):
    file, _, function = name.partition("::")
    tree = ast.parse((FOLDER / file).read_text("utf-8"))
    (found,) = [one for one in tree.body if getattr(one, "name", "") == function]
    assert isinstance(found, ast.FunctionDef)
    assert SHARES[name] > 1


def test_one_case_in_so_many_is_for_each_run():
    name, share = next(iter(SHARES.items()))
    file, _, function = name.partition("::")

    class Item(SimpleNamespace):
        def get_closest_marker(self, mark):
            return mark in self.marks

        def add_marker(self, mark):
            self.marks.append(mark.name)

    items = [
        Item(path=FOLDER / file, name=f"{function}[{k}]", marks=[]) for k in range(7)
    ]
    items[0].marks.append("long")  # one that is long anyway is not counted
    share_out(items, FOLDER)
    stay = [k for k, one in enumerate(items) if "long" not in one.marks]
    assert stay == list(range(1, 7, share))
