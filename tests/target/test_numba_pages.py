"""The page on compiled gradients with numba installed, and gradgen check of such files."""

import re
import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.cli.command import gradgen
from tests.pages import ROOT, run_page
from tests.surroundings import surroundings

PAGE = ROOT / "docs/howto/numba.md"
LOOPS = """import numpy as np


def decay(x, steps):
    for t in range(steps):
        for i in range(1, len(x)):
            x[i] += 0.1 * x[i - 1]
    return np.sum(x * x)


def layer(W, b, x):
    return np.sum(np.tanh(W @ x + b))
"""
CHAIN = """import numpy as np


def forward(s, M, E):
    a = s + E[0]
    for t in range(1, len(E)):
        a = np.log(np.exp(a) @ M) + E[t]
    return np.sum(a)
"""
EMIT = (
    "emit loops.decay --wrt x --value --target numba --shape x=n -o out/decay.py",
    "emit loops.layer --wrt W --target numba --shape b=m --shape x=n -o out/layer.py",
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "loops.py").write_text(LOOPS)
    (tmp_path / "out").mkdir()
    for command, more in zip(EMIT, ([], ["--shape", "W=m n"]), strict=True):
        assert gradgen(*command.split(), *more, cwd=tmp_path).code == 0
    return tmp_path


def test_files_for_numba_are_checked(folder):
    done = gradgen("check", "out", cwd=folder)
    assert done.code == 0 and done.err.endswith("2 checked, 0 wrong\n")
    said = "compiled with numba for" if find_spec("numba") else "computes with numba"
    assert said in done.err
    assert "njit" in (folder / "out/decay.py").read_text()
    left = (folder / "out/layer.py").read_text()
    assert "njit" not in left and "Not compiled: " in left and "--target numba" in left


@pytest.mark.parametrize("name", ["decay", "layer"])
def test_an_edited_file_for_numba_is_found(folder, name):
    path = folder / f"out/{name}.py"
    text = path.read_text()
    last = re.search(r"^    return .*$", text, re.M).group()
    path.write_text(text.replace(last, "    d_other = 0\n" + last))
    done = gradgen("check", "out", cwd=folder)
    assert done.code == 1 and f"{name}.py: " in done.err + done.out


def test_another_primal_is_drift(folder):
    primal = folder / "loops.py"
    primal.write_text(primal.read_text().replace("0.1", "0.2"))
    done = gradgen("check", "out/decay.py", cwd=folder)
    assert done.code == 1 and "drift" in done.err + done.out


@pytest.mark.libraries
def test_a_compiled_file_is_run_itself(folder):
    pytest.importorskip("numba")
    path = folder / "out/decay.py"
    text = path.read_text()
    # the text that NumPy would run is right: what the file computes is not
    (line,) = re.findall(r"^ +d_x\[.*\] \+?= .*$", text, re.M)[-1:]
    path.write_text(text.replace(line, line.replace("= ", "= 1.0001 * ", 1)))
    done = gradgen("check", "out/decay.py", cwd=folder)
    assert done.code == 1 and "edited" in done.err
    assert re.search(r"compiled, a result is off by \S+e-0\d of", done.err), done.err


@pytest.mark.libraries
def test_a_compiled_list_of_vectors_may_be_empty(tmp_path):
    pytest.importorskip("numba")
    (tmp_path / "chain.py").write_text(CHAIN)
    facts = ("--shape", "s=k", "--shape", "M=k k", "--shape", "E=t k")
    ask = ("--wrt", "s,M,E", "--value", "--target", "numba", "-o", "of_chain.py")
    assert gradgen("emit", "chain.forward", *facts, *ask, cwd=tmp_path).code == 0
    done = gradgen("check", "of_chain.py", cwd=tmp_path)
    assert done.code == 0, done.err
    assert "compiled with numba for" in done.err


@pytest.mark.libraries
def test_the_times_of_the_page_are_taken_by_its_file(tmp_path):
    pytest.importorskip("numba")
    assert all(run.agrees() for run in run_page(PAGE, tmp_path))
    done = subprocess.run(
        [sys.executable, "timed.py"],
        cwd=tmp_path / "work",
        capture_output=True,
        text=True,
        env=surroundings(PYTHONPATH=str(ROOT)),
    )
    assert done.returncode == 0, done.stderr
    lines = re.findall(r"^(.{16}) +([\d.]+) ms, the first call", done.stdout, re.M)
    shown = re.findall(r"^(.{16}) +([\d.]+) ms, the first call", PAGE.read_text(), re.M)
    assert [name for name, _ in lines] == [name for name, _ in shown]
    times = [float(taken) for _, taken in lines]
    assert times[2] < times[0] / 10 < times[1]
