"""The text of a gast module: a fixed point of black and of ruff format.

Statements take their shape from astor, which reads gast nodes as they are
(it looks at class names), so that comments and spellings stay on them. Blank
lines are decided here; `expression` writes values, `layout` breaks long lines.
"""

from __future__ import annotations

import ast
import inspect
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import gast

from gradgen.ir.nodes import Note
from gradgen.lines import lines_of
from gradgen.printer.expression import BINARY, VALUE, expression, item, parameters
from gradgen.printer.layout import lay_out
from gradgen.printer.line import WIDTH
from gradgen.printer.reread import check, string
from gradgen.quoting import visible

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # astor names classes that Python deprecates
    import astor


class Comment(ast.stmt):
    """A line of its own in a body: "# " and the text."""

    _fields = ("text",)
    origin: Note  # which lines of the source it tells of

    def __init__(self, text: str = "") -> None:
        self.text = text


class Blank(ast.stmt):
    """An empty line in a body; two in a row are one."""

    _fields = ()


def to_text(module: gast.Module) -> str:
    """The module's source text; InternalError where it would not read back the same."""
    text = astor.to_source(
        module, source_generator_class=_Generator, pretty_source="".join
    )
    check(module, text)
    return text


_DEFINITIONS = ("FunctionDef", "AsyncFunctionDef", "ClassDef")
_IMPORTS = ("Import", "ImportFrom")


def _kind(node: object) -> str:
    return type(node).__name__


def _assign(node: gast.AST) -> str:
    targets = [expression(target, VALUE) for target in node.targets]
    # a, b = c, d, but K = (1.0, 0.5)
    whole = _kind(node.value) == "Tuple" and _kind(node.targets[-1]) == "Name"
    whole = whole and all(_kind(one) == "Constant" for one in node.value.elts)
    value = f"({expression(node.value, VALUE)})" if whole else ""
    several = whole and len(node.value.elts) > 1
    return " = ".join([*targets, value if several else expression(node.value, VALUE)])


def _aug_assign(node: gast.AST) -> str:
    sign = BINARY[_kind(node.op)][0]
    return f"{expression(node.target)} {sign}= {expression(node.value, VALUE)}"


def _ann_assign(node: gast.AST) -> str:
    target = expression(node.target)
    if _kind(node.target) == "Name" and not node.simple:
        target = f"({target})"
    text = f"{target}: {expression(node.annotation)}"
    return text if node.value is None else f"{text} = {expression(node.value, VALUE)}"


def _return(node: gast.AST) -> str:
    return "return" if node.value is None else f"return {expression(node.value, VALUE)}"


def _assert(node: gast.AST) -> str:
    text = f"assert {expression(node.test)}"
    return text if node.msg is None else f"{text}, {expression(node.msg)}"


_SIMPLE: dict[str, Callable[[Any], str]] = {
    "Assign": _assign,
    "AugAssign": _aug_assign,
    "AnnAssign": _ann_assign,
    "Return": _return,
    "Assert": _assert,
    "Expr": lambda node: expression(node.value, VALUE),
}


