"""Axes of arguments that meet lengths which nothing is known of, and so may not be 1."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from gradgen.facts.checked import length_of
from gradgen.facts.lengths import size_of
from gradgen.frozen import dataclass
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Effect,
    Expr,
    Function,
    Let,
    Loop,
    Note,
    Param,
    Ref,
    Role,
    Stmt,
    Var,
)
from gradgen.ir.operators import STORES, getitem
from gradgen.ir.walk import defined, is_static, lets, reads, reads_of, statements
from gradgen.ir.walk import static, uses, with_blocks
from gradgen.rules.binding import bind
from gradgen.rules.load import operations
from gradgen.rules.traits import OF_ALL
from gradgen.rules.words_products import explicit
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import ShapeConflict
from gradgen.shapes.spans import is_no_less
from gradgen.shapes.spec import read_size


@dataclass(frozen=True)
class Meeting:
    """An axis, counted from the last, of a value that meets one of unknown length."""

    size: Dim
    value: Expr
    other: Expr
    axis: int
    sums: bool = False  # whether neither may be stretched along the other


def stretching(
    primal: Function, facts: Facts, letters: Collection[str]
) -> tuple[set[str], set[str]]:
    """The lengths that have to be more than 1, and letters of others, not so simple.

    What the text takes for n entries would be one that is stretched along a length of
    which nothing is known.

        before:  X @ w + np.ravel(g)        # X (n, d)
        after:   n is more than 1
    """
    simple: set[str] = set()
    others: set[str] = set()
    for let in lets(primal.body):
        for size in (*_summed(let.value, facts), *(x.size for x in met(let, facts))):
            if size.names and size.names <= set(letters):
                word = str(size).replace(" ", "")
                if read_size(word) is not None:
                    simple.add(word)
                else:
                    others |= size.names
    return simple, others


def letters_of(params: Iterable[Param], facts: Facts) -> dict[str, tuple[Expr, int]]:
    """An argument, and one of its axes, for each letter that is known of these."""
    found: dict[str, tuple[Expr, int]] = {}
    for one in (Ref(param.var) for param in params):
        for axis, size in enumerate(dims_of(one, facts)):
            if size.symbol and not _is_unknown(size):
                found.setdefault(size.symbol, (one, axis))
    return found


def stretched(
    primal: Function, facts: Facts, told: Mapping[str, tuple[Expr, int]]
) -> Function:
    """The function, which raises where what is told to have n entries is stretched.

    `told` has an argument, and one of its axes, for each letter.

        before:  out = np.array(rows)
                 loss = np.sum((out - y) ** 2)        # y (n)
        after:   out = np.array(rows)
                 if len(out) not in (1, len(y)):
                     raise ValueError("n is 1, and is stretched")
                 loss = np.sum((out - y) ** 2)

    What nothing reads may be stretched; of an array each length is looked at once.
    """
    values = {let.var: let.value for let in lets(primal.body)}
    going_on, read = _going_on(primal), uses(primal)

    def block(
        body: Iterable[Stmt], in_loop: bool = False, above: Collection[Expr] = ()
    ) -> Iterator[Stmt]:
        seen = set(above)
        for stmt in body:
            tests: dict[Expr, Stmt] = {}
            unread = isinstance(stmt, Let) and not read[stmt.var]
            for one in () if unread else _meetings(stmt, facts):
                known = one.size.names and one.size.names <= told.keys()
                anew = in_loop and going_on.isdisjoint(reads(one.value))
                if known and not _is_no_longer(one, facts, values, anew):
                    test, fail = _looked(one, facts, told)
                    if test not in seen:
                        tests.setdefault(test, fail)
                    if not facts.is_list(one.other):
                        seen.add(test)
            yield from tests.values()
            inside = in_loop or isinstance(stmt, Loop)
            yield with_blocks(stmt, partial(block, in_loop=inside, above=seen))

    body = tuple(block(primal.body))
    return primal if body == primal.body else replace(primal, body=body)


def _going_on(primal: Function) -> set[Var]:
    """What loops go on with, and what is made of that."""
    found: set[Var] = set()
    for stmt in statements(primal.body):
        if isinstance(stmt, Loop):
            found |= {var for slot in stmt.carried for var in (slot.inner, slot.exit)}
        elif isinstance(stmt, Branch) or not found.isdisjoint(reads_of(stmt)):
            found |= set(defined(stmt))
    return found


def _looked(
    one: Meeting, facts: Facts, told: Mapping[str, tuple[Expr, int]]
) -> tuple[Expr, Stmt]:
    length = size_of(one.size, lambda letter: length_of(*told[letter]))
    axis = len(dims_of(one.other, facts)) + one.axis
    other, both = length_of(one.other, axis), Apply("tuple", (Const(1), length))
    test = Apply("not_in", (other, both), (), "operator")
    why = f"{one.size} is 1, and is stretched"
    if one.sums:
        test = Apply("numpy.not_equal", (other, length), (), "operator")
        why = f"{one.size} is summed along another length"
    args = Const(ValueError, "ValueError"), Const(why)
    note = Note(Role.FORWARD)
    return test, Branch(test, (Effect(Apply("raise", args), note),), (), (), note)


def _is_no_longer(
    one: Meeting, facts: Facts, values: Mapping[Var, Expr], anew: bool
) -> bool:
    """Whether a slice has an entry, and no more than meets it: x[i : i + k] and k.

    Of what each round of a loop reads `anew` it may have none: an adjoint of no entry
    that a round adds up raises.
    """
    part = values.get(one.other.var) if isinstance(one.other, Ref) else one.other
    if not isinstance(part, Apply) or part.op != "getitem":
        return False
    base, key = part.args
    at = dims_of(base, facts)
    if not isinstance(key, Apply) or key.op != "slice" or -one.axis != len(at):
        return False
    start, stop, step = key.args
    if step != Const(None):
        return False
    first = Dim.of(0) if start == Const(None) else facts.dim(start)
    if stop == Const(None):
        return one.size == Dim.of(0) - first
    inside = anew or is_no_less(facts, at[0] - first - ONE)
    return inside and facts.dim(stop) - first == one.size


def _meetings(stmt: Stmt, facts: Facts) -> Iterator[Meeting]:
    if isinstance(stmt, Let):
        yield from met(stmt, facts)
        yield from summed(stmt, facts)


def met(
    let: Let, facts: Facts, wanted: Callable[[Dim], bool] | None = None
) -> Iterator[Meeting]:
    """The axes that meet, elementwise or in a store, one of unknown, or `wanted`, length."""
    value, wanted = let.value, wanted or _is_unknown
    if not isinstance(value, Apply):
        return
    if value.op in STORES:
        base, key, stored = value.args[:3]
        if not facts.is_list(base):
            yield from _along(stored, [getitem(base, key)], facts, wanted)
    elif _shape_word(value) != "summed" and is_elementwise(value):
        dims = dims_of(Ref(let.var), facts)
        operands = _broadcast(value)
        for arg in operands:
            others = [other for other in operands if other is not arg]
            for one in _along(arg, others, facts, wanted):
                alone = len(dims) + one.axis < 0  # shapes that are compared: one answer
                if not alone and one.size == dims[one.axis]:  # that is taken for both
                    yield one


def _along(
    value: Expr, others: list[Expr], facts: Facts, wanted: Callable[[Dim], bool]
) -> Iterator[Meeting]:
    dims = dims_of(value, facts)
    for other in others:
        sizes = dims_of(other, facts)
        for axis in range(-min(len(dims), len(sizes)), 0):
            if wanted(sizes[axis]):
                yield Meeting(dims[axis], value, other, axis)


def _is_unknown(size: Dim) -> bool:
    return any(name[0] == "?" for name in size.names)


def dims_of(expr: Expr, facts: Facts) -> tuple[Dim, ...]:
    """The axes of a value; none where they are not known."""
    try:
        return facts.of(expr).dims or ()
    except ShapeConflict:
        return ()


def _summed(value: Expr, facts: Facts) -> Iterator[Dim]:
    """The lengths of an einsum's letters that are not known of another operand."""
    for several in _by_letter(value, facts):
        if any(_is_unknown(size) for size, _, _ in several):
            yield from (size for size, _, _ in several)


