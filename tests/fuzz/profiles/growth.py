"""Long programs: hundreds of statements, long sums, deep nests, many calls.

Emission has to end, in about the time that the operations take, and to be right.
Every tenth program has a hundred statements and more, the others a dozen and more.
Nothing that is decided comes near its edge, so that differences measure well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from tests.fuzz.case import Case, Truth, case_of
from tests.fuzz.judge import Fault, Verdict, examine_within
from tests.fuzz.program import OTHER_SIZES, FIRST_SIZES, Parameter, Program, run

PROGRAMS = 1  # the second takes 26 s of emission with nothing told
# Seconds of the processor for each operation, for all texts of a program (up to three
# of about 0.0025): generous, for slow machines.
SECONDS = 0.02
LARGEST = 1e6  # sines of larger numbers are told by rounding alone
HELPERS = """
def blend(a, b, c=0.5):
    t = np.tanh(a * b)
    return c * t + (1 - c) * a


def deeper(a, b):
    return blend(blend(a, b), b, 0.25)
"""
# steps of chains, and what a chain may end in
STEPS = [
    "0.9 * {}",
    "np.log(1 + {} ** 2)",
    "np.abs({})",
    "np.sin({}) * y",
    "0.4 * {} + 0.6 * w",
    "np.exp(-{} * {})",
    "{} / (2 + {} ** 2)",
    "(y > -50) * {}",
]
ENDS = ["np.where(y > -50, {}, 0.0)", "np.clip({}, -90, 90)", "np.maximum({}, -70)"]
# a, b and c stand for names, k for a number
PLAIN = [
    "np.tanh(a * b) * 0.7 + 0.3 * c",
    "0.5 * (np.sin(a) + b)",
    "a / (1 + b * b)",
    "np.exp(-a * a) * b + 0.1 * c",
    "a - np.mean(b)",
    "a / np.sqrt(np.sum(b * b) + 1)",
    "np.where(a > -50, a * b, c) / (2 + c * c)",
    "np.where(a < -40, b, np.where(b < 60, c, a))",
    "np.maximum(0.6 * a, -20) + 0.2 * np.minimum(b, 30)",
    "np.clip(a * b, -90, 90) / (1 + a * a)",
    "blend(a, b)",
    "deeper(a, 0.5 * b)",
    "np.cos(0.k * a) - 0.2 * b",
    "np.stack([a, b, c])[k % 3]",
]


@dataclass(frozen=True)
class Long(Program):
    """A program of many statements, with functions that it calls."""

    @property
    def source(self) -> str:
        before, after = super().source.split("\n\n\n", 1)
        return f"{before}\n\n{HELPERS}\n\n{after}"


class Lines:
    """The statements of a long program; all its values are arrays of one length."""

    def __init__(self, rng: Random, names: list[str]) -> None:
        self.rng, self.names, self.lines = rng, names, []

    def name(self) -> str:
        """One of the names: the last ones mostly."""
        return self.rng.choice(
            self.names if self.rng.random() < 0.4 else self.names[-4:]
        )

    def filled(self, text: str) -> str:
        for letter in "abc":
            text = "".join(
                self.name() if part == letter else part for part in _words(text)
            )
        return text.replace("0.k", f"0.{self.rng.randint(1, 9)}").replace(
            "k % 3", str(self.rng.randint(0, 2))
        )

    def expression(self) -> str:
        roll = self.rng.random()
        if roll < 0.06:
            many = self.rng.randint(5, 60)
            terms = (
                f"{self.name()} * np.sin({self.name()} * {i + 1})" for i in range(many)
            )
            return f"({' + '.join(terms)}) / {many}"
        if roll < 0.09:
            factors = (
                f"(1 + 0.01 * {self.name()})" for _ in range(self.rng.randint(5, 40))
            )
            return f"np.tanh({' * '.join(factors)})"
        if roll < 0.12:
            text = self.name()
            for _ in range(self.rng.randint(5, 40)):
                text = f"np.{self.rng.choice(['sin', 'tanh', 'cos'])}({text})"
            return text
        return self.filled(self.rng.choice(PLAIN))

    def statement(self, indent: str = "", deep: int = 0) -> None:
        """One statement, in a loop or a branch what stands in it as well."""
        roll = self.rng.random()
        if roll < 0.08 and deep < 4:
            index = "ijpq"[deep]
            self.lines.append(
                f"{indent}for {index} in range({self.rng.randint(1, 3)}):"
            )
            self.block(indent, deep)
        elif roll < 0.14 and deep < 4:
            sign, far = self.rng.choice([(">", -900), (">", 900), ("<", 800)])
            self.lines.append(f"{indent}if np.sum({self.name()}) {sign} {far}:")
            self.block(indent, deep)
            if self.rng.random() < 0.5:
                self.lines.append(f"{indent}else:")
                self.block(indent, deep)
        elif roll < 0.22:
            self.lines += [f"{indent}z = {self.name()} + 0.0"]
            self.lines += [f"{indent}z[0] = np.sum({self.name()}) / 20"]
            self.lines += [f"{indent}z[1:] += 0.3 * {self.name()}[:-1]"]
            self.lines += [f"{indent}{self.target(deep)} = 0.5 * z"]
        elif roll < 0.25:
            name, step = self.target(deep), self.rng.choice(STEPS)
            self.lines.append(f"{indent}{name} = x * {self.name()}")
            for _ in range(self.rng.randint(5, 30)):
                self.lines.append(f"{indent}{name} = {step.replace('{}', name)}")
            end = self.rng.choice(ENDS).replace("{}", name)
            self.lines.append(f"{indent}{name} = {end}")
        else:
            value = self.expression()
            self.lines.append(f"{indent}{self.target(deep)} = {value}")

    def block(self, indent: str, deep: int) -> None:
        for _ in range(self.rng.choice([1, 1, 2, 3, 12])):
            self.statement(indent + "    ", deep + 1)

    def target(self, deep: int) -> str:
        """A new name, or one that is assigned again; inside blocks that alone."""
        if deep or self.rng.random() < 0.5:
            return self.rng.choice([name for name in self.names if name[0] == "v"])
        self.names.append(f"v{len(self.names)}")
        return self.names[-1]


def _words(text: str) -> list[str]:
    """The text's words and what stands between them."""
    words, last = [""], None
    for char in text:
        if (kind := char.isalnum() or char in "._") != last:
            words.append("")
            last = kind
        words[-1] += char
    return words


