"""What is derived of a primal, by mode: its gradient, its tangents, or both."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from gradgen.derive.flat import flat
from gradgen.derive.logistic_sums import logistic_sums
from gradgen.derive.squared_lengths import squared_lengths
from gradgen.derive.forward import forward
from gradgen.derive.reverse import reverse
from gradgen.derive.shifts import shifts
from gradgen.errors import GradgenError
from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Note,
    Origin,
    Ref,
    Result,
    Role,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.slope import STOPPED
from gradgen.ir.walk import map_expressions, own_expressions, rewrite, statements
from gradgen.ir.walk import subexpressions, substitute
from gradgen.pipeline.jacobians import diagonal, hessian, jacobian
from gradgen.pipeline.linking import Linked, Whole
from gradgen.pipeline.observer import UNWATCHED, Watch
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.simplify.masks import masks
from gradgen.simplify.stretch import stretch
from gradgen.simplify.ties import ties


def derived(
    whole: Whole,
    mode: str,
    linked: Linked,
    supply: Supply,
    watch: Watch = UNWATCHED,
) -> tuple[Function, Facts, tuple[Stmt, ...]]:
    """The derivative that `mode` asks for, its facts, and its statements as drafted."""
    made, facts, drafted = _derived(whole, mode, linked, supply, watch)
    return _released(made), facts, drafted


def is_stopped(primal: Function, stop: Collection[str]) -> bool:
    """Whether a function holds constant what it computes: a text does not say so."""
    params = {param.var.name for param in primal.params}
    exprs = (expr for stmt in statements(primal.body) for expr in own_expressions(stmt))
    return not params.issuperset(stop) or any(
        isinstance(node, Apply) and node.op == STOPPED
        for expr in exprs
        for node in subexpressions(expr)
    )


def _released(made: Function) -> Function:
    """The function with what was held constant as the plain value that it is."""

    def change(node: Expr) -> Expr:
        is_stopped = isinstance(node, Apply) and node.op == STOPPED
        return node.args[0] if is_stopped else node

    body = map_expressions(made.body, lambda expr: rewrite(expr, change))
    return replace(made, body=body)


def _derived(
    whole: Whole, mode: str, linked: Linked, supply: Supply, watch: Watch
) -> tuple[Function, Facts, tuple[Stmt, ...]]:
    primal, facts = whole.primal, whole.facts
    stop = whole.stop | shifts(primal, facts)
    if mode == "jacobian":
        _refuse_several(whole)
        (out,) = whole.seeded
        asked = primal, whole.wrt, facts, supply, stop, out
        found = None
        if whole.diagonal or not whole.direction:
            found = diagonal(*asked, whole.diagonal)
        if found is None and whole.diagonal:
            raise GradgenError(
                "GG264",
                f"the Jacobian of {primal.name} is not diagonal, as far as is known",
                advice="facts of shapes, or the whole Jacobian",
            )
        made, facts = found or jacobian(*asked, whole.direction, linked.name_of)
        watch.step(diagonal if found else jacobian, made, facts)
        return made, facts, made.body
    if mode in ("hvp", "hessian"):
        primal, facts = logistic_sums(primal, facts)
        watch.step(logistic_sums, primal, facts)
        primal, facts = squared_lengths(primal, facts, supply)
        watch.step(squared_lengths, primal, facts)
    if mode == "forward":
        made = forward(primal, whole.wrt, facts, supply, stop, whole.seeded)
    else:
        made = reverse(
            primal, whole.wrt, facts, supply, stop, whole.seeded, linked.name_of
        )
    drafted = made.body
    watch.step(forward if mode == "forward" else reverse, made, facts)
    made, facts = _readable(
        made, facts, supply, watch, whole.called, whole.seeded_whole
    )
    if mode in ("hvp", "hessian"):
        _refuse_array(whole)
        made, facts, drafted = pushed(made, whole.wrt, facts, supply, stop, watch)
    if mode == "hessian":
        made, facts = hessian(made, whole.wrt, facts, supply)
        watch.step(hessian, made, facts)
    return made, facts, drafted


def _readable(
    made: Function,
    facts: Facts,
    supply: Supply,
    watch: Watch,
    called: bool = False,
    seeded_whole: bool = False,
) -> tuple[Function, Facts]:
    """The derivative in numpy's words, with its masks at the ends of chains."""
    made = ties(made, facts, called)
    watch.step(ties, made, facts)
    made, facts = stretch(made, facts, seeded_whole)
    watch.step(stretch, made, facts)
    made = masks(made, facts, supply)
    watch.step(masks, made, facts)
    return made, facts


