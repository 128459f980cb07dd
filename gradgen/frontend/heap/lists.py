"""Lists of the text's own, whose length is not known while emitting."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any, NoReturn

import gast

from gradgen.frontend.heap.changes import refuse_shared
from gradgen.frontend.heap.contents import contents, wish_of_list
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.heap.only_filled import is_no_entry, refuse_entry
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Home, is_structure, leaves
from gradgen.frontend.lowering.sharing import is_slice
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref, Var
from gradgen.ir.operators import getitem
from gradgen.ir.walk import static
from gradgen.shapes.kinds import Kind


def new_list(lowering: Lowering, items: Apply, name: str = "items") -> Ref:
    """A list object of these handles."""
    var = lowering.supply.var(name, Origin.USER)
    lowering.assume(var, lowering.facts.fresh(), Kind.OTHER)
    lowering.state.versions[var] = items
    return Ref(var)


def is_list_object(lowering: Lowering, handle: Ref) -> bool:
    """Whether an object is a list, of known length or not."""
    version = lowering.state.versions.get(handle.var)
    if isinstance(version, Apply):
        return version.op == "list"
    return lowering.memory.buffer(handle.var) in lowering.memory.lists


def refuse_gone_over(
    lowering: Lowering, handle: Ref, node: gast.AST, place: int | None = None
) -> None:
    """Refuses a change of a list that a loop is going over, or that is kept.

    An entry may get another value once the loop has been there: its place is given.
    """
    buffer = lowering.memory.buffer(handle.var)
    refuse_shared(lowering, buffer, node)
    if any(
        going.buffer == buffer
        and (place is None or going.later is None or place in going.later)
        for going in lowering.gone_over
    ):
        name = lowering.known_name(handle.var)
        lowering.fail(
            "GG249",
            f"{name} is changed while a loop goes over it",
            node,
            "another list for what is added",
        )


def _path(lowering: Lowering, handle: Ref) -> tuple[Any, ...]:
    return lowering.memory.home(handle.var).path


def is_a_list(lowering: Lowering, handle: Expr) -> bool:
    """Whether a handle is a list at all."""
    if isinstance(handle, Apply) and handle.op == "list":
        return True
    if not isinstance(handle, Ref):
        return False
    return is_list_object(lowering, handle) and not _path(lowering, handle)


def entry_of_list(
    lowering: Lowering, buffer: Var, handle: Expr, node: gast.AST
) -> Expr:
    """What goes into a list: a value, which the list may share memory with."""
    version = lowering.state.held(handle)
    if is_no_entry(lowering, handle):
        refuse_entry(lowering, handle, node)
    if isinstance(version, Apply) and version.op == "list":
        lowering.state.versions[handle.var] = lowering.as_dynamic(handle.var, version)
    alone = is_nowhere_else(lowering, handle)
    for leaf in leaves(handle):
        if isinstance(leaf, Ref):
            hold(lowering, buffer, leaf)
    if not alone:
        may_be_boxed(lowering, buffer, handle, node)
    return lowering.current(handle, node)


def hold(lowering: Lowering, buffer: Var, item: Ref) -> None:
    """Notes that a list holds an object, or what this may be."""
    known = lowering.state.versions.get(item.var)
    for leaf in leaves(known) if isinstance(known, Apply) else ():
        if isinstance(leaf, Ref):
            hold(lowering, item.var, leaf)
    lowering.memory.join(buffer, lowering.memory.reach(item.var))
    if not lowering.memory.home(item.var).is_sure:
        lowering.memory.unsure.add(buffer)
    source = lowering.memory.buffer(item.var)
    if is_list_object(lowering, item) or source in lowering.memory.links.twins:
        lowering.memory.links.hold(buffer, source)


def next_of_list(lowering: Lowering, handle: Ref, value: Apply, node: gast.AST) -> None:
    """Makes the result of a change the list's value."""
    buffer = lowering.memory.buffer(handle.var)
    old = value.args[0]
    name = lowering.known_name(old.var)
    new = lowering.emit(value, name, node, Origin.USER)
    lowering.memory.homes[new.var] = Home(buffer)
    lowering.state.versions[buffer] = new
    lowering.touch(buffer)


def store_entry(
    lowering: Lowering, target: Ref, key: Expr, value: Expr, node: gast.AST, op: str
) -> None:
    """x[i] = value, x[i] += value."""
    buffer = lowering.memory.buffer(target.var)
    place = lowering.current(key, node)
    if is_slice(place) and op == "setitem" and place.args[2] == Const(None):
        if is_a_list(lowering, value):
            return _store_part(lowering, target, place, value, node)
    if is_slice(place) or lowering.facts.rank(place) != 0:
        lowering.fail(
            "GG231",
            "storing into several places of a list is not supported",
            node,
            "a store for each, or an array",
        )
    old = lowering.current(target, node)
    inner = lowering.state.held(value)
    if isinstance(inner, Apply) or is_a_list(lowering, value):
        lowering.fail(
            "GG231",
            "storing a list into a list is not supported",
            node,
            "an array, or x = x[:i] + [y] + x[i + 1 :]",
        )
    if op != "setitem":
        before = lowering.bind(replace(getitem(target, key), spelling="operator"), node)
        return bump_entry(lowering, target, key, before, "numpy.add", value, node)
    entry = entry_of_list(lowering, buffer, value, node)
    before = lowering.emit(getitem(old, place), "before", node)
    next_of_list(lowering, target, Apply("put", (old, place, entry, before)), node)


