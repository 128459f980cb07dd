"""Arguments that count as real, in a function that asks for real parts."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gradgen.facts.compared import Compared
from gradgen.ir.nodes import Apply, Function, Let, Ref, Var
from gradgen.ir.operators import PARTS_OF_COMPLEX
from gradgen.ir.walk import lets, own_expressions, reads, subexpressions
from gradgen.shapes.infer import Facts


def looked_at_as_real(
    also: Compared, primal: Function, facts: Facts, wrt: Collection[str]
) -> Compared:
    """The tests with those that an argument of which a part is taken is not complex.

    before:  return np.sum(np.imag(Y) * 3)
    after:   if np.iscomplexobj(Y):
                 raise ValueError("expected Y, real (--complex Y if it is not)")

    Its gradient would be that of a real Y, of a complex one a part alone.
    """
    asked = {var: None for var in _asked(primal, facts)}
    given = [
        param
        for param in primal.params
        if param.var in asked
        and param.label in wrt
        and not facts.is_complex(Ref(param.var))
    ]
    if not given:
        return also
    tests = [Apply("numpy.iscomplexobj", (Ref(param.var),)) for param in given]
    names = [
        f"{param.label}, real (--complex {param.label} if it is not)" for param in given
    ]
    return Compared((*also.tests, *tests), (*also.names, *names))


def _asked(primal: Function, facts: Facts) -> Iterator[Var]:
    """The arguments that values depend on of which a part is taken, but for complex ones."""
    roots: dict[Var, frozenset[Var]] = {
        p.var: frozenset([p.var]) for p in primal.params
    }
    for let in lets(primal.body):
        for node in _parts(let):
            whole = node.args[0]
            if isinstance(whole, Ref) and not facts.is_complex(whole):
                yield from sorted(roots.get(whole.var, ()), key=lambda var: var.id)
        found: frozenset[Var] = frozenset()
        for var in reads(let.value):
            found |= roots.get(var, frozenset())
        roots[let.var] = found


def _parts(let: Let) -> Iterator[Apply]:
    for expr in own_expressions(let):
        for node in subexpressions(expr):
            if isinstance(node, Apply) and node.op in PARTS_OF_COMPLEX and node.args:
                yield node
