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
    if name.endswith(" y") and not any(word in name for word in COPIES)
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

PROGRAMS = CASTS | FLAGS
