"""A complete set of facts for a function of which not all is told, for a person to judge.

The ranks are those that the body forces and the conventions assume; what is left has
the least that goes with the others: an operand has the rank of what it meets, A in
A @ x is a matrix. Axes that are combined are taken for equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gradgen.derive.marks import marked
from gradgen.errors import GradgenError
from gradgen.facts.assumed import assumed, is_free
from gradgen.facts.axes import Axes
from gradgen.facts.matrices import product_sides
from gradgen.frontend.source.described import arrays_described
from gradgen.frontend.lower import lower
from gradgen.frontend.source.source import Source
from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Function, Param, Ref, Supply, Var
from gradgen.ir.walk import lets, reads
from gradgen.ir.operators import MATRIX_PRODUCTS
from gradgen.pipeline.attempts import statements_in
from gradgen.pipeline.readings import facts_told
from gradgen.pipeline.emitted import Emitted
from gradgen.pipeline.run import run
from gradgen.request.parts import path_of
from gradgen.request.options import Request
from gradgen.request.request import request as request_of
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import ANY, NoRanks, Ranks
from gradgen.shapes.shape import ShapeConflict

# the ranks that are tried, the likeliest first
LIKELY = (1, 2, 0, 3)
# of a longer function nothing is proposed: it would be emitted a second time
LONGEST = 400


@dataclass(frozen=True)
class Proposal:
    """A request with all facts, and what its text saves."""

    request: Request
    saves: str


def proposal(asked: Request, source: Source, emitted: Emitted) -> Proposal | None:
    """The facts that make the text of a request shorter; None where none do.

    before:  ridge_loss(w, X, y, ridge), nothing told: 24 statements and two helpers
    after:   --shape w=d --shape X="n d" --shape y=n --shape ridge="", 5 statements
    """
    if not emitted.helpers and not emitted.assumed:
        return None
    held = [(one.name, one.fact) for one in emitted.assumed if one.fact]
    held += [(one.name, ":int") for one in emitted.assumed if one.is_place]
    found = completed(replace(asked, shapes=(*asked.shapes, *held)), source)
    if found is None:
        return None
    before, after = statements_in(emitted.text), statements_in(found[1].text)
    if after >= before and not (emitted.helpers and not found[1].helpers):
        return None
    helpers = "no helper" if not found[1].helpers else ", ".join(found[1].helpers)
    return Proposal(found[0], f"{after} statements instead of {before}, {helpers}")


def completed(asked: Request, source: Source) -> tuple[Request, Emitted] | None:
    """A request with facts of all arguments, and its text; None where none are found."""
    open_source = replace(source, assumes=False)
    supply = Supply()
    told = dict(asked.shapes), asked.of, asked.aux, asked.keep_calls
    try:
        primal = marked(lower(open_source, supply, *told), supply)
        if len(list(lets(primal.body))) > LONGEST:
            return None
        facts = facts_told(primal, asked)
        ranks = _ranks(primal, facts, asked, source)
    except (GradgenError, ShapeConflict, NoRanks):
        return None
    if not ranks:
        return None
    return _fitted(Axes(ranks, primal.params, source, asked), open_source, asked)


def _fitted(
    axes: Axes, source: Source, asked: Request
) -> tuple[Request, Emitted] | None:
    """The request with all facts, and its text; letters are one where they have to be."""
    names = [arg.id for arg in source.node.args.args + source.node.args.kwonlyargs]
    for _ in range(60):
        every = {**axes.facts(), **dict(asked.shapes)}
        shapes = request_of(asked.target, shapes=every, parameters=names).shapes
        one = replace(asked, shapes=shapes, general=False)
        try:
            told = dict(one.shapes), one.of, one.aux, one.keep_calls
            facts_told(lower(source, Supply(), *told), one)
            return one, run(one, source)
        except (GradgenError, ShapeConflict) as error:
            unequal = getattr(error, "unequal", None)
            if not axes.learn(unequal, True):
                return None
    return None


def _ranks(
    primal: Function, facts: Facts, asked: Request, source: Source
) -> dict[str, int]:
    """A rank for each argument of which nothing is told."""
    wrt = [path_of(name)[0] for name in asked.wrt or ()]
    wrt = wrt or [param.label for param in primal.params[:1]]
    free = [param for param in primal.params if is_free(param, facts)]
    ranks = Ranks(primal, facts, True)
    ranks.settle()
    for one in assumed(primal, facts, wrt, arrays_described(source), two_axes=True):
        param = next(p for p in primal.params if p.label == one.name)
        ranks.narrow(param.var, [one.rank])
        free += [] if param in free else [param]  # lam=None
    for var, wished in _guesses(primal, facts, ranks, free):
        for rank in wished:
            other = ranks.copy()
            try:
                other.narrow(var, [rank])
            except NoRanks:
                continue
            ranks.known = other.known
            break
    return {param.label: min(ranks.of(Ref(param.var))) for param in free}


def _guesses(
    primal: Function, facts: Facts, ranks: Ranks, free: list[Param]
) -> Iterator[tuple[Var, tuple[int, ...]]]:
    """Variables with the ranks that they are given, the first that fits.

    Products come first, then operands that meet something of a known rank, from the
    first statement to the last; what is left is a vector.
    """
    every = list(lets(primal.body))
    for let in every:
        if isinstance(let.value, Apply) and let.value.op in MATRIX_PRODUCTS:
            for var, rank in product_sides(let.value, primal, facts):
                if len(ranks.of(Ref(var))) > 1:
                    yield var, (rank, 1, 2)
    open_vars = {param.var for param in free}
    for _ in free:
        for let in every:
            value = let.value
            rule = operations().get(value.op) if isinstance(value, Apply) else None
            if rule is None or rule.shape is not None:
                continue
            known = [ranks.of(Ref(var)) for var in (let.var, *reads(value))]
            sizes = [min(one) for one in known if len(one) == 1]
            for var in reads(value):
                if len(ranks.of(Ref(var))) > 1 and any(sizes):
                    yield var, (max(sizes), *LIKELY)
        for let in every:
            others = [var for var in reads(let.value) if _is_entry(var, facts, ranks)]
            for var in reads(let.value):
                if others and len(ranks.of(Ref(var))) > 1 and var in open_vars:
                    yield var, (0, *LIKELY)
        left = [var for var in open_vars if len(ranks.of(Ref(var))) > 1]
        if not left:
            return
        first = next(param.var for param in free if param.var in left)
        likely = LIKELY if ranks.of(Ref(first)) == ANY else (min(ranks.of(Ref(first))),)
        yield first, likely


def _is_entry(var: Var, facts: Facts, ranks: Ranks) -> bool:
    """Whether a value is an entry of an array or a product of vectors, or made of one."""
    stack, seen = [var], {var}
    while stack:
        one = stack.pop()
        made = facts.definitions.get(one)
        if not isinstance(made, Apply) or ranks.of(Ref(one)) != frozenset([0]):
            continue
        if made.op == "getitem" or made.op in MATRIX_PRODUCTS:
            return True
        rule = operations().get(made.op)
        if rule is not None and rule.kind == "elementwise":
            fresh = [inner for inner in reads(made) if inner not in seen]
            seen.update(fresh)
            stack += fresh
    return False
