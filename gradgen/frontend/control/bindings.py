"""Where the primal raises, so does the text: names without a value, and the like.

Of a name that may be read without a value (`unbound.py`) a second name, which no
text can have, tells whether it has one. Branches and loops hand it on like any
other. Where it is not surely true, a read of the name asks it:

    for i in range(n):
        y = x * i
    if not n > 0:
        raise UnboundLocalError("y has no value")
"""

from __future__ import annotations

from typing import Any

from gradgen.frontend.control.branches import close
from gradgen.frontend.lowering.frames import Frame
from gradgen.frontend.lowering.jumps import FALSE, TRUE, flag_of
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.pending import Raised
from gradgen.frontend.source.unbound import maybe_unbound
from gradgen.ir.nodes import Apply, Const, Effect, Expr


def raises(lowering: Lowering, kind: type[BaseException], node: Any) -> None:
    """A raise, or an assert: where a handler goes on it has to be sure."""
    for one in reversed(lowering.trying):
        place = one.handler_of(kind)
        if place is None or not one.goes_on[place]:
            continue
        if one.body is lowering.body and issubclass(kind, Exception):
            raise Raised(kind.__new__(kind)) from None
        lowering.fail(
            "GG113",
            f"a handler goes on where a test raises this {kind.__name__}",
            node,
            "if and else, in the place of raise and except",
        )


def begin(lowering: Lowering, frame: Frame) -> None:
    """No name that may be read without a value has one where a call starts."""
    frame.unbound = maybe_unbound(frame.node)
    for name in sorted(frame.unbound):
        lowering.state.names[frame.number, flag_of(name)] = FALSE


def bound(lowering: Lowering, number: int, name: str) -> None:
    """Notes that a name has a value from here on."""
    key = number, flag_of(name)
    if key in lowering.state.names:
        lowering.state.names[key] = TRUE


def raise_unless_bound(lowering: Lowering, name: str) -> None:
    """Writes an exception where a name that is read has no value."""
    frame: Frame | None = lowering.frame
    while frame is not None and name not in frame.locals:
        frame = frame.parent
    if frame is None or name not in frame.unbound:
        return
    key = frame.number, flag_of(name)
    flag = lowering.state.names.get(key, TRUE)
    if flag in (TRUE, FALSE):
        return  # that it surely has none is refused

    test = Apply("not", (lowering.current(flag),), (), "operator")
    raise_where(lowering, test, UnboundLocalError, f"{name} has no value")
    lowering.state.names[key] = TRUE


def raise_where(
    lowering: Lowering, test: Expr, error: type[Exception], message: str | Expr
) -> None:
    """Writes an exception that the primal raises where a condition holds.

    Refused where a try block around goes on behind it: what happens then depends on
    the condition.
    """
    _refuse_caught(lowering, error)

    def fail() -> None:
        raises(lowering, error, None)
        told = Const(message) if isinstance(message, str) else message
        args = Const(error, error.__name__), told
        lowering.body.append(Effect(Apply("raise", args), lowering.note))
        lowering.state.dead = True

    before, mark = lowering.state, lowering.mark()
    then, orelse = lowering.arm(before, fail), lowering.arm(before, lambda: None)
    close(lowering, test, then, orelse, mark, lowering.note)


def _refuse_caught(lowering: Lowering, error: type[Exception]) -> None:
    """Refuses what raises by turns in a try block whose handler goes on."""
    for one in reversed(lowering.trying):
        place = one.handler_of(error)
        if place is not None and one.goes_on[place]:
            lowering.fail(
                "GG113",
                f"a handler goes on where a test raises this {error.__name__}",
                None,
                "if and else, in the place of raise and except",
            )
        if place is not None:
            return
