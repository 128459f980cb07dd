"""Conventions A and C of formulas: what math functions and tests take is a number.

`math.sin(x)` and `if x > y:` raise for arrays of more than one entry, so that all that
is computed entry by entry on the way there is numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradgen.facts.matrices import Step
from gradgen.facts.numbers import Numbers
from gradgen.facts.through import is_elementwise, of_entries
from gradgen.ir.asked import kinds_asked, of_kind
from gradgen.ir.nodes import Apply, Branch, Const, Expr, Loop, Ref, Var
from gradgen.ir.operators import COMPARISONS, MATH, MATRIX_PRODUCTS
from gradgen.ir.sharing import CHOOSING
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets, reads, statements

LOGICAL = ("and", "or", "not")


def forced(numbers: Numbers) -> Iterator[Step]:
    """The arguments that are numbers, since functions or tests take no arrays of them.

    before:  math.cos(math.radians(lat2 - lat1))        if T * 2 > limit: ...
    after:   lat1 and lat2 are numbers                  T and limit are numbers
    """
    for value in _numeric(numbers):
        yield from numbers.backwards(value, True)


def cast(numbers: Numbers) -> Iterator[Step]:
    """What float(...) is taken of is a number, and so is a product that it is made of.

    before:  u = -float(self.K @ state)
    after:   self.K and state are vectors
    """
    known = numbers.facts.definitions
    for let in lets(numbers.primal.body):
        value = let.value
        if not isinstance(value, Apply) or value.op != "float":
            continue
        for end in upstream(value.args[0], known, of_entries):
            made = known.get(end.var) if isinstance(end, Ref) else None
            if isinstance(made, Apply) and made.op in MATRIX_PRODUCTS:
                yield [(end.var, 0)]
        yield from numbers.backwards(value.args[0], True)


def formulas(numbers: Numbers) -> Iterator[Step]:
    """All arguments of a formula are numbers where some of them have to be.

    before:  if T > 0: e = 6.1 * 10 ** (7.5 * T / (237 + T))
             return 0.6 * humidity * e / (pressure - e)
    after:   humidity and pressure are numbers

    A formula computes entry by entry alone. Functions of numbers that meet data are
    called with one datum at a time. Of a choice, `if kind == 1`, nothing follows; nor
    of a test where a gradient is asked of what meets its numbers, and may be data:

        t = ((X - a) * d) / (d * d if d > 0 else 1.0)
    """
    params = numbers.primal.params
    free = [p for p in params if numbers.facts.shapes[p.var].rank is None]
    plain = all(_is_plain(let.value) for let in lets(numbers.primal.body))
    used = _computed_with(numbers)
    known = numbers.facts.definitions
    ends = (
        end for one in _numeric(numbers) for end in upstream(one, known, of_entries)
    )
    of_math = any(map(_is_math, _operations(numbers)))
    asked = (p.var for p in params if p.label in numbers.wrt)
    of_numbers = of_math or any(numbers.ranks.of(Ref(var)) == {0} for var in asked)
    if not of_numbers:
        return
    if plain and free and any(isinstance(e, Ref) and e.var in used for e in ends):
        if not {p.label for p in free} & numbers.arrays:
            yield [(param.var, 0) for param in free]


def _operations(numbers: Numbers) -> Iterator[Apply]:
    values = (let.value for let in lets(numbers.primal.body))
    return (value for value in values if isinstance(value, Apply))


def _computed_with(numbers: Numbers) -> set[Var]:
    """What is read by more than comparisons and tests."""
    asked = (*COMPARISONS, *LOGICAL)
    values = (let.value for let in lets(numbers.primal.body))
    read = {
        v for one in values if getattr(one, "op", "") not in asked for v in reads(one)
    }
    return read | {v for one in numbers.primal.values for v in reads(one)}


def _numeric(numbers: Numbers) -> Iterator[Ref]:
    """What math functions are called with, Python's max and min, and what tests compare."""
    for let in lets(numbers.primal.body):
        value = let.value
        if isinstance(value, Apply) and is_elementwise(value):
            if _is_math(value) or value.spelling in CHOOSING:
                yield from _named(value.args)
    asked = kinds_asked(numbers.primal.body)
    for stmt in statements(numbers.primal.body):
        if isinstance(stmt, Branch | Loop) and stmt.test is not None:
            # if np.isscalar(T) and T < 0: an array comes here as well
            test = _made(numbers, stmt.test)
            apart = asked | of_kind(test)
            compared = _compared(numbers, test)
            yield from (one for one in compared if one.var not in apart)


def _compared(numbers: Numbers, test: Expr) -> Iterator[Ref]:
    """The operands of the comparisons in a test, but for those with words and None."""
    known = numbers.facts.definitions
    for end in upstream(test, known, lambda x: x.args if x.op in LOGICAL else None):
        made = _made(numbers, end)
        if isinstance(made, Apply) and made.op in COMPARISONS:
            consts = [arg.value for arg in made.args if isinstance(arg, Const)]
            if all(type(value) in (int, float) for value in consts):
                yield from _named(made.args)


def _made(numbers: Numbers, test: Expr) -> Expr:
    """What a test is computed by, which may stand in a line of its own."""
    return (
        numbers.facts.definitions.get(test.var, test) if isinstance(test, Ref) else test
    )


def _named(values: Iterable[Expr]) -> Iterator[Ref]:
    """The variables that values are computed of entry by entry: x of x * 2."""
    for value in values:
        if isinstance(value, Ref):
            yield value
        elif isinstance(value, Apply) and is_elementwise(value):
            yield from _named(value.args)


def _is_math(value: Apply) -> bool:
    """Whether an operation is written as a function of the math module."""
    if value.op.startswith("math."):
        return True
    module, _, name = value.spelling.removeprefix("name:").rpartition(".")
    return bool(module) and "." not in module and MATH.get(name) == value.op


def _is_plain(value: Expr) -> bool:
    """Whether a value is computed entry by entry, or of numbers in tests."""
    if not isinstance(value, Apply):
        return True
    return is_elementwise(value) or value.op in COMPARISONS or value.op in LOGICAL
