"""Requests as people mistype them, and parameters called as Python's own functions are.

Each option gets a value of another type, a name that is none, a fact that does not hold
of the arguments. What is asked for is right, or refused by a code with an advice: no
other exception comes out, and no wrong fact makes a wrong number. The parameters of
the functions, and what they import NumPy as, are names that a gradient may need itself.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import Case
from tests.fuzz.judge import Fault, Verdict, noted
from tests.fuzz.profiles.constants import Module
from tests.fuzz.program import Parameter, imported

PROGRAMS = 24
REFUSED_AT_MOST = 0.9  # most of what is drawn is to be refused
RTOL = 1e-6
X, C = np.array([0.9, 1.4, 0.6]), np.array([0.5, 1.2, 0.8])
XS, P = [0.7, 1.3], {"a": 1.2, "b": 0.4}
# bodies of a function of two arguments, and what it is called with
BODIES: list[tuple[str, tuple]] = [
    ("return np.sum(np.sin(x * c))", (X, C)),
    ("return np.sum((x - c) ** 2) / len(x)", (X, C)),
    ("return x * c", (X, 0.5)),
    ("return np.sum(x @ np.outer(c, c))", (X, C)),
    ("return math.sin(x) * c", (0.7, 0.5)),
    ("s = 0.0\n    for i in range(3):\n        s += x[i] * c\n    return s", (X, 0.5)),
    ("s = c\n    for a in reversed(x):\n        s = s * a\n    return s", (X, 0.5)),
    (
        "s = 0.0\n    for a, b in zip(x, c):\n        s += a * b * b\n    return s",
        (X, C),
    ),
    ("return sum(a * c for a in x)", (XS, 0.5)),
    ("return sum(a * c for a in x) + max(x)", (X, 0.5)),
    ("return sum(c * a for a in x.values()) + c", (P, 0.5)),
    ("return x['a'] * c + abs(c)", (P, 0.5)),
    (
        "y = np.zeros(3)\n    for i in range(len(y)):\n        y[i] = x[i] * c\n    return y",
    )
    + ((X, 0.5),),
    ("return float(np.mean(x)) * c", (X, 0.5)),
    ("return np.stack([x, c]) * np.max(x)", (X, C)),
]
NAMES = """x; x; x; reversed; zip; range; len; sum; max; abs; float; math; np; numpy; slice
tuple; list; dict; print; _unbroadcast; d_c; grad_f; f; self; match; type; _; x_1; é; ª
id; int; isinstance; ValueError; enumerate; out; d_out; np_1; scipy; min; sorted; set"""
ALIASES = ("np", "np", "anp", "numpy", "xp", "np_", "jnp")
MAKERS = "grad grad grad value_and_grad vjp jvp hvp jacobian emit emit".split()
SHAPES: list[Any] = ["n", ["n"], 5, {0: "n"}, {"z": "n"}, (("x", "n"),), {}, None]
FACTS: list[Any] = [
    "",
    "n",
    "n d",
    "3",
    "4",
    "n n",
    "-1",
    "n-",
    "2.5",
    "n*",
    "*s",
    "d_x",
]
FACTS += ["n\n", "x", "1", "()", "(n,)", "[n]", "{", "['n', 'n']", "int", "bool", "str"]
FACTS += [
    None,
    1.5,
    b"n",
    True,
    (2,),
    (2.0,),
    [],
    (),
    {},
    [None],
    ["", ""],
    [""],
    object(),
]
FACTS += [
    {"a": ""},
    {"a": "", "b": ""},
    {"q": ""},
    ("n", "n"),
    {"a": "n"},
    np.zeros(2),
    int,
]
ODD: dict[str, list[Any]] = {
    "wrt": [None, 0, 1, -1, np.int64(0), ("x",), ["x", "c"], "x", "c", range(2)]
    + [
        1.0,
        {"x"},
        True,
        "",
        "z",
        ("x", "x"),
        (0, "x"),
        7,
        b"x",
        {"x": 1},
        [],
        (),
        "x,c",
    ]
    + [
        float("nan"),
        "x ",
        ("x", 1.0),
        slice(1),
        "x[0]",
        "x['a']",
        "x[9]",
        "x.a",
        object(),
    ]
    + [np.array([0]), ("x", None), [["x"]], "X", -3, np.str_("x"), 2**70, "x[", "x()"],
    "complex": [(0,), 0, True, b"x", {"x"}, "z", 1.0, ("x", 0), None, ["x"], "c", ()],
    "stop": [3, "nope", ("s", 1), True, None, {"s"}, b"s", "", object(), "x", "y", "s"],
    "of": [1.0, "z", 0, True, ("x",), None, b"x", "c"],
    "example": [(1,), 5, "x", [], (None, None), ("a", "b"), {"x": X}, (X,), X, object()]
    + [
        (X, X[:1]),
        (X, C, C),
        True,
        (X, C),
        ([1.0], 2.0),
        ({"a": 1.0}, 2.0),
        (2.0, 2.0),
    ],
    "guard": [
        -1,
        "yes",
        float("nan"),
        float("inf"),
        0,
        True,
        1j,
        [1e-3],
        10**400,
        1e-9,
    ],
    "stable": ["no", 2, None, 0, np.True_, []],
    "fast": [None, "x", 1.0, True],
    "strict": [1, "yes", None, True],
    "target": ["cuda", None, 3, "NumPy", "", b"numpy", ("numpy",), "numpy"],
    "save": ["all", None, 0, "state", ["values"]],
    "keep_calls": ["x", None, 1, True],
    "has_aux": ["x", 2, None],
    "direction": ["up", 1, None, "forward", "reverse"],
    "diagonal": ["no", 1, True],
    "mode": ["backward", None, 1, "forward", "hvp"],
    "style": ["x", None, 3, "callback"],
    "python": ["2.7", 3.9, "3.99", "py3", None, "3.9", ""],
    "value": ["no", 1, True],
    "general": ["no", 1, True],
    "bare": ["no", 1, True],
    "compare": ["z", 1, None, "n", ("n", 2)],
    "shape": [{"x": "n"}],
    "argnums": [0],
}


@dataclass(frozen=True)
class Asked:
    """A module's text, the arguments of its function, and what is asked of it."""

    text: str
    name: str
    args: tuple
    maker: str
    options: dict[str, Any]


