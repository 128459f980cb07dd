"""smaller(program) for programs of nested statements, by their syntax tree.

A statement goes, a block takes the place of the loop or branch around it, an
expression gives way to a part of itself, a number or a parameter; in the helper
functions as well. Large steps come first.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import replace

from tests.fuzz.imperative import Imperative, unparsed
from tests.fuzz.reduce import Exchange, expressions, parts, smaller

BLOCKS = ("body", "orelse")


@smaller.register
def _(program: Imperative) -> Iterator[Imperative]:
    tree = ast.parse(program.source)
    seen = {ast.unparse(tree)}
    for other in trees(tree, [p.name for p in program.params if p.differentiable]):
        try:
            text = ast.unparse(ast.parse(ast.unparse(other)))
        except (SyntaxError, ValueError):
            continue
        if text not in seen:
            seen.add(text)
            yield taken(program, ast.parse(text))


def taken(program: Imperative, tree: ast.Module) -> Imperative:
    """The program of a whole module's tree, without what it no longer uses."""
    *before, function = tree.body[1:]
    body = unparsed(function.body)
    called = ast.unparse(tree)
    texts = [ast.unparse(one) for one in before]
    names = [one.name for one in before if isinstance(one, ast.FunctionDef)]
    kept = [t for t, n in zip(texts, names) if called.count(f"{n}(") > 1]
    new = replace(program, lines=body, preamble="\n\n\n".join(kept))
    return new.without_unused()


def trees(tree: ast.Module, names: list[str]) -> Iterator[ast.Module]:
    """Copies of the tree with one thing less."""
    places = list(statements(tree))
    for path, k, node in sorted(places, key=lambda p: -size(p[2])):
        if not isinstance(node, (ast.Return, ast.FunctionDef)):
            yield changed(tree, path, k, [])
        for block in BLOCKS:
            inner = getattr(node, block, None)
            if inner and isinstance(node, (ast.If, ast.For, ast.While)):
                yield changed(tree, path, k, unwrapped(node, inner))
        if getattr(node, "orelse", None):
            without = copy.deepcopy(node)
            without.orelse = []
            yield changed(tree, path, k, [without])
    for k, node in enumerate(expressions(tree)):
        for part in [*kept_parts(node, names), *plain(node)]:
            new = copy.deepcopy(tree)
            yield Exchange(expressions(new)[k], part).visit(new)


def unwrapped(node, inner: list[ast.stmt]) -> list[ast.stmt]:
    """The block without what stands around it; a loop's index is 1 then."""
    if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
        first = ast.parse(f"{node.target.id} = 1").body
        return [*first, *inner]
    return inner


def kept_parts(node: ast.expr, names: list[str]) -> list[ast.expr]:
    """The parts of an expression; a key is none, since 0 is no length of anything."""
    if isinstance(node, ast.Subscript):
        return [node.value]
    return parts(node, names)


def plain(node: ast.expr) -> list[ast.expr]:
    """A number for what is no number yet."""
    small = isinstance(node, (ast.Constant, ast.Slice, ast.Tuple, ast.Attribute))
    return [] if small or size(node) < 3 else [ast.Constant(0.5)]


def size(node: ast.AST) -> int:
    return sum(1 for _ in ast.walk(node))


def statements(tree: ast.AST, path: tuple = ()) -> Iterator[tuple]:
    """(path of the block, position, statement) for each statement in functions."""
    for block in BLOCKS:
        inner = getattr(tree, block, None)
        if not isinstance(inner, list):
            continue
        for k, node in enumerate(inner):
            if path or isinstance(node, ast.FunctionDef):
                if path:
                    yield (*path, block), k, node
                yield from statements(node, (*path, block, k))


def changed(tree: ast.Module, path: tuple, k: int, new: list) -> ast.Module:
    """The tree with the statement k of the block at path replaced by others."""
    tree = copy.deepcopy(tree)
    block = tree
    for step in path:
        block = getattr(block, step) if isinstance(step, str) else block[step]
    block[k : k + 1] = copy.deepcopy(new)
    if not block:
        if path[-1] == "body":
            block.append(ast.Pass())
    return tree
