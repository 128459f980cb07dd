"""Emission takes about as long as the program is: twice the statements, twice the work."""

import numpy as np
import pytest

from gradgen.verify.finite import numeric_gradient
from tests.growth.programs import SHAPES, function
from tests.growth.work import MODES, TooLong, calls, emitted, outcome, patience

# Calls for twice the statements over the calls for the statements. In a nest each level
# stands in all those around it: what is written grows with the square.
GROWTH, IN_NESTS = 2.6, 4.6
NESTS = (
    "loop nest",
    "bare nest",
    "branch nest",
    "elifs",
    "early returns",
    "wheres in wheres",
    "helpers in helpers",
)
# Calls for each unit of a shape's size: one to a few statements of Python.
EACH = 200_000
SECONDS = 20  # of the processor, for two small emissions
NAMES = list(SHAPES)
# Shapes that have had mechanisms of their own to grow too fast, at half their sizes.
QUICK = (
    "chain",
    "residual",
    "gradient steps",
    "wide sum",
    "sum of numbers",
    "squares",
    "wide product",
    "totals",
    "loop body",
    "loop nest",
    "bare nest",
    "elifs",
    "masks",
    "clips",
    "sums in place",
    "long list",
    "helpers",
    "quotients",
    "shared",
    "columns",
)
OTHERS = ("forward", "hvp", "guard", "state", "untold")


@pytest.fixture(scope="module", autouse=True)
def _ready(tmp_path_factory):
    """What is read once, at the first emission, is not counted."""
    for options in MODES.values():
        calls(tmp_path_factory.mktemp("first"), SHAPES["chain"][0](3), **options)


def grows_slowly(folder, name, mode, size):
    """Asserts that twice the size takes about twice the calls, and not too many."""
    generator, options = SHAPES[name][0], MODES[mode]
    try:
        with patience(SECONDS):
            once = calls(folder, generator(size), **options)
            twice = calls(folder, generator(2 * size), **options)
    except TooLong:
        pytest.fail(f"{name} of {size} in mode {mode}: too long", pytrace=False)
    print(f"{name} ({mode}): {once} calls for {size}, {twice} for {2 * size}")
    assert twice < (IN_NESTS if name in NESTS else GROWTH) * once
    assert twice < EACH * 2 * size


@pytest.mark.parametrize("name", QUICK)
def test_twice_as_long_takes_about_twice_the_work(tmp_path, name):
    grows_slowly(tmp_path, name, "joint", max(3, SHAPES[name][1] // 2))


@pytest.mark.parametrize("mode", OTHERS)
def test_so_it_does_in_other_modes(tmp_path, mode):
    grows_slowly(tmp_path, "mixed", mode, 6)


@pytest.mark.parametrize("name, size", [("entry sums", 24), ("columns", 24)])
def test_so_it_does_with_nothing_told(tmp_path, name, size):
    grows_slowly(tmp_path, name, "untold", size)


@pytest.mark.parametrize(
    "name, size",
    [("wide sum", 250), ("chain", 150), ("helpers in helpers", 60), ("horner", 80)],
)
def test_long_and_deep_programs_are_emitted(tmp_path, name, size):
    assert outcome(tmp_path, SHAPES[name][0](size), 60) == ""


@pytest.mark.parametrize(
    "name, size",
    [
        ("wide sum", 70),
        ("chain", 60),
        ("wide product", 70),
        ("loop nest", 4),
        ("wheres in wheres", 8),
        ("sums", 20),
    ],
)
def test_long_programs_are_right(tmp_path, name, size):
    """A part that is named for its depth alone changes no number."""
    text = SHAPES[name][0](size).replace("(x + ", "(0.1 * x + 0.02 * ")
    program: dict = {}
    gradient: dict = {}
    exec(text, program)
    exec(emitted(tmp_path, text), gradient)
    rng = np.random.default_rng(size)
    args = [rng.uniform(0.2, 0.9, 3), rng.uniform(0.2, 0.9, 3)]
    for i, found in enumerate(gradient["grad_f"](*args)):
        want = numeric_gradient(program["f"], args, i, 1.0).value
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    "text", ["(" * 150 + "x" + ")" * 150, " + ".join(["x"] * 9000)]
)
def test_what_is_nested_too_deeply_is_refused(tmp_path, text):
    """Python reads 9,000 terms where its limit is raised; gradgen refuses them."""
    source = function([f"return np.sum({text} * y)"])
    said = outcome(tmp_path, source, 60)
    assert said == "" or "GG199" in said or "recursion" in said


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", NAMES)
def test_every_shape_grows_slowly_in_every_mode(tmp_path, name, mode):
    grows_slowly(tmp_path, name, mode, SHAPES[name][1])


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", NAMES)
def test_as_far_as_programs_go(tmp_path, name, mode):
    generator, _, far = SHAPES[name]
    assert outcome(tmp_path, generator(far), 20 + far / 25, **MODES[mode]) == ""
