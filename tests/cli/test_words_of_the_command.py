"""What the command line takes, and how it answers, as somebody new would type it."""

import json
import os
import subprocess
import sys

import pytest

from tests.cli.command import ROOT, gradgen, gradgens, python
from tests.surroundings import surroundings

SOURCE = """import numpy as np

HALF = 0.5


def ratio(a, b):
    return np.sum(a / b)


def strength(θ, λ=2.0):
    return λ * np.sum(θ * θ)


def keyed(π):
    return np.sum(π["β"] ** 2)


def caught(x):
    with open("x") as file:
        x = x + 1
    return x


def _private(x):
    return x
"""
ONE = "import numpy as np\n\n\ndef alone(x):\n    return np.sum(x * x)\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("words")
    (folder / "pack").mkdir()
    (folder / "pack" / "__init__.py").write_text("")
    for file in ("losses.py", "pack/inner.py"):
        (folder / file).write_text(SOURCE)
    (folder / "values.py").write_text("HALF = 0.5\n")
    return folder


GUARDED = "d_a = np.where(b == 0, 0, d_out / "
BOUNDED = "1e-08"
FACTS = ["--shape", "a=n", "--shape", "b=n", "-q"]


def test_guard_is_a_flag_and_takes_a_number(folder):
    flag = [
        ["emit", "--guard", "losses.ratio", *FACTS],
        ["emit", "losses.ratio", *FACTS, "--guard"],
        ["emit", "losses.ratio", "--guard", *FACTS],
    ]
    number = [
        ["emit", "--guard=1e-8", "losses.ratio", *FACTS],
        ["emit", "--guard", "1e-8", "losses.ratio", *FACTS],
        ["emit", "losses.ratio", *FACTS, "--guard", "1e-8"],
    ]
    wrong = [["emit", "--guard=much", "losses.ratio", *FACTS]]
    told = [["explain", "--guard", "losses.ratio", *FACTS[:-1]]]
    done = gradgens(flag + number + wrong + told, folder)
    assert [one.code for one in done] == [0] * 6 + [2, 0]
    assert len({one.out for one in done[:3]}) == 1
    assert len({one.out for one in done[3:6]}) == 1
    assert "emit losses.ratio --guard --shape" in done[0].out
    assert "emit losses.ratio --guard=1e-8 --shape" in done[3].out
    assert "GG023" in done[6].err and "--guard=1e-8" in done[6].err
    assert "guarded" in done[7].out


def test_a_folder_is_made_and_a_file_in_it_is_named_after_the_function(folder):
    ratio = ["emit", "losses.ratio", *FACTS]
    done = gradgens(
        [
            [*ratio, "-o", "new/"],
            [*ratio, "-o", "new"],
            [*ratio, "-o", "far/below/text.py"],
            [*ratio, "--style", "callback", "-o", "new/"],
            [*ratio, "--output", "json", "-o", "new/"],
            [*ratio, "-o", "losses.py/text.py"],
        ],
        folder,
    )
    assert [one.code for one in done] == [0] * 5 + [2]
    assert (folder / "far/below/text.py").read_text() == (
        folder / "new/ratio.py"
    ).read_text()
    assert sorted(os.listdir(folder / "new")) == ["ratio.py", "ratio_callback.py"]
    assert json.loads(done[4].out)["file"] == "new/ratio.py"
    assert "GG018 the folder losses.py cannot be made" in done[5].err


def test_names_of_any_alphabet(folder):
    done = gradgens(
        [
            ["emit", "losses.strength", "-q", "--shape", "θ=n"],
            # one letter by itself and one with its accent apart are one name in Python
            ["emit", "losses.strength", "-q", "--shape", "θ=ν d", "--wrt", "θ,λ"],
            ["emit", "losses.keyed", "-q", "--shape", "π.β=n"],
        ],
        folder,
    )
    assert [(one.code, one.err) for one in done] == [(0, "")] * 3
    assert "Shapes: θ (n)" in done[0].out and "d_θ = " in done[0].out
    assert "Shapes: θ (ν, d)" in done[1].out and "return d_θ, d_λ" in done[1].out
    assert "β (n)" in done[2].out


