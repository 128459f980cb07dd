"""Programs as people write them, each against numbers: a table, and a loop over it."""

import copy

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written
from tests.refusals import refusal

x = np.array([0.7, 1.2, 0.4, 0.9])
y = np.array([1.1, 0.6, 0.8, 1.4])
A = np.arange(12.0).reshape(3, 4) / 7 + 0.3

PROGRAMS = {
    "match_const": (
        """
def f(x, kind):
    match kind:
        case "a" | "b":
            return np.sum(x)
        case "sin":
            y = np.sin(x)
        case _:
            y = x ** 2
    return np.sum(y * x)
""",
        (
            x,
            "sin",
        ),
    ),
    "walrus_while": (
        """
def f(x):
    s = np.sum(x)
    n = 0
    while (r := s * s - 2.0) > 0.5 and (n := n + 1) < 10:
        s = s - 0.3 * r / s
    return s * r * n
""",
        (x,),
    ),
    "for_else_break": (
        """
def f(x, lim):
    s = 0.0
    for i, v in enumerate(x):
        s += v * v
        if s > lim:
            k = i
            break
    else:
        s = s * 10
        k = -1
    return s * (k + 2) * x[k]
""",
        (
            x,
            1.5,
        ),
    ),
    "for_else_nobreak": (
        """
def f(x, lim):
    s = 0.0
    for i, v in enumerate(x):
        s += v * v
        if s > lim:
            k = i
            break
    else:
        s = s * 10
        k = -1
    return s * (k + 2) * x[k]
""",
        (
            x,
            150.0,
        ),
    ),
    "zip_unequal": (
        """
def f(x, y):
    s = 0.0
    for a, b, i in zip(x, y[1:], range(10)):
        s += a * b * i
    return s
""",
        (
            x,
            y,
        ),
    ),
    "enumerate_start": (
        """
def f(x):
    s = 0.0
    for i, v in enumerate(x, start=2):
        s += v ** i
    for i, v in enumerate(x[::-1], 1):
        s += v * i
    return s
""",
        (x,),
    ),
    "reversed_enum_list": (
        """
def f(x):
    s = 0.0
    for i, v in reversed(list(enumerate(x))):
        s = s * v + i
    return s
""",
        (x,),
    ),
    "nested_closure": (
        """
def f(x, a):
    scale = 2.0
    def g(z):
        return z * scale * a
    scale = 3.0
    def h(z, k=scale):
        def inner(w):
            return g(w) + k * z
        return inner(z)
    scale = np.sum(x)
    return np.sum(h(x))
""",
        (
            x,
            1.7,
        ),
    ),
    "default_args": (
        """
def g(z, a=2.0, *rest, b=1.0, **kw):
    return z * a + b * sum(rest) + kw.get("c", 0.0) * z ** 2
def f(x):
    return np.sum(g(x)) + np.sum(g(x, 1.0, 2.0, 3.0, b=x[0], c=x[1]))
""",
        (x,),
    ),
    "star_args": (
        """
def g(*args):
    t = 1.0
    for a in args:
        t = t * a
    return t
def f(x, y):
    parts = (x, y, x)
    return np.sum(g(*parts, 2.0))
""",
        (
            x,
            y,
        ),
    ),
    "early_return_nested": (
        """
def f(x, lim):
    s = 1.0
    for i in range(len(x)):
        for j in range(i, len(x)):
            s = s + x[i] * x[j]
            if s > lim:
                return s * x[j]
        s = s * 1.1
    return s * x[0]
""",
        (
            x,
            3.0,
        ),
    ),
    "early_return_while": (
        """
def f(x, lim):
    s = np.sum(x)
    while True:
        s = s * 1.3
        for v in x:
            if s * v > lim:
                return s * v
            s = s + v
""",
        (
            x,
            5.0,
        ),
    ),
    "view_of_view": (
        """
def f(A):
    B = A.copy()
    v = B[1:, ::2]
    w = v[0]
    w[1] = A[0, 0] ** 2
    v[1] *= w
    return np.sum(B * A)
""",
        (A,),
    ),
    "T_store": (
        """
def f(A):
    B = A * 2
    B.T[1:, 0] = A[0, 1:] ** 2
    B.T[0] += A[:, 1]
    return np.sum(B ** 2)
""",
        (A,),
    ),
    "swapaxes_view": (
        """
def f(A):
    B = A * 2
    C = B.swapaxes(0, 1)
    C[0, 1] = A[0, 0] ** 3
    C[2] *= 2
    return np.sum(B ** 2)
""",
        (A,),
    ),
    "ndarray_buf": (
        """
def f(x):
    out = np.ndarray((len(x), 2))
    for i in range(len(x)):
        out[i] = x[i], x[i] ** 2
    return np.sum(out[:, 0] * out[:, 1])
""",
        (x,),
    ),
    "empty_like": (
        """
def f(x):
    out = np.empty_like(x)
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = out[i - 1] * x[i] + 1
    return np.sum(out)
""",
        (x,),
    ),
    "out_ufunc": (
        """
def f(x, y):
    out = np.empty_like(x)
    np.multiply(x, y, out=out)
    np.sin(out, out=out)
    np.add(out, x, out)
    return np.sum(out * y)
""",
        (
            x,
            y,
        ),
    ),
    "out_matmul": (
        """
def f(A, x):
    out = np.zeros(3)
    np.matmul(A, x, out=out)
    np.dot(A, x * out[0], out=out)
    return np.sum(out ** 2)
""",
        (
            A,
            x,
        ),
    ),
    "out_sum": (
        """
def f(A):
    out = np.empty(4)
    np.sum(A ** 2, axis=0, out=out)
    c = np.empty((3, 4))
    np.cumsum(A, axis=1, out=c)
    return np.sum(out * c)
""",
        (A,),
    ),
    "mask_aug": (
        """
def f(x, y):
    z = x * 2
    z[x > 0.5] *= y[x > 0.5]
    z[z > 2] -= 1.5
    z[~(x > 1)] += y[0]
    return np.sum(z ** 2)
""",
        (
            x,
            y,
        ),
    ),
    "add_at_slices": (
        """
def f(A, x):
    B = A.copy()
    np.add.at(B, (slice(None), [0, 0, 2]), x[0])
    np.add.at(B, [0, 0, 1], x)
    return np.sum(B ** 2)
""",
        (
            A,
            x,
        ),
    ),
    "same_array_twice": (
        """
def g(a, b):
    a = a * 1.0
    a += b
    return np.sum(a * b)
def f(x):
    return g(x, x)
""",
        (x,),
    ),
    "same_array_twice_mutated": (
        """
def g(a, b):
    a[0] = b[1] * 3
    return np.sum(a * b)
def f(x):
    z = x * 2
    return g(z, z)
""",
        (x,),
    ),
    "aug_param": (
        """
def f(x, y):
    x += y
    x *= y
    return np.sum(x * x)
""",
        (
            x,
            y,
        ),
    ),
    "tuple_store": (
        """
def f(x):
    M = np.zeros((2, 2))
    M[0] = x[0], x[1]
    M[1, 0], M[1, 1] = x[2] * x[0], x[3]
    M[:, 0] = M[0, 1], M[1, 1]
    return np.sum(M ** 2)
""",
        (x,),
    ),
    "chained_store": (
        """
def f(x):
    c = np.zeros((4, 4))
    for i in range(4):
        c[i:, i] = c[i, i:] = x[i:] * x[i]
    a = b = x * 2
    b[0] = x[1]
    return np.sum(c * c) + np.sum(a * x)
""",
        (x,),
    ),
    "swap_tuple_elems": (
        """
def f(x):
    z = x * 2
    z[0], z[1] = z[1] * x[3], z[0]
    i, z[i] = 2, x[0] ** 2
    return np.sum(z * x)
""",
        (x,),
    ),
    "swap_views": (
        """
def f(A):
    B = A * 1.0
    B[0], B[1] = B[1], B[0]
    return np.sum(B * A)
""",
        (A,),
    ),
    "none_str_args": (
        """
def f(x, mode=None, w=None):
    if w is None:
        w = np.ones_like(x)
    if mode == "mean":
        return np.mean(x * w)
    return np.sum(x ** 2 * w)
""",
        (x,),
    ),
    "dict_of_dicts": (
        """
def f(params):
    t = 0.0
    for name, layer in params.items():
        for key in layer:
            t += np.sum(layer[key] ** 2)
        t *= np.sum(layer["b"])
    return t
""",
        ({"l0": {"W": A, "b": x}, "l1": {"b": y}},),
    ),
    "listcomp_cond": (
        """
def f(x):
    big = [v ** 2 for v in x if v > 0.6]
    m = [[a * b for b in x if b != a] for a in x]
    return sum(big) + np.sum(np.array(m)) + len(big)
""",
        (x,),
    ),
    "gen_zip": (
        """
def f(x, y):
    return sum(a * b for a, b in zip(x, y) if a > 0.5) + sum(i * a for i, a in enumerate(x))
""",
        (
            x,
            y,
        ),
    ),
    "starred": (
        """
def f(x):
    a, *b = x[0], x[1], x[2]
    first, *mid, last = [x[i] ** 2 for i in range(4)]
    (c, d), e = (x[0], x[1]), x[2]
    return a * sum(b) + first * last + sum(mid) * c * d * e
""",
        (x,),
    ),
    "unpack_array": (
        """
def f(x, A):
    a, b, c, d = x
    r0, r1, r2 = A
    (p, q), *rest = (a, b), c, d
    return a * b * c * d + np.sum(r0 * r1 * r2) * p * rest[1]
""",
        (
            x,
            A,
        ),
    ),
    "cond_expr_chain": (
        """
def f(x):
    s = np.sum(x)
    t = s if s > 5 else s ** 2 if 1 < s < 4 else -s
    return t * (x[0] or 1.0) * (x[1] and x[2])
""",
        (x,),
    ),
    "lambda_map": (
        """
def f(x):
    fs = [np.sin, lambda v: v ** 2, np.exp]
    t = 0.0
    for g in fs:
        t = t + np.sum(g(x))
    return t + sum(map(lambda v: v * v, x))
""",
        (x,),
    ),
    "func_arg": (
        """
def rk(g, z, h):
    k1 = g(z)
    k2 = g(z + h * k1)
    return z + h * (k1 + k2) / 2
def f(x):
    z = x
    for _ in range(3):
        z = rk(lambda q: -q * np.sin(x), z, 0.1)
    return np.sum(z)
""",
        (x,),
    ),
    "double_buffer": (
        """
def f(x):
    a, b = x.copy(), np.zeros_like(x)
    for t in range(3):
        b[1:-1] = (a[:-2] + a[2:]) * a[1:-1]
        a, b = b, a
    return np.sum(a * x) + np.sum(b)
""",
        (x,),
    ),
    "while_else_continue": (
        """
def f(x):
    i = 0
    s = 0.0
    while i < len(x):
        i += 1
        if i == 2:
            continue
        if s > 100:
            break
        s += x[i - 1] ** i
    else:
        s *= 2
    return s
""",
        (x,),
    ),
    "inner_bounds": (
        """
def f(A):
    L = np.zeros((3, 3))
    B = A @ A.T + np.eye(3)
    for j in range(3):
        L[j, j] = np.sqrt(B[j, j] - np.sum(L[j, :j] ** 2))
        for i in range(j + 1, 3):
            L[i, j] = (B[i, j] - L[i, :j] @ L[j, :j]) / L[j, j]
    return np.sum(np.log(np.diag(L)))
""",
        (A,),
    ),
    "negative_range": (
        """
def f(x):
    s = 1.0
    for i in range(len(x) - 1, -1, -2):
        s = s * x[i] + i
    for i in reversed(range(1, 4, 2)):
        s = s + x[i] * s
    return s
""",
        (x,),
    ),
    "errstate": (
        """
def f(x):
    with np.errstate(divide="ignore"):
        y = np.log(x)
        z = y / x
    assert np.all(x > 0), "positive"
    return np.sum(z)
""",
        (x,),
    ),
    "fancy_repeat": (
        """
def f(x):
    z = x * 1.0
    idx = np.array([0, 1, 1, 3])
    z[idx] = x[[1, 2, 3, 0]] ** 2
    z[idx] += x
    return np.sum(z * x)
""",
        (x,),
    ),
    "aug_partial": (
        """
def f(x):
    S = np.zeros((4, 2, 3))
    for k in range(4):
        for e in range(2):
            S[k, e] += x[k] * np.array([1.0, 2.0, e])
            S[k][e][1] *= x[e]
    return np.sum(S ** 2)
""",
        (x,),
    ),
    "self_assign": (
        """
def f(A):
    B = A.copy()
    B[1:] = B[:-1] * B[1:]
    B[:] = B[::-1]
    B[:, 1:] -= B[:, :-1]
    return np.sum(B * A)
""",
        (A,),
    ),
    "recursion": (
        """
def fact(x, n):
    if n == 0:
        return x[0]
    return fact(x, n - 1) * x[n % 4] + n
def f(x):
    return fact(x, 5)
""",
        (x,),
    ),
    "int_division_index": (
        """
def f(x):
    s = 0.0
    n = len(x)
    lo, hi = 0, n - 1
    while lo < hi:
        mid = (lo + hi) // 2
        s += x[mid] * x[hi]
        if x[mid] < 0.8:
            lo = mid + 1
        else:
            hi = mid
    return s * x[lo]
""",
        (x,),
    ),
    "late_closure": (
        """
def f(x):
    a = x[0]
    g = lambda: a * 2
    a = x[1]
    return g() * a
""",
        (x,),
    ),
    "shadow": (
        """
def f(x, sum=3.0):
    len = 2
    np_ = x * len
    return np.sum(np_) * sum
""",
        (x,),
    ),
    "where_out_clip": (
        """
def f(x, y):
    z = np.where(x > y, x, y).copy()
    np.clip(z, 0.5, 1.0, out=z)
    np.maximum(z, x, out=z)
    return np.sum(z * y)
""",
        (
            x,
            y,
        ),
    ),
    "bool_flags": (
        """
def f(x, flag):
    s = np.sum(x)
    if flag and s > 1 or not flag:
        s = s ** 2
    use = flag is True
    return s * x[0] if use else s
""",
        (
            x,
            True,
        ),
    ),
    "global_const": (
        """
K = 3
W = np.array([1.0, 2.0, 3.0, 4.0])
def f(x):
    return np.sum(W * x ** K)
""",
        (x,),
    ),
    "nan_guard": (
        """
def f(x):
    out = np.zeros_like(x)
    m = x > 0.5
    out[m] = np.log(x[m])
    out[~m] = -1.0
    return np.sum(out * x)
""",
        (x,),
    ),
    "alias_rebind": (
        """
def f(x):
    a = x * 2
    b = a
    a = a + 1
    b += a
    c = b[1:]
    b = b * 3
    c[0] = 0.5
    return np.sum(b) + np.sum(c * a[1:])
""",
        (x,),
    ),
    "view_in_branch": (
        """
def f(x):
    z = x * 2
    if x[0] > 0.5:
        v = z[:2]
    else:
        v = z[2:]
    return np.sum(v * z[1]) * x[3]
""",
        (x,),
    ),
    "tuple_concat": (
        """
def f(x):
    t = (x[0],) + (x[1], 2.0)
    t += (x[2],)
    l = [*t, x[3]]
    l[1:3] = [x[0] ** 2]
    return np.prod(np.array(t)) * l[1]
""",
        (x,),
    ),
    "list_mult": (
        """
def f(x):
    z = [x[0]] * 3 + [x[1]]
    return np.sum(np.array(z) ** 2)
""",
        (x,),
    ),
    "round_int": (
        """
def f(x, n=3):
    k = int(n / 2)
    return x[k] ** 2 * float(k) + np.sum(x[:k])
""",
        (x,),
    ),
    "nested_func_mutates": (
        """
def fill(buf, v):
    buf[:] = v
    buf[0] *= 2
def f(x):
    b = np.zeros(4)
    fill(b, x)
    fill(b[1:3], x[0] * b[3])
    return np.sum(b ** 2)
""",
        (x,),
    ),
    "nested_closure_mutates": (
        """
def f(x):
    b = np.zeros(4)
    def add(i, v):
        b[i] += v
    for i in range(4):
        add(i, x[i] ** 2)
        add(0, x[i])
    return np.sum(b * b)
""",
        (x,),
    ),
    "try_finally_none": (
        """
def f(x, n=None):
    n = n or 3
    s = 0.0
    for _ in range(n):
        s = s + np.sum(x) / (s + 1)
    return s
""",
        (x,),
    ),
    "aug_none": (
        """
def f(x):
    acc = None
    for v in x:
        acc = v * v if acc is None else acc + v * v * acc
    return acc
""",
        (x,),
    ),
    "prev_none": (
        """
def f(x):
    prev = None
    s = 0.0
    for v in x:
        if prev is not None:
            s += (v - prev) ** 2
        prev = v
    return s
""",
        (x,),
    ),
    "dict_counter": (
        """
def f(x):
    d = {"a": 0.0, "b": 1.0}
    for i in range(3):
        d["a"] += x[i]
        d["b"] *= d["a"]
    return d["b"] + d["a"]
""",
        (x,),
    ),
    "method_chain": (
        """
def f(A):
    return A.copy().T.reshape(2, 6).sum(axis=1).dot(np.array([1.0, 2.0])) + A.mean() * A.max() - A.std()
""",
        (A,),
    ),
    "walrus_ifexp": (
        """
def f(x):
    s = (t := x[0] * 2) if (u := x[1]) > 1 else (t := x[2] * 3)
    return s * t * u
""",
        (x,),
    ),
    "walrus_comp": (
        """
def f(x):
    last = 0.0
    ys = [last := last * v + v for v in x]
    return last * sum(ys)
""",
        (x,),
    ),
    "walrus_or": (
        """
def f(x):
    n = 1
    if x[0] > 5 or (n := 3) > 2:
        return np.sum(x) * n
    return x[0] * n
""",
        (x,),
    ),
    "walrus_and_false": (
        """
def f(x):
    n = 1
    if x[0] > 5 and (n := 3) > 2:
        return x[0]
    return np.sum(x) * n
""",
        (x,),
    ),
    "walrus_ifexp_lazy": (
        """
def f(x):
    n = 1.0
    y = x[0] if x[0] < 5 else (n := x[1])
    return y * n
""",
        (x,),
    ),
    "chained_cmp_effect": (
        """
def f(x):
    n = 2
    if 0 < x[0] < (n := 3) and x[1] > 0:
        return np.sum(x) * n
    return x[0] * n
""",
        (x,),
    ),
    "chained_cmp_false": (
        """
def f(x):
    n = 2
    if 5 < x[0] < (n := 3):
        return x[0]
    return np.sum(x) * n
""",
        (x,),
    ),
    "aug_order": (
        """
def f(x):
    z = x * 1.0
    i = 0
    z[i] += (i := 2) * x[1]
    z[(j := 1)] *= z[j] + i
    return np.sum(z * x)
""",
        (x,),
    ),
    "loop_var_after": (
        """
def f(x):
    s = 0.0
    for i, v in enumerate(x):
        s += v
        if s > 1.5:
            break
    return s * v * i
""",
        (x,),
    ),
    "nested_break_else": (
        """
def f(x):
    s = 1.0
    for a in x:
        for b in x:
            if a * b > 1.0:
                break
            s = s + a * b
        else:
            s = s * 2
            continue
        s = s - a
        if s < -5:
            break
    else:
        s = s * 3
    return s
""",
        (x,),
    ),
    "neg_step_store": (
        """
def f(x):
    z = np.zeros(4)
    z[::-2] = x[:2] * 2
    z[2::-1] += x[1:]
    return np.sum(z * x)
""",
        (x,),
    ),
    "mask2d": (
        """
def f(A):
    B = A * 1.0
    B[A > 0.8] = A[A > 0.8] ** 2
    B[A.sum(axis=1) > 2, 1] = 0.5
    B[:, A[0] > 0.5] -= A[:, :1]
    return np.sum(B * A)
""",
        (A,),
    ),
    "list_of_views": (
        """
def f(A):
    B = A * 1.0
    rows = [B[0], B[1]]
    B[0] = A[2]
    rows[1][0] = A[0, 0] ** 2
    return np.sum(rows[0] * A[0]) + np.sum(B ** 2)
""",
        (A,),
    ),
    "dict_alias": (
        """
def f(x):
    z = x * 2
    d = {"z": z, "w": z}
    d["z"][0] = x[1] ** 2
    d["w"] += 1
    return np.sum(d["w"] * z)
""",
        (x,),
    ),
    "tuple_holds": (
        """
def f(x):
    z = x * 2
    t = (z, z[1:])
    z[1] = x[0]
    t[1][1] = x[3] ** 2
    return np.sum(t[0] ** 2) + np.sum(t[1] * z[:3])
""",
        (x,),
    ),
    "closure_returns_view": (
        """
def f(x):
    z = x * 2
    def part(i):
        return z[i:i+2]
    v = part(1)
    v[0] = x[0] ** 2
    part(0)[1] *= 2
    return np.sum(z * x) + np.sum(v)
""",
        (x,),
    ),
    "swapped_args": (
        """
def g(a, b):
    a[0] += b[1]
    return a * 2, b
def f(x, y):
    a, b = x * 1, y * 1
    b, a = g(a, b)
    a[2] = b[0]
    return np.sum(a * b)
""",
        (
            x,
            y,
        ),
    ),
    "copyto_etc": (
        """
def f(x):
    z = np.zeros(4)
    np.copyto(z, x ** 2)
    z.sort()
    z.fill(x[0])
    z[...] += x
    return np.sum(z * x)
""",
        (x,),
    ),
    "arange_buffer": (
        """
def f(x):
    z = np.arange(4)
    w = np.linspace(0, 1, 4)
    w[1] = x[0]
    e = np.eye(4)
    e[0] = x
    return np.sum(z * x * w) + np.sum(e @ x)
""",
        (x,),
    ),
    "arange_int_aug": (
        """
def f(x):
    z = np.arange(4) * 1.0
    z += x
    k = np.arange(4)
    k = k + x
    return np.sum(z * k)
""",
        (x,),
    ),
    "full_like_int": (
        """
def f(x):
    z = np.full_like(x, 2)
    z[0] = x[1]
    w = np.full(4, 3)
    return np.sum(z * w * x)
""",
        (x,),
    ),
    "while_nested_return": (
        """
def g(v):
    while v > 0.5:
        if v > 3:
            return v * 10
        v = v * v * 0.9
    return v
def f(x):
    return g(x[0]) + g(x[1] * 3) * g(x[2])
""",
        (x,),
    ),
    "generator_if_nested": (
        """
def f(x):
    return sum(a * b for i, a in enumerate(x) if i % 2 == 0 for b in x[i:] if b != a)
""",
        (x,),
    ),
    "in_tuple": (
        """
def f(x, k):
    s = 0.0
    for i in range(4):
        if i in (0, k):
            continue
        s += x[i] ** 2
    return s * x[0]
""",
        (
            x,
            2,
        ),
    ),
    "is_not_chain": (
        """
def f(x, a=None, b=None):
    if a is None and b is not None or a is b:
        return np.sum(x ** 2)
    return np.sum(x)
""",
        (x,),
    ),
    "flag_int_mix": (
        """
def f(x):
    done = 0
    s = np.sum(x)
    while not done:
        s = s * 0.7
        done = s < 1
    return s * x[0]
""",
        (x,),
    ),
    "rebind_param_in_loop": (
        """
def f(x, n=3):
    for n in range(n):
        x = x * 1.1 + n
    return np.sum(x) * n
""",
        (x,),
    ),
    "tuple_carried": (
        """
def f(x):
    st = (x[0], (x[1], x * 2))
    for i in range(3):
        a, (b, c) = st
        st = (a * b, (b + a, c * a))
    return st[0] + np.sum(st[1][1])
""",
        (x,),
    ),
    "aug_slice_overlap": (
        """
def f(x):
    z = x * 1.0
    z[1:] += z[:-1]
    z[:-1] *= z[1:]
    z[::2], z[1::2] = z[1::2] * 1.0, z[::2] * 1.0
    return np.sum(z * x)
""",
        (x,),
    ),
    "swap_slices_views": (
        """
def f(x):
    z = x * 1.0
    z[:2], z[2:] = z[2:], z[:2]
    return np.sum(z * x)
""",
        (x,),
    ),
    "zip_rows_mutate": (
        """
def f(A, x):
    B = A * 1.0
    for row, w in zip(B, x):
        row[:] = row[::-1] * w
    return np.sum(B * A)
""",
        (
            A,
            x,
        ),
    ),
    "mutate_in_callee_branch": (
        """
def g(z, v):
    if v > 0.5:
        z[0] = v
        return
    z[1] = v
def f(x):
    z = x * 2
    for v in x:
        g(z, v)
    return np.sum(z * x)
""",
        (x,),
    ),
    "early_return_after_store": (
        """
def g(z):
    z[0] = z[1] * 2
    if z[0] > 1:
        return z
    z[2] = z[0]
    return z * 2
def f(x):
    z = x * 1.0
    w = g(z)
    return np.sum(z * w)
""",
        (x,),
    ),
    "x_same_arg_container": (
        """
def f(x):
    pair = [x, x]
    pair[0] = pair[0] * 2
    return np.sum(pair[0] * pair[1])
""",
        (x,),
    ),
    "array_attr": (
        """
def f(A):
    n, m = A.shape
    s = A.T.size / A.ndim
    return np.sum(A.real) * n / m + s * A[n - 1, m - 1]
""",
        (A,),
    ),
    "sum_builtin_rows": (
        """
def f(A):
    return np.sum(sum(A) ** 2) + sum(A[0], 3.0) + sum([1, 2, 3]) * A[0, 0]
""",
        (A,),
    ),
    "pow_neg": (
        """
def f(x):
    return np.sum(x ** -2 + 2 ** x + x ** x - (-x) ** 2 + -x ** 2)
""",
        (x,),
    ),
    "abs_sign": (
        """
def f(x):
    z = x - 0.8
    return np.sum(np.abs(z) * np.sign(z) + np.maximum(z, 0) ** 2)
""",
        (x,),
    ),
    "nested_list_index": (
        """
def f(x):
    M = [[x[0], x[1]], [x[2], x[3]]]
    M[0][1] = M[1][0] * 2
    M[1], M[0] = M[0], M[1]
    N = np.array(M)
    return np.sum(N @ N)
""",
        (x,),
    ),
    "while_array_cond": (
        """
def f(x):
    z = x * 1.0
    k = 0
    while np.max(z) < 3 and k < 20:
        z = z * 1.2
        k += 1
    return np.sum(z) * k
""",
        (x,),
    ),
    "conv_manual": (
        """
def f(x, y):
    n, m = len(x), len(y)
    out = np.zeros(n + m - 1)
    for i in range(n):
        for j in range(m):
            out[i + j] += x[i] * y[j]
    return np.sum(out ** 2)
""",
        (
            x,
            y,
        ),
    ),
    "lambda_default_capture": (
        """
def f(x):
    fs = []
    for i in (0, 1, 2):
        fs.append(lambda v, i=i: v * x[i])
    return fs[0](1.0) * fs[2](2.0) * sum(g(1.0) for g in fs)
""",
        (x,),
    ),
    "late_lambda_loop": (
        """
def f(x):
    fs = []
    for i in (0, 1, 2):
        fs.append(lambda v: v * x[i])
    return fs[0](1.0) * fs[2](2.0)
""",
        (x,),
    ),
    "func_overwrites_closure": (
        """
def f(x):
    a = x[0]
    def g():
        return a * 2
    b = g()
    a = x[1] * a
    return b * g()
""",
        (x,),
    ),
    "partial": (
        """
from functools import partial
def g(a, b, c=1.0):
    return a * b + c
def f(x):
    h = partial(g, x, c=x[0])
    return np.sum(h(x * 2))
""",
        (x,),
    ),
    "list_alias_append": (
        """
def f(x):
    a = []
    b = a
    for i in range(4):
        a.append(x[i] ** 2)
        if len(b) == 3:
            b.append(x[0])
    return a[-1] * len(b) * b[1]
""",
        (x,),
    ),
    "list_in_branch": (
        """
def f(x):
    hs = []
    for i in range(4):
        if x[i] > 0.5:
            hs.append(x[i])
        else:
            hs = hs + [x[i] ** 2, x[0]]
    return np.sum(np.array(hs) ** 2)
""",
        (x,),
    ),
    "list_put_in_branch": (
        """
def f(x):
    hs = [x[i] for i in range(4)]
    for i in range(1, 4):
        if hs[i] > hs[i - 1]:
            hs[i], hs[i - 1] = hs[i - 1], hs[i] * 2
    return hs[0] * 3 + hs[1] * 2 + hs[3]
""",
        (x,),
    ),
    "bubble_sort": (
        """
def f(x):
    hs = [v for v in x]
    for i in range(len(hs)):
        for j in range(len(hs) - 1 - i):
            if hs[j] > hs[j + 1]:
                hs[j], hs[j + 1] = hs[j + 1], hs[j]
    return sum(k * h for k, h in enumerate(hs))
""",
        (x,),
    ),
    "pop_in_branch_loop": (
        """
def f(x):
    stack = [x[0], x[1]]
    acc = 0.0
    for i in range(6):
        if len(stack) > 1 and i % 2:
            acc += stack.pop() * (i + 1)
        else:
            stack.append(x[i % 4] * acc + x[1])
    return acc * len(stack) + sum(stack)
""",
        (x,),
    ),
    "list_passed_to_func": (
        """
def push(buf, v):
    buf.append(v * 2)
    return len(buf)
def total(buf):
    t = 0.0
    for b in buf:
        t = t * 0.5 + b
    return t
def f(x):
    buf = []
    for v in x:
        k = push(buf, v)
        if k > 2:
            buf[0] = v
    return total(buf) * k
""",
        (x,),
    ),
    "list_read_then_put": (
        """
def f(x):
    hs = [x * i for i in range(4)]
    a = hs[2]
    hs[2] = x ** 2
    b = hs[2]
    hs[2] = hs[2] + a
    return np.sum(a * b * hs[2])
""",
        (x,),
    ),
    "history_window": (
        """
def f(x):
    hist = []
    s = x[0]
    for i in range(8):
        hist.append(s)
        if len(hist) > 3:
            hist.pop(0)
        s = sum(hist) / len(hist) + x[i % 4] * 0.1
    return s * hist[0]
""",
        (x,),
    ),
    "kalman_lists": (
        """
def f(x, y):
    m, P = 0.0, 1.0
    ms, Ps = [], []
    for v in y:
        K = P / (P + x[0])
        m = m + K * (v - m)
        P = (1 - K) * P + x[1]
        ms.append(m)
        Ps.append(P)
    back = ms[-1]
    for t in range(len(ms) - 2, -1, -1):
        J = Ps[t] / (Ps[t] + x[2])
        back = ms[t] + J * (back - ms[t])
        ms[t] = back
    return np.sum(np.array(ms) ** 2) + ms[0]
""",
        (
            x,
            y,
        ),
    ),
    "lists_2d_dp": (
        """
def f(x, y):
    n = len(x)
    D = [[0.0] * (n + 1) for _ in range(n + 1)]
    prev = [0.0] * (n + 1)
    for i in range(1, n + 1):
        row = [0.0] * (n + 1)
        for j in range(1, n + 1):
            row[j] = (x[i - 1] - y[j - 1]) ** 2 + min(prev[j], row[j - 1], prev[j - 1])
        prev = row
    return prev[n]
""",
        (
            x,
            y,
        ),
    ),
    "dtw_array": (
        """
def f(x, y):
    n = len(x)
    D = np.full((n + 1, n + 1), 1e3)
    D[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            D[i, j] = (x[i - 1] - y[j - 1]) ** 2 + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    return D[n, n]
""",
        (
            x,
            y,
        ),
    ),
    "list_of_arrays_carry": (
        """
def f(x):
    layers = [x, x * 2, x * 3]
    for it in range(3):
        new = []
        for l in layers:
            new.append(np.tanh(l * layers[0]))
        layers = new
    return np.sum(layers[-1])
""",
        (x,),
    ),
    "zip_lists": (
        """
def f(x):
    a = [v ** 2 for v in x]
    b = [v * 3 for v in x[1:]]
    t = 0.0
    for i, (p, q) in enumerate(zip(a, b)):
        t += p * q * i
    for p, q, r in zip(a, a[1:], reversed(b)):
        t += p * q * r
    return t
""",
        (x,),
    ),
    "ret_list": (
        """
def g(x):
    out = []
    for v in x:
        if v > 1:
            return out
        out.append(v * 2)
    return out
def f(x):
    return sum(g(x)) + len(g(x[::-1])) * x[0]
""",
        (x,),
    ),
    "put_neg_index": (
        """
def f(x):
    hs = [x[0] * i for i in range(5)]
    hs[-1] = x[1]
    hs[-2] *= x[2]
    hs[len(hs) // 2] -= hs[-1] * 3
    return sum(h * k for k, h in enumerate(hs, 1))
""",
        (x,),
    ),
    "record_in_loop_arg": (
        """
from typing import NamedTuple
class S(NamedTuple):
    a: np.ndarray
    b: float
def step(s, h):
    return S(a=s.a + h * s.b, b=s.b * 0.9 + np.sum(s.a) * 0.01)
def f(x):
    s = S(x, 1.0)
    best = s
    for i in range(4):
        s = step(s, 0.1)
        if s.b > 0.9:
            best = s
        else:
            best = best._replace(b=s.b)
    return np.sum(s.a * best.a) * best.b
""",
        (x,),
    ),
    "slice_assign_self": (
        """
def f(x):
    hs = [v * 1.0 for v in x]
    ks = hs[::2]
    ks.append(hs[1])
    hs.append(ks[0] * x[3])
    ms = ks + hs[1:3]
    ks.pop()
    return sum(ms) * hs[-1] * len(ks) + ks[-1]
""",
        (x,),
    ),
    "extend_gen": (
        """
def f(x):
    hs = []
    hs.extend([v ** 2 for v in x])
    hs.extend(v * 3 for v in x)
    return sum(hs)
""",
        (x,),
    ),
    "list_items_number_bump": (
        """
def f(x):
    c = [0.0] * 3
    for v in x:
        k = 0 if v < 0.5 else 1 if v < 1 else 2
        c[k] += v ** 2
    return c[0] * c[1] + c[2]
""",
        (x,),
    ),
}

