"""One error class: its text, several problems at once, and its way through pickle."""

import pickle

from gradgen.errors import GradgenError, gather


def problem(line: int) -> GradgenError:
    return GradgenError(
        "GG113",
        "a for loop is not supported",
        advice="array operations",
        file="m.py",
        line=line,
        column=5,
        source="    for i in x:",
    )


def test_text_shows_place_line_caret_reason_and_rewrite():
    assert str(problem(3)).splitlines() == [
        "m.py:3:5: GG113 a for loop is not supported",
        "        for i in x:",
        "        ^",
        "  write instead: array operations",
    ]


def test_gathered_problems_come_in_source_order():
    both = gather([problem(9), problem(3)])
    assert [p.line for p in both.problems] == [3, 9]
    assert str(both).count("GG113") == 2
    assert str(both).index("m.py:3:5") < str(both).index("m.py:9:5")


def test_pickle_keeps_everything():
    for error in (problem(3), gather([problem(9), problem(3)])):
        again = pickle.loads(pickle.dumps(error))
        assert str(again) == str(error)
        assert (again.code, again.line, again.advice) == ("GG113", 3, error.advice)
