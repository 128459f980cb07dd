"""Programs whose names once meant something else in the text, or stopped it.

Each is a module with a function f of an array x, and of numbers; `VALUES` are the
numbers' values in order.
"""

VALUES = (2.0, 0.5, 1.5, 0.7)
HEAD = "import math\n\nimport numpy as np\nimport numpy as np2\n\n"
CONSTANTS = {
    "a parameter": """
k = 5.0
def gk(x): return np.sin(k * x)
def f(x, k=2.0): return np.sum(gk(x)) * k
""",
    "a local": """
k = 5.0
def gk(x): return np.sin(k * x)
def f(x):
    k = np.sum(x)
    return np.sum(gk(x)) * k
""",
    "a loop's index": """
i = 0.5
def g(x): return np.cos(i * x)
def f(x):
    for i in range(3):
        x = g(x) * (i + 1)
    return np.sum(x)
""",
    "two closures": """
def make(k):
    def g(x): return np.sin(k * x)
    return g
g1, g2 = make(2.0), make(3.0)
def f(x): return np.sum(g1(x) * g2(x))
""",
    "a closure and the module": """
k = 7.0
def make(k):
    def g(x): return np.sin(k * x)
    return g
g = make(2.0)
def f(x): return np.sum(g(x) * k)
""",
    "a closure, the module and a parameter": """
k = 7.0
def make(k): return lambda x: np.sin(k * x)
g = make(2.0)
def h(x): return np.cos(k * x)
def f(x, k): return np.sum(g(x) * h(x)) * k
""",
    "a lambda's": """
k = 3.0
g = lambda x: k * x
def f(x, k): return np.sum(g(x) ** 2) * k
""",
    "a default": """
k = 3.0
def g(x, k=k): return k * x
def f(x, k): return np.sum(g(x) ** 2) * k
""",
    "lambdas of one line": """
g1, g2 = lambda x: 2.0 * x, lambda x: 3.0 * x * x
def f(x): return np.sum(g1(x) * g2(x))
""",
    "a tuple": """
K = (1.0, 2.0)
def g(x): return x * K[0] - K[1]
def f(x, K): return np.sum(g(x) ** 2) * K
""",
    "an array": """
A = np.array([1.0, 2.0, 3.0])
def g(x): return A * x
def f(x, A): return np.sum(np.sin(g(x))) * A
""",
    "a number of NumPy's": """
k = np.float64(5.0)
def g(x): return k * x
def f(x, k): return np.sum(np.sin(g(x))) * k
""",
    "np": """
np, C = 3.0, 2.0
def f(x): return np2.sum(np2.sin(np * x)) * C
""",
    "float": """
float = 3.0
def f(x): return np.sum(np.sin(float * x))
""",
    "a helper": """
_unbroadcast = 3.0
def f(x, y): return np.sum(np.sin(_unbroadcast * x * y))
""",
    "the text's function": """
grad_f = value_and_grad_f = vjp_f = 3.0
def f(x): return np.sum(np.sin(grad_f * x) + value_and_grad_f * x) * vjp_f
""",
    "math": """
from math import sin
math = 3.0
def f(x): return np.sum(x * x) * sin(x[0]) * math
""",
    "d_x": """
d_x = 3.0
def g(x): return np.sin(d_x * x)
def f(x, d_out): return np.sum(g(x)) * d_out
""",
    "the module's own": """
def f(x): return np.sum(x * x) * (2.0 if __name__ != "f" else 3.0)
""",
    "debug": """
def f(x): return np.sum(x * x) if __debug__ else x[0]
""",
    "a type": """
DT = float
def f(x): return np.sum(np.zeros(3, dtype=DT) + x * x)
""",
}
WANTED = {
    "len": "def f(x, len): return np.sum(np.mean(x, axis=0) * x) * len",
    "range": """
def f(x, range):
    for i in (0, 1):
        x = np.sin(x) * 0.5
    return np.sum(x) * range
""",
    "reversed": """
def f(x, reversed):
    for i in range(3):
        x = np.sin(x) * reversed
    return np.sum(x)
""",
    "reversed, a local": """
def f(x):
    reversed = x * x
    for i in range(3):
        reversed = np.sin(reversed) * x
    return np.sum(reversed)
""",
    "float": """
def g(a): return a * float(3)
def f(x, float): return np.sum(x * x) * float + g(x[1])
""",
    "abs, sum, list": """
def g(a): return abs(a) * 2
def f(x, abs, sum, list): return np.sum(g(x)) * abs * sum * list
""",
    "max": """
def g(a, b): return max(a, b) * min(a, b)
def f(x, max, min): return np.sum(x * x) * max + g(x[0], x[1]) * min
""",
    "an error": """
def g(a):
    if a.ndim > 5:
        raise ValueError("too many")
    return a * a
def f(x, ValueError): return np.sum(g(x)) * ValueError
""",
    "numpy": """
def f(np, numpy, _np, _np_): return np2.sum(np2.sin(np * numpy)) * _np * _np_
""",
    "math": """
from math import sin
def g(a): return a * sin(a)
def f(x, math): return math * g(x[0]) + np.sum(x * x)
""",
    "a helper": "def f(x, _unbroadcast): return np.sum(np.sin(x * _unbroadcast))",
    "backprop": """
def f(x, backprop, backprop_): return np.sum(x * x) * backprop * backprop_
""",
    "adjoints": """
def f(x, d_x, d_out, d_y):
    y = np.sin(x * d_x)
    return np.sum(y * d_out) * d_y
""",
    "a local adjoint": """
def f(x, v_x):
    d_x = np.sin(x) * v_x
    d_d_x = d_x * x
    return np.sum(d_x * d_d_x)
""",
    "the text's function": """
def f(x, grad_f, vjp_f, value_and_grad_f, jvp_f):
    return np.sum(np.sin(x * grad_f)) * vjp_f * value_and_grad_f * jvp_f
""",
    "soft keywords": """
def f(x, match, type, case):
    _ = np.sin(x * match)
    return np.sum(_ * x) * type * case
""",
    "one name in two spellings": """
def f(x, \N{LATIN SMALL LIGATURE FI}):
    \N{MICRO SIGN} = np.sin(x * fi)
    return np.sum(\N{GREEK SMALL LETTER MU} * x)
""",
    "dunder": "def f(x, __k, __k__): return np.sum(np.sin(x * __k)) * __k__",
    "a class's arguments": """
def f(x, self, cls, args, kwargs):
    return np.sum(np.sin(x * self)) * cls * args * kwargs
""",
}
