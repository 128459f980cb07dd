"""The statements of the accepted language; everything else is refused with a line."""

from __future__ import annotations

import gast

from gradgen.errors import GradgenError
from gradgen.frontend.source import Source

ACCEPTED = (gast.Assign, gast.AnnAssign, gast.Return, gast.Pass)

# what a refused statement is called, and what to write instead
REFUSED = {
    "AugAssign": (
        "an augmented assignment",
        "x = x + y (x += y would change an array that somebody else may hold)",
    ),
    "For": ("a for loop", "array operations over the whole axis"),
    "While": ("a while loop", "straight-line array code"),
    "If": ("an if statement", "np.where(condition, a, b)"),
    "With": ("a with block", "the block's statements, without the with"),
    "Try": ("a try block", "the block's statements, without the try"),
    "FunctionDef": ("a nested function", "its body, in place of the call"),
    "ClassDef": ("a class", "a function of arrays"),
    "Match": ("a match statement", "one function for each case"),
    "Raise": ("a raise statement", "the check before the call"),
    "Assert": ("an assert statement", "the check before the call"),
    "Delete": ("a del statement", "nothing: drop it"),
    "Global": ("a global statement", "a parameter"),
    "Nonlocal": ("a nonlocal statement", "a parameter"),
    "Import": ("an import inside the function", "the import at the module's top"),
    "ImportFrom": ("an import inside the function", "the import at the module's top"),
}


def fence(source: Source) -> list[GradgenError]:
    """Every statement of the function that the language does not accept."""
    node = source.node
    problems = []
    if node.decorator_list:
        problems.append(
            source.error(
                "GG108",
                "a decorated function is not what its text says",
                node.decorator_list[0],
                "the undecorated function",
            )
        )
    for extra, what in ((node.args.vararg, "*"), (node.args.kwarg, "**")):
        if extra is not None:
            problems.append(
                source.error(
                    "GG109",
                    f"{what}{extra.id} parameters are not supported",
                    node,
                    "named parameters",
                )
            )
    for i, statement in enumerate(node.body):
        problem = _refusal(source, statement)
        if problem is not None:
            problems.append(problem)
        if isinstance(statement, gast.Return) and i < len(node.body) - 1:
            after = node.body[i + 1]
            problems.append(
                source.error(
                    "GG110",
                    "a statement after return is never reached",
                    after,
                    "nothing: drop it",
                )
            )
    returns = [s for s in node.body if isinstance(s, gast.Return) and s.value]
    if not returns:
        problems.append(
            source.error(
                "GG111",
                f"{node.name} returns nothing",
                node.body[-1],
                "return result, as the last statement",
            )
        )
    return problems


def _refusal(source: Source, node) -> GradgenError | None:
    if isinstance(node, ACCEPTED):
        return _target_refusal(source, node)
    if isinstance(node, gast.Expr):
        if isinstance(node.value, gast.Constant):
            return None
        return source.error(
            "GG112",
            "an expression statement does nothing, or changes something unseen",
            node,
            "an assignment of its result",
        )
    name = type(node).__name__
    what, instead = REFUSED.get(name, (f"{name}", "assignments and a return"))
    return source.error("GG113", f"{what} is not supported", node, instead)


def _target_refusal(source: Source, node) -> GradgenError | None:
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    stack = [target for target in targets if target is not None]
    while stack:
        target = stack.pop()
        if isinstance(target, (gast.Tuple, gast.List)):
            stack += target.elts
        elif isinstance(target, gast.Subscript):
            return source.error(
                "GG114",
                "storing into an array is not supported",
                target,
                "np.where, np.concatenate or np.stack",
            )
        elif not isinstance(target, gast.Name):
            return source.error(
                "GG115", "only names can be assigned", target, "name = value"
            )
    return None
