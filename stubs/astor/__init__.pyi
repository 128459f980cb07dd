"""What of astor the printer uses."""

import ast
from typing import Any

class SourceGenerator:
    indentation: int
    new_lines: int
    result: list[Any]
    def __init__(
        self,
        indent_with: str,
        add_line_information: bool = ...,
        pretty_string: Any = ...,
        len: Any = ...,
        isinstance: Any = ...,
        callable: Any = ...,
    ) -> None: ...
    # It takes the nodes of ast and of gast alike: it looks at class names.
    def visit(self, node: Any) -> None: ...
    # The methods of statements, and those that write, stand in the instance.
    def __getattr__(self, name: str) -> Any: ...

def to_source(
    node: ast.AST,
    indent_with: str = ...,
    add_line_information: bool = ...,
    pretty_string: Any = ...,
    pretty_source: Any = ...,
    source_generator_class: type[SourceGenerator] | None = ...,
) -> str: ...
