"""Links, robust norms, moments, measures, kernels (statsmodels)."""

import numpy as np

from tests.wild.survey import Survey

Z = np.array([-6.3, -1.7, -0.4, 0.2, 0.9, 2.6, 5.1])
SHARE = np.array([0.12, 0.37, 0.58, 0.83])
DATA = np.array([0.31, 1.27, -0.64, 2.18, 0.77, -1.36])
LINKS = (
    "Logit Power InversePower Sqrt InverseSquared Identity Log LogC Probit Cauchy "
    "CLogLog LogLog NegativeBinomial"
).split()
NORMS = (
    "LeastSquares HuberT RamsayE AndrewWave TrimmedMean Hampel TukeyBiweight "
    "TukeyQuartic StudentT"
).split()


def _made(name):
    return lambda module: getattr(module, name)()


SURVEYS = (
    Survey(
        "statsmodels",
        "statsmodels.genmod.families.links",
        dict(p=SHARE, z=SHARE * 1.5 - 0.4),
        exact={
            f"{name}.{method}": dict(z=SHARE + 0.2)
            for name in ("InversePower", "InverseSquared", "Power", "Sqrt")
            for method in ("inverse", "inverse_deriv", "inverse_deriv2")
        }
        | {
            f"{name}.{method}": dict(z=-SHARE - 0.2)
            for name in ("LogC", "NegativeBinomial")
            for method in ("inverse", "inverse_deriv", "inverse_deriv2")
        },
        objects={name: _made(name) for name in LINKS},
        functions=False,
    ),
    Survey(
        "statsmodels",
        "statsmodels.robust.norms",
        dict(z=Z),
        objects={name: _made(name) for name in NORMS},
        functions=False,
    ),
    Survey(
        "statsmodels",
        "statsmodels.stats.moment_helpers",
        dict(
            mc=[0.3, 1.2, 0.4, 3.9],
            mnc=[0.3, 1.2, 0.4, 3.9],
            kappa=[0.3, 1.2, 0.4, 3.9],
            args=(0.3, 1.2, 0.4, 3.9),
            cov=np.array([[1.4, 0.3], [0.3, 0.9]]),
            corr=np.array([[1.0, 0.3], [0.3, 1.0]]),
            std=np.array([0.8, 1.3]),
        ),
    ),
    Survey(
        "statsmodels",
        "statsmodels.tools.eval_measures",
        dict(
            x1=DATA,
            x2=DATA[::-1] * 0.8 + 0.1,
            y=DATA,
            y_hat=DATA[::-1] * 0.8 + 0.1,
            llf=-12.3,
            nobs=20,
            df_modelwc=3,
            sigma2=1.4,
        ),
    ),
    Survey("statsmodels", "statsmodels.stats.stattools", dict(resids=DATA, y=DATA)),
    Survey(
        "statsmodels",
        "statsmodels.nonparametric.kernels_asymmetric",
        dict(x=0.43, sample=np.array([0.2, 0.5, 0.6, 0.9]), bw=0.1),
    ),
    Survey(
        "statsmodels",
        "statsmodels.tsa.filters.filtertools",
        dict(
            x=DATA,
            ar_coeff=np.array([0.5, -0.2]),
            filt=np.array([0.3, 0.4, 0.2]),
            in1=DATA,
            in2=DATA[:3],
            ar=np.array([1.0, -0.5]),
            ma=np.array([[1.0, 0.3]]).T,
        ),
    ),
)
