"""The transforms of scipy.fft as those of numpy.fft, which they are.

scipy.fft.fft(x, workers=2)         np.fft.fft(x)
scipy.fft.rfftn(x, axes=(0, 1))     np.fft.rfftn(x, axes=(0, 1))

How many workers there are and whether x may be overwritten changes no value.
"""

from __future__ import annotations

import sys

import gast
import numpy

from gradgen.frontend.lowering.held import Held
from gradgen.ir.nodes import Const

NAMES = (
    "fft ifft fft2 ifft2 fftn ifftn rfft irfft rfft2 irfft2 rfftn irfftn hfft ihfft "
    "fftshift ifftshift fftfreq rfftfreq"
).split()
# how they say it without a value of their own: behind what numpy's have
UNREAD = {"overwrite_x", "workers", "plan"}
ARRAY = {"fftfreq": "n", "rfftfreq": "n"}


def as_of_numpy(value: object, node: gast.Call) -> gast.Call:
    """The call of numpy.fft that a call of scipy.fft is; others as they are."""
    name = getattr(value, "__name__", "")
    scipy = sys.modules.get("scipy.fft")
    if name not in NAMES or scipy is None or getattr(scipy, name, None) is not value:
        return node
    most = 2 if "freq" in name or "shift" in name else 4
    if len(node.args) > most or _overwrites(node):
        return node
    args, words = list(node.args), []
    for word in node.keywords:
        if word.arg == "x" and name not in ARRAY:
            args = [word.value]
        elif word.arg not in UNREAD:
            words.append(word)
    func = Held(Const(getattr(numpy.fft, name)), node.func)
    return gast.copy_location(gast.Call(func, args, words), node)


def _overwrites(node: gast.Call) -> bool:
    """Whether x may be overwritten: what is in it is then not said."""
    return any(
        word.arg == "overwrite_x"
        and not (isinstance(word.value, gast.Constant) and word.value.value is False)
        for word in node.keywords
    )