def _store_part(
    lowering: Lowering, target: Ref, part: Apply, value: Expr, node: gast.AST
) -> None:
    """x[a:b] = y: what was before a, the new entries, what was from b on."""
    start, stop, _ = part.args
    parts = [as_own(lowering, value, node)]
    if start != Const(None):
        head = Apply("slice", (Const(None), start, Const(None)))
        parts.insert(0, part_of_list(lowering, target, head, node))
    if stop != Const(None):
        tail = Apply("slice", (stop, Const(None), Const(None)))
        parts.append(part_of_list(lowering, target, tail, node))
    buffer = lowering.memory.buffer(target.var)
    for one in parts:
        lowering.memory.join(buffer, lowering.memory.reach(one.var))
        lowering.memory.links.inherit(buffer, lowering.memory.buffer(one.var))
    *before, last = parts
    if not before:
        whole = Apply("slice", (Const(None),) * 3)
        return next_of_list(
            lowering, target, Apply("sliced", (lowering.current(last), whole)), node
        )
    first = before[0]
    for one in before[1:]:
        joined = joined_lists(lowering, first, one, node)
        assert isinstance(joined, Ref)  # of two lists that were not refused
        first = joined
    next_of_list(lowering, target, joined_of(lowering, first, last, node), node)


def grows_dynamic(lowering: Lowering, target: Ref, key: Expr) -> bool:
    """Makes a list of known items one of the text's own, to be stored into at i."""
    version = lowering.state.versions[target.var]
    try:
        static(key)
        return False
    except ValueError:
        pass
    if lowering.facts.rank(key) != 0 or any(
        map(functools.partial(_is_nested, lowering), version.args)
    ):
        return False
    for item in version.args:
        if not lowering.is_number(item):
            lowering.memory.boxed.add(target.var)
    lowering.state.versions[target.var] = lowering.as_dynamic(target.var, version)
    return True


def _is_nested(lowering: Lowering, item: Expr) -> bool:
    known = isinstance(lowering.state.held(item), Apply)
    return known or is_structure(item) or callable(getattr(item, "value", None))


def _made(
    lowering: Lowering, value: Apply, sources: list[Ref], node: gast.AST | None
) -> Ref:
    """A new list, of entries that others hold."""
    made = lowering.emit(value, wish_of_list(lowering), node)
    lowering.assume(made.var, lowering.facts.fresh(), lowering.facts.kinds[made.var])
    lowering.memory.lists.add(made.var)
    for source in sources:
        buffer = lowering.memory.buffer(source.var)
        lowering.memory.join(made.var, lowering.memory.reach(buffer))
        lowering.memory.links.inherit(made.var, buffer)
        if buffer in lowering.memory.boxed:
            lowering.memory.boxed.add(made.var)
    return made


def part_of_list(
    lowering: Lowering, base: Ref, key: Expr, node: gast.AST | None
) -> Ref:
    """x[a:b], a list of its own."""
    value = Apply("sliced", (lowering.current(base, node), lowering.current(key, node)))
    return _made(lowering, value, [base], node)


def joined_lists(lowering: Lowering, left: Expr, right: Expr, node: gast.AST) -> Expr:
    """x + y, of two lists."""
    if REFUSED in (left, right):
        return REFUSED
    if not (is_a_list(lowering, left) and is_a_list(lowering, right)):
        lowering.fail("GG214", "a list is not an array yet", node, "np.array(x) + y")
    first, second = as_own(lowering, left, node), as_own(lowering, right, node)
    both = [first, second]
    return _made(lowering, joined_of(lowering, first, second, node), both, node)


def joined_of(lowering: Lowering, left: Ref, right: Ref, node: gast.AST) -> Apply:
    """The operation, which knows how long the first list was."""
    both = lowering.current(left, node), lowering.current(right, node)
    length = lowering.bind(Apply("len", both[:1], (), "name:len"), node)
    return Apply("joined", (*both, length))


def as_own(lowering: Lowering, handle: Expr, node: gast.AST) -> Ref:
    """A list whose items are known as one of the text's own."""
    if lowering.is_dynamic(handle):
        return handle
    known = contents(lowering, handle)
    assert known is not None  # a list, and not one of the text's own
    made = new_list(lowering, known, wish_of_list(lowering))
    for item in known.args:
        entry_of_list(lowering, made.var, item, node)
    known = contents(lowering, handle)
    assert known is not None
    lowering.state.versions[made.var] = lowering.as_dynamic(made.var, known)
    return made


