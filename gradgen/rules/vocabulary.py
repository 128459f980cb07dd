"""The words of the rule files, as names only, so that they lint and import.

Nothing in templates/ is executed: `load` reads the files as text and gives the
words their meaning.
"""

from collections.abc import Callable
from typing import Any

_Rule = Callable[..., None]
_Decorator = Callable[[_Rule], _Rule]


# kinds of rules, used as decorators
def elementwise(rule: _Rule) -> _Rule:
    """z[i] depends on the arguments' [i] alone; shapes broadcast."""
    return rule


def linear(*names: str) -> _Decorator:
    """z is linear in the arguments named."""
    return lambda rule: rule


def general(rule: _Rule) -> _Rule:
    """Neither elementwise nor linear."""
    return rule


def constant(rule: _Rule) -> _Rule:
    """The derivative is zero; the result is a number like the arguments."""
    return rule


def boolean(rule: _Rule) -> _Rule:
    """The result is true or false."""
    return rule


def integer(rule: _Rule) -> _Rule:
    """The result is an integer, a tuple of them, or a dtype."""
    return rule


def creation(rule: _Rule) -> _Rule:
    """A new array, float64 unless dtype= says otherwise."""
    return rule


def refused(reason: str, instead: str) -> _Decorator:
    """No derivative: the reason, and what to write instead."""
    return lambda rule: rule


def like(*functions: str) -> _Decorator:
    """The rule holds for these functions too (same parameters)."""
    return lambda rule: rule


def named(*functions: str) -> _Decorator:
    """The rule is for these functions, whose names cannot be defined here."""
    return lambda rule: rule


# what a rule does with complex arguments; without one of these it refuses them
def holomorphic(rule: _Rule) -> _Rule:
    """It holds for them as it stands; the result is complex where one of them is."""
    return rule


def to_real(rule: _Rule) -> _Rule:
    """The result is real; is_complex(x) tells the forms apart."""
    return rule


def to_complex(rule: _Rule) -> _Rule:
    """The result is complex, also that of real arguments."""
    return rule


def from_real(rule: _Rule) -> _Rule:
    """The result is complex, and the arguments are real."""
    return rule


# tables a rule writes to
d: dict[
    Any, Any
] = {}  # d[x] = what flows back to x; d[z] on the right is the result's adjoint
t: dict[Any, Any] = {}  # t[z] = the tangent of z, from those of the arguments: t[x]
shape: dict[Any, Any] = {}  # shape[z] = one of the shape words below


def _word(*arguments: Any) -> None:
    raise TypeError("rule files are read by gradgen, not executed")


# decided while emitting
rank = _word  # number of dimensions, or None when unknown
unused = _word  # whether nothing reads one of several results
is_sequence = _word  # whether an argument is a list or tuple written out
count_of = _word  # how many entries a list or tuple written out has
is_flat = _word  # whether x is a list or tuple, written out, of no lists
is_slice = _word  # whether an argument is a slice written out
only_expands = _word  # whether a key is made of None, : and ... alone
is_complex = _word  # whether an argument is complex
is_mask = _word  # whether an argument is known to hold bools
may_be_mask = _word  # whether nothing tells that an argument holds no bools
is_square = _word  # whether the last two axes are known to be equally long
is_number = _word  # whether an argument is a literal number
varies = _word  # varies(t[x]): whether that tangent is more than zeros
refuse = _word  # no gradient here: the reason, and what to write instead
never = _word  # the same in a linear rule, where the function is not linear
inverse = _word  # the inverse of a permutation of axes
contraction = _word  # the adjoint of one operand of an einsum
part = _word  # the slice of d[z] that came from one of several joined arrays
layer = _word  # the entry of d[z] that came from one of several stacked arrays
positions = _word  # 0..n-1 for a sequence argument, to repeat lines for each
either = _word  # either(x, default): x, or the default where x is None
integers = _word  # integers(x): x as integers of 64 bits, or x where it is a literal
truncated = _word  # truncated(x): np.trunc(x), or x where that is a whole literal
integral = _word  # whether a literal dtype is one of integers or booleans
floats = _word  # x of floats: as NumPy has it where it makes floats of integers first
as_array = _word  # np.array(x) of a list that is written out, else x
selected = _word  # selected(mask, g): 0 where the mask is false; None is no mask
both = _word  # both(condition, mask): the two masks together; None is no mask
others = _word  # others(x, axis): the axes of x but that one
rising = _word  # rising(x, axis): whether these axes of x are in order
at = _word  # at(x, axis, i): the key of entry i along axis
between = _word  # between(x, axis, start, stop, step): the key of a slice along axis
widths = _word  # widths(x, axis, n): np.pad's for n entries at both ends of an axis
before = _word  # before(whole, prepend, axis): the part of diff's prepend
amid = _word  # amid(whole, prepend, a, append, axis, n): that of a
behind = _word  # behind(whole, prepend, a, append, axis): that of append
small = _word  # d[z], perhaps smaller: where numpy stretches it anyway
first_true = _word  # first_true(masks, i): where masks[i] is the first that is true
any_true = _word  # any_true(masks): where one of them is true

