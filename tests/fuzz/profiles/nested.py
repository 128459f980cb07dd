"""Derivatives of derivatives, of functions as they are called: options, *args, **kwargs.

`grad(grad(f))`, `jvp(grad(f))`, `jacobian(grad(f))` and `hvp(f)`, called in turn with other
options and other numbers of arguments, and derivatives that a function takes inside. The
functions stand in a module, in a function whose arrays they read, or in a class. The
second derivative is held against differences of a first one by differences, the third
against differences of the second.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from textwrap import indent

import numpy as np

from gradgen.errors import GradgenError
from tests.fuzz.called import Called, called
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.program import imported

PROGRAMS = 10
REFUSED_AT_MOST = 0.1
HEADS = {  # the parameters behind x, what a body may read of them, and calls
    "mode, k=2.0": (("mode == 'a'", "mode in ('b', 'c')"), ("k",), ["'a'", "'b', 3.0"]),
    "op": (
        ("op[0] == 1", "isinstance(op, tuple) and len(op) > 2", "op[0] > 1"),
        ("op[1]", "op[-1]", "sum(op)"),
        ["(1, 2.0)", "(2, 3.0)", "(3, 0.5, 2.5)"],
    ),
    "cfg": (
        ("cfg['on']", "'b' in cfg", "cfg.get('n', 1) > 1"),
        ("cfg['w']", "cfg.get('b', 0.5)", "len(cfg)"),
        ["{'w': 2.0, 'on': True}", "{'w': 3.0, 'on': False, 'n': 2, 'b': 1.5}"],
    ),
    "*rest": (
        ("len(rest) > 1", "'sq' in rest[:0]", "rest[0] > 1"),
        ("rest[0]", "sum(rest)", "rest[-1]", "len(rest)"),
        ["2.0", "0.5, 3.0", "1.5, w, 2.0"],
    ),
    "n, *rest": (
        ("n > 1", "rest", "len(rest) == 2"),
        ("n", "len(rest) + 1", "sum(rest) + 1.0"),
        ["1", "2, 3.0", "3, w, 2.0"],
    ),
    "*rest, n=2": (
        ("n > 2", "len(rest) > 1"),
        ("n", "sum(rest)", "len(rest)"),
        ["1.5", "w, 0.5, n=3", "2.0, n=1"],
    ),
    "k=1.5, **more": (
        ("'p' in more", "more.get('q', 1) > 1", "len(more) > 1"),
        ("k", "more.get('p', 0.5)", "sum(more.values()) + k"),
        ["2.0", "k=0.5, p=2.0", "3.0, p=1.5, q=2"],
    ),
    "*, scale=2.0, power=3": (
        ("power > 2", "scale > 1"),
        ("scale", "power", "scale * power"),
        ["", "scale=0.5", "power=2, scale=w"],
    ),
}
ARMS = (
    "x = x * {a}",
    "x = x ** 2",
    "return np.sum(x ** 3 * {a})",
    "x = np.sin(x) + {a}",
)
ENDS = ("np.sum(x ** 3 * {a})", "np.sum(np.exp(0.3 * x)) * {a} + np.sum(x ** 2 * {b})")
FORMS = {  # where the function stands, what its body may ask and read there
    "a module": ("{f}", (), ()),
    "a function": (
        """def around(mask, lack, k1):
{deeper}
    return f


f = around(np.array([1.0, 0.5]), None, 1.5)
""",
        ("mask is not None", "lack is None", "mask is None"),
        ("mask", "np.sum(mask)", "k1", "mask * k1"),
    ),
    "a class": (
        """class Net:
    def __init__(self):
        self.mask, self.lack, self.k1 = np.array([1.0, 0.5]), None, 1.5

{deeper}


