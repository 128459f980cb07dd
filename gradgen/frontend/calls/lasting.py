"""What outlives a call: results that a cache keeps, and names of calls that are over.

@functools.cache        The results of `table` are made anew in the text. The cache hands
def table(n): ...       out one object again and again, so that none may be changed, and
                        computes it once, so that nothing else may be changed there.

def counter():          When f calls `count`, the call of `counter` is long over, and what
    n = 0               `count` binds is seen by the calls after this one: it is refused.
    def count():
        nonlocal n
        n += 1
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.callables import Closure
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Key, is_structure, leaves
from gradgen.frontend.source.decorated import CACHED
from gradgen.frontend.source.names import assigned
from gradgen.ir.nodes import Const, Expr, Ref

MUTABLE = "list dict dataclass object".split()
# a name, what is bound to it, and what is in the objects that it leads to
Seen = dict[Key, tuple[Any, ...]]


def is_cached(function: object) -> bool:
    """Whether a function hands out what it has made before."""
    while isinstance(function, (staticmethod, types.MethodType)):
        function = function.__func__
    if isinstance(function, Closure):
        return function.cached
    return isinstance(function, CACHED)


def once(
    lowering: Lowering, function: object, call: Callable[[], Expr], node: Any
) -> Expr:
    """What a call of a cached function gives, which is computed once.

    Refuses a function that changes something besides, or that reads what has changed
    since it was called first.
    """
    reads = _reads(lowering, function)
    before, mark = lowering.state.copy(), lowering.mark()
    if lowering.first_seen.setdefault(function, reads) != reads:
        _refuse(lowering, node, "reads what has changed since it was called first")
    found = call()
    names = {key: lowering.state.names.get(key) for key in before.names}
    versions = lowering.state.versions
    changed = any(
        versions.get(one) != before.versions.get(one)
        for one in versions
        if one.id < mark
    )
    if changed or names != before.names:
        _refuse(lowering, node, "changes something besides, and is computed once")
    return lasting(lowering, found)


def held_once(
    lowering: Lowering, handle: Expr, name: str, found: Expr, node: Any
) -> Expr:
    """A cached_property of an instance around the function, or of an argument."""
    if isinstance(handle, Ref):
        reads = contents(lowering, handle), *_within(lowering, handle)
        if lowering.first_seen.setdefault((handle, name), reads) != reads:
            _refuse(lowering, node, "reads what has changed since it was called first")
    return lasting(lowering, found)


def _refuse(lowering: Lowering, node: Any, told: str) -> None:
    told = f"a function that is cached, and {told}, is not supported"
    lowering.fail("GG112", told, node, "the function without the cache")


def _reads(lowering: Lowering, function: object) -> Seen:
    """What the names around a function lead to now, where it stands in a function."""
    found: Seen = {}
    stack, seen = [function], set[int]()
    while stack:
        one = stack.pop()
        if not isinstance(one, Closure) or id(one) in seen:
            continue
        seen.add(id(one))
        for name in {n.id for n in gast.walk(one.node) if isinstance(n, gast.Name)}:
            for key, handle in _bound(lowering, one, name):
                found[key] = (handle, *_within(lowering, handle))
                stack.append(getattr(handle, "value", None))
    return found


def _bound(lowering: Lowering, one: Closure, name: str) -> Iterator[tuple[Key, Expr]]:
    frame: Any = one.frame
    while frame is not None:
        handle = lowering.state.names.get((frame.number, name))
        if handle is not None:
            if getattr(handle, "value", None) is not one:
                yield (frame.number, name), handle
            return
        frame = frame.parent


def _within(lowering: Lowering, handle: Expr) -> Iterator[Any]:
    """What is in the objects that a handle leads to."""
    for leaf in leaves(contents(lowering, handle) or handle):
        if isinstance(leaf, Ref):
            yield lowering.state.version(lowering.memory.buffer(leaf.var))
            if leaf is not handle and contents(lowering, leaf) is not None:
                yield from _within(lowering, leaf)


def lasting(lowering: Lowering, handle: Expr) -> Expr:
    """The result of a cached function: a handle that nothing can be stored through."""
    if handle is REFUSED or not isinstance(handle, Ref) and not is_structure(handle):
        return handle
    known = contents(lowering, handle)
    if known is not None:
        args = tuple(lasting(lowering, arg) for arg in known.args)
        if known.op in MUTABLE or args != known.args:
            handle = replace(known, args=args)
            lowering.kept_objects.append(handle)
        return handle
    if isinstance(handle, Ref) and not lowering.is_number(handle):
        lowering.shared_arrays |= lowering.memory.reach(handle.var)
    return handle


def refuse_identity(lowering: Lowering, left: Expr, right: Expr, node: Any) -> None:
    """Refuses to ask whether two results of caches are one object."""

    def is_kept(handle: Expr) -> bool:
        if isinstance(handle, Ref):
            return bool(lowering.memory.reach(handle.var) & lowering.shared_arrays)
        return handle in lowering.kept_objects

    def is_copied(handle: Expr) -> bool:
        return getattr(handle, "cls", None) in lowering.memory.valued.values()

    both = is_kept(left) and is_kept(right)
    values = is_copied(left) and right != Const(None)
    values = values or is_copied(right) and left != Const(None)
    if values or both and (left != right or not isinstance(left, Ref)):
        told = "whether these are one object is not known here"
        lowering.fail("GG271", told, node, "a comparison of something that they hold")


def bound_around(lowering: Lowering, node: gast.Nonlocal) -> str | None:
    """The name that a nonlocal statement lets a call bind, of a call that is over."""
    written = assigned(lowering.frame.node.body)
    for name in node.names:
        frame = lowering.frame.parent
        while frame is not None and name not in frame.locals:
            frame = frame.parent
        if frame is None and name in written:
            return str(name)
    return None