def asked(seed: int) -> Asked:
    rng = Random(f"words {seed}")
    body, args = rng.choice(BODIES)
    name = rng.choice([one.strip() for one in re.split(r"[;\n]", NAMES)])
    alias = rng.choice(ALIASES)
    body = re.sub(r"\bnp\b", alias, body)
    renamed = re.sub(r"\bx\b", name, body)
    # a parameter hides what the body reads by the same name
    own = set(re.findall(r"\b[a-z]+\b", body)) | {alias}
    name, body = ("x", body) if name in own else (name, renamed)
    text = (
        f"import math\n\nimport numpy as {alias}\n\n\ndef f({name}, c):\n    {body}\n"
    )
    maker, options = rng.choice(MAKERS), {}
    for _ in range(rng.choice((0, 1, 1, 2))):
        if rng.random() < 0.4:
            options["shapes"] = _facts(rng, name)
        else:
            word = rng.choice(list(ODD))
            value = rng.choice(ODD[word])
            # a name is that of the function
            options[word] = name if isinstance(value, str) and value == "x" else value
    return Asked(text, name, args, maker, options)


def _facts(rng: Random, name: str) -> Any:
    if rng.random() < 0.15:
        return rng.choice(SHAPES)
    names = rng.sample([name, "c"], rng.choice((1, 1, 2)))
    return {one: rng.choice(FACTS) for one in names}


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    one = asked(seed)
    made = Module((Parameter("x", ("n",)),), ("return x",), seed, "f", text=one.text)
    case = Case(made, {}, "x", level=one.maker)
    found = Verdict(text=f"{one.maker} {one.options} at {one.args}\n{one.text}")
    with noted(found), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        judge(one, engine, found)
    yield case, found