NET = Net()
f = NET.f
""",
        ("self.mask is not None", "self.lack is None", "self.lack is not None"),
        ("self.mask", "np.sum(self.mask)", "self.k1"),
    ),
}
X, W, V = np.array([0.5, 1.5]), np.array([2.0, -0.7]), np.array([0.8, -1.2])


def program(seed: int) -> tuple[str, list[str]]:
    rng = Random(f"nested {seed}")
    head = rng.choice(list(HEADS))
    tests, reads, calls = HEADS[head]
    place = rng.choice(list(FORMS))
    form, more, held = FORMS[place]
    tests, reads = (*tests, *more), (*reads, *held)

    def filled(text: str) -> str:
        return text.format(a=rng.choice(reads), b=rng.choice(reads))

    lines = [f"if {rng.choice(tests)}:", f"    {filled(rng.choice(ARMS))}"]
    if rng.random() < 0.4:
        lines += [f"elif {rng.choice(tests)}:", f"    {filled(rng.choice(ARMS))}"]
    lines.append(f"return {filled(rng.choice(ENDS))}")
    body = "\n    ".join(lines)
    own = "self, " if place == "a class" else ""
    f = f"def f({own}x, {head}):\n    {body}"
    text = "import numpy as np\nimport gradgen\n\n\n"
    text += form.format(f=f, deeper=indent(f, "    ")) + "\n"
    for i, call in enumerate(calls):
        text += f"\n\ndef inner_{i}(x, w):\n"
        of = "NET.f" if own else "f"
        text += f"    return np.sum(gradgen.grad({of})(x, {call}) * w)\n"
    return text, calls


def verdicts(seed: int, engine) -> Iterator[tuple[Called, Verdict]]:
    text, calls = program(seed)
    space = imported(text, "f").__globals__
    yield called(text, seed, "x"), verdict(space, calls, engine)


def verdict(space, calls: list[str], engine) -> Verdict:
    found, f = Verdict(), space["f"]
    made = {
        "grad of grad": engine.grad(engine.grad(f)),
        "jvp of grad": engine.jvp(engine.grad(f)),
        "jacobian of grad": engine.jacobian(engine.grad(f)),
        "hvp": engine.hvp(f),
    }
    known = {"f": f, "x": X, "w": W, "v": V}
    plain = engine.grad(f)  # which tests for its signatures itself, from the second on
    for call in (*calls, *calls, *calls[::-1]):
        _plain(plain, f, call, known, found)
    for i, call in enumerate(calls):
        try:
            want = _second(f, call)
        except Exception:
            continue  # the function does not take it
        words = f", {call}" if "=" in call or not call else f", {call},"
        places = words if "=" not in call else None
        asked = {"grad of grad": f"g(x{words.rstrip(',')}, seed=v)"}
        asked["jacobian of grad"] = f"g(x{words.rstrip(',')}) @ v"
        if places is not None:
            asked["jvp of grad"] = f"g(x{words.rstrip(',')}, v)[1]"
            asked["hvp"] = f"g(x{words.rstrip(',')}, v)"
        for name, line in asked.items():
            try:
                got = eval(line.replace(", ,", ","), known | {"g": made[name]})
            except GradgenError as refusal:
                found.refusal = str(refusal)
                continue
            except Exception:
                found.faults.append(broken_off())
                continue
            if not np.allclose(got, want, rtol=1e-4, atol=1e-5):
                fault = f"{name} of f(x, {call}): {got}, and not {want}"
                found.faults.append(Fault("wrong", fault))
        _third(made["grad of grad"], f"g(x{words.rstrip(',')})", known, found, engine)
        _inside(space[f"inner_{i}"], found, engine, call)
    return found


def _plain(gradient, f, call: str, known, found: Verdict) -> None:
    """The gradient itself, as calls of several forms take turns."""
    try:
        want = _slope(f, call, X)
    except Exception:
        return  # the function does not take it
    try:
        got = eval(f"g(x, {call})", known | {"g": gradient})
    except GradgenError as refusal:
        found.refusal = str(refusal)
    except Exception:
        found.faults.append(broken_off())
    else:
        if not np.allclose(got, want, rtol=1e-4, atol=1e-5):
            fault = f"the gradient of f(x, {call}): {got}, and not {want}"
            found.faults.append(Fault("wrong", fault))


def _third(second, line: str, known, found: Verdict, engine) -> None:
    """The derivative of the second derivative, against differences of that."""

    def at(x) -> float:
        return float(np.sum(eval(line, known | {"g": second, "x": x})))

    try:
        want = [(at(X + s) - at(X - s)) / 2e-5 for s in 1e-5 * np.eye(2)]
        got = eval(line, known | {"g": engine.grad(second)})
    except GradgenError as refusal:
        found.refusal = str(refusal)
    except Exception:
        found.faults.append(broken_off())
    else:
        if not np.allclose(got, want, rtol=1e-4, atol=1e-5):
            fault = f"the third derivative {line}: {got}, and not {want}"
            found.faults.append(Fault("wrong", fault))


def _inside(inner, found: Verdict, engine, call: str) -> None:
    """The value and the gradient of a function that takes the gradient inside."""
    try:
        want = inner(X, V)
        steps = [(inner(X + s, V), inner(X - s, V)) for s in 1e-5 * np.eye(2)]
        slope = [(above - below) / 2e-5 for above, below in steps]
        value, got = engine.value_and_grad(inner)(X, V)
    except GradgenError as refusal:
        found.refusal = str(refusal)
        return
    except Exception:
        found.faults.append(broken_off())
        return
    if not np.allclose(value, want) or not np.allclose(got, slope, atol=1e-5):
        fault = f"inside, f(x, {call}): {value, got}, and not {want, slope}"
        found.faults.append(Fault("wrong", fault))


def _slope(f, call: str, x) -> np.ndarray:
    """The gradient at x, by differences."""

    def at(x) -> float:
        return float(eval(f"f(x, {call})", {"f": f, "x": x, "w": W}))

    return np.array([(at(x + s) - at(x - s)) / 2e-4 for s in 1e-4 * np.eye(2)])


def _second(f, call: str) -> np.ndarray:
    """The second derivative along V, by differences of differences."""
    h = 1e-3
    once = (_slope(f, call, X + h * V) - _slope(f, call, X - h * V)) / (2 * h)
    twice = (_slope(f, call, X + 2 * h * V) - _slope(f, call, X - 2 * h * V)) / (4 * h)
    return (4 * once - twice) / 3
