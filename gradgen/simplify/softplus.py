"""The slope of log(1 + exp(z)), however it is written, is one logistic function."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Role, Var
from gradgen.ir.operators import ADDITIVE, SIDES, add, call, divide, multiply, negative
from gradgen.ir.operators import subtract
from gradgen.ir.walk import lets, map_values, reads, rewrite, subexpressions
from gradgen.shapes.infer import Facts
from gradgen.simplify.addends import sum_of, terms_of
from gradgen.simplify.normal import Normal

ZERO = (Const(0), Const(0.0))
ONE = (Const(1), Const(1.0))


def softplus(function: Function, facts: Facts) -> Function:
    """The function with one choice for the slope of max(z, 0) + log1p(exp(-abs(z))).

        before:  e = np.exp(-np.abs(z))
                 d_z = np.where(z > 0, d, 0) - d * e * np.sign(z) / (1 + e)
        after:   e = np.exp(-np.abs(z))
                 d_z = d * np.where(z >= 0, 1, e) / (1 + e)

    The two kinks at 0 cancel: the slope there is d / 2, whatever the sides of a tie get.
    That of np.logaddexp(0, z), which is exp(z - np.logaddexp(0, z)), is the p that the
    user has written as 1 / (1 + np.exp(-z)).
    """
    every = list(lets(function.body))
    if not any(_asks(node) for let in every for node in subexpressions(let.value)):
        return function
    found = _Slopes(every, facts)

    def value(let: Let) -> Expr:
        return found.shortened(let.value) if let.note.role is Role.GRAD else let.value

    return map_values(function, value)


def _asks(node: Expr) -> bool:
    """Whether it is what such a function is made of."""
    return isinstance(node, Apply) and (
        node.op == "numpy.abs" or node.op == "numpy.logaddexp"
    )


class _Slopes:
    def __init__(self, every: list[Let], facts: Facts) -> None:
        self.facts, self.forms = facts, Normal(facts)
        self.values: dict[Var, Expr] = {let.var: let.value for let in every}
        primal = [let for let in every if let.note.role is Role.FORWARD]
        # z -> the user's 1 / (1 + exp(-z)); the variable of exp(-abs(z)) -> z
        self.logistics: dict[Expr, Var] = {}
        self.decays: dict[Var, Expr] = {}
        for let in primal:
            of = self._of_logistic(let.value)
            if of is not None and let.var.origin is Origin.USER:
                if facts.homes.get(let.var, ()) == ():
                    self.logistics.setdefault(of, let.var)
            of = self._of_decay(let.value)
            if of is not None:
                self.decays[let.var] = of

    def shortened(self, value: Expr) -> Expr:
        """A value with the slopes that it has in their short form."""
        if self.logistics:
            value = rewrite(value, self._by_name)
        return rewrite(value, self._joined) if self.decays else value

    def _made(self, value: Expr) -> Expr:
        return self.values.get(value.var, value) if isinstance(value, Ref) else value

    def _of_decay(self, value: Expr) -> Expr | None:
        """z of exp(-abs(z))."""
        inside = self._argument(value, "numpy.exp")
        under = self._argument(inside, "numpy.negative")
        return self._argument(under, "numpy.abs")

    def _of_logistic(self, value: Expr) -> Expr | None:
        """z of 1 / (1 + exp(-z))."""
        if not isinstance(value, Apply) or value.op != "numpy.divide":
            return None
        below = self._made(value.args[1])
        if value.args[0] not in ONE or not isinstance(below, Apply):
            return None
        if below.op != "numpy.add" or not set(ONE) & set(below.args):
            return None
        power = below.args[1] if below.args[0] in ONE else below.args[0]
        return self._argument(self._argument(power, "numpy.exp"), "numpy.negative")

    def _argument(self, value: Expr | None, op: str) -> Expr | None:
        made = None if value is None else self._made(value)
        plain = isinstance(made, Apply) and made.op == op and len(made.args) == 1
        return made.args[0] if isinstance(made, Apply) and plain else None

    def _by_name(self, node: Expr) -> Expr:
        """exp(z - np.logaddexp(0, z)) is the user's logistic function of z."""
        if not isinstance(node, Apply) or node.op != "numpy.exp":
            return node
        gap = node.args[0]
        if not isinstance(gap, Apply) or gap.op != "numpy.subtract":
            return node
        z, total = gap.args[0], self._made(gap.args[1])
        if z not in self.logistics or not isinstance(total, Apply):
            return node
        of = total.op == "numpy.logaddexp" and not total.kwargs
        ways = [(zero, z) for zero in ZERO] + [(z, zero) for zero in ZERO]
        return Ref(self.logistics[z]) if of and total.args in ways else node

    def _joined(self, node: Expr) -> Expr:
        """A sum in which a step and the slope of log1p(exp(-abs(z))) are one."""
        if not isinstance(node, Apply) or node.op not in ADDITIVE:
            return node
        addends = list(terms_of(node))
        for at, (minus, one) in enumerate(addends):
            step = self._step(one)
            if step is None or step[0] not in self.decays.values():
                continue
            for behind, (also, other) in enumerate(addends):
                slope = self._slope(step, negative(other) if minus != also else other)
                if slope is None or behind == at:
                    continue
                rest = [a for i, a in enumerate(addends) if i not in (at, behind)]
                joined = sum_of([(minus, slope), *rest])
                return joined if self.facts.same(joined, node) else node
        return node

    def _step(self, value: Expr) -> tuple[Expr, int, Expr] | None:
        """z, a side and d of np.where(z > 0, d, 0); a tie may have half of d."""
        if not isinstance(value, Apply) or value.op != "numpy.where":
            return None
        if len(value.args) != 3:
            return None
        test, one, other = value.args
        test = self._made(test)
        if not isinstance(test, Apply) or len(test.args) != 2:
            return None
        turned = test.args[0] in ZERO
        if not turned and test.args[1] not in ZERO:
            return None
        if test.op == "numpy.equal":
            inner = self._step(other)
            half = None if inner is None else multiply(Const(0.5), inner[2])
            if half is None or not self.forms.is_zero(subtract(one, half)):
                return None
            return inner
        if test.op not in SIDES or other not in ZERO:
            return None
        of = test.args[1] if turned else test.args[0]
        side = -SIDES[test.op] if turned else SIDES[test.op]
        under = self._argument(of, "numpy.negative")
        return (of, side, one) if under is None else (under, -side, one)

    def _slope(self, step: tuple[Expr, int, Expr], other: Expr) -> Expr | None:
        """d times the logistic function, where the other addend is the rest of it."""
        z, side, d = step
        for var in reads(other):
            if self.decays.get(var) != z:
                continue
            e = Ref(var)
            named = (
                Ref(v)
                for v in reads(other)
                if self.values.get(v) in (add(Const(1), e), add(e, Const(1)))
            )
            below = next(named, add(Const(1), e))
            for front in (d, self._made(d)):
                product = multiply(multiply(front, e), call("numpy.sign", z))
                whole = divide(product, below)
                sign = subtract if side < 0 else add
                if self.forms.is_zero(sign(other, whole)):
                    ways = (Const(1), e) if side > 0 else (e, Const(1))
                    test = Apply("numpy.greater_equal", (z, Const(0)), (), "operator")
                    return multiply(d, divide(call("numpy.where", test, *ways), below))
        return None
