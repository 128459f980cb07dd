"""Products and sums of an array with masks and integers of a byte, on the way back.

Factors that leave a product are multiplied and added with each other: of masks True +
True is True, and of bytes 200 * 2 is 144. So is what a loop keeps of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from tests.fuzz.called import Called, called
from tests.fuzz.judge import Fault, Verdict, noted
from tests.fuzz.program import imported
from gradgen.verify.finite import numeric_gradient

PROGRAMS = 12
REFUSED_AT_MOST = 0.05
N = 4
SORTS = ("?", "u1", "i1")
DOORS = ("grad", "text", "fast", "jvp")
# what is made of x, and of data, by axes
SIMPLE = {
    "s": (("x[0]", "np.sum(x)"), ("k[0]", "q[1]")),
    "v": (("x", "np.sin(x)", "X[1]"), ("k", "q", "K[1]")),
    "m": (("np.outer(x, k)", "(x[:, None] * k)", "X"), ("K", "Q", "K.T")),
}
# ... of two others: {} of the axes that stand behind
COMPOSED = {
    "s": (
        ("({} @ {})", "vv"),
        ("np.dot({}, {})", "vv"),
        ("np.einsum('i,ij->', {}, {})", "vm"),
        ("({} * {})", "ss"),
        ("np.sum({} * {})", "vv"),
    ),
    "v": (
        ("({} @ {})", "mv"),
        ("({} @ {})", "vm"),
        ("({} * {})", "vv"),
        ("({} * {})", "sv"),
        ("np.einsum('i,ij->j', {}, {})", "vm"),
        ("({} * np.flip({}))", "vv"),
    ),
    "m": (
        ("({} @ {})", "mm"),
        ("np.outer({}, {})", "vv"),
        ("({} * {})", "mm"),
        ("({} * {}[:, None])", "mv"),
        ("np.einsum('ij,jk->ik', {}, {})", "mm"),
        ("np.tensordot({}, {}, 1)", "mm"),
    ),
}
# ... and of one
OF_ONE = {
    "s": (("np.sum({})", "v"), ("np.mean({})", "m"), ("np.trace({})", "m")),
    "v": (("np.sum({}, axis=1)", "m"), ("np.diag({})", "m"), ("{}[0]", "m")),
    "m": (("{}.T", "m"), ("np.diag({})", "v")),
}
LOOPS = (
    "for i in range(3):\n        h = h * {} + h * {}",
    "for i in range(3):\n        h = 0.5 * h * {} - h * {}",
    "for i in range(3):\n        m = {}\n        h = h * m * 0.5 + x * {} * m",
    "for r in K:\n        h = h * 0.1 * r + h * {} * 0.2 + x * {}",
    "i = 0\n    while i < 3:\n        h = h * {} * 0.5 + x * {}\n        i += 1",
)
MASKS = ("(x > i)", "(k > i)", "(h > 0)", "k", "q", "K[i]")


def part(rng: Random, axes: str, of_x: bool, depth: int) -> str:
    """An expression of these axes; x stands in it once, if it does."""
    if depth <= 0:
        return rng.choice(SIMPLE[axes][0 if of_x else 1])
    form, inner = rng.choice(COMPOSED[axes] + OF_ONE[axes])
    where = rng.randrange(len(inner)) if of_x else -1
    parts = (
        part(rng, one, at == where, depth - rng.choice((1, 2)))
        for at, one in enumerate(inner)
    )
    return form.format(*parts)


def program(seed: int) -> str:
    rng = Random(f"narrow {seed}")
    if rng.random() < 0.35:
        form = rng.choice(LOOPS)
        masks = [m for m in MASKS if "for r" not in form or "i" not in m]
        lines = form.format(*rng.sample(masks, form.count("{}")))
        body = f"h = x\n    {lines}\n    return np.sum(h * X[0])"
    else:
        inside = part(rng, "s", True, rng.choice((2, 3, 3, 4)))
        body = f"return {inside}{rng.choice(('', ' ** 2'))} + 0.1 * np.sum(x)"
    return f"import numpy as np\n\n\ndef f(x, X, k, q, K, Q):\n    {body}\n"


def arguments(seed: int, sort: str) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    shapes = (N,), (N,), (N, N), (N, N)
    if sort == "?":
        data = [rng.random(shape) < 0.8 for shape in shapes]
    else:
        data = [rng.integers(60, 120, shape).astype(sort) for shape in shapes]
    return [rng.uniform(0.5, 1.5, N), rng.uniform(0.5, 1.5, (N, N)), *data]


def verdicts(seed: int, engine) -> Iterator[tuple[Called, Verdict]]:
    text = program(seed)
    function = imported(text, "f")
    rng = Random(f"door of narrow {seed}")
    door, sort = rng.choice(DOORS), rng.choice(SORTS)
    case = called(text, seed, "x")
    verdict = Verdict(text=f"# {door}, {sort}\n{text}")
    args = arguments(seed, sort)
    with np.errstate(all="ignore"):
        try:
            wanted = numeric_gradient(function, args, 0)
        except (TypeError, OverflowError):  # masks are not subtracted, 300 is no byte
            verdict.measured = False
            yield case, verdict
            return
        if not np.all(wanted.error < 1e-5 * (1 + np.abs(wanted.value))):
            verdict.measured = False
            yield case, verdict
            return
        with noted(verdict):
            found = _found(engine, function, door, args)
            want = wanted.value if door != "jvp" else np.sum(wanted.value)
            scale = 1e-6 * max(1.0, float(np.max(np.abs(wanted.value))))
            if found is not None and np.shape(found) != np.shape(want):
                verdict.faults.append(Fault("shape", f"{np.shape(found)}"))
            elif found is not None and not np.allclose(found, want, 1e-5, scale):
                verdict.faults.append(Fault("value", f"{found}, not {want}"))
    yield case, verdict


def _found(engine, function, door: str, args: list[np.ndarray]):
    """The gradient by a door; None where a text is one for other arguments."""
    if door == "jvp":
        return engine.jvp(function, wrt="x")(*args, np.ones(N))[1]
    if door != "text":
        return engine.grad(function, wrt="x", fast=door == "fast")(*args)
    space: dict = {}
    exec(engine.emit(function, wrt="x"), space)
    try:
        return space["grad_f"](*args)
    except ValueError as error:
        if "taken for" in str(error) or "expected" in str(error):
            return None
        raise
