"""Line shapes (lmfit), membership functions (scikit-fuzzy), test functions (opfunu)."""

import numpy as np

from tests.wild.survey import Survey

X = np.array([-1.3, -0.4, 0.15, 0.62, 1.7])
POSITIVE = {"x": np.array([0.3, 0.9, 1.4, 2.2])}
POINT = {"x": np.array([0.31, -0.74])}
LINES = dict(
    x=X,
    y=X * 0.7 + 0.1,
    value=0.8,
    amplitude=1.3,
    center=0.2,
    sigma=0.7,
    sigma_r=0.9,
    centerx=0.1,
    centery=-0.2,
    sigmax=0.8,
    sigmay=1.1,
    fraction=0.4,
    expon=1.6,
    skew=0.3,
    q=0.8,
    beta=1.2,
    gamma=0.5,
    frequency=1.1,
    shift=0.2,
    decay=0.3,
    kt=0.9,
    center1=-0.4,
    sigma1=0.6,
    center2=0.9,
    sigma2=0.5,
    slope=1.2,
    intercept=0.3,
    exponent=1.4,
    a=0.4,
    b=0.7,
    c=0.2,
)

MEMBERSHIP = dict(
    x=np.array([0.7, 1.6, 2.9, 4.4, 6.3]),
    mean=3.1,
    sigma=0.9,
    mean1=2.1,
    sigma1=0.8,
    mean2=3.9,
    sigma2=0.7,
    a=1.2,
    b=2.4,
    c=4.6,
    d=5.9,
    b1=1.3,
    c1=0.8,
    b2=2.6,
    c2=1.1,
    wx=X,
    abc=np.array([1.1, 2.6, 5.2]),
    efg=np.array([0.3, 1.2, 0.4]),
    abcd=np.array([1.1, 2.6, 4.2, 5.8]),
)

FUNCTIONS = (
    "Ackley01 Ackley02 Ackley03 Adjiman Alpine01 Alpine02 AMGM".split(),
    "BartelsConn Beale BiggsExp02 BiggsExp03 Bird Bohachevsky1 Booth BoxBetts".split(),
)


def _function(name):
    return lambda module: getattr(module, name)()


SURVEYS = (
    Survey(
        "lmfit",
        "lmfit.lineshapes",
        LINES,
        exact={"lognormal": POSITIVE, "powerlaw": POSITIVE, "bose": POSITIVE},
        optional=True,
    ),
    Survey(
        "scikit-fuzzy",
        "skfuzzy.membership.generatemf",
        MEMBERSHIP,
        exact={"pimf": dict(a=1.2, b=2.4, c=4.0, d=5.9)},
    ),
    *(
        Survey(
            "opfunu",
            f"opfunu.name_based.{letter}_func",
            POINT,
            objects={name: _function(name) for name in names},
            functions=False,
        )
        for letter, names in zip("ab", FUNCTIONS)
    ),
)