def test_a_module_lists_its_functions(folder):
    names = ["ratio", "strength", "keyed", "caught"]
    for target, between in {
        "losses": ".",
        "losses.py": ":",
        "losses.": ".",
        "losses:": ":",
        "pack.inner": ".",
        "pack/inner.py": ":",
    }.items():
        (done,) = gradgens([["emit", target]], folder)
        path = target.rstrip(".:")
        wanted = ", ".join(f"{path}{between}{name}" for name in names)
        assert done.code == 2 and f"{path} is a module, not a function" in done.err
        assert f"  write instead: one of {wanted}\n" in done.err
    near, none, empty = gradgens(
        [["emit", "losses.rato"], ["emit", "nothing"], ["emit", "values"]], folder
    )
    # A question is no text that could be written instead.
    assert near.err == "GG102 losses has no function rato\n  did you mean ratio?\n"
    assert none.code == 2 and "'nothing' does not name a function" in none.err
    assert empty.code == 2 and "without functions of its own" in empty.err


def test_standard_input_with_one_function_needs_no_name(folder):
    done = gradgen("emit", "-", cwd=folder, stdin=ONE)
    assert done.code == 0 and "gradgen emit - --name alone" in done.out
    helped = ONE + "\n\ndef _part(x):\n    return x\n"
    placed = gradgen("emit", "-", "-o", "piped/", cwd=folder, stdin=helped)
    assert placed.code == 0 and (folder / "piped" / "alone.py").exists()
    several = gradgen("emit", "-", cwd=folder, stdin=SOURCE)
    assert several.code == 2
    assert "gradgen emit - --name ratio or gradgen emit - --name" in several.err


KEYWORDS = """
import gradgen, losses

for make, option in (
    ("emit", "shape"), ("grad", "shapse"), ("hvp", "exmaple"), ("vjp", "argnums"),
    ("value_and_grad", "aux"), ("jacobian", "guards"),
):
    try:
        getattr(gradgen, make)(losses.ratio, **{option: 1})
    except TypeError as error:
        print(error)
"""


def test_a_keyword_that_is_no_option_is_told_what_is_near(folder):
    done = python("-c", KEYWORDS, cwd=folder)
    hints = ["shapes", "shapes", "example", "wrt", "has_aux", "guard"]
    lines = done.out.splitlines()
    assert [line.rpartition(" ")[2] for line in lines] == [f"{one}?" for one in hints]
    assert lines[0] == "emit() has no option shape: did you mean shapes?"


INTERRUPTED = """
import os, signal, sys

class Interrupting:
    # as a person does, while the modules of the command are loaded
    def find_spec(self, name, path=None, target=None):
        if name == MODULE:
            os.kill(os.getpid(), signal.SIGINT)

# a job in the background would ignore it
signal.signal(signal.SIGINT, signal.default_int_handler)
MODULE = sys.argv.pop()
sys.meta_path.insert(0, Interrupting())
from gradgen.__main__ import main
main()
"""


@pytest.mark.parametrize("module", ("click", "gradgen.commands.check", "numpy"))
def test_an_interrupt_at_the_start_prints_nothing(folder, module):
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, "emit", "losses.ratio", module],
        cwd=folder,
        env=surroundings(PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
    )
    assert done.returncode in (-2, 130)
    assert (done.stdout, done.stderr) == ("", "")


def test_every_help_tells_the_exit_codes(folder):
    commands = ("emit", "build", "observe", "check", "explain", "ops")
    asked = [["--help"], *([name, "--help"] for name in commands)]
    for arguments, done in zip(asked, gradgens(asked, folder), strict=True):
        assert done.code == 0, arguments
        for code in ("0  all is well", "1  a file has", "2  a usage", "3  a fault"):
            assert f"\n    {code}" in done.out, arguments


def test_errors_and_the_account_are_coloured(folder):
    plain = gradgen("emit", "losses.caught", cwd=folder)
    assert "\x1b" not in plain.err and "GG113" in plain.err
    done = gradgen("emit", "losses.caught", cwd=folder, FORCE_COLOR="1")
    code, caret = "\x1b[31m\x1b[1mGG113\x1b[0m", "\x1b[32m\x1b[1m"
    assert code in done.err and caret in done.err and done.out == ""
    asked = gradgen("emit", "losses.nothing", "--color", "always", cwd=folder)
    assert "\x1b[31m\x1b[1mGG102\x1b[0m" in asked.err
    never = gradgen(
        "emit", "losses.caught", "--color", "never", cwd=folder, FORCE_COLOR="1"
    )
    assert never.err == plain.err
    usage = gradgen("emit", "--shap", cwd=folder, FORCE_COLOR="1")
    assert usage.code == 2 and "\x1b[31m\x1b[1mError:\x1b[0m" in usage.err
    told, bare = gradgens(
        [
            ["explain", "losses.ratio", *FACTS[:-1], "--color", "always"],
            ["explain", "losses.ratio", *FACTS[:-1]],
        ],
        folder,
    )
    assert "\x1b[1mread from losses.py:6\x1b[0m" in told.out
    assert "\x1b" not in bare.out and told.code == bare.code == 0
