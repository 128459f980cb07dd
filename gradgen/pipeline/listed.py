"""Attributes of which nothing tells, taken for the lists that a method goes through."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from gradgen.facts.assumed import Assumed
from gradgen.facts.checked import A_LIST
from gradgen.facts.parts import Part, parted
from gradgen.frontend.source.holding import Held
from gradgen.frontend.source.lists_told import ANY
from gradgen.frontend.source.source import Source
from gradgen.ir.nodes import Function
from gradgen.shapes.infer import Facts


def with_lists(
    source: Source,
    primal: Function,
    facts: Facts,
    found: Iterable[Assumed],
    wrt: Collection[str],
) -> tuple[Source, tuple[Assumed, ...]]:
    """The source with lists where arrays of matrices would be assumed of an instance.

    Beside such a list, all that is read by its parts alone is one. A list that gets a
    gradient has to be one; so has an array, where nothing speaks of lists.

    before:  for i in range(self.depth): h = np.tanh(h @ self.weights[i] + self.biases[i])
    after:   self.weights and self.biases are lists, of entries of any shape

    An array passes for the list of its rows.
    """
    held = source.receiver
    if held is None or source.instance is not None:
        return source, ()
    own = source.node.args.args[0].id
    labels = {
        (p.bundle, *(key for _, key in p.path)): p.label
        for p in primal.params
        if p.path
    }
    parts = {
        path: part
        for path, part in parted(primal, facts, ()).items()
        if path[0] == own and path[1:] and part.is_read_by_parts
    }
    stacks = {one.name for one in found if one.rank > 2}
    has_lists = any(
        part.is_container
        or part.each is not None
        and (labels[path] in stacks or _are_matrices(part.each))
        for path, part in parts.items()
    )
    told = []
    for path in parts:
        label = labels[path]
        if has_lists:
            held = _listed(held, path[1:])
            told.append(Assumed(label, -1, False, label in wrt, told=A_LIST))
        elif label in wrt:
            told.append(Assumed(label, -1, False, True, told="an array"))
    return replace(source, receiver=held) if has_lists else source, tuple(told)


def _are_matrices(each: Part) -> bool:
    """Whether a loop calls the parts with a capital, and multiplies with them: W @ h."""
    return each.multiplied and each.name[:1].isupper()


def _listed(held: Held, path: tuple[Any, ...]) -> Held:
    """The tree with a list at a place that nothing tells of."""
    if not path:
        return Held("several", fact=ANY)
    steps = held.steps()
    parts = (_listed(one, path[1:]) if key == path[0] else one for key, one in steps)
    return replace(held, parts=tuple(parts))
