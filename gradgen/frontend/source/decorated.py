"""The function behind decorators, where they hand on what they are given unchanged.

Of a wrapper that does more (`return 2 * f(x)`) the text is the wrapper's own: it is
read like any function, and what it calls stands in its closure.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import gast
import numpy

from gradgen.frontend.source.called import rule_of
from gradgen.frontend.source.names import assigned
from gradgen.frontend.source.samples import of_samples
from gradgen.frontend.source.stand_ins import stood_in_for
from gradgen.lines import dedented
from gradgen.rules.load import operation_of, operations

CACHED: Any = type(functools.lru_cache(len))
# modules whose calls change nothing that is computed
ASIDE = ("warnings", "logging", "time", "timeit", "print")
OPTIONS = ("otypes", "signature", "excluded")


def behind(function: Any) -> Any:
    """The function that a decorator has made this one of; itself for others.

    Caches, static methods, compiled functions (`py_func`), np.vectorize, functions of
    autograd.numpy, and wrappers that call it with their own arguments and return what
    it returns.
    """
    for _ in range(32):
        inner = _behind(function)
        if inner is None:
            break
        function = inner
    return function


@functools.cache
def _by_entries(function: Any) -> Any:
    """What numba.vectorize has compiled, as NumPy does the same.

    before:  @numba.vectorize        after:  np.vectorize(f, otypes=[float])
             def f(x): ...
    """
    return numpy.vectorize(function._dispatcher.py_func, otypes=[float])


def _behind(function: Any) -> Any:
    if callable(function) and rule_of(function) is None:
        other = stood_in_for(function) or of_samples(function)
        if other is not None:
            return other
    if isinstance(function, staticmethod):
        return function.__func__
    if isinstance(function, CACHED):
        return function.__wrapped__
    if isinstance(function, numpy.vectorize):
        plain = isinstance(function.pyfunc, types.FunctionType)
        plain = plain and not any(getattr(function, name, None) for name in OPTIONS)
        node = node_of(function.pyfunc) if plain else None
        if node is None or not is_straight(node, _library_of(function.pyfunc)):
            return None
        return function.pyfunc
    kind = type(function).__module__.partition(".")[0]
    if kind == "numba" and type(function).__name__ == "DUFunc":
        return _by_entries(function)
    if kind in ("numba", "jax", "jaxlib"):
        found = getattr(function, "py_func", None)
        found = found or getattr(
            getattr(function, "_dispatcher", None), "py_func", None
        )
        return found or getattr(function, "__wrapped__", None)
    inner = getattr(function, "py_func", None)
    if isinstance(inner, types.FunctionType):
        return inner
    if isinstance(function, types.FunctionType):
        traced = _behind_autograd(function)
        if traced is not None:
            return traced
    if isinstance(function, types.FunctionType) and hasattr(function, "__wrapped__"):
        through = hands_on(function) or _sets_errors(function)
        return function.__wrapped__ if through else None
    return None


def _sets_errors(function: types.FunctionType) -> bool:
    """Whether this is NumPy's wrapper of @np.errstate(...), where nothing raises."""
    held = [getattr(cell, "cell_contents", None) for cell in function.__closure__ or ()]
    states = [one for one in held if isinstance(one, numpy.errstate)]
    if len(states) != 1:
        return False
    told = getattr(states[0], "kwargs", None) or {
        name: getattr(states[0], f"_{name}", None)
        for name in ("all", "divide", "over", "under", "invalid")
    }
    module = function.__globals__.get("__name__", "")
    inside = module.startswith("numpy.") or module == "contextlib"
    return inside and not {"raise", "call"} & set(map(str, told.values()))


