"""faults(line, engine): what is wrong with the gradient of one call, in words.

A line is one expression and the shapes to try it at. Each set of shapes makes
two programs: the array itself (a random seed) and its sum (an adjoint that starts
as one number, and so may stay smaller than its variable for long). The array at the
first shapes is tried with nothing told and with all shape facts; of what is left each
line has a share in its turn, and all of it in a long test.
"""

from __future__ import annotations

import ast
import inspect
import re
import warnings
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from gradgen.errors import GradgenError
from tests.fuzz.case import Case, Truth
from tests.fuzz.judge import as_tuple, examine
from tests.fuzz.program import SCIPY, Parameter, Program, run
from tests.fuzz.report import report

# functions of matrices, of which one without entries is no case
MATRICES = ("linalg", *SCIPY)
NO_ARGUMENTS = ("np", "abs", "math", "fft", *SCIPY)
ONE = ("n d", "d", "n 1", "", "float")
TWO = (
    ("n d", "n d"),
    ("n d", "n 1"),
    ("1 d", "n d"),
    ("n d", "d"),
    ("", "n d"),
    ("n 1", "1 d"),
    ("b n d", "n 1"),
    ("n d", "float"),
)


@dataclass(frozen=True)
class Line:
    """An expression, the facts of its arguments, and the interval of their values."""

    text: str
    shapes: tuple[tuple[str, ...], ...]
    low: float = 0.3
    high: float = 1.7
    signed: bool = True
    other: tuple[float, float] | None = None  # the second argument's interval
    elementwise: bool = False
    ranked: bool = False  # without facts it may be refused; never wrong

    @property
    def names(self) -> tuple[str, ...]:
        """The arguments, in the order in which the expression reads them."""
        nodes = [n for n in ast.walk(ast.parse(self.text)) if isinstance(n, ast.Name)]
        nodes.sort(key=lambda node: node.col_offset)
        read = dict.fromkeys(node.id for node in nodes)
        return tuple(name for name in read if name not in NO_ARGUMENTS)


def unary(text: str, low: float, high: float) -> Line:
    """One elementwise function of x in (low, high), at each shape of ONE."""
    shapes = tuple((fact,) for fact in ONE)
    return Line(text, shapes, low, high, False, elementwise=True)


def binary(text: str, low: float, high: float, other=None) -> Line:
    """One of two arguments; `other` is the second one's interval, if it differs."""
    return Line(text, TWO, low, high, False, other, elementwise=True)


def shaped(text: str, *shapes: str) -> Line:
    """One that depends on shapes: the facts of each argument, in reading order."""
    return Line(text, (shapes,))


def ranked(text: str, *shapes: str) -> Line:
    """One that may be refused where no ranks are known, but only there."""
    return Line(text, (shapes,), ranked=True)


def parameters(line: Line, facts: tuple[str, ...]) -> tuple[Parameter, ...]:
    found = []
    for k, (name, fact) in enumerate(zip(line.names, facts, strict=True)):
        low, high = line.other if k == 1 and line.other else (line.low, line.high)
        dims = () if fact == "float" else tuple(fact.split())
        kind = "float" if fact == "float" else "array" if dims else "numpy"
        found.append(Parameter(name, dims, kind, low, high, line.signed))
    return tuple(found)


# Of what varies for every rule alike, one in so many is tried: the sum, the shapes of
# an elementwise line behind the first, all facts told there, and the text made with
# nothing told at all. The others are long tests.
TURNS = 3
# of the seven shapes behind the first: an array at one, and a sum at another
MORE_TURNS = 7
FORMS = 2  # the array itself, and its sum


def turn_of(line: Line) -> int:
    """A number of the line's own, by which it takes its turn."""
    return zlib.crc32(line.text.encode())


# a test by turns, and the long one of all that varies
WHOLE = pytest.mark.parametrize(
    "whole",
    [False, pytest.param(True, marks=pytest.mark.long)],
    ids=["by turns", "whole"],
)


def by_turns(lines: list, of: int = 2, first: int = 0) -> list:
    """The same lines; one in `of` is for the test command, the others are long tests."""
    return [
        line if at % of == first else pytest.param(line, marks=pytest.mark.long)
        for at, line in enumerate(lines)
    ]


def programs(line: Line, whole: bool = False) -> Iterator[tuple[int, Program]]:
    """The line's array and its sum, at every set of shapes, each with its place.

    The array at the first shapes is always one of them. Shapes behind the first are
    broadcast by the engine, not by a rule: other lines have other ones in their turn,
    and only the `whole` has all.
    """
    turn = turn_of(line)
    for at, facts in enumerate(line.shapes):
        turns = MORE_TURNS if at else TURNS
        for k, value in enumerate((line.text, f"np.sum({line.text})"), at * FORMS):
            if whole or k == 0 or (turn + k) % turns == 0:
                yield k, Program(parameters(line, facts), (f"return {value}",), seed=1)


