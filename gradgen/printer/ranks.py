"""Guards that ask several arguments whether they are numbers, in one call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

import gast

from gradgen.printer.expression import expression

# fewer stand one by one
SEVERAL = 3
# what an `if` leaves of a line
ROOM = 88 - len("    if :")


def of_numbers(values: list[gast.AST], taken: Set[str]) -> list[gast.AST]:
    """The alternatives of an `or`, with one call for what is to have no axes.

    before:  np.ndim(x) != 1 or np.ndim(a) != 0 or np.ndim(b) != 0 or np.ndim(c) != 0
    after:   np.ndim(x) != 1 or any(map(np.ndim, (a, b, c)))

    One by one where something is called any or map among the names that are `taken`, and
    where two alternatives are longer than a line.
    """
    flat = list(_flat(values))
    found = [one for one in flat if _asked(one) is not None]
    if len(found) < SEVERAL or taken & {"any", "map"}:
        return values
    ndim = found[0].left.func
    names = gast.Tuple([_asked(one) for one in found], gast.Load())
    once = gast.Call(_name("map"), [ndim, names], [])
    call = gast.Call(_name("any"), [once], [])
    first = flat.index(found[0])
    rest = [one for one in flat[first:] if one not in found]
    made = [*flat[:first], call, *rest]
    if len(made) == 2 and len(expression(gast.BoolOp(gast.Or(), made))) > ROOM:
        return values  # whose lines would break in a call
    return made


def _flat(values: Sequence[gast.AST]) -> Iterator[gast.AST]:
    for value in values:
        if isinstance(value, gast.BoolOp) and isinstance(value.op, gast.Or):
            yield from _flat(value.values)
        else:
            yield value


def _asked(value: gast.AST) -> gast.Name | None:
    """x of np.ndim(x) != 0, a name."""
    if not isinstance(value, gast.Compare) or not isinstance(value.left, gast.Call):
        return None
    func, args = value.left.func, value.left.args
    is_rank = isinstance(func, gast.Attribute) and func.attr == "ndim"
    differs = isinstance(value.ops[0], gast.NotEq) and len(value.ops) == len(args) == 1
    zero = value.comparators[0]
    if not is_rank or not differs or getattr(zero, "value", None) != 0:
        return None
    return args[0] if isinstance(args[0], gast.Name) else None


def _name(text: str) -> gast.Name:
    return gast.Name(text, gast.Load(), None, None)
