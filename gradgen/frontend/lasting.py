"""What outlives a call: results that a cache keeps, and names of calls that are over.

@functools.cache        The results of `table` are made anew in the text. The cache hands
def table(n): ...       out one object again and again, so that none may be changed.

def counter():          When f calls `count`, the call of `counter` is long over, and what
    n = 0               `count` binds is seen by the calls after this one: it is refused.
    def count():
        nonlocal n
        n += 1
"""

from __future__ import annotations

import types
from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.decorated import CACHED
from gradgen.frontend.memory import is_structure
from gradgen.frontend.names import assigned
from gradgen.ir.nodes import Expr, Ref

MUTABLE = "list dict dataclass object".split()


def is_cached(function: object) -> bool:
    """Whether a function hands out what it has made before."""
    while isinstance(function, (staticmethod, types.MethodType)):
        function = function.__func__
    return isinstance(function, CACHED)


def lasting(reader: Any, handle: Expr) -> Expr:
    """The result of a cached function: a handle that nothing can be stored through."""
    if not isinstance(handle, Ref) and not is_structure(handle):
        return handle
    known = reader.contents(handle)
    if known is not None:
        args = tuple(lasting(reader, arg) for arg in known.args)
        if known.op in MUTABLE or args != known.args:
            return replace(known, args=args)
        return handle
    if isinstance(handle, Ref) and not reader.is_number(handle):
        reader.shared_arrays |= reader.memory.reach(handle.var)
    return handle


def bound_around(reader: Any, node: gast.Nonlocal) -> str | None:
    """The name that a nonlocal statement lets a call bind, of a call that is over."""
    written = assigned(reader.frame.node.body)
    for name in node.names:
        frame = reader.frame.parent
        while frame is not None and name not in frame.locals:
            frame = frame.parent
        if frame is None and name in written:
            return str(name)
    return None
