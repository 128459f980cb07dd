"""`gradgen build`: what is written, what is made again, and what is left alone."""

import json
import os
import re
import shlex

import pytest

from tests.cli.command import Session, gradgen, python, refused

LOSSES = """import os

import numpy as np

import acts

SCALE = float(open("scale.txt").read())


def loss(X, Y, scale=2.0):
    error = X - Y
    return scale * np.sum(error * error)


def rows(X, w):
    return SCALE * np.sum(acts.act(X @ w))
"""
HELPER = """import numpy as np


def act(x):
    return np.tanh(x)
"""
PROJECT = """[project]
name = "mine"

[tool.gradgen]
rules = ["rules/"]

[[tool.gradgen.emit]]
function = "losses.loss"
wrt = ["X", "scale"]
shape = {X = "n d", Y = "n d", scale = ""}
value = true
out = "generated/loss.py"

[[tool.gradgen.emit]]
function = "losses.py:rows"
wrt = "w"
shape.X = "n d"
shape.w = "d"
out = "generated/deep/rows.py"
"""
OUTS = ("generated/loss.py", "generated/deep/rows.py")


@pytest.fixture(scope="module")
def run():
    session = Session()
    yield session
    session.end()


@pytest.fixture
def folder(tmp_path):
    files = {
        "losses.py": LOSSES,
        "acts.py": HELPER,
        "scale.txt": "3.0",
        "pyproject.toml": PROJECT,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "rules").mkdir()
    return tmp_path


