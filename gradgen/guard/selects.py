"""The guards' own expressions and words: what is selected in place of a hazard."""

from __future__ import annotations


from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Line
from gradgen.ir.operators import LIMITS, call
from gradgen.ir.text import show

INF = Const(float("inf"), "np.inf")
ZERO = Const(0)
ZERO_DIVISION = "guard: x / 0 -> 0"
OVERFLOW = "0 * inf -> 0"


@dataclass(frozen=True)
class Finding:
    """A place in the gradient that is not finite for some arguments.

    `line` is the primal's line that needs it, `hazard` the denominator (or the
    base, the argument of a log) as text, `reason` why no proof was found; `guard`
    is the comment of the guard. `words` is the same in the primal's words, "" where it
    has none.
    """

    line: Line | None
    hazard: str
    reason: str
    guard: str
    words: str = ""

    @property
    def what(self) -> str:
        """What the guard does, without the word."""
        return self.guard.removeprefix("guard: ")


@dataclass(frozen=True)
class Select:
    """A value without the hazard, and the comment that says what it does."""

    value: Expr
    comment: str


def quotient(
    value: Expr, is_number: bool, epsilon: float | None, is_complex: bool = False
) -> Select:
    """A denominator that is never zero.

    before:  norms
    after:   np.where(norms == 0, np.inf, norms)
    """
    if epsilon is not None:
        text = repr(epsilon).replace("e-0", "e-")
        bound = Const(epsilon, text)
        small = call("numpy.less", call("numpy.abs", value), bound)
        far = bound if is_complex else call("numpy.copysign", bound, value)
        comment = f"guard: |{shown(value)}| >= {text}"
        return Select(call("numpy.where", _infix(small), far, value), comment)
    comment = ZERO_DIVISION
    if is_number:
        return Select(Apply("or", (value, INF)), comment)
    return Select(call("numpy.where", _is_zero(value), INF, value), comment)


def base(value: Expr, exponent: Expr, is_number: bool, fixed: bool) -> Select:
    """The base of a power whose exponent is negative, or may be."""
    comment = "guard: 0 ** negative -> 0"
    if fixed:
        if is_number:
            return Select(Apply("or", (value, INF)), comment)
        return Select(call("numpy.where", _is_zero(value), INF, value), comment)
    below = Apply("numpy.less", (exponent, ZERO), spelling="operator")
    both = Apply("numpy.bitwise_and", (_is_zero(value), below), spelling="operator")
    return Select(call("numpy.where", both, INF, value), comment)


def argument(value: Expr) -> Expr:
    """The argument of a log whose value is then 0 where it was minus infinity."""
    return call("numpy.where", _is_zero(value), Const(1), value)


def bounded(value: Expr) -> Select:
    """An exponential that has not overflowed."""
    top = _limit(value, "max")
    return Select(call("numpy.minimum", value, top), f"guard: {OVERFLOW}")


def bounded_below(value: Expr) -> Select:
    """A logarithm of a sum that is not minus infinity: nor are all its terms less."""
    bottom = _limit(value, "min")
    return Select(call("numpy.maximum", value, bottom), "guard: exp(-inf + inf) -> 0")


def _limit(value: Expr, which: str) -> Expr:
    """np.finfo(value.dtype).max, or .min."""
    dtype = Apply("dtype", (value,), spelling="attribute:dtype")
    limits = call("numpy.finfo", dtype)
    return Apply(LIMITS[which], (limits,), spelling=f"attribute:{which}")


def _is_zero(value: Expr) -> Expr:
    return Apply("numpy.equal", (value, ZERO), spelling="operator")


def _infix(expr: Apply) -> Apply:
    return Apply(expr.op, expr.args, spelling="operator")


def shown(expr: Expr) -> str:
    """A hazard as text: L[i, :j], x[0], (a + b) without its brackets."""
    if isinstance(expr, Apply) and expr.op == "getitem":
        return f"{shown(expr.args[0])}[{_key(expr.args[1])}]"
    text = show(expr)
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def _key(expr: Expr) -> str:
    if isinstance(expr, Apply) and expr.op == "tuple":
        return ", ".join(map(_key, expr.args))
    if isinstance(expr, Apply) and expr.op == "slice":
        start, stop, step = ("" if p == Const(None) else shown(p) for p in expr.args)
        return f"{start}:{stop}" + (f":{step}" if step else "")
    return shown(expr)
