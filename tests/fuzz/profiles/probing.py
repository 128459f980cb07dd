"""Try blocks that ask what an argument is: len(x), x.shape[1], a matrix that factors.

Where the question raises, the handler computes something else; the gradient has to be
the one of the way that is taken, for numbers, vectors and matrices.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case, Truth
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.program import SAMPLES, Parameter, Program

PROGRAMS = 4
REFUSED_AT_MOST = 0.35
ARGUMENTS = ((), ("n",), ("n", "n"))
QUESTIONS = (
    ("len(x)", "TypeError"),
    ("len({y})", "TypeError"),
    ("x.shape[1]", "IndexError"),
    ("np.shape(x)[0]", "IndexError"),
    ("np.asarray({y}).shape[-2]", "IndexError"),
    ("np.linalg.cholesky({m})", "np.linalg.LinAlgError"),
    ("np.linalg.inv({m})", "np.linalg.LinAlgError"),
    ("math.sqrt({t})", "ValueError"),
    ("math.log({t})", "(ValueError, OverflowError)"),
    ("math.acos(3 * s)", "Exception"),
    ("math.exp(2000 * s)", "OverflowError"),
)
MATRICES = ("np.eye(2) * s", "np.eye(2) - s * s * 40", "np.ones((2, 2)) * s")
LIMITS = ("s - 0.3", "s + 9", "s - 1e-9", "0.2 - s")
VALUES = ("np.sum(y)", "np.sum(y * y)", "np.mean(np.sin(y))", "3.0 * s", "np.max(y)")


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = generate(seed)
    truth = Truth(program)
    (x,) = program.params
    shapes = {"x": " ".join(x.dims)}
    case = Case(program, shapes, ("x",), level="all")
    yield case, examine(case, engine, truth, companions=False)


def generate(seed: int) -> Program:
    """The first program of this seed that runs at all sizes."""
    rng = Random(f"probing {seed}")
    while True:
        x = Parameter("x", rng.choice(ARGUMENTS))
        program = Program((x,), tuple(body(rng)), seed)
        if program.fits() and all(
            program.function(*program.arguments(k)) is not None for k in SAMPLES
        ):
            if Truth(program).measures(("x",)):
                return program


def body(rng: Random) -> list[str]:
    lines = ["s = np.mean(x)", f"y = {rng.choice(['x', 'x * 2', 'np.cos(x)'])}"]
    for i in range(rng.choice((1, 1, 2))):
        asked, kind = rng.choice(QUESTIONS)
        asked = asked.format(
            y=rng.choice("xy"), m=rng.choice(MATRICES), t=rng.choice(LIMITS)
        )
        if rng.random() < 0.4:
            asked = f"n{i} = {asked}"
        kind = (
            kind
            if "LinAlg" in kind or "math" in asked or rng.random() < 0.7
            else "(TypeError, IndexError)"
        )
        first, second = rng.sample(VALUES, 2)
        lines += ["try:", f"    {asked}", f"    t{i} = {first}"]
        lines += [f"except {kind}:", f"    t{i} = {second}"]
    terms = [f"t{i} * t{i}" for i in range(2) if any(f"t{i} =" in one for one in lines)]
    return [*lines, f"return {' + '.join(terms)} + s"]
