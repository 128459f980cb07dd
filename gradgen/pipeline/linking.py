"""The functions of a text that others of it call, and what is held constant in all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from typing import Any

from gradgen.derive.marks import marked
from gradgen.errors import GradgenError
from gradgen.frontend.source.named import did_you_mean
from gradgen.frozen import dataclass
from gradgen.ir.callee import Callee, Link, callee_of
from gradgen.ir.nodes import Apply, Function, Let, Origin, Ref, Supply, Var
from gradgen.ir.walk import all_defined, lets
from gradgen.request.options import Request
from gradgen.request.wrt import without_idle
from gradgen.shapes.callees import shapes_told
from gradgen.shapes.flow import infer
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.wholes import may_be_whole, whole_among, wholes
from gradgen.simplify.counts import held


@dataclass(frozen=True)
class Whole:
    """A primal with what its gradient is made of."""

    primal: Function
    wrt: tuple[Var, ...]
    facts: Facts
    seeded: tuple[Var, ...]
    stop: frozenset[Var]
    # what the gradient is asked for: arguments, and paths to parts of them
    asked: tuple[tuple[str, tuple[Any, ...]], ...]
    # whether the primal is in another form than the user's
    rewritten: bool = False
    # of a Jacobian: by rows ("reverse") or by columns, and its diagonal alone
    direction: str = ""
    diagonal: bool = False
    # what is assumed of arguments that nothing tells of, in words
    assumed: str = ""
    # the parts that the user has written more than once
    twice: frozenset[Var] = frozenset()
    # whether numba is to compile it and NumPy is as fast
    left: bool = False
    # whether the text looks at the ranks of arguments
    looks: bool = False
    # whether others call it, and what they do with its results is not known here
    called: bool = False
    # whether the text alone calls it, with seeds of the shapes of its results
    seeded_whole: bool = False


class Linked:
    """Gives out names of functions; `links` are those that somebody asked for.

    `handed`: which arguments of each may be whole numbers.
    """

    def __init__(
        self, primal: Function, facts: Facts, reserved: Iterable[str] = ()
    ) -> None:
        self.handed = handed_wholes(primal, facts)
        self.taken = set(reserved) | set(_names(primal))
        for callee in callees(primal):
            self.taken |= set(_names(callee.body))
        self.links: dict[Link, str] = {}

    def name_of(self, link: Link) -> str:
        """The name of the function behind a link: vjp_g, vjp_g_2."""
        if link not in self.links:
            name = wished = f"vjp_{link.callee.name}"
            number = 2
            while name in self.taken:
                name, number = f"{wished}_{number}", number + 1
            self.taken.add(name)
            self.links[link] = name
        return self.links[link]

    def in_order(self) -> list[Link]:
        """The links, those of functions that others call before these."""
        first = {callee: i for i, callee in enumerate(self._below())}
        return sorted(self.links, key=lambda link: first[link.callee])

    def _below(self) -> list[Callee]:
        """The functions, each behind those that it calls."""
        done: dict[Callee, None] = {}
        seen: set[Callee] = set()

        def visit(callee: Callee) -> None:
            if callee not in seen:
                seen.add(callee)
                for other in _called_in(callee.body):
                    visit(other)
                done[callee] = None

        for link in self.links:
            visit(link.callee)
        return list(done)


def callees(function: Function) -> list[Callee]:
    """The functions that a function calls, directly or not."""
    found: dict[Callee, None] = {}
    stack = [function]
    while stack:
        for callee in _called_in(stack.pop()):
            if callee not in found:
                found[callee] = None
                stack.append(callee.body)
    return list(found)


def _called_in(function: Function) -> Iterator[Callee]:
    return map(callee_of, _calls_in(function))


def _calls_in(function: Function) -> Iterator[Apply]:
    for let in lets(function.body):
        if isinstance(let.value, Apply) and let.value.op == "kept":
            yield let.value


def stopped(primal: Function, request: Request) -> frozenset[Var]:
    named: dict[str, list[Var]] = {}
    for param in primal.params:
        if param.bundle:
            named.setdefault(param.bundle, []).append(param.var)
    for var in named_variables(primal):
        named.setdefault(var.name, []).append(var)
    called = {v.name for c in callees(primal) for v in named_variables(c.body)}
    for name in request.stop:
        if name not in named and name not in called:
            raise GradgenError(
                "GG008",
                f"--stop names {name}, which {primal.name} does not assign",
                advice=did_you_mean(name, list(named)),
            )
    return frozenset(var for name in request.stop for var in named.get(name, ()))


def named_variables(function: Function) -> list[Var]:
    """The parameters, and what the user's names stand for."""
    every = [*(p.var for p in function.params), *all_defined(function.body)]
    return [var for var in every if var.origin in (Origin.PARAM, Origin.USER)]


