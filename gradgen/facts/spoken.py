"""Convention C of words: what is transposed, cumulated, or read entry by entry.

Nobody transposes a vector but in a product, or cumulates the entries of a matrix one
behind the other. What parameters are called and is read by its places is a vector of
them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gradgen.facts.matrices import Products, Step
from gradgen.facts.numbers import is_elementwise, is_parameter
from gradgen.facts.two_axes import is_place
from gradgen.ir.nodes import Apply, Function, Origin, Ref, Var
from gradgen.ir.operators import MATRIX_PRODUCTS
from gradgen.ir.walk import lets, reads, subexpressions
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Ranks

# what the parameters of a model are called that are handed over as one array
VECTORS = frozenset(
    "theta params param parameters par pars p beta coef coefs coeffs coefficients popt "
    "phi weights".split()
)

# what a model has one of beside its coefficients
DISPERSIONS = frozenset("sigma sigma2 tau phi kappa nu rho alpha scale shape".split())


def spoken(primal: Function, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """The ranks that words tell of, one step for each array.

    before:  np.linalg.solve(L, (X - mu).T)     np.cumprod(1 - a)    theta[0] + theta[1] * x
    after:   X - mu is a matrix                 a is a vector        theta is a vector
    """
    stacked = Products(primal, facts).are_stacked
    multiplied = {
        var
        for let in lets(primal.body)
        if isinstance(let.value, Apply) and let.value.op in MATRIX_PRODUCTS
        for var in reads(let.value)
    }
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply) or not value.args:
            continue
        first = value.args[0]
        if not isinstance(first, Ref) or len(ranks.of(first)) == 1:
            continue
        alone = len(value.args) == 1 and not value.kwargs
        if alone and _is_cumulated(value):
            yield [(first.var, 1)]
        elif value.op == "numpy.transpose" and alone and not stacked:
            if let.var not in multiplied and 2 in ranks.of(first):
                yield [(first.var, 2)]
    yield from _by_places(primal, ranks)


def beside_coefficients(
    primal: Function, ranks: Ranks, wrt: Collection[str]
) -> Iterator[Step]:
    """Parameters of a distribution that are asked for with coefficients are numbers.

    before:  np.exp(X @ beta) ** np.exp(log_k)        # beta is a vector
    after:   log_k is a number
    """
    coefficients = {
        let.value.args[1]
        for let in lets(primal.body)
        if isinstance(let.value, Apply) and let.value.op in MATRIX_PRODUCTS
        if ranks.of(let.value.args[0]) == {2} and ranks.of(let.value.args[1]) == {1}
    }
    asked = [p.var for p in primal.params if p.label in wrt]
    if any(Ref(var) in coefficients for var in asked):
        for var in asked:
            stem = var.name.removeprefix("log_")
            if stem in DISPERSIONS or stem != var.name and is_parameter(stem):
                if len(ranks.of(Ref(var))) > 1:
                    yield [(var, 0)]


def _is_cumulated(value: Apply) -> bool:
    rule = operations().get(value.op)
    return getattr(getattr(rule, "shape", None), "op", "") == "accumulated"


def _by_places(primal: Function, ranks: Ranks) -> Iterator[Step]:
    """The arrays that are called parameters, and of which single entries alone are read.

    What is made of these is computed entry by entry, and has no axes that would be theirs:
    of t[:, None] * params[0] they are rows.
    """
    entries: dict[Var, set[Var]] = {}
    others: set[Var] = set()
    for let in lets(primal.body):
        value = let.value
        if (
            isinstance(value, Apply)
            and value.op == "getitem"
            and is_place(value.args[1])
        ):
            base = value.args[0]
            if isinstance(base, Ref) and base.var.name in VECTORS:
                entries.setdefault(base.var, set()).add(let.var)
                continue
        others |= set(reads(value))
    made = {one: whole for whole, found in entries.items() for one in found}
    for let in lets(primal.body):
        for node in subexpressions(let.value):
            if not isinstance(node, Apply):
                continue
            known = [one for one in node.args if isinstance(one, Ref)]
            rows = any(min(ranks.of(one)) > 1 for one in known)
            for one in known:
                if one.var in made and (rows or not is_elementwise(node)):
                    others.add(made[one.var])
    for whole in entries:
        if whole.origin is Origin.PARAM and whole not in others:
            if len(ranks.of(Ref(whole))) > 1:
                yield [(whole, 1)]
