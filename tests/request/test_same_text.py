"""The same request gives the same text: in any order, in any thread, in any folder."""

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError
from gradgen.frontend.source.source import find
from gradgen.pipeline.run import run
from gradgen.request.request import request


def solved(a, b):
    return np.sum(np.linalg.solve(a, b) ** 2)


def spread(x):
    return np.sum(np.diagflat(np.sum(x)) * x)


def looped(x, n: int):
    y = x
    for _ in range(n):
        y = np.tanh(y) + x
    return np.sum(y)


STACKS = {"a": "k n n", "b": "n k"}
# requests with other settings, some of which are refused
ASKED = [
    (solved, {"shapes": STACKS}),
    (solved, {"shapes": STACKS, "python": "3.9"}),
    (spread, {"shapes": {"x": "n"}}),
    (spread, {"shapes": {"x": "n"}, "python": "3.9"}),
    (looped, {"shapes": {"x": "n"}, "save": "state"}),
    (looped, {"shapes": {"x": "n"}, "guard": True, "bare": True}),
]


def requests():
    sources = [find(function) for function, _ in ASKED]
    return [
        (source, request(source.name, parameters=source.parameters, **options))
        for source, (_, options) in zip(sources, ASKED)
    ]


def text_of(pair):
    source, asked = pair
    try:
        return run(asked, source).text
    except GradgenError as error:
        return str(error)


def test_the_settings_tell():
    texts = [text_of(pair) for pair in requests()]
    assert len(set(texts)) == len(texts)
    assert "before NumPy 2" in texts[1] and "before NumPy 2" in texts[3]
    assert "before NumPy 2" not in texts[0] + texts[2]


def test_in_any_order():
    pairs = requests()
    alone = [text_of(pair) for pair in pairs]
    for order in list(permutations(range(len(pairs))))[::120]:
        assert [text_of(pairs[i]) for i in order] == [alone[i] for i in order]


def test_in_threads():
    pairs = requests()
    alone = [text_of(pair) for pair in pairs]
    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(text_of, pairs * 4))
    assert found == alone * 4


@pytest.fixture
def here():
    place = os.getcwd()
    yield place
    os.chdir(place)


RULE = '''"""Rules of mine."""

module = "loss_of_own_rules"


@elementwise
def soft(z, x):
    d[x] = d[z] * {slope}
'''
MINE = """import numpy as np


def soft(x):
    return np.where(x > 0, x, 0.5 * x)


def loss(x):
    return np.sum(soft(x))
"""


def test_in_any_folder(tmp_path, monkeypatch, here):
    for name, slope in (("one", "np.sign(x)"), ("two", "np.cos(x)")):
        (tmp_path / name / "rules").mkdir(parents=True)
        rule = RULE.format(slope=slope)
        (tmp_path / name / "rules" / "mine.py").write_text(rule)
        settings = '[tool.gradgen]\nrules = ["rules"]\n'
        (tmp_path / name / "pyproject.toml").write_text(settings)
    (tmp_path / "loss_of_own_rules.py").write_text(MINE)
    monkeypatch.syspath_prepend(tmp_path)
    source = find("loss_of_own_rules.loss")
    made = []
    for name in ("one", "two", ""):
        os.chdir(tmp_path / name)
        made.append((source, request(source.name, parameters=source.parameters)))
    texts = [text_of(pair) for pair in made]
    assert "np.sign(x)" in texts[0] and "np.cos(x)" in texts[1]
    assert "np.sign(x)" not in texts[2] and "np.cos(x)" not in texts[2]
    for place in (here, tmp_path, tmp_path / "one"):
        os.chdir(place)
        assert [text_of(pair) for pair in made[::-1]] == texts[::-1]


def threaded(call):
    with ThreadPoolExecutor(4) as threads:
        return list(threads.map(lambda _: call(), range(8)))


@pytest.mark.parametrize("maker", ["grad", "value_and_grad", "vjp"])
def test_derivatives_at_hand_in_threads(maker):
    x = np.linspace(0.1, 0.9, 5)

    def number():
        found = getattr(gradgen, maker)(looped)(x, 3)
        gradient = found if maker == "grad" else found[1]
        return gradient(1.0) if maker == "vjp" else gradient

    eye = np.eye(5) * 1e-6
    slopes = [(looped(x + e, 3) - looped(x - e, 3)) / 2e-6 for e in eye]
    for one in threaded(number):
        np.testing.assert_allclose(one, slopes, rtol=1e-6)
