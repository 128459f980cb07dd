"""The functions of a text that others of it call: their names, as they are asked for."""

from __future__ import annotations

from collections.abc import Iterable

from gradgen.ir.callee import Callee, Link, callee_of
from gradgen.ir.nodes import Apply, Function
from gradgen.ir.walk import all_defined, lets


class Linked:
    """Gives out names of functions; `links` are those that somebody asked for."""

    def __init__(self, primal: Function, reserved: Iterable[str] = ()):
        self.taken = set(reserved) | set(_names(primal))
        for callee in callees(primal):
            self.taken |= set(_names(callee.function))
        self.links: dict[Link, str] = {}

    def name_of(self, link: Link) -> str:
        """The name of the function behind a link: vjp_g, vjp_g_2."""
        if link not in self.links:
            name = wished = f"vjp_{link.callee.name}"
            number = 2
            while name in self.taken:
                name, number = f"{wished}_{number}", number + 1
            self.taken.add(name)
            self.links[link] = name
        return self.links[link]

    def in_order(self) -> list[Link]:
        """The links, those of functions that were asked for late first."""
        late = {link.callee: i for i, link in reversed(list(enumerate(self.links)))}
        return sorted(self.links, key=lambda link: -late[link.callee])


def callees(function: Function) -> list[Callee]:
    """The functions that a function calls, directly or not."""
    found: dict[Callee, None] = {}
    stack = [function]
    while stack:
        for let in lets(stack.pop().body):
            if isinstance(let.value, Apply) and let.value.op == "kept":
                callee = callee_of(let.value)
                if callee not in found:
                    found[callee] = None
                    stack.append(callee.function)
    return list(found)


def _names(function: Function) -> Iterable[str]:
    yield from (param.var.name for param in function.params)
    yield from (var.name for var in all_defined(function.body))
    yield from (name for name, _ in function.context)
    yield from (name for name, _ in function.bundles)
