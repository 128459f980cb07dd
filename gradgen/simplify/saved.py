"""What the backward half of a loop or branch reads of the forward half.

Before this pass a loop of the gradient reads the variables of the primal's loop
as if each round were still there. After it, it reads lists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Merge,
    Note,
    Origin,
    Ref,
    Role,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import getitem
from gradgen.ir.sharing import Sharing, changes
from gradgen.ir.walk import defined, reads_of, subexpressions, substitute
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.simplify.again import Again
from gradgen.simplify.chosen import chosen, with_numbers
from gradgen.simplify.gathered import callbacks_in, other_callback
from gradgen.simplify.invariants import invariants
from gradgen.simplify.lists import KEPT, Lists
from gradgen.simplify.read_back import apart, ending, named_in, often_read, read_of
from gradgen.simplify.read_back import with_values
from gradgen.simplify.records import records
from gradgen.simplify.rerun import Rerun
from gradgen.simplify.segments import divided, is_divisible, length, once_more
from gradgen.simplify.witnesses import without_shape_reads
from gradgen.simplify.wording import in_words, is_step, name_of


def saved(
    function: Function, facts: Facts, supply: Supply, save: str = "values"
) -> Function:
    """The function with lists of the values that its reversed loops read.

        before:  for t in reversed(range(T)):
                     d_wh = d_h * (1 - h_new**2)
                     d_w += d_wh * h
        after:   for t in reversed(range(T)):
                     d_wh = d_h * (1 - hs[t + 1] ** 2)
                     d_w += d_wh * hs[t]

    A value is computed again where that is cheap: a loop's index, a part of an
    argument, one operation on numbers. Others are kept in a list, one entry for
    each round; of an array that is changed later, a copy. With save "state" the
    elementwise statements of a round run again in the reversed one, from what
    entered the round.
    """
    return _Saving(function, facts, supply, save).done()


class _Saving:
    def __init__(
        self, function: Function, facts: Facts, supply: Supply, save: str
    ) -> None:
        self.function, self.facts, self.supply = function, facts, supply
        self.save, self.around = save, 0
        self.forward = [s for s in function.body if s.note.role is not Role.GRAD]
        self.gradient = [s for s in function.body if s.note.role is Role.GRAD]
        self.sharing = Sharing(self.forward)
        self.callbacks: set[Var] = set()
        # what an array that a loop fills keeps for the way back
        self.records: dict[Var, Expr] = {}

    def done(self) -> Function:
        """The function with its two halves independent."""
        if all(isinstance(stmt, Let) for stmt in self.gradient):
            return self.function
        if self.save == "values":
            self.records = records(self.forward, self.sharing, self.facts)
        forward, gradient = self._level(self.forward, self.gradient)
        return replace(self.function, body=(*forward, *gradient))

    def _level(
        self, forward: Iterable[Stmt], gradient: Iterable[Stmt]
    ) -> tuple[list[Stmt], list[Stmt]]:
        """One block of the primal, and the block that goes through it backwards."""
        forward, gradient = list(forward), list(gradient)
        for at, stmt in enumerate(gradient):
            if isinstance(stmt, Let):
                continue
            mirrored = (i for i, s in enumerate(forward) if _mirrors(stmt, s))
            where = next(mirrored, None)
            if where is None:
                continue  # the gradient reads nothing of it
            source = forward[where]
            if isinstance(stmt, Branch):
                assert isinstance(source, Branch)
                forward[where], gradient[at] = self._branch(source, stmt)
            else:
                assert isinstance(stmt, Loop) and isinstance(source, Loop)
                before, forward[where], gradient[at] = self._loop(source, stmt)
                forward[where:where] = before
        return forward, gradient

    def _branch(self, source: Branch, back: Branch) -> tuple[Branch, Branch]:
        """A branch whose arms' values are explicit results where they are read."""
        arms, backs = [], []
        merges = list(source.merges)
        first = len(merges)
        pairs = ((source.then, back.then), (source.orelse, back.orelse))
        for side, pair in enumerate(pairs):
            forward, gradient = self._level(*pair)
            own = {var for stmt in forward for var in defined(stmt)}
            again = Again(own, forward, self.sharing, self.facts)
            values: dict[Var, Expr] = {}
            free = merges[first:] if side else []  # results of the first arm alone
            gradient = ending(gradient, [(m.then, m.orelse)[side] for m in back.merges])
            for var in read_of(gradient, own):
                known = _result(var, side, merges) or again.cheap(var)
                known = known or self.records.get(var)
                values[var] = known or self._merged(var, side, merges, forward, free)
            arms.append(tuple(forward))
            named = named_in(gradient) | often_read(gradient, values)
            bases = [v for v, e in values.items() if v in named and type(e) is Apply]
            backs.append(apart(self._in_lines(gradient, values, forward, bases)))
        source = replace(source, then=arms[0], orelse=arms[1], merges=tuple(merges))
        (then, thens), (orelse, others) = backs
        ways = zip(back.merges, thens, others, strict=True)
        left = tuple(Merge(merge.var, *ends) for merge, *ends in ways)
        return source, replace(back, then=then, orelse=orelse, merges=left)

    def _merged(
        self,
        var: Var,
        side: int,
        merges: list[Merge],
        arm: list[Stmt],
        free: list[Merge],
    ) -> Expr:
        """A result of a branch: the arm's variable, where the arm is taken.

        What the arm changes later is copied there. Where the other arm has left
        one of the same name and kind, in `free`, the two are one result.
        """
        self.callbacks |= callbacks_in(arm)
        if var in self.callbacks:
            shared = other_callback(var, side, merges, self.callbacks)
            if shared is not None:
                return shared
        twin = next((one for one in free if self._alike(one.var, var)), None)
        if twin is not None:
            free.remove(twin)
            merges.remove(twin)
            result, ways = twin.var, [twin.then, twin.orelse]
        else:
            result = self.supply.var(var.name, _named(var))
            self._like(result, var)
            ways = [Const(None), Const(None)]
        ways[side] = Ref(var)
        copied = self.copied(Ref(var), var, arm)
        if copied != Ref(var):
            kept = self.supply.var(var.name, _named(var))
            self._like(kept, var)
            at = next(i for i, stmt in enumerate(arm) if var in defined(stmt))
            arm.insert(at + 1, Let(kept, copied, KEPT))
            ways[side] = Ref(kept)
        if var in self.callbacks:
            self.callbacks.add(result)
        merges.append(Merge(result, *ways))
        return Ref(result)

    def copied(self, value: Expr, var: Var, block: Sequence[Stmt] = ()) -> Expr:
        """The value, copied where its memory is changed after the block defines it."""
        rank = self.facts.rank(Ref(var))
        if isinstance(value, Const) or rank == 0 or not self.sharing.is_changed(var):
            return value
        if value == Ref(var) and self.sharing.is_settled(var, block):
            return value
        parts = [getitem(value, i) for i in range(self.facts.several(Ref(var)))]
        if parts:  # U, S, Vt = np.linalg.svd(a) is no array
            return Apply("tuple", tuple(map(_method_copy, parts)))
        may_be_none = var in self.facts.unset
        if self.facts.is_list(value):
            return _method_copy(value)
        if self.facts.kinds[var] is Kind.MIXED and not may_be_none:
            # A Python number stays one: np.copy would make float64 of it.
            return Apply("numpy.positive", (value,), spelling="operator")
        if rank is None or may_be_none:  # np.copy(None) is an array, and not None
            return Apply("helper._copied" if may_be_none else "numpy.copy", (value,))
        return _method_copy(value)

    def _alike(self, one: Var, other: Var) -> bool:
        """Whether two arrays or numbers have one name, one shape and one kind."""
        facts = self.facts
        if self.callbacks & {one, other} or {one, other} & facts.unset:
            return False
        return (
            not (facts.is_list(Ref(one)) or facts.is_list(Ref(other)))
            and (one.name, one.origin) == (other.name, _named(other))
            and facts.shapes[one] == facts.shapes[other]
            and facts.kinds[one] == facts.kinds[other]
            and facts.is_complex(Ref(one)) == facts.is_complex(Ref(other))
        )

    def _like(self, new: Var, old: Var) -> None:
        self.facts.shapes[new] = self.facts.shapes[old]
        self.facts.kinds[new] = self.facts.kinds[old]
        if old in self.facts.complexes:
            self.facts.complexes.add(new)

    def _loop(self, source: Loop, back: Loop) -> tuple[list[Stmt], Loop, Loop]:
        """A loop that keeps what its reverse reads, after the lists it keeps it in."""
        if self.save == "state" and not self.around and is_divisible(source):
            found = self._segmented(source, back)
            if found is not None:
                return found
        self.around += 1
        body, gradient = self._level(source.body, back.body)
        self.around -= 1
        return self._kept(source, back, body, gradient)

    def _segmented(
        self, source: Loop, back: Loop
    ) -> tuple[list[Stmt], Loop, Loop] | None:
        """A loop that keeps what a segment of its rounds starts from.

        The reversed loop runs the rounds of one segment again, and keeps of them
        what it reads. None where that costs more than elementwise operations, or
        nothing is to be kept.
        """
        supply, facts = self.supply, self.facts
        own = {var for stmt in source.body for var in defined(stmt)}
        again = Again(own, source.body, self.sharing, facts)
        if not Rerun(again, (), facts, supply).is_cheap(source.body):
            return None
        every = length(source, supply, facts)
        outer, part = divided(source, every.var, supply, facts)
        outer_back, part_back = divided(back, every.var, supply, facts)
        of_part = _Saving(self.function, facts, supply, "values")
        lists, kept, part_back = of_part._loop(part, part_back)
        if not lists:
            return None
        run, values = once_more((*lists, kept), supply, facts)
        gradient = [*run, *with_values([part_back], values)]
        before, loop, back = self._kept(outer, outer_back, [part], gradient)
        return [every, *before], loop, back

    def _kept(
        self, source: Loop, back: Loop, body: list[Stmt], gradient: Iterable[Stmt]
    ) -> tuple[list[Stmt], Loop, Loop]:
        """The loop and its reverse, given their bodies, and the lists between them."""
        own = {source.index, *(slot.inner for slot in source.carried)}
        own |= {var for stmt in body for var in defined(stmt)}
        again = Again(own, body, self.sharing, self.facts)
        again.values[source.index] = Ref(back.index)
        again.alike = [
            slot.exit
            for slot in source.carried
            if slot.exit not in self.facts.unset
            and not self.facts.is_list(Ref(slot.exit))
            and self.facts.rank(Ref(slot.exit))
        ]
        gradient = without_shape_reads(gradient, source, back, again, self.facts)
        gradient = ending(gradient, [slot.next for slot in back.carried])
        wanted = list(read_of(gradient, own))
        self._recorded(wanted, again, {source.index: Ref(back.index)})
        moved = invariants(wanted, again, body)
        body = [stmt for stmt in body if stmt not in moved]
        again.values |= {let.var: Ref(let.var) for let in moved}
        again.forget()
        inners = tuple(slot.inner for slot in source.carried)
        rerun = Rerun(again, inners, self.facts, self.supply)
        if self.save == "state":
            kept = rerun.kept(wanted)
        else:
            kept = with_numbers(chosen(again, wanted), again, wanted, gradient)
        lists = Lists(self, source, back, body)
        same = _equal(kept, again)
        kept = [var for var in kept if var not in same]
        for var in kept:
            again.values[var] = lists.entry(var, kept)
        again.values |= {var: again.values[other] for var, other in same.items()}
        again.forget()
        first, values = rerun.statements(kept)
        for var in wanted:
            if var not in values:
                found = again.cheap(var)
                assert found is not None  # what is not cheap is kept
                values[var] = found
        before, loop = lists.kept(tuple(body))
        inside, ends = apart(self._inside(gradient, values, body))
        pairs = zip(back.carried, ends, strict=True)
        carried = tuple(replace(slot, next=end) for slot, end in pairs)
        back = replace(back, body=(*first, *inside), carried=carried)
        return [*moved, *before], loop, back

    def _recorded(
        self, wanted: Iterable[Var], again: Again, indices: dict[Var, Expr]
    ) -> None:
        """Gives what a filled array keeps where nothing else is cheap."""
        found = [v for v in wanted if v in self.records and again.cheap(v) is None]
        for var in found:
            again.values[var] = substitute(self.records[var], indices)
        again.forget()

    def _inside(
        self, gradient: list[Stmt], values: dict[Var, Expr], body: list[Stmt]
    ) -> tuple[Stmt, ...]:
        """The reversed body: a value that is read more than once gets a line."""
        counted = Counter(var for stmt in gradient for var in reads_of(stmt))
        for value in values.values():
            for part in subexpressions(value):
                if part is not value:
                    counted.update(v for v, other in values.items() if part == other)
        facts, named = self.facts, named_in(gradient)
        often = [
            v
            for v, e in values.items()
            if counted[v] > 1
            and _is_work(v, e, facts)
            or v in named
            and isinstance(e, Apply)
        ]
        return self._in_lines(gradient, values, body, often)

    def _in_lines(
        self,
        gradient: list[Stmt],
        values: dict[Var, Expr],
        body: list[Stmt],
        often: list[Var],
    ) -> tuple[Stmt, ...]:
        """The block with lines for the values of these variables."""
        # What is only taken from a list comes first: others are computed from it.
        often.sort(key=lambda var: values[var].op != "getitem")
        first: list[Stmt] = []
        lines: dict[Expr, Expr] = {}
        for var in often:
            if values[var] in lines:
                continue
            value = in_words(values[var], lines)
            origin = Origin.USER if var.origin is Origin.USER else Origin.LOCAL
            again = self.supply.var(name_of(var, body, self.facts), origin)
            self._like(again, var)
            first.append(Let(again, value, Note(Role.GRAD)))
            lines[values[var]] = Ref(again)
        values = {var: in_words(value, lines) for var, value in values.items()}
        return (*first, *with_values(gradient, values))


