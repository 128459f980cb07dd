"""`gradgen observe` and `--calls`: facts from the calls that a command makes."""

import json
import shlex
import sys
import tomllib

import numpy as np
import pytest

from gradgen.commands.running import with_shim
from gradgen.observing.values import example, noted
from gradgen.verify.finite import numeric_gradient
from tests.cli.command import gradgen

LOSSES = """
import numpy as np


def ridge(w, X, y, lam):
    n, d = X.shape
    r = X @ w - y
    return r @ r / n + lam * np.sum(w * w)


def scaled(x, scale):
    return np.sum((x * scale) ** 2)


def energy(state, steps=3):
    total = 0.0
    for _ in range(steps):
        total = total + np.sum(state["q"] ** 2) + np.sum(state["p"] ** 2)
    return total


def refused(x):
    try:
        x = np.sum(x)
    except* ValueError:
        pass
    return x


def numbers(a, b):
    return a * b


class Model:
    def forward(self, x):
        return np.sum(x)
"""
USE = """
import numpy as np
from pkg import losses


def test_use():
    rng = np.random.default_rng(0)
    losses.ridge(rng.normal(size=3), rng.normal(size=(5, 3)), rng.normal(size=5), 0.1)
    losses.ridge(rng.normal(size=4), rng.normal(size=(4, 4)), rng.normal(size=4), 2)
    losses.scaled(rng.normal(size=(4, 3)), rng.normal(size=(4, 3)))
    losses.scaled(rng.normal(size=(4, 3)), rng.normal(size=(1, 3)))
    losses.scaled(rng.normal(size=4), 2.0)
    losses.energy({"q": rng.normal(size=2), "p": rng.normal(size=2)})
    losses.refused(np.ones(3))
    losses.numbers(1.0, 2.0)
    losses.Model().forward(np.ones(3))
"""
SCRIPT = """
import sys
from tests.use.test_use import test_use

assert sys.argv[1:] == ["--fast", "3"], sys.argv
print("running")
test_use()
"""
SEEN = {
    "pkg.losses.energy": [{"state": {"q": "n", "p": "m"}, "steps": ""}],
    "pkg.losses.ridge": [{"w": "d", "X": "n d", "y": "n", "lam": ""}],
    "pkg.losses.scaled": [{"x": "n m", "scale": "#n m"}, {"x": "n", "scale": ""}],
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A package with tests that use it."""
    folder = tmp_path_factory.mktemp("project")
    for file, text in {
        "pyproject.toml": "[project]\nname = 'pkg'\n",
        "pkg/__init__.py": "",
        "pkg/losses.py": LOSSES,
        "pkg/__main__.py": SCRIPT,
        "run.py": SCRIPT,
        "tests/use/test_use.py": USE,
        "conftest.py": "",
    }.items():
        place = folder / file
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return folder


def facts(text):
    """The shapes of the entries that were printed, by function."""
    found = {}
    for entry in tomllib.loads(text)["tool"]["gradgen"]["emit"]:
        shape = {
            name: fact if not str(fact).startswith("{") else json.loads(fact)
            for name, fact in entry.get("shape", {}).items()
        }
        found.setdefault(entry["function"], []).append(shape)
    return found


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-m", "pytest", "-q", "tests/use"],
        [sys.executable, "run.py", "--fast", "3"],
        [sys.executable, "-X", "dev", "-m", "pkg", "--fast", "3"],
        ["sh", "-c", f"{shlex.quote(sys.executable)} -m pytest -q tests/use"],
    ],
    ids=["pytest", "script", "package", "shell"],
)
def test_the_facts_of_the_calls_are_seen(project, command):
    done = gradgen("observe", "--", *command, cwd=project)
    assert done.code == 0, done.err
    assert facts(done.out) == SEEN
    assert "pkg.losses.refused: pkg/losses.py:23:5: GG113" in done.err


def test_observed_entries_build_and_check(project, tmp_path):
    """Entries pasted into pyproject.toml: their texts are built, and hold."""
    for file in project.rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            place = tmp_path / file.relative_to(project)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(file.read_text())
    command = [sys.executable, "-m", "pytest", "-q", "tests/use"]
    seen = gradgen("observe", "-q", "--", *command, cwd=tmp_path)
    settings = tmp_path / "pyproject.toml"
    settings.write_text(settings.read_text() + "\n" + seen.out)
    built = gradgen("build", cwd=tmp_path)
    assert built.code == 0, built.err
    assert gradgen("build", "--check", cwd=tmp_path).code == 0
    checked = gradgen("check", cwd=tmp_path)
    assert checked.code == 0 and "not measured" not in checked.out, checked
    texts = [f.read_text() for f in (tmp_path / "generated").glob("*.py")]
    assert len(texts) == 4 and not any("--calls" in text for text in texts)


def test_functions_and_modules_are_chosen(project):
    command = ["--", sys.executable, "run.py", "--fast", "3"]
    one = gradgen("observe", "pkg/losses.py:ridge", *command, cwd=project)
    assert list(facts(one.out)) == ["pkg.losses.ridge"]
    several = gradgen("observe", "--module", "pkg", *command, cwd=project)
    assert facts(several.out) == SEEN


@pytest.mark.parametrize(
    "arguments, told",
    [
        (["--", "no-such-command"], "GG036 no-such-command cannot be run"),
        (["--", sys.executable, "-c", "pass"], "GG036 no call with arrays"),
        (["--module", "nosuch", "--", "true"], "GG036 there is no module nosuch"),
        ([], "gradgen observe -- COMMAND"),
    ],
)
def test_what_shows_nothing_is_refused(project, arguments, told):
    done = gradgen("observe", *arguments, cwd=project)
    assert done.code == 2 and told in done.err and not done.out


def test_calls_tell_emit_the_facts(project):
    command = f"{shlex.quote(sys.executable)} run.py --fast 3"
    text = gradgen("emit", "pkg.losses.ridge", "--calls", command, cwd=project)
    told = ["--shape", "w=d", "--shape", "X=n d", "--shape", "y=n", "--shape", "lam="]
    assert text.out == gradgen("emit", "pkg.losses.ridge", *told, cwd=project).out
    assert "running" in text.err and "_unbroadcast" not in text.out
    most = gradgen("emit", "pkg.losses.scaled", "--calls", command, cwd=project)
    assert "called with arguments of 2 kinds" in most.err


def test_an_observed_text_is_right_for_other_lengths(project):
    command = f"{shlex.quote(sys.executable)} run.py --fast 3"
    out = gradgen(
        "emit", "pkg.losses.scaled", "--wrt", "scale", "--calls", command, cwd=project
    )
    names = {}
    exec(out.out, names)
    rng = np.random.default_rng(3)
    for shape in ((6, 2), (1, 2)):
        x, scale = rng.normal(size=(6, 2)), rng.normal(size=shape)
        got = names["grad_scaled"](x, scale)
        want = numeric_gradient(lambda x, s: np.sum((x * s) ** 2), (x, scale), 1)
        assert got.shape == shape
        np.testing.assert_allclose(got, want.value, rtol=1e-6)


@pytest.mark.parametrize(
    "command, run",
    [
        ("python run.py 3", "python -m gradgen.observing run.py 3"),
        (
            "python3.12 -u -W error a.py",
            "python3.12 -u -W error -m gradgen.observing a.py",
        ),
        ("uv run python -m pkg", "uv run python -m gradgen.observing -m pkg"),
        ("python -m pytest tests", "python -m pytest tests"),
        ("/usr/bin/python -mpkg x", "/usr/bin/python -m gradgen.observing -m pkg x"),
        ("make test", "make test"),
        ("pytest -x", "pytest -x"),
    ],
)
def test_pythons_of_a_command_are_observed(command, run):
    assert with_shim(command.split()) == run.split()


@pytest.mark.parametrize(
    "value",
    [
        np.ones((2, 1), np.float32),
        {"W": np.ones((2, 3)), "layers": [np.ones(3), (1.0, None)]},
        [np.arange(3), "a"],
        2.5,
    ],
    ids=["array", "dict", "list", "number"],
)
def test_an_example_is_made_of_what_was_noted(value):
    told = json.loads(json.dumps(noted(value)))
    assert noted(example(told)) == told or "static" in json.dumps(told)
    assert len(json.dumps(noted(np.ones((500, 500))))) < 80  # and no entry is kept
