"""Programs of the Python around NumPy, each a function of an array x.

`PROGRAMS` are their names: tests of kinds (i), strings (s), names of another kind (k),
decorators (d), functions as values (f), Python's own functions and containers (b),
blocks (t), constants of the module (m).
"""

import contextlib
import functools
import itertools
import logging
import math
import numbers
import operator
import warnings
from collections import defaultdict
from functools import lru_cache, partial, reduce, wraps

import numpy as np

log = logging.getLogger(__name__)


def i_asarray(x):
    if not isinstance(x, np.ndarray):
        x = np.array(x)
    return np.sum(x**2)


def i_list(x):
    if isinstance(x, (list, tuple)):
        x = np.asarray(x, dtype=float)
    return np.sum(np.sin(x))


def i_scalar(x, s=2.0):
    if isinstance(s, (int, float)):
        s = s * np.ones_like(x)
    return np.sum(s * x**2)


def i_number(x, s=2.0):
    if isinstance(s, numbers.Number):
        return np.sum(s * x**2)
    return np.sum(s @ x)


def i_hasattr2(x):
    n = len(x) if hasattr(x, "__len__") else 1
    return np.sum(x**3) / n


def i_callable(x, act=np.tanh):
    if callable(act):
        y = act(x)
    else:
        y = x
    return np.sum(y)


def i_type_eq(x, p=2):
    if type(p) == int:
        return np.sum(x**p)
    return np.sum(np.abs(x) ** p)


def i_isscalar(x, b=1.5):
    if np.isscalar(b):
        b = np.full(x.shape, b)
    return np.dot(x, b)


def i_ndim2(x):
    if np.ndim(x) == 0:
        return x**2
    elif np.ndim(x) == 1:
        return np.sum(x**2)
    else:
        raise ValueError("only vectors, not " + str(np.ndim(x)))


def i_dtype_kind(x):
    if x.dtype.kind == "f":
        return np.sum(x * x)
    raise TypeError("float wanted, got %s" % x.dtype)


def i_subdtype(x):
    if not np.issubdtype(x.dtype, np.floating):
        x = x.astype(np.float64)
    return np.sum(x * x)


def i_assert(x, k: int = 2):
    assert isinstance(x, np.ndarray), "x must be an array"
    assert isinstance(k, int) and k > 0
    assert x.ndim == 1, f"x has {x.ndim} axes"
    return np.sum(x**k)


def i_iterable(x, axes=(0,)):
    try:
        n = len(axes)
    except TypeError:
        n = 1
    return np.sum(x**2) / n


def i_series(x):
    if hasattr(x, "values"):
        x = x.values
    return np.sum(x**2)


def i_any(x, y):
    if any(isinstance(v, list) for v in (x, y)):
        x, y = np.array(x), np.array(y)
    return np.sum(x * y)


def i_all(x, y):
    if not all(isinstance(v, np.ndarray) for v in (x, y)):
        raise TypeError("arrays wanted")
    return np.sum(x * y)


def s_lower(x, mode="SUM"):
    if mode.lower() == "sum":
        return np.sum(x**2)
    elif mode.lower() == "mean":
        return np.mean(x**2)
    raise ValueError("unknown mode %r" % mode)


def s_in(x, kind="l2"):
    if kind not in ("l1", "l2"):
        raise ValueError(f"kind must be l1 or l2, got {kind!r}")
    if kind in ["l1", "abs"]:
        return np.sum(np.abs(x))
    return np.sum(x**2)


OPTIONS = {"sum": 1.0, "half": 0.5}


def s_dict(x, mode="half"):
    return OPTIONS[mode] * np.sum(x**2)


def s_dict2(x, mode="half"):
    scale = {"sum": 1.0, "half": 0.5}[mode]
    return scale * np.sum(x**2)


def s_starts(x, mode="sum_of"):
    if mode.startswith("sum"):
        return np.sum(x**2)
    return np.mean(x**2)


def s_split(x, spec="2,3"):
    a, b = spec.split(",")
    return np.sum(x ** int(a)) * float(b)


def s_warn(x):
    if np.any(x < 0):
        warnings.warn("negative values: {}".format(np.sum(x < 0)), RuntimeWarning)
    return np.sum(x**2)


def s_log(x):
    log.debug("x is %s", x)
    logging.info("norm " + str(np.sum(x)))
    y = np.sum(x**2)
    log.debug(f"y is {y:.3f}")
    return y


