"""The broadcasting words -> numpy operations, or nothing where numpy stretches.

An adjoint may be smaller than its variable as long as it broadcasts to it. It
is stretched only where a true array is needed, and summed only where the
variable was stretched; a sum over an axis that the small adjoint lacks counts
the axis's length.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.errors import GradgenError
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Origin,
    Ref,
    Stmt,
    Var,
)
from gradgen.ir.operators import LINEAR_WORDS
from gradgen.ir.walk import rewrite, with_blocks, with_children
from gradgen.shapes.conflicts import refused_inside
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind, joined
from gradgen.shapes.spans import learn_span
from gradgen.shapes.shape import (
    ShapeConflict,
    SCALAR,
    Below,
    Shape,
    equal,
)
from gradgen.simplify.broadcasting import Words
from gradgen.simplify.small_products import with_small_products

# variables whose facts are found here
DERIVED = (Origin.ADJOINT, Origin.TANGENT)
# operations that move entries: of one number repeated, they are that number
MOVES = (
    "getitem numpy.reshape numpy.transpose numpy.swapaxes numpy.flip numpy.fliplr "
    "numpy.flipud"
).split()
# words that make an array as large as a variable
FULL = ("real", "real_as_others", "hosting")
LOCALS = (Origin.LOCAL, Origin.NAMED)


def stretch(
    function: Function, facts: Facts, seeded_whole: bool = False
) -> tuple[Function, Facts]:
    """The function without broadcasting words, and the facts of its adjoints.

    With `seeded_whole` a seed has the shape of its result, where nothing is known of it.

    before:  XX = X * X
             d_XX = unreduce(d_XX_sum, XX, None, False)
             d_X = unbroadcast(d_XX * X, XX, X)
    after:   XX = X * X
             d_XX = d_XX_sum
             d_X = d_XX * X
    """
    facts = facts.copy()
    for seed in function.seeds:
        of = _primal(seed)
        shape = facts.shapes[of]
        if of in facts.complexes:
            facts.complexes.add(seed)
        if seed.origin is Origin.TANGENT:
            facts.shapes[seed], facts.kinds[seed] = shape, facts.kinds[of]
            continue
        facts.shapes[seed] = shape if seeded_whole else facts.seed_shape(shape)
        # A result that is float64 for float32 arguments has a seed that is so too.
        kind = max(facts.kinds[of], Kind.LIKE)
        rank = facts.shapes[seed].rank
        strong = rank or rank is None and kind is Kind.WIDE
        facts.kinds[seed] = kind if strong else Kind.WEAK
    words = Words(function, facts)
    body = tuple(_stretched(function.body, words, facts))
    return replace(function, body=body), facts


def _stretched(body: Iterable[Stmt], words: Words, facts: Facts) -> Iterator[Stmt]:
    for stmt in body:
        if not stmt.note.derived and not isinstance(stmt, Loop | Branch):
            yield stmt
            if isinstance(stmt, Let):
                words.reached(stmt.var)
        elif isinstance(stmt, Let):
            yield _stretched_let(stmt, words, facts)
        elif isinstance(stmt, Branch):
            done = with_blocks(stmt, lambda b: _stretched(b, words, facts))
            assert isinstance(done, Branch)
            _learn_merges(done, facts)
            yield done
        else:
            assert isinstance(stmt, Loop)
            yield _stretched_loop(stmt, words, facts)


def _stretched_let(let: Let, words: Words, facts: Facts) -> Let:
    if let.note.derived:
        try:
            value = let.value
            if isinstance(value, Apply) and value.op in FULL:
                small = _unmoved(rewrite(value.args[0], words.resolve), facts)
                value = words.resolve(with_children(value, (small, value.args[1])))
            else:
                value = with_small_products(
                    value,
                    lambda expr: rewrite(expr, words.resolve),
                    facts,
                    let.var.origin in LOCALS,  # a rule reads it in full
                )
                value = rewrite(value, words.resolve)
                if let.var.origin not in LOCALS:
                    value = _unmoved(value, facts)
            let = replace(let, value=value)
            facts.learn(let)
        except GradgenError as error:
            raise error.at(let.note.place) from None
        except ShapeConflict as error:
            raise refused_inside(let, error) from None
        of = let.var.of
        if let.var.origin is Origin.TANGENT and _is_word(let.value):
            facts.shapes[let.var] = facts.shapes[
                _primal(let.var)
            ]  # its entries are in full
        if of in facts.entries and not facts.is_list(Ref(let.var)):
            _learn_list(let.var, facts)  # the adjoint of a list is one
    return let


def _learn_list(var: Var, facts: Facts) -> None:
    """The list that an adjoint or a tangent is has the entries of its variable's."""
    of = _primal(var)
    facts.entries[var] = facts.entries[of]
    if of in facts.examples:
        facts.examples[var] = facts.examples[of]


