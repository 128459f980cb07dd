"""The imports go one way, gast stays at the border, and no file grows too long."""

import ast
import inspect
from pathlib import Path

import pytest

from gradgen.frontend import lower

PACKAGE = Path(__file__).resolve().parents[1] / "gradgen"
TEMPLATES = PACKAGE.parent / "templates"
FILES = sorted(PACKAGE.rglob("*.py"))

# Each room may import the rooms before it, and itself; the stages, all alike in
# rank, never import each other. A module at the top of gradgen is a room of its own.
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
    "request",
    "backport",
    "facts",
    "pipeline",
    "signature",
    "runtime",
    "observing",
    "api",
]
OUTSIDE = {"verify", "explain", "commands", "cli", "__init__", "__main__"}
OUTSIDE |= {"pytest_plugin", "notebook"}
TOP = 10
# Circles inside of a room, by one of their modules, and what they wait for.
CIRCLES = {
    "derive.adjoints": "a block's adjoints and those of what stands in it",
    "frontend.writer": "one object over many files: handlers by node",
    "shapes.infer": "words read the facts that they give: a table of words",
}
# Where gast nodes may be handled.
GAST = {"frontend", "printer"}
GAST_FILES = {
    "backport/texts.py",
    "rules/load.py",
    "rules/places.py",
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


def module_of(path: Path) -> str:
    """A file's dotted name below gradgen; a room's `__init__` is the room."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def graph() -> dict[str, set[str]]:
    """The modules that each module of gradgen imports, at its top or inside."""
    modules = {module_of(path) for path in FILES}
    found = {}
    for path in FILES:
        into = {name.removeprefix("gradgen.") for name in imported(path)}
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                names = {f"{node.module}.{alias.name}" for alias in node.names}
                into |= {name.removeprefix("gradgen.") for name in names}
        found[module_of(path)] = (into & modules) - {module_of(path)}
    return found


def circles(arrows: dict[str, set[str]]) -> list[set[str]]:
    """The groups of nodes that reach each other."""

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        waiting = [start]
        while waiting:
            new = arrows.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return found

    after = {node: reached(node) for node in arrows}
    groups = {
        frozenset(other for other in after[node] if node in after[other])
        for node in arrows
    }
    return [set(group) for group in groups if group]


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


def test_no_circle_goes_through_rooms():
    rooms: dict[str, set[str]] = {}
    for module, into in graph().items():
        name = module.partition(".")[0]
        targets = {target.partition(".")[0] for target in into}
        rooms.setdefault(name, set()).update(targets - {name, ""})
    assert not circles(rooms)


def test_circles_inside_of_rooms_are_those_listed():
    found = circles(graph())
    for group in found:
        assert len(group & set(CIRCLES)) == 1, f"a circle: {sorted(group)}"
    assert len(found) == len(CIRCLES), "a circle is gone: take it off the list"


def test_a_circle_is_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == [{"b", "c"}]
    assert not circles({"a": {"b", "c"}, "b": {"c"}, "c": set()})


def test_few_modules_stand_at_the_top():
    assert len(list(PACKAGE.glob("*.py"))) <= TOP
    assert len([path for path in PACKAGE.iterdir() if path.is_dir()]) <= 30


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


def own_methods(classes):
    """The private methods of classes: what has one name in two has one of them hidden."""
    found: dict[str, list[type]] = {}
    for one in classes:
        for name, value in vars(one).items():
            if name.startswith("_") and not name.startswith("__") and callable(value):
                found.setdefault(name, []).append(one)
    return found


def test_no_private_method_hides_another():
    """Where the front end's files are one object, each name is one method of it.

    A method that stands again has to hand on what it does not handle.
    """
    for name, owners in own_methods(lower._Lowering.__mro__).items():
        for owner in owners[:-1]:
            text = inspect.getsource(vars(owner)[name])
            assert f"super().{name}(" in text, f"{owner.__name__}.{name} hides another"


def test_a_hidden_method_is_found():
    class Above:
        def _one(self): ...

    class Below(Above):
        def _one(self): ...

    assert own_methods(Below.__mro__)["_one"] == [Below, Above]
