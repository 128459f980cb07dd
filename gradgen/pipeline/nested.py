"""Derivatives that a primal takes itself, written out as statements of the primal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from gradgen.derive.batch import Unbatched
from gradgen.derive.flat import flat
from gradgen.derive.forward import forward
from gradgen.derive.marks import marked
from gradgen.derive.reverse import reverse
from gradgen.errors import GradgenError
from gradgen.frontend.control.ranges import backwards, cut
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Note,
    Origin,
    Param,
    Ref,
    Role,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import LINEAR_WORDS, call, getitem
from gradgen.ir.renaming import in_expression, replaced
from gradgen.ir.slope import POINT, SLOPE, STOPPED, Slope, slope_of
from gradgen.ir.walk import (
    all_defined,
    lets,
    reads,
    reads_of,
    statements,
    substitute_everywhere,
    with_blocks,
)
from gradgen.pipeline.jacobians import hessian, jacobian
from gradgen.pipeline.modes import pushed
from gradgen.pipeline.context import Context
from gradgen.pipeline.passes import SHORTER, applied
from gradgen.rules.load import operations
from gradgen.shapes.display import show_shape
from gradgen.shapes.infer import Facts
from gradgen.simplify.masks import masks
from gradgen.simplify.stretch import stretch

# origins of variables of a derivative, which become the primal's own
DERIVED = (Origin.ADJOINT, Origin.TANGENT, Origin.LOCAL, Origin.SAVED, Origin.SEED)
# words whose value is no number that depends on an argument
CONSTANT_WORDS = tuple("len count extent dtype not and or is is_not in not_in".split())


def expanded(
    primal: Function, infer: Callable[[Function], Facts], supply: Supply
) -> Function:
    """The primal with its own derivatives written out, innermost first.

        before:  x_point = point(x)
                 y = np.sin(x_point)
                 g = slope("grad", 0, y, (x_point,), ())
        after:   g = np.cos(x)

    `infer` finds the facts of a function with these parameters.
    """
    while True:
        primal = _without_points(primal)
        first = next(
            (s for let in lets(primal.body) if (s := slope_of(let.value))), None
        )
        if first is None:
            return primal
        work = _Expansion(primal, infer(primal), supply, first)
        body = tuple(work.block(primal.body))
        body = tuple(_unmarked(stmt) for stmt in body)
        primal = replace(primal, body=body)
        primal = marked(flat(primal, work.facts, supply, Origin.TEMP), supply)


def _without_points(primal: Function) -> Function:
    """The primal without the points of arguments that no derivative is taken in."""
    slopes = [slope for let in lets(primal.body) if (slope := slope_of(let.value))]
    used = {point for slope in slopes for point in slope.points}
    same = {
        let.var: let.value.args[0]
        for let in lets(primal.body)
        if _is_point(let.value) and let.var not in used
    }
    if not same:
        return primal

    def kept(body: Iterable[Stmt]) -> tuple[Stmt, ...]:
        left = (s for s in body if not (isinstance(s, Let) and s.var in same))
        return tuple(with_blocks(stmt, kept) for stmt in left)

    body = replaced(kept(primal.body), same, {})
    values = tuple(in_expression(value, same, {}) for value in primal.values)
    return replace(primal, body=body, values=values)


def takes_derivatives(primal: Function) -> bool:
    """Whether a primal takes a derivative itself, or has a pullback it does not call."""
    values = [let.value for let in lets(primal.body)]
    return any(slope_of(value) is not None or _is_point(value) for value in values)


class _Expansion:
    """One derivative of one function, at the place where it is taken."""

    def __init__(
        self, primal: Function, facts: Facts, supply: Supply, slope: Slope
    ) -> None:
        self.primal, self.facts, self.supply = primal, facts, supply
        self.slope = slope

    def block(self, body: Sequence[Stmt]) -> list[Stmt]:
        """The block that takes the derivative, with it; others as they are."""
        ours = [i for i, stmt in enumerate(body) if self._is_ours(stmt)]
        if not ours:
            return [with_blocks(stmt, self.block) for stmt in body]
        first, last = self._start(body, ours[0]), ours[-1]
        between = [s for s in body[first : last + 1] if not self._is_ours(s)]
        slopes = [body[i] for i in ours]
        return [
            *body[:first],
            *self._written(between, slopes),
            *body[last + 1 :],
        ]

    def _is_ours(self, stmt: Stmt) -> bool:
        found = slope_of(stmt.value) if isinstance(stmt, Let) else None
        return found is not None and found.whole == self.slope.whole

    def _start(self, body: Sequence[Stmt], end: int) -> int:
        """Where the first of the points stands."""
        places = [
            i
            for i, stmt in enumerate(body[:end])
            if isinstance(stmt, Let) and stmt.var in self.slope.points
        ]
        if len(places) < len(set(self.slope.points)):
            raise GradgenError(
                "GG265",
                "a derivative is taken outside of the block that its function ran in",
                advice="the call, and the use of its pullback, in one block",
            ).at(body[end].note.place)
        return places[0]

    def _written(self, region: list[Stmt], slopes: Sequence[Stmt]) -> list[Stmt]:
        """The function's statements, and those of its derivative behind them."""
        points = self.slope.points
        starts = {
            s.var: s.value for s in region if isinstance(s, Let) and s.var in points
        }
        region = [s for s in region if not (isinstance(s, Let) and s.var in points)]
        inside = set(all_defined(region))
        later = self._read_outside(region) & inside
        kept = [var for var in all_defined(region) if var in later]
        out = self.slope.out
        values = [out, *(Ref(var) for var in kept if Ref(var) != out)]
        free = dict.fromkeys(v for s in statements(region) for v in reads_of(s))
        outside = [v for v in free if v not in inside and v not in points]
        function = Function(
            self.primal.name,
            tuple(map(Param, (*points, *outside))),
            tuple(region),
            tuple(values),
        )
        here = slopes[0].note
        try:
            made = self._derived(function)
        except GradgenError as error:
            raise error.at(here.place) from None
        done = list(_as_primal(made.body, here, self.supply))
        own = set(all_defined(done))
        # a value without a name of the user's may have gone into its reader
        done += [
            Let(var, value, here)
            for var, value in zip((ref.var for ref in values), made.values)
            if var in later and var not in own
        ]
        body, named = self._named(done, made, slopes, here)
        before = [Let(point, value, here) for point, value in starts.items()]
        return [*before, *body, *named]

    def _derived(self, function: Function) -> Function:
        """The region with the derivative, in its shortest form."""
        slope, facts, supply = self.slope, self.facts, self.supply
        out = slope.out.var
        if slope.mode in ("jacobian", "hessian"):
            made, facts = self._matrix(function, out)
        elif slope.mode in ("grad", "vjp", "hvp"):
            made = reverse(function, slope.points, facts, supply, frozenset(), (out,))
            (seed,) = made.seeds
            made, facts = stretch(made, facts)
            if slope.mode == "hvp":
                made, facts, _ = pushed(made, slope.points, facts, supply)
                made = _with_seeds(made, self._tangents(made.seeds))
                made = replace(made, values=function.values)
            else:
                given = self._ones(slope.out)
                if slope.mode == "vjp":
                    given = self._in_full(slope.given[0], slope.out)
                made = masks(_with_seeds(made, {seed: given}), facts, supply)
        else:
            made, facts = self._pushed(function, (out,))
        made = applied(SHORTER, made, Context(facts, supply))
        self.facts = facts
        return made

    def _matrix(self, function: Function, out: Var) -> tuple[Function, Facts]:
        slope, facts, supply = self.slope, self.facts, self.supply
        try:
            if slope.mode == "jacobian":
                none: frozenset[Any] = frozenset()
                return jacobian(function, slope.points, facts, supply, none, out)
            made = reverse(function, slope.points, facts, supply, frozenset(), (out,))
            made, facts = stretch(made, facts)
            made, facts, _ = pushed(made, slope.points, facts, supply)
            made, facts = hessian(made, slope.points, facts, supply)
            return replace(made, values=function.values), facts
        except Unbatched:
            raise GradgenError(
                "GG263",
                f"this {slope.mode} has no form for all rows at once: shapes are "
                "unknown, or the function has a loop",
                advice="shape facts, or gradgen.vjp and a seed for each row",
            ) from None

    def _ones(self, out: Expr) -> Expr:
        return Const(1) if self.facts.rank(out) == 0 else call("numpy.ones_like", out)

    def _pushed(self, function: Function, ways: Any) -> tuple[Function, Facts]:
        slope = self.slope
        made = forward(
            function, slope.points, self.facts, self.supply, frozenset(), ways
        )
        given = self._tangents(made.seeds)
        made, facts = stretch(made, self.facts)
        made = masks(_with_seeds(made, given), facts, self.supply)
        return made, facts

    def _in_full(self, seed: Expr, out: Expr) -> Expr:
        """A seed in the shape of its result: a number stands for that many."""
        facts = self.facts
        if facts.same(seed, out):
            return seed
        if facts.rank(seed) == 0:
            return call("numpy.full_like", out, seed)
        self._refuse_other_shape("GG508", "the seed", seed, out)
        return seed

    def _tangents(self, seeds: Sequence[Var]) -> dict[Var, Expr]:
        """The tangents that are given, of the shapes of their points."""
        pairs = zip(self.slope.points, self.slope.given, strict=True)
        for point, given in pairs:
            if not self.facts.same(given, Ref(point)):
                what = f"the tangent of {point.name}"
                self._refuse_other_shape("GG509", what, given, Ref(point))
        return dict(zip(seeds, self.slope.given, strict=True))

    def _refuse_other_shape(
        self, code: str, what: str, given: Expr, like: Expr
    ) -> None:
        """Refuses a seed or a tangent whose shape is known to be another."""
        found, wanted = self.facts.of(given), self.facts.of(like)
        if found.rank is None or wanted.rank is None:
            return
        letters: dict[str, str] = {}
        shapes = f"{show_shape(found, letters)}, not {show_shape(wanted, letters)}"
        raise GradgenError(
            code,
            f"{what} has the shape {shapes}",
            advice="one of the same shape",
        )

    def _read_outside(self, region: Iterable[Stmt]) -> set[Var]:
        """The variables that other statements, or the return, read."""
        total = Counter(v for s in statements(self.primal.body) for v in reads_of(s))
        own = Counter(v for s in statements(region) for v in reads_of(s))
        for stmt in statements(self.primal.body):
            if self._is_ours(stmt):
                own.update(reads_of(stmt))
        total -= own
        found = set(total)
        for value in self.primal.values:
            found.update(reads(value))
        return found

    def _named(
        self, done: list[Stmt], made: Function, slopes: Sequence[Stmt], note: Note
    ) -> tuple[list[Stmt], list[Stmt]]:
        """The statements with the derivatives under the names they were given."""
        names: dict[int, Var] = {}
        rest: list[Stmt] = []
        own = {var for var in all_defined(done)}
        for let in slopes:
            slope = slope_of(let.value) if isinstance(let, Let) else None
            assert isinstance(let, Let) and slope is not None
            value = made.results[slope.index].value
            alone = isinstance(value, Ref) and value.var in own
            if alone and value.var.id not in names:
                names[value.var.id] = let.var
            else:
                rest.append(Let(let.var, value, note))
        for var in all_defined(done):
            if var.origin in DERIVED and var.id not in names:
                of = var.of
                users = of is not None and of.origin in (Origin.USER, Origin.PARAM)
                origin = Origin.USER if users else Origin.TEMP
                names[var.id] = replace(var, origin=origin, of=None, order=0)
        return list(replaced(done, {}, names)), list(replaced(rest, {}, names))


