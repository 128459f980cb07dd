"""What every line reads twice is not walked through twice."""

from random import Random

import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.growth.read_twice import ENDS, STEPS, source
from tests.growth.work import MODES, TooLong, patience

COUNT, SECONDS = 30, 20
TOLD = {"h": "n", "W": "n n", "c": "", "s": "", "k": "n", "idx": "n"}
# pairs that did not come to their end once, with nothing told
ONCE = [
    ("squares", "product"),
    ("squares", "array"),
    ("residual", "array"),
    ("scaled", "sums"),
    ("numbers and arrays", "along an axis"),
    ("counted", "sums"),
    ("masks", "sums"),
]


def comes_to_its_end(folder, steps, end, mode):
    """Asserts that the function is emitted, or refused, in time."""
    file = folder / "program.py"
    file.write_text(source(steps, end, COUNT))
    options = dict(MODES[mode])
    told = options.pop("told", True)
    try:
        with patience(SECONDS):
            gradgen.emit(f"{file}:f", "h", shapes=TOLD if told else {}, **options)
    except GradgenError as refusal:
        assert refusal.code != "GG199"
    except TooLong:
        pytest.fail(f"{steps} {end} in mode {mode}: too long", pytrace=False)


@pytest.mark.parametrize(("step", "end"), ONCE)
def test_what_is_read_twice_is_walked_through_once(tmp_path, step, end):
    comes_to_its_end(tmp_path, (step,), end, "untold")


@pytest.mark.parametrize("seed", range(6))
def test_so_are_other_lines_in_other_modes(tmp_path, seed):
    rng = Random(seed)
    steps = tuple(rng.sample(list(STEPS), rng.choice([1, 2])))
    mode = rng.choice(["untold", "untold", *MODES])
    comes_to_its_end(tmp_path, steps, rng.choice(list(ENDS)), mode)


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("step", STEPS)
def test_every_line_in_every_mode(tmp_path, step, end, mode):
    comes_to_its_end(tmp_path, (step,), end, mode)
