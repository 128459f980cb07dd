"""Derivatives of functions that are called with objects: instances and namespaces.

What the function reads of an object is treated as what a method reads of its instance:
arrays and floats are arguments of the text, strings, flags, None, whole numbers and
functions are what it is made of. A gradient in an object has its attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from gradgen.errors import GradgenError
from gradgen.frontend.source.holding import Held, Holding, held_together
from gradgen.frontend.source.holding import with_number
from gradgen.frozen import dataclass
from gradgen.runtime.instances import leaves_at
from gradgen.request.parts import Keys, part_of, path_of, read_of
from gradgen.runtime.arguments import leaves_of
from gradgen.runtime.attributes import gradient_like, holds_objects
from gradgen.runtime.dispatcher import Dispatcher, Kind
from gradgen.runtime.variant import Variant
from gradgen.runtime.left_out import with_left_out
from gradgen.runtime.methods import Around, Maker, leaf_of, made_or_general
from gradgen.runtime.properties import stored_keys
from gradgen.runtime.sequences import as_array
from gradgen.signature.letters import Letters


@dataclass(frozen=True)
class Asked:
    """What a derivative is in: an argument or a part of one, and its leaves in a text.

    `leaves` are the keys of each below the part, in the order of the text's gradients;
    None where the text has one gradient for the whole.
    """

    base: str
    keys: Keys
    leaves: tuple[Keys, ...] | None

    def names(self, labels: Mapping[Keys, str]) -> tuple[str, ...]:
        """What the text's gradients are in."""
        if self.leaves is None:
            return (labels[self.keys],)
        return tuple(labels[self.keys + keys] for keys in self.leaves)


