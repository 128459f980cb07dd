"""Short functions by arguments of every kind, with facts told and not.

Lists, tuples, ranges and numbers of Python's own beside arrays of all dtypes, in wrt
and held; each by two of the modes, and the emitted text itself called with whole
numbers, which has to be right or raise.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.arguments.judged import MODES, RAISES, REFUSED, RIGHT, Truth, outcome
from tests.arguments.kinds import ARRAYS, CONTAINERS, NUMBERS, OTHERS
from tests.fuzz.case import Case
from tests.fuzz.judge import Fault, Verdict
from tests.fuzz.program import Parameter, Program

PROGRAMS = 60
# kinds that are refused are drawn on purpose
REFUSED_AT_MOST = 0.6
# what a statement computes of a, which stands for numbers of any kind
OF_ENTRIES = (
    "{a}[0] * 0.5",
    "{a}[-1] * {a}[1] * 0.3",
    "{a}[i] * 0.25",
    "len({a}) * {a}[0] / 3",
    "sum({a}) * 0.2",
    "sum([v * v * 0.5 for v in {a}])",
    "max({a}) * 0.7",
    "{a}[1:][0] * 1.5",
)
OF_ALL = (
    "np.sum({a}) * 0.4",
    "np.mean({a}) * 1.5",
    "np.sum(np.exp({a}))",
    "np.dot({a}, {a}) * 0.1",
    "np.max({a}) * 0.5",
    "np.sum(np.cumsum({a}) * 0.3)",
    "np.linalg.norm(np.asarray({a})) * 0.5",
    "np.sum(np.multiply({a}, 0.3))",
    "np.sum(np.array({a}) ** 2) * 0.2",
    "np.sum(np.sqrt(np.abs({a}) + 1))",
    "np.sum(np.where(np.asarray({a}) > 1.3, 0.3, np.asarray({a})))",
    "np.sum(np.transpose({a}) * 0.7)",
    "np.prod(np.reshape({a}, -1)[:2]) * 0.5",
    "np.sum(np.concatenate([np.ravel({a}), np.ravel({a})]) * 0.5)",
    "np.sum(np.full(2, 0.5) * np.sum({a}))",
)
OF_NUMBERS = (
    "{a} * 0.5",
    "{a} ** 2 / 3",
    "2 * {a} - 0.25",
    "1 / (1 + {a} * {a})",
    "np.sin({a}) * 2",
    "np.sum(0.5 * {a} + np.ones(3))",
    "np.sum(np.full(3, 0.5) * {a})",
    "np.maximum({a}, 0.5) * 0.3",
    "{a} // 7 + {a} * 0.1",
    "abs({a}) * 0.5",
)
ARRAY_LIKE = ("{a} * 0.5", "np.sum({a} * {a})", "2 * {a}", "{a} + {a}", "-{a}")
RESULTS = ("{u} + {v}", "{u} * {v}", "{u} - 0.5 * {v}", "np.sum({u}) * {v}")


def program(seed: int) -> tuple[Program, str, str]:
    """A program of two arguments, and the kinds of these."""
    rng = np.random.default_rng([seed, 77])
    pick = lambda choices: choices[rng.integers(len(choices))]  # noqa: E731
    one, other = pick(GROUPS), pick(GROUPS)
    kinds = pick(tuple(one)), pick(tuple(other))
    lines = ["i = 1"]
    for name, argument, kind in zip("uv", "xw", kinds):
        phrases = OF_NUMBERS if kind in NUMBERS else OF_ENTRIES + OF_ALL * 2
        if rng.random() < 0.25:
            phrases = OF_ALL + ARRAY_LIKE
        lines.append(f"{name} = " + pick(phrases).format(a=argument))
        if rng.random() < 0.2:
            lines.append(f"if {name} is None:\n        {name} = 0.0")
        if rng.random() < 0.2:
            lines.append(f"for k in range(2):\n        {name} = {name} * 0.5 + 0.1")
    lines.append("return " + pick(RESULTS).format(u="u", v="v"))
    params = tuple(Parameter(name, (), "float") for name in "xw")
    return Program(params, tuple(lines), seed), *kinds


# a group is drawn first, so that plain arrays are not the most
GROUPS = (NUMBERS, CONTAINERS, CONTAINERS, ARRAYS, ARRAYS | OTHERS)


def fact(kind: str, argument) -> str | None:
    """The fact of an argument of this kind."""
    if kind in CONTAINERS or kind in OTHERS:
        return None
    return " ".join("nm"[:1] + str(k) for k in range(np.ndim(argument)))


def verdicts(seed: int, engine):
    """A verdict for a random pair of arguments, by two modes and by the text."""
    made, *kinds = program(seed)
    rng = np.random.default_rng([seed, 78])
    values = rng.uniform(1.2, 3.4, (2, 3))
    groups = NUMBERS | CONTAINERS | ARRAYS | OTHERS
    args = tuple(groups[kind](v) for kind, v in zip(kinds, values))
    shapes = {}
    if seed % 2:
        told = {n: fact(k, a) for n, k, a in zip("xw", kinds, args)}
        shapes = {name: text for name, text in told.items() if text is not None}
        shapes = {n: t.replace("n", n) for n, t in shapes.items()}
    made = replace(
        made,
        params=tuple(replace(p, kind=kind) for p, kind in zip(made.params, kinds)),
    )
    case = Case(made, shapes, "x", level="full" if shapes else "none")
    truth = Truth(made.function, args, 0)
    complexes = [n for n, a in zip("xw", args) if is_complex(a)]
    for mode in ("grad", MODES[1 + seed % 4]):
        options = {"shapes": shapes, "wrt": "x"}
        if complexes and mode != "hvp":
            options["complex"] = complexes

        def make(mode=mode, options=options):
            return getattr(engine, mode)(made.function, **options)

        yield case, verdict(outcome(truth, args, mode, make), mode)
    yield case, of_text(case, engine, args, shapes, kinds)


def of_text(case: Case, engine, args, shapes, kinds) -> Verdict:
    """The emitted text itself, called with whole numbers where it may be."""
    whole = [of_whole_numbers(arg, bool(shapes)) for arg in args]
    found = Verdict()
    masked = any(isinstance(arg, np.ma.MaskedArray) for arg in args)
    if whole[0] is None or masked or any(map(is_complex, args)):
        return found
    used = tuple(arg if one is None else one for arg, one in zip(args, whole))
    try:
        gradient = engine.grad(case.program.function, "x", shapes=shapes)
        with np.errstate(all="ignore"):
            got = gradient.function(*used, **gradient.held)
    except Exception:  # the text may raise, what raises is seen by the calls
        return found
    truth = Truth(case.program.function, used, 0)
    if truth.error is not None or truth.own_error is not None:
        return found
    if truth.is_measurable and np.all(np.isfinite(truth.value)):
        with np.errstate(all="ignore"):
            want = truth.gradient()
        # differences are as fine as the value lets them be, a text as its arguments
        rtol = max(1e-5, *(8 * np.finfo(dtype).eps for dtype in floats_of(args)))
        largest = np.max(np.abs(truth.value), initial=0.0)
        near = np.shape(got) == np.shape(used[0]) and np.allclose(
            np.ravel(got), want, rtol, max(1e-6, 1e-12 * largest)
        )
        if not near:
            detail = f"text of {used!r}: {got!r}, not {want!r}"
            found.faults.append(Fault("value", detail))
            found.text = gradient.source
    return found


def floats_of(args) -> list[np.dtype]:
    """The dtypes that functions of the arguments have: np.exp of bools has float16."""
    dtypes = [
        np.exp(np.zeros(0, arg.dtype)).dtype
        if hasattr(arg, "dtype")
        else np.dtype(float)
        for arg in args
    ]
    return [dtype for dtype in dtypes if dtype.kind == "f"] + [np.dtype(float)]


def of_whole_numbers(arg, told: bool):
    """The argument as whole numbers, None where the text need not take it."""
    if isinstance(arg, (list, tuple, range)) or is_complex(arg):
        return None
    if np.ndim(arg) == 0:
        return int(round(float(arg)))
    if told or np.asarray(arg).dtype.kind != "f":
        return None  # arrays with facts are floating
    return np.arange(2, 2 + np.size(arg)).reshape(np.shape(arg))  # no two alike


def is_complex(arg) -> bool:
    return not isinstance(arg, (list, tuple, range)) and np.iscomplexobj(arg)


def verdict(found: str, mode: str) -> Verdict:
    if found in (RIGHT, RAISES):
        return Verdict()
    if found == REFUSED:
        return Verdict(refusal="GG refused")
    kind = "crash" if found.startswith("crash") else "value"
    return Verdict(faults=[Fault(kind, f"{mode}: {found}")])
