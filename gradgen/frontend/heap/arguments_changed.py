"""Dictionaries that are arguments: what is stored into them, and which keys they have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from gradgen.frontend.heap.containers import new_dict
from gradgen.frontend.heap.contents import pairs_of
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.source.walked import nodes_in
from gradgen.ir.nodes import Apply, Branch, Const, Effect, Expr, Note, Ref, Role
from gradgen.ir.structure import Structure, path_text
from gradgen.lines import is_of_a_call
from gradgen.quoting import string_literal


def held_anew(lowering: Lowering, target: Expr) -> Expr:
    """An argument that is a dictionary as one of the function's, under all its names.

    The caller's keeps what it holds, as arrays do: a derivative changes no arguments.
    One that stands in another argument, or is of the module, stays as it is, and with
    it the refusal of the store.
    """
    if not isinstance(target, Apply) or target.op != "dict":
        return target
    pairs = pairs_of(lowering, target)
    if not all(isinstance(key, Const) for key, _ in pairs):
        return target
    names = lowering.state.names
    bound = {
        node.id
        for node in nodes_in(lowering.root.source.node)
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)
    }
    taken = {
        (0, name)
        for name in lowering.bundles
        if name not in bound or is_as_given(lowering, target, (name,))
    }
    if is_of_a_call(lowering.root.source.file):
        taken |= {key for key in names if key[0] == 1}  # what the call hands over
    if not any(names.get(key) is target for key in taken):
        return target
    held = (*names.values(), *lowering.state.versions.values())
    called = {name for (_, name), handle in names.items() if handle is target}
    if any(_holds(one, target) for one in held) or _is_kept(lowering, called):
        return target  # what holds it would go on holding the caller's
    lowering.own_dictionaries |= called & lowering.bundles.keys()
    own = new_dict(lowering, {getattr(key, "value"): item for key, item in pairs})
    for name, handle in list(names.items()):
        if handle is target:
            names[name] = own
    return own


def is_as_given(lowering: Lowering, handle: Expr, path: tuple[Any, ...]) -> bool:
    """Whether a dictionary is the argument of a name, and no part of one.

    before:  if p is None: p = {}
             p["lr"] = 0.1            # p is as it was given, or another one
             p = p["inner"]
             p["lr"] = 0.1            # what the argument holds
    """
    paths = [*_paths(lowering, handle, path)]
    return bool(paths) and all(found == path for found, path in paths)


def _paths(
    lowering: Lowering, handle: Expr, path: tuple[Any, ...]
) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """The ways to the leaves of arguments, as they are and where these stand now."""
    if isinstance(handle, Ref):
        yield lowering.leaf_paths.get(handle.var), path
    elif isinstance(handle, Apply) and handle.op == "dict":
        for key, item in pairs_of(lowering, handle):
            yield from _paths(lowering, item, (*path, getattr(key, "value", None)))
    elif isinstance(handle, Apply):
        for place, item in enumerate(handle.args):
            yield from _paths(lowering, item, (*path, place))


def _holds(handle: Any, target: Expr) -> bool:
    """Whether a container has another one among its items, or theirs."""
    if not isinstance(handle, Apply):
        return False
    return any(one is target or _holds(one, target) for one in handle.args)


def _is_kept(lowering: Lowering, names: set[str]) -> bool:
    """Whether a default of a function inside, or a partial, may hold one of these."""
    kept: list[Any] = []
    for node in nodes_in(lowering.root.source.node):
        if isinstance(node, (gast.Lambda, gast.FunctionDef)):
            kept += [*node.args.defaults, *node.args.kw_defaults]
        elif isinstance(node, gast.Call):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if called.startswith("partial"):
                kept += [*node.args, *(word.value for word in node.keywords)]
    return any(
        isinstance(one, gast.Name) and one.id in names
        for value in kept
        if value is not None
        for one in nodes_in(value)
    )


def note_all_keys(lowering: Lowering, handle: Expr) -> None:
    """Notes that a dictionary is gone over, copied or counted: all of its keys matter."""
    if isinstance(handle, Apply) and handle.op == "dict" and handle.args:
        for name, path in _ways(lowering, handle):
            lowering.all_keys[path_text(name, path)] = len(handle.args)


def note_length(lowering: Lowering, handle: Expr) -> None:
    """Notes that the length of a list is read, or of a tuple, as well."""
    note_all_keys(lowering, handle)
    if isinstance(handle, Apply) and handle.op in ("list", "tuple") and handle.args:
        for name, path in _ways(lowering, handle):
            lowering.counted.add(path_text(name, path))


def note_key(lowering: Lowering, handle: Expr, key: object) -> None:
    """Notes that a dictionary was asked whether it has a key, which it is told to have."""
    for name, path in _ways(lowering, handle):
        lowering.keys_found.add((path_text(name, path), string_literal(str(key))))


def read_key(lowering: Lowering, base: Expr, key: Any, has: bool) -> None:
    """Notes that a text is made for a dictionary that has a key, or has it not."""
    place = lowering.places.get(base.var) if isinstance(base, Ref) else None
    if place is not None and isinstance(key, (str, int)):
        if not lowering.root.source.at_hand and place not in lowering.left:
            lowering.looked_at[f"{key!r} in {place}"] = has


def note_not_empty(lowering: Lowering, handle: Expr) -> None:
    """Notes that a condition asks whether an argument holds anything: if options."""
    for name, path in _ways(lowering, handle) if getattr(handle, "args", ()) else ():
        lowering.not_empty.add(path_text(name, path))


def _ways(
    lowering: Lowering, handle: Expr
) -> Iterator[tuple[str, tuple[tuple[Structure, object], ...]]]:
    """The arguments that a container is, or is a part of, and the way to it."""
    for name, structure in lowering.bundles.items():
        root = lowering.state.names.get((0, name))
        path = None if root is None else _way(root, structure, handle)
        if path is not None:
            yield name, path


def _way(
    root: Expr, structure: Structure, target: Expr
) -> tuple[tuple[Structure, object], ...] | None:
    """How a container is read of an argument that holds it."""
    if root is target:
        return ()
    if isinstance(root, Apply) and len(root.args) == len(structure.parts):
        for (key, part), inner in zip(structure.steps(), root.args, strict=True):
            found = _way(inner, part, target)
            if found is not None:
                return ((structure, key), *found)
    return None


def other_keys(lowering: Lowering) -> tuple[Branch, ...]:
    """Statements that raise where such an argument has other keys than it is told.

    before:  return sum(np.sum(p**2) for p in params.values())    # params {"a", "b"}
    after:   if len(params) != 2:
                 raise ValueError("params has other keys than this text is made for")

    A derivative at hand is made for the keys of its arguments. Of two that are one
    dictionary, which the function stores into, the other has changed as well.
    """
    found = [_raising(test, told) for test, told in lowering.kinds_decided.items()]
    for name in () if lowering.source.at_hand else _empty(lowering):
        test = Apply("len", (Const(None, name),), (), "name:len")
        found.append(_raising(test, f"{name} is empty in what this text is made for"))
    for name in () if lowering.source.at_hand else sorted(lowering.not_empty):
        test = Apply("not", (Const(None, name),), (), "operator")
        found.append(_raising(test, f"{name} is empty"))
    for name, count in () if lowering.source.at_hand else lowering.all_keys.items():
        length = Apply("len", (Const(None, name),), (), "name:len")
        test = Apply("numpy.not_equal", (length, Const(count)), (), "operator")
        found.append(
            _raising(test, f"{name} has other keys than this text is made for")
        )
    dicts = [name for name, one in lowering.bundles.items() if one.keys]
    for name in sorted(lowering.own_dictionaries):
        for other in dicts:
            if other != name:
                both = Const(None, name), Const(None, other)
                test = Apply("is", both, (), "operator")
                found.append(_raising(test, f"{name} and {other} are one dictionary"))
    return tuple(found)


def _empty(lowering: Lowering) -> list[str]:
    """The arguments that are read and told to be empty containers, and parts of such."""
    nodes = nodes_in(lowering.root.source.node)
    read = {node.id for node in nodes if isinstance(node, gast.Name)}
    return [
        path_text(name, path)
        for name, structure in lowering.bundles.items()
        if name in read and name not in lowering.of
        for path in _empty_parts(structure)
    ]


def _empty_parts(
    structure: Structure,
) -> Iterator[tuple[tuple[Structure, object], ...]]:
    """The ways to the parts of a container that hold nothing; an object may fill its own."""
    if structure.is_object:
        return
    if structure.sort in ("dict", "list", "tuple") and not structure.parts:
        yield ()
    for key, part in structure.steps():
        for path in _empty_parts(part):
            yield ((structure, key), *path)


def _raising(test: Expr, told: str) -> Branch:
    note = Note(Role.FORWARD)
    args = Const(ValueError, "ValueError"), Const(told)
    return Branch(test, (Effect(Apply("raise", args), note),), (), (), note)
