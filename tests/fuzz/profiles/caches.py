"""What a function reads changes, and the same is asked again: no old numbers.

A program is a small module with arrays and numbers around its function. Between two
requests one thing changes: entries of an array in a closure, in a closure of a function
in a closure, in a list or a dict, of the module; a constant; the text of the file, which
gets an older time. The answer fits what runs now, or it is a refusal.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import Case, tolerance
from tests.fuzz.judge import Fault, TooLong, Verdict, broken_off, patience, side_by_side
from tests.fuzz.program import Parameter, Program

PROGRAMS = 14
REFUSED_AT_MOST = 0.5  # of arrays whose line no text can copy, and edited texts
HEAD = "import numpy as np\n\n\n"
BODY = "np.sum(np.sin({use}) * x)"
# what a request is made of, and the line that changes what it reads
FORMS = {
    "closure": (
        "def make(A):\n    def f(x):\n        return {body}\n    return f\n\n\n"
        "A = np.array({values})\nf = make(A)\n",
        ["A[{i}] = {number}", "A *= {number}"],
        "A * x",
    ),
    "rows of a closure": (
        "def make(A):\n    def f(x):\n        y = 0.0\n        for a in A:\n"
        "            y = y + np.sum(np.sin(a * x))\n        return y\n    return f\n\n\n"
        "A = np.array({values})\nf = make(A)\n",
        ["A[{i}] = {number}"],
        "",
    ),
    "places in a closure": (
        "def make(K):\n    def f(x):\n        return np.sum(x[K] ** 2) + {body}\n"
        "    return f\n\n\nK = np.array({places})\nf = make(K)\n",
        ["K[{i}] = {place}", "K[:] = K[::-1].copy()"],
        "x[K]",
    ),
    "closure of a called one": (
        "def make(A):\n    def g(x):\n        return A * x\n    return g\n\n\n"
        "A = np.array({values})\ng = make(A)\n\n\ndef f(x):\n    return {body}\n",
        ["A[{i}] = {number}"],
        "g(x)",
    ),
    "called closure in a closure": (
        "A = np.array({values})\n\n\ndef make(A):\n    def g(x):\n        return A * x\n"
        "    def f(x):\n        return {body}\n    return f\n\n\nf = make(A)\n",
        ["A[{i}] = {number}", "f = make(np.array({values2}))"],
        "g(x)",
    ),
    "made by the same line": (
        "A = np.array({values})\n\n\ndef make(A):\n    def g(x):\n        return A * x\n"
        "    return g\n\n\ndef around(g):\n    def f(x):\n        return {body}\n"
        "    return f\n\n\nf = around(make(A.copy()))\n",
        ["f = around(make(np.array({values2})))", "f = around(make(A + {number}))"],
        "g(x)",
    ),
    "module": (
        "A = np.array({values})\n\n\ndef f(x):\n    return {body}\n",
        ["A[{i}] = {number}", "A = np.array({values2})"],
        "A * x",
    ),
    "list": (
        "A = [np.array({values}), 2.0]\n\n\ndef make(A):\n    def f(x):\n"
        "        return {body}\n    return f\n\n\nf = make(A)\n",
        ["A[0][{i}] = {number}", "A[1] = {number}"],
        "A[0] * x * A[1]",
    ),
    "dict": (
        "A = {{'w': np.array({values}), 'k': 2.0}}\n\n\ndef f(x):\n    return {body}\n",
        ["A['w'][{i}] = {number}", "A['k'] = {number}"],
        "A['w'] * x * A['k']",
    ),
    "constant": (
        "K = {number}\n\n\ndef g(x):\n    return K * x\n\n\ndef f(x):\n"
        "    return {body} * K\n",
        ["K = {number2}", "K = -K", "K = np.float64(K)", "K = 1", "K = True"],
        "g(x)",
    ),
    "closure's number": (
        "def make(k):\n    def f(x):\n        return {body}\n    return f\n\n\n"
        "f = make({number})\n",
        ["f = make({number2})", "f = make(1)", "f = make(True)"],
        "k * x",
    ),
    "default": (
        "def make(k):\n    def g(x, k=k):\n        return k * x\n    return g\n\n\n"
        "g = make({number})\n\n\ndef f(x):\n    return {body}\n",
        ["g = make({number2})", "g.__defaults__ = ({number2},)"],
        "g(x)",
    ),
}
# edits of a text that is in use; what `x * y` is in it has another meaning then
EDITS = (
    ("x - y", "y - x"),
    ("3.0 * x", "2.0 * x"),
    ("np.sin", "np.cos"),
    ("x - y", "x + y"),
    ("        z = y * z", "    z = y * z"),
    ("if y > 0", "if y < 0"),
    ("0.5 * w", "0.5 * x"),
)
EDITED = (
    "w = 1.5\n\n\ndef f(x, y=0.7):\n    z = 3.0 * x\n    if y > 0:\n"
    "        z = z * z\n        z = y * z\n"
    "    return np.sum(np.sin(z) * (x - y)) * (0.5 * w)\n"
)


class Changing:
    """One module whose function is asked for again and again."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"caches {seed}")
        self.folder = Path(tempfile.mkdtemp(prefix="fuzz_caches_"))
        self.path = self.folder / f"fuzz_cache_{seed}.py"

    def numbers(self) -> dict[str, object]:
        rng = self.rng
        values = [[round(rng.uniform(-2, 2), 3) for _ in range(3)] for _ in range(2)]
        values[0][1] += 5.0
        return dict(
            values=values[0],
            values2=values[1],
            number=round(rng.uniform(-2, 2), 3),
            number2=round(rng.uniform(2.5, 4), 3),
            i=rng.randrange(3),
            places=[rng.randrange(3) for _ in range(3)],
            place=rng.randrange(3),
        )

    def write(self, text: str, older: bool = False) -> None:
        self.path.write_text(text)
        if older:  # as mv, cp -p and tar leave it
            os.utime(self.path, (1_000_000_000 - self.rng.randrange(9),) * 2)

    def load(self):
        name = self.path.stem
        spec = importlib.util.spec_from_file_location(name, self.path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        exec(compile(self.path.read_text(), str(self.path), "exec"), vars(module))
        return module


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    rng = Random(f"which {seed}")
    case = of_edits if seed % 4 == 3 else of_changes
    yield from case(Changing(seed), rng, engine)


def of_changes(changing: Changing, rng: Random, engine):
    form, changes, use = FORMS[rng.choice(list(FORMS))]
    body = BODY.format(use=use)
    text = HEAD + form.format(body=body, **changing.numbers())
    changing.write(text)
    space = vars(changing.load())
    shown = text
    first, held = space["f"], None
    for _ in range(4):
        yield judged(shown, space["f"], engine)
        if held is not None:  # the gradient that was made before all changes
            yield judged(f"{shown}# of the first\n", first, engine, held)
        held = held or made(first, engine, rng)
        change = rng.choice(changes).format(**changing.numbers())
        exec(change, space)
        shown += f"\n# then\n{change}\n"
    yield judged(shown, space["f"], engine)


def of_edits(changing: Changing, rng: Random, engine):
    text = HEAD + EDITED
    if rng.random() < 0.5:  # the instructions as a lambda's
        text = (
            HEAD + "w = 1.5\nf = lambda x, y=0.7: np.sum(np.sin(3.0 * x) * (x - y))\n"
        )
    changing.write(text, older=rng.random() < 0.5)
    module = changing.load()
    if rng.random() < 0.7:
        yield judged(text, module.f, engine)
    old, new = rng.choice([pair for pair in EDITS if pair[0] in text])
    changing.write(text.replace(old, new), older=True)
    shown = f"{text}\n# then {old!r} is {new!r}"
    again = module.f if rng.random() < 0.6 else changing.load().f
    yield judged(shown, again, engine)


def made(function, engine, rng: Random):
    """A gradient, or the same by a pullback; None where it is refused."""
    try:
        if rng.random() < 0.5:
            return engine.grad(function)
        pull = engine.vjp(function)
    except GradgenError:
        return None
    return lambda x: pull(x)[1](1.0)


def judged(text: str, function, engine, held=None) -> tuple[Case, Verdict]:
    """What is asked for now, or of a gradient at hand, against what is measured now."""
    program = Program((Parameter("x", ("n",)),), tuple(text.splitlines()))
    case, verdict = Case(program, {}, "x", level="none"), Verdict(text=text)
    x = np.array([0.3, -0.4, 0.9])
    want = numeric_gradient(function, [x], 0, 1.0)
    if np.any(want.error > tolerance(want.value) / 4):
        verdict.measured = False
        return case, verdict
    try:
        with np.errstate(all="ignore"), patience():
            got = (held or engine.grad(function))(x)
        if not np.all(np.abs(got - want.value) <= tolerance(want.value)):
            verdict.faults.append(Fault("value", side_by_side(got, want.value)))
    except GradgenError as refusal:
        verdict.refusal = str(refusal)
    except TooLong:
        verdict.faults.append(Fault("too long", "no end"))
    except Exception:  # whatever else comes out is a fault of its own
        verdict.faults.append(broken_off())
    return case, verdict
