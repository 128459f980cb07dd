"""A helper or a method that is called in several places: stages of a step, encoders, costs.

In a text such a function is one of its own, which gives a callback, where that is shorter.
It is called with arrays and numbers, with defaults and options, in loops, in arms and in
helpers that are called themselves; it loops, branches, stores into arrays of its own. Some
are handed a dictionary as well, which some store into.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random

import numpy as np

from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import Case, tolerance
from tests.fuzz.judge import Fault, Verdict, noted
from tests.fuzz.profiles.python import Written
from tests.fuzz.program import Parameter, imported

PROGRAMS = 1
RAISED = ("taken for", "expected")  # what a text says that assumes another rank
REFUSED_AT_MOST = 0.1
# what helpers compute of y, of w, of numbers a and of what stands before: u, v
STATEMENTS = (
    "u = np.tanh(u @ {M} + y)",
    "v = np.sin(u) * {a} + v",
    "v = v / (1.5 + y ** 2)",
    "u = u * np.exp(-v * v)",
    "u = np.where(v > 0.1, u, {a} * v)",
    "v = np.maximum(v, 0.3 * u)",
    "u = u - np.mean(u)",
    "v = v + np.sum(u * y) * 0.1",
    "v = np.sqrt(1.0 + u ** 2 + v ** 2)",
    "u = np.clip(u, -0.8, 0.9) + {a} * y",
    "for k in range({n}):\n    u = u + 0.2 * np.cos(k * v)",
    "if {a} > 0.5:\n    u = u * y\nelse:\n    u = u + v",
    "if np.sum(u) > 0.2:\n    v = v * 0.5\nelse:\n    v = np.cos(v)",
    "t = np.zeros_like(u)\nt[1:] = u[:-1] * v[1:]\nt[0] = u[0]\nu = t",
    "u = u.copy()\nu[0] += v[1] * y[2]\nu *= {a}",
    "parts = []\nfor k in range(3):\n    parts.append(u[k] * v[2 - k])\nu = np.array(parts)",
    "s, q, r = u\nv = np.array([q * r, r - s, s * q * 0.3])",
    "v = {M}.T @ v * 0.5",
    "u = np.cumsum(u * v) * 0.4",
    "u, v = v, u",
    "s = np.linalg.norm(u) + 0.5\nv = v / s",
)
ENDS = (
    "return u + v",
    "return u * v + y",
    "return np.array([u[0], v[1], y[2]])",
    "return v",
)
ARGUMENTS = (
    "y",
    "y + {h} * k{i}",
    "k{i}",
    "x * 0.5",
    "np.sin(y)",
    "y - 0.1 * k{i} * k{i}",
)
RETURNS = (
    "return np.sum({all})",
    "return np.sum(k1 * k2) + np.sum({all})",
    "return y + {h} * ({all})",
)
HEAD = "import numpy as np\n\nGAIN = 0.7\n\n\n"


def indented(text: str, depth: int) -> str:
    return "".join(f"{'    ' * depth}{line}\n" for line in text.split("\n"))


class Writer:
    """Writes one program, at random: functions, or methods of a class."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"stages {seed}")
        self.method = self.rng.random() < 0.5
        self.keys = self.rng.random() < 0.4

    def helper(self, depth: int) -> str:
        rng = self.rng
        words = {"M": "w", "a": "a", "n": "n"}
        if self.method:
            words = {
                "M": rng.choice(("self.w", "w")),
                "a": rng.choice(("a", "self.a", "GAIN")),
                "n": rng.choice(("n", "self.n")),
            }
        if self.keys:
            words["a"] = rng.choice(("a", 'p["c"]', 'p["c"] * p["e"]'))
        lines = ["u = y * a", "v = y + 0.3"]
        if self.keys and rng.random() < 0.15:
            lines.append('p["c"] = p["c"] * 0.5')
        lines += [
            s.format(**words) for s in rng.choices(STATEMENTS, k=rng.randint(3, 6))
        ]
        return "".join(indented(s, depth) for s in (*lines, rng.choice(ENDS)))

    def calls(self, name: str) -> tuple[str, str]:
        """Calls in a row, each of what those before have given, and their sum."""
        rng, count = self.rng, self.rng.randint(2, 4)
        given = ("", ", 0.8", ", a=0.4", ", n=1", ", b", ", b, 1", ", a=b * 0.5")
        plain = rng.random() < 0.5
        own = rng.choice(given)
        lines = []
        for i in range(1, count + 1):
            value = rng.choice(ARGUMENTS[1:] if i > 1 else (ARGUMENTS[0], ARGUMENTS[3]))
            value = value.format(i=i - 1, h=rng.choice(("0.5", "b", "0.5 * b")))
            more = own if plain else rng.choice(given)
            keys = ", p" if self.keys else ""
            lines.append(f"k{i} = {name}({value}, w{keys}{more})")
        every = " + ".join(
            f"{rng.choice(('', '2 * '))}k{i}" for i in range(1, count + 1)
        )
        return "\n".join(lines), every

    def text(self) -> str:
        rng = self.rng
        own, p = "self, " if self.method else "", ", p" if self.keys else ""
        name = "self.slope" if self.method else "slope"
        depth = 2 if self.method else 1
        calls, every = self.calls(name)
        body = ["y = x"]
        kind = rng.choice(("row", "row", "loop", "arm", "helper"))
        end = rng.choice(RETURNS).format(all=every, h="0.25")
        if kind == "loop":
            step = indented(calls, 1) + f"    y = y + 0.1 * ({every})"
            body += [
                f"for _ in range({rng.randint(1, 3)}):\n{step}",
                "return np.sum(y * x)",
            ]
        elif kind == "arm":
            arms = indented(calls, 1) + f"    y = y + 0.2 * ({every})"
            body += [
                f"if b > 0.2:\n{arms}",
                f"k1 = {name}(y, w{p})\nreturn np.sum(k1 * y)",
            ]
        elif kind == "helper":
            call = "self.step" if self.method else "step"
            body += [
                f"y = {call}(y, w{p}, b)",
                f"y = {call}(y, w{p}, 0.5)",
                "return np.sum(y)",
            ]
        else:
            body += [calls, end]
        made = [f"def slope({own}y, w{p}, a=0.6, n=2):\n{self.helper(depth)}"]
        if kind == "helper":
            step = indented("x = y\n" + calls + f"\nreturn y + 0.1 * ({every})", depth)
            made.append(f"def step({own}y, w{p}, b):\n{step}")
        last = "".join(indented(one, depth) for one in body)
        made.append(f"def f({own}x, w{p}, b=0.3):\n{last}")
        if not self.method:
            return HEAD + "\n\n".join(made)
        init = (
            "def __init__(self, w, a, n=2):\n        self.w, self.a, self.n = w, a, n\n"
        )
        inside = "\n".join(f"    {one}" for one in (init, *made))
        rest = "MODEL = Model(0.4 * np.arange(9.0).reshape(3, 3) / 9, 0.7)\n"
        return f"{HEAD}class Model:\n{inside}\n\n{rest}f = MODEL.f\n"


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    """The program of this seed, by each argument, as it is called and as a text."""
    writer = Writer(seed)
    text = writer.text()
    params = Parameter("x", ("3",)), Parameter("w", ("3", "3")), Parameter("b", ())
    program = Written(params, tuple(text.split("\n")), seed, "f")
    for wrt in Random(seed).sample(("x", "w", "b"), 2):
        case, verdict = Case(program, {}, wrt, level="none"), Verdict(text=text)
        with noted(verdict), np.errstate(all="ignore"):
            verdict.faults += judged(program, wrt, writer, engine, verdict)
        yield case, verdict


