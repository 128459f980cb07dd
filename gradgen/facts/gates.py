"""Convention C of gates: what the sections of a product are multiplied with."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.keys import is_slice
from gradgen.facts.layers import BIASES
from gradgen.facts.matrices import Step
from gradgen.facts.through import as_one_shape
from gradgen.ir.nodes import Apply, Expr, Origin, Ref
from gradgen.ir.operators import ADDITIVE
from gradgen.ir.upstream import upstream
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Ranks


def gates(facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """What a gate is multiplied with is a matrix where the gate is one.

    before:  i, f, g = np.split(x @ W, 3, axis=1)        # x and W are matrices
             f * c + i * g
    after:   c is a matrix

    And the bias of which each gate has a section is a vector: x @ W[:, :n] + b[:n].
    """
    for let in ranks.statements:
        value = let.value
        if isinstance(value, Apply) and value.op in ADDITIVE:
            for one, other in (value.args, value.args[::-1]):
                part = _made(other, facts)
                if part is None or part.op != "getitem" or not is_slice(part.args[1]):
                    continue
                bias = part.args[0]
                if isinstance(bias, Ref) and bias.var.name in BIASES:
                    if ranks.of(one) == {2} and len(ranks.of(bias)) > 1:
                        yield [(bias.var, 1)]
        if not isinstance(value, Apply) or value.op != "numpy.multiply":
            continue
        for gate, one in (value.args, value.args[::-1]):
            if not isinstance(one, Ref) or one.var.origin is not Origin.PARAM:
                continue
            if one.var.name.islower() and len(ranks.of(one)) > 1:
                whole = _split_of(gate, facts)
                if whole is not None and min(ranks.of(whole)) == 2:
                    yield [(one.var, 2)]


def _split_of(value: Expr, facts: Facts) -> Expr | None:
    """What was split into a part that a value is computed of entry by entry."""
    for end in upstream(value, facts.definitions, as_one_shape):
        part = _made(end, facts)
        whole = part.args[0] if part is not None and part.op == "getitem" else None
        source = _made(whole, facts) if whole is not None else None
        if source is not None and source.args and facts.several(source):
            return source.args[0]
    return None


def _made(value: Expr, facts: Facts) -> Apply | None:
    made = facts.definitions.get(value.var) if isinstance(value, Ref) else value
    return made if isinstance(made, Apply) else None
