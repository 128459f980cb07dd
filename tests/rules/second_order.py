"""second_faults(line, engine): what is wrong with the derivatives of an emitted gradient.

The first gradient of a line, with all facts, is emitted and imported; its text is
what is differentiated again: by reverse mode (reverse over reverse) and, one
argument's gradient at a time, by forward mode (forward over reverse). The arguments
and the seed of the first gradient all move. Both are held against the derivative of
the first gradient along a random direction, measured by gradgen.verify.finite; that
the first gradient is right is the line's own test.
"""

from __future__ import annotations

import re
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from gradgen.errors import GradgenError
from gradgen.shapes.spec import read_size
from gradgen.verify.finite import directional
from tests.fuzz.case import RTOL
from tests.fuzz.program import Program, imported
from tests.rules.checker import Line, parameters


@dataclass(frozen=True)
class First:
    """An emitted first gradient: its function, and where and along what it is tried."""

    text: str
    function: Callable
    shapes: dict[str, str]
    args: tuple
    along: tuple

    def results(self, args: tuple) -> tuple:
        """The gradients, as a tuple also where there is one."""
        found = self.function(*args)
        return found if isinstance(found, tuple) else (found,)

    def change(self) -> tuple[np.ndarray, float]:
        """The derivative of all results, one behind the other, and its error."""

        def flat(*args):
            return np.concatenate([np.ravel(part) for part in self.results(args)])

        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = directional(flat, self.args, self.along)
        return found.value, np.max(found.error, initial=0.0)


def first(line: Line, engine, *wrt: str) -> First:
    """The first gradient of a line in some of its arguments; GradgenError if refused."""
    program = Program(
        parameters(line, line.shapes[0]), (f"return {line.text}",), seed=1
    )
    shapes = {param.name: param.fact for param in program.params}
    asked = wrt if len(wrt) > 1 else wrt[0]
    text = engine.emit(program.function, wrt=asked, shapes=shapes)
    function = imported(text, f"grad_{program.name}")
    args = program.arguments(0)
    rng = np.random.default_rng(5)
    seed = rng.uniform(0.5, 1.5, np.shape(program.function(*args)))[()]
    code = function.__code__
    seed_name = code.co_varnames[code.co_argcount - 1]
    shapes |= fact_of_seed(text, seed_name, np.shape(seed))
    args = (*args, seed)
    along = tuple(np.asarray(rng.normal(size=np.shape(a)))[()] for a in args)
    return First(text, function, shapes, args, along)


def fact_of_seed(text: str, name: str, shape: tuple[int, ...]) -> dict[str, str]:
    """What the text tells of the seed's shape, where a fact can say it: not "?"."""
    told = re.search(rf"{name} \((.*?)\)", text)
    dims = told[1].replace(" ", "").split(",") if told and shape else []
    plain = len(dims) == len(shape) and all(map(read_size, dims))
    return {name: " ".join(dims)} if plain else {}


def second_faults(line: Line, engine) -> Iterator[tuple[str, str]]:
    """("reverse" or "forward", a report) for each thing wrong, a refusal included."""
    names = line.names
    of_all = first(line, engine, *names)
    want, error = of_all.change()
    scale = np.max(np.abs(want), initial=0.0)
    close = RTOL * scale + 1e-7
    if not error <= close:
        yield "unmeasured", f"{line.text}: {error} of {scale}"
        return
    for mode, found in (
        ("reverse", _reverse(of_all, engine, want, close)),
        ("forward", _forward(line, of_all, engine, want, close)),
    ):
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for report in found:
                    yield mode, f"{line.text}: {mode}: {report}"
        except GradgenError as refusal:
            yield mode, f"{line.text}: {mode}: {refusal}\n{of_all.text}"
        except Exception:
            said = traceback.format_exc(limit=-3)
            yield mode, f"{line.text}: {mode}: {said}\n{of_all.text}"


def _reverse(made: First, engine, want, close) -> Iterator[str]:
    wrt = tuple(made.function.__code__.co_varnames[: len(made.args)])
    second = engine.grad(made.function, wrt=wrt, shapes=made.shapes)
    results = made.results(made.args)
    rng = np.random.default_rng(9)
    weights = [np.asarray(rng.normal(size=np.shape(part)))[()] for part in results]
    seed = tuple(weights) if len(weights) > 1 else weights[0]
    found = second(*made.args, seed=seed)
    for name, arg, g in zip(wrt, made.args, found, strict=True):
        if np.shape(g) != np.shape(arg):
            yield f"d_{name} has the shape {np.shape(g)}\n{second.source}"
            return
    got = sum(np.sum(g * v) for g, v in zip(found, made.along, strict=True))
    weight = np.concatenate([np.ravel(part) for part in weights])
    if not abs(got - np.sum(weight * want)) <= close * max(1, np.sum(np.abs(weight))):
        yield f"{got}, not {np.sum(weight * want)}\n{second.source}"


def _forward(line: Line, of_all: First, engine, want, close) -> Iterator[str]:
    sizes = [np.size(part) for part in of_all.results(of_all.args)]
    parts = np.split(want, np.cumsum(sizes)[:-1])
    for name, part in zip(line.names, parts, strict=True):
        made = of_all if len(line.names) == 1 else first(line, engine, name)
        wrt = tuple(made.function.__code__.co_varnames[: len(made.args)])
        forward = engine.jvp(made.function, wrt=wrt, shapes=made.shapes)
        value, change = forward(*made.args, *made.along)
        if np.shape(change) != np.shape(value):
            yield f"d_{name}: shape {np.shape(change)}\n{forward.source}"
        elif not np.all(np.abs(np.ravel(change) - part) <= close):
            yield f"d_{name}: {change}, not {part}\n{forward.source}"
