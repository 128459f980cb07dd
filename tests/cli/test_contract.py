"""The command line as it is promised: each row, by the installed command.

A row that has tests of its own elsewhere is still run once here, in a repository of a
stranger's: a package below src/, generated files, a pyproject.toml.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import ROOT, Outcome, gradgens, refused
from tests.surroundings import surroundings

COMMAND = Path(sys.executable).with_name("gradgen")
SOURCE = '''"""Losses."""
import numpy as np


def loss(X, w, y):
    """A squared distance."""
    error = X @ w - y  # what is left
    return np.sum(error * error)


def ratio(a, b):
    return np.sum(a / b)


def tried(x):
    try:
        x = x + 1
    except* ValueError:
        pass
    return x


def grad_loss_by_hand(X, w, y):
    return X.T @ (X @ w - y)
'''
PROJECT = """[project]
name = "mine"

[[tool.gradgen.emit]]
function = "mine.losses.loss"
wrt = "w"
shape = {X = "n d", w = "d", y = "n"}
value = true
out = "generated/loss.py"
"""
FACTS = ("--shape", "X=n d", "--shape", "w=d", "--shape", "y=n")


@pytest.fixture
def repository(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "__init__.py").write_text("")
    (tmp_path / "mine" / "losses.py").write_text(SOURCE)
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


def settings(**more: str) -> dict[str, str]:
    path = f"{COMMAND.parent}{os.pathsep}{os.environ['PATH']}"
    own = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "PATH": path}
    return surroundings(**own | more)


def run(*arguments: str, cwd, stdin: str = "", **environment: str) -> Outcome:
    """Runs the command that the installation put beside Python."""
    done = subprocess.run(
        [COMMAND, *arguments],
        cwd=cwd,
        env=settings(**environment),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def on_terminal(*arguments: str, cwd, **environment: str) -> tuple[int, str]:
    """Runs the command with a terminal for both of its streams."""
    import pty

    ours, theirs = pty.openpty()
    more = {"TERM": "xterm-256color", "COLUMNS": "120"} | environment
    process = subprocess.Popen(
        [COMMAND, *arguments],
        cwd=cwd,
        env=settings(**more),
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # what Linux says at the end
            break
        if not part:
            break
        said += part
    os.close(ours)
    return process.wait(60), said.decode()


def bare(text: str) -> str:
    """A terminal's text without its colours and movements."""
    return re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", text).replace("\r", "")


def test_emit_by_three_names_and_from_standard_input(repository):
    dotted = run("emit", "mine.losses.loss", "--wrt", "w", *FACTS, cwd=repository)
    assert (dotted.code, dotted.err) == (0, "")
    assert "def grad_loss(X, w, y, d_out=1.0):" in dotted.out
    assert "import gradgen" not in dotted.out
    body = dotted.out.split("\n\n", 1)[1]
    targets = ("mine.losses:loss", "mine/losses.py:loss")
    commands = [["emit", target, "--wrt", "w", *FACTS] for target in targets]
    for done in gradgens(commands, repository):
        assert done.code == 0 and done.out.split("\n\n", 1)[1] == body
    options = ("--name", "loss", "--wrt", "w", *FACTS)
    done = run("emit", "-", *options, cwd=repository, stdin=SOURCE)
    assert done.code == 0 and done.out.split("\n\n", 1)[1] == body


OPTIONS = {
    "--wrt X,w": "return d_X, d_w",
    "--style callback --wrt w": "def backprop(d_out=1.0):",
    "--value --wrt w": "def value_and_grad_loss",
    "--mode forward --wrt w": "def jvp_loss",
    "--mode hvp --wrt w": "def hvp_loss",
    "--mode jacobian --wrt w": "def jacobian_loss",
    "--mode hessian --wrt w": "def hessian_loss",
    "--stop error --wrt w": "Held constant: error",
    '--example "(np.ones((5,3)),np.ones(3),np.ones(5))"': "X (n, m), w (m), y (n)",
    "--wrt a --guard": "np.where(b == 0, np.inf, b)",
    "--guard 1e-8": "--guard=1e-8",
}


def test_the_options_of_emit(repository):
    commands = []
    for options in OPTIONS:
        facts = () if "--example" in options else FACTS
        name = "ratio" if "--guard" in options else "loss"
        facts = () if name == "ratio" else facts
        command = ["emit", f"mine.losses.{name}", *shlex.split(options), *facts]
        commands.append([*command, "-q"])
    found = gradgens(commands, repository)
    for (options, word), done in zip(OPTIONS.items(), found, strict=True):
        assert done.code == 0 and word in done.out, (options, done)
    other = run("emit", "mine.losses.loss", "--target", "cupy", cwd=repository)
    assert other.code == 0 and "import cupy as cp" in other.out
    unknown = run("emit", "mine.losses.loss", "--target", "cuppy", cwd=repository)
    assert refused(unknown, "--target")


