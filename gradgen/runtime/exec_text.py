"""An emitted text as a function that can be called."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from types import ModuleType
from typing import Any

from gradgen.errors import GradgenError
from gradgen.frontend.source.source import Source
from gradgen.lines import lines_of, text_name
from gradgen.pipeline.emitted import Emitted
from gradgen.runtime.cache import Recent
from gradgen.target.table import without_cache

_recent = Recent()


def compiled(emitted: Emitted, source: Source) -> Callable[..., Any]:
    """The emitted function; its lines show in tracebacks and in pdb.

    What it imports of the primal's module is that of the primal.
    """
    key = emitted.text, emitted.function, id(source.globals)
    made: tuple[Callable[..., Any], object] | None = _recent.get(key)
    if made is not None:
        return made[0]
    file = text_name(emitted.function, emitted.text)
    lines = lines_of(emitted.text, ends=True)
    linecache.cache[file] = (len(emitted.text), None, lines, file)
    namespace: dict[Any, Any] = {"__name__": "gradgen_emitted"}
    with _importable(source):
        text = without_cache(emitted.text)
        exec(compile(text, file, "exec"), namespace)
    function: Callable[..., Any] = namespace[emitted.function]
    if text is not emitted.text:
        function = _telling(function)
    if f"from {source.globals.get('__name__')} import " not in emitted.text:
        # with the table, whose id another one may have once it is gone
        _recent.keep(key, (function, source.globals))
    return function


def _telling(function: Any) -> Callable[..., Any]:
    """A compiled function, whose first call says what numba does not compile."""
    errors: Any = sys.modules["numba"].core.errors

    @wraps(function.py_func)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except (errors.NumbaError, NotImplementedError, AssertionError) as error:
            raise GradgenError(
                "GG714",
                f"numba does not compile the text: {_reason(error, args, kwargs)}",
                advice='target="numpy", or values of one kind and rank under each name',
            ) from None
        except TypeError as error:
            if " dtype than " not in str(error):
                raise
            raise GradgenError(
                "GG714",
                f"the text computes in one dtype: {error}",
                advice='x.astype(y.dtype), or target="numpy"',
            ) from None

    return called


def _reason(error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """What numba says, or the dtypes of a call that it has no one word for."""
    given = (*args, *kwargs.values())
    found = {str(one.dtype) for one in given if getattr(one, "ndim", 0)}
    floating = sorted(one for one in found if one.startswith("float"))
    if len(floating) > 1:
        return f"arguments are arrays of {' and '.join(floating)}"
    lines = [line.strip() for line in lines_of(str(error))]
    said = [one for one in lines if one and not one.startswith("Failed in")]
    return said[0] if said else type(error).__name__


@contextmanager
def _importable(source: Source) -> Iterator[None]:
    """Lets `from module import Name` find the module that the primal stands in."""
    name = source.globals.get("__name__", "__main__")
    known = sys.modules.get(name)
    if known is not None and vars(known) is source.globals:
        yield
        return
    module = ModuleType(name)
    vars(module).update(vars(known) if known is not None else {})
    vars(module).update(source.globals)
    sys.modules[name] = module
    try:
        yield
    finally:
        if known is None:
            del sys.modules[name]
        else:
            sys.modules[name] = known
