"""Two arguments that are one object, or hold one: a store into it shows in both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Apply, Branch, Const, Effect, Note, Role
from gradgen.ir.structure import Structure, path_text

# what a store changes for all that hold it
CHANGEABLE = ("object", "record", "dataclass", "dict", "list")


def one_object(lowering: Lowering) -> Iterator[Branch]:
    """Statements that raise where what is stored into stands in another argument too.

    before:  m.w = m.w * x[0]
             return n.w * np.sum(x)
    after:   if m is n:
                 raise ValueError("m and n are one object, and m.w is stored")
             ...

    A function is read as of arguments that are apart. Two names inside of one argument
    for an object are seen where it is read.
    """
    found = [
        (name, label, one)
        for name, structure in lowering.bundles.items()
        for label, one in _containers(name, structure, ())
    ]
    for name, label, one in found:
        stored = _stored(lowering, label, one)
        if stored is None:
            continue
        for other, second, like in found:
            if other == name or like.sort != one.sort or like.cls is not one.cls:
                continue
            if label > second and _stored(lowering, second, like) is not None:
                continue  # that pair is looked at already
            both = Const(None, label), Const(None, second)
            test = Apply("is", both, (), "operator")
            told = f"{label} and {second} are one object, and {stored} is stored"
            raised = Apply("raise", (Const(ValueError, "ValueError"), Const(told)))
            note = Note(Role.FORWARD)
            yield Branch(test, (Effect(raised, note),), (), (), note)


def _containers(
    name: str, structure: Structure, path: tuple[Any, ...]
) -> Iterator[tuple[str, Structure]]:
    """The objects and containers of an argument, each with how it is read."""
    if structure.sort in CHANGEABLE:
        yield path_text(name, path), structure
    for key, part in structure.steps():
        yield from _containers(name, part, (*path, (structure, key)))


def _stored(lowering: Lowering, label: str, structure: Structure) -> str | None:
    """What is stored of an object or a container, as it is read; None for nothing."""
    if label in lowering.left:
        return label
    fields = (path_text(label, ((structure, key),)) for key in structure.keys)
    known = [one for one in fields if one in lowering.left]
    more = [one for one in lowering.left if one.rpartition(".")[0] == label]
    return next(iter((*known, *more)), None)
