"""Texts of `--python 3.9` under Python 3.9 and NumPy 1.22: python -m tests.python39

Each line of the rule tests is emitted here, and run here and there: the numbers must
agree, and nothing may raise. Takes the interpreter that is named, or makes a virtual
environment of one that is installed.
"""

from __future__ import annotations

import argparse
import io
import pickle
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

import gradgen
from gradgen.errors import GradgenError
from tests.rules.checker import Line
from tests.rules.second_order import first
from tests.rules.test_hessians import LINES, label

PACKAGES = ("numpy==1.22.*", "scipy==1.8.*")
# within its parts a partition has no order of its own
UNORDERED = ("np.partition",)
RTOL = 1e-9  # other versions of LAPACK and of special functions

THERE = """
import io, pickle, sys, warnings
import numpy as np

def array(stored):
    return np.load(io.BytesIO(stored))[()] if isinstance(stored, bytes) else stored

answers = []
warnings.simplefilter("ignore")
np.seterr(all="ignore")
for text, name, args in pickle.load(sys.stdin.buffer):
    try:
        names = {"__name__": "text"}
        exec(compile(text, "text", "exec"), names)
        found = names[name](*map(array, args))
        found = found if isinstance(found, tuple) else (found,)
        answers.append([np.asarray(part).tolist() for part in found])
    except Exception as error:
        answers.append(repr(error))
pickle.dump(answers, sys.stdout.buffer)
"""


class Older:
    """gradgen, which writes for Python 3.9."""

    @staticmethod
    def emit(function, **options) -> str:
        return gradgen.emit(function, python="3.9", **options)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("python", nargs="?", help="One with NumPy 1.22 and SciPy 1.8.")
    with tempfile.TemporaryDirectory() as scratch:
        python = parser.parse_args().python or environment(Path(scratch))
        refused: Counter[str] = Counter()
        asked = list(texts(LINES, refused))
        calls = [(text, name, args) for _, text, name, args, _ in asked]
        done = subprocess.run(
            [python, "-c", THERE],
            input=pickle.dumps(calls, protocol=4),
            stdout=subprocess.PIPE,
            check=True,
        )
    wrong = 0
    for (line, _, _, _, here), there in zip(asked, pickle.loads(done.stdout)):
        if line.text.startswith(UNORDERED) and not isinstance(there, str):
            here = [np.sort(part, axis=None) for part in here]
            there = [np.sort(part, axis=None) for part in there]
        told = there if isinstance(there, str) else differing(here, there)
        if told:
            wrong += 1
            print(f"{label(line)}: {told}")
    told = ", ".join(f"{code} {count}" for code, count in sorted(refused.items()))
    print(f"{len(asked)} texts run, {wrong} wrong; refused: {told or 'none'}")
    return int(bool(wrong))


def environment(folder: Path) -> Path:
    """A new environment of a Python 3.9 that is installed."""
    kept = sorted(Path("~").expanduser().glob(".pyenv/versions/3.9.*/bin/python3"))
    found = shutil.which("python3.9") or (kept[-1] if kept else None)
    if found is None:
        raise SystemExit("no Python 3.9 is installed")
    place = folder / "python39"
    subprocess.run([found, "-m", "venv", place], check=True)
    python = place / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", *PACKAGES], check=True)
    return python


def texts(lines: list[Line], refused: Counter[str]) -> Iterator[tuple]:
    """Each line with its text, the function's name, the arguments, the results."""
    for line in lines:
        try:
            found = first(line, Older, *line.names)
        except GradgenError as error:
            refused[error.code] += 1
            if error.code.startswith("GG8"):
                print(f"{label(line)}: {error.message}", file=sys.stderr)
            continue
        args = tuple(arg if type(arg) is float else stored(arg) for arg in found.args)
        with np.errstate(all="ignore"):
            results = found.results(found.args)
        yield line, found.text, found.function.__name__, args, results


def stored(value) -> bytes:
    """An array as a file, which every NumPy reads."""
    file = io.BytesIO()
    np.save(file, value)
    return file.getvalue()


def differing(here: Iterable, there: list) -> str:
    """How the numbers differ, "" where they do not."""
    for mine, other in zip(here, there, strict=True):
        other = np.asarray(other)
        if mine.shape != other.shape:
            return f"shape {other.shape} instead of {mine.shape}"
        if not np.allclose(mine, other, RTOL, RTOL, equal_nan=True):
            return f"off by {np.max(np.abs(mine - other)):.1e}"
    return ""


if __name__ == "__main__":
    sys.exit(main())
