"""The functions that stay calls: which they are, and what has been read of each."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from typing import Any, NoReturn

import gast

from gradgen.errors import GradgenError
from gradgen.frontend.source.fence import returns_of
from gradgen.frontend.source.operations import operations_in
from gradgen.frontend.source.source import Source
from gradgen.frontend.source.tuples_apart import called_by
from gradgen.frozen import dataclass
from gradgen.ir.callee import Callee, Outcome, callee_of
from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref, Stmt, Var
from gradgen.ir.sharing import Sharing, viewed
from gradgen.ir.walk import lets
from gradgen.shapes.callees import common, is_number, places_of_sizes, renamed
from gradgen.shapes.callees import shapes_told
from gradgen.shapes.flow import infer
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind, joined
from gradgen.shapes.shape import SCALAR, equal, whole

# so often what is known of a function that calls itself is looked at again
ROUNDS = 8
# so often functions are read to know what one of them returns
READINGS = 24
# a function inside itself, each time for arguments of other shapes
DEEP = 3

# a function, whatever object it is
Identity = tuple[Any, ...]


class Unkept(Exception):
    """Why a call cannot stay a call."""


class Again(Exception):
    """The primal is read again: more is known of which calls stay calls."""


@dataclass
class Callees:
    """The functions that stay calls.

    With `keep` all that can, and those that are `chosen`; those in `recursive` have to.
    `texts` are the facts that the calls of a function inside itself have in common.
    """

    keep: bool = False
    # each with the facts that its calls have in common, where these are known
    chosen: Mapping[Identity, tuple[str | None, ...]] = field(default_factory=dict)
    # the places where the calls of others stand, which are written out
    places: dict[Identity, set[tuple[str, int, int]]] = field(default_factory=dict)
    # how many operations these had in all
    operations: Counter[Identity] = field(default_factory=Counter)
    sizes: dict[Identity, int] = field(default_factory=dict)  # ... and each once
    recursive: set[Identity] = field(default_factory=set)
    texts: dict[Identity, tuple[Any, ...]] = field(default_factory=dict)
    done: dict[tuple[Any, ...], Callee] = field(default_factory=dict)
    failed: dict[tuple[Any, ...], Exception] = field(default_factory=dict)
    working: list[tuple[tuple[Any, ...], Callee]] = field(default_factory=list)
    readings: int = 0
    # whether it was of use that parts of arguments are asked for
    asked: bool = False
    # their texts, for all readings of one request
    sources: dict[Any, Source] = field(default_factory=dict)
    # the names of modules, with their tables, that functions are known to bind
    outer: list[tuple[dict[str, Any], str]] = field(default_factory=list)

    def text(self, root: Source, function: Any) -> Source:
        """The text of a function that another one calls. Raises GradgenError."""
        key = function, root.apart
        if key not in self.sources:
            self.sources[key] = called_by(root, function)
        return self.sources[key]

    def stays(self, source: Source) -> bool:
        """Whether a function's calls are to stay calls."""
        known = identity(source)
        return self.keep or known in self.chosen or known in self.recursive

    def written_out(self, source: Source, caller: Source, node: Any) -> None:
        """Notes where the call of a function stands that is written out."""
        line = caller.first + getattr(node, "lineno", 1)
        place = caller.file, line, getattr(node, "col_offset", 0)
        known = identity(source)
        self.places.setdefault(known, set()).add(place)
        if known not in self.sizes:
            self.sizes[known] = operations_in(source.node)
        self.operations[known] += self.sizes[known]

    @property
    def called(self) -> tuple[tuple[Identity, int, int], ...]:
        """The functions that are written out, in how many places, and their operations."""
        found = self.places.items()
        return tuple((one, len(at), self.operations[one]) for one, at in found)

    def must_stay(self, source: Source) -> bool:
        """Whether a function's calls cannot be written out."""
        return identity(source) in self.recursive

    def binds(self, table: dict[str, Any], name: str) -> NoReturn:
        """Notes that a function binds a name of its module."""
        self.outer.append((table, name))
        self.done.clear()
        self.working.clear()
        raise Again

    def recurs(self, source: Source) -> None:
        """Notes that a function calls itself, no one knows how often."""
        self.recursive.add(identity(source))
        self.done.clear()
        self.working.clear()
        raise Again

    def found(
        self,
        source: Source,
        static: dict[str, Const],
        names: tuple[str, ...],
        texts: tuple[str | None, ...],
        read: Callable[..., Any],
    ) -> Callee:
        """The function for arguments of these shapes; `read` lowers it.

        Raises Unkept, and the GradgenError of what is wrong in it.
        """
        known = identity(source)
        before = self.texts.get(known, ())
        # an argument that is a constant in one call may be none in another
        texts = common(texts, before) if len(before) == len(texts) else texts
        told = self.chosen.get(known, ())
        texts = told if len(told) == len(texts) else texts
        key = (known, tuple(static.items()), renamed(texts))
        if key in self.done:
            return self.done[key]
        if key in self.failed:
            raise self.failed[key]
        inside = [one for one in self.working if one[0][0] == known]
        for other, callee in inside:
            if other == key:
                callee.recursive = True
                return callee
            if other[1] == key[1]:
                self._open(known, texts, callee.texts)
        if len(inside) >= DEEP:
            raise Unkept("other constants are handed over in each call")
        keywords = frozenset(arg.id for arg in source.node.args.kwonlyargs)
        callee = Callee(
            source.node.name,
            source,
            names,
            texts,
            places_of_sizes(texts),
            (),
            keywords & set(names),
        )
        if not self.working:
            self.readings = 0
        try:
            self._read(callee, key, static, read)
        except (GradgenError, Unkept) as reason:
            if not self.working:  # nothing is only taken for known
                self.failed[key] = reason
            raise
        self.done[key] = callee
        return callee

    def _open(
        self, known: Identity, texts: tuple[Any, ...], others: tuple[Any, ...]
    ) -> None:
        """Takes only what calls have in common for known, and starts anew."""
        shared = common(texts, others)
        for one, text, other in zip(shared, texts, others, strict=True):
            both = text is not None and other is not None
            if one is None and both and is_number(text) != is_number(other):
                raise Unkept("it is called with a number and an array in turn")
        self.texts[known] = shared
        self.done.clear()
        self.working.clear()
        raise Again

    def _read(
        self,
        callee: Callee,
        key: tuple[Any, ...],
        static: dict[Any, Any],
        read: Callable[..., Any],
    ) -> None:
        """Reads a function; one that calls itself until what is known of it holds.

        What is taken for known of its result is true of a call if it is true of the
        calls inside it.
        """
        told = shapes_told(callee)
        arrays = [s for s in told.values() if s != SCALAR]
        arrays += [whole(n) for n, t in zip(callee.params, callee.texts) if t is None]
        count = _results(callee.source)
        for shape in (SCALAR, *dict.fromkeys(arrays), None):
            for kind in (Kind.WEAK, Kind.LIKE):
                guess = Outcome(shape, kind, shape == SCALAR)
                try:
                    if self._holds((guess,) * count, callee, key, static, read):
                        return
                except (GradgenError, Unkept):
                    # What it was taken for may be what does not fit.
                    if not callee.recursive or shape is None:
                        raise
        raise Unkept("what it returns is not known")

    def _holds(
        self,
        guess: tuple[Outcome, ...],
        callee: Callee,
        key: tuple[Any, ...],
        static: dict[Any, Any],
        read: Callable[..., Any],
    ) -> bool:
        """Whether a function's results are what they are taken for."""
        callee.outcomes, first = guess, guess[0].kind
        for _ in range(ROUNDS):
            found = self._round(callee, key, static, read)
            if not callee.recursive:
                callee.outcomes = found
                return True
            pairs = tuple(zip(callee.outcomes, found, strict=True))
            if not all(a.shape is None or equal(a.shape, b.shape) for a, b in pairs):
                return False
            wider = tuple(_widest(a, b) for a, b in pairs)
            if wider == callee.outcomes:
                return True
            if first is Kind.WEAK and any(one.kind is not first for one in wider):
                return False  # as numbers of an array, perhaps
            callee.outcomes = wider
        return False

    def _round(
        self,
        callee: Callee,
        key: tuple[Any, ...],
        static: dict[Any, Any],
        read: Callable[..., Any],
    ) -> tuple[Outcome, ...]:
        """What is found of a function's results when it is read once."""
        before, callee.facts = dict(self.done), None
        self.readings += 1
        if self.readings > READINGS:
            raise Unkept(f"what it returns is not known after {READINGS} readings")
        self.working.append((key, callee))
        try:
            callee.function, surely = read(callee, static)
        finally:
            if self.working:  # not where all starts anew
                self.working.pop()
        callee.facts, found = _outcomes(callee, callee.function, surely)
        if len(found) != len(callee.outcomes):
            raise Unkept("its results are not told by its return statements")
        if callee.recursive:
            self.done = before  # others were read with what was taken for known
        return found


