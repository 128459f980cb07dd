"""Likelihoods of sequences: a Kalman filter, a hidden Markov model."""

import numpy as np


def kalman_loglik(F, H, Q, R, x, P, Y):
    """Log-likelihood of the rows of Y, seen through H, under x -> F x with noise Q, R."""
    loglik = 0.0
    for y in Y:
        # Predict
        x = F @ x
        P = F @ P @ F.T + Q
        # Update
        innovation = y - H @ x
        S = H @ P @ H.T + R
        K = np.linalg.solve(S, H @ P).T
        x = x + K @ innovation
        P = P - K @ H @ P
        sign, logdet = np.linalg.slogdet(S)
        distance = innovation @ np.linalg.solve(S, innovation)
        loglik -= 0.5 * (distance + logdet + len(y) * np.log(2 * np.pi))
    return loglik


def hmm_forward(log_start, log_step, log_seen):
    """Log-probability of a sequence, summed over all paths through the states.

    log_seen (t, k) has the log-probability of each observation in each state.
    """
    alpha = log_start + log_seen[0]
    for t in range(1, len(log_seen)):
        scores = alpha[:, None] + log_step
        shift = np.max(scores, axis=0)
        alpha = shift + np.log(np.sum(np.exp(scores - shift), axis=0)) + log_seen[t]
    shift = np.max(alpha)
    return shift + np.log(np.sum(np.exp(alpha - shift)))
