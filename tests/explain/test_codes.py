"""One table of error codes: complete, true in its examples, and the page made of it."""

import re
from pathlib import Path

import pytest

import gradgen
from gradgen import GradgenError
from gradgen.explain.codes import SECTIONS, code_text, codes, codes_page
from tests.cli.command import gradgen as command

ROOT = Path(__file__).resolve().parents[2]


def used() -> set[str]:
    """The codes that stand in the sources, the rule files among them."""
    files = [*(ROOT / "gradgen").rglob("*.py"), *(ROOT / "templates").glob("*.py")]
    texts = [path.read_text(encoding="utf-8") for path in files]
    return {code for text in texts for code in re.findall(r'"(GG\d{3})"', text)}


def test_every_code_that_is_used_is_told_of():
    assert used() == set(codes()), "gradgen/explain/codes.toml has each code once"


def test_each_entry_says_what_why_and_what_to_do():
    for code in codes().values():
        assert code.name[2] in SECTIONS
        for part in (code.what, code.why, code.instead):
            assert part and part[-1] in ".)?" and not part.startswith(" "), code.name
        assert bool(code.refused) == bool(code.taken), code.name
    assert list(codes()) == sorted(codes())


@pytest.mark.parametrize("name", [c.name for c in codes().values() if c.refused])
def test_the_example_is_refused_and_the_rewrite_is_taken(name, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(codes()[name].refused.lstrip())
    with pytest.raises(GradgenError) as caught:
        gradgen.emit(f"{file}:f")
    assert name in {problem.code for problem in caught.value.problems}
    file.write_text(codes()[name].taken.lstrip())
    assert gradgen.emit(f"{file}:f")


def test_a_code_is_explained(tmp_path):
    done = command("explain", "gg111", cwd=tmp_path)
    assert done.code == 0 and done.out.startswith("GG111 The function returns nothing")
    assert "def f(x):" in done.out


def test_the_page_of_codes_is_up_to_date():
    """`gradgen explain --codes > docs/errors.md` writes it."""
    page = (ROOT / "docs/errors.md").read_text(encoding="utf-8")
    assert page == codes_page()
    for name in codes():
        # its title is a sentence, and errors.md#gg113 leads to it
        title = re.search(rf"^### {name}: (.*) {{ #{name.lower()} }}$", page, re.M)
        assert title and len(title[1].split()) > 2, name
        assert code_text(name).startswith(name)
