"""Several ways to emit, of which the first that is not refused counts."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Protocol, TypeVar

from gradgen.errors import GradgenError
from gradgen.facts.assumed import Assumed
from gradgen.frontend.source.fields_told import without_facts
from gradgen.frontend.source.rounds import goes_through_lists
from gradgen.frontend.source.source import Source
from gradgen.ir.nodes import Const, Function, Let, Origin
from gradgen.ir.walk import lets
from gradgen.shapes.dims import Dim

Way = TypeVar("Way")
Found = TypeVar("Found")


# so many rounds of a loop over numbers may be a loop
ROUNDS = 4
# what asks for a rank as x.ndim does
LENGTH_OF_SHAPE = re.compile(r"len\((np\.shape\(\w+\)|\w+\.shape)\)")
# a text of more lines is not written a second time to make it shorter
LONGEST = 240
# np.add.at(d, i, g), where d[i] += g does for places that are named once
PLACES = ".at("
FILLED = "np.full_like("
LISTED = re.compile(r"= list\(\s*np\.full_like\(")
# what numbers and arrays are instances of
KINDS = frozenset("float int complex Number Real ndarray floating integer".split())
HELPER = "\ndef _"
# the statements that look at the arguments: if ...: raise ValueError(...)
LOOK = 2
COMPLEX = "iscomplexobj("
# an argument that may be a list, which no way of reading it is told by
MADE_ARRAY = re.compile(r"^ +(\w+) = np\.asanyarray\(\1\)$", re.MULTILINE)
# what is summed along axes that may have been stretched
STRETCHED = "_unbroadcast("
# the seed of a result that may have any axes, and that of a number
ANY_SEED = re.compile(r"\bd_\w+ \(\.\.\.\)")
NUMBER_SEED = re.compile(r"^def grad_\w+\([^)]*\bd_\w+=1\.0", re.MULTILINE)
COUNTED = re.compile(r"\w int\b")
# so many times less of these is worth what looks at the arguments
FEWER, MANY = 4, 8


class NothingMore(Exception):
    """A convention that is tried assumes no more than what is assumed anyway.

    `unequal` are two sizes that more would not fit, if that is why.
    """

    def __init__(self, unequal: tuple[Dim, Dim] | None = None) -> None:
        super().__init__()
        self.unequal = unequal


class Written(Protocol):
    """What is emitted: it has a text, and what is assumed in it."""

    @property
    def text(self) -> str: ...
    @property
    def assumed(self) -> tuple[Assumed, ...]: ...


Text = TypeVar("Text", bound=Written)


def first_of(emit: Callable[[Way], Found], ways: Iterable[Way]) -> Found:
    """What the first way gives that is not refused, or else the first refusal."""
    refusal: GradgenError | None = None
    for way in ways:
        try:
            return emit(way)
        except GradgenError as error:
            refusal = refusal or error
    assert refusal is not None  # there is a way
    raise refusal


def shorter(
    emit: Callable[[Source], Text], way: Source, found: Text
) -> tuple[Source, Text, tuple[Dim, Dim] | None]:
    """The text found, or one that assumes more of its arguments where that is shorter.

    A function that branches on how many axes an argument has is called with several.
    The last are two sizes for which no more can be assumed, if there are any.
    """
    if way.two_axes or way.guess or found.text.count("\n") > LONGEST:
        return way, found, None
    if branches_on_ranks(found.text):
        return way, found, None
    anyway = tuple((one.name, one.rank, one.length) for one in found.assumed)
    # what was refused with less that is assumed may not be with more
    more = replace(way, assumes=True, two_axes=True, anyway=anyway)
    try:
        other = emit(more)
    except (GradgenError, NothingMore) as refusal:
        return way, found, refusal.unequal
    # a text that looks for complex numbers does so with more that is assumed as well
    looks = LOOK if COMPLEX in found.text and not found.assumed else 0
    statements, *calls = cost(found.text)
    is_plainer = _is_plainer(other.text, found.text, looks)
    is_plainer = is_plainer or _is_of_a_number(other.text, found.text, looks)
    if cost(other.text) < (statements - looks, *calls) or is_plainer:
        return more, other, None
    return way, found, None


def _is_plainer(text: str, other: str, looks: int) -> bool:
    """Whether a text does without helpers what another one does with some.

    Or with a quarter of their calls. It may have two statements more, which look at its
    arguments, and fills no arrays.
    """
    if FILLED in text or HELPER not in other:
        return False
    calls = other.count(STRETCHED)
    if HELPER in text and (calls < MANY or FEWER * text.count(STRETCHED) > calls):
        return False
    return _statements(text) - LOOK <= _statements(other) - looks


def _is_of_a_number(text: str, other: str, looks: int) -> bool:
    """Whether a text is of one number, where another one asks for a seed of any shape.

    That is where entries are read by a whole number that is an argument, x[n + 1]. It
    may have two statements more, which look at its arguments, and no more helpers; the
    other one fills arrays, whose shape it asks for.

    before:  def grad_f(x, n, d_out): ...                 # d_out (...)
    after:   def grad_f(x, n, d_out=1.0): ...             # x is taken for a vector
    """
    if ANY_SEED.search(other) is None or ANY_SEED.search(text) is not None:
        return False
    if NUMBER_SEED.search(text) is None or FILLED in text or FILLED not in other:
        return False
    if COUNTED.search(other) is None:
        return False
    if text.count(HELPER) > other.count(HELPER):
        return False
    return _statements(text) - LOOK <= _statements(other) - looks


def with_loops(
    emit: Callable[[Source], Text],
    short: Callable[[Source], tuple[Source, Text, object]],
    way: Source,
    found: Text,
    read: Iterable[Function],
) -> tuple[Source, Text]:
    """The text found, or one with loops where the rounds are written out, if shorter.

    It calls no more helpers, and assumes no more of its arguments; `short` may assume
    more of these.

    before:  y = 0.5 * x; y = y * x + 1.5; y = y * x + 2.5; ...
    after:   for i in range(5): y = y * x + C[i]
    """
    lists = goes_through_lists(way)
    if way.unrolled or not any(_has_rounds(one, lists) for one in read):
        return way, found
    other = replace(way, looped=True)
    known = {(one.name, one.rank, one.fits) for one in found.assumed}
    for made in (lambda one: (one, emit(one), None), short):
        try:
            own, text, _ = made(other)
        except (GradgenError, NothingMore):
            return way, found
        more = text.text.count(HELPER) > found.text.count(HELPER)
        more = more or any((x.name, x.rank, x.fits) not in known for x in text.assumed)
        if not more and cost(text.text) < cost(found.text):
            return own, text
    return way, found


def _has_rounds(primal: Function, lists: bool) -> bool:
    """Whether rounds of a loop over numbers are written out, several of them."""
    names = Counter(
        (let.note.lines[-1].number, let.var.name)
        for let in lets(primal.body)
        if let.note.lines and _is_of_rounds(let, lists)
    )
    return max(names.values(), default=0) >= ROUNDS


def _is_of_rounds(let: Let, lists: bool) -> bool:
    """Whether an assignment may be one of a round: of a loop's target, or in a line."""
    target = isinstance(let.value, Const)
    if target and let.note.lines[-1].text.startswith("for "):
        return True
    return lists and len(let.note.lines) == 1 and let.var.origin is Origin.USER


