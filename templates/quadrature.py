"""The nodes and the weights of quadrature rules, which an integer alone tells."""

from gradgen.rules import creation, named, ranged, shape


@creation
@named(
    "polynomial.legendre.leggauss",
    "polynomial.chebyshev.chebgauss",
    "polynomial.laguerre.laggauss",
    "polynomial.hermite.hermgauss",
    "polynomial.hermite_e.hermegauss",
)
def gauss(z, deg):
    shape[z[0]] = ranged(deg, None, None)
    shape[z[1]] = ranged(deg, None, None)