def _behind_autograd(function: types.FunctionType) -> Any:
    """The function of NumPy or SciPy that autograd has wrapped to trace its calls.

    autograd.numpy.exp is np.exp; what autograd writes itself has NumPy's name and
    takes what NumPy's takes (autograd.numpy.concatenate).
    """
    module = function.__module__ or ""
    if function.__globals__.get("__name__") == "autograd.tracer":
        held = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        return held["f_raw"].cell_contents if "f_raw" in held else None
    if f"{module}.".startswith("autograd.numpy."):
        inner = sys.modules.get(module.removeprefix("autograd."))
        names = [n for n, one in function.__globals__.items() if one is function]
        found = (getattr(inner or numpy, name, None) for name in names)
        return next(filter(callable, found), None)
    return None


def node_of(function: Any) -> Any:
    """The def of a function, or its lambda; None where its text is not at hand."""
    try:
        text = dedented(inspect.getsource(function))
        tree = gast.parse(text)
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    wanted = getattr(function, "__name__", "")
    kinds = (gast.FunctionDef, gast.Lambda)
    found = [one for one in gast.walk(tree) if isinstance(one, kinds)]
    named = [one for one in found if getattr(one, "name", "<lambda>") == wanted]
    return named[0] if len(named) == 1 else None


def _library_of(function: Any) -> Callable[[str], bool]:
    table = function.__globals__
    return lambda name: getattr(table.get(name), "__name__", "") == "numpy"


def is_straight(node: Any, library: Callable[[str], bool]) -> bool:
    """Whether a function computes the same entry by entry and on whole arrays.

    It assigns names and returns arithmetic, of NumPy's functions.
    """
    body = node.body if isinstance(node.body, list) else [node.body]
    kinds = (
        *(gast.Return, gast.Assign, gast.Expr, gast.BinOp, gast.UnaryOp, gast.Name),
        *(gast.Constant, gast.Call, gast.Attribute, gast.operator, gast.unaryop),
        *(gast.expr_context,),
    )
    for statement in body:
        for one in gast.walk(statement):
            if not isinstance(one, kinds) or isinstance(one, gast.Not):
                return False
            if isinstance(one, gast.Call):
                func = one.func
                base = getattr(getattr(func, "value", None), "id", "")
                if getattr(func, "id", "") != "abs" and not library(base):
                    return False
                if library(base) and not _is_elementwise(func.attr) or one.keywords:
                    return False
            elif isinstance(one, gast.Attribute):
                if not library(getattr(one.value, "id", "")):
                    return False
    return _takes_all(node, body)


def _is_elementwise(name: str) -> bool:
    """Whether a function of NumPy's computes each entry for itself."""
    op = operation_of().get(id(getattr(numpy, name, None)))
    rule = None if op is None else operations().get(op)
    return rule is not None and rule.kind == "elementwise"


def _takes_all(node: Any, body: list[Any]) -> bool:
    """Whether each result is made of all parameters, so that it has their shape."""
    params = {arg.id for arg in node.args.args}
    made_of = {name: {name} for name in params}

    def used(value: Any) -> set[str]:
        names = [one.id for one in gast.walk(value) if isinstance(one, gast.Name)]
        return set().union(*(made_of.get(name, set()) for name in names))

    for statement in body:
        if isinstance(statement, gast.Assign):
            found = used(statement.value)
            for target in statement.targets:
                made_of[getattr(target, "id", "")] = found
        result = getattr(statement, "value", None)
        if isinstance(statement, gast.Return) and used(result) != params:
            return False
    return not isinstance(node, gast.Lambda) or used(node.body) == params


def hands_on(wrapper: types.FunctionType) -> bool:
    """Whether a wrapper calls what it wraps with its own arguments, and no more.

    def wrapper(*args, **kwargs):
        warnings.warn("old")
        return f(*args, **kwargs)
    """
    try:
        lines, _ = inspect.getsourcelines(wrapper.__code__)
        text = "".join(lines)
        indent = len(text) - len(text.lstrip())
        body = "".join(line[indent:] if line.strip() else line for line in lines)
        node = gast.parse(body).body[0]
    except (OSError, TypeError, SyntaxError, IndexError, ValueError):
        return False
    if not isinstance(node, gast.FunctionDef) or node.name != wrapper.__code__.co_name:
        return False
    found = list(_returned(node.body, wrapper))
    return found == [True] and _same_parameters(node, wrapper)


