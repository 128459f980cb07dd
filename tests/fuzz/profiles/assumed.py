"""Texts that are emitted with nothing told, or of some, for arguments of all ranks.

Losses, penalties, products and biases as people write them; the arguments may be what
the names promise, or vectors where a matrix is assumed, arrays where a number is, and
stacks. The text is right, or it raises and says what it takes them for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from tests.fuzz.case import Case, Truth, tolerance
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.program import FIRST_SIZES, SAMPLES, Parameter, Program

PROGRAMS = 20
REFUSED_AT_MOST = 0.1
RAISED = ("taken for", "expected ", "cannot be broadcast")
# the part of an argument is one entry, which the function stretches: what is stored
# there is longer (simplify/into_parts.py)
STORED = re.compile(r"could not broadcast input array .* into shape \(1,\)")
SHAPES = {
    "X": [("n", "d")] * 5 + [("d",), ("b", "n", "d")],
    "W": [("d", "m")] * 4 + [("d",), ("d", "d"), ("b", "d", "m")],
    "w": [("d",)] * 4 + [("d", "m"), ("n", "d"), ("d", "d")],
    "y": [("n",)] * 3 + [("n", "m"), ("n", "1"), (), ("n", "n")],
    "b": [("m",), ("n",), (), ("1",), ("n", "m")],
    "lam": [()] * 4 + [("d",), ("n",), ("1",), ("d", "m")],
    "s": [()] * 3 + [("n",), ("n", "d"), ("1", "1")],
    "p": [("2",)] * 4 + [("2", "n"), ("2", "1")],
    "Q": [("d", "d")] * 4 + [("1", "d"), ("d", "1"), ("n", "d")],
    "offset": [("n",)] * 3 + [(), ("1",), ("n", "1"), ("n", "n")],
    "scale": [()] * 3 + [("d",), ("n", "d"), ("1", "d")],
    "centre": [("d",)] * 3 + [("n", "d"), (), ("n", "1")],
    "C": [("m", "d")] * 3 + [("d",), ("n", "d"), ("b", "m", "d")],
    "xs": [("n",)] * 3 + [("n", "1"), ("n", "d")],
    "knots": [("m",)] * 3 + [("1",), ("d",), ("m", "1")],
    "T": [("n", "d", "m")] * 3 + [("b", "n", "d", "m"), ("n", "d", "1")],
    "bias": [("d",)] * 3 + [(), ("1",), ("n", "d")],
    "rows": [("n", "d")] * 4 + [("d",), ("b", "n", "d"), ("1", "d")],
    "arm": [("3",)] * 4 + [("n", "3"), ("1", "3"), ("2",)],
    "force": [("3",)] * 4 + [("n", "3"), ("2",)],
    "corners": [("n", "3")] * 4 + [("n", "4"), ("n", "2"), ("1", "3"), ("3",)],
    "m1": [()] * 4 + [("n",), ("1",)],
    "m2": [()] * 4 + [("n",), ("n", "1")],
}


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = generate(seed)
    truth = Truth(program)
    names = tuple(param.name for param in program.params)
    rng = Random(f"wrt {seed}")
    for wrt in (names, (rng.choice(names),)):
        case = Case(program, {}, wrt, level="none")
        yield case, verdict_on(case, engine, truth)
    some = rng.sample(program.params, rng.randint(1, len(program.params)))
    told = {param.name: param.fact for param in some}
    case = Case(program, told, names, level="half")
    yield case, verdict_on(case, engine, truth)


def verdict_on(case: Case, engine, truth: Truth) -> Verdict:
    """What is wrong with the emitted text, run on the arguments as a stranger would."""
    verdict = Verdict()
    if not truth.measures(case.names):
        verdict.measured = False
        return verdict
    try:
        options = {} if case.save == "values" else {"save": case.save}
        told = {**options, "shapes": case.shapes}
        text = engine.emit(case.program.function, wrt=case.names, **told)
    except GradgenError as refusal:
        verdict.refusal = str(refusal)
        return verdict
    verdict.text = text
    try:
        verdict.faults += faults_of(case, text, truth)
    except Exception:
        verdict.faults.append(broken_off())
    return verdict


def faults_of(case: Case, text: str, truth: Truth) -> Iterator[Fault]:
    names: dict = {}
    exec(compile(text, "<gradgen text>", "exec"), names)
    for sample in SAMPLES:
        args = case.program.arguments(sample)
        try:
            with np.errstate(all="ignore"):
                got = names[f"grad_{case.program.name}"](*args, truth.seed(sample))
        except ValueError as error:
            if STORED.search(str(error)):
                longer = _longer(case)
                if longer.program.sizes != case.program.sizes:
                    yield from faults_of(longer, text, Truth(longer.program))
            elif not any(words in str(error) for words in RAISED):
                raise
            if usual(case.program):
                yield Fault("raised", str(error))
            continue
        got = got if len(case.names) > 1 else (got,)
        for name, found in zip(case.names, got):
            want = truth.gradient(sample, name).value
            if np.shape(found) != np.shape(want):
                told = f"d_{name}: {np.shape(found)}, not {np.shape(want)}"
                yield Fault("shape", told)
            elif not np.all(np.abs(found - want) <= tolerance(want)):
                yield Fault("value", f"d_{name}: {found}, not {want}")


def _longer(case: Case) -> Case:
    """The case at lengths of which none is 1, where its text has to be right."""
    sizes = FIRST_SIZES, FIRST_SIZES
    return replace(case, program=replace(case.program, sizes=sizes))


def usual(program: Program) -> bool:
    """Whether the arguments are what their names promise, and their uses."""
    if any("b ** 2" in line for line in program.lines):
        return False  # beside a sum b is no bias but a number
    if any("= w @ w" in line and "W" not in line for line in program.lines):
        return False  # beside w @ w, so is y
    if len([line for line in program.lines if re.search(r"\bs\b", line)]) > 1:
        if any("(xs - y)" in line for line in program.lines):
            return False  # s is of the shape of what it meets first, and xs with it
    names_known = all(param.name in SHAPES for param in program.params)
    promised = (param.dims == SHAPES[param.name][0] for param in program.params)
    return names_known and all(promised)


def generate(seed: int) -> Program:
    """The first program of this seed that runs at all sizes."""
    rng = Random(f"assumed {seed}")
    while True:
        odd = rng.random() < 0.7
        shapes = {
            name: rng.choice(some) if odd else some[0] for name, some in SHAPES.items()
        }
        lines = body(rng)
        given = [
            Parameter(name, dims, "array" if dims else rng.choice(["float", "numpy"]))
            for name, dims in shapes.items()
        ]
        rng.shuffle(given)
        if rng.random() < 0.3:  # as functions begin that take lists as well
            cast = rng.choice(CASTS)
            arrays = [one.name for one in given if one.dims]
            lines = [*(cast.format(name) for name in arrays), *lines]
        program = Program(tuple(given), tuple(lines), seed).without_unused()
        if program.params and program.fits():
            return program


CASTS = (
    "{0} = np.asarray({0}, dtype=float)",
    "{0} = np.asarray({0})",
    "{0} = np.array({0}, dtype=np.float64)",
)
# what asks for two axes, for vectors, or for axes that are equal
FURTHER = [
    ["a, c = p", "z = z * a + c"],
    ["a, c = np.exp(p)", "z = np.tanh(z / a) * c"],
    ["z = z / np.linalg.norm(z, axis=1, keepdims=True)"],
    ["z = z * np.linalg.slogdet(X.T @ X + np.eye(X.shape[1]))[1]"],
    ["z = z * np.linalg.det(Q) + np.sum(np.linalg.inv(Q + 4 * np.eye(len(w))) @ w)"],
    ["h = np.zeros(len(y))", "for t in range(1, len(y)):",
     "    h[t] = s * h[t - 1] + y[t] * lam", "z = z + np.sum(h)"],
    ["v = w", "for i in range(2):", "    v = Q @ v + w", "z = z * np.sum(np.tanh(v))"],
    ["S = Q", "for i in range(2):", "    S = np.tanh(Q @ S @ Q.T) + Q",
     "z = z + w @ S @ w"],
    ["z = z * (y @ y) + np.dot(w, w)"],
    ["z = z + w @ Q @ w - lam * w @ w"],
    ["rows = X - X.mean(axis=1)[:, None]", "z = z + np.sum(rows @ rows.T)"],
    ["for r in X:", "    z = z + np.dot(r, w) ** 2"],
    ["Xc = X - np.mean(X, axis=0)", "z = z * np.sum((Xc.T @ Xc) ** 2)"],
    ["z = z + np.sum(np.exp(X @ w + offset)) - y @ (X @ w + offset)"],
    ["z = z + np.sum(np.exp(-np.sum((X[:, None, :] - C) ** 2 / scale, axis=2)))"],
    ["gaps = X[:, None, :] - X[None, :, :]", "z = z + np.sum(np.tanh(gaps / scale))"],
    ["z = z + np.sum(np.sqrt(np.sum((X - centre) ** 2, axis=1) + 1) * offset)"],
    ["K = np.exp(2 * lam) * np.exp(-0.5 * (X / scale) @ (X / scale).T)",
     "z = z + w @ (X.T @ K @ X) @ w"],
    ["v = np.ones(len(w))", "for i in range(2):", "    v = np.tanh(Q @ v + bias)",
     "z = z + np.sum((v - w) ** 2)"],
    ["z = z + np.sum(np.maximum(xs[:, None] - knots, 0) ** 2)"],
    ["z = z + np.sum(np.log(np.sum(T ** 2, axis=(1, 2)) + 1))"],
    ["z = z + np.sum(T[:, 0, :] * scale) + np.sum(np.var(T, axis=2))"],
    ["P = np.where(X > 0, X - centre, lam * X)", "z = z + np.sum(P @ P.T)"],
    ["inside = X[1:-1, 1:] + scale * X[2:, :-1]", "z = z + np.sum(inside ** 2)"],
    ["z = z + np.mean(np.maximum(0, 1 - y * (X @ w)))"],
    ["z = z + np.sum(np.maximum(np.sum((X - centre) ** 2, axis=1) - lam, 0))"],
    ["z = z + lam * np.mean(np.maximum(s * (xs - y), (s - 1) * (xs - y)))"],
    ["h = np.zeros(len(w))", "for t in range(len(X)):",
     "    h = np.tanh(Q @ h + X[t] + bias)", "z = z + np.sum(h * w)"],
    ["h = w", "for t in range(len(X)):", "    top = np.max(h)",
     "    h = top + np.log(np.exp(h - top) @ Q ** 2 + 1) + X[t]", "z = z + np.sum(h)"],
    ["at = np.searchsorted(np.sort(knots), 0.3 * xs) - 1",
     "z = z + np.sum(knots[at] * (1 - xs) + knots[at] ** 2)"],
    ["out = np.zeros(len(xs) - len(p) + 1)", "for k in range(len(p)):",
     "    out += p[k] * xs[k : k + len(out)]", "z = z + np.sum(out ** 2)"],
    ["f = np.zeros(len(xs))", "for t in range(2):",
     "    f[1:-1] = xs[:-2] + f[1:-1] * xs[2:] + lam * xs[1:-1]", "z = z + np.sum(f ** 2)"],
    ["mid = X - X.mean(axis=0)",
     "z = z + np.sum(mid / np.sqrt(np.mean(mid ** 2, axis=0) + 1) * centre)"],
    ["a, c = p", "turn = np.array([[a, -c], [c, a]])", "z = z + np.sum((turn @ w[:2]) ** 2)"],
    ["a, c = p", "turn = np.array([[a, -c], [c, a]])", "z = z + np.sum((turn @ p) ** 2) * lam"],
    ["h = w", "for t in range(len(X)):",
     "    h = X[t] + np.logaddexp.reduce(h[:, None] + Q, axis=0)", "z = z + np.sum(h)"],
    ["z = z + np.sum(np.max(w[:, None] + Q, axis=1) * w)"],
    ["z = z + np.sum(np.min(np.sum(np.abs(X[:, None] - C[None]), axis=-1), axis=1))"],
    ["labels = np.arange(len(X)) % X.shape[1]",
     "z = z + np.sum(X[np.arange(len(X)), labels] * offset)"],
    ["z = z + np.sum(np.tanh(X @ W + b) ** 2)"],
    ["r = np.sqrt(np.mean(X ** 2, axis=-1, keepdims=True) + 1)",
     "z = z + np.sum(np.tanh((X / r * bias) @ W))"],
    ["v, u = s, lam", "for i in range(3):", "    u = u - 0.1 * np.sin(v) * scale",
     "    v = v + 0.1 * u", "z = z + np.sum(u * v)"],
    ["path = s * np.ones(len(y))", "for t in range(2):",
     "    path = path + lam * path * y", "z = z + np.mean(path)"],
    ["S = X @ X.T", "z = z + np.sum(np.diag(S) - np.max(S, axis=1) * lam)"],
    ["z = z + np.mean(np.diag(Q) * w) + np.trace(Q @ Q)"],
    ["z = z + np.sum(np.sin(xs) * lam - xs ** 2 * np.exp(s))"],
    ["f = np.zeros(len(xs))", "f[0] = s", "for t in range(1, len(xs)):",
     "    f[t] = lam * np.tanh(f[t - 1]) + scale * xs[t]", "z = z + np.sum(f)"],
    ["z = z + np.sum(np.tanh(rows @ W) ** 2)"],
    ["z = z + np.sum((np.cross(arm, force) - s * force) ** 2)"],
    ["z = z + np.sum((s + y[:, None] + b[None, :]) ** 2 * lam)"],
    ["z = z + np.sum((corners[:, :2] / (1 + corners[:, 2:] ** 2)) ** 2) * s"],
    ["q = corners / (1 + corners ** 2)", "z = z + np.sum(q[:, :2] / q[:, 2:] * lam)"],
    ["gaps = np.sum((X[:, None] - X[None]) ** 2, axis=-1)",
     "z = z + np.sum(np.exp(-gaps / (1 + s ** 2)) * lam)"],
    ["z = z + np.sum(np.log(1 + np.exp(-(xs - m1) ** 2) + np.exp(-(xs * m2) ** 2)))"],
    ["labels = np.arange(len(X)) % X.shape[1]", "e = np.exp(X * s)",
     "q = e / np.sum(e, axis=1, keepdims=True)",
     "z = z - np.sum(np.log(q[np.arange(len(X)), labels]) * offset)"],
]  # fmt: skip


# totals of entries, from a number on
ENTRIES = [
    ["loss = 0.0", "for i in range(len(y)):",
     "    loss += 0.5 * (y[i] - s) ** 2 * lam + np.log(1 + lam ** 2)"],
    ["loss = 0.0", "level = s", "for i in range(len(y)):",
     "    loss = loss + (y[i] - level) ** 2", "    level = level + lam * (y[i] - level)"],
    ["loss = 0.0", "for i in range(1, len(xs)):", "    guess = 0.0",
     "    for j in range(len(p)):", "        guess += p[j] * xs[i - 1]",
     "    loss += (xs[i] - guess) ** 2"],
    ["loss = 0", "for i in range(len(xs)):",
     "    loss = loss + np.sum(w * xs[i]) - scale * xs[i]"],
    ["loss = 0.0", "for row in X:", "    loss += row @ w - lam * s"],
    ["loss = 0.0", "for row in X:", "    loss = loss + scale * row", "loss = np.sum(loss)"],
]  # fmt: skip


def body(rng: Random) -> list[str]:
    """Statements of a model, a loss and a penalty."""
    product = rng.choice(
        ["X @ w", "X @ w", "X @ W", "w @ W", "X.T @ y", "w @ w", "X * w", "w @ W @ w",
         "X @ W.T", "X.T @ X @ w", "y @ X", "W.T @ w", "np.dot(X, w)", "s * X"]
    )  # fmt: skip
    bias = rng.choice(["", " + b", " - y", " * s", " - np.mean(X)"])
    lines = [f"z = {product}{bias}"]
    if rng.random() < 0.4:
        lines.append(rng.choice(["n, d = X.shape", "n = len(y)", "z = np.tanh(z)"]))
    if rng.random() < 0.3:
        lines.append(rng.choice(["z = z @ W", "z = z / np.sqrt(np.sum(w * w) + lam)"]))
    if rng.random() < 0.4:
        lines += rng.choice(FURTHER)
    residual = rng.choice(["z", "(z - y)", "(y - z)", "np.exp(-np.tanh(z))"])
    loss = rng.choice(
        [f"np.sum({residual} ** 2)", f"np.mean({residual} * z)", f"0.5 * np.sum({residual})",
         f"np.linalg.norm({residual})", f"np.sum({residual}, axis=0)", residual]
    )  # fmt: skip
    penalty = rng.choice(
        ["", "", " + lam * np.sum(w * w)", " + 0.5 * lam * (w @ w)", " - lam / 2 * s",
         " + np.sum(np.abs(w)) * lam", " + b ** 2", " + lam * np.sum(w * w) / len(w)"]
    )  # fmt: skip
    if rng.random() < 0.1:
        return [*rng.choice(ENTRIES), "return loss"]
    if rng.random() < 0.25:
        lines += ["total = 0.0", "for i in range(3):"]
        lines += [f"    total = total + {loss}{penalty}", "return total"]
        return lines
    return [*lines, f"return {rng.choice(['', '', '-'])}({loss}){penalty}"]
