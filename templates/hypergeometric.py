"""scipy.special: hypergeometric functions, in their last argument."""

from gradgen.rules import (
    d,
    elementwise,
    holomorphic,
    refuse,
)
from scipy import special

module = "scipy.special"


@elementwise
@holomorphic
def hyp0f1(z, v, z_):
    d[v] = refuse(d[z], "hyp0f1 in its first argument", "a v held constant")
    d[z_] = d[z] / v * special.hyp0f1(v + 1, z_)


@elementwise
@holomorphic
def hyp1f1(z, a, b, x):
    d[a] = refuse(d[z], "hyp1f1 in its first argument", "an a held constant")
    d[b] = refuse(d[z], "hyp1f1 in its second argument", "a b held constant")
    d[x] = d[z] * a / b * special.hyp1f1(a + 1, b + 1, x)


@elementwise
@holomorphic
def hyp2f1(z, a, b, c, z_):
    d[a] = refuse(d[z], "hyp2f1 in its first argument", "an a held constant")
    d[b] = refuse(d[z], "hyp2f1 in its second argument", "a b held constant")
    d[c] = refuse(d[z], "hyp2f1 in its third argument", "a c held constant")
    d[z_] = d[z] * a * b / c * special.hyp2f1(a + 1, b + 1, c + 1, z_)


@elementwise
def hyperu(z, a, b, x):
    d[a] = refuse(d[z], "hyperu in its first argument", "an a held constant")
    d[b] = refuse(d[z], "hyperu in its second argument", "a b held constant")
    d[x] = -d[z] * a * special.hyperu(a + 1, b + 1, x)
