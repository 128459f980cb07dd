"""Numbers of NumPy's read and stored with keys: e[mask], e[..., None], e[mask, None].

Code that is written for arrays of any rank reads a number so where a vector comes: what
sums, entries and norms give is a number, its comparison a mask of rank 0, and the
adjoint that reads are added into has to be an array all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case, Truth
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.program import SAMPLES, Parameter, Program

PROGRAMS = 4
REFUSED_AT_MOST = 0.05
X = Parameter("x", ("n",))
NUMBERS = (
    "x[..., 0]",
    "np.sum(x)",
    "np.linalg.norm(x, axis=-1)",
    "np.prod(x[1:], axis=-1)",
    "np.max(x * x)",
    "x[1] * x[0]",
    "np.dot(x, x)",
)
MASKS = (
    "e > -50",
    "e < -50",
    "np.isclose(e, 60.0)",
    "np.logical_not(e > 50)",
    "~(e > 9)",
)
KEYS = ("k", "k, None", "k, np.newaxis", "...", "..., None", "()", "None", "None, None")
OTHERS = ("np.sin(e)", "np.exp(0.1 * e)", "e * e", "np.cos(e) * e", "e")


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = generate(seed)
    truth = Truth(program)
    case = Case(program, {"x": "n"}, ("x",), level="all")
    yield case, examine(case, engine, truth, companions=False)


def generate(seed: int) -> Program:
    """The first program of this seed that runs at all sizes."""
    rng = Random(f"points {seed}")
    while True:
        program = Program((X,), tuple(body(rng)), seed)
        if program.fits() and all(
            program.function(*program.arguments(k)) is not None for k in SAMPLES
        ):
            return program


def read(rng: Random) -> str:
    return f"{rng.choice('ey')}[{rng.choice(KEYS)}]"


def term(rng: Random) -> str:
    """A number that reads e or y with keys."""
    first, second = read(rng), rng.choice((read(rng), "x", "np.cos(x)", "y", "2.0"))
    form = ("np.sum({} * {})", "np.sum({} * np.tanh({}))", "np.sum(({} - {}) ** 2)")
    return rng.choice(form).format(first, second)


def body(rng: Random) -> list[str]:
    lines = [f"e = {rng.choice(NUMBERS)}", f"y = {rng.choice(OTHERS)}"]
    lines += [f"k = {rng.choice(MASKS)}", "s = 0.0"]
    if rng.random() < 0.4:
        lines += [
            "z = np.zeros(x.shape)",
            "z[..., 0] = y",
            f"z[k, 1:] = {read(rng)} * x[1:]",
        ]
        lines += [f"s = s + np.sum(z * {rng.choice(['z', 'x'])})"]
    steps = [f"s = s + {term(rng)}" for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.4:
        steps = ["if np.any(k):", *(f"    {step}" for step in steps)]
    if rng.random() < 0.3:
        lines.append("y = y * np.sin(e)")
    if rng.random() < 0.3:
        stored = ["w = np.zeros_like(e)", f"w[k] = {rng.choice(OTHERS)}"]
        stored.append(f"w[~k] {rng.choice(['=', '+='])} y[~k] * e[~k]")
        end = rng.choice(["w", "2 * w", "-w", "s + w"])
        return [*lines, *steps, *stored, f"return {end}"]
    return [*lines, *steps, "return s + np.sum(e * x)"]
