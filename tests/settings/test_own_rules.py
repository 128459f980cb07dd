"""[tool.gradgen] rules = [...]: rules for a user's own functions, and mistakes in them."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.cli.command import gradgen

ROOT = Path(__file__).resolve().parents[2]

RULES = '''
"""Rules of mine."""

import numpy as np
from gradgen.rules import d, elementwise, general, reduced, shape, t, unreduce

module = "mine"


@elementwise
def softplus(z, x):
    d[x] = d[z] * mine.sigmoid(x)


@elementwise
def sigmoid(z, x):
    d[x] = d[z] * z * (1 - z)


@general
def total(z, a, axis=None):
    shape[z] = reduced(a, axis, False)
    d[a] = unreduce(d[z], a, axis, False)
'''
MINE = """
import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softplus(x):
    return np.log1p(np.exp(x))


def total(a, axis=None):
    return np.sum(a, axis)


def other(x):
    return 2 * x
"""
LOSS = """
import numpy as np
import mine
import mine as mm
from mine import softplus, total as added


def f(x):
    return added(mm.softplus(x) * mine.sigmoid(x))


def shadowed(x, mine):
    return softplus(x) * mine


def without(x):
    return mine.other(x)


def refused(x):
    return added(x, dtype=float)
"""
SETTINGS = '[tool.gradgen]\nrules = ["rules/"]\n'


@pytest.fixture
def project(tmp_path):
    write(tmp_path, "pyproject.toml", SETTINGS)
    write(tmp_path, "rules/mine.py", RULES)
    write(tmp_path, "mine.py", MINE)
    write(tmp_path, "loss.py", LOSS)
    return tmp_path


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(textwrap.dedent(text).lstrip(), encoding="utf-8")


def ran(folder: Path, *command: str):
    if command[:2] == ("-m", "gradgen"):
        done = gradgen(*command[2:], cwd=folder)
        return subprocess.CompletedProcess(command, done.code, done.out, done.err)
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
    )


def emitted(folder: Path, name: str, *options: str):
    return ran(folder, "-m", "gradgen", "emit", f"loss.py:{name}", *options)


def test_a_function_with_a_rule_is_called(project):
    done = emitted(project, "f", "--shape", "x=n")
    assert done.returncode == 0, done.stderr
    assert "import mine\n" in done.stdout and "import mine as mm\n" in done.stdout
    assert "mm.softplus(x)" in done.stdout and "mine.sigmoid(x)" in done.stdout
    assert "_unbroadcast" not in done.stdout
    (project / "made.py").write_text(done.stdout, encoding="utf-8")
    text = (
        "import numpy as np, made, loss\n"
        "x = np.array([0.3, -1.2, 2.5])\n"
        "d = [(loss.f(x + 1e-6 * e) - loss.f(x - 1e-6 * e)) / 2e-6 for e in np.eye(3)]"
        "\nassert np.allclose(made.grad_f(x), d, rtol=1e-8, atol=1e-8)\n"
    )
    done = ran(project, "-c", text)
    assert done.returncode == 0, done.stderr


def test_the_api_reads_them_too(project):
    text = (
        "import numpy as np, gradgen, loss\n"
        "x = np.array([0.3, -1.2, 2.5])\n"
        "d = [(loss.f(x + 1e-6 * e) - loss.f(x - 1e-6 * e)) / 2e-6 for e in np.eye(3)]"
        "\nassert np.allclose(gradgen.grad(loss.f)(x), d, rtol=1e-8, atol=1e-8)\n"
    )
    done = ran(project, "-c", text)
    assert done.returncode == 0, done.stderr


def test_a_project_above_is_found(project):
    (project / "inner").mkdir()
    (project / "inner" / "loss.py").write_text(LOSS, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "gradgen", "emit", "loss.py:f"],
        cwd=project / "inner",
        env={"PYTHONPATH": f"{ROOT}:{project}", "PATH": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_they_are_listed(project):
    assert "\nmine.softplus " in ran(project, "-m", "gradgen", "ops").stdout
    shown = ran(project, "-m", "gradgen", "ops", "mine.softplus").stdout
    assert shown.startswith("# rules/mine.py, lines 9 to 11: mine.softplus\n")


REFUSED = {
    "shadowed": "mine is a module that the gradient calls, and a name",
    "refused": "total has no rule for the argument dtype=",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(project, name):
    done = emitted(project, name)
    assert done.returncode == 2 and REFUSED[name] in done.stderr


def test_a_function_without_a_rule_is_read(project):
    done = emitted(project, "without")
    assert done.returncode == 0 and "2 * d_out" in done.stdout


def test_without_a_forward_line_forward_mode_is_refused(project):
    done = emitted(project, "f", "--mode", "forward")
    assert done.returncode == 2 and "no forward rule for mine.total" in done.stderr


WRONG_RULES = {
    "rules/new.py:2: GG902 this is not Python": "def f(:\n",
    "rules/new.py:4: GG902 w is neither parameter": (
        "@elementwise\ndef f(z, x):\n    d[x] = d[z] * w\n"
    ),
    "rules/new.py:2: GG902 f has no kind": "def f(z, x):\n    d[x] = d[z]\n",
    "rules/new.py:2: GG902 only imports, rules and": "print(1)\n",
    "rules/new.py:2: GG902 unknown decorator smooth": (
        "@smooth\ndef f(z, x):\n    d[x] = d[z]\n"
    ),
    "rules/new.py:2: GG902 unknown decorator": (
        "@rules.linear('x')\ndef f(z, x):\n    d[x] = d[z]\n"
    ),
    "rules/new.py:3: GG902 f has no rule's form": (
        "@elementwise\ndef f(z, x):\n    d[x], d[y] = d[z]\n"
    ),
    "rules/new.py:2: GG902 a function's name stands in quotes": (
        "@like(other)\n@elementwise\ndef f(z, x):\n    d[x] = d[z]\n"
    ),
    "rules/new.py:3: GG902 y needs a default": (
        "@elementwise\ndef f(z, x, *, y):\n    d[x] = d[z]\n"
    ),
    "rules/new.py:4: GG902 only t of a parameter stands": (
        "@general\ndef f(z, x):\n    t[z] = t[x[0]]\n    d[x] = d[z]\n"
    ),
    "rules/new.py:5: GG902 rules for a module called helper": (
        'module = "helper"\n\n@elementwise\ndef f(z, x):\n    d[x] = d[z]\n'
    ),
    "rules/new.py:3: GG902 mine.softplus has two rules": (
        "@elementwise\ndef softplus(z, x):\n    d[x] = d[z]\n"
    ),
}


@pytest.mark.parametrize("message", WRONG_RULES)
def test_a_mistake_in_a_rule_names_file_and_line(project, message):
    text = 'module = "mine"\n' + WRONG_RULES[message]
    (project / "rules" / "new.py").write_text(text, encoding="utf-8")
    with open(project / "mine.py", "a", encoding="utf-8") as file:
        file.write("\n\ndef f(x):\n    return x\n")
    with open(project / "loss.py", "a", encoding="utf-8") as file:
        file.write("\n\ndef use(x):\n    return mine.f(x)\n")
    done = emitted(project, "use")
    assert done.returncode == 2, done.stdout
    assert message in done.stderr


WRONG_SETTINGS = {
    "[tool.gradgen] has no setting rule": '[tool.gradgen]\nrule = ["rules/"]\n',
    "rules is not a list of folders": '[tool.gradgen]\nrules = "rules/"\n',
    "there is no folder other/": '[tool.gradgen]\nrules = ["other/"]\n',
    "this is not TOML": "[tool.gradgen\n",
    "tool.gradgen is not a table": "[tool]\ngradgen = 3\n",
}


@pytest.mark.parametrize("message", WRONG_SETTINGS)
def test_a_mistake_in_the_settings(project, message):
    write(project, "pyproject.toml", WRONG_SETTINGS[message])
    done = emitted(project, "f")
    assert done.returncode == 2
    assert "pyproject.toml: GG020" in done.stderr and message in done.stderr
