"""What a function is read as: each way of reading it once for a request."""

from __future__ import annotations

from typing import Any

from gradgen.derive.marks import marked
from gradgen.errors import GradgenError, InternalError
from gradgen.facts.declared import complexes_told, shapes_told
from gradgen.facts.uncast import uncast
from gradgen.frontend.lower import lower
from gradgen.frontend.source.source import Source
from gradgen.ir.nodes import Function, Supply
from gradgen.request.options import Request
from gradgen.shapes.flow import infer
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Tables

# what is tried of a source that decides on what is assumed, and not on how it is read
TRIED = {"assumes", "two_axes", "anyway", "asks"}


# shapes, of, aux, keep_calls
Told = tuple[tuple[tuple[str, str], ...], tuple[str, ...], bool, bool]


class Readings:
    """The functions that sources were lowered to, with the supply of their variables.

    Several ways of emitting one function start from the same reading, with other
    assumptions: `f(x)` by conventions A and B, and then by C.
    """

    def __init__(self) -> None:
        self.supply = Supply()
        self._sources: dict[Any, Source] = {}
        self._made: list[tuple[Source, Told, Function]] = []
        self._refused: list[tuple[Source, Told, GradgenError]] = []
        self._marked: list[tuple[Function, Function]] = []
        self._uncast: list[tuple[Function, Function]] = []
        self._told: list[tuple[Function, object, Facts, Tables]] = []

    @property
    def functions(self) -> tuple[Function, ...]:
        """What has been read so far."""
        return tuple(function for _, _, function in self._made)

    def marked(self, source: Source, request: Request) -> Function:
        """The function as `derive/marks.py` makes it ready. Raises GradgenError."""
        read = self.lowered(source, request)
        for other, function in self._marked:
            if other is read:
                return function
        function = marked(read, self.supply)
        self._marked.append((read, function))
        return function

    def told(self, primal: Function, request: Request) -> tuple[Facts, Tables]:
        """What is told of a function's arguments, and which ranks its operations take.

        Raises GradgenError and ShapeConflict.
        """
        told = request.shapes, request.complex
        for function, by, facts, tables in self._told:
            if function is primal and by == told:
                return facts, tables
        facts, tables = facts_told(primal, request), {}
        self._told.append((primal, told, facts, tables))
        return facts, tables

    def uncast(
        self, primal: Function, request: Request
    ) -> tuple[Function, Facts, Tables]:
        """The function without the casts of its arguments, and what is told of these."""
        for other, function in self._uncast:
            if other is primal:
                break
        else:
            function = uncast(primal)
            self._uncast.append((primal, function))
        return (function, *self.told(function, request))

    def origin(self, primal: Function) -> tuple[Source, Function]:
        """What a function was read of, whatever it looks at, and as what."""
        first = primal.params[0].var
        for source, _, function in self._made:
            if function.params[0].var == first:
                return source, function
        raise InternalError(f"{primal.name} was not read here")

    def read_again(self, source: Source, like: Function) -> Function:
        """The function in another reading, with what was told for a first one.

        Raises GradgenError.
        """
        first = like.params[0].var
        told = next(by for _, by, one in self._made if one.params[0].var == first)
        return self._read(source, told)

    def lowered(self, source: Source, request: Request) -> Function:
        """The function as IR, with what is told of its arguments. Raises GradgenError."""
        told = request.shapes, request.of, request.aux, request.keep_calls
        return self._read(source, told)

    def _read(self, source: Source, told: Told) -> Function:
        for other, by, function in self._made:
            if by == told and _reads_alike(source, other):
                return function
        for other, by, refusal in self._refused:
            if by == told and _reads_alike(source, other):
                if source.asks is other.asks or not refusal.asked:
                    raise refusal.with_traceback(None)
        shapes, of, aux, keep = told
        facts = dict(shapes), of, aux, keep, self._sources
        try:
            function = lower(source, self.supply, *facts)
        except GradgenError as refusal:
            self._refused.append((source, told, refusal))
            raise
        self._made.append((source, told, function))
        return function


def facts_told(primal: Function, request: Request) -> Facts:
    """What is told of a function's arguments, and follows for its variables."""
    shapes = shapes_told(primal, request)
    return infer(primal, shapes, complexes_told(primal, request))


def _reads_alike(one: Source, other: Source) -> bool:
    """Whether two sources differ in nothing that a function is read by.

    What was read while parts were asked for is the same without, as no arm was refused.
    """
    if one.asks and not other.asks:
        return False
    fields: dict[str, Any] = one.__dataclass_fields__
    pairs = (
        (getattr(one, name), getattr(other, name))
        for name in fields
        if name not in TRIED
    )
    return all(x is y or _is_plain(x) and x == y for x, y in pairs)


def _is_plain(value: object) -> bool:
    """Whether a value is compared by what it says: names, facts, flags."""
    if isinstance(value, (tuple, frozenset)):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, (str, int))
