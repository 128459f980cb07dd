"""Programs that mean what others mean, and were wrong, raised or were refused once.

Each is a module with a function f of an array x; those of `REFUSED` are refused, with the
code that is named, since what they share is not known.
"""

HEAD = "import numpy as np\n\n\n"

# np.asarray(y, dtype) is y itself where y has that dtype already
CASTS = {
    f"{way} read through {name}": f"""
def f(x):
    y = x * 1.0
    z = {way}
    z[0] = 3 * y[1]
    return np.sum({name} * {name})
"""
    for way in (
        "np.asarray(y, dtype=float)",
        "np.asarray(y, float)",
        "np.asarray(y, dtype=y.dtype)",
        "np.asanyarray(y, dtype=np.float64)",
        "np.require(y, dtype=float)",
        "np.ascontiguousarray(y, dtype=float)",
        "np.array(y, dtype=float, copy=None)",
        "np.array(y, dtype=float)",
        "np.asarray(y, dtype=float, copy=True)",
        "np.asarray(y, copy=True)",
        "np.asarray([y, y], dtype=float)[0].copy()",
    )
    for name in "yz"
}
COPIES = ("np.array(y, dtype=float) ", "copy=True", "copy()")
REFUSED = {
    name: "GG220"
    for name in CASTS
    if name.endswith(" y") and not any(word in name for word in (*COPIES, "y.dtype"))
}

# True is 1 where a tuple or a list is asked, and a mask where an array is
FLAGS = {
    "a tuple by a test": """
def f(x):
    return (np.sum(x), np.sum(x * x))[bool(x[0] > 0.1)]
""",
    "a tuple of arrays by a test": """
def f(x):
    return np.sum((x, x * x)[bool(x[0] > 0.1)] * x[1])
""",
    "a list by a test": """
def f(x):
    parts = [np.sum(x), np.sum(x * x)]
    return parts[bool(x[0] > 0.1)] * x[1]
""",
    "a tuple by what is not": """
def f(x):
    small = bool(x[0] < 0.1)
    return (x[0], x[1] * x[2])[not small] * x[0]
""",
    "a tuple by a flag": """
def g(x, flag):
    return (np.sum(x), np.sum(x * x))[flag]


def f(x, flag=True):
    return g(x, flag) * x[0] + g(x, not flag)
""",
    "a list that a loop fills by a test": """
def f(x):
    parts = []
    for k in range(len(x)):
        parts.append(x[k] ** 2)
    return parts[bool(x[0] > 0.1)] * x[1]
""",
}

MEMBERS = """
import enum


class Rate(enum.Enum):
    FAST = 0.5
    SLOW = 2.0

    @property
    def twice(self):
        return 2 * self.value


class Planet(enum.Enum):
    EARTH = (5.0, 6.4)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius


"""
CLOCKS = """
import time
from time import perf_counter as now


"""
LOGGERS = "import logging\n\n\n"
CLASSES = """
class Net:
    scale = 2.0

    @classmethod
    def loss(cls, x, power=2):
        return np.sum(x**power) * cls.scale + cls.more(x)

    @classmethod
    def more(cls, x):
        return cls.extra(x) * cls.scale

    @staticmethod
    def extra(x):
        return x[0]


class Small(Net):
    scale = 0.5

    @classmethod
    def loss(cls, x, power=3):
        return super().loss(x, power) + 1


"""
VALUES = """
class Value:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Value(self.value + other.value)

    def __neg__(self):
        return Value(-self.value)


"""
GENERATORS = """
def powers(x):
    yield x**2
    yield x


"""


def function(returned: str, *lines: str) -> str:
    """A function of x that does some statements, and returns an expression."""
    return "\n    ".join(["def f(x):", *lines, f"return {returned}"])


