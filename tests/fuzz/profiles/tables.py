"""Dictionaries and lists that rounds fill by keys which are computed: n[i % 2] += x[i].

What is stored is counted, summed by groups, looked for, popped, updated and gone over,
as people do with results by name. All keys are known where the rounds are written out.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case, Truth, case_of
from tests.fuzz.imperative import Imperative, is_fit
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.program import Parameter

PROGRAMS = 12
REFUSED_AT_MOST = 0.1  # items may be arrays here and numbers there
SIZES = ({"n": 4}, {"n": 5})
KEYS = ["{i} % 2", "{i}", "{i} // 2", "2 - {i}", "({i} + 1) % 3", "f'k{{i}}'"]
KEYS += ["'ab'[{i} % 2]", "({i}, 0)", "names[{i}]", "str({i} % 2)"]
VALUES = ["x[{i}]", "x[{i}] ** 2", "np.sin(h)", "h * y", "np.sum(h)", "x * y", "0.5"]
ROUNDS = [
    "d[{k}] = {v}",
    "d[{k}] = d.get({k}, 0.0) + {v}",
    "k = {k}\nd[k] = d.get(k, 1.0) * {v}",
    "d.setdefault({k}, []).append({v})",
    "d.setdefault({k}, {v})",
    "if {k} not in d:\n    d[{k}] = 0.0\nd[{k}] += {v}",
    "if {k} in d:\n    h = h + d[{k}]\nelse:\n    d[{k}] = {v}",
    "d.update({{k}: {v}})",
    "d.update([({k}, {v})])",
    "d |= {{k}: {v}}",
    "h = h + d.pop({k}, {v})\nd[{k}] = {w}",
    "items.append({v})\nd[{k}] = items[{i} // 2]",
    "items.insert({i} % 2, {v})\nd[{k}] = items[-1]",
    "items.append({v})\nh = h + items.pop({i} % len(items))",
    "v, h = {v}, h * 0.5\nd[{k}] = v",
    "c = 'a' if x[{i}] > 0.9 else 'b'\nd[c] = d[c] * 0.5 + {v}",
    "d['a' if x[{i}] > 0.9 else 'b'] += {v}",
    "c = 'a'\nif h > 2.0:\n    c = 'c'\nd[c] = np.tanh(d[c]) + {v}",
]
MADE = [
    "d = {{k}: {v} for {i} in range(3)}",
    "d = dict(({k}, {v}) for {i} in range(3))",
    "d = dict([({k}, {v}) for {i} in range(2)])",
    "d = dict(zip(names, x))",
    "d = dict(enumerate([x[0], y]))",
    "d = dict.fromkeys(names, 0.5)",
    "d = {}",
    "d = {}\nd.update(({k}, {v}) for {i} in range(3))",
]
AFTER = [
    "d.update((k, v * 0.5) for k, v in d.items())",
    "e = dict(d)\nd = {k: e[k] for k in e}",
    "d = {k: v for k, v in sorted(d.items(), key=lambda p: str(p[0]))}",
    "last = d.pop(list(d)[-1], 0.0)\nh = h + np.sum(last)",
    "e = {**d, 'more': y}\nd = e",
    "del d[list(d)[0]]",
]
READ = [
    "total = sum(np.sum(v) for v in d.values())",
    "total = 0.0\nfor k, v in d.items():\n    total = total * 0.5 + np.sum(v)",
    "total = 1.0\nfor k in d:\n    total = total * 0.5 + np.sum(np.sin(d[k])) * len(d)",
    "total = 0.0\nfor j, k in enumerate(list(d)):\n    total += (j + 1) * np.sum(d[k])",
    "total = sum(np.sum(d.get(k, 0.0)) for k in (0, 1, 'k1', 'a'))",
    "total = sum(np.sum(v) * (j + 1) for j, v in enumerate(reversed(list(d.values()))))",
]


def program(rng: Random, seed: int) -> Imperative:
    """A dictionary that is made, filled in rounds, changed, and read."""

    def written(text: str) -> list[str]:
        key, value, other = rng.choice(KEYS), rng.choice(VALUES), rng.choice(VALUES)
        text = text.replace("{{k}:", "{ {k}:").replace("{k}", key)
        text = text.replace("{v}", value).replace("{w}", other)
        return (
            text.replace("{{i}}", "{" + index + "}").replace("{i}", index).split("\n")
        )

    index = rng.choice("ijt")
    lines = ["h = np.sum(x)", "y = x * 0.5", "items = [x[0], x[1]]"]
    lines += ["names = ['a', 'b', 'c']", *written(rng.choice(MADE))]
    if rng.random() < 0.8:
        lines.append(rng.choice([f"for {index} in range(3):"] * 3 + [IN_TURN]))
        lines[-1] = lines[-1].replace("{i}", index)
        for _ in range(rng.choice((1, 1, 2))):
            lines += [f"    {line}" for line in written(rng.choice(ROUNDS))]
    if rng.random() < 0.4:
        lines += rng.choice(AFTER).splitlines()
    lines += rng.choice(READ).splitlines()
    lines.append(f"return total{rng.choice(['', ' + np.sum(h * y)', ' * items[0]'])}")
    params = (Parameter("x", ("n",)),)
    return Imperative(params, tuple(lines), seed, "program", SIZES)


IN_TURN = "for {i} in (2, 0, 1):"


def fitting(seed: int) -> Imperative:
    """The program of this seed: one that runs with finite results."""
    rng = Random(f"tables {seed}")
    while True:
        try:
            found = program(rng, seed)
            if is_fit(found):
                return found
        except (SyntaxError, ValueError, IndexError, KeyError, TypeError):
            continue  # no program: another draw follows


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed, with all facts and with none."""
    found = fitting(seed)
    truth = Truth(found)
    for level in ("full", "none"):
        case = case_of(found, level)
        case = Case(found, case.shapes, case.wrt, level=level)
        yield case, examine(case, engine, truth, companions=seed % 4 == 0)
