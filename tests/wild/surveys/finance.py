"""Money (numpy-financial, empyrical)."""

import numpy as np

from tests.wild.survey import Survey

RETURNS = np.array([0.012, -0.021, 0.034, 0.008, -0.013, 0.027, -0.005, 0.016])
MONEY = dict(
    rate=0.07, nper=12.0, pmt=-80.0, pv=900.0, fv=150.0, per=3.0, when="end"
) | dict(
    values=np.array([-100.0, 39.0, 59.0, 55.0, 20.0]),
    finance_rate=0.08,
    reinvest_rate=0.05,
)

SURVEYS = (
    Survey("numpy-financial", "numpy_financial._financial", MONEY),
    Survey(
        "empyrical-reloaded",
        "empyrical.stats",
        dict(
            returns=RETURNS,
            factor_returns=RETURNS[::-1] * 0.7 + 0.003,
            prices=100 * np.cumprod(1 + RETURNS),
            var_estimate=0.03,
            threshold=0.01,
            scale_param=0.02,
            shape_param=0.3,
            probability=0.05,
            total_n=100,
            exceedance_n=20,
            scale=0.02,
            shape=0.3,
            price_data=np.array([0.01, 0.03, 0.02]),
            params=np.array([0.02, 0.3]),
        ),
    ),
)
