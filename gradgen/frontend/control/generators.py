"""Generators: what they compute is computed as they are gone through, and once.

They are read as the lists of what they compute. That is the same where they are
gone through at once, and in a loop that changes nothing that they read.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

import gast

from gradgen.frontend.control.unpacking import makes_iterator
from gradgen.frontend.heap.names import lookup
from gradgen.frontend.lowering.callables import Closure
from gradgen.frontend.lowering.frames import Frame
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Key, State, is_structure
from gradgen.frontend.lowering.pending import Read
from gradgen.frontend.source.lookup import among
from gradgen.ir.nodes import Expr, Ref, Var

Found = TypeVar("Found")
Taken = TypeVar("Taken")


OVER: tuple[object, ...] = (zip, enumerate, reversed, list, tuple)
# what has all its items before the first is taken
EAGER = (gast.List, gast.Tuple, gast.ListComp, gast.Dict, gast.Constant)


def read_later(lowering: Lowering, node: gast.AST, own: set[str] | None = None) -> None:
    """Notes what is read while a loop goes on, by a generator or by map."""
    names: dict[Key, Expr | None] = {}
    versions: dict[Var, Expr] = {}
    _names_in(lowering, node, lowering.frame, own or set(), names)
    for handle in list(names.values()):
        for var in _buffers(lowering, handle):
            versions[var] = lowering.state.version(var)
    lowering.generated.append(Read(node, names, versions))


def read_first(lowering: Lowering, node: gast.AST, rows: bool = False) -> None:
    """Notes what is read before a loop goes on, though its body may change it.

    With `rows`, what is read are the items themselves: the rows of a matrix are
    views, which see each change, and those of [a, b] have been read.
    """
    lazy = [one for one in gast.walk(node) if lowering.is_lazy(one)]
    for one in lazy:
        parts = getattr(one, "generators", ())
        inner = (n for part in parts for n in gast.walk(part.target))
        read_later(lowering, one, {n.id for n in inner if isinstance(n, gast.Name)})
    names: dict[Key, Expr | None] = {}
    for part in _read_late(node) if rows else (node,):
        _names_in(lowering, part, lowering.frame, set(), names)
    views = set(_matrices(lowering, node)) if rows and not lazy else set()
    versions = {
        var: lowering.state.version(var)
        for handle in names.values()
        if handle not in views
        for var in _buffers(lowering, handle)
    }
    lowering.generated.append(Read(node, {}, versions, rows))


def _matrices(lowering: Lowering, node: gast.AST) -> Iterator[Expr]:
    """The matrices under the names whose rows are gone over."""
    if isinstance(node, gast.Call):
        known = lowering.resolve(node.func)
        over = among(known, OVER)
        if over or getattr(known, "__module__", "") == "itertools":
            for arg in node.args:
                yield from _matrices(lowering, arg)
    elif isinstance(node, gast.Name) and lowering.is_local(node.id):
        handle = lookup(lowering, node.id)
        if isinstance(handle, Ref) and (lowering.facts.rank(handle) or 0) > 1:
            yield handle


def taken_in_part(
    lowering: Lowering, node: gast.AST, read: Callable[[], Found]
) -> Found:
    """What stops early is read as a whole: refused where that changes anything."""
    if not any(_is_by_steps(lowering, one) for one in _read_late(node, True)):
        return read()
    before, mark = lowering.state.copy(), lowering.mark()
    found = read()
    bound = {key for key in lowering.state.names if key[0] == lowering.frame.number}
    if has_changed(lowering, before, mark) or bound - before.names.keys():
        refuse_taken_in_part(lowering, node)
    return found


def _is_by_steps(lowering: Lowering, node: gast.AST) -> bool:
    """Whether its items are computed one by one: itertools.accumulate(x, f) as well."""
    called = lowering.resolve(node.func) if isinstance(node, gast.Call) else None
    is_own = getattr(called, "__module__", "") == "itertools"
    return is_own or lowering.is_lazy(node)


def refuse_taken_in_part(lowering: Lowering, node: gast.AST) -> NoReturn:
    lowering.fail(
        "GG268",
        "this may stop before the last item, and what it computes changes "
        "what is read elsewhere",
        node,
        "a loop with a break",
    )


def by_turns(
    lowering: Lowering,
    function: gast.AST | None,
    rows: list[Any],
    gather: Callable[[], Taken],
    call: Callable[[Taken], Found],
) -> Found:
    """What a function computes of items, each computed before its next call.

    map(f, g(x)) calls f between the steps of g; here all steps come first, and
    then all calls. Refused where either changes anything that the other reads.
    """
    late = [row for row in rows if gives_in_turn(lowering, row)]
    between = late if len(late) > 1 else []
    with _unchanged(lowering, [function, *between] if late else []):
        found = gather()
    with _unchanged(lowering, late):
        return call(found)


@contextmanager
def _unchanged(lowering: Lowering, nodes: list[Any]) -> Iterator[None]:
    """Refuses what changes anything that the given expressions read."""
    first = len(lowering.generated)
    for one in nodes:
        if one is not None:
            read_later(lowering, one)
    reads, lowering.generated = lowering.generated[first:], lowering.generated[:first]
    yield
    refuse_read_later(lowering, reads)


@contextmanager
def changed_by_none(lowering: Lowering) -> Iterator[Callable[[gast.AST], None]]:
    """Refuses what changes what has been read so far, and is gone through at the end.

    What is yielded notes an expression that has been read.
    """
    reads: list[Read] = []

    def note(node: gast.AST) -> None:
        for one in _under_names(lowering, node):
            read_later(lowering, one)
            reads.append(lowering.generated.pop())

    yield note
    refuse_read_later(lowering, reads)


def _under_names(lowering: Lowering, node: gast.AST) -> Iterator[gast.AST]:
    """The names of what is gone over, which others may change: s of enumerate(s)."""
    if isinstance(node, (gast.Name, gast.Attribute, gast.Subscript)):
        yield node
    elif isinstance(node, gast.Call):
        if among(lowering.resolve(node.func), (zip, enumerate, reversed)):
            for arg in node.args:
                yield from _under_names(lowering, arg)


@contextmanager
def read_before(
    lowering: Lowering, nodes: list[Any], items: tuple[Expr, ...]
) -> Iterator[None]:
    """Refuses what changes what the items come from, or the items themselves."""
    first = len(lowering.generated)
    for one in nodes:
        read_first(lowering, one, rows=True)
    for item in items:
        held = {var: lowering.state.version(var) for var in _buffers(lowering, item)}
        lowering.generated.append(Read(nodes[0], {}, held))
    reads, lowering.generated = lowering.generated[first:], lowering.generated[:first]
    yield
    refuse_read_later(lowering, reads)


def gives_in_turn(lowering: Lowering, node: gast.AST) -> bool:
    """Whether any part of an expression is computed as it is gone through."""
    if _is_put_together(lowering, node):
        return False
    return any(_is_in_turn(lowering, one) for one in gast.walk(node))


def _is_put_together(lowering: Lowering, node: gast.AST) -> bool:
    """Whether all items are there before the first is taken, each of its own."""
    if isinstance(node, gast.Starred):
        return _is_put_together(lowering, node.value)
    if not isinstance(node, gast.Call):
        return isinstance(node, EAGER)
    function = lowering.resolve(node.func)
    if among(function, (list, tuple, sorted)):
        return True
    given = [*node.args, *(k.value for k in node.keywords)]
    passed = among(function, (zip, enumerate, reversed))
    return passed and all(map(functools.partial(_is_put_together, lowering), given))


def _is_in_turn(lowering: Lowering, node: gast.AST) -> bool:
    """Whether an expression gives its items one by one, as they are by then."""
    called = lowering.resolve(node.func) if isinstance(node, gast.Call) else None
    return lowering.is_lazy(node) or makes_iterator(lowering, called)


def has_changed(
    lowering: Lowering, before: State, mark: int, own: Var | None = None
) -> bool:
    """Whether names or buffers of before a mark hold anything else by now."""
    names, versions = lowering.state.names, lowering.state.versions
    changed = any(
        lowering.state.version(one) != before.version(one)
        for one in versions
        if one.id < mark and one != own
    )
    return changed or any(names.get(k) != v for k, v in before.names.items())


def _names_in(
    lowering: Lowering,
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
        while where and (where.number, inner.id) not in lowering.state.names:
            where = where.parent
        if where is None or (where.number, inner.id) in found:
            continue
        key = where.number, inner.id
        handle = found[key] = lowering.state.names[key]
        function = getattr(handle, "value", None)
        if isinstance(function, Closure):
            _names_in(lowering, function.node, function.frame, set(), found)


def _buffers(lowering: Lowering, handle: Expr | None) -> Iterator[Var]:
    """The buffers of an object and of what it holds."""
    if is_structure(handle):
        for part in handle.args:
            yield from _buffers(lowering, part)
    elif isinstance(handle, Ref):
        buffer = lowering.memory.buffer(handle.var)
        yield buffer
        version = lowering.state.version(buffer)
        if is_structure(version):
            yield from _buffers(lowering, version)


def refuse_read_later(lowering: Lowering, reads: list[Read]) -> None:
    """Refuses a loop that has changed what is read while it goes on."""
    for read in reads:
        names, versions = lowering.state.names, lowering.state.version
        same = all(names.get(key) == value for key, value in read.names.items())
        if not same or any(versions(v) != old for v, old in read.versions.items()):
            lowering.fail(
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
