"""inner(seed): a function that takes a derivative of a program where it runs.

The program is written above it; what the function returns is made of the program's
gradient, pullback, tangent or Hessian times a vector. At run time the library does
that in place, so that the whole can be measured by differences.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np

from tests.fuzz.imperative import Imperative, imperative
from tests.fuzz.program import SAMPLES, run

LINES_AT_MOST = 10
FORMS = {
    "grad": "    g = gradgen.grad({name}, wrt={wrt!r})({args})\n"
    "    return np.sum(g * g)\n",
    "value_and_grad": "    y, g = gradgen.value_and_grad({name}, wrt={wrt!r})({args})\n"
    "    return y * np.sum(np.tanh(g))\n",
    "vjp": "    y, pullback = gradgen.vjp({name}, wrt={wrt!r})({args})\n"
    "    return np.sum(pullback(np.tanh(y)) ** 2)\n",
    "jvp": "    y, dy = gradgen.jvp({name}, wrt={wrt!r})({args}, np.sin({wrt}))\n"
    "    return np.sum(y * dy)\n",
    "hvp": "    h = gradgen.hvp({name}, wrt={wrt!r})({args}, np.sin({wrt}))\n"
    "    return np.sum(h * np.cos(h))\n",
    "loop": "    for _ in range(2):\n"
    "        {wrt} = {wrt} - 0.01 * gradgen.grad({name}, wrt={wrt!r})({args})\n"
    "    return np.sum({wrt} * {wrt})\n",
}


@dataclass(frozen=True)
class Inner(Imperative):
    """A function around a program."""

    base: Imperative | None = None
    text: str = ""

    @property
    def source(self) -> str:
        return self.text


def inner(seed: int, engine) -> Inner | None:
    """The function of this seed; None where the program is not fit for it."""
    rng = Random(f"inner {seed}")
    base = imperative(seed)
    if len(base.lines) > LINES_AT_MOST or np.ndim(base.function(*base.arguments(0))):
        return None
    names = [param.name for param in base.params]
    wrt = rng.choice([p.name for p in base.params if p.differentiable])
    form = FORMS[rng.choice(list(FORMS))]
    body = form.format(name=base.name, wrt=wrt, args=", ".join(names))
    text = (
        f"import gradgen\n\n\n{base.source}\n\ndef outer({', '.join(names)}):\n{body}"
    )
    program = Inner(
        base.params, (), base.seed, "outer", base.sizes, "", base.draw, base, text
    )
    fits = all(run(program.function, program.arguments(k)) is not None for k in SAMPLES)
    return program if fits else None