def repeated_list(lowering: Lowering, items: Expr, count: Expr, node: gast.AST) -> Expr:
    """[x] * n."""
    if REFUSED in (items, count):
        return REFUSED
    known, number = contents(lowering, items), lowering.current(count, node)
    times = value_known(lowering, count)
    if known is not None and isinstance(times, int):
        return new_list(lowering, replace(known, args=known.args * times))
    rank = lowering.facts.rank(number)
    if known is not None and rank:
        lowering.fail("GG214", "a list is not an array yet", node, "np.array([...])")
    told = rank == 0 or _bounds_a_range(lowering, node)
    if known is None or len(known.args) != 1 or not told:
        message = "this repetition of a list is not supported"
        advice = "[x for _ in range(n)]; np.array(x) where an array is meant"
        if isinstance(number, Ref) and number.var.origin is Origin.PARAM:
            message = f"how often a list is repeated is not told: {number.var.name}"
            advice = f'an example, or --shape {number.var.name}="=3" for that value'
        lowering.fail("GG241", message, node, advice)
    entry = known.args[0]
    lowering.memory.lists.add((made := lowering.supply.var("items", Origin.TEMP)))
    value = entry_of_list(lowering, made, entry, node)
    held = [] if lowering.is_number(entry) else [Ref(made)]  # a number is nobody's
    return _made(lowering, Apply("repeated", (value, number)), held, node)


def _bounds_a_range(lowering: Lowering, node: gast.AST) -> bool:
    """Whether one side of a product is made of numbers that bound ranges too."""
    bounds: set[str] = set()
    for call in gast.walk(lowering.source.node):
        if isinstance(call, gast.Call) and getattr(call.func, "id", "") == "range":
            bounds = bounds.union(*(_integers(arg) or () for arg in call.args))
    text = lowering.source.segment(node)  # whose sides may have been read already
    whole = gast.parse(f"({text})", mode="eval").body
    if not isinstance(whole, gast.BinOp):
        return False
    sides = (_integers(side) for side in (whole.left, whole.right))
    return any(names is not None and names <= bounds for names in sides)


def _integers(node: gast.AST) -> set[str] | None:
    """The names in a sum or a product of names and integers; None for others."""
    if isinstance(node, gast.Name):
        return {node.id}
    if isinstance(node, gast.Constant):
        return set() if type(node.value) is int else None
    if isinstance(node, gast.BinOp) and isinstance(
        node.op, (gast.Add, gast.Sub, gast.Mult)
    ):
        left, right = _integers(node.left), _integers(node.right)
        return None if left is None or right is None else left | right
    return None


def is_nowhere_else(lowering: Lowering, handle: Expr) -> bool:
    """Whether an object is the result of an operation that has no name yet."""
    if not isinstance(handle, Ref) or lowering.memory.reach(handle.var) != {handle.var}:
        return False
    return handle not in _held(lowering) and not is_a_list(lowering, handle)


def _held(lowering: Lowering) -> list[Expr]:
    """What names and containers hold."""
    held = [*lowering.state.names.values(), *lowering.state.versions.values()]
    return [leaf for handle in held for leaf in leaves(handle)]


def _has_other_names(lowering: Lowering, buffer: Var) -> bool:
    """Whether an entry of a list may be reached by another name than the list's."""
    reach = lowering.memory.reach(buffer) - {buffer}
    if reach & lowering.memory.lists:
        return True
    return any(
        isinstance(leaf, Ref)
        and leaf.var not in lowering.memory.numbers
        and lowering.memory.buffer(leaf.var) in reach
        for leaf in _held(lowering)
    )


def may_be_boxed(lowering: Lowering, buffer: Var, handle: Expr, node: Any) -> None:
    """Notes that an entry may be an array, which += would change in place."""
    if not lowering.is_number(handle):
        lowering.memory.boxed.add(buffer)
        if buffer in lowering.memory.bumped:
            _refuse_bump(lowering, buffer, node)


def _refuse_bump(lowering: Lowering, buffer: Var, node: Any) -> NoReturn:
    name = lowering.places.get(buffer) or lowering.known_name(buffer)
    lowering.fail(
        "GG231",
        f"an entry of {name} may be an array, which this changes in place",
        node,
        f"{name}[i] = {name}[i] + ...",
    )


def bump_entry(
    lowering: Lowering,
    target: Ref,
    key: Expr,
    old: Expr,
    op: str,
    value: Expr,
    node: Any,
) -> None:
    """x[i] op= value, where no entry is an array that has another name."""
    buffer = lowering.memory.buffer(target.var)
    arrays = lowering.facts.rank(old) != 0 and _has_other_names(lowering, buffer)
    if buffer in lowering.memory.boxed or arrays:
        _refuse_bump(lowering, buffer, node)
    lowering.memory.bumped.add(buffer)
    new = lowering.bind(Apply(op, (old, value), spelling="operator"), node)
    if isinstance(new, Ref) and lowering.facts.rank(new) == 0:
        lowering.memory.numbers.add(new.var)
    store_entry(lowering, target, key, new, node, "setitem")
