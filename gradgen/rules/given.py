"""Constants that the user has written, where a rule takes one of a certain sort."""

from __future__ import annotations

from collections.abc import Callable, Container

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.walk import NO_CONSTANT
from gradgen.rules.words import WORDS

# the words that ask whether an argument is None, and which one
ASKS_NONE = {
    "either": 0,
    "selected": 0,
    "both": 1,
    "resized": 2,
    "size_along": 2,
    "sizes_of": 2,
}


def flag(value: Expr, called: str, function: str) -> Expr:
    """True for keepdims=1, since rules ask for True and False. Raises TypeError."""
    if not isinstance(value, Const) or isinstance(value.value, bool):
        return value
    if not isinstance(value.value, (int, float)):
        said = f"True or False for {called.rstrip('_')}, not {value.value!r}"
        raise TypeError(f"{function} takes {said}")
    return Const(bool(value.value))


def in_words(
    node: Apply,
    rank: Callable[[Expr], int | None],
    optional: Container[Var] = (),
) -> Expr:
    """What a word of the rules stands for; it reads constants that the user wrote.

    `optional` are the arguments that are None where they are left out: a word that does
    something else for None is refused those.
    """
    place = ASKS_NONE.get(node.op)
    asked = None if place is None else node.args[place]
    try:
        if isinstance(asked, Ref) and asked.var in optional and rank(asked) is None:
            raise ValueError(NO_CONSTANT)
        return WORDS[node.op](rank, *node.args)
    except ValueError as error:
        if str(error) != NO_CONSTANT:
            raise
        raise GradgenError(
            "GG301",
            "the gradient depends on an argument that is not a constant",
            advice="a literal for that argument",
        ) from None
    except (IndexError, TypeError) as error:
        raise GradgenError(
            "GG302",
            f"no gradient for arguments of this sort ({error})",
            advice="integers for axes, counts and places, as NumPy takes them",
        ) from None
