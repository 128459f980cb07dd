"""Functions that compiling makes no faster: they stay NumPy's text."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.ir.nodes import Apply, Function, Loop
from gradgen.ir.walk import own_expressions, statements, subexpressions
from gradgen.shapes.infer import Facts
from gradgen.target.numba_scalars import CALLED, CHEAP
from gradgen.target.numba_tokens import learned

# functions that NumPy computes for many entries at once, and a compiled loop one by one
VECTORS = {
    f"numpy.{name}"
    for name in (
        "exp exp2 expm1 log log1p log2 log10 sin cos tan sinh cosh tanh arcsin arccos "
        "arctan logaddexp logaddexp2"
    ).split()
}
# so many operations of a few instructions, which a loop does at once, make up for one
EACH = 5


class NotWorth(Exception):
    """A function that is left to NumPy."""


def is_worth(function: Function, facts: Facts) -> bool:
    """Whether a function is to be compiled.

    compiled:  for t in range(steps): h = np.tanh(W @ h)
    compiled:  np.sum((x - y) ** 2)
    left:      h = np.tanh(X @ W + b)

    Without a loop, products of matrices take as long compiled, and np.tanh of an
    array takes longer, 2 to 5 times. What a loop nest saves is the other operations.
    """
    if any(isinstance(stmt, Loop) for stmt in statements(function.body)):
        return True
    facts = learned(function, facts)
    calls = list(_calls(function))
    products = [one for one in calls if one.op == "numpy.matmul"]
    if not any(max(facts.rank(x) or 0 for x in one.args) <= 2 for one in products):
        return True  # those of stacks are loops over their matrices
    arrays = [one for one in calls if one.op in CHEAP | CALLED and facts.rank(one)]
    slow = sum(one.op in VECTORS for one in arrays)
    return not slow or len(arrays) - slow > EACH * slow


def _calls(function: Function) -> Iterator[Apply]:
    for stmt in statements(function.body):
        for expr in own_expressions(stmt):
            for one in subexpressions(expr):
                if isinstance(one, Apply):
                    yield one