def test_build_check_and_prune(repository):
    asked = run("build", "--check", cwd=repository)
    assert asked.code == 1 and not (repository / "generated").exists()
    built = run("build", cwd=repository)
    assert built.code == 0 and "generated/loss.py: written" in built.err
    assert run("build", "--check", "-q", cwd=repository).code == 0
    old = repository / "generated" / "old.py"
    old.write_text((repository / "generated" / "loss.py").read_text())
    pruned = run("build", "--prune", cwd=repository)
    assert pruned.code == 0 and not old.exists()
    listed = subprocess.run(
        ["git", "status", "--short", "-uall"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "generated/loss.py" in listed and "cache" not in listed


def test_check_finds_drift_and_wrong_gradients_but_no_layout(repository):
    assert run("build", "-q", cwd=repository).code == 0
    right = run("check", "generated", cwd=repository)
    assert right.code == 0 and "1 checked, 0 wrong" in right.err
    path = repository / "generated" / "loss.py"
    text = path.read_text()
    path.write_text(
        text.replace("    error = X @ w", "    error = X@w").replace("\n\n\n", "\n\n")
    )
    assert run("check", "-q", cwd=repository).code == 0
    path.write_text(text.replace("2 * d_out", "3 * d_out"))
    assert "3 * d_out" in path.read_text()
    wrong = run("check", "--output", "json", cwd=repository)
    assert wrong.code == 1
    (file,) = json.loads(wrong.out)["files"]
    assert file["state"] == "wrong" and file["file"] == "generated/loss.py"
    assert any(
        "drift: it was edited by hand" in fault["message"] for fault in file["faults"]
    )
    assert any("wrong gradient: d_w" in fault["message"] for fault in file["faults"])
    told = run("check", "--output", "github", "-q", cwd=repository)
    assert told.code == 1 and told.err == ""
    lines = told.out.splitlines()
    assert len(lines) == 2
    assert all(
        line.startswith("::error file=generated/loss.py,title=gradgen check::")
        for line in lines
    )
    path.unlink()
    gone = run("check", cwd=repository)
    assert gone.code == 1 and "generated/loss.py: there is no such file" in gone.err
    hand = "mine.losses.grad_loss_by_hand"
    command = ("check", "mine.losses.loss", "--against", hand, "--wrt", "w", *FACTS)
    against = run(*command, cwd=repository)
    assert against.code == 1 and "d_w" in against.err and "--seed" in against.err


def test_explain_and_ops(repository):
    done = run("explain", "mine.losses.ratio", cwd=repository)
    assert done.code == 0 and "b" in done.out
    code = run("explain", "GG113", cwd=repository)
    assert code.code == 0 and "GG113" in code.out
    table = run("ops", cwd=repository)
    assert table.code == 0 and "arctan2" in table.out
    one = run("ops", "abs", cwd=repository)
    assert "# modes: reverse, forward, second order" in one.out
    assert "# convention: 0 at 0" in one.out


def test_mistakes_are_told_at_once_and_never_as_a_traceback(repository):
    done = run("emit", "mine/losses.py:tried", cwd=repository)
    assert refused(done, "mine/losses.py:16:5: GG113 a try block is not supported")
    assert "        try:\n        ^\n  write instead: " in done.err
    told = run("emit", "mine.losses.tried", "--output", "json", cwd=repository)
    assert told.code == 2 and told.err == ""
    first = json.loads(told.out)["errors"][0]
    assert (first["code"], first["line"], first["column"]) == ("GG113", 16, 5)
    assert first["file"] == "mine/losses.py" and first["advice"]
    told = run("emit", "mine.losses.tried", "--output", "github", cwd=repository)
    assert told.code == 2 and told.out.startswith(
        "::error file=mine/losses.py,line=16,col=5,title=GG113::a try block"
    )


KINDS = """import functools

import numpy as np


class Model:
    pass


exp = np.exp
length = len
part = functools.partial(np.sum, axis=0)
"""


def test_names_of_what_is_no_function(repository):
    (repository / "kinds.py").write_text(KINDS)
    (repository / "raises.py").write_text("import below\n")
    (repository / "below.py").write_text("def f():\n    return 1 / 0\n\n\nf()\n")
    names = {
        "kinds.Model": "GG105 kinds.Model is a class",
        "kinds.length": "GG501 the result of len is an integer",
        "nowhere.f": "GG104 importing nowhere failed: ModuleNotFoundError",
    }
    found = gradgens([["emit", name] for name in names], repository)
    for (name, kind), done in zip(names.items(), found, strict=True):
        assert refused(done, kind), (name, done)
    done = run("emit", "raises.f", cwd=repository)
    assert refused(done)
    assert done.err.splitlines()[:6] == [
        "below.py:2: GG104 importing raises failed: ZeroDivisionError: division by zero",
        '  File "raises.py", line 1, in <module>',
        "    import below",
        '  File "below.py", line 5, in <module>',
        "    f()",
        '  File "below.py", line 2, in f',
    ]


def test_the_difference_to_a_file_and_json(repository):
    options = ("emit", "mine.losses.loss", "--wrt", "w", "-q", *FACTS)
    new = run(*options, "--diff", "-o", "g.py", cwd=repository)
    assert new.code == 0 and not (repository / "g.py").exists()
    assert new.out.startswith("--- /dev/null\n+++ g.py\n@@ -0,0 +1,")
    told = run(*options, "-o", "g.py", "--output", "json", cwd=repository)
    data = json.loads(told.out)
    assert (told.code, data["function"], data["changed"]) == (0, "grad_loss", True)
    assert (repository / "g.py").read_text() == data["text"]
    same = run(*options, "--diff", "-o", "g.py", cwd=repository)
    assert (same.code, same.out) == (0, "")
    value = run(*options, "--value", "--diff", "-o", "g.py", cwd=repository)
    assert "-def grad_loss(X, w, y" in value.out
    assert "+def value_and_grad_loss(X, w, y" in value.out
    assert (repository / "g.py").read_text() == data["text"]
    assert refused(run(*options, "--diff", cwd=repository), "-o FILE")
    # Nothing of a person's is replaced, and never the source of the function.
    done = run(*options, "--force", "-o", "mine/losses.py", cwd=repository)
    assert refused(done, "GG033 mine/losses.py is the file of the function itself")
    assert (repository / "mine" / "losses.py").read_text() == SOURCE


def test_versions_and_help(repository):
    done = run("--version", cwd=repository)
    names = [line.split()[0] for line in done.out.splitlines()]
    assert names == ["gradgen", "numpy", "gast", "astor", "click", "rich", "Python"]
    shown = run("--help", cwd=repository)
    for command in ("emit", "build", "check", "explain", "ops"):
        assert re.search(rf"^  {command} ", shown.out, re.M), command
    assert 'eval "$(_GRADGEN_COMPLETE=bash_source gradgen)"' in shown.out


def test_colours_are_asked_for_in_three_ways(repository):
    options = ("emit", "mine.losses.loss", "-q", *FACTS)
    plain = run(*options, cwd=repository)
    for more, environment, coloured in (
        (("--color", "always"), {"NO_COLOR": "1"}, True),
        (("--color", "never"), {"FORCE_COLOR": "1"}, False),
        ((), {"FORCE_COLOR": "1"}, True),
        ((), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ):
        done = run(*options, *more, cwd=repository, **environment)
        assert ("\x1b[" in done.out) == coloured, (more, environment)
        assert bare(done.out) == plain.out


def test_a_terminal_gets_colours_tables_and_a_bar(repository):
    code, text = on_terminal("emit", "mine.losses.loss", "-q", *FACTS, cwd=repository)
    assert code == 0 and "\x1b[" in text and "def grad_loss" in bare(text)
    more = PROJECT.replace("generated/loss", "generated/other")
    with open(repository / "pyproject.toml", "a") as file:
        file.write(more[more.index("[[") :])
    code, text = on_terminal("build", cwd=repository)
    assert code == 0 and "building" in bare(text) and "2 written" in bare(text)
    code, text = on_terminal("check", cwd=repository)
    shown = bare(text)
    assert code == 0 and "checking" in shown and "2 checked, 0 wrong" in shown
    assert re.search(r"^generated/loss.py +right +agrees", shown, re.M)
    code, text = on_terminal("ops", cwd=repository, NO_COLOR="1")
    assert code == 0 and "function" in text and "\x1b[3" not in text


BASH = """
COMP_WORDS=(gradgen {words})
COMP_CWORD={position}
COMPREPLY=()
_gradgen_completion gradgen
echo "${{COMPREPLY[*]}}"
"""
COMPLETED = {
    ("build --pr", 2): "--prune",
    ("emit --mode h", 3): "hvp hessian",
    ("emit mine.losses.l", 2): "mine.losses.loss",
    ("emit mine/losses.py", 2): "mine/losses.py:loss mine/losses.py:ratio",
}


def test_the_shell_completes_commands_options_and_functions(repository):
    script = 'eval "$(_GRADGEN_COMPLETE=bash_source gradgen)"\n'
    script += "".join(BASH.format(words=w, position=n) for w, n in COMPLETED)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=repository,
        env=settings(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    for (typed, expected), line in zip(COMPLETED.items(), lines, strict=True):
        assert line.startswith(expected), (typed, line)
