"""Windows that slide along axes: np.lib.stride_tricks.sliding_window_view."""

import numpy as np
from gradgen.rules import d, holomorphic, linear, shape, windowed

module = "numpy.lib.stride_tricks"


@linear("x")
@holomorphic
def sliding_window_view(z, x, window_shape, axis=None, *, subok=False, writeable=False):
    shape[z] = windowed(x, window_shape, axis)
    d[x] = _from_windows(d[z], np.shape(x), axis)