def s_print(x, verbose=False):
    y = np.sum(x**2)
    if verbose:
        print("value: %.3f" % y, "of", x.shape, sep="\n")
        print("value: {:.3f} {}".format(y, x.shape))
        print("-" * 40)
    return y


def s_raise(x):
    if x.ndim != 1:
        raise ValueError("x has shape {} and {n} axes".format(x.shape, n=x.ndim))
    if len(x) < 1:
        raise ValueError("x has %d entries, %s" % (len(x), x.shape))
    return np.sum(x**2)


def s_msg2(x, name="x"):
    msg = "bad " + name
    if x.size == 0:
        raise ValueError(msg)
    return np.sum(x**2)


def s_join(x, kind="l2"):
    known = ["l1", "l2"]
    if kind not in known:
        raise ValueError("kind must be one of " + ", ".join(known))
    return np.sum(x**2) if kind == "l2" else np.sum(np.abs(x))


def s_einsum(x):
    letters = "ij"
    return np.einsum(letters[0] + "," + letters[0] + "->", x, x)


def k_cond(x, w=None):
    x = np.asarray(x)
    w = w if w is not None else np.ones(x.shape)
    return np.sum(w * x * x)


def k_dtype(x):
    x = np.asarray(x, dtype=float)
    y = np.array(x, dtype=np.float64, copy=True)
    return np.sum(y**2)


def k_squeeze(x):
    scalar = np.isscalar(x)
    x = np.atleast_1d(x)
    y = np.sum(x**2)
    return y if scalar else y * 1.0


@lru_cache(maxsize=None)
def coef(n):
    return 1.0 / (n + 1)


def d_lru(x):
    return coef(3) * np.sum(x**2)


def deco(f):
    @wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)

    return wrapper


@deco
def d_wraps(x):
    return np.sum(x**2)


@deco
def helper_w(x, k=2.0):
    return k * np.sin(x)


def deprecated(msg):
    def outer(f):
        @wraps(f)
        def wrapper(*a, **k):
            warnings.warn(msg, DeprecationWarning)
            return f(*a, **k)

        return wrapper

    return outer


@deprecated("old")
def d_depr(x):
    return np.sum(x**2)


def timed(f):
    def wrapper(x):
        result = f(x)
        return result

    return wrapper


@timed
def d_nowraps(x):
    return np.sum(x**2)


class Space:
    @staticmethod
    def sm(x):
        return np.sum(x**2)

    @classmethod
    def cm(cls, x):
        return np.sum(x**3)


def d_static(x):
    return Space.sm(x) + Space.cm(x)


def double(f):
    @wraps(f)
    def wrapper(x):
        return 2 * f(x)

    return wrapper


@double
def d_double(x):
    return np.sum(x**2)


def f_default(x, activation=np.tanh):
    return np.sum(activation(x))


ACT = {"tanh": np.tanh, "relu": lambda v: np.maximum(v, 0), "id": (lambda v: v)}


def f_table(x, act="tanh"):
    return np.sum(ACT[act](x))


def f_table_local(x, act="sin"):
    fs = {"sin": np.sin, "cos": np.cos}
    return np.sum(fs[act](x))


def f_layers(x):
    for g in [np.sin, np.tanh, lambda v: v**2]:
        x = g(x)
    return np.sum(x)


def f_partial(x):
    p = partial(np.power, x)
    q = functools.partial(np.clip, a_min=-1.0, a_max=1.0)
    return np.sum(p(2)) + np.sum(q(x))


def f_reduce(x):
    return np.sum(reduce(lambda a, b: a * b, [x, np.sin(x), x + 1]))


def f_reduce2(x):
    return np.sum(functools.reduce(np.multiply, [x, x, np.cos(x)], 2.0))


def f_operator(x):
    return operator.mul(np.sum(operator.pow(x, 2)), operator.neg(2.0))


def f_accumulate(x):
    t = 0.0
    for y in itertools.accumulate([x, x**2, np.sin(x)]):
        t = t + np.sum(y)
    return t


def f_product(x):
    t = 0.0
    for a, b in itertools.product([1.0, 2.0], [3.0, 4.0]):
        t += np.sum(a * x**b)
    return t


def f_chain(x):
    t = 0.0
    for a in itertools.chain([1.0, 2.0], (3.0,)):
        t += np.sum(a * x**2)
    return t


def f_pairs_dyn(x):
    t = 0.0
    for i, j in itertools.product(range(len(x)), repeat=2):
        t += x[i] * x[j]
    return t


def f_pairwise(x):
    w = [x, np.sin(x), np.cos(x)]
    return sum(np.sum(a * b) for a, b in itertools.pairwise(w))


