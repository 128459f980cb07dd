"""docs/guards.md shows the texts that are emitted, and the numbers that are measured."""

import re
from pathlib import Path

import numpy as np

import gradgen
from bench.nan_functions import CASES
from bench.nans import of_gradgen, point_of, shown, tapes

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "guards.md").read_text(encoding="utf-8")


def softplus(x):
    return np.log(1 + np.exp(x))


def unit(x):
    n = np.linalg.norm(x)
    if n == 0:
        return x
    return x / n


def test_the_texts():
    shown_ = re.findall(r"```python\n(.*?)\n```", PAGE, re.S)
    committed = [
        (ROOT / "generated" / f"{name}.py").read_text(encoding="utf-8")
        for name in ("where_exp", "masked_ratio", "cosine_rows")
    ]
    emitted = gradgen.emit(softplus, shapes={"x": "n"}, stable=True)
    shown_ = [one for one in shown_ if one.startswith("def grad_")]
    assert len(shown_) == 5
    quotient = gradgen.emit(unit, shapes={"x": "3"})
    wholes = [quotient, *committed, emitted]
    for part, whole in zip(shown_, wholes, strict=True):
        assert part + "\n" in whole


def test_the_numbers():
    rows = {
        line.split("|")[1].strip(): line.split("|")
        for line in PAGE.splitlines()
        if line.startswith("| `") and line.count("|") > 4
    }
    assert list(rows) == [f"`{case.function.__name__}`" for case in CASES]
    titles = next(line for line in PAGE.splitlines() if "| function |" in line)
    makers = tapes()
    for case in CASES:
        row = [cell.strip() for cell in rows[f"`{case.function.__name__}`"]]
        point = point_of(case)
        with np.errstate(all="ignore"):
            assert row[2] == shown(case.right)
            assert row[3] == shown(of_gradgen(case, point, False))
            assert row[4] == shown(of_gradgen(case, point, True)) == row[2]
            for title, make in makers.items():
                if title in titles:
                    at = [cell.strip() for cell in titles.split("|")].index(title)
                    assert row[at] == shown(make(case, point))
