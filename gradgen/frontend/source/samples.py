"""SciPy's functions of samples, behind the decorator that gives them axis= and its like.

The decorator (`_axis_nan_policy` of scipy.stats) looks for NaNs and masks, and calls the
function that it stands around with the samples alone. Where NaNs propagate and no axis
is kept, what it gives is what that function gives.
"""

from __future__ import annotations

import dis
import inspect
import types
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy

from gradgen.frontend.source.called import KEYWORD, VAR_KEYWORD, VAR_PLACE, defined

FACTORY = "scipy.stats._axis_nan_policy"
# what the decorator takes beside what the function around takes
OPTIONS = ("axis", "nan_policy", "keepdims")
REFUSED = "{} is differentiated with nan_policy='propagate' and keepdims=False"
TOO_SMALL = "{} of so small samples is nan"


def of_samples(function: Any) -> Callable[..., Any] | None:
    """The function behind the decorator, with the parameters of the whole.

    before:  scipy.stats.skewtest
    after:   def skewtest(a, axis=0, nan_policy="propagate", alternative="two-sided",
                          *, keepdims=False):
                 ...
                 return _inner(a, axis=axis, alternative=alternative)
    """
    held = _held(function)
    return None if held is None else _shortened(function)


@lru_cache(maxsize=256)
def _shortened(function: Any) -> Callable[..., Any] | None:
    held = _held(function)
    assert held is not None
    inner = held["hypotest_fun_in"]
    own = inspect.signature(inner).parameters
    whole = inspect.signature(function).parameters
    if any(p.kind is VAR_KEYWORD for p in whole.values()):
        return None
    samples = _samples(held, list(own.values()))
    if samples is None:
        return None
    head, space = _head(whole)
    options = [name for name in own if name not in (*samples, *OPTIONS)]
    if any(own[one].kind in (VAR_PLACE, VAR_KEYWORD) for one in options):
        return None
    given = [f"{one}={one}" for one in options]
    others = _others(held, list(own.values()))
    vectorized = "axis" in own and not (held["override"] or {}).get("vectorization")
    listed = [f"*{n}" if own[n].kind is VAR_PLACE else n for n in samples]
    name = inner.__name__
    lines = [
        "if nan_policy != 'propagate' or keepdims:",
        f"    raise NotImplementedError({REFUSED.format(name)!r})",
        "if axis is None:",
        *_alone(others, name),
        f"    samples = [_ravel(sample) for sample in ({', '.join(listed)},)]",
        *_checked(held, "samples", options, "-1", name, "    "),
        f"    return _inner({', '.join(['*samples', *given])})",
    ]
    if vectorized:
        lines += _checked(held, f"({', '.join(listed)},)", options, "axis", name, "")
        several = len(listed) > 1 or listed[0].startswith("*")
        lines += _of_one_rank(", ".join(listed), name) if several else []
        axis = "axis"
        if "axis" not in _names_read(inner):  # it counts on the last one
            listed = [f"*[_moved(one, axis, -1) for one in ({', '.join(listed)},)]"]
            axis = "-1"
        lines.append(f"return _inner({', '.join([*listed, f'axis={axis}', *given])})")
    else:
        lines += [
            *(line[4:] for line in _alone(others, name)),
            f"for sample in ({', '.join(listed)},):",
            "    if _ndim(sample) != 1:",
            f"        raise NotImplementedError('{name} of samples of several axes')",
            *_checked(held, f"({', '.join(listed)},)", options, "-1", name, ""),
            f"return _inner({', '.join([*listed, *given])})",
        ]
    space |= {
        "_inner": inner,
        "_ravel": numpy.ravel,
        "_ndim": numpy.ndim,
        "_moved": numpy.moveaxis,
        "_is_too_small": held["is_too_small"],
    }
    made = defined(name, head, lines, space)
    made.__module__, made.__doc__ = function.__module__, function.__doc__
    return made


def _of_one_rank(samples: str, name: str) -> list[str]:
    """The lines that raise for samples that would be broadcast to each other."""
    told = f"{name} of samples of different numbers of axes"
    return [
        f"for sample in ({samples},)[1:]:",
        f"    if _ndim(sample) not in (0, _ndim(({samples},)[0])):",
        f"        raise NotImplementedError({told!r})",
    ]


def _names_read(function: Any) -> set[str]:
    """The names that a function reads, and those that functions inside of it do."""
    waiting, found = [function.__code__], set()
    while waiting:
        code = waiting.pop()
        for step in dis.get_instructions(code):
            if step.opname.startswith("LOAD_") and isinstance(step.argval, str):
                found.add(step.argval)
            elif step.opname.startswith("LOAD_") and isinstance(step.argval, tuple):
                found.update(step.argval)
        waiting += [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return found


def _held(function: Any) -> dict[str, Any] | None:
    """What the decorator's wrapper holds; None for another function."""
    if not isinstance(function, types.FunctionType):
        return None
    if function.__globals__.get("__name__") != FACTORY or not function.__closure__:
        return None
    held = dict(zip(function.__code__.co_freevars, function.__closure__))
    found = {name: cell.cell_contents for name, cell in held.items()}
    wanted = ("hypotest_fun_in", "is_too_small", "n_samples", "override")
    if not all(name in found for name in wanted):
        return None
    return found


def _samples(held: Mapping[str, Any], own: list[inspect.Parameter]) -> list[str] | None:
    """The names of the parameters that surely are samples."""
    count = held["n_samples"]
    if count is None:
        return [own[0].name] if own[0].kind is VAR_PLACE else None
    count = count if isinstance(count, int) else 1
    return [parameter.name for parameter in own[:count]]


def _others(held: Mapping[str, Any], own: list[inspect.Parameter]) -> list[str]:
    """The names of those that are samples too where they are given."""
    if callable(held["n_samples"]):
        return [own[1].name] if len(own) > 1 and own[1].default is None else []
    return list(held.get("kwd_samples") or ())


def _alone(others: list[str], name: str) -> list[str]:
    """The lines that raise where other samples are given, whose axes would count."""
    told = f"{name} of one axis, with {' and '.join(others)}"
    return [
        line
        for one in others
        for line in (
            f"    if {one} is not None:",
            f"        raise NotImplementedError({told!r})",
        )
    ]


def _checked(
    held: Mapping[str, Any],
    samples: str,
    options: list[str],
    axis: str,
    name: str,
    indent: str,
) -> list[str]:
    """The lines that raise where the whole gives nan for samples that are too small."""
    cells = [cell.cell_contents for cell in held["is_too_small"].__closure__ or ()]
    if len(cells) == 1 and type(cells[0]) is int and cells[0] <= 0:
        return []
    given = ", ".join(f"{one!r}: {one}" for one in options)
    test = f"_is_too_small({samples}, {{{given}}}, axis={axis})"
    return [
        f"{indent}if {test}:",
        f"{indent}    raise ValueError({TOO_SMALL.format(name)!r})",
    ]


def _head(
    whole: Mapping[str, inspect.Parameter],
) -> tuple[list[str], dict[str, Any]]:
    """The parameters as they are written, and their defaults by name."""
    head: list[str] = []
    space: dict[str, Any] = {}
    starred = False
    for name, parameter in whole.items():
        if parameter.kind is VAR_PLACE:
            head.append(f"*{name}")
            starred = True
            continue
        if parameter.kind is KEYWORD and not starred:
            head.append("*")
            starred = True
        if parameter.default is parameter.empty:
            head.append(name)
        else:
            space[f"_default_{name}"] = parameter.default
            head.append(f"{name}=_default_{name}")
    return head, space
