"""Statements that people write in one line: a, b = b, a, and d_a = d_b = 0.0."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import gast

from gradgen.ir.nodes import Role
from gradgen.printer.expression import expression
from gradgen.printer.popped import popped
from gradgen.printer.text import Comment

WIDTH = 88
BODIES = ("body", "orelse", "handlers", "finalbody")


def together(function: gast.FunctionDef) -> None:
    """Joins statements of a function that people write in one line.

    before:  u_new = 2 * u - p      after:  u, p = 2 * u - p, u
             u, p = u_new, u

    before:  one = r[0]             after:  one, two = r[0], r[1]
             two = r[1]                     (where the user wrote that)

    before:  x2_in = x + h * x1     after:  x2_in, y2_in = x + h * x1, y + h * y1
             y2_in = y + h * y1             (of x2, y2 = rates(x + h * x1, y + h * y1))

    before:  x_before = x           after:  x_before, p_before = x, p
             p_before = p

    before:  d_a = 0.0              after:  d_a = d_b = 0.0
             d_b = 0.0

    before:  d_p = -d_u             after:  d_u, d_p = d_u_new, -d_u
             d_u = d_u_new                  (at the end of a round)

    before:  a = stack[-1]          after:  a = stack.pop()
             stack.pop()

    What sums start from stands in the order of the parameters, numbers first.
    """
    seen = Counter(n.id for n in gast.walk(function) if isinstance(n, gast.Name))
    order = {f"d_{one.id}": i for i, one in enumerate(function.args.args)}
    _block(function, seen, order, 0)


def _block(
    node: Any, seen: Counter[str], order: Mapping[str, int], indent: int
) -> None:
    for field in BODIES:
        body = getattr(node, field, None)
        if not isinstance(body, list):
            continue
        for one in body:
            _block(one, seen, order, indent + 4)
        body = _swapped(popped(body), seen, indent + 4)
        if isinstance(node, (gast.For, gast.While)) and field == "body":
            body = _handed_on(body, indent + 4)
        body = _as_written(body, indent + 4)
        body = _kept(body, indent + 4)
        setattr(node, field, _zeros(_ordered(body, order), indent + 4))


def _swapped(body: list[Any], seen: Counter[str], indent: int) -> list[Any]:
    """The body with what only a swap reads written in the swap."""
    done: list[Any] = []
    for node in body:
        if _is_swap(node):
            while done and _moves_into(done[-1], node, seen, indent):
                done.pop()
        done.append(node)
    return done


def _is_swap(node: Any) -> bool:
    """Whether a statement is a, b = c, d."""
    return (
        isinstance(node, gast.Assign)
        and isinstance(node.targets[0], gast.Tuple)
        and isinstance(node.value, gast.Tuple)
        and len(node.targets[0].elts) == len(node.value.elts)
    )


def _moves_into(node: Any, swap: Any, seen: Counter[str], indent: int) -> bool:
    """Whether the swap alone reads what a statement assigns; then it is moved there."""
    assigned = _named(node)
    if assigned is None or seen[assigned] != 2 or getattr(node, "trailing", False):
        return False
    if _has_effect(node.value):
        return False
    places = [
        i
        for i, one in enumerate(swap.value.elts)
        if isinstance(one, gast.Name) and one.id == assigned
    ]
    if len(places) != 1:
        return False
    before = swap.value.elts[places[0]]
    swap.value.elts[places[0]] = node.value
    if not _fits(swap, indent):
        swap.value.elts[places[0]] = before
        return False
    if getattr(node, "origin", None) is not None:
        swap.origin = node.origin
    return True


def _handed_on(body: list[Any], indent: int) -> list[Any]:
    """The body with what its last two lines hand to the next round in one line.

    They do where the first of them reads what the second one gives a new value.
    """
    if len(body) < 2:
        return body
    first, last = body[-2:]
    names = _named(first), _named(last)
    if None in names or not isinstance(last.value, gast.Name) or _is_swap(first):
        return body
    origin = getattr(first, "origin", None)
    if origin is None or not origin.derived or getattr(first, "trailing", False):
        return body
    read = {one.id for one in gast.walk(first.value) if isinstance(one, gast.Name)}
    if names[1] not in read or last.value.id == names[0] or _has_effect(first.value):
        return body
    targets = gast.Tuple([last.targets[0], first.targets[0]], gast.Store())
    values = gast.Tuple([last.value, first.value], gast.Load())
    node = gast.Assign([targets], values, None)
    if not _fits(node, indent):
        return body
    node.origin = first.origin
    return [*body[:-2], node]


def _has_effect(value: Any) -> bool:
    """Whether a value changes what another one may read: xs.pop(), np.add(x, y, out=x)."""
    return any(
        getattr(one.func, "attr", "") == "pop"
        or any(word.arg == "out" for word in one.keywords)
        for one in gast.walk(value)
        if isinstance(one, gast.Call)
    )


def _as_written(body: list[Any], indent: int) -> list[Any]:
    """The body with the user's lines a, b = x, y as one line again."""
    done: list[Any] = []
    at = 0
    while at < len(body):
        count = _given_together(body, at)
        if count:
            lets = body[at : at + count]
            targets = gast.Tuple([one.targets[0] for one in lets], gast.Store())
            values = gast.Tuple([one.value for one in lets], gast.Load())
            node = gast.Assign([targets], values, None)
            if _fits(node, indent):
                node.origin = lets[0].origin
                if getattr(lets[-1], "trailing", False):
                    node.trailing = lets[-1].trailing
                done.append(node)
                at += count
                continue
        done.append(body[at])
        at += 1
    return done


