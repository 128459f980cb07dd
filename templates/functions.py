"""scipy.optimize: the Rosenbrock function.

Rosenbrock, An automatic method for finding the greatest or least value of a function,
The Computer Journal 3, 1960.
"""

import numpy as np
from gradgen.rules import d, general, rank, refuse, reduced, same, shape, t
from scipy import optimize

module = "scipy.optimize"


@general
def rosen(z, x):
    shape[z] = reduced(x, 0, False)
    if rank(x) == 1:
        d[x] = d[z] * optimize.rosen_der(x)
        t[z] = np.sum(optimize.rosen_der(x) * t[x])
    else:
        d[x] = refuse(d[z], "rosen of an array not known to be a vector", "a fact")


@general
def rosen_der(z, x):
    shape[z] = same(x)
    if rank(x) == 2 or rank(x) == 3:
        d[x] = refuse(d[z], "rosen_der of several points", "a point each")
    else:
        d[x] = optimize.rosen_hess_prod(x, d[z])
        t[z] = optimize.rosen_hess_prod(x, t[x])


@general
def rosen_hess_prod(z, x, p):
    shape[z] = same(x)
    d[p] = optimize.rosen_hess_prod(x, d[z])
    inner = 2400 * x * d[z] * p
    across = 400 * (d[z][:-1] * p[1:] + d[z][1:] * p[:-1])
    d[x][:-1] += inner[:-1] - across
    d[x][1:] += -400 * d[z][:-1] * p[:-1]
    moved = 2400 * x * p * t[x]
    own = np.concatenate([moved[:-1], np.zeros_like(moved[:1])])
    beside = 400 * t[x][:-1]
    ahead = -beside * p[1:] - 400 * t[x][1:] * p[:-1]
    behind = -beside * p[:-1]
    t[z] = (
        optimize.rosen_hess_prod(x, t[p])
        + own
        + np.concatenate([ahead, np.zeros_like(moved[:1])])
        + np.concatenate([np.zeros_like(moved[:1]), behind])
    )
