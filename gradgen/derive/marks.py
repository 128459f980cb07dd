"""A primal made ready to be gone through backwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count

from gradgen.derive.keys_once import keys_once
from gradgen.derive.unset import with_empty_lists
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Origin,
    Param,
    Ref,
    Stmt,
    Supply,
    Var,
)
from gradgen.errors import GradgenError
from gradgen.ir.operators import ENTRY, LISTS_OF_ADJOINTS, MADE_LISTS
from gradgen.ir.operators import OF_SEQUENCE, getitem
from gradgen.ir.walk import (
    children,
    joins,
    lets,
    map_lets,
    reads,
    rewrite,
    statements,
    uses,
    with_blocks,
)
from gradgen.shapes.spec import entries_told

# Lists in lists in lists. A list that is filled with lists of itself has no depth.
NESTED = 9


def marked(primal: Function, supply: Supply) -> Function:
    """The primal with a number for each loop and branch, and named tests.

    The gradient's loops and branches carry the number of the one that they go
    through backwards. A test is computed once, and read by both. What is marked
    already is numbered again.
    """
    numbers = count()
    lists = _lists(primal.body, primal.params)
    if lists:
        body = with_empty_lists(primal.body, lists, supply)
        primal = replace(primal, body=body)
        lists = _lists(body, primal.params)

    def block(body: Iterable[Stmt]) -> Iterator[Stmt]:
        for stmt in body:
            if isinstance(stmt, Branch) and _is_computed(stmt):
                test = supply.var("test", Origin.TEMP)
                yield Let(test, _truth(stmt.test, lists), stmt.note)
                stmt = replace(stmt, test=Ref(test))
            if isinstance(stmt, Loop):
                stmt = _tested_lists(stmt, lists)
            if isinstance(stmt, Let) and _op(stmt.value) == "not":
                stmt = replace(stmt, value=_truth(stmt.value, lists))
            if isinstance(stmt, (Branch, Loop)):
                stmt = with_blocks(replace(stmt, mark=next(numbers)), block)
            yield stmt

    body = map_lets(block(primal.body), lambda let: _of_lists(let, lists))
    values = {let.var: let.value for let in lets(body)}
    whole = map_lets(body, lambda let: _through_a_view(let, values))
    return keys_once(_without_parts(replace(primal, body=whole), body))


def _without_parts(primal: Function, before: Iterable[Stmt]) -> Function:
    """The function without stores into parts that nothing reads any more.

    before:  part = A[1:]; new = (part with x at 0)        # A[1:][0] = x is behind it
    after:   part = A[1:]; new = part
    """
    pairs = zip(lets(before), lets(primal.body))
    swapped = [old.value for old, new in pairs if old.value is not new.value]
    stored = {var for one in swapped for var in reads(getattr(one, "args")[-1])}
    read = uses(primal)
    gone = {var for var in stored if not read[var]}

    def part(let: Let) -> Let:
        value = let.value
        is_gone = let.var in gone and isinstance(value, Apply)
        return replace(let, value=getattr(value, "args")[0]) if is_gone else let

    return replace(primal, body=map_lets(primal.body, part)) if gone else primal


def _through_a_view(let: Let, values: Mapping[Var, Expr]) -> Let:
    """A store into a part of a part as one: A[1:][0] = x."""
    value = let.value
    if not isinstance(value, Apply) or value.op != "setitem":
        return let
    base, key, stored = value.args
    inner = values.get(stored.var) if isinstance(stored, Ref) else None
    if not isinstance(inner, Apply) or inner.op not in ("setitem", "additem"):
        return let
    first = inner.args[0]
    part = values.get(first.var) if isinstance(first, Ref) else first
    if part != getitem(base, key) or "chain" in (_op(key), _op(inner.args[1])):
        return let
    chain = Apply("chain", (key, inner.args[1]))
    return replace(let, value=Apply(inner.op, (base, chain, inner.args[2])))


def _op(expr: Expr) -> str:
    return expr.op if isinstance(expr, Apply) else ""


def _lists(body: Iterable[Stmt], params: Iterable[Param]) -> dict[Var, int]:
    """The variables that are Python lists: 1, or 2 for a list of lists."""
    given = (param.var for param in params if entries_told(param.fact) is not None)
    found = dict.fromkeys(given, 1)
    size = -1
    while size != sum(found.values()):
        size = sum(found.values())
        for stmt in statements(body):
            try:
                if isinstance(stmt, Let) and isinstance(stmt.value, Apply):
                    _deepen(found, stmt.var, _depth(stmt.value, found))
                for var, way in joins(stmt):
                    _deepen(found, var, _depth(way, found))
            except GradgenError as error:
                raise error.at(stmt.note.place) from None
    return found


def _deepen(found: dict[Var, int], var: Var, depth: int) -> None:
    if depth > NESTED:
        raise GradgenError(
            "GG310",
            "a list that each round of a loop puts into another, or numbers beside it",
            advice="a list for the numbers, and one for the lists",
        )
    if depth > found.get(var, 0):
        found[var] = depth


def _depth(expr: Expr, lists: Mapping[Var, int]) -> int:
    """How many lists an expression's value is nested in; 0 for no list."""
    if isinstance(expr, Ref):
        return lists.get(expr.var, 0)
    if not isinstance(expr, Apply):
        return 0
    if expr.op == "list":
        return 1 + max((_depth(arg, lists) for arg in expr.args), default=0)
    if expr.op in ENTRY:
        item = expr.args[ENTRY[expr.op]]
        return max(_depth(expr.args[0], lists), 1 + _depth(item, lists))
    if expr.op in ("popped", "shortened", "sliced", "zeros_of", "added_lists"):
        return _depth(expr.args[0], lists)
    if expr.op in LISTS_OF_ADJOINTS:
        return _rank_of_lists(expr)
    if expr.op == "repeated":
        return 1 + _depth(expr.args[0], lists)
    if expr.op == "joined":
        return max(1, *(_depth(arg, lists) for arg in expr.args[:2]))
    if expr.op in ("getitem", "item") and not _is_slice(expr.args[1]):
        return max(_depth(expr.args[0], lists) - 1, 0)
    return 0


