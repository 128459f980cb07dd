"""reduced(case, fails): the smallest program found that still fails.

Works on the program's own syntax tree: a statement is left out, an expression
gives way to a part of itself, a parameter that nothing reads goes. Each step
must keep the program running, with finite results, at both sets of sizes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import singledispatch

from tests.fuzz.case import Case
from tests.fuzz.program import Program

BUDGET = 150  # requests to the engine


def reduced(case: Case, fails: Callable[[Case], bool]) -> Case:
    """The case after greedy steps, none of which leaves anything that fails."""
    budget = BUDGET
    searching = True
    while searching:
        searching = False
        for smaller in smaller_cases(case):
            if budget == 0:
                return case
            if not smaller.program.fits():
                continue
            budget -= 1
            if fails(smaller):
                case, searching = smaller, True
                break
    return case


def smaller_cases(case: Case) -> Iterator[Case]:
    if len(case.names) > 1:
        for name in case.names:
            yield replace(case, wrt=tuple(n for n in case.names if n != name))
    for program in smaller(case.program):
        kept = {param.name for param in program.params}
        wrt = case.wrt
        if not isinstance(wrt, str):
            wrt = tuple(name for name in wrt if name in kept)
        if wrt and kept.issuperset((wrt,) if isinstance(wrt, str) else wrt):
            gone = {param.name for param in case.program.params} - kept
            shapes = {n: fact for n, fact in case.shapes.items() if n not in gone}
            yield replace(case, program=program, wrt=wrt, shapes=shapes)


@singledispatch
def smaller(program: Program) -> Iterator[Program]:
    """The programs that are this one with a little less in it."""
    for lines in smaller_bodies(program):
        try:
            yield replace(program, lines=lines).without_unused()
        except SyntaxError:  # a slice, for one, is no expression by itself
            continue


def smaller_bodies(program: Program) -> Iterator[tuple[str, ...]]:
    """Bodies with one statement less, then with one expression simplified."""
    lines = program.lines
    for k in range(len(lines) - 1):
        yield lines[:k] + lines[k + 1 :]
    names = [param.name for param in program.params]
    for k, line in enumerate(lines):
        for simpler in smaller_lines(line, names):
            yield lines[:k] + (simpler,) + lines[k + 1 :]


def smaller_lines(line: str, params: list[str]) -> Iterator[str]:
    """The line with one expression in it replaced by a part of that expression."""
    try:
        found = expressions(ast.parse(line))
    except SyntaxError:  # the head of a block
        return
    for k, node in enumerate(found):
        for part in parts(node, params):
            tree = ast.parse(line)
            yield ast.unparse(Exchange(expressions(tree)[k], part).visit(tree))


def parts(node: ast.expr, params: list[str]) -> list[ast.expr]:
    """What an expression is made of; a local name gives way to a parameter."""
    if isinstance(node, ast.Name):
        local = node.id not in (*params, "np", "abs", "len")
        return [ast.Name(name) for name in params if local]
    if isinstance(node, ast.Call):  # its function is no value, a method's array is
        method = not ast.unparse(node.func).startswith("np.")
        owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return owner * method + node.args
    return [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr)]


def expressions(tree: ast.AST) -> list[ast.expr]:
    """Every expression that is read, not assigned to, in a fixed order."""
    read = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
    return [n for n in read if not isinstance(getattr(n, "ctx", None), ast.Store)]


class Exchange(ast.NodeTransformer):
    """One node, found by identity, for another."""

    def __init__(self, old: ast.AST, new: ast.AST):
        self.old, self.new = old, new

    def visit(self, node):
        return self.new if node is self.old else self.generic_visit(node)