def more_open(
    emit: Callable[[Source], Text], way: Source, other: Source, found: Text
) -> tuple[Source, Text]:
    """The text found, or the same that looks at fewer arguments.

    before:  if np.ndim(u) != 0 or np.ndim(rate) != 0: raise ValueError(...)
             d_u = d_out / rate / (1.0 - u)
    after:   if np.ndim(rate) != 0: raise ValueError(...)
             d_u = d_out / rate / (1.0 - u)
    """
    if found.text.count("\n") > LONGEST:
        return way, found
    try:
        text = emit(other)
    except (GradgenError, NothingMore):
        return way, found
    same = _computed(text.text) == _computed(found.text)
    return (other, text) if same else (way, found)


def _computed(text: str) -> list[str]:
    """What the functions of a text do, without what they say and look at first."""
    found = []
    for top in ast.parse(text).body:
        if isinstance(top, ast.FunctionDef):
            body = top.body[1:] if ast.get_docstring(top) is not None else top.body
            found += [ast.dump(stmt) for stmt in body if not _is_look(stmt)]
    return found


def _is_look(stmt: ast.stmt) -> bool:
    """Whether a statement raises where an argument is not what it is taken for."""
    if not isinstance(stmt, ast.If) or len(stmt.body) != 1 or stmt.orelse:
        return False
    return "is taken for " in ast.unparse(stmt.body[0])


