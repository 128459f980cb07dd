"""Axes that are told to be of one length, which the text compares."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Function, Ref, Var
from gradgen.facts.lengths import size_of
from gradgen.ir.operators import getitem
from gradgen.ir.walk import reads
from gradgen.shapes.dims import Dim
from gradgen.shapes.shape import Shape, show_dims


@dataclass(frozen=True)
class Compared:
    """Tests that are true where axes differ, and the arguments as a message names them."""

    tests: tuple[Expr, ...] = ()
    names: tuple[str, ...] = ()


def compared(
    primal: Function, letters: Collection[str], shapes: Mapping[str, Shape]
) -> Compared:
    """The tests whether axes of one of these letters differ in length.

    `shapes` are those that arguments are told to have, by name.

    So is a length that is made of them: 4 * k of gates (n, 4*k), and one of the
    numbers among the letters. Where nothing has k entries, it is asked for a rest. What
    may be left out, and is None then, is compared where it is given.

    before:  a = a[:, None] + moves         # a (m), moves (m, m), letters m
    after:   if moves.shape != (len(a), len(a)):
                 raise ValueError("expected a (m), moves (m, m)")
             a = a[:, None] + moves
    """
    first: dict[str, Expr] = {}
    tests: list[Expr] = []
    names = []
    given = [param for param in primal.params if param.label in shapes and letters]
    given.sort(key=lambda param: param.default == "None")
    left_out = [param.var for param in given if param.default == "None"]
    axes = {param.var: shapes[param.label].dims or () for param in given}
    for var, dims in axes.items():
        for i, dim in enumerate(dims):
            if dim.symbol:
                first.setdefault(dim.symbol, length_along(var, i))
    for param in given:
        dims = axes[param.var]
        differ: list[tuple[Expr, Expr]] = []
        for i, dim in enumerate(dims):
            told = bool(dim.names) and dim.names & set(letters) == dim.names
            one = length_along(param.var, i)
            if dim.number is not None and str(dim.number) in letters:
                differ.append((one, Const(dim.number)))
            elif (
                told and dim.names <= first.keys() and first.get(str(dim.symbol)) != one
            ):
                differ.append((one, size_of(dim, first.__getitem__)))
            elif told and (step := _multiple(dim)):
                rest = Apply("numpy.remainder", (one, Const(step)), (), "operator")
                differ.append((rest, Const(0)))
        if any({*dim.names, str(dim.number)} & set(letters) for dim in dims):
            names.append(f"{param.label} {show_dims(dims)}")
        if len(differ) == len(dims) > 1 and Const(0) not in (x for _, x in differ):
            differ = [(_shape(param.var), Apply("tuple", tuple(x for _, x in differ)))]
        unequal = [Apply("numpy.not_equal", both, (), "operator") for both in differ]
        tests += [_where_given(test, left_out) for test in unequal]
    return Compared(tuple(tests), tuple(names)) if tests else Compared()


def _where_given(test: Expr, left_out: Collection[Var]) -> Expr:
    """The test, where the arguments that it reads are not None."""
    for var in reversed([one for one in left_out if one in set(reads(test))]):
        is_given = Apply("is_not", (Ref(var), Const(None)), (), "operator")
        test = Apply("and", (is_given, test), (), "operator")
    return test


def _multiple(dim: Dim) -> int:
    """4 of 4 * k; 0 of another length."""
    ((_, factor),) = dim.terms if len(dim.terms) == 1 else (((), 0),)
    return factor if factor > 1 and len(dim.names) == 1 else 0


def _shape(var: Var) -> Expr:
    return Apply("numpy.shape", (Ref(var),), (), "attribute:shape")


def length_along(var: Var, axis: int) -> Expr:
    """len(x), or x.shape[1]."""
    if axis == 0:
        return Apply("len", (Ref(var),), (), "name:len")
    return getitem(_shape(var), axis)
