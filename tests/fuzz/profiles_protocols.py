"""Pieces of Python for the profile `protocols`: each makes y anew from y.

Lines that begin with `m:` belong to the module, those with `p:` are parameters.
"""

from tests.fuzz.profiles_python import HEAD as AROUND

HEAD = f"""{AROUND}
from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from types import SimpleNamespace
from typing import NamedTuple


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __add__(self, other):
        return Pair(self.a + other.a, self.b + other.b)

    def __sub__(self, other):
        return Pair(self.a - other.a, self.b - other.b)

    def __mul__(self, other):
        if isinstance(other, Pair):
            return self.a * other.a + self.b * other.b
        return Pair(self.a * other, self.b * other)

    __rmul__ = __mul__

    def __matmul__(self, other):
        return self.a * other.b - self.b * other.a

    def __truediv__(self, other):
        return Pair(self.a / other, self.b / other)

    def __neg__(self):
        return Pair(-self.a, -self.b)

    def __iadd__(self, other):
        self.a = self.a + other.a
        return self

    def __abs__(self):
        return math.hypot(self.a, self.b)

    def __len__(self):
        return 2

    def __getitem__(self, i):
        return (self.a, self.b)[i]

    def __iter__(self):
        return iter((self.a, self.b))


class Bag:
    def __init__(self, *items):
        self.items = list(items)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]

    def __contains__(self, item):
        return item in self.items


class Steps:
    def __init__(self, *scales):
        self.scales = scales

    def __iter__(self):
        for scale in self.scales:
            yield lambda v: v * scale


def squares(v):
    for i, one in enumerate(v):
        if i % 2 == 0:
            yield one**2


def halves(v):
    yield v[:2]
    yield v[2:]


def powers(v):
    p = 1.0
    while True:
        yield p
        p = p * v


def both(v):
    yield from squares(v)
    yield v[-1]


def turned(v, n):
    for i in range(n):
        v = np.tanh(v) * 0.9
        if i > 1:
            return
        yield i, v
"""

