"""A seed that a conditional expression hands on is the caller's, and is not added to."""

import importlib.util

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

CHOSEN = [
    "np.maximum(y, k)",
    "np.minimum(y, k)",
    "np.where(y > 0.2, k, y)",
    "np.where(k > y, 2 * k, np.where(y > 5, y, k))",
    "np.clip(k, 0.0, 9.0)",
    "np.fmax(k, y)",
    "np.maximum(np.minimum(k, y + 9.0), 0.1)",
    "k if y > 0 else y",
]
REST = {
    "loop": "    w = k\n    for i in range(2):\n        w = w * k + 0.1\n",
    "sum": "    w = k * k\n    w = w + np.sin(k)\n",
    "arm": "    if y > 0:\n        w = k * y\n    else:\n        w = k\n",
    "places": "    w = 0.0\n    for i in range(3):\n        w = w + k * i\n",
}


@pytest.mark.parametrize("told", [{}, {"y": "", "k": ""}])
@pytest.mark.parametrize("rest", REST)
@pytest.mark.parametrize("chosen", CHOSEN)
def test_seeds_of_rank_0_stay_as_they_are(chosen, rest, told, tmp_path):
    text = f"import numpy as np\n\n\ndef f(y, k):\n{REST[rest]}    u = {chosen}\n"
    (tmp_path / "m.py").write_text(text + "    return w, u\n")
    spec = importlib.util.spec_from_file_location("m_of_seeds", tmp_path / "m.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    names: dict = {}
    exec(gradgen.emit(module.f, "k", shapes=told), names)
    seeds = np.array(1.5), np.array(0.7)

    def weighted(y, k):
        w, u = module.f(y, k)
        return 1.5 * w + 0.7 * u

    want = numeric_gradient(weighted, [0.3, 0.8], 1).value
    for _ in range(2):
        found = names["grad_f"](0.3, 0.8, *seeds)
        assert abs(found - want) < 1e-8 and seeds == (1.5, 0.7)
