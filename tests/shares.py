"""Which cases of tests that repeat one check belong to the test command.

Of a test with many cases, a few and one in so many are for each run, spread over them in
the order in which they are collected; the others are long tests, which `-m long` runs.
So it is where the whole suite is asked for: of a file that is named every case runs,
and of the quick tests, by `-m quick`.
"""

import pytest

# Of more cases than these, these at least and one in so many are for each run.
FEW, STEP = 1, 16

# One case in so many of those where each differs, as the lines of rules do, or where one
# takes seconds; 1 is every case.
SHARES = {
    "arguments/test_given.py::test_what_people_hand_over": 40,
    "arguments/test_given.py::test_whole_numbers": 40,
    "cli/test_check_kernels.py::test_a_part_of_the_table": 4,
    "cli/test_structures.py::test_committed_files_are_made_again_and_measured": 3,
    "explain/test_browser.py::test_the_page_works_as_a_whole": 2,
    "frontend/test_many_calls.py::test_too_many_calls_are_refused": 2,
    "frontend/test_none_behind_derivatives.py::test_none_and_an_array": 12,
    "growth/test_growth.py::test_twice_as_long_takes_about_twice_the_work": 5,
    "test_derivatives_inside.py::test_every_function_of_the_library_inside": 4,
    "test_generated.py::test_numbers": 1,
    "test_tutorial.py::test_the_commands_of_the_page": 3,
}
# The lines of rules: every one is a form of its own.
LINES, OF_LINES = ("rules", "test_line"), 16


def share_out(items, folder):
    """Marks the cases that are not for each run as long tests."""
    families = {}
    for item in items:
        if item.get_closest_marker("long"):
            continue
        path = "/".join(item.path.relative_to(folder).parts)
        name = f"{path}::{item.name.partition('[')[0]}"
        families.setdefault(name, []).append(item)
    for name, cases in families.items():
        count = kept(name, len(cases))
        for k, item in enumerate(cases):
            if k and k * count // len(cases) == (k - 1) * count // len(cases):
                item.add_marker(pytest.mark.long)


def kept(name, cases):
    """How many of a test's cases are for each run.

    >>> kept("test_x.py::test_some", 5), kept("test_x.py::test_many", 100)
    (1, 7)
    """
    if name in SHARES:
        return -(-cases // SHARES[name])
    room, _, test = name.partition("/")
    if (room, test.rpartition("::")[2]) == LINES:
        return max(min(cases, FEW), -(-cases // OF_LINES))
    return max(min(cases, FEW), -(-cases // STEP))
