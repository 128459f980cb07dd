"""What a function itself calls the lengths of its arguments' axes."""

from __future__ import annotations

import gast

Axis = tuple[str, int]


def axis_names(node: gast.FunctionDef) -> dict[Axis, str]:
    """The names of axes by argument and place, from the statements that unpack shapes.

    before:  n, d = X.shape
             k = len(Y)
    after:   {("X", 0): "n", ("X", 1): "d", ("Y", 0): "k"}

    A name that is given twice names the first axis alone, and only what every run
    of the function reaches is read.
    """
    found: dict[Axis, str] = {}
    arguments = {arg.id for arg in node.args.args + node.args.kwonlyargs}
    for stmt in node.body:
        if not isinstance(stmt, gast.Assign) or len(stmt.targets) != 1:
            continue
        target = stmt.targets[0]
        for axis, name in _named(target, stmt.value):
            if axis[0] in arguments and name not in (*found.values(), "_", *arguments):
                found.setdefault(axis, name)
    return found


def _named(target: gast.AST, value: gast.AST) -> list[tuple[Axis, str]]:
    """The axes that an assignment names."""
    if isinstance(target, gast.Tuple):
        array = _shape_of(value)
        names = [getattr(one, "id", None) for one in target.elts]
        if array is None or None in names:
            return []
        return [((array, i), str(name)) for i, name in enumerate(names)]
    if not isinstance(target, gast.Name):
        return []
    if _is_call(value, "len") and isinstance(value.args[0], gast.Name):
        return [((value.args[0].id, 0), target.id)]
    if isinstance(value, gast.Subscript) and isinstance(value.slice, gast.Constant):
        array, place = _shape_of(value.value), value.slice.value
        if array is not None and type(place) is int and place >= 0:
            return [((array, place), target.id)]
    return []


def _shape_of(node: gast.AST) -> str | None:
    """The name whose shape an expression is: X.shape, np.shape(X)."""
    if isinstance(node, gast.Attribute) and node.attr == "shape":
        return getattr(node.value, "id", None)
    if isinstance(node, gast.Call) and getattr(node.func, "attr", "") == "shape":
        return getattr(node.args[0], "id", None) if len(node.args) == 1 else None
    return None


def _is_call(node: gast.AST, name: str) -> bool:
    called = isinstance(node, gast.Call) and getattr(node.func, "id", "") == name
    return called and len(node.args) == 1


# parameters of NumPy's that name axes or count parts, and are constants nearly always
AXES = (
    *("axis", "axes", "axis1", "axis2", "source", "destination"),
    "indices_or_sections",
)


def names_in_axes(node: gast.AST) -> frozenset[str]:
    """The names that stand in axis=k, or axis=k + 1."""
    given = (
        one.value
        for one in gast.walk(node)
        if isinstance(one, gast.keyword) and one.arg in AXES
    )
    parts = (part for value in given for part in gast.walk(value))
    return frozenset(part.id for part in parts if isinstance(part, gast.Name))


def speaks_of_matrices(node: gast.FunctionDef) -> bool:
    """Whether a function has a product of matrices, or a name of numpy.linalg."""
    return any(
        isinstance(one, gast.MatMult)
        or getattr(one, "attr", "") == "linalg"
        or getattr(one, "id", "") == "linalg"
        for one in gast.walk(node)
    )
