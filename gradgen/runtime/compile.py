"""What is asked of the library in Python: emitted, and made a function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

from gradgen.errors import GradgenError
from gradgen.frontend.source.called import calling
from gradgen.frontend.source.rest import with_rest
from gradgen.frontend.source.unwrapped import asks, called_as, undecorated
from gradgen.frontend.source.holding import Held
from gradgen.frontend.source.source import Source, find, owner_of, with_closure
from gradgen.frontend.source.named import resolve
from gradgen.pipeline.emitted import Emitted
from gradgen.request.options import Request
from gradgen.request.parts import path_of
from gradgen.request.paths import with_paths
from gradgen.request.request import canonical, request
from gradgen.request.settings import settled
from gradgen.request.usage import positions
from gradgen.runtime.arguments import (
    complex_arguments,
    example_arguments,
    named_arguments,
    fact_of_example,
    refuse_integer_leaves,
)
from gradgen.runtime.as_function import AsFunction
from gradgen.runtime.attributes import holds_objects
from gradgen.runtime.cache import Recent, key_of
from gradgen.runtime.dispatcher import Dispatcher, Kind
from gradgen.runtime.examples import emitted_like
from gradgen.runtime.fixed import STARRED, ByShape, starred_as
from gradgen.runtime.foreign import LIKE_NUMPY, Elsewhere
from gradgen.runtime.handed import refuse_kinds
from gradgen.runtime.instances import (
    instance_leaves,
    with_instance,
    with_numbers_asked,
    with_objects,
)
from gradgen.runtime.methods import OfMethod, OfUnbound, method_of
from gradgen.runtime.nested import OfDerivative, OfShaped
from gradgen.runtime.objects import OfObjects
from gradgen.runtime.properties import behind_properties
from gradgen.runtime.words_of_examples import with_words_told
from gradgen.shapes.spec import read_annotation
from gradgen.shapes.statics import NONE as ABSENT
from gradgen.shapes.statics import is_static
from gradgen.signature.letters import is_whatever, letters_told

# makers whose functions take tangents behind the function's own arguments
TANGENTS = ("jvp", "hvp")
NONE: Mapping[str, Any] = MappingProxyType({})
# A function that takes derivatives while it runs asks for the same again and again.
_recent = Recent()


def emitted_for(
    function: Callable[..., Any] | str,
    wrt: str | int | Sequence[Any] | None = None,
    given: Mapping[str, Any] = NONE,
    again: bool = True,
    receiver: Held | None = None,
    objects: tuple[tuple[str, Held], ...] = (),
) -> tuple[Source, Request, Emitted]:
    """The source of a function, what is asked of it, and what is emitted.

    `given` are options by their names in a request, with shapes and example. Where that
    is refused, records and containers of objects among the example are taken as objects.
    """
    told = again, receiver, objects
    try:
        return _emitted_for(function, wrt, given, *told)
    except GradgenError as error:
        if again or not any(holds_objects(one, True) for one in _example(given)):
            raise
        refusal = error
    try:
        return _emitted_for(function, wrt, given, *told, inside=True)
    except GradgenError:
        raise refusal from None


def _example(given: Mapping[str, Any]) -> tuple[Any, ...]:
    """The example arguments, where there are any."""
    example = given.get("example")
    return tuple(example) if isinstance(example, (tuple, list)) else ()


def _emitted_for(
    function: Callable[..., Any] | str,
    wrt: str | int | Sequence[Any] | None,
    given: Mapping[str, Any],
    again: bool,
    receiver: Held | None,
    objects: tuple[tuple[str, Held], ...],
    inside: bool = False,
) -> tuple[Source, Request, Emitted]:
    """What is emitted, with objects `inside` containers as such or not."""
    function = getattr(function, "function", function)
    wrt, given = positions(wrt), settled(given)
    example = given.pop("example", None)
    key = None
    if (
        again
        and not isinstance(function, str)
        and not example
        and receiver is None
        and not objects
    ):
        key = key_of(function, wrt, given)
        made = _recent.get(key)
        if made is not None:
            return (with_closure(made[0], function), *made[1:])
    function = calling(function) or function
    method = method_of(function)
    source = find(function if method is None else method.__func__)
    source = replace(source, at_hand=again, objects=objects)
    leaves: dict[str, Any] = {}
    if receiver is not None:
        source = replace(source, receiver=receiver, decided=None)
    elif method is not None or _is_of(source, example):
        if method is None:  # of Net.loss the example has the instance first
            instance, *example = example
        source = with_instance(source, method.__self__ if method else instance, wrt)
        leaves = instance_leaves(source)
    if not again:
        source = with_rest(source, len(example or ()), given.get("shapes") or ())
    own = source.parameters
    examples = example_arguments(example or (), own)
    named = dict(zip(own, example or ()))
    for name, one in named.items():
        refuse_kinds(f"the argument {name}", one)
    if not again:
        source, held = with_objects(source, named, inside)
        bases = {name for name, _ in source.objects}
        examples = {k: v for k, v in examples.items() if path_of(k)[0] not in bases}
        leaves |= held
        if bases:  # which no command can make again
            kinds = (
                f"{n}=<{type(one).__name__}>" for n, one in named.items() if n in bases
            )
            given["instance"] = ", ".join(kinds)
    told = {k: canonical(v) for k, v in (given.get("shapes") or {}).items()}
    given["shapes"] = with_paths(named_arguments(example or (), own, source) | told)
    wrt = behind_properties(source, wrt)
    known = complex_arguments(examples if again else leaves | examples)
    given["complex"] = {*given.get("complex", ()), *known}
    asked = request(source.name, parameters=own, wrt=wrt, **given)
    if not again:
        source, whole = with_numbers_asked(source, asked.wrt or (), named)
        leaves |= whole
    if again:
        source = source.counted_as_real(told.keys() - given["complex"])
    for name in asked.wrt or own[:1]:
        refuse_integer_leaves(name, examples if again else leaves | examples)
    emit = partial(emitted_like, source=source, examples=leaves | examples)
    made = source, *with_words_told(emit, asked, source, named)
    _recent.keep(key, made)
    return made


def _is_of(source: Source, example: Any) -> bool:
    """Whether the first of the example arguments is an instance that the method is of."""
    if source.receiver is None or not isinstance(example, (tuple, list)) or not example:
        return False
    name = getattr(source.function, "__name__", "")
    return getattr(type(example[0]), name, None) is source.function is not None


def made_of(
    maker: str,
    form: Callable[..., Any],
    function: Callable[..., Any] | str,
    wrt: str | int | Sequence[Any] | None,
    given: Mapping[str, Any],
) -> Any:
    """A derivative as a function, which pickle and copy make again of the function."""
    made = _made_of(maker, form, function, wrt, given)
    if isinstance(made, AsFunction):
        anew = {k: v for k, v in given.items() if k != "example"}
        made.recipe = made_of, (maker, form, function, wrt, anew)
    return made


def _made_of(
    maker: str,
    form: Callable[..., Any],
    function: Callable[..., Any] | str,
    wrt: str | int | Sequence[Any] | None,
    given: Mapping[str, Any],
) -> Any:
    """A derivative as a function: one of `form` for each signature that it is called with.

    `maker` is the public function that makes it, `given` are options by their names in
    a request, with shapes and example. For a library other than NumPy it is the
    function of one text.
    """
    again = partial(made_of, maker, form, wrt=wrt)
    count = len(wrt) if isinstance(wrt, (tuple, list)) else 1
    tangents = count if maker in TANGENTS else 0
    anew = partial(again, given=given)
    if isinstance(function, (Dispatcher, OfDerivative)):
        return OfDerivative(function, anew, maker, tangents)
    if isinstance(function, (ByShape, OfShaped)):
        return OfShaped(function, anew, maker, tangents)
    wrt, options = positions(wrt), dict(given)
    example = options.pop("example", None)
    if isinstance(function, str):
        function = resolve(function)
    function = getattr(function, "function", function)  # of a gradient, its text's
    function = calling(function) or function
    method = method_of(function)
    function = undecorated(function if method is None else method.__func__)
    without = {k: v for k, v in given.items() if k != "example"}
    shaped = partial(ByShape, function, method, partial(again, given=without), maker)
    if asks(function):
        return shaped(tangents, called_as)
    as_tuple = wrt is not None and not isinstance(wrt, (str, int))
    shapes = options.pop("shapes", None) or {}
    told = with_paths({k: canonical(v) for k, v in shapes.items()})
    parameters, annotated = parameters_of(function)
    own = parameters if method is None else ()
    if not own and function.__code__.co_flags & STARRED:
        return shaped(tangents, starred_as)
    numbers = [n for n in (*told, *annotated) if _is_number(n, told, function)]

    def make(
        facts: Mapping[str, str],
        complexes: Sequence[str],
        wholes: Mapping[str, str] = NONE,
        held: Held | None = None,
        objects: tuple[tuple[str, Held], ...] = (),
        named: tuple[str, ...] = (),
    ) -> Any:
        # a number that is told may come as an array of rank 0, and an array as None
        boxed = {n: facts[n] for n in numbers if n in facts}
        boxed |= {n: fact for n, fact in facts.items() if fact == ABSENT}
        boxed |= {n: facts[n] for n in facts if is_whatever(told.get(n, ""))}
        every = {**facts, **told, **boxed}
        for name, sort in wholes.items():
            if isinstance(every.get(name), str) and ":" not in str(every[name]):
                every[name] = f"{every[name]}:{sort}"
        complex = (*options.get("complex", ()), *complexes)
        # At a call the arguments are known: nothing is assumed of them.
        more = {**options, "shapes": every, "complex": complex, "general": True}
        ask = function, named or wrt, more
        source, asked, emitted = emitted_for(*ask, receiver=held, objects=objects)
        if asked.library not in LIKE_NUMPY:
            return Elsewhere(asked, source, as_tuple, emitted)
        # What the arguments told holds for all arguments of their signature.
        bound = tuple(
            fact
            for fact in emitted.facts
            if fact[0] not in facts
            and (held is None or fact[0] != parameters[0])
            and fact[0] not in dict(objects)
            or is_static(fact[2])
        )
        emitted = replace(emitted, facts=bound)
        made = form(function, asked, source, as_tuple or bool(named), emitted)
        again = facts, complexes, wholes, held, objects, named
        made.made_by(lambda: make(*again))
        return made

    if options.get("library", "numpy") not in LIKE_NUMPY:
        examples = example_arguments(example or (), parameters)
        facts = {
            name: fact_of_example(v)
            for name, v in examples.items()
            if not isinstance(v, str)
        }
        return make(facts, tuple(complex_arguments(examples)))
    # what pyproject.toml says of guards is read when a text is made
    plain = {k: v for k, v in options.items() if v is not None}
    example_arguments(example or (), parameters)
    for name, one in zip(parameters, example or ()):
        refuse_kinds(f"the argument {name}", one)
    asked = request(maker, parameters=parameters, wrt=wrt, shapes=told, **plain)
    tangents = len(asked.wrt or parameters[:1]) if maker in TANGENTS else 0
    named = asked.wrt if as_tuple or asked.wrt is None else asked.wrt[0]
    ask = wrt, tuple(told.items()), tuple(options.items())
    known = frozenset({*told, *annotated})
    words = letters_told(told.values(), function)
    counted, hinted = frozenset(numbers), frozenset(annotated).difference(told)
    texts = tuple((k, v) for k, v in told.items() if isinstance(v, str))
    sorts = counted, words, hinted, texts
    kind = Kind(maker, asked, named, tangents, known, ask, *sorts)
    is_method = inspect.isfunction(function) and owner_of(function) is not None
    is_method = is_method or method is not None
    of_objects = partial(OfObjects, function, make, kind, as_tuple, is_method)
    if is_method:
        found = OfMethod(method, make, kind) if method else None
        found = found or OfUnbound(function, make, kind)
        found.of_objects = of_objects
        found.remake = lambda other: again(other, given=without)
        return found
    made = Dispatcher(function, make, kind)
    made.remake = lambda other: again(other, given=without)
    made.of_objects = of_objects
    if example:
        made.specialize(*example)
    elif told.keys() >= set(parameters) or not _known(asked, parameters):
        made.general  # all is told, or a name is wrong: what is refused is refused now
    return made


def _known(asked: Request, parameters: Sequence[str]) -> bool:
    """Whether a request names arguments that there are."""
    given = (path_of(name)[0] for name in (*(asked.wrt or ()), *dict(asked.shapes)))
    return set(given) <= set(parameters) and set(asked.of) <= set(parameters)


def parameters_of(function: Callable[..., Any]) -> tuple[list[str], list[str]]:
    """The parameters of a function, and those whose annotations tell their shapes."""
    if not inspect.isfunction(function):
        find(function)  # which refuses it
    code = function.__code__
    own = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    known = function.__annotations__
    told = (n for n in own if n in known and _tells(known[n], function.__globals__))
    return own, list(told)


def _is_number(
    name: str, told: Mapping[str, str], function: Callable[..., Any]
) -> bool:
    """Whether a fact or an annotation tells that an argument is a number."""
    annotation = function.__annotations__.get(name)
    shown = getattr(annotation, "__name__", annotation)
    return told.get(name, read_annotation(shown)) == ""


def _tells(
    annotation: object, names: Mapping[str, Any], around: tuple[object, ...] = ()
) -> bool:
    """Whether an annotation tells the shape of an argument, or of a field of it.

    `around` are the classes that it is a field's of: a node has nodes.
    """
    found = (
        names.get(annotation, annotation) if isinstance(annotation, str) else annotation
    )
    fields = getattr(found, "__annotations__", {}) if isinstance(found, type) else {}
    text = annotation if isinstance(annotation, str) else getattr(found, "__name__", "")
    if read_annotation(text or str(annotation)) is not None:
        return True
    inside = (*around, found)
    return found not in around and any(
        _tells(one, names, inside) for one in fields.values()
    )