def judge(one: Asked, engine, found: Verdict) -> None:
    function = imported(one.text, "f")
    try:
        got = answer(one, engine, function)
    except GradgenError as refusal:
        found.refusal = str(refusal)
        if not refusal.advice or refusal.code in ("GG000", "GG900"):
            found.faults.append(Fault("refusal", f"without advice: {refusal}"))
        return
    except TypeError as error:
        # the only one that is no refusal: a keyword that there is not
        if not re.search(r"has no option \w+", str(error)):
            raise
        return
    if got is not None:
        found.faults += compared(one, function, got)


def answer(one: Asked, engine, function) -> Any:
    """The gradients that come of one request, by the names of their arguments."""
    made = getattr(engine, one.maker)(function, **one.options)
    if one.maker == "emit":
        compile(made, "<gradgen alone>", "exec")
        if one.options:
            return None  # a text holds for the facts that it was made with
        space: dict = {}
        exec(compile(made, "<gradgen alone>", "exec"), space)
        result = function(*one.args)
        seed = np.ones(np.shape(result)) if np.ndim(result) else 1.0
        return space["grad_f"](*one.args, seed)
    if one.maker in ("jvp", "hvp"):
        tangent = one.args[0]
        made(*one.args, tangent)
        return None
    got = made(*one.args)
    if one.maker == "jacobian":
        return None
    if one.maker == "vjp":
        return got[1]()
    return got[1] if one.maker == "value_and_grad" else got


def compared(one: Asked, function, got: Any) -> Iterator[Fault]:
    """The faults of gradients, where they are of whole arguments and all is moving."""
    if {"stop", "of", "has_aux", "guard"} & one.options.keys():
        return
    wrt = one.options.get("wrt")
    whole = {None: 0, one.name: 0, "c": 1, 0: 0, 1: 1, -1: 1}
    if isinstance(wrt, (tuple, list, range)):
        places = [whole.get(each, -9) for each in wrt]
    elif isinstance(wrt, (str, int, np.integer, type(None))):
        places, got = [whole.get(str(wrt) if isinstance(wrt, str) else wrt, -9)], (got,)
    else:
        yield Fault("accepted", f"wrt={wrt!r}")
        return
    for place, gradient in zip(places, got, strict=True):
        if place != -9:
            yield from _compared(one, function, place, gradient)


def _compared(one: Asked, function, place: int, gradient: Any) -> Iterator[Fault]:
    """One gradient, entry by entry; those of lists and dictionaries in their form."""
    arg = one.args[place]
    keys = (
        list(arg) if isinstance(arg, dict) else range(len(arg)) if arg is XS else None
    )
    leaves = np.array([arg[k] for k in keys] if keys is not None else arg, dtype=float)

    def flat(numbers: Any) -> Any:
        args = list(one.args)
        if isinstance(arg, dict):
            args[place] = dict(zip(arg, numbers))
        elif arg is XS:
            args[place] = list(numbers)
        else:
            args[place] = numbers if np.ndim(arg) else np.asarray(numbers)[()]
        return function(*args)

    want = numeric_gradient(flat, [leaves if leaves.ndim else float(leaves)], 0)
    if keys is not None:
        if not isinstance(gradient, dict) and len(gradient) == 0 != leaves.size:
            yield Fault("value", f"{gradient!r} of {arg!r}")
            return
        # a text has the keys that the function reads
        is_dict = isinstance(gradient, dict)
        gradient = [gradient.get(k, 0.0) if is_dict else gradient[k] for k in keys]
    if not np.all(want.error <= RTOL):
        return
    if np.shape(gradient) != np.shape(want.value):
        yield Fault("shape", f"{gradient!r}, not {want.value!r}")
    elif not np.allclose(gradient, want.value, rtol=4 * RTOL, atol=4 * RTOL):
        yield Fault("value", f"{gradient!r}, not {want.value!r}")
