"""The pytest plugin: gradients are checked in the test run of the library they are in."""

import re
import shutil
import tomllib

import pytest

from tests.cli.command import ROOT, gradgens, python

SOURCE = """import numpy as np


def loss(x, y):
    return np.sum((x - y) ** 2)


def layer(x, w):
    return np.tanh(x @ w)


def nowhere(x):
    return np.sum(np.log(-x * x))
"""
TESTS = """def test_own():
    pass
"""
FIXTURE = """import pytest


def test_right(gradgen_check):
    gradgen_check("generated/layer.py", seed=4)


def test_all(gradgen_check):
    gradgen_check("generated")


def test_none(gradgen_check):
    gradgen_check("tests")
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A library with two committed gradients, and gradgen installed beside it."""
    tmp_path = tmp_path_factory.mktemp("library")
    (tmp_path / "losses.py").write_text(SOURCE)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_own.py").write_text(TESTS)
    (tmp_path / "generated").mkdir()
    (tmp_path / "generated" / "notes.py").write_text("raise SystemExit\n")
    emits = {
        "loss": ["losses.loss", "--shape", "x=n", "--shape", "y=n"],
        "layer": ["losses.layer", "--wrt", "w", "--shape", "x=n d", "--shape", "w=d m"],
    }
    commands = [
        ["emit", *words, "-q", "-o", f"generated/{name}.py"]
        for name, words in emits.items()
    ]
    assert [done.code for done in gradgens(commands, tmp_path)] == [0, 0]
    configure(tmp_path, 'gradgen_paths = ["generated"]')
    # As pip would: the entry point that pyproject.toml declares, for pytest to find.
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (plugin,) = project["entry-points"]["pytest11"].items()
    info = tmp_path / "site" / "gradgen_here-0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gradgen-here\n")
    (info / "entry_points.txt").write_text(f"[pytest11]\n{plugin[0]} = {plugin[1]}\n")
    return tmp_path


@pytest.fixture
def library(made, tmp_path):
    """A copy of the library, to be spoiled."""
    return shutil.copytree(made, tmp_path / "library")


def configure(library, *lines: str) -> None:
    settings = ["[tool.pytest.ini_options]", 'testpaths = ["tests"]', *lines]
    (library / "pyproject.toml").write_text("\n".join(settings) + "\n")


def run(library, *words: str):
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *words)
    paths = f"{ROOT}:{library / 'site'}"
    return python(*words, cwd=library, PYTHONPATH=paths)


def plant(library) -> None:
    path = library / "generated" / "loss.py"
    text = path.read_text()
    assert "2 * d_out" in text
    path.write_text(text.replace("2 * d_out", "3 * d_out"))


def test_each_emitted_file_is_a_test(library):
    done = run(library, "-vv")
    assert done.code == 0, done.out + done.err
    for name in ("tests/test_own.py::test_own", "generated/loss.py::gradient"):
        assert re.search(rf"^{name} PASSED", done.out, re.M), done.out
    # notes.py was not written by gradgen, and is not touched.
    assert "3 passed" in done.out and "notes" not in done.out


def test_a_wrong_one_fails_with_what_check_says(library):
    plant(library)
    configure(library, 'gradgen_paths = ["generated"]', 'gradgen_seed = "7"')
    done = run(library)
    assert done.code == 1 and "1 failed, 2 passed" in done.out
    assert "generated/loss.py: drift: it was edited by hand" in done.out
    assert re.search(r"wrong gradient: d_x\[\d\] is .*, and differences give", done.out)
    assert "float64, seed 7" in done.out and "Traceback" not in done.out
    assert "FAILED generated/loss.py::gradient" in done.out


def test_what_is_run_can_be_chosen(library):
    plant(library)
    assert "1 passed" in run(library, "tests").out
    assert "1 passed, 2 deselected" in run(library, "-m", "not gradgen").out
    # The folder that all stands in has each file once.
    (library / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\ngradgen_paths = ["generated/layer.py"]\n'
    )
    assert "2 passed" in run(library).out


def test_the_fixture(library):
    configure(library)
    (library / "tests" / "test_own.py").write_text(FIXTURE)
    plant(library)
    done = run(library)
    assert done.code == 1 and "2 failed, 1 passed" in done.out
    assert "there is no emitted gradient at" in done.out
    assert "generated/loss.py: drift" in done.out


def test_settings_that_are_wrong(library):
    configure(library, 'gradgen_paths = ["generate"]')
    done = run(library)
    assert done.code == 4 and "gradgen_paths: there is no " in done.err
    configure(library, 'gradgen_paths = ["generated"]', 'gradgen_seed = "many"')
    done = run(library)
    assert done.code != 0 and "gradgen_seed is no whole number: many" in done.out


def test_what_cannot_be_measured_is_a_warning(library):
    words = ["emit", "losses.nowhere", "--shape", "x=n", "-q"]
    (done,) = gradgens([[*words, "-o", "generated/nowhere.py"]], library)
    assert done.code == 0
    done = run(library, "generated/nowhere.py")
    assert done.code == 0 and "1 passed, 1 warning" in done.out
    assert "GradgenWarning: generated/nowhere.py: not measured" in done.out


def test_it_costs_nothing_where_it_is_not_configured(library):
    configure(library)
    (library / "tests" / "test_own.py").write_text(
        "import sys\n\n\ndef test_modules():\n"
        "    assert 'gradgen.pytest_plugin' in sys.modules\n"
        "    loaded = {m.partition('.')[0] for m in sys.modules}\n"
        "    assert not {'numpy', 'gast', 'astor', 'click', 'rich'} & loaded\n"
        "    assert [m for m in sys.modules if m.startswith('gradgen.')] == "
        "['gradgen.pytest_plugin']\n"
    )
    done = run(library)
    assert done.code == 0, done.out
