"""What is asked of the library in Python: emitted, and made a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gradgen.arguments import (
    complex_arguments,
    example_arguments,
    fact_of_example,
    refuse_integer_leaves,
)
from gradgen.elsewhere import LIKE_NUMPY, Elsewhere
from gradgen.frontend.source import Source, find, with_closure
from gradgen.gradient import Gradient
from gradgen.handed import refuse_kinds
from gradgen.paths import with_paths
from gradgen.pipeline import Emitted, run
from gradgen.recent import Recent, key_of
from gradgen.request import Request, canonical, request
from gradgen.settings import guard_setting
from gradgen.usage import names, positions, refuse_example, refuse_facts, refuse_guard

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
    wrt, stop, of = positions(wrt), names("stop", stop), names("of", of)
    complex = names("complex", complex)
    refuse_facts(shapes)
    refuse_example(example)
    refuse_guard(guard)
    options = (wrt, style, value, shapes, stop, strict, complex, of, has_aux, mode)
    key = None
    if again and not isinstance(function, str) and not example:
        guard = guard_setting() if guard is None else guard
        key = key_of(function, *options, guard, extra)
        made = _recent.get(key)
        if made is not None:
            return (with_closure(made[0], function), *made[1:])
    source = find(function)
    own = [arg.id for arg in source.node.args.args + source.node.args.kwonlyargs]
    facts = with_paths({k: canonical(v) for k, v in (shapes or {}).items()})
    examples = example_arguments(example or (), own)
    for name, one in zip(own, example or ()):
        refuse_kinds(f"the argument {name}", one)
    facts = {name: fact_of_example(value) for name, value in examples.items()} | facts
    asked = request(
        source.name,
        wrt=wrt,
        style=style,
        value=value,
        shapes=facts,
        stop=stop,
        strict=strict,
        parameters=own,
        mode=mode,
        of=of,
        aux=has_aux,
        complex={*complex, *complex_arguments(examples)},
        guard=guard_setting() if guard is None else guard,
        **extra,
    )
    for name in asked.wrt or own[:1]:
        refuse_integer_leaves(name, examples)
    made = source, asked, run(asked, source)
    _recent.keep(key, made)
    return made


def gradient(
    function: Callable[..., Any] | str,
    wrt: str | int | Sequence[Any] | None,
    *options: Any,
    **extra: Any,
) -> Gradient | Elsewhere:
    """The gradient of a function as a function."""
    made: Gradient | Elsewhere = made_of(Gradient, function, wrt, *options, **extra)
    return made


def made_of(
    form: Callable[..., Any],
    function: Callable[..., Any] | str,
    wrt: str | int | Sequence[Any] | None,
    *options: Any,
    **extra: Any,
) -> Any:
    """What an emitted text is as a function: of `form`, or for another library."""
    source, asked, emitted = emitted_for(function, wrt, *options, **extra)
    as_tuple = wrt is not None and not isinstance(wrt, (str, int, np.integer))
    if asked.library not in LIKE_NUMPY:
        return Elsewhere(asked, source, as_tuple, emitted)
    made = form(_primal(function, source), asked, source, as_tuple, emitted)
    made.again = lambda: made_of(form, function, wrt, *options, **extra)
    return made


def _primal(function: Callable[..., Any] | str, source: Source) -> Callable[..., Any]:
    """The function itself, where its name was given."""
    if isinstance(function, str):
        named: Callable[..., Any] = source.globals[source.node.name]
        return named
    return getattr(function, "function", function)  # of a gradient, its text's