class _Generator(astor.SourceGenerator):
    """Writes the statements, line by line; each line is laid out when it is closed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.closed = 0  # the results before this index are laid out
        # the comment that the next line to close ends with
        self.trailing: str | None = None
        self.defined = False  # whether a definition has just ended

    def visit(self, node: ast.AST) -> None:
        kind = _kind(node)
        if kind in _SIMPLE:
            self.statement(node, _SIMPLE[kind](node))
        elif isinstance(node, ast.expr):
            self.write(expression(node))
        elif hasattr(self, f"visit_{kind}"):
            super().visit(node)
        else:
            for line in lines_of(gast.unparse(node).strip()):
                self.statement(node, line)
                self.close()

    def visit_Module(self, node: gast.AST) -> None:
        self.block(node.body)

    def body(self, statements: Sequence[ast.AST], lead: int = 1) -> None:
        self.close()  # the header
        self.indentation += 1
        self.defined = False
        self.block(statements, lead)
        self.indentation -= 1

    def block(self, statements: Sequence[ast.AST], lead: int = 0) -> None:
        """The statements of one body, with the blank lines that black wants.

        `lead` is how many stand before a definition that comes first.
        """
        previous: ast.AST | None = None
        docstring_next = True
        for i, node in enumerate(statements):
            if isinstance(node, Blank):
                if previous is not None:
                    self.newline(extra=1)
                    previous = node
                continue
            if previous is not None:
                self.newline(extra=self.gap(statements, i, previous))
            elif _kind(node) in _DEFINITIONS:
                self.newline(extra=lead)
            self.defined = False
            said = string(node) if docstring_next else None
            if isinstance(node, Comment):
                for line in node.text.split("\n"):
                    self.statement(node, f"# {visible(line)}".rstrip())
            elif said is not None:
                self.docstring(said)
            else:
                self.trailing = getattr(node, "trailing", None)
                self.visit(node)
                self.close()
            self.closed = len(self.result)
            docstring_next = docstring_next and isinstance(node, Comment)
            previous = node

    def gap(self, statements: Sequence[ast.AST], i: int, previous: ast.AST) -> int:
        """The empty lines before a statement: around definitions, after imports."""
        if isinstance(previous, Comment):
            return 0
        first = i
        while isinstance(statements[first], Comment) and first + 1 < len(statements):
            first += 1
        if self.defined or _kind(statements[first]) in _DEFINITIONS:
            return 1 if self.indentation else 2
        imports = _kind(previous) in _IMPORTS and _kind(statements[i]) not in _IMPORTS
        return 1 if imports else 0

    def close(self) -> None:
        """The line written last, laid out, with its trailing comment."""
        text = "".join(self.result[self.closed :])
        code = text.lstrip("\n ")
        comment, self.trailing = self.trailing, None
        newlines = text.count("\n", 0, len(text) - len(code))
        if code and (comment or len(text) - newlines > WIDTH or "**" in code):
            comment = f"# {visible(comment)}".rstrip() if comment else ""
            lines = lay_out(code, self.indentation, comment)
            self.result[self.closed :] = ["\n" * newlines, lines]
        self.closed = len(self.result)

    def docstring(self, text: str) -> None:
        indent = "    " * self.indentation
        # twice: where the first line is empty, the second becomes the first
        text = inspect.cleandoc(inspect.cleandoc(text))
        lines = text.rstrip().split("\n")
        text = "\n".join([line and indent + line.rstrip() for line in lines]).lstrip()
        text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
        if len(lines) > 1:
            text += "\n" + indent
        elif text.endswith('"'):
            text += " "
        text = " " + text if text.startswith('"') else text
        self.newline()
        self.write(f'"""{text}"""')
        if not self.indentation:
            self.newline(extra=1)

    def decorators(self, node: gast.AST, extra: int = 0) -> None:
        for decorator in node.decorator_list:
            self.statement(node, f"@{expression(decorator)}")
            self.close()

    def visit_FunctionDef(self, node: gast.AST, is_async: bool = False) -> None:
        self.decorators(node)
        result = f" -> {expression(node.returns)}" if node.returns else ""
        start = "async def" if is_async else "def"
        self.statement(node, f"{start} {node.name}({parameters(node.args)}){result}:")
        self.body(node.body, lead=0)
        self.newline(extra=1)
        self.defined = True

    def visit_If(self, node: gast.AST) -> None:
        word = "if"
        while True:
            self.statement(node, f"{word} {item(node.test)}:")
            self.body(node.body)
            if len(node.orelse) != 1 or _kind(node.orelse[0]) != "If":
                break
            word, node = "elif", node.orelse[0]
            self.trailing = getattr(node, "trailing", None)
        self.else_body(node.orelse)

    def visit_For(self, node: gast.AST, is_async: bool = False) -> None:
        start = "async for" if is_async else "for"
        target, source = expression(node.target, VALUE), expression(node.iter)
        self.statement(node, f"{start} {target} in {source}:")
        self.body_or_else(node)

    def visit_While(self, node: gast.AST) -> None:
        self.statement(node, f"while {item(node.test)}:")
        self.body_or_else(node)
