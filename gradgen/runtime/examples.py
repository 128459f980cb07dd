"""What is emitted for example arguments: a text for all lengths, where there is one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.frontend.source.axis_names import axis_names
from gradgen.frontend.source.fields_told import without_facts
from gradgen.frontend.source.places import counts_read, places_read
from gradgen.frontend.source.source import Source
from gradgen.frontend.source.strides import strides
from gradgen.ir.absent import NO_SEED
from gradgen.pipeline.attempts import cost
from gradgen.pipeline.observer import UNWATCHED, Watch
from gradgen.pipeline.emitted import Emitted
from gradgen.pipeline.run import run
from gradgen.request.parts import path_of
from gradgen.request.paths import with_paths
from gradgen.request.options import Request
from gradgen.request.request import request
from gradgen.runtime.arguments import fact_of_example, is_container
from gradgen.runtime.conventions import hold
from gradgen.runtime.listed_examples import is_array, with_lists_taken
from gradgen.runtime.sequences import as_array
from gradgen.shapes.dims import Dim
from gradgen.shapes.statics import static_fact
from gradgen.signature.examples import generalised
from gradgen.signature.letters import letters_told


def emitted_like(
    asked: Request,
    source: Source,
    examples: Mapping[str, Any],
    watch: Watch = UNWATCHED,
) -> tuple[Request, Emitted]:
    """The request with the facts of example arguments, and what is emitted for it.

    Where the text is for one value of an option, that is the example's.

    before:  kind="flat" is the default, "round" the example's; "round" is refused
    after:   the text raises for other values than "round"

    So are whole numbers, where a text for any of them is refused: n_heads=2. A number
    that the example leaves out is in it all the same, as the default: eps=1e-8.
    """
    emit = partial(_emitted, source=source, examples=examples, watch=UNWATCHED)
    asked, found = with_lists_taken(emit, asked, source, examples)
    if watch is UNWATCHED:
        return found
    return _emitted(asked, source, examples, watch)


def _emitted(
    asked: Request, source: Source, examples: Mapping[str, Any], watch: Watch
) -> tuple[Request, Emitted]:
    if examples and not asked.general:
        examples = _numbers_left_out(asked, source) | dict(examples)
    options = _options(asked, source, examples)
    refusal = None
    try:
        found = _of_lengths(asked, source, examples, watch)
        _refuse_rounding(found, source, examples)
        fixed = {one.split(" is ")[0] for one in found[1].decided}
        options = {name: fact for name, fact in options.items() if name in fixed}
    except GradgenError as problem:
        refusal = problem
    counts = {} if refusal is None else _counts(asked, source, examples)
    for facts in filter(None, (options, options | counts if counts else {})):
        told = with_paths({**dict(asked.shapes), **facts})
        known = request(source.name, shapes=told, parameters=source.parameters)
        try:
            other = replace(asked, shapes=known.shapes)
            found = _of_lengths(other, source, examples, watch)
            _refuse_rounding(found, source, examples)
            return found
        except GradgenError as problem:
            # a text for other options is none for these, nor one that rounds
            if refusal is None or problem.code == "GG309":
                raise problem
    if refusal is not None:
        raise refusal
    return found


def _refuse_rounding(
    found: tuple[Request, Emitted], source: Source, examples: Mapping[str, Any]
) -> None:
    """Raises GradgenError where arrays of integers round what is stored into their like.

    An example's whole numbers may stand for floats as well: y = np.zeros_like(k) and
    y[:] = 3 * x is right for floats k, and of these integers the slope is 0.
    """
    facts = dict(found[0].shapes)
    wrt = {path_of(name)[0] for name in found[0].wrt or source.parameters[:1]}
    arrays = {
        name: value if isinstance(value, np.ndarray) else np.array(value)
        for name, value in examples.items()
        if isinstance(value, np.ndarray) or _is_row(value)
    }
    whole = {
        name: f"{facts[name]}:{'bool' if value.dtype.kind == 'b' else 'int'}"
        for name, value in arrays.items()
        if value.dtype.kind in "iub"
        and name not in wrt
        and ":" not in facts.get(name, ":")
        and is_array(facts.get(name))
    }
    if not whole:
        return
    known = request(source.name, shapes=facts | whole, parameters=source.parameters)
    try:
        run(replace(found[0], shapes=known.shapes), source)
    except GradgenError as error:
        if error.code == "GG309":
            raise


def _numbers_left_out(asked: Request, source: Source) -> dict[str, Any]:
    """The defaults that are numbers, of what nothing else tells: no counts or places."""
    told = {path_of(name)[0] for name in dict(asked.shapes)}
    counts = counts_read(source.node) | places_read(source.node)
    return {
        name: value
        for name, value in source.defaults.items()
        if name not in told
        and (type(value) is float or type(value) is int and name not in counts)
    }


def _options(
    asked: Request, source: Source, examples: Mapping[str, Any]
) -> dict[str, str]:
    """The facts of words and flags that are no defaults."""
    facts = {
        name: static_fact(value)
        for name, value in examples.items()
        if name in source.defaults.keys() - dict(asked.shapes).keys()
        and type(value) in (str, bool)
        and value != source.defaults[name]
    }
    return {name: fact for name, fact in facts.items() if fact is not None}


def _counts(
    asked: Request, source: Source, examples: Mapping[str, Any]
) -> dict[str, str]:
    """The facts of whole numbers that no gradient is asked of."""
    wrt = {path_of(name)[0] for name in asked.wrt or source.parameters[:1]}
    free = examples.keys() - dict(asked.shapes).keys() - wrt
    facts = {n: static_fact(v) for n, v in examples.items() if type(v) is int}
    return {n: fact for n, fact in facts.items() if fact is not None and n in free}


def _of_lengths(
    asked: Request,
    source: Source,
    examples: Mapping[str, Any],
    watch: Watch,
) -> tuple[Request, Emitted]:
    """What is emitted for arguments of any lengths.

    The arrays of an instance tell their ranks, and not which axes are one. What is
    assumed of its class's instances says that: where it holds for this one, and makes a
    shorter text, that is emitted. The text looks at it. So is what is assumed of a
    function of which nothing is told, where it does without a helper, and is for no
    value of an option that the example has not: a text for n=None is none for n=5.
    """
    plain = source.instance is None
    if asked.general or not examples or plain and not _are_floats(examples):
        return _like(asked, source, examples, watch)
    if plain or source.receiver is None:
        found = _like(asked, source, examples, watch)
        other = _assumed(asked, source, watch) if found[1].helpers else None
        if (
            other is None
            or other[1].helpers
            or not set(other[1].decided) <= set(found[1].decided)
            or cost(other[1].text) > cost(found[1].text)
        ):
            return found
        return other if hold(other[1].assumed, examples) else found
    found = _like(asked, source, examples)
    if found[1].helpers:
        of_class = replace(source, receiver=without_facts(source.receiver))
        own = source.node.args.args[0].id
        given = {
            name: value
            for name, value in examples.items()
            if path_of(name)[0] != own or not np.ndim(value)  # a float stays a number
        }
        try:
            other = _like(asked, of_class, given)
        except GradgenError:
            other = found
        shorter = cost(other[1].text) < cost(found[1].text)
        if shorter and hold(other[1].assumed, examples):
            return other if watch is UNWATCHED else _like(asked, of_class, given, watch)
    return found if watch is UNWATCHED else _like(asked, source, examples, watch)


def _are_floats(examples: Mapping[str, Any]) -> bool:
    """Whether all examples are numbers, or arrays of floats: no kinds are to be told."""
    return all(
        isinstance(one, np.ndarray)
        and one.dtype == np.float64
        or isinstance(one, (int, float, str))
        for one in examples.values()
    )


def _assumed(
    asked: Request, source: Source, watch: Watch
) -> tuple[Request, Emitted] | None:
    try:
        return asked, run(asked, source, watch)
    except GradgenError:
        return None


def _like(
    asked: Request,
    source: Source,
    examples: Mapping[str, Any],
    watch: Watch = UNWATCHED,
) -> tuple[Request, Emitted]:
    """The request with the facts of example arguments, and what is emitted for it.

    What was told stands before what an example tells. A function whose text needs the
    lengths themselves, np.cross of vectors of two, gets those of the example.
    """
    told = dict(asked.shapes)
    names = source.parameters
    wrt = {path_of(name)[0] for name in asked.wrt or names[:1]}
    if not source.at_hand:
        rows = sorted(examples.items(), key=lambda one: one[0])
        depths = ((name, np.ndim(one)) for name, one in rows if _is_row(one))
        source = replace(source, listed=tuple(depths))
    free = {
        name: value
        for name, given in examples.items()
        if path_of(name)[0] not in told
        and not isinstance(given, str)
        and not _is_row(value := given if name in wrt else _plain(given))
    }
    if not free:
        return asked, run(asked, source, watch)

    def with_facts(facts: Mapping[str, str], compared: Iterable[str] = ()) -> Request:
        every = with_paths({**facts, **told})
        known = request(source.name, shapes=every, parameters=names)
        compare = dict.fromkeys((*asked.compare, *compared))
        return replace(asked, shapes=known.shapes, compare=tuple(compare))

    def emit(
        facts: Mapping[str, str], compared: Iterable[str]
    ) -> tuple[Request, Emitted]:
        one = with_facts(facts, compared)
        return one, run(one, source)

    def alike(found: tuple[Request, Emitted]) -> Iterable[tuple[Dim, Dim]]:
        unequal = found[1].unequal
        return *found[1].alike, *([] if unequal is None else [unequal])

    def length(found: tuple[Request, Emitted]) -> tuple[int, ...]:
        return cost(found[1].text)

    letters = letters_told(told.values(), source.function)
    named = axis_names(source.node).items()
    called = {axis: name for axis, name in named if name not in letters}
    keys = {*places_read(source.node), *filter(lambda n: _is_narrow(free[n]), free)}
    found = generalised(free, emit, (*names, *letters), called, keys, alike, length)
    if found is not None and _withholds(found[1]):
        found = _of_these_lengths(found, free, with_facts, source)
    if found is not None and found[1].helpers:
        found = _by_steps(found, free, strides(source.node), emit)
    if found is not None and watch is UNWATCHED:
        return found
    fixed = {name: fact_of_example(value) for name, value in free.items()}
    numbers = re.findall(r"\b\d+\b", " ".join(fixed.values())) if found is None else ()
    one = found[0] if found is not None else with_facts(fixed, numbers)
    return one, run(one, source, watch)


Found = tuple[Request, Emitted]


def _withholds(emitted: Emitted) -> bool:
    """Whether a result has no seed, as its length is not known: the caches of layers."""
    return any(leaf.fact == NO_SEED for _, leaf in emitted.structure.leaves())


def _of_these_lengths(
    found: Found,
    examples: Mapping[str, Any],
    with_facts: Callable[..., Request],
    source: Source,
) -> Found:
    """What is emitted for the lengths of the examples, if all results have a seed then."""
    fixed = {name: fact_of_example(value) for name, value in examples.items()}
    numbers = re.findall(r"\b\d+\b", " ".join(fixed.values()))
    one = with_facts(fixed, numbers)
    try:
        other = one, run(one, source)
    except GradgenError:
        return found
    return found if _withholds(other[1]) else other


def _by_steps(
    found: Found,
    examples: Mapping[str, Any],
    steps: Iterable[int],
    emit: Callable[[Mapping[str, str], Iterable[str]], Found],
) -> Found:
    """What is emitted where an axis is a multiple of a step that slices go on by.

    Tried where a helper is left, and kept where that makes the text shorter.

    before:  q[..., 0::2] * c - q[..., 1::2] * s        # q (n, m)
    after:   q (n, 2*m), of which the text looks at the rest
    """
    facts = dict(found[0].shapes)
    sizes: dict[str, int] = {}
    arrays = {k: v for k, v in examples.items() if isinstance(v, np.ndarray)}
    for name in facts:  # in their order
        if name in arrays:
            sizes |= dict(zip(facts[name].split(), arrays[name].shape))
    others = " ".join(fact for name, fact in facts.items() if name not in arrays)
    tried = (
        (letter, step)
        for step in sorted(steps)
        for letter, size in sizes.items()
        if letter.isidentifier() and size and size % step == 0
        if not re.search(rf"\b{letter}\b", others)
    )
    for letter, step in tried:
        larger = {
            name: re.sub(rf"\b{letter}\b", f"{step}*{letter}", fact)
            for name, fact in facts.items()
        }
        halved = sizes | {letter: sizes[letter] // step}
        other = _unified(larger, halved, (*found[0].compare, letter), emit)
        if other is not None and cost(other[1].text) < cost(found[1].text):
            return other
    return found


def _unified(
    facts: dict[str, str],
    sizes: Mapping[str, int],
    compared: tuple[str, ...],
    emit: Callable[[Mapping[str, str], Iterable[str]], Found],
) -> Found | None:
    """What is emitted where letters that a line takes for equal are one in the example."""
    for _ in range(len(sizes)):
        try:
            return emit(facts, compared)
        except GradgenError as error:
            one, other = (dim.symbol or "" for dim in error.unequal or (Dim.of(0),) * 2)
            if other in compared:
                one, other = other, one
            if not other or one == other or sizes.get(one) != sizes.get(other, 0):
                return None
            facts = {
                name: re.sub(rf"\b{other}\b", one, fact) for name, fact in facts.items()
            }
    return None


def _is_narrow(value: Any) -> bool:
    """Whether a value is, or has, integers of a byte or two: their products are as short."""
    whole = isinstance(value, (np.ndarray, np.integer)) and value.dtype.kind in "iu"
    return whole and value.dtype.itemsize < 4


def _is_row(value: Any) -> bool:
    """Whether a value is a list of numbers: one of which the gradient is asked."""
    return isinstance(value, (list, tuple, range)) and not is_container(value)


def _plain(value: Any) -> Any:
    """An array of rank 0 as the number that it is, a list of numbers as an array.

    A list of which the gradient is asked may have whole numbers at another call.
    """
    if isinstance(value, np.ndarray) and not value.ndim:
        return value[()]
    return as_array(value, True)
