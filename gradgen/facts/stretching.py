"""Axes of arguments that meet lengths which nothing is known of, and so may not be 1."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gradgen.ir.nodes import Apply, Expr, Function
from gradgen.ir.operators import STORES, getitem
from gradgen.ir.walk import is_static, lets, static
from gradgen.rules.load import operations
from gradgen.rules.traits import OF_ALL
from gradgen.rules.words_products import explicit
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import ShapeConflict
from gradgen.shapes.spec import read_size


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
    for one in _met(primal, facts):
        if one.names and one.names <= set(letters):
            word = str(one).replace(" ", "")
            if read_size(word) is not None:
                simple.add(word)
            else:
                others |= one.names
    return simple, others


def _met(primal: Function, facts: Facts) -> Iterator[Dim]:
    """The lengths that meet, elementwise or in a store, one that is not known."""
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply):
            continue
        if value.op in STORES:
            base, key, stored = value.args[:3]
            if not facts.is_list(base):
                places = dims_of(getitem(base, key), facts)
                yield from _along(dims_of(stored, facts), [places])
            continue
        if _shape_word(value) == "summed":
            yield from _contracted(value, facts)
            continue
        if not is_elementwise(value):
            continue
        given = [dims_of(arg, facts) for arg in value.args]
        for dims in given:
            yield from _along(dims, [other for other in given if other is not dims])


def _along(dims: tuple[Dim, ...], others: list[tuple[Dim, ...]]) -> Iterator[Dim]:
    for other in others:
        for one, size in zip(dims[::-1], other[::-1]):
            if any(name[0] == "?" for name in size.names):
                yield one


def dims_of(expr: Expr, facts: Facts) -> tuple[Dim, ...]:
    """The axes of a value; none where they are not known."""
    try:
        return facts.of(expr).dims or ()
    except ShapeConflict:
        return ()


def _contracted(value: Apply, facts: Facts) -> Iterator[Dim]:
    """The lengths of an einsum's letters that are not known of another operand."""
    subscripts, *operands = value.args
    ranks = [facts.rank(one) for one in operands]
    text = static(subscripts) if is_static(subscripts) else None
    if not isinstance(text, str) or None in ranks and "..." in text:
        return
    inputs, _ = explicit(text, ranks)
    sizes: dict[str, list[Dim]] = {}
    for letters, one in zip(inputs, operands):
        dims = dims_of(one, facts) or tuple(facts.fresh_dim() for _ in letters)
        for letter, size in zip(letters, dims):
            sizes.setdefault(letter, []).append(size)
    for several in sizes.values():
        for length in several:
            yield from _along((length,), [(size,) for size in several])


def _shape_word(value: Apply) -> str:
    rule = operations().get(value.op)
    return getattr(rule.shape, "op", "") if rule is not None else ""


def is_elementwise(value: Apply) -> bool:
    """Whether an operation broadcasts its operands."""
    rule = operations().get(value.op)
    if rule is None:
        return False
    return rule.shape is None or _shape_word(value) in OF_ALL
