"""The words of the rule files, as names only, so that they lint and import.

Nothing in templates/ is executed: `load` reads the files as text and gives the
words their meaning.
"""


# kinds of rules, used as decorators
def elementwise(rule):
    """z[i] depends on the arguments' [i] alone; shapes broadcast."""
    return rule


def linear(*names):
    """z is linear in the arguments named."""
    return lambda rule: rule


def general(rule):
    """Neither elementwise nor linear."""
    return rule


def constant(rule):
    """The derivative is zero; the result is a number like the arguments."""
    return rule


def boolean(rule):
    """The result is true or false."""
    return rule


def integer(rule):
    """The result is an integer, a tuple of them, or a dtype."""
    return rule


def creation(rule):
    """A new array, float64 unless dtype= says otherwise."""
    return rule


def like(*functions):
    """The rule holds for these functions too (same parameters)."""
    return lambda rule: rule


def named(*functions):
    """The rule is for these functions, whose names cannot be defined here."""
    return lambda rule: rule


# tables a rule writes to
d = {}  # d[x] = what flows back to x; d[z] on the right is the result's adjoint
shape = {}  # shape[z] = one of the shape words below


def _word(*arguments):
    raise TypeError("rule files are read by gradgen, not executed")


# decided while emitting
rank = _word  # number of dimensions, or None when unknown
unused = _word  # whether nothing reads one of several results
is_sequence = _word  # whether an argument is a list or tuple written out
only_expands = _word  # whether a key is made of None, : and ... alone
is_number = _word  # whether an argument is a literal number
refuse = _word  # no gradient here: the reason, and what to write instead
inverse = _word  # the inverse of a permutation of axes
contraction = _word  # the adjoint of one operand of an einsum
part = _word  # the slice of d[z] that came from one of several joined arrays
layer = _word  # the entry of d[z] that came from one of several stacked arrays
positions = _word  # 0..n-1 for a sequence argument, to repeat lines for each

# decided by shapes
unexpand = _word  # without the axes that an index by None added
unreduce = _word  # stretched back over the axes that a reduction removed
unbroadcast = _word  # summed over the axes along which an argument was stretched
count = _word  # the number of entries a reduction runs over
nonzero = _word  # a denominator: the guard pass may replace its zeros
dtype = _word  # the dtype of an argument

# shapes of results
same = _word  # same(x): that of x
broadcast = _word  # broadcast(x, y): the common one
reduced = _word  # reduced(x, axis, keepdims)
contracted = _word  # contracted(x1, x2): matmul's
dotted = _word  # dotted(a, b): dot's
innered = _word  # innered(a, b): inner's
paired = _word  # paired(a, b): outer's
summed = _word  # summed(subscripts, operands): einsum's
indexed = _word  # indexed(x, key)
reshaped = _word  # reshaped(x, shape)
flat = _word  # flat(x): one axis
accumulated = _word  # accumulated(x, axis): flat(x) for None, else same(x)
permuted = _word  # permuted(x, axes)
swapped = _word  # swapped(x, axis1, axis2)
expanded = _word  # expanded(x, axis)
squeezed = _word  # squeezed(x, axis)
joined = _word  # joined(arrays, axis)
stacked = _word  # stacked(arrays, axis)
made_of = _word  # made_of(x): np.array's
stretched = _word  # stretched(x, shape): that shape
given = _word  # given(shape): that shape
ranged = _word  # ranged(start, stop, step): arange's
square_of = _word  # square_of(n, m): eye's
lengths = _word  # lengths(x): one entry for each axis of x
scalar = _word  # scalar(z): ()
unknown = _word  # unknown(z): no fact
