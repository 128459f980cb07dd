"""Biases of layers and gains of normalisations: vectors, or one row of a matrix."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from gradgen.facts.fitting import is_told
from gradgen.facts.meeting import met
from gradgen.facts.numbers import MOMENTS, is_parameter
from gradgen.facts.through import terms_of
from gradgen.ir.nodes import Apply, Expr, Function, Ref, Var
from gradgen.ir.operators import MATRIX_PRODUCTS, TOTALS
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.spec import OR_ROW

# the words of a label: parameters and W of parameters["W"]
WORD = re.compile(r"[A-Za-z_]\w*")
# what is added to all rows of an array with a capital
SHIFTS = frozenset("t b bias shift offset translation centre center origin".split())
# what the gain and the shift of a normalisation are called
PAIRS = ("gamma beta", "scale shift", "gain bias", "weight bias", "g b", "a b")

# what the weights of a mixture are called
COMPONENTS = frozenset("pi log_pi log_weights weights log_w priors log_priors".split())


def as_rows(
    found: Mapping[str, str], asked: Collection[str], primal: Function, facts: Facts
) -> dict[str, str]:
    """Of arguments and what they broadcast to, the biases and gains of layers as rows.

        before:  {"b": "n d"}       # X @ W + b
        after:   {"b": "d|1 d"}

    Those alone that a gradient is `asked` of: of others any shape costs nothing. A bias
    is added to a product of matrices, and has no capital; a gain is multiplied with what
    is normalised, or told, as a shift is, by both names. The parameters whose sum is taken
    besides are a row as well: alpha of counts + alpha. So are the weights of a mixture
    beside mu, a vector.
    """
    pairs = {
        name
        for pair in PAIRS
        if found.keys() >= set(pair.split())
        for name in pair.split()
    }
    layers = _added_to_products(primal, asked, facts) | _gains(primal, facts)
    layers |= _summed(primal) | _of_components(found, primal, facts)
    rows = {}
    for name, fact in found.items():
        sizes = fact.split()
        square = len(sizes) == 2 and sizes[0] == sizes[1]  # P @ S @ P.T + omega
        if square or len(sizes) != 2 or name not in asked:
            continue
        if name in pairs or name in layers:
            rows[name] = f"{sizes[1]}{OR_ROW}1 {sizes[1]}"
    return {**found, **rows}


def gains_and_shifts(names: Collection[str]) -> set[str]:
    """The names that tell of a gain and a shift together: gamma and beta, not a and b."""
    pairs = (set(pair.split()) for pair in PAIRS)
    return {name for pair in pairs if pair <= set(names) for name in pair if name[1:]}


def beside_any_rows(
    primal: Function,
    facts: Facts,
    names: Collection[str],
    letters: Collection[str],
    asked: Collection[str],
) -> dict[str, str]:
    """The biases of layers with as many rows as nobody knows of.

    before:  x.reshape(x.shape[0], -1) @ w + b        # w (n, d)
    after:   {"b": "d|1 d"}

    Where nothing is known of the product either, that is "": b is no number by that.
    """
    shapes_met: dict[str, list[tuple[Dim, ...]]] = {}
    for name, shape in met(primal, facts, names):
        shapes_met.setdefault(name, []).append(shape.dims or ())
    found = {}
    for name in shapes_met.keys() & _added_to_products(primal, asked, facts):
        if not any(shapes_met[name]):
            found[name] = ""
        sizes = {str(dims[-1]) for dims in shapes_met[name] if len(dims) == 2}
        if len(sizes) == 1 and all(
            len(dims) == 2
            and is_told(dims[1], letters)
            and not is_told(dims[0], letters)
            for dims in shapes_met[name]
        ):
            (size,) = sizes
            found[name] = f"{size}{OR_ROW}1 {size}"
    return found


def as_covariances(
    found: Mapping[str, str], asked: Collection[str], primal: Function, facts: Facts
) -> dict[str, str]:
    """What is added to a matrix that is turned on both sides is one: omega.

    before:  A = P @ S @ P.T + omega
    after:   omega (n, n), as P is (n, d)
    """
    labels = {param.var: param.label for param in primal.params}
    made: dict[str, str] = {}
    for let in lets(primal.body):
        terms = _terms(Ref(let.var), facts)
        given = {labels[x.var] for x in terms if isinstance(x, Ref) and x.var in labels}
        if any(_is_turned(one, facts) for one in terms):
            named = given & set(asked) & found.keys()
            made |= {name: found[name] for name in named}
    sizes = {name: fact.split() for name, fact in made.items()}
    return {n: made[n] for n, s in sizes.items() if len(s) == 2 and s[0] == s[1]}


def _is_turned(value: Expr, facts: Facts) -> bool:
    """Whether it is a product of three matrices, P @ S @ P.T."""
    if not isinstance(value, Apply) or value.op not in MATRIX_PRODUCTS:
        return False
    left, right = (
        facts.definitions.get(one.var, one) if isinstance(one, Ref) else one
        for one in value.args[:2]
    )
    ends = [
        one.args[0]
        for one in (left, right)
        if isinstance(one, Apply) and one.spelling == "attribute:T"
    ]
    inner = [
        one
        for one in (left, right)
        if isinstance(one, Apply) and one.op in MATRIX_PRODUCTS
    ]
    return any(end in one.args for end in ends for one in inner)


def as_columns(
    found: Mapping[str, str], asked: Collection[str], primal: Function, facts: Facts
) -> dict[str, str]:
    """The biases of layers that have an example in each column: b of W @ X + b is (n, 1).

    There W has a gradient, and X none: it is computed, or data. Or W is called so, and
    X is not.
    """
    labels = {param.var: param.label for param in primal.params}
    columns: dict[str, str] = {}
    for let in lets(primal.body):
        terms = _terms(Ref(let.var), facts)
        given = {labels[x.var] for x in terms if isinstance(x, Ref) and x.var in labels}
        sizes = {name: found.get(name, "").split() for name in given & set(asked)}
        if any(
            _is_weighed_ahead(one, labels, asked, facts)
            and getattr(one.args[0], "var", None) in labels
            for one in terms
            if isinstance(one, Apply) and one.op in MATRIX_PRODUCTS
        ):
            columns |= {n: f"{s[0]} 1" for n, s in sizes.items() if len(s) == 2}
    return columns


def _is_weighed_ahead(
    product: Apply, labels: Mapping[Var, str], asked: Collection[str], facts: Facts
) -> bool:
    """Whether the weights stand ahead of data in a product: W @ X, w.T @ X."""
    both = [_untransposed(arg, facts) for arg in product.args[:2]]
    left, right = ("" if var is None else labels.get(var, "") for var in both)
    named = _is_weight(left) and not _is_weight(right)
    if _is_weight(right) and not _is_weight(left):
        return False  # x @ W + b
    return left in asked and (right not in asked or named)


def _is_weight(label: str) -> bool:
    """Whether an argument is called as weights are: W1, and W of parameters["W"]."""
    word = WORD.findall(label)[-1:]
    return bool(word) and word[0][:1] in "Ww"


def _untransposed(value: Expr, facts: Facts) -> Var | None:
    """The variable that is read, or transposed."""
    made = facts.definitions.get(value.var) if isinstance(value, Ref) else None
    if isinstance(made, Apply) and made.spelling == "attribute:T":
        value = made.args[0]
    return value.var if isinstance(value, Ref) else None


def _added_to_products(
    primal: Function, asked: Collection[str], facts: Facts
) -> set[str]:
    """The arguments without a capital that are added to products, or to arrays: X + t.

    What is subtracted from a product is a target: of P @ R.T - q.
    """
    labels = {param.var: param.label for param in primal.params}
    values = (let.value for let in lets(primal.body))
    held = {
        labels.get(value.args[1].var)
        for value in values
        if isinstance(value, Apply) and value.op == "numpy.subtract"
        if isinstance(value.args[1], Ref)
    }
    found: set[str] = set()
    for let in lets(primal.body):
        terms = _terms(Ref(let.var), facts)
        given = {labels[x.var] for x in terms if isinstance(x, Ref) and x.var in labels}
        products = [
            one for one in terms if isinstance(one, Apply) and one.op in MATRIX_PRODUCTS
        ]
        if any(_is_weighed_ahead(one, labels, asked, facts) for one in products):
            continue  # an example in each column
        if products:
            found |= {name for name in given - (held - SHIFTS) if name.islower()}
        elif any(name[:1].isupper() for name in given):  # X + t
            found |= given & SHIFTS
    return found


def _summed(primal: Function) -> set[str]:
    """The parameters without a capital whose sum is taken: alpha.sum()."""
    values = (let.value for let in lets(primal.body))
    summed = {
        value.args[0]
        for value in values
        if isinstance(value, Apply) and value.op in TOTALS and len(value.args) == 1
    }
    named = (p for p in primal.params if is_parameter(p.label))
    return {param.label for param in named if Ref(param.var) in summed}


def _of_components(
    found: Mapping[str, str], primal: Function, facts: Facts
) -> set[str]:
    """What a mixture has for each component, beside its means or deviations."""
    vectors = {
        str(dims[0])
        for param in primal.params
        if param.label in MOMENTS
        and len(dims := facts.of(Ref(param.var)).dims or ()) == 1
    }
    own = COMPONENTS | MOMENTS
    return {n for n, fact in found.items() if n in own and fact.split()[-1] in vectors}


def _gains(primal: Function, facts: Facts) -> set[str]:
    """The arguments without a capital that multiply what is divided by rows or columns."""
    labels = {param.var: param.label for param in primal.params}
    found: set[str] = set()
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply) or value.op != "numpy.multiply":
            continue
        for one, other in (value.args, value.args[::-1]):
            made = facts.definitions.get(other.var) if isinstance(other, Ref) else None
            if isinstance(one, Ref) and labels.get(one.var, "").islower():
                if isinstance(made, Apply) and made.op == "numpy.divide":
                    whole, scale = made.args
                    by = facts.definitions.get(getattr(scale, "var", one.var))
                    # of 1 / (1 + np.exp(-z)) nothing is normalised
                    is_scale = isinstance(by, Apply) and by.op != "getitem"
                    is_scale = is_scale and facts.rank(whole) != 0
                    if is_scale and facts.rank(scale) and not facts.same(whole, scale):
                        found.add(labels[one.var])
    return found


def _terms(value: Expr, facts: Facts) -> list[Expr]:
    """What a value is the sum of: products as they are computed, others by name."""
    found: list[Expr] = []
    for term in upstream(value, facts.definitions, terms_of):
        made = facts.definitions.get(term.var) if isinstance(term, Ref) else term
        is_product = isinstance(made, Apply) and made.op in MATRIX_PRODUCTS
        found.append(made if is_product and made is not None else term)
    return found
