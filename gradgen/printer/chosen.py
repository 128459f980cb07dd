"""Choices that the user wrote in one line: h = a if test else b."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import gast

from gradgen.ir.nodes import Branch, Let, Ref, Var
from gradgen.printer.line import WIDTH
from gradgen.printer.syntax import Syntax


def in_one_line(
    branch: Branch,
    syntax: Syntax,
    arms: Sequence[Sequence[Any]],
    read: Mapping[Var, int],
    indent: int,
) -> list[Any] | None:
    """A branch that was a conditional expression as one; None for what is none, or long.

    before:  if s is None:
                 h_in = np.zeros(n)
                 h = h_in
             else:
                 h = s
    after:   h = np.zeros(n) if s is None else s

    `arms` are its printed statements, `read` says how often each variable is read.
    """
    if len(branch.merges) != 1 or not _is_of_one_line(branch):
        return None
    merge = branch.merges[0]
    sides = zip(arms, (branch.then, branch.orelse), (merge.then, merge.orelse))
    values = []
    for nodes, block, way in sides:
        own = [let.var for let in block if isinstance(let, Let)]
        if len(own) != len(block) or len(own) > 1:
            return None
        if own and (way != Ref(own[0]) or read[own[0]] != 1):
            return None  # what the way back reads has a name
        found = _value(nodes)
        if found is None:
            return None
        values.append(found)
    (then, target), (orelse, other) = values
    if target.id != other.id:
        return None
    value = gast.IfExp(syntax.expression(branch.test), then, orelse)
    length = len(f"{target.id} = {gast.unparse(copy.deepcopy(value)).strip()}")
    if indent + length > WIDTH:
        return None
    return [gast.Assign([target], value, None)]


def _is_of_one_line(branch: Branch) -> bool:
    """Whether the user wrote a conditional expression, and no statement."""
    text = branch.note.lines[0].text if branch.note.lines else ""
    return not text.startswith(("if ", "elif ")) and " if " in text and " else " in text


def _value(nodes: Sequence[Any]) -> tuple[gast.expr, gast.Name] | None:
    """What statements like h_in = a, h = h_in assign, and to which name."""
    if not nodes or not all(isinstance(node, gast.Assign) for node in nodes):
        return None
    value, target = nodes[0].value, nodes[0].targets[0]
    for node in nodes[1:]:
        handed_on = isinstance(node.value, gast.Name) and isinstance(target, gast.Name)
        if not handed_on or node.value.id != target.id:
            return None
        target = node.targets[0]
    single = all(len(node.targets) == 1 for node in nodes)
    return (value, target) if single and isinstance(target, gast.Name) else None
