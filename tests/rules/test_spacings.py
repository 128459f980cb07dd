"""np.ediff1d, logspace, divmod, running extremes, places of triangles."""

import numpy as np
import pytest

import gradgen
from tests.rules.beside import check

X = np.array([[0.3, 0.7, 1.2], [2.1, 1.4, 0.9], [0.2, 0.5, 1.7]])
U = np.array([0.4, 0.8, 1.1, 0.2])
LINES = [
    ("np.logspace(x, y, 5)", 0.3, 0.9),
    ("np.logspace(x, y, num=5, endpoint=False, base=2.0)", 0.3, 0.9),
    ("np.geomspace(x, y, 5)", 0.3, 0.9),
    ("np.geomspace(x, y, num=4, endpoint=False)", 0.3, 0.9),
    ("np.ediff1d(x)", X),
    ("np.ediff1d(x, to_end=y)", U, U[:2]),
    ("np.ediff1d(x, to_begin=y)", U, U[:2]),
    ("np.ediff1d(x, y, w)", U, U[:2], 0.7),
    ("np.ediff1d(x, to_begin=0.0)", U),
    ("np.divmod(x, y)[1]", X, np.array([0.37, 0.46, 0.53])),
    ("np.divmod(x, y)[1] * np.divmod(x, y)[0]", U, 0.23),
    ("np.maximum.accumulate(x)", U),
    ("np.minimum.accumulate(x, axis=1)", X),
    ("np.maximum.accumulate(x, axis=0)", X),
    ("np.fmax.accumulate(x)", U),
    ("np.fmin.accumulate(x, axis=1)", X),
    ("np.maximum.accumulate(x, axis=(0,))", X),
    ("np.fmin.accumulate(x, (-1,))", X),
    ("np.add.accumulate(x, axis=(1,))", X),
    ("np.multiply.accumulate(x, (0,))", X),
    ("np.spacing(x) + x", U),
    ("np.i0(x)", U),
    ("x[np.triu_indices(3)]", X),
    ("x[np.tril_indices(3, -1)]", X),
    ("x[np.triu_indices_from(x)]", X),
    ("x[np.diag_indices(3)]", X),
    ("x[np.diag_indices_from(x)] * 2", X),
    ("x[np.triu_indices(3, k=1)[0]]", X),
]


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[0])
def test_line(line):
    check(*line, second=True)


@pytest.mark.parametrize(
    "line",
    [
        ("np.logspace(x, 2.0, 4)", U),
        ("np.geomspace(1.0, x, 4)", U),
        ("np.logspace(0.0, 1.0, 4, base=x)", 2.5),
    ],
    ids=lambda line: line[0],
)
def test_refused(line):
    with pytest.raises(gradgen.GradgenError, match="GG30"):
        check(*line)