# what is refused: a statement, the code, words of the advice, and the rewrite of it
REFUSED = {
    "reshape": (
        "B = A * 2\n    B.reshape(-1)[3] = x[0]\n    A = B",
        "GG232",
        "a store into the array itself",
        "B = A * 2\n    B[0, 3] = x[0]\n    A = B",
    ),
    "integers": (
        "z = np.zeros(4, dtype=int)\n    z[0] = x[0]\n    x = x * z",
        "GG309",
        "dtype=float",
        "z = np.zeros(4, dtype=float)\n    z[0] = x[0]\n    x = x * z",
    ),
    "numbers": (
        "z = np.array([1, 2, 3, 4])\n    z[1:] = x[1:]\n    x = x * z",
        "GG309",
        "1.0 among its numbers",
        "z = np.array([1.0, 2, 3, 4])\n    z[1:] = x[1:]\n    x = x * z",
    ),
    "a list and a number": (
        "x = x * ([1.0, 2, 3, 4] - k)",
        "GG214",
        "np.array([",
        None,
    ),
    "dictionaries": (
        'd = {"a": x}\n    for i in range(3):\n        d = {"a": d["a"] * x}\n'
        '    x = d["a"]',
        "GG222",
        'd["key"] = ... for each key',
        'd = {"a": x}\n    for i in range(3):\n        d["a"] = d["a"] * x\n'
        '    x = d["a"]',
    ),
}


