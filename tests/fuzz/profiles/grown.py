"""Texts with nothing told of loops whose states and lists become larger from round to round.

A number, an array or a list of them is multiplied with rows, added to, handed on and put
into lists, tuples and dictionaries; loops may have one round, or none. The arguments
stretch each other in every way. The text is right, or says what it takes them for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from tests.fuzz.case import Case, Truth
from tests.fuzz.judge import Verdict
from tests.fuzz.profiles.assumed import verdict_on
from tests.fuzz.program import FIRST_SIZES, Parameter, Program

PROGRAMS = 40
REFUSED_AT_MOST = 0.05
SHAPES = {
    "x": [("n",), ("n",), ("n", "m"), ("n", "1"), ("n", "m", "d")],
    "k": [(), ("1",), ("m",), ("m", "1"), ("1", "1"), ("d",)],
    "y": [(), ("1",), ("m",), ("1", "m"), ("d",)],
}
HEADS = """for v in x:; for i in range(len(x)):~    v = x[i]; for i in range(1, len(x)):~    v = x[i] - x[i - 1]
for v, w in zip(x, x[1:]):; for v in x[1:]:; for v in reversed(x):; for i, v in enumerate(x[::2]):
i = 0~while i < len(x):~    v = x[i]~    i += 1; for i in range(len(x) - 1):~    v = x[i] * k"""
STATES = "k; k * 0.5; 0.0; 0; 1.0; y; np.zeros_like(k); np.sum(k); 1"
OF_STATES = """s = s + v * k; s += v; s = s * 0.5 + v; s = np.maximum(s, v * k); s = v * k - s; s = np.tanh(s + v)
s = s - y * v; r = s~s = s + r * v; if np.sum(v) > 0: s = s + v; s = v; s = s + np.sum(v); if np.sum(v) > 0.9: continue"""
LISTS = "[k]; [k * 0.5]; [0.0]; [0.0, k]; [k, y]; [y, y * 2]; [1.0]; [k] * 2"
OF_LISTS = """q.append(q[-1] * v); q.append(q[-1] * v); q.append(v + q[-1]); q.append(v); q.append(v * k); q = q + [v]; q.append(s); q[0] = q[0] + v
q[-1] = q[-1] * v; q.insert(0, v); q.append(q[0] - v); q.append(q[-1] + q[0]); s = s + q[-1]; q = [u * 0.5 + v for u in q]"""
TUPLES = "(k, 0.0); (0.0, 1.0); (y, k); (k, k)"
OF_TUPLES = (
    "t = (t[1], t[0] * v + k); t = (v, t[0]); t = (t[0] + v, t[1] * 0.5); t = t[::-1]"
)
MAPS = "{'a': k, 'b': 0.0}; {'a': 1.0, 'b': k}; {'a': y, 'b': y}"
OF_MAPS = "d['a'] = d['a'] * v; d['b'] = d['a'] + v; d['a'] += v; d['a'], d['b'] = d['b'], d['a'] * v"
KINDS = {
    "s": (STATES, OF_STATES, "np.sum(s ** 2); np.mean(s * y); np.sum(s * k); np.mean((s - y) ** 2)"),
    "q": (LISTS, OF_LISTS, "np.sum(q[-1] ** 2); sum(np.sum(u) for u in q); np.sum(q[0] * k); np.mean(q[-1])"),
    "t": (TUPLES, OF_TUPLES, "np.sum(t[0] ** 2); np.sum(t[1] * k); np.mean(t[0] * y)"),
    "d": (MAPS, OF_MAPS, "np.sum(d['a']); np.sum(d['b'] ** 2); np.mean(d['a'] - y)"),
}  # fmt: skip


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = generate(seed)
    truth = Truth(program)
    names = tuple(param.name for param in program.params)
    rng = Random(f"wrt {seed}")
    for wrt in (names, (rng.choice(names),)):
        save = ("values", "state")[seed // 2 % 2]
        case = Case(program, {}, wrt, level="none", save=save)
        yield case, verdict_on(case, engine, truth)


def generate(seed: int) -> Program:
    """The first program of this seed that runs."""
    rng = Random(f"grown {seed}")
    while True:
        given = [Parameter(name, rng.choice(some)) for name, some in SHAPES.items()]
        sizes = FIRST_SIZES | {"n": rng.choice([0, 1, 2, 3, 3, 4])}
        program = Program(tuple(given), tuple(body(rng)), seed).without_unused()
        program = replace(program, sizes=(sizes, sizes))
        if program.params and program.fits():
            return program


def _one(rng: Random, text: str) -> list[str]:
    parts = [part.strip() for part in text.replace("\n", ";").split(";")]
    return rng.choice(parts).split("~")


def body(rng: Random) -> list[str]:
    """States, a loop over x that changes them, and a total of what they are then."""
    used = ["s", *rng.sample(["q", "q", "q", "t", "d"], rng.choice([0, 1, 1, 1]))]
    lines = [f"{name} = {_one(rng, KINDS[name][0])[0]}" for name in used]
    lines += _one(rng, HEADS)
    for _ in range(rng.choice([1, 2, 2, 3])):
        lines += [f"    {line}" for line in _one(rng, KINDS[rng.choice(used)][1])]
    ends = [_one(rng, KINDS[rng.choice(used)][2])[0] for _ in range(rng.choice([1, 2]))]
    return [*lines, f"return {' + '.join(ends)}"]
