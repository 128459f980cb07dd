"""What a class's text tells of its instances, where there is no instance to look at.

Annotations, fields of dataclasses, values of the class, and what __init__ assigns:
`self.W = 0.1 * np.random.randn(n, m)` is a matrix, `self.act = Tanh()` an instance,
`self.layers = [Dense(3, 4), Tanh()]` a list of two. What nothing tells is an array of
any shape.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import functools
import inspect
import logging
from collections.abc import Iterable
from typing import Any

import numpy as np

from gradgen.frontend.source.by_default import Choice, is_aside, is_chosen
from gradgen.frontend.source.by_default import is_left_out, is_whole, options
from gradgen.frontend.source.by_default import passed_over, without
from gradgen.frontend.source.class_texts import bindings, definition, fill
from gradgen.frontend.source.class_texts import attributes_alone, is_named, put
from gradgen.frontend.source.class_texts import names_around, names_assigned
from gradgen.frontend.source.class_texts import parameters_of, put_later
from gradgen.frontend.source.fields_told import NONE, PLAIN, UNKNOWN, either, is_count
from gradgen.frontend.source.fields_told import (
    is_flag,
    is_none,
    is_number,
    opened,
    optional,
)
from gradgen.frontend.source.fields_told import plain
from gradgen.frontend.source.holding import EMPTIED, Held, setting
from gradgen.frontend.source.lists_told import annotated, bound_in, comprehended
from gradgen.frontend.source.lists_told import (
    of_objects,
    put_into,
    repeated,
    settled,
    several,
)
from gradgen.frontend.source.lookup import getter, is_method, looked_up
from gradgen.frontend.source.made_by_methods import class_made
from gradgen.frontend.source.ranks import Ranks
from gradgen.frontend.source.reach import NOTHING, Reach, functions_of, is_users_class
from gradgen.frontend.source.reach import reach
from gradgen.frontend.source.told_values import by_turns, of_module
from gradgen.shapes.spec import read_annotation

DEEPEST = 6
# an argument of __init__ that arrays are made with: np.zeros((n, m))
LENGTH = Held("unknown", fact=":int")
EMPTY = {list: Held("list"), dict: Held("dict")}


def held_of_class(
    cls: type, function: Any, decided: bool = False, beside: Iterable[type] = ()
) -> Held:
    """What a method reads of an instance of a class, as far as its text tells.

    A flag or a whole number that __init__ sets may be another one later: it is read of
    the instance, where it is not `decided`. Strings always are. `beside` are classes
    whose methods it may be handed on to.
    """
    classes: list[type] = [cls, *(one for one in beside if one is not cls)]
    while True:
        found = reach(function, classes)
        reading = _Reading(found, decided)
        tree = reading.instance(cls, {}, reading.own_lengths(cls))
        more = [one for one in reading.classes if one not in classes]
        if not more:
            return tree
        classes += more


class _Reading:
    """One reading of the texts of classes."""

    def __init__(self, found: Reach, decided: bool) -> None:
        self.reach, self.decided = found, decided
        self.classes: dict[type, None] = {}
        self.depth = 0
        self.numbers = 0
        self.letters: set[str] = set()
        # the attributes that are None by default, with the options that tell it
        self.left_out: dict[str, frozenset[str]] = {}

    def own_lengths(self, cls: Any) -> dict[str, str]:
        """The arguments of __init__ under their own names."""
        names = [name for name in parameters_of(cls) if name.isascii()]
        self.letters.update(names)
        return {name: name for name in names}

    def instance(
        self, cls: Any, given: dict[str, Held], lengths: dict[str, str]
    ) -> Held:
        """An instance that is made with these arguments."""
        self.classes[cls] = None
        self.depth += 1
        fields: dict[str, Held] = {}
        if self.depth <= DEEPEST:
            fields |= self._annotated(cls, given)
            lists = {name: one for name, one in fields.items() if one.kind == "several"}
            fields |= self._assigned(cls, given, lengths)
            # what an annotation tells is more than what a call gives
            fields |= {n: one for n, one in lists.items() if fields[n] == UNKNOWN}
        self.depth -= 1
        needed = {
            name: self._emptied(held)
            if self.reach.only_changes(name)
            else self._open(name, held)
            for name, held in fields.items()
            if self.reach.needs(name)
        }
        self.numbers += 1
        return Held(
            "object",
            keys=tuple(needed),
            parts=tuple(needed.values()),
            cls=cls,
            number=1000 + self.numbers,
        )

    def _open(self, name: str, held: Held) -> Held:
        """A flag or a whole number as an argument of the text, if not decided.

        What __init__ leaves empty others fill, where the method does not itself.
        """
        if held == UNKNOWN and is_left_out(name, self.left_out, self.reach.called):
            return NONE
        if held.kind in ("list", "tuple", "dict") and not held.parts:
            filled = name in self.reach.changed or self.reach.stores((name,))
            return held if filled else UNKNOWN
        held = settled(held)
        if name in self.reach.parted and is_number(held):
            return UNKNOWN  # y=0 is no array yet: self.y[i]
        if self.decided:
            return held
        return opened(optional(held) if name in self.reach.asked else held)

    def _emptied(self, held: Held) -> Held:
        known = held if held.kind in ("dict", "list") else Held("list")
        return dataclasses.replace(known, fact=EMPTIED)

    def _annotated(self, cls: Any, given: dict[str, Held]) -> dict[str, Held]:
        """The fields that the class's body has annotations of, or numbers and strings."""
        found: dict[str, Held] = {}
        for base in reversed(cls.__mro__):
            for name, value in vars(base).items() if base is not object else ():
                is_plain = type(value) in PLAIN or isinstance(value, enum.Enum)
                if is_plain and not name.startswith("__"):
                    found[name] = given.get(name) or plain(value)
            for name, annotation in vars(base).get("__annotations__", {}).items():
                value = looked_up(cls, name)
                if name in given:
                    found[name] = given[name]
                elif getter(value) is None and not is_method(value):
                    known = self._of_annotation(annotation, base)
                    if known is not None:
                        if name not in found or known.kind == "number":
                            found[name] = known
        return found

    def _of_annotation(self, annotation: Any, near: Any) -> Held | None:
        text = annotation if isinstance(annotation, str) else ""
        names = names_around(near)
        annotation = names.get(annotation, annotation) if text else annotation
        if isinstance(annotation, type) and is_users_class(annotation):
            return self.instance(annotation, {}, {})
        if annotation in (str, "str"):
            return None
        if annotation in (bool, int, "bool", "int"):
            return Held(
                "unknown", fact=":bool" if "bool" in str(annotation) else ":int"
            )
        if annotation in (float, "float"):
            return Held("number", fact="")
        listed = annotated(text or str(annotation))
        if listed is not None:
            return listed
        return Held("unknown", fact=read_annotation(text or str(annotation)))

    def _assigned(
        self, cls: Any, given: dict[str, Held], lengths: dict[str, str]
    ) -> dict[str, Held]:
        """The fields that __init__ assigns, also by methods that it calls."""
        found: dict[str, Held] = {}
        seen: set[Any] = set()
        for base in reversed(cls.__mro__):
            for function in functions_of(vars(base).get("__init__", None)):
                self._by(function, cls, given, found, seen, lengths)
        # methods of one decorator have its code in common
        inside = {inspect.unwrap(one).__code__ for one in self.reach.functions}
        for base in reversed(cls.__mro__):
            for value in list(vars(base).values()) if base is not object else ():
                for function in functions_of(value):
                    code = inspect.unwrap(function).__code__
                    if code not in seen:
                        put_later(function, found, code not in inside)
                    if code in seen or function is self.reach.functions[0]:
                        continue
                    later = names_assigned(function, cls, set(seen))
                    # what sets a flag as well is called before, if not by this method
                    if code not in inside or any(is_flag(found.get(n)) for n in later):
                        # None until fit has been called is no None after that
                        more = [n for n in later if is_none(found.get(n, NONE))]
                        without(self.left_out, later)
                        found |= dict.fromkeys(more, UNKNOWN)
        return found

    def _by(
        self,
        function: Any,
        cls: Any,
        given: dict[str, Held],
        found: dict[str, Held],
        seen: set[Any],
        lengths: dict[str, str],
    ) -> None:
        """What one method assigns."""
        code = inspect.unwrap(function).__code__
        if code in seen:
            return
        seen.add(code)
        text = definition(code, code.co_filename)
        if text is None:
            return
        receiver = text.receiver
        known = self._parameters(function) | given
        for name in text.lengths & known.keys():
            known[name] = LENGTH if known[name] == UNKNOWN else known[name]
        ranks = Ranks(function.__globals__, receiver, self.letters, lengths)
        ranks.counts |= text.counts | {n for n, one in known.items() if is_count(one)}
        ranks.numbers |= {n for n, one in known.items() if is_number(one)}
        choice = Choice(options(function, known), ranks.object)
        over = set(passed_over(text.body, choice))
        for part in text.parts:
            if isinstance(part, ast.Call):
                called = part.func
                if isinstance(called, ast.Attribute) and is_named(
                    called.value, receiver
                ):
                    own = looked_up(cls, called.attr)
                    for one in functions_of(own):
                        self._by(one, cls, {}, found, seen, attributes_alone(lengths))
                into = put_into(part)
                if into is not None:
                    entry = self._value(into[1], known, ranks, found, function)
                    fill(into[0], entry, text, known, found)
                continue
            for target, value in bindings(part):
                if value is None or isinstance(part, ast.AugAssign):
                    continue
                held = functools.partial(
                    self._value, value, known, ranks, found, function, choice
                )
                if isinstance(target, ast.Attribute) and is_named(
                    target.value, receiver
                ):
                    ranks.stored(target.attr, value)
                    new, is_sure = held(), id(part) in text.sure
                    if id(part) in over and is_aside(new, found.get(target.attr)):
                        continue
                    without(self.left_out, [target.attr])
                    is_default = new == UNKNOWN and choice.value(value) is None
                    if is_default and target.attr not in found:
                        self.left_out[target.attr] = choice.read(value)
                    old = None if is_sure else found.get(target.attr)
                    found[target.attr] = either(old, new)
                elif isinstance(target, ast.Subscript):
                    put(target, text, held(), known, found)
                elif isinstance(target, ast.Name) and target.id in text.once:
                    known[target.id] = held()

    def _parameters(self, function: Any) -> dict[str, Held]:
        """What is known of the arguments of __init__: annotations and defaults."""
        known: dict[str, Held] = {}
        for name, one in inspect.signature(function).parameters.items():
            known[name] = UNKNOWN
            annotation, default = one.annotation, one.default
            told = annotation is not inspect.Parameter.empty
            if told:
                known[name] = self._of_annotation(annotation, function) or UNKNOWN
            is_plain = type(default) in PLAIN or isinstance(default, enum.Enum)
            if is_plain and known[name].kind != "number":
                known[name] = plain(default)
            elif is_whole(default):
                if not told or "Callable" in str(annotation):
                    known[name] = setting(default)
        return known

    def _value(
        self,
        node: ast.expr,
        known: dict[str, Held],
        ranks: Ranks,
        found: dict[str, Held],
        function: Any,
        choice: Choice | None = None,
    ) -> Held:
        """What an expression of __init__ comes to."""

        def read(part: Any) -> Held:
            return self._value(part, known, ranks, found, function, choice)

        made = None if choice is None else self._by_option(node, read, choice)
        if made is not None:
            return made
        if isinstance(node, ast.Constant) and node.value is ...:
            return UNKNOWN
        if isinstance(node, ast.Constant):
            return plain(node.value)
        if isinstance(node, ast.Name) and node.id in known:
            return known[node.id]
        if isinstance(node, ast.Attribute) and is_named(node.value, ranks.receiver):
            return found.get(node.attr, UNKNOWN)
        if isinstance(node, (ast.List, ast.Tuple)):
            kind = "list" if isinstance(node, ast.List) else "tuple"
            return Held(kind, parts=tuple(map(read, node.elts)))
        inner = comprehended(node)
        if inner is not None:
            free = {n: one for n, one in known.items() if n not in bound_in(inner)}

            def entry(turn: dict[str, Held]) -> Held:
                return self._value(inner.elt, free | turn, ranks, found, function)

            return by_turns(inner, read, entry) or several(entry({}))
        made = repeated(node, read) if isinstance(node, ast.BinOp) else of_objects(node)
        if made is not None:
            return made
        if isinstance(node, ast.Dict) and all(
            isinstance(key, ast.Constant) for key in node.keys
        ):
            keys = tuple(
                key.value for key in node.keys if isinstance(key, ast.Constant)
            )
            return Held("dict", keys=keys, parts=tuple(map(read, node.values)))
        value = ranks.object(node)
        if value is not NOTHING and not isinstance(value, np.ndarray):
            return of_module(value)
        if isinstance(node, ast.Call):
            cls = ranks.object(node.func)
            if isinstance(cls, type) and is_users_class(cls):
                words = {k.arg: read(k.value) for k in node.keywords if k.arg}
                lengths = ranks.given(parameters_of(cls), node)
                known = self._given(cls, node, read) | words
                return self.instance(cls, known, lengths)
            if cls in EMPTY and not node.args:
                return EMPTY[cls]
            if isinstance(node.func, ast.Attribute):
                result = class_made(read(node.func.value).cls, node.func.attr)
                if result is not None:
                    return self.instance(result, {}, {})
            if cls is logging.getLogger and not node.keywords:
                given = [getattr(read(arg).value, "value", 0) for arg in node.args]
                names = [name for name in given if isinstance(name, str)]
                if len(names) == len(given):
                    return setting(logging.getLogger(*names))
        return Held("unknown", fact=ranks.fact(node))

    def _by_option(self, node: ast.expr, read: Any, choice: Choice) -> Held | None:
        """The function, or the instance, that an option of __init__ chooses."""
        if not isinstance(node, (ast.IfExp, ast.Subscript, ast.Call)):
            return None
        arm = choice.chosen(node)
        if arm is not node:
            held = read(arm)
            return held if is_chosen(held) else None
        value = choice.value(node)
        if callable(value):
            return setting(value)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript):
            cls = choice.value(node.func)  # ACTS[act]()
            if isinstance(cls, type) and is_users_class(cls):
                known = {
                    word.arg: read(word.value) for word in node.keywords if word.arg
                }
                return self.instance(cls, self._given(cls, node, read) | known, {})
        return None

    def _given(self, cls: Any, node: ast.Call, read: Any) -> dict[str, Held]:
        """The arguments of Dense(3, np.tanh) by name, those that are settings."""
        pairs = zip(parameters_of(cls), node.args)
        return {name: read(arg) for name, arg in pairs}
