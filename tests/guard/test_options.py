"""--guard, guard = true, and what is said of places without a guard."""

import ast
import textwrap
from inspect import signature

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.guard.selecting import guard, hazards
from gradgen.ir.nodes import Supply
from gradgen.pipeline.observer import Watch
from gradgen.pipeline.run import run
from gradgen.runtime.compile import emitted_for
from tests.cli.command import gradgen as command, gradgens
from tests.guard import primals
from tests.guard.functions import FUNCTIONS
from tests.rules.checker import WHOLE

MINE = """
import numpy as np


def ratio(x, y):
    part = x / y
    return part


def safe(x):
    return np.log(1 + x * x)
"""
NOTE = "note: mine.py:6: y is not guarded (x / 0 -> 0): --guard\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    return tmp_path


FACTS = ("--shape", "x=n", "--shape", "y=n", "--wrt", "y")


def test_hazards_are_told_on_stderr(folder):
    told = command("emit", "mine.py:ratio", *FACTS, cwd=folder)
    assert told.code == 0 and told.err == NOTE and "# guard" not in told.out
    assert command("emit", "mine.py:ratio", *FACTS, "-q", cwd=folder).err == ""
    assert command("emit", "mine.py:safe", "--shape", "x=n", cwd=folder).err == ""


def test_the_command_guards_and_its_header_says_so(folder):
    done = command("emit", "mine.py:ratio", *FACTS, "--guard", cwd=folder)
    assert done.code == 0 and done.err == ""
    assert "    Guarded: x / 0 -> 0 for y\n" in done.out
    assert "= np.where(y == 0, np.inf, y)  # guard: x / 0 -> 0\n" in done.out
    assert "# Regenerate: gradgen emit mine.py:ratio --wrt y --guard" in done.out
    sized = command("emit", "mine.py:ratio", *FACTS, "--guard", "1e-8", cwd=folder)
    assert "--guard=1e-8" in sized.out and "# guard: |y| >= 1e-8\n" in sized.out


def test_a_setting_guards(folder):
    (folder / "pyproject.toml").write_text("[tool.gradgen]\nguard = true\n")
    done = command("emit", "mine.py:ratio", *FACTS, cwd=folder)
    assert "# guard: x / 0 -> 0" in done.out and "--guard" in done.out


def test_a_committed_gradient_stays_guarded(folder):
    made = command("emit", "mine.py:ratio", *FACTS, "--guard", "-o", "g.py", cwd=folder)
    assert made.code == 0
    assert command("check", "g.py", cwd=folder).code == 0


@pytest.mark.parametrize("before", ["true", "false", "1e-8"])
@pytest.mark.parametrize("after", ["true", "false", "1e-8"])
def test_a_setting_that_changes_is_no_drift(folder, before, after):
    setting = folder / "pyproject.toml"
    setting.write_text(f"[tool.gradgen]\nguard = {before}\n")
    made = command("emit", "mine.py:ratio", *FACTS, "-q", "-o", "g.py", cwd=folder)
    assert made.code == 0
    text = (folder / "g.py").read_text()
    assert ("# guard" in text) == (before != "false")
    setting.write_text(f"[tool.gradgen]\nguard = {after}\n")
    done = command("check", "g.py", cwd=folder)
    assert done.code == 0, done.err
    rewritten = command("check", "g.py", "--write", cwd=folder)
    assert rewritten.code == 0 and (folder / "g.py").read_text() == text


def test_a_guard_that_was_turned_off_is_no_drift(folder):
    (folder / "pyproject.toml").write_text("[tool.gradgen]\nguard = true\n")
    plain = ("emit", "mine.py:ratio", *FACTS, "--guard=no", "-q", "-o", "g.py")
    assert command(*plain, cwd=folder).code == 0
    assert "guard" not in (folder / "g.py").read_text()
    assert command("check", "g.py", cwd=folder).code == 0


@pytest.mark.parametrize("bound", ["x", "0", "inf"])
def test_no_size_of_a_denominator(folder, bound):
    done = command("emit", "mine.py:ratio", f"--guard={bound}", cwd=folder)
    assert done.code == 2 and "GG023" in done.err


def test_no_size_in_python():
    with pytest.raises(GradgenError, match="GG023"):
        gradgen.emit(primals.root, guard=-1.0)


def test_each_guard_is_explained(folder):
    done = command("explain", "mine.py:ratio", *FACTS, "--guard", cwd=folder)
    assert done.out.partition("why it is there\n")[2] == textwrap.dedent("""\
        mine.py:6: y: guarded, x / 0 -> 0
            part = x / y
            nothing keeps it from being 0
        """)
    none = command("explain", "mine.py:safe", cwd=folder)
    nothing = "nothing to guard: no denominator of the gradient may be 0\n"
    assert none.out.endswith(nothing)


class Guarded(Watch):
    """Keeps what the guard pass made, with the facts of that moment."""

    def __init__(self):
        self.made = []

    def step(self, run, function, facts):
        if run is guard:
            self.made.append((function, facts.copy()))


