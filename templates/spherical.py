"""scipy.special: functions of spheres, of whole degrees and orders.

Formulas: NIST Digital Library of Mathematical Functions (https://dlmf.nist.gov).
"""

import numpy as np
from gradgen.rules import (
    d,
    elementwise,
    general,
    holomorphic,
    integers,
    refuse,
    rows_of_slopes,
    shape,
    t,
    from_real,
    unbroadcast,
)
from scipy import special

module = "scipy.special"


@elementwise
@holomorphic
def spherical_jn(z, n, z_, derivative=False):
    d[n] = 0 * d[z]  # a whole number
    if derivative:
        # 10.51.2, finite at 0 as well
        below = n * special.spherical_jn(np.abs(n - 1), z_, derivative=True)
        above = (n + 1) * special.spherical_jn(n + 1, z_, derivative=True)
        d[z_] = d[z] * (below - above) / (2 * n + 1)
    else:
        d[z_] = d[z] * special.spherical_jn(n, z_, derivative=True)


@elementwise
@holomorphic
def spherical_yn(z, n, z_, derivative=False):
    d[n] = 0 * d[z]  # a whole number
    if derivative:
        bend = (n * (n + 1) / z_**2 - 1) * special.spherical_yn(n, z_)  # 10.47.1
        d[z_] = d[z] * (bend - 2 * z / z_)
    else:
        d[z_] = d[z] * special.spherical_yn(n, z_, derivative=True)


@elementwise
@holomorphic
def spherical_in(z, n, z_, derivative=False):
    d[n] = 0 * d[z]  # a whole number
    if derivative:
        # 10.51.5, finite at 0 as well
        below = n * special.spherical_in(np.abs(n - 1), z_, derivative=True)
        above = (n + 1) * special.spherical_in(n + 1, z_, derivative=True)
        d[z_] = d[z] * (below + above) / (2 * n + 1)
    else:
        d[z_] = d[z] * special.spherical_in(n, z_, derivative=True)


@elementwise
@holomorphic
def spherical_kn(z, n, z_, derivative=False):
    d[n] = 0 * d[z]  # a whole number
    if derivative:
        bend = (n * (n + 1) / z_**2 + 1) * special.spherical_kn(n, z_)  # 10.47.2
        d[z_] = d[z] * (bend - 2 * z / z_)
    else:
        d[z_] = d[z] * special.spherical_kn(n, z_, derivative=True)


@elementwise
@from_real
def sph_harm_y(z, n, m, theta, phi):
    d[n] = 0 * d[z]  # a whole number
    d[m] = 0 * d[z]  # a whole number
    # by the orders beside m, which is finite at the poles
    order = integers(m)
    above = special.sph_harm_y(n, order + 1, theta, phi)
    above = np.sqrt((n - order) * (n + order + 1)) * above
    below = special.sph_harm_y(n, order - 1, theta, phi)
    below = np.sqrt((n + order) * (n - order + 1)) * below
    turn = np.exp(1j * phi)
    side = np.where(np.sin(theta) < 0, -1, 1)  # it reads cos(theta) alone
    d[theta] = d[z] * side * ((above / turn - below * turn) / 2)
    d[phi] = 1j * m * d[z] * z  # 14.30.1


@general
def legendre_p(z, n, z_, *, diff_n=0):
    shape[z] = rows_of_slopes(n, n, z_, diff_n)
    if diff_n != 0:
        d[z_] = refuse(d[z], "legendre_p with diff_n=", "a call for the values alone")
    else:
        slope = special.legendre_p(n, z_, diff_n=1)[1]
        d[z_] = unbroadcast(d[z][0] * slope, z_)
        t[z] = (t[z_] * slope)[None]


@general
def assoc_legendre_p(z, n, m, z_, *, branch_cut=2, norm=False, diff_n=0):
    shape[z] = rows_of_slopes(n, m, z_, diff_n)
    if diff_n != 0:
        d[z_] = refuse(d[z], "assoc_legendre_p with diff_n=", "the values alone")
    else:
        slope = special.assoc_legendre_p(
            n, m, z_, branch_cut=branch_cut, norm=norm, diff_n=1
        )[1]
        d[z_] = unbroadcast(d[z][0] * slope, z_)
        t[z] = (t[z_] * slope)[None]
