"""The price of an option on a tree."""

import numpy as np


def binomial_option(spot, strike, rate, sigma, maturity, steps):
    """Price of an American put on a binomial tree."""
    dt = maturity / steps
    up = np.exp(sigma * np.sqrt(dt))
    p = (np.exp(rate * dt) - 1 / up) / (up - 1 / up)
    discount = np.exp(-rate * dt)
    values = np.maximum(strike - spot * up ** np.arange(-steps, steps + 1, 2), 0)
    for step in range(steps - 1, -1, -1):
        hold = discount * (p * values[1 : step + 2] + (1 - p) * values[: step + 1])
        exercise = strike - spot * up ** np.arange(-step, step + 1, 2)
        values[: step + 1] = np.maximum(hold, exercise)
    return values[0]