def _given_together(body: Sequence[Any], at: int) -> int:
    """How many statements from here on are the user's one line a, b = x, y."""
    origin = getattr(body[at], "origin", None)
    if origin is None or origin.role is not Role.FORWARD or not origin.lines:
        return 0
    count = _written_together(origin.lines[0].text)
    lets = body[at : at + count]
    if count < 2 or len(lets) < count:
        return 0
    earlier: set[str] = set()
    for i, one in enumerate(lets):
        assigned = _named(one)
        same = getattr(one, "origin", None) == origin
        last = i == count - 1
        if assigned is None or not same or getattr(one, "trailing", False) and not last:
            return 0
        read = {n.id for n in gast.walk(one.value) if isinstance(n, gast.Name)}
        if read & earlier or assigned in earlier:
            return 0
        earlier.add(assigned)
    follows = body[at + count] if len(body) > at + count else None
    more = getattr(follows, "origin", None) == origin and _named(follows) is not None
    ahead = at > 0 and getattr(body[at - 1], "origin", None) == origin
    return 0 if more or ahead and _named(body[at - 1]) is not None else count


def _written_together(text: str) -> int:
    """How many values a line has that gives several names at once, or returns them."""
    if "," not in text:
        return 0
    try:
        (node,) = ast.parse(text).body
    except (SyntaxError, ValueError):
        return 0
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
        return len(node.value.elts)
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
        # what an inlined call is given
        plain = (ast.Name, ast.Constant, ast.Attribute)
        given = [one for one in node.value.args if not isinstance(one, plain)]
        return len(given) if isinstance(node.targets[0], ast.Tuple) else 0
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Tuple):
        return 0
    target = node.targets[0]
    alike = isinstance(target, ast.Tuple) and len(target.elts) == len(node.value.elts)
    return len(node.value.elts) if alike and len(node.targets) == 1 else 0


def _kept(body: list[Any], indent: int) -> list[Any]:
    """The body with what a round keeps of several names in one line."""
    done: list[Any] = []
    for node in body:
        before = done[-1] if done else None
        if before is not None and _keeps(node) and _keeps(before):
            targets, values = (
                [*_items(before.targets[0]), *node.targets],
                [*_items(before.value), node.value],
            )
            joined = gast.Assign(
                [gast.Tuple(targets, gast.Store())],
                gast.Tuple(values, gast.Load()),
                None,
            )
            given = {one.id for one in targets}
            if _fits(joined, indent) and given.isdisjoint(one.id for one in values):
                joined.origin = before.origin
                done[-1] = joined
                continue
        done.append(node)
    return done


def _keeps(node: Any) -> bool:
    """Whether a statement of ours is x_before = x, or several of these in one line."""
    if not isinstance(node, gast.Assign) or getattr(node, "trailing", False):
        return False
    targets, values = _items(node.targets[0]), _items(node.value)
    return (
        len(node.targets) == 1
        and len(targets) == len(values)
        and hasattr(node, "origin")
        and all(isinstance(one, gast.Name) for one in (*targets, *values))
        and all(a.id == f"{b.id}_before" for a, b in zip(targets, values, strict=True))
    )


def _items(node: Any) -> list[Any]:
    """The items of a tuple, or the one value."""
    return list(node.elts) if isinstance(node, gast.Tuple) else [node]


def _ordered(body: list[Any], order: Mapping[str, int]) -> list[Any]:
    """The body with the starts of sums before a loop in the parameters' order."""
    done: list[Any] = []
    run: list[Any] = []
    for node in body:
        if _starts(node) or _named(node) in order and _is_zeros(node.value):
            run.append(node)
            continue
        if isinstance(node, (gast.For, gast.While)):
            run.sort(
                key=lambda one: (not _starts(one), order.get(_named(one) or "", -1))
            )
        done += [*run, node]
        run = []
    return done + run


def _is_zeros(value: Any) -> bool:
    """Whether a value is np.zeros_like(x)."""
    called = value.func if isinstance(value, gast.Call) else None
    return isinstance(called, gast.Attribute) and called.attr == "zeros_like"


def _zeros(body: list[Any], indent: int) -> list[Any]:
    """The body with neighbouring names that start from 0.0 in one line."""
    done: list[Any] = []
    for node in body:
        before = done[-1] if done else None
        if before is not None and _starts(before) and _starts(node):
            joined = gast.Assign([*before.targets, *node.targets], node.value, None)
            if _fits(joined, indent):
                if hasattr(before, "origin"):
                    joined.origin = before.origin
                done[-1] = joined
                continue
        done.append(node)
    return done


def _starts(node: Any) -> bool:
    """Whether a statement of a derivative is d_a = 0.0."""
    if not isinstance(node, gast.Assign) or not isinstance(node.value, gast.Constant):
        return False
    origin = getattr(node, "origin", None)
    # what an arm gives that has nothing to add comes from no statement
    named = all(getattr(one, "id", "").startswith("d_") for one in node.targets)
    derived = named if origin is None else origin.derived
    zero = type(node.value.value) is float and node.value.value == 0
    names = all(isinstance(one, gast.Name) for one in node.targets)
    return derived and zero and names and not getattr(node, "trailing", False)


def _named(node: Any) -> str | None:
    """The name that a statement assigns, of one that does nothing else."""
    if isinstance(node, Comment) or not isinstance(node, gast.Assign):
        return None
    target = node.targets[0]
    alone = len(node.targets) == 1 and isinstance(target, gast.Name)
    return target.id if alone else None


def _fits(node: gast.Assign, indent: int) -> bool:
    """Whether an assignment is one line of the text."""
    sides = [*node.targets, node.value]
    return indent + len(" = ".join(expression(one) for one in sides)) <= WIDTH
