"""The instance that a method belongs to: its arrays and numbers are arguments.

before:  def loss(self, x):            after:  def grad_loss(self, x, d_loss=1.0):
             return np.sum(x @ self.W)             W = self.W
                                                   ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import gast
import numpy

from gradgen.frontend.calls.default_texts import name_of
from gradgen.frontend.calls.settings import Tied, read_setting
from gradgen.frontend.heap.lists import new_list
from gradgen.frontend.heap.outer_values import dtype_handle
from gradgen.frontend.lowering.callables import Partial
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Poison, Record
from gradgen.frontend.source.fields_told import OPTIONAL
from gradgen.frontend.source.lacking import assigned_in_arms, read_in_arms
from gradgen.frontend.source.spelling import written
from gradgen.frontend.source.holding import EMPTIED, LEAVES, Held
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Param, Ref
from gradgen.ir.structure import LEAF, Structure, path_text
from gradgen.quoting import as_name, is_name
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR, whole
from gradgen.shapes.spec import entries_told, read_shape, read_sort
from gradgen.shapes.tree import read_tree

# a parameter that is no number
NO_NUMBER = ":str"
# what a text of some instance reads as a constant, and says so
PLAIN = (bool, str, type(None))
SORTS = {":int": Kind.COUNT, ":bool": Kind.BOOLEAN, ":integer": Kind.INTEGER}


def receiver_parameters(
    lowering: Lowering,
    arg: gast.Name,
    held: Held,
    default: str | None = None,
    keyword_only: bool = False,
) -> Iterator[Param]:
    """A Param for the instance, and one for each array and number in it."""
    name = arg.id
    told = read_tree(lowering.texts[name]) if name in lowering.texts else LEAF
    structure = structure_of(held, told)
    lowering.bundles[name] = structure
    lowering.words = words(path for path, _ in structure.leaves())
    var = lowering.supply.var(name, Origin.PARAM)
    lowering.assume(var, SCALAR, Kind.OTHER)
    own = Param(var, default, None, keyword_only, name, (), NO_NUMBER)
    params = [own]
    lowering.same = {}
    lowering.same_arrays = {}
    handle = _received(lowering, held, structure, (), name, params)
    lowering.state.names[0, name] = handle
    if held.kind == "object":
        lowering.instances.append((handle, var, held))
    if held.kind in ("list", "tuple", "dict"):
        read_setting(lowering, name, handle)  # how many objects there are
    value = lowering.source.defaults.get(name) if default == "None" else None
    seldom = frozenset[str]()
    if isinstance(held.cls, type) and lowering.source.instance is None:
        seldom = assigned_in_arms(held.cls) & read_in_arms(lowering.source.node, name)
    ways = ((p, leaf) for p, leaf in told.leaves() if leaf.fact is not None)
    facts = {tuple(key for _, key in path) for path, _ in ways}
    for one in params:
        if tuple(key for _, key in one.path) in facts:
            one = replace(one, of_class=False)
        in_arms = [key for _, key in one.path] in [[key] for key in seldom]
        made = replace(one, keyword_only=keyword_only, in_arms=in_arms)
        yield _by_default(made, value)


def _by_default(param: Param, value: Any) -> Param:
    """A number of an object that is a default, as one that the object may be left out of.

    before:  def f(x, ell=WGS84): return x * ell.flattening
    after:   flattening = 0.0033528 if ell is None else ell.flattening
    """
    for _, key in param.path:
        value = getattr(value, key, None) if isinstance(key, str) else None
    if not param.path or type(value) not in (int, float, complex):
        return param
    return replace(param, default=written(value), optional=True)


def _received(
    lowering: Lowering,
    held: Held,
    structure: Structure,
    path: tuple[Any, ...],
    name: str,
    params: list[Param],
) -> Expr:
    """The handle of a value, the one that it has had where it came before."""
    if held.kind in ("same", "setting") and path and not path[-1][0].is_object:
        params.append(_idle(lowering, path, name))
    label = path_text(name, path)
    if held.kind == "same":
        first = lowering.same_arrays.get(held.number)
        if first is not None and not lowering.root.source.at_hand:
            lowering.looked_at[label] = Tied(first)
        return lowering.same[held.number]
    found = _new_value(lowering, held, structure, path, name, params)
    if held.number >= 0:
        lowering.same[held.number] = found
    if held.kind == "array":
        lowering.same_arrays[held.number] = label
    return found


def _new_value(
    lowering: Lowering,
    held: Held,
    structure: Structure,
    path: tuple[Any, ...],
    name: str,
    params: list[Param],
) -> Expr:
    """The handle of a value, and the parameters for what is in it."""
    label = path_text(name, path)
    if held.kind == "setting":
        value = held.value.value
        if isinstance(value, slice):
            bounds = value.start, value.stop, value.step
            return Apply("slice", tuple(map(Const, bounds)))
        if isinstance(value, numpy.dtype):
            return dtype_handle(value) or Const(value)
        text = label if type(value) is int else name_of(value)
        text = "" if text == "None" else text
        return Const(value, text) if text else Const(value)
    if held.kind == "refused":
        what, way = held.value
        return Poison("GG272", f"{label} is {what}", way.format(label))
    if held.kind in LEAVES:
        made = _leaf_of(lowering, held, structure, path, name)
        params.append(made)
        return Ref(made.var)
    if held.kind == "object":
        # an object may hold itself
        empty = Record("object", (), (), cls=held.cls)
        own = new_list(lowering, empty, _word(path, name))
        lowering.same[held.number] = own
        lowering.places[own.var] = label
    parts = []
    for (key, inner), (_, one) in zip(structure.steps(), held.steps(), strict=True):
        way = (*path, (structure, key))
        parts.append(_received(lowering, one, inner, way, name, params))
    keys = tuple((str(i), Const(key)) for i, key in enumerate(structure.keys))
    items = tuple(parts)
    if held.kind == "method":
        return Const(Partial(held.value.value, items, ()))
    if held.kind == "object":
        lowering.state.versions[own.var] = Record("object", items, keys, cls=held.cls)
        return own
    if held.kind == "namedtuple":
        return Record("namedtuple", items, keys, cls=held.cls)
    if held.kind == "tuple":
        return Apply("tuple", items)
    found = new_list(lowering, Apply(held.kind, items, keys), _word(path, name))
    lowering.places[found.var] = label
    if held.fact == EMPTIED:
        lowering.emptied.add(label)
    return found


def _idle(lowering: Lowering, path: tuple[Any, ...], name: str) -> Param:
    """A part of a container that is no number: it has a place, and no gradient."""
    var = lowering.supply.var(_word(path, name), Origin.PARAM)
    return Param(var, None, None, False, name, path, NO_NUMBER)


def _leaf_of(
    lowering: Lowering,
    held: Held,
    structure: Structure,
    path: tuple[Any, ...],
    name: str,
) -> Param:
    """The parameter for an array or a number, with what is told of it."""
    fact = structure.fact
    var = lowering.supply.var(lowering.words[path], Origin.PARAM)
    if held.kind not in ("unknown", "several"):
        lowering.given.add(var)
    lowering.leaf_names[var] = var.name
    lowering.leaf_paths[var] = (name, *(key for _, key in path))
    entries = entries_told(fact)
    if entries is not None:
        lowering.assume(var, whole(path_text(name, path)), Kind.LIKE)
        lowering.facts.entries[var] = entries
        lowering.memory.lists.add(var)
        lowering.memory.boxed.add(var)
        lowering.places[var] = path_text(name, path)
    elif fact in SORTS:
        lowering.assume(var, SCALAR, SORTS[fact])
        lowering.memory.numbers.add(var)
    else:
        label = path_text(name, path)
        shape = whole(label) if fact is None else read_shape(fact, label)
        sort = None if fact is None else read_sort(fact)
        plain = Kind.WEAK if shape == SCALAR else Kind.LIKE
        lowering.assume(var, shape, plain if sort is None else sort)
        if shape == SCALAR:
            lowering.memory.numbers.add(var)
    default = "None" if held == OPTIONAL else None
    made = Param(var, default, None, False, name, path, fact)
    at_hand = lowering.source.at_hand or lowering.source.instance is not None
    of_class = held.kind == "number" and held.fact is not None and not at_hand
    return replace(made, of_class=of_class)


def structure_of(held: Held, told: Structure) -> Structure:
    """The nesting of what an instance holds, with the facts that are told of leaves."""
    if held.kind in LEAVES:
        return Structure(fact=told.fact if told.fact is not None else held.fact)
    if held.kind in ("setting", "same", "refused"):
        return Structure(fact=NO_NUMBER)
    facts = dict(told.steps()) if told else {}
    parts = tuple(
        structure_of(part, facts.get(key, LEAF)) for key, part in held.steps()
    )
    sort = "object" if held.kind == "method" else held.kind
    named = held.cls.__name__ if held.cls is not None else ""
    return Structure(sort, parts, held.keys, named, cls=held.cls)


def words(paths: Iterable[tuple[Any, ...]]) -> dict[tuple[Any, ...], str]:
    """The names of leaves that the user gives none, as short as they are apart.

    before:  self.layers[0].W, self.layers[1].W, self.out.b
    after:   W_0, W_1, b
    """
    named = {path: _ways(path) for path in paths}
    for rank in range(4):
        counts = Counter(ways[min(rank, len(ways) - 1)] for ways in named.values())
        for path, ways in named.items():
            if len(ways) > 1 and counts[ways[min(rank, len(ways) - 1)]] == 1:
                named[path] = [ways[min(rank, len(ways) - 1)]]
    return {path: ways[-1] for path, ways in named.items()}


def _ways(path: tuple[Any, ...]) -> list[str]:
    """Names for a leaf, from the shortest to the full one."""
    keys = [key for _, key in path]
    places = [str(key) for key in keys if isinstance(key, int)]
    last = [str(key) for key in keys if not isinstance(key, int)][-1:]
    full = [str(key) for key in keys]
    found = [last, [*last, *places], full[-2:], full]
    return [as_name("_".join(way)) for way in found]


def _word(path: tuple[Any, ...], name: str) -> str:
    """The name of a container that the user gives none."""
    named = [str(key) for _, key in path if is_name(key)]
    return named[-1] if named else name
