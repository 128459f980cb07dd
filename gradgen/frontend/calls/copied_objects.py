"""Copies of instances: copy.copy(model), copy.deepcopy(model)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import gast

from gradgen.frontend.calls.fields import object_of
from gradgen.frontend.calls.settings import read_class, read_field
from gradgen.frontend.heap.contents import pairs_of
from gradgen.frontend.heap.lists import new_list
from gradgen.frontend.lowering.callables import Partial
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Poison, Record
from gradgen.ir.nodes import Const, Expr
from gradgen.quoting import is_name

# with one of these of its own a class decides itself what a copy of it is
WAYS = """__copy__ __deepcopy__ __reduce__ __reduce_ex__ __getstate__ __setstate__ __new__
__getnewargs__ __getnewargs_ex__ __getattr__ __getattribute__""".split()


def copy_of_object(
    lowering: Lowering,
    handle: Expr,
    known: Record,
    deep: dict[Expr, Expr] | None,
    copied: Callable[[Expr], Expr],
    node: gast.AST,
) -> Expr | None:
    """Another instance with the same fields, or with copies of these; None for others.

    before:  other = copy.copy(self)       after:  other.k = 2.0, self.k as it was
             other.k = 2.0

    What the copy is made of are settings of the one that is copied: a text looks at these.
    """
    if known.outer or not _is_copied_by_fields(known.cls):
        return None
    pairs = [(key.value, one) for key, one in pairs_of(lowering, known)]
    if deep is not None and any(_is_bound(one) for _, one in pairs):
        return None
    for name, one in pairs:
        if is_name(name):
            asked = gast.Attribute(gast.Constant(None, None), name, gast.Load())
            read_field(lowering, handle, one, asked)
    read_class(lowering, handle, known.cls)
    if known.op == "namedtuple":
        items = known.args if deep is None else tuple(map(copied, known.args))
        return dataclasses.replace(known, args=items)
    empty = Record(known.op, (), (), cls=known.cls)
    made = new_list(lowering, empty)
    if deep is not None:
        deep[handle] = made  # which may hold itself
        pairs = [
            (n, one if isinstance(one, Poison) else copied(one)) for n, one in pairs
        ]
    lowering.state.versions[made.var] = object_of(empty, dict(pairs))
    return made


def _is_copied_by_fields(cls: type) -> bool:
    """Whether Python copies an instance field by field, and calls nothing for it."""
    own: set[str] = set()
    for base in cls.__mro__:
        if (
            base in (object, tuple)
            or issubclass(base, tuple)
            and "_fields" in vars(base)
        ):
            continue
        if not base.__flags__ & (1 << 9):
            return False
        own.update(vars(base))
    stores = {"__slots__", "__setattr__"} <= own  # fields of slots are set one by one
    return not stores and own.isdisjoint(WAYS)


def _is_bound(value: Expr) -> bool:
    """Whether a field is a method of an instance: a deep copy has that of another one."""
    held = value.value if isinstance(value, Const) else None
    return isinstance(held, Partial) and bool(held.args)
