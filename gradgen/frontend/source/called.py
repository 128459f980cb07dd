"""A library's function that has a rule, as a function of one line that calls it.

Neither a ufunc nor a function behind a library's own decorators has a text that tells
what it computes. Where there is a rule for it, that is what its gradient is made of.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import linecache
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

import numpy

from gradgen.frontend.source.names import CALLED, is_plain
from gradgen.ir.nodes import Const
from gradgen.lines import lines_of, text_name
from gradgen.rules.load import operation_of, operations
from gradgen.rules.methods import operation_of_method
from gradgen.rules.rule import Rule, RuleParam

KEYWORD = inspect.Parameter.KEYWORD_ONLY
PLACE = inspect.Parameter.POSITIONAL_ONLY
EITHER = inspect.Parameter.POSITIONAL_OR_KEYWORD
VAR_PLACE, VAR_KEYWORD = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
# modules of Python's own whose functions the front end reads
PYTHONS = ("math", "operator", "builtins")
NONE_SUCH: Any = object()


def rule_of(function: Any) -> Rule | None:
    """The rule of a function of a library, or of a method that it offers."""
    op = operation_of().get(id(function))
    if op is None and isinstance(function, types.MethodType):
        op = operation_of_method(function.__self__, function.__name__)
    return operations().get(op) if op is not None else None


def calling(function: Any) -> Callable[..., Any] | None:
    """A function that calls one with a rule, with the parameters of the rule.

    before:  np.logaddexp
    after:   def logaddexp(x1, x2):
                 return numpy.logaddexp(x1, x2)
    """
    if isinstance(function, functools.partial):
        return _of_partial(function)
    if isinstance(function, types.MethodType) and isinstance(function.__self__, type):
        # a class method, whose class is handed on: Net.loss is Net.loss.__func__(Net, ...)
        return _of_partial(functools.partial(function.__func__, function.__self__))
    rule = rule_of(function)
    if rule is None or "." not in rule.op:
        return _of_builtin(function)
    module, _, own = rule.op.rpartition(".")
    head, handed, values = _parameters(rule, function)
    top = module.partition(".")[0]
    values[top] = importlib.import_module(top)
    made = _defined(own, head, f"{rule.op}({', '.join(handed)})", values)
    made.__module__, made.__doc__ = module, function.__doc__
    return made


def _defined(
    name: str, head: list[str], value: str, space: dict[str, Any]
) -> Callable[..., Any]:
    """The function of one line, as one that stands in a file."""
    return defined(name, head, [f"return {value}"], space)


def defined(
    name: str, head: list[str], lines: list[str], space: dict[str, Any]
) -> Callable[..., Any]:
    """A function of some lines, as one that stands in a file."""
    body = "".join(f"    {line}\n" for line in lines)
    text = f"def {name}({', '.join(head)}):\n{body}"
    file = text_name(name, text)
    linecache.cache[file] = len(text), None, lines_of(text, ends=True), file
    space["__name__"] = CALLED
    exec(compile(text, file, "exec"), space)
    made: Callable[..., Any] = space[name]
    return made


def _of_builtin(function: Any) -> Callable[..., Any] | None:
    """A function of Python's own libraries that is not written in Python.

    before:  math.pow        after:  def pow(x, y): return math.pow(x, y)
    """
    if not isinstance(function, types.BuiltinFunctionType):
        return None
    name, module = function.__name__, (function.__module__ or "").lstrip("_")
    known = sys.modules.get(module)
    if module not in PYTHONS or getattr(known, name, None) is not function:
        return None
    found = _signature(function)
    kinds = {p.kind for p in found.values()}
    plain = all(p.default is p.empty or is_plain(p.default) for p in found.values())
    if not found or not plain or kinds - {PLACE, EITHER}:
        return None
    needed = [n for n, p in found.items() if p.default is p.empty]
    value = f"{module}.{name}({', '.join(needed)})"
    made = _defined(name, needed, value, {module: known})
    made.__module__, made.__doc__ = module, function.__doc__
    return made


def _of_partial(function: functools.partial[Any]) -> Callable[..., Any] | None:
    """A partial function, with the parameters that are left.

    before:  functools.partial(f, k=2)      after:  def f(x): return _function(x)
    """
    inner = calling(function.func) or function.func
    if not isinstance(inner, types.FunctionType):
        return None
    again = functools.partial(inner, *function.args, **function.keywords)
    try:
        found = inspect.signature(again).parameters
    except (TypeError, ValueError):
        return None
    left = {k: p for k, p in found.items() if k not in function.keywords}
    head, handed, space = _handed_on(left)
    space["_function"] = again
    name = inner.__name__ if inner.__name__.isidentifier() else "f"
    made = _defined(name, head, f"_function({', '.join(handed)})", space)
    made.__module__, made.__doc__ = inner.__module__, inner.__doc__
    return made


def with_ones(
    function: Callable[..., Any], primal: Callable[..., Any], seed: str
) -> Callable[..., Any] | None:
    """A gradient of an array whose cotangent is ones, as where a call leaves it out.

    before:  def grad_f(x, d_out): ...
    after:   def grad_f(x): return _function(x, d_out=numpy.ones_like(_primal(x)))

    Partial functions have the parameters that are left. None where the primal has others.
    """
    held = getattr(function, "keywords", {})
    found = inspect.signature(function).parameters
    left = {k: p for k, p in found.items() if k != seed and k not in held}
    if list(left) != list(inspect.signature(primal).parameters):
        return None
    head, handed, space = _handed_on(left)
    given = ", ".join(handed)
    space |= {"_function": function, "_primal": primal, "numpy": numpy}
    value = f"_function({given}, {seed}=numpy.ones_like(_primal({given})))"
    inner = getattr(function, "func", function)
    made = _defined(inner.__name__, head, value, space)
    made.__module__, made.__doc__ = primal.__module__, inner.__doc__
    return made


def _handed_on(
    parameters: Mapping[str, inspect.Parameter],
) -> tuple[list[str], list[str], dict[str, Any]]:
    """The head of a function of these parameters, what it hands on, and its defaults."""
    head, handed = [], []
    space: dict[str, Any] = {}
    for name, param in parameters.items():
        if param.kind in (param.VAR_POSITIONAL, param.VAR_KEYWORD):
            star = "*" if param.kind is param.VAR_POSITIONAL else "**"
            head.append(f"{star}{name}")
            handed.append(f"{star}{name}")
            continue
        if param.kind is KEYWORD and not any(one[:1] == "*" for one in head):
            head.append("*")
        shown = name
        if param.default is not param.empty:
            space[f"_default_{name}"] = param.default
            shown = f"{name}=_default_{name}"
        head.append(shown)
        handed.append(f"{name}={name}" if param.kind is KEYWORD else name)
    return head, handed, space


def _parameters(
    rule: Rule, function: Any
) -> tuple[list[str], list[str], dict[str, Any]]:
    """The head of the function, what it hands on, and its defaults by their names.

    An option whose default stands for nothing that a caller could write is one of
    **options, or of *places: handed on where it is given.
    """
    own = {p.var.name.rstrip("_"): p for p in rule.params}
    known = _signature(function)
    order = [n for n in known if n in own] if own.keys() <= known.keys() else list(own)
    head: list[str] = []
    handed: list[str] = []
    values: dict[str, Any] = {}
    starred = options = False
    kinds = {one.kind for one in known.values()}
    by_keyword = VAR_KEYWORD in kinds and VAR_PLACE not in kinds
    for name in order:
        param, real = own[name], known.get(name)
        if param.star:
            starred = True
            head.append(f"*{name}")
            handed.append(f"*{name}")
        elif param.default is None:
            head.append(name)
            handed.append(name)
        elif name not in known and by_keyword:
            options = True
        elif _default(param, real) is NONE_SUCH:
            options = True
            if not values and real is not None and real.kind is EITHER:
                starred = True  # by place, or by keyword
                head.append("*places")
                handed.append("*places")
                break
        else:
            word = f"_default_{name}"
            values[word] = _default(param, real)
            head.append(f"{name}={word}")
            if real is not None and real.kind is KEYWORD and not starred:
                head.insert(len(head) - 1, "*")
                starred = True
            place = real is not None and real.kind is real.POSITIONAL_ONLY
            handed.append(name if place else f"{name}={name}")
    if options:
        head.append("**options")
        handed.append("**options")
    return head, handed, values


def _signature(function: Any) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return {}  # a ufunc's, whose parameters are those of its rule


def _default(param: RuleParam, real: inspect.Parameter | None) -> Any:
    """The default of an option: the rule's, where that says what happens."""
    told = param.default
    if isinstance(told, Const) and told.value is not None:
        return told.value
    if real is None:
        return None if isinstance(told, Const) else NONE_SUCH
    same = real.default is None if isinstance(told, Const) else is_plain(real.default)
    return real.default if same else NONE_SUCH
