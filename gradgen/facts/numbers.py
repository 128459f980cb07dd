"""Convention A: where a term of the result is surely a number, the result is one.

Elementwise a number's operands are numbers: backwards, through sums that loops carry too.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Collection, Iterator

from gradgen.facts.matrices import Products
from gradgen.facts.through import is_elementwise, of_entries, terms_of
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Note,
    Ref,
    Role,
    Var,
)
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets, reads, statements, subexpressions
from gradgen.ir.operators import ADDITIVE, MATRIX_PRODUCTS, MEASURES, SIGNED, TOTALS
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Ranks

# what takes an entry or a length: a number of which no array is the whole
# or hands on what may be one already: float(e @ e)
PARTS = {"getitem", "item", "len", "count", "extent", "float", "int", "bool", *MEASURES}
# what has a row for each observation: nothing is larger, and few have its shape
TABLE = "X"
Step = list[tuple[Var, int]]
# what the numbers of a model are called
PARAMETERS = frozenset(
    "alpha beta gamma delta theta kappa mu nu xi omega phi rho sigma tau lam rate "
    "scale shape loc shift amplitude amp offset width a b c k r sig".split()
)

# what numbers are called that matrices are multiplied with
NUMBERS = frozenset("dt dx lr eps alpha lam _lambda lambda_ scale step bw".split())
NUMBERS |= {"bandwidth", "lambd"}
# ... where there are several of them
NUMBERED = frozenset("m n p q s u v w".split())
# what shares are called, where the other share is one minus it
SHARES = frozenset("w p pi mix weight frac fraction".split())

# what tells a distribution of each entry
MOMENTS = frozenset(
    "mu sigma mean std sd logvar log_var log_sigma log_std logstd log_sd".split()
)


def is_parameter(name: str) -> bool:
    """Whether a name is one of a model's numbers: sigma, self.a of self.a * np.exp(t)."""
    plain = name.rpartition(".")[2].removeprefix("log_")
    stem = plain.rstrip("0123456789")  # one of several: m1 and s2
    return stem in PARAMETERS or stem != plain and stem in NUMBERED


def is_reduced(let: Let, ranks: Ranks) -> bool:
    """Whether a value is a number, and what it is made of is an array."""
    value = let.value
    if not isinstance(value, Apply) or ranks.of(Ref(let.var)) != {0}:
        return False
    rule = operations().get(value.op)
    if rule is None or rule.kind not in ("linear", "general") or value.op in PARTS:
        return False
    inside = [one for one in subexpressions(value) if isinstance(one, Ref)]
    return any(ranks.of(one) != {0} for one in inside)


def summed(primal: Function, facts: Facts) -> set[Var]:
    """What is summed, or goes entry by entry into what is: that is an array."""
    waiting: list[Expr] = []
    for let in lets(primal.body):
        rule = operations().get(getattr(let.value, "op", ""))
        if rule is not None and rule.kind in ("linear", "general"):
            waiting += [Ref(var) for var in reads(let.value)]
    found: set[Var] = set()
    while waiting:
        one = waiting.pop()
        if not isinstance(one, Ref) or one.var in found:
            continue
        found.add(one.var)
        made = facts.definitions.get(one.var)
        if isinstance(made, Apply) and is_elementwise(made):
            waiting += made.args
    return found


