"""Lists that are of another length in either arm of a branch.

roots = [s, t] if disc > 0 else [s]
"""

from __future__ import annotations

from collections.abc import Callable

from gradgen.frontend.lowering.frames import REFUSED, Arm
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Poison
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref


def written_in_arms(
    lowering: Lowering,
    arms: tuple[Arm, Arm],
    handles: tuple[Expr, Expr],
    known: list[Expr | None],
    value: Callable[[Expr], Expr],
) -> tuple[Expr, ...]:
    """Two lists as values of the text's own, each made in its arm; () for others.

    `known` are those whose items are known, `value` is what any other one holds.
    """
    pairs = list(zip(arms, handles, known, strict=True))
    if not all(_is_flat(lowering, arms, one, items) for _, one, items in pairs):
        return ()
    ways: list[Expr] = []
    for arm, handle, items in pairs:
        assert isinstance(handle, Ref)  # of lists alone

        def written(handle: Ref = handle, items: Expr | None = items) -> Expr:
            if items is None:
                return value(handle)
            return lowering.as_dynamic(handle.var, items)

        ways.append(lowering.resume(arm, written) or REFUSED)
    return tuple(ways) if all(isinstance(way, Ref) for way in ways) else ()


def _is_flat(
    lowering: Lowering, arms: tuple[Arm, Arm], handle: Expr, items: Expr | None
) -> bool:
    """Whether this is a list of numbers and arrays, of known length or not."""
    if items is None:
        memory = lowering.memory
        return isinstance(handle, Ref) and memory.buffer(handle.var) in memory.lists
    if not isinstance(items, Apply) or items.op != "list":
        return False
    return all(_is_entry(arms, item) for item in items.args)


def _is_entry(arms: tuple[Arm, Arm], item: Expr) -> bool:
    if isinstance(item, Const):
        return type(item.value) in (bool, int, float)
    if not isinstance(item, Ref):
        return False
    return not any(isinstance(arm.state.versions.get(item.var), Apply) for arm in arms)


def another(
    lowering: Lowering, name: str, ways: tuple[Expr, Expr], found: list[Expr | None]
) -> Poison:
    """What is one list or object by one arm, and another by the other.

    before:  shift is another list after either arm of the branch
    after:   shift is an array by one way, and a list by the other
    """
    for given, made in ((ways[0], found[1]), (ways[1], found[0])):
        is_given = isinstance(given, Ref) and given.var.origin is Origin.PARAM
        is_made = isinstance(made, Apply) and made.op == "list" and None in found
        if is_given and is_made:
            told = ", ".join('""' for _ in getattr(made, "args"))
            return Poison(
                "GG222",
                f"{given.var.name} is an array by one way, and a list by the other",
                f"np.array([...]) for the list, or --shape {given.var.name}='[{told}]'",
            )
    is_list = all(getattr(one, "op", "list") == "list" for one in found)
    word = "list" if is_list else "object"
    shown = name if lowering.is_local(name) else "what is read or returned"
    told = f"{shown} is another {word} after either arm of the branch"
    return Poison("GG222", told, f"one {word}, changed in both arms")
