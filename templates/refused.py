"""Functions without a derivative, with the reason and what to write instead."""

from gradgen.rules import like, named, refused


@refused("it changes an array in place", "np.where, np.concatenate or np.stack")
@like("put", "place", "putmask", "copyto")
def put_along_axis(z, arr, indices, values, axis):
    pass


@refused("it calls functions that are given as values", "np.where or np.select")
@like("fromfunction")
def apply_over_axes(z, *args):
    pass


@refused("how many entries it has depends on values", "its result as an argument")
@like("intersect1d", "setdiff1d", "setxor1d")
def union1d(z, *args):
    pass


@refused("random numbers are no function of the arguments", "the draws as an argument")
@named(
    "random.rand",
    "random.randn",
    "random.random",
    "random.normal",
    "random.uniform",
    "random.standard_normal",
    "random.randint",
    "random.choice",
    "random.permutation",
    "random.default_rng",
)
def draw(z, *args):
    pass
