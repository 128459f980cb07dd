"""Whole numbers that rounds change, known while the text is made: they decide what keys there are."""

import numpy as np
import pytest

from tests.both_doors import compare
from tests.frontend.writing import written

ROUNDS = {
    "left over": "left = 11\nfor n in (1, 2, 3):\n    if left <= 0:\n        break\n"
    "    d[n] = x[n] * left\n    left -= 4\n",
    "the smaller": "left = 11\nfor n in (1, 2, 3, 4):\n    if left <= 0:\n        break\n"
    "    fill = min(3 * n, left)\n    d[n] = x[n] * fill\n    left -= fill\n",
    "added to": "left = 9\nfor n, l in [(1, 0), (2, 0), (2, 1), (3, 0)]:\n"
    "    if left <= 0:\n        break\n    fill = min(2 * (2 * l + 1), left)\n"
    "    d[n] = d.get(n, 0) + fill * x[l]\n    left -= fill\n",
    "the larger": "high = 1\nfor n in (3, 1, 2):\n    high = max(n, high) + 1\n"
    "    if high % 2:\n        d[n] = x[n] * high\n",
    "many rounds": "left = 40\nfor n in range(12):\n    left -= n\n    left += 1\n"
    "    if left > 0:\n        d[f'k{n}'] = x[n % 3] * left\n",
}


@pytest.mark.parametrize("name", ROUNDS)
def test_keys_of_rounds(name, tmp_path):
    body = ROUNDS[name].replace("\n", "\n    ")
    function = written(
        f"def f(x):\n    d = {{}}\n    {body}\n"
        "    return np.sum(x) * len(d) + sum(v * (i + 1) for i, v in enumerate(d.values()))\n",
        tmp_path,
    )
    compare(function, (np.array([0.7, 0.4, -1.3, 0.9, 0.2]),))


def test_numbers_of_another_function(tmp_path):
    function = written(
        """def shells(left):
    per = {}
    for n, cap in ((1, 2), (2, 8), (3, 8)):
        if left <= 0:
            break
        per[n] = per.get(n, 0) + min(cap, left)
        left -= per[n]
    return sum(v for k, v in per.items() if k < 3) + 0.5 * per.get(3, 0)


def f(x):
    return sum(v * shells(z) for v, z in zip(x, (1, 6, 8, 14)))
""",
        tmp_path,
    )
    compare(function, (np.array([0.7, 0.4, -1.3, 0.9]),))
