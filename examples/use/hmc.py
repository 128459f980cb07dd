"""Hamiltonian Monte Carlo on an emitted log-density.

The leapfrog steps follow the gradient of the log-density; Neal, MCMC using Hamiltonian
dynamics (2011), section 5.2. The example's posterior is normal, so that its mean and
covariance are known.

python -m examples.use.hmc
"""

import numpy as np

from generated.log_posterior import value_and_grad_log_posterior


def data(rows=40, seed=0):
    """A linear model with three weights, and the size of its noise."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 3)) @ np.array([[1, 0.6, 0], [0, 1, 0], [0, 0, 1]])
    return X, X @ np.array([0.5, -1.0, 2.0]) + 0.7 * rng.standard_normal(rows), 0.7


def sample(log_density, start, count, warm=200, step=0.08, steps=18, seed=1):
    """`count` samples without the first `warm`, and which part was accepted.

    `log_density(w)` is the log-density with its gradient.
    """
    rng = np.random.default_rng(seed)
    w = np.array(start, float)
    value, slope = log_density(w)
    samples, accepted = [], 0
    for _ in range(count):
        speed = rng.standard_normal(w.shape)
        place, new, d = w, value, slope
        energy = value - 0.5 * speed @ speed
        for _ in range(steps):
            speed = speed + 0.5 * step * d
            place = place + step * speed
            new, d = log_density(place)
            speed = speed + 0.5 * step * d
        if np.log(rng.random()) < new - 0.5 * speed @ speed - energy:
            w, value, slope = place, new, d
            accepted += 1
        samples.append(w)
    return np.array(samples[warm:]), accepted / count


def posterior(X, y, noise):
    """The exact mean and covariance of the weights."""
    covariance = np.linalg.inv(X.T @ X / noise**2 + np.eye(X.shape[1]))
    return covariance @ X.T @ y / noise**2, covariance


if __name__ == "__main__":
    given = data()
    found, accepted = sample(
        lambda w: value_and_grad_log_posterior(w, *given), np.zeros(3), 2000
    )
    mean, covariance = posterior(*given)
    deviation = np.sqrt(np.diag(covariance))
    print("mean     ", found.mean(axis=0).round(3), "exact", mean.round(3))
    print("deviation", found.std(axis=0).round(3), "exact", deviation.round(3))
    print(f"accepted  {accepted:.3f}")
