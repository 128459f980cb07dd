"""Functions of other libraries that compute what functions of NumPy compute.

bottleneck.nanmean(x, axis=0)       np.nanmean(x, axis=0)
bottleneck.nanstd(x, 0, 1)          np.nanstd(x, 0, ddof=1)
pandas.isnull(x)                    np.isnan(x)
pandas.api.types.is_scalar(x)       np.isscalar(x)
cmath.asin(x)                       np.arcsin(complex(x))
"""

from __future__ import annotations

import sys
from typing import Any

import gast
import numpy

from gradgen.frontend.lowering.held import Held
from gradgen.ir.nodes import Const

BOTTLENECK = (
    "nansum nanmean nanstd nanvar nanmin nanmax nanmedian median nanargmin nanargmax"
).split()
# what the third argument is, which with NumPy's is a dtype
THIRD = {"nanstd": "ddof", "nanvar": "ddof"}


# functions of complex numbers, and what NumPy calls them
OF_COMPLEX = dict(
    zip(words := "sqrt exp log log10 sin cos tan sinh cosh tanh".split(), words)
)
OF_COMPLEX |= {f"a{word}": f"arc{word}" for word in words[4:]}
OF_COMPLEX["phase"] = "angle"


def as_numpys(value: object, node: gast.Call) -> gast.Call:
    """The call of NumPy's that a call of another library is; others as they are."""
    name = getattr(value, "__name__", "")
    if name in BOTTLENECK and _has("bottleneck", name, value):
        return _of_bottleneck(name, node)
    plain = len(node.args) == 1 and not node.keywords
    if name in ("isna", "isnull") and _has("pandas", name, value) and plain:
        return _called(numpy.isnan, node, node.args, [])
    if name in ("notna", "notnull") and _has("pandas", name, value) and plain:
        asked = _called(numpy.isnan, node, node.args, [])
        return _called(numpy.logical_not, node, [asked], [])
    if name == "is_scalar" and _has("pandas.api.types", name, value) and plain:
        if not _is_none(node.args[0]):
            return _called(numpy.isscalar, node, node.args, [])
    if name in OF_COMPLEX and _has("cmath", name, value) and plain:
        given = _called(complex, node, node.args, [])
        return _called(getattr(numpy, OF_COMPLEX[name]), node, [given], [])
    return node


def _of_bottleneck(name: str, node: gast.Call) -> gast.Call:
    """The arguments by the names that NumPy's function has for them."""
    args, words = node.args[:2], list(node.keywords)
    if len(node.args) == 3 and name in THIRD:
        words = [*words, gast.keyword(THIRD[name], node.args[2])]
    elif len(node.args) > 2:
        return node
    return _called(getattr(numpy, name), node, args, words)


def _is_none(node: gast.AST) -> bool:
    return isinstance(node, gast.Constant) and node.value is None


def _has(module: str, name: str, value: object) -> bool:
    """Whether a module that is loaded has this object under the name."""
    known = sys.modules.get(module)
    return known is not None and getattr(known, name, None) is value


def _called(
    function: Any, node: gast.Call, args: list[Any], words: list[Any]
) -> gast.Call:
    func = Held(Const(function), node.func)
    return gast.copy_location(gast.Call(func, args, words), node)
