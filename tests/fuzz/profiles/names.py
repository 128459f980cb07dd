"""Names that mean several things: constants, closures, parameters, builtins.

A program is two small modules. Their constants, the variables that their closures
hold, the parameters and the locals of their functions are drawn from one pool, in
which builtins and names of emitted texts stand too, so that they meet on purpose.
The text is judged alone, executed in an empty module, and by the library's functions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from tests.fuzz.case import Case, Truth, tolerance
from tests.fuzz.judge import (
    Fault,
    TooLong,
    Verdict,
    broken_off,
    of_ownership,
    patience,
    side_by_side,
)
from tests.fuzz.program import Parameter, Program, imported, run

PROGRAMS = 24
REFUSED_AT_MOST = 0.05

PLAIN = "k c w t y z n a b rate scale loss".split()
# names that an emitted text may want for itself
WANTED = (
    "d_x d_y d_out d_k d2_x v_x out seed example shapes wrt args kwargs backprop "
    "backprop_ _unbroadcast _unstretch grad_f vjp_f value_and_grad_f jvp_f np numpy "
    "_np xp one row rows J H i ys _unread k_2 x_2"
).split()
BUILTINS = (
    "sum len range reversed zip float int abs pow list tuple enumerate min max "
    "isinstance bool print dict type ValueError math builtins"
).split()
ODD = ["match", "case", "_", "__k", "__k__", "\N{LATIN SMALL LIGATURE FI}x", "µ", "é"]
NUMBERS = "0.5|-0.5|2|-3|0.0|-0.0|1.5e-3|True|1|-1|-1.25|np.pi|np.float64(0.7)".split(
    "|"
)
# what a number and an array come to: bounded, and moved by the number
USES = (
    "NP.sin({c} * {x})",
    "NP.exp(-{c} * NP.tanh({x}))",
    "NP.tanh({x} - {c})",
    "NP.tanh(-{c} + {x}) * 0.5",
    "NP.cos({x} * +{c}) + {c}",
    "NP.sin({x}) * -{c} ** 2",
    "NP.sin(-(-{c}) * {x})",
    "NP.tanh({x}) * ({c} + 2) - {c}",
    "NP.clip({x}, -{c} - 9, {c} + 9) * {c}",
    "NP.where({x} > {c} + 40, {x}, {c} * NP.sin({x}))",
    "NP.sin({x}) / (4 + {c} ** 2)",
    "{c} * NP.cos({x})",
)


@dataclass(frozen=True)
class Named(Program):
    """A program of two modules; `{other}` in its text is the name of the second."""

    text: str = ""
    other: str = ""

    @property
    def source(self) -> str:
        return self.text.replace("{other}", "other")

    @cached_property
    def function(self):
        other = imported(self.other, "h").__module__
        return imported(self.text.replace("{other}", other), self.name)


class Writer:
    """Writes one program, at random."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"names {seed}")
        few = self.rng.sample(WANTED, 4) + self.rng.sample(BUILTINS, 2)
        few += self.rng.sample(PLAIN, 3) + self.rng.sample(ODD, 1)
        self.pool = self.rng.sample(few, 5)
        self.constants: dict[str, str] = {}
        self.helpers: list[str] = []
        self.lines: list[str] = []

    def name(self, *but: str) -> str:
        return self.rng.choice([n for n in self.pool if n not in but] or ["v"])

    def number(self) -> str:
        return self.rng.choice(NUMBERS)

    def use(self, c: str, x: str, bound=()) -> str:
        module = "np2" if "np" in bound or self.rng.random() < 0.1 else "np"
        return self.rng.choice(USES).format(c=c, x=x).replace("NP", module)

    def constant(self, *but: str) -> str:
        """The name of a constant of the module, a new one at times."""
        known = [name for name in self.constants if name not in but]
        if known and self.rng.random() < 0.5:
            return self.rng.choice(known)
        name = self.name("np", *but)
        self.constants.setdefault(name, self.number())
        return name

    def helper(self) -> None:
        """A function of the module that takes an array, by one of many ways."""
        rng, number = self.rng, len(self.helpers)
        title, v = f"g{number}", self.name()
        k = self.name(v)
        kind = rng.choice("constant closure lambda default local other nested".split())
        if kind == "constant":
            k = self.constant(v)
            body = [f"def {title}({v}):", f"    return {self.use(k, v, [v])}"]
        elif kind == "closure":
            body = [f"def make{number}({k}):", f"    def inner({v}):"]
            body += [f"        return {self.use(k, v, [k, v])}", "    return inner"]
            body += ["", "", f"{title} = make{number}({self.number()})"]
            if rng.random() < 0.7:
                self.helpers.append(f"g{number + 1}")
                body += [f"g{number + 1} = make{number}({self.number()})"]
        elif kind == "lambda":
            text = self.use(k, v, [k, v])
            body = [f"{title} = (lambda {k}: lambda {v}: {text})({self.number()})"]
        elif kind == "default":
            text = self.use(k, v, [k, v])
            body = [f"def {title}({v}, {k}={self.number()}):", f"    return {text}"]
        elif kind == "local":
            c = self.constant(v, k)
            body = [f"def {title}({v}):", f"    {k} = {self.use(c, v, [k, v])}"]
            body += [f"    return {k} * {self.use(c, k, [k, v])}"]
        elif kind == "nested":
            c = self.constant(v, k)
            body = [f"def {title}({v}):", f"    {k} = {self.number()}"]
            body += [f"    def inner({v}):", f"        return {self.use(k, v, [k, v])}"]
            body += [f"    return inner({v}) + {self.use(c, v, [k, v])}"]
        else:
            body = [f"from {{other}} import h as {title}"]
        self.helpers.append(title)
        self.lines += [*body, "", ""]

    def function(self) -> tuple[list[str], tuple[Parameter, ...]]:
        """The function itself, of an array and of a number or a second array."""
        rng = self.rng
        p = self.name("x")
        dims = rng.choice([(), (), ("n",)])
        params = [
            Parameter("x", ("n",)),
            Parameter(p, dims, "float" if not dims else "array"),
        ]
        own = ["x", p]
        local = [self.name(*own) for _ in range(rng.randint(1, 2))]
        own += local
        if rng.random() < 0.15:
            params.reverse()
        body, last = [], "x"
        for name in local:
            term = self.term(last, own)
            body.append(f"    {name} = {term}")
            last = name
        if rng.random() < 0.5 and "range" not in own:
            i = self.name(*own) if rng.random() < 0.5 else "i"
            if i not in own:
                own.append(i)
                body.append(f"    for {i} in range(2):")
                body.append(f"        {last} = {last} * 0.5 + {self.term(last, own)}")
        module = "np2" if "np" in own else "np"
        total = f"{last} * {self.rng.choice(['x', p, f'{module}.tanh({p})'])}"
        if rng.random() < 0.8:
            total = f"{module}.sum({total})"
        if rng.random() < 0.3 and "sum" in total and not dims:
            total = f"{total} * {p}"
        head = ", ".join(param.name for param in params)
        return [f"def f({head}):", *body, f"    return {total}"], tuple(params)

    def term(self, last: str, own: list[str]) -> str:
        """An array made of the last one, by a helper or by a constant."""
        rng = self.rng
        if rng.random() < 0.7:
            return f"{rng.choice(self.helpers)}({last})"
        if rng.random() < 0.2 and "other" not in own:
            return self.use("other.{constant}", last, own)
        return self.use(self.constant(*own), last, own)


