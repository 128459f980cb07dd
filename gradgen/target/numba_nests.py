"""Array statements as loop nests, which numba compiles to machine code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.ir.liveness import Liveness
from gradgen.ir.nodes import (
    Branch,
    Effect,
    Function,
    Let,
    Loop,
    Origin,
    Ref,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.sharing import Sharing, viewed
from gradgen.ir.nodes import Apply
from gradgen.ir.walk import own_expressions, reads, statements
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import ShapeConflict
from gradgen.target.numba_groups import Group
from gradgen.target.numba_items import Items
from gradgen.target.numba_tokens import NEW, ZEROS, Item, Token, learned
from gradgen.target.numba_lengths import Lengths
from gradgen.target.numba_written import Writer

# axes of the deepest nest
DEPTH = 6
INDEX = "ijklpq"


def nests(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function with its statements on arrays as loops over entries.

        before:  d_rhs = c * d_u[1:-1]
                 d_u[:-2] += d_rhs
                 d_v = 2 * d_rhs
        after:   d_v = np.empty(n - 2)
                 for i in range(n - 2):
                     d_rhs = c * d_u[i + 1]
                     d_u[i] += d_rhs
                     d_v[i] = 2 * d_rhs

    Neighbours of the same shape share a nest where no round reads what another one
    makes, and what nothing else reads is a number there. Products of matrices and what
    else is not made entry by entry stay as they are.
    """
    return _Nests(function, learned(function, facts), supply).done()


class _Nests:
    def __init__(self, function: Function, facts: Facts, supply: Supply):
        self.function, self.facts, self.supply = function, facts, supply
        self.sharing = Sharing(function.body)
        self.aliases: dict[Var, Var] = {}
        index = tuple(supply.var(name, Origin.LOCAL) for name in INDEX[:DEPTH])
        live = Liveness(function, whole=False)
        self.items = Items(self.facts, supply, live, index)
        self.items.root = self._root  # type: ignore[method-assign]
        self.readers: dict[Var, set[object]] = {}
        for stmt in statements(function.body):
            for expr in own_expressions(stmt):
                for var in reads(expr):
                    self.readers.setdefault(var, set()).add(_reader(stmt))
        for value in (*function.values, *(r.value for r in function.results)):
            for var in reads(value):
                self.readers.setdefault(var, set()).add("result")
        self.lengths = Lengths(function, self.facts)
        self.writer = Writer(function, self.facts, supply, self.lengths)

    def done(self) -> Function:
        body = tuple(self._block(self.function.body))
        if body == self.function.body:
            return self.function
        checks = tuple(self.lengths.checks()) if self.writer.made else ()
        return replace(self.function, body=(*checks, *body))

    def _root(self, var: Var) -> Var:
        return self.sharing.root(self.aliases.get(var, var))

    def _block(self, body: Iterable[Stmt]) -> Iterator[Stmt]:
        group = Group(self.items.places(0), self._root)
        origin: dict[int, Let] = {}
        for stmt in body:
            if not isinstance(stmt, Let):
                yield from self._written(group, origin)
                group, origin = Group((), self._root), {}
                yield self._inside(stmt)
                continue
            for token in self._tokens(stmt):
                if isinstance(token, Item):
                    if not group.takes(token):
                        yield from self._written(group, origin)
                        group, origin = Group((), self._root), {}
                    if not group.items:
                        group.whole = self.items.places(len(token.dims))
                    group.add(token)
                    origin[id(token)] = stmt
                elif not group.moves(token):
                    yield from self._written(group, origin)
                    group, origin = Group((), self._root), {}
                    yield token
        yield from self._written(group, origin)

    def _inside(self, stmt: Stmt) -> Stmt:
        if isinstance(stmt, Loop):
            return replace(stmt, body=tuple(self._block(stmt.body)))
        if isinstance(stmt, Branch):
            then, orelse = self._block(stmt.then), self._block(stmt.orelse)
            return replace(stmt, then=tuple(then), orelse=tuple(orelse))
        assert isinstance(stmt, Effect)
        return stmt

    def _tokens(self, let: Let) -> Iterator[Token]:
        """A statement as items of nests, with what stands before it."""
        try:
            found = self.items.of(let)
        except ShapeConflict:
            found = None
        if found is None or not all(
            self.lengths.known(one) for one in found if isinstance(one, Item)
        ):
            yield let
            return
        if isinstance(found[0], Let) and found[0].value.op == ZEROS:
            assert isinstance(found[1], Item)
            made = self.writer.zeros(found[0], found[1])
            if made is None:
                yield let
                return
            found[0] = made
            self.aliases[made.var] = found[1].of
        for token in found:
            for one in token.before if isinstance(token, Item) else ():
                self._alias(one)
                self._count(one)
                yield from self._tokens(one)
        for token in found:
            if isinstance(token, Item):
                if token.kind == NEW:
                    self.lengths.made.add(token.of)
                self._count(token)
            elif token is not let:
                self._count(token)
            yield token

    def _alias(self, let: Let) -> None:
        """A name for a part of an array shares the array's memory."""
        if isinstance(let.value, Apply):
            for arg in viewed(let.value):
                if isinstance(arg, Ref):
                    self.aliases[let.var] = self.aliases.get(arg.var, arg.var)

    def _count(self, token: Token) -> None:
        """The readers of new names."""
        for var in reads(token.value):
            self.readers.setdefault(var, set()).add(id(token))

    def _written(self, group: Group, origin: dict[int, Let]) -> Iterator[Stmt]:
        if not group.items:
            return
        own: set[object] = {id(item) for item in group.items}
        rest = {var for let in group.before + group.behind for var in reads(let.value)}
        lets = {id(let): let for let in origin.values()}
        own |= lets.keys()
        kept = {
            item.of
            for item in group.items
            if item.of in rest | self.lengths.needed
            or self.readers.get(item.of, set()) - own
        }
        yield from self.writer.written(group, kept)


def _reader(stmt: Stmt) -> object:
    return id(stmt) if isinstance(stmt, Let) else "other"
