"""A derivative that a primal takes itself: gradgen.grad(f)(x) inside a function.

f is written out at the call, of a point of its own that stands for x:

    x_point = point(x)
    y = np.sin(x_point)
    g = slope("grad", 0, y, (x_point), ())

The point keeps what f reads of x apart from other reads of the same x, so that a
derivative inside a derivative is that of its own argument.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeGuard

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var

POINT = "point"
# a value that no derivative goes through: gradgen.stop_gradient(x)
STOPPED = "stopped"


def is_same(value: Expr | None) -> TypeGuard[Apply]:
    """Whether it stands for another value, which it is: None, if that is None."""
    return isinstance(value, Apply) and value.op in (POINT, STOPPED)


SLOPE = "slope"
# modes whose result is one value for each argument; others have the whole result's
OF_ARGUMENTS = ("grad", "vjp", "hvp")


@dataclass(frozen=True)
class Slope:
    """One derivative: of `out` at `points`, with `given` seeds or tangents.

    `index` says which of the points it belongs to.
    """

    mode: str
    index: int
    out: Expr
    points: tuple[Var, ...]
    given: tuple[Expr, ...] = ()

    @property
    def point(self) -> Var:
        """The point that this derivative belongs to."""
        return self.points[self.index]

    @property
    def whole(self) -> tuple[Any, ...]:
        """What derivatives that are found together have in common."""
        return self.mode, self.out, self.points, self.given

    def written(self) -> Apply:
        """The operation."""
        return Apply(
            SLOPE,
            (
                Const(self.mode),
                Const(self.index),
                self.out,
                Apply("tuple", tuple(map(Ref, self.points))),
                Apply("tuple", self.given),
            ),
        )


def slope_of(expr: Expr) -> Slope | None:
    """The derivative that an operation is, or None."""
    if not isinstance(expr, Apply) or expr.op != SLOPE:
        return None
    mode, index, out, points, given = expr.args
    variables = tuple(_variables(points.args))
    return Slope(mode.value, index.value, out, variables, given.args)


def _variables(refs: Iterable[Expr]) -> Iterable[Var]:
    return (ref.var for ref in refs)
