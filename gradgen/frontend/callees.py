"""The functions that stay calls: which they are, and what has been read of each."""

from __future__ import annotations

import copy
from string import ascii_letters, digits
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import gast

from gradgen.frontend.fence import own_nodes
from gradgen.frontend.source import Source
from gradgen.ir.callee import Callee, Outcome, callee_of
from gradgen.ir.nodes import Apply, Const, Function, Let, Ref, Var
from gradgen.ir.sharing import Sharing
from gradgen.ir.walk import lets
from gradgen.shapes.callees import shapes_told
from gradgen.shapes.flow import infer
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR, Shape, equal

# so often what is known of a function that calls itself is looked at again
ROUNDS = 8
# a function inside itself, each time for arguments of other shapes
DEEP = 3

# a function, whatever object it is
Identity = tuple[str, int]


class Unkept(Exception):
    """Why a call cannot stay a call."""


class Again(Exception):
    """The primal is read again: more is known of which calls stay calls."""


@dataclass
class Callees:
    """The functions that stay calls.

    With `keep` all that can; those in `recursive` have to. `open` are those whose
    arguments' shapes vary from call to call, with the places of these arguments.
    """

    keep: bool = False
    recursive: set[Identity] = field(default_factory=set)
    open: dict[Identity, set[int]] = field(default_factory=dict)
    done: dict[tuple, Callee] = field(default_factory=dict)
    working: list[tuple[tuple, Callee]] = field(default_factory=list)

    def stays(self, source: Source) -> bool:
        """Whether a function's calls are to stay calls."""
        return self.keep or identity(source) in self.recursive

    def must_stay(self, source: Source) -> bool:
        """Whether a function's calls cannot be written out."""
        return identity(source) in self.recursive

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
        given: tuple[tuple[str, ...], tuple[str | None, ...], dict],
        read: Callable,
    ) -> Callee:
        """The function for arguments of these shapes; `read` lowers it.

        Raises Unkept, and the GradgenError of what is wrong in it.
        """
        names, texts, letters = given
        texts = self._widened(source, texts)
        key = (identity(source), tuple(static.items()), renamed(texts))
        if key in self.done:
            return self.done[key]
        inside = [one for one in self.working if one[0][0] == key[0]]
        for other, callee in inside:
            if other == key:
                callee.recursive = True
                return callee
        if len(inside) >= DEEP:
            self._open(source, texts, inside[-1][1].texts)
        keywords = frozenset(arg.id for arg in source.node.args.kwonlyargs)
        callee = Callee(
            source.node.name, source, names, texts, letters, (), keywords & set(names)
        )
        self._read(callee, key, static, read)
        self.done[key] = callee
        return callee

    def _widened(self, source: Source, texts: tuple) -> tuple[str | None, ...]:
        open_ = self.open.get(identity(source), ())
        return tuple(None if i in open_ else text for i, text in enumerate(texts))

    def _open(self, source: Source, texts: tuple, others: tuple) -> None:
        """Takes the shapes that differ for unknown, and starts anew."""
        found = {i for i, (a, b) in enumerate(zip(texts, others)) if a != b}
        for i in found:
            if any(
                t is not None and not t.strip(":intbool") for t in (texts[i], others[i])
            ):
                raise Unkept("it is called with a number and an array in turn")
        if not found:
            raise Unkept("other constants are handed over in each call")
        self.open.setdefault(identity(source), set()).update(found)
        self.done.clear()
        self.working.clear()
        raise Again

    def _read(self, callee: Callee, key: tuple, static: dict, read: Callable) -> None:
        """Reads a function; one that calls itself until what is known of it holds."""
        callee.outcomes = (Outcome(SCALAR, Kind.WEAK),) * _results(callee.source)
        for round_ in range(ROUNDS):
            before = dict(self.done)
            self.working.append((key, callee))
            function, is_number = read(callee, static)
            self.working.pop()
            facts, found = _outcomes(callee, function, is_number)
            if len(found) != len(callee.outcomes):
                raise Unkept("its results are not told by its return statements")
            if not callee.recursive:
                callee.outcomes = found
            pairs = zip(callee.outcomes, found, strict=True)
            guess = tuple(_widest(a, b, round_ > 0) for a, b in pairs)
            if guess == callee.outcomes:
                callee.function, callee.facts = function, facts
                return
            self.done, callee.outcomes = before, guess
        raise Unkept("what it returns is not known")


def identity(source: Source) -> Identity:
    """What a function is known by."""
    return source.file, source.first


def renamed(texts: tuple[str | None, ...]) -> tuple[str | None, ...]:
    """Facts with their sizes numbered: "n d" and "n h" are alike by themselves."""
    numbers: dict[str, str] = {}

    def word(one: str) -> str:
        if one.isdecimal() or one[:1] == ":":
            return one
        return numbers.setdefault(
            one, f"{one.strip(ascii_letters + digits + '_')}{len(numbers)}_"
        )

    return tuple(
        None if text is None else " ".join(map(word, text.split())) for text in texts
    )


def plain(source: Source) -> Source:
    """The function without annotations: the facts of the call hold."""
    node = copy.deepcopy(source.node)
    for arg in (*node.args.args, *node.args.kwonlyargs):
        arg.annotation = None
    return replace(source, node=node)


def _results(source: Source) -> int:
    """How many results a function seems to have."""
    returned = [
        node.value
        for node in own_nodes(source.node.body)
        if isinstance(node, gast.Return)
    ]
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
    variables = {param.var.name: param.var for param in function.params}
    places = {variables[name]: i for i, name in enumerate(callee.params)}
    for var in places:
        if facts.shapes[var].rank != 0 and sharing.is_changed(var):
            raise Unkept(f"it changes its argument {var.name}")
    if any(_is_own_call(let, callee) for let in function.body):
        raise Unkept("it has no end")
    return facts, tuple(
        _outcome(value, facts, sharing, places, is_number) for value in function.values
    )


def _outcome(value, facts: Facts, sharing: Sharing, places: dict, is_number) -> Outcome:
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
    return Outcome(facts.shapes[var], kind, number, frozenset(shared))


def _is_own_call(stmt, callee: Callee) -> bool:
    """Whether a statement calls the function whatever the circumstances."""
    value = stmt.value if isinstance(stmt, Let) else None
    return (
        isinstance(value, Apply) and value.op == "kept" and callee_of(value) is callee
    )


def _widest(known: Outcome, found: Outcome, again: bool) -> Outcome:
    """What holds of a result that is as is known in one call, as is found in another."""
    return Outcome(
        _either(known.shape, found.shape, again),
        max(known.kind, found.kind),
        known.number and found.number,
        known.shared | found.shared,
    )


def _either(known: Shape | None, found: Shape, again: bool) -> Shape | None:
    if known is None or equal(known, found):
        return known
    return None if again else found


def numbers(function_body, known: set[Var]) -> Callable[[Var], bool]:
    """Whether a variable of a function that has been read surely is a number."""
    values = {let.var: let.value for let in lets(function_body)}

    def is_number(var: Var) -> bool:
        value = values.get(var)
        if isinstance(value, Ref) and value.var != var:
            return var in known or is_number(value.var)
        return var in known or isinstance(value, Const)

    return is_number
