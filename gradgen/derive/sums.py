"""Contributions to an adjoint, and the sum that they become."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import field, replace
from typing import TYPE_CHECKING

from gradgen.frozen import dataclass
from gradgen.ir.depth import DEEPEST
from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Let,
    Line,
    Note,
    Origin,
    Place,
    Ref,
    Role,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import LISTS, STORES, add, call, getitem
from gradgen.ir.walk import substitute
from gradgen.shapes.apart import apart
from gradgen.shapes.indexing import names_places_once
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import equal

if TYPE_CHECKING:
    from gradgen.derive.calls import Calls


@dataclass(frozen=True)
class Part:
    """One contribution: what, where in the variable (None: all), from which line.

    A running part is the variable's adjoint so far, to which others are added.
    """

    value: Expr
    key: Expr | None = None
    line: Line | None = None
    place: Place | None = None
    running: bool = False


@dataclass(frozen=True)
class Walk:
    """What the walks through all blocks of a function share."""

    facts: Facts
    supply: Supply
    active: frozenset[Var]
    # of an operation with several results: its users' names for them
    items: dict[Var, list[Expr]]
    calls: Calls
    # what the shared values of rules stand for
    meant: dict[Var, Expr] = field(default_factory=dict)


# So many terms stand in one line; a longer sum goes on from what has been summed.
TERMS = DEEPEST // 2


class Sums:
    """The contributions to the adjoints of a block's variables, and their sums."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.facts, self.supply = walk.facts, walk.supply
        self.parts: dict[Var, list[Part]] = defaultdict(list)
        self.body: list[Stmt] = []

    def add(self, var: Var, value: Expr, lines: tuple[Line, ...] = ()) -> None:
        """Adds a contribution to a variable's adjoint."""
        if self.facts.complexes:
            value = self.flowing(var, value)
        self.parts[var].append(Part(value, None, lines[0] if lines else None))

    def flowing(self, var: Var, value: Expr) -> Expr:
        """What flows to a variable: to a real one, the real part of it."""
        if self.facts.is_complex(Ref(var)) or self.facts.is_list(Ref(var)):
            return value
        if isinstance(value, Apply) and value.op in STORES:
            return value  # the adjoint of an array of the same sort
        if isinstance(value, Apply) and value.op == "unbroadcast":
            part = Apply("realpart", value.args[:1])
            return replace(value, args=(part, *value.args[1:]))
        return Apply("realpart", (value,))

    def host(self, value: Expr, var: Var, note: Note) -> Expr:
        """An adjoint so far that takes what is added in place, complex parts too."""
        if not self.facts.is_complex(Ref(var)) or self.facts.is_list(Ref(var)):
            return value
        if var in self.facts.unset:
            return value  # nothing is added to it in place
        adjoint = self.new(var)
        self.body.append(Let(adjoint, Apply("hosting", (value, Ref(var))), note))
        return Ref(adjoint)

    def go_on(self, var: Var, value: Expr, lines: tuple[Line, ...] = ()) -> None:
        """Takes over a variable's adjoint so far, to be added to."""
        line = lines[0] if lines else None
        self.parts[var].insert(0, Part(value, None, line, None, running=True))

    def collapsed(self, var: Var) -> Expr | None:
        """The contributions to a variable so far, as one array of its shape.

        Where the variable may have no value here, it is one as far as others are alike.
        """
        parts = self.parts.pop(var, None)
        if not parts:
            return None
        if len(parts) == 1 and parts[0].running:
            return parts[0].value
        total = self.total(var, parts)
        unset = var in self.facts.unset and not self.facts.is_list(Ref(var))
        return self.in_full(total, var, "real_as_others" if unset else "")

    def in_full(self, value: Expr, var: Var, word: str = "") -> Expr:
        """An adjoint with the full shape of its variable, under a name."""
        last = self.body[-1].note if self.body else Note(Role.GRAD)
        adjoint = self.new(var)
        real = value
        if isinstance(value, Ref) or value == Const(0):
            plain = "hosting" if self.facts.is_complex(Ref(var)) else "real"
            real = Apply(word or plain, (value, Ref(var)))
        self.body.append(Let(adjoint, real, last))
        return Ref(adjoint)

    def in_array(self, value: Expr, var: Var) -> Expr:
        """An adjoint that has no axes, as an array, under a name."""
        adjoint = self.new(var)
        made = Apply("full", (Ref(var), value))
        self.body.append(Let(adjoint, made, self.body[-1].note))
        return Ref(adjoint)

    def _placed(
        self, var: Var, total: Expr | None, keyed: list[Part], note: Note
    ) -> Expr:
        """The adjoints of a list, each part added to its entry."""
        total = total or self.zeros_of(var)
        for part in keyed:
            current = self.new(var)
            self.body.append(Let(current, total, note))
            key = part.key
            assert key is not None
            entry: Expr = getitem(Ref(current), key)
            inner = self.facts.example(Ref(var))
            both: Expr = add(entry, part.value)
            if isinstance(key, Apply) and key.op == "slice":
                entry = Apply("sliced", (Ref(current), key))
                both = self.added_lists(entry, part.value, Ref(var))
            elif inner is not None:
                entry = Apply("item", (Ref(current), key))
                both = self.added_lists(entry, part.value, inner)
            total = Apply("setitem", (Ref(current), key, both))
        return total

    def zeros_of(self, var: Var) -> Expr:
        """A list of zeros like the entries of a list."""
        return Apply("zeros_of", (Ref(var), Const(self.facts.depth(Ref(var)))))

    def of_lists(self, var: Var, value: Expr) -> Expr:
        """A contribution to a list: slices of adjoints, and how deep lists are."""
        if not self.facts.is_list(Ref(var)) or not isinstance(value, Apply):
            return value
        if value.op == "entries":
            return Apply("entries", (*value.args, Const(self.facts.depth(Ref(var)))))
        if value.op == "put" and getattr(value.args[2], "op", "") == "zeros_before":
            return replace(value, args=(*value.args[:2], self._before(var, value)))
        depth = self.facts.depth(Ref(var)) - 1
        last = value.args[-1]
        if value.op == "append" and depth > 0 and isinstance(last, Apply):
            zeros = Apply("zeros_of", (last.args[0], Const(depth)))
            return replace(value, args=(value.args[0], zeros))
        return replace(value, op="sliced") if value.op == "getitem" else value

    def _before(self, var: Var, value: Apply) -> Expr:
        """Zeros like the entry of a list that another entry has taken the place of."""
        item, old = value.args[2].args
        depth = self.facts.depth(Ref(var)) - 1
        if depth > 0:
            return Apply("zeros_of", (old, Const(depth)))
        entries = self.facts.entries.get(var)
        if entries is not None and equal(entries, self.facts.of(item)):
            old = item
        if self.facts.rank(old) == 0:
            return Const(0.0)
        return call("numpy.zeros_like", old)

    def added_lists(self, a: Expr, b: Expr, like: Expr) -> Expr:
        """The sum of two lists of adjoints."""
        return Apply("added_lists", (a, b, Const(self.facts.depth(like))))

    def zero(self, var: Var) -> Expr:
        """The adjoint of a variable that nothing contributes to."""
        if self.facts.is_list(Ref(var)):
            return self.zeros_of(var)
        if self.facts.rank(Ref(var)) == 0 or var in self.facts.unset:
            return Const(0.0)
        return call("numpy.zeros_like", Ref(var))

    def total(self, var: Var, parts: list[Part]) -> Expr:
        lines = tuple(dict.fromkeys(part.line for part in parts if part.line))
        note = Note(Role.GRAD, lines, parts[0].place)
        running = next((part.value for part in parts if part.running), None)
        plain = [part.value for part in parts if part.key is None and not part.running]
        keyed = [part for part in parts if part.key is not None]
        for i, value in enumerate(plain):
            if isinstance(value, Apply) and (
                value.op in STORES or value.op in LISTS and len(parts) > 1
            ):
                cleared = self.new(var)
                self.body.append(Let(cleared, value, note))
                plain[i] = Ref(cleared)
                if running is None:
                    running = plain.pop(i)
                    break
        if running is not None and not plain and not keyed:
            return running
        total: Expr | None = None
        is_list = self.facts.is_list(Ref(var))
        if is_list and running is not None:
            plain, running = [running, *plain], None
        for i, value in enumerate(plain):
            if total is None:
                total = value
            elif is_list:
                total = self.added_lists(total, value, Ref(var))
            elif i % TERMS == 0:
                # Nothing becomes too deep: a long sum is one of sums.
                so_far = self.new(var)
                self.body.append(Let(so_far, total, note))
                total = add(Ref(so_far), value)
            else:
                total = add(total, value)
        if running is not None:
            if total is None:
                total = running
            else:
                running = self.host(running, var, note)
                complex = self.facts.is_complex(Ref(var))
                if complex and var in self.facts.unset:
                    total = add(running, total)  # a real one has no room for it
                else:
                    total = Apply("accumulate", (running, total))
        if keyed:
            total = self._scattered(var, total, keyed, note)
        assert total is not None  # of one part or more
        adjoint = self.new(var)
        self.body.append(Let(adjoint, total, note))
        return Ref(adjoint)

    def new(self, var: Var) -> Var:
        """A variable for the adjoint of another."""
        return self.supply.var(f"d_{var.name}", Origin.ADJOINT, var, var.order + 1)

    def _scattered(
        self, var: Var, total: Expr | None, keyed: list[Part], note: Note
    ) -> Expr:
        """An array of the variable's shape, and each part added into its place."""
        if self.facts.is_list(Ref(var)):
            return self._placed(var, total, keyed, note)
        if isinstance(total, Apply) and total.op == "accumulate":
            so_far = self.new(var)
            self.body.append(Let(so_far, total, note))
            total = Ref(so_far)
        if total is not None and self.facts.rank(Ref(var)) == 0:
            # sums and products of arrays of rank 0 are numbers: no place to store at
            stored = self.new(var)
            self.body.append(Let(stored, self._scattered(var, None, keyed, note), note))
            return add(total, Ref(stored))
        base = call("numpy.zeros_like", Ref(var))
        if total is not None:
            word = "hosting" if self.facts.is_complex(Ref(var)) else "real"
            base = Apply(word, (total, Ref(var)))
        current = self.new(var)
        self.body.append(Let(current, base, note))
        keys = [part.key for part in keyed if part.key is not None]
        taken = Taken(self.facts)
        for i, (place, part) in enumerate(zip(keys, keyed, strict=True)):
            key = substitute(place, self.walk.meant)
            unique = names_places_once(self.facts, key)
            op = "additem" if unique else "add_at"
            if unique and total is None and taken.is_apart(key):
                op = "setitem"  # there are zeros
            taken.add(key)
            value = part.value
            if isinstance(value, Apply) and value.op == "real":
                value = value.args[0]  # numpy stretches what is stored
            elif _is_stretched_part(value):
                value = replace(value, args=value.args[0].args[:1])
            made = Apply(op, (Ref(current), place, value))
            if i == len(keyed) - 1:
                return made
            current = self.new(var)
            self.body.append(Let(current, made, note))
        raise AssertionError("a scatter without parts")


class Taken:
    """The keys of an array that something has been stored at."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.numbers: set[int] = set()
        self.others: list[Expr] = []

    def add(self, key: Expr) -> None:
        """Notes one more key; entries that are told by a number are a set."""
        value = key.value if isinstance(key, Const) else None
        if type(value) is int and value >= 0:
            self.numbers.add(value)
        else:
            self.others.append(key)

    def is_apart(self, key: Expr) -> bool:
        """Whether a key surely shares no place with those before."""
        value = key.value if isinstance(key, Const) else None
        others: list[Expr] = list(self.others)
        if type(value) is not int or value < 0:
            others += map(Const, sorted(self.numbers))
        elif value in self.numbers:
            return False
        return all(apart(self.facts, key, other) for other in others)


def _is_stretched_part(value: Expr) -> bool:
    """Whether it is the real part of what numpy stretches anyway."""
    if not isinstance(value, Apply) or value.op != "realpart":
        return False
    inner = value.args[0]
    return isinstance(inner, Apply) and inner.op == "real"