def identity(source: Source) -> Identity:
    """What a function is known by: where it stands, and in which module.

    Lambdas may share a line, and a file may be imported as two modules.
    """
    node = source.node
    place = source.first + node.lineno - 1, node.col_offset
    return source.file, *place, id(source.globals)


def plain(source: Source) -> Source:
    """The function without annotations: the facts of the call hold."""
    node = copy.copy(source.node)
    node.args = copy.copy(node.args)
    node.args.args = list(map(_plain, node.args.args))
    node.args.kwonlyargs = list(map(_plain, node.args.kwonlyargs))
    return replace(source, node=node)


def _plain(arg: Any) -> Any:
    """A parameter without its annotation."""
    arg = copy.copy(arg)
    arg.annotation = None
    return arg


def _results(source: Source) -> int:
    """How many results a function seems to have."""
    returned = [one.value for one in returns_of(source.node)]
    return max((len(v.elts) for v in returned if isinstance(v, gast.Tuple)), default=1)


def _outcomes(
    callee: Callee, function: Function, is_number: Callable[[Var], bool]
) -> tuple[Facts, tuple[Outcome, ...]]:
    """The facts of a function that has been read, and of its results."""
    flat = [part for part in function.structure.parts if part]
    if flat or function.structure and function.structure.sort != "tuple":
        raise Unkept("it returns a container")
    facts = infer(function, shapes_told(callee))
    sharing = Sharing(function.body)
    wholes = (param for param in function.params if not param.path)
    variables = {param.label: param.var for param in wholes}
    places = {
        variables[name]: i for i, name in enumerate(callee.params) if name in variables
    }
    held = {param.var for param in function.params if param.bundle}
    if any(_is_own_call(let, callee) for let in function.body):
        raise Unkept("it has no end")
    roots = {
        sharing.root(value.var) for value in function.values if isinstance(value, Ref)
    }
    if not roots.isdisjoint(map(sharing.root, held)):
        raise Unkept("it returns what its instance holds")
    return facts, tuple(
        _outcome(value, facts, sharing, places, is_number) for value in function.values
    )


