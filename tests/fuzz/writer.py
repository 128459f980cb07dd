"""A program being written: what is in scope, and what each expression is worth.

Every piece of text is evaluated when it is written, at both sets of sizes. So
shapes are never predicted, only observed, and a piece that fails, warns, grows
too large or comes near a kink is dropped at once.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import numpy as np

LARGEST_VALUE = 1e3
LARGEST_SIZE = 300
NEAR = 2e-3  # closer to a kink than this is too close for differences

# How tightly text binds: what must be put in parentheses, and where.
ATOM, POWER, UNARY, PRODUCT, SUM = range(5)


class Rejected(Exception):
    """This piece of text is no part of a well-conditioned program."""


@dataclass(frozen=True)
class Expr:
    """Text, how tightly it binds, and its values at the two sets of sizes."""

    text: str
    level: int
    values: tuple

    def within(self, level: int) -> str:
        """The text as an operand of an operator that binds as `level` does."""
        return self.text if self.level <= level else f"({self.text})"

    @property
    def atom(self) -> str:
        """The text as it can stand before a dot or a bracket."""
        return self.within(ATOM)

    @property
    def shape(self) -> tuple[int, ...]:
        return np.shape(self.values[0])

    @property
    def ndim(self) -> int:
        return len(self.shape)


class Writer:
    """Names in scope with their values, and the random choices of one program."""

    def __init__(self, rng: Random, scopes: tuple[dict, dict]):
        self.rng = rng
        self.scopes = scopes
        self.unread = set(scopes[0])
        self.productions: list[tuple[int, Callable]] = []

    # -- text and its values

    def values(self, text: str) -> tuple:
        """What the text is worth in the two scopes; Rejected when it has no value."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                return tuple(eval(text, {"np": np}, dict(s)) for s in self.scopes)
        except Exception as error:  # random text fails in every way there is
            raise Rejected(text) from error

    def write(self, text: str, level: int = ATOM) -> Expr:
        """The text as an expression, if its values are fit to compute with."""
        values = self.values(text)
        for value in values:
            array = np.asarray(value)
            if array.dtype.kind != "f" or not 0 < array.size <= LARGEST_SIZE:
                raise Rejected(text)
            if not np.all(np.abs(array) <= LARGEST_VALUE):
                raise Rejected(text)
        if np.ndim(values[0]) != np.ndim(values[1]):
            raise Rejected(text)
        return Expr(text, level, values)

    def assign(self, name: str, expr: Expr) -> None:
        for scope, value in zip(self.scopes, expr.values):
            scope[name] = value
        self.unread.add(name)

    def away_from_zero(self, text: str, distance: float = NEAR) -> None:
        """Rejected unless every entry of the text's value is away from 0."""
        for value in self.values(text):
            if not np.all(np.abs(value) > distance):
                raise Rejected(text)

    # -- choices

    def pick(self, *choices):
        return self.rng.choice(choices)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def name(self) -> Expr:
        """A name in scope, an unread one more likely, so that few lines are dead."""
        names = sorted(self.scopes[0])
        weights = [4 if name in self.unread else 1 for name in names]
        [name] = self.rng.choices(names, weights)
        self.unread.discard(name)
        return self.write(name)

    def number(self) -> str:
        return self.pick("2", "3", "0.5", "1.5", "0.25", "2.0", "1e-3", "-1", "-0.5")

    def expression(self, depth: int) -> Expr:
        """A name, or a production of nesting `depth` at most."""
        if depth <= 0:
            return self.name()
        weights = [weight for weight, _ in self.productions]
        for _ in range(8):
            [(_, production)] = self.rng.choices(self.productions, weights)
            unread = set(self.unread)
            try:
                return production(self, depth)
            except Rejected:
                self.unread = unread
        return self.name()

    def operand(self, depth: int) -> Expr:
        """An expression of less depth; often just a name."""
        return self.expression(self.rng.randrange(depth))

    def array(self, depth: int, ndim: int = 1) -> Expr:
        """An operand with at least `ndim` dims."""
        for _ in range(6):
            found = self.operand(depth)
            if found.ndim >= ndim:
                return found
        raise Rejected(f"no operand of {ndim} dims")

    def partner(self, x: Expr, depth: int) -> Expr:
        """An operand that broadcasts with x, at both sizes, to the same rank."""
        for _ in range(8):
            y = self.operand(depth)
            try:
                for one, other in zip(x.values, y.values):
                    np.broadcast_shapes(np.shape(one), np.shape(other))
            except ValueError:
                continue
            return y
        raise Rejected(f"no partner for {x.text}")
