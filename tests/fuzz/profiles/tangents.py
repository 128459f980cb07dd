"""Second derivatives of values that have names: s = np.sqrt(v); inv = 1 / s; e / total.

In forward mode tangents stand between the statements of the function. What is named is
bound again, before and behind what could read it, in loops as well. Gradients are
measured on the function, and jvp, hvp and hessian on gradients.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.called import Called, called
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.program import imported

PROGRAMS = 14
REFUSED_AT_MOST = 0.02
X = np.array([0.4, 0.9, 1.3])
T = np.array([1.0, 0.5, -1.0])
STEP = 1e-5
LINES = (
    "s = np.sqrt({a} @ {a} + 1.0)",
    "s = np.sqrt(np.var({a}) + 0.1)",
    "s = np.sqrt({a} ** 2 + 0.5)",
    "s = np.linalg.norm({a})",
    "s = np.sum(np.exp({a}))",
    "s = 1.0 + np.exp({a})",
    "inv = 1 / s",
    "inv = s ** -1.0",
    "q = {a} / s",
    "q = {a} * inv",
    "p = q ** 3",
    "p = np.tanh(q)",
    "e = np.exp(-np.abs({a}))",
    "e = np.exp({a} - np.max({a}))",
    "q = e / np.sum(e)",
    "q = e / (1 + e)",
    "x = np.sin({a}) * inv + x",
    "x = x * q",
    "x = {a} / s",
    "p = np.log(q ** 2 + 1) / s",
    "p = M @ {a}",
    "q = np.sum({a} * p) / s",
    "p = {a} ** 3 / s ** 3",
    "inv = inv * 0.5 + 1 / (s * s)",
    "e = np.maximum({a}, 0.2 * p)",
    "t = t + np.sum({a} * p) * 0.3",
    "y = (x - np.mean(x)) * inv",
    "y = ({a} / s) ** 2",
    "p = np.sin(x / s) ** 2 + (x / s) ** 3",
    "x = np.where(x > 0.7, {a} * inv, x / s)",
)
START = "inv, s, q, p, e, y, t = 1.0, 2.0, 0.5 * x, x * x, np.cos(x), x + 1.0, 0.0"
M = "M = np.array([[0.3, -0.7, 0.4], [0.9, 0.2, -0.5], [0.1, 0.8, 0.6]])\n"
ENDS = (
    "np.sum(x * inv) + t",
    "np.sum(q * p) / np.sum(s * s)",
    "np.sum(y * p + e * inv)",
)


def program(seed: int) -> str:
    """A function of three numbers with a finite result that is a number."""
    rng = Random(f"tangents {seed}")
    while True:
        body, indent = [START], ""
        for _ in range(rng.randint(2, 7)):
            if not indent and rng.random() < 0.2:
                body.append(f"for i in range({rng.choice((1, 2, 3))}):")
                indent = "    "
            line = rng.choice(LINES).replace("{a}", rng.choice("xxxqpye"))
            body.append(indent + line)
            if indent and rng.random() < 0.3:
                indent = ""
        body.append(f"return {rng.choice(ENDS)}")
        text = "\n    ".join(body)
        text = f"import numpy as np\n\n{M}\ndef f(x):\n    {text}\n"
        try:
            with np.errstate(all="raise"):
                value = imported(text, "f")(X)
            if np.ndim(value) == 0 and abs(value) < 1e3:
                return text
        except (FloatingPointError, ValueError, TypeError):
            continue  # another draw follows


def verdicts(seed: int, engine) -> Iterator[tuple[Called, Verdict]]:
    text = program(seed)
    yield called(text, seed, "x"), verdict(imported(text, "f"), engine)


def verdict(function, engine) -> Verdict:
    found = Verdict()
    try:
        gradient = engine.grad(function)
        want = numeric_gradient(function, [X], 0)
        if np.any(want.error > 1e-6 * (1 + np.abs(want.value))):
            return Verdict(measured=False)
        found.text = engine.emit(function, mode="forward", shapes={"x": "3"})
        check(found, "gradient", gradient(X), want.value)
        check(found, "jvp", engine.jvp(function)(X, T)[1], want.value @ T)
        moved = (gradient(X + STEP * T) - gradient(X - STEP * T)) / (2 * STEP)
        wider = (gradient(X + 3 * STEP * T) - gradient(X - 3 * STEP * T)) / (6 * STEP)
        if np.max(np.abs(moved - wider)) < 1e-5 * (1 + np.max(np.abs(moved))):
            check(found, "hvp", engine.hvp(function)(X, T), moved)
            check(found, "hessian", engine.hessian(function)(X) @ T, moved)
    except GradgenError as refusal:
        found.refusal = str(refusal)
    except Exception:
        found.faults.append(broken_off())
    return found


def check(found: Verdict, name: str, got, want) -> None:
    if not np.allclose(got, want, rtol=2e-5, atol=2e-6 * (1 + np.max(np.abs(want)))):
        found.faults.append(Fault("wrong", f"{name}: {got}, and not {want}"))
