"""The hooks of the documentation, as mkdocs loads them; mkdocs is not needed for them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

DOCS = Path(__file__).resolve().parents[2] / "docs"


def hook(name: str) -> ModuleType:
    """The module docs/NAME.py, which may import others of that folder."""
    place = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(place)
    sys.path.insert(0, str(DOCS))
    try:
        place.loader.exec_module(module)
    finally:
        sys.path.remove(str(DOCS))
    return module


def page(name: str) -> str:
    """The Markdown of docs/NAME.md, with what all hooks put into it."""
    text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    for one in ("gallery", "reference", "front"):
        text = hook(one).on_page_markdown(text)
    return text
