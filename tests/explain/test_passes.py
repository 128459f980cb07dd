"""`gradgen explain --passes` and `--times`."""

import re
from pathlib import Path

import pytest

from gradgen.pipeline.passes import every_pass
from tests.cli.command import gradgen as command

ROOT = Path(__file__).parents[2]
LOSS = """
import numpy as np


def loss(w, X, y):
    return np.mean((X @ w - y) ** 2)


def decay(x, n):
    for _ in range(n):
        x = 0.5 * np.sin(x)
    return np.sum(x)
"""


def test_the_table_is_in_the_order_in_which_passes_run(tmp_path):
    done = command("explain", "--passes", cwd=tmp_path)
    rows = [row for row in done.out.splitlines() if not row.endswith(":")]
    names = [one.name for one in every_pass()]
    assert [row.strip()[:18].strip() for row in rows] == names
    assert sum("(with --guard)" in row for row in rows) == 3


@pytest.mark.parametrize("function", ["loss", "decay"])
def test_what_each_pass_costs(function, tmp_path):
    (tmp_path / "mine.py").write_text(LOSS)
    done = command("explain", "--times", f"mine.py:{function}", cwd=tmp_path)
    head, *rows, last = done.out.splitlines()
    assert head.split() == ["ms", "share", "runs", "pass"]
    found = [re.fullmatch(r" *([\d.]+) +([\d.]+)% +(\d+)  (.+)", row) for row in rows]
    times = [float(one[1]) for one in found]
    assert times == sorted(times, reverse=True)
    assert sum(times) == pytest.approx(float(last.split()[0]), abs=0.2)
    rounded = 0.05 * len(found)  # each share is told with one decimal
    assert sum(float(one[2]) for one in found) == pytest.approx(100, abs=rounded)
    names = {one[4] for one in found}
    asked = ("is_guarded", "is_compiled", "is_assumed", "fast")
    unguarded = {one.name for one in every_pass() if one.when not in asked}
    # The library's words and the stores belong to the layout.
    layout = {"retarget", "differences", "storage", "cached", "endings", "backwards"}
    layout |= {"reads first", "rescaled", "added numbers", "number lists"}
    layout |= {"copied", "taken apart"}
    assert unguarded - layout <= names


@pytest.mark.parametrize("asked", ["mine.py:f", "examples.quadrature.dose"])
def test_what_is_watched_is_the_text_that_is_emitted(asked, tmp_path):
    """A text with kept calls is tried beside it, which nobody watches."""
    (tmp_path / "mine.py").write_text(
        "import numpy as np\n\n\ndef h(x):\n    y = np.sin(x) * x\n    return y + y**2\n"
        "\n\ndef f(x):\n    return np.sum(h(x) + h(2 * x) * h(h(x)))\n"
    )
    out = tmp_path / f"{asked[-1]}.html"
    cwd = tmp_path if asked.startswith("mine") else ROOT
    done = command("explain", "--html", str(out), asked, cwd=cwd)
    assert done.code == 0, done.err
