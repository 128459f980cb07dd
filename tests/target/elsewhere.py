"""What is tried in another library: committed gradients, and how values get there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import signature

import numpy as np

from gradgen.errors import GradgenError
from tests.target.place import within
from tests.target.programs import FACTS, PROGRAMS
from tests.target.texts import Asked, committed, defined, difference, quietly
from tests.test_generated import FILES, call

# callable values of the tests, by the form of a file
CALLBACK = "callback"


def converted(value, convert: Callable):
    """The value with each array of numpy's converted, and its numbers plain."""
    if isinstance(value, np.floating):
        return convert(np.asarray(value))
    if isinstance(value, np.ndarray):
        return convert(value)
    if isinstance(value, dict):
        return {name: converted(one, convert) for name, one in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value)(converted(one, convert) for one in value)
    return value


def fetched(value):
    """A result of any library as numpy's arrays, in the same tuples."""
    if isinstance(value, (tuple, list)):
        return tuple(map(fetched, value))
    return np.asarray(value.cpu() if hasattr(value, "cpu") else value)


def result(text: str, form: str, args: list, seed):
    """What a text gives: value and gradients of a callback, else its result."""
    function = defined(text)
    if form == CALLBACK:
        value, pullback = function(*args)
        return value, pullback(seed)
    return function(*args, seed)


def taken(library: str) -> dict[str, str]:
    """The committed files that are not refused for a library, each with its text."""
    found = {}
    for name in FILES:
        try:
            found[name] = committed(name, library)
        except GradgenError as error:
            assert "GG7" in str(error), f"{name}: {error}"
    return found


def fault(
    name: str, text: str, convert: Callable, fetch=fetched, dtype=np.float64, rtol=1e-10
) -> str:
    """How a library's text differs from the committed file; "" where it does not."""
    form = FILES[name][1]
    args, _, seed = call(name, 0, dtype)
    with quietly():
        want = result(committed(name, "numpy"), form, args, seed)
        got = result(text, form, converted(args, convert), converted(seed, convert))
        return difference(fetch(got), fetched(want), within(rtol))


def programs(library: str) -> Iterator[tuple[str, str, np.ndarray, list]]:
    """(name, text, gradient by numpy, arguments) of the programs that are taken."""
    x = np.array([0.5, -1.2, 0.8, 2.0])
    for function in PROGRAMS:
        names = list(signature(function).parameters)
        asked = Asked(function, ("x",), {name: FACTS[name] for name in names}, {})
        args = [x, x > 0][: len(names)]
        try:
            text = asked.text(library)
        except GradgenError as error:
            assert "GG7" in str(error), f"{function.__name__}: {error}"
            continue
        yield function.__name__, text, defined(asked.text())(*args), args
