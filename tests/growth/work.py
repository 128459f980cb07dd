"""The work of an emission as a number of calls, which no machine's speed changes."""

from __future__ import annotations

import cProfile
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gradgen
from gradgen.errors import GradgenError, InternalError

Options = dict[str, Any]
# What emission is asked for: the name of each request, and its options. "untold" has no
# facts of shapes.
MODES: dict[str, Options] = {
    "joint": {},
    "callback": {"style": "callback"},
    "value": {"value": True},
    "forward": {"mode": "forward"},
    "hvp": {"mode": "hvp"},
    "guard": {"guard": True},
    "stable": {"stable": True},
    "state": {"save": "state"},
    "keep calls": {"keep_calls": True},
    "untold": {"told": False},
}
# Size of an argument: the letter of its name tells.
RANKS = {"W": "n n", "A": "n n", "B": "n n", "k": "", "M": "n n"}


class TooLong(BaseException):
    """The emission does not come to its end."""


def shapes(text: str) -> dict[str, str]:
    """A fact for each parameter of `f`: matrices in capitals, k a number."""
    found = re.search(r"^def f\((.*)\):", text, re.M)
    assert found is not None
    names = [name.strip() for name in found.group(1).split(",")]
    return {name: RANKS.get(name[:1], "n") for name in names}


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Raises TooLong after so many seconds of the main thread's own work."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def give_up(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def emitted(folder: Path, text: str, told: bool = True, **options: Any) -> str:
    """The text that a program's gradient has."""
    file = folder / "program.py"
    file.write_text(text)
    facts = shapes(text)
    wrt = tuple(name for name, fact in facts.items() if fact)
    return gradgen.emit(f"{file}:f", wrt, shapes=facts if told else {}, **options)


def calls(folder: Path, text: str, **options: Any) -> int:
    """How many calls an emission makes, those of built-in functions included."""
    profile = cProfile.Profile(subcalls=False)  # who calls whom is not asked
    profile.enable()
    try:
        emitted(folder, text, **options)
    finally:
        profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


def outcome(folder: Path, text: str, seconds: float, **options: Any) -> str:
    """ "" for a text that is emitted in time, else what came instead."""
    try:
        with patience(seconds):
            emitted(folder, text, **options)
    except TooLong:
        return f"more than {seconds:.0f} s"
    except (GradgenError, InternalError) as refusal:
        return str(refusal).splitlines()[0][:200]
    return ""
