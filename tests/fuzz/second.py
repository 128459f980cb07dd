"""second(seed): a program whose text gradgen wrote, to be differentiated again.

The first gradient of an imperative program is emitted, and the emitted function
is the program: its gradient is a product of the seed with second derivatives. It
is measured on the first gradient as it was emitted, so that only the second step
is judged here; the first is fuzzer A's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from random import Random

import numpy as np

from tests.fuzz.facts import facts
from tests.fuzz.imperative import Imperative, imperative
from tests.fuzz.program import SAMPLES, run
from tests.fuzz.prune import smaller

LINES_AT_MOST = 14


@dataclass(frozen=True)
class Second(Imperative):
    """The emitted gradient of `base` in the argument `wrt`, as a program."""

    base: Imperative | None = None
    wrt: str = ""
    text: str = ""

    @property
    def source(self) -> str:
        return self.text

    @property
    def seed_name(self) -> str:
        """What the emitted function calls the seed of its primal's result."""
        code = self.function.__code__
        return code.co_varnames[code.co_argcount - 1]


def second(seed: int, engine) -> Second:
    """The first gradient of a program of this seed; GradgenError when refused."""
    rng = Random(f"second {seed}")
    for number in count(seed, 10**9):
        base = imperative(number)
        value = base.function(*base.arguments(0))
        if len(base.lines) > LINES_AT_MOST or np.ndim(value):
            continue
        names = [p.name for p in base.params if p.differentiable]
        program = emitted(base, rng.choice(names), engine)
        if all(
            run(program.function, program.arguments(k)) is not None for k in SAMPLES
        ):
            return program
        # Text that fails is a fault of the first gradient: A's.


def emitted(base: Imperative, wrt: str, engine) -> Second:
    shapes = facts(base, "full")
    text = engine.emit(base.function, wrt=wrt, shapes=shapes)
    # Below the header, which is about a file.
    body = text[text.index("import numpy") :] if "import numpy" in text else text
    return Second(
        base.params,
        (),
        base.seed,
        f"grad_{base.name}",
        base.sizes,
        "",
        base.draw,
        base,
        wrt,
        body,
    )


@smaller.register
def _(program: Second) -> Iterator[Second]:
    import gradgen

    for base in smaller(program.base):
        if program.wrt not in [p.name for p in base.params] or not base.fits():
            continue
        if np.ndim(base.function(*base.arguments(0))):
            continue
        try:
            yield emitted(base, program.wrt, gradgen)
        except Exception:  # refused, or another fault than the one looked for
            continue