class OfObjects(Dispatcher):
    """A derivative that is called with objects among its arguments.

    `make` makes a text for what is asked of the objects' attributes.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        make: Maker,
        kind: Kind,
        as_tuple: bool,
        is_method: bool = False,
    ) -> None:
        super().__init__(function, self._made_now, kind)
        self._make_of, self._as_tuple = make, as_tuple
        self._receiver = self._parameters[0] if is_method else ""
        self._holdings: dict[str, Holding] = {}
        self._now: tuple[tuple[tuple[str, Held], ...], tuple[str, ...]] = (), ()
        self._known: dict[Any, list[tuple[Variant, list[Around]]]] = {}

    def _called(self, /, *args: Any, **kwargs: Any) -> Any:
        split = len(args) - self._kind.tangents
        if split < 0:
            return self.general(*args, **kwargs)  # which refuses it
        own, kwargs = with_left_out(self.primal, args[:split], kwargs)
        tangents = args[split:]
        made, asked, values = self._found(own, kwargs)
        leaves = [one for a, t in zip(asked, tangents) for one in _taken_apart(a, t)]
        found = made(*own, *leaves, **kwargs)
        form = partial(self._formed, asked, values)
        if self.maker == "value_and_grad":
            return found[0], form(found[1])
        if self.maker == "vjp":
            return found[0], lambda seed=None: form(found[1](seed))
        if self.maker == "jvp":
            return found
        return form(found)

    def specialize(self, /, *args: Any, **kwargs: Any) -> Any:
        """The derivative for arguments of this signature."""
        return self._found(*with_left_out(self.primal, args, kwargs))[0]

    def _formed(self, asked: list[Asked], values: Mapping[str, Any], found: Any) -> Any:
        """The gradients of a text in the form of what was asked for."""
        each = iter(found)
        results = []
        for one in asked:
            whole = part_of(values[one.base], one.keys)
            if one.leaves is None:
                results.append(next(each))
                continue
            below = {keys: next(each) for keys in one.leaves}
            results.append(gradient_like(whole, below))
        return tuple(results) if self._as_tuple else results[0]

    def _made_now(
        self, facts: Mapping[str, str], complexes: tuple[str, ...], *others: Any
    ) -> Any:
        held, wrt = self._now
        wholes = others[0] if others else {}
        own = dict(held).get(self._receiver)
        objects = tuple(one for one in held if one[0] != self._receiver)
        more = dict(held=own, objects=objects, named=wrt)
        return self._make_of(facts, complexes, wholes, **more)

    def _found(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> tuple[Any, list[Asked], dict[str, Any]]:
        """The text for a call, what it is in, and the arguments."""
        given = self._defaults() | dict(zip(self._positional, args))
        given |= {k: v for k, v in kwargs.items() if k in self._parameters}
        given = {k: given[k] for k in self._parameters if k in given}
        # what an annotation says of a class holds no more where a field is None
        told = {k for k in self._kind.told if not _holds_none(given.get(k))}
        objects = {
            k: v for k, v in given.items() if k not in told and holds_objects(v, True)
        }
        held = tuple(self._held(objects).items())
        asked = self._asked(dict(held), given)
        in_wrt = {one.base for one in asked}
        values: dict[str, Any] = {}
        for name, one in held:
            values |= dict(leaves_at(name, one, objects[name]))
        labels = {path_of(label): label for label in values}
        own = {
            k: v if k in told else as_array(v, k in in_wrt)
            for k, v in given.items()
            if k not in objects
        }
        wrt = tuple(
            name
            for one in asked
            for name in one.names(_of_base(labels, one, self._kind))
        )
        abstracts = {name: leaf_of(name, v, wrt) for name, v in values.items()}
        abstracts |= {k: self._abstract(k, v) for k, v in own.items()}
        values |= own
        key = held, wrt, tuple(abstracts.items())
        known = self._known.setdefault(key, [])
        for variant, around in list(known):
            if not all(one.holds() for one in around):
                known.remove((variant, around))
            elif variant.holds(values.values()):
                self._latest = variant.made
                return variant.made, asked, given
        taken = (*self._parameters, *self._kind.letters)
        letters = Letters(abstracts, values, taken)
        self._now = held, wrt
        made = made_or_general(letters, self._made, self._make)
        found = Variant(made, tuple(letters.sizes), tuple(letters.equations))
        around = [Around(self._holdings[name].reach) for name in objects]
        known.append((found, around))
        self._latest = made
        return made, asked, given

    def _held(self, objects: Mapping[str, Any]) -> dict[str, Held]:
        """What the function reads of the objects; a whole number in wrt is a number."""
        wrt = [path_of(one) for one in self.asked.wrt or ()]
        for name in objects.keys() - self._holdings.keys():
            read = read_of(name, self.asked.wrt)
            self._holdings[name] = Holding(self.primal, read, name == self._receiver)
        held = held_together(self._holdings, objects)
        for base, keys in wrt:
            if base in held and keys:
                keys = stored_keys(held[base], keys)
                held[base] = with_number(held[base], keys)
        return held

    def _asked(self, held: Mapping[str, Held], given: Mapping[str, Any]) -> list[Asked]:
        """What the derivative is in, for these arguments."""
        asked = []
        first = self._parameters[1:2] if self._receiver else self._parameters[:1]
        for text in self.asked.wrt or first:
            base, keys = path_of(text)
            if base not in held:
                asked.append(Asked(base, keys, None))
                continue
            keys = stored_keys(held[base], keys)
            ways = [
                (tuple(key for _, key in way), leaf.rank[-1])
                for way, leaf in held[base].leaves()
                if leaf.kind != "unknown"
            ]
            below = [one for one, kind in ways if kind in "fc" or one == keys]
            leaves = tuple(k[len(keys) :] for k in below if k[: len(keys)] == keys)
            if leaves == ((),):
                asked.append(Asked(base, keys, None))
            elif leaves:
                asked.append(Asked(base, keys, leaves))
            else:
                raise GradgenError(
                    "GG021",
                    f"the argument {base} has no part {text} with a gradient",
                    advice="an attribute that the function reads, and that is an "
                    "array of floats or a float",
                )
        return asked

    @property
    def general(self) -> Any:
        """The derivative of which no object is known."""
        return self._make_of({}, ())

    @property
    def is_outdated(self) -> bool:
        """Whether what the function reads is no longer as it was for one of the texts."""
        every = (around for known in self._known.values() for _, around in known)
        return any(not one.holds() for around in every for one in around)


def _of_base(
    labels: Mapping[tuple[str, Keys], str], asked: Asked, kind: Kind
) -> dict[Keys, str]:
    """The labels of the leaves of one argument, by their keys."""
    found = {
        keys: label for (base, keys), label in labels.items() if base == asked.base
    }
    if asked.leaves is None and asked.keys not in found:
        named = kind.asked.wrt or (asked.base,)
        whole = (one for one in named if path_of(one) == (asked.base, asked.keys))
        found[asked.keys] = next(whole)
    return found


def _taken_apart(asked: Asked, tangent: Any) -> list[Any]:
    """The tangents of the leaves of what is asked for."""
    if asked.leaves is None:
        return [tangent]
    parts = [part_of(tangent, keys) for keys in asked.leaves]
    if any(part is None for part in parts):
        raise GradgenError(
            "GG509",
            f"the tangent of {asked.base} has not the structure of {asked.base}",
            advice=f"the same attributes as {asked.base}",
        )
    return parts


def _holds_none(value: Any) -> bool:
    return any(one is None for one in leaves_of(value))
