"""Functions of Hermitian matrices, of complex matrices that are their transposes."""

from __future__ import annotations

from collections.abc import Iterable

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Stmt
from gradgen.ir.walk import lets
from gradgen.rules.traits import OF_ONE_TRIANGLE
from gradgen.shapes.infer import Facts
from gradgen.shapes.mirrored import Mirrored


def refuse_transposes(body: Iterable[Stmt], facts: Facts) -> None:
    """Raises GradgenError for np.linalg.eigvalsh(A + A.T) of a complex A.

    What is symmetric by its form is read as it stands, and its rule takes it for
    Hermitian; a complex A + A.T is not.
    """
    every = list(lets(body))
    found = [
        let
        for let in every
        if isinstance(let.value, Apply)
        and let.value.op in OF_ONE_TRIANGLE
        and facts.is_complex(let.value.args[0])
    ]
    forms = Mirrored({let.var: let.value for let in every}, facts)
    for let in found:
        assert isinstance(let.value, Apply)
        if forms.sign(let.value.args[0], 2) == 1:
            name = let.value.op.removeprefix("numpy.")
            raise GradgenError(
                "GG302",
                f"no gradient for {name} of a complex matrix that is its transpose",
                advice="the conjugate transpose: A + A.conj().T",
            ).at(let.note.place)
