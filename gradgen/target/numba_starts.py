"""Numbers that become arrays in a loop begin as arrays: numba has one type a name."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from typing import NoReturn

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Branch, Carried, Const, Effect, Expr, Function
from gradgen.ir.nodes import Let, Loop, Merge, Note, Ref, Stmt, Supply, Var
from gradgen.ir.walk import lets, own_expressions, reads, statements, static
from gradgen.ir.walk import uses, with_blocks
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.target.numba_lengths import Lengths
from gradgen.target.numba_tokens import learned

# whose result has the whole shape where the other operand has it
STRETCHING = ("numpy.add", "numpy.subtract")


def starts(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function with a total of arrays that begins as an array.

    before:  total = 0.0
             for i in range(len(A)):
    after:   if len(A) < 1:
                 raise ValueError("total is a number where the loop has no round")
             total = np.zeros(A.shape[1], A.dtype)
             for i in range(len(A)):

    So where each round adds an array: numba would give total two types. A number that
    may stay one, or that something else of the loop reads, is refused.
    """
    found = _Starts(function, learned(function, facts), supply)
    body = tuple(found.block(function.body))
    if body == function.body:
        return function
    function = replace(function, body=body)
    return replace(function, body=_without(body, found.filled - uses(function).keys()))


class _Starts:
    def __init__(self, function: Function, facts: Facts, supply: Supply):
        self.facts, self.supply = facts, supply
        self.lengths = Lengths(function, facts)
        self.numbers = {
            let.var: let.value
            for let in lets(function.body)
            if isinstance(let.value, Const)
        }
        # what arms and rounds hand on as a variable
        self.joined: dict[Var, tuple[Expr, ...]] = {}
        for stmt in statements(function.body):
            if isinstance(stmt, Branch):
                self.joined |= {one.var: (one.then, one.orelse) for one in stmt.merges}
            elif isinstance(stmt, Loop):
                for each in stmt.carried:
                    self.joined |= {each.inner: (each.entry, each.next)}
                    self.joined |= {each.exit: (each.entry, each.next)}
        # the numbers that stand in what is made
        self.filled: set[Var] = set()
        self.like = [
            one
            for one, _ in self.lengths.params
            if facts.kinds.get(one) is Kind.LIKE and not facts.is_complex(Ref(one))
        ]

    def block(self, body: Iterable[Stmt]) -> Iterator[Stmt]:
        for stmt in body:
            if isinstance(stmt, Branch):
                for merge in stmt.merges:
                    self._agreed(merge, stmt)
                then, orelse = self.block(stmt.then), self.block(stmt.orelse)
                stmt = replace(stmt, then=tuple(then), orelse=tuple(orelse))
            elif isinstance(stmt, Loop):
                stmt = replace(stmt, body=tuple(self.block(stmt.body)))
                carried = []
                for one in stmt.carried:
                    if self._becomes_an_array(one):
                        entry = yield from self._made(one, stmt)
                        one = replace(one, entry=entry)
                    elif self._becomes_a_number(one):
                        one = replace(one, next=self._zeros(one, stmt))
                    carried.append(one)
                stmt = replace(stmt, carried=tuple(carried))
            yield stmt

    def _agreed(self, merge: Merge, stmt: Branch) -> None:
        if Const(None) in (merge.then, merge.orelse):
            return  # it has no value there
        ranks = self.facts.rank(merge.then), self.facts.rank(merge.orelse)
        if None not in ranks and ranks[0] != ranks[1] and 0 in ranks:
            _fail(
                f"{merge.var.name} is a number in one arm, an array in the other", stmt
            )

    def _becomes_an_array(self, one: Carried) -> bool:
        if one.entry == Const(None):
            return False  # it has no value yet, and no type
        return self.facts.rank(one.entry) == 0 and bool(self.facts.rank(one.next))

    def _becomes_a_number(self, one: Carried) -> bool:
        if Const(None) in (one.entry, one.next):
            return False
        return self.facts.rank(one.next) == 0 and bool(self._rank(one.entry))

    def _rank(self, value: Expr, seen: frozenset[Var] = frozenset()) -> int:
        """The highest rank of what a value may come from, through arms and rounds."""
        known = self.facts.rank(value)
        if known is not None or not isinstance(value, Ref) or value.var in seen:
            return known or 0
        seen |= {value.var}
        sources = self.joined.get(value.var, ())
        return max((self._rank(one, seen) for one in sources), default=0)

    def _zeros(self, one: Carried, loop: Loop) -> Expr:
        """What a round hands on that has used an adjoint up: zeros, and no 0.0."""
        number = one.next
        if isinstance(number, Ref):
            number = self.numbers.get(number.var, number)
        if not isinstance(number, Const) or number.value != 0:
            name = one.exit.name
            _fail(f"{name} is an array before the loop, and a number in it", loop)
        sizes = None if one.exit.of is None else self._sizes(Ref(one.exit.of))
        if sizes is None or not self.like:
            return Apply("numpy.zeros_like", (Ref(one.inner),))
        return Apply("numpy.zeros", (_shape(sizes), self._dtype()))

    def _made(self, one: Carried, loop: Loop) -> Generator[Stmt, None, Expr]:
        """np.zeros(...) as a statement before the loop, with its check."""
        name = one.exit.name
        if loop.over is None or loop.test is not None:
            _fail(f"{name} is a number before the while loop, and an array in it", loop)
        sizes = self._sizes(one.next)
        if sizes is None or not self.like or not self._is_stretched(one, loop):
            _fail(f"{name} is a number before the loop, and an array in it", loop)
        note = replace(loop.note, lines=())
        yield self._checked(name, loop, note)
        shape, dtype = _shape(sizes), self._dtype()
        made = Apply("numpy.zeros", (shape, dtype))
        entry = one.entry
        if isinstance(entry, Ref) and entry.var in self.numbers:
            self.filled.add(entry.var)
            entry = self.numbers[entry.var]
        if not isinstance(entry, Const) or entry.value != 0:
            made = Apply("numpy.full", (shape, entry, dtype))
        var = self.supply.var(name, one.exit.origin, one.exit.of, one.exit.order)
        yield Let(var, made, note)
        return Ref(var)

    def _dtype(self) -> Expr:
        return Apply("dtype", (Ref(self.like[0]),), spelling="attribute:dtype")

    def _sizes(self, value: Expr) -> list[Expr] | None:
        """The lengths of the axes in the arguments' lengths; None where unknown."""
        dims = self.facts.of(value).dims
        if dims is None:
            return None
        found = [self.lengths.of_params(dim) for dim in dims]
        known = [size for size in found if size is not None]
        return known if len(known) == len(found) else None

    def _is_stretched(self, one: Carried, loop: Loop) -> bool:
        """Whether only x + y reads the number x, and y has the whole shape."""
        readers = [
            (stmt, expr)
            for stmt in statements(loop.body)
            for expr in own_expressions(stmt)
            if one.inner in reads(expr)
        ]
        if len(readers) != 1 or not isinstance(readers[0][0], Let):
            return False
        value, whole = readers[0][1], self.facts.of(one.next)
        if not isinstance(value, Apply) or value.op not in STRETCHING:
            return False
        others = [arg for arg in value.args if arg != Ref(one.inner)]
        return len(others) == 1 and self.facts.of(others[0]) == whole

    def _checked(self, name: str, loop: Loop, note: Note) -> Stmt:
        assert isinstance(loop.over, Apply)
        start, stop, step = loop.over.args
        try:
            is_down = static(step) < 0
        except ValueError:
            _fail(f"{name} is a number before the loop, and an array in it", loop)
        ends = (start, stop) if is_down else (stop, start)
        test = Apply("numpy.less_equal", ends, spelling="operator")
        if not is_down and start == Const(0):
            test = Apply("numpy.less", (stop, Const(1)), spelling="operator")
        said = Const(f"{name} is a number where the loop has no round")
        fail = Effect(Apply("raise", (Const(ValueError, "ValueError"), said)), note)
        return Branch(test, (fail,), (), (), note)


def _shape(sizes: list[Expr]) -> Expr:
    return sizes[0] if len(sizes) == 1 else Apply("tuple", tuple(sizes))


def _without(body: Iterable[Stmt], gone: set[Var]) -> tuple[Stmt, ...]:
    """The statements without those of numbers that nothing reads any more."""
    kept = (s for s in body if not isinstance(s, Let) or s.var not in gone)
    return tuple(with_blocks(s, lambda inside: _without(inside, gone)) for s in kept)


def _fail(what: str, stmt: Stmt) -> NoReturn:
    raise GradgenError(
        "GG713",
        f"{what}, and numba gives each name one type",
        advice="np.zeros of the array's shape in place of the number",
    ).at(stmt.note.place)
