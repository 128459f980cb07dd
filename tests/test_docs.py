"""The documents say what the code does."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np

from tests.site.hooks import hook

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", *(f"docs/{p.relative_to(ROOT / 'docs')}" for p in sorted(
    (ROOT / "docs").rglob("*.md"))))  # fmt: skip


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_page_of_functions_is_up_to_date():
    done = subprocess.run(
        [sys.executable, "-m", "gradgen", "ops", "--markdown"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == text("docs/ops.md")


def test_the_readme_shows_the_text_that_is_emitted():
    import gradgen
    from examples.losses import cosine_loss

    vector = np.ones(3)
    emitted = gradgen.emit(cosine_loss, wrt="X", example=(vector, vector))
    body = emitted[emitted.index("import numpy") :].strip()
    assert body in text("README.md")


def test_the_readme_has_its_two_commands():
    assert "python -m pip install -e . && gradgen emit examples/losses.py" in text(
        "README.md"
    )
    assert "python -m pip install -e '.[test]' && python -m pytest" in text("README.md")


def test_the_readme_is_short():
    assert text("README.md").count("\n") <= 130


def test_links_lead_somewhere():
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#]+)\)", text(page)):
            if "://" not in link:
                assert (ROOT / page).parent.joinpath(link).exists(), (page, link)


def test_the_design_names_the_files_there_are():
    listed = set(re.findall(r"\b(\w+\.py)\b", text("docs/design.md")))
    there = {path.name for path in (ROOT / "gradgen").rglob("*.py")}
    there |= {path.name for path in (ROOT / "tests").rglob("*.py")}
    there |= {path.name for path in (ROOT / "templates").glob("*.py")}
    there |= {path.name for path in (ROOT / "tools").glob("*.py")}
    there |= {path.name for path in (ROOT / "docs").glob("*.py")}
    assert listed <= there, listed - there


def test_the_gallery_shows_the_committed_texts():
    page = hook("gallery").on_page_markdown(text("docs/gallery.md"))
    for path in (ROOT / "generated").glob("*.py"):
        committed = path.read_text(encoding="utf-8")
        assert committed.rstrip("\n") + "\n```" in page, path.name
        assert page.count(f'title="generated/{path.name}"') == 1
        function = re.search(r"[:.](\w+) \(source", committed)[1]
        assert f"def {function}(" in page
    assert "<!-- text" not in page


def test_every_page_is_in_the_navigation():
    listed = re.findall(r": ([\w/]+\.md)$", text("mkdocs.yml"), re.M)
    pages = [
        p.relative_to(ROOT / "docs").as_posix() for p in (ROOT / "docs").rglob("*.md")
    ]
    assert sorted(listed) == sorted(pages)


def test_the_texts_shown_by_name_are_there():
    for page in (ROOT / "docs").rglob("*.md"):
        for name in re.findall(r'^--8<-- "([^":]+)', page.read_text(), re.M):
            assert (ROOT / name).exists(), (page.name, name)
