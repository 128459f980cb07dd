"""Dictionaries that are made, and lists that grow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NoReturn

import gast

from gradgen.frontend.heap.contents import contents, wish_of_list
from gradgen.frontend.heap.lists import new_list, refuse_gone_over
from gradgen.frontend.heap.of_instances import attribute_behind
from gradgen.frontend.lowering.frames import Refusal
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.source.named import did_you_mean
from gradgen.ir import operators
from gradgen.frontend.source.advice import NO_FIELD
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.ir.operators import ATTRIBUTES
from gradgen.ir.structure import path_text


def untold(
    lowering: Lowering,
    base: Expr,
    key: str,
    node: gast.AST | None,
    by_key: bool = False,
) -> None:
    """Refuses a read of a container whose structure is not told; base[key] `by_key`."""
    held = attribute_behind(lowering, base)
    if held or isinstance(base, Ref) and base.var.origin is Origin.PARAM:
        name = held or base.var.name
        words = [*ATTRIBUTES, *operators.METHODS]
        near = did_you_mean(key, words) if len(key) > 2 else ""
        if near.startswith("did") and isinstance(node, gast.Attribute):
            lowering.fail("GG206", f"an array has no .{key}", node, near)
        if held:
            told = f"{name} is a container, and its parts are not told"
            lowering.problem("GG245", told, node, NO_FIELD)
        else:
            untold_part(lowering, name, key, node)
        if by_key:
            lowering.problems[-1].read_of = path_of(lowering, base), key
        elif isinstance(node, gast.Attribute) and not key.startswith("__"):
            lowering.problems[-1].field_of = path_of(lowering, base), key
        raise Refusal


def no_key(
    lowering: Lowering,
    base: Expr,
    key: Expr,
    keys: list[Expr],
    node: gast.AST | None,
) -> NoReturn:
    """Refuses a key that a dictionary has not."""
    known = [str(k.value) for k in keys if isinstance(k, Const)]
    message = "a key that is not known here is read of what has other keys"
    advice = "a literal key, or a list or an array in place of the dictionary"
    if isinstance(key, Const):
        advice = "one of its keys"
        message = f"there is no key {key.value!r}"
        advice = did_you_mean(str(key.value), known) or advice
        if not keys:
            advice = "a dictionary that has it; a parameter for each word of **kwargs"
    lowering.problem("GG240", message, node, advice)
    held = lowering.state.held(base)
    path = path_of(lowering, base)
    if not path and held is not None:
        path = path_of(lowering, held)
    if path and isinstance(key, Const):
        lowering.problems[-1].read_of = path, key.value
    raise Refusal


def refuse_other_keys(
    lowering: Lowering, base: Expr, key: object, keys: list[Any], node: Any
) -> None:
    """Refuses a question for a key that an argument may have, of which nothing tells."""
    if is_assumed(lowering, base) and key not in keys:
        untold_part(lowering, path_of(lowering, base)[0], key, node)
        raise Refusal


def untold_part(lowering: Lowering, name: str, key: object, node: Any) -> None:
    """The problem that a key is read of a container whose structure is not told."""
    lowering.problem(
        "GG245",
        f"{name} is a container, and its parts are not told",
        node,
        f'--shape {name}.{key}="..." for each part, an example, or the '
        f"annotation of its class",
    )


def is_assumed(lowering: Lowering, base: Expr) -> bool:
    """Whether a dictionary has the keys that are read of it, since nothing tells them."""
    path = path_of(lowering, base)
    return bool(path) and path[0] in lowering.root.source.keyed


def path_of(lowering: Lowering, base: Expr) -> tuple[Any, ...]:
    """The argument that a value is, and the way to it; nothing for other values."""
    if isinstance(base, Ref) and base.var.origin is Origin.PARAM:
        return lowering.leaf_paths.get(base.var, (base.var.name,))
    if isinstance(base, Apply) and base.op == "dict" and base.args:
        return path_of(lowering, base.args[0])[:-1]
    return ()


def written_path(lowering: Lowering, base: Expr) -> str:
    """How a text writes an argument, or a dictionary in one."""
    first, *keys = path_of(lowering, base) or ("",)
    structure = lowering.bundles.get(first)
    path = []
    for key in keys:
        if structure is None:
            return ""
        path.append((structure, key))
        structure = dict(structure.steps()).get(key)
    return path_text(first, tuple(path))


def new_dict(lowering: Lowering, items: dict[Any, Any]) -> Ref:
    """A dictionary object of these handles."""
    keys = tuple((str(i), Const(key)) for i, key in enumerate(items))
    return new_list(
        lowering, Apply("dict", tuple(items.values()), keys), wish_of_list(lowering)
    )


def extended(
    lowering: Lowering, handle: Ref, op: str, value: Expr, node: gast.AST
) -> Expr:
    """items += more."""
    if isinstance(handle, Ref) and lowering.is_dynamic(value):
        return _grow(lowering, handle, op, value, node)
    more = contents(lowering, value)
    refuse_gone_over(lowering, handle, node)
    version = lowering.state.versions[handle.var]
    if op != "numpy.add" or more is None or version.op != "list":
        _refuse_other(lowering, op, node)
    lowering.state.versions[handle.var] = replace(
        version, args=(*version.args, *more.args)
    )
    lowering.touch(handle.var)
    return handle


def _refuse_other(lowering: Lowering, op: str, node: gast.AST) -> NoReturn:
    advice = "items.append(x)" if op == "numpy.add" else "np.array(items) first"
    lowering.fail("GG241", "a list takes only +=", node, advice)


def _grow(lowering: Lowering, handle: Ref, op: str, value: Ref, node: gast.AST) -> Expr:
    """items += more, where the length of one is not known."""
    refuse_gone_over(lowering, handle, node)
    if op != "numpy.add":
        _refuse_other(lowering, op, node)
    version = lowering.state.versions[handle.var]
    if isinstance(version, Apply):
        lowering.state.versions[handle.var] = lowering.as_dynamic(handle.var, version)
    lowering.list_method(handle, "extend", [value], node)
    return handle
