"""Instances of the module that a function stores into, as arguments that are left out.

A function may read what is around it; what it stores there belongs to its arguments.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import types
from collections.abc import Callable, Iterable
from typing import Any

from gradgen.errors import GradgenError
from gradgen.frontend.source.holding import attributes_of
from gradgen.lines import dedented, lines_of, text_name
from gradgen.runtime.as_lists import AsLists
from gradgen.runtime.attributes import is_object
from gradgen.runtime.cyclic import refuse_cyclic

# a derivative, and the arguments of a call of it
Call = tuple[Any, tuple[Any, ...], dict[str, Any]]
# the refusal to store into an instance that is no argument
STORED = "GG230"


class Around(AsLists):
    """What a dispatcher knows of the instances around its function."""

    _positional: tuple[str, ...]

    def _start_by_signature(self) -> None:
        super()._start_by_signature()
        # the derivative that takes the instances under these names as arguments
        self._handed: Any = None
        self._handed_names: tuple[str, ...] = ()

    def _other(self, args: Any, kwargs: dict[str, Any], split: int) -> Call | None:
        for name, value in (*zip(self._positional, args), *kwargs.items()):
            refuse_cyclic(name, value)
        if self._handed is None:
            return super()._other(args, kwargs, split)
        self._latest = self._handed
        around = self.primal.__globals__
        more = {name: around[name] for name in self._handed_names}
        given = [*args, *kwargs.values(), *more.values()]
        if _are_shared(given):
            return super()._other(args, kwargs, split)  # one of them is another as well
        return self._handed, args, kwargs | more

    def _handing(self, error: Exception, args: Any, kwargs: Any, split: int) -> Call:
        """The call that hands them over. Raises the error where that is no help."""
        problems = error.problems if isinstance(error, GradgenError) else ()
        names = instances_around(self.primal)
        stores = any(one.code == STORED for one in problems)
        function = with_arguments(self.primal, names) if names and stores else None
        if self.remake is None or function is None:
            raise error
        self._handed_names, self._handed = names, self.remake(function)
        found = self._other(args, kwargs, split)
        try:
            if found is None or found[0] is not self._handed:
                raise error
            found[0].specialize(*args[: max(split, 0)], **found[2])
        except GradgenError:
            self._handed = None
            raise error from None
        return found


def _are_shared(values: Iterable[Any]) -> bool:
    """Whether an object or a list that two values hold is one.

    before:  f(x, net), where f reads the net of its module as well
    after:   True: what is stored in the one is in the other
    """
    seen: set[int] = set()
    for value in values:
        own: set[int] = set()
        _note(value, own)
        if own & seen:
            return True
        seen |= own
    return False


def _note(value: Any, seen: set[int]) -> None:
    """Notes the objects and containers that a value is made of."""
    if isinstance(value, (dict, list, tuple)):
        parts = list(value.values() if isinstance(value, dict) else value)
    elif is_object(value):
        parts = [one for _, one in attributes_of(value)]
    else:
        return
    if id(value) in seen or isinstance(value, tuple) and not parts:
        return
    seen.add(id(value))
    for part in parts:
        _note(part, seen)


def instances_around(function: Any) -> tuple[str, ...]:
    """The names of its module by which a function reads instances."""
    around = function.__globals__
    names = dict.fromkeys(function.__code__.co_names)
    return tuple(name for name in names if is_object(around.get(name)))


def with_arguments(function: Any, names: tuple[str, ...]) -> Callable[..., Any] | None:
    """The function with names of its module as arguments, by keyword.

    before:  def loss(x):
                 return np.sum(net.forward(x) ** 2)
    after:   def loss(x, *, net=net):
                 return np.sum(net.forward(x) ** 2)
    """
    try:
        node = ast.parse(dedented(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    if not isinstance(node, ast.FunctionDef) or function.__closure__:
        return None
    node.decorator_list = []
    for name in names:
        node.args.kwonlyargs.append(ast.arg(name))
        node.args.kw_defaults.append(ast.Name(name, ast.Load()))
    text = ast.unparse(node) + "\n"
    file = text_name(node.name, text)
    linecache.cache[file] = len(text), None, lines_of(text, ends=True), file
    constants = compile(text, file, "exec").co_consts
    code = next(one for one in constants if isinstance(one, types.CodeType))
    around = function.__globals__
    made = types.FunctionType(code, around, node.name, function.__defaults__)
    made.__kwdefaults__ = (function.__kwdefaults__ or {}) | {
        n: around[n] for n in names
    }
    made.__annotations__ = dict(function.__annotations__)
    made.__module__, made.__doc__ = function.__module__, function.__doc__
    made.__qualname__ = function.__qualname__
    return made
