"""An array before a loop that is a list after a round: right as a list, or refused."""

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError

Q = np.array([1.0, 2.0, 3.0])
ROUNDS = {
    "by a comprehension": "p = [v * 3 for v in p]",
    "longer": "p = [p[0] * 2] + [v * 3 for v in p]",
    "copied": "p = list(p)\n        p[0] = p[0] * p[1]",
    "one of two": "p = [v * 2 for v in p] if t > 0 else [v * v for v in p]",
    "by two": "p = [x * y for x, y in zip(p, q)]",
    "appended": "r = []\n        for v in p:\n            r.append(v * v)\n        p = r",
}


def made(path, line: str, before: str):
    text = f"def f(q, n):\n    p = {before}\n    for t in range(n):\n        {line}\n"
    path.write_text(text + "    return p[-1] * p[0] + p[1]\n")
    space = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    return space["f"]


STORED = ("copied",)


def slopes(f):
    return [(f(Q + s, 2) - f(Q - s, 2)) / 2e-6 for s in 1e-6 * np.eye(3)]


@pytest.mark.parametrize("name", [one for one in ROUNDS if one not in STORED])
def test_right_where_nothing_is_stored(name, tmp_path):
    path = tmp_path / "rounds.py"
    f = made(path, ROUNDS[name], "q")
    np.testing.assert_allclose(gradgen.grad(f)(Q, 2), slopes(f), rtol=1e-6, atol=1e-6)
    for example in (None, (Q, 2)):
        space = {}
        exec(gradgen.emit(f"{path}:f", example=example), space)
        for q in (Q, list(Q)):
            for n in (0, 1, 2):
                got = space["grad_f"](q, n)
                want = gradgen.grad(f)(Q, n)
                np.testing.assert_allclose(got, want)


@pytest.mark.parametrize("line", ("p = [v * 3 for v in p * 2]", "p = [p[1:][0], p[0]]"))
def test_an_operation_on_the_whole_is_refused(line, tmp_path):
    f = made(tmp_path / "rounds.py", line, "q")
    with pytest.raises(GradgenError):
        gradgen.emit(f)


@pytest.mark.parametrize("name", STORED)
def test_refused_and_the_way_out_works(name, tmp_path):
    path = tmp_path / "rounds.py"
    f = made(path, ROUNDS[name], "q")
    for ask in (lambda: gradgen.grad(f)(Q, 2), lambda: gradgen.emit(f"{path}:f")):
        with pytest.raises(GradgenError) as caught:
            ask()
        assert "GG222" in str(caught.value)
        assert "p = list(...) before the loop" in str(caught.value)
    f = made(tmp_path / "lists.py", ROUNDS[name], "list(q)")
    np.testing.assert_allclose(gradgen.grad(f)(Q, 2), slopes(f), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("test", ("q[0] > n", "n > 1"))
@pytest.mark.parametrize("tail", ("p[-1] * p[0]", "np.sum(np.array(p) ** 2)"))
def test_a_list_in_one_arm(test, tail, tmp_path):
    text = f"import numpy as np\n\ndef f(q, n):\n    p = q\n    if {test}:\n"
    text += f"        p = [v * v for v in p]\n    return {tail}\n"
    path = tmp_path / "arms.py"
    path.write_text(text)
    space = {"__name__": "arms"}
    exec(compile(text, str(path), "exec"), space)
    f = space["f"]
    emitted = {}
    exec(gradgen.emit(f"{path}:f", example=(Q, 2)), emitted)
    for n in (0, 2):
        want = [(f(Q + s, n) - f(Q - s, n)) / 2e-6 for s in 1e-6 * np.eye(3)]
        np.testing.assert_allclose(gradgen.grad(f)(Q, n), want, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(emitted["grad_f"](Q, n), want, rtol=1e-6, atol=1e-6)
