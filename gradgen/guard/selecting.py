"""The guard pass: where the gradient half divides by what may be zero."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, cast

from gradgen.guard.factors import (
    denominators,
    numerators,
    with_factor,
    zero_with,
)
from gradgen.guard.given import Given, divided
from gradgen.guard.nonzero import EXPONENTIALS, LOGS, Proofs, merged
from gradgen.guard.places import Frame, Places
from gradgen.guard.positions import ELEMENTWISE, Positions, is_adjoint
from gradgen.guard.quotients import Quotients
from gradgen.guard.selects import (
    ZERO,
    ZERO_DIVISION,
    Finding,
    Select,
    argument,
    base,
    bounded,
    bounded_below,
    quotient,
    shown,
)
from gradgen.ir.nodes import (
    Apply,
    Expr,
    Function,
    Line,
    Origin,
    Ref,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.worded import gives_no_name, worded
from gradgen.ir.walk import (
    children,
    defined,
    defined_inside,
    is_static,
    lets,
    reads,
    static,
    with_children,
    with_located,
)
from gradgen.shapes.infer import Facts

# Variables of a text that is thrown away are numbered from here.
SPARE = 1 << 30
# logarithms of sums of exponentials -> how many arguments the terms are
LOGS_OF_SUMS = {
    "numpy.logaddexp": 2,
    "numpy.logaddexp2": 2,
    "numpy.logaddexp.reduce": 1,
    "scipy.special.logsumexp": 1,
}


def guard(
    function: Function, facts: Facts, supply: Supply, epsilon: float | None = None
) -> Function:
    """The gradient whose quotients by zero are zero.

        before:  n = np.sqrt(x)
                 d_x = d_n / (2 * n)
                 return d_x
        after:   n = np.sqrt(x)
                 n = np.where(n == 0, np.inf, n)
                 d_x = d_n / (2 * n)
                 return d_x

    A guard selects, once for each denominator that is not proved to be nonzero,
    before its first use in the gradient half. The primal's statements stay as they
    are. Only what is linear is guarded: it is inf or nan without a guard, so that
    no finite number changes. A second run finds nothing.
    """
    guards = _Guards(function, facts, supply, epsilon)
    return replace(function, body=tuple(guards.block(function.body, set(), ())))


def hazards(
    function: Function, facts: Facts, epsilon: float | None = None
) -> tuple[Finding, ...]:
    """What guard selects against in a gradient, which stays as it is."""
    guards = _Guards(function, facts.copy(), Supply(SPARE), epsilon)
    list(guards.block(function.body, set(), ()))
    return tuple(guards.findings)


class _Guards:
    def __init__(
        self, function: Function, facts: Facts, supply: Supply, epsilon: float | None
    ) -> None:
        self.facts, self.supply, self.epsilon = facts, supply, epsilon
        self.values = {let.var: let.value for let in lets(function.body)}
        self.notes = {let.var: let.note for let in lets(function.body)}
        self.proofs = Proofs(
            {**facts.definitions, **self.values}, merged(function.body)
        )
        self.positions = Positions(function.body)
        # what is known where the term in question is selected
        self.given = Given(self.proofs, facts)
        self.divided = set(divided(self.given))
        # what a return statement gives, which has a name in the text alone
        self.nameless = {v for v, note in self.notes.items() if gives_no_name(note)}
        # how often the gradient half reads each variable
        self.adjoints = [let for let in lets(function.body) if is_adjoint(let)]
        self.quotients = Quotients(self.values, self.adjoints)
        self.read = Counter(var for let in self.adjoints for var in reads(let.value))
        known = cast(dict[Var, Expr], self.proofs.definitions)
        self.places = Places(function.body, facts, supply, known)
        self.frames = self.places.frames
        self.findings: list[Finding] = []
        self.depth = 0  # of quotients that are computed again

    def block(
        self, body: Iterable[Stmt], inside: set[Var], path: tuple[Any, ...]
    ) -> list[Stmt]:
        """One block, with its guards; the path are the loops and arms around it."""
        frame = Frame(set(inside), bool(path) and path[-1][1] is not None)
        self.frames.append(frame)
        for stmt in body:
            self.note, self.path = stmt.note, path
            self.places.role = stmt.note.role
            if is_adjoint(stmt) and stmt.var not in self.positions.bent:
                self.var = stmt.var
                stmt = replace(stmt, value=self._term(stmt.value))
            else:
                own = set(defined_inside(stmt))
                stmt = with_located(stmt, path, lambda b, at: self.block(b, own, at))
            frame.done.append(stmt)
            frame.defined.update(defined(stmt))
        self.frames.pop()
        return frame.done

    # terms: what is not finite there stays so

    def _term(self, expr: Expr) -> Expr:
        if isinstance(expr, Ref):
            return self._recomputed(expr)
        if not isinstance(expr, Apply):
            return expr
        if expr.op == "numpy.divide" and len(expr.args) == 2:
            above, below = expr.args
            return with_children(
                expr,
                (self._term(above), self._denominator(below, above), *_kwargs(expr)),
            )
        if expr.op == "numpy.power" and len(expr.args) == 2:
            return self._power(expr)
        if expr.op in LOGS and len(expr.args) == 1:
            return self._log(expr)
        if expr.op in EXPONENTIALS and len(expr.args) == 1:
            return self._exponential(expr)
        if expr.op == "numpy.multiply":
            return self._product(expr)
        if expr.op == "numpy.where" and len(expr.args) == 3:
            return self._chosen(expr)
        if expr.op not in ELEMENTWISE:
            return self._everywhere(self._linear, expr)
        return self._linear(expr)

    def _linear(self, expr: Apply) -> Expr:
        linear = self.positions.linear(expr)
        new = (
            self._term(child) if at in linear else child
            for at, child in enumerate(children(expr))
        )
        return with_children(expr, new)

    def _everywhere(self, work: Callable[[Apply], Expr], expr: Apply) -> Expr:
        """What is done with an expression whose entries are of no one selection."""
        outer, self.given = self.given, self.given.anywhere()
        done = work(expr)
        self.given = outer
        return done

    def _chosen(self, expr: Apply) -> Expr:
        """A choice: in each arm is known what the test says.

        An arm that is infinite wherever it is chosen is 0.
        """
        test, *ways = expr.args
        outer, arms = self.given, []
        for way, holds in zip(ways, (True, False), strict=True):
            self.given = outer.under(test, holds)
            below = () if self.epsilon else denominators(way)
            lost = next((d for d in below if self.given.is_zero(d)), None)
            if lost is not None:
                self._found(lost, "it is 0 wherever it is chosen", ZERO_DIVISION)
            arms.append(self._term(way) if lost is None else ZERO)
        self.given = outer
        new = with_children(expr, (test, *arms, *_kwargs(expr)))
        return self._without_arm(new)

    def _without_arm(self, expr: Apply) -> Expr:
        """np.where(a, 0, np.where(b, v, 0)) is the inner one where not both hold."""
        test, first, second = expr.args
        for zero, inner, holds in ((first, second, True), (second, first, False)):
            if zero != ZERO or not isinstance(inner, Apply) or inner.kwargs:
                continue
            if inner.op != "numpy.where" or not self.facts.same(inner, expr):
                continue
            there = self.given.under(test, holds)
            for way, side in zip(inner.args[1:], (True, False), strict=True):
                if way != ZERO and there.under(inner.args[0], side).impossible:
                    return inner
        return expr

    def _product(self, expr: Apply) -> Expr:
        """A product, in which an exponential that overflowed may meet a zero."""
        product: Expr = expr
        for part in list(numerators(expr)):
            if not isinstance(part, Ref):
                continue
            value = self.values.get(part.var)
            if not isinstance(value, Apply) or value.op not in EXPONENTIALS:
                continue
            if value.spelling.startswith("name:math"):
                continue
            if 1 not in self.proofs.signs(value.args[0]):
                continue
            divides = self.quotients.divides(part.var, product)
            if divides or self.quotients.divides_later(part.var, self.var):
                new = self._guarded(part, bounded(part), "exp may overflow")
                product = with_factor(product, part, new)
        expr = cast(Apply, product)
        return with_children(
            expr, (*(self._term(arg) for arg in expr.args), *_kwargs(expr))
        )

    def _exponential(self, expr: Apply) -> Expr:
        """exp(x - z) with z the logarithm of a sum, which may be that of 0."""
        inner = expr.args[0]
        if not isinstance(inner, Apply) or inner.op != "numpy.subtract":
            return expr
        x, z = inner.args
        keyed = isinstance(z, Apply) and zero_with(z) == 0
        total = z.args[0] if keyed else z
        value = self.proofs.definition(total)
        if not isinstance(total, Ref) or not isinstance(value, Apply):
            return expr
        terms = value.args[: LOGS_OF_SUMS.get(value.op, 0)]
        if not terms or not all(-1 in self.proofs.signs(term) for term in terms):
            return expr
        new = self._guarded(total, bounded_below(total), "all its terms may be -inf")
        whole: Expr = new
        if isinstance(z, Apply) and keyed:
            whole = with_children(z, (new, *children(z)[1:]))
        return with_children(expr, (with_children(inner, (x, whole)),))

    def _power(self, expr: Apply) -> Expr:
        value, exponent = expr.args
        if self.proofs.nonzero(value):
            return expr
        fixed = is_static(exponent)
        if fixed:
            number = static(exponent)
            if not isinstance(number, (int, float)) or number >= 0:
                return expr
        elif not self._may_be_negative(exponent):
            return expr
        elif self.proofs.definition(value) == self._based(value, exponent):
            return expr
        if not fixed and not isinstance(exponent, Ref):
            exponent = self.places.named(exponent, "exponent")
        select = base(value, exponent, self._is_number(value), fixed)
        new = self._guarded(value, select, self.proofs.why_not(value))
        return with_children(expr, (new, exponent, *_kwargs(expr)))

    def _based(self, value: Expr, exponent: Expr) -> Expr | None:
        """What a guarded base is computed from; None for another."""
        found = self.proofs.definition(value)
        if not isinstance(found, Apply) or found.op != "numpy.where":
            return None
        return base(found.args[-1], exponent, False, False).value

    def _may_be_negative(self, exponent: Expr) -> bool:
        return -1 in self.proofs.signs(exponent)

    def _log(self, expr: Apply) -> Expr:
        value = expr.args[0]
        if not isinstance(value, Ref) or self.proofs.nonzero(value):
            return expr
        self._found(value, self.proofs.why_not(value), "guard: log(0) -> 0")
        return with_children(expr, (argument(value), *_kwargs(expr)))

    def _recomputed(self, ref: Ref) -> Expr:
        """A quotient or a log of the primal, from guarded operands.

        0 / 0 in the primal is nan; the gradient does not reuse it.
        """
        var = self._in_this_arm(ref).var
        value, note = self.values.get(var), self.notes.get(var)
        if not isinstance(value, Apply) or note is None or note.derived:
            return ref
        if value.op not in ("numpy.divide", *LOGS) or not self.places.visible(value):
            return ref
        key = ref, "again"
        for frame in self.frames:
            if key in frame.guards:
                return frame.guards[key]
        outer = self.note
        self.note = replace(note, role=outer.role)
        self.depth += 1
        new = self._everywhere(self._term, value)
        self.depth -= 1
        self.note = outer
        if new == value:
            return ref
        # A name keeps what a quotient of quotients reads from growing.
        if self.read[ref.var] < 2 and not self.depth:
            return new
        frame = self.places.home(Apply("tuple", (ref, new)))
        frame.guards[key] = self.places.assigned(frame, ref, new)
        return frame.guards[key]

    def _in_this_arm(self, ref: Ref) -> Ref:
        """What a variable that leaves a branch is, inside the same arm."""
        mark, ways = self.places.merges.get(ref.var, (None, {}))
        for at, side in self.path:
            if at == mark and isinstance(way := ways.get(side), Ref):
                return way
        return ref

    # denominators

    def _denominator(self, expr: Expr, above: Expr) -> Expr:
        if self.proofs.nonzero(expr) or self._is_divided(expr, above):
            return expr
        if isinstance(expr, Apply):
            inner = zero_with(expr)
            if inner is not None:
                args = list(children(expr))
                args[inner] = self._denominator(args[inner], above)
                return with_children(expr, args)
        value = expr
        if not isinstance(expr, Ref) and not self._is_number(expr):
            value = self.places.named(expr)
        select = quotient(
            value,
            self._is_number(expr),
            self.epsilon,
            self.facts.is_complex(expr),
        )
        return self._guarded(expr, select, self.proofs.why_not(expr), value)

    def _is_divided(self, expr: Expr, above: Expr) -> bool:
        """Whether a value is not 0 where it is selected, and needs no guard elsewhere.

        Where it is not selected, nothing but the flag of a division by 0 is left,
        which the primal has to raise as well. (0 / 0 raises another one.)
        """
        if not self.given.nonzero(expr):
            return False
        if self.given.known and not self.given.anywhere().nonzero(expr):
            plain = all(map(self._is_plain, numerators(above)))
            return plain and self.given.expanded(expr) in self.divided
        return True

    def _is_plain(self, factor: Expr) -> bool:
        """Whether a factor is a seed, or is not 0."""
        is_seed = isinstance(factor, Ref) and factor.var.origin is Origin.SEED
        return is_seed or self.proofs.nonzero(factor)

    def _guarded(
        self, key: Expr, select: Select, reason: str, value: Expr | None = None
    ) -> Ref:
        """The guarded value, by one statement for all its uses."""
        frame = self.places.home(Apply("tuple", (key, select.value)))
        place = key, select.comment
        if place not in frame.guards:
            self._found(key, reason, select.comment)
            line = Line(0, "", "", (), select.comment)
            old = value if isinstance(value, Ref) else key
            new = self.places.assigned(frame, old, select.value, (line,))
            frame.guards[place] = new
        return frame.guards[place]

    def _is_number(self, expr: Expr) -> bool:
        return self.facts.rank(expr) == 0

    def _found(self, hazard: Expr, reason: str, comment: str) -> None:
        line = next((one for one in self.note.lines if one.text), None)
        words = worded(hazard, self.proofs.definitions, nameless=self.nameless)
        self.findings.append(Finding(line, shown(hazard), reason, comment, words))


def _kwargs(expr: Apply) -> tuple[Expr, ...]:
    return tuple(value for _, value in expr.kwargs)
