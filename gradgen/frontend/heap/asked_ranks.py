"""What a text is made for of how many axes arguments have: where the function asks.

before:  if m.ndim == 2:                      # m is told to be (n, k)
             return np.sum(m) * x
         return x ** 2
after:   if np.ndim(m) != 2:
             raise ValueError("m is taken for a matrix")
         return np.sum(m) * x
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.walk import reads

NAMES = {0: "a number", 1: "a vector", 2: "a matrix"}


def note_ranks(lowering: Lowering, asked: Iterable[Expr]) -> None:
    """Notes that a condition is decided by how many axes arrays have.

    before:  if m.ndim == 2: ...                 # m is told to be (n, k)
    after:   if np.ndim(m) != 2:
                 raise ValueError("m is taken for a matrix")

    Those are looked at that arguments are, and that arrays are computed of.
    """
    source = lowering.root.source
    if source.at_hand:
        return
    assumed = dict(source.assumed)
    for one in dict.fromkeys(
        var for value in asked for var in _made_of(lowering, value)
    ):
        name = lowering.leaf_names.get(one, lowering.known_name(one))
        rank = lowering.facts.rank(Ref(one))
        if rank is not None and name not in assumed:
            test = Apply("numpy.ndim", (Ref(one),))
            wrong = Apply("numpy.not_equal", (test, Const(rank)), (), "operator")
            called = NAMES.get(rank, f"an array of {rank} axes")
            lowering.kinds_decided[wrong] = f"{name} is taken for {called}"


def _made_of(lowering: Lowering, value: Expr) -> Iterator[Var]:
    """The arguments, and the arrays in these, that a value is computed of."""
    seen: set[Var] = set()
    front = list(reads(value))
    while front:
        var = front.pop()
        made = lowering.facts.definitions.get(var)
        if var in lowering.arguments or var in lowering.leaf_names:
            yield var
        elif made is not None and var not in seen:
            front += reads(made)
        seen.add(var)
