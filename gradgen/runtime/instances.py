"""An instance that a text is made for: its attributes as examples of their shapes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gradgen.errors import GradgenError, words_of
from gradgen.frontend.source.holding import Held, Holding, held_together
from gradgen.frontend.source.holding import with_number
from gradgen.frontend.source.source import Source
from gradgen.frontend.source.named import did_you_mean
from gradgen.request.parts import part_of, path_of, read_of
from gradgen.runtime.attributes import holds_objects


CONTAINERS = (list, tuple, dict)
_TAKEN = "_taken_of_the_expression"


def of_instance(
    source: Source, expression: str, wrt: Sequence[str] | None = None
) -> tuple[Source, dict[str, Any]]:
    """The source of a method with what an instance of its class holds, and that.

    Of a function the expression names the arguments that are objects, net=Net(3, 4),
    and so it does of a method, behind its instance: Lens(0.2), ray=Ray(0.1).
    """
    names = {"np": np, "numpy": np, **source.globals, _TAKEN: _taken}
    is_method = source.receiver is not None
    try:
        own, objects = eval(f"{_TAKEN}({expression})", names)
        if len(own) > is_method:
            raise TypeError("an argument is named: net=Net(3, 4)")
    except (Exception, SystemExit) as error:
        raise GradgenError(
            "GG014",
            f"--instance cannot be evaluated: {words_of(error)}",
            advice='an expression of the module, such as "Net(3, 4)", or of the arguments '
            'of a function that are objects: "net=Net(3, 4)"',
        ) from None
    for name in objects.keys() - set(source.parameters):
        raise GradgenError(
            "GG014",
            f"--instance names {name}, which is no argument of {source.name}",
            advice=did_you_mean(name, source.parameters),
        )
    if not own:
        return with_objects(source, objects)
    source = with_instance(source, own[0], wrt)
    source, leaves = with_objects(source, objects)
    return source, leaves or instance_leaves(source)


def _taken(*own: Any, **objects: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The instance of an expression, and the arguments that it names."""
    return own, objects


def with_instance(
    source: Source, instance: Any, wrt: str | int | Sequence[Any] | None = None
) -> Source:
    """The source of a method with what an instance holds now, and is asked of it."""
    if source.receiver is None or not isinstance(instance, source.receiver.cls):
        owner = "no class" if source.receiver is None else source.receiver.cls.__name__
        raise GradgenError(
            "GG271",
            f"{source.name} is a method of {owner}, and the instance is of "
            f"{type(instance).__name__}",
            advice="an instance of the class",
        )
    if not source.node.args.args:
        raise GradgenError(
            "GG271",
            f"{source.name} takes its instance among *args, where a text names none",
            advice="gradgen.grad(instance.method), or a method with a self",
        )
    own = source.node.args.args[0].id
    named = (wrt,) if isinstance(wrt, (str, int)) else wrt or ()
    asked = read_of(own, [one for one in named if isinstance(one, str)])
    held = Holding(source.function, asked).of(instance)
    return replace(source, receiver=held, decided=None, instance=instance)


def instance_leaves(source: Source) -> dict[str, Any]:
    """The arrays and numbers that a method reads of its instance, by their places."""
    assert source.receiver is not None
    name = source.node.args.args[0].id
    return dict(leaves_at(name, source.receiver, source.instance))


def leaves_at(name: str, held: Held, instance: Any) -> list[tuple[str, Any]]:
    """The leaves of an instance, as self.layers[0].W, with their values."""
    found = []
    for way, _ in held.leaves():
        label = name
        for is_name, key in way:
            label += f".{key}" if is_name else f"[{key!r}]"
        found.append((label, part_of(instance, tuple(key for _, key in way))))
    return found


def with_numbers_asked(
    source: Source, wrt: Iterable[str], objects: Mapping[str, Any]
) -> tuple[Source, dict[str, Any]]:
    """The source with numbers for the whole ones that a gradient is asked of, and these.

    before:  wrt="self.outer", of Ion(outer=4)        # a setting
    after:   self.outer is a number, 4.0 in this instance
    """
    given = dict(objects)
    if source.receiver is not None and source.instance is not None:
        given[source.node.args.args[0].id] = source.instance
    trees = dict(source.objects)
    own = source.node.args.args[0].id if source.node.args.args else ""
    if source.receiver is not None:
        trees[own] = source.receiver
    found: dict[str, Any] = {}
    for label in wrt:
        name, keys = path_of(label)
        if name not in trees or name not in given or not keys:
            continue
        made = with_number(trees[name], keys)
        if made != trees[name]:
            trees[name] = made
            for one, value in leaves_at(name, made, given[name]):
                if path_of(one) == (name, keys):
                    found[one] = float(value)
    if not found:
        return source, found
    receiver = trees.get(own) if source.receiver is not None else None
    others = tuple((name, trees[name]) for name, _ in source.objects)
    return replace(source, receiver=receiver, objects=others), found


def with_objects(
    source: Source, given: Mapping[str, Any], inside: bool = False
) -> tuple[Source, dict[str, Any]]:
    """The source with the objects among its arguments, and what the function reads of them.

    A text is made for what these hold besides arrays and floats, as one for a method is
    of its instance: it raises where another object holds something else. Containers of
    objects stay what they are: how many they hold is looked at by no text.
    """
    values = {
        name: one
        for name, one in given.items()
        if holds_objects(one, inside) and (inside or not isinstance(one, CONTAINERS))
    }
    if not values:
        return source, {}
    own = source.node.args.args[0].id if source.instance is not None else ""
    every = values if source.instance is None else {own: source.instance, **values}
    holdings = {name: Holding(source.function, (), name == own) for name in every}
    held = held_together(holdings, every)
    leaves: dict[str, Any] = {}
    for name, one in held.items():
        leaves |= dict(leaves_at(name, one, every[name]))
    receiver = held.pop(own, source.receiver)
    return replace(source, receiver=receiver, objects=tuple(held.items())), leaves
