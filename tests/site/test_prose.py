"""No word of a page is taken for markup: what looks so is code, or escaped."""

import re

import pytest

from gradgen.quoting import markdown
from tests.site.hooks import DOCS, page

PAGES = sorted(
    path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")
)
# a reference link of brackets, emphasis around a name, powers that are emphasis
MARKUP = re.compile(
    r"(?<!\\)\]\[|(?<![\\\w])__\w+__|(?<![\\\w`*])\*{1,2}(ar\w+|kwargs)\b|\w\*\*?\w"
)


def prose(text: str) -> str:
    """A page without its blocks of code, without code in lines, without HTML."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    text = re.sub(r"(`+).+?\1", "code", text, flags=re.S)
    return re.sub(r"<[^>]+>", "", text)


@pytest.mark.parametrize("name", PAGES)
def test_names_are_no_markup(name):
    """mkdocs build --strict fails for a reference to nothing: x[i][j] in a sentence."""
    found = MARKUP.search(prose(page(name)))
    assert found is None, f"{name}.md: {found[0]}"


def test_what_is_markup_is_found():
    wrongs = (
        "set x[i][j] there",
        "has an __iter__",
        "takes *args",
        "x**2 + y**2",
        "2*a*b",
    )
    for wrong in wrongs:
        assert MARKUP.search(prose(wrong)), wrong
        assert not MARKUP.search(prose(f"`{wrong}`"))
        assert not MARKUP.search(prose(markdown(wrong)))
