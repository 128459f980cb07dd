"""Rewritings of the statements of a function: temporaries, recursion, steps of loops."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from tests.metamorphic.patterns import is_read, replaced
from tests.metamorphic.scene import Scene
from tests.metamorphic.wholes import rewriting


@rewriting
def three_addresses(scene: Scene) -> bool:
    """Every operation of a statement gets a name of its own."""
    found = False
    for body in scene.bodies():
        for k, statement in reversed(list(enumerate(body))):
            if isinstance(statement, (ast.Assign, ast.Return, ast.AugAssign)):
                lines = list(named(scene, statement))
                body[k:k] = lines
                found = found or bool(lines)
    return found


def named(
    scene: Scene, statement: ast.Assign | ast.Return | ast.AugAssign
) -> Iterator[ast.stmt]:
    """Assignments of the parts of a statement, which reads the names instead."""

    def go(node: ast.expr) -> Iterator[ast.stmt]:
        if isinstance(
            node, (ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.BoolOp, ast.IfExp)
        ):
            return
        for field, value in ast.iter_fields(node):
            for item in value if isinstance(value, list) else [value]:
                if not isinstance(item, ast.expr) or not is_read(item):
                    continue
                if field == "func":
                    continue
                yield from go(item)
                if isinstance(item, (ast.BinOp, ast.Call, ast.UnaryOp)) and scene.kind(
                    item
                ):
                    name = scene.new("t1")
                    yield ast.Assign([ast.Name(name, ast.Store())], item)
                    new = ast.Name(name, ast.Load())
                    if isinstance(value, list):
                        value[value.index(item)] = new
                    else:
                        setattr(node, field, new)

    if statement.value is not None:
        yield from go(statement.value)


@rewriting
def inlined(scene: Scene) -> bool:
    """A name that is assigned and read once is replaced by what it is."""
    for body in scene.bodies():
        for k, (one, after) in enumerate(zip(body, body[1:])):
            if not (
                isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)
            ):
                continue
            old = one.targets[0].id
            uses = [
                n
                for n in ast.walk(scene.function)
                if isinstance(n, ast.Name) and n.id == old
            ]
            read = [n for n in ast.walk(after) if n in uses and is_read(n)]
            simple = isinstance(after, (ast.Assign, ast.Return))
            if simple and len(uses) == 2 and len(read) == 1:
                replaced(after, read[0], one.value)
                del body[k]
                return True
    return False


@rewriting
def recursion(scene: Scene) -> bool:
    """A loop over a range is a function that calls itself for the next round."""
    for body in scene.bodies():
        for k, loop in enumerate(body):
            if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name):
                continue
            is_range = isinstance(loop.iter, ast.Call) and isinstance(
                loop.iter.func, ast.Name
            )
            if not is_range or loop.iter.func.id != "range" or len(loop.iter.args) != 1:
                continue
            inside = [n for s in loop.body for n in ast.walk(s)]
            if any(
                isinstance(n, (ast.Break, ast.Continue, ast.Return)) for n in inside
            ):
                continue
            carried = sorted(
                {n.id for n in inside if isinstance(n, ast.Name) and not is_read(n)}
                & before(scene, loop)
            )
            if not carried:
                continue
            go, names = scene.new("go"), ", ".join(carried)
            statements = "\n".join(ast.unparse(s) for s in loop.body)
            lines = "\n".join("    " + line for line in statements.splitlines())
            text = (
                f"def {go}({loop.target.id}, {names}):\n"
                f"    if {loop.target.id} == {ast.unparse(loop.iter.args[0])}:\n"
                f"        return {names}\n{lines}\n"
                f"    return {go}({loop.target.id} + 1, {names})\n"
                f"{names} = {go}(0, {names})"
            )
            body[k : k + 1] = ast.parse(text).body
            return True
    return False


def before(scene: Scene, loop: ast.For) -> set[str]:
    """The names that have a value before a loop, by where they stand in the text."""
    found = {arg.arg for arg in scene.function.args.args}
    for node in ast.walk(scene.function):
        if isinstance(node, ast.Name) and not is_read(node):
            if getattr(node, "lineno", 10**9) < loop.lineno:
                found.add(node.id)
    return found


@rewriting
def loop_of_a_function(scene: Scene) -> bool:
    """What a loop does each time is a function of what it reads, nested before it."""
    for body in scene.bodies():
        for k, loop in enumerate(body):
            if not isinstance(loop, (ast.For, ast.While)):
                continue
            inside = [n for s in loop.body for n in ast.walk(s)]
            if any(
                isinstance(n, (ast.Break, ast.Continue, ast.Return)) for n in inside
            ):
                continue
            stored = {
                n.id for n in inside if isinstance(n, ast.Name) and not is_read(n)
            }
            if not stored:
                continue
            carried = (
                sorted(stored & before(scene, loop))
                if isinstance(loop, ast.For)
                else sorted(stored)
            )
            if not carried:
                continue
            step, names = scene.new("step"), ", ".join(carried)
            target = (
                ast.unparse(loop.target) + ", " if isinstance(loop, ast.For) else ""
            )
            target = target.replace("(", "").replace(")", "")
            statements = "\n".join(ast.unparse(s) for s in loop.body)
            lines = "\n".join("    " + line for line in statements.splitlines())
            text = f"def {step}({target}{names}):\n{lines}\n    return {names}"
            loop.body = ast.parse(f"{names} = {step}({target}{names})").body
            body[k:k] = ast.parse(text).body
            return True
    return False


@rewriting
def result_variable(scene: Scene) -> bool:
    """Early returns set a result, which is returned at the end of nested branches."""
    body = scene.function.body
    for k, statement in enumerate(body[:-1]):
        if isinstance(statement, ast.If) and not statement.orelse:
            if isinstance(statement.body[-1], ast.Return):
                name = scene.new("result")
                last = statement.body[-1].value
                rest = body[k + 1 :]
                if (
                    not isinstance(rest[-1], ast.Return)
                    or last is None
                    or rest[-1].value is None
                ):
                    return False
                target = [ast.Name(name, ast.Store())]
                statement.body[-1] = ast.Assign(target, last)
                statement.orelse = [
                    *rest[:-1],
                    ast.Assign(copy.deepcopy(target), rest[-1].value),
                ]
                body[k + 1 :] = [ast.Return(ast.Name(name, ast.Load()))]
                return True
    return False


@rewriting
def annotated(scene: Scene) -> bool:
    """The function has annotations and a docstring that say nothing of shapes."""
    kinds = (
        "np.ndarray",
        "'np.ndarray'",
        "object",
        "'ArrayLike'",
        "typing.Any",
        "float | np.ndarray",
    )
    for arg in scene.function.args.args:
        arg.annotation = ast.parse(scene.rng.choice(kinds), mode="eval").body
    scene.function.returns = ast.parse("typing.Any", mode="eval").body
    word = ast.Expr(ast.Constant("What it is, in a word.\n\n    And in another.\n    "))
    scene.function.body.insert(0, word)
    return True
