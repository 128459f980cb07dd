"""Emission takes about as long as the program is: twice the statements, twice the work."""

import pytest

from tests.growth.programs import SHAPES
from tests.growth.work import MODES, TooLong, calls, outcome, patience

# Calls for twice the statements over the calls for the statements.
GROWTH = 2.6
# Calls for each unit of a shape's size: a few statements of Python each.
EACH = 60_000
SECONDS = 10  # of the processor, for one small emission
NAMES = list(SHAPES)
# Every shape in joint style, and in one of the other modes in turn.
QUICK = [(name, "joint") for name in NAMES]
QUICK += [(name, [*MODES][1 + k % (len(MODES) - 1)]) for k, name in enumerate(NAMES)]


@pytest.fixture(scope="module", autouse=True)
def _ready(tmp_path_factory):
    """What is read once, at the first emission, is not counted."""
    for options in MODES.values():
        calls(tmp_path_factory.mktemp("first"), SHAPES["chain"][0](3), **options)


def growth(folder, name, mode, size):
    generator = SHAPES[name][0]
    try:
        with patience(SECONDS):
            once = calls(folder, generator(size), **MODES[mode])
            twice = calls(folder, generator(2 * size), **MODES[mode])
    except TooLong:
        pytest.fail(f"{name} of {size} in mode {mode}: too long", pytrace=False)
    print(f"{name} ({mode}): {once} calls for {size}, {twice} for {2 * size}")
    return once, twice


@pytest.mark.parametrize("name, mode", QUICK)
def test_twice_as_long_takes_about_twice_the_work(tmp_path, name, mode):
    size = SHAPES[name][1]
    once, twice = growth(tmp_path, name, mode, size)
    assert twice < GROWTH * once
    assert twice < EACH * 2 * size


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", NAMES)
def test_as_far_as_programs_go(tmp_path, name, mode):
    generator, _, far = SHAPES[name]
    assert outcome(tmp_path, generator(far), 20 + far / 50, **MODES[mode]) == ""
