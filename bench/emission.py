"""What it costs to write a gradient, in units of `import numpy` of the same run.

Every measurement is a fresh process, and CPU seconds of that process, so that other
work on the machine counts little. The unit is the process `python -c "import numpy"`.
All modules are compiled before the first measurement, as they are for a user.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.generation import COMMAND, command

# A measurement that takes longer counts as this.
LIMIT = 300

HEAD = "import numpy as np\n\n\n"
TIMED = """
import sys, time
sys.path.insert(0, {folder!r})
import numpy as np
from written import f
import gradgen
start = time.process_time()
{measured}
print(time.process_time() - start)
"""
IMPORT = "import time, numpy; print(time.process_time())"


def straight(length: int) -> str:
    """So many statements, each of them reads the last two values."""
    lines = [f"    v{i} = np.tanh(v{i - 1}) * v{i - 2} + c" for i in range(2, length)]
    body = "\n".join(["    v0 = x * c", "    v1 = np.sin(v0)", *lines])
    return f"{HEAD}def f(x, c):\n{body}\n    return np.sum(v{length - 1})\n"


def loop_body(length: int) -> str:
    """A loop whose body has so many statements, each of them reads the last value."""
    lines = [f"        v{i} = np.sin(v{i - 1}) * y + c" for i in range(1, length)]
    body = "\n".join(["        v0 = x * y", *lines, f"        x = v{length - 1}"])
    loop = f"    for _ in range(3):\n{body}\n"
    return f"{HEAD}def f(x, y, c):\n{loop}    return np.sum(x)\n"


def nested_loops(depth: int) -> str:
    """So many loops in one another, and one statement in the innermost."""
    lines = [f"{'    ' * (i + 1)}for i{i} in range(2):" for i in range(depth)]
    lines.append(f"{'    ' * (depth + 1)}x = np.sin(x) * c")
    body = "\n".join(lines)
    return f"{HEAD}def f(x, c):\n{body}\n    return np.sum(x)\n"


def terms(count: int) -> str:
    """A sum of so many terms in one statement."""
    sums = " + ".join(f"{i + 1} * np.sin(x + {i}) * c" for i in range(count))
    return f"{HEAD}def f(x, c):\n    return np.sum({sums})\n"


def cases(count: int) -> str:
    """A choice of one of so many values."""
    tests = ", ".join(f"x < {i}" for i in range(count))
    values = ", ".join(f"c * x ** {i % 5 + 1} * {i + 1}" for i in range(count))
    return f"{HEAD}def f(x, c):\n    return np.sum(np.select([{tests}], [{values}]))\n"


def stores(count: int) -> str:
    """A loop that stores so many columns, each from the one before."""
    lines = [
        f"        A[k, {i}] = np.sin(x[k, {i}]) * c + A[k, {max(i - 1, 0)}]"
        for i in range(count)
    ]
    head = f"    A = np.zeros((9, {count}))\n    for k in range(9):\n"
    body = "\n".join(lines)
    return f"{HEAD}def f(x, c):\n{head}{body}\n    return np.sum(A * A)\n"


def entries(count: int) -> str:
    """A sum over so many entries of two arrays, a statement for each."""
    lines = [f"    r = r + A[{i}] * np.exp(-c[{i}] * x)" for i in range(count)]
    body = "\n".join(["    r = 0.0", *lines])
    return f"{HEAD}def f(x, A, c):\n{body}\n    return np.sum(r)\n"


@dataclass(frozen=True)
class Measure:
    """A row: how its seconds are taken, over how many statements, and its bound."""

    name: str
    seconds: Callable[[], float]
    bound: float | None = None
    statements: int = 1
    runs: int = 3


SMALL = "from examples.losses import cosine_loss as small; "
FIRST = SMALL + "gradgen.grad(small)(np.ones(3), np.ones(3))"
LATER = "gradgen.grad(small)(np.ones(3), np.ones(3)); start = time.process_time(); "
LATER = SMALL + LATER + "gradgen.grad(small)(np.ones((3, 3)), np.ones((3, 3)))"
EMIT = 'gradgen.emit(f, wrt="x")'
WARM = f"{SMALL}gradgen.emit(small, wrt='X'); start = time.process_time(); {EMIT}"


def of_source(source: str, measured: str = WARM) -> Callable[[], float]:
    """A measurement of what `measured` takes, where `f` is the function of a source."""
    return lambda: timed(source, measured)


def unit() -> float:
    """CPU seconds of a process that imports NumPy."""
    return float(_output([sys.executable, "-c", IMPORT]))


def timed(source: str, measured: str) -> float:
    """CPU seconds of a line in a fresh process, beside a module with this source."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "written.py").write_text(source, encoding="utf-8")
        program = TIMED.format(folder=folder, measured=measured)
        try:
            return float(_output([sys.executable, "-c", program]))
        except subprocess.TimeoutExpired:
            return float(LIMIT)


def of_command() -> float:
    """CPU seconds of the command on a small function, start of Python included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*command(), *COMMAND], check=True, capture_output=True, env=_here())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


MEASURES = (
    Measure("the command, small function", of_command, 2.5, runs=7),
    Measure("first gradient", of_source(straight(3), FIRST), 0.7, runs=7),
    Measure("a later one", of_source(straight(3), LATER), 0.15, runs=7),
    Measure("300 statements", of_source(straight(300)), 15, 300),
    Measure("loop body of 40", of_source(loop_body(40)), 15, 40),
    Measure("8 nested loops", of_source(nested_loops(8)), 15, 9),
    Measure("a sum of 400 terms", of_source(terms(400)), 15, 400),
    Measure("np.select of 96 cases", of_source(cases(96)), None, 96),
    Measure("200 stores in a loop", of_source(stores(200)), None, 200),
    Measure("a sum over 200 entries", of_source(entries(200)), None, 200),
    Measure("1,000 statements", of_source(straight(1000)), None, 1000, runs=1),
    Measure("10,000 statements", of_source(straight(10000)), None, 10000, runs=1),
)


def rows(only: Sequence[str] = ()) -> list[list[str]]:
    """The table: units of `import numpy`, its bound, and milliseconds a statement."""
    unit()
    of_command()  # compiles what is imported
    timed(straight(3), FIRST)
    measured_unit = statistics.median(unit() for _ in range(9))
    table = [["", "units", "bound", "ms per statement"]]
    table.append(["import numpy", "1.00", "", f"{measured_unit * 1e3:.1f}"])
    for measure in MEASURES:
        if only and not any(part in measure.name for part in only):
            continue
        taken = statistics.median(measure.seconds() for _ in range(measure.runs))
        bound = "" if measure.bound is None else f"{measure.bound:g}"
        each = f"{taken / measure.statements * 1e3:.2f}"
        table.append([measure.name, f"{taken / measured_unit:.2f}", bound, each])
    return table


def _output(arguments: list[str]) -> str:
    done = subprocess.run(
        arguments,
        check=True,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        env=_here(),
    )
    return done.stdout


def _here() -> dict[str, str]:
    """The environment of a measurement: compiled modules are kept, and found again."""
    here = {**os.environ, "PYTHONPATH": os.pathsep.join(["", *sys.path[1:]])}
    here.pop("PYTHONDONTWRITEBYTECODE", None)
    here["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir(), "bench_emission"))
    return here