def summed(
    let: Let, facts: Facts, wanted: Callable[[Dim], bool] | None = None
) -> Iterator[Meeting]:
    """The axes that an einsum sums along with one of unknown, or `wanted`, length."""
    wanted = wanted or _is_unknown
    for several in _by_letter(let.value, facts):
        for size, value, _ in several:
            for other_size, other, axis in several:
                if other != value and wanted(other_size):
                    yield Meeting(size, value, other, axis, True)


def _by_letter(value: Expr, facts: Facts) -> Iterable[list[tuple[Dim, Expr, int]]]:
    """For each letter of an einsum the axes of operands: how long, of what, which one."""
    if not isinstance(value, Apply) or _shape_word(value) != "summed":
        return ()
    subscripts, *operands = value.args
    ranks = [facts.rank(one) for one in operands]
    text = static(subscripts) if is_static(subscripts) else None
    if not isinstance(text, str) or None in ranks and "..." in text:
        return ()
    inputs, _ = explicit(text, ranks)
    found: dict[str, list[tuple[Dim, Expr, int]]] = {}
    for letters, one in zip(inputs, operands):
        dims = dims_of(one, facts) or tuple(facts.fresh_dim() for _ in letters)
        for axis, (letter, size) in enumerate(zip(letters, dims), -len(dims)):
            found.setdefault(letter, []).append((size, one, axis))
    return found.values()


def _broadcast(value: Apply) -> list[Expr]:
    """What an operation broadcasts: of np.interp(x, xp, fp) x alone, of x + y both."""
    rule = operations()[value.op]
    if rule.shape is None:
        return list(value.args)
    named = {arg.var.name for arg in rule.shape.args if isinstance(arg, Ref)}
    return [arg for param, arg in bind(rule, value).items() if param.name in named]


def _shape_word(value: Apply) -> str:
    rule = operations().get(value.op)
    return getattr(rule.shape, "op", "") if rule is not None else ""


def is_elementwise(value: Apply) -> bool:
    """Whether an operation broadcasts its operands."""
    rule = operations().get(value.op)
    if rule is None:
        return False
    return rule.shape is None or _shape_word(value) in OF_ALL
