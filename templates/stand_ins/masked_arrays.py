"""What is asked of masked arrays, which no text takes: nothing is one."""

module = "numpy.ma.core"


def isMaskedArray(x):
    return False
