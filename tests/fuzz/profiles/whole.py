"""Texts whose seed is a Python int, beside arguments that are whole numbers as well.

What flows back through products of such alone is whole, and must not be rounded where
an entry of x is added to it. Terms that read x as a whole by whole factors, and terms
that read entries and parts of it, in the open, in arms and in rounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np

from gradgen.verify.finite import numeric_gradient
from tests.fuzz.called import Called, called
from tests.fuzz.judge import Fault, Verdict, noted
from tests.fuzz.profiles.assumed import RAISED
from tests.fuzz.program import imported

PROGRAMS = 12
REFUSED_AT_MOST = 0.05
WHOLES = [
    "np.sum(v * x)",
    "v @ x",
    "k * np.sum(x)",
    "np.sum(k * v * x)",
    "np.sum(x[::-1] * v)",
    "np.sum((v * x).reshape(2, 3))",
    "np.sum(np.where(kept, x, 0))",
    "np.sum(np.cumsum(x) * v)",
    "np.sum(np.outer(v, x))",
    "np.sum(np.stack([x, x]) * v)",
    "np.sum(x - v)",
    "np.sum(np.roll(x, 1) * v)",
    "np.sum(x * kept)",
    "np.dot(x, v) * k",
    "np.sum(np.tile(x, 2))",
]
PARTS = [
    "x[1] ** 2",
    "np.sum(x[1:] ** 2)",
    "x[0] * x[-1]",
    "np.sum(np.sin(x[::2]))",
    "np.sum(x[kept] ** 3)",
    "np.sum(x[[0, 2, 0]] ** 2)",
    "np.sum(x[i] * w[1])",
    "w[2] * x[3] / 3",
    "np.max(x)",
    "np.sum(np.diff(x) ** 2)",
]
FORMS = [
    "out = {a} + {b}",
    "out = {b} + {a}",
    "out = {a}\n    if k > 1:\n        out = out + {b}",
    "out = {a}\n    t = 0.0\n    if k > 1:\n        t = {b}\n    out = out + t",
    "out = {a}\n    for i in range(3):\n        out = out + {b}",
    "out = 0.0\n    for i in range(3):\n        out = out + {a}\n    out = out + {b}",
    "y = v * x\n    y[1] = x[2] ** 2\n    out = np.sum(y * x) + {b}",
    "y = x.copy()\n    y[i] *= 0.5 * x[0]\n    out = np.sum(y * v) + {b}",
    "out = {a} * k + {b} + {c}",
    "y = [x * v, x * k]\n    out = np.sum(y[0]) + y[1][2] ** 2 + {b}",
    "out = v * x\n    out = out * k + {b}",
    "out = x.copy()\n    for j in range(1, 6):\n        out[j] += 0.3 * out[j - 1]",
    "out = np.sort(x)\n    out[0] *= w[1]",
    "out = x[::-1] * 1\n    out[kept] = {b}",
    "out = np.cumsum(x)\n    out[i:] /= 3\n    out[i] += {b}",
]
SEEDS = (1, 2, np.int64(1), np.int32(3))


def program(seed: int) -> str:
    """A module of one function, whose result is a number or a vector."""
    rng = Random(f"whole {seed}")
    form = rng.choice(FORMS)
    parts = rng.sample(PARTS, 2)
    body = form.format(a=rng.choice(WHOLES), b=parts[0], c=parts[1])
    lines = ["import numpy as np", "def f(x, v, w, kept, k, i=1):", f"    {body}"]
    return "\n".join([*lines, "    return out"]) + "\n"


def verdicts(seed: int, engine) -> Iterator[tuple[Called, Verdict]]:
    text = program(seed)
    function = imported(text.replace("\n", "\n\n\n", 1), "f")
    rng = np.random.default_rng([seed, 60])
    kept = np.array([True, False, True, True, False, True])
    args = (rng.uniform(0.3, 1.3, 6), rng.integers(1, 5, 6), rng.uniform(0.3, 1.3, 6))
    args += (kept, 3)
    shape = np.shape(function(*args))
    given = SEEDS[seed % len(SEEDS)]
    given = np.full(shape, given) if shape else given
    want = numeric_gradient(function, list(args), 0, np.asarray(given, float)).value
    floats = (args[0], args[1].astype(float), *args[2:])
    ways = {"none": {}, "example": {"example": args}, "floats": {"example": floats}}
    ways["shapes"] = {
        "shapes": {"x": "n", "v": "n", "w": "n", "kept": "n:bool", "k": ""}
    }
    for level, told in ways.items():
        request, verdict = replace(called(text, seed, "x"), level=level), Verdict()
        with noted(verdict), np.errstate(all="ignore"):
            verdict.text = engine.emit(function, "x", **told)
            names: dict = {}
            exec(verdict.text, names)
            try:
                got = names["grad_f"](*args, **{_seed(names["grad_f"]): given})
            except ValueError as error:
                if not any(word in str(error) for word in RAISED):
                    raise
                verdict.refusal = str(error)
                yield request, verdict
                continue
            if np.asarray(got).dtype.kind != "f" or not np.allclose(got, want, 1e-6):
                detail = f"{got} for {want}, the seed {given!r}"
                verdict.faults.append(Fault("wrong gradient", detail))
        yield request, verdict


def _seed(gradient) -> str:
    names = gradient.__code__.co_varnames[: gradient.__code__.co_argcount]
    return names[-1]
