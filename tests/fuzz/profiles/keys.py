"""Dictionaries of which nothing tells: p.get("k", 1.0), "k" in p, p["k"], options={}.

The text is emitted with nothing told and called with dictionaries that lack some of the
keys. The gradient has an entry for each key that is read and given, and the text
raises where the function does.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.called import Called, called
from tests.fuzz.case import tolerance
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.profiles.assumed import RAISED
from tests.fuzz.program import imported

PROGRAMS = 14
REFUSED_AT_MOST = 0.2
HEADS = ("x, p", "x, p={}", "x, *, p", "x, u, p", "x, u, p={}", "x, p, u=1.0")
LINES = (
    "x = x * p.get('a', 1.5)",
    "a = p.get('a', 1.5)\nx = np.sin(x) * a + a ** 2",
    "x = x * p['b']",
    "b = p['b']\nx = x + b * np.cos(x)",
    "if 'c' in p:\n    x = x * p['c']",
    "if 'c' not in p:\n    x = x * 2\nelse:\n    x = x + p['c'] ** 2",
    "x = x * (p['c'] if 'c' in p else 0.5)",
    "d = p.get('d')\nif d is not None:\n    x = x + d * x ** 2",
    "d = p.get('d')\nx = x if d is None else x * d",
    "for _ in range(p.get('n', 2)):\n    x = np.tanh(x)",
    "if p.get('kind', 'relu') == 'relu':\n    x = np.maximum(x, 0.1)",
    "if p.get('fast', False):\n    x = x * 3",
    "x = x * p['in'].get('e', 0.7)",
    "inner = p['in']\nx = x + inner.get('e', 0.7) * inner.get('g', 2.0)",
    "x = _scaled(x, p)",
    "x = _shifted(x, **p['in'])",
    "z = [np.zeros(3), np.zeros(3)]\nz[0][0] = x[0] * p.get('a', 1.5)\nx = x + z[0]",
    "a, h = p.get('a', 1.5), p.get('h', 0.3)\nx = a * x ** 2 + h",
)
ENDS = (
    "return np.sum(x ** 2)",
    "return np.sum(x) * p.get('h', 0.3)",
    "return x[0] * p['b'] + x[1]",
    "return np.sum(np.sin(x))",
)
HELPERS = """def _scaled(x, options):
    return x * options.get('s', 1.2) + options.get('h', 0.3)

def _shifted(x, e=0.7, g=2.0):
    return x * e + g
