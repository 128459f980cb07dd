"""Names in a function of the text that are not its own, and names that hide them.

The printer marks each name that means something outside of the function: of Python,
of the text's module. Where the function binds the same name, that name would be read.
"""

from __future__ import annotations

import builtins
from collections.abc import Collection

import gast

from gradgen.errors import GradgenError
from gradgen.frozen import dataclass


def name(text: str, store: bool = False) -> gast.Name:
    """A name, read or assigned."""
    return gast.Name(text, gast.Store() if store else gast.Load(), None, None)


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


@dataclass(frozen=True)
class Scope:
    """The names that a function binds, inner functions too, and those from outside."""

    bound: frozenset[str]
    outside: frozenset[str]

    @property
    def hidden(self) -> frozenset[str]:
        """The names from outside that the function reads and binds itself."""
        return self.bound & self.outside


def scope_of(node: gast.FunctionDef) -> Scope:
    """The names of a function that is to be printed."""
    own: set[str] = set()
    others: set[str] = set()
    for part in gast.walk(node):
        if isinstance(part, gast.Name):
            if not isinstance(part.ctx, gast.Load):
                own.add(part.id)
            elif hasattr(part, "outside"):
                others.add(part.id)
        elif isinstance(part, gast.FunctionDef) and part is not node:
            own.add(part.name)
    return Scope(frozenset(own), frozenset(others))


def qualify(node: gast.FunctionDef, names: Collection[str]) -> None:
    """Writes builtins.len for len.

    before:  def grad_f(x, len):            after:  def grad_f(x, len):
                 d_x = d_out / len(x)                   d_x = d_out / builtins.len(x)
    """
    for part in gast.walk(node):
        for field in part._fields:
            value = getattr(part, field, None)
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, gast.Name) and hasattr(item, "outside"):
                    if item.id in names:
                        _replace(part, field, item)


def _replace(part: gast.AST, field: str, item: gast.Name) -> None:
    new = dotted(f"builtins.{item.id}")
    value = getattr(part, field)
    if isinstance(value, list):
        value[value.index(item)] = new
    else:
        setattr(part, field, new)


def rename(node: gast.FunctionDef, names: dict[str, str]) -> None:
    """Gives other names to what a function reads from outside."""
    for part in gast.walk(node):
        if isinstance(part, gast.Name) and hasattr(part, "outside"):
            part.id = names.get(part.id, part.id)


def is_pythons(name: str) -> bool:
    """Whether a name is one of Python's own."""
    return hasattr(builtins, name)


def refuse_hidden(names: Collection[str]) -> None:
    """Raises GradgenError where a function would read its own name for another."""
    for name in sorted(names):
        raise GradgenError(
            "GG217",
            f"{name} is a name of this function, and the gradient needs it for what it "
            "means outside",
            advice=f"another name for {name}",
        )
