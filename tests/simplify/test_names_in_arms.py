"""What the user has named in an arm keeps its line where it is read several times."""

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare
from tests.frontend.writing import written

SOURCES = {
    "quotient": """
        def f(r: float, sigma: float):
            p = 0
            if r > 0:
                rs = sigma / r
                p = rs**12 - rs**6
            return p
        """,
    "else": """
        def f(r: float, sigma: float):
            if r < 0:
                p = r * sigma
            else:
                gap = r - sigma
                p = gap**3 * np.exp(-gap) + np.sin(gap)
            return p
        """,
    "array": """
        def f(x, sigma: float):
            if np.any(x > 0):
                u = x / sigma
                y = np.exp(-u) / u + u**3
            else:
                y = x * sigma
            return y
        """,
}
ARGS = {
    "quotient": (0.9, 1.1),
    "else": (0.9, 0.4),
    "array": (np.array([0.4, 1.2]), 0.7),
}
LINES = {
    "quotient": "rs = sigma / r",
    "else": "gap = r - sigma",
    "array": "u = x / sigma",
}


@pytest.mark.parametrize("name", SOURCES)
def test_the_line_stays(name, tmp_path):
    function = written(SOURCES[name], tmp_path)
    text = gradgen.emit(function)
    code = "\n".join(line for line in text.split("\n") if "# Grad of" not in line)
    assert code.count(f"        {LINES[name]}\n") == 1
    assert code.count(LINES[name].partition(" = ")[2]) == 1
    compare(function, ARGS[name])
    compare(function, (-ARGS[name][0], ARGS[name][1]))


def test_what_is_read_once_or_twice_is_written_there(tmp_path):
    source = """
        def f(r: float, sigma: float):
            p = 0
            if r > 0:
                rs = sigma * r
                p = np.sin(rs)
            return p
        """
    function = written(source, tmp_path)
    assert "        rs = " not in gradgen.emit(function)
    compare(function, (0.9, 1.1))
