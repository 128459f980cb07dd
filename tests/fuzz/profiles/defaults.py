"""Defaults of every kind: arrays, lists, dictionaries, records; left out, or handed over.

A default that is used is what the function holds, and one that is overridden is an
argument like any other, in which there is a gradient. Besides: *rest and **more of
which none, one or two are given.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import tolerance
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.called import Called, called
from tests.fuzz.program import imported

PROGRAMS = 14
REFUSED_AT_MOST = 0.02
HEAD = """import dataclasses
import types
import typing
import numpy as np

@dataclasses.dataclass
class Cfg:
    w: object
    k: float = 2.0

class Pair(typing.NamedTuple):
    w: object
    k: float = 2.0

class Plain:
    def __init__(self, w, k=2.0):
        self.w, self.k = w, k
"""
ARRAYS = "np.linspace(0.5, 1, 3)", "np.array([0.4, 1.0, 2.0])", "np.full(3, 0.7)"
ARRAYS += (
    "np.arange(3.0) / 7 + W",
    "np.ones(3, np.float32)",
    "W",
    "np.eye(3)[1] + 0.5",
)
LONG = "np.sin(np.arange(400.0))", "np.linspace(0, 1, 200) ** 2 + W[0]"
# defaults, and what is written with them; those that may have a gradient
GROUPS = {
    "arrays": (
        ARRAYS,
        "K * x; np.dot(K, x) * x; x ** 2 + np.sum(K); K[0] * x / K",
        "K",
    ),
    "long": (LONG, "np.sum(K) * x; x * K[:3]; np.interp(x, np.sort(K), K) * x", "K"),
    "matrices": (("np.eye(3)", "np.outer(W, W)"), "K @ x * x; x * K[1] + K[:, 0]", "K"),
    "whole": (("np.arange(3)", "np.array([2, 0])"), "x[K] * 2; np.sum(x[K]) * x", ""),
    "masks": (("np.array([True, False, True])",), "np.where(K, x ** 2, x); x[K]", ""),
    "lists": (
        ("[W, 2 * W]", "(np.ones(3), W)", "[np.full(3, 0.3)]"),
        "sum([k * x for k in K]); K[0] * x * len(K); x * K[-1] + K[0]",
        "K",
    ),
    "rows": (("[0.5, 2.0]", "(0, 1)", "[]", "()"), "sum([k * x for k in K]) + x", ""),
    "pairs": (("(0.2, 1.4)", "[0.1, 0.9]"), "np.clip(x, K[0], K[1]) * x", ""),
    "dicts": (
        ("{'a': W, 'b': 2.0}", "dict(a=np.ones(3), b=0.5)", "{'a': 0.5, 'b': 2.0}"),
        "K['a'] * x + K['b']; sum([v * x for v in K.values()]); K.get('a') * x ** 2",
        "K",
    ),
    "empty": (("{}", "dict()"), "K.get('a', 1.5) * x; x if not K else x * 2", ""),
    "records": (
        ("Cfg(W)", "Pair(W)", "Plain(W)", "types.SimpleNamespace(w=W, k=2.0)")
        + ("Cfg(np.ones(3), 0.5)", "Pair(0.5, 2.0)", "Cfg(0.3)"),
        "K.w * x * K.k; np.sum(K.w * x) ** 2 * x; x ** 2 * K.k; K.k * x",
        "K.w",
    ),
    "nests": (
        ("[Cfg(W), Cfg(2 * W)]", "(Plain(W), Plain(0.5 * W, 1.0))"),
        "sum([c.w * x * c.k for c in K]); K[0].w * x + K[1].k",
        "K[0].w",
    ),
    "numbers": (
        ("np.array(2.0)", "np.float32(0.5)", "np.float64(2)"),
        "K * x ** 2",
        "",
    ),
}
HEADS = "x, K={v}", "x, *, K={v}", "x, c=1.0, K={v}", "x, K={v}, c=1.0", "x, /, K={v}"
STARS = {
    "x, *r": """x * 2 if r else x ** 2; x * len(r) + x; sum([a * x for a in r]) + x
x * r[0] if len(r) > 0 else x ** 2; sum(r) * x + x; x * (1 if not r else 3)
sum(np.sum(a) for a in r) * x + x ** 2; x if len(r) == 0 else x * r[-1]""",
    "x, **m": """x * 2 if m else x ** 2; x * len(m) + x; sum(m.values()) * x + x
x * m.get('a', 1.5); x * m['a'] if 'a' in m else x; sum([v * x for v in m.values()])
sum([v * x for k, v in m.items()]) + x; x * m.pop('a', 0.5)""",
    "x, *r, **m": """x * len(r) + x * len(m) + x ** 2; sum(r) * x + sum(m.values()) * x
