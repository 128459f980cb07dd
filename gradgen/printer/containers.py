"""Containers in the text: arguments taken apart, results put together."""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import gast

from gradgen.ir.nodes import Function, Param, Var
from gradgen.ir.records import is_replaced
from gradgen.ir.structure import Structure, path_text
from gradgen.ir.walk import uses
from gradgen.printer.scopes import mark_outside
from gradgen.quoting import string_literal

WIDTH = 88
REPLACE, NAMESPACE = "dataclasses.replace", "types.SimpleNamespace"


def first_lines(function: Function, names: Mapping[Var, str]) -> list[Any]:
    """The statements that name the leaves of containers: W, b = params.

    before:  mass = self.mass
             length = self.length
    after:   mass, length = self.mass, self.length
    """
    read = uses(function)
    lines = _keys_looked_for(function, read)
    for bundle, structure in function.bundles:
        own = [param for param in function.params if param.bundle == bundle]
        # Tangents may be of some parts alone, in another order.
        live = {param.path: param for param in own if param.path and read[param.var]}
        lines += _parts(structure, (bundle, ()), live, names, function)
    return list(_in_rows(lines))


def _in_rows(lines: Iterable[Any]) -> Iterator[Any]:
    """The statements, with those that each name a part in as few lines as they fit."""
    targets: list[str] = []
    values: list[str] = []

    def row() -> Iterator[Any]:
        if targets:
            text = f"{', '.join(targets)} = {', '.join(values)}"
            yield from gast.parse(text).body
            targets.clear()
            values.clear()

    for line in lines:
        part = _named_part(line)
        if part is None:
            yield from row()
            yield line
            continue
        words = (*targets, part[0], *values, part[1])
        if sum(len(word) + 2 for word in words) > WIDTH - 5:
            yield from row()
        targets.append(part[0])
        values.append(part[1])
    yield from row()


def _named_part(line: Any) -> tuple[str, str] | None:
    """The name and the part that it is of, of mass = self.mass."""
    target = line.targets[0] if isinstance(line, gast.Assign) else None
    if not isinstance(target, gast.Name):
        return None
    inside = line.value
    while isinstance(inside, (gast.Attribute, gast.Subscript)):
        inside = inside.value
    if not isinstance(inside, gast.Name):
        return None
    text = ast.unparse(gast.gast_to_ast(gast.Expression(copy.deepcopy(line.value))))
    return target.id, text


def _parts(
    structure: Structure,
    place: tuple[str, tuple[Any, ...]],
    live: Mapping[Any, Param],
    names: Mapping[Var, str],
    function: Function,
) -> list[Any]:
    """The statements for a container, or for one in it, that stands at `place`.

    before:  params["layers"], of [(W, b), (W, b)]
    after:   (W, b), (W_2, b_2) = params["layers"]
    """
    bundle, path = place
    text = path_text(bundle, path)
    paths = [(*path, *rest) for rest, _ in structure.leaves()]
    own = [param for key, param in live.items() if key in paths]
    if _is_plain(structure) and own and len(own) * 2 >= len(paths):
        spelled = [names[live[key].var] if key in live else "_" for key in paths]
        line = f"{_target(structure, iter(spelled))} = {text}"
        if len(line) <= WIDTH - 4:
            return list(gast.parse(line).body)
    lines = _counted(text, structure) if text in function.counted else []
    if _is_plain(structure):
        return lines + _one_by_one(own, names, function)
    for key, part in structure.steps():
        inner = (*path, (structure, key))
        if part:
            lines += _parts(part, (bundle, inner), live, names, function)
        elif inner in live:
            lines += _one_by_one([live[inner]], names, function)
    return lines


def _keys_looked_for(function: Function, read: Mapping[Var, int]) -> list[Any]:
    """Raises where a dictionary lacks a key that it was asked for, and that is not read.

    before:  if "scale" in params: x = x + 1
    after:   if "scale" not in params: raise ValueError('params has no "scale"')
    """
    live = [param.label for param in function.params if param.path and read[param.var]]
    lines: list[Any] = []
    for text, key in function.keys_found:
        if any(label.startswith(f"{text}[{key}]") for label in live):
            continue  # KeyError tells of it
        told = string_literal(f"{text} has no {key}")
        test = f"if {key} not in {text}:\n    raise ValueError({told})"
        lines += gast.parse(test).body
    return lines


def _counted(text: str, structure: Structure) -> list[Any]:
    """Raises for a list of another length, which no names unpack."""
    count = len(structure.parts)
    told = string_literal(f"{text} has another length than this text is made for")
    lines = f"if len({text}) != {count}:\n    raise ValueError({told})"
    return list(gast.parse(lines).body)


