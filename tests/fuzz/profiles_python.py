"""Pieces of Python around NumPy for the profile `python`: each makes y anew from y.

Lines that begin with `m:` belong to the module, those with `p:` are parameters.
"""

HEAD = """import contextlib
import functools
import itertools
import logging
import math
import numbers
import operator
import warnings
from collections import OrderedDict, namedtuple
from functools import lru_cache, partial, reduce, wraps

import numpy as np

log = logging.getLogger("gradgen.fuzz.python")
"""

PIECES = [
    text
    for text in """
if not isinstance(y, <t>):
    y = np.array(y)
y = <g>(y) * <c>
===
if isinstance(y, <s>):
    y = np.asarray(y, dtype=float)
y = <g>(y)
===
p:s<i>=<c>
if isinstance(s<i>, <n>):
    y = <g>(y) * s<i>
else:
    y = y @ s<i>
===
p:s<i>=<c>
if np.isscalar(s<i>):
    s<i> = np.full(y.shape, s<i>)
y = <g>(y) + s<i>
===
n = len(y) if hasattr(y, "__len__") else 1
y = <g>(y) / n
===
if hasattr(y, "values"):
    y = y.values
y = <g>(y)
===
p:act<i>=<h>
y = act<i>(y) if callable(act<i>) else y
===
if type(y) is np.ndarray:
    y = <g>(y)
else:
    y = np.array(y)
===
p:p<i>=<k>
if type(p<i>) == int:
    y = <g>(y) ** p<i>
else:
    y = np.abs(y) ** p<i>
===
assert isinstance(y, np.ndarray), "y must be an array"
assert y.ndim == 1, f"y has {y.ndim} axes"
y = <g>(y)
===
if y.ndim == 2:
    y = y.ravel()
elif np.ndim(y) == 0:
    raise ValueError("no axes: " + str(y.ndim))
y = <g>(y)
===
if y.dtype != float:
    y = y.astype(float)
if y.dtype.kind not in "fc":
    raise TypeError("dtype %s" % y.dtype)
y = <g>(y)
===
if not np.issubdtype(y.dtype, np.floating):
    y = y.astype(np.float64)
y = <g>(y) * <c>
===
z = <g>(y)
if not all(isinstance(v, np.ndarray) for v in (y, z)):
    raise TypeError("arrays")
y = <b>(y, z)
===
p:w<i>=None
w<i> = np.ones_like(y) if w<i> is None else np.asarray(w<i>)
y = y * w<i> * <c>
===
p:mode<i>="<W>"
if mode<i>.lower() == "sum":
    y = <g>(y)
elif mode<i>.lower() in ("mean", "half"):
    y = <h>(y) * <c>
else:
    raise ValueError("unknown mode {}".format(mode<i>))
===
p:mode<i>="<w>"
mode<i> = mode<i>.upper().strip()
if mode<i>.startswith("S"):
    y = <g>(y)
else:
    y = <h>(y)
===
p:mode<i>="<w>"
known = ["sum", "mean", "half"]
if mode<i> not in known:
    raise ValueError("one of " + ", ".join(known) + f", not {mode<i>!r}")
y = <g>(y) * (1.0 if mode<i> == "sum" else <c>)
===
m:OPTIONS<i> = {"sum": 1.0, "mean": <c>, "half": <d>}
p:mode<i>="<w>"
y = <g>(y) * OPTIONS<i>[mode<i>]
===
p:mode<i>="<w>"
scale = {"sum": <c>, "mean": <d>, "half": 0.5}[mode<i>]
y = <g>(y) * scale
===
m:TABLE<i> = {"sum": <g>, "mean": lambda v: v * <c>, "half": <h>}
p:mode<i>="<w>"
y = TABLE<i>[mode<i>](y)
===
m:def own<i>(v, k=<c>):
m:    return <g>(v) * k
m:TABLE<i> = {"own": own<i>, "other": <h>}
y = TABLE<i>["own"](y) + TABLE<i>.get("other")(y)
===
a, b = "<k>,<c>".split(",")
y = <g>(y) ** int(a) * float(b)
===
letters = "ij"
y = y * np.einsum(letters[0] + "," + letters[0] + "->", y, <g>(y))
===
spec = "{0},{0}->{0}".format("i")
y = np.einsum(spec, y, <g>(y))
===
if np.max(y) > 90:
    warnings.warn("large: {} of {}".format(np.max(y), len(y)), RuntimeWarning)
y = <g>(y)
===
log.debug("y is <u>", 3)
log.info("norm " + str(np.sum(y)))
log.debug(f"norm {np.sum(y):.3f} of {y.shape}")
y = <g>(y) * <c>
===
print("value: %.3f" % np.sum(y), "of", y.shape, sep="\\n")
print("value: <f>".format(y[0]))
print("-" * 4)
y = <g>(y)
===
text = f"y has shape {y.shape}"
if y.ndim != 1:
    raise ValueError(text)
y = <g>(y)
===
y = y if y is not None else np.zeros(3)
y = np.atleast_1d(np.asarray(y, dtype=np.float64)).copy()
y = <g>(y)
===
p:eps<i>=None
eps<i> = eps<i> or 1e-3
y = np.sqrt(y ** 2 + eps<i>)
===
m:@lru_cache(maxsize=None)
m:def coef<i>(n):
m:    return <c> / (n + 1)
y = <g>(y) * coef<i>(<k>)
===
m:def deco<i>(fn):
m:    @wraps(fn)
m:    def wrapper(*args, **kwargs):
m:        return fn(*args, **kwargs)
m:    return wrapper
m:@deco<i>
m:def wrapped<i>(v, k=1.0):
m:    return k * <g>(v)
y = wrapped<i>(y, k=<c>)
===
m:def deco<i>(fn):
m:    def wrapper(v):
m:        result = fn(v)
m:        return result
m:    return wrapper
m:@deco<i>
m:def wrapped<i>(v):
m:    return <g>(v) * <c>
y = wrapped<i>(y)
===
m:class Space<i>:
m:    scale = <c>
m:    @staticmethod
m:    def one(v):
m:        return <g>(v)
m:    @classmethod
m:    def two(cls, v):
m:        return <h>(v) * cls.scale
y = Space<i>.one(y) + Space<i>.two(y) * Space<i>.scale
===
for fn in [<g>, lambda v: v * <c>, <h>]:
    y = fn(y)
===
raised = partial(np.power, y)
y = raised(<k>) * <c>
===
clip = functools.partial(np.clip, a_min=-9.0, a_max=9.0)
scaled = functools.partial(lambda k, v: k * v, <c>)
y = clip(scaled(y))
===
y = reduce(lambda a, b: a * b, [y, <g>(y), y + <c>])
===
y = functools.reduce(<b>, [y, <g>(y), <h>(y)], <c>)
===
y = operator.<o>(<g>(y), y) + operator.neg(y)
===
total = 0.0
for v in itertools.accumulate([y, <g>(y), <h>(y)]):
    total = total + v
y = total
===
for a, b in itertools.product([1.0, <c>], [<d>, 4.0]):
    y = <g>(y) * a + b
===
total = 0.0
for a in itertools.chain([<c>, 2.0], (<d>,)):
    total += a * <g>(y)
y = total
===
total = 0.0
for i, j in itertools.combinations(range(2), 2):
    total += y[i] * y[j]
y = y * total
===
y = sum(a * b for a, b in zip([y, <g>(y)], [<c>, <h>(y)]))
===
total = 0.0
for a, b in itertools.zip_longest([1.0, <c>, 3.0], [<d>], fillvalue=0.5):
    total += a * b * <g>(y)
y = total
===
def apply<i>(fn, *args, **kwargs):
    return fn(*args, **kwargs)
y = apply<i>(<b>, <g>(y), y)
===
def compose<i>(*fns):
    def run(v):
        for fn in fns:
            v = fn(v)
        return v
    return run
y = compose<i>(<g>, <h>)(y)
===
y = y * max(np.sum(<g>(y)), -90.0) + min(y[0], 90.0)
===
y = y * (max(y) - min(y)) + max(1, <k>, 2)
===
a, b = <g>(y) + 5, <h>(y) - 5
y = max([a, b], key=np.sum)
===
a, b = sorted([y[0], y[1]])
y = y * (a * 2 + b)
===
ks = sorted([3, 1, 2], key=lambda v: -v)
y = <g>(y) * ks[0] + ks[-1]
===
y = pow(abs(y), <k>) + abs(<c>)
===
n, r = divmod(len(y), 2)
y = <g>(y) * n + r + round(<c>)
===
p:ks<i>=(1, <k>)
if any(k > 1 for k in ks<i>) and all(k < 9 for k in ks<i>):
    y = <g>(y)
===
if any(v > 90 for v in y) or not all([y.ndim == 1, len(y) > 0]):
    y = np.zeros(3)
y = <g>(y)
===
a, b = map(<g>, (y, y * <c>))
y = a * b
===
parts = list(map(lambda v: v * <c>, [y, <g>(y)]))
y = sum(parts)
===
for k in filter(lambda k: k % 2 == 0, [1, 2, 3, 4]):
    y = <g>(y) * k
===
p:w<i>=None
terms = [t for t in (y, w<i>, <g>(y)) if t is not None]
y = sum(terms)
===
pairs = [(<g>(y), <c>), (y, <d>)]
vals, ws = zip(*pairs)
y = sum(v * w for v, w in zip(vals, ws))
===
total = 0.0
for i, v in enumerate(y, start=<k>):
    total += i * v ** 2
y = y * total
===
y = <g>(y)
y = y[list(range(len(y)))] * y[range(len(y))]
===
p:axis<i>=0
if axis<i> in {0, -1}:
    y = <g>(y)
===
powers = {k: y ** k for k in (1, <k>)}
y = sum(v for v in powers.values()) * len(powers)
===
params = {"a": y, "b": <g>(y)}
twice = {k: v * <c> for k, v in params.items() if k != "c"}
y = twice["a"] * twice["b"]
===
d = {}
d["a"] = y
d.update(b=<g>(y))
d.update({"c": <h>(y)})
d.setdefault("e", y)
c = d.pop("c")
for k, v in d.items():
    c = c + (v if k == "a" else v ** 2)
y = c * d.get("zz", <c>) * len(d)
===
d = {"a": y}
if "b" not in d:
    d["b"] = <c> * <g>(y)
y = d["a"] * d["b"]
===
out = {}
for i, name in enumerate(["a", "b"]):
    out[name] = <g>(y) ** (i + 1)
y = out["a"] + out["b"]
===
opts = dict(axis=0, keepdims=True)
y = y * np.sum(<g>(y), **opts)
===
p:k<i>=<k>
args = (<g>(y), k<i>)
y = np.power(*args)
===
first, *rest = [y, <g>(y), <h>(y)]
y = first * sum(rest)
===
def inner<i>(v, /, a=1.0, *rest, b=2.0, **more):
    return <g>(v) * a + b + sum(rest) + more.get("c", 0.0)
y = inner<i>(y, <c>, 1.0, b=<d>, **{"c": 0.5})
===
if (n := len(y)) > 1:
    y = <g>(y) / n
===
if 0 < len(y) <= 10 and 1 <= y.ndim < 3:
    y = <g>(y)
===
layers = [[y, 1.0], [<g>(y), <c>]]
layers[0][1] = <d>
y = sum(a * b for a, b in layers)
===
state = {"pos": [y, <g>(y)], "k": <c>}
for _ in range(2):
    state["pos"][0] = state["pos"][0] * 0.5 + state["pos"][1]
y = state["pos"][0] * state["k"]
===
parts = <z>(v * <c> for v in [y, <g>(y)])
y = parts[0] * parts[1]
===
axes = sorted(set([0, 1, 1, 2]))
y = <g>(y) * len(axes) + math.comb(4, 2)
===
try:
    y = <g>(y)
except <e>:
    y = <h>(y)
===
try:
    n = y.shape[0]
except (AttributeError, IndexError):
    n = 1
else:
    n = n + 1
finally:
    n = n * 2
y = <g>(y) / n
===
try:
    y = np.log(y ** 2 + 1.0)
except ValueError as error:
    raise RuntimeError("bad") from error
===
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    y = <g>(y)
===
with np.errstate(divide="ignore"), contextlib.nullcontext():
    y = <g>(y)
===
with contextlib.suppress(ZeroDivisionError):
    y = <g>(y) * <c>
===
m:COUNT<i> = <c>
global COUNT<i>
y = COUNT<i> * <g>(y)
===
z = <g>(y)
y = z * 2
del z
===
import math as m<i>
from numpy import sin as s<i>
y = s<i>(y) * m<i>.pi
===
if __debug__:
    assert y.ndim == 1
y = <g>(y)
===
k<i> = <c>
def outer<i>(v, p=<k>):
    def deep(u):
        return <g>(u) ** p * k<i>
    return deep(v)
y = outer<i>(y)
===
m:WEIGHTS<i> = [0.2, <c>, <d>]
m:CONFIG<i> = {"rate": <c>, "layers": (1, 2), "fn": <g>}
y = CONFIG<i>["fn"](y) * WEIGHTS<i>[1] + len(CONFIG<i>["layers"])
for w in WEIGHTS<i>:
    y = y * w
===
m:HALF<i> = np.float64(0.5)
m:class Config<i>:
m:    eps = <d>
y = <g>(y) * HALF<i> + Config<i>.eps
===
m:Point<i> = namedtuple("Point<i>", "a b")
p = Point<i>(y, b=<g>(y))
a, b = p
y = p.a * b + a
""".split("===\n")
]
