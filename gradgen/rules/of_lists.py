"""Which helpers take a list of numbers where they take an array."""

from __future__ import annotations

import ast
from functools import cache

from gradgen.rules.load import helpers

MEANT = ("np.asarray({0})", "np.array({0})")


@cache
def takes_list(op: str, place: int) -> bool:
    """Whether a helper's argument may be a list: functions of NumPy alone read it, or it
    is made an array first.

    >>> takes_list("helper._unbroadcast", 1), takes_list("helper._matmul_left", 2)
    (True, False)
    """
    text = helpers().get(op.removeprefix("helper."))
    if text is None:
        return False
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.FunctionDef)
    if place >= len(node.args.args):
        return False
    name = node.args.args[place].arg
    taken = 0
    for one in ast.walk(node):
        if isinstance(one, ast.Assign):
            target = ast.unparse(one.targets[0]).strip("()").split(", ")
            value = ast.unparse(one.value).strip("()")
            if name in target and any(w.format(name) in value for w in MEANT):
                return True
        if isinstance(one, ast.Call) and ast.unparse(one.func).startswith("np."):
            given = [*one.args, *(word.value for word in one.keywords)]
            taken += sum(isinstance(a, ast.Name) and a.id == name for a in given)
    names = [one for one in ast.walk(node) if isinstance(one, ast.Name)]
    return taken == sum(one.id == name for one in names)
