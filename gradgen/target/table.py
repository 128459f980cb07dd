"""The libraries that a gradient can be written for, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from gradgen.frozen import dataclass
from gradgen.ir.library import NUMPY, Library
from gradgen.target.forms import (
    FORMS,
    Form,
    gathered,
    matched,
    stretched_cross,
    weighed,
)
from gradgen.target.forms_torch import TORCH_FORMS, TORCH_NAMES, filled

ELSEWHERE = "--target numpy, whose text runs on the arrays of libraries that dispatch"

# numba counts as NumPy does: no sum in another order, and 1 / 0 is inf
NUMBA = 'numba.njit(cache=True, error_model="numpy")'
# with a look at each index: past the end numba reads what stands there
CHECKED = 'numba.njit(cache=True, boundscheck=True, error_model="numpy")'


@dataclass(frozen=True)
class Target:
    """A library that a text is written for.

    `table` names its links, "" for one of which nothing is known. On a `device` no
    value is read by the host on the way; one that is `lazy` computes when it is asked
    for its numbers. With `entry_views` x[0] of a vector is a view of its memory, and
    not a number of its own. `names` are operations that are called
    otherwise, `forms` other ways to write what is missing, `always` those that are
    asked first, and `refused` what exists under NumPy's name and does something else.
    """

    name: str
    library: Library
    table: str = ""
    device: bool = False
    lazy: bool = False
    entry_views: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    forms: Mapping[str, Form] = field(default_factory=lambda: FORMS)
    always: Mapping[str, Form] = field(default_factory=dict)
    refused: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def compiled(self) -> bool:
        """Whether its functions are compiled, and so their loops are fast."""
        return bool(self.library.decorator)


# of a real matrix NumPy's are real where all of them can be
COMPLEX_PAIRS = {
    f"numpy.linalg.{name}": (
        "its eigenvalues are complex, also where NumPy's are real",
        "np.linalg.eigh of a symmetric matrix",
    )
    for name in ("eig", "eigvals")
}
CUPY_REFUSED = COMPLEX_PAIRS | {
    "numpy.choose": ("its choices are one array there", "np.where"),
    **{
        f"numpy.{name}": ("the other entries lie in another order", "np.sort")
        for name in ("partition", "argpartition")
    },
    "numpy.vectorize": ("a Python function for each entry", "array operations"),
}
DASK_REFUSED = (
    {
        "numpy.linalg.cholesky": (
            "dask gives the upper factor where numpy gives the lower one",
            "scipy.linalg.solve_triangular of a factor that is an argument",
        ),
    }
    | {
        f"numpy.fft.{name}": (
            "a transform needs its whole axis in one chunk",
            "the array in one chunk, and --target numpy",
        )
        for name in (
            "fft fft2 fftn hfft ifft ifft2 ifftn ihfft irfft irfft2 irfftn rfft rfft2 rfftn"
        ).split()
    }
    | {
        f"numpy.{name}": (
            "an order along an axis goes through all chunks",
            "the array in one chunk, and --target numpy",
        )
        for name in (
            "argpartition argsort lexsort median nanmedian nanpercentile nanquantile "
            "partition percentile quantile searchsorted sort sort_complex unique"
        ).split()
    }
)
TORCH_REFUSED = {
    f"numpy.{name}": ("torch's function of this name is another one", ELSEWHERE)
    for name in (
        "median nanmedian sort argsort quantile nanquantile unique histogram gradient "
        "cov corrcoef cross diff split dsplit hsplit vsplit take put inner "
        "repeat tile round std_mean"
    ).split()
}

TARGETS = {
    one.name: one
    for one in (
        Target("numpy", NUMPY),
        Target(
            "cupy",
            Library("cupy", "cp", "cupyx.scipy"),
            table="cupy",
            device=True,
            entry_views=True,
            always={
                "numpy.average": weighed,
                "numpy.linalg.cross": stretched_cross,
                "numpy.linalg.solve": matched,
            },
            refused=CUPY_REFUSED,
        ),
        Target("xp", Library("xp", "xp", given=True, array="")),
        Target(
            "dask",
            Library(methods=(("copy", "copy"),)),
            table="dask",
            lazy=True,
            always={
                "numpy.full_like": filled,
                "numpy.array": gathered,
                "numpy.asarray": gathered,
            },
            refused=DASK_REFUSED,
        ),
        Target(
            "jax",
            Library("jax.numpy", "jnp", "jax.scipy", pure=True),
            table="jax",
            refused=COMPLEX_PAIRS,
        ),
        Target("numba", Library(decorator=NUMBA)),
        Target(
            "torch",
            Library(
                "torch",
                "torch",
                "torch",
                index_put=True,
                array="Tensor",
                methods=(("copy", "clone"), ("astype", "to")),
            ),
            table="torch",
            entry_views=True,
            names=TORCH_NAMES,
            always=TORCH_FORMS,
            refused=TORCH_REFUSED,
        ),
    )
}


def without_cache(text: str) -> str:
    """The text as one that leaves no files: numba's cache lies beside a file.

    before:  @numba.njit(cache=True, error_model="numpy")
    after:   @numba.njit(error_model="numpy")
    """
    return text.replace("njit(cache=True, ", "njit(")


def target_named(name: str, module: str = "") -> Target:
    """The target of a name; with `module` one for a module like NumPy, untested."""
    if module:
        alias = "np" if module != "numpy" else NUMPY.alias
        return Target(module, Library(module, alias, "scipy"))
    return TARGETS[name]
