"""Functions of one argument that the kinds of arguments are tried with."""

import numpy as np


def entry(x):
    return x[0] * 0.5


def entries(x):
    return x[0] * 0.5 + x[1] * 0.25


def last_of_all(x):
    return x[-1] * x[0] * 1.5


def halves(x):
    return np.sum(np.asarray(x) * 0.5)


def weighted(x):
    return np.dot(x, x) * 0.3


def mean(x):
    return np.mean(x) * 0.7


def exponentials(x):
    return np.sum(np.exp(x))


def largest(x):
    return np.max(x) * 0.5


def norm(x):
    return np.linalg.norm(x) * 0.5


def running(x):
    return np.sum(np.cumsum(x) * 0.3)


def looped(x):
    total = 0.0
    for v in x:
        total = total + v * v * 0.5
    return total


def built_in_sum(x):
    return sum(x) * 0.25


def counted(x):
    total = 0.0
    for i in range(len(x)):
        total += np.sin(x[i]) / (i + 1)
    return total


def scaled(x):
    return x * 0.5


def doubled(x):
    y = 2 * x
    return y[0] * 0.5


def transposed(x):
    return np.sum(np.transpose(x) * x) * 0.25


def polynomial(x):
    return 0.5 * x**2 + x / 3


def chosen(x):
    return np.sum(np.where(np.asarray(x) > 1.3, np.multiply(x, 0.3), 0.1))


def nested(x):
    return x[0][1] * 0.5 + x[1][0] * x[0][0]


def columns(x):
    return np.sum(np.sum(x, axis=0) ** 2) * 0.1


def filled(x):
    y = np.zeros(3)
    y[0] = np.sum(x)
    y[1:] = 0.5
    return np.prod(y)


def flat(x):
    return np.sum(np.ravel(x)[:2] / 3)


FUNCTIONS = [value for value in dict(globals()).values() if hasattr(value, "__code__")]
