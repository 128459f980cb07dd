"""Where the rules stand in the template files: names first, the rest when asked for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import gast

from gradgen.frozen import dataclass
from gradgen.lines import lines_of
from gradgen.rules.reading import RuleReader, fail
from gradgen.rules.rule import Rule

DEFINED = re.compile(r"^def (\w+)", re.MULTILINE)
# @like("f", "g"), which adds names, and @named("f"), which is the name
DECORATED = re.compile(r"^@(like|named)\(([^)]*)\)", re.MULTILINE)
QUOTED = re.compile(r'"([^"]*)"')
MODULE = re.compile(r'^module = "([^"]*)"')


@dataclass(frozen=True)
class Place:
    """A function of a template file, not read yet: `text` from its first decorator on.

    `row` is where that stands, from 1, `node` the function where the file was parsed.
    """

    operations: tuple[str, ...]
    row: int
    text: str
    file: str
    module: str
    lines: list[str]
    node: ast.FunctionDef | None = None

    def rules(self) -> list[Rule]:
        """The rule, once for each operation."""
        node = self.node
        if node is None:
            whole = ast.parse("\n" * (self.row - 1) + self.text).body[0]
            assert isinstance(whole, ast.FunctionDef)
            node = whole
        try:
            made = gast.ast_to_gast(node)
            return RuleReader(made, self.file, self.module, self.lines).rules()
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            fail(self.file, node.lineno, f"{node.name} has no rule's form")


def text_at(path: Path, name: str) -> str:
    """The text of a file of rules."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        fail(name, 1, f"this file cannot be read: {error}")


def scanned(text: str, file: str) -> Iterator[Place]:
    """The rules of a file of gradgen's own, by its lines: nothing is parsed.

    before:  @linear("x")
             @like("asarray")
             def array(z, x): ...
    after:   Place(("numpy.array", "numpy.asarray"), ...)
    """
    module, lines = "numpy", lines_of(text)
    start: int | None = None
    for row, line in enumerate([*lines, "end"]):
        if not line or line[0] in " \t)#":
            continue
        if start is not None and not _is_decorated(lines[start:row]):
            yield _of_lines(lines, start, row, file, module)
            start = None
        named = MODULE.match(line)
        if named is not None:
            module = named[1]
        if start is None and line.startswith(("@", "def ")):
            start = row


def _is_decorated(lines: list[str]) -> bool:
    """Whether lines are decorators alone, and the function is still to come."""
    return not any(line.startswith("def ") for line in lines)


def _of_lines(lines: list[str], start: int, end: int, file: str, module: str) -> Place:
    text = "\n".join(lines[start:end])
    found = DEFINED.search(text)
    assert found is not None
    names = [found[1]]
    for word, quoted in DECORATED.findall(text[: found.start()]):
        more = QUOTED.findall(quoted)
        names = names + more if word == "like" else more
    return Place(_in(module, names), start + 1, text, file, module, lines)


def _in(module: str, names: list[str]) -> tuple[str, ...]:
    return tuple(f"{module}.{name}" if module else name for name in names)


def parsed(text: str, file: str) -> Iterator[Place]:
    """The rules of a file, each mistake in it an error that names file and line."""
    module, lines = "numpy", lines_of(text)
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError) as error:
        row, told = getattr(error, "lineno", 1), getattr(error, "msg", error)
        fail(file, row or 1, f"this is not Python: {told}")
    for node in body:
        if isinstance(node, ast.FunctionDef):
            names = _in(module, _names_of(node, file))
            yield Place(names, node.lineno, "", file, module, lines, node)
        elif (named := _module_named(node)) is not None:
            module = named
        elif not isinstance(node, (ast.Import, ast.ImportFrom)) and not (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            fail(
                file, node.lineno, 'only imports, rules and module = "name" stand here'
            )


def _names_of(node: ast.FunctionDef, file: str) -> list[str]:
    """The functions that the rule is for, by its name and its decorators."""
    names = [node.name]
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name):
            if decorator.func.id == "like":
                names += _quoted(decorator, file)
            elif decorator.func.id == "named":
                names = _quoted(decorator, file)
    return names


def _quoted(decorator: ast.Call, file: str) -> list[str]:
    """The functions that @like("f") or @named("f") names."""
    found = []
    for arg in decorator.args:
        if not (isinstance(arg, ast.Constant) and isinstance(arg.value, str)):
            fail(file, arg.lineno, "a function's name stands in quotes here")
        found.append(arg.value)
    return found


def _module_named(node: ast.stmt) -> str | None:
    """What a line module = "name" says, None for another line."""
    if (
        isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id == "module"
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ):
        return node.value.value
    return None
