"""Options of the wrong type, refused before anything is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, cleandoc, signature
from typing import Any, TypeVar

import numpy as np

from gradgen.errors import GradgenError
from gradgen.frontend.source.named import did_you_mean
from gradgen.ir.records import is_record_class
from gradgen.request.options import EXAMPLE, OPTIONS
from gradgen.shapes.tree import SORTS

# what other libraries, and the command line, call an option
ELSEWHERE = {"argnums": "wrt", "argnum": "wrt", "aux": "has_aux", "library": "target"}
Function = TypeVar("Function", bound=Callable[..., Any])


def read_options(
    maker: str, takes: type, options: Mapping[str, Any], **fixed: Any
) -> dict[str, Any]:
    """The keyword arguments of a function as options of a request, with its own.

    `takes` is the dictionary type of what it takes. Raises TypeError for another
    option, and GradgenError for a value of the wrong type.
    """
    for keyword in options:
        if keyword not in takes.__annotations__:
            raise TypeError(_no_option(maker, keyword, ["wrt", *takes.__annotations__]))
    refuse_facts(options.get("shapes"))
    refuse_example(options.get("example"))
    refuse_guard(options.get("guard"))
    found = dict(fixed)
    for one in (*OPTIONS, EXAMPLE):
        if one.keyword in options:
            value = options[one.keyword]
            if one.sort in ("names", "several"):
                value = names(one.keyword, value)
            elif one.sort == "flag":
                value = flag(one.keyword, value)
            found[one.name] = value
        elif one.setting and one.keyword in takes.__annotations__:
            found[one.name] = None  # which asks pyproject.toml
    return found


def _no_option(maker: str, keyword: str, known: list[str]) -> str:
    """That there is no such option, and the one that is meant.

    before:  emit(f, shape={}), grad(f, argnums=0)
    after:   emit() has no option shape: did you mean shapes?
             grad() has no option argnums: did you mean wrt?
    """
    other = ELSEWHERE.get(keyword, "")
    hint = f"did you mean {other}?" if other in known else did_you_mean(keyword, known)
    return f"{maker}() has no option {keyword}" + (f": {hint}" if hint else "")


def with_keywords(takes: type) -> Callable[[Function], Function]:
    """Shows the options that a function takes in its signature and its docstring."""

    def shown(function: Function) -> Function:
        known = {one.keyword: one for one in (*OPTIONS, EXAMPLE)}
        own = signature(function)
        kept = [p for p in own.parameters.values() if p.kind is not p.VAR_KEYWORD]
        more, lines = [], []
        for name, type_ in takes.__annotations__.items():
            one = known[name]
            default = None if one.setting or one.sort == "facts" else one.default
            sort = Parameter.KEYWORD_ONLY
            type_ = getattr(type_, "__forward_arg__", type_)
            more.append(Parameter(name, sort, default=default, annotation=type_))
            lines.append(f"    {name}: {one.told}")
        shown_: Any = function
        shown_.__signature__ = own.replace(parameters=kept + more)
        text = cleandoc(function.__doc__ or "")
        function.__doc__ = "\n".join((text, "", "Options:", *lines))
        return function

    return shown


def positions(wrt: Any) -> Any:
    """wrt= with NumPy's integers as Python's. Raises GradgenError for other types.

    A set has no order, and the gradients have that of wrt; True is no position.
    """
    if wrt is None or isinstance(wrt, str):
        return wrt
    if isinstance(wrt, (list, tuple, range)):
        return tuple(_position(one, wrt) for one in wrt)
    return _position(wrt, wrt)


def _position(one: Any, wrt: Any) -> str | int:
    if isinstance(one, str):
        return one
    if isinstance(one, (int, np.integer)) and not isinstance(one, bool):
        return int(one)
    raise GradgenError(
        "GG002",
        f"wrt={_shown(wrt)} names no argument",
        advice="a name, a position from 0, or a tuple of these",
    )


def names(option: str, given: Any) -> tuple[str, ...]:
    """The names of complex=, stop= or of=. Raises GradgenError for other types."""
    found = (given,) if isinstance(given, str) else given
    is_several = isinstance(found, (list, tuple, set, frozenset, Mapping))
    if not is_several or not all(isinstance(one, str) for one in found):
        raise GradgenError(
            "GG002",
            f"{option}={_shown(given)} names no argument",
            advice=f'{option}="x", or a tuple of names',
        )
    is_ordered = isinstance(found, (list, tuple, Mapping))
    return tuple(found if is_ordered else sorted(found))


def flag(option: str, given: Any) -> bool | None:
    """Whether an option is on; None where nothing is said. Raises GradgenError."""
    if given is None or isinstance(given, bool):
        return given
    if isinstance(given, np.bool_):
        return bool(given)
    raise GradgenError(
        "GG037",
        f"{option}={_shown(given)} is neither True nor False",
        advice=f"{option}=True",
    )


def refuse_facts(shapes: Any) -> None:
    """Raises GradgenError for facts that are no mapping from names to shapes."""
    if shapes is None:
        return
    if not isinstance(shapes, Mapping):
        raise GradgenError(
            "GG404",
            f"shapes={_shown(shapes)} names no argument",
            advice='shapes={"x": "n d"}',
        )
    for name, fact in shapes.items():
        if not isinstance(name, str):
            raise GradgenError(
                "GG404",
                f"shapes names {_shown(name)}, which is no argument",
                advice='shapes={"x": "n d"}',
            )
        _refuse_fact(name, fact)


def _refuse_fact(name: str, fact: Any) -> None:
    """Raises GradgenError for a fact with something in it that says no shape."""
    if fact is None or isinstance(fact, str) or is_record_class(type(fact)):
        return
    if isinstance(fact, type) and fact.__name__ in SORTS:
        return
    told = "n d"
    if isinstance(fact, (tuple, list, Mapping)):
        parts = list(fact.values() if isinstance(fact, Mapping) else fact)
        if not parts or not all(isinstance(part, (int, np.integer)) for part in parts):
            for part in parts:
                _refuse_fact(name, part)
            return
        told = " ".join(map(str, parts))  # x.shape itself
    raise GradgenError(
        "GG402",
        f"the fact {_shown(fact)} of {name} is no shape",
        advice=f'shapes={{"{name}": "{told}"}}, or "" for a number',
    )


def refuse_example(example: Any) -> None:
    """Raises GradgenError for an example that is no tuple of arguments."""
    is_array = isinstance(example, np.ndarray)
    if example is None or isinstance(example, Sequence) and not is_array:
        if not isinstance(example, (str, bytes)):
            return
    raise GradgenError(
        "GG015",
        f"the example is a {type(example).__name__}, and no tuple of arguments",
        advice="example=(x, ...), also for one argument",
    )


def refuse_guard(guard: Any) -> None:
    """Raises GradgenError for a guard that is neither a flag nor a number."""
    if guard is None or isinstance(guard, (bool, int, float)):
        return
    raise GradgenError(
        "GG023",
        f"guard={_shown(guard)} is no size of a denominator",
        advice="True, or a small positive number such as 1e-8",
    )


def _shown(value: object) -> str:
    """A value in a message, short, and the same on every run."""
    text = repr(value)
    if len(text) > 40 or " at 0x" in text:
        return f"a {type(value).__name__}"
    return text
