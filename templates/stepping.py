"""Python's numbers beside others."""

from gradgen.rules import d, elementwise

module = "math"


@elementwise
def nextafter(z, x, y):
    d[x] = d[z]  # one step of the last digit
    d[y] = 0 * d[z]
