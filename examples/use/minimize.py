"""Logistic regression by scipy.optimize.minimize, with and without the gradient.

python -m examples.use.minimize
"""

import numpy as np
from scipy.optimize import minimize

from examples.use.models import logistic_loss
from generated.logistic_loss import value_and_grad_logistic_loss


def data(rows=200, features=20, seed=0):
    """Rows of normal numbers, and labels drawn from a logistic model of them."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, features))
    chance = 1 / (1 + np.exp(-X @ rng.standard_normal(features)))
    return X, (rng.random(rows) < chance).astype(float)


def fits(X, y):
    """What minimize returns with the emitted gradient, and with its own differences."""
    start = np.zeros(X.shape[1])
    exact = minimize(value_and_grad_logistic_loss, start, args=(X, y), jac=True)
    differences = minimize(logistic_loss, start, args=(X, y))
    return exact, differences


if __name__ == "__main__":
    exact, differences = fits(*data())
    print(f"with the gradient:  {exact.nfev} calls, loss {exact.fun:.6f}")
    print(f"by differences:    {differences.nfev} calls, loss {differences.fun:.6f}")
