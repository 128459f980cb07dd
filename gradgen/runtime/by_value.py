"""Options as they are in a call: where no text serves all values, one for each.

Functions, tables and keywords are fixed at once. Strings, flags and counts are where a
text is refused that does not know them; a whole number that one text serves stays an
argument of it, so that `f(x, k, axis=0)` has a text for each axis and none for each k.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradgen.errors import GradgenError
from gradgen.request.parts import path_of
from gradgen.request.request import Request
from gradgen.runtime.arithmetic import NO_GRADIENT, REFUSED
from gradgen.runtime.fixed import SEED, Fixed, fixed_call


# a text of more lines is not written again to find which whole numbers it needs
LONGEST = 240
# refusals to tell which object an argument is
OF_OBJECTS = ("GG230", "GG271")


def is_by_identity(error: GradgenError) -> bool:
    """Whether a function asks which object an argument is, and not what it holds."""
    return any(problem.code in OF_OBJECTS for problem in error.problems)


class ByValue:
    """What a dispatcher knows of the options that it is called with."""

    primal: Callable[..., Any]
    asked: Request
    _kind: Any
    _parameters: tuple[str, ...]
    _latest: Any

    def _start_by_signature(self) -> None:
        # makes the same of another function, and those that were made by their keys
        self.remake: Callable[[Callable[..., Any]], Any] | None = None
        self._fixed: dict[Any, Any] = {}
        self._by_value = False
        # the whole numbers that texts for options take as arguments
        self._free: frozenset[str] = frozenset()
        # why no text is made for the options of the latest call, as they are in it
        self._reason: GradgenError | None = None

    def _other(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], split: int
    ) -> tuple[Any, tuple[Any, ...], dict[str, Any]] | None:
        """The derivative of the function with what is static in a call, if any is."""
        if self.remake is None:
            return None
        own = args if not self._kind.tangents else args[: max(split, 0)]
        ask = self._ahead(own), kwargs, self._by_value
        call = self._fixed_call(*ask, self._free)
        if call is not None and self._free and self._derived(call, True) is None:
            call = self._fixed_call(*ask)
        if call is None:
            return None
        found = self._derived(call)
        assert found is not None
        self._latest = found
        first = len(self._ahead(()))
        return found, (*call.args[first:], *args[len(own) :]), call.kwargs

    def _ahead(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments of a call as the function takes them."""
        return args

    def _as_called(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """What is differentiated of a function that stands for the primal."""
        return function

    def _fixed_call(
        self,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        options: bool,
        free: frozenset[str] = frozenset(),
    ) -> Fixed | None:
        return fixed_call(self.primal, args, kwargs, self._wrt(), options, free)

    def _derived(self, call: Fixed, checked: bool = False) -> Any:
        """The derivative of a call's function; None for one `checked` and refused."""
        known = call.key in self._fixed
        if not known or self._fixed[call.key] is None and not checked:
            assert self.remake is not None
            made = self.remake(self._as_called(call.make()))
            if self._by_value:  # all that is static is fixed now
                made.remake = None
            self._fixed[call.key] = made
            words = self._without_seed(call.kwargs)
            if checked and not _serves_all(made, call.args, words):
                self._fixed[call.key] = None
        return self._fixed[call.key]

    def _freed(self, args: tuple[Any, ...], kwargs: dict[str, Any], n: int) -> None:
        """Finds the whole numbers of a call that need not be constants of a text."""
        own = self._ahead(args if not self._kind.tangents else args[: max(n, 0)])
        call = self._fixed_call(own, kwargs, True)
        for name in call.counts if call is not None else ():
            free = self._free | {name}
            less = self._fixed_call(own, kwargs, True, free)
            if less is not None and self._derived(less, True) is not None:
                self._free = free

    def _without_seed(self, kwargs: dict[str, Any]) -> dict[str, Any]:
        """The keywords of a call that are arguments: a seed is of the results."""
        named = SEED in self._parameters
        return {k: v for k, v in kwargs.items() if k != SEED or named}

    def _wrt(self) -> tuple[str, ...]:
        """The arguments that the derivative is in, without the parts of them."""
        given = self.asked.wrt or self._parameters[:1]
        return tuple(path_of(name)[0] for name in given)

    def _valued(self, args: tuple[Any, ...], kwargs: dict[str, Any], n: int) -> Any:
        """The derivative for options as they are in a call; None where it is no help."""
        if self._by_value or self.remake is None:
            return None
        self._by_value = True
        own = self._without_seed(kwargs)
        try:
            other = self._other(args, own, n)
            made = other and other[0].specialize(*other[1], **other[2])
            if made and made.source.count("\n") <= LONGEST:
                self._freed(args, own, n)
            if made:
                return self._other(args, kwargs, n)
        except GradgenError as error:
            self._reason = error
        self._by_value = False
        return None

    def _told(self, error: Exception) -> Exception:
        """The error of a call; of options that a text has no gradient for, the reason.

        before:  GG302 no gradient for values of method other than "mean"
        after:   GG308 no gradient with respect to the argument q of percentile
        """
        reason, self._reason = self._reason, None
        is_other = isinstance(error, GradgenError) and error.message.startswith(
            f"{NO_GRADIENT}values of "
        )
        return reason if is_other and reason is not None else error


def _serves_all(made: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a text is emitted for a call, and refuses no value while it runs."""
    try:
        text = made.specialize(*args, **kwargs)
    except GradgenError:
        return False
    return REFUSED not in text.source