def handed_wholes(primal: Function, facts: Facts) -> dict[Callee, set[int]]:
    """The places of each function that is called to which whole numbers may be given.

    vjp_h(x, 0.5): to the first, where nothing tells of x that it is no array of integers.
    """
    found: dict[Callee, set[int]] = {}
    todo = [(primal, wholes(primal, facts))]
    while todo:
        function, whole = todo.pop()
        for call in _calls_in(function):
            callee, args = callee_of(call), call.args[1:]
            places = {i for i, arg in enumerate(args) if may_be_whole(arg, whole)}
            if callee in found and places <= found[callee]:
                continue
            found[callee] = found.get(callee, set()) | places
            body = _with_wholes(callee.body, callee, found[callee])
            given = {param.var for param in body.params if param.whole}
            todo.append((body, whole_among(body, given)))
    return found


def _with_wholes(function: Function, callee: Callee, places: Set[int]) -> Function:
    """A function that is called, whose parameters say that they may be whole."""
    named = {callee.params[place] for place in places}
    params = (replace(p, whole=p.var.name in named) for p in function.params)
    return replace(function, params=tuple(params))


def behind(
    link: Link,
    request: Request,
    supply: Supply,
    handed: Mapping[Callee, Set[int]],
) -> Whole:
    """The function behind a link, with what its gradient is made of.

    `handed`: the places to which whole numbers may be given.
    """
    callee = link.callee
    primal = without_idle(marked(callee.body, supply), ())
    primal = _with_wholes(primal, callee, handed.get(callee, set()))
    facts = infer(primal, shapes_told(callee))
    params = {param.var.name: param.var for param in primal.params}
    wrt = tuple(params[callee.params[place]] for place in link.wrt)
    # a call may hand over masks: of what is no number nothing tells that it is floats
    data = [p.label for p in primal.params if facts.kind(Ref(p.var)) is Kind.LIKE]
    facts.held = held(primal, wrt, facts, data)
    seeded = tuple(value.var for value in primal.values if isinstance(value, Ref))
    stop = frozenset(var for var in named_variables(primal) if var.name in request.stop)
    asked = tuple((var.name, ()) for var in wrt)
    return Whole(primal, wrt, facts, seeded, stop, asked, called=True)


def called_by_itself(whole: Whole, request: Request) -> Link | None:
    """The link to a function whose callback form is all that is asked for."""
    primal = whole.primal
    call = primal.body[0].value if isinstance(primal.body[0], Let) else None
    if request.style != "callback" or not isinstance(call, Apply) or call.op != "kept":
        return None
    callee, places = callee_of(call), {p.var: i for i, p in enumerate(primal.params)}
    wrt = tuple(places[var] for var in whole.wrt)
    whole_call = call.args[1:] == tuple(Ref(param.var) for param in primal.params)
    same = callee.recursive and callee.name == primal.name and whole_call
    every = len(whole.seeded) == len(callee.outcomes) and not request.as_tuple
    plain = list(wrt) == sorted(wrt) and every and not request.aux
    return Link(callee, wrt) if same and plain else None


def _names(function: Function) -> Iterable[str]:
    yield from (param.var.name for param in function.params)
    yield from (var.name for var in all_defined(function.body))
    yield from (name for name, _ in function.context)
    yield from (name for name, _ in function.bundles)
