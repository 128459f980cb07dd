"""scipy.fftpack's transforms, which are NumPy's in another spelling."""

module = "scipy.fftpack"


def fft(x, n=None, axis=-1, overwrite_x=False):
    return np.fft.fft(x, n, axis)


def ifft(x, n=None, axis=-1, overwrite_x=False):
    return np.fft.ifft(x, n, axis)


def fft2(x, shape=None, axes=(-2, -1), overwrite_x=False):
    return np.fft.fft2(x, shape, axes)


def ifft2(x, shape=None, axes=(-2, -1), overwrite_x=False):
    return np.fft.ifft2(x, shape, axes)


def fftn(x, shape=None, axes=None, overwrite_x=False):
    return np.fft.fftn(x, shape, axes)


def ifftn(x, shape=None, axes=None, overwrite_x=False):
    return np.fft.ifftn(x, shape, axes)