PIECES = [
    text
    for text in """
y = np.array(list(itertools.accumulate(y)))
===
y = <g>(y) + sum(itertools.accumulate(y, lambda a, b: a * 0.5 + b))
===
t = 0.0
for i, a in enumerate(itertools.accumulate(y, operator.<o>)):
    t = t + a * i
y = y * np.tanh(t)
===
t = 0.0
for a, b in itertools.product(y, <g>(y)):
    t += a * b
y = y + t / len(y)
===
y = y * sum(a * b for a, b in itertools.product(y, repeat=2)) / 9
===
y = y + sum(<g>(a) * b for a, b in itertools.combinations(y, 2))
===
t = 0.0
for i, j in itertools.combinations(range(len(y)), 2):
    if i + j == 2:
        continue
    t += (y[i] - y[j]) ** 2
y = y * (1 + t)
===
t = 0.0
for i, j, k in itertools.combinations(range(y.shape[0]), 3):
    t += y[i] * y[j] * y[k]
y = y + t
===
m = np.array([a * b for a, b in itertools.combinations_with_replacement(y, 2)])
y = y + <h>(m).sum()
===
t = 0.0
for p, q in itertools.permutations(list(y), 2):
    t += p * q**2
y = y + t
===
t = 0.0
for (i, a), (j, b) in itertools.combinations(enumerate(y), 2):
    t += a * b * (i - j)
y = y + t
===
d = {(i, j): y[i] * y[j] for i, j in itertools.combinations(range(3), 2)}
y = y * d[0, 1] + sum(d.values())
===
y = y * sum((b - a) ** 2 for a, b in itertools.pairwise(y))
===
t = 0
for a, w in zip(y, itertools.cycle([1.0, <c>, 2.0])):
    t += a * w
y = y + t
===
y = y * sum(a / i for i, a in zip(itertools.count(1), y))
===
y = y + sum(itertools.islice(y, 1, 3))
===
y = y * np.array([v for v in itertools.islice(y, 2)]).prod()
===
y = y + sum(v**2 for v in itertools.chain(y, <g>(y)))
===
t = 0.0
for v in itertools.chain([y[0] * <c>], y[1:]):
    t = t * 0.5 + v
y = y * t
===
w = deque(maxlen=2)
out = []
for v in y:
    w.append(v)
    out.append(sum(w) / len(w))
y = np.array(out)
===
q = deque([y[0], y[1]])
q.appendleft(y[2])
a = q.popleft()
q.rotate(1)
y = y * a + q[0] * <c> - q[1]
===
line = deque([0.0] * 2, maxlen=2)
out = []
for v in y:
    o = v + 0.5 * line[0]
    line.append(o)
    out.append(o)
y = np.array(out)
===
groups = defaultdict(list)
for key, v in zip("aba", y):
    groups[key].append(v)
y = y * sum(np.mean(v) ** 2 for v in groups.values())
===
total = defaultdict(float)
for key, v in zip(("a", "b", "a"), y):
    total[key] += v**2
y = y + total["a"] * total["b"]
===
d = OrderedDict()
d["a"] = y[0]
d["b"] = y[1] ** 2
d.move_to_end("a")
y = y * d.popitem()[1] + d["b"]
===
c = Counter()
c["a"] += y[0]
c["b"] += y[1]
c["a"] += y[2]
y = y + c["a"] * c["b"] + c["none"]
===
n = Counter("aab")
y = y * n["a"] + n["b"] * <c>
===
s = SimpleNamespace(a=y * 2, b=<c>)
s.c = s.a + s.b
s.b += 1
y = s.c * s.b
===
Point = namedtuple("Point", "x y")
p = Point(y[0], y=y[1] * <c>)
y = y + p.x * p.y
===
class Scale:
    factor = <c>

    def __init__(self, v):
        self.v = v

    def __call__(self, w):
        return self.v * w * self.factor

y = Scale(y)(<g>(y))
===
@dataclass
class Cell:
    v: float
    w: float = <c>

cell = Cell(y[0])
y = y * cell.v * cell.w
===
y = y + sum(squares(y))
===
t = 0
for v in squares(y):
    t = t * 0.5 + v
y = y * t
===
y = y * np.array(list(squares(y))).prod()
===
y = y + sum(np.prod(b) for b in halves(y))
===
a, b = halves(y)
y = y * a.sum() + b.sum()
===
t = 0
for i, v in enumerate(powers(y[0])):
    if i > 3:
        break
    t += v
y = y * t
===
t = 0
for i, v in zip(range(3), powers(y[1])):
    t += v * (i + 1)
y = y + t
===
y = y + sum(both(y))
===
for i, v in turned(y, 5):
    y = y + v * i
===
def pairs(v):
    for i in range(len(v) - 1):
        yield v[i], v[i + 1]

y = y + sum(a * b for a, b in pairs(y))
===
m:clamp<i> = np.vectorize(lambda t: t**2 if t > 0 else t * <c>)
y = clamp<i>(y + 0.05) + y
===
m:@np.vectorize
m:def mix<i>(a, b):
m:    if a > b:
m:        return a * b
m:    return a - b
y = mix<i>(y, 3.0 * y + 0.1) + y
===
y = np.vectorize(math.sin)(y)
===
y = y + np.sum(np.vectorize(lambda a, b: (a - b) ** 2)(y[:, None], y))
===
try:
    v = y[2]
except IndexError:
    v = y[-1]
y = y * v
===
table = {"a": y[0]}
try:
    v = table["<w>"]
except KeyError:
    v = table["a"] * <c>
y = y * v
===
match y.shape:
    case (n,):
        y = <g>(y) / n
    case (n, m):
        y = <g>(y) / (n * m)
===
p:command<i>=("scale", 3.0)
match command<i>:
    case ("shift", k):
        y = y + k
    case ("scale", k) if k > 2:
        y = y * k
    case _:
        y = <g>(y)
===
p:options<i>={"kind": "scale", "by": <c>}
match options<i>:
    case {"kind": "shift", "by": k}:
        y = y + k
    case {"kind": "scale", "by": k, **rest}:
        y = y * k
===
match Pair(y[0], y[1]):
    case Pair(a=a, b=b):
        y = y * a + b
===
match [y[0], *y[1:]]:
    case [first, *rest]:
        y = y * first
===
c = 0.0

def add(v):
    nonlocal c
    c += v**2

for v in y:
    add(v)
y = y * c
===
c = 0.0
k = 1

def add(v):
    nonlocal c, k
    c += v * k
    k += 1

add(y[0])
add(y[1])
y = y + c * k
===
pair = Pair(y[0], y[1]) + <k> * Pair(<c>, y[2]) - Pair(y[0], 1.0) / 3
y = y * abs(pair)
===
pair = Pair(y[0], y[1])
pair += Pair(y[2], 1.0)
y = y + pair * Pair(y[0], <c>) + (-pair @ pair)
===
a, b = Pair(y[0], y[1])
y = y * a + b
===
pair = Pair(y[0] * <c>, y[1])
y = y + pair[0] * pair[-1] + len(pair) + sum(pair)
===
y = y * np.array([c**2 for c in Pair(y[0], y[1])]).sum()
===
y = y + sum([Pair(v, 1.0) for v in (y[0], y[1])], Pair(0.0, 0.0)).a
===
for f in Bag(np.sin, np.tanh, <h>):
    y = f(y)
===
bag = Bag("<w>", "sum")
y = y * 2 if "mean" in bag else <g>(y)
===
for step in Steps(0.5, <c>):
    y = step(y)
===
m:TABLE<i> = OrderedDict([("mean", np.tanh), ("sum", np.sin), ("half", np.cos)])
y = TABLE<i>["<w>"](y)
for name, f in TABLE<i>.items():
    y = f(y) if name == "<w>" else y
===
m:SIZES<i> = defaultdict(lambda: 1.5, {"mean": 0.5})
y = y * SIZES<i>["<w>"]
===
f = {"mean": np.tanh, "sum": np.sin}.get("<w>", np.cos)
y = f(y)
===
y = {"mean": np.tanh, "sum": np.sin}.get("<w>", np.cos)(y)
===
if any(math.isnan(v) for v in y):
    y = np.zeros_like(y)
y = <g>(y)
===
it = iter(y)
t = next(it)
for v in it:
    t = t * 0.5 + v
y = y * t
===
y = y * next((f for name, f in (("a", 2.0), ("b", <c>)) if name == "b"), 1.0)
===
first, *rest = zip(y, <g>(y))
y = y * first[0] + first[1]
===
xs, ys = zip(*np.stack([y, <g>(y)], axis=1))
y = y + sum(xs) * np.array(ys).sum()
===
for a, b in zip(*np.stack([y, <g>(y)])):
    y = y + a * b
===
y = y * np.dot(*np.stack([y, <g>(y)]))
===
p:ref<i>=np.max
y = y / ref<i>(np.abs(y)) if callable(ref<i>) else y
===
pairs = sorted({"b": y[0], "a": y[1]}.items())
y = y + sum(v * i for i, (name, v) in enumerate(pairs, 1))
===
p:by<i>=(1.0, 2.0)
by<i> = <g>(y)[:2]
match by<i>:
    case [a, b]:
        y = y * a + b
    case _:
        y = y * by<i>[0] ** 2
===
p:by<i>=(1.0, 2.0)
for by<i> in [y[:2], y[1:]]:
    match by<i>:
        case (a, b):
            y = y * a
        case _:
            y = y * np.sum(by<i>)
===
p:by<i>=(0.5, 2.0)
match by<i>:
    case (a, b):
        y = <g>(y) * a + b
===
for p in itertools.product(y, repeat=0):
    y = y * <c>
===
for p in itertools.<C>(y, <K>):
    y = y + len(p)
===
y = y * len(list(itertools.<C>(y, <K>))) + 1.0
===
y = y + sum(itertools.accumulate(y[:0]))
===
for v in itertools.accumulate(y[len(y):], lambda a, b: a * b):
    y = y * v
===
y = y * (1.0 + len(list(itertools.accumulate(y[:0], initial=<c>))))
===
t = <c>
try:
    for v in y:
        t = t + v
        if t > 0.3:
            raise ValueError
except (ValueError, KeyError):
    t = t * <c>
y = y * t
===
t = y[0]
try:
    for v in squares(y):
        t = t * 0.5 + v
        if v > 0.2:
            raise ValueError("large")
except Exception:
    t = y[1] * <c>
y = y * t
===
t = y[0] * 2.0
try:
    t = t * <c>
    if t > y[1]:
        raise IndexError
    t = <g>(t)
except LookupError:
    t = t + y[2]
y = y * t
===
t = y[0]
try:
    t = t * <c>
    raise ValueError
except ValueError:
    t = t + y[1]
y = y * t
===
table = {"a": y[0]}
t = y[1]
try:
    t = t * <c>
    t = t + table["b"]
except KeyError:
    t = t + y[2]
y = y * t
""".strip("\n").split("\n===\n")
]