# what was refused, and is written by people
TAKEN = {
    "the value of a member": MEMBERS + function("np.sum(x**2) * Rate.FAST.value"),
    "a member under a name": MEMBERS
    + function("np.sum(x) * rate.value + len(rate.name) * x[0]", "rate = Rate.SLOW"),
    "a member by its name and by its value": MEMBERS
    + function('np.sum(x * Rate["FAST"].value) * Rate(2.0).value'),
    "a field and a property of a member": MEMBERS
    + function("x[0] * Planet.EARTH.mass + np.sum(x * Rate.SLOW.twice)"),
    "a loop over members": MEMBERS
    + function("s", "s = 0.0", "for rate in Rate: s += rate.value * x[0] ** 2"),
    "how long it took": CLOCKS
    + function(
        "y",
        "start = time.perf_counter()",
        "y = np.sum(x**2)",
        "spent = time.perf_counter() - start",
    ),
    "how long a round took": CLOCKS
    + function(
        "y",
        "start, y = None, 0.0",
        "for k in range(3):",
        "    start = now()",
        "    y = y + np.sum(x**k)",
        '    print(f"{y}: {1000 * (now() - start):.2f} ms")',
    ),
    "a name that was a time": CLOCKS
    + function("t", "t = time.time()", "t = np.sum(x**2)"),
    "a logger inside": LOGGERS
    + function(
        "np.sum(x**2)",
        "log = logging.getLogger(__name__)",
        'log.debug("at %s", x[0])',
    ),
    "a logger at once": LOGGERS
    + function("np.sum(x**2)", 'logging.getLogger("a.b").debug("at %s", 1)'),
    "a class method": CLASSES + "f = Net.loss",
    "a class method of a subclass": CLASSES + "f = Small.loss",
    "an operator of instances, and a field": VALUES
    + function("(Value(np.sum(x)) + Value(x[0] ** 2)).value"),
    "operators of instances, and a field": VALUES
    + function("(-(Value(x) + Value(x**2)) + Value(x**3)).value.sum()"),
    "a field of a namespace at once": "import types\n\n\n"
    + function("np.sum(types.SimpleNamespace(value=x**2, k=2).value)"),
    "NumPy's integers": function(
        "np.sum(x ** np.int64(2)) + np.int32(3) * x[np.int8(1)] / np.uint8(2)"
    ),
    "items of a generator": function(
        "np.sum(np.fromiter((v * v for v in x), dtype=float))"
    ),
    "some items of a map": function(
        "np.sum(np.fromiter(map(np.sin, x), float, count=2) ** 2)"
    ),
    "all items, by a count of -1": function(
        "np.sum(np.fromiter((x[k] * x[k - 1] for k in range(4)), float, count=-1))"
    ),
    "a flag that is not False": function(
        "None", "flag = not False", "if flag:", "    return np.sum(x**2)"
    ),
    "a method by its name": "import operator\n\n\n"
    + function('operator.methodcaller("sum", axis=0)(x**2)'),
    "a slice by a getter": "import operator\n\n\n"
    + function("np.sum(operator.itemgetter(slice(1, None))(x) ** 2)"),
    "the first of a generator's": GENERATORS + function("np.sum(next(powers(x)))"),
    "an axis that is computed": function(
        "np.sum(np.sum(np.outer(x, x**2), axis=2 - 1) ** 2)"
    ),
    "an axis by the rank": function(
        "np.sum(np.cumsum(A, axis=A.ndim - 1)[0] ** 2)", "A = np.outer(x, x**2)"
    ),
    "an axis by a name that changes": function(
        "np.sum(np.mean(A, axis=axis) ** 2)",
        "A, axis = np.outer(x, x**2), -1",
        "if axis < 0:",
        "    axis += A.ndim",
    ),
    "a loop over axes": function(
        "s",
        "A, s = np.outer(x, x**2), 0.0",
        "for k in range(A.ndim):",
        "    s = s + np.sum(np.diff(A, axis=k) ** 2)",
    ),
    "axes by a tuple of a range": function(
        "np.sum(np.sum(A, axis=axes) ** 2)",
        "A = np.outer(x, x**2)",
        "axes = tuple(range(1, A.ndim))",
    ),
    "an order that is computed": function(
        "np.linalg.norm(np.outer(x, x**2), ord=p + 1, axis=p)[0]", "p = 1"
    ),
    "a number of differences": function("np.sum(np.diff(x, n=k - 1) ** 2)", "k = 3"),
    "a number of parts": function(
        "np.sum(np.split(x, k + 1)[1] ** 2)", "k = len([0.5])"
    ),
    "a sum of filtered entries": function("sum(filter(lambda v: v > 0.5, x))"),
    "a list of filtered entries": function(
        "np.sum(np.array(list(filter(lambda v: v > item, x))) ** 2)", "item = 0.5"
    ),
    "a loop over filtered entries": function(
        "s",
        "s = 0.0",
        "for k, v in enumerate(filter(lambda v: v > 0.5, x)):",
        "    s = s + k * v",
    ),
    "a filter by what is true": function("list(filter(None, [x[0], x[1]]))[1] ** 2"),
    "a list that a loop sets first": function(
        "np.sum(terms[0] * terms[1]) * len(terms)",
        "for k in range(3):",
        "    terms = [x * k, x**2]",
        "    terms.append(x)",
    ),
    "a list that a loop sets, where something else is asked for None": function(
        "sum(np.sum(t) for t in terms)",
        "w, k = (None if x[0] < 0 else x), 0",
        "while k < 1:",
        "    terms = []",
        "    if w is not None:",
        "        terms.append(w)",
        "    terms.append(x * x)",
        "    k += 1",
    ),
    "terms of a loop without those that are None": """def g(x, w=None):
    for _ in range(2):
        terms = [t for t in (x, w, x**2) if t is not None]
    return sum(np.sum(t) for t in terms)


def f(x):
    return g(x) * g(x, x**3)""",
    "a copy by np.asarray": function(
        "np.sum(y * x)", "y = np.asarray(x, copy=True)", "y[0] = x[1] ** 2"
    ),
}
# what is refused still, since it means something else
REFUSED |= {"a time in the result": "GG211", "a time of a loop": "GG211"}
TIMES = {
    "a time in the result": CLOCKS + function("np.sum(x) * t", "t = now()"),
    "a time of a loop": CLOCKS
    + function("np.sum(x)", "t = now()", "while t < 0:", "    x = x * t"),
}
# subscripts of an einsum that are no text, where no ranks are told
REFUSED |= {"an einsum by numbers": "GG302", "an einsum by a choice": "GG302"}
REFUSED |= {"an einsum by more": "GG308"}
MARKS = {
    "a mark of None that is kept with copies": function(
        "s * 0.5 + np.sum(y)",
        "y, s, prev = np.sin(x), x[0] * x[1], None",
        "s, y[0] = y[0], s",
        "for v in y:",
        "    if prev is not None:",
        "        s = s + prev * v",
        "    prev = v if prev is None or v > 0.7 else prev * 0.7",
    ),
    "an einsum by numbers": function(
        "np.sum(np.einsum(np.ones((3, 4)), [0, 1], np.sin(x), [1], [1]) * x)"
    ),
    "an einsum by more": function(
        "np.sum(np.einsum(np.outer(x, x), [0, 1], np.sin(x), [1]))"
    ),
    "an einsum by a choice": function(
        "np.sum(np.einsum(how, np.ones((4, 4)), np.sin(x)) * x)",
        'how = "ij,j->j" if x[0] > 0.1 else "ij,j->i"',
    ),
}
PROGRAMS = CASTS | FLAGS | TAKEN | TIMES | MARKS