class Numbers:
    """The terms of a function's results, and what is assumed of their operands."""

    def __init__(
        self,
        primal: Function,
        facts: Facts,
        ranks: Ranks,
        wrt: Collection[str],
        arrays: Collection[str],
        totals: bool = False,
    ) -> None:
        self.primal, self.facts, self.ranks = primal, facts, ranks
        self.wrt = set(wrt)
        self.labels = {param.var: param.label for param in primal.params}
        self.arrays = set(arrays)
        self.carried: dict[Var, tuple[Expr, ...]] = {}
        self.following: dict[Var, tuple[Expr, ...]] = {}
        for stmt in statements(primal.body):
            if isinstance(stmt, Loop):
                for slot in stmt.carried:
                    self.carried[slot.exit] = (slot.entry, slot.next)
                    self.carried[slot.inner] = (slot.entry,)
                    ends = self.following[slot.inner] = (slot.next,)
                    self.following[slot.exit] = ends
            for merge in stmt.merges if isinstance(stmt, Branch) else ():
                self.carried[merge.var] = (merge.then, merge.orelse)
                self.following[merge.var] = ()
        self.known: dict[Var, bool | None] = {}
        self.loose = totals
        # with `totals`, what loops add to a number that is written out stays one
        self.totals = set(self._totals()) if totals else set()
        # and so are the items of a list of which all are added up
        self.listed = list(self._listed()) if totals else []

    def _totals(self) -> Iterator[Var]:
        """What loops add up from a number on: loss = 0.0; loss += ..."""
        for stmt in statements(self.primal.body):
            for slot in stmt.carried if isinstance(stmt, Loop) else ():
                entry: Expr | None = slot.entry
                if isinstance(entry, Ref):
                    entry = self.facts.definitions.get(entry.var)
                number = isinstance(entry, Const) and type(entry.value)
                if number in (int, float) and self._has_term(slot.next, slot.inner):
                    yield slot.exit

    def _listed(self) -> Iterator[Expr]:
        """What is put into lists of which the sum, or the mean, is taken as a whole."""
        added = {one for var in self.totals for one in self.following.get(var, ())}
        for let in lets(self.primal.body):
            value = let.value
            if not isinstance(value, Apply) or value.kwargs or not value.args:
                continue
            if value.op in ADDITIVE and Ref(let.var) in added:  # sum(errors)
                wholes = [whole for arg in value.args for whole in self._lists_in(arg)]
            elif value.op in TOTALS and len(value.args) == 1:
                stacked = self._made_by(value.args[0], "stacked")
                wholes = [stacked.args[0]] if stacked is not None else []
            else:
                continue
            known = [whole.var for whole in wholes if isinstance(whole, Ref)]
            for end in (end for var in known for end in self.following.get(var, ())):
                grown = self._made_by(end, "append")
                while grown is not None:  # several in a round
                    yield grown.args[1]
                    grown = self._made_by(grown.args[0], "append")

    def _lists_in(self, value: Expr) -> Iterator[Expr]:
        """The lists of which a value is computed item by item, entry by entry."""
        for end in upstream(value, self.facts.definitions, of_entries):
            item = self._made_by(end, "item")
            if item is not None:
                yield item.args[0]

    def _made_by(self, value: Expr | None, op: str) -> Apply | None:
        """What a value is made by, if that is this operation."""
        while isinstance(value, Ref):
            value = self.facts.definitions.get(value.var)
        return value if isinstance(value, Apply) and value.op == op else None

    def _has_term(self, value: Expr, var: Var) -> bool:
        """Whether a variable is a term of a value, or a parameter times it: gamma * g."""
        inside = {exit: made[0] for exit, made in self.carried.items() if exit != var}
        known = ChainMap(inside, self.facts.definitions)
        ends = upstream(value, known, terms_of)
        return any(Ref(var) in (one, *self._discounted(one)) for one in ends)

    def _discounted(self, value: Expr) -> tuple[Expr, ...]:
        made = self._made_by(value, "numpy.multiply")
        names = [self.labels.get(one) for one in reads(made)] if made else []
        return made.args if made and any(map(is_parameter, filter(None, names))) else ()

    def steps(self) -> Iterator[Step]:
        reduced = summed(self.primal, self.facts) if self.totals else set()
        totals = [Ref(var) for var in self.totals if var not in reduced]
        for value in (*self._stored(), *self._filling()):
            yield from self.backwards(value, True)
        for value in self.listed:  # of np.sum([k * x for k in ks]) x may be an array
            for step in self.backwards(value, True):
                if self.wrt.isdisjoint(self.labels.get(var) for var, _ in step):
                    yield step
        for value in dict.fromkeys((*self.primal.values, *totals)):
            if self._is_number(value):
                yield from self.backwards(value)

    def parameters(self) -> Iterator[Step]:
        """Of a model that is fitted to data by a sum the parameters are numbers.

        before:  np.sum((a * np.exp(-b * t) - y) ** 2)
        after:   a and b are numbers

        So is each that a gradient is asked of, if all of these are called so and meet
        the data entry by entry, and so is dt beside them.
        """
        free = [p for p in self.primal.params if self.facts.shapes[p.var].rank is None]
        asked = [p for p in free if p.label in self.wrt]
        if not asked or len(asked) == len(free) or not self.loose:
            return
        named = [param for param in asked if is_parameter(param.label)]
        shares = {param.label for param in asked} & SHARES if len(named) > 1 else set()
        if not all(param in named or param.label in shares for param in asked):
            return
        if MOMENTS & {param.label for param in free if param not in asked}:
            return  # mu and logvar are of each entry
        if not all(len(p.label) > 1 or self._meets_data(p.var) for p in asked):
            return  # a of 1 / (1 + np.exp(-a)), which y is held against
        plain = all(map(is_plain, lets(self.primal.body)))
        if plain and any(is_reduced(let, self.ranks) for let in lets(self.primal.body)):
            yield [(param.var, 0) for param in asked]
            steps = (param for param in free if param.label in NUMBERS)
            yield from ([(param.var, 0)] for param in steps)

    def _meets_data(self, var: Var) -> bool:
        """Whether an argument, or its negative, is an operand beside another one."""
        own: set[Expr] = {Ref(var)}
        for let in lets(self.primal.body):
            value = let.value
            if not isinstance(value, Apply) or own.isdisjoint(value.args):
                continue
            if value.op in SIGNED:
                own.add(Ref(let.var))
            elif any(isinstance(arg, Ref) and arg not in own for arg in value.args):
                return True
        return False

    def _stored(self) -> Iterator[Expr]:
        """What is stored at an index into an array of that many axes: numbers."""
        for let in lets(self.primal.body):
            value = let.value
            if isinstance(value, Apply) and value.op == "setitem":
                whole, key, stored = value.args
                places = key.args if getattr(key, "op", "") == "tuple" else (key,)
                if all(map(self.facts.is_index, places)):
                    if self.ranks.of(whole) == {len(places)}:
                        yield stored

    def _filling(self) -> Iterator[Expr]:
        """What arrays are filled with, and s0 of s0 * np.ones(n): a number to begin with."""
        for let in lets(self.primal.body) if self.loose else ():
            value = let.value
            if isinstance(value, Apply) and value.op == "numpy.full":
                yield from value.args[1:2]
            if isinstance(value, Apply) and value.op == "numpy.multiply":
                for one, other in (value.args, value.args[::-1]):
                    known = isinstance(other, Ref)
                    made = self.facts.definitions.get(other.var) if known else None
                    if isinstance(made, Apply) and made.op == "numpy.ones":
                        if isinstance(one, Ref) and one.var.name.endswith("0"):
                            yield one

    def _is_number(self, value: Expr, is_factor: bool = False) -> bool | None:
        """Whether a value is surely a number by a term: None for one that tells nothing.

        So does an argument that is a factor of a sum: lam of lam * np.sum(w * w).
        """
        if isinstance(value, Const):
            return None
        if not isinstance(value, Ref):
            return False
        if is_factor and self.loose and value.var in self.labels:
            if value.var.name.islower():
                return None
        if value.var not in self.known:
            self.known[value.var] = None  # of a loop's sum, what came before
            self.known[value.var] = self._found(value.var)
        return self.known[value.var]

    def _found(self, var: Var) -> bool | None:
        if var in self.totals:
            return True
        if var in self.carried:
            return self._by_terms([*map(self._is_number, self.carried[var])], True)
        made = self.facts.definitions.get(var)
        if isinstance(made, Ref):
            return self._is_number(made)
        scalar = self.ranks.of(Ref(var)) == {0}
        if not isinstance(made, Apply):
            return None if scalar else False
        if is_elementwise(made):
            added = made.op in ADDITIVE
            beside = not added and any(map(self._is_sum, made.args))
            args = [self._is_number(arg, beside) for arg in made.args]
            return self._by_terms(args, added)
        if not scalar:
            return False
        let = Let(var, made, Note(Role.FORWARD))
        if is_reduced(let, self.ranks) or self._is_of_several(made):
            return True
        return None

    def _is_of_several(self, made: Apply) -> bool:
        """Whether a number is one of several results: np.linalg.slogdet(K)[1]."""
        whole = made.args[0] if made.op == "getitem" else None
        if isinstance(whole, Ref):
            whole = self.facts.definitions.get(whole.var)
        rule = operations().get(whole.op) if isinstance(whole, Apply) else None
        if whole is None or rule is None or not self.facts.several(whole):
            return False
        return rule.kind in ("linear", "general")

    def _is_sum(self, value: Expr) -> bool:
        """Whether a value is the sum of a whole array, or another number made of one."""
        made: Expr | None = value
        while isinstance(made, Ref):
            value, made = made, self.facts.definitions.get(made.var)
        if not isinstance(made, Apply) or not isinstance(value, Ref):
            return False
        return is_reduced(Let(value.var, made, Note(Role.FORWARD)), self.ranks)

    def _by_terms(self, args: list[bool | None], added: bool) -> bool | None:
        if all(one is None for one in args):
            return None
        return any(args) if added else all(one is not False for one in args)

    def backwards(self, value: Expr, surely: bool = False) -> Iterator[Step]:
        """The arguments that are numbers where a value is one, all at once.

        A result is that by a term alone, if not `surely`.
        """
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
                if self.totals:
                    stack += [(value, beside) for value in self.following[one.var]]
            elif isinstance(made, Ref):
                stack.append((made, beside))
            elif isinstance(made, Apply) and is_elementwise(made):
                # ridge stands beside a number in ridge * np.sum(w * w)
                near = (
                    beside
                    or made.op not in ADDITIVE
                    and any(self._is_number(arg) for arg in made.args)
                )
                stack += [(arg, near) for arg in made.args]
            elif isinstance(made, Apply) and made.op in MATRIX_PRODUCTS:
                own = self.ranks.of(one)
                if 0 not in own or own != {0} and self._has_capital(made):
                    return
                products[one.var] = None
            elif made is not None and self._is_entry(made):
                products[one.var] = None
            elif 0 not in self.ranks.of(one):
                return  # an array among the terms: the result is one
        every = {**numbers, **bare}
        names = {self.labels[var] for var in every}
        if names & self.arrays or TABLE in names and not surely:
            return
        asked = self.wrt <= {self.labels[var] for var in bare}
        if seen.isdisjoint(self.totals) and asked and not surely:
            return  # that what is asked for is a number is told by nothing near it
        yield [(var, 0) for var in (*every, *products)]

    def _has_capital(self, product: Apply) -> bool:
        """Whether a product is one of a matrix by its name: X.T @ y is no number."""
        roots = map(Products(self.primal, self.facts).root, product.args)
        return any(root is not None and root.name[:1].isupper() for root in roots)

    def _is_entry(self, value: Expr) -> bool:
        """Whether a value is x[i] in a total, which x is a vector of."""
        known = self.totals or self.listed
        if not known or not isinstance(value, Apply) or value.op != "getitem":
            return False
        return self.facts.is_index(value.args[1])


def is_plain(let: Let) -> bool:
    """Whether a value is an elementwise one, or the sum or mean of a whole array."""
    value = let.value
    if not isinstance(value, Apply) or value.op in PARTS:
        return True
    return is_elementwise(value) or value.op in TOTALS and not value.kwargs
