"""Products with masks and with narrow integers, which the gradient adds up.

What varies is multiplied by masks (arguments, comparisons, arrays made here) and by
int8 and uint8. As masks m + n is m | n and m - n raises, and products of int8 overflow:
a factor that leaves a sum must leave floats behind.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import Case
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.program import Parameter, Program

PROGRAMS = 12
REFUSED_AT_MOST = 0.05
MADE = """True + m;m + n;True * n;m * k;False + k;(m + n) * True;x > 0.2137;x < 0.7137;~m;m & n;m | n;k > 50;np.isfinite(x);m.copy();np.where(n, m, False)
np.zeros(4, bool);np.ones(4, dtype=bool);np.array([True, False, True, True]);l.astype(bool)
np.full(4, 90, np.int8);np.arange(4, dtype=np.int8) + 60;k // 2;l % 50;k.copy();np.stack([m, n])[0]
np.ones_like(x, dtype=bool);np.logical_not(n);A[0];A.T[1];np.abs(k);np.concatenate([m[:2], n[2:]])"""
HELD = ("m", "n", "k", "l")
TERMS = """x * (True + {m});x * ({h} + {m});x * (True * {m}) * {h};x * {h};x * {h} * {h};x * x * {h};c * {h};c * {h} * {h};np.exp(0.3 * x) * {h};-x * {h};x * ({h} * x)
{h} * (x * {h});x / (1 + {h} * 1.0);np.tanh(c * x) * {h};np.where({m}, x * {h}, c * {h});(x * {h}) * (c * {h})
c * np.sum({h});np.sum(x * {h}) / np.sum({h} * 1.0 + 1);(x * {h}) ** 2;(c * {h}) ** 2 * x;A @ x;x @ A;A.T @ x
np.sum(A * x, axis=0) * {h};(x[:, None] * {h} * A)[0];np.sum(A * {h} * c, axis=1);x @ (A @ x);np.dot({h}, x)
np.outer(x, {h})[1];x * {h}[0] * {h}[0];np.maximum(x, 0) * {h};np.einsum("ij,j->i", A, x)"""


@dataclass(frozen=True)
class Counted(Program):
    """A program of x and c, with masks and integers beside them."""

    def arguments(self, sample: int, dtype=np.float64) -> list:
        rng = np.random.default_rng([self.seed, sample])
        x = rng.uniform(0.3, 0.6, 4) * rng.choice([-1.0, 1.0], 4)
        masks = [rng.random(4) < 0.6 for _ in range(2)]
        k = rng.integers(60, 127, 4).astype(np.int8)
        l = rng.integers(60, 255, 4).astype(np.uint8)  # noqa: E741
        return [x.astype(dtype), 1.3, *masks, k, l, rng.random((4, 4)) < 0.6]


def program(seed: int) -> Counted:
    rng = Random(f"counts {seed}")
    made = [one.strip() for one in MADE.replace("\n", ";").split(";")]
    terms = [one.strip() for one in TERMS.replace("\n", ";").split(";")]
    lines, held = [], [*HELD]
    for i in range(rng.randint(0, 3)):
        lines.append(f"a{i} = {rng.choice(made)}")
        held.append(f"a{i}")
    few = rng.sample(held, min(len(held), rng.randint(2, 4)))
    names = []
    for i in range(rng.randint(1, 3)):
        value = rng.choice(terms)
        for _ in range(rng.choice((0, 1, 1, 2))):
            value += rng.choice((" + ", " - ")) + rng.choice(terms)
        while "{" in value:
            value = value.replace("{h}", rng.choice(few), 1)
            value = value.replace("{m}", rng.choice("mn"), 1)
        lines.append(f"y{i} = np.sum({value})")
        names.append(f"y{i}")
    rest = names[1:]
    lines.append("return " + names[0] + "".join(rng.choice("+-*") + n for n in rest))
    params = (
        Parameter("x", ("n",)),
        Parameter("c", (), "float"),
        *(Parameter(name, ("n",), "int") for name in HELD),
        Parameter("A", ("n", "n"), "int"),
    )
    sizes = ({"n": 4}, {"n": 4})
    return Counted(params, tuple(lines), seed, "program", sizes)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    made = program(seed)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            made.function(*made.arguments(0))
            estimates = [
                numeric_gradient(made.function, made.arguments(0), i) for i in (0, 1)
            ]
        except Exception:
            return  # no program: NumPy does not take it
        case = Case(made, {}, ("x", "c"), level="none")
        yield case, verdict(made, [one.value for one in estimates], engine)


def verdict(made: Counted, wants: list, engine) -> Verdict:
    found = Verdict()
    gradient = engine.grad(made.function, wrt=("x", "c"))
    for dtype in (np.float64, np.float32):
        try:
            parts = gradient(*made.arguments(0, dtype))
        except GradgenError as refusal:
            found.refusal = str(refusal)
            return found
        except Exception:
            found.faults.append(broken_off())
            return found
        finally:
            found.text = str(getattr(gradient, "source", ""))
        near = 1e-6 if dtype is np.float64 else 1e-3
        for got, want in zip(parts, wants):
            size = np.max(np.abs(want))
            if np.shape(got) != np.shape(want) or not np.allclose(
                got, want, rtol=near, atol=near * (size + 1)
            ):
                found.faults.append(Fault("value", f"{got}, not {want}"))
    if not found.faults and parts[0].dtype != np.float32:
        found.faults.append(Fault("dtype", f"{parts[0].dtype} for float32"))
    return found
