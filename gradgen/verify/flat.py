"""Gradients of containers as gradients of their leaves, which can be measured."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gradgen.frontend.source.bundles import bundle_of
from gradgen.frontend.source.source import Source
from gradgen.frozen import dataclass
from gradgen.ir.structure import LEAF, Structure, path_text
from gradgen.pipeline.emitted import Emitted
from gradgen.quoting import as_name
from gradgen.request.parts import path_of, step_into
from gradgen.request.options import Request
from gradgen.runtime.cotangents import Outcome
from gradgen.verify.inputs import Parameter
from gradgen.verify.instances import nest_of, with_facts
from gradgen.verify.subject import Subject, WrongForm, refuse_other_default
from gradgen.verify.tangents import seed_name

SORTS = {":int": "int", ":integer": "int", ":bool": "bool", ":str": "str"}


def flat(
    subject: Subject, source: Source, request: Request, emitted: Emitted
) -> Subject:
    """The subject with an argument for each leaf, and one vector of all results."""
    adapter = leaves_of(subject, source, request, emitted)
    if adapter.is_plain:
        return subject
    return Subject(
        adapter.gradient(),
        adapter,
        adapter.parameters,
        adapter.wrt,
        subject.style,
        subject.value,
    )


def leaves_of(
    subject: Subject, source: Source, request: Request, emitted: Emitted
) -> Leaves:
    """The primal and its gradient as functions of leaves."""
    outcome = Outcome(emitted.structure, emitted.seeded, request.of, request.aux)
    facts = dict(request.shapes)
    args = {arg.id: arg for arg in source.node.args.args + source.node.args.kwonlyargs}
    nests = []
    for parameter in subject.parameters:
        if source.receiver is not None and parameter.name == next(iter(args)):
            told = facts.get(parameter.name)
            held = emitted.receiver or source.receiver
            nests.append(nest_of(with_facts(held, parameter.name, emitted), told))
            continue
        held_by = dict(source.objects).get(parameter.name)
        if held_by is not None:
            told = facts.get(parameter.name)
            nests.append(nest_of(with_facts(held_by, parameter.name, emitted), told))
            continue
        annotation = args[parameter.name].annotation
        text = source.segment(annotation) if annotation else None
        nest = bundle_of(source, parameter.name, text, facts.get(parameter.name))
        nests.append(nest or _assumed(emitted, parameter.name))
    return Leaves(subject, tuple(nests), outcome)


def _assumed(emitted: Emitted, name: str) -> Structure:
    """The nesting that is assumed of an argument, with what the text looks at.

    Keys that a dictionary may lack, and of which no more is known, are left out.
    """
    known = {
        tuple(key for _, key in path): text
        for bundle, path, text in emitted.facts
        if bundle == name and path
    }

    def filled(part: Structure, path: tuple[Any, ...]) -> Structure:
        if not part:
            return replace(part, fact=known.get(path, part.fact))
        steps = [
            (key, filled(one, (*path, key)))
            for key, one in part.steps()
            if one
            or (*path, key) in known
            or (name, *path, key) not in emitted.optional
        ]
        keys = tuple(key for key, _ in steps) if part.keys else ()
        return replace(part, parts=tuple(one for _, one in steps), keys=keys)

    whole = dict(emitted.bundles).get(name, LEAF)
    return LEAF if whole.is_record else filled(whole, ())


@dataclass(frozen=True)
class Leaves:
    """A primal and its gradient, as functions of leaves."""

    subject: Subject
    nests: tuple[Structure, ...]
    outcome: Outcome

    @property
    def is_plain(self) -> bool:
        """Whether each argument is one leaf, and the result is another."""
        outcome = self.outcome
        return not any(self.nests) and not outcome.structure and not outcome.of

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        found = []
        for parameter, nest in zip(self.subject.parameters, self.nests, strict=True):
            if not nest:
                found.append(parameter)
                continue
            for path, leaf in nest.leaves():
                sort = SORTS.get(leaf.fact or "", "")
                fact = None if sort else leaf.fact
                found.append(Parameter(_plain(parameter.name, path), fact, None, sort))
        return tuple(found)

    @property
    def wrt(self) -> tuple[str, ...]:
        return tuple(name for each in self.subject.wrt for name, _ in self._asked(each))

    def _asked(self, text: str) -> list[tuple[str, Structure]]:
        """The leaves of an argument, or of a part of one, that have a gradient."""
        name, keys = path_of(text)
        found = step_into(self.nests[self.subject.names.index(name)], keys)
        assert found is not None  # wrt names parts that are there
        before, nest = found
        return [
            (_plain(name, (*before, *path)) if before or nest else name, leaf)
            for path, leaf in nest.leaves()
            if not (leaf.fact or "").startswith(":")
        ]

    def nested(self, leaves: Sequence[Any]) -> list[Any]:
        """The primal's arguments, from the leaves."""
        rest = iter(leaves)
        return [nest.build(rest, _record) for nest in self.nests]

    def __call__(self, *leaves: Any) -> Any:
        """The primal's results, in one vector."""
        found = self._results(self.subject.primal, self.nested(leaves))
        return self.vector(self._seeded(found))

    def tangents(self, tangents: Mapping[str, object]) -> list[Any]:
        """A tangent for each argument in wrt, nested as it is, from its leaves.

        The parts of an argument that are not asked for have None.
        """
        whole = []
        for name in dict.fromkeys(path_of(each)[0] for each in self.subject.wrt):
            nest = self.nests[self.subject.names.index(name)]
            own = [tangents.get(_plain(name, path)) for path, _ in nest.leaves()]
            whole.append(nest.build(iter(own), _record))
        return whole

    def at(self, leaves: Sequence[Any]) -> Callable[..., Any]:
        """The primal around given arguments: see Measured."""
        held = self.subject.primal.at(self.nested(leaves))
        return lambda *others: self.vector(
            self._seeded(self._results(held, self.nested(others)))
        )

    def _results(self, primal: Callable[..., Any], args: list[Any]) -> list[Any]:
        """All leaves of the primal's results."""
        value = primal(*args)
        outcome = self.outcome
        if outcome.of:
            left = tuple(args[self.subject.names.index(name)] for name in outcome.of)
            value = outcome.with_left(value, left)
        return list(outcome.structure.flatten(value))

    def _seeded(self, leaves: Sequence[Any]) -> list[Any]:
        return [leaf for leaf, has in zip(leaves, self.outcome.seeded) if has]

    def result_leaves(self, value: Any) -> list[Any]:
        """The leaves of a result, or of its derivative, that are numbers."""
        return self._seeded(self.outcome.structure.flatten(value))

    def vector(self, leaves: Sequence[Any]) -> Any:
        """All leaves in one vector; one alone as it is."""

        if len(leaves) == 1:
            return leaves[0]
        return np.concatenate([np.ravel(leaf) for leaf in leaves])

    def gradient(self) -> Callable[..., Any]:
        """The emitted function, of the leaves and of one vector as seed."""
        subject = self.subject
        seed = seed_name(parameter.name for parameter in self.parameters)

        def seeds(cotangent: Any, shapes: list[Any]) -> list[Any]:
            if len(shapes) == 1:
                return [cotangent]
            sizes = np.cumsum([int(np.prod(s)) for s, _ in shapes])[:-1]
            parts = np.split(cotangent, sizes)
            return [
                part.reshape(shape).astype(dtype) if shape else float(part[0])
                for part, (shape, dtype) in zip(parts, shapes)
            ]

        def called(**named: Any) -> Any:
            args = self.nested([named[p.name] for p in self.parameters])
            fresh = self.nested(
                [np.copy(v) if np.ndim(v) else v for v in list(named.values())][
                    : len(self.parameters)
                ]
            )
            results = self._results(subject.primal, fresh)
            seeded = self._seeded(results)
            shapes = [(np.shape(r), np.asarray(r).dtype) for r in seeded]
            given = dict(zip(subject.names, args))
            if subject.style == "callback":
                value, backprop = subject.function(**given)
                refuse_other_default(backprop, ())
                back = lambda c: self.gradient_leaves(backprop(*seeds(c, shapes)))  # noqa: E731
                return self._checked(value, results), back
            refuse_other_default(subject.function, subject.names)
            names = inspect.signature(subject.function).parameters
            own = [name for name in names if name not in given]
            more = dict(zip(own, seeds(named[seed], shapes), strict=True))
            found = subject.function(**given, **more)
            if not subject.value:
                return self.gradient_leaves(found)
            return self._checked(found[0], results), self.gradient_leaves(found[1])

        kind = inspect.Parameter.KEYWORD_ONLY
        words = [p.name for p in self.parameters]
        words += [seed] if subject.style != "callback" else []
        signature = inspect.Signature([inspect.Parameter(word, kind) for word in words])
        setattr(called, "__signature__", signature)
        return called

    def _checked(self, value: Any, results: list[Any]) -> Any:
        """The numbers in a value, whose other leaves are those of the primal's."""
        leaves = list(self.outcome.structure.flatten(value))
        for one, other, has in zip(leaves, results, self.outcome.seeded, strict=True):
            if np.shape(one) != np.shape(other):
                raise ValueError("the shapes of the results are not the primal's")
            if not has and not _same(one, other):
                raise WrongForm(f"the value has {one}, and that of the primal {other}")
        return self.vector(self._seeded(leaves))

    def gradient_leaves(self, found: Any) -> tuple[Any, ...]:
        """The leaves of a gradient that are numbers."""

        wrt = self.subject.wrt
        each = found if len(wrt) > 1 else (found,)
        leaves = []
        for name, one in zip(wrt, each, strict=True):
            name, keys = path_of(name)
            part = step_into(self.nests[self.subject.names.index(name)], keys)
            assert part is not None  # wrt names parts that are there
            nest = part[1]
            told = [leaf.fact or "" for _, leaf in nest.leaves()]
            pairs = zip(nest.flatten(one), told, strict=True)
            leaves += [leaf for leaf, fact in pairs if not fact.startswith(":")]
        return tuple(leaves)


def _plain(name: str, path: tuple[Any, ...]) -> str:
    return as_name(path_text(name, path)).strip("_")


def _record(structure: Structure, named: dict[Any, Any]) -> Any:
    assert callable(structure.cls)
    return structure.cls(**named)


def _same(one: Any, other: Any) -> bool:
    """Whether what has no gradient is the same, to the last bit."""
    if isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(_same, one, other))
    mine, own = np.asarray(one), np.asarray(other)
    if own.dtype.kind == "O":  # nobody knows how these are compared
        return type(one) is type(other)
    return mine.dtype == own.dtype and mine.tobytes() == own.tobytes()
