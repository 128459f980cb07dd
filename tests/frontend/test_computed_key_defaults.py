"""options.get("k", default) with a default that is computed, where nothing tells of options."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def by_kind(U, info):
    kind = info.get("type", "wall")
    a, b = U
    if kind == "wall":
        return np.array([-a, b])
    elif kind == "inlet":
        return info.get("value", U)
    elif kind == "outlet":
        return 3 * info.get("value", U)
    return 2 * U


def in_an_arm(U, info):
    if info["type"] == "wall":
        return -U
    return U * info.get("value", np.sin(U))


def of_both(U, info):
    if info["type"] == "wall":
        return U * info.get("value", 2.0)
    elif info["type"] == "inlet":
        return U * info.get("value", 3.0)
    return U * info.get("value")


def helper(U, info):
    return _scaled(U, info) ** 2 + _scaled(2 * U, info)


def _scaled(x, options):
    return x * options.get("value", x)


def in_a_loop(U, info):
    x = U
    for _ in range(info.get("turns", 2)):
        x = np.sin(x) * info.get("value", x)
    return x


def read_behind(U, info):
    if info["type"] == "wall":
        return U**2 * info.get("value", U)
    return U * info["value"]


def unpacked(U, info):
    sides = info.get("sides", (2.0, 3.0))
    a, b = sides
    return U * a + U**2 * b


U, VALUE = np.array([0.4, 1.3]), np.array([0.7, -0.2])
EVERY = [{"type": kind} for kind in ("wall", "inlet", "outlet", "none")]
EVERY += [one | {"value": VALUE} for one in EVERY]
CASES = [(f, one) for f in (by_kind, in_an_arm, helper, in_a_loop) for one in EVERY]
CASES += [(by_kind, {}), (in_a_loop, {}), (read_behind, EVERY[0])]
CASES += [(read_behind, one) for one in EVERY[4:]]
CASES += [(of_both, one) for one in (*EVERY[:2], *EVERY[4:])]
CASES += [(unpacked, {"sides": (0.5, 1.5)})]


@pytest.mark.parametrize("f, info", CASES)
def test_a_key_that_is_missing_is_what_stands_for_it(f, info):
    text = gradgen.emit(f, wrt="U")
    space = {}
    exec(text, space)
    seed = np.array([0.9, 1.7])
    found = space[f"grad_{f.__name__}"](U.copy(), dict(info), seed)
    want = numeric_gradient(lambda u: np.sum(seed * f(u, info)), (U.copy(),), 0).value
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


def test_a_gradient_in_such_a_key():
    def f(x, p):
        return np.sum(x**2 * p.get("w", x))

    text = gradgen.emit(f, example=(U, {"w": VALUE}), wrt="p")
    space = {}
    exec(text, space)
    found = space["grad_f"](U, {"w": VALUE})
    np.testing.assert_allclose(found["w"], U**2)
