"""What a function hands out: the leaves of its result, and arrays it leaves changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from gradgen.ir.absent import NO_SEED, WITHHELD
from gradgen.ir.records import unlike_its_fields
from gradgen.frontend.control.branches import flag, has_gone
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.names import importing
from gradgen.frontend.heap.naming import is_own
from gradgen.frontend.heap.only_filled import is_unknown
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.jumps import FALSE, RESULT, TRUE
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record, is_structure
from gradgen.frontend.source.fence import changed_arguments, returns_of
from gradgen.frontend.source.holding import Anything, is_opaque
from gradgen.frontend.source.named import did_you_mean
from gradgen.ir.nodes import Const, Expr, Let, Origin, Ref, Var
from gradgen.ir.structure import LEAF, Structure
from gradgen.quoting import is_name


def results(lowering: Lowering) -> tuple[tuple[Expr, ...], Structure]:
    """The leaves of the result in order, and their nesting."""
    named: list[tuple[Expr, str]] = []
    structure = None
    value = _returned(lowering)
    if value is not REFUSED and value is not None:
        structure = _flatten(lowering, value, "", named)
    parts = [] if structure is None else [structure]
    for name in lowering.of:
        filled = lowering.state.names.get((0, name))
        if isinstance(filled, Ref) and filled.var.origin is not Origin.PARAM:
            parts.append(_flatten(lowering, filled, "", named))
            continue
        named.append((_left_in(lowering, name), name))
        parts.append(LEAF)
    if not parts:
        return (), LEAF
    structure = parts[0] if len(parts) == 1 else Structure("tuple", tuple(parts))
    seen: set[Var] = set()
    several = len(named) > 1
    leaves = tuple(
        _leaf(lowering, leaf, name if several else name or "out", i, seen, several)
        for i, (leaf, name) in enumerate(named)
    )
    return leaves, structure


def _returned(lowering: Lowering) -> Expr | None:
    """What the return statements give; None where there are none to be read."""
    returns = returns_of(lowering.source.node)
    if lowering.of and all(r.value is None for r in returns):
        return None
    if has_gone(lowering) == FALSE:
        _no_result(lowering)
        return REFUSED
    if has_gone(lowering) != TRUE and not _never_ends(lowering.source.node.body[-1]):
        _no_result(lowering)
    value = flag(lowering, RESULT)
    return REFUSED if value == FALSE else value


def _no_result(lowering: Lowering) -> None:
    returns = [n for n in gast.walk(lowering.source.node) if isinstance(n, gast.Return)]
    if any(r.value is not None for r in returns):
        lowering.problem(
            "GG111",
            f"{lowering.source.node.name} returns nothing on some path",
            lowering.source.node.body[-1],
            "return result, as the last statement",
        )


def _flatten(lowering: Lowering, value: Expr, name: str, found: list[Any]) -> Structure:
    """The nesting of a handle; adds its leaves, each with the name it wishes for."""
    known = contents(lowering, value)
    if known is None:
        count = lowering.facts.several(value) if isinstance(value, Ref) else None
        if not count:
            found.append((value, name))
            return Structure(fact=NO_SEED) if is_unknown(lowering, value) else LEAF
        items = tuple(lowering.item(value, Const(i), None) for i in range(count))
        return Structure(
            "tuple", tuple(_flatten(lowering, i, "", found) for i in items)
        )
    if known.op == "slice":
        lowering.problem(
            "GG117",
            "a slice as result is not supported",
            lowering.source.node.body[-1],
            "a tuple, a list or a dict of its parts",
        )
        return LEAF
    keys = tuple(k.value for _, k in known.kwargs)
    names = [k if is_name(k) else "" for k in keys]
    names = names or [""] * len(known.args)
    pairs = zip(known.args, names, strict=True)
    parts = tuple(_flatten(lowering, arg, word, found) for arg, word in pairs)
    if not isinstance(known, Record):
        return Structure(known.op, parts, keys)
    if known.op == "namedtuple" and known.cls.__name__ in lowering.root.locals:
        # Pair = namedtuple("Pair", ...) in the function itself, which no text imports
        lowering.decided(f"the result is a plain tuple, and no {known.cls.__name__}")
        return Structure("tuple", parts)
    name = _imported(lowering, known.cls)
    return Structure(known.op, parts, keys, name, cls=known.cls)


def _imported(lowering: Lowering, cls: type) -> str:
    """The name of a record's class in the text, which imports it where it is read."""
    return imported_class(lowering, cls, lowering.source.node.body[-1])


