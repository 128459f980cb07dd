"""An array before a loop that is a list after a round is refused; a list there is right."""

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError

Q = np.array([1.0, 2.0, 3.0])
ROUNDS = {
    "by a comprehension": "p = [v * 3 for v in p]",
    "longer": "p = [p[0] * 2] + [v * 3 for v in p]",
    "copied": "p = list(p)\n        p[0] = p[0] * p[1]",
    "by two": "p = [x * y for x, y in zip(p, q)]",
    "appended": "r = []\n        for v in p:\n            r.append(v * v)\n        p = r",
}


def made(path, line: str, before: str):
    text = f"def f(q, n):\n    p = {before}\n    for t in range(n):\n        {line}\n"
    path.write_text(text + "    return p[-1] * p[0] + p[1]\n")
    space = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    return space["f"]


@pytest.mark.parametrize("name", ROUNDS)
def test_refused_and_the_way_out_works(name, tmp_path):
    path = tmp_path / "rounds.py"
    f = made(path, ROUNDS[name], "q")
    for ask in (lambda: gradgen.grad(f)(Q, 2), lambda: gradgen.emit(f"{path}:f")):
        with pytest.raises(GradgenError) as caught:
            ask()
        assert "GG222" in str(caught.value)
        assert "p = list(...) before the loop" in str(caught.value)
    f = made(tmp_path / "lists.py", ROUNDS[name], "list(q)")
    want = [(f(Q + s, 2) - f(Q - s, 2)) / 2e-6 for s in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(gradgen.grad(f)(Q, 2), want, rtol=1e-6, atol=1e-6)
