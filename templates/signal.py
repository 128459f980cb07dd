"""scipy.signal: convolution of vectors."""

import numpy as np
from gradgen.rules import count, d, filtered, linear, rank, refuse, shape

module = "scipy.signal"


@linear("in1", "in2")
def convolve(z, in1, in2, mode="full", method="auto"):
    shape[z] = filtered(in1, in2, mode)
    if rank(in1) != 1 or rank(in2) != 1:
        d[in1] = refuse(d[z], "signal.convolve of arrays not known to be 1-D", "facts")
        d[in2] = refuse(d[z], "signal.convolve of arrays not known to be 1-D", "facts")
    elif method != "auto" and method != "direct":
        d[in1] = refuse(d[z], "signal.convolve with this method", 'method="auto"')
        d[in2] = refuse(d[z], "signal.convolve with this method", 'method="auto"')
    elif mode == "full":
        d[in1] = np.correlate(d[z], in2, "valid")
        d[in2] = np.correlate(d[z], in1, "valid")
    elif mode == "same":
        d[in1] = _signal_adjoint(d[z], in1, in2, (count(in2, 0) - 1) // 2)
        d[in2] = _signal_adjoint(d[z], in2, in1, (count(in2, 0) - 1) // 2)
    else:
        cut = np.minimum(count(in1, 0), count(in2, 0)) - 1
        d[in1] = _signal_adjoint(d[z], in1, in2, cut)
        d[in2] = _signal_adjoint(d[z], in2, in1, cut)