def _is_point(value: Expr) -> bool:
    return isinstance(value, Apply) and value.op == POINT


def _with_seeds(made: Function, given: dict[Var, Expr]) -> Function:
    """The function with its seeds, or tangents, set to values."""
    made = substitute_everywhere(made, given)
    params = tuple(param for param in made.params if param.var not in given)
    return replace(made, params=params, seeds=())


def _as_primal(body: Iterable[Stmt], note: Note, supply: Supply) -> Iterator[Stmt]:
    """Statements as those of the primal; a derivative's belong to the line of its call.

    before:  d_past_2 = popped(d_past)
    after:   last = d_past[-1]
             d_past_2 = shortened(d_past, last)
    """
    for stmt in body:
        own = note if stmt.note.derived else stmt.note
        own = Note(Role.FORWARD, own.lines, own.place)
        stmt = replace(stmt, note=own)
        if isinstance(stmt, Loop) and isinstance(stmt.over, Apply):
            stmt = replace(stmt, over=_as_range(stmt.over))
        value = stmt.value if isinstance(stmt, Let) else None
        if isinstance(stmt, Let) and isinstance(value, Apply):
            if value.op == "popped":
                last = supply.var("last", Origin.TEMP)
                yield Let(last, getitem(value.args[0], Const(-1)), own)
                value = Apply("shortened", (value.args[0], Ref(last)))
            elif value.op == "astype":
                value = replace(value, op="numpy.astype")
            elif value.op == "accumulate":
                value = replace(value, op="numpy.add", spelling="augmented")
            elif not _has_derivative(value):
                raise _without_derivative(value).at(note.place)
            stmt = replace(stmt, value=value)
        yield with_blocks(stmt, lambda body: tuple(_as_primal(body, note, supply)))


