"""Long chains of statements that end in a choice: a text comes as soon as without one.

Each of these took twice as long with each statement more, and a chain of 36 did not end.
"""

import signal
from contextlib import contextmanager

import numpy as np
import pytest

import gradgen

MANY = 36
SECONDS = 60  # of the processor: one of these takes less than 2
CHAINS = {
    "products": ("0.9 * e", "np.where(y > 0, {}, 0.0)"),
    "logarithms": ("np.log(1 + e**2)", "np.where(y > 0, {}, 0.0)"),
    "sizes": ("np.abs(e)", "np.clip({}, -1, 1)"),
    "masks": ("(y > 0.1) * e", "np.clip({}, -1, 1)"),
    "means": ("c * e + (1 - c) * y", "np.where(y > 0, {}, 0.0)"),
    "exponentials of masks": ("(y > 0.1) * np.exp(-e)", "np.clip({}, -1, 1)"),
    "exponentials of sums": ("np.exp(-(e + y))", "np.where(y > 0, {}, 0.0)"),
    "negatives": ("-np.log(1 + e**2)", "np.where(y > 0, {}, 0.0)"),
    "arms and powers": ("e if np.sum(e) > 0 else -e; e**3", "np.maximum({}, y)"),
    "in Python's words": ("0.9 * e * y", "np.maximum({}, 0.2)"),
}
FACTS = {
    "nothing": {},
    "lengths": {"shapes": {"x": "n", "y": "n", "c": ""}},
    "general": {"general": True},
}


class Endless(Exception):
    pass


@contextmanager
def within(seconds):
    def late(*_):
        raise Endless(f"more than {seconds} s")

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def chain(step, end):
    """The function of MANY statements of this step."""
    lines = ["def chain(x, y, c):", "    e0 = np.maximum(x * y, 0)"]
    steps = step.split("; ")
    for k in range(MANY):
        words = _words(steps[k % len(steps)])
        text = "".join(f"e{k}" if word == "e" else word for word in words)
        lines.append(f"    e{k + 1} = {text}")
    lines.append(f"    return np.sum({end.format(f'e{MANY}')})")
    return "\n".join(["import numpy as np", "", "", *lines, ""])


def _words(text):
    """The words of a text, and what is between them."""
    words = [""]
    for char in text:
        if char.isalpha() != words[-1][-1:].isalpha():
            words.append("")
        words[-1] += char
    return words


@pytest.mark.parametrize("facts", FACTS)
@pytest.mark.parametrize("name", CHAINS)
def test_chain(name, facts, tmp_path):
    path = tmp_path / "chains.py"
    path.write_text(chain(*CHAINS[name]))
    names: dict = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    with within(SECONDS):
        text = gradgen.emit(names["chain"], wrt=("x", "y"), **FACTS[facts])
    made: dict = {}
    exec(text, made)
    x, y = np.array([0.3, 0.8, 1.1]), np.array([0.7, 0.4, 0.9])
    found = made["grad_chain"](x, y, 0.8)
    for k, gradient in enumerate(found):
        assert gradient.shape == (3,) and gradient.dtype == float
        np.testing.assert_allclose(
            gradient, differences(names["chain"], [x, y, 0.8], k), 1e-5, 1e-9
        )


def differences(function, args, k):
    """The gradient by differences of second order, extrapolated once."""
    found = np.zeros_like(args[k])
    for i in range(found.size):
        ways = []
        for h in (1e-4, 5e-5):
            values = []
            for sign in (1, -1):
                moved = [np.copy(arg) for arg in args]
                moved[k][i] += sign * h
                values.append(function(*moved))
            ways.append((values[0] - values[1]) / (2 * h))
        found[i] = (4 * ways[1] - ways[0]) / 3
    return found
