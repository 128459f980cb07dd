"""Options of Python's functions, which the data or a loop tell: read, or refused."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

X = np.array([0.4, 0.9, -0.31, 1.3])
HEAD = "import numpy as np\nfrom collections import OrderedDict, deque\nimport itertools\n\n\n"
FORMS = (
    "s = sorted(x, reverse=bool(k))[0]",
    "s = sorted([x[0], x[1], x[2]], reverse=k > 0)[0]",
    "s = sorted([3, 1, 2], reverse=bool(k))[0] * x[0]",
    "items = [x[0], x[1]]\n{}items.sort(reverse=bool(k))\n{}s = items[0]",
    "d = deque([x[0], x[1], x[2]], maxlen=k + 1)\n{}s = sum(d)",
    "d = deque([x[0], x[1], x[2]])\n{}d.rotate(k)\n{}s = d[0]",
    "d = OrderedDict(a=x[0], b=x[1])\n{}d.move_to_end('a', last=bool(k))\n"
    "{}s = list(d.values())[0]",
    "d = OrderedDict(a=x[0], b=x[1])\n{}s = d.popitem(last=bool(k))[1]",
    "s = sum(i * v for i, v in enumerate(x, start=k))",
    "s = sum(x, start=k * x[0])",
    "s = sum(itertools.islice(x, k, 3))",
    "items = [x[0], x[1], x[2]]\n{}s = items.pop(k) * items[0]",
    "s = np.sum(np.outer(x, x * x), axis=k)[1]",
    "s = np.ravel(np.outer(x, x * x), order='CF'[k])[1]",
)
# where the option comes from: the head, the indent of the lines, the end
WAYS = {
    "loop": (
        "    total = 0.0\n    for k in range(2):\n",
        8,
        "        total += s * (k + 1)\n",
        "total",
    ),
    "data": ("    k = int(x[1] * 1.5)\n", 4, "", "s"),
    "branch": ("    k = 0\n    if x[0] > 0:\n        k = 1\n", 4, "", "s"),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("form", FORMS)
def test_an_option_that_is_not_known(form, way):
    head, deep, end, result = WAYS[way]
    indent = " " * deep
    body = indent + form.replace("{}", indent) + "\n"
    function = imported(f"{HEAD}def f(x):\n{head}{body}{end}    return {result}\n", "f")
    want = numeric_gradient(function, [X.copy()], 0)
    try:
        got = gradgen.grad(function)(X.copy())
    except gradgen.GradgenError:
        return
    np.testing.assert_allclose(got, want.value, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("reverse", (False, True))
def test_an_option_that_is_an_argument(reverse):
    text = f"{HEAD}def f(x, down):\n    a, *_, b = sorted(x, reverse=down)\n    return a * b ** 2\n"
    function = imported(text, "f")
    want = numeric_gradient(function, [X.copy(), reverse], 0)
    try:
        got = gradgen.grad(function)(X.copy(), reverse)
    except gradgen.GradgenError:
        return
    np.testing.assert_allclose(got, want.value, rtol=1e-6, atol=1e-8)
