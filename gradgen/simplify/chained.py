"""An adjoint that is one factor of one product is written in that product."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.callee import stays
from gradgen.ir.depth import is_deep
from gradgen.ir.nodes import Apply, Expr, Function, Let, Origin, Ref, Stmt, Var
from gradgen.ir.operators import ADDITIVE, IN_PLACE, MULTIPLICATIVE, OF_SEQUENCE
from gradgen.ir.operators import SIGNED, STORES
from gradgen.ir.text import show
from gradgen.ir.walk import children, reads, rewrite, uses, with_located
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.simplify.cost import LENGTH, cost, is_product
from gradgen.simplify.fold import bases, is_temporary
from gradgen.simplify.monomials import weight
from gradgen.simplify.normal import Normal
from gradgen.simplify.terms import shortest

# A product of more factors is two thoughts.
FACTORS = 5
# So long a sum may cancel in a product.
TERMS = 3
# where a product may stand in the statement that reads it
FILLED = "numpy.full_like"
AROUND = {*ADDITIVE, *STORES, *OF_SEQUENCE, "list", "numpy.where", FILLED}
# A longer line would be broken.
WIDTH = 80
INDENT = 4


def chained(function: Function, facts: Facts) -> Function:
    """The function whose products are written in the one product that reads them.

        before:  d_new = d_h * (1 - gate)
                 d_Wh = d_new * (1 - new**2)
        after:   d_Wh = d_h * (1 - gate) * (1 - new**2)

    So is a number that stands for an array, d_losses = d_out / len(X), also where it
    fills one, and one for each row, (d_out / total)[:, None]. Both products
    have the same entries, so that no operation is added. A quotient of arrays keeps
    its line: d * x may underflow where x / r does not. So does what would make a line
    too long, and what a statement in between changes a part of. A sum, or what stands in a
    product of matrices, goes into another product where terms cancel: of mu = np.exp(eta)
    and `np.sum(mu - y * np.log(mu))` d_eta is d_out * (mu - y). So does a number:
    d_log_a = d_a * a, of d_a = d_out * x / a.
    """
    counted, facts = uses(function), facts.remembering()
    body = _chained(function.body, facts, counted, (), 1)
    return function if body == function.body else replace(function, body=body)


def _chained(
    source: Iterable[Stmt],
    facts: Facts,
    counted: Counter[Var],
    path: tuple[object, ...],
    depth: int,
) -> tuple[Stmt, ...]:
    here = facts.within(path)
    body: list[Stmt | None] = [
        with_located(stmt, path, lambda b, p: _chained(b, facts, counted, p, depth + 1))
        for stmt in source
    ]
    forms = Normal(here)
    readers: dict[Var, int] = {}
    for place, stmt in enumerate(body):
        if isinstance(stmt, Let) and stmt.note.derived:
            readers.update(dict.fromkeys(reads(stmt.value), place))
    for i, let in enumerate(body):
        j = readers.get(let.var) if isinstance(let, Let) else None
        if j is None or not isinstance(let, Let) or counted[let.var] != 1:
            continue
        reader = body[j]
        assert isinstance(reader, Let)
        if not _is_factor_of_its_own(let, here) or _changes(body[i + 1 : j], let):
            continue
        joined = _joined(let, reader, here, forms, WIDTH - INDENT * depth)
        if joined is not None:
            body[i], body[j] = None, joined
            for var in reads(joined.value):
                readers[var] = j
    return tuple(stmt for stmt in body if stmt is not None)


def _is_factor_of_its_own(let: Let, facts: Facts) -> bool:
    """Whether an adjoint of the user's is a product of arrays, or stands for one."""
    of = let.var.of
    if not let.note.derived or let.var.origin is not Origin.ADJOINT or of is None:
        return False
    if is_temporary(let) or stays(let.value):
        return False
    if not is_product(let.value):
        short = _is_sum(let.value) and len(list(_parts(let.value))) <= TERMS
        return short and bool(facts.rank(let.value))
    if facts.rank(let.value) == 0:
        return facts.rank(Ref(of)) is not None  # of a number where it cancels alone
    if _is_share(let.value, facts):
        return True
    return bool(facts.rank(Ref(let.var))) and not _divides(let.value, facts)


def _divides(expr: Expr, facts: Facts) -> bool:
    """Whether a product divides by an array."""
    if not is_product(expr):
        return False
    below = expr.op == "numpy.divide" and facts.rank(expr.args[1]) != 0
    return below or any(_divides(arg, facts) for arg in expr.args)


def _changes(between: Iterable[Stmt | None], let: Let) -> bool:
    """Whether a statement in between may change what the adjoint is made of."""
    read = set(reads(let.value))
    return any(stmt is not None and read & set(bases(stmt)) for stmt in between)