def f_fnarg(x):
    def apply(fn, *args):
        return fn(*args)

    return np.sum(apply(np.multiply, x, x))


def f_compose(x):
    def compose(*fs):
        def run(v):
            for f in fs:
                v = f(v)
            return v

        return run

    return np.sum(compose(np.sin, np.exp)(x))


def b_maxarr(x):
    return max(x) * min(x)


def b_maxkey(x):
    a, b = np.sin(x), np.cos(x)
    best = max([a, b], key=np.sum)
    return np.sum(best)


def b_sorted(x):
    a, b = sorted([x[0], x[1]])
    return a * 2 + b


def b_sortedarr(x):
    y = sorted(x)
    return y[0] * 2 + y[-1]


def b_sortedkey(x):
    y = sorted([3, 1, 2], key=lambda v: -v)
    return y[0] * np.sum(x) + y[1]


def b_divmod(x):
    n, r = divmod(len(x), 2)
    return np.sum(x**2) * n + r


def b_any(x, ks=(1, 2)):
    if any(k > 1 for k in ks):
        return np.sum(x**2)
    return np.sum(x)


def b_all(x):
    if all(v > -100 for v in x):
        return np.sum(x**2)
    return np.sum(x)


def b_map2(x):
    a, b = map(np.sin, (x, x**2))
    return np.sum(a * b)


def b_filter_none(x, w=None):
    terms = [t for t in (x, w, x**2) if t is not None]
    return sum(np.sum(t) for t in terms)


def b_zipstar(x):
    pairs = [(x[0], 1.0), (x[1], 2.0)]
    vals, ws = zip(*pairs)
    return sum(v * w for v, w in zip(vals, ws))


def b_rangeidx(x):
    return np.sum(x[range(2)] ** 2) + np.sum(x[list(range(1, 3))])


def b_set(x, axis=0):
    if axis in {0, -1}:
        return np.sum(x**2)
    return np.sum(x)


def b_dictcomp2(x):
    params = {"a": x, "b": x**2}
    sq = {k: v * 2 for k, v in params.items() if k != "c"}
    return np.sum(sq["a"] * sq["b"])


def b_dict(x):
    d = {}
    d["a"] = x
    d.update(b=x**2)
    d.update({"c": np.sin(x)})
    d.setdefault("e", x)
    c = d.pop("c")
    t = np.sum(c)
    for k, v in d.items():
        if k == "a":
            t += np.sum(v)
        else:
            t += np.sum(v**2)
    return t + d.get("zz", 1.0) * len(d)


def b_dict_in(x):
    d = {"a": x}
    if "b" not in d:
        d["b"] = 2 * x
    return np.sum(d["a"] * d["b"])


def b_defaultdict(x):
    out = defaultdict(float)
    for i, name in enumerate("aba"):
        out[name] += x[i] ** 2
    return out["a"] * out["b"]


def b_dictcall(x):
    opts = dict(axis=0, keepdims=True)
    return np.sum(np.sum(x**2, **opts))


def b_kwargs(x, **kwargs):
    k = kwargs.get("k", 2)
    return np.sum(x**k)


def b_stararr(x):
    a, *rest = x
    return a**2 + rest[0]


def b_match(x, mode="sum"):
    match mode:
        case "sum":
            return np.sum(x**2)
        case "mean" | "avg":
            return np.mean(x**2)
        case _:
            raise ValueError(mode)


def b_match2(x):
    match x.shape:
        case (n,):
            return np.sum(x**2) / n
        case (n, m):
            return np.sum(x**2) / m
    return np.sum(x)


def b_nested2(x):
    state = {"pos": [x[0], x[1]], "vel": [x[2], 0.0]}
    for _ in range(3):
        state["vel"][0] = state["vel"][0] - 0.1 * state["pos"][0]
        state["pos"][0] += 0.1 * state["vel"][0]
    return state["pos"][0] ** 2 + state["pos"][1]


def b_table(x):
    rows = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(3):
            rows[i][j] = x[i] * x[j]
    return rows[0][1] + rows[2][2]


def b_setops(x):
    axes = sorted(set([0, 1, 1, 2]))
    return np.sum(x**2) * len(axes)


def b_density(x):
    z = x * 2.0
    z[0] = x[0] ** 2
    return np.mean([np.log(np.mean(np.exp(-((v - z) ** 2)))) for v in z])


def b_apart(x):
    return np.sum(np.sin(sum((v - x) ** 2 for v in x)))


