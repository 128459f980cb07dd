"""`gradgen emit --mode ...` and `gradgen check` on what it wrote."""

import pytest

from tests.cli.command import gradgen, gradgens

SOURCE = """import numpy as np


def layer(x, W, b):
    return np.tanh(W @ x + b)


def entries(x, a):
    return np.sin(x) * a + x**2


def loss(x, W):
    return np.sum(np.tanh(W @ x) ** 2)


def walk(x, n):
    for i in range(n):
        x = np.sin(x) + 0.5 * x[::-1]
    return x
"""
COMMANDS = {
    "rows": "layer --mode jacobian --shape x=n --shape W=m,n --shape b=m",
    "columns": "layer --mode jacobian --direction forward "
    "--shape x=n --shape W=m,n --shape b=m",
    "one_by_one": "layer --wrt x,W,b --mode jacobian --example "
    "np.ones(3),np.ones((2,3)),np.ones(2)",
    "diagonal": "entries --mode jacobian --diagonal --shape x=n --shape a=n",
    "hessian": "loss --mode hessian --shape x=n --shape W=m,n",
    "hvp": "loss --mode hvp --shape x=n --shape W=m,n",
    "loop": "walk --mode jacobian --example np.ones(3),2",
    "tangent": "walk --mode forward --example np.ones(3),2",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("modes")
    (folder / "f.py").write_text(SOURCE)
    (folder / "generated").mkdir()
    commands = [
        ["emit", *f"f.py:{text}".split(), "-o", f"generated/{name}.py"]
        for name, text in COMMANDS.items()
    ]
    done = gradgens(commands, folder)
    assert [one.code for one in done] == [0] * len(COMMANDS), [d.err for d in done]
    return folder


def test_every_mode_is_checked(folder):
    done = gradgen("check", "generated", cwd=folder)
    assert (done.code, done.out) == (0, ""), done.err
    assert done.err.endswith(f"{len(COMMANDS)} checked, 0 wrong\n"), done.err
    assert "not measured" not in done.err


@pytest.mark.parametrize(
    "name, old, new",
    [
        ("rows", "1 - out**2", "1 + out**2"),
        ("columns", "d_out.T", "2 * d_out.T"),
        ("diagonal", "2 * x", "3 * x"),
        ("hessian", "v_d_Wx @ W", "2 * v_d_Wx @ W"),
        ("hvp", "return v_d_x", "return -v_d_x"),
    ],
)
def test_a_wrong_number_is_found(folder, name, old, new):
    file = folder / "generated" / f"{name}.py"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    try:
        done = gradgen("check", f"generated/{name}.py", cwd=folder)
    finally:
        file.write_text(text)
    assert done.code == 1 and "wrong gradient" in done.err + done.out
