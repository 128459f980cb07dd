"""scipy.signal: convolution of arrays of any rank, and linear filters."""

import numpy as np
from gradgen.rules import (
    beyond,
    count,
    d,
    dtype,
    filtered,
    general,
    linear,
    rank,
    refuse,
    same,
    shape,
    t,
    varies,
)
from scipy import signal

module = "scipy.signal"


@linear("in1", "in2")
def convolve(z, in1, in2, mode="full", method="auto"):
    shape[z] = filtered(in1, in2, mode)
    if method != "auto" and method != "direct" and method != "fft":
        d[in1] = refuse(d[z], "signal.convolve with this method", 'method="auto"')
        d[in2] = refuse(d[z], "signal.convolve with this method", 'method="auto"')
    elif rank(in1) != 1:
        d[in1] = signal.correlate(
            _around(d[z], np.shape(in1), np.shape(in2)), in2, mode="valid"
        )
        d[in2] = signal.correlate(
            _around(d[z], np.shape(in1), np.shape(in2)), in1, mode="valid"
        )
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


@linear("in1", "in2")
def fftconvolve(z, in1, in2, mode="full", axes=None):
    shape[z] = filtered(in1, in2, mode)
    if axes is not None:
        d[in1] = refuse(d[z], "fftconvolve with axes=", "signal.convolve of slices")
        d[in2] = refuse(d[z], "fftconvolve with axes=", "signal.convolve of slices")
    else:
        d[in1] = signal.correlate(
            _around(d[z], np.shape(in1), np.shape(in2)), in2, mode="valid"
        )
        d[in2] = signal.correlate(
            _around(d[z], np.shape(in1), np.shape(in2)), in1, mode="valid"
        )


@linear("in1", "in2")
def correlate(z, in1, in2, mode="full", method="auto"):
    shape[z] = filtered(in1, in2, mode)
    d[in1] = signal.convolve(
        _around(d[z], np.shape(in1), np.shape(in2)), in2, mode="valid"
    )
    d[in2] = np.flip(
        signal.correlate(_around(d[z], np.shape(in1), np.shape(in2)), in1, mode="valid")
    )


@general
def lfilter(z, b, a, x, axis=-1):
    shape[z] = same(x)
    if rank(x) is None:
        d[b] = refuse(d[z], "lfilter of an x of unknown rank", "a shape fact")
        d[a] = refuse(d[z], "lfilter of an x of unknown rank", "a shape fact")
        d[x] = refuse(d[z], "lfilter of an x of unknown rank", "a shape fact")
    else:
        # backwards in time; a change of a is a filter of the result
        one = np.ones(1, dtype=dtype(x))
        turned = np.flip(d[z], axis)
        flow = np.flip(signal.lfilter(one, a, turned, axis=beyond(axis, -1)), axis)
        back = signal.lfilter(b, a, turned, axis=beyond(axis, -1))
        d[x] = np.flip(back, axis)
        if rank(b) == 1:
            d[b] = _lagged(flow, x, count(b, 0), axis)
        else:
            d[b] = refuse(d[z], "lfilter of a b that is no vector", "an array")
        if rank(a) == 1:
            d[a] = -_lagged(flow, z, count(a, 0), axis)
        else:
            d[a] = refuse(d[z], "lfilter of an a that is no vector", "an array")
        if varies(t[x]):
            t[z] = signal.lfilter(b, a, t[x], axis=beyond(axis, -1))
        if varies(t[b]):
            t[z] = signal.lfilter(t[b], a, x, axis=beyond(axis, -1))
        if varies(t[a]):
            t[z] = -signal.lfilter(t[a], a, z, axis=beyond(axis, -1))


@linear("data")
def detrend(z, data, axis=-1, type="linear", bp=0):
    shape[z] = same(data)
    d[data] = signal.detrend(d[z], axis=axis, type=type, bp=bp)
