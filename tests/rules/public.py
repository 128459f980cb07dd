"""Every public function of NumPy and SciPy, called as it is and differentiated untold.

`python -m tests.rules.public numpy scipy.special`: how many are right, refused, wrong. A
function is called with vectors, matrices and numbers; where NumPy takes them and gives
floats, its gradient in the first argument is held against differences.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

V = np.array([0.31, 0.72, 0.55, 0.18, 0.93])
M = np.random.default_rng(2).uniform(0.2, 0.9, (3, 3))
ARGUMENTS = ((V,), (M,), (0.37,), (V, V[::-1].copy()), (M, V[:3]), (M, M.T.copy()))
# what has no derivative to be measured: memory as it is, triangles of what is not
# symmetric (the symmetric one is meant), the constant 0 that std has of one number
NO_CASE = {"empty_like", "cholesky", "eigvalsh", "std", "ascontiguousarray"}
LARGE = 200


def functions(module: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The functions that a module offers, by name."""
    found = importlib.import_module(module)
    for name in sorted(getattr(found, "__all__", None) or dir(found)):
        one = getattr(found, name, None)
        if callable(one) and not inspect.isclass(one) and name[0] != "_":
            if name not in NO_CASE:
                yield name, one


def outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> str:
    """What comes of a gradient: "right", a code, what is wrong; "" where no case."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            value = function(*map(np.copy, args))
        except Exception:
            return ""
        if not isinstance(value, (np.ndarray, np.floating, float)):
            return ""
        value = np.asarray(value)
        if value.dtype.kind != "f" or value.size > LARGE:
            return ""
        if not np.all(np.isfinite(value)):
            return ""
        seed = np.cos(np.arange(value.size)).reshape(value.shape)
        seed = seed if value.ndim else 1.0
        try:
            found = gradgen.grad(function)(*args, seed=seed)
        except GradgenError as refusal:
            return refusal.problems[0].code if refusal.problems else refusal.code
        except TypeError as error:  # of a parameter that its rule has not: out=
            return "arguments" if "positional argument" in str(error) else repr(error)
        try:
            want = numeric_gradient(function, [np.copy(a)[()] for a in args], 0, seed)
        except Exception:  # at the sizes of these numbers alone
            return ""
    if np.shape(found) != want.value.shape:
        return f"wrong: shape {np.shape(found)}, not {want.value.shape}"
    size = max(1.0, float(np.max(np.abs(want.value), initial=0)))
    off = np.abs(found - want.value) > 1e-5 * size + 8 * want.error
    return f"wrong: {found}, not {want.value}" if np.any(off) else "right"


def main(modules: list[str]) -> int:
    """Prints what is wrong, and how many are right and refused."""
    counted: Counter[str] = Counter()
    for module in modules:
        for name, function in functions(module):
            for args in ARGUMENTS:
                found = outcome(function, args)
                counted[found.partition(":")[0] or "no case"] += 1
                if found.startswith("wrong"):
                    print(module, name, [np.shape(a) for a in args], found, flush=True)
    print(dict(counted.most_common()))
    return int(bool(counted["wrong"]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