def _equal(kept: list[Var], again: Again) -> dict[Var, Var]:
    """The variables that have the value of another by the same computation."""
    first: dict[Expr, Var] = {}
    same: dict[Var, Var] = {}
    for var in kept:
        let = again.lets.get(var)
        if let is not None and isinstance(let.value, Apply):
            other = first.setdefault(let.value, var)
            if other != var and not changes(let):
                same[var] = other
    return same


def _result(var: Var, side: int, merges: list[Merge]) -> Expr | None:
    """The result of a branch that is the arm's variable."""
    for merge in merges:
        if (merge.then, merge.orelse)[side] == Ref(var):
            return Ref(merge.var)
    return None


def _mirrors(back: Stmt, source: Stmt) -> bool:
    if isinstance(back, Branch | Loop) and isinstance(source, Branch | Loop):
        return type(back) is type(source) and back.mark == source.mark
    return False


def _is_work(var: Var, value: Expr, facts: Facts) -> bool:
    """Whether a value is more than a name, or a place that is a step away: i + k."""
    if not isinstance(value, Apply):
        return False
    steps = var.origin is Origin.TEMP and is_step(value)
    return not (steps and facts.is_index(Ref(var)))


def _named(var: Var) -> Origin:
    return var.origin if var.origin in (Origin.USER, Origin.TEMP) else Origin.USER


def _method_copy(value: Expr) -> Apply:
    return Apply("numpy.copy", (value,), spelling="method:copy")