# decided by shapes
longer = _word  # the adjoints of a list, and zeros for one more
emptied = _word  # the adjoints of a list with zeros at an entry
popped = _word  # the adjoints of a list without the last
entries = _word  # an array as the list of its entries along the first axis
read_back = _word  # read_back(d[z], key, value): the adjoint of what was stored at key
split_like = _word  # an array as the list of its parts, as long as those of xs
array_of = _word  # a list of adjoints of one shape as one array
joined_along = _word  # joined_along(d[z], axis): a list of adjoints, end to end
rows = _word  # rows(xs): the entries of a list, one above the other
end_to_end = _word  # end_to_end(xs, axis): the entries of a list, joined along axis
fresh = _word  # a shape that nothing is known of
cleared = _word  # with zeros where a store went
unexpand = _word  # without the axes that an index by None added
unreduce = _word  # stretched back over the axes that a reduction removed
unbroadcast = _word  # summed over the axes along which an argument was stretched
count = _word  # the number of entries a reduction runs over
nonzero = _word  # a denominator: the guard pass may replace its zeros
dtype = _word  # the dtype of an argument
own_line = _word  # own_line(x): x, which keeps the line and name that it has here
conj = _word  # conj(x): the conjugate of x, which is x where that is real

# shapes of results
same = _word  # same(x): that of x
broadcast = _word  # broadcast(x, y): the common one
reduced = _word  # reduced(x, axis, keepdims)
reduced_rows = _word  # the same of a function that takes a number for one entry
squeezed_rows = _word  # squeezed_rows(x, row): one number for each row, () for one row
contracted = _word  # contracted(x1, x2): matmul's
dotted = _word  # dotted(a, b): dot's
innered = _word  # innered(a, b): inner's
paired = _word  # paired(a, b): outer's
summed = _word  # summed(subscripts, operands): einsum's
indexed = _word  # indexed(x, key)
reshaped = _word  # reshaped(x, shape)
flat = _word  # flat(x): one axis
key_of = _word  # key_of(keys): of several, or of the rows of an array
# accumulated(x, axis): flat(x) for None, else same(x); of a number too: (x, axis, True)
accumulated = _word
permuted = _word  # permuted(x, axes)
swapped = _word  # swapped(x, axis1, axis2)
expanded = _word  # expanded(x, axis)
squeezed = _word  # squeezed(x, axis)
joined = _word  # joined(arrays, axis)
stacked = _word  # stacked(arrays, axis)
made_of = _word  # made_of(x): np.array's
made_with_an_axis = _word  # made_with_an_axis(x): np.ascontiguousarray's
stretched = _word  # stretched(x, shape): that shape
given = _word  # given(shape): that shape
lengths_of_all = _word  # lengths_of_all(args): of broadcast_shapes
rows_of_slopes = _word  # rows_of_slopes(n, m, x, most): behind an axis of most + 1
gridded = _word  # gridded(shape): a grid of it for each axis
ranged = _word  # ranged(start, stop, step): arange's
square_of = _word  # square_of(n, m): eye's
lengths = _word  # lengths(x): one entry for each axis of x
scalar = _word  # scalar(z): ()
unknown = _word  # unknown(z): no fact
differenced = _word  # differenced(a, n, axis, prepend, append): diff's
lengthened = _word  # lengthened(x, axis, by): that many entries more along axis
evaluated = _word  # evaluated(p, x): polyval's
taken = _word  # taken(x, indices, axis): np.take's
taken_along = _word  # taken_along(x, indices, axis): np.take_along_axis's
convolved = _word  # convolved(a, v, mode): np.convolve's
choices_of = _word  # choices_of(a, choices): np.choose's
spaced = _word  # spaced(start, stop, num, axis): np.linspace's
chosen = _word  # chosen(condlist, choicelist, default): np.select's
counted = _word  # counted(z): one axis of a length that nothing is known of
square_of_rows = _word  # square_of_rows(m, y, rowvar): np.cov's
squared_up = _word  # squared_up(X): squareform's
quantiles = _word  # quantiles(a, q, axis, keepdims): reduced, for one number q

