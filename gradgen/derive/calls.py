"""Calls that stay calls: the value comes with a callback, which the reverse half calls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gradgen.derive.activity import active
from gradgen.derive.sums import Part
from gradgen.errors import GradgenError
from gradgen.ir.callee import Callee, Link, Slot, callee_of, read_by_call
from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Line,
    Note,
    Origin,
    Ref,
    Role,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import call, getitem
from gradgen.ir.sharing import Sharing
from gradgen.ir.walk import with_blocks
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR, Shape

if TYPE_CHECKING:
    from gradgen.derive.adjoints import Block

# The name that the text gives the function behind a link.
Naming = Callable[[Link], str]


def is_call(let: Let) -> bool:
    """Whether a statement is a call of a function of the user's."""
    return isinstance(let.value, Apply) and let.value.op == "kept"


class Calls:
    """The calls of a primal, and what stands for them in the gradient."""

    def __init__(self, body: Iterable[Stmt], facts: Facts, supply: Supply) -> None:
        self.facts, self.supply = facts, supply
        self.sharing = Sharing(body)
        # of each call that the gradient goes back through: the callback, and the
        # places of the arguments that it gives gradients of
        self.callbacks: dict[Var, tuple[Var, tuple[int, ...]]] = {}
        # results that only the gradient reads, for their shape
        self.unread: dict[Var, dict[int, Var]] = defaultdict(dict)

    def reverse(
        self, block: Block, let: Let, cotangent: Expr, line: Line | None
    ) -> None:
        """Adds what a call contributes to the adjoints of its arguments.

        before:  y = kept(g, x, w)
        after:   d_x, d_w = backprop_g(d_y)
        """
        value = let.value
        assert isinstance(value, Apply)
        callee, args = callee_of(value), value.args[1:]
        active = {Ref(v) for v in read_by_call(value) if v in block.active}
        wrt = tuple(i for i, arg in enumerate(args) if arg in active)
        name = f"backprop_{callee.name}"
        callback = self.supply.var(name, Origin.TEMP)
        self._like(callback, SCALAR, Kind.OTHER)
        self.callbacks[let.var] = callback, wrt
        note = Note(Role.GRAD, (line,) if line else (), let.note.place)
        seeds = tuple(self._seeds(block, let, cotangent))
        kinds = [self.facts.kind(arg) for arg in args]
        wide = any(kind in (Kind.WIDE, Kind.MIXED) for kind in kinds)
        wide = wide or self.facts.kinds[let.var] in (Kind.WIDE, Kind.MIXED)
        slots = []
        for i in wrt:
            kind = Kind.WIDE if wide else kinds[i]
            slots.append(Slot(self.facts.of(args[i]), kind))
        slot = slots[0]
        if len(wrt) > 1:
            slot = Slot(self.facts.fresh(), Kind.OTHER, len(wrt))
        pulled = Apply("pulled", (Const(slot), Ref(callback), *seeds))
        if len(wrt) == 1:
            one = self._as_number(pulled, callee, wrt[0], args)
            block.parts[args[wrt[0]].var].append(Part(one, None, line, note.place))
            return
        every = self.supply.var(f"d_{callee.name}", Origin.LOCAL)
        block.body.append(Let(every, pulled, note))
        for n, i in enumerate(wrt):
            of = args[i].var
            part = Apply("share", (Ref(every), Const(n), Const(slots[n])))
            adjoint = self.supply.var(f"d_{of.name}", Origin.ADJOINT, of, of.order + 1)
            block.body.append(Let(adjoint, part, note))
            one = self._as_number(Ref(adjoint), callee, i, args)
            block.parts[of].append(Part(one, None, line, note.place))

    def _as_number(self, value: Expr, callee: Callee, place: int, args: Any) -> Expr:
        """A gradient of a number; a function for arrays makes an array of it."""
        told = callee.texts[place] is not None
        param = next(
            p.var for p in callee.body.params if p.var.name == callee.params[place]
        )
        if told or callee.facts.shapes[param].rank == 0:
            return value
        return getitem(value, ()) if self.facts.rank(args[place]) == 0 else value

    def _seeds(self, block: Block, let: Let, cotangent: Expr) -> Iterator[Expr]:
        if let.var not in block.items:
            yield Apply("real", (cotangent, Ref(let.var)))
            return
        for i, seed in enumerate(cotangent.args):
            result = block.items[let.var][i]
            if seed != Const(0):
                yield Apply("real", (seed, result))
            elif self.facts.rank(result) == 0:
                yield Const(0.0)
            elif isinstance(result, Ref):
                yield call("numpy.zeros_like", result)
            else:
                unread = self.supply.var(f"{let.var.name}_{i}", Origin.TEMP)
                self._like(unread, self.facts.of(result), self.facts.kind(result))
                self.unread[let.var][i] = unread
                yield call("numpy.zeros_like", Ref(unread))

    def _like(self, var: Var, shape: Shape, kind: Kind) -> None:
        self.facts.shapes[var], self.facts.kinds[var] = shape, kind

    def written(self, primal: Function, name_of: Naming) -> Function:
        """The primal with its calls as those of functions that give a callback.

        before:  y = kept(g, x)
        after:   y, backprop_g = vjp_g(x)

        What is changed in place afterwards is copied: the callback reads its
        arguments, and perhaps the value, when it runs.
        """
        return replace(primal, body=tuple(self._block(primal.body, name_of)))

    def _block(self, body: Iterable[Stmt], name_of: Naming) -> Iterator[Stmt]:
        body = tuple(body)
        for at, stmt in enumerate(body):
            if isinstance(stmt, Let) and is_call(stmt):
                yield from self._call(stmt, body[at + 1 :], name_of)
            elif not _is_leaf(stmt, body[:at]):
                yield with_blocks(stmt, lambda b: self._block(b, name_of))

    def _call(self, let: Let, rest: tuple[Stmt, ...], name_of: Naming) -> Iterator[Let]:
        value = let.value
        assert isinstance(value, Apply)
        callee = callee_of(value)
        callback, wrt = self.callbacks.get(let.var, (None, ()))
        link = Link(callee, wrt or _some(callee))
        whole = self.supply.var(callee.name, Origin.LOCAL)
        self._like(whole, self.facts.fresh(), Kind.OTHER)
        args = value.args[1:]
        if callback is not None:
            args = tuple(map(self._unchanged, args))
        plain, named = _handed_over(callee, args)
        made = Apply("vjp", (Const(link, name_of(link)), *plain), named)
        yield Let(whole, made, let.note)
        found = [(0, let)]
        if _has_several(let):
            taken = (s for s in rest if _is_leaf(s, (let,)))
            found = [(s.value.args[1].value, s) for s in taken if isinstance(s, Let)]
            more = self.unread[let.var].items()
            found += [(i, Let(var, let.value, let.note)) for i, var in more]
        copies = []
        for place, leaf in found:
            var = leaf.var
            slot = Slot(self.facts.shapes[var], self.facts.kinds[var])
            part = Apply("part", (Ref(whole), Const(place), Const(slot)))
            if callback is not None and self._is_changed(var):
                first = self.supply.var(var.name, Origin.LOCAL)
                self._like(first, slot.shape, slot.kind)
                copied = _copy(Ref(first), self.facts.rank(Ref(var)))
                copies.append(Let(var, copied, leaf.note))
                var = first
            yield Let(var, part, leaf.note)
        if callback is not None:
            last = Const(len(callee.outcomes))
            nothing = Slot(SCALAR, Kind.OTHER)
            part = Apply("part", (Ref(whole), last, Const(nothing)))
            yield Let(callback, part, let.note)
        yield from copies

    def _unchanged(self, arg: Expr) -> Expr:
        if isinstance(arg, Ref) and self._is_changed(arg.var):
            return _copy(arg, self.facts.rank(arg))
        return arg

    def _is_changed(self, var: Var) -> bool:
        return self.facts.rank(Ref(var)) != 0 and self.sharing.is_changed(var)


