"""Lines of the rule tests as texts that nothing was told for, run by themselves."""

import numpy as np
import pytest

import gradgen
from tests.fuzz.program import imported
from tests.rules.checker import shaped
from tests.rules.test_second_order import LINES, label
from tests.rules.untold import examined

# what asks for a rank or a length, and is refused with the fact to give
REFUSED = (
    "gradient(",
    "linspace(",
    "hsplit(",
    "unstack(",
    "nonzero(",
    "where(",
    "rollaxis(",
    "multi_dot(",
    "trapezoid(",
    "multivariate_normal",
    "einsum('i...i",
    "constant_values=",
    "average(x, axis=",
)
# each function whose rule has a form for any rank, at arrays of several
GENERAL = [
    shaped("np.tensordot(x, y, 1)", "n d", "d"),
    shaped("np.tensordot(x, y, 2)", "b n d", "n d"),
    shaped("np.tensordot(x, y, ([0, -1], [1, 0]))", "n b d", "d n m"),
    shaped("np.tensordot(x, y, 0)", "n", "d m"),
    shaped("np.kron(x, y)", "n d", "m"),
    shaped("np.kron(x, y)", "b", "n d m"),
    shaped("np.kron(x, y)", "n d", "m b"),
    shaped("np.cross(x, y)", "3", "n 3"),
    shaped("np.cross(x, y)", "n 3", "3"),
    shaped("np.cross(x, y, axis=0)", "3 n", "3 n"),
    shaped("np.tile(x, (2, 1, 3))", "n d"),
    shaped("np.tile(x, 3)", "n d"),
    shaped("np.tile(x, (2, 3))", "d"),
    shaped("np.repeat(x, 2, axis=-2)", "b n d"),
    shaped("np.repeat(x, [1, 0, 2])", "n"),
    shaped("np.pad(x, ((0, 1), (2, 0)))", "n d"),
    shaped("np.pad(x, 2, mode='reflect')", "n d"),
    shaped("np.pad(x, (1, 2), mode='edge')", "d"),
    shaped("np.trace(x, 1, 0, 2)", "n b d"),
    shaped("np.trace(x, -1)", "n d"),
    shaped("np.diag(x, -1)", "n"),
    shaped("np.diag(x, 1)", "n d"),
    shaped("np.diagonal(x, 1, 2, 0)", "b n d"),
    shaped("np.hstack([x, y])", "n", "d"),
    shaped("np.hstack([x, y])", "n d", "n m"),
    shaped("np.vstack([x, y])", "d", "n d"),
    shaped("np.dstack([x, y])", "n d", "n d"),
    shaped("np.column_stack([x, y])", "n", "n d"),
    shaped("np.block([[x, y], [y, x]])", "n n", "n n"),
    shaped("np.block([x, 1.0, y])", "n", "d"),
    shaped("np.delete(x, [0, 2])", "n d"),
    shaped("np.delete(x, -1, axis=1)", "n d"),
    shaped("np.insert(x, 1, y, axis=0)", "n d", "d"),
    shaped("np.insert(x, [0, 2], y)", "n d", ""),
    shaped("np.insert(x, -1, 0)", "n d"),
    shaped("np.compress(np.ravel(y) > 0, x)", "n d", "n d"),
    shaped("np.diff(x, n=4, axis=0)", "m n"),
    shaped("np.diff(x, prepend=y, append=x, axis=-1)", "n d", ""),
    shaped("np.linalg.norm(x, 1)", "n d"),
    shaped("np.linalg.norm(x, 1)", "d"),
    shaped("np.linalg.norm(x, np.inf)", "n d"),
    shaped("np.linalg.norm(x, -2)", "n d"),
    shaped("np.linalg.norm(x, 'nuc')", "n d"),
    shaped("np.linalg.norm(x, 3)", "d"),
    shaped("np.multiply.outer(x, y)", "n d", "m"),
    shaped("np.subtract.outer(x, y)", "n", "d m"),
    shaped("np.einsum('...i,...i->...', x, y)", "n d", "d"),
    shaped("np.einsum('...ij,j', x, y)", "b n d", "d"),
    shaped("np.einsum('i...->...', x)", "n d m"),
    shaped("np.linalg.solve(x + 4 * np.eye(x.shape[-1]), y)", "n n", "n"),
    shaped("np.linalg.solve(x + 4 * np.eye(x.shape[-1]), y)", "n n", "n d"),
    shaped("np.linalg.solve(x + 4 * np.eye(x.shape[-1]), y)", "b n n", "n"),
    shaped("np.cov(x)", "n d"),
    shaped("np.cov(x)", "d"),
    shaped("np.roll(x, (1, 2), axis=(0, 1))", "n d"),
]


@pytest.mark.parametrize("line", GENERAL, ids=label)
def test_a_rule_has_a_form_for_any_rank(line):
    found = examined(line, gradgen, general=True)  # no rank is assumed
    assert [(one.sort, one.said) for one in found] == [("right", "")]


def check(line):
    for one in examined(line, gradgen):
        assert one.sort in ("right", "-", "assumed", "refused"), one.said
        if one.sort == "refused":
            assert any(word in line.text for word in REFUSED), one.said
            assert "GG302" in one.said or "GG401" in one.said


@pytest.mark.parametrize("line", LINES[5::24], ids=label)
def test_texts_alone(line):
    check(line)


@pytest.mark.long
@pytest.mark.parametrize("line", LINES, ids=label)
def test_all_texts_alone(line):
    check(line)


@pytest.mark.parametrize(
    "text, rank",
    [
        ("linalg.solve(x, y)", 2),
        ("np.linalg.tensorinv(x[:, :, None], 1)", 2),
        ("np.average(x, axis=0, weights=y)", 2),
    ],
)
def test_where_a_rule_needs_ranks_they_are_assumed_and_looked_at(text, rank):
    head = "import numpy as np\nfrom scipy import linalg\n\n\n"
    function = imported(f"{head}def f(x, y):\n    return np.sum({text})\n", "f")
    made = gradgen.emit(function)
    assert f"np.ndim(x) != {rank}" in made and "taken for" in made
    with pytest.raises(gradgen.GradgenError, match="GG302"):
        gradgen.emit(function, general=True)


def test_vectors_of_two_are_no_vectors_of_three():
    source = "import numpy as np\n\n\ndef f(x, y):\n    return np.sum(np.cross(x, y))\n"
    names = {}
    exec(gradgen.emit(imported(source, "f")), names)
    with pytest.raises(ValueError, match="of three"):
        names["grad_f"](np.ones((3, 2)), np.ones((3, 2)))
