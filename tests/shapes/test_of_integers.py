"""What each function makes of integers: floating numbers, or integers again.

A store of a number into it tells: integers round it, and no gradient passes. Each line
of the rule tests is computed of integer arrays, and a number is stored into the result.
"""

import warnings
from collections import Counter

import numpy as np
import pytest
import scipy.linalg
import scipy.special
import scipy.stats

import gradgen
from gradgen.errors import GradgenError
from tests.fuzz.program import Parameter, Program
from tests.rules.checker import Line
from tests.rules.test_second_order import LINES

# floats as well, which is not seen: refused without need
REFUSED = {
    *(
        f"refused: np.linalg.matrix_power(x + 4 * np.eye(x.shape[-1], dtype=x.dtype), -{n})"
        for n in (1, 2, 4)
    ),
    "refused: np.select([x > 0], [y], default=3.0)",
    "refused: np.unwrap(4 * x)",
    "refused: np.unwrap(4 * x, axis=0)",
    "refused: np.unwrap(4 * x, period=4.0)",
}
SIZES = {"n": 3, "d": 4, "m": 2, "k": 2, "b": 2}


def integers(fact: str, rng) -> np.ndarray | None:
    """Integers of a fact's shape, None where it names no array."""
    if fact == "float" or ":" in fact or '"' in fact:
        return None
    axes = [
        SIZES.get(axis) or (int(axis) if axis.isdigit() else 0) for axis in fact.split()
    ]
    return rng.integers(1, 4, axes) if all(axes) and axes else None


def stored_into(line: Line):
    """The program that stores an amount into the line's value, and its integer arguments."""
    rng = np.random.default_rng(0)
    args = [integers(fact, rng) for fact in line.shapes[0]]
    if any(arg is None for arg in args) or "+=" in line.text:
        return None
    params = [
        Parameter("amount", (), "float"),
        *(
            Parameter(name, "array", f"{fact}:int")
            for name, fact in zip(line.names, line.shapes[0])
        ),
    ]
    lines = (f"z = {line.text}", "z[...] = amount", "return np.sum(z * 0.5)")
    return Program(tuple(params), lines, seed=1), args


def outcome(line: Line) -> str:
    """ "whole", "float", or how gradgen and NumPy disagree; "" where it does not apply."""
    made = stored_into(line)
    if made is None:
        return ""
    program, args = made
    try:
        z = eval_line(line, args)
    except Exception:
        return ""
    if not isinstance(z, np.ndarray) or not z.ndim or not z.flags.writeable:
        return ""
    if z.dtype.kind == "c":
        return ""
    told = {name: f"{fact}:int" for name, fact in zip(line.names, line.shapes[0])}
    try:
        found = gradgen.grad(program.function, wrt="amount", shapes=told)(2.0, *args)
    except GradgenError as error:
        if "GG309" not in str(error):
            return ""
        return "whole" if z.dtype.kind in "iub" else f"refused: {line.text}"
    if z.dtype.kind in "iub":
        return f"passed: {line.text}"
    assert found == pytest.approx(0.5 * z.size), line.text
    return "float"


def eval_line(line: Line, args: list):
    names = dict(zip(line.names, args), np=np, scipy=scipy, special=scipy.special)
    names |= dict(linalg=scipy.linalg, stats=scipy.stats)
    return eval(line.text, names)


def examined(lines: list[Line]) -> Counter:
    """The outcomes; fails where one is neither right nor refused for a reason."""
    counts: Counter = Counter()
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        counts.update(map(outcome, lines))
    wrong = {one for one in counts if ":" in one} - REFUSED
    assert not wrong, "\n".join(sorted(wrong))
    return counts


@pytest.mark.parametrize("start", range(2))
def test_some_lines(start):
    examined(LINES[16 * start :: 32])


@pytest.mark.long
def test_each_line():
    counts = examined(LINES)
    assert counts["whole"] > 500 and counts["float"] > 500
