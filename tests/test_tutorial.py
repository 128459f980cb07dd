"""The tutorial and the how-to pages do what they say, command for command."""

import re
from pathlib import Path

import pytest

from tests.pages import Run, run_page

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = [
    "tutorial.md",
    "tasks.md",
    "classes.md",
    *sorted(f"howto/{p.name}" for p in DOCS.glob("howto/*.md")),
]


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_the_page(page, tmp_path):
    count = 0
    for run in run_page(DOCS / page, tmp_path):
        count += 1
        assert run.exited == run.code, f"{run.command}\n{run.printed}"
        assert run.agrees(), (
            f"$ {run.command}\n{run.printed}\n--- the page has\n{run.expected}"
        )
    assert count, "a page with nothing to run"


def test_no_task_takes_more_than_four_commands():
    text = (DOCS / "tasks.md").read_text()
    told = dict(re.findall(r"\]\(#([\w-]+)\) \| (\d) \|", text))
    sections = re.split(r"^## ", text, flags=re.M)[1:]
    assert len(sections) == len(told) == 10
    for section in sections:
        title = section.partition("\n")[0].lower()
        anchor = re.sub(r"[^\w -]", "", title).replace(" ", "-")
        count = len(re.findall(r"^\$ ", section, flags=re.M))
        assert int(told[anchor]) == count <= 4, title


def test_a_page_that_is_wrong_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        '```text title="a.txt"\none\ntwo\nthree\n```\n\n'
        "```console\n$ cat a.txt\none\n...\nthree\n$ cat a.txt\ntwo\n```\n"
        "```console\n$ false\nexit code 1\n$ cat a.txt; exit 3\n...\n```\n"
    )
    runs = list(run_page(page, tmp_path))
    assert [run.agrees() for run in runs] == [True, False, True, False]
    assert not Run("x", "a.c\n", 0, "abc\n", 0).agrees()
