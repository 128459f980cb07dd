"""A primal with what is assumed of arguments that nothing tells of, and without."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from gradgen.assumed import Assumed, assumed, is_free, looked_at
from gradgen.derive.marks import marked
from gradgen.errors import GradgenError
from gradgen.frontend.axis_names import axis_names
from gradgen.frontend.described import arrays_described, tells
from gradgen.frontend.lower import lower
from gradgen.frontend.source import Source
from gradgen.ir.nodes import Function, Supply
from gradgen.parts import path_of
from gradgen.request import Request
from gradgen.shapes.dims import Dim
from gradgen.shapes.flow import infer
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import ShapeConflict
from gradgen.told import complexes_told, shapes_told

# what axes are called where the function has no names for them
LETTERS = "n d m k p q r s t u v w".split()


def ways_of(request: Request, source: Source) -> list[Source]:
    """The source, and what of it is tried where that is refused, in this order.

    What a docstring tells may be wrong, and what is assumed lead to a refusal.
    """
    ways = [source]
    if tells(source):
        ways.append(replace(source, described=False))
    names = {arg.id for arg in source.node.args.args + source.node.args.kwonlyargs}
    if source.assumes and not request.general and names - dict(request.shapes).keys():
        ways += [replace(way, assumes=False) for way in ways]
    return ways


def is_open(primal: Function, facts: Facts) -> bool:
    """Whether there are arguments that something could be assumed of."""
    return any(is_free(param, facts) for param in primal.params)


def primal_of(
    source: Source, request: Request, supply: Supply
) -> tuple[Function, tuple[Assumed, ...]]:
    """The function as IR, and the ranks that are assumed of its arguments.

    The function raises where an argument has another one.
    """
    told = dict(request.shapes), request.of, request.aux, request.keep_calls
    primal = marked(lower(source, supply, *told), supply)
    if request.general or not source.assumes:
        return primal, ()
    try:
        facts = _facts(primal, request)
    except (GradgenError, ShapeConflict):
        return primal, ()  # refused again, with its place
    wrt = [path_of(name)[0] for name in request.wrt or ()]
    wrt = wrt or [param.label for param in primal.params[:1]]
    found = assumed(primal, facts, wrt, arrays_described(source))
    axes = _Axes(found, primal, source, request)
    while found:
        known = replace(source, assumed=tuple(axes.facts().items()))
        try:
            again = lower(known, supply, *told)
            _facts(again, request)
        except GradgenError as error:
            if not axes.learn(error.unequal, error.contracted and error.surely):
                break
        except ShapeConflict as error:
            if not axes.learn(error.unequal, False):
                break
        else:
            return marked(looked_at(again, found), supply), found
    return primal, ()


def _facts(primal: Function, request: Request) -> Facts:
    shapes = shapes_told(primal, request)
    return infer(primal, shapes, complexes_told(primal, request))


class _Axes:
    """The axes of the arguments whose ranks are assumed.

    Each has a letter of its own. Two that a product contracts are one; two that an
    operation would stretch against each other may each be 1, and nothing is known of
    their lengths.
    """

    def __init__(
        self,
        found: tuple[Assumed, ...],
        primal: Function,
        source: Source,
        request: Request,
    ) -> None:
        named = axis_names(source.node)
        told = " ".join([*dict(request.shapes).values(), *_shown(primal)])
        taken = {word for word in _words(told)} | {p.label for p in primal.params}
        fresh = (
            letter if i == 0 else f"{letter}{i}"
            for i in count()
            for letter in LETTERS
            if (letter if i == 0 else f"{letter}{i}") not in taken
        )
        self.axes: dict[str, list[str]] = {}
        used: set[str] = set()
        for one in found:
            letters = []
            for i in range(one.rank):
                letter = named.get((one.name, i))
                if letter is None or letter in taken | used:
                    letter = next(name for name in fresh if name not in used)
                letters.append(letter)
                used.add(letter)
            self.axes[one.name] = letters
        self.same: dict[str, str] = {}
        self.open: set[str] = set()

    def facts(self) -> dict[str, str]:
        """The facts as text: {"ridge": "", "X": "n d"}."""
        return {
            name: " ".join(map(self._letter, letters))
            for name, letters in self.axes.items()
        }

    def _letter(self, letter: str) -> str:
        while letter in self.same:
            letter = self.same[letter]
        return f"?{letter}" if letter in self.open else letter

    def learn(self, unequal: tuple[Dim, Dim] | None, equal: bool) -> bool:
        """Whether something was learned of two sizes that do not fit.

        They surely are `equal`, or one may be stretched along the other.
        """
        own = {letter for letters in self.axes.values() for letter in letters}
        if unequal is None:
            return False
        symbols = [size.symbol for size in unequal]
        if equal and None not in symbols:
            for letter, other in (symbols, symbols[::-1]):
                if letter in own and letter not in self.same:
                    self.same[str(letter)] = str(other)
                    return True
        names = [name for size in unequal for name in size.names if name in own]
        fresh = [name for name in names if name not in self.open]
        self.open |= set(fresh)
        return bool(fresh)


def _shown(primal: Function) -> list[str]:
    facts = [param.fact or "" for param in primal.params]
    return facts + [param.annotation or "" for param in primal.params]


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() or c == "_" else " " for c in text).split()
