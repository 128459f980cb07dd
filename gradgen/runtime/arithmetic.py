"""Emitted functions with NumPy's arithmetic where Python's raises.

A mean of no entries is nan in NumPy, and its gradient is an array of no entries. In a
text it is d_out / len(x), of two Python numbers, which raises ZeroDivisionError. A
function of the library is then computed once more, with each quotient and each power
of its text as NumPy has them; where the primal raises the error as well, it stays.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.runtime.caught import unless_handled

Function = Callable[..., Any]
REFUSED = " have no gradient here"  # so ends what a helper of a text raises
NO_GRADIENT = "no gradient for "


def computed(
    function: Function,
    args: tuple[Any, ...],
    given: Mapping[str, Any],
    primal: Callable[[], Any],
) -> Any:
    """function(*args, **given); `primal()` is what it is a derivative of, at args."""
    with refusals():
        try:
            return function(*args, **given)
        except ZeroDivisionError as error:
            unless_handled(primal, error)  # its own error comes first
            with np.errstate(divide="ignore", invalid="ignore"):
                return as_numpy(function)(*args, **given)


@contextmanager
def refusals() -> Iterator[None]:
    """What a helper of a text refuses while it runs is a GradgenError here."""
    try:
        yield
    except ValueError as error:
        what = str(error).removesuffix(REFUSED)
        if what == str(error):
            raise
        raise GradgenError(
            "GG302", f"{NO_GRADIENT}{what}", advice="arguments without them"
        ) from None


@lru_cache(maxsize=64)
def as_numpy(function: Function) -> Function:
    """The function of the same text, in which a / 0 is inf or nan."""
    file = function.__code__.co_filename
    text = "".join(linecache.getlines(file))
    if not text:
        return function
    tree = _Quotients().visit(ast.parse(text))
    # what the text imports is among its names
    imports = (ast.Import, ast.ImportFrom)
    tree.body = [line for line in tree.body if not isinstance(line, imports)]
    ast.fix_missing_locations(tree)
    names = {**function.__globals__, "_quotient": quotient, "_power": power}
    exec(compile(tree, file, "exec"), names)
    made: Function = names[function.__name__]
    return made


class _Quotients(ast.NodeTransformer):
    """before:  d_x = np.full_like(x, d_out / x.size)
    after:   d_x = np.full_like(x, _quotient(d_out, x.size))
    """

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        name = {ast.Div: "_quotient", ast.Pow: "_power"}.get(type(node.op))
        if name is None:
            return node
        called = ast.Name(name, ast.Load())
        return ast.Call(called, [node.left, node.right], [])


def quotient(a: Any, b: Any) -> Any:
    """a / b; of Python numbers a Python number, inf or nan where b is 0."""
    try:
        return a / b
    except ZeroDivisionError:
        return np.true_divide(a, b).item()


def power(a: Any, b: Any) -> Any:
    """a ** b, and inf for 0 to a negative power."""
    try:
        return a**b
    except ZeroDivisionError:
        return np.power(float(a), b).item()
