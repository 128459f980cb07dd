"""Twenty functions whose gradients were written by hand, as targets."""

import numpy as np


def huber_loss(pred, target, delta=1.0):
    error = pred - target
    size = np.abs(error)
    quadratic = 0.5 * error**2
    linear = delta * (size - 0.5 * delta)
    return np.mean(np.where(size <= delta, quadratic, linear))


def pinball_loss(pred, y, q):
    error = y - pred
    return np.mean(np.maximum(q * error, (q - 1) * error))


def triplet_loss(anchor, positive, negative, margin=1.0):
    near = np.sum((anchor - positive) ** 2, axis=1)
    far = np.sum((anchor - negative) ** 2, axis=1)
    return np.mean(np.maximum(near - far + margin, 0))


def softmax_cross_entropy(logits, labels):
    shift = np.max(logits, axis=1, keepdims=True)
    exps = np.exp(logits - shift)
    total = np.sum(exps, axis=1)
    chosen = logits[np.arange(len(logits)), labels]
    loss = np.mean(np.log(total) + shift[:, 0] - chosen)
    return loss


def ridge_loss(w, X, y, penalty):
    residual = X @ w - y
    loss = np.mean(residual**2) + penalty * (w @ w)
    return loss


def batch_norm(x, gamma, beta, eps=1e-5):
    mean = np.mean(x, axis=0)
    centred = x - mean
    std = np.sqrt(np.mean(centred**2, axis=0) + eps)
    normed = centred / std
    return gamma * normed + beta


def group_norm(x, gamma, eps=1e-5):
    # x has the axes row, group and channel
    centred = x - np.mean(x, axis=2, keepdims=True)
    var = np.mean(centred**2, axis=2, keepdims=True)
    inv = 1 / np.sqrt(var + eps)
    return gamma * (centred * inv)


def masked_attention(Q, K, V, mask):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    scores = np.where(mask, scores, -1e9)
    weights = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    probs = weights / np.sum(weights, axis=1, keepdims=True)
    return probs @ V


def conv1d(x, w):
    n = len(x) - len(w) + 1
    out = np.zeros(n)
    for k in range(len(w)):
        out += w[k] * x[k : k + n]
    return out


def low_pass(x, a):
    y = np.zeros(len(x))
    y[0] = x[0]
    for t in range(1, len(x)):
        y[t] = a * y[t - 1] + (1 - a) * x[t]
    return np.sum(y**2)


def wave_steps(u, previous, c, steps):
    for step in range(steps):
        laplace = np.roll(u, 1) - 2 * u + np.roll(u, -1)
        u, previous = 2 * u - previous + c * laplace, u
    return np.sum(u**2)


def total_variation(image, eps=1e-6):
    dx = image[1:, :-1] - image[:-1, :-1]
    dy = image[:-1, 1:] - image[:-1, :-1]
    return np.sum(np.sqrt(dx**2 + dy**2 + eps))


def gated_recurrence(W, U, x, h):
    for t in range(len(x)):
        gate = 1 / (1 + np.exp(-(U @ h)))
        new = np.tanh(W @ h + x[t])
        h = gate * h + (1 - gate) * new
    return np.sum(h**2)


def gaussian_nll(x, mean, cov):
    L = np.linalg.cholesky(cov)
    z = np.linalg.solve(L, x - mean)
    return 0.5 * (z @ z) + np.sum(np.log(np.diag(L)))


def pair_potential(x, sigma, depth):
    energy = 0.0
    for i in range(len(x)):
        for j in range(i):
            gap = x[i] - x[j]
            s6 = (sigma**2 / (gap @ gap)) ** 3
            energy += 4 * depth * (s6**2 - s6)
    return energy


def rotate(q, v):
    w, x, y, z = q
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return R @ v


def hermite(t, knots, values, slopes):
    i = np.searchsorted(knots, t) - 1
    width = knots[i + 1] - knots[i]
    s = (t - knots[i]) / width
    start = (1 + 2 * s) * (1 - s) ** 2 * values[i]
    end = s**2 * (3 - 2 * s) * values[i + 1]
    bend = s * (1 - s) ** 2 * slopes[i] - s**2 * (1 - s) * slopes[i + 1]
    return np.sum(start + end + width * bend)


def kalman_step(x, P, F, H, Q, R, y):
    x = F @ x
    P = F @ P @ F.T + Q
    S = H @ P @ H.T + R
    innovation = y - H @ x
    weighted = np.linalg.solve(S, innovation)
    return 0.5 * (innovation @ weighted + np.linalg.slogdet(S)[1])


def mixture_loglik(x, log_weights, means, scales):
    z = (x[:, None] - means) / scales
    scores = log_weights - np.log(scales) - 0.5 * z**2
    shift = np.max(scores, axis=1)
    exps = np.exp(scores - shift[:, None])
    return np.sum(shift + np.log(np.sum(exps, axis=1)))


def rk4_decay(y, k, dt, steps):
    for step in range(steps):
        k1 = -k * y
        k2 = -k * (y + 0.5 * dt * k1)
        k3 = -k * (y + 0.5 * dt * k2)
        k4 = -k * (y + dt * k3)
        y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return np.sum(y**2)
