"""Constructs that are nested or repeated: their work, and what they compute."""

from random import Random

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.growth.constructs import CONSTRUCTS, HEADS
from tests.growth.programs import function
from tests.growth.work import calls

FACTS = {"x": "n", "y": "n"}


def module(name, size, seed=0):
    lines = CONSTRUCTS[name](Random(f"{name} {seed}"), size)
    return function(lines, "x, y, k", HEADS.get(name, ""))


@pytest.mark.parametrize("name", ["wheres", "selected", "jumps", "extremes", "arms"])
def test_three_times_the_size_takes_at_most_five_times_the_work(tmp_path, name):
    """np.where 48 deep did not come to its end once."""
    once, thrice = (calls(tmp_path, module(name, size)) for size in (12, 36))
    print(name, once, thrice)
    assert thrice < 5 * once


@pytest.mark.parametrize("told", [FACTS, {}])
@pytest.mark.parametrize(
    ("name", "size", "seed"),
    [
        ("wheres", 48, 0),
        ("wheres", 20, 1),
        ("wheres", 20, 2),
        ("jumps", 32, 0),
        ("jumps", 40, 3),
    ],
)
def test_what_is_deep_is_right(tmp_path, name, size, seed, told):
    text = module(name, size, seed)
    file = tmp_path / "program.py"
    file.write_text(text)
    program, gradient = {}, {}
    exec(text, program)
    exec(gradgen.emit(f"{file}:f", ("x", "y"), shapes=told), gradient)
    rng = np.random.default_rng(size)
    for args in (
        [rng.uniform(-1.4, 1.4, 5), rng.uniform(0.3, 1.7, 5), 2],
        [0.4179, 1.2341, 3],
    ):
        if told and not np.ndim(args[0]):
            continue
        found = gradient["grad_f"](*args)
        for i in (0, 1):
            want = numeric_gradient(program["f"], args, i, 1.0).value
            np.testing.assert_allclose(found[i], want, rtol=1e-6, atol=1e-8)


def test_a_long_chain_of_returns_is_emitted_or_refused_with_advice(tmp_path):
    """Python reads a hundred blocks in one another."""
    lines = ["if k == 0:", "    return np.sum(x)"]
    for i in range(1, 110):
        lines += [f"elif k == {i}:", f"    return np.sum(x * {i})"]
    file = tmp_path / "program.py"
    file.write_text(function([*lines, "return np.sum(y)"], "x, y, k"))
    try:
        gradgen.emit(f"{file}:f", ("x", "y"))
    except GradgenError as refusal:
        assert refusal.code == "GG199"


@pytest.mark.parametrize("factor", ["np.cos(0.1 * x)", "(1 + x)", "np.exp(x)"])
def test_as_many_equal_factors_as_one_likes(tmp_path, factor):
    """Each round of the simplification adds up two: 21 did not settle once."""
    text = function([f"return {' * '.join([factor] * 26)}"], "x")
    file = tmp_path / "program.py"
    file.write_text(text)
    program, gradient = {}, {}
    exec(text, program)
    exec(gradgen.emit(f"{file}:f", shapes={"x": "n"}), gradient)
    x = np.random.default_rng(1).uniform(0.1, 0.4, 3)
    want = numeric_gradient(program["f"], [x], 0, np.ones(3)).value
    np.testing.assert_allclose(gradient["grad_f"](x, np.ones(3)), want, rtol=1e-6)
