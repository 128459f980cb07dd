"""Arguments to try a gradient with, made from what is known of their shapes."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from itertools import permutations
from typing import Any

import numpy as np

from gradgen.frontend.source.source import Source
from gradgen.frozen import dataclass
from gradgen.shapes.dims import Dim
from gradgen.shapes.spec import FITS, OR_ROW, read_annotation, read_shape
from gradgen.shapes.statics import is_static, value_of

# Lengths for the named axes in order of appearance, at each of the two sizes:
# different for different names, so that no transposed axis goes unseen.
LENGTHS = ((3, 4, 2, 5, 6, 7), (5, 2, 4, 3, 7, 6))
# Where a gradient may go another way: lengths of 1, and different names that agree.
SPECIAL = ((1,), (3,), (2,))
# Sizes at which derivatives along a direction are measured, the first that is quick.
LARGER = ((23, 17, 12, 19, 14, 21), (11, 9, 8, 10, 7, 12))
# Shapes for an argument of which nothing is known, the same for all of them.
GUESSES = ((4,), (3, 4), ())
# for a parameter that is a whole number
COUNT = 3
# and one that is told to be one, ":int", and counts no rounds: a place that each axis has
PLACE = 1
# Where values are drawn from, tried in this order: negative numbers as well,
# positive ones, the inside of (0, 1) and numbers above 1.
INTERVALS = ((-1.7, 1.7), (0.3, 1.7), (0.1, 0.9), (1.2, 1.9))

# the length of one axis, from those of others
Length = Callable[[Mapping[str, int]], int]


@dataclass(frozen=True)
class Draw:
    """Where the numbers of arguments are drawn from.

    `conditioned` says that matrices are scaled by their size, and that square ones are
    positive definite: what is solved, inverted or applied many times needs it.
    """

    interval: tuple[float, float]
    conditioned: bool = False


# In this order, until the function suits: as they are, well conditioned, and smaller.
DRAWS = tuple(map(Draw, INTERVALS)) + tuple(
    Draw((part * low, part * high), True)
    for part in (1.0, 0.4, 0.1)
    for low, high in INTERVALS[:2]
)


@dataclass(frozen=True)
class Parameter:
    """A parameter of a primal: its shape as text, None when it is not known.

    `default` is its default value, or None; `sort` is "float", "int" or "bool"
    when that is its annotation, "fixed" where `default` is its value, else ""; `complex`
    says that it is complex, `optional` that it is None by default.
    """

    name: str
    fact: str | None
    default: object = None
    sort: str = ""
    complex: bool = False
    optional: bool = False


@dataclass(frozen=True)
class Layout:
    """The shape of each argument, None for one that is not an array of floats."""

    parameters: tuple[Parameter, ...]
    shapes: tuple[tuple[int, ...] | None, ...]
    sizes: str
    plain: bool  # whether scalars are Python's own
    # the lengths of the named axes, and the shape of what is not known
    lengths: Mapping[str, int] = field(default_factory=dict)
    guess: tuple[int, ...] = ()

    def arguments(
        self, rng: np.random.Generator, dtype: Any, draw: Draw | tuple[float, float]
    ) -> list[Any]:
        """One random value for each parameter."""
        draw = draw if isinstance(draw, Draw) else Draw(draw)
        found = []
        for parameter, shape in zip(self.parameters, self.shapes):
            value = self._argument(parameter, shape, rng, dtype, draw.interval)
            is_float = isinstance(value, np.ndarray) and value.dtype.kind in "fc"
            if draw.conditioned and is_float and value.ndim >= 2:
                value = conditioned(value)
            found.append(value)
        return found

    def _argument(
        self,
        parameter: Parameter,
        shape: tuple[int, ...] | None,
        rng: np.random.Generator,
        dtype: Any,
        interval: tuple[float, float],
    ) -> Any:
        if shape is None:
            if parameter.default is not None:
                return parameter.default
            return {"int": COUNT, "bool": True}.get(parameter.sort)
        if parameter.complex:
            return self._complex(parameter, shape, rng, dtype, interval)
        if shape and parameter.sort == "bool":
            return rng.uniform(size=shape) < 0.6
        if shape and parameter.sort == "int":
            return rng.integers(0, 2, shape)  # places that each axis has
        low, high = interval
        value = rng.uniform(low, high, shape)
        if low < 0:
            # Nothing next to 0, where abs, sqrt and division are hard to measure.
            part = high / INTERVALS[0][1]
            value = np.where(np.abs(value) < 0.2 * part, value + 0.5 * part, value)
        if shape == ():
            python = parameter.sort == "float" or (self.plain and dtype is np.float64)
            return float(value) if python else dtype(value)
        return value.astype(dtype)

    def _complex(
        self,
        parameter: Parameter,
        shape: tuple[int, ...] | None,
        rng: np.random.Generator,
        dtype: Any,
        interval: tuple[float, float],
    ) -> Any:
        """Two real arguments as the parts of a complex one."""
        plain = replace(parameter, complex=False)
        pair = (self._argument(plain, shape, rng, dtype, interval) for _ in range(2))
        real, imaginary = pair
        return real + 1j * imaginary


def conditioned(value: np.ndarray) -> np.ndarray:
    """Matrices made small beside 1; of square ones a positive definite one is made.

    Its eigenvalues lie between 0.4 and 1.
    """
    rows, columns = value.shape[-2:]
    size = np.sqrt(np.mean(np.abs(value) ** 2)) or 1.0
    scaled = value / (max(size, 1.0) * np.sqrt(columns))
    if rows == columns:
        turned = np.conj(np.swapaxes(value, -1, -2))
        square = value @ turned
        largest = np.max(np.abs(np.linalg.eigvalsh(square)), initial=0.0) or 1.0
        scaled = 0.4 * np.eye(rows) + 0.6 * square / largest
    return np.asarray(scaled, value.dtype)


def known_parameters(
    source: Source,
    function: Callable[..., Any],
    facts: Mapping[str, str],
    complexes: Sequence[str] = (),
    assumed: Collection[str] = (),
) -> tuple[Parameter, ...]:
    """The parameters of a primal with their shape texts: given or annotated.

    `source` is the frontend's, `function` the primal itself; `complexes` are the
    names of the complex ones, `assumed` those whose facts nobody told.
    """
    found = []
    signature = inspect.signature(function).parameters
    counts = _counts(source.lines)
    letters = {word for text in facts.values() for word in text.split()}
    counts |= {arg for arg in letters & facts.keys() if facts[arg] == ":int"}
    for arg in source.node.args.args + source.node.args.kwonlyargs:
        default = signature[arg.id].default
        optional = default is None
        default = None if default is inspect.Parameter.empty else default
        annotation = source.segment(arg.annotation) if arg.annotation else None
        fact = facts.get(arg.id, read_annotation(annotation))
        if is_static(fact):
            assert fact is not None
            found.append(
                Parameter(arg.id, None, value_of(fact, source.globals), "fixed")
            )
            continue
        fact, _, entries = (None,) * 3 if fact is None else fact.partition(":")
        plain = entries or (annotation or "").strip("\"'")
        sort = plain if plain in ("float", "int", "bool") else ""
        if arg.id in counts and fact in (None, "", "()"):
            sort, fact = "int", None
        elif sort == "int" and entries and not fact and default is None:
            fact, default = None, PLACE
        optional = optional and (fact is None or arg.id in assumed)
        of = arg.id in complexes, optional
        found.append(Parameter(arg.id, fact, default, sort, *of))
    return tuple(found)


def _counts(lines: Sequence[str]) -> set[str]:
    """The names that bound a range in a function's text: whole numbers.

    Not those of arrays whose lengths do: range(len(A)), range(A.shape[0]).
    """
    found = set()
    for call in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "range":
            for arg in call.args:
                found |= set(_bounds(arg))
    return found


def _bounds(node: ast.AST) -> Iterator[str]:
    """The names that an expression computes with as numbers."""
    if isinstance(node, ast.Name):
        yield node.id
    elif not isinstance(node, (ast.Subscript, ast.Attribute)):
        named = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "len"
        for child in () if named else ast.iter_child_nodes(node):
            yield from _bounds(child)


def related(
    parameters: Sequence[Parameter], wrt: Sequence[str]
) -> Iterator[tuple[Layout, ...]]:
    """The shapes to try where lengths hang together: k = 4 * m, k = m + n, k = m + 1.

    Or where one is that of what is guessed: x (4) beside a W (n, m).
    """
    plain = list(layouts(parameters, wrt))
    names = list(plain[0].lengths)
    found: list[tuple[str, Length]] = []
    if plain[0].guess:
        found += [(name, lambda _: GUESSES[0][0]) for name in names]
    for one, other in permutations(names, 2):
        for times in (2, 3, 4):
            found.append((one, _multiple(other, times)))
        for more in (1, -1):
            found.append((one, _more(other, more)))
    for one, *two in permutations(names, 3):
        if two == sorted(two):
            found.append((one, _together(*two)))
    for name, length in found:
        yield tuple(
            layout
            for k, base in enumerate(plain)
            for layout in layouts(
                parameters, wrt, {**base.lengths, name: length(base.lengths)}
            )
            if layout.plain == base.plain and layout.guess == base.guess
        )


def _counted(parameters: Sequence[Parameter]) -> dict[str, int]:
    """The whole numbers that are the lengths of axes called like them."""
    letters = {word for one in parameters for word in (one.fact or "").split()}
    whole = [p for p in parameters if p.sort == "int" and p.name in letters]
    told = {p.name: p.default for p in whole if p.fact is None}
    return {x: one if isinstance(one, int) else COUNT for x, one in told.items()}


def _multiple(one: str, times: int) -> Length:
    return lambda lengths: times * lengths[one]


def _more(one: str, more: int) -> Length:
    return lambda lengths: lengths[one] + more


def _together(one: str, other: str) -> Length:
    return lambda lengths: lengths[one] + lengths[other]


def layouts(
    parameters: Sequence[Parameter],
    wrt: Sequence[str],
    known: Mapping[str, int] | None = None,
    sizes_tried: Sequence[tuple[int, ...]] = LENGTHS,
) -> Iterator[Layout]:
    """The shapes to try: two sizes, and each guess where something is unknown.

    `known` are lengths that named axes have in both; `sizes_tried` are the lengths
    of the others.
    """
    unknown = any(is_guessed(p, wrt) for p in parameters)
    for guess in GUESSES if unknown else ((),):
        for k, lengths in enumerate(sizes_tried):
            sizes: dict[str, int] = _counted(parameters) | dict(known or {})
            shapes: list[tuple[int, ...] | None] = []
            for parameter in parameters:
                if is_guessed(parameter, wrt):
                    shapes.append(guess)
                elif _is_number(parameter, wrt):
                    shapes.append(())
                elif parameter.fact is None or _keeps_default(parameter, wrt):
                    shapes.append(None)
                else:
                    shapes.append(_shape(parameter.fact, sizes, lengths, k))
            named = [f"{name}={n}" for name, n in sizes.items()]
            named += [f"guessed shape {guess}"] if unknown else []
            text = ", ".join(named) or "scalars"
            yield Layout(tuple(parameters), tuple(shapes), text, k == 0, sizes, guess)


def left_out(known: Iterable[Layout], wrt: Sequence[str]) -> Iterator[Layout]:
    """Layouts without the arguments that are None by default, of the first lengths."""
    for layout in known:
        names = [p.name for p in layout.parameters if p.optional and p.name not in wrt]
        if not names or not layout.plain:
            continue
        own = zip(layout.parameters, layout.shapes, strict=True)
        pairs = [
            (Parameter(p.name, None, None, "fixed"), None)
            if p.name in names
            else (p, s)
            for p, s in own
        ]
        parameters, shapes = zip(*pairs, strict=True)
        told = f"{layout.sizes}, {' and '.join(names)} left out"
        yield replace(layout, parameters=parameters, shapes=shapes, sizes=told)


def _keeps_default(parameter: Parameter, wrt: Sequence[str]) -> bool:
    """Whether a number is better left at its default: a tolerance."""
    number = type(parameter.default) in (int, float)
    return number and parameter.name not in wrt


def _is_number(parameter: Parameter, wrt: Sequence[str]) -> bool:
    """Whether a gradient is asked of an argument that is a number by default."""
    number = type(parameter.default) in (int, float, complex)
    return number and parameter.fact is None and parameter.name in wrt


def is_guessed(parameter: Parameter, wrt: Sequence[str]) -> bool:
    """Whether an array is made up for it: nothing else stands for it."""
    if parameter.fact is not None:
        return False
    if parameter.name in wrt:
        return not _is_number(parameter, wrt)
    return parameter.default is None and parameter.sort not in ("int", "bool", "fixed")


def _shape(
    fact: str, sizes: dict[str, int], lengths: tuple[int, ...], k: int
) -> tuple[int, ...]:
    """The shape a fact stands for; `sizes` learns the names that are new."""
    if OR_ROW in fact:  # a vector, and then one row
        fact = fact.strip("()").split(OR_ROW)[1 if k else 0]
    shape = read_shape(fact.removeprefix(FITS))
    if fact.startswith(FITS) and k:  # the largest that it may be, and then a number
        return ()
    if shape.dims is None:
        # "*s" stands for any shape: that of a matrix, then that of a vector.
        return lengths[:2] if k == 0 else lengths[:1]
    return tuple(_length(dim, sizes, lengths, k) for dim in shape.dims)


def _length(dim: Dim, sizes: dict[str, int], lengths: tuple[int, ...], k: int) -> int:
    if dim.number is not None:
        return dim.number
    name = dim.symbol
    if name is None:  # 4*h, n-1
        for one in sorted(dim.names):
            _length(Dim.of(one), sizes, lengths, k)
        return max(dim.at(sizes).number or 0, 0)
    plain = name.removeprefix("#")
    if plain not in sizes:
        sizes[plain] = lengths[len(sizes) % len(lengths)]
    # "#n" is n or 1.
    return 1 if name.startswith("#") and k else sizes[plain]
