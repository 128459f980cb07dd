"""A notebook that is executed: functions of cells, displays, magics, tracebacks."""

import html
import re

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

CELLS = {
    "define": """
import numpy as np
import gradgen

SCALE = 2.0

def loss(w, x):
    # a comment of the cell
    h = np.tanh(x @ w)
    return SCALE * np.sum(h * h)
""",
    "grad": "g = gradgen.grad(loss, shapes={'w': 'd', 'x': 'n d'})\ng",
    "call": """
w, x = np.array([0.1, -0.2]), np.array([[1.0, 2.0], [0.5, -1.0], [2.0, 0.3]])
step = 1e-6
differences = [
    (loss(w + step * e, x) - loss(w - step * e, x)) / (2 * step) for e in np.eye(2)
]
print(np.allclose(g(w, x), differences, rtol=1e-7))
""",
    "others": "display(gradgen.vjp(loss), gradgen.jvp(loss), gradgen.hvp(loss))",
    "redefined": "def loss(w, x):\n    return np.sum(x @ w)\n\ngradgen.grad(loss)",
    "load": "%load_ext gradgen.notebook",
    "magic": """%%gradgen --wrt a,b --value --shape a=n --shape "b=n"
def product(a, b):
    return np.sum(a * np.exp(b))
""",
    "defined": """
value, (d_a, d_b) = value_and_grad_product(np.ones(2), np.zeros(2))
print(value, d_a, d_b, product(np.ones(2), np.zeros(2)))
""",
    "line": "%gradgen product --wrt b --mode hvp --shape a=n --shape b=n",
    "check": "print(gradgen.check_grads(product, lambda a, b: np.exp(b), (d_a, d_b)))",
    "refused": "%%gradgen\ndef wrong(x):\n    try:\n        return x\n    except* E:\n        pass",
    "two": "%%gradgen --wrt x\ndef one(x):\n    return x\ndef two(x):\n    return x",
    "option": "%%gradgen --wrtt x\ndef one(x):\n    return x",
    "broken": "%%gradgen\ndef one(x):\n    return x\nraise KeyError('mine')",
    "traceback": "g.function(np.ones(3), np.ones((3, 2)))",
}


@pytest.fixture(scope="module")
def shown():
    """What each cell shows: its outputs, in one notebook that goes on after errors."""
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(text) for text in CELLS.values()]
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    client = nbclient.NotebookClient(notebook, timeout=120, allow_errors=True)
    client.execute()
    return {
        name: cell.outputs for name, cell in zip(CELLS, client.nb.cells, strict=True)
    }


def rich(outputs) -> list[str]:
    """The HTML of what was displayed."""
    return [o["data"]["text/html"] for o in outputs if "text/html" in o.get("data", {})]


def text_of(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", markup))


def printed(outputs) -> str:
    return "".join(o.get("text", "") for o in outputs if o["output_type"] == "stream")


def error(outputs) -> str:
    """What a cell that failed shows, without its colours."""
    lines = [printed(outputs)]
    for o in outputs:
        if o["output_type"] == "error":
            lines += [*o["traceback"], f"{o['ename']}: {o['evalue']}"]
    return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(lines))


def test_a_cells_function_has_a_gradient_that_is_shown_in_colour(shown):
    (markup,) = rich(shown["grad"])
    assert "<span style=" in markup and "<script" not in markup
    text = text_of(markup)
    assert "def grad_loss(w, x, d_out=1.0):" in text
    assert "# Grad of: return SCALE * np.sum(h * h)" in text
    assert "# a comment of the cell" in text
    assert printed(shown["call"]) == "True\n"
    names = ["def vjp_loss(", "def jvp_loss(", "def hvp_loss("]
    for name, markup in zip(names, rich(shown["others"]), strict=True):
        assert name in text_of(markup)
    # The cell that defines it anew is the one that counts.
    (markup,) = rich(shown["redefined"])
    assert "# Grad of: return np.sum(x @ w)" in text_of(markup)


def test_the_magics_emit_show_and_define(shown):
    (markup,) = rich(shown["magic"])
    assert "def value_and_grad_product(a, b, d_out=1.0):" in text_of(markup)
    assert printed(shown["defined"]) == "2.0 [1. 1.] [1. 1.] 2.0\n"
    (markup,) = rich(shown["line"])
    assert "def hvp_product(a, b, v_b):" in text_of(markup)
    assert printed(shown["check"]).startswith("agrees with differences")


def test_mistakes_are_told_without_a_traceback_of_gradgens(shown):
    for name, words in {
        "refused": ["GG113 a try block is not supported", "write instead"],
        "two": ["the cell defines 2 functions, and none is named", "%%gradgen loss"],
        "option": ["No such option", "--wrtt"],
    }.items():
        said = error(shown[name])
        assert all(word in said for word in words), said
        assert "Traceback" not in said and "gradgen/" not in said
    assert "KeyError: 'mine'" in error(shown["broken"]) and not rich(shown["broken"])


def test_a_traceback_shows_the_lines_of_the_gradient(shown):
    said = error(shown["traceback"])
    assert "in grad_loss(w, x, d_out)" in said
    assert re.search(r"^-+> \d+ +h = np.tanh\(x @ w\)", said, re.M)
