"""How many axes parameters have that a function takes apart, or reads entries of.

n, c, height, width = x.shape        x has four
"""

from __future__ import annotations

import gast

TELLING = ("shape", "strides")


def axes_unpacked(node: gast.FunctionDef) -> dict[str, int]:
    """The counts by the names of parameters, where all that is unpacked says one.

    before:  rows, columns = x.shape; sN, sC = np.shape(y)
    after:   {"x": 2, "y": 2}

    A name that is assigned anywhere may be another array by then.
    """
    parameters = {arg.id for arg in (*node.args.args, *node.args.kwonlyargs)}
    names = [part for part in gast.walk(node) if isinstance(part, gast.Name)]
    parameters -= {name.id for name in names if isinstance(name.ctx, gast.Store)}
    found: dict[str, set[int]] = {}
    for part in gast.walk(node):
        if not isinstance(part, gast.Assign) or len(part.targets) != 1:
            continue
        (target,) = part.targets
        name = _read_of(part.value)
        if name in parameters and isinstance(target, (gast.Tuple, gast.List)):
            if not any(isinstance(one, gast.Starred) for one in target.elts):
                found.setdefault(name, set()).add(len(target.elts))
    return {name: min(counts) for name, counts in found.items() if len(counts) == 1}


def axes_indexed(node: gast.FunctionDef) -> dict[str, int]:
    """The counts by the names of parameters, where entries or parts are read of them.

    before:  score = table[tags[t - 1], tags[t]] * mask[t]
    after:   {"table": 2, "tags": 1, "mask": 1}

    New axes are none of the array's, and behind an ellipsis nothing is counted. So are
    axes of which the lengths are read, x.shape[:-1], or along which a function is applied.
    """
    found = _axes_measured(node)
    for part in gast.walk(node):
        if not isinstance(part, gast.Subscript) or not isinstance(
            part.value, gast.Name
        ):
            continue
        key = part.slice
        keys = key.elts if isinstance(key, gast.Tuple) else [key]
        values = [one.value for one in keys if isinstance(one, gast.Constant)]
        if Ellipsis not in values:
            axes = len(keys) - values.count(None)
            found[part.value.id] = max(axes, found.get(part.value.id, 0))
    parameters = {arg.id for arg in (*node.args.args, *node.args.kwonlyargs)}
    return {name: axes for name, axes in found.items() if name in parameters and axes}


def _axes_measured(node: gast.FunctionDef) -> dict[str, int]:
    """The counts by the names of what lengths are read of, or functions applied along.

    before:  np.zeros(x.shape[:-1])     y.shape[2]     np.apply_along_axis(f, 0, z)
    after:   {"x": 2, "y": 3, "z": 2}

    Views by strides are made of any array: a.shape[:-1] + (n, k), a.strides + (s,).
    """
    viewed = {
        getattr(one.value, "id", "")
        for one in gast.walk(node)
        if isinstance(one, gast.Attribute) and one.attr == "strides"
    }
    found: dict[str, int] = {}
    for part in gast.walk(node):
        name, axes = "", 0
        if isinstance(part, gast.Subscript):
            if isinstance(part.slice, gast.Slice) and _read_of(part.value) in viewed:
                continue
            name, axes = _read_of(part.value), _least_axes(part.slice)
        elif isinstance(part, gast.Call):
            if getattr(part.func, "attr", "") == "apply_along_axis":
                told = {one.arg: one.value for one in part.keywords}
                given = dict(zip(("func1d", "axis", "arr"), part.args)) | told
                array, axis = given.get("arr"), given.get("axis")
                name = array.id if isinstance(array, gast.Name) else ""
                axes = max(2, _least_axes(axis))
        if name and axes:
            found[name] = max(axes, found.get(name, 0))
    return found


def _least_axes(key: object) -> int:
    """How many axes an array has at least of which this axis, or all but some, are asked."""
    is_part = isinstance(key, gast.Slice) and key.lower is None and key.step is None
    place = key.upper if isinstance(key, gast.Slice) and is_part else key
    sign = 1
    if isinstance(place, gast.UnaryOp) and isinstance(place.op, gast.USub):
        sign, place = -1, place.operand
    value = place.value if isinstance(place, gast.Constant) else None
    if type(value) is not int:
        return 0
    if is_part:  # x.shape[:-1]
        return value + 1 if sign < 0 else 0
    return value if sign < 0 else value + 1


def axes_compared(node: gast.FunctionDef) -> dict[str, int]:
    """The counts by the names of parameters that a function asks for, the first of each.

    before:  if x.ndim != 2: x = x.reshape(len(x), -1)
    after:   {"x": 2}
    """
    parameters = {arg.id for arg in (*node.args.args, *node.args.kwonlyargs)}
    found: dict[str, int] = {}
    for part in gast.walk(node):
        if not isinstance(part, gast.Compare) or len(part.ops) != 1:
            continue
        right = part.comparators[0]
        name = _counted_of(part.left)
        if name in parameters and isinstance(part.ops[0], (gast.Eq, gast.NotEq)):
            if isinstance(right, gast.Constant) and type(right.value) is int:
                found.setdefault(name, right.value)
    return found


def _counted_of(value: gast.AST) -> str:
    """x of x.ndim, np.ndim(x) and len(x.shape); "" for others."""
    base: object = None
    if isinstance(value, gast.Attribute) and value.attr == "ndim":
        base = value.value
    elif isinstance(value, gast.Call) and len(value.args) == 1 and not value.keywords:
        name = getattr(value.func, "attr", getattr(value.func, "id", ""))
        if name == "len":
            return _read_of(value.args[0])
        base = value.args[0] if name == "ndim" else None
    return base.id if isinstance(base, gast.Name) else ""


def _read_of(value: gast.AST) -> str:
    """x of x.shape, x.strides and np.shape(x); "" for others."""
    base: object = None
    if isinstance(value, gast.Attribute) and value.attr in TELLING:
        base = value.value
    elif isinstance(value, gast.Call) and len(value.args) == 1 and not value.keywords:
        name = getattr(value.func, "attr", getattr(value.func, "id", ""))
        base = value.args[0] if name == "shape" else None
    return base.id if isinstance(base, gast.Name) else ""