# moving, cutting and joining
floating = _word  # whether a dtype argument is a floating or complex one
double = _word  # whether a dtype argument is float64
opposite = _word  # -shift, of each entry of a tuple
landing = _word  # the axis of rollaxis's result that was axis
untiled = _word  # d[z] summed over the copies that tile made
unrepeated = _word  # d[z] summed over the copies that repeat made
at_axis = _word  # the key of places along one axis
inside = _word  # the part of d[z] that is no margin of pad
sources = _word  # the key of the entry that each one of pad's result copies
piece = _word  # the part of d[z] that came from one array of hstack and its like
inserted_at = _word  # the place that delete removed, counted from the front
on_diagonal = _word  # the key of a diagonal's entries
along_diagonal = _word  # d[z] with its axes in the order of that key
spread_on = _word  # d[z] on a diagonal of a matrix of zeros

# shapes of moved, cut and joined arrays
moved = _word  # moved(a, source, destination)
rolled = _word  # rolled(a, axis, start): rollaxis's
turned = _word  # turned(m, k, axes): rot90's
at_least = _word  # at_least(x, n): n axes or more
tiled = _word  # tiled(A, reps)
windowed = _word  # windowed(x, window_shape, axis): sliding_window_view's
repeated = _word  # repeated(a, repeats, axis)
padded = _word  # padded(array, pad_width)
laid = _word  # laid(name, arrays): that of hstack and its like
appended = _word  # appended(arr, values, axis)
one_more = _word  # one_more(arr, axis, n, obj): n longer along axis for each of obj
left_by = _word  # left_by(arr, obj, axis): the places that np.delete keeps
with_inserted = _word  # with_inserted(arr, axis, obj, values): arr with values put in
shifted = _word  # shifted(obj): the places of obj once np.insert has put entries in
diagonal_of = _word  # diagonal_of(a, offset, axis1, axis2)
traced = _word  # traced(a, axis1, axis2)
vector_or_matrix = _word  # vector_or_matrix(v, k): diag's
flat_diagonal = _word  # flat_diagonal(v, k): diagflat's
triangle = _word  # triangle(m): tril's

# functions with as many results as their arguments say
each = _word  # each(d[z], i): that of the i-th result
results = _word  # results(z): them all, or the one there is, to repeat lines for
all_read = _word  # whether each of several results is read
with_zeros = _word  # d[z], with zeros for results that nothing reads
spread = _word  # spread(np.f(t[xs])): np.f(*t[xs])
in_order = _word  # whether the parts of a split are the whole, cut up
section = _word  # the key of one part of a split
off_grid = _word  # the axes along which meshgrid repeats one of its vectors
block_piece = _word  # the part of d[z] that came from one array of block
axis_of_slope = _word  # the axis of one result of gradient
at_slope = _word  # the key of one entry along that axis
in_slope = _word  # the key of a slice along that axis
beside_slope = _word  # the other axes
spacing_of = _word  # the spacing along that axis
ahead_of = _word  # x with as many axes behind it as another has: ufunc.outer's
sum_outside = _word  # what flows back to one argument of ufunc.outer