def pushed(
    gradient: Function,
    wrt: tuple[Var, ...],
    facts: Facts,
    supply: Supply,
    stop: frozenset[Var] = frozenset(),
    watch: Watch = UNWATCHED,
) -> tuple[Function, Facts, tuple[Stmt, ...]]:
    """The derivative of a gradient along tangents: the Hessian times vectors."""
    made = flat(_with_unit_seed(gradient, facts, supply), facts, supply)
    ways = tuple(value.var for value in made.values if isinstance(value, Ref))
    made = forward(made, wrt, facts, supply, stop, ways, letter="v")
    drafted = made.body
    watch.step(pushed, made, facts)
    made, facts = _readable(made, facts, supply, watch)
    results = tuple(_of_argument(result) for result in made.results)
    return replace(made, results=results), facts, drafted


def _refuse_several(whole: Whole) -> None:
    """Refuses the Jacobian of several results."""
    if len(whole.seeded) > 1:
        raise GradgenError(
            "GG024",
            f"{whole.primal.name} has {len(whole.seeded)} results, and a Jacobian is of one",
            advice="a function that returns one of them",
        )


def _refuse_array(whole: Whole) -> None:
    """Refuses the Hessian of what is not one number.

    Of a result of unknown shape it is the Hessian of the sum, as in reverse mode.
    """
    [*values] = whole.seeded
    ranks = [whole.facts.shapes[value].rank for value in values]
    if ranks in ([0], [None]):
        return
    if len(values) > 1:
        what = f"{len(values)} results"
    else:
        what = f"a result with {ranks[0]} axes"
    raise GradgenError(
        "GG024",
        f"{whole.primal.name} has {what}, and a Hessian is of one number",
        advice="np.sum(...) of the result, or the facts that tell its shape",
    )


def unit_seed(facts: Facts) -> Const:
    """1, or 1.0 beside NumPy's integers: 1 * k * k may overflow."""
    whole = any(
        kind is Kind.INTEGER or kind is Kind.COUNT and facts.rank(Ref(var)) != 0
        for var, kind in facts.kinds.items()
        if var in facts.shapes
    )
    return Const(1.0 if whole or facts.held else 1)


def _with_unit_seed(gradient: Function, facts: Facts, supply: Supply) -> Function:
    """The gradient of a function of one number, as a function of its arguments.

    before:  y = x * x                 after:  y = x * x
             d_x = 2 * d_y * x                 d_x = 2 * x
    """
    (seed,) = gradient.seeds
    known = {seed: unit_seed(facts)}
    body = list(map_expressions(gradient.body, lambda e: substitute(e, known)))
    values: list[Expr] = []
    for result in gradient.results:
        value = substitute(result.value, known)
        # Each gradient has a name of its own, in the order of the arguments.
        var = supply.var(f"d_{result.of.name}", Origin.ADJOINT, result.of, 1)
        let = Let(var, value, Note(Role.GRAD, result.lines))
        body.append(let)
        facts.learn(let)
        values.append(Ref(var))
    return replace(
        gradient,
        params=tuple(p for p in gradient.params if p.var != seed),
        body=tuple(body),
        values=tuple(values),
        results=(),
        seeds=(),
    )


def _of_argument(result: Result) -> Result:
    """The tangent of a gradient as what belongs to the argument."""
    gradient = result.of
    assert gradient.of is not None
    return replace(result, of=gradient.of, name=f"v_{gradient.name}")
