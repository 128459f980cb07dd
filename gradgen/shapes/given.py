"""The words of shape lines, which read constants that the user has written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradgen.ir.nodes import Apply
from gradgen.shapes.shape import Shape, ShapeConflict
from gradgen.shapes.words import WORDS

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts


def in_words(facts: Facts, word: Apply, function: str) -> Shape | tuple[Shape, ...]:
    """The shape, or shapes, that a word says; not known without a constant.

    Raises ShapeConflict, also for a constant that the function does not take.
    """
    try:
        return WORDS[word.op](facts, *word.args)
    except (IndexError, TypeError) as error:
        raise ShapeConflict(
            f"{function.removeprefix('numpy.')} takes no such arguments ({error})",
            "integers for axes, counts and places",
        ) from None
    except ValueError as error:
        if isinstance(error, ShapeConflict):
            raise
        return facts.fresh()  # an argument that is not a constant
