"""Arguments that may be lists: of which entries, lengths and functions of NumPy are read.

before:  a * x[0] + b * x[1]                      x = np.asarray(x)
after:   x may be a list of two numbers, as it may be an array

before:  np.mean(np.square(x), axis=-1)           2 * np.mean(x)
after:   x may be a list, of which functions of NumPy alone make something
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Origin, Ref, Var
from gradgen.ir.operators import ARRAY_PRODUCTS, CROSSES, ITSELF, LENGTHS, OF_SEQUENCE
from gradgen.ir.operators import OF_VECTORS
from gradgen.ir.walk import children, lets, own_expressions, reads, statements
from gradgen.ir.walk import subexpressions
from gradgen.shapes.infer import Facts

LISTS = ("list", "tuple")
ASKED = ("is", "is_not")  # x is None
OF_ARRAYS = ARRAY_PRODUCTS | CROSSES | OF_VECTORS.keys()


def with_entries(primal: Function, facts: Facts) -> Function:
    """The function, with the parameters known that may be lists of numbers.

    What is told of them is another matter, and so is an argument that no entry is read
    of, and that is given to others than functions of NumPy: that is an array, or a number.
    """
    found, whole, rows = _read(primal, facts)
    params = tuple(
        replace(
            p, by_entries=p.var in found, given=p.var in whole, has_axes=p.var in rows
        )
        for p in primal.params
    )
    return replace(primal, params=params) if found or whole else primal


def _read(primal: Function, facts: Facts) -> tuple[set[Var], set[Var], set[Var]]:
    """The parameters that are read by entries, by functions of NumPy alone, and of
    those what is read along an axis."""
    own = {param.var for param in primal.params if not param.bundle}
    every: Counter[Var] = Counter()
    fitting: Counter[Var] = Counter()
    read: set[Var] = set()
    expressions = [e for stmt in statements(primal.body) for e in own_expressions(stmt)]
    expressions += primal.values
    for expr in expressions:
        every.update(var for var in reads(expr) if var in own)
        for one in subexpressions(expr):
            for i, arg in enumerate(one.args if isinstance(one, Apply) else ()):
                if not isinstance(arg, Ref) or arg.var not in own:
                    continue
                is_entry = one.op == "getitem" and i == 0
                is_entry = is_entry and _is_place(one.args[1], facts)
                is_given = one.op.startswith("numpy.") and not one.spelling
                is_read = is_entry or one.op in ITSELF | OF_SEQUENCE
                read |= {arg.var} if is_read else set()
                fitting[arg.var] += is_entry or is_given or one.op in LENGTHS
    found = {var for var in read if fitting[var] == every[var]}
    return found, *_given(primal, expressions, own)


def _given(
    primal: Function, expressions: Iterable[Expr], own: Set[Var]
) -> tuple[set[Var], set[Var]]:
    """The parameters that functions of NumPy alone are given, and those along an axis."""
    whole = {var: var for var in own}
    for let in lets(primal.body):  # what is read of x[1:] is read of x
        base = _base(let.value)
        if base is not None and base in own and let.var.origin is Origin.TEMP:
            whole[let.var] = base
    given: Counter[Var] = Counter()
    rows: set[Var] = set()
    every: Counter[Var] = Counter()
    for expr in expressions:
        if _base(expr) not in own:
            every.update(whole[var] for var in reads(expr) if var in whole)
        for one in subexpressions(expr):
            if isinstance(one, Apply) and one.op in ASKED and Const(None) in one.args:
                given.update(whole[var] for var in reads(one) if var in whole)
            if isinstance(one, Apply) and "." in one.op and not one.spelling:
                operands = [whole[var] for var in _operands(one) if var in whole]
                given.update(operands)
                if one.op in OF_ARRAYS or ".linalg." in one.op or _has_axis(one):
                    rows.update(operands)
    found = {var for var in own if given[var] == every[var]}
    return found, rows & found


def _base(part: Expr) -> Var | None:
    """x of x[1:], which a list has as well."""
    if not isinstance(part, Apply) or part.op != "getitem":
        return None
    base, key = part.args
    return base.var if isinstance(base, Ref) and _is_slice(key) else None


def _is_slice(key: Expr) -> bool:
    return isinstance(key, Apply) and key.op == "slice" and not reads(key)


def _operands(made: Apply) -> Iterator[Var]:
    """What a function is given, alone, in a list, or a part: np.stack([x, y]), x[1:].

    What it is told by a word is an option: k of np.cumprod(x, axis=k).
    """
    for arg in made.args:
        for part in children(arg) if getattr(arg, "op", "") in LISTS else (arg,):
            if isinstance(part, Ref):
                yield part.var
            elif (base := _base(part)) is not None:
                yield base


def _has_axis(made: Apply) -> bool:
    """Whether a function is told of an axis, which a number has not."""
    return dict(made.kwargs).get("axis", Const(None)) != Const(None)


def _is_place(key: Expr, facts: Facts) -> bool:
    """Whether a key is a place, or one after the other: K[0][1] of a list of rows."""
    keys = key.args if isinstance(key, Apply) and key.op == "chain" else (key,)
    return all(map(facts.is_index, keys))
