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

from typing import TYPE_CHECKING, Any

from gradgen.frontend.decisions import Decisions
from gradgen.frontend.jumps import FALSE, TRUE, flag_of
from gradgen.frontend.unbound import maybe_unbound
from gradgen.frontend.writer import Frame
from gradgen.ir.nodes import Apply, Const, Effect, Expr


class Bindings(Decisions):
    """Follows which names have a value."""

    if TYPE_CHECKING:
        trying: list[Any]

        def raises(self, kind: type[BaseException], node: Any) -> None: ...

    def begin(self, frame: Frame) -> None:
        """No name that may be read without a value has one where a call starts."""
        frame.unbound = maybe_unbound(frame.node)
        for name in sorted(frame.unbound):
            self.state.names[frame.number, flag_of(name)] = FALSE

    def bound(self, number: int, name: str) -> None:
        """Notes that a name has a value from here on."""
        key = number, flag_of(name)
        if key in self.state.names:
            self.state.names[key] = TRUE

    def raise_unless_bound(self, name: str) -> None:
        """Writes an exception where a name that is read has no value."""
        frame: Frame | None = self.frame
        while frame is not None and name not in frame.locals:
            frame = frame.parent
        if frame is None or name not in frame.unbound:
            return
        key = frame.number, flag_of(name)
        flag = self.state.names.get(key, TRUE)
        if flag in (TRUE, FALSE):
            return  # that it surely has none is refused

        test = Apply("not", (self.current(flag),), (), "operator")
        self.raise_where(test, UnboundLocalError, f"{name} has no value")
        self.state.names[key] = TRUE

    def raise_where(
        self, test: Expr, error: type[Exception], message: str | Expr
    ) -> None:
        """Writes an exception that the primal raises where a condition holds.

        Refused where a try block around goes on behind it: what happens then depends on
        the condition.
        """
        self._refuse_caught(error)

        def fail() -> None:
            self.raises(error, None)
            told = Const(message) if isinstance(message, str) else message
            args = Const(error, error.__name__), told
            self.body.append(Effect(Apply("raise", args), self.note))
            self.state.dead = True

        before, mark = self.state, self.mark()
        then, orelse = self.arm(before, fail), self.arm(before, lambda: None)
        self.close(test, then, orelse, mark, self.note)

    def _refuse_caught(self, error: type[Exception]) -> None:
        """Refuses what raises by turns in a try block whose handler goes on."""
        for one in reversed(self.trying):
            place = one.handler_of(error)
            if place is not None and one.goes_on[place]:
                self.fail(
                    "GG113",
                    f"a handler goes on where a test raises this {error.__name__}",
                    None,
                    "if and else, in the place of raise and except",
                )
            if place is not None:
                return
