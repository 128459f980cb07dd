"""The ranks and lengths that every run of a function asks for, and raises without."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from gradgen.ir.nodes import Apply, Branch, Const, Effect, Expr, Let, Ref, Stmt, Var
from gradgen.ir.walk import raises


# the norms that matrices have
OF_MATRICES = (Const("fro"), Const("nuc"))


def asked_ranks(body: Iterable[Stmt]) -> Iterator[tuple[Var, int]]:
    """The variables whose rank every run asks for, and raises where it is another.

    before:  n, d = X.shape          assert Y.ndim == 1        np.linalg.norm(Z, "fro")
    after:   (X, 2)                  (Y, 1)                    (Z, 2)
    """
    values: dict[Var, Expr] = {}
    for stmt in body:
        if isinstance(stmt, Let):
            values[stmt.var] = stmt.value
            yield from _of_matrices(stmt.value)
        elif isinstance(stmt, Branch) and raises(stmt.then) and not stmt.orelse:
            yield from _asked(stmt.test, "numpy.not_equal", values)
        elif isinstance(stmt, Effect) and isinstance(stmt.value, Apply):
            if stmt.value.op == "assert":
                yield from _asked(stmt.value.args[0], "numpy.equal", values)


def _of_matrices(value: Expr) -> Iterator[tuple[Var, int]]:
    """What a norm is taken of that matrices have."""
    if (
        not isinstance(value, Apply)
        or value.op != "numpy.linalg.norm"
        or not value.args
    ):
        return
    given = (*value.args[1:2], *(one for name, one in value.kwargs if name == "ord"))
    if any(one in OF_MATRICES for one in given) and isinstance(value.args[0], Ref):
        if "axis" not in dict(value.kwargs) and len(value.args) < 3:
            yield value.args[0].var, 2


def asked_axes(body: Iterable[Stmt], behind: bool = True) -> Iterator[tuple[Var, int]]:
    """The variables of which lengths are read, with how many axes they have at least.

    So does what is read from `behind`, x.shape[-2], which stacks have as well.

    before:  n, m = X.shape[0], X.shape[1]        after:   (X, 2)
    """
    values = {stmt.var: stmt.value for stmt in body if isinstance(stmt, Let)}
    for value in values.values():
        if not isinstance(value, Apply) or value.op != "getitem":
            continue
        shape, place = value.args[:2]
        while isinstance(shape, Ref) and shape.var in values:
            shape = values[shape.var]
        axis = getattr(place, "value", None)
        if getattr(shape, "op", "") != "numpy.shape" or type(axis) is not int:
            continue
        whole = getattr(shape, "args")[0]
        if isinstance(whole, Ref) and (behind or axis >= 0):
            yield whole.var, axis + 1 if axis >= 0 else -axis


def _asked(
    test: Expr, comparison: str, values: Mapping[Var, Expr]
) -> Iterator[tuple[Var, int]]:
    while isinstance(test, Ref) and test.var in values:
        test = values[test.var]
    if not isinstance(test, Apply) or test.op != comparison:
        return
    left, right = test.args
    while isinstance(left, Ref) and left.var in values:
        left = values[left.var]
    if not isinstance(right, Const) or type(right.value) is not int:
        return
    if isinstance(left, Apply) and left.op == "len":
        left = left.args[0]
        while isinstance(left, Ref) and left.var in values:
            left = values[left.var]
        if not isinstance(left, Apply) or left.op != "numpy.shape":
            return
    elif not isinstance(left, Apply) or left.op != "numpy.ndim":
        return
    if isinstance(left.args[0], Ref):
        yield left.args[0].var, right.value


def asked_lengths(body: Iterable[Stmt]) -> Iterator[tuple[Var, int]]:
    """The variables whose length every run asks for, and raises where it is another.

    before:  a, b, c = x
    after:   (x, 3)
    """
    made: dict[Expr, Expr] = {}
    for stmt in body:
        if isinstance(stmt, Let):
            made[Ref(stmt.var)] = stmt.value
        if isinstance(stmt, Branch) and raises(stmt.then) and not stmt.orelse:
            test = made.get(stmt.test, stmt.test)
            if isinstance(test, Apply) and test.op == "numpy.not_equal":
                length, number = test.args
                if isinstance(length, Apply) and length.op == "len":
                    of, wanted = length.args[0], getattr(number, "value", None)
                    if isinstance(of, Ref) and type(wanted) is int:
                        yield of.var, wanted
