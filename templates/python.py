"""Operations of Python itself."""

from gradgen.rules import boolean, d, integer, like, linear, named, scalar, shape

module = ""


@integer
@like("dtype")
def len(z, x):
    shape[z] = scalar(z)


@integer
@named("finfo.max", "finfo.min", "finfo.eps", "finfo.tiny")
def limit(z, limits):
    shape[z] = scalar(z)


@boolean
@named("is", "is_not")
def same_object(z, x, y=None):
    shape[z] = scalar(z)


@boolean
@named("not")
def negation(z, x):
    shape[z] = scalar(z)


@integer
def int(z, x):
    shape[z] = scalar(z)


@boolean
def bool(z, x):
    shape[z] = scalar(z)


@linear("x")
def float(z, x):
    shape[z] = scalar(z)
    d[x] = d[z]


@boolean
@named("isinstance", "hasattr", "numpy.issubdtype", "numpy.can_cast", "in", "not_in")
def is_of_kind(z, x, kind):
    shape[z] = scalar(z)


@boolean
@named("callable", "numpy.isscalar", "numpy.iterable")
def has_quality(z, x):
    shape[z] = scalar(z)


@integer
@named("type", "of_dtype")
def kind_of(z, x):
    shape[z] = scalar(z)
