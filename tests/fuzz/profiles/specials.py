"""What NumPy and Python ask of objects behind the user's back: truth, equality, sequences.

Instances beside arrays, containers with a memory of their own (a deque's greatest
length, what a Counter adds up, a defaultdict in a loop), functions that np.vectorize
calls, patterns of rebound names. Pieces as in the profile `python`, which writes and
judges the programs; a program whose piece raises is left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.fuzz.case import Case
from tests.fuzz.judge import Verdict
from tests.fuzz.profiles import python
from tests.fuzz.profiles_protocols import HEAD as AROUND

PROGRAMS = 12
REFUSED_AT_MOST = 0.8  # much of this is refused, with the reason

HEAD = f"""{AROUND}

class Plain:
    def __init__(self, a):
        self.a = a


class Truthful(Plain):
    def __bool__(self):
        return bool(np.sum(self.a) > 1.0)


class Sized(Plain):
    def __len__(self):
        return len(self.a)


class Equal(Plain):
    def __eq__(self, other):
        return isinstance(other, Equal) and bool(np.sum(self.a - other.a) == 0.0)


class Scaled(Plain):
    def __add__(self, other):
        return Scaled(self.a + other)

    def __mul__(self, other):
        return Scaled(self.a * other)

    def __radd__(self, other):
        return Scaled(self.a * 2 + other)

    def __rmul__(self, other):
        return Scaled(self.a * 3 * other)


class Listed(Scaled):
    def __len__(self):
        return 2

    def __getitem__(self, i):
        return (self.a, self.a**2)[i]


class Alone(Scaled):
    __array_ufunc__ = None


class Cut(Plain):
    def __getitem__(self, i):
        if isinstance(i, slice):
            return Cut(self.a[i])
        if isinstance(i, tuple):
            return self.a[i[0]] * i[1]
        return self.a[i]

    def __len__(self):
        return len(self.a)


def taken(q):
    if isinstance(q, Plain):
        return np.sum(q.a)
    return sum(np.sum(getattr(one, "a", one)) for one in np.ravel(q))
"""

PIECES = [
    text
    for text in """
n = Plain(y[0])
y = <g>(y) if <truth> else y * <c>
===
n, m = Plain(y[0]), Plain(y[0])
y = <g>(y) if <compare> else y * <c>
===
n = <truthful>
y = <g>(y) if <truth> else y * <c>
===
n = <truthful>
m = n or Plain(y * <c>)
y = y * m.a
===
n, m = Equal(y[0]), Equal(y[<j>])
y = <g>(y) if <compare> else y * <c>
===
n, m = SimpleNamespace(a=<c>), SimpleNamespace(a=<c>)
y = <g>(y) if <compare> else y * <c>
===
left = Truthful(y[0] * 0 + <k>)
while left:
    y = <g>(y) * left.a
    left = Truthful(left.a - 1)
===
kept = [one for one in (Truthful(y[0]), Truthful(y[1] * 4)) if one]
y = y + sum(one.a for one in kept)
===
y = y * taken(<left> <op> <special>)
===
z = <left>
z <op>= <special>
y = y * taken(z)
===
y = y * taken(<special> <op> <left>)
===
y = y * <whole>(Listed(y[<j>]))
===
y = y * np.multiply(Listed(y[<j>]), y[:2]).sum()
===
y = y * np.sum(np.array(Listed(y[<j>])) ** 2)
===
d = deque([y[0], y[1]], maxlen=<k>)
d += [y[2], y[0]]
y = y * d[0] + d[1] * <c>
===
d = deque([y[0], y[1]], maxlen=<k>) + deque([y[2]])
y = y * d[0] + d[1] * <c>
===
d = deque([y[0], y[1]], maxlen=<k>)
d = d * 2 if <c> > 0 else d.copy()
d.append(y[2])
y = y * d[0] + d[1] * <c>
===
d = deque([y[0], y[1]], maxlen=<k>)
for v in y:
    d += [v]
y = y * d[0] + d[1] * <c>
===
c = Counter(a=y[0], b=y[1])
c.update({"a": y[2]})
y = y * c["a"] + c["b"]
===
c = Counter(a=y[0], b=y[1])
c.update(a=<c>, d=y[2])
y = y * c["a"] + c["d"]
===
c = Counter("<w>")
c.update("sum")
y = <g>(y) * c["m"] + c["s"]
===
c = Counter(a=y[0])
c.subtract(a=y[1] * <c>)
y = y * c["a"]
===
c = Counter(a=3, b=1) <plus> Counter(a=1, b=2)
y = <g>(y) * c["a"] + y * c["b"]
===
c = Counter(a=y[0]) <plus> Counter(a=y[1], b=y[2])
y = <g>(y) * c["a"] + y * c["b"]
===
d = defaultdict(float)
for v in y:
    d["p"] += v * <c>
y = y * d["p"]
===
d = Counter()
for v in y:
    if v > <c>:
        d["more"] += v
    else:
        d["less"] += v**2
