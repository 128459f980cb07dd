"""What is asked of masked arrays, which no text takes: nothing is one."""

module = "numpy.ma.core"


def isMaskedArray(x):
    return False


def is_masked(x):
    return False


def getmask(a):
    return np.ma.nomask


def getmaskarray(arr):
    return np.zeros(np.shape(arr), dtype=bool)


def getdata(a, subok=True):
    return np.asarray(a)


def filled(a, fill_value=None):
    return np.asarray(a)
