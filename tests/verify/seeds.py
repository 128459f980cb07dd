"""`gradgen check` for many seeds on several kernels of BLAS: a table for docs/checking.md.

    python -m tests.verify.seeds                       # seeds 0 to 19, every file
    python -m tests.verify.seeds 0 1 -- swing_cost     # these seeds, of these files
    python -m tests.verify.seeds --write ...           # and puts the rows on the page

OPENBLAS_CORETYPE makes OpenBLAS compute as on another processor, where it is told before
NumPy is loaded: each check is a process of its own. The last digits of products are
others then, and what magnifies them shows. A check that measures nothing of a file says
why; that is no fault, and has a column of its own.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.surroundings import surroundings

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "checking.md"
FOLDER = ROOT / "generated"
SEEDS = range(20)
# What magnifies rounding most: a filter with inverses, and a chaotic pendulum.
SENSITIVE = ("kalman_loglik", "swing_cost")
# The kernels that are tried: one that is named, and the processor's own.
NAMED, OWN = "Haswell", ""
TOLD = re.compile(r"(?<=<!-- seeds -->\n).*?(?=<!-- end of seeds -->)", re.S)

CORE = """
import ctypes, glob, os, numpy
folder = os.path.join(os.path.dirname(numpy.__file__), "..", "numpy.libs")
for library in glob.glob(os.path.join(folder, "*openblas*")):
    name = getattr(ctypes.CDLL(library), "scipy_openblas_get_corename64_", None)
    if name is not None:
        name.restype = ctypes.c_char_p
        print(name().decode())
"""


def environment(kernel: str) -> dict[str, str]:
    """The environment of a process that computes with a kernel, as far as it can."""
    kept = surroundings(PYTHONPATH=str(ROOT), OPENBLAS_NUM_THREADS="1")
    kept = {k: v for k, v in kept.items() if not told_of_kernels(k)}
    return kept | ({"OPENBLAS_CORETYPE": kernel} if kernel else {})


def told_of_kernels(name: str) -> bool:
    """Whether a variable chooses how OpenBLAS computes."""
    return name.startswith("OPENBLAS_") and name != "OPENBLAS_NUM_THREADS"


def core(kernel: str) -> str:
    """The name of the kernel that NumPy's OpenBLAS runs then; "other" of another BLAS."""
    command = [sys.executable, "-c", CORE]
    done = subprocess.run(
        command, env=environment(kernel), capture_output=True, text=True
    )
    return done.stdout.strip() or "other"


@dataclass
class Row:
    """What came of the checks of some files on one kernel."""

    kernel: str
    seeds: list[int] = field(default_factory=list)
    states: Counter[str] = field(default_factory=Counter)
    said: list[str] = field(default_factory=list)  # of what is not right

    def add(self, seed: int, files: Iterable[dict]) -> None:
        """Counts the verdicts of one check."""
        self.seeds.append(seed)
        for one in files:
            measured = "agrees with" in one["said"]
            state = one["state"] if measured or one["faults"] else "not measured"
            self.states[state] += 1
            if state != "right":
                told = "; ".join(map(str, one["faults"])) or one["said"]
                self.said.append(
                    f"{self.kernel}, seed {seed}: {one['file']}: {state}: {told}"
                )


def check(kernel: str, seed: int, files: Sequence[str]) -> list[dict]:
    """The verdicts of `gradgen check` on files, measured anew by a process of its own."""
    words = ["-m", "gradgen", "check", "--fresh", "--output", "json"]
    done = subprocess.run(
        [sys.executable, *words, "--seed", str(seed), *files],
        cwd=ROOT,
        env=environment(kernel),
        capture_output=True,
        text=True,
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)["files"]


def checked(kernel: str, seeds: Iterable[int], names: Sequence[str]) -> Row:
    """The row of one kernel, each check told as it ends."""
    row = Row(core(kernel))
    files = [f"generated/{name}.py" for name in names]
    for seed in seeds:
        row.add(seed, check(kernel, seed, files))
        print(f"{row.kernel} seed {seed}: {dict(row.states)}", flush=True)
    return row


HEAD = (
    "| kernel | files | seeds | right | not measured | wrong |",
    "|---|---|---|---|---|---|",
)


def table(rows: Sequence[Row], names: Sequence[str]) -> str:
    """The table of the rows of some files."""
    every = len(names) == len(list(FOLDER.glob("*.py")))
    of = f"all {len(names)} files" if every else ", ".join(sorted(names))
    lines = list(HEAD)
    for row in rows:
        right, none = row.states["right"], row.states["not measured"]
        wrong = row.states.total() - right - none
        lines.append(
            f"| {row.kernel} | {of} | {spans(row.seeds)} | {right} | {none} | {wrong} |"
        )
    return "\n".join(lines) + "\n"


def merged(page: str, made: str) -> str:
    """The page with the rows of a table in the place of those of its kernel and files."""
    (before,) = TOLD.findall(page)
    rows = {}
    for line in (*before.splitlines()[len(HEAD) :], *made.splitlines()[len(HEAD) :]):
        rows[tuple(line.split(" | ")[:2])] = line
    return TOLD.sub(lambda _: "\n".join([*HEAD, *rows.values()]) + "\n", page)


def spans(seeds: Sequence[int]) -> str:
    """0 to 19, or 0, 3 where some are left out."""
    first, last = min(seeds), max(seeds)
    whole = len(seeds) > 2 and sorted(seeds) == list(range(first, last + 1))
    return f"{first} to {last}" if whole else ", ".join(map(str, seeds))


def main(words: list[str]) -> int:
    """Runs the checks, prints the table; 1 where one of them calls a file wrong."""
    write = "--write" in words
    words = [word for word in words if word != "--write"]
    place = words.index("--") if "--" in words else len(words)
    seeds = [int(word) for word in words[:place]] or list(SEEDS)
    names = words[place + 1 :] or sorted(path.stem for path in FOLDER.glob("*.py"))
    rows = [checked(kernel, seeds, names) for kernel in (NAMED, OWN)]
    made = table(rows, names)
    print(made, *(line for row in rows for line in row.said), sep="\n")
    if write:
        page = merged(PAGE.read_text(encoding="utf-8"), made)
        PAGE.write_text(page, encoding="utf-8")
    right = all(
        row.states.total() == row.states["right"] + row.states["not measured"]
        for row in rows
    )
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
