"""Seconds it takes to write a gradient: of a long function, and by the command."""

from __future__ import annotations

import importlib.util
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

COMMAND = ("emit", "examples/losses.py:cosine_loss", "--wrt", "X")


def chain_source(name: str, length: int) -> str:
    """A module with one function of `length` statements, each reading the last."""
    body = "    x = np.sin(x) * x\n" * length
    return f"import numpy as np\n\n\ndef {name}(x):\n{body}    return np.sum(x)\n"


@contextmanager
def imported(name: str, source: str) -> Iterator[Callable]:
    """The function `name` of a module with this source, kept in a file meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{name}.py")
        path.write_text(source, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
            yield getattr(module, name)
        finally:
            del sys.modules[name]


def chain_seconds(emit: Callable, length: int, repetitions: int = 3) -> float:
    """Median seconds of `emit(function, wrt="x")` on a chain of `length` statements.

    Each repetition has a function of its own name, so no cache can answer for it.
    """
    taken = []
    for repetition in range(repetitions):
        name = f"chain_{length}_{repetition}"
        with imported(name, chain_source(name, length)) as function:
            start = time.perf_counter()
            emit(function, wrt="x")
            taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def command() -> list[str]:
    """The gradgen of this Python: its installed script, else its entry point."""
    script = shutil.which("gradgen", path=str(Path(sys.executable).parent))
    if script:
        return [script]
    return [sys.executable, "-c", "from gradgen.cli import main; main()"]


def command_seconds(arguments: tuple[str, ...] = COMMAND, runs: int = 10) -> float:
    """Median wall seconds of the command, start of Python and imports included."""
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run([*command(), *arguments], check=True, stdout=subprocess.DEVNULL)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)
