"""Constants of every kind around a function: in its module, a closure, a class, a default.

Numbers of NumPy's, dtypes, tuples, lists and dictionaries of these, arrays. The value
has the primal's bits and dtype, the gradient is measured, and so is that of a text
that is emitted and executed alone. Then the constant is another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import Case
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.program import Parameter, Program, imported

PROGRAMS = 12
REFUSED_AT_MOST = 0.05
NUMBERS = ["np.float64(0.5)", "np.float32(0.3)", "np.float16(1.5)", "0.7", "-0.0"]
NUMBERS += ["np.float64(-1.5)", "np.array(0.5)", "np.array(0.3, np.float32)"]
WHOLE = ["np.int64(3)", "np.int32(2)", "np.uint8(2)", "np.int8(3)", "2", "np.int64(1)"]
PLACES = {
    "module": "K = {v}\ndef f(x):\n    return {u}\n",
    "renamed": "K = {v}\ndef f(x):\n    c = K\n    return {c}\n",
    "closure": "def make(K):\n    def f(x):\n        return {u}\n    return f\n"
    "f = make({v})\n",
    "callee": "K = {v}\ndef h(x, k=K):\n    K = k\n    return {u}\n"
    "def f(x):\n    return h(x) * 1\n",
    "class": "class C:\n    K = {v}\ndef f(x):\n    return {a}\n",
    "namespace": "import types\nC = types.SimpleNamespace(K={v})\ndef f(x):\n"
    "    return {a}\n",
}
OF_NUMBERS = """K * x; x ** K; np.sum(x * K) + K; np.full(3, K) * x; x / (K + x); -K * x
np.maximum(x, K); np.where(x > K, x, K * x); (K + 1) * x; float(K) * x; K - x
np.sqrt(abs(K)) * x; np.clip(x, None, K) + x; x * K ** 2; np.exp(K * x) / (1 + K)
np.array([K, 1.0, 2.0]) * x; np.sum(x) * K; K * 2 * x; np.dot(x, x) * K"""
OF_WHOLE = """K * x; x ** K; x / K; np.ones(K)[0] * x; sum([x * i for i in range(K)])
x[:K] * 2; np.tile(x, K)[:3]; x * (K // 2); np.roll(x, K); x[K - 1] * x; K + x
np.zeros((K, 3)).sum(axis=0) + x; np.arange(K) @ x[:K]"""
# what is asked of their kinds, and arithmetic in few bits, of Python's numbers and NumPy's
KINDS = WHOLE + ["np.uint8(200)", "np.int8(100)", "3", "np.True_", "True", "0.5"]
KINDS += ["np.float64(0.5)", "np.float32(0.5)", "(np.True_, 2)[0]", "np.int64(3)"]
OF_KINDS = """x * 2 if isinstance(K, int) else x ** 2; x * 2 if K is True else x ** 3
x * 2 if isinstance(K, float) else x ** 2; x * 2 if type(K) is int else x ** 2
x * 2 if isinstance(K, np.integer) else x ** 2; x if hasattr(K, 'dtype') else x ** 2
x * 2 if isinstance(K, (bool, np.floating)) else x ** 2; x * len(repr(K))
x * 2 if type(K) is np.float64 else x ** 2; x * sum([K, K]); x * (max(K, 1) + 100)
x * (min(K, 300) + 1); x * abs(K) * 1.0; x * (K + K); x * (K * 2 + 100); x * round(K, 1)
x * float(K) + (0.0 if K is False else 1.0); x * (-K) * 1.0"""
OF_DTYPES = """x.astype(K) * 1.0; np.zeros(3, dtype=K) + x; np.asarray(x, dtype=K) * x
np.zeros_like(x, dtype=K) + x; np.arange(3, dtype=K) * x; np.ones(3, K) * x"""
OF_ROWS = """K[0] * x + K[1]; sum([k * x for k in K]); x * len(K); x * np.sum(K)
np.asarray(K)[0] * x; np.dot(np.array(K), x[:2]) * x; [x * a for a in K][1]"""
OF_ARRAYS = "K[0] * x; sum([k * x for k in K]); sum([k @ x for k in K]) * x"
OF_NESTS = "sum([a * x ** b for a, b in K]); K[1][0] * x"
OF_DICTS = """K['a'] * x + K['b']; sum([v * x for v in K.values()]); x * len(K)
sum([v * x for k, v in K.items()]); K.get('a', 1.0) * x; sum([K[k] * x for k in K])"""
OF_NESTED = "K['a']['b'] * x + K['c'][1]"
# kinds of constants, and what is written with them
GROUPS = {
    "numbers": (NUMBERS, OF_NUMBERS),
    "whole": (WHOLE, OF_WHOLE),
    "kinds": (KINDS, OF_KINDS),
    "flags": (["np.bool_(True)", "False"], "x * 2 if K else x; x * K"),
    "dtypes": (["np.float32", "np.dtype('f4')", "float", "'f8'"], OF_DTYPES),
    "rows": (["(0.5, 2.0)", "[0.5, 2.0]", "(np.float64(0.5), np.float32(2))"], OF_ROWS),
    "arrays": (["[np.ones(3), 2 * np.ones(3)]", "(np.arange(3.0), np.ones(3))"],)
    + (OF_ARRAYS,),
    "nests": (["((0.5, 1), (2.0, 0))", "[[0.5, 1], (2.0, 0)]"], OF_NESTS),
    "dicts": (["{'a': 0.5, 'b': np.float32(2)}", "{'a': 1, 'b': 2.0}"], OF_DICTS),
    "nested": (["{'a': {'b': np.float64(0.5)}, 'c': [1.0, 2.0]}"], OF_NESTED),
    "others": (["slice(0, 2)", "Ellipsis", "slice(None, None, 2)"], "x[K] * 2"),
    "shapes": (["(3,)", "[3]"], "np.ones(K) * x; x.reshape(K) * x; np.zeros(K) + x"),
    "made": (["np.array([0.5, 1, 2]) * len('ab')"], "x * K; K @ x * x; x[0] * K"),
}


@dataclass(frozen=True)
class Module(Program):
    """A module as it stands, which has one line as a program: nothing to reduce."""

    text: str = ""

    @property
    def source(self) -> str:
        return self.text.replace("\n", "\n\n\n", 1)

    def fits(self) -> bool:
        return False


def program(seed: int) -> tuple[Program, str]:
    """A program whose text has a constant, and the text with another one."""
    rng = Random(f"constants {seed}")
    values, uses = GROUPS[rng.choice(list(GROUPS))]
    use = rng.choice(re.split(r";\s*|\n", uses))
    form = PLACES[rng.choice(list(PLACES))]
    words = {"u": use, "a": re.sub(r"\bK\b", "C.K", use)}
    words["c"] = re.sub(r"\bK\b", "c", use)
    text = "import numpy as np\n" + form.format(v=rng.choice(values), **words)
    params = (Parameter("x", ("n",)),)
    sizes = {"n": 3}, {"n": 3}
    return Module(params, ("return x",), seed, "f", sizes, text=text), text


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    made, text = program(seed)
    function = imported(text, "f")
    for dtype in (np.float64, np.float32):
        case = Case(made, {}, "x", level=dtype.__name__)
        yield case, verdict(function, text, dtype, engine)


def verdict(function, text: str, dtype, engine) -> Verdict:
    found = Verdict(text=text)
    x = np.array([0.4, 1.1, 1.7], dtype)
    try:
        with np.errstate(all="ignore"):
            value = function(x)
    except Exception:
        return found  # NumPy does not take it
    seed = np.ones(np.shape(value)) if np.shape(value) else 1.0
    narrow = dtype is np.float32 or re.search("float(16|32)|f4", text)
    want = numeric_gradient(function, [x.astype(float)], 0, seed).value
    try:
        made = engine.value_and_grad(function)
        for _ in range(3):
            got, gradient = made(x)
    except GradgenError as refusal:
        found.refusal = str(refusal)
        return found
    except Exception:
        found.faults.append(broken_off())
        return found
    found.text += f"\n{made.source}"
    here, there = np.asarray(got), np.asarray(value)
    if here.dtype != there.dtype or here.tobytes() != there.tobytes():
        found.faults.append(Fault("primal value", f"{here!r}, not {there!r}"))
    loose = 2e-2 if narrow else 1e-6
    if gradient.dtype != dtype or np.shape(gradient) != (3,):
        found.faults.append(Fault("dtype", f"{gradient!r} of {dtype}"))
    elif not np.allclose(gradient, want, rtol=loose, atol=loose):
        found.faults.append(Fault("value", f"{gradient}, not {want}"))
    alone = of_text(function, x, engine)
    if alone is not None and not np.allclose(alone, gradient, rtol=1e-5, atol=1e-6):
        found.faults.append(Fault("value", f"alone {alone}, not {gradient}"))
    return found


def of_text(function, x, engine):
    """What the emitted text gives, executed alone; None where it is refused."""
    try:
        text = engine.emit(function, shapes={"x": "n"})
    except GradgenError:
        return None
    names: dict = {}
    exec(compile(text, "<alone>", "exec"), names)
    gradient = next(v for k, v in names.items() if k.startswith("grad_"))
    value = function(x)
    seed = {} if not np.shape(value) else {"d_out": np.ones(np.shape(value))}
    own = gradient.__code__.co_varnames[: gradient.__code__.co_argcount]
    if len(own) != 2:
        return None  # an array of a closure is a parameter
    return gradient(x, **{own[1]: one for one in seed.values()})
