"""The hooks for pre-commit, installed from this tree into a repository of its own."""

import subprocess
import sys

import pytest

from tests.cli.command import ROOT

SOURCE = "import numpy as np\n\n\ndef f(x):\n    return np.sum(x * x)\n"
PROJECT = '[[tool.gradgen.emit]]\nfunction = "loss.f"\nout = "generated/f.py"\n'


def hook(name: str, cwd) -> subprocess.CompletedProcess:
    command = ["pre_commit", "try-repo", str(ROOT), name, "--all-files", "--verbose"]
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=cwd, capture_output=True, text=True
    )


def git(*arguments: str, cwd) -> None:
    subprocess.run(["git", *arguments], cwd=cwd, check=True, capture_output=True)


def test_the_hooks_are_what_pre_commit_reads():
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-manifest"]
        + [".pre-commit-hooks.yaml"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, "")
    manifest = (ROOT / ".pre-commit-hooks.yaml").read_text()
    assert "entry: gradgen build\n" in manifest and "entry: gradgen check\n" in manifest


@pytest.mark.long  # installs gradgen and numpy twice
def test_the_hooks_build_and_check_in_a_repository(tmp_path):
    (tmp_path / "loss.py").write_text(SOURCE)
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    git("init", "-q", cwd=tmp_path)
    git("add", "-A", cwd=tmp_path)
    done = hook("gradgen-build", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "generated/f.py: written" in done.stdout
    git("add", "-A", cwd=tmp_path)
    done = hook("gradgen-check", tmp_path)
    assert done.returncode == 0 and "1 checked, 0 wrong" in done.stdout
    (tmp_path / "loss.py").write_text(SOURCE.replace("x * x", "x**3"))
    done = hook("gradgen-check", tmp_path)
    assert done.returncode == 1 and "loss.f has changed since" in done.stdout
    # A build that changes a committed file fails, so that it is committed as well.
    done = hook("gradgen-build", tmp_path)
    assert done.returncode == 1 and "files were modified by this hook" in done.stdout