# their shapes, one for each result
parts = _word  # parts(ary, indices_or_sections, axis, even): split's
layers = _word  # layers(x, axis): unstack's
meshed = _word  # meshed(xi, indexing, sparse): meshgrid's
together = _word  # together(args): broadcast_arrays's
places = _word  # places(a): nonzero's
crossing = _word  # crossing(args): ix_'s
of_triangle = _word  # of_triangle(half, n, k, m): two vectors of one length
slopes = _word  # slopes(f, axis): gradient's
blocks = _word  # blocks(arrays): block's, one result
outered = _word  # outered(x1, x2): ufunc.outer's, one result

# matrices
transposed = _word  # each matrix transposed: x.T, or its last two axes swapped
pair = _word  # the axes of rows and columns of a norm
turned_about = _word  # an array with its first n axes behind the others
solved = _word  # solved(a, b): lstsq's
later_axes = _word  # later_axes(a, n): without the first n axes
turned_axes = _word  # turned_axes(a, n): the first n axes behind the others
block = _word  # the part of d[z] that one matrix of block_diag fills
told = _word  # told(lower): a result that is that constant argument
diagonal_blocks = _word  # diagonal_blocks(arrs): block_diag's
filtered = _word  # filtered(in1, in2, mode): scipy.signal.convolve's
before_numpy_2 = _word  # whether the numpy that runs here is older than 2.0
taken_for_vectors = _word  # whether solve takes b for vectors, before NumPy 2
summed_by = _word  # the axis that the norm 1 or inf of a matrix sums over
extreme = _word  # the greatest of some sums, or the least
are_last = _word  # whether a pair of axes is surely the last two
as_row = _word  # vectors as rows, for numpy's broadcasting
as_column = _word  # vectors as columns
outer_sum = _word  # the outer product of vectors; x @ y.T of matrices
beyond = _word  # an argument, or nothing where it is the default
in_triangle = _word  # the part of a matrix that solve_triangular reads
dyad = _word  # a column of one factor times the row of the other
of_matrices = _word  # of_matrices(a): the shape of a, which has two axes at least
factor_values = _word  # factor_values(a): the shape of the singular values
left_factor = _word  # left_factor(a, full): svd's first
right_factor = _word  # right_factor(a, full): svd's last

# products that contract axes
tensor_left = _word  # what flows to the first array of a tensordot
tensor_right = _word  # what flows to the second array of a tensordot
row_product = _word  # what flows to the vector of vector @ stack of matrices
chained = _word  # what flows to one matrix of multi_dot
one_changed = _word  # the sum of products with one matrix changed in each
power_terms = _word  # the sum of a**k @ g @ a**(n - 1 - k)
tensored = _word  # tensored(a, b, axes): tensordot's shape
crossed = _word  # crossed(a, b): cross's
dotted_along = _word  # dotted_along(x1, x2, axis): vecdot's
chain = _word  # chain(arrays): multi_dot's
rows_of = _word  # rows_of(x1, x2): matvec's
columns_of = _word  # columns_of(x1, x2): vecmat's
blocked = _word  # blocked(a, b): kron's

# Fourier transforms
along = _word  # along(a, axes, s): the axes of a transform, written out
last_of = _word  # last_of(a, axes, s): the one of them that rfftn halves
rest_of = _word  # rest_of(a, axes, s): the others
sizes_of = _word  # sizes_of(a, axes, s): the lengths along them: s, or a's own
length_of = (
    _word  # length_of(z, axis, n): n, or that of the result, where n is an argument
)
size_along = _word  # size_along(x, axis, n): n, or x's length where n is None
resized = _word  # cut off to the shape of an argument, or with zeros behind it
transformed = _word  # transformed(a, n, axis): fft's shape
halved = _word  # halved(a, n, axis): rfft's
restored = _word  # restored(a, n, axis): irfft's
transformed_all = _word  # transformed_all(a, s, axes): fftn's
halved_last = _word  # halved_last(a, s, axes): rfftn's
restored_last = _word  # restored_last(a, s, axes): irfftn's
frequencies = _word  # frequencies(n): fftfreq's
half_frequencies = _word  # half_frequencies(n): rfftfreq's
