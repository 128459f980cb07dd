"""The documents say what the code does."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = (
    "README.md",
    "docs/design.md",
    "docs/performance.md",
    "docs/guards.md",
    "docs/modes.md",
    "docs/errors.md",
)


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

    emitted = gradgen.emit(cosine_loss, wrt="X", shapes={"X": "n", "Y": "n"})
    body = emitted[emitted.index("import numpy") :].strip()
    assert body in text("README.md")


def test_the_readme_has_its_two_commands():
    assert "python -m pip install -e . && gradgen emit examples/losses.py" in text(
        "README.md"
    )
    assert "python -m pip install -e '.[test]' && python -m pytest" in text("README.md")


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
    assert listed <= there, listed - there
