"""scipy.spatial.distance: between vectors, and between the rows of matrices."""

import numpy as np
from gradgen.rules import (
    counted,
    d,
    dtype,
    general,
    innered,
    nonzero,
    rank,
    refuse,
    scalar,
    shape,
    squared_up,
    t,
)
from scipy import spatial

module = "scipy.spatial.distance"


@general
def euclidean(z, u, v, w=None):
    shape[z] = scalar(z)
    gap = u - v
    if w is None:
        flow = d[z] / nonzero(z) * gap
        t[z] = np.sum(gap * (t[u] - t[v])) / nonzero(z)
    else:
        flow = d[z] / nonzero(z) * w * gap
        d[w] = d[z] / (2 * nonzero(z)) * gap**2
        moved = w * gap * (t[u] - t[v]) + gap**2 * t[w] / 2
        t[z] = np.sum(moved) / nonzero(z)
    d[u] = flow
    d[v] = -flow


@general
def sqeuclidean(z, u, v, w=None):
    shape[z] = scalar(z)
    gap = u - v
    if w is None:
        flow = 2 * d[z] * gap
        t[z] = 2 * np.sum(gap * (t[u] - t[v]))
    else:
        flow = 2 * d[z] * w * gap
        d[w] = d[z] * gap**2
        t[z] = np.sum(2 * w * gap * (t[u] - t[v]) + gap**2 * t[w])
    d[u] = flow
    d[v] = -flow


@general
def cityblock(z, u, v, w=None):
    shape[z] = scalar(z)
    side = np.sign(u - v)  # 0 at 0
    if w is None:
        flow = d[z] * side
        t[z] = np.sum(side * (t[u] - t[v]))
    else:
        flow = d[z] * w * side
        d[w] = d[z] * np.abs(u - v)
        t[z] = np.sum(w * side * (t[u] - t[v]) + np.abs(u - v) * t[w])
    d[u] = flow
    d[v] = -flow


@general
def chebyshev(z, u, v, w=None):
    shape[z] = scalar(z)
    if w is not None:
        d[u] = refuse(d[z], "chebyshev with weights", "scaled arguments")
        d[v] = refuse(d[z], "chebyshev with weights", "scaled arguments")
    else:
        gap = u - v
        largest = np.abs(gap) == z
        ties = np.sum(largest, dtype=dtype(gap))
        side = np.where(largest, np.sign(gap), 0) / ties  # 1/k over k ties
        d[u] = d[z] * side
        d[v] = -d[z] * side
        t[z] = np.sum(side * (t[u] - t[v]))


@general
def minkowski(z, u, v, p=2, w=None):
    shape[z] = scalar(z)
    if w is not None:
        d[u] = refuse(d[z], "minkowski with weights", "scaled arguments")
        d[v] = refuse(d[z], "minkowski with weights", "scaled arguments")
    else:
        d[p] = refuse(d[z], "minkowski in its power p", "a p that is held constant")
        gap = u - v
        share = np.sign(gap) * (np.abs(gap) / nonzero(z)) ** (p - 1)
        d[u] = d[z] * share
        d[v] = -d[z] * share
        t[z] = np.sum(share * (t[u] - t[v]))


@general
def seuclidean(z, u, v, V):
    shape[z] = scalar(z)
    gap = (u - v) / V
    flow = d[z] / nonzero(z)
    d[u] = flow * gap
    d[v] = -flow * gap
    d[V] = -flow / 2 * gap**2
    t[z] = np.sum(gap * (t[u] - t[v]) - gap**2 * t[V] / 2) / nonzero(z)


@general
def mahalanobis(z, u, v, VI):
    shape[z] = scalar(z)
    gap = u - v
    slope = (VI @ gap + gap @ VI) / (2 * nonzero(z))
    d[u] = d[z] * slope
    d[v] = -d[z] * slope
    d[VI] = d[z] / (2 * nonzero(z)) * np.outer(gap, gap)
    moved = gap @ t[VI] @ gap / (2 * nonzero(z))
    t[z] = np.sum(slope * (t[u] - t[v])) + moved


@general
def cosine(z, u, v, w=None):
    shape[z] = scalar(z)
    if w is not None:
        d[u] = refuse(d[z], "cosine with weights", "scaled arguments")
        d[v] = refuse(d[z], "cosine with weights", "scaled arguments")
    else:
        left = np.sqrt(np.sum(u * u))
        right = np.sqrt(np.sum(v * v))
        slope_u = ((1 - z) * u / left - v / right) / left
        slope_v = ((1 - z) * v / right - u / left) / right
        d[u] = d[z] * slope_u
        d[v] = d[z] * slope_v
        t[z] = np.sum(slope_u * t[u]) + np.sum(slope_v * t[v])


