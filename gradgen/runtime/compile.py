"""What is asked of the library in Python: emitted, and made a function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

from gradgen.frontend.decorated import undecorated
from gradgen.frontend.holding import Held
from gradgen.frontend.source import Source, find, owner_of, resolve, with_closure
from gradgen.pipeline.run import Emitted
from gradgen.request.parts import path_of
from gradgen.request.paths import with_paths
from gradgen.request.request import Request, canonical, request
from gradgen.request.settings import guard_setting
from gradgen.request.usage import (
    names,
    positions,
    refuse_example,
    refuse_facts,
    refuse_guard,
)
from gradgen.runtime.arguments import (
    complex_arguments,
    example_arguments,
    fact_of_example,
    refuse_integer_leaves,
)
from gradgen.runtime.as_function import AsFunction
from gradgen.runtime.cache import Recent, key_of
from gradgen.frontend.called import calling
from gradgen.runtime.dispatcher import Dispatcher, Kind
from gradgen.runtime.nested import OfDerivative
from gradgen.runtime.examples import emitted_like
from gradgen.runtime.fixed import STARRED, Starred
from gradgen.runtime.foreign import LIKE_NUMPY, Elsewhere
from gradgen.runtime.handed import refuse_kinds
from gradgen.runtime.instances import instance_leaves, with_instance
from gradgen.runtime.methods import OfMethod, OfUnbound, method_of
from gradgen.runtime.objects import OfObjects
from gradgen.shapes.spec import read_annotation
from gradgen.shapes.statics import is_static
from gradgen.signature.letters import letters_told

# makers whose functions take tangents behind the function's own arguments
TANGENTS = ("jvp", "hvp")
# A function that takes derivatives while it runs asks for the same again and again.
_recent = Recent()


def emitted_for(
    function: Callable[..., Any] | str,
    wrt: str | int | Sequence[Any] | None,
    style: str,
    value: bool,
    shapes: Mapping[str, object] | None,
    example: Sequence[Any] | None,
    stop: str | Sequence[str],
    strict: bool,
    complex: str | Sequence[str] = (),
    of: str | Sequence[str] = (),
    has_aux: bool = False,
    mode: str = "reverse",
    guard: bool | float | None = None,
    again: bool = True,
    **extra: Any,
) -> tuple[Source, Request, Emitted]:
    """The source of a function, what is asked of it, and what is emitted."""
    function = getattr(function, "function", function)
    receiver, objects = extra.pop("receiver", None), extra.pop("objects", ())
    wrt, stop, of = positions(wrt), names("stop", stop), names("of", of)
    complex = names("complex", complex)
    refuse_facts(shapes)
    refuse_example(example)
    refuse_guard(guard)
    options = (wrt, style, value, shapes, stop, strict, complex, of, has_aux, mode)
    key = None
    if (
        again
        and not isinstance(function, str)
        and not example
        and receiver is None
        and not objects
    ):
        guard = guard_setting() if guard is None else guard
        key = key_of(function, *options, guard, extra)
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
    elif method is not None:
        source = with_instance(source, method.__self__)
        leaves = instance_leaves(source)
    own = source.parameters
    facts = with_paths({k: canonical(v) for k, v in (shapes or {}).items()})
    examples = example_arguments(example or (), own)
    for name, one in zip(own, example or ()):
        refuse_kinds(f"the argument {name}", one)
    complexes = {*complex, *complex_arguments(examples)}
    ask = wrt, style, value, facts, stop, strict, complexes, of, has_aux, mode, guard
    asked = _asked(source.name, own, *ask, **extra)
    for name in asked.wrt or own[:1]:
        refuse_integer_leaves(name, examples)
    made = source, *emitted_like(asked, source, leaves | examples)
    _recent.keep(key, made)
    return made


def _asked(
    target: str,
    parameters: Sequence[str],
    wrt: str | int | Sequence[Any] | None,
    style: str,
    value: bool,
    facts: Mapping[str, object],
    stop: str | Sequence[str],
    strict: bool,
    complex: str | Collection[str] = (),
    of: str | Sequence[str] = (),
    has_aux: bool = False,
    mode: str = "reverse",
    guard: bool | float | None = None,
    **extra: Any,
) -> Request:
    """The request for a function of these parameters."""
    return request(
        target,
        wrt=wrt,
        style=style,
        value=value,
        shapes=facts,
        stop=stop,
        strict=strict,
        parameters=parameters,
        mode=mode,
        of=of,
        aux=has_aux,
        complex=complex,
        guard=guard_setting() if guard is None else guard,
        **extra,
    )


def made_of(
    maker: str,
    form: Callable[..., Any],
    function: Callable[..., Any] | str,
    *options: Any,
    **extra: Any,
) -> Any:
    """A derivative as a function, which pickle and copy make again of the function."""
    made = _made_of(maker, form, function, *options, **extra)
    if isinstance(made, AsFunction):
        wrt, style, value, shapes, _, *others = options
        told = maker, form, function, wrt, style, value, shapes, None, *others
        made.recipe = _again, (told, extra)
    return made


def _again(options: tuple[Any, ...], extra: dict[str, Any]) -> Any:
    """What pickle makes a derivative again by."""
    return made_of(*options, **extra)


def _made_of(
    maker: str,
    form: Callable[..., Any],
    function: Callable[..., Any] | str,
    wrt: str | int | Sequence[Any] | None,
    style: str,
    value: bool,
    shapes: Mapping[str, object] | None,
    example: Sequence[Any] | None,
    *options: Any,
    **extra: Any,
) -> Any:
    """A derivative as a function: one of `form` for each signature that it is called with.

    `maker` is the public function that makes it. For a library other than NumPy it is
    the function of one text.
    """
    if isinstance(function, Dispatcher):
        again = partial(made_of, maker, form)
        given = wrt, style, value, shapes, example, *options
        return OfDerivative(function, lambda one: again(one, *given, **extra), maker)
    wrt = positions(wrt)
    refuse_facts(shapes)
    refuse_example(example)
    if isinstance(function, str):
        function = resolve(function)
    function = getattr(function, "function", function)  # of a gradient, its text's
    function = calling(function) or function
    method = method_of(function)
    function = undecorated(function if method is None else method.__func__)
    as_tuple = wrt is not None and not isinstance(wrt, (str, int))
    told = with_paths({k: canonical(v) for k, v in (shapes or {}).items()})
    parameters, annotated = parameters_of(function)
    if not parameters and function.__code__.co_flags & STARRED:
        every = wrt, style, value, shapes, None, *options
        again = partial(made_of, maker, form)
        return Starred(function, lambda one: again(one, *every, **extra), maker)
    numbers = [n for n in (*told, *annotated) if _is_number(n, told, function)]

    def make(
        facts: Mapping[str, str],
        complexes: Sequence[str],
        wholes: Mapping[str, str] = MappingProxyType({}),
        held: Held | None = None,
        objects: tuple[tuple[str, Held], ...] = (),
        named: tuple[str, ...] = (),
    ) -> Any:
        # a number that is told may come as an array of rank 0
        boxed = {n: facts[n] for n in numbers if n in facts}
        every = {**facts, **told, **boxed}
        for name, sort in wholes.items():
            if isinstance(every.get(name), str) and ":" not in str(every[name]):
                every[name] = f"{every[name]}:{sort}"
        options_now = _with_complex(options, complexes)
        ask = named or wrt, style, value, every, None, *options_now
        # At a call the arguments are known: nothing is assumed of them.
        more = {**extra, "receiver": held, "objects": objects, "general": True}
        source, asked, emitted = emitted_for(function, *ask, **more)
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

    if extra.get("library", "numpy") not in LIKE_NUMPY:
        examples = example_arguments(example or (), parameters)
        facts = {name: fact_of_example(v) for name, v in examples.items()}
        return make(facts, tuple(complex_arguments(examples)))
    # what pyproject.toml says of guards is read when a text is made
    refuse_guard(extra.get("guard"))
    plain = extra | {"guard": extra.get("guard") or False}
    example_arguments(example or (), parameters)
    for name, one in zip(parameters, example or ()):
        refuse_kinds(f"the argument {name}", one)
    asked = _asked(
        maker, parameters, wrt, style, value, told, *_named(*options), **plain
    )
    tangents = len(asked.wrt or parameters[:1]) if maker in TANGENTS else 0
    named = asked.wrt if as_tuple or asked.wrt is None else asked.wrt[0]
    ask = wrt, style, value, tuple(told.items()), *options, tuple(extra.items())
    known = frozenset({*told, *annotated})
    words = letters_told(told.values(), function)
    kind = Kind(maker, asked, named, tangents, known, ask, frozenset(numbers), words)
    is_method = inspect.isfunction(function) and owner_of(function) is not None
    is_method = is_method or method is not None
    of_objects = partial(OfObjects, function, make, kind, as_tuple, is_method)
    if is_method:
        found = OfMethod(method, make, kind) if method else None
        found = found or OfUnbound(function, make, kind)
        found.of_objects = of_objects
        return found
    made = Dispatcher(function, make, kind)
    anew = partial(made_of, maker, form)
    given = wrt, style, value, shapes, None, *options
    made.remake = lambda other: anew(other, *given, **extra)
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


def _named(
    stop: Any, strict: bool, complex: Any = (), of: Any = (), *others: Any
) -> tuple[Any, ...]:
    """The options of a request with names as tuples. Raises GradgenError."""
    numbers = names("complex", complex)
    return names("stop", stop), strict, numbers, names("of", of), *others


def _with_complex(
    options: tuple[Any, ...], complexes: Sequence[str]
) -> tuple[Any, ...]:
    """The options of a request, with more complex arguments."""
    stop, strict, *rest = options
    named, *others = rest or ((),)
    return stop, strict, (*names("complex", named), *complexes), *others


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


def _tells(annotation: object, names: Mapping[str, Any]) -> bool:
    """Whether an annotation tells the shape of an argument, or of a field of it."""
    found = (
        names.get(annotation, annotation) if isinstance(annotation, str) else annotation
    )
    fields = getattr(found, "__annotations__", {}) if isinstance(found, type) else {}
    text = annotation if isinstance(annotation, str) else getattr(found, "__name__", "")
    told = read_annotation(text or str(annotation)) is not None
    return told or any(_tells(one, names) for one in fields.values())
