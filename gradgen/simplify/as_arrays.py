"""Arguments that may be lists are arrays to a gradient that computes with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Let, Note, Origin, Param, Ref
from gradgen.ir.nodes import Role, Supply, Var
from gradgen.ir.operators import BINARY, COMPARISONS, UNARY, call
from gradgen.ir.walk import children, own_expressions, reads, rewrite, rewrite_derived
from gradgen.ir.walk import statements, subexpressions, substitute_everywhere
from gradgen.rules.of_lists import takes_list
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL

OPERATORS = {*BINARY.values(), *UNARY.values(), *COMPARISONS}
DTYPES = ("dtype", "numpy.result_type")
NONE = "None"  # the default of an argument that may be left out


def as_arrays(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function that makes arrays of what may be lists, where it has to have them.

        before:  d_x = np.full_like(x, d_out, dtype=np.result_type(x, 0.0))
        after:   d_x = np.full_like(x, d_out, dtype=np.result_type(np.asarray(x), 0.0))

        before:  d_x = 2 * d_out * x
        after:   x = np.asanyarray(x)
                 d_x = 2 * d_out * x

    Functions of NumPy take both, operators and attributes do not. Where a dtype is all
    that is asked for, and once, the array is made there, else at the head; of an
    argument that may be None it is always made there. A Python
    number, which takes the dtype of what it meets, is not made an array beside others.
    """
    made: list[Let] = []
    for param in function.params:
        if not _may_be_list(param, facts):
            continue
        asked = list(_asked(function, param, facts))
        dtypes = [one for one in asked if one.op in DTYPES]
        whole = Ref(param.var)
        takes_dtype = _takes_dtype(param, function, facts)
        may_be_none = param.default == NONE or _is_asked(function, whole)
        if len(asked) == len(dtypes) < 2 or takes_dtype or may_be_none:
            for one in dict.fromkeys(dtypes):
                # np.result_type(x, y) of a number x is the dtype of y
                if not (takes_dtype and len(reads(one)) > 1):
                    function = _replaced(function, one, whole)
            continue
        var = supply.var(param.var.name, Origin.USER)
        facts.shapes[var], facts.kinds[var] = facts.of(whole), facts.kinds[param.var]
        if param.var in facts.complexes:
            facts.complexes.add(var)
        array = facts.definitions[var] = call("numpy.asanyarray", whole)
        function = substitute_everywhere(function, {param.var: Ref(var)})
        made.append(Let(var, array, Note(Role.FORWARD)))
    return replace(function, body=(*made, *function.body)) if made else function


def _may_be_list(param: Param, facts: Facts) -> bool:
    """Whether functions of NumPy alone read an argument of which nothing is told."""
    rank = facts.rank(Ref(param.var))
    is_told = rank is not None and not param.assumed or rank == 0
    is_told = is_told or bool(param.annotation) or param.default not in (None, NONE)
    return param.given and not is_told and not param.bundle


def _is_asked(function: Function, whole: Ref) -> bool:
    """Whether the function asks if an argument is None."""
    return any(
        isinstance(one, Apply) and one.op in ("is", "is_not") and whole in one.args
        for stmt in statements(function.body)
        for expr in own_expressions(stmt)
        for one in subexpressions(expr)
    )


def _takes_dtype(param: Param, function: Function, facts: Facts) -> bool:
    """Whether it may be a Python number, beside others whose dtype that takes."""
    if facts.rank(Ref(param.var)) or param.has_axes:
        return False
    for other in function.params:
        given = other.var.origin is Origin.PARAM and other.var != param.var
        if not given or facts.rank(Ref(other.var)) == 0:
            continue
        is_array = facts.kinds[other.var] not in (*INTEGRAL, None)
        if is_array and not facts.same(Ref(other.var), Ref(param.var)):
            return True
    return False


def _replaced(function: Function, old: Apply, whole: Ref) -> Function:
    """np.result_type(np.asarray(x), 0.0) for np.result_type(x, 0.0)."""
    array = call("numpy.asarray", whole)
    args = (array if arg == whole else arg for arg in old.args)
    new = call("numpy.result_type", *args)

    def change(expr: Expr) -> Expr:
        return new if expr == old else expr

    return rewrite_derived(function, lambda whole: rewrite(whole, change))


def _asked(function: Function, param: Param, facts: Facts) -> Iterator[Apply]:
    """The places in a gradient where an argument has to be an array."""
    whole = Ref(param.var)
    expressions = [
        expr
        for stmt in statements(function.body)
        if stmt.note.derived
        for expr in own_expressions(stmt)
    ]
    for expr in (*expressions, *(result.value for result in function.results)):
        for one in subexpressions(expr):
            if isinstance(one, Apply) and whole in children(one):
                if _asks(one, param.var, facts):
                    yield one


def _asks(made: Apply, var: Var, facts: Facts) -> bool:
    """Whether an operation takes an array alone where it is given a variable."""
    whole = Ref(var)
    if made.op in DTYPES or made.spelling.startswith(("attribute:", "method")):
        return True
    if made.op in ("getitem", "setitem", "additem"):
        return made.args[0] == whole and not facts.is_index(made.args[1])
    if made.op.startswith("helper."):
        places = [i for i, arg in enumerate(made.args) if arg == whole]
        return not all(takes_list(made.op, i) for i in places)
    if made.op in OPERATORS and made.spelling in ("operator", "augmented"):
        return not any(_is_array(arg, whole, facts) for arg in made.args)
    return False


def _is_array(other: Expr, whole: Ref, facts: Facts) -> bool:
    """Whether what stands beside a list is surely an array, which computes for both."""
    if isinstance(other, Ref) and other.var.origin is Origin.PARAM:
        return False
    return bool(facts.rank(other)) or facts.same(other, whole)
