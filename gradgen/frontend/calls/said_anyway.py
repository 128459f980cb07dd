"""Arguments that say what a function does anyway, where its rule does not know them."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.rules.rule import Rule

# values that are told from all others by their type and themselves
PLAIN = (bool, int, float, str, type(None))

# NumPy has one device, and no array is of a class of its own
IDLE = (
    ("device", Const(None)),
    ("device", Const("cpu")),
    ("subok", Const(False)),
    ("subok", Const(True)),
)
# in a call it discards all, though a rule says so of a mask that is left out
NO_MASK = ("where", Const(None))


def without_idle(value: Apply) -> Apply:
    """Without device="cpu" and subok=, which change nothing; a mask of None is False.

    before:  np.ones_like(x, subok=False), np.sum(x, where=None)
    after:   np.ones_like(x), np.sum(x, where=False)
    """
    if not any(one in IDLE or one == NO_MASK for one in value.kwargs):
        return value
    named = (one for one in value.kwargs if one not in IDLE)
    kwargs = tuple(("where", Const(False)) if one == NO_MASK else one for one in named)
    return replace(value, kwargs=kwargs)


def without_defaults(value: Apply, rule: Rule, known: Callable[[Expr], Expr]) -> Apply:
    """The operation without what its rule has no word for, given as it is left out.

    before:  np.median(x, overwrite_input=False), np.eye(3, order="C"),
             np.clip(x, 0, 1, None)
    after:   np.median(x), np.eye(3), np.clip(x, 0, 1)
    """
    taken = [param for param in rule.params if not param.keyword_only]
    most = len(value.args) if any(p.star for p in taken) else len(taken)
    words = [word for word, _ in value.kwargs if word not in rule.by_name]
    if not words and len(value.args) <= most:
        return value
    defaults = _defaults(value.op)
    names = list(defaults)
    beyond = list(zip(names[most:], value.args[most:]))
    idle = {
        word
        for word, given in value.kwargs
        if word in words and _is_left_out(known(given), defaults.get(word))
    }
    args = value.args
    if beyond and len(names) >= len(args):
        if all(_is_left_out(known(given), defaults[name]) for name, given in beyond):
            args = args[:most]
    kwargs = tuple(pair for pair in value.kwargs if pair[0] not in idle)
    return Apply(value.op, args, kwargs, value.spelling)


def _is_left_out(given: Expr, default: object) -> bool:
    """Whether an argument is what the function takes where it is left out."""
    if not isinstance(given, Const) or type(given.value) not in PLAIN:
        return False
    return type(given.value) is type(default) and given.value == default


@functools.cache
def _defaults(op: str) -> dict[str, object]:
    """The parameters of a function of NumPy's or SciPy's with what they are left out as."""
    module, _, name = op.rpartition(".")
    function = getattr(sys.modules.get(module), name, None)
    try:
        parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return {}
    return {one.name: one.default for one in parameters}
