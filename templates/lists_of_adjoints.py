"""Operations on lists that gradients are made of, for gradients of gradients."""

from gradgen.rules import (
    array_of,
    constant,
    d,
    fresh,
    holomorphic,
    joined_along,
    linear,
    shape,
)

module = ""


@constant
@holomorphic
def zeros_of(z, xs, depth=1):
    shape[z] = fresh(z)


@linear("x")
@holomorphic
def entries(z, x, depth=1):
    shape[z] = fresh(z)
    d[x] = array_of(d[z])


@linear("x")
@holomorphic
def split_like(z, x, xs, axis=0):
    shape[z] = fresh(z)
    d[x] = joined_along(d[z], axis)


@linear("xs", "ys")
@holomorphic
def added_lists(z, xs, ys, depth=1):
    shape[z] = fresh(z)
    d[xs] = d[z]
    d[ys] = d[z]
