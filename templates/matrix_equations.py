"""scipy.linalg: equations whose unknown is a matrix.

Where a @ z + z @ b = q, the adjoint s of q solves a.T @ s + s @ b.T = d[z], and what
flows back to a and b is -s @ z.T and -z.T @ s (Giles, An extended collection of matrix
derivative results for forward and reverse mode AD, 2008, and its like for a @ z @ a.T).
"""

import numpy as np
from gradgen.rules import d, general, like, rank, refuse, same, shape, t
from scipy import linalg

module = "scipy.linalg"


@general
def solve_sylvester(z, a, b, q):
    shape[z] = same(q)
    if rank(a) == 2 and rank(b) == 2 and rank(q) == 2:
        flow = linalg.solve_sylvester(a.T, b.T, d[z])
        d[a] = -flow @ z.T
        d[b] = -z.T @ flow
        d[q] = flow
        t[z] = linalg.solve_sylvester(a, b, t[q] - t[a] @ z - z @ t[b])
    else:
        d[a] = refuse(d[z], "solve_sylvester of unknown ranks", "shape facts")
        d[b] = refuse(d[z], "solve_sylvester of unknown ranks", "shape facts")
        d[q] = refuse(d[z], "solve_sylvester of unknown ranks", "shape facts")


@general
@like("solve_lyapunov")
def solve_continuous_lyapunov(z, a, q):
    shape[z] = same(q)
    if rank(a) == 2 and rank(q) == 2:
        flow = linalg.solve_continuous_lyapunov(a.T, d[z])
        d[a] = -flow @ z.T - flow.T @ z
        d[q] = flow
        moved = t[a] @ z + z @ t[a].T
        t[z] = linalg.solve_continuous_lyapunov(a, t[q] - moved)
    else:
        d[a] = refuse(d[z], "solve_continuous_lyapunov of unknown ranks", "shape facts")
        d[q] = refuse(d[z], "solve_continuous_lyapunov of unknown ranks", "shape facts")


@general
def solve_discrete_lyapunov(z, a, q):
    shape[z] = same(q)
    if rank(a) == 2 and rank(q) == 2:
        flow = linalg.solve_discrete_lyapunov(a.T, d[z])
        d[a] = flow @ a @ z.T + flow.T @ a @ z
        d[q] = flow
        moved = t[a] @ z @ a.T + a @ z @ t[a].T
        t[z] = linalg.solve_discrete_lyapunov(a, t[q] + moved)
    else:
        d[a] = refuse(d[z], "solve_discrete_lyapunov of unknown ranks", "shape facts")
        d[q] = refuse(d[z], "solve_discrete_lyapunov of unknown ranks", "shape facts")


@general
def sqrtm(z, A):
    shape[z] = same(A)
    if rank(A) == 2:
        root = _real_root(z)
        d[A] = linalg.solve_sylvester(root.T, root.T, d[z])
        t[z] = linalg.solve_sylvester(root, root, t[A])
    else:
        d[A] = refuse(d[z], "scipy.linalg.sqrtm of unknown rank", "a shape fact")
