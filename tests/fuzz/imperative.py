"""imperative(seed): a random program with stores, loops, branches, jumps and calls.

It is deterministic and well-conditioned, and nothing it decides hangs on a hair:
see `watch`. The same seed gives the same program and the same arguments.
"""

from __future__ import annotations

import ast
import builtins
import copy
import dis
import textwrap
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from types import CodeType

import numpy as np

from gradgen.verify.finite import Estimate
from tests.fuzz.phrases import Array, Count, Flag, Number
from tests.fuzz.program import SAMPLES, Parameter, Program, imported, run
from tests.fuzz.rarer import Rarer
from tests.fuzz.watch import MARGIN, Watched, confirmed

FIRST = {"n": 4, "m": 3}
OTHERS = ({"n": 5, "m": 4}, {"n": 3, "m": 5}, {"n": 6, "m": 3})
THIRD = {"n": 7, "m": 9}  # fits at these sizes as well: dims agree by name
LARGEST = 1e3
DRAWS = 4  # sets of arguments tried before a program is given up

ARRAYS = {
    ("n",): ["x", "y", "w", "b", "u"],
    ("m",): ["c", "bias", "g"],
    ("n", "m"): ["A", "X"],
    ("n", "n"): ["K", "M"],
}
FLOATS = ["a", "scale", "alpha", "dt", "d"]

ELEMENTWISE = [
    ("def squash({f}u, c=0.5):", ["return np.tanh(c * u)"], 1),
    ("def blend({f}u, v):", ["w = 0.6 * u", "return w - 0.3 * v"], 2),
    ("def bump({f}u):", ["w = 1 + u**2", "return u / w"], 1),
    ("def swing({f}u, v):", ["u = np.sin(u)", "u = u * v", "return u"], 2),
    (
        "def series({f}u):",
        [
            "total = u",
            "for k in range(3):",
            "    total = 0.5 * total * u + 0.1 * k",
            "return total",
        ],
        1,
    ),
    (
        "def pick({f}u):",
        ["if np.sum(u) > 0.25:", "    return np.tanh(u)", "return 0.5 * u"],
        1,
    ),
]
CHANGING = [
    ("def relax(u, v):", ["u[1:-1] = 0.5 * (v[:-2] + v[2:])"]),
    ("def damp(u, v):", ["u *= 0.8", "u[0] += 0.2 * v[-1]"]),
    (
        "def sweep(u, v):",
        [
            "for i in range(1, len(u)):",
            "    u[i] = 0.4 * u[i - 1] + 0.3 * np.tanh(v[i])",
        ],
    ),
    (
        "def clip_low(u, v):",
        ["for i in range(len(u)):", "    if u[i] < 0.1:", "        u[i] = 0.3 * v[i]"],
    ),
]

ALWAYS = [
    ("def both_of(u, v):", ["w = np.tanh(u)", "return w, w * v"]),
    ("def applied(f, u):", ["return 0.3 + f(0.5 * u)"]),
]


@dataclass(frozen=True)
class Imperative(Program):
    """A program of nested statements, with functions that it calls before it."""

    preamble: str = ""
    draw: int = 0

    @property
    def source(self) -> str:
        header = f"def {self.name}({', '.join(p.name for p in self.params)}):"
        body = textwrap.indent("\n".join(self.lines), "    ")
        before = f"{self.preamble.strip()}\n\n\n" if self.preamble.strip() else ""
        return f"import numpy as np\n\n\n{before}{header}\n{body}\n"

    def arguments(self, sample: int, dtype=np.float64) -> list:
        drawn = []
        for param in self.params:
            key = [self.seed, self.draw, sample, *param.name.encode()]
            rng = np.random.default_rng(key)
            drawn.append(param.value(self.sizes[sample], rng, dtype))
        return drawn

    def measured(self, sample: int, i: int, seed) -> Estimate:
        """By complex steps of the twin, where differences of the program confirm them."""
        return confirmed(self, self.twin, sample, i, seed)

    @cached_property
    def twin(self) -> Watched:
        return Watched(self.source, self.name)

    def fits(self) -> bool:
        """Whether it ends, decides nothing narrowly, and runs at other sizes too."""
        try:
            watched = self.twin
        except (SyntaxError, ValueError):
            return False
        if unresolved(self.function.__code__, self.function.__globals__):
            return False
        third = replace(self, sizes=(THIRD, THIRD))
        for args in [*(self.arguments(k) for k in SAMPLES), third.arguments(0)]:
            if run(watched.function, args) is None:
                return False
        for k in SAMPLES:
            if watched.margin(self.arguments(k)) < MARGIN:
                return False
        return all(run(self.function, self.arguments(k)) is not None for k in SAMPLES)


