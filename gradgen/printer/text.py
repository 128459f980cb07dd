"""The text of a gast module: a fixed point of black and of ruff format.

Statements take their shape from astor, which reads gast nodes as they are
(it looks at class names), so that comments and spellings stay on them.
Expressions and blank lines are written here; `layout` breaks long lines.
"""

from __future__ import annotations

import ast
import inspect
import warnings

import gast

from gradgen.errors import InternalError
from gradgen.printer.expression import BINARY, VALUE, as_python, expression, item
from gradgen.printer.expression import parameters
from gradgen.printer.layout import lay_out

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # astor names classes that Python deprecates
    import astor


class Comment(ast.stmt):
    """A line of its own in a body: "# " and the text."""

    _fields = ("text",)

    def __init__(self, text: str):
        self.text = text


class Blank(ast.stmt):
    """An empty line in a body; two in a row are one."""

    _fields = ()


def to_text(module: gast.Module) -> str:
    """The module's source text; InternalError where it would not read back the same."""
    text = astor.to_source(
        module, source_generator_class=_Generator, pretty_source="".join
    )
    _compare(module, text)
    return text


def _kind(node) -> str:
    return type(node).__name__


class _Generator(astor.SourceGenerator):
    """Writes statements line by line; `expression` gives what stands in them."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.closed = 0  # the results before this index are laid out
        self.trailing = None  # the comment that the next line to close ends with

    # Statements

    def visit(self, node):
        if isinstance(node, ast.expr):
            self.write(expression(node))
        elif hasattr(self, f"visit_{_kind(node)}"):
            super().visit(node)
        else:
            for line in gast.unparse(node).splitlines():
                self.statement(node, line)

    def visit_Module(self, node):
        self.block(node.body)

    def body(self, statements):
        self.close()  # the header
        self.indentation += 1
        self.block(statements)
        self.indentation -= 1

    def block(self, statements):
        """The statements of one body, with the blank lines that black wants."""
        previous, only_comments = None, True
        for i, node in enumerate(statements):
            if isinstance(node, Blank):
                if previous is not None:
                    self.newline(extra=1)
                    previous = node
                continue
            if _opens_definition(statements, i, previous):
                if previous is not None:
                    self.newline(extra=1 if self.indentation else 2)
            elif _kind(previous).startswith("Import"):
                if not _kind(node).startswith("Import"):
                    self.newline(extra=1)
            if isinstance(node, Comment):
                for line in node.text.split("\n"):
                    self.statement(node, f"# {line}".rstrip())
            elif only_comments and _docstring(node) is not None:
                self.docstring(_docstring(node))
            else:
                self.trailing = getattr(node, "trailing", None)
                self.visit(node)
                self.close()
            self.closed = len(self.result)
            only_comments = only_comments and isinstance(node, Comment)
            previous = node

    def close(self):
        """The line written last, laid out, and its trailing comment."""
        text = "".join(self.result[self.closed :])
        code = text.lstrip("\n ")
        comment, self.trailing = self.trailing, None
        newlines = text.count("\n", 0, len(text) - len(code))
        width = len(text) - newlines
        if code and (comment is not None or width > 88 or "**" in code):
            comment = "" if comment is None else f"# {comment}".rstrip()
            line = lay_out(code, self.indentation, comment)
            self.result[self.closed :] = ["\n" * newlines, line]
        self.closed = len(self.result)

    def docstring(self, text):
        indent = "    " * self.indentation
        first, *rest = inspect.cleandoc(text).rstrip().split("\n")
        lines = [first.rstrip()]
        lines += [(indent + line).rstrip() for line in rest]
        text = "\n".join(lines).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
        if rest:
            text += "\n" + indent
        elif text.endswith('"'):
            text += " "
        text = " " + text if text.startswith('"') else text
        self.newline()
        self.write(f'"""{text}"""')
        if not self.indentation:
            self.newline(extra=1)

    def visit_FunctionDef(self, node, is_async=False):
        for decorator in node.decorator_list:
            self.statement(node, "@", decorator)
            self.close()
        returns = node.returns and f" -> {expression(node.returns)}"
        start = "async def" if is_async else "def"
        names = parameters(node.args)
        self.statement(node, f"{start} {node.name}({names}){returns or ''}:")
        self.body(node.body)
        self.newline(extra=1 if self.indentation else 2)

    def visit_If(self, node):
        word = "if"
        while True:
            self.statement(node, f"{word} {item(node.test)}:")
            self.body(node.body)
            word = "elif"
            if len(node.orelse) != 1 or _kind(node.orelse[0]) != "If":
                break
            node = node.orelse[0]
            self.trailing = getattr(node, "trailing", None)
        self.else_body(node.orelse)

    def visit_For(self, node, is_async=False):
        target, source = expression(node.target, VALUE), expression(node.iter)
        start = "async for" if is_async else "for"
        self.statement(node, f"{start} {target} in {source}:")
        self.body_or_else(node)

    def visit_While(self, node):
        self.statement(node, f"while {item(node.test)}:")
        self.body_or_else(node)

    def visit_Assign(self, node):
        sides = [*node.targets, node.value]
        self.statement(node, " = ".join([expression(e, VALUE) for e in sides]))

    def visit_AugAssign(self, node):
        target, value = expression(node.target), expression(node.value, VALUE)
        sign = BINARY[_kind(node.op)][0]
        self.statement(node, f"{target} {sign}= {value}")

    def visit_AnnAssign(self, node):
        target = expression(node.target)
        if _kind(node.target) == "Name" and not node.simple:
            target = f"({target})"
        self.statement(node, f"{target}: {expression(node.annotation)}")
        if node.value is not None:
            self.write(" = ", expression(node.value, VALUE))

    def visit_Return(self, node):
        value = node.value and expression(node.value, VALUE)
        self.statement(node, f"return {value}" if value else "return")

    def visit_Expr(self, node):
        self.statement(node, expression(node.value, VALUE))

    def visit_Assert(self, node):
        self.statement(node, f"assert {expression(node.test)}")
        if node.msg is not None:
            self.write(", ", expression(node.msg))


def _docstring(node) -> str | None:
    """The text of a statement that is a string, or None."""
    value = getattr(node, "value", None) if _kind(node) == "Expr" else None
    text = value.value if _kind(value) == "Constant" else None
    return text if isinstance(text, str) else None


def _opens_definition(statements: list, start: int, previous) -> bool:
    """Whether a definition starts here, or the comments that stand right on one."""
    if isinstance(statements[start], Comment) and isinstance(previous, Comment):
        return False
    for node in statements[start:]:
        if not isinstance(node, Comment):
            return _kind(node) in ("FunctionDef", "AsyncFunctionDef", "ClassDef")
    return False


def _compare(module: gast.Module, text: str) -> None:
    """InternalError unless the text reads as the module."""
    try:
        pairs = [(module, ast.parse(text))]
    except SyntaxError as error:
        raise InternalError(f"the printed text is not Python: {error}") from error
    while pairs:
        wanted, got = pairs.pop()
        if isinstance(wanted, list) and isinstance(got, list):
            wanted = [w for w in wanted if not isinstance(w, (Comment, Blank))]
            if len(wanted) == len(got):
                pairs += zip(wanted, got)
                continue
        elif isinstance(got, ast.arg) and isinstance(wanted, gast.Name):
            pairs += (wanted.id, got.arg), (wanted.annotation, got.annotation)
            continue
        elif _kind(wanted) == "Constant":
            if _same_constant(wanted.value, got):
                continue
        elif _docstring(wanted) is not None:
            if _docstring(wanted).split() == (_docstring(got) or "").split():
                continue
        elif isinstance(got, ast.AST) and _kind(wanted) == _kind(got):
            for field in got._fields:
                if field not in ("ctx", "type_comment", "kind", "type_ignores"):
                    pairs.append((getattr(wanted, field, None), getattr(got, field)))
            continue
        elif wanted == got or not wanted and not got:
            continue
        elif isinstance(wanted, gast.Name) and wanted.id == got:  # `except E as name`
            continue
        line = getattr(got, "lineno", "?")
        raise InternalError(f"line {line} of the printed text reads as another tree")


def _same_constant(value, got: ast.AST) -> bool:
    try:
        read = ast.literal_eval(got)
    except ValueError:
        return False
    if isinstance(value, (str, bytes)) or value is None or value is ...:
        return value == read
    value = as_python(value)
    return type(value) is type(read) and value == read
