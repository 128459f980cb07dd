"""Arrays that change in place while containers hold them, in loops.

A loop changes an array by one of many forms and puts it, a view of it, a copy or
another name of it into a container, in any order; what the container holds at the
end is read. Two names of one object must never come apart: most of such programs
are refused, and those with copies and with new arrays must not be.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.fuzz.case import Case, Truth, case_of
from tests.fuzz.imperative import Imperative, is_fit
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.program import Parameter

PROGRAMS = 24
REFUSED_AT_MOST = 0.8  # an array that changes while a list holds it is refused
SIZES = ({"n": 4, "m": 3}, {"n": 5, "m": 4})
HELPERS = """def step(u, w):
    u[:] = 0.5 * u + w
    return u


def moved(u, w):
    u += 0.3 * w


def kept(items, u):
    items.append(u)"""
CHANGES = [
    "v += 0.5 * x",
    "v -= 0.3 * y",
    "v *= 0.9",
    "v[:] = 0.5 * v + x",
    "v[...] = v * y",
    "v[0] += x[1]",
    "v[{i} % 2] = x[0] * y[1]",
    "v[1:] *= 0.7",
    "np.multiply(v, 0.8, out=v)",
    "np.add(v, x, v)",
    "np.copyto(v, 0.4 * v + y)",
    "v.fill(x[1])",
    "np.add.at(v, [0, 0], x[:2])",
    "step(v, x)",
    "moved(v, y)",
    "u = v\nu += 0.2 * x",
    "u = v[1:]\nu *= x[0]",
    "u = v.reshape(-1)\nu[0] = y[0]",
    "step(w, v)",
    "w += 0.2 * v",
    "v, w = w, v",
    "w = v",
    "for j in range(2):\n    v += 0.1 * j * x",
    "if {i} % 2 == 0:\n    v += x",
    "if {i} > 0:\n    v[0] = y[1]\nelse:\n    w *= 0.5",
]
REBOUND = ["v = 0.5 * v + x", "v = np.zeros_like(x)", "v = v.copy()", "v = w + 0"]
SAFE = ["v.copy()", "v + 0", "np.array(v)", "v * y", "1 * v", "np.copy(v)"]
HELD = [
    *["v"] * 8,
    "u",
    "w",
    "v[:]",
    "v[::-1]",
    "v.T",
    "v.reshape(-1)",
    "np.asarray(v)",
    "np.ravel(v)",
    "step(v, x)",
    "out[-1]",
]
LISTS = [
    "out = []",
    "out = [x]",
    "out = [x, y]",
    "out = [v]",
    "out = [None] * 3",
    "out = [0.5 * x for k in range(2)]",
    "n = len(x)\nout = [x for k in range(n)]",
]
PUT = [
    *["out.append({e})"] * 5,
    "out += [{e}]",
    "out.extend([{e}])",
    "out = out + [{e}]",
    "out = [{e}] + out",
    "kept(out, {e})",
    "other = out\nother.append({e})",
    "out.insert(0, {e})",
    "if {i} != 1:\n    out.append({e})",
    "out.append({e})\nout.append(w)",
    "out.append({e})\nmore.append(out[-1])",
    "more.append({e})\nout += more",
    "row = [{e}]\nout.append(row[0])",
    "out, more = more, out\nout.append({e})",
    "for j in range(2):\n    out.append({e})",
    "one = {e}\nout.append(one)",
    "out.append({e} if {i} > 0 else w)",
]
ENTRY = ["out[{i} % 2] = {e}", "out[{i}] = {e}", "out[-1] = {e}", "out[0] = {e}"]
THROUGH = [
    "out[0] += x",
    "out[-1] *= 0.5",
    "out[-1][0] = x[1]",
    "out[-1][:] = 0.5 * x",
    "o = out[-1]\no += 0.3 * y",
    "o = out[0]\no[0] = x[0]",
    "for o in out:\n    o *= 0.8",
    "moved(out[-1], y)",
    "np.add(out[0], y, out=out[0])",
    *[
        f"k = int(x[0] > y[0])\n{change}"
        for change in (
            "out[k][0] = x[1]",
            "out[k][:] = 0.5 * x",
            "out[k] *= 0.5",
            "o = out[k]\no += 0.3 * y",
            "moved((v, w)[k], y)",
            "np.add([v, w][k], y, out=[v, w][k])",
            "o = (v, w)[k]\no[0] = x[0]",
            "[v, w][k].sort()",
        )
    ],
    "out.pop()\nout.append(w)",
    "out.reverse()",
    "out = out[:]",
    "more = out",
]
READ = [
    "sum(np.sum(o * y) for o in out)",
    "sum((k + 1) * np.sum(o) for k, o in enumerate(out))",
    "np.sum(np.array(out) * x)",
    "np.sum(np.stack(out)[0] * y)",
    "np.sum(out[0] * y) + np.sum(out[-1])",
    "sum([np.sum(out[k]) * (k + 1) for k in range(len(out))])",
    "np.sum(np.sin(out[-1])) + len(out) * np.sum(out[0])",
    "np.sum(np.vstack(out) * y)",
]
# other things that hold an array: how each starts, is put into, and is read
HOLDERS = [
    ('out = {"a": x, "b": y}', 'out["a"] = {e}', 'np.sum(out["a"] * y)'),
    (
        'out = {"a": x, "b": y}',
        'out["b"] = out["a"]\nout["a"] = {e}',
        'np.sum(out["a"]) + np.sum(out["b"] * y)',
    ),
    ("out = (x, y)", "out = ({e}, out[0])", "np.sum(out[0] * out[1])"),
    ("out = [x, y]", "out[1] = out[0]\nout[0] = {e}", "np.sum(out[0] * out[1])"),
    ("a = x\nout = y", "a, out = out, {e}", "np.sum(a * y) + np.sum(out)"),
    ("out = x", "total += np.sum(out * y)\nout = {e}", "np.sum(out)"),
    (
        "out = []",
        "out.append(({e}, 1.0))",
        "sum(np.sum(o * y) * c for o, c in out)",
    ),
    ("out = []", "out.append([{e}])", "sum(np.sum(o[0] * y) for o in out)"),
    ("out = []\nrow = []", "row.append({e})\nout.append(row)", "np.sum(out[0][-1])"),
    (
        "out = []\nrow = []",
        "row.append({e})\nout.append(row)",
        "sum(len(o) * np.sum(o[0]) for o in out)",
    ),
    ('d = {"h": []}\nout = d["h"]', 'd["h"].append({e})', "np.sum(np.array(out) * y)"),
    ("out = x", "out = {e}\nread = lambda: np.sum(out * y)", "read()"),
    (
        "more = (0.5 * v * k for k in range(3))\nout = v",
        "out = {e}",
        "np.sum(out) + sum(np.sum(o) for o in more)",
    ),
    ("out = x", "out = np.maximum(out, {e})", "np.sum(out * y)"),
]
STARTS = ["v = np.zeros_like(x)", "v = x.copy()", "v = 0.5 * y", "v = x + y", "v = x"]


def program(rng: Random, seed: int) -> Imperative:
    """A loop that changes and holds an array."""
    index = rng.choice(["i", "k", "t"])
    safe = rng.random() < 0.5
    held = rng.choice(SAFE if safe or rng.random() < 0.1 else HELD)
    rebound = rng.random() < 0.4
    before, put, read = _held_by(rng)
    changes = REBOUND if rebound else CHANGES
    body = [rng.choice(changes) for _ in range(rng.choice([1, 1, 2]))]
    body.insert(rng.randrange(len(body) + 1), put.replace("{e}", held))
    if rng.random() < 0.2 and "out = []" in before:
        body.append(rng.choice(THROUGH))
    lines = [rng.choice(STARTS), "w = 0.3 * y", "u = v", "more = []", "total = 0.0"]
    lines += [before, *_loop(rng, index, body)]
    if rng.random() < 0.2:
        lines.append(rng.choice(CHANGES[:6]))
    lines.append(f"result = {read}")
    lines.append(f"return result + total{rng.choice(['', ' + np.sum(v * x)'])}")
    text = "\n".join(lines).replace("{i}", index)
    params = (Parameter("x", ("n",)), Parameter("y", ("n",)))
    return Imperative(params, tuple(text.splitlines()), seed, "program", SIZES, HELPERS)


def _held_by(rng: Random) -> tuple[str, str, str]:
    """How a container starts, is put into, and is read."""
    if rng.random() < 0.35:
        return rng.choice(HOLDERS)
    before, put = rng.choice(LISTS), rng.choice(PUT)
    if "None" in before or rng.random() < 0.15:
        put = rng.choice(ENTRY)
    return before, put, rng.choice(READ)


def _loop(rng: Random, index: str, body: list[str]) -> list[str]:
    inner = [f"    {line}" for part in body for line in part.splitlines()]
    head = rng.choice(
        [*["for {i} in range(3):"] * 5, "for {i} in range(len(x)):"]
        + ["for {i}, a in enumerate(x):", "for {i} in (0, 1, 2):", "while"]
    )
    if head == "while":
        return [f"{index} = 0", f"while {index} < 3:", *inner, f"    {index} += 1"]
    return [head, *inner]


def fitting(seed: int) -> Imperative:
    """The program of this seed: one that runs with finite results."""
    rng = Random(f"lists {seed}")
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
        case = Case(found, case.shapes, case.wrt, level=level, narrow=True)
        yield case, examine(case, engine, truth, companions=seed % 4 == 0)
