"""Arguments without gradient that the function conjugates count as complex."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from gradgen.ir.nodes import Apply, Const, Expr, Function, Param, Ref, Var
from gradgen.ir.operators import PARTS_OF_COMPLEX
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets, subexpressions
from gradgen.rules.load import operations

CONJ = "numpy.conj"
VDOT = "numpy.vdot"
# what keeps the entries as they are
SAME = frozenset(f"numpy.{name}" for name in ("transpose", "reshape", "ravel", "copy"))


def conjugated(primal: Function, wrt: Collection[str]) -> set[str]:
    """The arguments that count as complex, as the function conjugates what they hold.

    before:  np.abs(np.vdot(w, np.exp(1j * p))) ** 2        # of the gradient in p
    after:   w is complex

    What is right of a complex w is right of a real one. Of np.conj(w) that is so as well
    where the function makes real numbers of complex ones, np.abs(np.conj(w) @ p); else it
    may be there for any matrix, A.conj().T @ x, as np.vdot(a, b) is of vectors.
    """
    meets = any(_is_complex(let.value) for let in lets(primal.body))
    is_real = any(_makes_real(let.value) for let in lets(primal.body))
    known = {let.var: let.value for let in lets(primal.body)}
    found = {
        end.var
        for let in lets(primal.body)
        for node in subexpressions(let.value)
        if isinstance(node, Apply) and _tells(node, meets, is_real)
        for operand in node.args  # np.vdot(a, b) is conjugated for a gradient in a
        for end in upstream(operand, known, _of_the_same)
        if isinstance(end, Ref)
    }
    return {one.label for one in _untold(primal, wrt, found)}


def _tells(node: Apply, meets: bool, is_real: bool) -> bool:
    return node.op == CONJ and (meets or is_real) or node.op == VDOT and meets


def _makes_real(value: Expr) -> bool:
    """Whether a value is the absolute one, a norm, or a part, of what may be complex."""
    for node in subexpressions(value):
        rule = operations().get(node.op) if isinstance(node, Apply) else None
        if rule is not None and rule.field == "to_real":
            return True
        if isinstance(node, Apply) and node.op in PARTS_OF_COMPLEX:
            return True
    return False


def _untold(
    primal: Function, wrt: Collection[str], found: Collection[Var]
) -> Iterator[Param]:
    for param in primal.params:
        asked = param.label in wrt or param.bundle in wrt
        whole = (param.fact or "").startswith((":", "=")) or ":" in (param.fact or "")
        if param.var in found and not asked and not whole:
            yield param


def _of_the_same(value: Apply) -> Sequence[Expr] | None:
    return value.args[:1] if value.op == "getitem" or value.op in SAME else None


def _is_complex(value: Expr) -> bool:
    """Whether complex numbers are made of real ones: 1j * x, np.fft.fft(x)."""
    for node in subexpressions(value):
        if isinstance(node, Const) and isinstance(node.value, complex):
            return True
        rule = operations().get(node.op) if isinstance(node, Apply) else None
        if rule is not None and rule.field == "to_complex":
            return True
    return False
