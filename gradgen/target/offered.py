"""Which libraries have a function: what `gradgen ops` tells of targets."""

from __future__ import annotations

from gradgen.target.forms import OLDER
from gradgen.target.forms_torch import TORCH_KEYWORDS, TORCH_METHODS
from gradgen.target.links import links
from gradgen.target.table import TARGETS, Target

# the targets with a table, by the letters of `gradgen ops`
LETTERS = {"cupy": "c", "dask": "d", "jax": "j", "torch": "t"}


def lacking(op: str) -> str:
    """The letters of the libraries that have no function for an operation.

    "numpy.polyder" gives "c d t". A function that is written by others there
    (np.vecdot as a sum for cupy) counts as one that the library has.
    """
    return " ".join(
        letter for name, letter in LETTERS.items() if not _offers(TARGETS[name], op)
    )


def _offers(target: Target, op: str) -> bool:
    if op in target.refused:
        return False
    if op in target.always or op in target.forms:
        return True
    if not op.startswith(("numpy.", "scipy.")):
        return True  # Python's own
    name = target.names.get(op, op.removeprefix("numpy."))
    name = name if name not in OLDER or _has(target, name) else OLDER[name]
    torch = target.name == "torch"
    methods = TORCH_METHODS if torch else links(target.table).methods
    return _has(target, name) or name in methods


def _has(target: Target, name: str) -> bool:
    if target.name == "torch":
        return name in TORCH_KEYWORDS
    return links(target.table).has(name)