def _same_parameters(node: Any, wrapper: Any) -> bool:
    """Whether a wrapper takes (*args, **kwargs), or what the wrapped function takes."""
    spec = node.args
    if spec.args or spec.kwonlyargs or getattr(spec, "posonlyargs", []):
        own = inspect.signature(wrapper, follow_wrapped=False)
        other = inspect.signature(wrapper.__wrapped__)
        same = [(p.name, p.kind, p.default) for p in own.parameters.values()]
        return same == [(p.name, p.kind, p.default) for p in other.parameters.values()]
    return spec.vararg is not None


def _returned(statements: list[Any], wrapper: Any) -> Iterator[bool]:
    """For each statement that does something, whether it hands the result on."""
    results: set[str] = set()
    for statement in statements:
        value = getattr(statement, "value", None)
        if isinstance(statement, gast.Return):
            is_name = isinstance(value, gast.Name) and value.id in results
            yield is_name or _is_call(value, wrapper)
        elif isinstance(statement, gast.Expr):
            if not isinstance(value, gast.Constant) and not _is_aside(value, wrapper):
                yield False
        elif isinstance(statement, gast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, gast.Name) and _is_call(value, wrapper):
                results.add(target.id)
            elif not isinstance(target, gast.Name) or not _is_aside(value, wrapper):
                yield False
        elif isinstance(statement, gast.With):
            yield from _returned(statement.body, wrapper)
        elif not isinstance(statement, gast.Pass):
            yield False


def _is_call(node: Any, wrapper: Any) -> bool:
    """Whether an expression is the wrapped function on all that the wrapper takes."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name):
        return False
    held = inspect.getclosurevars(wrapper).nonlocals.get(node.func.id)
    if held is not wrapper.__wrapped__:
        return False
    code = wrapper.__code__
    names = list(code.co_varnames[: code.co_argcount])
    only = list(code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount])
    given = [getattr(a, "id", None) for a in node.args if isinstance(a, gast.Name)]
    stars = [a.value for a in node.args if isinstance(a, gast.Starred)]
    words = [(k.arg, getattr(k.value, "id", None)) for k in node.keywords if k.arg]
    double = [k.value for k in node.keywords if k.arg is None]
    rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount :]
    wanted_stars = list(rest[:1]) if code.co_flags & inspect.CO_VARARGS else []
    after = rest[len(wanted_stars) :]
    wanted_double = list(after[:1]) if code.co_flags & inspect.CO_VARKEYWORDS else []
    return (
        given == names
        and len(given) + len(stars) == len(node.args)
        and [getattr(s, "id", None) for s in stars] == wanted_stars
        and words == [(name, name) for name in only]
        and [getattr(d, "id", None) for d in double] == wanted_double
    )


def _is_aside(node: Any, wrapper: Any) -> bool:
    """Whether an expression only tells somebody something, or reads a clock."""
    if not isinstance(node, gast.Call):
        return False
    base = node.func
    while isinstance(base, gast.Attribute):
        base = base.value
    if not isinstance(base, gast.Name):
        return False
    found = wrapper.__globals__.get(base.id)
    module = getattr(found, "__module__", None) or getattr(found, "__name__", "")
    return base.id == "print" or str(module).partition(".")[0] in ASIDE


def stores_outside(node: Any) -> bool:
    """Whether a function binds or stores into what is not its own."""
    own = set(assigned(node.body))
    for one in gast.walk(node):
        if isinstance(one, gast.Nonlocal):
            return True
        if isinstance(one, (gast.Subscript, gast.Attribute)):
            base: Any = one
            while isinstance(base, (gast.Subscript, gast.Attribute)):
                base = base.value
            if isinstance(one.ctx, gast.Store) and getattr(base, "id", "") not in own:
                return True
    return False
