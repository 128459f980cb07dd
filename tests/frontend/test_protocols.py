"""Python's protocols: generators, operators of classes, itertools, containers, match."""

from __future__ import annotations

import collections
import enum
import itertools
import math
from collections import OrderedDict, defaultdict, deque, namedtuple
from types import SimpleNamespace

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

X = np.array([0.5, 0.8, 1.7])


# nonlocal names that += binds


def counted_in_a_loop(x):
    total = 0.0

    def add(v):
        nonlocal total
        total += v**2

    for v in x:
        add(v)
    return total


def counted_in_turn(x):
    total, k = 0.0, 1

    def add(v):
        nonlocal total, k
        total += v * k
        k += 1

    add(x[0])
    add(x[1])
    return total * k


def counted_in_a_branch(x):
    total = 1.0

    def add(v):
        if v > 0:
            nonlocal total
            total *= v
        return v

    return add(x[0]) + add(x[2]) * total


# generators


def squares(v):
    for i, one in enumerate(v):
        if i % 2 == 0:
            yield one**2


def powers(v):
    p = 1.0
    while True:
        yield p
        p = p * v


def both(v):
    yield from squares(v)
    yield v[-1]


def in_a_sum(x):
    return sum(squares(x)) + sum(both(x))


def left_by_a_break(x):
    total = 0.0
    for i, v in enumerate(powers(x[0]), 1):
        if i > 4:
            break
        total += v * i
    return total


def returned_from(x):
    for v in squares(x):
        if v > 1:
            return v**2
    return x[0]


def not_left(x):
    total = 0.0
    for v in both(x):
        if v > 50:
            break
        total = total * 0.5 + v
    else:
        total = total * 2
    return total


def as_a_list(x):
    first, *rest = list(squares(x))
    return first * np.array(rest).sum()


# classes


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __add__(self, other):
        return Pair(self.a + other.a, self.b + other.b)

    def __mul__(self, other):
        if isinstance(other, Pair):
            return self.a * other.a + self.b * other.b
        return Pair(self.a * other, self.b * other)

    __rmul__ = __mul__

    def __neg__(self):
        return Pair(-self.a, -self.b)

    def __iadd__(self, other):
        self.a = self.a + other.a
        return self

    def __abs__(self):
        return math.hypot(self.a, self.b)

    def __lt__(self, other):
        return abs(self) < abs(other)

    def __getitem__(self, i):
        return (self.a, self.b)[i]

    def __iter__(self):
        return iter((self.b, self.a))


class Bag:
    def __init__(self, *items):
        self.items = list(items)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]

    def __setitem__(self, i, v):
        self.items[i] = v

    def __contains__(self, item):
        return item in self.items


class Steps:
    def __init__(self, *scales):
        self.scales = scales

    def __iter__(self):
        for scale in self.scales:
            yield lambda v: v * scale


def operators(x):
    return abs(Pair(x[0], x[1]) + 2 * Pair(1.0, x[2])) + (-Pair(x[0], x[1])) * Pair(
        2, 3
    )


def augmented(x):
    pair = Pair(x[0], x[1])
    pair += Pair(x[2], 1.0)
    return pair.a * pair.b


def unpacked_in_its_order(x):
    b, a = Pair(x[0], x[1])
    return a**2 + 3 * b


def subscripts(x):
    bag = Bag(x[0], x[1])
    bag[0] = x[2] * 2
    return bag[0] * bag[1] + Pair(x[0], x[1])[1]


def gone_through(x):
    y = x
    for f in Bag(np.sin, np.tanh):
        y = f(y)
    return np.sum(y) + sum(Pair(x[0], x[1]))


def compared(x):
    return x[0] ** 2 if Pair(x[0], x[1]) < Pair(x[2], x[2]) else x[1]


def contained(x):
    return x[0] ** 3 if "a" in Bag("a", "b") and "c" not in Bag("a") else x[1]


def functions_of_a_generator(x):
    y = x
    for step in Steps(0.5, -1.5):
        y = step(y)
    return np.sum(y**2)


# itertools


def pairs_of_places(x):
    total = 0.0
    for i, j in itertools.combinations(range(len(x)), 2):
        if i + j == 2:
            continue
        total += (x[i] - x[j]) ** 2
    return total


def pairs_of_entries(x):
    return sum(a * b**2 for a, b in itertools.permutations(x, 2))


def left_in_the_middle(x):
    total, a = 0.0, 0.0
    for a, b in itertools.product(x, x):
        if a * b > 1.3:
            break
        total += a * b
    else:
        total = total * 2
    return total * a


def three_at_a_time(x):
    m = [a * b * c for a, b, c in itertools.combinations_with_replacement(x, 3)]
    return np.array(m).sum()


def accumulated(x):
    return np.array(list(itertools.accumulate(x, lambda a, b: a * 0.5 + b))).prod()


def chained(x):
    total = 0.0
    for v in itertools.chain([x[0] * 2], x[1:], itertools.islice(x, 1, 3)):
        total = total * 0.5 + v**2
    return total


def beside_what_has_no_end(x):
    total = 0.0
    for k, v, w in zip(itertools.count(1), x, itertools.cycle([2.0, 3.0])):
        total += v * w / k
    return total


def neighbours(x):
    return sum((b - a) ** 2 for a, b in itertools.pairwise(x))


def columns(x):
    a, b = zip(*np.stack([x, x**2], axis=1))
    return sum(a) * np.array(b).sum()


# containers

TABLE = OrderedDict([("mean", np.mean), ("sum", np.sum)])
SIZES = defaultdict(lambda: 1.5, {"a": 0.5})


