"""Convention C of words: what is transposed, cumulated, or read entry by entry.

Nobody transposes a vector but in a product, or cumulates the entries of a matrix one
behind the other. What parameters are called and is read by its places is a vector of
them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gradgen.facts.matrices import Products, Step
from gradgen.facts.numbers import NUMBERS, is_parameter
from gradgen.facts.through import factors_of, is_elementwise, of_entries
from gradgen.facts.keys import is_place, is_slice, is_turned, sizes_behind
from gradgen.ir.nodes import Apply, Const, Expr, Function, Origin, Ref, Var
from gradgen.ir.operators import (
    DISTANCES,
    CROSSES,
    LENGTHS,
    MATRIX_PRODUCTS,
    MULTIPLICATIVE,
    TOTALS,
)
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets, reads, subexpressions
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Ranks

# what the parameters of a model are called that are handed over as one array
VECTORS = frozenset(
    "theta params param parameters par pars p beta coef coefs coeffs coefficients popt "
    "phi weights".split()
)

# what points have a row for each in
PAIRED = {*MATRIX_PRODUCTS, *CROSSES}
# arrays of points
POINTS = frozenset(
    "points pts vertices verts positions pos coords coordinates xyz landmarks".split()
)
OF_USER = (Origin.PARAM, Origin.USER)
# how far a kernel reaches
REACHES = frozenset("l ell h length_scale lengthscale temperature margin".split())
# how far a loop goes in each round
STEPS = frozenset("dt lr learning_rate step_size timestep time_step".split())
# what a model has one of beside its coefficients
DISPERSIONS = frozenset("sigma sigma2 tau phi kappa nu rho alpha scale shape".split())


def spoken(primal: Function, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """The ranks that words tell of, one step for each array.

    before:  np.linalg.solve(L, (X - mu).T)     np.cumprod(1 - a)    theta[0] + theta[1] * x
    after:   X - mu is a matrix                 a is a vector        theta is a vector

    So is z a matrix of which the rows are split: z.reshape(len(z), heads, -1).
    """
    stacked = Products(primal, facts).are_stacked
    multiplied = _multiplied(primal, facts)
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply) or not value.args:
            continue
        first = value.args[0]
        if not isinstance(first, Ref) or len(ranks.of(first)) == 1:
            continue
        alone = len(value.args) == 1 and not value.kwargs
        if alone and (_is_cumulated(value) or value.op == "numpy.diff"):
            yield [(first.var, 1)]
        elif value.op in MATRIX_PRODUCTS and all(
            getattr(facts.definitions.get(getattr(one, "var")), "op", "") in CROSSES
            for one in value.args
            if isinstance(one, Ref)
        ):
            yield from ([(one.var, 1)] for one in value.args if isinstance(one, Ref))
        elif value.op == "numpy.reshape" and _splits_rows(value, facts):
            if 2 in ranks.of(first):
                yield [(first.var, 2)]
        elif value.op == "numpy.transpose" and alone and not stacked:
            listed = _is_listed(first, facts)
            if let.var not in multiplied and 2 in ranks.of(first) and not listed:
                yield [(first.var, 2)]
    yield from _by_places(primal, facts, ranks)


def _is_listed(value: Expr, facts: Facts) -> bool:
    """Whether a value is computed entry by entry of an array that is written out.

    np.array([np.cos(a), np.sin(a)]) * p, of one axis where a is a number
    """
    for end in upstream(value, facts.definitions, of_entries):
        made = facts.definitions.get(end.var) if isinstance(end, Ref) else None
        if isinstance(made, Apply) and made.op.endswith("array") and made.args:
            if isinstance(made.args[0], Apply) and made.args[0].op == "list":
                return True
    return False


def _multiplied(primal: Function, facts: Facts) -> set[Var]:
    """What is an operand of a product, or is so but for a sign and factors: 0.5 * y.T @ a."""
    found: set[Var] = set()
    for let in reversed(list(lets(primal.body))):
        value = let.value
        if not isinstance(value, Apply):
            continue
        if value.op in MATRIX_PRODUCTS:
            found |= set(reads(value))
        elif let.var in found and is_elementwise(value):
            arrays = {var for var in reads(value) if facts.rank(Ref(var)) != 0}
            scaled = value.op in MULTIPLICATIVE  # lam * w.T @ w
            found |= arrays if scaled or len(arrays) == 1 else set()
    return found


def named(
    primal: Function, facts: Facts, ranks: Ranks, arrays: Collection[str]
) -> Iterator[Step]:
    """The numbers that names tell of: steps of time, and one of what there are many.

    before:  v + dt * a        np.sum(m / np.sqrt((x - xs) ** 2))      0.5 * k * np.sum(d)
    after:   dt is a number    x is one, beside xs                     k is one

    A tvec is a vector; points have a row for each in points @ R and np.cross(k, points).
    """
    params = {param.label: param.var for param in primal.params}
    for name, var in params.items():
        if name in STEPS and f"{name}s" not in params:
            yield [(var, 0)]
        if name.endswith("vec"):
            yield [(var, 1)]
    for let in lets(primal.body):
        value = let.value
        sides = value.args if isinstance(value, Apply) and value.op in PAIRED else ()
        for one in sides[:1] if getattr(value, "op", "") in MATRIX_PRODUCTS else sides:
            if isinstance(one, Ref) and are_points(one.var.name):
                if one.var.origin is Origin.PARAM and {1, 2} <= ranks.of(one):
                    yield [(one.var, 2)]
        if (
            isinstance(value, Apply)
            and value.op == "getitem"
            and _is_point(value, facts)
        ):
            yield [(getattr(value.args[0], "var"), 2)]
        if not isinstance(value, Apply) or not is_elementwise(value):
            continue
        yield from _rows_weighed(value, facts, ranks)
        given = {getattr(one, "var", None) for one in value.args}
        for name, var in params.items():
            if var in given and f"{name}s" in params and params[f"{name}s"] in given:
                yield [(var, 0)]
    for result in primal.values:
        yield from _of_totals(result, facts, ranks)
        for step in _beside_totals(result, facts):
            if all(var.name not in arrays for var, _ in step):  # described as arrays
                yield step


def _rows_weighed(value: Apply, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """Points that a column is multiplied with have a row for each of its entries.

    before:  np.sum(pos * mass[:, None], axis=0)
    after:   pos is a matrix, and mass a vector
    """
    refs = [one.var for one in value.args if isinstance(one, Ref)]
    made = [facts.definitions.get(var) for var in refs]
    columns = [one.args for one in made if isinstance(one, Apply) and is_turned(one)]
    bases = [
        base.var
        for base, key in columns
        if isinstance(base, Ref) and getattr(key, "args")[-1:] == (Const(None),)
    ]
    for one in value.args if bases else ():
        if isinstance(one, Ref) and one.var.origin is Origin.PARAM:
            if are_points(one.var.name) and 2 in ranks.of(one):
                yield [(one.var, 2), *((base, 1) for base in bases)]


def _is_point(value: Apply, facts: Facts) -> bool:
    """Whether a value is one of an array of points: positions[i]."""
    whole, key = value.args
    if not isinstance(whole, Ref) or whole.var.origin not in OF_USER:
        return False
    return are_points(whole.var.name) and facts.is_index(key)


def are_points(name: str) -> bool:
    """Whether an array is called as points are: vertices, control_points."""
    return name.rsplit("_", 1)[-1] in POINTS


def _of_totals(value: Expr, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """The parameters that a result multiplies a total with: nobody means an array."""
    factors: list[Ref] = []
    is_total = False
    for one in upstream(value, facts.definitions, factors_of):
        made = facts.definitions.get(one.var) if isinstance(one, Ref) else None
        if isinstance(made, Apply):
            is_total = is_total or made.op in TOTALS and len(made.args) == 1
        elif isinstance(one, Ref):
            factors.append(one)
    for one in reversed(factors) if is_total else ():
        if one.var.origin is Origin.PARAM and one.var.name.islower():
            yield [(one.var, 0)]


def _beside_totals(value: Expr, facts: Facts) -> Iterator[Step]:
    """The parameters of a number that is computed of totals and of these alone.

    before:  np.exp(-np.sum((x - y) ** 2) / (2 * sigma**2))
    after:   sigma is a number
    """
    ends = [
        (one, facts.definitions.get(one.var))
        for one in upstream(value, facts.definitions, of_entries)
        if isinstance(one, Ref)
    ]
    totals = [made for _, made in ends if _is_total(made)]
    others = [one for one, made in ends if made is not None and not _is_total(made)]
    if totals and all(facts.rank(one) == 0 for one in others):
        for one, made in ends:
            name = one.var.name
            known = is_parameter(name) or name in NUMBERS or name in REACHES
            if made is None and one.var.origin is Origin.PARAM and known:
                yield [(one.var, 0)]


def _is_total(value: Expr | None) -> bool:
    one = isinstance(value, Apply) and len(value.args) == 1 and not value.kwargs
    return one and getattr(value, "op", "") in DISTANCES


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


def _splits_rows(value: Apply, facts: Facts) -> bool:
    """Whether an array keeps its length, and has two axes or more behind it."""
    return len(sizes_behind(value, facts)) > 1


def _is_cumulated(value: Apply) -> bool:
    rule = operations().get(value.op)
    return getattr(getattr(rule, "shape", None), "op", "") == "accumulated"


def _stores_a_row(store: Apply, facts: Facts, ranks: Ranks) -> bool:
    """Whether fewer axes are named than what is stored into has: A[0] of a matrix A."""
    whole, key, _ = store.args
    places = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    return all(map(facts.is_index, places)) and min(ranks.of(whole)) > len(places)


def _by_places(primal: Function, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """The arrays that are called parameters, and of which single entries alone are read.

    What is made of these is computed entry by entry, and has no axes that would be theirs:
    of t[:, None] * params[0] they are rows. So are others of which three entries or more
    are read, if no two of them meet, as the differences of points would; beside one of
    these two entries are enough: a[1] and a[2] beside b[0], b[1] and b[2]. Entries of
    coefs may be read by an index as well, coefs[2 * k].
    """
    entries: dict[Var, dict[Var, object]] = {}
    others: set[Var] = set()
    for let in lets(primal.body):
        value = let.value
        base = value.args[0] if isinstance(value, Apply) and value.args else None
        if isinstance(value, Apply) and value.op == "getitem" and isinstance(base, Ref):
            is_known = base.var.name in VECTORS
            if is_place(value.args[1]) or is_known and facts.is_index(value.args[1]):
                entries.setdefault(base.var, {})[let.var] = value.args[1]
                continue
            if is_known and is_slice(value.args[1]):  # M @ coef[1::2]
                continue
        if getattr(value, "op", "") in LENGTHS:
            continue
        others |= set(reads(value))
    made = {one: whole for whole, found in entries.items() for one in found}
    for let in lets(primal.body):
        for node in subexpressions(let.value):
            if not isinstance(node, Apply):
                continue
            known = [one for one in node.args if isinstance(one, Ref)]
            rows = any(min(ranks.of(one)) > 1 for one in known)
            inside = [made[one.var] for one in known if one.var in made]
            for whole in inside:
                met = inside.count(whole) > 1 and whole.name not in VECTORS
                if rows or met or not is_elementwise(node):
                    others.add(whole)
            if node.op == "setitem" and _stores_a_row(node, facts, ranks):
                ends = upstream(node.args[2], facts.definitions, of_entries)
                own = (getattr(one, "var", None) for one in ends)
                others |= {made[var] for var in own if var in made}
    counts = {whole: len(set(places.values())) for whole, places in entries.items()}
    least = 2 if max(counts.values(), default=0) > 2 else 3
    for whole, count in counts.items():
        called = whole.name in VECTORS or count >= least
        if called and whole.origin is Origin.PARAM and whole not in others:
            if len(ranks.of(Ref(whole))) > 1:
                yield [(whole, 1)]
