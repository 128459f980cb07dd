"""`gradgen check`: drift, wrong numbers, what counts as neither, and --write."""

import re

import pytest

from tests.cli.command import ROOT, gradgen, gradgens, refused

SOURCE = """import numpy as np


def loss(X, Y, scale=2.0):
    # the distance
    error = X - Y
    return scale * np.sum(error * error)


def weighted(x):
    weights = np.exp(x)
    return np.sum(weights * x)
"""
LOSS = "losses.py:loss --wrt X,scale --value --shape X=n,d --shape Y=n,d --shape scale="
BACK = "losses.py:loss --style callback --shape X=n,d --shape Y=n,d --shape scale="
HELD = "losses.py:weighted --wrt x --stop weights --shape x=n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "losses.py").write_text(SOURCE)
    (tmp_path / "generated").mkdir()
    commands = [
        ["emit", *command.split(), "-o", f"generated/{name}.py"]
        for name, command in (("loss", LOSS), ("loss_callback", BACK), ("held", HELD))
    ]
    assert [done.code for done in gradgens(commands, tmp_path)] == [0, 0, 0]
    return tmp_path


def edit(path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_what_gradgen_wrote_is_right(folder):
    done = gradgen("check", cwd=folder)
    assert (done.code, done.out) == (0, "")
    assert done.err.endswith("3 checked, 0 wrong\n")
    assert "d_scale" in done.err
    quiet = gradgen("check", "generated", "--quiet", "--seed", "7", cwd=folder)
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")


def test_formatting_is_no_drift(folder):
    edit(folder / "losses.py", "error = X - Y", "error = (X  -  Y)")
    edit(
        folder / "losses.py",
        "scale * np.sum(error * error)",
        "scale*np.sum(error*error)",
    )
    held = folder / "generated" / "held.py"
    edit(held, "    return", "\n    return")
    edit(held, "weights = np.exp(x)", "weights = np.exp(\n        x,\n    )")
    done = gradgen("check", "-q", cwd=folder)
    assert (done.code, done.err) == (0, "")


def test_a_changed_source_is_drift(folder):
    edit(folder / "losses.py", "error * error", "error**4")
    done = gradgen("check", "generated/loss.py", cwd=folder)
    assert (done.code, done.out) == (1, "")
    assert "generated/loss.py: drift: losses.py:loss has changed since" in done.err
    assert "+    # Grad of: return scale * np.sum(error**4)" in done.err
    # What it was the gradient of is gone: nothing is said of its numbers.
    assert "wrong gradient" not in done.err
    assert done.err.endswith("1 checked, 0 wrong, 1 out of date\n")
    written = gradgen("check", "--write", cwd=folder)
    assert written.code == 0 and "generated/loss.py: written anew" in written.err
    assert "error**4" in (folder / "generated" / "loss.py").read_text()
    assert gradgen("check", "-q", cwd=folder).err == ""


def test_writing_refreshes_what_is_no_drift(folder):
    path = folder / "generated" / "loss.py"
    before = path.read_text()
    path.write_text(re.sub(r"\(source \w+,", "(source 000000000000,", before))
    assert gradgen("check", "-q", cwd=folder).code == 0
    assert gradgen("check", "-q", "--write", cwd=folder).code == 0
    assert path.read_text() == before


def test_a_moved_comment_is_drift(folder):
    path = folder / "generated" / "loss.py"
    edit(
        path,
        "    # the distance\n    error = X - Y\n",
        "    error = X - Y\n    # the distance\n",
    )
    done = gradgen("check", "generated/loss.py", cwd=folder)
    assert done.code == 1 and "drift: it was edited by hand" in done.err


def test_a_wrong_gradient_is_told_with_all_that_is_needed(folder):
    path = folder / "generated" / "loss.py"
    edit(path, "d_X = 2 * ", "d_X = 3 * ")
    done = gradgen("check", "generated/loss.py", "--seed", "11", cwd=folder)
    assert done.code == 1 and done.out == ""
    found = re.search(
        r"generated/loss\.py: wrong gradient: d_X\[(\d), (\d)\] is (\S+), "
        r"and differences give (\S+)\n    at n=3, d=4, float64, seed 11\n",
        done.err,
    )
    assert found, done.err
    assert float(found[3]) == pytest.approx(1.5 * float(found[4]))
    assert "gradgen check generated/loss.py --seed 11" in done.err
    again = gradgen("check", "generated/loss.py", "--seed", "11", cwd=folder)
    assert again.err == done.err


def test_an_edited_file_is_not_rewritten(folder):
    path = folder / "generated" / "loss.py"
    edit(path, "d_X = 2 * ", "d_X = 3 * ")
    before = path.read_text()
    done = gradgen("check", "--write", cwd=folder)
    assert done.code == 1 and "edited by hand" in done.err and "--force" in done.err
    assert path.read_text() == before


def test_a_text_that_fails_or_is_no_python(folder):
    edit(folder / "generated" / "loss.py", "error = X - Y", "error = X - Z")
    edit(folder / "generated" / "held.py", "return d_", "return return d_")
    done = gradgen("check", cwd=folder)
    assert done.code == 1
    assert "wrong gradient: it fails with NameError" in done.err
    assert "drift: it is no longer Python" in done.err
    assert "held.py: it cannot be run: SyntaxError" in done.err
    assert "Traceback" not in done.err


def test_a_source_that_is_gone(folder):
    edit(folder / "losses.py", "def loss(", "def lost(")
    done = gradgen("check", cwd=folder)
    assert done.code == 1 and done.err.endswith("3 checked, 2 wrong\n")
    assert "it cannot be made again\nGG102" in done.err and "mean lost?" in done.err


def test_the_source_is_found_from_elsewhere(folder):
    assert gradgen("check", "-q", ".", cwd=folder / "generated").code == 0
    elsewhere = gradgen("check", "-q", str(folder / "generated"), cwd=ROOT / "tests")
    assert (elsewhere.code, elsewhere.err) == (0, "")


def test_what_is_no_text_lies_beside_the_others(folder):
    generated = folder / "generated"
    (generated / "latin.py").write_bytes(b"# \xe9\n")
    (generated / "folder.py").mkdir()
    (generated / "gone.py").symlink_to("nowhere.py")
    done = gradgen("check", "-j1", cwd=folder)
    assert done.code == 0 and done.err.endswith("3 checked, 0 wrong\n"), done.err
    text = (generated / "loss.py").read_text()
    (generated / "loss.py").write_bytes(text.encode() + b"# \xe9\n")
    paths = ["generated/loss.py", "generated/latin.py"]
    drifted, no_text = gradgens([["check", path] for path in paths], folder)
    assert drifted.code == 1 and "loss.py: drift: it was edited by hand" in drifted.err
    assert refused(no_text, "GG016 generated/latin.py was not written by gradgen")


def test_nothing_to_check_is_refused(folder):
    (folder / "empty").mkdir()
    (folder / "empty" / "mine.py").write_text("x = 1\n")
    assert refused(gradgen("check", "empty", cwd=folder), "no emitted files in empty")
    assert refused(gradgen("check", "losses.py", cwd=folder), "not written by gradgen")
    assert refused(gradgen("check", "nothing", cwd=folder), "nothing")
    assert refused(gradgen("check", cwd=folder / "empty"), "there is no generated")
