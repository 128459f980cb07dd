"""check(text, *args): one expression's gradient, tangent and dtype against differences.

Shorter than the checker: one set of arguments, told by the call alone.
"""

from __future__ import annotations

import warnings

import numpy as np

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import SCIPY, imported

HEAD = f"import numpy as np\nfrom scipy import {', '.join(SCIPY)}\n\n\n"


def function_of(text: str, count: int):
    """np.sum(np.sin(text) * 1.3) as a function of x, y, w."""
    names = ", ".join("xyw"[:count])
    body = f"    return np.sum(np.sin({text}) * 1.3)\n"
    return imported(f"{HEAD}def f({names}):\n{body}", "f")


def check(text: str, *args, held: tuple[int, ...] = (), second: bool = False) -> None:
    """Values, shapes and dtypes in all arguments but those held; then forward mode."""
    f = function_of(text, len(args))
    wrt = tuple(k for k in range(len(args)) if k not in held)
    gradients = gradgen.grad(f, wrt=wrt)(*args)
    vectors = {k: 0.3 + 0.1 * np.cos(np.asarray(args[k])) for k in wrt}
    total = 0.0
    for k, g in zip(wrt, gradients, strict=True):
        want = numeric_gradient(f, args, k)
        assert np.shape(g) == np.shape(args[k])
        scale = np.max(np.abs(want.value), initial=0.0)
        np.testing.assert_allclose(g, want.value, rtol=0, atol=3e-6 * scale + 1e-9)
        total += np.sum(want.value * vectors[k])
    value, change = gradgen.jvp(f, wrt=wrt)(*args, *vectors.values())
    assert value == f(*args)
    np.testing.assert_allclose(change, total, rtol=3e-6, atol=1e-8)
    check_dtype(text, f, wrt, args)
    if second:
        check_second(f, wrt, args, vectors)


def check_dtype(text: str, f, wrt, args) -> None:
    """Where the function of float32 is float32, so is its gradient."""
    small = [np.float32(a) if np.ndim(a) == 0 else a.astype(np.float32) for a in args]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        value = f(*small)
    if value.dtype == np.float32:
        for g, k in zip(gradgen.grad(f, wrt=wrt)(*small), wrt, strict=True):
            assert np.asarray(g).dtype == np.float32, f"{text}: d_{'xyw'[k]}"


def check_second(f, wrt, args, vectors) -> None:
    """The Hessian times a vector against central differences of the gradient."""
    found = gradgen.hvp(f, wrt=wrt)(*args, *vectors.values())
    found = found if isinstance(found, tuple) else (found,)
    step, gradient = 1e-5, gradgen.grad(f, wrt=wrt)
    ends = []
    for sign in (1, -1):
        moved = list(args)
        for k, v in vectors.items():
            moved[k] = args[k] + sign * step * v
        ends.append(gradient(*moved))
    for h, ahead, behind in zip(found, *ends, strict=True):
        want = (ahead - behind) / (2 * step)
        np.testing.assert_allclose(h, want, rtol=1e-4, atol=1e-5)
