"""The names of rules, found by lines, are those that a parser finds."""

import pytest

from gradgen.rules.load import folder
from gradgen.rules.places import parsed, scanned

FILES = sorted(path for path in folder().glob("*.py") if "helpers" not in path.stem)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scanned_and_parsed_agree(path):
    text = path.read_text(encoding="utf-8")
    quick, whole = list(scanned(text, path.name)), list(parsed(text, path.name))
    assert [p.operations for p in quick] == [p.operations for p in whole]
    assert [p.module for p in quick] == [p.module for p in whole]


@pytest.mark.parametrize("path", FILES[::6], ids=lambda path: path.stem)
def test_the_rules_are_the_same(path):
    text = path.read_text(encoding="utf-8")
    quick = [rule for place in scanned(text, path.name) for rule in place.rules()]
    whole = [rule for place in parsed(text, path.name) for rule in place.rules()]
    assert list(map(repr, quick)) == list(map(repr, whole))
