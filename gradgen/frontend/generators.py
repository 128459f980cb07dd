"""Generators: what they compute is computed as they are gone through, and once.

They are read as the lists of what they compute. That is the same where they are
gone through at once, and in a loop that changes nothing that they read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gast

from gradgen.frontend.callables import Closure
from gradgen.frontend.containers import Containers
from gradgen.frontend.memory import Key, is_structure
from gradgen.frontend.writer import Frame
from gradgen.ir.nodes import Expr, Ref, Var


@dataclass(frozen=True)
class Read:
    """What a generator reads: the names with their handles, the buffers' contents."""

    node: gast.AST
    names: dict[Key, Expr | None]
    versions: dict[Var, Expr]


class Generators(Containers):
    """Reads generators, and what else is computed as a loop goes on."""

    def read_at_once(self, node: Any) -> Expr:
        """An expression whose items are all taken at once: [*x], a, b = x."""
        is_lazy = isinstance(node, gast.GeneratorExp)
        return self.read_ListComp(node) if is_lazy else self.read(node)

    def gone_through(self, handle: Expr, node: gast.AST) -> Expr:
        """What going through a value gives: of an instance what its class says."""
        return handle

    def read_GeneratorExp(self, node: gast.GeneratorExp) -> Expr:
        self.fail(
            "GG268",
            "a generator is not supported here: it is computed as it is gone "
            "through, and once",
            node,
            "a list: [...]",
        )

    def read_later(self, node: gast.AST, own: set[str] | None = None) -> None:
        """Notes what is read while a loop goes on, by a generator or by map."""
        names: dict[Key, Expr | None] = {}
        versions: dict[Var, Expr] = {}
        self._names_in(node, self.frame, own or set(), names)
        for handle in list(names.values()):
            for var in self._buffers(handle):
                versions[var] = self.state.version(var)
        self.generated.append(Read(node, names, versions))

    def _names_in(
        self,
        node: gast.AST,
        frame: Frame | None,
        own: set[str],
        found: dict[Key, Expr | None],
    ) -> None:
        """The names that a text reads, those of the functions that it calls too."""
        for inner in gast.walk(node):
            if not isinstance(inner, gast.Name) or inner.id in own:
                continue
            where = frame
            while where and (where.number, inner.id) not in self.state.names:
                where = where.parent
            if where is None or (where.number, inner.id) in found:
                continue
            key = where.number, inner.id
            handle = found[key] = self.state.names[key]
            function = getattr(handle, "value", None)
            if isinstance(function, Closure):
                self._names_in(function.node, function.frame, set(), found)

    def _buffers(self, handle: Expr | None) -> Iterator[Var]:
        """The buffers of an object and of what it holds."""
        if is_structure(handle):
            for part in handle.args:
                yield from self._buffers(part)
        elif isinstance(handle, Ref):
            buffer = self.memory.buffer(handle.var)
            yield buffer
            version = self.state.version(buffer)
            if is_structure(version):
                yield from self._buffers(version)

    def refuse_read_later(self, reads: list[Read]) -> None:
        """Refuses a loop that has changed what is read while it goes on."""
        for read in reads:
            names, versions = self.state.names, self.state.version
            same = all(names.get(key) == value for key, value in read.names.items())
            if not same or any(versions(v) != old for v, old in read.versions.items()):
                self.fail(
                    "GG268",
                    "the loop changes what this reads as it is gone through",
                    read.node,
                    "a list: [...]",
                )
