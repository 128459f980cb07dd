"""scipy.special: orthogonal polynomials of a degree, evaluated.

Formulas: NIST Digital Library of Mathematical Functions (https://dlmf.nist.gov), 18.9.
"""

import numpy as np
from gradgen.rules import d, elementwise, refuse
from scipy import special

module = "scipy.special"


@elementwise
def eval_jacobi(z, n, alpha, beta, x):
    d[n] = refuse(d[z], "eval_jacobi in its degree", "an n held constant")
    d[alpha] = refuse(d[z], "eval_jacobi in alpha", "an alpha held constant")
    d[beta] = refuse(d[z], "eval_jacobi in beta", "a beta held constant")
    lower = special.eval_jacobi(n - 1, alpha + 1, beta + 1, x)
    d[x] = np.where(n == 0, 0, d[z] * (n + alpha + beta + 1) / 2 * lower)


@elementwise
def eval_gegenbauer(z, n, alpha, x):
    d[n] = refuse(d[z], "eval_gegenbauer in its degree", "an n held constant")
    d[alpha] = refuse(d[z], "eval_gegenbauer in alpha", "an alpha held constant")
    lower = special.eval_gegenbauer(n - 1, alpha + 1, x)
    d[x] = np.where(n == 0, 0, 2 * d[z] * alpha * lower)


@elementwise
def eval_legendre(z, n, x):
    d[n] = refuse(d[z], "eval_legendre in its degree", "an n held constant")
    lower = special.eval_jacobi(n - 1, 1, 1, x)
    d[x] = np.where(n == 0, 0, d[z] * (n + 1) / 2 * lower)


@elementwise
def eval_chebyt(z, n, x):
    d[n] = refuse(d[z], "eval_chebyt in its degree", "an n held constant")
    d[x] = np.where(n == 0, 0, d[z] * n * special.eval_chebyu(n - 1, x))


@elementwise
def eval_chebyu(z, n, x):
    d[n] = refuse(d[z], "eval_chebyu in its degree", "an n held constant")
    d[x] = np.where(n == 0, 0, 2 * d[z] * special.eval_gegenbauer(n - 1, 2, x))


@elementwise
def eval_genlaguerre(z, n, alpha, x):
    d[n] = refuse(d[z], "eval_genlaguerre in its degree", "an n held constant")
    d[alpha] = refuse(d[z], "eval_genlaguerre in alpha", "an alpha held constant")
    lower = special.eval_genlaguerre(n - 1, alpha + 1, x)
    d[x] = np.where(n == 0, 0, -d[z] * lower)


@elementwise
def eval_laguerre(z, n, x):
    d[n] = refuse(d[z], "eval_laguerre in its degree", "an n held constant")
    d[x] = np.where(n == 0, 0, -d[z] * special.eval_genlaguerre(n - 1, 1, x))


@elementwise
def eval_hermite(z, n, x):
    d[n] = refuse(d[z], "eval_hermite in its degree", "an n held constant")
    d[x] = np.where(n == 0, 0, 2 * d[z] * n * special.eval_hermite(integers(n) - 1, x))


@elementwise
def eval_hermitenorm(z, n, x):
    d[n] = refuse(d[z], "eval_hermitenorm in its degree", "an n held constant")
    d[x] = np.where(n == 0, 0, d[z] * n * special.eval_hermitenorm(integers(n) - 1, x))
