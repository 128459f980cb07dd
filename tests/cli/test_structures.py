"""Containers on the command line: emit, the facts' forms, and check."""

import pytest

from tests.cli.command import gradgen, gradgens, refused

SOURCE = """from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Pair(NamedTuple):
    W: np.ndarray
    b: np.ndarray


@dataclass
class Net:
    pair: Pair
    scale: float
    rounds: int


def stats(x):
    mean = np.mean(x)
    return mean, [np.mean((x - mean) ** 2), np.sin(x)], len(x)


def held(x):
    y = np.sin(x)
    return np.sum(y), {"y": y}


def layer(params, x):
    return np.sum(np.tanh(x @ params["W"] + params["b"]))


def chain(layers, x):
    for W, b in layers:
        x = np.tanh(x @ W + b)
    return x


def net(p: Net, x):
    for i in range(p.rounds):
        x = np.tanh(x @ p.pair.W + p.pair.b) * p.scale
    return np.sum(x)


def jacobi(A, B):
    for t in range(3):
        B[1:-1] = (A[:-2] + A[1:-1] * A[2:]) / 3
        A[1:-1] = (B[:-2] + B[1:-1] * B[2:]) / 3


def step(A, x):
    A[0] = x * A[1]
    return np.sum(A)


def turned(W, x):
    pair = Pair(x @ W, b=x)
    return pair._replace(b=np.sin(pair.b))
"""
COMMANDS = [
    ["f.py:stats", "--shape", "x=n"],
    ["f.py:stats"],
    ["f.py:held", "--aux", "--shape", "x=n"],
    ["f.py:layer", "--shape", 'params={"W": "n m", "b": "m"}', "--shape", "x=k n"],
    ["f.py:layer", "--wrt", "params,x", "--shape", 'params["W"]=n m', "--shape"]
    + ["params.b=m", "--shape", "x=k n"],
    ["f.py:chain", "--shape", 'layers=[("n m", "m"), ("m k", "k")]', "--shape"]
    + ["x=j n"],
    ["f.py:chain", "--example", "([(np.ones((4, 3)), np.ones(3))], np.ones((2, 4)))"],
    ["f.py:net", "--shape", "p.pair.W=n n", "--shape", "p.pair.b=n", "--shape"]
    + ["x=k n"],
    ["f.py:jacobi", "--of", "A", "--wrt", "A,B", "--shape", "A=n", "--shape", "B=n"],
    ["f.py:jacobi", "--of", "A,B", "--wrt", "B", "--shape", "A=n", "--shape", "B=n"],
    ["f.py:layer", "--wrt", 'params["W"],x', "--shape"]
    + ['params={"W": "n m", "b": "m"}', "--shape", "x=k n"],
    ["f.py:chain", "--wrt", "layers[1],layers[0][1]", "--shape"]
    + ['layers=[("n m", "m"), ("m k", "k")]', "--shape", "x=j n"],
    ["f.py:turned", "--wrt", "W,x", "--shape", "W=n m", "--shape", "x=k n"],
    ["f.py:step", "--of", "A", "--wrt", "A,x", "--shape", "A=n", "--shape", "x="],
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "f.py").write_text(SOURCE)
    (tmp_path / "generated").mkdir()
    return tmp_path


@pytest.mark.parametrize("style", [[], ["--value"], ["--style", "callback"]])
def test_committed_files_are_made_again_and_measured(folder, style):
    commands = [
        ["emit", *command, *style, "-o", f"generated/{i}.py"]
        for i, command in enumerate(COMMANDS)
    ]
    for command, done in zip(commands, gradgens(commands, folder), strict=True):
        assert done.code == 0, (command, done.err)
    done = gradgen("check", cwd=folder)
    assert done.code == 0, done.err
    assert "not measured" not in done.err
    assert f"{len(COMMANDS)} checked, 0 wrong" in done.err
    file = folder / "generated" / "0.py"
    file.write_text(file.read_text().replace("* np.cos(x)", "* np.exp(x)"))
    done = gradgen("check", cwd=folder)
    assert done.code == 1 and "0.py: wrong gradient" in done.err


def test_what_is_refused(folder):
    done = gradgen("emit", "f.py:jacobi", cwd=folder)
    assert refused(done, "GG111", "--of A,B")
    done = gradgen("emit", "f.py:jacobi", "--of", "C", cwd=folder)
    assert refused(done, "GG002", "--of names C")
    done = gradgen("emit", "f.py:layer", "--shape", "params={W: n}", cwd=folder)
    assert refused(done, "GG408")
    done = gradgen("emit", "f.py:stats", "--aux", cwd=folder)
    assert refused(done, "GG119", "(value, aux)")
