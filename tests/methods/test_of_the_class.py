"""What a class holds for all its instances: read, and never silently changed."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.frontend.writing import written

CLASS = """
class Twice:
    def __get__(self, one, kind=None):
        return one.raw * 2

    def __set__(self, one, value):
        one.raw = value


class V:
    seen = [5.0]
    table = {"k": 2.0, "l": [1.0, 3.0]}
    twice = Twice()

    def __init__(self, a=1.0):
        self.a = a

    @property
    def only(self):
        return self.a * 3
"""
READ = {
    "V.seen[0] * x[0]": 5.0,
    "V(x[0]).seen[0] * x[0]": 5.0,
    "V.table['k'] * x[0]": 2.0,
    "V().table['l'][1] * x[0]": 3.0,
    "sum(V.table['l']) * len(V.seen) * x[0]": 4.0,
    "sum(v for v in V().table['l']) * x[0]": 4.0,
    "V.table.get('n', 7.0) * x[0]": 7.0,
    "(V.seen + [2.0])[1] * x[0]": 2.0,
    "list(V.table)[0].count('k') * x[0]": 1.0,
    "np.array(V().seen)[0] * x[0]": 5.0,
    "V(x[0]).only": 3.0,
}
CHANGED = """
V.seen.append(x[0])
V.seen.clear()
V.seen[0] = x[0]
V.seen[:] = [x[0]]
V().seen.append(x[0])
V.seen += [x[0]]
V.seen.extend(x)
V.seen.pop()
V.table["k"] = x[0]
V.table.update(k=x[0])
V.table.setdefault("n", x[0])
V.table["l"].append(x[0])
V().table["l"][0] = x[0]
h = V.seen; h.append(x[0])
V.a = x[0]
V().twice = x[0]
V().only = x[0]
""".strip().splitlines()


def function_of(lines: str, tmp_path):
    body = "\n    ".join(lines.split("; "))
    return written(f"{CLASS}\n\ndef f(x):\n    {body}\n", tmp_path)


@pytest.mark.parametrize("text", READ)
def test_what_is_read(text, tmp_path):
    function = function_of(f"return {text}", tmp_path)
    x = np.array([0.7, 1.2])
    assert np.array_equal(gradgen.grad(function)(x), [READ[text], 0.0])
    names: dict = {}
    exec(gradgen.emit(function, shapes={"x": "n"}), names)
    assert np.array_equal(names["grad_f"](x), [READ[text], 0.0])


@pytest.mark.parametrize("line", CHANGED)
def test_what_would_be_changed_is_refused(line, tmp_path):
    function = function_of(f"{line}; return V.seen[0] * x[0]", tmp_path)
    with pytest.raises(GradgenError, match=r"GG(115|230|270)"):
        gradgen.grad(function)(np.array([0.7, 1.2]))


def test_a_descriptor_is_refused(tmp_path):
    function = function_of("v = V(); v.raw = x[0]; return v.twice", tmp_path)
    with pytest.raises(GradgenError, match="GG270"):
        gradgen.grad(function)(np.array([0.7, 1.2]))
