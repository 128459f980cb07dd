"""Operations of Python itself."""

from gradgen.rules import boolean, d, integer, like, linear, scalar, shape

module = ""


@integer
@like("dtype")
def len(z, x):
    shape[z] = scalar(z)


@boolean
@like("is", "is_not")
def truth(z, x, y=None):
    shape[z] = scalar(z)


@boolean
@like("not")
def negation(z, x):
    shape[z] = scalar(z)


@linear("x")
def float(z, x):
    shape[z] = scalar(z)
    d[x] = d[z]
