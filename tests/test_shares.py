"""The tests that are shared out exist, and some of their cases stay for each run."""

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.shares import FEW, LINES, OF_LINES, SHARES, STEP, kept, share_out

FOLDER = Path(__file__).parent


@pytest.mark.parametrize("name", SHARES)
def test_what_is_shared_out_is_a_test_of_several_cases(name):
    file, _, function = name.partition("::")
    tree = ast.parse((FOLDER / file).read_text("utf-8"))
    (found,) = [one for one in tree.body if getattr(one, "name", "") == function]
    assert isinstance(found, ast.FunctionDef)
    assert SHARES[name] >= 1


class Item(SimpleNamespace):
    def get_closest_marker(self, mark):
        return mark in self.marks

    def add_marker(self, mark):
        self.marks.append(mark.name)


def of(name, cases):
    """The cases of a test, as pytest collects them."""
    file, _, function = name.partition("::")
    names = [f"{function}[{k}]" for k in range(cases)]
    return [Item(path=FOLDER / file, name=one, marks=[]) for one in names]


def stays(items):
    share_out(items, FOLDER)
    return [k for k, one in enumerate(items) if "long" not in one.marks]


def test_few_cases_are_all_for_each_run():
    assert stays(of("test_x.py::test_y", FEW)) == list(range(FEW))


def test_many_cases_are_spread():
    found = stays(of("test_x.py::test_y", 4 * STEP))
    gaps = {after - before for before, after in zip(found, found[1:])}
    assert found[0] == 0 and gaps == {STEP}


def test_one_that_is_named_has_its_own_share():
    name = "cli/test_check_kernels.py::test_a_part_of_the_table"
    assert len(stays(of(name, 4))) == 4 // SHARES[name]
    assert len(stays(of("test_generated.py::test_numbers", 60))) == 60


def test_lines_of_rules_have_a_share_of_their_own():
    assert kept(f"{LINES[0]}/test_z.py::{LINES[1]}", 10 * OF_LINES) == 10


def test_what_is_long_anyway_is_not_counted():
    items = of("test_x.py::test_y", 2 * FEW)
    for one in items[:FEW]:
        one.marks.append("long")
    assert stays(items) == list(range(FEW, 2 * FEW))


def test_of_a_file_that_is_named_every_case_runs(pytestconfig, request):
    """This one is among the six, and all of them are collected where it is named."""
    args = pytestconfig.invocation_params.args
    if any("test_shares.py" in str(one) for one in args):
        names = {item.name for item in request.session.items}
        assert {f"test_case[{k}]" for k in range(4 * FEW)} <= names


@pytest.mark.parametrize("k", range(4 * FEW))
def test_case(k):
    assert kept(__file__, 4 * FEW) == FEW