"""
GIVEN = {
    "a": (0.8, 1.3),
    "b": (0.6, 1.4),
    "c": (0.5, 0.9),
    "d": (0.4, 1.1),
    "n": (1, 3),
    "kind": ("relu", "none"),
    "fast": (True, False),
    "h": (0.2, 0.7),
    "s": (0.9, 1.6),
    "other": (2.0, 3.0),
}
INNER = {"e": (0.5, 1.2), "g": (0.3, 1.7)}
X = np.array([0.4, 0.9, 1.3])


def program(seed: int) -> str:
    rng = Random(f"keys {seed}")
    head = rng.choice(HEADS)
    lines = [*rng.sample(LINES, rng.randint(1, 4)), rng.choice(ENDS)]
    if " u" in head:
        lines.insert(rng.randrange(len(lines)), "x = x * u")
    body = "\n".join(lines).replace("\n", "\n    ")
    return f"import numpy as np\n\n{HELPERS}\ndef f({head}):\n    {body}\n"


def _given(rng: Random) -> dict:
    keys = [key for key in GIVEN if rng.random() < 0.6]
    found = {key: rng.choice(GIVEN[key]) for key in keys}
    if rng.random() < 0.9:
        found["in"] = {k: rng.choice(v) for k, v in INNER.items() if rng.random() < 0.6}
    return dict(rng.sample(list(found.items()), len(found)))


def verdicts(seed: int, engine) -> Iterator[tuple[Called, Verdict]]:
    text = program(seed)
    function = imported(text, "f")
    rng = Random(f"keys call {seed}")
    has_u = " u" in text[text.index("def f(") :].partition(")")[0]
    names = ("x", "u", "p") if has_u else ("x", "p")
    for wrt in (("p",), tuple(rng.sample(names, 2)), ("x",)):
        calls = [_given(rng) for _ in range(4)]
        yield called(text, seed, wrt), verdict(function, wrt, calls, engine, has_u)
        found = along_tangents(function, wrt, calls[:2], engine, has_u)
        yield called(text, seed, wrt), found


def _emitted(engine, function, **asked) -> tuple[Verdict, dict]:
    """What is asked for, and the names of the text; none where there is no text."""
    found, space = Verdict(), {}
    try:
        found.text = engine.emit(function, **asked)
    except GradgenError as refusal:
        found.refusal = str(refusal)
    except Exception:
        found.faults.append(broken_off())
    else:
        exec(compile(found.text, "<gradgen keys>", "exec"), space)
    return found, space


def verdict(function, wrt, calls, engine, has_u: bool) -> Verdict:
    found, space = _emitted(engine, function, wrt=wrt)
    for p in calls if space else ():
        held = {"x": X, "p": p} | ({"u": 1.2} if has_u else {})
        found.faults += faults_of(function, space["grad_f"], held, wrt)
    return found


def along_tangents(function, wrt, calls, engine, has_u: bool) -> Verdict:
    """What is wrong in forward mode, along tangents that have the keys given."""
    found, space = _emitted(engine, function, wrt=wrt, mode="forward")
    for p in calls if space else ():
        held = {"x": X, "p": p} | ({"u": 1.2} if has_u else {})
        try:
            function(**held)
        except Exception:
            continue
        tangents = {f"d_{name}": _tangent(held[name]) for name in wrt}
        want = numeric_gradient(
            lambda t: function(**_moved(held, tangents, t)), [np.array(0.0)], 0
        )
        if np.any(want.error > tolerance(want.value)):
            continue
        try:
            got = space["jvp_f"](**held, **tangents)[1]
        except Exception as error:
            if not any(words in str(error) for words in RAISED):
                found.faults.append(broken_off())
            continue
        if not np.all(np.abs(got - want.value) <= 4 * tolerance(want.value)):
            found.faults.append(Fault("value", f"{got}, not {want.value}: {held}"))
    return found


def _tangent(value):
    if isinstance(value, dict):
        found = {key: _tangent(one) for key, one in value.items()}
        return {key: one for key, one in found.items() if one is not None}
    if isinstance(value, np.ndarray):
        return np.cos(np.arange(value.size)).reshape(value.shape)
    return 0.7 if isinstance(value, float) else None


def _moved(held: dict, tangents: dict, t) -> dict:
    def moved(value, tangent):
        if isinstance(value, dict):
            return {k: moved(one, tangent.get(k)) for k, one in value.items()}
        return value if tangent is None else value + float(t) * tangent

    ways = {name: tangents.get(f"d_{name}") for name in held}
    return {n: v if ways[n] is None else moved(v, ways[n]) for n, v in held.items()}


def faults_of(function, gradient, held: dict, wrt) -> Iterator[Fault]:
    try:
        function(**held)
    except Exception as error:
        try:
            gradient(**held, d_out=1.0)
        except type(error):
            return
        except Exception as other:
            yield Fault("raises", f"{other!r}, not {error!r}: {held}")
            return
        if "p" in wrt or "b" in str(error):
            yield Fault("raises", f"nothing, not {error!r}: {held}")
        return
    try:
        got = gradient(**held, d_out=1.0)
    except Exception as error:
        if not any(words in str(error) for words in RAISED):
            yield broken_off()
        return
    several = got if len(wrt) > 1 else (got,)
    if not isinstance(several, tuple) or len(several) != len(wrt):
        yield Fault("results", f"{got!r} for {wrt}")
        return
    got = dict(zip(wrt, several, strict=True))
    for name in wrt:
        yield from _compared(function, held, (name,), held[name], got[name])


def _compared(function, held, path, value, got) -> Iterator[Fault]:
    if isinstance(value, dict):
        got = {} if got is None and len(path) > 1 else got
        if not isinstance(got, dict) or got.keys() - value.keys():
            yield Fault("keys", f"{got!r} of {value!r}")
            return
        for key, one in value.items():
            yield from _compared(function, held, (*path, key), one, got.get(key))
        return
    if not isinstance(value, (float, np.ndarray)):
        if got is not None and np.any(got):
            yield Fault("value", f"{path}: {got!r} of {value!r}")
        return

    def along(moved):
        return function(**_put(held, path, moved))

    at = np.asarray(value, float)
    want = numeric_gradient(along, [at], 0)
    if np.any(want.error > tolerance(want.value)):
        return
    entry = np.zeros(at.shape) if got is None else np.asarray(got)
    near = np.abs(entry - want.value) <= 4 * tolerance(want.value)
    if entry.shape != at.shape or not np.all(near):
        yield Fault("value", f"{path}: {got!r}, not {want.value!r}, at {held}")


def _put(held: dict, path, value) -> dict:
    key, *rest = path
    return {**held, key: _put(held[key], rest, value) if rest else value}
