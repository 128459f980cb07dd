"""The imports go one way, gast stays at the border, and no file grows too long."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "gradgen"
TEMPLATES = PACKAGE.parent / "templates"
FILES = sorted(PACKAGE.rglob("*.py"))

# Each room may import the rooms before it, and itself; the stages, all alike in
# rank, never import each other.
STAGES = {"frontend", "derive", "simplify", "guard", "target", "printer"}
ORDER = [
    "quoting",
    "lines",
    "shellwords",
    "errors",
    "ir",
    "rules",
    "shapes",
    "stages",
    "parts",
    "instances",
    "attempts",
    "request",
    "usage",
    "arguments",
    "alike",
    "handed",
    "paths",
    "recent",
    "environment",
    "seeds",
    "facts",
    "paths",
    "settings",
    "oldest",
    "told",
    "linked",
    "watch",
    "hazards",
    "passes",
    "jacobians",
    "derived",
    "inner",
    "chosen",
    "seeded",
    "axes",
    "matrices",
    "numbers",
    "assumed",
    "conventions",
    "pipeline",
    "compiled",
    "arithmetic",
    "shown",
    "gradient",
    "elsewhere",
    "maps",
    "signature",
    "observing",
    "runtime",
    "asking",
    "api",
]
OUTSIDE = {"verify", "explain", "commands", "cli", "__init__", "__main__"}
OUTSIDE |= {"pytest_plugin", "notebook"}
# Where gast nodes may be handled.
GAST = {"frontend", "printer"}
GAST_FILES = {
    "oldest/texts.py",
    "rules/load.py",
    "rules/reading.py",
    "rules/expression.py",
}


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """The modules of gradgen that a file imports, at its top or inside."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return found


def rank(name: str) -> int:
    return ORDER.index("stages" if name in STAGES else name)


def allowed(importer: str, target: str) -> bool:
    if importer == target or importer in OUTSIDE - {"verify", "explain"}:
        return True
    if importer in ("verify", "explain"):
        return target not in {"commands", "cli"}
    if target in OUTSIDE:
        return False
    if importer in STAGES and target in STAGES:
        return False
    return rank(target) < rank(importer)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_downwards(path):
    for module in imported(path):
        parts = module.split(".")
        if parts[0] == "gradgen" and len(parts) > 1:
            assert allowed(room(path), parts[1]), f"{path.name} imports {module}"


def test_an_upward_and_a_sideways_import_are_refused():
    assert not allowed("ir", "shapes")
    assert not allowed("simplify", "derive")
    assert not allowed("pipeline", "cli")
    assert not allowed("api", "verify")
    assert allowed("derive", "rules")


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_gast_stays_at_the_border(path):
    inside = str(path.relative_to(PACKAGE)).replace("\\", "/")
    if room(path) in GAST | OUTSIDE or inside in GAST_FILES:
        return
    assert not {"gast", "astor"} & imported(path)


@pytest.mark.parametrize(
    "path",
    FILES + sorted(TEMPLATES.glob("*.py")),
    ids=lambda p: str(p.relative_to(PACKAGE.parent)),
)
def test_no_file_is_too_long(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_lines_are_split_in_one_place(path):
    """str.splitlines ends lines where Python does not; dedent cuts into strings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert "splitlines" not in named, "gradgen.lines.lines_of"
    if room(path) in ("frontend", "verify"):
        assert "textwrap" not in imported(path), "gradgen.lines.dedented"
