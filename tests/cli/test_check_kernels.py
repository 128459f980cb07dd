"""`gradgen check` says the same on every processor, and for every seed.

OPENBLAS_CORETYPE makes OpenBLAS compute as on another processor: the last digits are
others then, and what magnifies them shows. A part of the table of kernels and seeds
belongs to the test command, another one each day; the whole is run by

    python -m pytest -m long -s tests/cli/test_check_kernels.py
"""

import datetime
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import ROOT, gradgen
from tests.surroundings import surroundings

SEEDS = range(20)
# What magnifies rounding most: a filter with inverses, and a chaotic pendulum.
SENSITIVE = ("kalman_loglik", "swing_cost")


def kernels() -> list[str]:
    """The kernels that this processor can run; "" is its own."""
    try:
        flags = Path("/proc/cpuinfo").read_text()
    except OSError:
        return [""]
    needed = {"": "", "Prescott": "pni", "Haswell": "avx2", "SkylakeX": "avx512f"}
    return [kernel for kernel, flag in needed.items() if flag in flags]


def part_of_today() -> list[tuple[str, int]]:
    """A kernel with a seed that was wrong once, and one that changes by the day."""
    day = int(os.environ.get("GRADGEN_CHECK_DAY", datetime.date.today().toordinal()))
    each = [(kernel, seed) for kernel in kernels() for seed in SEEDS]
    return [(kernels()[-1], 1), each[day % len(each)]]


@pytest.mark.parametrize("which", (0, 1), ids=("known", "of today"))
def test_a_part_of_the_table(which):
    kernel, seed = part_of_today()[which]
    files = [f"generated/{name}.py" for name in SENSITIVE]
    own = {"OPENBLAS_CORETYPE": kernel} if kernel else {}
    done = gradgen("check", "--seed", str(seed), "-j", "1", *files, cwd=ROOT, **own)
    assert done.code == 0, (kernel, seed, done.err)
    assert done.err.count("agrees with differences") == len(files), (kernel, seed)


@pytest.mark.long
@pytest.mark.parametrize("kernel", kernels())
def test_the_whole_table(kernel):
    own = {"OPENBLAS_CORETYPE": kernel} if kernel else {}
    wrong = []
    for seed in SEEDS:
        command = ["-m", "gradgen", "check", "-q", "--seed", str(seed), "generated"]
        done = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=surroundings(**own),
            capture_output=True,
            text=True,
        )
        print(f"{kernel or 'own':<10} seed {seed:>2}: exit {done.returncode}")
        if done.returncode or done.stderr:
            wrong.append((seed, done.stderr))
    assert not wrong
