"""Polymorphic inline caches: the call of a derivative, written for its hot signatures.

A call that looks its signature up costs as much as a small function. Where a
signature comes again, the tests that tell it are written out as the start of a
function of its own, which calls the text's function at once; whatever it does not
know goes the long way, which checks and converts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MethodType
from typing import Any

import numpy as np

from gradgen.runtime.environment import MISSING
from gradgen.runtime.hot_tests import Entry, remembered, tests_of
from gradgen.shapes.dims import Dim
from gradgen.signature.abstract import Abstract, Array, Number, Static

# so many signatures have tests of their own
MOST = 4
# Names of a call site's own; a function with such a parameter always goes the long way.
OWN = re.compile(r"_g_\w+|self|seed")
PYTHON = {"float": float, "int": int, "bool": bool, "str": str}


def entry_of(
    values: Mapping[str, object],
    abstracts: Mapping[str, Abstract],
    made: Any,
    letters: tuple[str, ...],
    equations: tuple[tuple[Dim, Dim], ...],
) -> Entry | None:
    """The entry for arguments that need no check and no conversion, None for others.

    These are arrays of one floating dtype, Python numbers, of which those in `wrt`
    are floats, strings and None; beside float64, which no arithmetic with them
    changes, held arrays of integers and truth values. `made` is the derivative that
    they have chosen.
    """
    dtypes = set()
    whole: dict[str, np.dtype[Any]] = {}
    for name, known in abstracts.items():
        value = values[name]
        if isinstance(known, Array):
            dtype = value.dtype if type(value) is np.ndarray else None
            if dtype is not None and known.sort in ("int", "bool"):
                if name in made.wrt or not dtype.isnative:
                    return None
                whole[name] = dtype
                continue
            if dtype not in (np.float32, np.float64) or not dtype.isnative:
                return None
            if not known.ones and name in made.wrt and dtype != np.float64:
                return None  # its arithmetic may be that of numbers
            dtypes.add(dtype)
        elif isinstance(known, Number):
            if known.strong or type(value) is not PYTHON.get(known.sort):
                return None
            if name in made.wrt and known.sort != "float":
                return None
        elif not isinstance(known, Static):
            return None
    constants = made.constants
    if len(dtypes) > 1 or constants is None:
        return None
    if whole and dtypes - {np.dtype(np.float64)}:
        return None  # the gradient of float32 may come as float64, and is converted
    numbers = [isinstance(abstracts[name], Number) for name in made.wrt]
    of_wrt = made.maker in ("grad", "value_and_grad", "hvp")
    result = _result(numbers, made.maker == "value_and_grad") if of_wrt else "{0}"
    dtype = next(iter(dtypes), None)
    form = letters, equations, made.function, result, tuple(constants)
    tangents = tuple(made.wrt) if made.maker in ("jvp", "hvp") else ()
    takes_seed = made.maker in ("grad", "value_and_grad")
    pulled = getattr(made, "pulled", None)
    more = tuple(made.callees), tuple(made.changed), whole
    return Entry(abstracts, dtype, *form, pulled, tangents, takes_seed, *more)


def _result(numbers: list[bool], with_value: bool) -> str:
    """How gradients are returned: those of Python numbers as such.

    before:  value_and_grad in an array and a number
    after:   {0}[0], ({0}[1][0], _g_float({0}[1][1]))
    """
    if not any(numbers):
        return "{0}"
    found = "{0}[1]" if with_value else "{0}"
    if len(numbers) == 1:
        parts = f"_g_float({found})"
    else:
        each = (f"{found}[{i}]" for i in range(len(numbers)))
        shown = (
            f"_g_float({one})" if is_one else one for one, is_one in zip(each, numbers)
        )
        parts = f"({', '.join(shown)})"
    return f"{{0}}[0], {parts}" if with_value else parts


def call_site(
    parameters: Sequence[str],
    defaults: Mapping[str, object],
    entries: Sequence[Entry],
    slow: Callable[..., Any],
    primal: Callable[..., Any],
    anew: Callable[..., Any],
) -> Callable[..., Any]:
    """The function that tests for the entries in turn, and else calls `slow`.

    before:  grad of f(x, y, k=0.5), called with two vectors of one length
    after, each name of its own with _g_ before it, so that no parameter hides one:

        def call(self, x, y, k=k_default, *, seed=None):
            if not (f.__code__ is code_f and f.__defaults__ is defaults_f):
                return long(anew, self, (x, y, k), names, olds, (), {"seed": seed})
            if seed is None:
                if type(x) is ndarray and x.dtype is dtype_0 and x.ndim == 1 and ...:
                    s0 = len(x)
                    if s0 > 1 and len(y) == s0:
                        try:
                            d = function_0(x, y, k)
                            return d
                        except Exception:
                            pass  # the long way tells what is wrong
            return slow(self, x, y, k, seed=seed)

    Where tangents come behind the arguments, or there is no seed, the call takes its
    arguments by their places, and whatever else it is given goes the long way.
    """
    names: dict[str, Any] = {"_g_ndarray": np.ndarray, "_g_slow": slow}
    names["_g_overlap"] = np.may_share_memory
    words = (type, len, float, int, bool, str, Exception)
    names |= {f"_g_{word.__name__}": word for word in words}
    # a module that is read again changes its functions where they lie
    own: Any = primal
    names |= {"_g_f": primal, "_g_code_f": own.__code__, "_g_anew": anew}
    names |= {"_g_defaults_f": own.__defaults__, "_g_long": _long}
    names["_g_names"] = tuple(parameters)
    same = "_g_f.__code__ is _g_code_f"
    same += " and _g_f.__defaults__ is _g_defaults_f" if defaults else ""
    tangents = [f"_g_t{i}" for i in range(len(entries[0].tangents))]
    form = _with_seed if entries[0].takes_seed else _by_place
    lines, last = form(parameters, tangents, defaults, same, names)
    given = ", ".join([*parameters, *tangents])
    for i, entry in enumerate(entries):
        names[f"_g_function_{i}"], names[f"_g_dtype_{i}"] = entry.function, entry.dtype
        names |= {f"_g_dtype_{i}_{name}": one for name, one in entry.whole.items()}
        kinds, shapes, tested = tests_of(entry, i)
        tests = [*tested.beside, *remembered(tested.alone, len(shapes), i, names)]
        for k, (table, name, value) in enumerate(entry.constants):
            names[f"_g_table_{i}_{k}"], names[f"_g_held_{i}_{k}"] = table, value
            held = f"_g_table_{i}_{k}.get({name!r}) is _g_held_{i}_{k}"
            kinds.append(
                f"{name!r} not in _g_table_{i}_{k}" if value is MISSING else held
            )
        for k, (callee, *told) in enumerate(entry.callees):
            names[f"_g_callee_{i}_{k}"] = callee
            for j, word in enumerate(("code", "defaults", "kwdefaults")):
                names[f"_g_told_{i}_{k}_{j}"] = told[j]
                kinds.append(f"_g_callee_{i}_{k}.__{word}__ is _g_told_{i}_{k}_{j}")
        lines.append(f"        if {' and '.join(kinds)}:")
        depth = " " * 12
        if tests:
            lines += [f"{depth}{shape}" for shape in shapes]
            lines.append(f"{depth}if {' and '.join(tests)}:")
            depth += " " * 4
        result = entry.result.format("_g_d")
        if entry.pulled is not None:
            names |= {f"_g_pulled_{i}": entry.pulled, "_g_with": MethodType}
            # a bound method costs less than a partial function
            found = f"_g_with(_g_pulled_{i}, (_g_d, _g_b, {given},))"
            result = f"_g_d, {found}"
        target = "_g_d" if entry.pulled is None else "_g_d, _g_b"
        lines += [
            f"{depth}try:",
            f"{depth}    {target} = _g_function_{i}({given})",
            f"{depth}    return {result}",
            f"{depth}except _g_Exception:",
            f"{depth}    pass  # the long way tells what is wrong",
        ]
    exec("\n".join([*lines, last]), names)
    made: Callable[..., Any] = names["call"]
    return made


def _with_seed(
    parameters: Sequence[str],
    tangents: Sequence[str],
    defaults: Mapping[str, object],
    same: str,
    names: dict[str, Any],
) -> tuple[list[str], str]:
    """The first lines and the last one of a call that takes a seed."""
    names |= {f"_g_default_{name}": value for name, value in defaults.items()}
    names["_g_olds"] = tuple(defaults.get(p, MISSING) for p in parameters)
    head = [f"{p}=_g_default_{p}" if p in defaults else p for p in parameters]
    given = ", ".join(parameters)
    told = f"self, ({given},), _g_names, _g_olds"
    first = [
        f"def call(self, {', '.join(head)}, *, seed=None):",
        f"    if not ({same}):",
        f"        return _g_long(_g_anew, {told}, (), {{'seed': seed}})",
        "    if seed is None:",
    ]
    return first, f"    return _g_slow(self, {given}, seed=seed)"


def _by_place(
    parameters: Sequence[str],
    tangents: Sequence[str],
    defaults: Mapping[str, object],
    same: str,
    names: dict[str, Any],
) -> tuple[list[str], str]:
    """The first lines and the last one of a call that takes arguments by their places."""
    every = [*parameters, *tangents]
    # behind the arguments come tangents: none is left out then
    olds = {} if tangents else defaults
    names["_g_none"] = MISSING
    names |= {f"_g_default_{name}": value for name, value in olds.items()}
    names["_g_olds"] = tuple(olds.get(p, MISSING) for p in every)
    head = [f"{p}=_g_default_{p}" if p in olds else f"{p}=_g_none" for p in every]
    last = [p for p in every if p not in olds][-1:]
    tests = [f"{p} is not _g_none" for p in last]
    given = f"self, ({', '.join(every)},), _g_names, _g_olds, _g_rest, _g_more"
    first = [
        f"def call(self, {', '.join(head)}, /, *_g_rest, **_g_more):",
        f"    if not ({same}):",
        f"        return _g_long(_g_anew, {given})",
        f"    if {' and '.join([*tests, 'not _g_rest', 'not _g_more'])}:",
    ]
    return first, f"    return _g_long(_g_slow, {given})"


def _long(
    way: Callable[..., Any],
    made: Any,
    values: tuple[Any, ...],
    names: tuple[str, ...],
    olds: tuple[Any, ...],
    rest: tuple[Any, ...],
    more: Mapping[str, Any],
) -> Any:
    """The long way of a call, which leaves out what was left out."""
    given = [rest or value is not old for value, old in zip(values, olds)]
    first = given.index(False) if False in given else len(values)
    later = zip(names[first:], values[first:], given[first:])
    words = {name: value for name, value, is_given in later if is_given}
    return way(made, *values[:first], *rest, **words, **more)