def _rank_of_lists(expr: Apply) -> int:
    """How deep the lists are that the entries or parts of an array make."""
    deep = expr.args[-1]
    known = expr.op == "entries" and len(expr.args) > 1 and isinstance(deep, Const)
    return int(deep.value) if known else 1


def _with_entries(expr: Expr, lists: Mapping[Var, int]) -> Expr:
    """The expression with the entries of lists that it reads as such."""

    def change(node: Expr) -> Expr:
        if isinstance(node, Apply) and node.op == "getitem":
            base, key = node.args
            if _depth(base, lists) and not _is_slice(key):
                return replace(node, op="item")
        return node

    return rewrite(expr, change)


def _whole_lists(expr: Expr, lists: Mapping[Var, int]) -> bool:
    """Whether an expression does more with a list than to read an entry."""
    if isinstance(expr, Ref):
        return expr.var in lists
    if not isinstance(expr, Apply):
        return False
    first = 1 if expr.op in ("item", "len") else 0
    return any(_whole_lists(child, lists) for child in children(expr)[first:])


def _truth(expr: Expr, lists: Mapping[Var, int]) -> Expr:
    """A condition that asks lists for their lengths: not stack as not len(stack) > 0."""
    if isinstance(expr, Ref) and expr.var in lists:
        length = Apply("len", (expr,))
        return Apply("numpy.greater", (length, Const(0)), spelling="operator")
    if isinstance(expr, Apply) and expr.op in ("not", "and", "or"):
        return replace(expr, args=tuple(_truth(arg, lists) for arg in expr.args))
    return expr


def _tested_lists(loop: Loop, lists: Mapping[Var, int]) -> Loop:
    """The loop with the entries of lists in its bounds and conditions as such."""
    parts = {
        name: _with_entries(expr if name == "over" else _truth(expr, lists), lists)
        for name in ("over", "test", "until")
        if (expr := getattr(loop, name)) is not None
    }
    if any(_whole_lists(expr, lists) for expr in parts.values()):
        raise GradgenError(
            "GG310",
            "a list that a loop fills, in a condition",
            advice="len(x) > 0, or an entry of it",
        ).at(loop.note.place)
    return replace(
        loop,
        over=parts.get("over"),
        test=parts.get("test"),
        until=parts.get("until"),
    )


def _of_lists(let: Let, lists: Mapping[Var, int]) -> Let:
    """An operation on a list by a name of its own: an entry, the array of all."""
    value = let.value
    if not isinstance(value, Apply) or value.op in KNOW_LISTS:
        return let
    if not any(var in lists for var in reads(value)):
        return let
    value = _with_entries(value, lists)
    assert isinstance(value, Apply)  # the same, or the entry that it reads
    first = value.args[0]
    if isinstance(first, Ref) and first.var in lists:
        name = value.spelling or f"name:{value.op}"
        if value.op in STACKING and _along_first(value):
            stacked = Apply("stacked", (first,), spelling=name)
            return replace(let, value=stacked)
        if value.op == "numpy.concatenate" and _along_an_axis(value):
            if lists[first.var] > 1:
                raise _refused("concatenate: its entries are lists", let)
            return replace(let, value=replace(value, op="concatenated", spelling=name))
    if value.op == "setitem" and isinstance(first, Ref) and first.var in lists:
        if not _is_slice(value.args[1]):  # of a list of adjoints, all of one shape
            stored = Apply("put", (*value.args, value.args[2]))
            return replace(let, value=stored)
    if not _whole_lists(value, lists):
        return replace(let, value=value)
    raise _refused(value.op.removeprefix("numpy."), let)


def _refused(word: str, stmt: Stmt) -> GradgenError:
    return GradgenError(
        "GG310",
        f"a list that a loop fills, in {word}",
        advice="np.concatenate(..., axis=0), or np.array(...), of the list first",
    ).at(stmt.note.place)


STACKING = OF_SEQUENCE | {"numpy.stack"}
# what reads a list as a whole: the last two are what the first reading made of others
READ_LISTS = ("len", "isinstance", "stacked", "concatenated")
# operations that know lists for what they are
KNOW_LISTS = (*MADE_LISTS, *LISTS_OF_ADJOINTS, *READ_LISTS)


def _is_slice(key: Expr) -> bool:
    return isinstance(key, Apply) and key.op in ("slice", "tuple")


def _along_first(value: Apply) -> bool:
    return len(value.args) == 1 and all(v == Const(0) for _, v in value.kwargs)


def _along_an_axis(value: Apply) -> bool:
    """Whether parts are joined along an axis that is known, as they are."""
    given = dict(zip(("axis",), value.args[1:], strict=False)) | dict(value.kwargs)
    axis = given.pop("axis", Const(0))
    return not given and isinstance(axis, Const) and type(axis.value) is int


def _is_computed(branch: Branch) -> bool:
    return isinstance(branch.test, Apply) and branch.test.op not in (
        "numpy.errstate",
        "try",
    )
