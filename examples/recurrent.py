"""Recurrent networks: the loss of the last state after a pass over a sequence."""

import numpy as np


def rnn_loss(Wx, Wh, b, X, target):
    """Squared error of the last state of a tanh network that read the rows of X."""
    h = np.zeros(Wh.shape[0])
    for t in range(X.shape[0]):
        h = np.tanh(X[t] @ Wx + h @ Wh + b)
    loss = 0.5 * np.sum((h - target) ** 2)
    return loss


def sigmoid(z):
    """1 / (1 + exp(-z)), written with tanh: no overflow at either end."""
    return 0.5 * (1 + np.tanh(0.5 * z))


def lstm_loss(Wx, Wh, b, X, target):
    """Squared error of the last state of an LSTM that read the rows of X.

    Wx (n, 4 m), Wh (m, 4 m) and b (4 m) hold input, forget, output and cell gate.
    """
    m = Wh.shape[0]
    h = np.zeros(m)
    c = np.zeros(m)
    for t in range(X.shape[0]):
        gates = (X[t] @ Wx + h @ Wh + b).reshape(4, m)
        i = sigmoid(gates[0])
        f = sigmoid(gates[1])
        o = sigmoid(gates[2])
        g = np.tanh(gates[3])
        c = f * c + i * g
        h = o * np.tanh(c)
    loss = 0.5 * np.sum((h - target) ** 2)
    return loss