def _one_by_one(
    live: list[Param], names: Mapping[Var, str], function: Function
) -> list[Any]:
    lines = []
    own = {param.var: param for param in function.params}
    asked = {result.of for result in function.results}
    for param in live:
        read = param.label
        of = param.var.of if param.var in function.seeds else None
        if param.optional and of:  # the tangent of a key that may be missing
            primal = own[of]
            given = path_text(primal.bundle, primal.path[:-1])
            key = string_literal(primal.path[-1][1])
            read = f"{read} if {key} in {given} else 0.0"
        elif param.optional:
            (around, key), *_ = param.path[::-1]
            if around.sort == "dict":
                base = path_text(param.bundle, param.path[:-1])
                default = "" if param.default == "None" else f", {param.default}"
                read = f"{base}.get({string_literal(key)}{default})"
            else:  # an object that may be left out
                read = f"{param.default} if {param.bundle} is None else {param.label}"
        elif param.in_arms and not of and param.var not in asked:
            base = path_text(param.bundle, param.path[:-1])
            around, key = param.path[-1]
            key = string_literal(key)
            in_dict = around.sort == "dict"
            read = f"{base}.get({key})" if in_dict else f"getattr({base}, {key}, None)"
        lines += gast.parse(f"{names[param.var]} = {read}").body
    return lines


def _is_plain(structure: Structure) -> bool:
    """Whether a container is unpacked by names alone."""
    if not structure:
        return True
    inner = all(map(_is_plain, structure.parts))
    return structure.sort in ("tuple", "list", "namedtuple") and inner


def _target(structure: Structure, spelled: Iterator[str], top: bool = True) -> str:
    """Names as nested as the container: (W1, b1), (W2, b2)."""
    if not structure:
        return next(spelled)
    parts = [_target(part, spelled, False) for part in structure.parts]
    text = ", ".join(parts) + ("," if len(parts) == 1 else "")
    return text if top else f"({text})"


def assembled(
    structure: Structure,
    leaves: Iterator[gast.AST],
    place: str,
    lacking: Collection[str] = (),
) -> gast.AST:
    """The expression for a container, from the expressions of its leaves in order.

    A record is the one that stands at `place`, with other fields; without a place
    it is made of its class. Of a class that does something with what it is made of
    the fields stand in a namespace. A dictionary that may be `lacking` some of its keys
    has those of the one at its place.
    """
    if not structure:
        return next(leaves)
    parts = []
    for key, part in structure.steps():
        inner = path_text(place, ((structure, key),)) if place else ""
        parts.append(assembled(part, leaves, inner, lacking))
    if structure.sort == "list":
        return gast.List(parts, gast.Load())
    if structure.sort == "dict":
        made = gast.Dict([_constant(key) for key in structure.keys], parts)
        labels = {path_text(place, ((structure, key),)) for key in structure.keys}
        if labels.isdisjoint(lacking):
            return made
        return _as_given(made, structure.keys, place)
    if structure.is_record:
        head, first = structure.name, []
        if place and structure.sort == "dataclass":
            head = maker(structure)
            first = [_read(place)] if head == REPLACE else []
        elif place:
            head = f"{place}._replace"
        words = [
            gast.keyword(key, part)
            for key, part in zip(structure.keys, parts, strict=True)
        ]
        func = _read(head)
        if head in (REPLACE, NAMESPACE, structure.name):
            mark_outside(func)
        return gast.Call(func, first, words)
    return gast.Tuple(parts, gast.Load())


def _as_given(made: gast.Dict, keys: tuple[Any, ...], place: str) -> gast.AST:
    """The entries of a dictionary whose keys the one at a place has.

    {"rate": d_rate} if "rate" in options else {}, and a comprehension for several.
    """
    if len(keys) == 1:
        test = _read(f"{string_literal(keys[0])} in {place}")
        return gast.IfExp(test, made, gast.Dict([], []))
    key, one = "key", "one"
    text = f"{{{key}: {one} for {key}, {one} in made.items() if {key} in {place}}}"
    found = _read(text)
    found.generators[0].iter.func.value = made
    return found


def _constant(key: object) -> gast.Constant:
    return gast.Constant(key, None)


def _read(text: str) -> gast.expr:
    return gast.parse(text, mode="eval").body


def classes(structure: Structure) -> set[str]:
    """The names of the classes of the records in a container."""
    inner = {name for part in structure.parts for name in classes(part)}
    return inner | ({structure.name} if structure.is_record else set())


def maker(structure: Structure) -> str:
    """What makes the gradient in a dataclass: its like, or a namespace."""
    known = structure.cls is None or is_replaced(structure.cls)
    return REPLACE if known else NAMESPACE


def makers(structure: Structure) -> set[str]:
    """What makes the gradients in the dataclasses that are among the containers."""
    inner = {name for part in structure.parts for name in makers(part)}
    return inner | ({maker(structure)} if structure.sort == "dataclass" else set())


def containers(function: Function) -> frozenset[str]:
    """The arguments that hold others: the text reads their settings and asks for keys."""
    return frozenset(name for name, _ in function.bundles)
