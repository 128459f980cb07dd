"""Programs and requests that are refused, and the same with the advice followed."""

import pytest

from tests.explain.test_advice import followed

# code -> programs: the refused one, the advised one, and what is asked of each
MORE = {
    "GG117": [
        (
            "def f(p):\n    return p['a'] * p['b']",
            "def f(a, b):\n    return a * b",
            {"mode": "jacobian", "shapes": {"p.a": "n", "p.b": "n"}},
            {"mode": "jacobian", "wrt": "a", "shapes": {"a": "n", "b": "n"}},
        ),
    ],
    "GG119": [
        (
            "def f(x):\n    return np.sum(x)",
            "def f(x):\n    return np.sum(x), x",
            {"has_aux": True},
            {"has_aux": True},
        ),
    ],
    "GG212": [
        (
            "exec('def h(t):\\n    return t * t')\n"
            "\n"
            "\n"
            "def f(x):\n"
            "    return np.sum(h(x))",
            "def h(t):\n    return t * t\n\n\ndef f(x):\n    return np.sum(h(x))",
            {},
            {},
        ),
    ],
    "GG216": [
        (
            "def f(x):\n    y = np.linalg.eigh(x)\n    return np.sum(y * 2)",
            "def f(x):\n    w, v = np.linalg.eigh(x)\n    return np.sum(w * 2)",
            {},
            {},
        ),
    ],
    "GG232": [
        (
            "def f(x):\n    y = x * 1\n    y.ravel()[0] = 3.0\n    return np.sum(y)",
            "def f(x):\n    y = x * 1\n    y[0] = 3.0\n    return np.sum(y)",
            {"general": True},
            {},
        ),
        (
            "def f(x):\n"
            "    y = x * 1\n"
            "    np.reshape(y, (-1,))[0] = 3.0\n"
            "    return np.sum(y)",
            "def f(x):\n    y = x * 1\n    y[0] = 3.0\n    return np.sum(y)",
            {"general": True},
            {},
        ),
    ],
    "GG234": [
        (
            "def h(v):\n"
            "    v[0] = 2.0\n"
            "    return v[1]\n"
            "\n"
            "\n"
            "def f(x):\n"
            "    y = x * 1\n"
            "    y[0] += h(y)\n"
            "    return np.sum(y)",
            "def h(v):\n"
            "    v[0] = 2.0\n"
            "    return v[1]\n"
            "\n"
            "\n"
            "def f(x):\n"
            "    y = x * 1\n"
            "    t = h(y)\n"
            "    y[0] += t\n"
            "    return np.sum(y)",
            {},
            {},
        ),
    ],
    "GG241": [
        (
            "def f(x):\n"
            "    v = []\n"
            "    for t in x:\n"
            "        v.append(t)\n"
            "    v.remove(x[0])\n"
            "    return v[0]",
            "def f(x):\n"
            "    v = []\n"
            "    for t in x[1:]:\n"
            "        v.append(t)\n"
            "    return v[0]",
            {},
            {},
        ),
    ],
    "GG244": [
        (
            "def f(x):\n"
            "    d = {'a': x}\n"
            "    if np.sum(x) > 0:\n"
            "        d['b'] = x * 2\n"
            "    else:\n"
            "        d['c'] = x\n"
            "    return np.sum(d['a'])",
            "def f(x):\n"
            "    d = {'a': x, 'b': 0.0}\n"
            "    if np.sum(x) > 0:\n"
            "        d['b'] = x * 2\n"
            "    return np.sum(d['a'])",
            {},
            {},
        ),
    ],
    "GG245": [
        (
            "def f(params):\n    return np.sum(params['W'] * len(params))",
            "def f(params):\n    return np.sum(params['W'] * len(params))",
            {},
            {"shapes": {"params.W": "n", "params.b": "m"}},
        ),
    ],
    "GG247": [
        (
            "import dataclasses\n"
            "\n"
            "\n"
            "def made():\n"
            "    @dataclasses.dataclass\n"
            "    class P:\n"
            "        a: float\n"
            "    return P\n"
            "\n"
            "\n"
            "P = made()\n"
            "\n"
            "\n"
            "def f(x):\n"
            "    return P(x[0])",
            "import dataclasses\n"
            "\n"
            "\n"
            "@dataclasses.dataclass\n"
            "class P:\n"
            "    a: float\n"
            "\n"
            "\n"
            "def f(x):\n"
            "    return P(x[0])",
            {},
            {},
        ),
    ],
    "GG260": [
        (
            "import gradgen\n"
            "\n"
            "\n"
            "def h(t, k):\n"
            "    return np.sum(t ** k)\n"
            "\n"
            "\n"
            "def f(x, w):\n"
            "    return np.sum(gradgen.grad(h, wrt=w)(x, 2))",
            "import gradgen\n"
            "\n"
            "\n"
            "def h(t, k):\n"
            "    return np.sum(t ** k)\n"
            "\n"
            "\n"
            "def f(x, w):\n"
            "    return np.sum(gradgen.grad(h, wrt='t')(x, 2))",
            {},
            {},
        ),
    ],
    "GG263": [
        (
            "def f(x):\n"
            "    s = x * 1\n"
            "    for i in range(3):\n"
            "        s = s * s[::-1]\n"
            "    return s",
            "def f(x):\n"
            "    s = x * 1\n"
            "    for i in range(3):\n"
            "        s = s * s[::-1]\n"
            "    return s",
            {"mode": "jacobian", "direction": "forward"},
            {"mode": "jacobian", "direction": "reverse", "shapes": {"x": "n"}},
        ),
    ],
    "GG264": [
        (
            "def f(x):\n    return x * np.sum(x)",
            "def f(x):\n    return x * np.sum(x)",
            {"mode": "jacobian", "diagonal": True, "shapes": {"x": "n"}},
            {"mode": "jacobian", "shapes": {"x": "n"}},
        ),
    ],
    "GG265": [
        (
            "import gradgen\n"
            "\n"
            "\n"
            "def h(t):\n"
            "    return np.sum(t ** 3)\n"
            "\n"
            "\n"
            "def f(x):\n"
            "    if x[0] > 0:\n"
            "        y, back = gradgen.vjp(h)(x)\n"
            "    else:\n"
            "        y, back = gradgen.vjp(h)(x * 2)\n"
            "    return np.sum(back(1.0))",
            "import gradgen\n"
            "\n"
            "\n"
            "def h(t):\n"
            "    return np.sum(t ** 3)\n"
            "\n"
            "\n"
            "def f(x):\n"
            "    if x[0] > 0:\n"
            "        y, back = gradgen.vjp(h)(x)\n"
            "        g = back(1.0)\n"
            "    else:\n"
            "        y, back = gradgen.vjp(h)(x * 2)\n"
            "        g = back(1.0)\n"
            "    return np.sum(g)",
            {},
            {},
        ),
    ],
    "GG269": [
        (
            "K = ''\n\n\ndef f(x):\n    return np.sum(x) * float(K)",
            "K = '2'\n\n\ndef f(x):\n    return np.sum(x) * float(K)",
            {},
            {},
        ),
    ],
    "GG271": [
        (
            "class C:\n"
            "    def __init__(self):\n"
            "        self.k = 2.0\n"
            "\n"
            "\n"
            "def f(x, name):\n"
            "    return np.sum(x) * getattr(C(), name)",
            "class C:\n"
            "    def __init__(self):\n"
            "        self.k = 2.0\n"
            "\n"
            "\n"
            "def f(x, name):\n"
            "    return np.sum(x) * C().k",
            {},
            {},
        ),
    ],
    "GG272": [
        (
            "class C:\n"
            "    def __init__(self):\n"
            "        self.k = open\n"
            "        self.s = {1.5}\n"
            "\n"
            "    def f(self, x):\n"
            "        return np.sum(x) * max(self.s)\n"
            "\n"
            "\n"
            "f = C().f",
            "class C:\n"
            "    def __init__(self):\n"
            "        self.s = 1.5\n"
            "\n"
            "    def f(self, x):\n"
            "        return np.sum(x) * self.s\n"
            "\n"
            "\n"
            "f = C().f",
            {},
            {},
        ),
    ],
    "GG273": [
        (
            "class C:\n"
            "    def __init__(self):\n"
            "        self.k = 2.0\n"
            "\n"
            "    def f(self, x):\n"
            "        return np.sum(x) * self.k\n"
            "\n"
            "\n"
            "f = C().f",
            "class C:\n"
            "    def __init__(self):\n"
            "        self.k = 2.0\n"
            "\n"
            "    def f(self, x):\n"
            "        return np.sum(x) * self.k\n"
            "\n"
            "\n"
            "f = C().f",
            {"wrt": "self"},
            {"wrt": "self.k"},
        ),
    ],
    "GG303": [
        (
            "def f(x, k):\n    return np.sum(np.max(x, axis=k) ** 2)",
            "def f(x, k):\n    return np.sum(np.max(x, axis=0) ** 2)",
            {"general": True},
            {},
        ),
    ],
    "GG306": [
        (
            "def f(x):\n    return np.sum(np.gradient(np.sin(x), x))",
            "def f(x):\n    return np.sum(np.gradient(np.sin(x), x))",
            {"mode": "forward"},
            {},
        ),
    ],
    "GG310": [
        (
            "def f(x):\n"
            "    v = []\n"
            "    for t in x:\n"
            "        v = [t * t, v]\n"
            "    return v[0] * x[0]",
            "def f(x):\n"
            "    v = []\n"
            "    for t in x:\n"
            "        v.append(t * t)\n"
            "    return v[-1] * x[0]",
            {},
            {},
        ),
    ],
    "GG314": [
        (
            "def h(z):\n"
            "    return np.sum(np.abs(z))\n"
            "\n"
            "\n"
            "def f(x):\n"
            "    return h(x + 1j * x)",
            "def h(z):\n"
            "    return np.sum(np.abs(z))\n"
            "\n"
            "\n"
            "def f(x):\n"
            "    return h(x + 1j * x)",
            {"keep_calls": True},
            {},
        ),
    ],
    "GG315": [
        (
            "def f(x, n):\n"
            "    if n == 0:\n"
            "        return x\n"
            "    return f(x * x, n - 1)",
            "def f(x, n):\n    for i in range(n):\n        x = x * x\n    return x",
            {"mode": "forward"},
            {"mode": "forward"},
        ),
    ],
}
CASES = [(code, *case) for code, cases in MORE.items() for case in cases]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_what_is_advised_is_taken(case):
    followed(*case)
