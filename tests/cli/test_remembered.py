"""What `gradgen check` and `gradgen build` need not do again, and what they must."""

import json

import pytest

from gradgen.commands.slices import digest_of_slice, parts_of
from tests.cli.command import Session

SOURCE = """\"\"\"Losses: first, second and third.\"\"\"
import numpy as np

__all__ = ["first", "second", "third"]
SCALE = 2.0


def part(x):
    return np.sum(x * x)


def first(x):
    return SCALE * part(x)


def second(x, power=2):
    # the third is another
    return np.sum(np.sin(x))


def third(x):
    return np.sum(np.exp(x))


class Held:
    size = 3
"""
ENTRY = '[[tool.gradgen.emit]]\nfunction = "losses.{0}"\nout = "generated/{0}.py"\n'
NAMES = ("first", "second", "third")


@pytest.fixture(scope="module")
def session():
    running = Session()
    yield running
    running.end()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "losses.py").write_text(SOURCE)
    (tmp_path / "pyproject.toml").write_text("".join(map(ENTRY.format, NAMES)))
    return tmp_path


# an edit of the module -> the entries that are made again
EDITS = {
    "the body of a function": ("np.exp(x)", "np.exp(2 * x)", {"third"}),
    "a function that is called": ("x * x", "x * x * x", {"first"}),
    "a comment": ("# the third is", "# a third is", {"second"}),
    "a constant": ("SCALE = 2.0", "SCALE = 3.0", set(NAMES)),
    "a default": ("power=2", "power=SCALE", set(NAMES)),
    "a class": ("size = 3", "size = 4", set(NAMES)),
    "lines in between": (
        "    return np.sum(x * x)",
        "    y = x\n    return np.sum(y * x)",
        {"first"},
    ),
}


def test_an_edit_makes_again_what_depends_on_it(folder, session):
    assert session("build", cwd=folder).code == 0
    for what, (old, new, names) in EDITS.items():
        (folder / "losses.py").write_text(SOURCE.replace(old, new))
        done = session("build", "--output", "json", cwd=folder)
        files = json.loads(done.out)["files"]
        made = {one["function"].split(".")[1] for one in files if one["made"]}
        assert made == names, what
        (folder / "losses.py").write_text(SOURCE)
        session("build", "-q", cwd=folder)
    # Nothing has changed, and nothing is made; another entry is no change of these.
    more = ENTRY.format("part")
    (folder / "pyproject.toml").write_text("".join(map(ENTRY.format, NAMES)) + more)
    done = session("build", "--check", cwd=folder)
    assert (
        done.code == 1 and "4 entries: 1 would change, 3 unchanged (3 not" in done.err
    )


def test_a_broken_module_is_told_of_once(folder, session):
    (folder / "losses.py").write_text(SOURCE + "\ndef broken(:\n")
    done = session("build", cwd=folder)
    assert done.code == 2 and done.err.count("SyntaxError") == 1
    assert "generated/first.py, generated/second.py, generated/third.py: not" in (
        done.err
    )


@pytest.mark.parametrize(
    "way",
    (
        "globals()['fir' + 'st'](x)",
        "getattr(__import__('losses'), 'fi' + 'rst')(x)",
        "eval('fir' + 'st')(x)",
    ),
)
def test_where_names_are_looked_up_everything_counts(tmp_path, way):
    file = tmp_path / "losses.py"
    digests = []
    for body in ("x * x", "x + x"):
        text = SOURCE.replace("x * x", body).replace("np.exp(x)", way)
        file.write_text(text)
        parts_of.cache_clear()
        digests.append(digest_of_slice([str(file)], ["third"], False))
    assert digests[0] != digests[1]


def test_lines_count_where_a_text_names_them(tmp_path):
    file = tmp_path / "losses.py"
    found = {}
    for text in (SOURCE, SOURCE.replace("x * x)", "x * x)\n    # done")):
        file.write_text(text)
        parts_of.cache_clear()
        for numbered in (False, True):
            digest = digest_of_slice([str(file)], ["third"], numbered)
            found.setdefault(numbered, set()).add(digest)
    assert {key: len(value) for key, value in found.items()} == {False: 1, True: 2}


def test_verdicts_are_kept_until_something_changes(folder, session):
    assert session("build", "-q", cwd=folder).code == 0
    before = " (measured before)"

    def measured(*options: str) -> set[str]:
        done = session("check", *options, cwd=folder)
        assert done.code == 0, done.err
        lines = [line for line in done.err.splitlines() if "agrees" in line]
        assert len(lines) == 3
        fresh = {line.split(":")[0] for line in lines if not line.endswith(before)}
        return {file.removeprefix("generated/").removesuffix(".py") for file in fresh}

    every = set(NAMES)
    assert measured() == every
    assert measured() == set()
    assert measured("--fresh") == every
    assert measured("--seed", "1") == every
    assert measured() == every  # the last seed alone is remembered
    source = (folder / "losses.py").read_text()
    spaced = source.replace("np.exp(x)", "np.exp( x )").replace(
        "part(x)\n", "part( x )\n"
    )
    (folder / "losses.py").write_text(spaced)
    assert measured() == {"first", "third"}
    # What is wrong is told of each time, and measured again when it is mended.
    text = (folder / "generated" / "second.py").read_text()
    (folder / "generated" / "second.py").write_text(text.replace("np.cos", "np.sin"))
    for _ in range(2):
        wrong = session("check", cwd=folder)
        assert wrong.code == 1 and wrong.err.count(before) == 2, wrong.err
    (folder / "generated" / "second.py").write_text(text)
    measured()
    # A text whose source has changed is out of date: nothing is said of its numbers.
    (folder / "losses.py").write_text(source.replace("SCALE * part", "part"))
    old = session("check", "--output", "json", cwd=folder)
    data = json.loads(old.out)
    states = {one["file"]: one["state"] for one in data["files"]}
    assert (old.code, data["wrong"], data["old"]) == (1, 0, 1)
    assert states["generated/first.py"] == "out of date"
    assert states["generated/third.py"] == "right"
