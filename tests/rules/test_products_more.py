"""Products that contract axes: each form, and what is refused."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.fuzz.program import Program
from tests.rules.checker import faults, parameters, ranked, shaped

MATRICES = [
    shaped("x @ y", "b n d", "d"),
    shaped("x @ y", "n", "b n d"),
    shaped("x @ y", "n", "m b n d"),
    shaped("x @ y", "m b n d", "d"),
    shaped("np.dot(x, y)", "b n d", "d m"),
    shaped("np.dot(x, y)", "b n d", "d"),
    shaped("np.dot(x, y)", "d", "b d m"),
    shaped("np.dot(x, y)", "n d", "b d m"),
    shaped("np.dot(x, y)", "b n d", "m d n"),
    shaped("np.inner(x, y)", "n d", "d"),
    shaped("np.inner(x, y)", "d", "n d"),
    shaped("np.inner(x, y)", "b n d", "m d"),
    shaped("np.inner(x, y)", "n d", "b m d"),
    shaped("np.inner(x, y)", "", "n d"),
    shaped("np.inner(x, y)", "n d", "float"),
]

EINSUM = [
    shaped("np.einsum('bij,bkj->bik', x, y)", "b n d", "b m d"),
    shaped("np.einsum('bji,bjk->bki', x, y)", "b n d", "b n m"),
    shaped("np.einsum('ij,kj->ki', x, y)", "n d", "m d"),
    shaped("np.einsum('bij,kj->bik', x, y)", "b n d", "m d"),
    shaped("np.einsum('bij,bkj->bik', x, y)", "b n d", "1 m d"),
    shaped("np.einsum('bij,bjk->bik', x, y)", "1 n d", "b d m"),
    shaped("np.einsum('bij,jk->kbi', x, y)", "b n d", "d m"),
    shaped("np.einsum('ij,jj->ij', x, y)", "n d", "d d"),
    shaped("np.einsum('bij,bjk->ik', x, y)", "b n d", "b d m"),
    shaped("np.einsum('ii->i', x)", "n n"),
    shaped("np.einsum('ii->', x)", "n n"),
    shaped("np.einsum('ii', x)", "n n"),
    shaped("np.einsum('iij->j', x)", "n n d"),
    shaped("np.einsum('iji->j', x)", "n d n"),
    shaped("np.einsum('jii->j', x)", "d n n"),
    shaped("np.einsum('ijij->ij', x)", "n d n d"),
    shaped("np.einsum('iii->i', x)", "n n n"),
    shaped("np.einsum('ii,ij->j', x, y)", "n n", "n d"),
    shaped("np.einsum('ij,jj->i', x, y)", "n d", "d d"),
    shaped("np.einsum('ji', x)", "n d"),
    shaped("np.einsum('ijk->j', x)", "n d b"),
    shaped("np.einsum('i,j->', x, y)", "n", "d"),
    shaped("np.einsum(',ij->ij', y, x)", "", "n d"),
    shaped("np.einsum(',ij->ij', y, x)", "float", "n d"),
    shaped("np.einsum('ij,->', x, y)", "n d", "float"),
    shaped("np.einsum('ij, jk -> ik', x, y, optimize=True)", "n d", "d m"),
    shaped("np.einsum('ij,j', x, y)", "n d", "d"),
    ranked("np.einsum('...ij,...jk->...ik', x, y)", "b n d", "b d m"),
    ranked("np.einsum('...ij,...jk->...ik', x, y)", "n d", "b d m"),
    ranked("np.einsum('...ij,...jk->...ik', x, y)", "1 n d", "b d m"),
    ranked("np.einsum('...ij,jk', x, y)", "b n d", "d m"),
    ranked("np.einsum('...i->...', x)", "b n d"),
    ranked("np.einsum('...ii->...', x)", "b n n"),
    ranked("np.einsum('...,...', x, y)", "n d", "d"),
    ranked("np.einsum('i...->...i', x)", "b n d"),
]

TENSORDOT = [
    ranked("np.tensordot(x, y)", "n d", "n d"),
    ranked("np.tensordot(x, y, 1)", "n d", "d m"),
    ranked("np.tensordot(x, y, axes=2)", "m n d", "n d b"),
    ranked("np.tensordot(x, y, 0)", "n", "d b"),
    ranked("np.tensordot(x, y, 0)", "", "d b"),
    ranked("np.tensordot(x, y, axes=([], []))", "", ""),
    ranked("np.tensordot(x, y, axes=([1], [0]))", "n d", "d m"),
    ranked("np.tensordot(x, y, axes=(0, 0))", "n d", "n m"),
    ranked("np.tensordot(x, y, axes=(1, 1))", "n d", "m d"),
    ranked("np.tensordot(x, y, axes=(0, 1))", "n d", "m n"),
    ranked("np.tensordot(x, y, axes=((0, 2), (1, 0)))", "n b d", "d n m"),
    ranked("np.tensordot(x, y, axes=((2, 0), (0, 1)))", "n b d", "d n"),
    ranked("np.tensordot(x, y, axes=((0, 1), (1, 0)))", "n d", "d n"),
    ranked("np.tensordot(x, y, axes=([-1], [-1]))", "b n d", "m d"),
    ranked("np.tensordot(x, y, axes=(0, 1))", "n", "b n d"),
    ranked("np.tensordot(x, y, axes=(1, 0))", "b n d", "n"),
    ranked("np.tensordot(x, y, axes=((0,), (1,)))", "n d", "b n m"),
]

# No size of the checker's is 3: the vectors are made of three columns.
FIRST = "np.stack([x, y, x * y], -1)"
SECOND = "np.stack([y, x, x + y], axis=-1)"
OTHERS = [
    ranked(f"np.cross({FIRST}, {SECOND})", "n", "n"),
    ranked(f"np.cross({FIRST}, {SECOND}[0])", "n", "n"),
    ranked(f"np.cross({FIRST}[0], {SECOND}, axis=-1)", "n", "n"),
    ranked(f"np.cross({FIRST}[0], {SECOND}[1])", "n", "n"),
    ranked("np.kron(x, y)", "n", "d"),
    ranked("np.kron(x, y)", "n d", "b m"),
    ranked("np.kron(x, y)", "", "b m"),
    ranked("np.kron(x, y)", "n d", "float"),
    ranked("np.linalg.multi_dot([x, y])", "n d", "d m"),
    ranked("np.linalg.multi_dot([x, y, w])", "n d", "d m", "m b"),
    ranked("np.linalg.multi_dot((x, y, w, y))", "n d", "d m", "m d"),
    shaped("np.linalg.matrix_power(x, 0) + x", "n n"),
    shaped("np.linalg.matrix_power(x, 1)", "n n"),
    shaped("np.linalg.matrix_power(x, 2)", "n n"),
    shaped("np.linalg.matrix_power(x, 3)", "b n n"),
    shaped("np.linalg.matrix_power(x, 5)", "n n"),
    shaped("np.linalg.matrix_power(x + 4 * np.eye(x.shape[0]), -1)", "n n"),
    shaped("np.vecdot(x, y)", "d", "d"),
    shaped("np.vecdot(x, y)", "n d", "d"),
    shaped("np.vecdot(x, y)", "n d", "n d"),
    shaped("np.vecdot(x, y, axis=0)", "n d", "n d"),
    shaped("np.vecdot(x, y)", "n 1 d", "b d"),
    shaped("np.matvec(x, y)", "n d", "d"),
    shaped("np.matvec(x, y)", "b n d", "d"),
    shaped("np.matvec(x, y)", "n d", "b d"),
    shaped("np.vecmat(x, y)", "n", "n d"),
    shaped("np.vecmat(x, y)", "b n", "n d"),
    shaped("np.vecmat(x, y)", "n", "b n d"),
]

LINES = [*MATRICES, *EINSUM, *TENSORDOT, *OTHERS]


@pytest.mark.parametrize(
    "line", LINES, ids=lambda line: f"{line.text} of {', '.join(line.shapes[0])}"
)
def test_line(line):
    for name in ("vecdot", "matvec", "vecmat"):
        if f"np.{name}" in line.text and not hasattr(np, name):
            pytest.skip("this NumPy lacks the function")
    found = faults(line, gradgen)
    if found:
        pytest.fail(found, pytrace=False)


REFUSED = [
    (ranked("np.tensordot(x, y, 3)", "n d", "n d"), None, "np.tensordot over 3"),
    (
        ranked("np.tensordot(x, y, x.shape[0] // x.shape[0] + 1)", "n d", "n d"),
        None,
        "not a constant",
    ),
    (ranked("np.cross(np.stack([x, y], -1), x[:1])", "n", "n"), None, "of three"),
    (ranked("np.linalg.multi_dot([x, y])", "n", "n d"), None, "not known to be 2-D"),
    (ranked("np.linalg.matrix_power(x, len(y))", "n n", "m"), None, "with this n"),
]


@pytest.mark.parametrize("line, shapes, said", REFUSED, ids=lambda v: str(v)[:40])
def test_refusal(line, shapes, said):
    facts = line.shapes[0]
    names = tuple(name for name in line.names if name != "len")
    named = ranked(line.text.replace("len(y)", "y.shape[0]"), *facts)
    program = Program(parameters(named, facts), (f"return {named.text}",), 1)
    told = {param.name: param.fact for param in program.params}
    with pytest.raises(GradgenError, match=said):
        gradgen.grad(
            program.function,
            wrt=names,
            shapes=told if shapes is None else shapes,
        ).source


def test_no_helper_is_copied_where_ranks_are_known():
    for line in MATRICES:
        program = Program(parameters(line, line.shapes[0]), (f"return {line.text}",), 1)
        told = {param.name: param.fact for param in program.params}
        text = gradgen.emit(program.function, wrt=line.names, shapes=told)
        assert text.count("def ") == 1, text


AGAINST = [
    ("np.tensordot(x, y, axes=((0, 2), (1, 0)))", "n b d", "d n m"),
    ("np.einsum('...ij,...jk->...ik', x, y)", "b n d", "b d m"),
    ("np.inner(x, y)", "n d", "b m d"),
    ("np.dot(x, y)", "n d", "b d m"),
    ("np.matmul(x, y)", "n", "b n d"),
    ("np.kron(x, y)", "n d", "b m"),
]


@pytest.mark.parametrize("text, first, second", AGAINST)
def test_as_autograd(text, first, second):
    autograd = pytest.importorskip("autograd")
    facts = (first, second)
    line = shaped(text, *facts)
    program = Program(parameters(line, facts), (f"return np.sum(np.sin({text}))",), 1)
    x, y = program.arguments(0)
    scope = {"np": autograd.numpy}
    exec(program.source.replace("import numpy as np", ""), scope)
    theirs = autograd.grad(scope["program"], (0, 1))(x, y)
    told = {"x": first, "y": second}
    ours = gradgen.grad(program.function, wrt=("x", "y"), shapes=told)(x, y)
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-13)
