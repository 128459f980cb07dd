"""tools/gpu_check.py, where there is no GPU, and what it compares with."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.test_generated import FILES, MATRICES

FILE = Path(__file__).resolve().parents[2] / "tools" / "gpu_check.py"
spec = importlib.util.spec_from_file_location("gpu_check", FILE)
gpu_check = importlib.util.module_from_spec(spec)
spec.loader.exec_module(gpu_check)


@pytest.mark.skipif(not gpu_check.missing(), reason="this machine has a GPU")
def test_without_a_gpu_it_says_so(tmp_path):
    out = tmp_path / "result.json"
    done = subprocess.run(
        [sys.executable, FILE, "--out", out], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("skipped: ")
    assert not out.exists()


def test_the_distance_of_results():
    x = np.array([1.0, np.nan, 3.0])
    assert gpu_check.distance([x], [x.copy()]) == 0
    assert gpu_check.distance([x], [x + 3e-3]) == pytest.approx(1e-3, rel=1e-2)
    for other in (x[:2], x.astype(np.float32), np.nan_to_num(x)):
        assert gpu_check.distance([other], [x]) == np.inf


@pytest.mark.parametrize("name", [*FILES, *MATRICES])
def test_each_committed_file_can_be_run(name):
    args, seed = gpu_check.arguments(name, np.float32)
    function = gpu_check.loaded(FILE.parents[1] / "generated" / f"{name}.py")
    found = gpu_check.leaves(gpu_check.run(function, args, seed))
    assert found and all(np.all(np.isfinite(leaf)) for leaf in found)
