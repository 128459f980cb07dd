"""Lists as keys of arrays: what a list names is what the array of its entries names."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

BODIES = {
    "a list of a range": "return np.sum(s[list(range(s.shape[0])), y] ** 2)",
    "one with a name": """rows = list(range(len(y)))
    return -np.mean(np.log(s[rows, y]))""",
    "a store at them": """p = np.exp(s)
    p[list(range(len(y))), y] = 0.5
    return np.sum(p ** 2)""",
    "a change at them": """p = np.exp(s)
    p[list(range(len(y))), list(y)] -= 1
    return np.sum(p ** 2)""",
    "a comprehension": "return np.sum(s[[i for i in range(len(y))], y] ** 2)",
    "rows that a loop picks": """rows = []
    for i in range(len(s)):
        if y[i] > 0:
            rows.append(i)
    return np.sum(s[rows] ** 2) + np.sum(s[:, y[rows]])""",
    "columns that come twice": """columns = []
    for i in range(len(y)):
        columns.append(y[i])
    return np.sum(s[:, columns] ** 3)""",
    "a mask": """keep = [v > 0 for v in y]
    return np.sum(np.sin(s[keep]))""",
    "an entry by a tuple": """total = 0.0
    for i in range(len(y)):
        place = [i, y[i]]
        total = total + s[tuple(place)] ** 2
    return total""",
    "a tuple beside a list": "return np.sum(s[tuple(range(len(y))), list(y)] ** 2)",
}
S = np.random.default_rng(2).uniform(0.3, 1.5, (4, 3))
Y = np.array([0, 2, 1, 1])


@pytest.mark.parametrize("door", ["text", "call", "example"])
@pytest.mark.parametrize("name", BODIES)
def test_the_gradient_is_that_of_differences(name, door):
    f = imported(f"import numpy as np\n\n\ndef f(s, y):\n    {BODIES[name]}\n", "f")
    if door == "call":
        found = gradgen.grad(f)(S, Y)
    else:
        module = {}
        exec(gradgen.emit(f, example=(S, Y) if door == "example" else None), module)
        found = module["grad_f"](S, Y)
    want = numeric_gradient(f, [S.copy(), Y], 0, 1.0).value
    np.testing.assert_allclose(found, want, rtol=1e-7, atol=1e-9)