@general
def correlation(z, u, v, w=None, centered=True):
    shape[z] = scalar(z)
    if w is not None or not centered:
        d[u] = refuse(d[z], "correlation with weights", "scaled arguments")
        d[v] = refuse(d[z], "correlation with weights", "scaled arguments")
    else:
        x = u - np.mean(u)
        y = v - np.mean(v)
        left = np.sqrt(np.sum(x * x))
        right = np.sqrt(np.sum(y * y))
        slope_u = ((1 - z) * x / left - y / right) / left
        slope_v = ((1 - z) * y / right - x / left) / right
        d[u] = d[z] * slope_u
        d[v] = d[z] * slope_v
        t[z] = np.sum(slope_u * t[u]) + np.sum(slope_v * t[v])


@general
def braycurtis(z, u, v, w=None):
    shape[z] = scalar(z)
    if w is not None:
        d[u] = refuse(d[z], "braycurtis with weights", "scaled arguments")
        d[v] = refuse(d[z], "braycurtis with weights", "scaled arguments")
    else:
        total = np.sum(np.abs(u + v))
        beside = z * np.sign(u + v)
        d[u] = d[z] * (np.sign(u - v) - beside) / total
        d[v] = -d[z] * (np.sign(u - v) + beside) / total
        moved = np.sign(u - v) * (t[u] - t[v]) - beside * (t[u] + t[v])
        t[z] = np.sum(moved) / total


@general
def canberra(z, u, v, w=None):
    shape[z] = scalar(z)
    if w is not None:
        d[u] = refuse(d[z], "canberra with weights", "scaled arguments")
        d[v] = refuse(d[z], "canberra with weights", "scaled arguments")
    else:
        total = nonzero(np.abs(u) + np.abs(v))
        share = np.abs(u - v) / total
        slope_u = (np.sign(u - v) - share * np.sign(u)) / total
        slope_v = -(np.sign(u - v) + share * np.sign(v)) / total
        d[u] = d[z] * slope_u
        d[v] = d[z] * slope_v
        t[z] = np.sum(slope_u * t[u] + slope_v * t[v])


@general
def cdist(z, XA, XB, metric="euclidean"):
    shape[z] = innered(XA, XB)
    if metric == "sqeuclidean":
        flow = 2 * d[z]
        d[XA] = np.sum(flow, axis=1, keepdims=True) * XA - flow @ XB
        d[XB] = np.sum(flow, axis=0)[:, None] * XB - flow.T @ XA
        own = np.sum(XA * t[XA], axis=1, keepdims=True) - t[XA] @ XB.T
        t[z] = 2 * (own + np.sum(XB * t[XB], axis=1) - XA @ t[XB].T)
    elif metric == "euclidean":
        flow = d[z] / nonzero(z)
        d[XA] = np.sum(flow, axis=1, keepdims=True) * XA - flow @ XB
        d[XB] = np.sum(flow, axis=0)[:, None] * XB - flow.T @ XA
        own = np.sum(XA * t[XA], axis=1, keepdims=True) - t[XA] @ XB.T
        t[z] = (own + np.sum(XB * t[XB], axis=1) - XA @ t[XB].T) / nonzero(z)
    elif metric == "cityblock":
        side = np.sign(XA[:, None] - XB)
        flow = d[z][..., None] * side
        d[XA] = np.sum(flow, axis=1)
        d[XB] = -np.sum(flow, axis=0)
        t[z] = np.sum(side * (t[XA][:, None] - t[XB]), axis=2)
    else:
        d[XA] = refuse(d[z], "cdist with this metric", 'metric="euclidean"')
        d[XB] = refuse(d[z], "cdist with this metric", 'metric="euclidean"')


@general
def pdist(z, X, metric="euclidean"):
    shape[z] = counted(z)
    if metric == "sqeuclidean":
        flow = 2 * spatial.distance.squareform(d[z])
        d[X] = np.sum(flow, axis=1, keepdims=True) * X - flow @ X
        moved = X @ t[X].T
        own = np.diagonal(moved)
        all_moved = own[:, None] + own - moved - moved.T
        t[z] = 2 * spatial.distance.squareform(all_moved, checks=False)
    elif metric == "euclidean":
        flow = spatial.distance.squareform(d[z] / nonzero(z))
        d[X] = np.sum(flow, axis=1, keepdims=True) * X - flow @ X
        moved = X @ t[X].T
        own = np.diagonal(moved)
        all_moved = own[:, None] + own - moved - moved.T
        t[z] = spatial.distance.squareform(all_moved, checks=False) / nonzero(z)
    else:
        d[X] = refuse(d[z], "pdist with this metric", 'metric="euclidean"')


@general
def squareform(z, X, force="no", checks=True):
    shape[z] = squared_up(X)
    if rank(X) == 1:
        d[X] = spatial.distance.squareform(d[z] + d[z].T, checks=False)
        t[z] = spatial.distance.squareform(t[X])
    elif rank(X) == 2:
        d[X] = np.triu(spatial.distance.squareform(d[z]))
        t[z] = spatial.distance.squareform(t[X], checks=False)
    else:
        d[X] = refuse(d[z], "squareform of an array of unknown rank", "a shape fact")
