"""Names in a function of the text that are not its own, and names that hide them.

The printer marks each name that means something outside of the function: of Python,
of the text's module. Where the function binds the same name, that name would be read.
"""

from __future__ import annotations

import builtins
from collections.abc import Collection, Iterable

import gast

from gradgen.errors import GradgenError


def outside(text: str) -> gast.Name:
    """A name that is not the function's own: of the module, or of Python."""
    node = gast.Name(text, gast.Load(), None, None)
    node.outside = True
    return node


def dotted(text: str, own: bool = False) -> gast.expr:
    """np.linalg.norm as attributes of a name, from outside or the function's own."""
    first, *rest = text.split(".")
    node: gast.expr = outside(first)
    if own:
        node = gast.Name(first, gast.Load(), None, None)
    for part in rest:
        node = gast.Attribute(node, part, gast.Load())
    return node


def mark_outside(node: gast.AST) -> None:
    """Marks the first name of a dotted one as one of the module's."""
    while isinstance(node, gast.Attribute):
        node = node.value
    node.outside = True


def bound(node: gast.FunctionDef) -> set[str]:
    """The names that a function binds, and those of functions inside."""
    found: set[str] = set()
    for part in gast.walk(node):
        if isinstance(part, gast.Name) and not isinstance(part.ctx, gast.Load):
            found.add(part.id)
        elif isinstance(part, gast.FunctionDef) and part is not node:
            found.add(part.name)
    return found


def hidden(node: gast.FunctionDef) -> set[str]:
    """The names from outside that the function reads and binds itself."""
    own = bound(node)
    return {part.id for part in _marked(node) if part.id in own}


def qualified(node: gast.FunctionDef, names: Collection[str]) -> bool:
    """Writes builtins.len for len; whether there was one.

    before:  def grad_f(x, len):            after:  def grad_f(x, len):
                 d_x = d_out / len(x)                   d_x = d_out / builtins.len(x)
    """
    changed = False
    for part in gast.walk(node):
        for field in part._fields:
            value = getattr(part, field, None)
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, gast.Name) and hasattr(item, "outside"):
                    if item.id in names:
                        changed = True
                        _replace(part, field, item)
    return changed


def _replace(part: gast.AST, field: str, item: gast.Name) -> None:
    new = dotted(f"builtins.{item.id}")
    value = getattr(part, field)
    if isinstance(value, list):
        value[value.index(item)] = new
    else:
        setattr(part, field, new)


def renamed(node: gast.FunctionDef, names: dict[str, str]) -> None:
    """Gives other names to what a function reads from outside."""
    for part in _marked(node):
        part.id = names.get(part.id, part.id)


def is_pythons(name: str) -> bool:
    """Whether a name is one of Python's own."""
    return hasattr(builtins, name)


def refuse_hidden(node: gast.FunctionDef) -> None:
    """Raises GradgenError where a function would read its own name for another."""
    for name in sorted(hidden(node)):
        raise GradgenError(
            "GG217",
            f"{name} is a name of this function, and the gradient needs it for what it "
            "means outside",
            advice=f"another name for {name}",
        )


def _marked(node: gast.AST) -> Iterable[gast.Name]:
    names = (part for part in gast.walk(node) if isinstance(part, gast.Name))
    return [name for name in names if getattr(name, "outside", False)]
