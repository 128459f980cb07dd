"""Each construct of Python by itself: the IR computes what the function computes."""

import copy

import numpy as np
import pytest

from gradgen.errors import GradgenError
from gradgen.frontend.lower import lower
from gradgen.frontend.source.source import find
from gradgen.ir.nodes import Branch, Loop, Supply
from tests.frontend.interpreter import run
from tests.frontend.writing import written

x = np.array([1.0, -2.0, 3.0, 0.5])
M = np.arange(12.0).reshape(4, 3) / 5

CASES = {
    "list of arrays in a loop": (
        """
            def f(x):
                h = np.zeros(3); hs = [h]
                for i in range(3):
                    h = np.tanh(h + x[i]); hs.append(h)
                return np.sum(np.stack(hs)) + hs[-1][0]
        """,
        (x,),
    ),
    "sum of a generator": (
        """
            def f(x):
                total = sum(v * v for v in x)
                return total
        """,
        (x,),
    ),
    "enumerate zip reversed": (
        """
            def f(M):
                s = 0.0
                for i, row in enumerate(M):
                    s = s + i * row.sum()
                for a, b in zip(M[0], M[1]):
                    s += a * b
                for r in reversed(range(1, 4)):
                    s *= M[r, 0]
                return s
        """,
        (M,),
    ),
    "string modes": (
        """
            def f(x, mode="sum"):
                if mode == "sum":
                    return np.sum(x)
                elif mode == "mean":
                    return np.mean(x)
                raise ValueError(f"unknown {mode}")
        """,
        (
            x,
            "mean",
        ),
    ),
    "assert print errstate": (
        """
            def f(x):
                assert x.shape[0] == 4, "four"
                print("hello", x[0])
                with np.errstate(divide="ignore"):
                    y = np.log(np.abs(x))
                return y.sum()
        """,
        (x,),
    ),
    "closures and lambdas": (
        """
            def f(x):
                def g(a, k=2.0):
                    return a * k + x[0]
                h = lambda z: g(z) + 1
                return np.sum(h(x)) + g(x[1], k=3.0)
        """,
        (x,),
    ),
    "match": (
        """
            def f(x, n):
                match n:
                    case 1:
                        y = x
                    case 2 | 3:
                        y = x * 2
                    case _:
                        y = -x
                return np.sum(y)
        """,
        (
            x,
            3,
        ),
    ),
    "dictionary": (
        """
            def f(x):
                d = {"a": x, "b": 2.0}
                d["c"] = x[0]
                s = 0
                for k, v in d.items():
                    s = s + np.sum(v)
                return s + d["b"]
        """,
        (x,),
    ),
    "cholesky": (
        """
            def f(x):
                n = len(x)
                A = np.zeros((n, n))
                for i in range(n):
                    for j in range(i + 1):
                        s = x[i] * x[j]
                        if i == j:
                            s += 10.0
                        for k in range(j):
                            s -= A[i, k] * A[j, k]
                        if i == j:
                            A[i, i] = np.sqrt(s)
                        else:
                            A[i, j] = s / A[j, j]
                return np.sum(A * A * A)
        """,
        (x,),
    ),
    "walrus in while": (
        """
            def f(x):
                while (s := np.sum(x * x)) > 1e-2:
                    x = x * 0.5
                    if x[0] < 0.1:
                        return s
                return np.sum(x)
        """,
        (x,),
    ),
    "out= and add.at": (
        """
            def f(x):
                out = np.ones(4) if False else np.zeros(4)
                np.multiply(x, 2, out=out)
                np.add.at(out, [0, 0, 1], x[:3])
                out[out > 3] = 1.0
                a, *rest = out[0], x[1], x[2]
                return out.sum() + a * rest[1]
        """,
        (x,),
    ),
    "chained and tuple stores": (
        """
            def f(x):
                c = np.zeros((4, 4))
                i = 1
                c[i:, i] = c[i, i:] = x[i:]
                c[0], c[1] = x, -x
                c[:, 0] = c[0]
                return np.sum(c * c * np.arange(4))
        """,
        (x,),
    ),
    "functions as arguments": (
        """
            def rk4(f, y, h):
                k1 = f(y); k2 = f(y + h / 2 * k1); k3 = f(y + h / 2 * k2); k4 = f(y + h * k3)
                return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            def f(x, steps):
                def lv(y):
                    return np.array([y[0] * (1.1 - 0.4 * y[1]), y[1] * (0.1 * y[0] - 0.4)])
                y = x[:2]
                for _ in range(steps):
                    y = rk4(lv, y, 0.1)
                return np.sum(y)
        """,
        (
            x,
            5,
        ),
    ),
    "state as a tuple": (
        """
            def f(x):
                def step(state, v):
                    h, c = state
                    c = 0.5 * c + v
                    h = np.tanh(c) * h
                    return h, c
                state = (1.0, 0.0)
                for v in x:
                    state = step(state, v)
                h, c = state
                return h + c
        """,
        (x,),
    ),
    "aliases and views": (
        """
            def f(x, y):
                z = y
                z[0] = x[0]
                v = y[1:]
                v *= 2
                w = v.reshape(-1)
                u = x[::2] if x[0] > 0 else x[1::2]
                return np.sum(y * u[0]) + np.sum(z) + np.sum(w)
        """,
        (
            x,
            x * 2,
        ),
    ),
    "star arguments": (
        """
            def g(a, *rest, scale=1.0, **kw):
                s = a
                for r in rest:
                    s = s + r
                return s * scale * kw["p"]
            def f(x):
                xs = [x[0], x[1]]
                return g(*xs, x[2], scale=2.0, p=x[3])
        """,
        (x,),
    ),
    "loop written out": (
        """
            def f(x):
                layers = [(x[0], x[1]), (x[2], x[3])]
                h = 1.0
                for w, b in layers:
                    h = np.tanh(h * w + b)
                    if h > 0.9:
                        break
                else:
                    h = h + 5
                return h
        """,
        (x,),
    ),
    "comprehensions": (
        """
            def f(x):
                rows = [x * k for k in range(3)]
                grid = [[a * b for a in x] for b in x]
                best = max([x[0], x[1], 0.3])
                k = min(2, len(x))
                return np.sum(np.array(rows)) + np.sum(np.array(grid)) + best * k
        """,
        (x,),
    ),
    "jacobi": (
        """
            def f(A, B, steps):
                for t in range(1, steps):
                    B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
                    A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])
                return np.sum(A * A)
        """,
        (
            x,
            2 * x,
            4,
        ),
    ),
    "double buffering": (
        """
            def f(A, B, steps):
                for t in range(steps):
                    B[1:] = 0.5 * A[:-1]
                    A, B = B, A
                return np.sum(A) + 2 * A[1] + B[0]
        """,
        (
            x,
            2 * x,
            3,
        ),
    ),
    "while with break and else": (
        """
            def f(x, n):
                i = 0
                s = 0
                while i < n:
                    i += 1
                    if x[i % 4] < 0:
                        continue
                    s += x[i % 4]
                    if s > 100:
                        break
                else:
                    s = -s
                return s * i
        """,
        (
            x,
            9,
        ),
    ),
    "return inside loops": (
        """
            def f(x, n):
                for i in range(n):
                    for j in range(i):
                        if x[j] * i > 2:
                            return x[j] + i
                    x = x * 1.5
                return np.sum(x)
        """,
        (
            x,
            4,
        ),
    ),
    "fixed point": (
        """
            def f(x):
                z = 1.0
                count = 0
                while True:
                    new = np.cos(z) * x[3] + 1
                    if abs(new - z) < 1e-9:
                        break
                    z = new
                    count += 1
                return z + count
        """,
        (x,),
    ),
    "store in rows": (
        """
            def f(M):
                for row in M:
                    row[0] = row[1] * row[2]
                    row *= 0.5
                T = M.T
                T[1] += 1.0
                M[:] = M[::-1] * 2
                M[M > 1.5] -= 0.25
                return np.sum(M * M)
        """,
        (M,),
    ),
    "helper that changes its argument": (
        """
            def relax(v, k):
                v[1:-1] = k * (v[:-2] + v[2:])


            def f(x):
                y = x.copy()
                for i in range(3):
                    relax(y, 0.5)
                return np.sum(x * y)
        """,
        (x,),
    ),
    "gram schmidt": (
        """
            def f(M):
                Q = np.zeros(M.shape)
                for j in range(M.shape[1]):
                    v = M[:, j].copy() + j
                    for k in range(j):
                        v -= np.dot(Q[:, k], M[:, j]) * Q[:, k]
                    Q[:, j] = v / np.linalg.norm(v)
                return np.sum(Q ** 3)
        """,
        (M,),
    ),
    "kept until later": (
        """
            def f(x):
                best = None
                for v in x:
                    if best is None or v > best:
                        best = v
                return best * 2
        """,
        (x,),
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("facts", [{}, {"x": "n", "y": "n", "M": "n d"}])
def test_means_what_python_says(name, facts, tmp_path):
    text, args = CASES[name]
    function = written(text, tmp_path)
    try:
        lowered = lower(find(function), Supply(), facts)
    except GradgenError as error:
        # for want of facts: a row or a number
        assert not facts and error.code in ("GG221", "GG233"), error
        return
    want = function(*copy.deepcopy(args))
    got = run(lowered, *copy.deepcopy(args))
    assert np.shape(got) == np.shape(want)
    assert np.allclose(got, want, rtol=1e-12)


def statements(text: str, tmp_path) -> tuple:
    return lower(find(written(text, tmp_path)), Supply()).body


def test_only_what_lives_is_merged_and_carried(tmp_path):
    text, _ = CASES["jacobi"]
    loop, *_ = statements(text, tmp_path)
    assert isinstance(loop, Loop)
    assert sorted(c.inner.name for c in loop.carried) == ["A", "B"]
    assert loop.index.name == "t" and loop.until is None and loop.test is None
    assert loop.note.lines[0].text == "for t in range(1, steps)"
    text = """
    def f(x, limit):
        if x > limit:
            part = x * 2
            y = part * part
        elif x > 0:
            y = x
        else:
            y = -x
        return y
    """
    *_, branch = statements(text, tmp_path)
    assert isinstance(branch, Branch)
    assert [merge.var.name for merge in branch.merges] == ["y"]
    assert branch.note.lines[0].text == "if x > limit"
