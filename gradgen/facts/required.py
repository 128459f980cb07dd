"""Arguments that may be left out of the function, and not of its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from gradgen.ir.nodes import Apply, Branch, Const, Effect, Function, Note, Param, Ref
from gradgen.ir.nodes import Role, Var
from gradgen.ir.walk import own_expressions, statements, subexpressions
from gradgen.shapes.shape import Shape

NONE = Const(None)
# what asks whether a value is None, or whether it is true
ASKING = ("is", "is_not", "not", "and", "or")


def required(primal: Function, given: Mapping[str, Shape]) -> Function:
    """The function without the default None of what is told to be an array.

    The text is one for arrays then: of None it would raise, or take the mask that is
    None for one that discards all. What the function itself asks for None keeps it.

    before:  def f(x, w=None):                  after:  def f(x, w):
                 return np.sum(x, where=w)
    """
    told = [
        param
        for param in primal.params
        if param.default == "None"
        and not param.bundle
        and param.label in given
        and given[param.label].rank
    ]
    if not told:
        return primal
    asked = set(_asked(primal))
    told = [param for param in told if param.var not in asked]
    params: list[Param] = []
    tested: list[Param] = []
    behind = False  # behind a default no argument is without one
    for param in primal.params:
        if param in told and (param.keyword_only or not behind):
            param = replace(param, default=None)
        elif param in told:
            tested.append(param)
        behind = behind or param.default is not None and not param.keyword_only
        params.append(param)
    tests = tuple(map(_test, tested))
    return replace(primal, params=tuple(params), body=(*tests, *primal.body))


def _test(param: Param) -> Branch:
    note = Note(Role.FORWARD)
    told = Const(f"{param.label} is None, and this text is one for an array")
    fail = Effect(Apply("raise", (Const(ValueError, "ValueError"), told)), note)
    test = Apply("is", (Ref(param.var), NONE), (), "operator")
    return Branch(test, (fail,), (), (), note)


def _asked(primal: Function) -> Iterator[Var]:
    """The variables of which the function asks whether they are None, or true."""
    for stmt in statements(primal.body):
        if isinstance(stmt, Branch) and isinstance(stmt.test, Ref):
            yield stmt.test.var
        for expr in own_expressions(stmt):
            for node in subexpressions(expr):
                if isinstance(node, Apply) and node.op in ASKING:
                    yield from (one.var for one in node.args if isinstance(one, Ref))


def asked_for_none(primal: Function) -> frozenset[Var]:
    """The variables that the function compares with None: x is None."""
    return frozenset(
        one.args[0].var
        for stmt in statements(primal.body)
        for expr in own_expressions(stmt)
        for one in subexpressions(expr)
        if isinstance(one, Apply)
        and one.op in ("is", "is_not")
        and one.args[1] == NONE
        and isinstance(one.args[0], Ref)
    )