def b_mathf(x):
    return (
        math.fsum([1.0, 2.0]) * np.sum(x) + math.prod([2, 3]) * x[0] + math.comb(4, 2)
    )


def t_try(x):
    try:
        y = np.linalg.inv(np.outer(x, x) + np.eye(3))
    except np.linalg.LinAlgError:
        y = np.linalg.pinv(np.outer(x, x) + np.eye(3))
    return np.sum(y)


def t_try2(x):
    try:
        return np.sum(x**2)
    except ValueError as e:
        raise RuntimeError("bad") from e


def t_tryelse(x):
    try:
        n = x.shape[0]
    except AttributeError:
        n = 1
    else:
        n = n + 1
    return np.sum(x**2) / n


def t_withwarn(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = np.log(x + 10)
    return np.sum(y)


def t_withnull(x):
    with contextlib.nullcontext():
        y = np.log(x + 10)
    return np.sum(y)


def t_withsup(x):
    y = x
    with contextlib.suppress(ZeroDivisionError):
        y = np.log(x + 10)
    return np.sum(y)


COUNT = 3


def t_global(x):
    global COUNT
    return COUNT * np.sum(x**2)


def t_import2(x):
    import numpy as np2
    from math import exp, pi
    from scipy.special import expit

    return np2.sum(expit(x)) * exp(1.0) * pi


def t_nested(x):
    k = 3.0

    def inner(v, p=2):
        def deep(u):
            return u**p * k

        return deep(v)

    return np.sum(inner(x))


def t_nonlocal(x):
    t = 0.0

    def add(v):
        nonlocal t
        t = t + v

    add(np.sum(x))
    add(np.sum(x**2))
    return t


EPS = np.finfo(float).eps


F64 = np.float64(0.5)


WEIGHTS = [0.2, 0.3, 0.5]


NODES = np.array([0.1, 0.2, 0.3])


CFG = {"lr": 0.1, "layers": (1, 2)}


def m_consts2(x):
    t = 0.0
    for w, n in zip(WEIGHTS, NODES):
        t += w * np.sin(n * x[0])
    return t


class Config:
    eps = 1e-3
    table = {"a": 2.0}


def m_class(x):
    return np.sum(np.sqrt(x**2 + Config.eps)) * Config.table["a"]


class Settings:
    kind = float
    narrow = np.float32
    start = staticmethod(np.tanh)


def m_class_dtype(x):
    held = np.zeros(x.shape, dtype=Settings.kind)
    return np.sum((held + x) ** 2) + np.sum(Settings.start(x))


PROGRAMS = [
    "i_asarray",
    "i_list",
    "i_scalar",
    "i_number",
    "i_hasattr2",
    "i_callable",
    "i_type_eq",
    "i_isscalar",
    "i_ndim2",
    "i_dtype_kind",
    "i_subdtype",
    "i_assert",
    "i_iterable",
    "i_series",
    "i_any",
    "i_all",
    "s_lower",
    "s_in",
    "s_dict",
    "s_dict2",
    "s_starts",
    "s_split",
    "s_warn",
    "s_log",
    "s_print",
    "s_raise",
    "s_msg2",
    "s_join",
    "s_einsum",
    "k_cond",
    "k_dtype",
    "k_squeeze",
    "d_lru",
    "d_wraps",
    "d_depr",
    "d_nowraps",
    "d_static",
    "d_double",
    "f_default",
    "f_table",
    "f_table_local",
    "f_layers",
    "f_partial",
    "f_reduce",
    "f_reduce2",
    "f_operator",
    "f_accumulate",
    "f_product",
    "f_chain",
    "f_pairs_dyn",
    "f_pairwise",
    "f_fnarg",
    "f_compose",
    "b_maxarr",
    "b_maxkey",
    "b_sorted",
    "b_sortedarr",
    "b_sortedkey",
    "b_divmod",
    "b_any",
    "b_all",
    "b_map2",
    "b_filter_none",
    "b_zipstar",
    "b_rangeidx",
    "b_set",
    "b_dictcomp2",
    "b_dict",
    "b_dict_in",
    "b_defaultdict",
    "b_dictcall",
    "b_kwargs",
    "b_stararr",
    "b_match",
    "b_match2",
    "b_table",
    "b_setops",
    "b_density",
    "b_apart",
    "b_mathf",
    "t_try",
    "t_try2",
    "t_tryelse",
    "t_withwarn",
    "t_withnull",
    "t_withsup",
    "t_global",
    "t_import2",
    "t_nested",
    "t_nonlocal",
    "m_consts2",
    "m_class",
    "m_class_dtype",
]
