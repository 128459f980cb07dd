"""Chains of tests of one value, whose first arm has nothing to do."""

from __future__ import annotations

from typing import Any

import gast


def without_first(test: gast.AST, rest: list[Any]) -> list[Any] | None:
    """The chain `rest` without an arm before it that is empty, where no test is inverted.

    before:  if kind == "relu":             after:  if kind == "tanh":
                 pass                                   y = np.tanh(x)
             elif kind == "tanh":                   elif kind != "relu":
                 y = np.tanh(x)                         raise ValueError(kind)
             else:
                 raise ValueError(kind)

    None where a test of the chain is not whether the same value is another constant:
    both could be true.
    """
    first, passed = asked(test), []
    node = rest[0] if len(rest) == 1 else None
    if first is None or not isinstance(node, gast.If):
        return None
    known = [first[1]]
    while isinstance(node, gast.If):
        found = asked(node.test)
        if found is None or found[0] != first[0] or found[1] in known:
            return None
        known.append(found[1])
        passed.append(node)
        last = node.orelse
        node = last[0] if len(last) == 1 else None
    if last:
        inverted = gast.Compare(test.left, [gast.NotEq()], test.comparators)
        last = [gast.If(inverted, last, [])]
    for one in reversed(passed):
        last = [gast.If(one.test, one.body, last)]
    return last


def asked(test: gast.AST) -> tuple[str, str | int] | None:
    """What is compared, and the text or number that it is to be, of `kind == "tanh"`."""
    if not isinstance(test, gast.Compare) or not isinstance(test.ops[0], gast.Eq):
        return None
    if len(test.ops) != 1 or not isinstance(test.left, (gast.Name, gast.Attribute)):
        return None
    value = getattr(test.comparators[0], "value", None)
    return (gast.dump(test.left), value) if isinstance(value, (str, int)) else None
