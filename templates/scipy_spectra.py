"""scipy.linalg.eigh, whose vectors have signs of their own, by the formulas of NumPy's."""

import numpy as np
from gradgen.rules import (
    as_column,
    as_row,
    beyond,
    count,
    d,
    dtype,
    general,
    nonzero,
    of_matrices,
    own_line,
    rank,
    reduced,
    refuse,
    shape,
    t,
    transposed,
    unused,
)
from scipy import linalg

module = "scipy.linalg"


@general
def eigh(z, a, b=None, *, lower=True, eigvals_only=False, check_finite=True):
    if eigvals_only:
        shape[z] = reduced(a, -1, False)
        if b is None:
            vectors = linalg.eigh(a, lower=beyond(lower, True))[1]
            t[z] = np.sum(vectors * (t[a] @ vectors), axis=-2)
        else:
            vectors = linalg.eigh(a, b, lower=beyond(lower, True))[1]
            change = np.sum(vectors * (t[b] @ vectors), axis=-2)
            t[z] = np.sum(vectors * (t[a] @ vectors), axis=-2) - z * change
            d[b] = -as_row(d[z] * z) * vectors @ transposed(vectors)
        d[a] = as_row(d[z]) * vectors @ transposed(vectors)
    elif b is not None:
        d[a] = refuse(d[z[1]], "eigenvectors of two matrices", "eigvals_only=True")
        d[b] = refuse(d[z[1]], "eigenvectors of two matrices", "eigvals_only=True")
    else:
        shape[z[0]] = reduced(a, -1, False)
        shape[z[1]] = of_matrices(a)
        turned = transposed(z[1]) @ t[a] @ z[1]
        t[z[0]] = np.diagonal(turned, axis1=-2, axis2=-1)
        if unused(d[z[1]]):
            d[a] = as_row(d[z[0]]) * z[1] @ transposed(z[1])
        else:
            if rank(a) == 2:
                skew = transposed(z[1]) @ d[z[1]] - transposed(d[z[1]]) @ z[1]
                size = np.maximum(-z[0][:1], z[0][-1:])
            else:
                inner = own_line(transposed(z[1]) @ d[z[1]])
                skew = inner - transposed(inner)
                size = np.maximum(-z[0][..., :1], z[0][..., -1:])[..., None]
            apart = as_row(z[0]) - as_column(z[0])
            far = own_line(np.abs(apart) > 10000 * np.spacing(size))
            if unused(d[z[0]]):
                turn = own_line(skew)
                flow = np.sum(np.abs(d[z[1]]), axis=-2)
                flows = as_row(flow) + as_column(flow)
                seen = own_line(np.abs(turn) > 64 * np.spacing(flows))
                gaps = own_line(np.where(seen, apart, np.inf))
                middle = 0.5 * turn / nonzero(gaps)
            else:
                counts = as_row(np.any(d[z[1]], axis=-2))
                told = far | (counts > np.eye(count(a, -1)))
                gaps = own_line(np.where(told, far * apart, np.inf))
                if rank(a) == 2:
                    middle = np.diag(d[z[0]]) + 0.5 * skew / nonzero(gaps)
                else:
                    values = as_row(d[z[0]]) * np.eye(count(a, -1), dtype=dtype(a))
                    middle = values + 0.5 * skew / nonzero(gaps)
            d[a] = (
                z[1] @ middle @ transposed(z[1])
            )  # not finite at equal eigenvalues, but for functions of their space
            away = own_line(np.where(np.eye(count(a, -1)), np.inf, apart))
            known = own_line(np.where(np.abs(away) > 10000 * np.spacing(size), away, 0))
            t[z[1]] = z[1] @ (0.5 * (turned + transposed(turned)) / nonzero(known))