def _outcome(
    value: Expr,
    facts: Facts,
    sharing: Sharing,
    places: dict[Any, Any],
    is_number: Callable[[Var], bool],
) -> Outcome:
    if not isinstance(value, Ref) or facts.is_list(value):
        raise Unkept("it returns more than numbers and arrays")
    var = value.var
    kind = facts.kinds[var]
    if kind < Kind.WEAK:
        raise Unkept("it returns what has no gradient")
    if facts.is_complex(value):
        raise Unkept("it returns complex numbers")
    number = facts.rank(value) == 0 and is_number(var)
    root = sharing.root(var)
    shared = {i for other, i in places.items() if sharing.root(other) == root}
    if number:
        shared = set()
    given = bool(shared) and _is_given(var, facts, places)
    return Outcome(facts.shapes[var], kind, number, frozenset(shared), given)


def _is_given(var: Var, facts: Facts, places: dict[Any, Any]) -> bool:
    """Whether a variable is an argument, or a part of one, by whichever way."""
    while var not in places:
        value = facts.definitions.get(var)
        bases = viewed(value) if isinstance(value, Apply) else (value,)
        if len(bases) != 1 or not isinstance(bases[0], Ref):
            return False
        var = bases[0].var
    return True


def _is_own_call(stmt: Stmt, callee: Callee) -> bool:
    """Whether a statement calls the function whatever the circumstances."""
    value = stmt.value if isinstance(stmt, Let) else None
    return (
        isinstance(value, Apply) and value.op == "kept" and callee_of(value) is callee
    )


def _widest(known: Outcome, found: Outcome) -> Outcome:
    """What holds of a result that is as is known in one call, as is found in another."""
    return Outcome(
        known.shape,
        joined((known.kind, found.kind)),
        known.number and found.number,
        known.shared | found.shared,
        known.given and found.given,
    )


def numbers(function_body: Iterable[Stmt], known: set[Var]) -> Callable[[Var], bool]:
    """Whether a variable of a function that has been read surely is a number."""
    values = {let.var: let.value for let in lets(function_body)}

    def is_number(var: Var) -> bool:
        value = values.get(var)
        if isinstance(value, Ref) and value.var != var:
            return var in known or is_number(value.var)
        return var in known or isinstance(value, Const)

    return is_number
