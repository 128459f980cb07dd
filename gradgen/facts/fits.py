"""Models that are fitted to data: what they predict is held against a response."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gradgen.facts.matrices import Step
from gradgen.facts.numbers import MOMENTS, Numbers, is_parameter, is_plain, is_reduced
from gradgen.ir.nodes import Apply, Branch, Expr, Function, Loop, Param, Ref, Var
from gradgen.ir.operators import ADDITIVE, LOGARITHMS
from gradgen.ir.walk import lets, reads, statements


# what a model gives, which is held against other arrays
PREDICTIONS = frozenset(
    "pred preds predicted prediction predictions y_pred y_hat yhat logits logit".split()
)
# ... and what they are held against
OBSERVED = frozenset("y y_true target targets".split())
# what arrays of data are called
ARRAYS = PREDICTIONS | frozenset(
    "p q u v x y z prob probs score scores image img signal logp log_prob log_probs "
    "logprob logprobs ratio ratios residual residuals errors".split()
)

# ... of which these may be a phase, or a power, as well
LETTERS = frozenset("pquv")

# ... and what a formula is evaluated at
DATA = ARRAYS | frozenset("t time times xs ys ts data values obs".split())


# ... several of them, by the name of one
SEVERAL = frozenset(
    f"{one}s"
    for one in "alpha beta gamma delta theta phi omega sigma lambda tau angle freq "
    "wavelength period distance dose strain".split()
)

# names of what is one thing, in several parts
FAMILIES = tuple(
    frozenset(words.split())
    for words in (
        "x y z",
        "u v w",
        "a b c d",
        "p q",
        "r g b",
        "re im",
        "real imag",
        "lat lon phi lam",
        "theta phi",
    )
)


def are_of_one_kind(names: Collection[str]) -> bool:
    """Whether arrays are of one shape by their names: x and y, lat1 and lat2.

    So are a prediction and its target, and the moments of a distribution.
    """
    stems = {name.split("_")[0].rstrip("0123456789").lower() for name in names}
    if len(stems) == 1:
        return True
    kinds = (PREDICTIONS | OBSERVED, MOMENTS)
    return any(one.issuperset(names) for one in kinds) or any(
        family.issuperset(stems) for family in FAMILIES
    )


def arrays_beside(
    asked: Collection[str], others: Collection[str], arrays: Collection[str]
) -> list[str]:
    """The arguments that are more surely arrays than those of the gradient.

    `arrays` are those that the function casts, or that may be numbers as well by the
    docstring. Several by their names are arrays.

    before:  tau = np.asarray(tau)
             return np.exp(-lam * tau)          in lam, which may be a number
    after:   tau
    """
    if not SEVERAL.isdisjoint(asked):
        return []
    return sorted(SEVERAL.union(arrays) & set(others))


def parameters(numbers: Numbers) -> Iterator[Step]:
    """Several parameters of a model that is fitted to data are numbers, whatever their names.

    before:  np.sum((vmax * s / (km + s) - v) ** 2)     in vmax and km
    after:   vmax and km are numbers

    So are three or more beside two arrays of data, if none is called like one of these.
    """
    shapes, params = numbers.facts.shapes, numbers.primal.params
    free = [param for param in params if shapes[param.var].rank is None]
    asked = {param.label for param in free} & numbers.wrt
    others = {param.label for param in free} - asked
    if len(asked) < 2 or len(others) < 2 or MOMENTS & set(map(_stem, others)):
        return
    every = list(lets(numbers.primal.body))
    if not all(map(is_plain, every)) or not any(
        is_reduced(let, numbers.ranks) for let in every
    ):
        return
    called = {name for name in asked if _stem(name) in ARRAYS}
    if response_of(numbers.primal, free, asked) or len(asked) > 2 and not called:
        yield [(param.var, 0) for param in free if param.label in asked]


def of_one_kind(numbers: Numbers) -> Iterator[Step]:
    """Parameters that are of one kind by their names: where one is a number, all are.

    before:  A = np.exp(log_alpha) * np.eye(m) + ...        in log_alpha and log_beta
    after:   log_beta is a number, as log_alpha is
    """
    free = [p for p in numbers.primal.params if p.label in numbers.wrt]
    free = [p for p in free if is_parameter(p.label)]
    for one in free:
        if numbers.ranks.of(Ref(one.var)) != {0}:
            continue
        for other in free:
            alike = are_of_one_kind((one.label, other.label))
            if alike and len(numbers.ranks.of(Ref(other.var))) > 1:
                yield [(other.var, 0)]


def _stem(name: str) -> str:
    return name.rstrip("0123456789_")


def response_of(
    primal: Function, free: Collection[Param], asked: Collection[str]
) -> str:
    """What a model is fitted to, where its parameters are asked for; "" for nothing.

    before:  np.sum((amp * np.exp(-((x - mid) ** 2)) - y) ** 2)      in amp and mid
    after:   y

    A difference is one of a fit where one side is made of one argument alone, the
    response, and the other of two that are asked for, or the only one, and of other
    data: x. So is a product with a logarithm: y * np.log(p). What is held against a
    target itself, `pred - target`, is no parameter.
    """
    every = {param.var: param.label for param in free}
    depends = _depends(primal, every)
    data = set(every.values()) - set(asked)
    if not (ARRAYS - LETTERS | OBSERVED).isdisjoint(asked):
        return ""  # gain * img + bias - target, in img
    logs = {let.var for let in lets(primal.body) if _is_log(let.value)}
    for let in lets(primal.body):
        value = let.value
        product = getattr(value, "op", "") == "numpy.multiply"
        if not isinstance(value, Apply) or not (product or is_difference(value)):
            continue
        for arg, against in (value.args, value.args[::-1]):
            one, other = _of(arg, depends), _of(against, depends)
            if product and logs.isdisjoint(reads(against)):
                continue
            if len(one) == 1 and one <= data - other and other & data:
                if len(other & set(asked)) >= min(2, len(asked)):
                    return min(one)
    return ""


def _is_log(value: Expr) -> bool:
    return isinstance(value, Apply) and value.op in LOGARITHMS


def is_difference(value: Expr) -> bool:
    """Whether a value is x - y."""
    return isinstance(value, Apply) and ADDITIVE.get(value.op) == -1


def _depends(primal: Function, every: dict[Var, str]) -> dict[Var, frozenset[str]]:
    """The arguments that each variable is computed of, through loops and arms."""
    found = {var: frozenset([label]) for var, label in every.items()}
    while True:
        before = dict(found)
        for var, value in _defined(primal):
            found[var] = found.get(var, frozenset()) | _of(value, found)
        if found == before:
            return found


def _defined(primal: Function) -> Iterator[tuple[Var, Expr]]:
    for let in lets(primal.body):
        yield let.var, let.value
    for stmt in statements(primal.body):
        for merge in stmt.merges if isinstance(stmt, Branch) else ():
            yield from ((merge.var, merge.then), (merge.var, merge.orelse))
        for slot in stmt.carried if isinstance(stmt, Loop) else ():
            ends = (slot.entry, slot.next)
            yield from ((var, end) for var in (slot.inner, slot.exit) for end in ends)


def _of(value: Expr, found: dict[Var, frozenset[str]]) -> frozenset[str]:
    empty: frozenset[str] = frozenset()
    return empty.union(*(found.get(var, empty) for var in reads(value)))
