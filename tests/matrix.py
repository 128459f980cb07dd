"""The rule tests under the oldest and the newest NumPy: python -m tests.matrix

Makes a virtual environment for each, in a folder that is removed, or kept with
--keep FOLDER, and prints what passed, failed and was skipped there.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# what pip is asked for, and the newest Python that has it
VERSIONS = (("numpy==1.26.*", (3, 12)), ("numpy", None))
INSTALLATIONS = "~/.pyenv/versions/3.*/bin/python3"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", type=Path, help="A folder for the environments.")
    parser.add_argument("tests", nargs="*", default=["tests/rules"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        codes = []
        for version in VERSIONS:
            text, code = row(folder, options.tests, *version)
            print(text, flush=True)
            codes.append(code)
    return max(codes)


def row(folder: Path, tests: list[str], numpy: str, newest) -> tuple[str, int]:
    """The line of one NumPy, and the exit code of its tests."""
    place = folder / re.sub(r"\W+", "_", numpy)
    python = place / "bin" / "python"
    if not python.exists():
        run(interpreter(newest), "-m", "venv", place)
        run(python, "-m", "pip", "install", "-q", "-e", f"{ROOT}[test]", numpy)
    shown = "import numpy, sys; print(numpy.__version__, sys.version.split()[0])"
    name, version = run(python, "-c", shown).split()
    start = time.monotonic()
    done = subprocess.run(
        [
            python,
            "-m",
            "pytest",
            "-q",
            "-n",
            "auto",
            "-p",
            "no:cacheprovider",
            "--tb=no",
            *tests,
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    seconds = time.monotonic() - start
    lines = done.stdout.splitlines()
    said = [line for line in lines if re.match(r"FAILED|ERROR|\d+ tests skipped", line)]
    total = [line for line in lines if re.search(r"\d+ (passed|failed|error)", line)]
    summary = total[-1].strip("= ") if total else dots(lines)
    head = f"numpy {name}, Python {version}: {summary} ({seconds:.0f} s)"
    return "\n".join([head, *(f"  {line}" for line in said)]), done.returncode


def dots(lines: list[str]) -> str:
    """The counts where pytest is so quiet that it shows letters only."""
    shown = "".join(re.sub(r"\[.*", "", s) for s in lines if re.search(r"\[ *\d+%", s))
    words = {".": "passed", "F": "failed", "E": "errors", "s": "skipped"}
    return ", ".join(f"{shown.count(c)} {word}" for c, word in words.items())


def interpreter(newest: tuple[int, int] | None) -> str:
    """A Python that is not newer than that: this one, or another that is installed."""
    if newest is None or sys.version_info[:2] <= newest:
        return sys.executable
    for minor in range(newest[1], 10, -1):
        found = shutil.which(f"python3.{minor}")
        here = sorted(Path("~").expanduser().glob(INSTALLATIONS[2:]))
        kept = [str(p) for p in here if p.parents[1].name.startswith(f"3.{minor}.")]
        if found or kept:
            return kept[-1] if kept else found
    raise SystemExit(f"no Python up to {newest[0]}.{newest[1]} is installed")


def run(*command) -> str:
    """The output of a command that must succeed."""
    words = [str(word) for word in command]
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
