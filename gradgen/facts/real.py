"""Arguments that count as real, in a function that computes with complex numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gradgen.facts.compared import Compared
from gradgen.ir.nodes import Apply, Expr, Function, Let, Ref, Var
from gradgen.ir.operators import PARTS_OF_COMPLEX
from gradgen.ir.walk import lets, own_expressions, reads, subexpressions
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts


def looked_at_as_real(
    also: Compared, primal: Function, facts: Facts, wrt: Collection[str]
) -> Compared:
    """The tests with those that an argument which meets complex numbers is none.

    before:  return np.sum(np.imag(Y) * 3)
    after:   if np.iscomplexobj(Y):
                 raise ValueError("expected Y, real (--complex Y if it is not)")

    Its gradient would be that of a real Y, of a complex one a part alone. So it is where
    a part is taken, and where what is computed of a real argument is complex: np.fft.fft(x),
    x * np.exp(1j * k).
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
    """The real arguments that values depend on of which a part is taken, or complex ones
    are made."""
    roots: dict[Var, frozenset[Var]] = {
        p.var: frozenset([p.var]) for p in primal.params
    }
    for let in lets(primal.body):
        for node in _parts(let):
            whole = node.args[0]
            if isinstance(whole, Ref) and not facts.is_complex(whole):
                yield from sorted(roots.get(whole.var, ()), key=lambda var: var.id)
        if facts.is_complex(Ref(let.var)) and _may_be_complex(let.value):
            for one in dict.fromkeys(reads(let.value)):
                if not facts.is_complex(Ref(one)):
                    yield from sorted(roots.get(one, ()), key=lambda var: var.id)
        found: frozenset[Var] = frozenset()
        for var in reads(let.value):
            found |= roots.get(var, frozenset())
        roots[let.var] = found


def _may_be_complex(value: Expr) -> bool:
    """Whether an operation takes complex arguments, as np.fft.rfft does not."""
    rule = operations().get(value.op) if isinstance(value, Apply) else None
    return rule is not None and rule.field in ("holomorphic", "to_complex")


def _parts(let: Let) -> Iterator[Apply]:
    for expr in own_expressions(let):
        for node in subexpressions(expr):
            if isinstance(node, Apply) and node.op in PARTS_OF_COMPLEX and node.args:
                yield node
