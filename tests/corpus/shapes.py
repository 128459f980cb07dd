"""Programs that were wrong for arguments of some shapes, or broken off.

Each is a module with a function f of two arguments or more, with the shapes that it was wrong
for. Its text with nothing told is right, or says what it takes them for.
"""

HEAD = "import numpy as np\n\n\n"

PROGRAMS = {
    "a total of no rounds": (
        """
def f(m, q):
    z = 0.0
    for t in range(len(q)):
        z += (q[t] - m) ** 2 / 2
    return np.mean((z - m) ** 2)
""",
        [((1,), (0, 3)), ((), (0, 3)), ((1,), (2, 3)), ((3,), (2, 3))],
    ),
    "a total of a loop from 1 on": (
        """
def f(w, x):
    out = 0.0
    for k in range(1, len(w)):
        out = out + w[k] * x
    return np.mean((out - w[0]) ** 2)
""",
        [((1,), (3,)), ((2,), (3,)), ((1,), (2, 3))],
    ),
    "the last entry of a list times a row": (
        """
def f(x, k):
    out = [k * 0.5]
    for v in x:
        out.append(out[-1] * v)
    return np.sum(out[-1] ** 2)
""",
        [
            ((3, 2), (1, 1)),
            ((2, 3), (1,)),
            ((2, 3, 3), (3,)),
            ((3, 3), ()),
            ((3,), (3,)),
        ],
    ),
    "two lists that grow": (
        """
def f(x, k):
    a, b = [k], [k * 2]
    for v in x:
        a.append(a[-1] * v + b[0])
        b.append(a[-1] - v)
    return np.sum(a[-1]) * np.sum(b[-1])
""",
        [((3, 2), (1, 1)), ((2, 3), (1,)), ((3, 3), ()), ((3,), (2,))],
    ),
    "coefficients in rows": (
        """
def f(c, x):
    return np.sum(np.polyval(c, x))
""",
        [((1, 3), (1, 3)), ((2, 2), (2,)), ((3,), (2, 3)), ((3,), ())],
    ),
    "vectors along the first axis": (
        """
def f(x, y):
    return np.sum(np.vecdot(x, y, axis=0) ** 2)
""",
        [((3,), (3, 3)), ((3, 3), (3,)), ((3, 1), (3,)), ((3, 2), (3, 2))],
    ),
    "vectors along the second axis": (
        """
def f(x, y):
    return np.sum(np.vecdot(x, y, axis=1) ** 2)
""",
        [((2, 3, 3), (1, 3)), ((3, 3), (2, 3, 3)), ((2, 3), (2, 3))],
    ),
    "what is extracted by another shape": (
        """
def f(x, y):
    return np.sum(np.extract(y > 0, x) ** 2)
""",
        [((3, 1), ()), ((2, 3, 3), ()), ((3, 3), (3,)), ((3,), (3,)), ((2, 3), (2, 3))],
    ),
    "an einsum of what has two axes or more": (
        """
def f(m, x):
    x = np.atleast_2d(x)
    return np.sum(np.einsum("i,ij->j", m, x) ** 2)
""",
        [((1,), (3, 1)), ((1,), (2, 3)), ((3,), (3, 2)), ((1,), (3,))],
    ),
    "an einsum of one of two forms": (
        """
def f(w, h):
    w = w if w.ndim > 1 else w * 2
    z = np.einsum("i,ij->j", h, w)
    return np.sum(np.tanh(z)) * np.sum(h)
""",
        [((2, 3), (1,)), ((3, 1), (1,)), ((3, 3), (3,))],
    ),
    "products of rounds beside the seed": (
        """
def f(K, v):
    h = v[0]
    for y in v:
        h = K @ h + y
    return np.sum(h) + K
""",
        [((1, 3), (3, 3)), ((3, 3), (3, 3)), ((1, 1), (2, 1))],
    ),
    "sums of masks and True": (
        """
def f(x, y):
    m, n = x > 0, y > 0
    return np.sum(x * (m + n)) + np.sum(x * (True + m)) - np.sum(x * (True * n))
""",
        [((3,), (3,)), ((2, 3), (3,)), ((3,), ())],
    ),
    "an identity of three": (
        """
def f(q, data, labels):
    e = np.eye(3) @ (data + labels) * q
    data = np.eye(3) @ e * q
    return np.sum(data.sum(axis=1) * labels)
""",
        [((3, 1), (), (3,)), ((3, 3), (3,), (3,)), ((3, 3), (1,), (3,))],
    ),
    "a store into what rows of coefficients give": (
        """
def f(c, x):
    out = np.polyval(c, x).copy()
    out[1:] += c[:1] * 2.0
    return out
""",
        [((1, 3), (1, 1)), ((1, 3), (2, 3)), ((3,), (3,))],
    ),
    "a sum that is left out for one that is left out": (
        """
def f(x, b, W, j):
    res = x @ W + b
    out = res * (j > 0)
    return np.sum(out * x)
""",
        [
            ((3,), (2, 3), (3, 3), (3,)),
            ((3,), (3,), (3, 3), (2, 3)),
            ((2, 3), (3,), (3, 3), ()),
            ((3,), (1,), (3, 3), ()),
            ((1, 1), (2, 1), (1, 3), (3,)),
        ],
    ),
    "a length that only a number asks for": (
        """
def f(w, z, x):
    total = np.eye(3) @ (z.sum(axis=1) * x) * w
    return np.mean(np.sort(total), axis=-1)
""",
        [((1,), (1, 3), (3,)), ((1,), (3, 2), (3,)), ((), (3, 3), (1,))],
    ),
}
