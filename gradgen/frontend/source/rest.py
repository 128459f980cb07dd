"""A function that takes *args, with a parameter for each of them that it reads.

before:  def cost(theta, *args):
             x, y = args
             return np.sum((x @ theta - y) ** 2)
after:   def cost(theta, x, y):
             args = x, y
             ...

How many they are the function tells, by places that it reads, names that it unpacks them
to and functions that it hands them to; or else an example does, or facts of args_0.
"""

from __future__ import annotations

import copy
import functools
import inspect
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.source.around import parents_of
from gradgen.frontend.source.columns import is_stored
from gradgen.frontend.source.source import Source

PLAIN = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
MANY = 1000
# expressions that may not read all their parts
AT_TIMES = (gast.IfExp, gast.BoolOp, gast.comprehension, gast.Lambda)
OPEN_REST = "open rest"  # the function may be called with more of them, or fewer


def with_rest(source: Source, given: int = 0, told: Collection[str] = ()) -> Source:
    """The source with parameters for its *args; as it is where nothing tells how many.

    `given` is how many arguments an example has, `told` are names that facts are told of.
    """
    args = source.node.args
    if args.vararg is None or args.defaults:
        return source
    star = args.vararg.id
    names, exact = _names(source, star)
    if not names:
        places = [re.fullmatch(rf"{star}_(\d+)", name) for name in told]
        known = [int(place[1]) + 1 for place in places if place is not None]
        count = max([given - len(args.args), *known])
        names = [f"{star}_{i}" for i in range(count)]
    taken = {one.id for one in gast.walk(source.node) if isinstance(one, gast.Name)}
    own = {arg.id for arg in (*args.args, *args.kwonlyargs)}
    if not names or own & {*names} or _numbered(names, star) and taken & {*names}:
        return source
    forms = source.forms if exact else (*source.forms, OPEN_REST)
    return replace(source, node=_with_parameters(source.node, names), forms=forms)


def may_have_more(source: Source) -> bool:
    """Whether the function takes more arguments than there are parameters for."""
    return source.node.args.vararg is not None or OPEN_REST in source.forms


def with_names(function: Callable[..., Any], source: Source) -> Callable[..., Any]:
    """A function of *args, as one of the parameters that its source has for them."""
    params = list(inspect.signature(function).parameters.values())
    if source.node.args.vararg or all(p.kind is not p.VAR_POSITIONAL for p in params):
        return function
    own = source.node.args
    names = [arg.id for arg in own.args]

    @functools.wraps(function)
    def named(*args: Any, **words: Any) -> Any:
        rest = [words.pop(name) for name in names[len(args) :] if name in words]
        return function(*args, *rest, **words)

    plain = [inspect.Parameter(name, PLAIN[1]) for name in names]
    plain += [one for one in params if one.kind is one.KEYWORD_ONLY]
    setattr(named, "__signature__", inspect.Signature(plain))
    return named


def _numbered(names: Collection[str], star: str) -> bool:
    return all(name.startswith(f"{star}_") for name in names)


def _with_parameters(node: Any, names: list[str]) -> Any:
    """The definition with these parameters, which its first line puts together."""
    star, node = node.args.vararg, copy.copy(node)
    node.args = copy.copy(node.args)
    node.args.vararg = None
    params = [gast.Name(name, gast.Param(), None, None) for name in names]
    read = [gast.Name(name, gast.Load(), None, None) for name in names]
    target = gast.Name(star.id, gast.Store(), None, None)
    line = gast.Assign([target], gast.Tuple(read, gast.Load()), None)
    for one in (*params, *read, target, line.value, line):
        gast.copy_location(one, star)
    node.args.args = [*node.args.args, *params]
    node.body = list(node.body)
    first = node.body[0] if gast.get_docstring(node) is not None else None
    node.body.insert(0 if first is None else 1, line)
    return node


def _names(source: Source, star: str) -> tuple[list[str], bool]:
    """The parameters that *args stands for, as the function reads them; none for more.

    And whether the function raises where it is called with more of them, or fewer.
    """
    parents = parents_of(source.node)
    least, most, exactly = 0, MANY, set()
    named: list[str] = []
    surely = set(_first(source.node.body))
    exact = False
    for one in gast.walk(source.node):
        if not isinstance(one, gast.Name) or one.id != star:
            continue
        parent = parents[one]
        if parent is source.node.args:
            continue
        place = _place(parent, one)
        unpacked = _unpacked(parent, one)
        handed = _handed(source, parents.get(parent), parent)
        if place is not None:
            least = max(least, place + 1)
        elif unpacked:
            named, exact = unpacked, exact or one in surely
            exactly.add(len(unpacked))
        elif handed is not None:
            least, most = max(least, handed[0]), min(most, handed[1])
            exact = exact or one in surely and handed[0] == handed[1]
        else:
            return [], False
    count = min(exactly, default=least)
    if len(exactly) > 1 or not least <= count <= most or not count:
        return [], False
    every = [one.id for one in gast.walk(source.node) if is_stored(one)]
    plain = len(set(named)) == count and all(every.count(name) == 1 for name in named)
    plain = plain and star not in named and "_" not in named
    names = named if plain else [f"{star}_{i}" for i in range(count)]
    return names, exact


def _first(body: list[Any]) -> Iterator[Any]:
    """What each call reads: of the statements ahead of the first branch or loop."""
    for stmt in body:
        if not isinstance(stmt, (gast.Assign, gast.Return, gast.Expr)):
            return
        for one in gast.walk(stmt):
            if isinstance(one, AT_TIMES):
                return
        yield from gast.walk(stmt)


def _place(parent: Any, one: Any) -> int | None:
    """2 of args[2]."""
    if isinstance(parent, gast.Subscript) and parent.value is one:
        key = parent.slice
        if isinstance(key, gast.Constant) and type(key.value) is int and key.value >= 0:
            return int(key.value)
    return None


def _unpacked(parent: Any, one: Any) -> list[str]:
    """The names of x, y = args."""
    if not isinstance(parent, gast.Assign) or parent.value is not one:
        return []
    (target, *others) = parent.targets
    if others or not isinstance(target, (gast.Tuple, gast.List)):
        return []
    names = [getattr(part, "id", "") for part in target.elts]
    return names if all(names) else []


def _handed(source: Source, call: Any, star: Any) -> tuple[int, int] | None:
    """How many more arguments, at least and most, a function takes by g(x, *args)."""
    if not isinstance(star, gast.Starred) or not isinstance(call, gast.Call):
        return None
    if not isinstance(call.func, gast.Name) or call.args[-1] is not star:
        return None
    if any(isinstance(one, gast.Starred) for one in call.args[:-1]):
        return None
    found = source.closure.get(call.func.id, source.globals.get(call.func.id))
    if not inspect.isfunction(found) or call.func.id in source.parameters:
        return None
    params = list(inspect.signature(found).parameters.values())
    if any(one.kind is one.VAR_POSITIONAL for one in params):
        return None
    words = {word.arg for word in call.keywords}
    taken = [p for p in params if p.kind in PLAIN and p.name not in words]
    needed = [one for one in taken if one.default is one.empty]
    own = len(call.args) - 1
    if len(needed) <= own or None in words:
        return None
    return len(needed) - own, len(taken) - own
