"""One text whose header says of an argument that it is a number, run on arrays.

A default, an annotation or a docstring says so. What the text then finds for an array
is right, or it raises.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import SimpleNamespace

import numpy as np

from gradgen.errors import GradgenError
from tests.fuzz.called import Called, called
from tests.fuzz.judge import Verdict, broken_off
from tests.fuzz.profiles.ranks import faults_of, truth
from tests.fuzz.program import imported

PROGRAMS = 20
REFUSED_AT_MOST = 0.05
LINES = """
v = (1 - t) * x + t * x**2
v = x * np.exp(-t)
v = np.sin(t * x) / (1 + t)
v = np.maximum(x, t)
v = np.where(x > t, x * t, 0.1 * x)
v = x / (np.sqrt(x * x) + t)
v = np.array([np.cos(t), np.sin(t)]) * np.sum(x)
v = x * 1.0; v += t
v = x * 1.0; v[0] = x[0] * np.sum(t)
v = np.sum(x * x) + t * np.sum(x)
v = t**2 * x[::-1]
v = x - t * np.tanh(x)
""".strip().splitlines()
# how a function says that t is a number
HINTS = {
    "default": ("x, t=0.5", ""),
    "annotation": ("x, t: float", ""),
    "both": ("x: np.ndarray, t: float = 0.25", ""),
    "sphinx": (
        "x, t",
        '"""A blend.\n\n    :param t: how far\n    :type t: float\n    """',
    ),
    "numpydoc": (
        "x, t",
        '"""A blend.\n\n    Parameters\n    ----------\n    t : float\n'
        '        How far.\n    """',
    ),
    "nothing": ("x, t", ""),
}
SHAPES = [(), (3,), (1,), (3, 1), (1, 3), (3, 3), (2, 3)]


def verdicts(seed: int, engine) -> Iterator[tuple[Called, Verdict]]:
    rng = Random(f"described {seed}")
    hint = rng.choice(list(HINTS))
    lines = [*rng.choice(LINES).split("; ")]
    if rng.random() < 0.4:
        more = rng.choice(LINES[:7])
        lines += [more.replace("x", "v").replace("mav", "max").replace("evp", "exp")]
    lines.append(rng.choice(["return v", "return np.sum(np.sin(v))", "return v * x"]))
    told, said = HINTS[hint]
    body = "\n".join(f"    {line}" for line in ([said] if said else []) + lines)
    source = f"import numpy as np\n\ndef f({told}):\n{body}\n"
    wrt, verdict = ("x", "t"), Verdict()
    case = called(source, seed, wrt)
    program = SimpleNamespace(function=imported(source, "f"))
    drawn = np.random.default_rng([seed, 7])
    tried = []
    for shape in SHAPES:
        args = [drawn.uniform(0.2, 1.3, 3), drawn.uniform(0.2, 1.3, shape)[()]]
        found = truth(program, args)
        tried += [found] if found else []
    try:
        verdict.text = engine.emit(program.function, wrt=wrt)
    except GradgenError as refusal:
        verdict.refusal = str(refusal)
        yield case, verdict
        return
    space: dict = {}
    exec(compile(verdict.text, "<gradgen text>", "exec"), space)
    try:
        for args, cotangent, wants in tried:
            found = faults_of(space["grad_f"], args, cotangent, wants, wrt)
            verdict.faults += found
    except Exception:
        verdict.faults.append(broken_off())
    yield case, verdict
