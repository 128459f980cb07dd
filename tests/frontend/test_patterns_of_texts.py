"""Regular expressions of what is known while the text is made: units, names, formats."""

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare
from tests.frontend.writing import written

HEAD = """import re

UNIT = re.compile(r"([\\d.]+)\\s*(?P<unit>k?m)$")
SCALES = {"km": 1000.0, "m": 1.0}


def f(x, given="2.5 km"):
"""
BODIES = {
    "match": "m = re.match(r'([\\d.]+) (k?)m', given)\nif m is None:\n    return 0.0 * x[0]\n"
    "return np.sum(x * x) * (float(m.group(1)) if m.group(2) == 'k' else 1.0)",
    "of the module": "m = UNIT.match(given)\n"
    "return np.sum(x * x) * SCALES[m['unit']] * float(m[1])",
    "no match": "return 0.0 * x[0] if UNIT.fullmatch('x') else np.sum(x * x)",
    "compiled here": "m = re.compile(r'[a-z]+').search(given)\nif not m:\n"
    "    raise ValueError(given)\nreturn np.sum(x * x) * m.start()",
    "groups": "value, unit = re.compile(r'([\\d.]+)\\s*(\\w+)').match(given).groups()\n"
    "return np.sum(x * x) * float(value) * SCALES[unit]",
    "split": "value, unit = re.split(r'\\s+', given)\nreturn np.sum(x * x) * float(value)",
    "sub": "return np.sum(x * x) * SCALES[re.sub('[^a-z]', '', given)]",
    "findall": "return np.sum(x * x) * sum(float(n) for n in re.findall(r'\\d', given))",
}


@pytest.mark.parametrize("name", BODIES)
def test_known_texts(name, tmp_path):
    body = BODIES[name].replace("\n", "\n    ")
    compare(written(f"{HEAD}    {body}\n", tmp_path), (np.array([0.7, 0.4, -1.3]),))


@pytest.mark.parametrize("name", BODIES)
def test_a_text_of_the_call(name, tmp_path):
    body = BODIES[name].replace("\n", "\n    ")
    f = written(f"{HEAD}    {body}\n", tmp_path)
    x = np.array([0.7, 0.4])
    scale = f(np.array([1.0, 0.0]), "3.0 m")  # each is a multiple of the sum of squares
    found = gradgen.grad(f)(x, "3.0 m")
    np.testing.assert_allclose(found, 2 * scale * x)


def test_one_that_is_not_known_is_refused(tmp_path):
    text = (
        "import re\n\n\ndef f(x, given):\n    return x * len(re.sub('a', '', given))\n"
    )
    f = written(text, tmp_path)
    with pytest.raises(gradgen.GradgenError, match="GG205.*re.sub"):
        gradgen.emit(f)
    assert gradgen.grad(f)(2.0, "abac") == 2
