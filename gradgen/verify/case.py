"""A function with a backward pass of it, at arguments given as leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.frozen import dataclass
from gradgen.ir.structure import Structure
from gradgen.verify.disagreement import run_foreign
from gradgen.verify.forms import Answer, Asked, answer, is_same
from gradgen.verify.generated import EmittedText
from gradgen.verify.nested import Leaf, Nested, is_active
from gradgen.verify.taking import Taking


@dataclass(frozen=True)
class Case:
    """A function with a backward pass, at arguments given as leaves.

    `parts` are the structure and the leaves of each name in wrt. `emitted` is the
    generated gradient that lines are named of; one is made where it is None. `said`
    tells of arguments that are not those of the caller.
    """

    f: Callable[..., Any]
    hand: Callable[..., Any]
    asked: Asked
    how: Taking
    leaves: list[Any]
    parts: list[Any]
    emitted: EmittedText | None = None
    said: str = ""

    def answer(self, hand: Callable[..., Any], seed: Any = None) -> Answer:
        """What the backward pass says. Raises GradgenError where it fails."""
        args = self.asked.nested.nested(self.leaves)
        found = run_foreign(
            lambda: answer(hand, self.how, args, self.asked, seed), self.hand
        )
        changed = self._changed(args)
        if changed and not changed <= self._changed_by_itself():
            raise GradgenError(
                "GG607",
                f"{title_of(self.hand)} writes into {', '.join(sorted(changed))}",
                advice="a copy: x = x * 2 in place of x *= 2, or x.copy() first",
            )
        return found

    def _changed(self, args: Sequence[Any]) -> set[str]:
        """The arguments that are not what they were."""
        nested = self.asked.nested
        now = nested.leaves(args)
        return {
            leaf.label
            for name in nested.names
            for leaf in part_of(nested, name)[1]
            if not is_same(now[leaf.place], self.leaves[leaf.place])
        }

    def _changed_by_itself(self) -> set[str]:
        """The arguments that the function changes, which its gradient may then, too."""
        args = self.asked.nested.nested(self.leaves)
        run_foreign(lambda: self.f(*args), self.f)
        return self._changed(args)

    def leaves_of(self, gradients: Sequence[Any]) -> Iterator[tuple[str, int, Any]]:
        """Each leaf's label, its place among the arguments, and its gradient."""
        for (structure, own), whole in zip(self.parts, gradients, strict=True):
            for leaf, got in zip(own, structure.flatten(whole), strict=True):
                if not structure or is_active(self.leaves[leaf.place]):
                    yield leaf.label, leaf.place, got

    def at(self, leaves: list[Any], said: str = "") -> Case:
        """The same at other arguments."""
        nested = self.asked.nested
        result = run_foreign(lambda: self.f(*nested.nested(leaves)), self.f)
        asked = replace(self.asked, result=result)
        return replace(self, leaves=leaves, asked=asked, said=said or self.said)

    def gradient_at(self, leaves: list[Any], label: str, given: Any) -> Any:
        """The gradient of one leaf at other arguments, for a nested seed."""
        found = replace(self, leaves=leaves).answer(self.hand, given)
        return next(
            got for own, _, got in self.leaves_of(found.gradients) if own == label
        )

    def dtype(self, place: int | None = None) -> Any:
        """The least precise dtype that a gradient, or the value, is computed in."""
        leaves = self.leaves if place is None else [self.leaves[place]]
        dtypes = [leaf.dtype for leaf in leaves if _is_inexact(leaf)]
        return max(dtypes, key=lambda one: np.finfo(one).eps, default=np.float64)


def part_of(nested: Nested, name: str) -> tuple[Structure, list[Leaf]]:
    """The nesting and the leaves of an argument, or a part, that is there."""
    found = nested.part(name)
    assert found is not None
    return found


def title_of(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", type(function).__name__)


def _is_inexact(leaf: Any) -> bool:
    return getattr(getattr(leaf, "dtype", None), "kind", "") in ("f", "c")