def _handed_over(
    callee: Callee, args: tuple[Expr, ...]
) -> tuple[tuple[Expr, ...], tuple[tuple[str, Expr], ...]]:
    """The arguments of a call by position and by name, without those left to defaults.

    before:  g(x, 10.0, n)        # def g(x, rate=10.0, n=3)
    after:   g(x, n=n)
    """
    plain: list[Expr] = []
    named: list[tuple[str, Expr]] = []
    is_gap = False
    for name, arg in zip(callee.params, args, strict=True):
        if _is_default(callee, name, arg):
            is_gap = True
        elif is_gap or name in callee.by_keyword:
            named.append((name, arg))
        else:
            plain.append(arg)
    return tuple(plain), tuple(named)


def _is_default(callee: Callee, name: str, arg: Expr) -> bool:
    """Whether an argument is the number that a function has for it by default."""
    defaults = callee.source.defaults
    if not isinstance(arg, Const) or arg.text or name not in defaults:
        return False
    value, known = arg.value, defaults[name]
    return type(value) is type(known) is not bool and repr(value) == repr(known)


def _copy(value: Expr, rank: int | None) -> Apply:
    spelling = "" if rank is None else "method:copy"
    return Apply("numpy.copy", (value,), spelling=spelling)


def _some(callee: Callee) -> tuple[int, ...]:
    """An argument that a gradient may be asked for, where nobody asks for one.

    Not one that is a length, if there is another: f(n, x) with np.zeros(n) in it.
    """
    places = [i for i, text in enumerate(callee.texts) if (text or "")[:1] != ":"]
    params = {param.var.name: param.var for param in callee.body.params}
    for place in places:
        try:
            active(callee.body, (params[callee.params[place]],), frozenset())
        except GradgenError:
            continue
        return (place,)
    return (places[0],)


def _has_several(let: Let) -> bool:
    value = let.value
    if not isinstance(value, Apply) or value.op != "kept":
        return False
    return len(callee_of(value).outcomes) > 1


def _is_leaf(stmt: Stmt, before: tuple[Stmt, ...]) -> bool:
    """Whether a statement takes one of several results of a call before it."""
    value = stmt.value if isinstance(stmt, Let) else None
    if not isinstance(value, Apply) or value.op != "getitem":
        return False
    calls = {let.var for let in before if isinstance(let, Let) and _has_several(let)}
    return isinstance(value.args[0], Ref) and value.args[0].var in calls