def named(seed: int) -> Named | None:
    """The program of this seed, None where it does not run."""
    writer = Writer(seed)
    for _ in range(writer.rng.randint(2, 3)):
        writer.helper()
    body, params = writer.function()
    head = ["import numpy as np", "import numpy as np2", "import {other} as other"]
    lines = [f"{name} = {text}" for name, text in writer.constants.items()]
    k, v = writer.name("np"), "u"
    other = ["import numpy as np", "", f"{k} = {writer.number()}", "", ""]
    other += [f"def h({v}):", f"    return {writer.use(k, v).replace('np2', 'np')}", ""]
    text = "\n".join([*head, "", *lines, "", "", *writer.lines, *body, ""])
    text = text.replace("{constant}", k)
    program = Named(params, (), seed, "f", text=text, other="\n".join(other))
    try:
        runs = all(
            run(program.function, program.arguments(i)) is not None for i in (0, 1)
        )
    except Exception:  # a name that is read before it has a value
        return None
    return program if runs else None


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = named(seed)
    if program is None:
        return
    truth = Truth(program)
    names = [param.name for param in program.params]
    facts = {param.name: param.fact for param in program.params}
    for level, keep in (("full", False), ("none", seed % 2 == 1)):
        wrt = "x" if level == "none" else tuple(names)
        shapes = facts if level == "full" else {}
        case = Case(program, shapes, wrt, level=level, keep_calls=keep)
        yield case, judged(case, engine, truth)