def branches_on_ranks(text: str) -> bool:
    """Whether the last function of a text goes one way or the other by an .ndim.

    before:  if y.ndim == 1: y = y[:, None]        True
             if np.isscalar(t): return t * x       True
             if y.ndim != 2: raise ValueError      False
    """
    *_, last = (top for top in ast.parse(text).body if isinstance(top, ast.FunctionDef))
    inside = list(_inside(last))
    made = {
        one.targets[0].id: one.value
        for one in inside
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)
    }
    tests = (node for node in inside if isinstance(node, ast.If))
    return any(
        _asks_rank(node.test, made)
        and not (isinstance(node.body[0], ast.Raise) and not node.orelse)
        for node in tests
    )


def _asks_rank(test: ast.expr, made: Mapping[str, ast.expr]) -> bool:
    """Whether a test, or what its names stand for, asks for a rank, or for a number."""
    nodes = list(ast.walk(test))
    nodes += [
        inner
        for one in nodes
        if isinstance(one, ast.Name) and one.id in made
        for inner in ast.walk(made[one.id])
    ]
    return any(
        getattr(one, "attr", "") in ("ndim", "isscalar")
        or LENGTH_OF_SHAPE.fullmatch(ast.unparse(one))
        or isinstance(one, ast.Call)
        and ast.unparse(one.func) == "isinstance"
        and not KINDS.isdisjoint(re.findall(r"\w+", ast.unparse(one.args[-1])))
        for one in nodes
    )


def instances(source: Source) -> Iterator[Source]:
    """What may be taken for known of an instance that only its class tells of.

    Flags and strings are branches of the text and whole numbers its arguments, then they
    are what the class sets; lengths are what __init__ calls them, then nothing is known
    of them.
    """
    for held, as_set in ((source.receiver, False), (source.decided, True)):
        assert held is not None
        known = replace(source, decided=None, as_set=as_set)
        yield replace(known, receiver=held)
        bare = without_facts(held)
        if bare is not held:  # the same would be refused in the same way
            yield replace(known, receiver=bare)


def has_places(text: str) -> bool:
    """Whether a text adds up entry by entry, for places that may be named twice.

    Or whether it fills an array of a shape that it takes from another, which numbers
    would not need, or a list of adjoints of one array.
    """
    return PLACES in text or FILLED in text or bool(LISTED.search(text))


def cost(text: str) -> tuple[int, int, int]:
    """The statements of a text, how often it calls helpers for shapes, and for places.

    One that counts places entry by entry is two statements.
    """
    at = text.count(PLACES)
    return _statements(text) + at, text.count(STRETCHED), at


def _statements(text: str) -> int:
    """The statements of a text, but for those that make arrays of lists."""
    return statements_in(text) - len(MADE_ARRAY.findall(text))


def statements_in(text: str) -> int:
    """How many statements the functions of a text have, helpers and all."""
    functions = (ast.FunctionDef,)
    total = 0
    for top in ast.parse(text).body:
        if isinstance(top, functions):
            inside = [top, *_inside(top)]
            total += sum(not isinstance(node, functions) for node in inside)
            total -= sum(
                isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
                for node in inside
            )
    return total


def _inside(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements in a function, in those of its blocks as well."""
    for field in ("body", "orelse", "handlers", "finalbody"):
        for one in getattr(node, field, ()):
            if isinstance(one, ast.stmt):
                yield one
            yield from _inside(one)
