"""A run of the generated gradient, whose lines a hand-written one is held against."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradgen.api import grad
from gradgen.errors import GradgenError
from gradgen.frozen import dataclass
from gradgen.runtime.dispatcher import Dispatcher
from gradgen.runtime.gradient import Gradient
from gradgen.verify.blame import Run
from gradgen.verify.traced import traced_text

LETTERS = "nmkpqrstuvwabcdefghij"


@dataclass(frozen=True)
class EmittedText:
    """An emitted module in reverse mode: its text, and how its function is called."""

    text: str
    function: str
    where: str
    wrt: tuple[str, ...]
    style: str = "joint"
    value: bool = False
    like: Callable[..., Any] | None = None


def generated_run(
    case: Any, at: int, leaves: list[Any], seed: Any
) -> tuple[Run | None, str]:
    """A run of the gradient for one name, and where its lines are; None for none."""
    nested, name = case.asked.nested, case.asked.names[at]
    if any(nested.arguments) or nested.result:
        return None, ""
    emitted = case.emitted or _made(case.f, name, nested.names, leaves)
    if emitted is None or name not in emitted.wrt:
        return None, ""
    function, trace = traced_text(emitted.text, emitted.function, emitted.like)
    given = np.array(np.broadcast_to(seed, np.shape(case.asked.result)))
    given = (given if np.iscomplexobj(given) else given.astype(float))[()]
    named = dict(zip(nested.names, nested.nested(leaves), strict=True))
    if emitted.style == "callback":
        _, backprop = function(**named)
        found = backprop(given)
    else:
        own = inspect.signature(function).parameters
        (last,) = (p for p in own if p not in named)
        found = function(**named, **{last: given})
        found = found[1] if emitted.value else found
    found = found if len(emitted.wrt) > 1 else (found,)
    return Run(trace, np.array(found[emitted.wrt.index(name)])), emitted.where


def _made(
    f: Callable[..., Any], name: str, names: Sequence[str], leaves: Sequence[Any]
) -> EmittedText | None:
    """The gradient for the arguments at hand, None where gradgen refuses it."""
    for shapes in (_shapes(names, leaves), {}):
        try:
            made = grad(f, name, shapes=shapes)
            made = made.general if isinstance(made, Dispatcher) else made
        except GradgenError:
            continue
        if not isinstance(made, Gradient) or made.held:
            return None
        return EmittedText(
            made.source, made.__name__, "generated", (name,), like=made.function
        )
    return None


def _shapes(names: Sequence[str], leaves: Sequence[Any]) -> dict[str, str]:
    """Shape facts of the arguments at hand: equal lengths have equal names."""
    letters: dict[int, str] = {}
    facts = {}
    for name, leaf in zip(names, leaves, strict=True):
        if not isinstance(leaf, (float, np.ndarray, np.floating)):
            continue
        for length in np.shape(leaf):
            if length > 1 and length not in letters:
                letters[length] = LETTERS[len(letters)]
        facts[name] = " ".join(letters.get(n, str(n)) for n in np.shape(leaf))
    return facts