def edit(path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def everything(folder) -> dict[str, bytes]:
    """All files of a project but what a build remembers."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".gradgen_cache" not in path.parts
    }


def test_what_is_built_is_what_emit_prints_and_check_finds_right(folder, run):
    done = gradgen("build", cwd=folder)
    assert (done.code, done.out) == (0, "")
    assert done.err.splitlines() == [f"{out}: written" for out in OUTS] + [
        "2 entries: 2 written"
    ]
    for out in OUTS:
        text = (folder / out).read_text()
        line = re.search(r"# Regenerate: gradgen (.*(?:\n#     .*)*)", text)[1]
        program = line.replace("\n#", "")
        printed = gradgen(*shlex.split(program), "-q", cwd=folder)
        assert (printed.code, printed.out) == (0, text)
    checked = gradgen("check", cwd=folder / "rules")  # finds pyproject.toml above
    assert checked.code == 0 and checked.err.endswith("2 checked, 0 wrong\n")
    stamps = [(folder / out).stat().st_mtime_ns for out in OUTS]
    again = gradgen("build", cwd=folder / "generated")
    assert again.err == "2 entries: 2 unchanged (2 not made again)\n"
    assert [(folder / out).stat().st_mtime_ns for out in OUTS] == stamps
    assert (folder / ".gradgen_cache" / ".gitignore").read_text() == "*\n"
    quiet = run("build", "--force", "--quiet", "--jobs", "1", cwd=folder)
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")


CHANGES = {
    "a function that is called": ("acts.py", "np.tanh(x)", "np.sin(x)", "np.cos("),
    "a file that a module reads": ("scale.txt", "3.0", "5.0", "5 * d_out"),
    "the function itself": ("losses.py", "SCALE *", "7 * SCALE *", "7 *"),
    "an option": ("pyproject.toml", 'wrt = "w"', 'wrt = "X"', "d_X"),
    "the guard of all": (
        "pyproject.toml",
        "rules =",
        "guard = true\nrules =",
        "--guard",
    ),
}


def test_whatever_a_text_depends_on_is_noticed(folder, run):
    assert run("build", "-q", cwd=folder).code == 0
    rows = folder / OUTS[1]
    for what, (file, old, new, word) in CHANGES.items():
        assert word not in rows.read_text(), what
        edit(folder / file, old, new)
        built, fresh = (run("build", cwd=folder) for _ in range(2))
        assert built.code == 0 and f"{OUTS[1]}: written" in built.err, what
        assert word in rows.read_text(), what
        assert fresh.err == "2 entries: 2 unchanged (2 not made again)\n", what
    # A rule for a function that is called, and then another rule.
    rule = (
        'from gradgen.rules import d, elementwise\n\nmodule = "acts"\n\n\n'
        "@elementwise\ndef act(z, x):\n    d[x] = d[z] * (1 - z**2)\n"
    )
    (folder / "rules" / "mine.py").write_text(rule)
    assert "written" in run("build", cwd=folder).err
    assert "acts.act(X @ w)" in rows.read_text()
    edit(folder / "rules" / "mine.py", "1 - z**2", "2 - z**2")
    assert "written" in run("build", cwd=folder).err
    assert "(2 - " in rows.read_text()


def test_the_environment_and_modules_that_were_missing_are_noticed(folder, run):
    edit(
        folder / "losses.py",
        'SCALE = float(open("scale.txt").read())',
        'SCALE = float(os.environ.get("SCALE", "3"))\n'
        "try:\n    from better import SCALE\nexcept ImportError:\n    pass",
    )
    rows = folder / OUTS[1]
    assert gradgen("build", "-q", cwd=folder).code == 0
    assert "not made again" in gradgen("build", cwd=folder).err
    done = gradgen("build", cwd=folder, SCALE="11")
    assert f"{OUTS[1]}: written" in done.err and "d_w = 11 * " in rows.read_text()
    (folder / "better.py").write_text("SCALE = 13.0\n")
    done = gradgen("build", cwd=folder, SCALE="11")
    assert f"{OUTS[1]}: written" in done.err and "d_w = 13 * " in rows.read_text()


def test_what_cannot_be_looked_at_again_is_made_again(folder, run):
    edit(
        folder / "losses.py",
        'SCALE = float(open("scale.txt").read())',
        'import glob\nSCALE = float(len(glob.glob("*.txt")))',
    )
    assert run("build", "-q", cwd=folder).code == 0
    (folder / "more.txt").write_text("")
    done = run("build", cwd=folder)
    assert (
        f"{OUTS[1]}: written" in done.err
        and "2 * d_out" in (folder / OUTS[1]).read_text()
    )


def test_all_that_is_refused_is_told_and_the_rest_is_written(folder, run):
    (folder / "bad.py").write_text(
        "def tried(x):\n    try:\n        x = x + 1\n"
        "    except* ValueError:\n        pass\n    return x\n"
    )
    entry = '[[tool.gradgen.emit]]\nfunction = "{}"\nout = "generated/{}.py"\n'
    with open(folder / "pyproject.toml", "a") as file:
        for name, function in (
            ("tried", "bad.tried"),
            ("other", "bad.trieds"),
            ("gone", "nowhere.f"),
            ("wrt", 'losses.loss"\nwrt = "Z'),
        ):
            file.write(entry.format(function, name))
    done = run("build", "-j", "2", cwd=folder)
    assert (done.code, done.out) == (2, "") and "Traceback" not in done.err
    for word in (
        "generated/loss.py: written",
        "generated/tried.py: not written\nbad.py:2:5: GG113 a try block",
        "generated/other.py: not written\nGG102 bad has no function trieds",
        "generated/gone.py: not written\nGG104 importing nowhere failed",
        "generated/wrt.py: not written\nGG002 loss has no argument Z",
        "6 entries: 2 written, 4 refused",
    ):
        assert word in done.err, word
    assert sorted(os.listdir(folder / "generated")) == ["deep", "loss.py"]
    told = json.loads(run("build", "--output", "json", cwd=folder).out)
    states = [(one["file"], one["state"], one["made"]) for one in told["files"]]
    assert states[0] == ("generated/loss.py", "unchanged", False)
    assert states[2] == ("generated/tried.py", "refused", True)
    error = told["files"][2]["errors"][0]
    assert (error["code"], error["file"], error["line"]) == ("GG113", "bad.py", 2)
    done = run("build", "--output", "github", "-q", cwd=folder)
    assert done.code == 2 and done.err == ""
    first = done.out.splitlines()[0]
    assert first.startswith("::error file=bad.py,line=2,col=5,title=GG113::a try block")
    assert "%0Awrite instead: " in first


MISTAKES = """[tool.gradgen]
[[tool.gradgen.emit]]
function = "losses.loss"
out = "generated/loss.py"
shapes = {X = "n d"}
styel = "joint"
zzz = 1

[[tool.gradgen.emit]]
function = "losses.rows"
value = "yes"
wrt = 1.5
mode = "revers"
guard = "small"
shape = "n d"
example = 3
out = "/generated/rows.py"

[[tool.gradgen.emit]]
out = "../rows.py"
shape = {X = 3, w = "n"}

[[tool.gradgen.emit]]
function = "-"
out = "generated/rows"
"""
FOUND = {
    5: ("an entry has no option shapes", "did you mean shape?"),
    6: ("an entry has no option styel", "did you mean style?"),
    7: ("an entry has no option zzz", ""),
    11: ('value is "yes"', "value = true, or false"),
    12: ("wrt is 1.5", 'wrt = "x", or ["x", "y"]'),
    13: ('mode is "revers"', "did you mean reverse?"),
    14: ('guard is "small"', "true, false, or 1e-8"),
    15: ('shape is "n d"', 'shape = {X = "n d", Y = "n"}'),
    16: ("example is 3", "a text"),
    17: ("/generated/rows.py is outside the project", "below"),
    19: ("an entry has no function", "function = "),
    20: ("../rows.py is outside the project", "below"),
    21: ("the shape of X is 3", 'X = "n d"'),
    24: ("standard input is no function", "losses.loss"),
    25: ("generated/rows is no Python file", 'out = "generated/rows.py"'),
}


def test_all_mistakes_of_a_pyproject_are_told_with_their_lines(folder, run):
    (folder / "pyproject.toml").write_text(MISTAKES)
    before = everything(folder)
    done = run("build", cwd=folder)
    assert refused(done)
    told = re.findall(r"^pyproject\.toml:(\d+): GG032 (.*)(?:\n  (?:write instead: )?(.*))?", done.err, re.M)  # fmt: skip
    assert [int(line) for line, _, _ in told] == list(FOUND)
    for line, message, advice in told:
        words = FOUND[int(line)]
        assert words[0] in message and words[1] in advice, (line, message, advice)
    assert everything(folder) == before


OTHERS = {
    'emit = "x"\n': "tool.gradgen.emit is no list of tables",
    "[tool.gradgen.emit]\nfunction = 'losses.loss'\n": "no list of tables",
    "guard = true\n": "there is nothing to build",
    "emits = []\n": "[tool.gradgen] has no setting emits\n  did you mean emit?",
    "emit = [\n": "pyproject.toml: GG020 this is not TOML",
}


def test_a_pyproject_without_entries(folder, run):
    for text, words in OTHERS.items():
        (folder / "pyproject.toml").write_text("[tool.gradgen]\n" + text)
        done = run("build", cwd=folder)
        assert refused(done, words), (text, done)
    (folder / "pyproject.toml").unlink()
    assert refused(run("build", cwd=folder), "there is no pyproject.toml")


def test_two_entries_that_write_one_file(folder, run):
    (folder / "link").symlink_to(folder / "generated")
    (folder / "generated").mkdir()
    edit(folder / "pyproject.toml", "generated/deep/rows.py", "link/../link/loss.py")
    before = everything(folder)
    done = run("build", cwd=folder)
    assert refused(done, "pyproject.toml:14: GG031 losses.py:rows writes link/loss.py")
    assert "the entry of line 7 for losses.loss" in done.err
    assert everything(folder) == before


def test_a_persons_work_is_kept(folder, run):
    assert run("build", "-q", cwd=folder).code == 0
    loss, rows = (folder / out for out in OUTS)
    edit(loss, "return ", "return  ")  # another layout
    rows.write_text(rows.read_text().replace("return d_", "return 2 * d_"))
    before = everything(folder)
    done = run("build", cwd=folder)
    assert refused(done, "GG017 generated/deep/rows.py was edited by hand; --force")
    assert "-    return 2 * d_w" in done.err and "1 unchanged, 1 refused" in done.err
    assert everything(folder) == before
    rows.write_text("print('mine')\n")
    done = run("build", cwd=folder)
    assert refused(done, "GG016 generated/deep/rows.py was not written by gradgen")
    assert rows.read_text() == "print('mine')\n"
    assert run("build", "--force", "-q", cwd=folder).code == 0
    assert "def grad_rows" in rows.read_text()
    edit(folder / "pyproject.toml", '"generated/loss.py"', '"acts.py"')
    edit(folder / "pyproject.toml", "losses.loss", "acts.act")
    edit(folder / "pyproject.toml", 'wrt = ["X", "scale"]', "")
    edit(folder / "pyproject.toml", 'shape = {X = "n d", Y = "n d", scale = ""}', "")
    done = run("build", "--force", cwd=folder)
    assert refused(done, "GG033 acts.py is the file of the function itself")
    assert (folder / "acts.py").read_text() == HELPER


def test_only_files_of_gradgens_own_are_pruned(folder, run):
    assert run("build", "-q", cwd=folder).code == 0
    text = (folder / OUTS[0]).read_text()
    generated = folder / "generated"
    (generated / "old.py").write_text(text)
    (generated / "mine.py").write_text("x = 1\n")
    (generated / "data.txt").write_text(text)
    (generated / "edited.py").write_text(text.replace("return ", "return 2 * "))
    done = run("build", cwd=folder)
    assert done.code == 0
    assert "generated/old.py: no entry writes it; --prune removes it" in done.err
    asked = run("build", "--check", "--prune", cwd=folder)
    assert asked.code == 1 and "generated/old.py" in asked.err
    assert (generated / "old.py").exists()
    pruned = run("build", "--prune", cwd=folder)
    assert pruned.code == 2 and "generated/old.py: removed" in pruned.err
    assert "GG017 generated/edited.py was edited by hand" in pruned.err
    assert not (generated / "old.py").exists() and (generated / "edited.py").exists()
    assert run("build", "--prune", "--force", "-q", cwd=folder).code == 0
    left = sorted(os.listdir(generated))
    assert left == ["data.txt", "deep", "loss.py", "mine.py"]


def test_what_another_entry_is_made_of_is_not_pruned(folder, run):
    assert run("build", "-q", cwd=folder).code == 0
    edit(folder / "pyproject.toml", 'function = "losses.loss"', 'function = "losses.l"')
    text = (folder / "pyproject.toml").read_text()
    entry = text[text.index("[[tool") : text.index("[[tool", text.index("[[tool") + 1)]
    other = (
        '[[tool.gradgen.emit]]\nfunction = "generated/loss.py:value_and_grad_loss"\n'
        'out = "generated/second.py"\nshape = {X = "n d", Y = "n d"}\n\n'
    )
    (folder / "pyproject.toml").write_text(text.replace(entry, other))
    for options in ((), ("--prune",), ("--prune", "--force")):  # noted, then made
        done = run("build", *options, cwd=folder)
        assert done.code == 0 and "removed" not in done.err, done.err
        assert (folder / OUTS[0]).exists()


def test_check_and_diff_write_nothing(folder, run):
    before = everything(folder)
    asked = run("build", "--check", cwd=folder)
    assert (asked.code, asked.out) == (1, "")
    assert "generated/loss.py: drift: there is no such file yet" in asked.err
    assert everything(folder) == before and not (folder / ".gradgen_cache").exists()
    assert run("build", "-q", cwd=folder).code == 0
    edit(folder / "acts.py", "np.tanh(x)", "np.tanh(2 * x)")
    before = everything(folder)
    asked = run("build", "--check", cwd=folder)
    shown = run("build", "--diff", "-q", cwd=folder)
    both = run("build", "--check", "--diff", "--output", "json", cwd=folder)
    right = run("build", "--check", "--force", cwd=folder)
    assert asked.code == 1 and "rows.py: drift: gradgen writes it differ" in asked.err
    assert "1 would change, 1 unchanged" in asked.err
    assert shown.code == 0
    assert shown.out.startswith(f"--- {OUTS[1]}\n+++ {OUTS[1]}\n@@ ")
    assert "\n+" in shown.out and "np.tanh(2 * " in shown.out
    told = json.loads(both.out)["files"]
    assert both.code == 1 and [one["state"] for one in told] == ["unchanged", "drift"]
    assert told[1]["diff"] == shown.out
    assert refused(right, "--force overwrites")
    assert everything(folder) == before
    edit(folder / OUTS[0], "return ", "return 2 * ")
    asked = run("build", "--check", "--output", "github", cwd=folder)
    assert asked.code == 1
    assert (
        "::error file=generated/loss.py,title=drift::generated/loss.py was" in asked.out
    )
    assert f"::error file={OUTS[1]},title=drift::gradgen writes" in asked.out


def test_entries_whose_modules_have_the_same_names(tmp_path, run):
    entry = '[[tool.gradgen.emit]]\nfunction = "{0}/loss.py:f"\nout = "out/{0}.py"\n'
    names = {"one": "np.sin", "two": "np.exp", "three": "np.tanh"}
    for name, call in names.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "near.py").write_text(
            f"import numpy as np\n\n\ndef act(x):\n    return {call}(x)\n"
        )
        (tmp_path / name / "loss.py").write_text(
            "from near import act\n\n\ndef f(x):\n    return act(x)\n"
        )
    text = "[tool.gradgen]\n" + "".join(map(entry.format, names))
    (tmp_path / "pyproject.toml").write_text(text)
    done = run("build", cwd=tmp_path)
    assert done.code == 0, done.err
    found = {name: (tmp_path / "out" / f"{name}.py").read_text() for name in names}
    assert "np.cos(x)" in found["one"] and "np.exp(x)" in found["two"]
    assert "np.tanh(x)" in found["three"]


def test_an_entry_may_differentiate_what_another_one_writes(tmp_path, run):
    (tmp_path / "loss.py").write_text(
        "import numpy as np\n\n\ndef f(x):\n    return np.sum(np.sin(x))\n"
    )
    (tmp_path / "pyproject.toml").write_text(
        '[[tool.gradgen.emit]]\nfunction = "out/f1.py:grad_f"\nwrt = "x"\n'
        'shape = {x = "n", d_out = ""}\nout = "out/f2.py"\n'
        '[[tool.gradgen.emit]]\nfunction = "loss.py:f"\nshape = {x = "n"}\n'
        'out = "out/f1.py"\n'
    )
    done = run("build", cwd=tmp_path)
    assert (done.code, done.err.splitlines()[-1]) == (0, "2 entries: 2 written")
    assert "-d_out * d_d_x * np.sin(x)" in (tmp_path / "out/f2.py").read_text()
    edit(tmp_path / "loss.py", "np.sin(x)", "np.exp(x)")
    done = run("build", cwd=tmp_path)
    assert done.code == 0 and "np.exp(x)" in (tmp_path / "out/f2.py").read_text()
    assert run("build", "--check", cwd=tmp_path).code == 0
    assert "2 not made again" in run("build", cwd=tmp_path).err


def test_modules_that_print_or_end_the_process(folder, run):
    text = 'print("hello from a module")\n' + LOSSES
    (folder / "losses.py").write_text(text)
    (folder / "ends.py").write_text("import os\n\nos._exit(5)\n")
    with open(folder / "pyproject.toml", "a") as file:
        file.write('[[tool.gradgen.emit]]\nfunction = "ends.f"\nout = "ends_f.py"\n')
    done = gradgen("build", "--output", "json", cwd=folder)
    assert done.code == 2
    states = [one["state"] for one in json.loads(done.out)["files"]]
    assert states == ["written", "written", "refused"]
    assert "hello from a module" in done.err
    assert "its process ended with 5" in run("build", cwd=folder).err
    (folder / "ends.py").write_text("raise KeyboardInterrupt\n")
    done = run("build", cwd=folder)
    assert done.code == 2
    assert "GG035 its process ended with KeyboardInterrupt while" in done.err
    kill = "os.kill(os.getppid(), signal.SIGKILL)\n"
    text = f"import os, signal, time\n\nimport numpy as np\n\n{kill}time.sleep(0.2)\n"
    text += "def f(x):\n    return np.sum(x)\n"
    (folder / "ends.py").write_text(text)
    done = gradgen("build", cwd=folder)
    assert done.code == 2 and not (folder / "ends_f.py").exists()
    assert "its process ended the process that had started it while" in done.err
    printed = gradgen("emit", "losses.loss", cwd=folder)
    assert "hello" not in printed.out and "hello from a module" in printed.err


def test_a_fault_of_gradgen_in_one_entry_is_told_and_ends_with_3(folder, run):
    program = (
        "from gradgen import cli\n"
        "from gradgen.commands import building\n"
        "from gradgen.commands.making import Making, made\n"
        "def each(function, tasks, jobs, preload):\n"
        "    yield 0, Making(fault='KeyError: 7')\n"
        "    yield 1, made(tasks[1])\n"
        "building.each = each\n"
        "cli.main(['build'])\n"
    )
    done = python("-c", program, cwd=folder)
    assert (done.code, done.out) == (3, "")
    assert "internal error" in done.err and "KeyError: 7" in done.err
    assert f"{OUTS[1]}: written" in done.err and not (folder / OUTS[0]).exists()


def test_the_projects_own_cache_may_be_nonsense(folder, run):
    assert run("build", "-q", cwd=folder).code == 0
    cache = folder / ".gradgen_cache" / "build.json"
    for text in ("", "[]", '{"generated/loss.py": {"made": 1}}', "\x00"):
        cache.write_text(text)
        done = run("build", cwd=folder)
        assert (done.code, done.err) == (0, "2 entries: 2 unchanged\n"), text


def test_entries_for_other_libraries(folder, run):
    edit(folder / "pyproject.toml", "value = true", 'target = "cupy"')
    edit(folder / "pyproject.toml", 'wrt = "w"', 'wrt = "w"\nmodule = "cupynumeric"')
    assert run("build", "-j1", cwd=folder).code == 0
    first, second = [(folder / out).read_text() for out in OUTS]
    assert "import cupy as cp\n" in first and "--target cupy" in first
    assert "import cupynumeric as np\n" in second and "--module cupynumeric" in second
    checked = run("check", "-j1", cwd=folder)
    assert checked.code == 0, checked.err
    assert checked.err.count("measured as numpy's text") == 2
    edit(folder / "pyproject.toml", '"cupy"', '"cuppy"')
    wrong = run("build", cwd=folder)
    assert wrong.code == 2
    assert 'GG032 target is "cuppy"' in wrong.err and "did you mean cupy?" in wrong.err