def faults(line: Line, engine, forward: bool = False, whole: bool = False) -> str:
    """Reports on all that is wrong with the line, a refusal included; "" if nothing.

    `forward`: a rule without a forward form is wrong as well. Every program runs with
    nothing told, one in three with all facts too, and all that need their ranks; in
    forward mode it runs with the facts or without, as is the line's turn. The `whole`
    is every shape with all facts, both ways, and the text with nothing told.
    """
    found, turn = [], turn_of(line)
    for k, program in programs(line, whole):
        truth = Truth(program)
        names = tuple(param.name for param in program.params)
        wrt = names[0] if len(names) == 1 else names
        facts = {param.name: param.fact for param in program.params}
        for shapes in (facts, {}):
            if shapes and k % TURNS and not (whole or line.ranked):
                continue
            case = Case(program, shapes, wrt, complete=bool(shapes))
            text = k == 0 and (whole or turn % TURNS == 0)
            verdict = examine(case, engine, truth, companions=False, text=text)
            refused = verdict.refusal and not (line.ranked and not shapes)
            pushed = whole or k or line.ranked or turn % 2 == bool(shapes)
            if verdict.faults or refused or not verdict.measured:
                found.append(report(case, verdict))
            elif pushed and not verdict.refusal and hasattr(engine, "jvp"):
                if not k % FORMS:  # sums are linear
                    found += forward_faults(case, engine, forward)
    if not found:
        found += edge_faults(line, engine)
    if line.elementwise and not found:
        found += nan_faults(line, engine)
    return "\n".join(found[:3])


def forward_faults(case: Case, engine, needed: bool = False) -> Iterator[str]:
    """Reports on a forward rule that is not the reverse one's transpose.

    <seed, J v> = <J^T seed, v> for random v. A rule without a forward form
    refuses, which is a fault where it is `needed`.
    """
    function, told = case.program.function, dict(wrt=case.wrt, shapes=case.shapes)
    strict = dict(strict=True) if case.complete else {}
    reverse = engine.grad(function, **told, **strict)  # as it was examined
    for sample in (0, 1):
        args = case.program.arguments(sample)
        rng = np.random.default_rng(sample)
        vectors = [np.asarray(rng.normal(size=np.shape(a)))[()] for a in args]
        try:  # with nothing told, it is the call that makes it
            forward = engine.jvp(function, wrt=case.names, shapes=case.shapes)
            value, change = forward(*args, *vectors)
        except GradgenError as refusal:
            if needed or "GG306" not in str(refusal):
                yield f"forward: {refusal}"
            return
        if np.shape(change) != np.shape(value):
            shapes = f"{np.shape(change)}, not {np.shape(value)}"
            yield f"forward: shape {shapes}\n{forward.source}"
            return
        seed = np.asarray(rng.normal(size=np.shape(value)))[()]
        gradients = as_tuple(case, reverse(*args, seed=seed))
        want = sum(np.sum(g * v) for g, v in zip(gradients, vectors))
        scale = sum(np.sum(np.abs(g * v)) for g, v in zip(gradients, vectors))
        if not np.isclose(
            np.sum(seed * change), want, rtol=0, atol=1e-9 * scale + 1e-12
        ):
            yield f"forward: {np.sum(seed * change)}, not {want}\n{forward.source}"
            return


def edge_faults(line: Line, engine) -> Iterator[str]:
    """Reports on arrays in other orders of memory, and on arrays without entries.

    The arguments are left as they were. Where the primal takes empty arrays, the
    gradient has their shapes.
    """
    program = Program(
        parameters(line, line.shapes[0]), (f"return {line.text}",), seed=1
    )
    names = tuple(param.name for param in program.params)
    wrt = names[0] if len(names) == 1 else names
    told = {param.name: param.fact for param in program.params}
    gradient = engine.grad(program.function, wrt=wrt, shapes=told, strict=True)
    case, args = Case(program, told, wrt), program.arguments(0)
    seed = np.random.default_rng(1).normal(size=np.shape(program.function(*args)))
    wanted = as_tuple(case, gradient(*args, seed=seed[()]))
    for order in (strided, reversed_twice, np.asfortranarray):
        changed = [arg if np.ndim(arg) == 0 else order(arg) for arg in args]
        changed_seed = order(seed) if seed.ndim else seed[()]
        found = as_tuple(case, gradient(*changed, seed=changed_seed))
        for name, g, want in zip(names, found, wanted, strict=True):
            if not np.allclose(g, want, rtol=1e-12, atol=1e-14):
                yield f"{line.text}: d_{name} for {order.__name__} arrays\n{g}\n{want}"
        if not all(map(np.array_equal, changed, args)):
            yield f"{line.text}: an argument was changed"
    yield from empty_faults(line, program, gradient)