def program(seed: int) -> Long:
    """The program of this seed: 100 to 400 statements if it is a tenth one, or 15 to 40."""
    rng = Random(f"growth {seed}")
    while True:
        params = tuple(Parameter(name, ("n",)) for name in ("x", "y", "w"))
        lines = Lines(rng, ["x", "y", "w", "v0", "v1"])
        lines.lines = ["v0 = x * y", "v1 = np.sin(w) + x"]
        sizes = [15, 20, 30, 40] if seed % 10 else [100, 100, 150, 200, 300, 400]
        many = rng.choice(sizes)
        while len(lines.lines) < many:
            lines.statement()
        last = " + ".join(lines.names[-12:])
        if rng.random() < 0.3:
            last = rng.choice(ENDS).replace("{}", f"({last})")
        lines.lines.append(f"return np.sum({last})")
        lengths = (FIRST_SIZES, OTHER_SIZES[0])
        made = Long(params, tuple(lines.lines), seed, "program", lengths)
        values = [run(made.function, made.arguments(k)) for k in (0, 1)]
        if all(value is not None and abs(value) < LARGEST for value in values):
            return made


def _operations(text: str) -> int:
    """How many operations a program has, the bodies of what it calls counted each time."""
    many = 0
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            many += {"blend": 7, "deeper": 15}.get(node.func.id, 1)
        else:
            many += isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript))
    return many


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """One request for each program: with facts or without, now and then another one."""
    made = program(seed)
    case = replace(case_of(made, ("full", "none")[seed % 2]), complete=False)
    if seed % 4 == 3:
        case = replace(case, save="state")
    if seed % 4 == 2:
        case = replace(case, keep_calls=True)
    truth = Truth(made)
    measured = truth.measures(case.names)
    many = _operations(made.source)
    verdict, taken = examine_within(SECONDS * many, case, engine, truth)
    if measured and taken > SECONDS * many:
        verdict.faults.append(Fault("too long", f"{taken:.1f} s for {many} operations"))
    yield case, verdict
