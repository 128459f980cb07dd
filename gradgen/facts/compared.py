"""Axes that are told to be of one length, which the text compares."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Expr, Function, Ref, Var
from gradgen.ir.operators import getitem
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

    before:  a = a[:, None] + moves         # a (m), moves (m, m), letters m
    after:   if moves.shape != (len(a), len(a)):
                 raise ValueError("expected a (m), moves (m, m)")
             a = a[:, None] + moves
    """
    first: dict[str, Expr] = {}
    tests: list[Expr] = []
    names = []
    for param in primal.params if letters else ():
        dims = shapes[param.label].dims if param.label in shapes else None
        words = [dim.symbol or "" for dim in dims or ()]
        own = [_length(param.var, i) for i in range(len(words))]
        differ = [
            (one, first[word])
            for one, word in zip(own, words)
            if word in letters and first.setdefault(word, one) != one
        ]
        if set(words) & set(letters):
            names.append(f"{param.label} {show_dims(dims or ())}")
        if len(differ) == len(words) > 1:
            differ = [(_shape(param.var), Apply("tuple", tuple(x for _, x in differ)))]
        tests += [Apply("numpy.not_equal", both, (), "operator") for both in differ]
    return Compared(tuple(tests), tuple(names)) if tests else Compared()


def _shape(var: Var) -> Expr:
    return Apply("numpy.shape", (Ref(var),), (), "attribute:shape")


def _length(var: Var, axis: int) -> Expr:
    """len(x), or x.shape[1]."""
    if axis == 0:
        return Apply("len", (Ref(var),), (), "name:len")
    return getitem(_shape(var), axis)
