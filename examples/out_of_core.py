"""The gradient of logistic regression on data that no worker's memory holds.

    python examples/out_of_core.py [--megabytes 1600] [--limit 400]

The committed gradient, generated/logistic_regression.py, is called with dask arrays: it
imports NumPy alone, builds a graph, and two worker processes run it chunk by chunk, each
with a limit of memory. Needs dask[array,distributed].
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from generated.logistic_regression import grad_logistic_regression

FEATURES = 32
ROWS = 50_000  # of one chunk: 12.8 MB


def dataset(megabytes: int):
    """Random X (n, 32) of this size in chunks of rows, and the labels y (n)."""
    import dask.array

    rows = megabytes * 10**6 // (8 * FEATURES)
    rng = dask.array.random.default_rng(0)
    X = rng.normal(size=(rows, FEATURES), chunks=(ROWS, FEATURES))
    direction = np.linspace(-1, 1, FEATURES)
    return X, (X @ direction > 0).astype(X.dtype)


def peak() -> int:
    """The largest memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measured(megabytes: int, limit: int) -> dict:
    """The gradients in w and b at a point, and what computing them took.

    `limit` is the memory of each of two workers in MB: one that has more is ended.
    """
    import dask
    from dask.distributed import Client, LocalCluster

    w, b = np.full(FEATURES, 0.1), np.float64(0.2)
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            memory_limit=f"{limit}MB",
            dashboard_address=None,
        ) as cluster,
        Client(cluster) as client,
    ):
        X, y = dataset(megabytes)
        before = time.perf_counter()
        lazy = grad_logistic_regression(w, b, X, y)
        d_w, d_b = dask.compute(*lazy)
        return {
            "dataset": X.nbytes,
            "peaks": sorted(client.run(peak).values()),
            "seconds": time.perf_counter() - before,
            "d_w": d_w,
            "d_b": d_b,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=1600, help="the size of X")
    parser.add_argument("--limit", type=int, default=400, help="MB for each worker")
    options = parser.parse_args()
    found = measured(options.megabytes, options.limit)
    peaks = ", ".join(f"{peak / 1e6:.0f}" for peak in found["peaks"])
    print(
        f"X: {found['dataset'] / 1e6:.0f} MB; each worker may have {options.limit} MB"
    )
    print(f"peaks of the workers: {peaks} MB; {found['seconds']:.1f} s")
    print("d_w[:4]:", found["d_w"][:4], " d_b:", found["d_b"])


if __name__ == "__main__":
    main()
