"""The imports go one way, gast stays at the border, and no file grows too long."""

import ast
from functools import cache
import inspect
from pathlib import Path

import pytest

from gradgen.frontend import lower
from gradgen.frontend.lowering import lowering, operations

PACKAGE = Path(__file__).resolve().parents[1] / "gradgen"
TEMPLATES = PACKAGE.parent / "templates"
FILES = sorted(PACKAGE.rglob("*.py"))

# Each room may import the rooms before it, and itself; the stages, all alike in
# rank, never import each other. A module at the top of gradgen is a room of its own.
STAGES = {"frontend", "derive", "simplify", "guard", "target", "printer"}
ORDER = [
    "frozen",
    "quoting",
    "lines",
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
    "shapes.infer": "words read the facts that they give: a table of words",
}
# The rooms of the front end, each of which may import those before it, and itself; of
# the last, which has the handlers, no file imports another.
FRONT = ["source", "lowering", "heap", "control", "calls", "language"]
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


@cache
def imports(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """The imports of a file, at its top or inside: statements, which no expression holds."""
    found, waiting = [], [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            inside = getattr(node, block, ())
            waiting += inside if isinstance(inside, list) else ()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.append(node)
    return tuple(found)


def imported(path: Path) -> set[str]:
    """The modules of gradgen that a file imports, at its top or inside."""
    found = set()
    for node in imports(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return found


def module_of(path: Path) -> str:
    """A file's dotted name below gradgen; a room's `__init__` is the room."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def graph() -> dict[str, set[str]]:
    """The modules that each module of gradgen imports, at its top or inside."""
    modules = {module_of(path) for path in FILES}
    found = {}
    for path in FILES:
        into = {name.removeprefix("gradgen.") for name in imported(path)}
        for node in imports(path):
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


FRONT_FILES = sorted((PACKAGE / "frontend").rglob("*.py"))


def fronts_refused(path: Path, into: set[str]) -> set[str]:
    """What a file of the front end imports of it, and may not."""
    own = path.relative_to(PACKAGE / "frontend").parts[0]
    if own not in FRONT:
        return set()  # lower.py, which puts the handlers together
    before = FRONT[: FRONT.index(own) + (own != "language")]
    names = {name for name in into if name.startswith("gradgen.frontend.")}
    return {name for name in names if name.split(".")[2] not in before}


@pytest.mark.parametrize("path", FRONT_FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_rooms_of_the_front_end_go_one_way_and_no_handler_imports_another(path):
    assert not fronts_refused(path, imported(path))


def test_a_handler_that_imports_another_is_refused():
    front = PACKAGE / "frontend"
    other = {"gradgen.frontend.language.loops"}
    assert fronts_refused(front / "language" / "stores.py", other) == other
    assert fronts_refused(front / "heap" / "lists.py", other) == other
    lists = {"gradgen.frontend.heap.lists"}
    assert not fronts_refused(front / "language" / "stores.py", lists)
    assert not fronts_refused(front / "heap" / "stores.py", lists)
    assert not fronts_refused(front / "lower.py", other)


def test_handlers_stand_where_they_are_put_together():
    """A function that answers has its place in the order, and stands in `language`."""
    found = {module_of(path) for path in FRONT_FILES if registers(path)}
    known = {one.__name__.removeprefix("gradgen.") for one in lower.HANDLERS}
    assert found == known
    assert all(name.startswith("frontend.language.") for name in found)


def registers(path: Path) -> bool:
    """Whether a file has a function with the decorator of handlers."""
    return any(
        isinstance(one, ast.Call) and getattr(one.func, "id", "") in REGISTER
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        for one in node.decorator_list
    )


REGISTER = {"answers", "handles"}


def test_what_the_lowering_declares_is_answered():
    """A method of the lowering without a body has a handler; one with a body may."""
    tree = ast.parse(inspect.getsource(lowering))
    whole = next(node for node in tree.body if isinstance(node, ast.ClassDef))
    empty = {
        one.name
        for one in whole.body
        if isinstance(one, ast.FunctionDef) and len(one.body) == 1
        if isinstance(one.body[0], ast.Expr) and ast.get_docstring(one)
    }
    assert len(empty) > 30
    assert empty <= set(operations.OPERATIONS)
    for name in operations.OPERATIONS:
        assert getattr(lowering.Lowering, name).__module__.startswith(LANGUAGE), name


LANGUAGE = "gradgen.frontend.language."


def test_the_first_handler_hands_on_to_the_next():
    class Whole:
        def word(self, n: int) -> str:
            return "none"

    def one(whole, n):
        return "one" if n == 1 else first.further(whole, n)

    def two(whole, n):
        return "two" if n == 2 else second.further(whole, n)

    first, second = operations.Handler(one), operations.Handler(two)
    two.__module__ = "below"
    place = {one.__module__: 0, "below": 1}
    Whole.word = operations.linked([second, first], Whole.word, place)
    assert [Whole().word(n) for n in (1, 2, 3)] == ["one", "two", "none"]
