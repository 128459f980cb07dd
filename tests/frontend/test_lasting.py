"""What outlives a call: names of calls that are over, results of caches, arrays of modules."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.afresh import X, called_first
from tests.fuzz.program import imported

HEAD = (
    "import numpy as np\nfrom functools import cache, cached_property, lru_cache\n\n\n"
)
TABLE = "@cache\ndef table(n):\n    return {made}\n\n\ndef f(x):\n"
REFUSED = {
    "nonlocal": (
        "def counter():\n    n = 0.0\n    def step(v):\n        nonlocal n\n"
        "        n += v\n        return n\n    return step\n\n\nstep = counter()\n\n\n"
        "def f(x):\n    return step(x[0]) * step(2.0)\n"
    ),
    "nonlocal_of_a_decorator": (
        "def around(g):\n    n = 0\n    def inner(x):\n        nonlocal n\n"
        "        n += 1\n        return g(x) * n\n    return inner\n\n\n"
        "@around\ndef g(x):\n    return x[0] ** 2\n\n\n"
        "def f(x):\n    return g(x) + g(x)\n"
    ),
    "view": "B = np.arange(12.0).reshape(3, 4)\n\n\ndef f(x):\n    b = B[1]\n    b += x\n"
    "    return np.sum(B @ x)\n",
    "rows": "B = np.arange(12.0).reshape(4, 3).T\n\n\ndef f(x):\n    for r in B:\n"
    "        r *= x\n    return np.sum(B @ x)\n",
    "arm": "B = np.ones((3, 4))\n\n\ndef f(x):\n    b = B[0] if x[0] > 0 else x * 1\n"
    "    b += x\n    return np.sum(B @ x)\n",
    "arm_in_a_loop": "B = np.ones((3, 4))\n\n\ndef f(x):\n    b = x * 1\n"
    "    for i in range(3):\n        if x[i] > 0:\n            b = B[i]\n"
    "        b[0] = x[1]\n    return np.sum(B @ x)\n",
    "cached_array": TABLE.format(made="np.ones(4) * n")
    + "    v = table(2)\n    v[0] = x[1]\n    return np.sum(table(2) * x)\n",
    "cached_view": TABLE.format(made="np.ones((2, n))")
    + "    v = table(4)[1]\n    v += x\n    return np.sum(table(4) @ x)\n",
    "cached_list": TABLE.format(made="[1.0, n]")
    + "    table(2).append(x[0])\n    return sum(table(2)) * x[1]\n",
    "cached_list_by_a_loop": TABLE.format(made="list(map(float, range(n)))")
    + "    v = table(2)\n    v.append(x[0])\n    return sum(table(2)) * x[1]\n",
    "cached_dictionary": TABLE.format(made="{'a': np.ones(n)}")
    + "    table(4)['a'] *= x\n    return np.sum(table(4)['a'] * x)\n",
    "which_of_the_cached": TABLE.format(made="[n]")
    + "    return x[0] * 2 if table(2) is table(2) else x[1]\n",
    "cached_inside": "def f(x):\n    @cache\n    def g(n):\n        return np.ones(4) * n\n"
    "    v = g(1)\n    v[0] = x[0]\n    return np.sum(g(1) * x)\n",
    "cached_and_read_later": "def f(x):\n    y = x * 2\n    @cache\n    def g(k):\n"
    "        return y[k] * 2\n    s = g(1)\n    y = y * 3\n    return s + g(1)\n",
    "cached_and_read_in_rounds": "def f(x):\n    y = x * 2\n    s = 0.0\n    @cache\n"
    "    def g(k):\n        return y[k]\n    for i in range(2):\n        s += g(0)\n"
    "        y = y * 3\n    return s\n",
    "cached_with_an_effect": "def f(x):\n    seen = [1.0]\n    @cache\n    def g(k):\n"
    "        seen.append(k)\n        return x[k]\n"
    "    return g(1) + g(1) + len(seen) * x[0]\n",
    "cached_property": "class K:\n    @cached_property\n    def a(self):\n"
    "        return np.ones(4)\n\n\nk = K()\n\n\ndef f(x):\n    k.a[0] = x[0]\n"
    "    return np.sum(k.a * x)\n",
}
TAKEN = {
    "nonlocal_of_the_call": "def f(x):\n    t = 0.0\n    def add(v):\n"
    "        nonlocal t\n        t += v * v\n    for v in x:\n        add(v)\n"
    "    return t\n",
    "nonlocal_that_is_read": "def made():\n    n = 3.0\n    def g(v):\n"
    "        nonlocal n\n        return n * v\n    return g\n\n\ng = made()\n\n\n"
    "def f(x):\n    return g(x[0]) * g(x[1])\n",
    "cached": TABLE.format(made="np.arange(4.0) + n")
    + "    v = table(2) * x\n    v[0] = x[1]\n    return np.sum(v * table(2))\n",
    "cached_copy": TABLE.format(made="[np.ones(4), n]")
    + "    v = table(2)[0].copy()\n    v += x\n    return np.sum(v * table(2)[0] * x)\n",
    "cached_in_rounds": TABLE.format(made="n * 2.0")
    + "    s = 0.0\n    for i in range(4):\n        s += table(i % 2 + 1) * x[i] ** 2\n"
    "    return s\n",
    "paths": "def f(x):\n    @lru_cache(maxsize=None)\n    def best(i, j):\n"
    "        if i == 0 or j == 0:\n            return 0.0\n"
    "        return min(best(i - 1, j), best(i, j - 1)) + x[i] * x[j]\n"
    "    return best(3, 2)\n",
    "paths_in_rounds": "def f(x):\n    @cache\n    def tail(i):\n"
    "        return x[i] if i >= 3 else x[i] + 0.5 * tail(i + 1)\n    s = 0.0\n"
    "    for i in range(2):\n        s += tail(0) * x[1]\n    return s\n",
    "copy_in_an_arm": "B = np.ones((3, 4))\n\n\ndef f(x):\n"
    "    b = B[0].copy() if x[0] > 0 else x * 1\n    b += x\n"
    "    return np.sum(B @ x) + np.sum(b * x)\n",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_change_that_outlives_the_call_is_refused(name):
    called_first(HEAD + REFUSED[name])(X.copy())  # Python runs it
    function = imported(HEAD + REFUSED[name], "f")
    for asked in (
        lambda: gradgen.grad(function)(X.copy()),
        lambda: gradgen.emit(function),
    ):
        with pytest.raises(gradgen.GradgenError) as caught:
            asked()
        codes = {one.code for one in caught.value.problems}
        assert codes <= {"GG112", "GG113", "GG211", "GG230", "GG271"}


@pytest.mark.parametrize("name", TAKEN)
def test_what_changes_nothing_is_taken(name):
    want = numeric_gradient(called_first(HEAD + TAKEN[name]), [X.copy()], 0)
    function = imported(HEAD + TAKEN[name], "f")
    got = gradgen.grad(function)(X.copy())
    np.testing.assert_allclose(got, want.value, rtol=1e-6, atol=1e-8)
