"""Signatures that a derivative is called with again: their tests become its call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from gradgen.runtime.fixed import STARRED
from gradgen.runtime.hot_tests import Entry
from gradgen.runtime.inline_cache import MOST, OWN, call_site, entry_of
from gradgen.runtime.variant import Variant
from gradgen.signature.abstract import Abstract

# what a call has chosen: a text, the arguments, and what they are
Chosen = tuple[Variant, dict[str, Any], dict[str, Abstract]]


class HotCalls:
    """What a dispatcher knows of the signatures that came again.

    The class of a dispatcher that has any is one of its own, with another call.
    """

    primal: Callable[..., Any]
    _parameters: tuple[str, ...]
    _hot: list[Any]
    _entries: list[Entry]
    # the variant that a call has chosen again, until that call is through
    _again: Chosen | None

    if TYPE_CHECKING:

        def _defaults(self) -> dict[str, Any]: ...

    def _start_cold(self) -> None:
        self._hot, self._entries, self._again = [], [], None

    def _is_cold(self, variant: Any) -> bool:
        """Whether a variant that is chosen again has no tests in the call so far."""
        return variant not in self._hot and len(self._hot) < MOST

    def _inline(
        self, variant: Any, values: dict[str, Any], known: Mapping[str, Abstract]
    ) -> None:
        """Writes the tests for a signature that came again into the call itself."""
        self._hot.append(variant)
        self._again = None
        made = variant.made
        if not getattr(made, "is_plain", False):
            return
        code: Any = getattr(made.primal, "__code__")
        if code.co_kwonlyargcount or any(map(OWN.fullmatch, self._parameters)):
            return
        if code.co_flags & STARRED:  # the next call may have more
            return
        if len(values) < len(self._parameters):
            return
        form = variant.letters, variant.equations
        entry = entry_of(values, known, made, *form)
        if entry is not None:
            self._entries.append(entry)
            cold: Any = cold_class(type(self))
            told = self._parameters, self._defaults(), self._entries
            call = call_site(*told, cold.__call__, self.primal, _anew)
            hot: Any = type(cold.__name__, (cold,), {"__call__": call, "is_hot": True})
            self.__class__ = hot


def cold_class(cls: type) -> type:
    """The class of a dispatcher as it was before any call."""
    return next(one for one in cls.__mro__ if "is_hot" not in vars(one))


def _anew(made: Any, *args: Any, **kwargs: Any) -> Any:
    """The call of a function whose code or defaults are others since it was written."""
    made.__class__ = cold_class(type(made))
    made._start_cold()
    return made(*args, **kwargs)
