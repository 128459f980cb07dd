"""The page of the Python functions, as the hook writes it for mkdocs."""

import ast
import inspect
import re

import pytest

import gradgen
from tests.site.hooks import hook, page

FUNCTIONS = [name for name in gradgen.__all__ if name != "GradgenError"]


@pytest.fixture(scope="module")
def written() -> str:
    return page("api")


def test_each_name_has_a_heading_and_an_anchor(written):
    told = re.findall(r"^## gradgen\.(\w+) \{ #gradgen\.(\w+) \}$", written, re.M)
    assert sorted(a for a, _ in told) == sorted(gradgen.__all__)
    assert all(a == b for a, b in told) and "<!--" not in written


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_signature_is_a_call_on_several_lines(name, written):
    block = written.split(f"## gradgen.{name} {{")[1].split("```")[1]
    text = block.removeprefix("python\n")
    header = ast.parse(f"def {text.removeprefix('gradgen.').rstrip()}: ...").body[0]
    own = inspect.signature(getattr(gradgen, name)).parameters
    args = [arg.arg for arg in (*header.args.args, *header.args.kwonlyargs)]
    assert args == list(own)
    assert text.count("\n") >= len(own) or len(own) == 1
    assert max(map(len, text.split("\n"))) <= 88
    defaults = dict(zip(reversed(args), reversed(header.args.kw_defaults)))
    for keyword, value in defaults.items():
        assert ast.literal_eval(value) == own[keyword].default


def test_the_table_has_each_option_once_with_who_takes_it(written):
    table = re.findall(r"^\| `(\w+)` \|.*\| (.*) \|$", written, re.M)
    emit = inspect.signature(gradgen.emit).parameters
    keywords = [k for k, p in emit.items() if p.kind is p.KEYWORD_ONLY]
    assert [keyword for keyword, _ in table] == keywords
    makers = [
        f
        for f in FUNCTIONS
        if "shapes" in inspect.signature(getattr(gradgen, f)).parameters
    ]
    for keyword, takers in table:
        told = re.findall(r"\[`(\w+)`\]\(#gradgen\.\1\)", takers)
        takes = [
            f
            for f in makers
            if keyword in inspect.signature(getattr(gradgen, f)).parameters
        ]
        assert takers == "all" and takes == makers or sorted(told) == takes, keyword


def test_what_is_short_for_another_type_is_written_out(written):
    assert "wrt: str | int | Sequence[Any] | None = None," in written
    assert not re.search(r": (Wrt|Function)\b|typing\.|collections\.", written)


def test_a_docstring_holds_code_between_backticks_alone():
    prose = hook("reference").prose
    assert prose("`g(*args)` of a * b") == "`g(*args)` of a \\* b"
