"""scipy.special: nodes and weights of quadrature rules; zeros of Bessel functions."""

from gradgen.rules import creation, given, like, ranged, shape

module = "scipy.special"


@creation
@like(
    "roots_hermite",
    "roots_hermitenorm",
    "roots_laguerre",
    "roots_chebyt",
    "roots_chebyu",
    "roots_sh_legendre",
)
def roots_legendre(z, n):
    shape[z[0]] = ranged(n, None, None)
    shape[z[1]] = ranged(n, None, None)


@creation
@like("jnp_zeros", "yn_zeros", "ynp_zeros")
def jn_zeros(z, n, nt):
    shape[z] = given(nt)
