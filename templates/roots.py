"""scipy.special: the nodes and the weights of quadrature rules, of a number of points."""

from gradgen.rules import creation, like, ranged, shape

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
