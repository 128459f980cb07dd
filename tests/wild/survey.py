"""Which functions of a module are tried, with which arguments: by a rule.

A Survey names a module and gives values to the names of parameters. Every public
function that the module defines is a case if each parameter that it must be given has a
value, at least one of them floating; so is every public method of each of its objects,
those that it inherits included. What is no case is listed with the reason.
"""

from __future__ import annotations

import copy
import importlib
import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.wild.guessing import guessed
from tests.wild.limits import limited

MOST = 9  # parameters that are guessed


@dataclass(frozen=True)
class Survey:
    """A module, values by the names of parameters, and objects with methods.

    `guessed`: what the values do not name is found by calling (guessing.py).
    `exact` gives values for one function alone. `optional`: parameters with a number as
    default get their value too. `functions=False`: methods alone. `apart` names what is
    no function of its arguments (it draws, plots, stores), with the reason.
    """

    package: str
    module: str
    values: Mapping[str, Any]
    exact: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    objects: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    optional: bool = False
    functions: bool = True
    guessed: bool = False
    apart: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """A call: the function or bound method and its arguments by place."""

    package: str
    name: str
    function: Callable[..., Any]
    names: tuple[str, ...]
    args: tuple[Any, ...]
    method: bool

    @property
    def floating(self) -> tuple[int, ...]:
        """The places of the arguments that are floating numbers or arrays."""
        return tuple(i for i, arg in enumerate(self.args) if is_floating(arg))

    def fresh(self) -> tuple[Any, ...]:
        return tuple(copy.deepcopy(arg) for arg in self.args)


@dataclass(frozen=True)
class Apart:
    """A function that is no case, and why."""

    package: str
    name: str
    reason: str


def is_floating(value: Any) -> bool:
    """Whether it is a float or an array of floats: what has a gradient."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind == "f"
    return isinstance(value, (float, np.floating))


def cases(survey: Survey) -> Iterator[Case | Apart]:
    """The cases of a survey in the module's order, and what is left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = importlib.import_module(survey.module)
        if survey.functions:
            for name, found in list(vars(module).items()):
                own = getattr(found, "__module__", None) == survey.module
                if own and inspect.isroutine(found) and not name.startswith("_"):
                    yield _case(survey, name, found, False)
        for label, make in survey.objects.items():
            made = make(module)
            for name in _methods(type(made)):
                yield _case(survey, f"{label}.{name}", getattr(made, name), True)


def leaves(value: Any) -> list[Any]:
    """The floating leaves of a result, in order."""
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value] if is_floating(value) else []


def _suits(value: Any) -> bool:
    """Whether a result has floating leaves, all finite."""
    found = leaves(value)
    return bool(found) and all(np.all(np.isfinite(leaf)) for leaf in found)


def _guessed(function: Callable[..., Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Values for the parameters that must be given, where none has one."""
    names = [
        one.name
        for one in inspect.signature(function).parameters.values()
        if one.default is one.empty
        and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    if not names or len(names) > MOST or any(name in values for name in names):
        return {}
    found = guessed(function, len(names), _suits, limited)
    return {} if found is None else dict(zip(names, found, strict=True))


def _methods(kind: type) -> Iterator[str]:
    for name in dir(kind):
        found = inspect.getattr_static(kind, name)
        public = not name.startswith("_") or name == "__call__"
        if public and inspect.isfunction(found):
            yield name


def _case(survey: Survey, name: str, function: Any, method: bool) -> Case | Apart:
    label = f"{survey.module}.{name}"
    if name in survey.apart:
        return Apart(survey.package, label, survey.apart[name])
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return Apart(survey.package, label, "has no signature")
    values = dict(survey.values) | dict(survey.exact.get(name, {}))
    if survey.guessed and not method:
        values |= _guessed(function, values)
    names, args = [], []
    for parameter in parameters:
        must = parameter.default is parameter.empty
        named = name in survey.exact and parameter.name in survey.exact[name]
        number = type(parameter.default) in (int, float) and survey.optional
        if parameter.kind not in (
            parameter.POSITIONAL_ONLY,
            parameter.POSITIONAL_OR_KEYWORD,
        ):
            if parameter.kind is parameter.KEYWORD_ONLY and must:
                return Apart(survey.package, label, f"takes {parameter.name}=")
            break
        if parameter.name not in values and must:
            return Apart(survey.package, label, f"takes {parameter.name}, no number")
        if not must and not named and not (number and parameter.name in values):
            break
        names.append(parameter.name)
        args.append(values[parameter.name])
    case = Case(survey.package, label, function, tuple(names), tuple(args), method)
    if not case.floating:
        return Apart(survey.package, label, "has no floating argument")
    return case
