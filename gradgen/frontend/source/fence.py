"""What the language does not accept; refused with a line before anything else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import gast

from gradgen.errors import GradgenError
from gradgen.frontend.source.names import SCOPES
from gradgen.frontend.source.source import Source

# what a refused statement is called, and what to write instead
REFUSED = {
    "With": ("a with block", "the block's statements, without the with"),
    "AsyncWith": ("a with block", "the block's statements, without the with"),
    "AsyncFor": ("an async for loop", "a for loop"),
    "AsyncFunctionDef": ("an async function", "a plain function"),
    "Try": ("a try block", "the block's statements, without the try"),
    "TryStar": ("a try block", "the block's statements, without the try"),
    "FunctionDef": ("a nested function", "its body, in place of the call"),
    "ClassDef": ("a class", "a function of arrays"),
    "Match": ("a match statement", "one function for each case"),
    "Raise": ("a raise statement", "the check before the call"),
    "Assert": ("an assert statement", "the check before the call"),
    "Delete": (
        "a del statement",
        "nothing: drop it; for an entry x = x[:i] + x[i + 1 :]",
    ),
    "Global": ("a global statement", "a parameter"),
    "Nonlocal": ("a nonlocal statement", "a parameter"),
    "Import": ("an import inside the function", "the import at the module's top"),
    "ImportFrom": ("an import inside the function", "the import at the module's top"),
}
YIELDS = (gast.Yield, gast.YieldFrom)


def fence(source: Source, of: tuple[str, ...] = ()) -> list[GradgenError]:
    """What is wrong with the definition, and statements that are never reached.

    A function whose results are left in the arguments `of` may return nothing.
    """
    node = source.node
    problems = []
    named = node.args.args or node.args.kwonlyargs
    for extra, what in ((node.args.vararg, "*"), (node.args.kwarg, "**")):
        if extra is not None and not named:
            problems.append(
                source.error(
                    "GG109",
                    f"{what}{extra.id} parameters are not supported",
                    node,
                    "named parameters",
                )
            )
    first = _first_yield(node)
    if first is not None:
        message, advice = "generators are not supported", "a list of what it yields"
        problems.append(source.error("GG201", message, first, advice))
    elif not any(one.value for one in returns_of(node)) and not of:
        changed = changed_arguments(source)
        advice = "return result, as the last statement"
        if changed:
            advice = f"--of {','.join(changed)}, for what it leaves there"
        problems.append(
            source.error(
                "GG111",
                f"{node.name} returns nothing",
                node.body[-1],
                advice,
            )
        )
    return problems


def own_nodes(statements: Sequence[gast.AST]) -> Iterator[gast.AST]:
    """Everything inside statements, but not inside functions they define."""
    stack = list(reversed(statements))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, SCOPES):
            stack.extend(reversed(list(gast.iter_child_nodes(node))))


@lru_cache(maxsize=1024)
def returns_of(node: Any) -> tuple[Any, ...]:
    """The return statements of a function, not of functions in it."""
    return tuple(one for one in own_nodes(node.body) if isinstance(one, gast.Return))


@lru_cache(maxsize=1024)
def _first_yield(node: Any) -> gast.AST | None:
    """The first yield of a function; None of one that is no generator."""
    return next((one for one in own_nodes(node.body) if isinstance(one, YIELDS)), None)


def changed_arguments(source: Source) -> list[str]:
    """The parameters that a function's own text surely stores into."""
    names = [arg.id for arg in source.node.args.args + source.node.args.kwonlyargs]
    found = []
    for node in own_nodes(source.node.body):
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        for target in targets:
            while isinstance(target, gast.Subscript):
                target = target.value
                if isinstance(target, gast.Name) and target.id in names:
                    found.append(target.id)
        if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            if node.target.id in names:
                found.append(node.target.id)
    return [name for name in names if name in found]


def refused_statement(source: Source, node: gast.AST) -> GradgenError:
    """The error for a statement that the language does not have."""
    if isinstance(node, gast.Expr):
        return source.error(
            "GG112",
            "an expression statement does nothing, or changes something unseen",
            node,
            "an assignment of its result",
        )
    name = type(node).__name__
    what, instead = REFUSED.get(name, (f"{name}", "assignments and a return"))
    return source.error("GG113", f"{what} is not supported", node, instead)