def imported_class(lowering: Lowering, cls: type, last: gast.AST) -> str:
    """The name of a class in the text, told at a node where it can have none."""
    name = cls.__name__
    reason = unlike_its_fields(cls)
    if cls is Anything:
        told = "an object is returned, and nothing tells its class"
        lowering.problem("GG246", told, last, "a tuple, or a dict")
        return name
    if reason:
        lowering.problem("GG246", f"{name} {reason}", last, "a tuple, or a dict")
    elif "." in cls.__qualname__:
        lowering.problem(
            "GG247",
            f"the class {name} stands inside another def, where no text finds it",
            last,
            f"{name} at the top of its module",
        )
    line = importing(lowering, cls.__module__, last, name)
    if name in lowering.root.locals or lowering.context.setdefault(name, line) != line:
        lowering.problem(
            "GG217",
            f"{name} is a class that the gradient imports, and another name here",
            last,
            f"another name for the other {name}",
        )
    return name


def _leaf(
    lowering: Lowering,
    handle: Expr,
    name: str,
    number: int,
    seen: set[Var],
    several: bool,
) -> Expr:
    """One leaf: a variable of its own, or a constant that is no number.

    A list that layers put their caches into, beside other results, is withheld.
    """
    if several and is_unknown(lowering, handle):
        lowering.decided(f"{name or 'a list of tuples'} has no seed")
        return WITHHELD
    try:
        value = lowering.current(handle)
    except Refusal:
        return REFUSED
    plain = getattr(value, "value", None)
    if is_opaque(plain):
        told = f"a {type(plain).__name__} is among the results, which no text can make"
        node = lowering.source.node.body[-1]
        lowering.problem("GG272", told, node, "the results without it")
        return REFUSED
    if callable(plain) or is_structure(value):
        lowering.problem(
            "GG501",
            f"the result of {lowering.source.node.name} is a function, which has no "
            "gradient",
            lowering.source.node.body[-1],
            "a result computed in floating point",
        )
        return REFUSED
    if isinstance(value, Const) and type(plain) not in (int, float):
        return value
    wished = name or _numbered(lowering, number)
    if isinstance(value, Ref):
        var = lowering.renamed.get(value.var.id, value.var)
        if var.origin is Origin.USER and var not in seen:
            seen.add(var)
            # a name that this function gives: none of what it calls, or of sum()
            own = var.name in lowering.root.locals or var.name.startswith(wished)
            if var.name == "out" and wished != "out" or not own:
                var = lowering.wish(var, wished).var
            return Ref(var)
        value = Ref(var)
    var = lowering.supply.var(wished, Origin.USER)
    lowering.body.append(Let(var, value, lowering.note))
    return Ref(var)


def _left_in(lowering: Lowering, name: str) -> Expr:
    """What the function leaves in an array argument."""
    params = {var.name: var for var in lowering.arguments}
    var = params.get(name)
    if var is None:
        lowering.problem(
            "GG002",
            f"--of names {name}, which is no array argument of "
            f"{lowering.source.node.name}",
            None,
            did_you_mean(name, list(params)) or "no --of",
        )
        return REFUSED
    version = lowering.state.version(var)
    if version == Ref(var) or var in lowering.memory.numbers:
        changed = changed_arguments(lowering.source)
        lowering.problem(
            "GG029",
            f"{lowering.source.node.name} does not change its argument {name}",
            None,
            f"--of {','.join(changed)}" if changed else "no --of",
        )
        return REFUSED
    return Ref(var)


def _numbered(lowering: Lowering, number: int) -> str:
    return "out" if lowering.aux and not number else f"out_{number}"


def wish_for_results(lowering: Lowering, value: Expr, mark: int) -> None:
    """The names out, out_0, out_1 for what a return statement computes."""
    known = contents(lowering, value)
    leaves = list(_own_leaves(lowering, value, mark, ""))
    if known is None:
        if leaves[0][0] is not None:
            lowering.wish(leaves[0][0], "out")
        return
    for i, (var, name) in enumerate(leaves):
        if var is not None:
            lowering.wish(var, name or _numbered(lowering, i))


def _own_leaves(
    lowering: Lowering, value: Expr, mark: int, name: str
) -> Iterator[tuple[Any, ...]]:
    known = contents(lowering, value)
    if known is not None:
        keys = [getattr(k, "value", "") for _, k in known.kwargs]
        keys = [k if is_name(k) else "" for k in keys]
        for arg, word in zip(known.args, keys or [""] * len(known.args)):
            yield from _own_leaves(lowering, arg, mark, word)
    else:
        own = isinstance(value, Ref) and is_own(lowering, value, mark)
        yield (value.var if own else None), name


def _never_ends(node: gast.AST) -> bool:
    """Whether a statement is a loop that only a return leaves."""
    if not isinstance(node, gast.While) or not isinstance(node.test, gast.Constant):
        return False
    return bool(node.test.value) and not any(map(_breaks, node.body))


def _breaks(node: gast.AST) -> bool:
    """Whether a statement may leave the loop that it stands in."""
    if isinstance(node, gast.Break):
        return True
    if isinstance(node, (gast.For, gast.While)):
        return any(map(_breaks, node.orelse))
    return any(map(_breaks, gast.iter_child_nodes(node)))
