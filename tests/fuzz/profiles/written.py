"""Lists and tuples that are written out where functions of NumPy's take arrays.

np.linalg.norm([dx, dy]), np.diag((a, b, 1.0)), np.dot([[a, b], [c, d]], v): numbers and
vectors that vary, constants and counts, one list or two, at the call or under a name.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case, Truth
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.program import SAMPLES, Parameter, Program

PROGRAMS = 8
REFUSED_AT_MOST = 0.05
X = Parameter("x", ("n",))
# V is a list of numbers, U another of as many, M a square matrix, R rows of vectors
CALLS = """
np.linalg.norm(V)|np.dot(V, U)|np.diag(V)|np.diagflat(V, 1)|np.outer(V, U)|np.cumsum(V)
np.exp(V)|np.multiply(V, U)|np.hypot(V, 2.0)|np.arctan2(V, U)|np.where(np.arange(K) > 0, V, U)
np.tile(V, 2)|np.repeat(V, 2)|np.roll(V, 1)|np.flip(V)|np.kron(V, [1.0, 2.0])|np.diff(V)
np.std(V)|np.prod(V)|np.max(V)|np.mean(V)|np.vander(V)|np.sort(V)|np.median(V)|np.pad(V, 1)
np.convolve(V, U)|np.polyval(V, x[0])|np.average(V, weights=[x[1] ** 2 + 1] * K)
np.einsum("i,i->i", V, U)|np.interp(0.4, np.linspace(0, 1, K), V)|np.clip(V, -9.0, 9.0)
np.reshape(V, (1, K))|np.atleast_2d(V)|np.broadcast_to(V, (2, K))|np.expand_dims(V, 0)
np.linalg.det(M)|np.linalg.inv(M)|np.linalg.solve(M, V)|np.trace(M)|np.triu(M)
np.transpose(M)|np.matmul(M, M)|np.swapaxes(M, 0, 1)|np.tril(M, -1)|np.diagonal(M)
np.sum(R, axis=0)|np.linalg.norm(R, axis=0)|np.mean(R, 0)|np.max(R, axis=1)|np.ravel(R)
np.nan_to_num(V)|np.trapezoid(V)|np.inner(V, U)|np.tensordot(M, V, 1)
""".replace("\n", "|").strip("|").split("|")  # fmt: skip


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = generate(seed)
    truth = Truth(program)
    for level, shapes in (("all", {"x": "n"}), ("none", {})):
        case = Case(program, shapes, ("x",), level=level)
        yield case, examine(case, engine, truth, companions=False)


def generate(seed: int) -> Program:
    """The first program of this seed that runs at all sizes."""
    rng = Random(f"written {seed}")
    while True:
        program = Program((X,), tuple(body(rng)), seed)
        if program.fits() and all(
            program.function(*program.arguments(k)) is not None for k in SAMPLES
        ):
            return program


def body(rng: Random) -> list[str]:
    lines, terms = [], []
    for i in range(rng.choice((1, 2, 2))):
        text = call(rng)
        if rng.random() < 0.3 and "[" in text:
            lines.append(f"v{i} = {vector(rng, 2)}")
            text = f"np.{rng.choice(['std', 'sum', 'linalg.norm'])}(v{i}) * {text}"
        lines.append(f"y{i} = {text}")
        terms.append(f"np.sum(y{i} * y{i})")
    return [*lines, f"return {' + '.join(terms)}"]


def call(rng: Random) -> str:
    """One call with its lists put in."""
    count = rng.choice((2, 2, 3))
    text = rng.choice(CALLS).replace("K", str(count))
    for letter, made in (("V", vector), ("U", vector), ("M", matrix), ("R", rows)):
        at = text.find(letter)
        while at >= 0:
            text = text[:at] + made(rng, count) + text[at + 1 :]
            at = text.find(letter, at)
            while at >= 0 and text[at - 1 : at].isalpha():
                at = text.find(letter, at + 1)
    return text


def number(rng: Random, k: int) -> str:
    forms = ["x[{}]", "x[{}]", "x[{}] ** 2", "np.sin(x[{}])", "x[{}] * x[1] + 1", "2.5"]
    return rng.choice(forms).format(k % 3)


def vector(rng: Random, count: int) -> str:
    items = ", ".join(number(rng, k) for k in range(count))
    return rng.choice([f"[{items}]", f"[{items}]", f"({items})"])


def matrix(rng: Random, count: int) -> str:
    rows = []
    for i in range(count):
        items = [number(rng, i + j) for j in range(count)]
        items[i] += " + 4.0"
        rows.append("[" + ", ".join(items) + "]")
    return "[" + ", ".join(rows) + "]"


def rows(rng: Random, count: int) -> str:
    forms = ["x", "x ** 2", "np.cos(x)", "2.0 * x", "x * x[0]"]
    return "[" + ", ".join(rng.choice(forms) for _ in range(count)) + "]"
