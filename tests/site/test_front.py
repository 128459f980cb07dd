"""The front page and the README: a function beside its gradient, three claims."""

import html
import re
import subprocess
import sys
import tomllib

import numpy as np
import pytest

import gradgen
from examples.losses import cosine_loss
from tests.site.hooks import DOCS, hook, page

ROOT = DOCS.parent
PACKAGES = ["gradgen", "autograd", "JAX", "PyTorch"]


@pytest.fixture(scope="module")
def front() -> str:
    return page("index")


def rows(front: str) -> list[list[tuple[set[str], str]]]:
    """(colours, code) of each line of the two texts."""
    sides = re.findall(r"<figure>.*?</figure>", front, re.S)
    found = []
    for side in sides:
        lines = re.findall(
            r'<span class="row ?([k\d ]*)"><b>(.*?)</b><code>(.*?)</code></span>', side
        )
        for own, stripes, _ in lines:
            assert re.findall(r'<i class="(k\d)">', stripes) == own.split()
        found.append(
            [
                (set(own.split()), html.unescape(re.sub("<.*?>", "", c)))
                for own, _, c in lines
            ]
        )
    return found


def test_the_function_and_its_gradient_stand_side_by_side(front):
    left, right = rows(front)
    source = (ROOT / "examples/losses.py").read_text()
    assert "\n".join(code for _, code in left) in source
    vector = np.ones(3)
    emitted = gradgen.emit(cosine_loss, wrt="X", example=(vector, vector))
    body = emitted[emitted.index("def ") :].rstrip("\n")
    assert "\n".join(code.rstrip() or "" for _, code in right) == body


def test_lines_that_belong_together_have_one_colour(front):
    left, right = rows(front)
    shades = {code.strip(): own for own, code in left if own}
    assert len(shades) == len({min(own) for own in shades.values()}) == 4
    told = {code.strip(): own for own, code in right}
    xnorm, ynorm, similarity, out = shades.values()
    assert told["xnorm = np.sqrt(np.sum(X * X))"] == xnorm
    assert told["ynorm = np.sqrt(np.sum(Y * Y))"] == ynorm
    assert told["d_similarity = -d_out"] == out
    assert told["d_xnorm = -d_similarity * similarity / xnorm"] == similarity
    last = "d_X = d_similarity / (xnorm * ynorm) * Y + d_xnorm / xnorm * X"
    assert told[last] == xnorm | similarity
    css = (DOCS / "look.css").read_text()
    for shade in set().union(*shades.values()):
        assert css.count(f"--{shade}: #") == 2, "a colour for light and one for dark"


def table() -> tuple[list[str], list[list[str]]]:
    """The head and the rows of the table of peers, read anew."""
    text = (DOCS / "performance.md").read_text()
    part = text.partition("<!-- peers: begin -->")[2].partition("<!-- peers: end -->")[
        0
    ]
    cells = [
        re.split(r"\s*\|\s*", row)[1:-1] for row in part.split("\n") if row[:1] == "|"
    ]
    return cells[0][2:], cells[2:]


def test_the_figures_are_those_of_the_table(front):
    libraries, measured = table()
    assert libraries == PACKAGES
    cards = re.findall(r"<section>(.*?)</section>", front, re.S)
    assert len(cards) == 3
    shown = [
        dict(re.findall(r"<dt>(\w+)</dt>.*?<span>([\d.]+)</span>", card))
        for card in cards
    ]
    assert all(list(one) == PACKAGES for one in shown)
    for one, size in zip(shown, ("small", "large")):
        (means,) = [row[2:] for row in measured if row[:2] == ["geometric mean", size]]
        assert list(one.values()) == [cell.split()[0] for cell in means]
        for k, name in enumerate(PACKAGES):  # and they are the means of the rows
            column = [row[2 + k] for row in measured if row[1] == size][:-1]
            numbers = [float(cell) for cell in column if cell != "cannot"]
            mean = np.exp(np.mean(np.log(numbers)))
            assert abs(mean - float(one[name])) < 0.01 * mean + 0.005
    for k, name in enumerate(PACKAGES):
        cannot = {row[0] for row in measured if row[2 + k] == "cannot"}
        every = {row[0] for row in measured} - {"geometric mean"}
        assert shown[2][name] == str(len(every) - len(cannot))
    assert hook("figures").peers().taken in front


def test_the_readme_has_the_same_figures_and_a_command_writes_them(tmp_path):
    readme = (ROOT / "README.md").read_text()
    assert hook("figures").markdown() in readme
    # the command mends figures that have drifted
    drifted = tmp_path / "README.md"
    drifted.write_text(re.sub(r"\| \d+\.\d\d \|", "| 0.01 |", readme))
    assert drifted.read_text() != readme
    command = [sys.executable, "docs/figures.py", str(drifted)]
    subprocess.run(command, cwd=ROOT, check=True)
    assert drifted.read_text() == readme


def test_three_commands(front):
    (block,) = re.findall(r"^```sh\n(.*?)^```", front, re.M | re.S)
    commands = [line.split("  ")[0] for line in block.strip().split("\n")]
    assert [c.split()[0] for c in commands] == ["python", "gradgen", "gradgen"]
    assert max(map(len, block.split("\n"))) <= 88
    done = subprocess.run(
        [sys.executable, "-m", *commands[1].split()],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and "def grad_cosine_loss(" in done.stdout


def test_the_tutorial_says_how_to_install_and_what_it_needs():
    tutorial = (DOCS / "tutorial.md").read_text()
    first = tutorial.partition("## A first gradient")[0]
    assert "```sh\npython -m pip install -e .\n```" in first
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    python = project["requires-python"].removeprefix(">=")
    (numpy,) = [d for d in project["dependencies"] if d.startswith("numpy")]
    assert f"Python {python} or newer" in first
    assert f"NumPy {numpy.removeprefix('numpy>=')} or newer" in first
    others = set(re.findall(r"^(?:from|import) (\w+)", tutorial, re.M))
    others -= {"numpy", "gradgen", "losses", "grads"}
    for module in others & {"scipy", "jax", "torch", "pytest", "autograd"}:
        assert f"pip install {module}" in first
