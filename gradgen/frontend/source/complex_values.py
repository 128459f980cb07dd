"""Which defaults, and which parts of them, are complex numbers."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any

import numpy

from gradgen.ir.nodes import Param

# what has attributes that are no parts of it
NO_PARTS = (type, types.ModuleType, types.FunctionType, types.MethodType)


def has_complex(value: object, around: tuple[int, ...] = ()) -> bool:
    """Whether a value is complex, or a container or an object that holds such a one.

    1 + 2j, np.array([0.5j, 1.0]), (1 + 2j, 0.5), {"c": 2j}. What holds itself has been
    gone through: `around` is what a part stands in.
    """
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return value.dtype.kind == "c"
    if isinstance(value, complex) or value is None or isinstance(value, NO_PARTS):
        return isinstance(value, complex)
    if isinstance(value, Mapping):
        parts = list(value.values())
    elif isinstance(value, (tuple, list)):
        parts = list(value)
    else:
        parts = list(getattr(value, "__dict__", {}).values())
    own = (*around, id(value))
    return any(has_complex(one, own) for one in parts if id(one) not in own)


def is_complex_by_default(param: Param, defaults: Mapping[Any, Any]) -> bool:
    """Whether what a parameter is by its default is complex, of a leaf what stands there.

    before:  def f(x, c=1 + 2j, w=(0.5, 2j)):       c, w[1]
    """
    value: Any = defaults.get(param.bundle or param.var.name)
    for structure, key in param.path:
        try:
            value = getattr(value, key) if structure.is_record else value[key]
        except (AttributeError, LookupError, TypeError):
            return False  # another one is given: --shape w="[n, n]"
    is_whole = not param.bundle or bool(param.path)
    return is_whole and has_complex(value)