def judged(
    program, wrt: str, writer: Writer, engine, verdict: Verdict
) -> Iterator[Fault]:
    """Faults of the derivative at hand and of texts with nothing told and told."""
    names = [param.name for param in program.params]
    function, args = imported(program.source, "f"), list(program.arguments(0))
    if writer.keys:
        names.insert(2, "p")
        args.insert(2, {"c": 0.8, "e": 1.1})
    place = names.index(wrt)

    def fresh(*given):
        return function(*copy.deepcopy(given))

    value = fresh(*args)
    seed = np.cos(np.arange(np.size(value))).reshape(np.shape(value))[()]
    want = numeric_gradient(fresh, args, place, seed)
    if not np.all(want.error <= tolerance(want.value) / 4):
        verdict.measured = False
        return
    ways = {"at hand": engine.grad(function, wrt=wrt)(*copy.deepcopy(args), seed=seed)}
    target = type(function.__self__).f if writer.method else function
    first = (function.__self__,) if writer.method else ()
    shapes = {"x": "3", "w": "3 3", "b": ""}
    if writer.keys:
        shapes["p"] = '{"c": "", "e": ""}'
    for way, kwargs in {
        "text": {},
        "told": {"shapes": shapes},
        "kept": {"keep_calls": True},
    }.items():
        made = engine.emit(target, wrt=wrt, **kwargs)
        space: dict = {}
        exec(compile(made, f"<{way}>", "exec"), space)
        verdict.text = made
        try:
            ways[way] = space["grad_f"](*first, *copy.deepcopy(args), d_out=seed)
        except ValueError as error:
            if way == "told" or not any(word in str(error) for word in RAISED):
                raise
            verdict.refusal = f"assumed: {error}"
    for way, got in ways.items():
        if np.shape(got) != np.shape(want.value):
            yield Fault("shape", f"{way}: {np.shape(got)}, not {np.shape(want.value)}")
        elif not np.all(np.abs(got - want.value) <= tolerance(want.value) * 4):
            yield Fault("value", f"{way}: {got}, not {want.value}")
