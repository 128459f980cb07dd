"""Filters (filterpy) and economics' state space and integrals (quantecon)."""

import numpy as np

from tests.wild.survey import Survey

COVARIANCE = np.array([[1.4, 0.3], [0.3, 0.9]])
OTHER = np.array([[1.1, -0.2], [-0.2, 1.3]])
MEAN = np.array([0.3, -0.5])
STATE = dict(
    x=np.array([0.8, 0.1]),
    z=np.array([0.7]),
    P=COVARIANCE,
    H=np.array([[1.0, 0.4]]),
    R=np.array([[0.6]]),
    mean=MEAN,
    mu=MEAN,
    cov=COVARIANCE,
    var=0.8,
    mean1=0.4,
    var1=0.7,
    mean2=-0.3,
    var2=1.1,
    m1=MEAN,
    c1=COVARIANCE,
    m2=np.array([0.1, 0.9]),
    c2=OTHER,
    F=np.array([[0.0, 1.0], [-0.4, -0.2]]),
    G=np.array([[0.0], [1.0]]),
    dt=0.3,
    Q=np.eye(4),
    dim=2,
    block_size=2,
    S=np.diag([1.3, 0.7]),
    A=np.array([[0.3, 0.8], [1.2, -0.4], [0.5, 0.6]]),
    g=0.4,
    theta=0.6,
    n=3,
    xs=np.array([[0.3, 0.4], [0.5, -0.2]]),
    est_xs=np.array([[0.2, 0.6], [0.4, -0.1]]),
    ps=np.stack([COVARIANCE, OTHER]),
    x_range=(0.2, 0.9),
    order=2,
)
SCALAR = dict(x=0.8, mean=0.4, var=0.7)


def _kalman(module):
    made = module.KalmanFilter(dim_x=2, dim_z=1)
    made.x = np.array([0.8, 0.1])
    made.F = np.array([[1.0, 0.3], [0.0, 1.0]])
    made.H = np.array([[1.0, 0.4]])
    made.P = COVARIANCE
    made.R = np.array([[0.6]])
    return made


SURVEYS = (
    Survey(
        "filterpy",
        "filterpy.stats.stats",
        STATE,
        exact={
            "gaussian": SCALAR,
            "norm_cdf": dict(x_range=(0.2, 0.9), mu=0.1, var=0.8),
            "logpdf": dict(x=MEAN, mean=MEAN + 0.3, cov=COVARIANCE),
            "multivariate_gaussian": dict(x=MEAN + 0.3),
        },
        apart={"rand_student_t": "it draws"}
        | {
            f"plot_{name}": "it plots"
            for name in (
                "discrete_cdf gaussian_cdf gaussian_pdf gaussian 3d_covariance "
                "covariance_ellipse covariance"
            ).split()
        },
    ),
    Survey(
        "filterpy",
        "filterpy.common.discretization",
        STATE,
        exact={
            "Q_discrete_white_noise": dict(dim=2, dt=0.3, var=0.8),
            "Q_continuous_white_noise": dict(dim=2, dt=0.3, spectral_density=0.8),
        },
    ),
    Survey("filterpy", "filterpy.common.helpers", STATE),
    Survey("filterpy", "filterpy.gh.gh_filter", STATE),
    Survey(
        "filterpy",
        "filterpy.gh.gh_filter",
        dict(z=1.3, dddx=0.2, data=np.array([0.4, 0.9, 1.7])),
        objects={
            "GHFilter": lambda m: m.GHFilter(x=0.5, dx=0.2, dt=0.3, g=0.6, h=0.2),
            "GHKFilter": lambda m: m.GHKFilter(0.5, 0.2, 0.1, 0.3, 0.6, 0.2, 0.1),
        },
        functions=False,
    ),
    Survey(
        "filterpy",
        "filterpy.kalman.kalman_filter",
        dict(z=np.array([0.7]), x=np.array([0.8, 0.1])),
        objects={"KalmanFilter": _kalman},
        functions=False,
    ),
    Survey(
        "quantecon",
        "quantecon._lss",
        dict(x=np.array([[0.3], [0.4]]), beta=0.9, x_t=np.array([[0.3], [0.4]])),
        objects={
            "LinearStateSpace": lambda module: module.LinearStateSpace(
                np.array([[0.6, 0.1], [0.2, 0.3]]),
                np.array([[0.4], [0.2]]),
                np.array([[1.0, 0.5]]),
            )
        },
        functions=False,
    ),
    Survey(
        "quantecon",
        "quantecon.quad",
        dict(n=5, a=0.2, b=1.7, mu=0.3, sig2=0.8, x=1.4),
        exact={"qnwnorm": dict(n=5, mu=0.3, sig2=0.8), "qnwlogn": dict(n=5, mu=0.3)},
        optional=True,
    ),
)
