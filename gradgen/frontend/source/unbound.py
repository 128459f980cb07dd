"""Names that may be read where they have no value: found in the text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import gast

from gradgen.frontend.source.names import assigned
from gradgen.frontend.source.source import parameters

FUNCTIONS = (gast.FunctionDef, gast.Lambda)
COMPREHENSIONS = (gast.ListComp, gast.GeneratorExp, gast.SetComp, gast.DictComp)
Names = frozenset[str]


@lru_cache(maxsize=1024)
def maybe_unbound(node: Any) -> Names:
    """The local names of a function that are read where some way has not set them.

    def f(x, n):
        for i in range(n):
            y = x * i
        return y            # y, where n is 0
    """
    if isinstance(node, gast.Lambda):
        return frozenset()
    given = frozenset(arg.id for arg in parameters(node))
    reader = _Reader(frozenset(assigned(node.body)))
    reader.block(node.body, given)
    return frozenset(reader.found)


class _Reader:
    """Goes through statements with the names that every way to them has set.

    None in place of the names says that no way leads there.
    """

    def __init__(self, local: Names) -> None:
        self.local = local
        self.found: set[str] = set()
        # for each loop around: what is set where a break leaves it
        self.breaks: list[list[Names]] = []

    def block(self, statements: list[Any], names: Names | None) -> Names | None:
        """What is set behind statements."""
        for node in statements:
            if names is None:
                return None
            method = getattr(self, "of_" + type(node).__name__, self.plain)
            names = method(node, names)
        return names

    def read(self, node: Any, names: Names, own: Names = frozenset()) -> None:
        """Notes the names that an expression reads and that may have no value."""
        if node is None:
            return
        if isinstance(node, FUNCTIONS):
            own |= {arg.id for arg in node.args.args}
        if isinstance(node, COMPREHENSIONS):
            own |= frozenset(assigned([part.target for part in node.generators]))
        if isinstance(node, gast.Name):
            is_set = node.id in names or node.id in own
            if isinstance(node.ctx, gast.Load) and not is_set:
                if node.id in self.local:
                    self.found.add(node.id)
        for child in gast.iter_child_nodes(node):
            self.read(child, names, own)

    def plain(self, node: Any, names: Names) -> Names | None:
        """An assignment, a call: reads first, then sets."""
        self.read(node, names)
        if isinstance(node, gast.AnnAssign) and node.value is None:
            return names
        return names | frozenset(assigned([node]))

    def of_AugAssign(self, node: gast.AugAssign, names: Names) -> Names:
        if isinstance(node.target, gast.Name):
            if node.target.id in self.local - names:
                self.found.add(node.target.id)
        self.read(node, names)
        return names | frozenset(assigned([node]))

    def of_FunctionDef(self, node: gast.FunctionDef, names: Names) -> Names:
        inside = frozenset(assigned(node.body))
        self.read(node, names | {node.name}, inside)
        return names | {node.name}

    def of_Return(self, node: gast.Return, names: Names) -> None:
        self.read(node, names)

    def of_Raise(self, node: gast.Raise, names: Names) -> None:
        self.read(node, names)

    def of_Break(self, node: gast.Break, names: Names) -> None:
        if self.breaks:
            self.breaks[-1].append(names)

    def of_Continue(self, node: gast.Continue, names: Names) -> None:
        pass

    def of_If(self, node: gast.If, names: Names) -> Names | None:
        self.read(node.test, names)
        names |= frozenset(assigned([node.test]))
        ways = self.block(node.body, names), self.block(node.orelse, names)
        return _met([way for way in ways if way is not None])

    def of_With(self, node: gast.With, names: Names) -> Names | None:
        for item in node.items:
            self.read(item, names)
        return self.block(node.body, names | frozenset(assigned(node.items)))

    def of_Match(self, node: gast.Match, names: Names) -> Names | None:
        self.read(node.subject, names)
        ways = [names]
        for case in node.cases:
            self.read(case.guard, names)
            end = self.block(case.body, names)
            is_rest = isinstance(case.pattern, gast.MatchAs) and not case.guard
            if is_rest and case.pattern.pattern is None:
                ways.remove(names)
            ways += [] if end is None else [end]
        return _met(ways)

    def of_For(self, node: gast.For, names: Names) -> Names | None:
        self.read(node.iter, names)
        inside = names | frozenset(assigned([node.target]))
        return self.loop(node, inside, names)

    def of_While(self, node: gast.While, names: Names) -> Names | None:
        self.read(node.test, names)
        names |= frozenset(assigned([node.test]))
        test = node.test
        endless = isinstance(test, gast.Constant) and bool(test.value)
        return self.loop(node, names, None if endless else names)

    def loop(self, node: Any, inside: Names, left: Names | None) -> Names | None:
        """What is set behind a loop: where it ends by itself, and at its breaks."""
        self.breaks.append([])
        self.block(node.body, inside)
        breaks = self.breaks.pop()
        end = self.block(node.orelse, left)
        return _met([*breaks, *([] if end is None else [end])])


def _met(ways: list[Names]) -> Names | None:
    """What all of some ways have set."""
    return frozenset.intersection(*ways) if ways else None