def _primal(var: Var) -> Var:
    """The variable that an adjoint, a tangent or a seed belongs to."""
    assert var.of is not None
    return var.of


def _is_word(value: Expr) -> bool:
    return isinstance(value, Apply) and value.op in LINEAR_WORDS


def _learn_merges(branch: Branch, facts: Facts) -> None:
    """An adjoint that leaves a branch has the shape of its variable, or is a number."""
    for merge in filter(lambda one: one.var.origin in DERIVED, branch.merges):
        ways = [way for way in (merge.then, merge.orelse) if way != Const(None)]
        of = _primal(merge.var)
        facts.shapes[merge.var] = _shape_of_one(facts.shapes[of], ways, facts)
        if of in facts.complexes:
            facts.complexes.add(merge.var)
        if of in facts.entries:
            _learn_list(merge.var, facts)
        facts.kinds[merge.var] = joined(map(facts.kind, ways))


def _shape_of_one(full: Shape, ways: Iterable[Expr], facts: Facts) -> Shape:
    """The shape of an adjoint that comes in one of several ways.

    Where its variable may have no value, it may be the number 0.
    """
    if all(facts.is_list(way) or equal(facts.of(way), full) for way in ways):
        return full
    return Shape(frozenset([Below(full)]))


def _stretched_loop(loop: Loop, words: Words, facts: Facts) -> Loop:
    """The loop with the words of its body replaced, once its kinds have settled."""
    if loop.note.derived:
        for var in (loop.index, loop.count):
            facts.shapes[var], facts.kinds[var] = SCALAR, Kind.COUNT
        learn_span(facts, loop)
    carried = [slot for slot in loop.carried if slot.inner.origin in DERIVED]
    kinds = {slot.inner: facts.kind(slot.entry) for slot in carried}
    ways = {slot.inner: [slot.entry] for slot in carried}
    while True:
        for slot in carried:
            # An adjoint at a round's start is of what the primal's round ends with.
            ends = words.slots.get(_primal(slot.inner)) if loop.note.derived else None
            for var in (slot.inner, slot.exit):
                full = facts.shapes[_primal(var)]
                if ends is not None:
                    way = ends.next if var is slot.inner else ends.entry
                    if way != Const(None):
                        full = facts.of(way)
                if {slot.inner.of, slot.exit.of} & facts.unset:
                    full = _shape_of_one(full, ways[slot.inner], facts)
                facts.shapes[var] = full
                facts.kinds[var] = kinds[slot.inner]
                if var.of in facts.complexes:
                    facts.complexes.add(var)
                if var.of in facts.entries:
                    _learn_list(var, facts)
        done = with_blocks(loop, lambda b: _stretched(b, words, facts))
        settled = True
        for slot in carried:
            kind = joined((kinds[slot.inner], facts.kind(slot.next)))
            settled = settled and kind is kinds[slot.inner]
            if slot.next not in ways[slot.inner]:
                ways[slot.inner].append(slot.next)
                of = {slot.inner.of, slot.exit.of}
                settled = settled and not of & facts.unset
            kinds[slot.inner] = kind
        if settled:
            assert isinstance(done, Loop)
            return done


def _unmoved(expr: Expr, facts: Facts) -> Expr:
    """An adjoint that moves the entries of one number repeated is that number."""
    if not isinstance(expr, Apply):
        return expr
    if expr.op in ("numpy.add", "numpy.negative"):
        return with_children(expr, (_unmoved(arg, facts) for arg in expr.args))
    if expr.op in MOVES:
        inner = expr.args[0]
        if isinstance(inner, Apply) and inner.op == "numpy.full_like":
            if facts.of(inner.args[1]) == SCALAR:
                return inner.args[1]
    return expr
