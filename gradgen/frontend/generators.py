"""Generators: what they compute is computed as they are gone through, and once.

They are read as the lists of what they compute. That is the same where they are
gone through at once, and in a loop that changes nothing that they read.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

import gast

from gradgen.frontend.lookup import among
from gradgen.frontend.callables import Closure
from gradgen.frontend.containers import Containers
from gradgen.frontend.memory import Key, State, is_structure
from gradgen.frontend.writer import Frame
from gradgen.ir.nodes import Expr, Ref, Var


Found = TypeVar("Found")
Taken = TypeVar("Taken")
# what is computed as a loop goes on, and what goes over its arguments as they are
LAZY: tuple[object, ...] = (map, filter, itertools.starmap)
OVER: tuple[object, ...] = (zip, enumerate, reversed, list, tuple)
# what has all its items before the first is taken
EAGER = (gast.List, gast.Tuple, gast.ListComp, gast.Dict, gast.Constant)


@dataclass(frozen=True)
class Read:
    """What a generator reads: the names with their handles, the buffers' contents."""

    node: gast.AST
    names: dict[Key, Expr | None]
    versions: dict[Var, Expr]
    # whether the items have been taken by then, and no more is read of what held them
    at_once: bool = False


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

    def read_first(self, node: gast.AST, rows: bool = False) -> None:
        """Notes what is read before a loop goes on, though its body may change it.

        With `rows`, what is read are the items themselves: the rows of a matrix are
        views, which see each change, and those of [a, b] have been read.
        """
        lazy = [one for one in gast.walk(node) if self.is_lazy(one)]
        for one in lazy:
            parts = getattr(one, "generators", ())
            inner = (n for part in parts for n in gast.walk(part.target))
            self.read_later(one, {n.id for n in inner if isinstance(n, gast.Name)})
        names: dict[Key, Expr | None] = {}
        for part in _read_late(node) if rows else (node,):
            self._names_in(part, self.frame, set(), names)
        views = set(self._matrices(node)) if rows and not lazy else set()
        versions = {
            var: self.state.version(var)
            for handle in names.values()
            if handle not in views
            for var in self._buffers(handle)
        }
        self.generated.append(Read(node, {}, versions, rows))

    def _matrices(self, node: gast.AST) -> Iterator[Expr]:
        """The matrices under the names whose rows are gone over."""
        if isinstance(node, gast.Call):
            known = self.resolve(node.func)
            over = among(known, OVER)
            if over or getattr(known, "__module__", "") == "itertools":
                for arg in node.args:
                    yield from self._matrices(arg)
        elif isinstance(node, gast.Name) and self.is_local(node.id):
            handle = self.lookup(node.id)
            if isinstance(handle, Ref) and (self.facts.rank(handle) or 0) > 1:
                yield handle

    def is_lazy(self, node: gast.AST) -> bool:
        """Whether what an expression gives is computed as it is gone through."""
        if isinstance(node, gast.Call):
            return among(self.resolve(node.func), LAZY)
        return isinstance(node, gast.GeneratorExp)

    def taken_in_part(self, node: gast.AST, read: Callable[[], Found]) -> Found:
        """What stops early is read as a whole: refused where that changes anything."""
        if not any(self.is_lazy(one) for one in _read_late(node, True)):
            return read()
        before, mark = self.state.copy(), self.mark()
        found = read()
        bound = {key for key in self.state.names if key[0] == self.frame.number}
        if self.has_changed(before, mark) or bound - before.names.keys():
            self.refuse_taken_in_part(node)
        return found

    def refuse_taken_in_part(self, node: gast.AST) -> NoReturn:
        self.fail(
            "GG268",
            "this may stop before the last item, and what it computes changes "
            "what is read elsewhere",
            node,
            "a loop with a break",
        )

    def by_turns(
        self,
        function: gast.AST | None,
        rows: list[Any],
        gather: Callable[[], Taken],
        call: Callable[[Taken], Found],
    ) -> Found:
        """What a function computes of items, each computed before its next call.

        map(f, g(x)) calls f between the steps of g; here all steps come first, and
        then all calls. Refused where either changes anything that the other reads.
        """
        late = [row for row in rows if self.gives_in_turn(row)]
        between = late if len(late) > 1 else []
        with self._unchanged([function, *between] if late else []):
            found = gather()
        with self._unchanged(late):
            return call(found)

    @contextmanager
    def _unchanged(self, nodes: list[Any]) -> Iterator[None]:
        """Refuses what changes anything that the given expressions read."""
        first = len(self.generated)
        for one in nodes:
            if one is not None:
                self.read_later(one)
        reads, self.generated = self.generated[first:], self.generated[:first]
        yield
        self.refuse_read_later(reads)

    @contextmanager
    def read_before(self, nodes: list[Any], items: tuple[Expr, ...]) -> Iterator[None]:
        """Refuses what changes what the items come from, or the items themselves."""
        first = len(self.generated)
        for one in nodes:
            self.read_first(one, rows=True)
        for item in items:
            held = {var: self.state.version(var) for var in self._buffers(item)}
            self.generated.append(Read(nodes[0], {}, held))
        reads, self.generated = self.generated[first:], self.generated[:first]
        yield
        self.refuse_read_later(reads)

    def gives_in_turn(self, node: gast.AST) -> bool:
        """Whether any part of an expression is computed as it is gone through."""
        if self._is_put_together(node):
            return False
        return any(self._is_in_turn(one) for one in gast.walk(node))

    def _is_put_together(self, node: gast.AST) -> bool:
        """Whether all items are there before the first is taken, each of its own."""
        if isinstance(node, gast.Starred):
            return self._is_put_together(node.value)
        if not isinstance(node, gast.Call):
            return isinstance(node, EAGER)
        function = self.resolve(node.func)
        if among(function, (list, tuple, sorted)):
            return True
        given = [*node.args, *(k.value for k in node.keywords)]
        passed = among(function, (zip, enumerate, reversed))
        return passed and all(map(self._is_put_together, given))

    def _is_in_turn(self, node: gast.AST) -> bool:
        """Whether an expression gives its items one by one, as they are by then."""
        called = self.resolve(node.func) if isinstance(node, gast.Call) else None
        return self.is_lazy(node) or self.makes_iterator(called)

    def has_changed(self, before: State, mark: int, own: Var | None = None) -> bool:
        """Whether names or buffers of before a mark hold anything else by now."""
        names, versions = self.state.names, self.state.versions
        changed = any(
            self.state.version(one) != before.version(one)
            for one in versions
            if one.id < mark and one != own
        )
        return changed or any(names.get(k) != v for k, v in before.names.items())

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


def _read_late(node: Any, calls: bool = False) -> Iterator[gast.AST]:
    """The parts of what is gone over whose items are read as it goes on."""
    if isinstance(node, gast.Starred):
        yield from _read_late(node.value, calls)
    elif isinstance(node, gast.Call):
        if calls:
            yield node
        elif getattr(node.func, "attr", "") in ("items", "values", "keys"):
            return  # of a dictionary, which holds what it has been given
        for arg in (node.func, *node.args, *(k.value for k in node.keywords)):
            yield from _read_late(arg, calls)
    elif not isinstance(node, (gast.List, gast.Tuple, gast.ListComp)):
        yield node
