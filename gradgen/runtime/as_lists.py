"""Lists of numbers as lists: where a text that takes them for arrays is refused.

`shift = shift or [0, 0]` asks whether a list has entries, and means nothing of an array.
"""

from __future__ import annotations

from typing import Any

from gradgen.errors import GradgenError
from gradgen.runtime.alike import OTHERWISE
from gradgen.runtime.arguments import leaves_of
from gradgen.runtime.by_value import ByValue
from gradgen.runtime.sequences import are_numbers, as_array
from gradgen.signature.abstract import LONGEST, Abstract, abstract

# refusals of what has no meaning of an array, or is a list by another way
OF_ARRAYS = ("GG204", "GG214", "GG222")
# those of lists with which a function computes otherwise; where arrays make it raise
OF_LISTS, RAISES = "GG511", f"{OTHERWISE}, which raises"


def is_of_lists(error: GradgenError) -> bool:
    """Whether a list may be taken where the array of its numbers is refused."""
    return error.code in OF_ARRAYS or error.code == OF_LISTS and RAISES in error.message


class AsLists(ByValue):
    """What a dispatcher knows of the lists that it is called with."""

    def _start_by_signature(self) -> None:
        super()._start_by_signature()
        self._as_lists = False

    def _given(self, name: str, value: Any) -> Any:
        """An argument as it is to a text: a list of numbers is an array, or that list."""
        in_wrt = name in (self.asked.wrt or self._parameters[:1])
        if self._as_lists and is_listed(value):
            value = of_floats(value) if in_wrt else value
            return value if has_floats(value) else as_array(value, in_wrt)
        return as_array(value, in_wrt)

    def _known_as(self, value: Any) -> Abstract:
        """The abstract value of an argument, as it was given."""
        return abstract(value, inside=self._as_lists and is_listed(value))

    def _with_lists(self, error: Exception, ran: bool, args: Any, kwargs: Any) -> Any:
        """The text of a call for lists as they are; None where that is no help.

        `args` are those behind an instance of a method; `ran` tells whether a text that
        takes arrays was there.
        """
        if self._as_lists or not isinstance(error, GradgenError):
            return None
        if ran and error.code != OF_LISTS or not is_of_lists(error):
            return None
        if not any(map(is_listed, (*args, *kwargs.values()))):
            return None
        self._as_lists = True
        try:
            return self._chosen(args, kwargs)
        except GradgenError:
            self._as_lists = False
            return None

    def _chosen(self, args: tuple[Any, ...], kwargs: Any) -> Any:
        raise NotImplementedError


def is_listed(value: Any) -> bool:
    """Whether a value is a list or a tuple of a few numbers, or of rows of them."""
    if type(value) not in (list, tuple):
        return False
    leaves = list(leaves_of(value))
    return 0 < len(leaves) <= LONGEST and are_numbers(leaves)


def has_floats(value: Any) -> bool:
    """Whether no number of a list is whole: NumPy rounds what goes into an array of these."""
    return not any(isinstance(one, int) for one in leaves_of(value))


def of_floats(value: Any) -> Any:
    """Such a list with floats in the place of whole numbers."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(of_floats, value))
    return value if isinstance(value, complex) else float(value)
