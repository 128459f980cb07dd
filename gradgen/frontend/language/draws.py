"""Generators of random numbers that are made, and perhaps never asked for a number.

before:  self.rng = np.random.default_rng(seed)      after:  self.w = np.zeros(3)
         self.w = np.zeros(3)

One that is made is like one that an instance holds: handed on, kept in a field, asked
for its class. What draws of it is refused, where it draws.
"""

from __future__ import annotations

import random
import sys
from functools import lru_cache
from typing import Any, NoReturn

import gast

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.source.holding import draws
from gradgen.frontend.source.lookup import among
from gradgen.ir.nodes import Const, Expr

DRAWS = "the draws as an argument"


def makers() -> tuple[Any, ...]:
    """What makes generators; numpy.random is not loaded for its sake."""
    numpys = sys.modules.get("numpy.random")
    names = () if numpys is None else ("default_rng", "RandomState")
    return random.Random, *(getattr(numpys, name) for name in names)


@lru_cache
def _made_by(maker: Any) -> Any:
    """What stands for all generators that one function makes: nothing is drawn of it."""
    return maker(0)


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    """A generator that is made: the one that was given, or a new one."""
    if not among(value, makers()):
        return special_call.further(lowering, value, node)
    given = [*node.args, *(word.value for word in node.keywords)]
    handles = [lowering.read(arg) for arg in given]
    held = getattr(handles[0], "value", None) if len(handles) == 1 else None
    return Const(held if draws(held) else _made_by(value))


@answers(Lowering.no_method)
def no_method(lowering: Lowering, node: gast.Attribute, receiver: Expr) -> NoReturn:
    """A method of a generator draws."""
    _refuse_draws(lowering, node, receiver)
    no_method.further(lowering, node, receiver)


@answers(Lowering.no_attribute)
def no_attribute(lowering: Lowering, node: gast.Attribute, value: Expr) -> NoReturn:
    """So does a method that is handed on by its name: sample = rng.normal."""
    _refuse_draws(lowering, node, value)
    no_attribute.further(lowering, node, value)


def _refuse_draws(lowering: Lowering, node: gast.AST, handle: Expr) -> None:
    if draws(getattr(handle, "value", None)):
        told = (
            "no gradient through draws: random numbers are no function of the arguments"
        )
        lowering.fail("GG218", told, node, DRAWS)
