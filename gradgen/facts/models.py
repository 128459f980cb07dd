"""Products of what has no capital: x @ w of a model, and x @ w + b of a layer.

A model is held against what was observed, and all of that is summed; a layer hands its
product on. Weights and biases are known by their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gradgen.facts.layers import BIASES, OF_GATES, WEIGHTS
from gradgen.facts.matrices import Products, Step
from gradgen.facts.numbers import MOMENTS
from gradgen.facts.through import is_elementwise, is_lower_argument, terms_of
from gradgen.ir.nodes import Apply, Expr, Function, Let, Origin, Ref, Var
from gradgen.ir.operators import ADDITIVE, DISTANCES, LOGARITHMS, MATRIX_PRODUCTS
from gradgen.ir.operators import SIGNED
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets, reads
from gradgen.rules.load import operations
from gradgen.rules.traits import OF_FIRST
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Ranks

GIVEN = (Origin.PARAM, Origin.USER)
# what the numbers of a model are called that data are multiplied with
MODELS = WEIGHTS | frozenset("theta params thetas".split())
# what the matrix of a gate is called, wz and u_r
OF_GATE = re.compile(r"[wu]_?[a-z]?[a-z]?")
# what the matrix of a layer is called
KERNELS = frozenset("w weight weights kernel".split())


def models(primal: Function, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """Of a model x @ w that is summed beside data x is a matrix and w a vector.

    before:  p = expit(np.dot(x, theta))
             np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))
    after:   x is a matrix, theta a vector

    Nothing else is computed of the product than that sum; or else x is turned round in
    another product, as in x.T @ (x @ w - y). Where a bias is added and it is handed on, or
    another product takes it, w is the matrix of a layer.
    """
    if Products(primal, facts).are_stacked:
        return
    totals = _totals(primal)
    turned = _turned(primal, facts)
    params = [param.var for param in primal.params]
    large = [*params, *(let.var for let in lets(primal.body))]
    large = [var for var in large if var.name[:1].isupper() and var.origin in GIVEN]
    capitals = any(min(ranks.of(Ref(var))) == 2 for var in large)
    for let in lets(primal.body):
        made = ranks.of(Ref(let.var))
        if min(made) > 1 or made == {0}:
            yield from _alike(let.value, ranks, 2 if min(made) else 1)
        yield from _observed(let.value, facts, ranks)
        sides = _plain_sides(let.value, ranks)
        if sides is None:
            continue
        left, right = sides
        if ranks.of(left) == {1} and right.var.name in MOMENTS:
            yield [(right.var, 1)]  # w @ mu beside w @ cov @ w
        # a matrix has a capital here, alpha of np.exp(-gaps) @ alpha has none
        data = left.var.origin is Origin.PARAM
        data = data or capitals and right.var.name[:1].islower()
        known = min(ranks.of(left)) == 2 or {1} == ranks.of(right)
        is_model = right.var.name in MODELS or known and data
        is_model = is_model and not _is_beside_array(let.var, primal, ranks)
        if left.var in turned or let.var in totals and is_model:
            yield [(left.var, 2), (right.var, 1)]
        elif ranks.of(right) == {1}:
            continue
        elif _is_kernel(right.var) and (
            _has_bias(let.var, primal, facts)
            or _goes_into_another(let.var, right.var, primal, facts)
        ):
            yield [(right.var, 2)]


def _observed(value: Expr, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """What was observed is a vector where the logarithms of probabilities are one.

    np.dot(-y, np.log(h)) + np.dot((1 - y).T, np.log(1 - h))
    """
    if not isinstance(value, Apply) or value.op not in MATRIX_PRODUCTS:
        return
    for one, other in (value.args[:2], value.args[1::-1]):
        made = facts.definitions.get(other.var) if isinstance(other, Ref) else other
        if getattr(made, "op", "") not in LOGARITHMS or ranks.of(other) != {1}:
            continue
        ends = set(upstream(one, facts.definitions, _turned_or_taken_from))
        names = [end for end in ends if is_lower_argument(end)]
        if len(names) == len([end for end in ends if isinstance(end, Ref)]) == 1:
            yield [(getattr(names[0], "var"), 1)]


def _turned_or_taken_from(value: Apply) -> Sequence[Expr] | None:
    """y of -y, 1 - y and y.T."""
    plain = value.op in {*ADDITIVE, *SIGNED} or value.spelling == "attribute:T"
    return value.args if plain else None


def examples(primal: Function, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """Of a layer x @ W + b x has a row for each example, W being a matrix.

    Where its sections are taken along the first axis it is one example. Of x @ W alone
    nothing is said: the text is right for a vector as well.
    """
    if Products(primal, facts).are_stacked:
        return
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply) or value.op not in MATRIX_PRODUCTS:
            continue
        left, right = value.args[:2]
        if not isinstance(left, Ref) or left.var.origin is not Origin.PARAM:
            continue
        if left.var.name in WEIGHTS:  # w of w @ W + b has no rows
            continue
        if ranks.of(right) == {2} and len(ranks.of(left)) > 1:
            sums = _meets_more(let.var, primal, facts, ranks)
            if sums:
                yield [(left.var, 1 if _are_split(sums, primal) else 2)]


def _alike(value: Expr, ranks: Ranks, rank: int) -> Iterator[Step]:
    """The operands of a product that is a number, or of which a trace is taken.

    before:  np.trace(a.T @ b)        np.dot(u, v) + np.sum(w)
    after:   a and b are matrices     u and v are vectors
    """
    sides = value.args[:2] if isinstance(value, Apply) else ()
    refs = [one.var for one in sides if isinstance(one, Ref)]
    if getattr(value, "op", "") in MATRIX_PRODUCTS and len(refs) == 2:
        if all(rank in ranks.of(Ref(var)) for var in refs):
            yield [(var, rank) for var in refs]


def _plain_sides(value: Expr, ranks: Ranks) -> tuple[Ref, Ref] | None:
    """The operands of a product of two arguments without a capital, or of their parts."""
    if not isinstance(value, Apply) or value.op not in MATRIX_PRODUCTS:
        return None
    left, right = value.args[:2]
    for one in (left, right):
        if not isinstance(one, Ref) or not one.var.name.islower():
            return None
    assert isinstance(left, Ref) and isinstance(right, Ref)
    known = ranks.of(right)
    if right.var.origin is not Origin.PARAM or len(known) == 1 and known != {1}:
        return None
    return left, right


def _totals(primal: Function) -> set[Var]:
    """What goes into totals entry by entry, and into nothing else."""
    found: set[Var] = set()
    others: set[Var] = set()
    for let in reversed(list(lets(primal.body))):
        value, given = let.value, set(reads(let.value))
        if isinstance(value, Apply) and _is_total(value):
            found |= given
        elif let.var in found - others and _goes_on(let):
            found |= given
        else:
            others |= given
    return found - others


def _is_total(value: Apply) -> bool:
    """Whether a value is one number for all of an array: np.mean(e), e @ e."""
    if value.op in MATRIX_PRODUCTS:
        return len(set(value.args[:2])) == 1
    rule = operations().get(value.op)
    word = getattr(rule.shape, "op", "") if rule is not None else ""
    return (word in OF_FIRST or value.op in DISTANCES) and not value.kwargs


def _goes_on(let: Let) -> bool:
    return isinstance(let.value, Apply) and is_elementwise(let.value)


def _turned(primal: Function, facts: Facts) -> set[Var]:
    """The arguments that stand turned round on the left of products: x of x.T @ e."""
    found = set()
    for let in lets(primal.body):
        value = let.value
        left = value.args[0] if isinstance(value, Apply) and value.args else None
        made = facts.definitions.get(left.var) if isinstance(left, Ref) else None
        if getattr(value, "op", "") in MATRIX_PRODUCTS and isinstance(made, Apply):
            if made.spelling == "attribute:T":
                found |= set(reads(made))
    return found


def _is_beside_array(var: Var, primal: Function, ranks: Ranks) -> bool:
    """Whether what surely has axes is added to a value: u @ w + y, with y[2] read."""
    return any(
        one == Ref(var) and 0 not in ranks.of(other)
        for let in lets(primal.body)
        if getattr(let.value, "op", "") == "numpy.add"
        for one, other in (getattr(let.value, "args"), getattr(let.value, "args")[::-1])
    )


def _has_bias(var: Var, primal: Function, facts: Facts) -> bool:
    """Whether a bias is added to a value: b of x @ w + b."""
    for let in lets(primal.body):
        if getattr(let.value, "op", "") not in ADDITIVE:
            continue
        terms = list(upstream(Ref(let.var), facts.definitions, terms_of))
        names = [one.var for one in terms if isinstance(one, Ref)]
        known = any(_word(n) in BIASES or OF_GATES.fullmatch(n.name) for n in names)
        if Ref(var) in terms and known:
            return True
    return False


def _goes_into_another(var: Var, weights: Var, primal: Function, facts: Facts) -> bool:
    """Whether another product takes a value, or what is computed of it entry by entry.

    Not the one with the weights themselves: w.T @ (cov @ w) is of a vector.
    """
    made = {var}
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply) or made.isdisjoint(reads(value)):
            continue
        if value.op in MATRIX_PRODUCTS:
            others = set(reads(value)) - made
            sides = [facts.definitions.get(one, Ref(one)) for one in others]
            return not any(weights in reads(one) for one in sides)
        if is_elementwise(value) or value.spelling == "attribute:T":
            made.add(let.var)
    return False


def _is_kernel(var: Var) -> bool:
    """Whether a name is one of a layer's weights, or of a gate's: c_fc["w"], wz, u_r."""
    return _word(var) in KERNELS or OF_GATE.fullmatch(var.name) is not None


def _word(var: Var) -> str:
    """The last word of a name, without its number: w of c_fc["w"] and of w1."""
    return var.name.rpartition("_")[2].rstrip("0123456789")


def _meets_more(var: Var, primal: Function, facts: Facts, ranks: Ranks) -> set[Var]:
    """The sums of a value and an argument that may have axes, or another product."""
    found = set()
    for let in lets(primal.body):
        if getattr(let.value, "op", "") not in ADDITIVE:
            continue
        terms = list(upstream(Ref(let.var), facts.definitions, terms_of))
        others = [one for one in terms if isinstance(one, Ref) and one != Ref(var)]
        if len(others) < len(terms) and any(
            ranks.of(one) != {0}
            and (
                one.var.origin is Origin.PARAM
                or getattr(facts.definitions.get(one.var), "op", "") in MATRIX_PRODUCTS
            )
            for one in others
        ):
            found.add(let.var)
    return found


def _are_split(sums: set[Var], primal: Function) -> bool:
    """Whether sums are taken apart along their first axis: np.split(x @ W + b, 4)."""
    for let in lets(primal.body):
        value = let.value
        rule = operations().get(value.op) if isinstance(value, Apply) else None
        word = getattr(rule.shape, "op", "") if rule is not None else ""
        if isinstance(value, Apply) and word == "parts" and not value.kwargs:
            if len(value.args) == 2 and not sums.isdisjoint(reads(value)):
                return True
    return False
