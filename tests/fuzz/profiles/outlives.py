"""State that outlives a call, and changes in it: modules, closures, caches, classes, defaults.

What a module holds is reached by a view, an arm, a loop, a helper, a container or an
instance, and changed there. Most of these are refused, and none may be wrong: a change
that a text makes to a copy of its own is not seen by what reads the original.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.afresh import judged
from tests.fuzz.case import Case
from tests.fuzz.judge import Verdict

PROGRAMS = 14
REFUSED_AT_MOST = 1.0  # what is not changed at all is taken
HEAD = (
    "import numpy as np\nfrom functools import cache, cached_property, lru_cache\n\n\n"
)
# what outlives the call: the lines of the module, and how the function comes by it
HELD = (
    ("B = np.arange(12.0).reshape(3, 4)\n", "B"),
    ("B = np.arange(12.0).reshape(4, 3).T\n", "B"),
    ("B0 = np.ones((4, 4))\nB = B0[1:]\n", "B"),
    ("class K:\n    B = np.ones((3, 4))\n", "K.B"),
    ("T = (2.0, np.ones((3, 4)))\n", "T[1]"),
    ("D = {'b': np.ones((3, 4))}\n", "D['b']"),
    ("@cache\ndef made(n):\n    return np.ones((3, n))\n", "made(4)"),
    (
        "@lru_cache(maxsize=8)\ndef made(n):\n    a = np.zeros((3, n))\n"
        "    a[1] = 2.0\n    return {'a': a}\n",
        "made(4)['a']",
    ),
    (
        "class K:\n    @staticmethod\n    @cache\n    def made(n):\n"
        "        return np.ones((n, 3)).T\n",
        "K.made(4)",
    ),
    (
        "class K:\n    @cached_property\n    def a(self):\n"
        "        return np.ones((3, 4))\n\n\nk = K()\n",
        "k.a",
    ),
    (
        "@cache\ndef made(n):\n    rows = []\n    for i in range(n):\n"
        "        rows.append(np.ones(4) * i)\n    return rows\n",
        "made(3)",
    ),
    ("def made(a=np.ones((3, 4))):\n    return a\n", "made()"),
    (
        "def around(a):\n    return lambda: a\n\n\nheld = around(np.ones((3, 4)))\n",
        "held()",
    ),
)
CHANGES = (
    "pass",
    "b = {B}[1]\n    b += x",
    "b = {B}[0]\n    b[1] = x[0]",
    "for r in {B}:\n        r *= x",
    "b = {B}[0] if x[0] > 0 else x * 1\n    b += x",
    "b = x * 0\n    for i in range(3):\n        b = {B}[i]\n    b -= x",
    "b = x * 1\n    if x[1] > 0:\n        b = {B}[2]\n    b[0] = x[3]",
    "def inner(v):\n        v[1] = x[0]\n    inner({B}[2])",
    "np.multiply({B}[1], x, out={B}[1])",
    "rows = [{B}[0], x]\n    rows[0][:] = x",
    "b, c, d = {B}\n    c *= x",
    "b = {B}[1]\n    b = b * x\n    b[0] = 9.0",
    "b = {B}[1].copy()\n    b += x",
)
COUNTED = (
    "def counter():\n    n = 1.0\n    def step(v):\n        nonlocal n\n"
    "        n = n + v\n        return n\n    return step\n\n\nstep = counter()\n\n\n"
    "def f(x):\n    return step({a}) * x[0] + step({b}) * x[1]\n",
    "def around(g):\n    n = 0\n    def inner(x):\n        nonlocal n\n        n += 1\n"
    "        return g(x) * n\n    return inner\n\n\n@around\ndef g(x):\n"
    "    return {a} * x[1]\n\n\ndef f(x):\n    return g(x) + g(x) * {b}\n",
    "def f(x):\n    y = x * 1.5\n    @cache\n    def g(k):\n        return y[k] * {a}\n"
    "    s = g(1)\n    y = y * {b}\n    return s + g(1) * x[2]\n",
    "def f(x):\n    n = 1\n    @cache\n    def g(k):\n        seen.append(k)\n"
    "        return x[k] * {a}\n    seen = [n]\n"
    "    return g(1) * {b} + g(1) + len(seen) * x[0]\n",
    "def f(x):\n    @cache\n    def g(i, j):\n        if i == 0 or j == 0:\n"
    "            return {a} * 0.1\n        return g(i - 1, j) + g(i, j - 1) * x[i] + {b}\n"
    "    return g(3, 2)\n",
    "@cache\ndef made(k):\n    return [k * 1.0]\n\n\ndef f(x):\n"
    "    return {a} * x[1] if made(2) is made(2) else {b}\n",
)
PARTS = ("x[0]", "1.0", "x[2]", "2.0")


def text(rng: Random) -> str:
    """A module: what outlives the call, and a function that changes it, or does not."""
    if rng.random() < 0.3:
        form = rng.choice(COUNTED)
        return HEAD + form.format(a=rng.choice(PARTS), b=rng.choice(PARTS))
    held, name = rng.choice(HELD)
    change = rng.choice(CHANGES).format(B=name)
    read = f"np.sum((np.asarray({name}) @ x) ** 2)"
    body = f"    {change}\n    return {read}\n"
    if rng.random() < 0.3:
        body = f"    {change}\n    return {read} * x[1]\n\n\ndef f(x):\n    return g(x) + g(x)\n"
        return f"{HEAD}{held}\n\ndef g(x):\n{body}"
    return f"{HEAD}{held}\n\ndef f(x):\n{body}"


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed."""
    yield from judged(text(Random(f"outlives {seed}")), engine)