def _without_derivative(value: Apply) -> GradgenError:
    name = value.op.removeprefix("helper._").replace("_", " ")
    return GradgenError(
        "GG266",
        f"the derivative of this derivative needs one of {name}, which has none",
        advice="shape facts where ranks are not known, or the text of gradgen emit "
        "for the inner function, called here",
    )


def _as_range(over: Expr) -> Apply:
    """What a loop goes over as a range: reversed(range(n)), range(n)[:count]."""
    assert isinstance(over, Apply)
    if over.op == "range":
        return over
    start, stop, step = _as_range(over.args[0]).args
    if over.op == "reversed":
        return Apply("range", backwards((start, stop, step), lambda value: value))
    _, end, _ = over.args[1].args
    span = cut((start, stop, step), Const(None), end, lambda value: value)
    assert span is not None, "the step of a loop that is left is constant"
    return Apply("range", span)


def _has_derivative(value: Apply) -> bool:
    """Whether a derivative can be taken again of what a derivative is made of."""
    known = (*LINEAR_WORDS, *CONSTANT_WORDS, SLOPE, POINT, STOPPED, "kept")
    return value.op in operations() or value.op in known


def _unmarked(stmt: Stmt) -> Stmt:
    if isinstance(stmt, (Branch, Loop)):
        stmt = replace(stmt, mark=None)
    return with_blocks(stmt, lambda body: tuple(map(_unmarked, body)))
