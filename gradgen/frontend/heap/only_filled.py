"""Lists that a loop puts tuples or dictionaries into, and that nobody reads.

A network keeps what its way back will need: self.cache.append({"in": x, "out": y}). Of
such a list nothing is known, and it is refused where it is read.
"""

from __future__ import annotations

from typing import Any, NoReturn

import gast

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Poison, is_structure
from gradgen.frontend.source.options import WITHHELD
from gradgen.ir.nodes import Apply, Expr, Ref, Var

CODE, PARTS = "GG248", "a list for each of its parts"


def is_only_filled(lowering: Lowering, buffer: Var, value: Expr) -> bool:
    """Whether a list is left unknown by what is put into it, or is so by now.

    before:  for x in rows: cache.append((x, y)); y = f(x)
    after:   for x in rows: y = f(x)
    """
    known = lowering.state.versions.get(buffer)
    if isinstance(known, Poison) and known.code == CODE:
        return True
    if not isinstance(known, Ref) or not is_no_entry(lowering, value):
        return False
    lowering.state.versions[buffer] = Poison(CODE, _told(lowering, value), PARTS)
    lowering.touch(buffer)
    return True


def is_unknown(lowering: Lowering, handle: Expr) -> bool:
    """Whether a result is such a list, where it is tried without a seed."""
    if not isinstance(handle, Ref) or WITHHELD not in lowering.root.source.forms:
        return False
    known = lowering.state.versions.get(lowering.memory.buffer(handle.var))
    return isinstance(known, Poison) and known.code == CODE


def is_no_entry(lowering: Lowering, value: Expr) -> bool:
    """Whether a value is a tuple, a dictionary or a record, of which no list is."""
    inner = _structure(lowering, value)
    return is_structure(inner) and inner.op != "list"


def refuse_entry(lowering: Lowering, value: Expr, node: gast.AST) -> NoReturn:
    """Refuses such a value as an entry."""
    lowering.fail(CODE, _told(lowering, value), node, PARTS)


def _structure(lowering: Lowering, value: Expr) -> Any:
    version = lowering.state.held(value)
    return version if isinstance(version, Apply) else value


def _told(lowering: Lowering, value: Expr) -> str:
    kind = _structure(lowering, value).op
    article = "an" if kind[0] in "aeiou" else "a"
    return f"{article} {kind} in a list whose length is not known is not supported"