def strided(x: np.ndarray) -> np.ndarray:
    """The same entries, with a gap after each."""
    x = np.asarray(x)
    return np.repeat(x[..., None], 2, axis=-1)[..., 0]


def reversed_twice(x: np.ndarray) -> np.ndarray:
    """The same entries, with negative strides."""
    return np.flip(np.flip(x).copy())


def empty_faults(line: Line, program: Program, gradient) -> Iterator[str]:
    """Reports on a gradient that does not take the empty arrays that the primal does."""
    if any(word in line.text for word in MATRICES):
        return
    named = {d for p in program.params for d in p.dims if not d.isdecimal()}
    for empty in [named, *({dim} for dim in sorted(named) if len(named) > 1)]:
        sizes = {dim: 0 if dim in empty else n for dim, n in program.sizes[0].items()}
        rng = np.random.default_rng(0)
        args = [param.value(sizes, rng, np.float64) for param in program.params]
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("error")
            try:
                value = program.function(*args)
            except Exception:
                continue  # numpy refuses as well, or warns that it means nothing
            warnings.simplefilter("ignore")
            seed = np.ones(np.shape(value))[()]
            try:
                found = gradient(*args, seed=seed)
            except IndexError:
                continue  # a place that numpy does not look for in nothing
            except Exception as error:
                said = f"{type(error).__name__}: {error}"
                yield f"{line.text} of empty arrays: {said}\n{gradient.source}"
                return
        several = found if isinstance(found, tuple) else (found,)
        for param, g, arg in zip(program.params, several, args, strict=True):
            if np.shape(g) != np.shape(arg):
                said = f"d_{param.name} has the shape {np.shape(g)}"
                yield f"{line.text} of empty arrays: {said}\n{gradient.source}"


def nan_faults(line: Line, engine) -> Iterator[str]:
    """Reports on a nan that spreads: a gradient is nan only where the primal is."""
    facts = tuple("n d" for _ in line.names)
    program = Program(parameters(line, facts), (f"return {line.text}",), seed=2)
    wrt = line.names[0] if len(line.names) == 1 else line.names
    gradient = engine.grad(program.function, wrt=wrt, shapes={})
    for k, name in enumerate(line.names):
        args = program.arguments(0)
        args[k][0, 0] = np.nan
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            lost = np.isnan(program.function(*args))
            found = as_tuple(
                Case(program, {}, wrt), gradient(*args, seed=np.ones((3, 5)))
            )
        for other, g in zip(line.names, found):
            spread = np.isnan(g) & ~lost
            if np.any(spread):
                said = f"{line.text}: {name}[0, 0] = nan makes d_{other} nan at"
                yield f"{said} {np.argwhere(spread).tolist()}\n{gradient.source}"


def uncovered(operations: dict, lines: list[Line]) -> list[str]:
    """Calls of the elementwise operations that no line mentions, in order of name."""
    covered = {name for line in lines for name in re.findall(r"np\.(\w+)", line.text)}
    calls = []
    for operation, rule in sorted(operations.items()):
        name = operation.removeprefix("numpy.")
        function = getattr(np, name, None)
        if rule.kind == "elementwise" and name not in covered and callable(function):
            calls.append(f"np.{name}({', '.join('xyw'[: arity(function)])})")
    return calls


def arity(function) -> int:
    """How many arguments numpy's function must be given."""
    if isinstance(function, np.ufunc):
        return function.nin
    try:
        params = inspect.signature(function).parameters.values()
    except ValueError:  # a C function that does not tell, in NumPy before 2.0
        return 1
    return sum(param.default is param.empty for param in params)


def domain_of(text: str) -> tuple[float, float] | None:
    """The first interval in which the expression is finite, of those that rules use."""
    for low, high in ((0.2, 0.9), (1.2, 1.9), (-0.9, -0.2)):
        line = Line(text, (), low, high, False)
        facts = tuple("n d" for _ in line.names)
        program = Program(parameters(line, facts), (f"return {text}",), seed=1)
        if run(program.function, program.arguments(0)) is not None:
            return low, high
    return None
