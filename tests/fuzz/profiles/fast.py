"""Texts that are rewritten for speed: arrays used again, sums of products, powers.

Programs of other kinds and of a kind of its own are asked for with fast=True. Its own
give arrays several names, hold them in lists, read parts of them later, rebind names
in loops and branches, and hand them through functions that could compute in place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from tests.fuzz.case import Case, case_of
from tests.fuzz.generate import generate
from tests.fuzz.imperative import imperative
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.profiles import buffers, lists, shorter, totals
from tests.fuzz.program import Parameter, Program

PROGRAMS = 3
REFUSED_AT_MOST = 0.3  # what the profile lists refuses
NAMES = "abc"
# M is a matrix of x's shape, N another or the same, R a row, C a column, S a number
MATRICES = """np.exp({M} - {C}); {M} * {N} + {R}; {M} / (1 + {N} * {N}); np.tanh({M} + {N}); {M} ** 3
({M} - {C}) ** 2 / 5; {M} - {N}[::-1]; 0.5 * {M}; {M} * {M}; np.sqrt({M} * {M} + 1); np.sin({M}) * {N}
1 - {M}; 2 / (3 + {M} ** 2); {M} + x; x * {M} - {N}; np.maximum({M}, {N} + 0.0137); {M} * {S}; -{M}
{M} @ np.outer({R}, {R}); np.where({M} > 0.0137, {M}, {N}); {M} - {M}[0]; ({M} * {M} + 2) ** -1.5
np.einsum("ij,ij->ij", {M}, {N}); np.multiply({M}, {N}); np.exp(-np.abs({M} - 0.0137)); {M}.copy(); {M}
({M} - {N}) * np.cos({N}); {M} * np.sum({M} * {N}, axis=1, keepdims=True); {M} / np.linalg.norm({M})
np.logaddexp({M}, {N}); {M} + np.mean({M} * {N}); {M} * {C} - {N} * {C}; ({M} + 1) * ({M} - 1) + {M}
({M} * {M} + 0.5) ** 4 / 100; np.arctan({M} - {N}) + {N}; {M} * np.mean({N}, axis=0) + {R}; x - {R}"""
ROWS = """w; {M}[0]; np.sum({M}, axis=0); np.mean({M} * {N}, axis=0); np.sum({M} * v[:, None], axis=0)
np.max({M}, axis=0); w * w; v @ {M}; np.sum({M} ** 2, axis=0); np.diag({M}.T @ {N}); w"""
COLUMNS = """v[:, None]; np.sum({M} * {N}, axis=1, keepdims=True); np.mean({M}, axis=1, keepdims=True)
np.max({M}, axis=1, keepdims=True); np.sum({M} * w, axis=1)[:, None]; {M}[:, :1]; v[:, None] * v[:, None]
np.linalg.norm({M}, axis=1, keepdims=True); np.mean({M} ** 2, axis=1, keepdims=True)"""
NUMBERS = """np.sum({M} * {N}); np.mean({M} ** 2); np.sum({M}); v @ v; np.sum(w * w); np.sum((v - 1) ** 2)
np.linalg.norm({M}); np.mean({M}); np.einsum("ij,ij->", {M}, {N}); 0.7; np.vdot({M}, {N}); np.sum(w ** 3)"""
POOL = {
    kind: [one.strip() for one in text.replace("\n", ";").split(";")]
    for kind, text in zip("MRCS", (MATRICES, ROWS, COLUMNS, NUMBERS), strict=True)
}
AFTER = """kept.append({n}); part = {n}[1:]; turned = {n}.T; other = {n}; {n} *= 0.5; {n}[0] = {R}
{n} += other; kept.append({n} * 2); part = {n}[:, ::-1]; other = {n} + part[0]"""


@dataclass(frozen=True)
class Fast:
    """The functions of an engine with fast=True; values differ by rounding."""

    engine: Any
    rounds: bool = True

    def __getattr__(self, name: str) -> Any:
        asked = getattr(self.engine, name)
        return lambda *args, **told: asked(*args, **told, fast=True)


class Writer:
    """Writes the statements of a program."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def filled(self, form: str, depth: int = 0) -> str:
        """A form with names, or other forms, in it."""
        while (at := form.find("{")) >= 0:
            kind = form[at + 1]
            if kind in "MN":
                part = self.rng.choice([*NAMES, *NAMES, "other"])
                if depth < 2 and self.rng.random() < 0.15:
                    part = f"({self.filled(self.rng.choice(POOL['M']), depth + 1)})"
            else:
                part = f"({self.filled(self.rng.choice(POOL[kind]), depth + 1)})"
            form = form[:at] + part + form[at + 3 :]
        return form

    def line(self) -> list[str]:
        name = self.rng.choice(NAMES)
        value = self.filled(self.rng.choice(POOL["M"]))
        damped = f"{name} = 0.3 * np.tanh({value}) + 0.1 * x"
        roll = self.rng.random()
        if roll < 0.15:
            return ["for i in range(2):", f"    {damped}", f"    kept.append({name})"]
        if roll < 0.25:
            test = self.filled("{S} > 0.0137")
            return [f"if {test}:", f"    {name} = {value}", "else:", f"    {damped}"]
        lines = [f"{name} = {value}"]
        if self.rng.random() < 0.35:
            after = self.rng.choice(AFTER.replace("\n", ";").split(";")).strip()
            lines.append(self.filled(after.replace("{n}", name)))
        return lines


def program(seed: int) -> Program:
    rng = Random(f"fast {seed}")
    writer = Writer(rng)
    lines = ["a = np.sin(x)", "b = a + x", "c = x * w", "other = b", "kept = [c]"]
    lines += ["part = a[1:]", "turned = x.T"]
    for _ in range(rng.randint(2, 6)):
        lines += writer.line()
    read = rng.sample(
        ["a", "b * c", "c ** 2", "other", "kept[-1]", "part", "turned"], 3
    )
    total = " + ".join(f"np.sum({one})" for one in read)
    lines.append(f"return {rng.choice(['a * other', 'b', total, total, total])}")
    params = (
        Parameter("x", ("n", "m")),
        Parameter("w", ("m",)),
        Parameter("v", ("n",)),
    )
    sizes = ({"n": 4, "m": 3}, {"n": 2, "m": 1}, {"n": 3, "m": 2})
    return Program(params, tuple(lines), seed, "f", (sizes[0], sizes[1 + seed % 2]))


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    fast, kind = Fast(engine), seed % 8
    if kind in (1, 2):
        made = imperative(seed) if kind == 1 else generate(seed)
        case = case_of(made, ("full", "half", "none")[seed // 8 % 3])
        calls, save = seed // 8 % 2 == 0, ("values", "state")[seed // 16 % 2]
        case = replace(case, keep_calls=calls and kind == 1, save=save)
        yield case, examine(case, fast, companions=seed % 3 == 0)
    elif kind in (3, 4, 5, 6):
        other = (shorter, totals, buffers, lists)[kind - 3]
        yield from other.verdicts(seed, fast)
    else:
        made = program(seed)
        if not made.fits():
            return
        told = {p.name: p.fact for p in made.params} if seed % 3 else {}
        names = tuple(p.name for p in made.params)
        case = Case(made, told, names, level="half", narrow=True)
        yield case, examine(case, fast, companions=seed % 2 == 0)