def _joined(
    let: Let, reader: Let, facts: Facts, forms: Normal, room: int
) -> Let | None:
    """The reader with the value in its product; None where it stays a line."""
    value = reader.value
    if stays(value) or is_deep(value):
        return None
    if isinstance(value, Apply) and value.op in IN_PLACE:
        if value.op not in STORES or set(reads(value.args[0])) & set(reads(let.value)):
            return None
    if _is_share(let.value, facts):
        return _with_share(let, reader, facts, room)
    around = _product_of(value, let.var)
    numbers = let.var.of is not None and facts.rank(Ref(let.var.of)) == 0
    cancels = around is None or _is_sum(let.value) or numbers
    if around is None and isinstance(value, Apply):
        sides = value.args if value.op == "numpy.matmul" else ()
        found = (_product_of(one, let.var) for one in sides)
        around = next((one for one in found if one is not None), None)
    if around is None or numbers and facts.rank(around) != 0:
        return None
    if facts.rank(let.value) != 0 and not facts.same(Ref(let.var), around):
        return None
    new = rewrite(around, lambda e: let.value if e == Ref(let.var) else e)
    # what has an unknown shape stays as it was put together
    known = facts.of(new).rank is not None
    product = shortest(new, facts, forms) if known else new
    if len(list(_factors(product))) > FACTORS or (
        known and not facts.same(product, around)
    ):
        return None
    before = cost(let.value, facts) + cost(around, facts)
    if known and cost(product, facts) > before:
        return None
    if cancels and not (known and cost(product, facts) < before - _entry(let, facts)):
        return None
    if facts.kind(product) is Kind.WIDE and facts.kind(around) is not Kind.WIDE:
        return None  # 2 * d_out * w is float64 for a flag w, where w * d_y is not
    whole = rewrite(value, lambda e: product if e == around else e)
    stored = isinstance(whole, Apply) and whole.op in STORES
    stands = whole.args[-1] if stored else whole
    longest = max(
        [stands] if not _breaks(stands) else list(_parts(stands)),
        key=lambda part: len(_text(part)),
    )
    if len(_text(longest)) + len(reader.var.name) > room:
        return None
    return replace(reader, value=whole)


def _is_sum(value: Expr) -> bool:
    return isinstance(value, Apply) and value.op in ADDITIVE


def _entry(let: Let, facts: Facts) -> int:
    """What one operation on an array of the size of an adjoint costs."""
    rank = min(weight(let.value, facts)[0], 3)
    return int(LENGTH**rank)


def _is_share(value: Expr, facts: Facts) -> bool:
    """Whether a value is a number over an array: d_out / total."""
    if not isinstance(value, Apply) or value.op != "numpy.divide":
        return False
    return facts.rank(value.args[0]) == 0 and bool(facts.rank(value.args[1]))


def _with_share(let: Let, reader: Let, facts: Facts, room: int) -> Let | None:
    """The reader with a share of each row in brackets: (d_out / total)[:, None] * x.

    It is the same product: nothing is multiplied before it is divided.
    """
    factors = _factors(reader.value)
    rows = [one for one in factors if isinstance(one, Apply) and one.op == "getitem"]
    if not any(one.args[0] == Ref(let.var) for one in rows):
        return None
    value = rewrite(reader.value, lambda e: let.value if e == Ref(let.var) else e)
    if len(_text(value)) + len(reader.var.name) > room:
        return None
    return replace(reader, value=value)


def _product_of(expr: Expr, var: Var) -> Expr | None:
    """The product that has a variable as a factor: whole, a term, an entry, an arm.

    In a sum over it the numbers in front would have to leave it again.
    """
    if is_product(expr) and Ref(var) in _factors(expr):
        return expr
    if not isinstance(expr, Apply) or expr.op not in AROUND:
        return None
    if expr.op == FILLED and expr.args[1] == Ref(var):
        return expr.args[1]
    found = (_product_of(child, var) for child in children(expr))
    return next((one for one in found if one is not None), None)


def _factors(expr: Expr) -> Iterable[Expr]:
    """What a product multiplies: not what it divides by."""
    if isinstance(expr, Apply) and expr.op in MULTIPLICATIVE:
        yield from _factors(expr.args[0])
        if expr.op == "numpy.multiply":
            yield from _factors(expr.args[1])
    elif isinstance(expr, Apply) and expr.op in SIGNED:
        yield from _factors(expr.args[0])
    else:
        yield expr


def _breaks(expr: Expr) -> bool:
    """Whether each part of a statement is laid out in a line of its own."""
    if isinstance(expr, Apply) and expr.op == "numpy.array":
        return True
    return len(list(_parts(expr))) > 2


def _parts(expr: Expr) -> Iterable[Expr]:
    """The terms of a sum, or what an array is made of."""
    if isinstance(expr, Apply) and expr.op == "numpy.array":
        yield from children(expr.args[0])
    elif isinstance(expr, Apply) and expr.op in ADDITIVE:
        for arg in expr.args:
            yield from _parts(arg)
    else:
        yield expr


def _text(expr: Expr) -> str:
    """About what is printed: brackets around products are not."""
    return show(expr).replace("(", "").replace(")", "")
