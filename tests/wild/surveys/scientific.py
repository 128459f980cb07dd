"""Functions that SciPy itself writes in NumPy."""

import numpy as np

from tests.wild.survey import Survey

U = np.array([0.3, 1.2, 0.7, 2.1])
W = np.array([0.9, 0.4, 1.6, 1.3])
A = np.array([0.31, 1.27, 0.64, 2.18, 0.77, 1.36])
MATRIX = np.array([[0.3, 1.2, 0.7], [0.9, 0.4, 1.6]])

SURVEYS = (
    Survey(
        "scipy",
        "scipy.spatial.distance",
        dict(
            u=U,
            v=W,
            p=U,
            q=W,
            V=np.array([0.5, 0.8, 1.1, 0.6]),
            VI=np.diag([0.5, 0.8, 1.1, 0.6]) + 0.05,
            X=MATRIX,
            XA=MATRIX,
            XB=MATRIX[::-1] * 0.8 + 0.1,
            Y=np.array([0.3, 0.5, 0.9]),
            D=np.array([[0.0, 0.3], [0.3, 0.0]]),
        ),
    ),
    Survey(
        "scipy",
        "scipy.optimize._optimize",
        dict(x=U, p=W),
        apart={"is_finite_scalar": "it gives true or false"},
    ),
    Survey(
        "scipy",
        "scipy.signal._waveforms",
        dict(t=np.array([0.13, 0.42, 0.71]), f0=1.2, t1=1.0, f1=3.4, poly=U),
    ),
    Survey(
        "scipy",
        "scipy.special._basic",
        dict(x=A, v=2, z=A, n=3, N=A + 4, k=2, nt=2, m=2, q=0.7),
    ),
    Survey(
        "scipy",
        "scipy.stats._stats_py",
        dict(
            a=A,
            p=2,
            x=A,
            y=A[::-1] * 0.8 + 0.1,
            b=A[::-1] * 0.8 + 0.1,
            scores=A,
            compare=A[::-1] * 0.8,
            f_obs=A * 10,
            data1=A,
            data2=A[::-1] * 0.8 + 0.1,
            u_values=A,
            v_values=A * 0.8 + 0.1,
            popmean=0.9,
            mean1=0.4,
            std1=0.7,
            nobs1=12,
            mean2=0.6,
            std2=0.9,
            nobs2=15,
            per=30,
            score=0.8,
            proportiontocut=0.2,
            pvalues=np.array([0.1, 0.4, 0.02]),
            sample=A,
            rankvals=A,
        ),
    ),
    Survey(
        "scipy",
        "scipy.stats._morestats",
        dict(lmb=0.4, data=A, x=A, y=A[::-1] * 0.8 + 0.1, samples=A, ps=A / 10),
    ),
)