def again(function, wrt=None, shapes=None, mode="reverse", size=True):
    """Whether the guard pass changed the gradient; whether a second run does."""
    options = {"shapes": shapes, "mode": mode, "guard": size}
    source, request, _ = emitted_for(function, wrt, options)
    watch = Guarded()
    emitted = run(request, source, watch)
    ((made, facts),) = watch.made
    epsilon = None if size is True else size
    second = guard(made, facts, Supply(1 << 28), epsilon)
    return bool(emitted.hazards), second != made or bool(hazards(made, facts, epsilon))


@pytest.mark.parametrize("name", ["cosine_loss", "power", "std", "rows_in_turn"])
def test_a_second_run_finds_nothing(name):
    assert again(getattr(primals, name)) == (True, False)


@WHOLE
@pytest.mark.parametrize(
    "mode, size, turn",
    [
        ("reverse", True, 0),
        ("reverse", 1e-8, 1),
        ("forward", True, 1),
        ("forward", 1e-8, 0),
    ],
)
def test_a_second_run_finds_nothing_in_the_table(mode, size, turn, whole):
    for function in FUNCTIONS if whole else FUNCTIONS[turn::2]:
        names = signature(function).parameters
        shapes = {name: "n 2" if name.isupper() else "n" for name in names}
        assert not again(function, tuple(names), shapes, mode, size)[1], function


def statements(text: str) -> int:
    """How many statements the gradient has."""
    body = text[text.index("def grad_") :]
    return sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(body)))


@pytest.mark.parametrize(
    "name, wrt, facts, guards",
    [
        ("cosine_loss", "X", {"X": "n", "Y": "n"}, 2),
        ("angle", ("X", "Y"), {"X": "n", "Y": "n"}, 1),
        ("norm_rows", "X", {"X": "n d"}, 1),
        ("root", "X", {"X": "n"}, 1),
        ("sigmoid", "X", {"X": "n"}, 0),  # its slope is z * (1 - z)
        ("std", "X", {"X": "n"}, 1),
        ("pairwise", "X", {"X": "n d"}, 1),
    ],
)
def test_one_statement_for_each_guard(name, wrt, facts, guards):
    function = getattr(primals, name)
    plain = gradgen.emit(function, wrt, shapes=facts, guard=False)
    guarded = gradgen.emit(function, wrt, shapes=facts, guard=True)
    assert guarded.count("  # guard: ") == guards
    assert statements(guarded) <= statements(plain) + guards


def test_forward_mode_and_callbacks_are_guarded():
    ones = np.ones(3)
    with np.errstate(all="ignore"):
        j = gradgen.jvp(primals.root, guard=True)
        assert not j(np.zeros(3), ones)[1].any()
        _, pullback = gradgen.vjp(primals.norm_rows, guard=True)(np.zeros((1, 3)))
        assert not pullback(np.ones((1, 1))).any()


NOTED = {
    "length": ("np.sqrt(np.sum(x * x))", "np.sqrt(np.sum(x * x)) is not guarded (x / 0 -> 0): --guard"),
    "scaled": ("np.sum(x / np.std(x))", "np.std(x) is not guarded (x / 0 -> 0): --guard"),
    "entry": ("x[0] / np.sqrt(x[1] * x[2])", "np.sqrt(x[1] * x[2]) is not guarded (x / 0 -> 0): --guard"),
    "angle": ("np.sum(np.arccos(x))", "np.sqrt((1 - x) * (1 + x)) is not guarded (x / 0 -> 0): --guard"),
    "summed": ("np.log(np.sum(np.exp(x)))", "np.exp(x) is not guarded (0 * inf -> 0): --stable, or --guard"),
}  # fmt: skip


def test_notes_are_in_the_words_of_the_function_and_tell_what_helps(tmp_path):
    text = "import numpy as np\n"
    for name, (line, _) in NOTED.items():
        text += f"\n\ndef {name}(x):\n    return {line}\n"
    (tmp_path / "noted.py").write_text(text)
    asked = [["emit", f"noted.{name}", "--shape", "x=n"] for name in NOTED]
    for (name, (_, words)), one in zip(NOTED.items(), gradgens(asked, tmp_path)):
        assert one.code == 0 and one.err.endswith(f": {words}\n"), (name, one.err)
    guarded = gradgens([[*one, "--guard"] for one in asked], tmp_path)
    assert [(one.code, one.err) for one in guarded] == [(0, "")] * len(NOTED)
    assert all("Guarded: " in one.out for one in guarded)
    stable = gradgens([[*asked[-1], "--stable", "-q"]], tmp_path)[0]
    names = {}
    exec(stable.out, names)
    x = np.array([800.0, 1.0, -5.0])
    np.testing.assert_allclose(names["grad_summed"](x), [1.0, 0.0, 0.0], atol=1e-12)