def unresolved(code: CodeType, names: dict) -> set[str]:
    """Names that stand for nothing, in code that may never be reached."""
    read = {i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL"}
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    found = {name for name in read if name not in names and not hasattr(builtins, name)}
    return found.union(*(unresolved(one, names) for one in inner))


def imperative(seed: int) -> Imperative:
    """The program of this seed."""
    rng = Random(f"imperative {seed}")
    while True:
        try:
            program = attempt(rng, seed)
        except (IndexError, KeyError, SyntaxError, RecursionError):
            continue  # a corner that the phrases do not know; another draw follows
        for draw in range(DRAWS):
            drawn = replace(program, draw=draw)
            if is_fit(drawn):
                return drawn


def is_fit(program: Imperative) -> bool:
    if not program.fits():
        return False
    results = [run(program.function, program.arguments(k)) for k in SAMPLES]
    return all(np.max(np.abs(r), initial=0.0) < LARGEST for r in results)


def attempt(rng: Random, seed: int) -> Imperative:
    params = parameters(rng)
    scope: dict[str, object] = {}
    for param in params:
        kinds = {"int": Count(), "bool": Flag(), "float": Number()}
        dims = tuple((d, 0) for d in param.dims)
        scope[param.name] = Array(dims) if dims else kinds[param.kind]
    w = Rarer(rng, scope, writes_arguments=rng.random() < 0.4)
    before = helpers(w)
    lines = lengths(w, params)
    scalar = rng.random() < 0.85 or not any(p.dims for p in params)
    dims = (
        None if scalar else scope[rng.choice([p.name for p in params if p.dims])].dims
    )
    if rng.random() < 0.25:
        w.result = lambda: w.number(1) if scalar else f"0.5 * {exactly(w, dims)}"
    w.budget = rng.choice([4, 6, 8, 10, 12])
    while w.budget > 0:
        lines += w.block(3)
    lines.append(f"return {result(w, scalar, dims)}")
    sizes = (FIRST, rng.choice(OTHERS))
    body = unparsed(ast.parse("\n".join(lines_of_a_function(lines))).body[0].body)
    program = Imperative(params, body, seed, "program", sizes, before)
    return tidied(program)


def lines_of_a_function(lines: list[str]) -> list[str]:
    return ["def program():", *(f"    {line}" for line in lines)]


def unparsed(statements: list[ast.stmt]) -> tuple[str, ...]:
    """Statements as lines; a tuple that is assigned stands without brackets."""
    module = ast.Module(copy.deepcopy(statements), [])
    tuples = {}
    for node in ast.walk(module):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            key = f"_tuple_{len(tuples)}_"
            tuples[key] = ", ".join(ast.unparse(e) for e in node.value.elts)
            node.value = ast.Name(key)
    text = ast.unparse(module)
    for key, elements in tuples.items():
        text = text.replace(key, elements)
    return tuple(text.splitlines())


def parameters(rng: Random) -> tuple[Parameter, ...]:
    """One to four arguments to differentiate in, and at times a count or a flag."""
    shapes = [("n",)] * 4 + [("n", "m")] * 2 + [("n", "n"), ("m",)]
    chosen, names = [], set()
    for _ in range(rng.choice([1, 2, 2, 3, 3])):
        if chosen and rng.random() < 0.3:
            new = Parameter(rng.choice(FLOATS), (), "float")
        else:
            dims = rng.choice(shapes)
            new = Parameter(rng.choice(ARRAYS[dims]), dims)
        if new.name not in names:
            names.add(new.name)
            chosen.append(new)
    if rng.random() < 0.35:
        chosen.append(Parameter("steps", (), "int"))
    if rng.random() < 0.15:
        chosen.append(Parameter("flag", (), "bool"))
    return tuple(chosen)


def lengths(w: Rarer, params: tuple[Parameter, ...]) -> list[str]:
    """What the program calls the lengths of its dims: names mostly."""
    lines = []
    for letter in ("n", "m"):
        ways = []
        for param in params:
            for axis, dim in enumerate(param.dims):
                if dim == letter:
                    ways.append(f"{param.name}.shape[{axis}]")
                    if axis == 0:
                        ways.append(f"len({param.name})")
        if not ways:
            continue
        way = w.pick(ways)
        if w.chance(0.75):
            lines.append(f"{letter} = {way}")
            way = letter
        w.lengths[letter] = way
    return lines


def helpers(w: Rarer) -> str:
    """Functions of the program's own, some of which change their arguments."""
    texts = []
    for head, body, arity in w.rng.sample(ELEMENTWISE, w.pick([0, 0, 1, 2])):
        name = head.split("(")[0].removeprefix("def ")
        w.pure.append((name, arity))
        texts.append("\n".join([head.format(f=""), *(f"    {line}" for line in body)]))
    for head, body in w.rng.sample(CHANGING, w.pick([0, 0, 1])):
        w.changing.append(head.split("(")[0].removeprefix("def "))
        texts.append("\n".join([head, *(f"    {line}" for line in body)]))
    for head, body in ALWAYS:
        texts.append("\n".join([head, *(f"    {line}" for line in body)]))
    return "\n\n\n".join(texts)


def exactly(w: Rarer, dims) -> str:
    return w.pick(w.names(Array, lambda t: t.dims == dims))


def found(w: Rarer, kind: type) -> list[str]:
    """The names of this kind, in random order, the unread ones first."""
    names = w.names(kind)
    w.rng.shuffle(names)
    return sorted(names, key=lambda name: name not in w.unread)


def result(w: Rarer, scalar: bool, dims) -> str:
    """What is returned: most of what was computed takes part in it."""
    if not scalar:
        text = exactly(w, dims)
        if w.chance(0.4):
            return text
        return f"{text} * {w.array(dims, 1)} + {w.number(0)}"
    arrays, numbers = (found(w, kind) for kind in (Array, Number))
    terms = []
    for name in arrays[: w.pick([1, 2, 3, 4])]:
        forms = ["np.sum({0} * {0})", "np.sum({0})", "np.sum(np.sin({0}))"]
        terms.append(w.pick(forms).format(name))
    for name in numbers[: w.pick([1, 2, 3, 4])]:
        terms.append(w.pick(["{0}", "0.5 * {0}", "{0}**2"]).format(name))
    return " + ".join(terms or [w.number(1)])


def tidied(program: Imperative) -> Imperative:
    """The program without helpers that it does not call and unread parameters."""
    body = "\n".join(program.lines)
    kept = [
        t for t in program.preamble.split("\n\n\n") if t.split("(")[0][4:] + "(" in body
    ]
    program = replace(program, preamble="\n\n\n".join(kept))
    return program.without_unused()


def shown(program: Imperative) -> str:
    return program.source.split("\n\n\n", 1)[1].rstrip()


__all__ = ["Imperative", "imperative", "shown", "imported"]