def judged(case: Case, engine, truth: Truth) -> Verdict:
    verdict = Verdict()
    if not truth.measures(case.names):
        verdict.measured = False
        return verdict
    try:
        with np.errstate(all="ignore"), patience():
            for faults in (of_text, of_library, of_tangents):
                verdict.faults += faults(case, engine, truth, verdict)
    except GradgenError as refusal:
        verdict.refusal = str(refusal)
    except TooLong:
        verdict.faults.append(Fault("too long", "no end"))
    except Exception:  # whatever else comes out is a fault of its own
        verdict.faults.append(broken_off())
    return verdict


def asked(case: Case) -> dict:
    return dict(wrt=case.wrt, shapes=dict(case.shapes))


def of_text(case: Case, engine, truth: Truth, verdict: Verdict) -> list[Fault]:
    """Faults of the text alone, and of the one with the value."""
    faults: list[Fault] = []
    for value in (False, True):
        options = dict(asked(case), value=value, keep_calls=case.keep_calls)
        text = engine.emit(case.program.function, **options)
        verdict.text = text
        space: dict = {"__name__": "alone"}
        exec(compile(text, "<gradgen alone>", "exec"), space)
        made = space["value_and_grad_f" if value else "grad_f"]
        args, seed = case.program.arguments(0), truth.seed(0)
        found = made(*args, seed)
        if value:
            primal, found = found
            wanted = case.program.function(*case.program.arguments(0))
            if not np.array_equal(primal, wanted):
                faults.append(Fault("primal value", side_by_side(primal, wanted)))
        faults += compared(case, truth, 0, found, "text")
        listed = found if isinstance(found, tuple) else (found,)
        faults += of_ownership(case, listed, args, seed, 0)
    return faults


def of_library(case: Case, engine, truth: Truth, verdict: Verdict) -> list[Fault]:
    """Faults of the gradient with ones as seed, and of the pullback."""
    faults: list[Fault] = []
    for k in (0, 1):
        args = case.program.arguments(k)
        value, pullback = engine.vjp(case.program.function, **asked(case))(*args)
        faults += compared(case, truth, k, pullback(truth.seed(k)), "vjp")
        _, again = engine.vjp(case.program.function, **asked(case))(*args)
        ones = np.ones(np.shape(value)) if np.shape(value) else 1.0
        got = engine.grad(case.program.function, **asked(case))(*args)
        want = again(ones)
        pairs = zip(got, want) if isinstance(got, tuple) else [(got, want)]
        if not all(np.allclose(one, other, rtol=1e-12) for one, other in pairs):
            faults.append(Fault("default seed", "grad and vjp differ"))
    return faults


def of_tangents(case: Case, engine, truth: Truth, verdict: Verdict) -> list[Fault]:
    """Faults of forward mode: <seed, J v> is <gradient, v>."""
    args, seed = case.program.arguments(0), truth.seed(0)
    rng = np.random.default_rng(case.program.seed)
    names = [param.name for param in case.program.params]
    along = [rng.normal(size=np.shape(args[names.index(name)])) for name in case.names]
    along = [v if v.shape else float(v) for v in along]
    _, found = engine.jvp(case.program.function, **asked(case))(*args, *along)
    wants = [truth.gradient(0, name).value for name in case.names]
    want = sum(np.sum(w * v) for w, v in zip(wants, along))
    got = np.sum(seed * found)
    if abs(got - want) > sum(tolerance(w) * 10 for w in wants):
        return [Fault("value", f"jvp: {got}, not {want}")]
    return []


def compared(case: Case, truth: Truth, k: int, found, who: str) -> Iterator[Fault]:
    listed = found if isinstance(found, tuple) else (found,)
    for name, got in zip(case.names, listed, strict=True):
        want = truth.gradient(k, name).value
        if np.shape(got) != np.shape(want):
            yield Fault(
                "shape", f"{who}: d_{name} {np.shape(got)}, not {np.shape(want)}"
            )
        elif not np.all(np.abs(got - want) <= tolerance(want)):
            yield Fault("value", f"{who}: d_{name}\n{side_by_side(got, want)}")
