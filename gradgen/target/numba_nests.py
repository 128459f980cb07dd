"""Array statements as loop nests, which numba compiles to machine code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.ir.liveness import Liveness
from gradgen.ir.nodes import (
    Branch,
    Effect,
    Expr,
    Function,
    Let,
    Loop,
    Origin,
    Ref,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import LISTS, STORES
from gradgen.ir.sharing import Sharing, changes, shared_with, viewed
from gradgen.ir.nodes import Apply
from gradgen.ir.walk import map_expressions, own_expressions, reads, rewrite, statements
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import ShapeConflict
from gradgen.target.numba_added import added
from gradgen.target.numba_groups import Group
from gradgen.target.numba_items import Items
from gradgen.target.numba_reductions import FLOATING, OF_VECTORS, of_vector
from gradgen.target.numba_tokens import NEW, ZEROS, Item, Token, learned
from gradgen.target.numba_lengths import Lengths
from gradgen.target.numba_systems import Systems
from gradgen.target.numba_written import Writer

# axes of the deepest nest
DEPTH = 6
INDEX = "ijklpq"


def nests(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function with its statements on arrays as loops over entries.

        before:  d_y = 2 * d_out * y
                 d_w = np.sum(d_y * y * x)
        after:   d_w = 0.0
                 for i in range(x.shape[0]):
                     d_y = 2 * d_out * y[i]
                     d_w += d_y * y[i] * x[i]

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
        # the items and numbers that a statement was taken apart into
        self.parts: dict[int, list[Token]] = {}
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
        self.systems = Systems(function, self.facts)
        self.writer = Writer(function, self.facts, supply, self.lengths)

    def done(self) -> Function:
        body = tuple(self._block(self.function.body))
        body = tuple(added(body, self.facts, self.supply))
        body = map_expressions(body, lambda one: rewrite(one, self._helped))
        loops = any(isinstance(one, Loop) for one in statements(self.function.body))
        if body == self.function.body and not loops:
            return self.function
        checks = tuple(self.lengths.checks()) if self.writer.made or loops else ()
        return replace(self.function, body=(*checks, *body))

    def _helped(self, node: Expr) -> Expr:
        """What numba takes seconds to compile by helpers."""
        node = self._of_vector(node)
        return self.systems.solved(node) if isinstance(node, Apply) else node

    def _of_vector(self, node: Expr) -> Expr:
        """np.max(x) of a vector by a helper: numba compiles its own for 0.5 s."""
        if not isinstance(node, Apply) or node.op not in OF_VECTORS or node.kwargs:
            return node
        x = node.args[0]
        known = isinstance(x, Ref) and self.facts.shapes.get(x.var) is not None
        if len(node.args) > 1 or not known or self.facts.is_list(x):
            return node
        plain = self.facts.kind(x) in FLOATING and not self.facts.is_complex(x)
        return of_vector(node) if plain and self.facts.rank(x) == 1 else node

    def _group(self) -> Group:
        return Group((), self._root, self._is_number)

    def _is_number(self, var: Var) -> bool:
        return self.facts.rank(Ref(var)) == 0

    def _root(self, var: Var) -> Var:
        return self.sharing.root(self.aliases.get(var, var))

    def _block(self, body: Iterable[Stmt]) -> Iterator[Stmt]:
        group = self._group()
        origin: dict[int, Let] = {}
        for stmt in body:
            if not isinstance(stmt, Let):
                yield from self._written(group, origin)
                group, origin = self._group(), {}
                yield self._inside(stmt)
                continue
            tokens = self.parts[id(stmt)] = list(self._tokens(stmt))
            for token in tokens:
                if isinstance(token, Item):
                    if not group.takes(token):
                        yield from self._written(group, origin)
                        group, origin = self._group(), {}
                    if not group.items:
                        group.whole = self.items.places(len(token.dims))
                    group.add(token)
                    origin[id(token)] = stmt
                elif not group.moves(token):
                    yield from self._written(group, origin)
                    group, origin = self._group(), {}
                    yield token
        yield from self._written(group, origin)

    def _inside(self, stmt: Stmt) -> Stmt:
        if isinstance(stmt, Loop):
            self.lengths.enter(stmt)
            body = tuple(self._block(stmt.body))
            self.lengths.leave(stmt)
            return replace(stmt, body=body)
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
            yield self._of_its_own(let)
            return
        if isinstance(found[0], Let) and found[0].value.op == ZEROS:
            assert isinstance(found[1], Item)
            made = self.writer.zeros(found[0], found[1])
            if made is None:
                yield let
                return
            found[0] = made
            self.lengths.made.add(made.var)
            for one in found[1:]:
                if isinstance(one, Item):  # the rows of an array, or all of it
                    self.aliases[one.of] = self.aliases[one.base or one.of] = let.var
        sums = {token.of for token in found if isinstance(token, Item)}
        before = [let for one in found if isinstance(one, Item) for let in one.before]
        nested = any(var in sums for let in before for var in reads(let.value))
        if not nested:  # what stands before the nests, and these beside one another
            yield from self._before(found)
        for token in found:
            if nested:  # np.sum(np.array([x[0], np.sum(x)]))
                yield from self._before([token])
            if isinstance(token, Item):
                if token.kind == NEW:
                    self.lengths.made.add(token.of)
                self._count(token)
            elif token is not let:
                self._count(token)
                if _named(token, let):
                    yield from self._tokens(token)
                    continue
            yield token

    def _before(self, found: Iterable[Token]) -> Iterator[Token]:
        for token in found:
            for one in token.before if isinstance(token, Item) else ():
                self._alias(one)
                self._count(one)
                yield from self._tokens(one)

    def _of_its_own(self, let: Let) -> Let:
        """What is added to an array, copied where it is a part of that array.

        before:  x[1:] += x[:-1]
        after:   x[1:] += x[:-1].copy()

        numba adds entry by entry, and would read what it has just written.
        """
        value = let.value
        if not isinstance(value, Apply) or not changes(let) or value.op in LISTS:
            return let
        at = 2 if value.op in STORES else 1
        base, stored = value.args[0], value.args[at]
        if not isinstance(base, Ref) or self.facts.rank(stored) == 0:
            return let
        minus = isinstance(stored, Apply) and stored.op == "numpy.negative"
        part = stored.args[0] if minus else stored
        shared = shared_with(part)
        if all(self._root(one) != self._root(base.var) for one in shared):
            return let
        copied = Apply("numpy.copy", (part,), spelling="method:copy")
        if minus:
            copied = Apply("numpy.negative", (copied,), spelling="operator")
        return replace(let, value=replace(value, args=(*value.args[:at], copied)))

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
        here = own | {id(let) for let in group.before + group.behind}
        for let in origin.values():
            if all(id(part) in here for part in self.parts[id(let)]):
                own.add(id(let))
        kept = {
            item.of
            for item in group.items
            if item.of in rest | self.lengths.needed
            or self.readers.get(item.of, set()) - own
        }
        yield from self.writer.written(group, kept)


def _named(token: Let, let: Let) -> bool:
    """Whether a statement is an operand's, which may be a nest of its own."""
    return token.var != let.var and token.value.op not in ("numpy.zeros", ZEROS)


def _reader(stmt: Stmt) -> object:
    return id(stmt) if isinstance(stmt, Let) else "other"
