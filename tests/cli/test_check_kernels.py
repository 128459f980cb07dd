"""`gradgen check` says the same on every processor, and for every seed.

OPENBLAS_CORETYPE makes OpenBLAS compute as on another processor: the last digits are
others then, and what magnifies them shows. A part of the table of kernels and seeds
belongs to the test command, another one each day; the whole is made by

    python -m tests.verify.seeds --write
"""

import datetime
import os

import pytest

from tests.verify.seeds import (
    FOLDER,
    NAMED,
    OWN,
    PAGE,
    SEEDS,
    SENSITIVE,
    TOLD,
    Row,
    check,
    checked,
    core,
    merged,
    spans,
    table,
)

KERNELS = (NAMED, OWN)


def seeds_of_today() -> list[int]:
    """A seed that was wrong once, and one that changes by the day."""
    day = int(os.environ.get("GRADGEN_CHECK_DAY", datetime.date.today().toordinal()))
    return [1, SEEDS[day % len(SEEDS)]]


@pytest.mark.parametrize("kernel", KERNELS, ids=("named", "own"))
@pytest.mark.parametrize("which", (0, 1), ids=("known", "of today"))
def test_a_part_of_the_table(which, kernel):
    seed = seeds_of_today()[which]
    found = check(kernel, seed, [f"generated/{name}.py" for name in SENSITIVE])
    assert [(one["state"], one["faults"]) for one in found] == [("right", [])] * 2
    assert all("agrees with differences" in one["said"] for one in found), (seed, found)


def test_a_kernel_is_a_process_of_its_own(monkeypatch):
    """What the environment of the tests says of kernels does not hold for them."""
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Prescott")
    assert core(NAMED) in (NAMED, "other")
    assert core(OWN) != "Prescott" or core(OWN) == "other"


def test_what_is_wrong_or_not_measured_is_counted():
    row = Row("Haswell")
    row.add(
        4,
        [
            {"file": "a.py", "state": "right", "faults": [], "said": "agrees with it"},
            {"file": "b.py", "state": "right", "faults": [], "said": "not measured: x"},
            {"file": "c.py", "state": "wrong", "faults": ["d_x"], "said": ""},
        ],
    )
    assert table([row], ["a", "b", "c"]).endswith(
        "| Haswell | a, b, c | 4 | 1 | 1 | 1 |\n"
    )
    assert row.said == [
        "Haswell, seed 4: b.py: not measured: not measured: x",
        "Haswell, seed 4: c.py: wrong: d_x",
    ]
    assert (spans([0, 1, 2]), spans([3, 0])) == ("0 to 2", "3, 0")


def test_new_rows_take_the_place_of_those_of_their_kernel_and_files():
    page = "a\n<!-- seeds -->\nhead\nline\n<!-- end of seeds -->\nb\n"
    one, other, third = Row("Haswell"), Row("Zen"), Row("Haswell")
    for row, seed, files in ((one, 0, "a"), (other, 0, "a"), (third, 5, "ab")):
        told = {"state": "right", "faults": [], "said": "agrees with it"}
        row.add(seed, [{"file": f"{name}.py"} | told for name in files])
    page = merged(page, table([one, other], ["a"]))
    page = merged(page, table([third], ["a", "b"]))
    page = merged(page, table([third], ["a"]))
    assert page.splitlines()[4:-2] == [
        "| Haswell | a | 5 | 2 | 0 | 0 |",
        "| Zen | a | 0 | 1 | 0 | 0 |",
        "| Haswell | a, b | 5 | 2 | 0 | 0 |",
    ]


def test_the_page_has_a_place_for_the_table():
    (made,) = TOLD.findall(PAGE.read_text(encoding="utf-8"))
    assert made.startswith("| kernel | files | seeds |")
    rows = [line.split(" | ") for line in made.splitlines()[2:]]
    assert rows and all(row[-1] == "0 |" for row in rows)


@pytest.mark.long
@pytest.mark.parametrize("kernel", KERNELS, ids=("named", "own"))
def test_the_whole_table(kernel):
    row = checked(kernel, SEEDS, sorted(path.stem for path in FOLDER.glob("*.py")))
    assert row.states.keys() <= {"right"}, "\n".join(row.said)