y = y * d["more"] + d["less"]
===
d = defaultdict(lambda: 1.0)
i = 0
while i < len(y):
    d["p"] *= y[i]
    i += 1
y = y + d["p"]
===
d = defaultdict(float)
if y[0] > <c>:
    d["p"] += y[1]
y = y * d["p"] + y
===
p:p<i>=(1.0, <c>)
p<i> = y[:2]
match p<i>:
    case [a, b]:
        y = y * a + b
    case _:
        y = <g>(y)
===
p:p<i>=(1.0, <c>)
for p<i> in [y[:2], (y[0], y[1])]:
    match p<i>:
        case [a, b]:
            y = y * a + b
        case _:
            y = <g>(y)
===
p:p<i>=(1.0, <c>)
match p<i>:
    case [a, b]:
        y = y * a + b
    case _:
        y = <g>(y)
===
g = Cut(y)
y = y * g[1:][0] + g[-1]
===
g = Cut(y)
y = y * g[2, 3] + len(g[:2])
===
g = Cut(y)
t = 0.0
for i in range(2):
    t = t + g[i:][0] * g[i]
y = y * t
===
m:def only<i>(v):
m:    <first>
m:    if v > <c>:
m:        r = v * v
m:    return r
y = y + np.vectorize(only<i>)(<entries>)
===
m:def either<i>(v, k=<int>):
m:    if v > <c>:
m:        return v * v
m:    return <result>
y = y + np.vectorize(either<i>)(<entries>)
===
m:def times<i>(v):
m:    s = <int>
m:    for k in range(2):
m:        if v > <c>:
m:            s += v * k
m:    return s
y = y + np.vectorize(times<i>)(<entries>)
===
y = y + np.vectorize(lambda v: v * <asked>)(<entries>)
===
seen = [0.0]

def told(v):
    seen[0] += v
    return seen[0] * v

y = y + np.vectorize(told)(<entries>)
===
seen = 0.0

def told(v):
    nonlocal seen
    seen = seen + v
    if seen > <c>:
        return seen * v
    return v

y = y + np.vectorize(told)(<entries>)
""".strip("\n").split("\n===\n")
]

SLOTS = {
    "truth": ["n", "not n", "n and y[0] > 0.1", "bool(n)", "n is not None"],
    "truthful": ["Truthful(y[0])", "Sized(y)", "Truthful(y[0] * 9)", "Sized(y[:0])"],
    "compare": [
        *("n == m", "n != m", "n == n", "n is m", "n in [m]", "n == None"),
        *("n in [m, n]", "m not in (n,)", "n == 2.0", "not n == m"),
    ],
    "left": ["y", "y[0]", "np.sum(y)", "2.0", "float(y[1])"],
    "special": ["Scaled(y[1])", "Scaled(y)", "Listed(y[1])", "Alone(y)", "Alone(y[0])"],
    "op": ["*", "+"],
    "whole": ["np.sum", "np.mean", "np.max", "sum", "np.linalg.norm", "max", "np.prod"],
    "j": ["0", "1"],
    "plus": ["+", "-", "|", "&"],
    "first": ["r = 0", "r = 0.0", "r = -v", "r = v - v", "r = v // 1"],
    "int": ["0", "0.0", "1"],
    "result": [
        *(
            "k",
            "-v",
            "k * v",
            "0 * v",
            "max(k, v)",
            "math.floor(v)",
            "1 - 1",
            "k + 0.0",
        ),
        *("(0, 1)[0]", "np.sin(v)", "abs(v) * k", "math.exp(v) - 1", "min(v, 0)"),
        *("v if v < 0 else 0", "np.array([1, 2]).sum()", "float(k)", "int(v)"),
    ],
    "asked": [
        *("np.size(v)", "(np.ndim(v) + 1)", "np.clip(v, 0, 1)", "np.exp(v)"),
        *("np.atleast_1d(v).size", "np.linalg.norm(v)", "np.asarray(v).ndim"),
        *("np.maximum(v, <c>)", "np.ones_like(v)", "np.shape(v + 1).count(3)"),
        *("np.heaviside(v, 1)", "np.flip(np.atleast_1d(v))[0]", "np.round(v, 1)"),
    ],
    "entries": ["y", "y - <c>", "<g>(y)", "y[::-1]", "-y"],
}


class Writer(python.Writer):
    """Writes one program, at random."""

    head, pieces = HEAD, PIECES

    def piece(self, number: int, text: str) -> None:
        for slot, values in SLOTS.items():
            while f"<{slot}>" in text:
                text = text.replace(f"<{slot}>", self.rng.choice(values), 1)
        super().piece(number, text)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed with nothing told."""
    for case, verdict in python.verdicts(seed, engine, Writer):
        if not _raises(case):
            yield case, verdict


def _raises(case: Case) -> bool:
    """Whether the program itself has no value: a set of objects, a truth of arrays."""
    try:
        with python.np.errstate(all="ignore"):
            case.program.function(*case.program.arguments(0))
    except Exception:
        return True
    return False