def leaves(value):
    """The arrays and numbers in a container."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in leaves(part)]
    return [value]


def with_leaves(value, new):
    """A container of the same nesting, with other leaves."""
    if isinstance(value, dict):
        return {key: with_leaves(part, new) for key, part in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value)(with_leaves(part, new) for part in value)
    return next(new)


def agrees(f, args, **options):
    """Value, gradients of all arguments, and arguments that stay as they were."""
    chosen = [i for i, a in enumerate(args) if not isinstance(a, (int, str))]
    before = copy.deepcopy(args)

    def fresh(*given):
        return f(*copy.deepcopy(given))

    value, got = gradgen.value_and_grad(f, tuple(chosen), **options)(*args)
    assert np.array_equal(value, fresh(*args))
    for old, now in zip(leaves(before), leaves(args), strict=True):
        assert np.array_equal(old, now)
    for i, gradient in zip(chosen, got, strict=True):
        own = leaves(args[i])
        for k, d_leaf in enumerate(leaves(gradient)):

            def one(leaf, i=i, k=k, own=own):
                new = with_leaves(args[i], iter([*own[:k], leaf, *own[k + 1 :]]))
                return fresh(*args[:i], new, *args[i + 1 :])

            want = numeric_gradient(one, [own[k]], 0).value
            assert np.shape(d_leaf) == np.shape(own[k])
            np.testing.assert_allclose(d_leaf, want, 1e-6, 1e-8)


# what is refused where an alias, or a number for an array, would matter
AMBIGUOUS = ("GG220", "GG231", "GG233")
# without facts these may be numbers, which += binds anew
NEED_FACTS = {
    "row_iter_mutate",
    "row_alias_loop",
    "aug_order_name",
    "inplace_ops",
    "put_neg_index",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(tmp_path, name):
    text, args = PROGRAMS[name]
    f = written(text, tmp_path)
    if name in NEED_FACTS:
        assert refusal(f).code in AMBIGUOUS
    elif not any(isinstance(a, (dict, tuple)) for a in args):
        agrees(f, args)
    agrees(f, args, example=args)


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_and_their_rewrites(tmp_path, name):
    line, code, words, rewrite = REFUSED[name]
    end = "\n    return np.sum(x * x) + np.sum(A * A)"
    f = written(f"def f(x, A, k):\n    {line}{end}", tmp_path)
    error = refusal(f, shapes={"x": "4", "A": "3 4", "k": ""})
    assert error.code == code and words in str(error)
    if rewrite is not None:
        agrees(written(f"def f(x, A, k):\n    {rewrite}{end}", tmp_path), (x, A, 3))


@pytest.mark.parametrize("r", [1.7, np.float64(1.7), np.array([0.3, 0.8, 1.1, 0.5])])
@pytest.mark.parametrize(
    "lines",
    [
        "r /= x",
        "r = r * 2\n    r /= x",
        "for i in range(3):\n        r *= x",
        "if x[0] > 0:\n        r *= x",
        "s = r\n    s += x\n    r = s * r",
    ],
)
def test_what_may_be_a_number_is_bound_anew(tmp_path, lines, r):
    if "s = r" in lines and not np.ndim(r):
        lines = lines.replace("r = s * r", "r = s * x")
    elif "s = r" in lines:
        lines = lines.replace("r = s * r", "r = s * s")
    agrees(
        written(f"def f(x, r):\n    {lines}\n    return np.sum(r * x)", tmp_path),
        (x, r),
    )


ROUNDS = """
def f(x, n):
    a, b = x, x * 2
    for i in range(n):
        a, b = a * b, b + x
        if np.sum(a) > 3:
            return a, b, 3
    return a, b * 2, 3
"""


@pytest.mark.parametrize("n", [0, 1, 5])
def test_several_results_returned_from_inside_a_loop(tmp_path, n):
    f = written(ROUNDS, tmp_path)
    value, got = gradgen.value_and_grad(f)(x, n, seed=(y, np.cos(y), None))
    for one, other in zip(value, f(x, n), strict=True):
        assert np.array_equal(one, other)

    def total(z):
        a, b, _ = f(z, n)
        return np.sum(y * a) + np.sum(np.cos(y) * b)

    np.testing.assert_allclose(got, numeric_gradient(total, [x], 0).value, 1e-7)