x ** 2 if not r and not m else x * 2; x * (len(r) or 1) * m.get('a', 2.0)""",
}


def program(seed: int) -> tuple[str, str]:
    """A module, and the path of what may have a gradient in its default."""
    rng = Random(f"defaults {seed}")
    if rng.random() < 0.3:
        head = rng.choice(list(STARS))
        use, inside = _one(rng, STARS[head]), ""
        lines = [f"def f({head}):", f"    return np.sin({use})"]
    else:
        values, uses, inside = GROUPS[rng.choice(list(GROUPS))]
        head = rng.choice(HEADS).format(v=rng.choice(values))
        more = " * c" if "c=" in head else ""
        lines = [f"def f({head}):", f"    y = {_one(rng, uses)}"]
        lines.append(f"    return {rng.choice(('np.sum(y)', 'y', 'y ** 2'))}{more}")
    return HEAD + "W = np.array([0.3, 0.6, 1.2])\n" + "\n".join(lines), inside


def _one(rng: Random, uses: str) -> str:
    return rng.choice([one.strip() for one in uses.replace("\n", ";").split(";")])


def verdicts(seed: int, engine) -> Iterator[tuple[Called, Verdict]]:
    text, inside = program(seed)
    function = imported(text, "f")
    for level, args, kwargs in calls(function, Random(f"defaults call {seed}")):
        yield (
            called(text, seed, "x"),
            verdict(function, "x", args, kwargs, engine, text),
        )
        if inside == "K" and level == "given" and _is_array(kwargs["K"]):
            yield (
                called(text, seed, "K"),
                verdict(function, "K", args, kwargs, engine, text),
            )


def _is_array(value: object) -> bool:
    return isinstance(value, np.ndarray) and value.dtype == np.float64


def calls(function, rng: Random) -> Iterator[tuple[str, list, dict]]:
    """Calls with the default, and with another value of its kind."""
    x = np.array([0.4, 1.1, 1.7])
    flags = function.__code__.co_flags
    if flags & 12:
        rest = [2.0, np.array([0.5, 1.0, 2.0])][: rng.randint(1, 2)]
        more = dict(zip(rng.sample("abk", 2), (0.5, 1.5)))
        rest, more = rest if flags & 4 else [], more if flags & 8 else {}
        yield "none", [x], {}
        yield "given", [x, *rest], more
        return
    spec = function.__defaults__ or tuple((function.__kwdefaults__ or {}).values())
    known = [one for one in spec if type(one) is not float]
    yield "default", [x], {}
    if known and known[0] is not None:
        yield "given", [x], {"K": other(known[0])}


def other(value):
    """Another value like a default."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return value * 1.25 + np.asarray(0.1, value.dtype)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(other, value))
    if isinstance(value, (list, tuple)):
        return type(value)(map(other, value))
    if isinstance(value, dict):
        return {key: other(one) for key, one in value.items()}
    if type(value) is float:
        return value * 1.5
    if hasattr(value, "__dict__"):
        made = copy.copy(value)
        vars(made).update({key: other(one) for key, one in vars(value).items()})
        return made
    return value


def verdict(function, wrt: str, args, kwargs, engine, text: str) -> Verdict:
    found = Verdict(text=text)

    def along(moved):
        if wrt == "x":
            return function(moved, *args[1:], **kwargs)
        return function(*args, **{**kwargs, wrt: moved})

    at = args[0] if wrt == "x" else kwargs[wrt]
    try:
        value = np.asarray(function(*args, **kwargs))
    except Exception:
        return found
    seed = np.ones(value.shape) if value.shape else 1.0
    want = numeric_gradient(along, [at.astype(float)], 0, seed)
    if np.any(want.error > tolerance(want.value)):
        return Verdict(measured=False)
    try:
        made = engine.value_and_grad(function, wrt)
        for _ in range(3):
            got, gradient = made(*args, **kwargs)
    except GradgenError as refusal:
        found.refusal = str(refusal)
        return found
    except Exception:
        found.faults.append(broken_off())
        return found
    found.text += f"\n{made.source}"
    here = np.asarray(got)
    if here.dtype != value.dtype or here.tobytes() != value.tobytes():
        found.faults.append(Fault("primal value", f"{here!r}, not {value!r}"))
    if np.shape(gradient) != at.shape or gradient.dtype != at.dtype:
        found.faults.append(Fault("dtype", f"{gradient!r}"))
    elif not np.all(np.abs(gradient - want.value) <= 4 * tolerance(want.value)):
        found.faults.append(Fault("value", f"{gradient}, not {want.value}"))
    return found