def a_line_of_delays(x):
    line = deque([0.0] * 2, maxlen=2)
    out = []
    for v in x:
        line.append(v + 0.5 * line[0])
        out.append(line[-1])
    return np.array(out).prod()


def a_queue(x):
    q = deque([x[0], x[1]])
    q.appendleft(x[2])
    a = q.popleft()
    q.rotate(1)
    return a * q[0] - q[1]


def counts(x):
    c = collections.Counter()
    c["a"] += x[0]
    c["b"] += x[1]
    c["a"] += x[2]
    return c["a"] * c["b"] + c["none"]


def a_namespace(x):
    s = SimpleNamespace(a=x * 2, b=1.0)
    s.c = s.a + s.b
    s.b += 1
    return np.sum(s.c**2) * s.b


def a_tuple_with_names(x):
    Point = namedtuple("Point", "x y")
    p = Point(x[0], y=x[1] * 2)
    return p.x * p.y


def tables_of_the_module(x):
    total = 0.0
    for name, f in TABLE.items():
        total += f(x) * (2 if name == "sum" else SIZES["a"])
    return total


# np.vectorize

clamp = np.vectorize(lambda t: t**2 if t > 0.6 else t * 3.0)


@np.vectorize
def mixed(a, b):
    if a > b:
        return a * b
    return a - b


def entry_by_entry(x):
    return np.sum(clamp(x) * x)


def two_arguments(x):
    return np.sum(mixed(x, 0.7) + mixed(x, 3.0 * x))


def broadcast(x):
    return np.sum(np.vectorize(lambda a, b: abs(a - b) ** 3)(x[:, None], x))


def of_math(x):
    return np.prod(np.vectorize(math.sin)(x))


# match


def an_array_is_no_sequence(x):
    match x:
        case (a, b, c):
            return a * b * c
        case _:
            return np.sum(x**2)


def a_mapping(x):
    match {"kind": "scale", "by": x[0]}:
        case {"kind": "shift", "by": k}:
            return np.sum(x + k)
        case {"kind": "scale", "by": k, **rest}:
            return np.sum(x * k) + len(rest)
    return x[0]


def fields(x):
    match Pair(x[0], x[1]):
        case Pair(a=a, b=b):
            return a * b**2
    return x[0]


# members of enums


class Kind(enum.Enum):
    SQUARE = 1
    TANH = 2


def of_a_kind(x, kind=Kind.TANH):
    if kind is Kind.SQUARE:
        return np.sum(x**2)
    return np.sum(np.tanh(x)) if kind == Kind.TANH else x[0]


@pytest.mark.parametrize("given", [(), (Kind.SQUARE,), (Kind.TANH,)])
def test_members_of_enums_are_known(given):
    want = numeric_gradient(lambda x: of_a_kind(x, *given), [X], 0).value
    np.testing.assert_allclose(gradgen.grad(of_a_kind)(X, *given), want, rtol=1e-6)


def starred(x):
    first, second, *rest = [*x[1:], x[0] * 2, *x]
    return first * second * sum(rest)


def starred_rows(x):
    v = np.stack([x, x**2], axis=1)
    return sum(a * d - c * b for (a, b), (c, d) in zip(v, [*v[1:], v[0]]))


def starred_known(x):
    pair = (x[0], x[1])
    return np.array([*pair, 1.0, *pair]).prod()


FUNCTIONS = [
    *(starred, starred_rows, starred_known),
    *(counted_in_a_loop, counted_in_turn, counted_in_a_branch),
    *(in_a_sum, left_by_a_break, returned_from, not_left, as_a_list),
    *(operators, augmented, unpacked_in_its_order, subscripts, gone_through),
    *(compared, contained, functions_of_a_generator),
    *(pairs_of_places, pairs_of_entries, left_in_the_middle, three_at_a_time),
    *(accumulated, chained, beside_what_has_no_end, neighbours, columns),
    *(a_line_of_delays, a_queue, counts, a_namespace, a_tuple_with_names),
    *(tables_of_the_module, entry_by_entry, two_arguments, broadcast, of_math),
    *(an_array_is_no_sequence, a_mapping, fields),
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_the_gradient_is_that_of_differences(function):
    want = numeric_gradient(function, [X], 0).value
    value, got = gradgen.value_and_grad(function)(X)
    np.testing.assert_allclose(value, function(X), rtol=1e-12)
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)


def held_and_read_twice(x):
    found = squares(x)
    return sum(found) + sum(found)


def without_end(x):
    return sum(powers(x[0]))


def functions_that_read_later(x):
    return sum(step(x[0]) for step, _ in zip(Steps(0.5, -1.5), x))


def whole_numbers_first(x):
    return np.sum(np.vectorize(lambda t: t if t > 0 else 0)(x))


@pytest.mark.parametrize(
    "function",
    [held_and_read_twice, without_end, functions_that_read_later, whole_numbers_first],
    ids=lambda f: f.__name__,
)
def test_refused_where_what_python_does_is_not_known(function):
    with pytest.raises(GradgenError):
        gradgen.grad(function)(X)


def grouped(x):
    for key, _ in itertools.groupby([0, 0, 1]):
        pass
    return np.sum(x) * key


def taken_while(x):
    return sum(itertools.takewhile(lambda v: v < 1, x))


def teed(x):
    one, other = itertools.tee(x)
    return sum(one) * sum(other)


def compressed(x):
    total = 0.0
    for v in itertools.compress(x, [1, 0, 1]):
        total += v
    return total


@pytest.mark.parametrize("function", [grouped, taken_while, teed, compressed])
def test_functions_of_itertools_that_have_no_form_are_named(function):
    with pytest.raises(GradgenError) as caught:
        gradgen.grad(function)(X)
    assert caught.value.problems[0].code == "GG205"
    assert "itertools." in str(caught.value)
