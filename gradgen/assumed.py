"""What is assumed of arguments that nothing tells of: two conventions, and what a body asks.

A. Where a term of the result is surely a number (all of an array is reduced to it),
   the result is one, and elementwise a number's operands are numbers.
B. In `A @ B` there are no batch axes: an A of unknown rank is a matrix.

What is assumed is looked at when the text runs: it raises where it does not hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Effect,
    Expr,
    Function,
    Let,
    Loop,
    Note,
    Param,
    Ref,
    Role,
    Var,
)
from gradgen.ir.walk import lets, statements, subexpressions
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import ANY, NoRanks, Ranks, asked_ranks
from gradgen.shapes.shape import SCALAR

ADDED = ("numpy.add", "numpy.subtract")
# what takes an entry or a length: a number of which no array is the whole
PARTS = ("getitem", "len", "count", "extent", "numpy.ndim", "numpy.size", "numpy.shape")
# what is written for stacks of matrices as well
STACKED = {
    f"numpy.{name}"
    for name in "swapaxes moveaxis rollaxis linalg.matrix_transpose matrix_transpose".split()
}
NAMES = {0: "a number", 1: "a vector", 2: "a matrix"}
# no rank is assumed of what may be no array at all
OTHER = ("None", "True", "False")


@dataclass(frozen=True)
class Assumed:
    """The rank of an argument: assumed by a convention, or asked for by the body."""

    name: str
    rank: int
    asked: bool

    @property
    def words(self) -> str:
        """ridge is a number"""
        return f"{self.name} is {self.called}"

    @property
    def called(self) -> str:
        return NAMES.get(self.rank, f"an array of {self.rank} axes")


def assumed(
    primal: Function, facts: Facts, wrt: Collection[str], arrays: Collection[str]
) -> tuple[Assumed, ...]:
    """The ranks of arguments that nothing tells of, in the order of the arguments.

    `facts` are what is told, and follows; `wrt` are the arguments of the gradient,
    `arrays` those that are described as arrays.

    before:  return np.mean(r * r) + ridge * np.sum(w * w)    # r = X @ w - y
    after:   ridge is a number, X is a matrix
    """
    free = [p for p in primal.params if is_free(p, facts)]
    if not free:
        return ()
    ranks, guess = Ranks(primal, facts, False), Ranks(primal, facts, True)
    try:
        ranks.settle()
        for var, rank in asked_ranks(primal.body):
            ranks.narrow(var, [rank])
            guess.narrow(var, [rank])
        guess.settle()
        _reduced_are_arrays(primal, facts, guess)
    except NoRanks:
        return ()
    asked = {p.var for p in free if len(ranks.of(Ref(p.var))) == 1}
    for told in (_Products(primal, facts), _Numbers(primal, facts, wrt, arrays)):
        for step in told.steps():
            sure, likely = ranks.copy(), guess.copy()
            try:
                for var, rank in step:
                    sure.narrow(var, [rank])
                    likely.narrow(var, [rank])
            except NoRanks:
                continue
            ranks, guess = sure, likely
    found = [(p, ranks.of(Ref(p.var))) for p in free]
    return tuple(
        Assumed(param.label, min(one), param.var in asked)
        for param, one in found
        if len(one) == 1 and min(one) < max(ANY)
    )


def told_of(found: Iterable[Assumed]) -> str:
    """What is assumed, as the docstring says it: ridge is a number, X is a matrix"""
    return ", ".join(one.words for one in found if not one.asked)


def is_free(param: Param, facts: Facts) -> bool:
    """Whether nothing is known of the rank of an argument that may be an array."""
    if (
        param.bundle
        or param.default in OTHER
        or facts.shapes[param.var].rank is not None
    ):
        return False
    told = facts.shapes[param.var].atoms
    written = (param.default or "")[:1] in ("'", '"', "(", "[")
    named = any(getattr(atom, "name", "").startswith("*") for atom in told)
    return not written and not named


def _reduced_are_arrays(primal: Function, facts: Facts, guess: Ranks) -> None:
    """Nobody sums a number: what is reduced to one is an array."""
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply) or not _is_reduced(let, facts):
            continue
        first = value.args[0] if value.args else None
        if isinstance(first, Ref) and 0 in guess.of(first) != frozenset([0]):
            guess.narrow(first.var, ANY - {0})


def _is_reduced(let: Let, facts: Facts) -> bool:
    """Whether a value is a number, and what it is made of is an array."""
    value = let.value
    if not isinstance(value, Apply) or facts.shapes[let.var] != SCALAR:
        return False
    rule = operations().get(value.op)
    if rule is None or rule.kind not in ("linear", "general") or value.op in PARTS:
        return False
    inside = [one for one in subexpressions(value) if isinstance(one, Ref)]
    return any(facts.shapes[one.var] != SCALAR for one in inside)


Step = list[tuple[Var, int]]


class _Products:
    """Convention B."""

    def __init__(self, primal: Function, facts: Facts) -> None:
        self.primal, self.facts = primal, facts
        self.params = {param.var for param in primal.params}

    def steps(self) -> Iterator[Step]:
        found = list(lets(self.primal.body))
        if any(map(self._is_stacked, found)):
            return
        for let in found:
            value = let.value
            if not isinstance(value, Apply) or value.op != "numpy.matmul":
                continue
            left, right = value.args
            if {2} in ({self.facts.rank(left)}, {self.facts.rank(right)}):
                continue
            sides = [self._root(left), self._root(right)]
            if sides[0] is not None and sides[0] == sides[1]:
                continue
            for side, root in zip((left, right), sides):
                if (
                    root is not None
                    and root.name[:1].isupper()
                    and isinstance(side, Ref)
                ):
                    yield [(side.var, 2)]
                    break

    def _root(self, value: Expr) -> Var | None:
        """The argument that a value is, but for signs, transposition and factors."""
        for _ in range(20):
            if not isinstance(value, Ref):
                return None
            if value.var in self.params:
                return value.var
            made = self.facts.definitions.get(value.var)
            if isinstance(made, Ref):
                value = made
            elif isinstance(made, Apply) and made.op in (
                "numpy.transpose",
                "numpy.negative",
                "numpy.conjugate",
            ):
                value = made.args[0]
            else:
                return None
        return None

    def _is_stacked(self, let: Let) -> bool:
        """Whether a statement speaks of a third axis, or of any number of axes."""
        value = let.value
        if not isinstance(value, Apply):
            return False
        if value.op in STACKED:
            return True
        nodes = list(subexpressions(value))
        if value.op == "getitem":
            key = value.args[1]
            items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
            return Const(...) in items or len(items) > 2
        axes = [v for name, v in value.kwargs if name in ("axis", "axes")]
        inside = [n for axis in axes for n in subexpressions(axis)]
        numbers = [n.value for n in inside if isinstance(n, Const)]
        if any(type(n) is int and (n > 1 or n < -2) for n in numbers):
            return True
        if value.op == "numpy.transpose" and len(nodes) > 4:
            return True
        return value.op == "numpy.einsum" and "..." in str(nodes[1:2])


class _Numbers:
    """Convention A."""

    def __init__(
        self,
        primal: Function,
        facts: Facts,
        wrt: Collection[str],
        arrays: Collection[str],
    ) -> None:
        self.primal, self.facts = primal, facts
        self.wrt = set(wrt)
        self.labels = {param.var: param.label for param in primal.params}
        self.arrays = set(arrays)
        self.carried: dict[Var, tuple[Expr, ...]] = {}
        for stmt in statements(primal.body):
            if isinstance(stmt, Loop):
                for slot in stmt.carried:
                    self.carried[slot.exit] = (slot.entry, slot.next)
                    self.carried[slot.inner] = (slot.entry,)
        self.known: dict[Var, bool | None] = {}

    def steps(self) -> Iterator[Step]:
        for value in self.primal.values:
            if self._is_number(value):
                yield from self._backwards(value)

    def _is_number(self, value: Expr) -> bool | None:
        """Whether a value is surely a number by a term: None for one that tells nothing."""
        if isinstance(value, Const):
            return None
        if not isinstance(value, Ref):
            return False
        if value.var not in self.known:
            self.known[value.var] = None  # of a loop's sum, what came before
            self.known[value.var] = self._found(value.var)
        return self.known[value.var]

    def _found(self, var: Var) -> bool | None:
        if var in self.carried:
            return self._by_terms([*map(self._is_number, self.carried[var])], True)
        made = self.facts.definitions.get(var)
        if isinstance(made, Ref):
            return self._is_number(made)
        scalar = self.facts.shapes[var] == SCALAR
        if not isinstance(made, Apply):
            return None if scalar else False
        if _is_elementwise(made):
            args = [self._is_number(arg) for arg in made.args]
            return self._by_terms(args, made.op in ADDED)
        if not scalar:
            return False
        let = Let(var, made, Note(Role.FORWARD))
        return True if _is_reduced(let, self.facts) else None

    def _by_terms(self, args: list[bool | None], added: bool) -> bool | None:
        if all(one is None for one in args):
            return None
        return any(args) if added else all(one is not False for one in args)

    def _backwards(self, value: Expr) -> Iterator[Step]:
        """The arguments that are numbers where the result is one, all at once."""
        numbers: dict[Var, None] = {}
        bare: dict[Var, None] = {}
        products: dict[Var, None] = {}
        seen: set[Var] = set()
        stack = [(value, False)]
        while stack:
            one, beside = stack.pop()
            if not isinstance(one, Ref) or one.var in seen:
                continue
            seen.add(one.var)
            made = self.facts.definitions.get(one.var)
            if one.var in self.labels:
                if self.facts.shapes[one.var].rank is None:
                    (numbers if beside else bare)[one.var] = None
            elif one.var in self.carried:
                stack += [(inner, beside) for inner in self.carried[one.var]]
            elif isinstance(made, Ref):
                stack.append((made, beside))
            elif isinstance(made, Apply) and _is_elementwise(made):
                # ridge stands beside a number in ridge * np.sum(w * w)
                near = (
                    beside
                    or made.op not in ADDED
                    and any(self._is_number(arg) for arg in made.args)
                )
                stack += [(arg, near) for arg in made.args]
            elif isinstance(made, Apply) and made.op == "numpy.matmul":
                if self.facts.shapes[one.var].rank is None:
                    products[one.var] = None
            elif self.facts.shapes[one.var].rank:
                return  # an array among the terms: the result is one
        every = {**numbers, **bare}
        names = {self.labels[var] for var in every}
        if names & self.arrays:
            return
        if self.wrt <= {self.labels[var] for var in bare}:
            return  # that what is asked for is a number is told by nothing near it
        yield [(var, 0) for var in (*every, *products)]


def _is_elementwise(value: Apply) -> bool:
    rule = operations().get(value.op)
    return rule is not None and rule.kind == "elementwise" and not value.kwargs


def looked_at(primal: Function, found: tuple[Assumed, ...]) -> Function:
    """The function, which raises where an argument has another rank than is assumed.

    before:  return np.mean(r * r) + ridge * np.sum(w * w)
    after:   if np.ndim(ridge) != 0:
                 raise ValueError("ridge is taken for a number")
             return np.mean(r * r) + ridge * np.sum(w * w)
    """
    if not found:
        return primal
    by_name = {param.label: param.var for param in primal.params}
    tests: list[Expr] = [
        Apply(
            "numpy.not_equal",
            (Apply("numpy.ndim", (Ref(by_name[one.name]),)), Const(one.rank)),
            (),
            "operator",
        )
        for one in found
    ]
    test = tests[0]
    for more in tests[1:]:
        test = Apply("or", (test, more), (), "operator")
    note = Note(Role.FORWARD)
    told = ", ".join(f"{one.name} for {one.called}" for one in found)
    first, _, rest = told.partition(" for ")
    message = Const(f"{first} is taken for {rest}")
    args = Const(ValueError, "ValueError"), message
    fail = Branch(test, (Effect(Apply("raise", args), note),), (), (), note)
    return replace(primal, body=(fail, *primal.body))
