"""Numbers that a default, an annotation or a docstring tells of, and no fact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from gradgen.facts.assumed import Assumed
from gradgen.facts.gathers import is_count
from gradgen.ir.nodes import Apply, Const, Expr, Function, Param, Ref, Var
from gradgen.ir.walk import lets, subexpressions
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR

# kinds of rules whose result has the shape of all operands together
BY_ENTRY = ("elementwise", "boolean")


def described_numbers(
    primal: Function, facts: Facts, told: Set[str], documented: Set[str]
) -> tuple[Assumed, ...]:
    """The arguments that are described as numbers, where no other rank is told.

    A caller may hand an array all the same: the text for a number raises then. A
    docstring that tells shapes of arrays holds as told facts do (documented), and so
    does an annotation: where shapes are told, a default describes the others.

    So does a class, of what its instances hold: `self.scale = 0.5` in __init__.

    Only what is computed with: of another axis or name NumPy itself says that it is
    none. And always what the function asks for whether it is a number: it may be an
    array, of which no test behind the question fails.

    before:  def lerp(a, b, t=0.5, kind="linear"):
    after:   t is a number
    """
    operands = set(_operands(primal))
    asked = set(_asked(primal))
    shaped = bool(told) or any(facts.shapes[param.var].rank for param in primal.params)
    return tuple(
        Assumed(param.label, 0, True)
        for param in primal.params
        if (
            param.var in asked
            or not shaped
            or (param.label not in told | documented and _by_default(param))
            or param.of_class
            and param.label not in told
        )
        and facts.shapes[param.var] == SCALAR
        and facts.kinds[param.var] is Kind.WEAK
        and param.var in operands
        and (param.optional or param.of_class or not param.bundle)
        and not _is_text(param)
    )


def _asked(primal: Function) -> Iterator[Var]:
    """The variables that isinstance(x, (int, float)) asks for their kind."""
    for let in lets(primal.body):
        for node in subexpressions(let.value):
            if isinstance(node, Apply) and node.op == "isinstance":
                yield from (one.var for one in node.args[:1] if isinstance(one, Ref))


def _operands(primal: Function) -> Iterator[Var]:
    """The variables that are computed with.

    Not what is compared with a constant alone: that is a test, and an array is none.
    Nor an integer behind the first argument of a function of whole arrays: an axis.
    """
    rules = operations()
    counts = {param.var for param in primal.params if is_count(param)}
    values = [let.value for let in lets(primal.body)]
    for expr in (*values, *(result.value for result in primal.results)):
        for node in subexpressions(expr):
            rule = rules.get(node.op) if isinstance(node, Apply) else None
            if rule is None:
                continue
            if rule.kind == "boolean" and any(map(_is_constant, node.args)):
                continue
            for i, one in enumerate(node.args):
                may_be_axis = i > 0 and rule.kind not in BY_ENTRY
                if isinstance(one, Ref) and not (may_be_axis and one.var in counts):
                    yield one.var


def _is_constant(expr: Expr) -> bool:
    return isinstance(expr, Const)


def _by_default(param: Param) -> bool:
    """Whether its default alone describes an argument."""
    return bool(param.default) and not param.annotation


def _is_text(param: Param) -> bool:
    """Whether an argument is a string by its default or its annotation."""
    return param.annotation == "str" or (param.default or "")[:1] in ("'", '"')


def in_order(primal: Function, found: Iterable[Assumed]) -> tuple[Assumed, ...]:
    """What is looked at, in the order of the arguments."""
    places = {param.label: i for i, param in enumerate(primal.params)}
    return tuple(sorted(found, key=lambda one: places[one.name]))
