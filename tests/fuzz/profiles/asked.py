"""Ways that are decided by what is asked of an argument: its rank, length, dtype, kind.

An option, a number, None or an array decides which statements run: in the function, in
one that it calls, in a loop, before an early return. A name may be None by one way and
an array by the other. Nothing is told; the derivative is called with arguments of
several kinds in turn, and each answer has to be the one of the way that is taken, or
an exception where the function raises one. The text that is emitted is run as well.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Iterator
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from tests.fuzz.case import Case
from tests.fuzz.judge import Fault, Verdict, broken_off, noted
from tests.fuzz.profiles.constants import Module
from tests.fuzz.program import Parameter, imported

PROGRAMS = 16
REFUSED_AT_MOST = 0.5  # most are None by one way, or of a kind that no text decides
ASKED = """
x.ndim == 1; x.ndim < 2; np.ndim(w) == 0; np.ndim(x) > 1; len(np.shape(x)) == 2; flag
x.shape[0] > 2; len(x) > 2; x.shape[-1] == x.shape[0]; np.size(x) > 3; x.size < 4
x.dtype == np.float64; x.dtype == np.float32; x.dtype.kind == "f"; x.dtype == w.dtype
np.issubdtype(x.dtype, np.floating); isinstance(x, np.ndarray); isinstance(w, float)
isinstance(w, (int, float)); np.isscalar(w); w is None; w is not None; mode == "a"
mode in ("b", "c"); mode.startswith("a"); not flag; k > 2; k % 2; hasattr(w, "shape")
np.iterable(w); type(w) is float; np.isrealobj(x); w is None or np.ndim(w) == 0
flag and mode != "b"; w is not None and np.ndim(w) == np.ndim(x); k == 1 or flag
x.dtype.itemsize == 8; x.dtype.name == "float64"; np.result_type(x) == np.float32
u is None; u is not None; mode == "a" and w is None; not (w is None); bool(mode)
np.shape(w) == np.shape(x); np.asarray(w).ndim == 0; isinstance(x, (list, tuple))
"""
DONE = """
x = x[None]; x = np.ravel(x); x = x * 2.0; x = x.T; w = np.ones_like(x); w = 1.0; w = x
u = None; u = x * 3.0; u = np.sum(x); x = x.astype(np.float64); w = np.asarray(w) * 1.0
c = np.asarray(x).dtype.type(3); x = np.atleast_2d(x); x = np.sin(x); k = k + 1; k = 3
mode = "b"; return np.sum(x) * 2.0; raise ValueError("not this"); x = h(x, w); pass
x = h(x); x = x[0] * x; u = h(x, u); w = h(w, None); x = x + np.size(x); mode = None
x = np.asarray(x, dtype=float); w = None; u = w; x = x / np.shape(x)[0]; flag = not flag
"""
OWN = """
y = x * w if w is not None else x; y = x if u is None else x + u; y = x * k; y = h(x, w)
y = h(x, w if flag else None); y = x * (w or 1.0); y = h(x, u); y = x * c; y = np.cos(x)
y = h(x) if mode == "a" else h(x, 2.0); y = x + (u if u is not None else 0.5)
y = x * (2.0 if x.ndim == 1 else 3.0); y = g(x, mode); y = g(x); y = g(x, mode=mode)
y = g(x * x, "b" if flag else "a"); y = sum(h(x, w) for _ in range(k)); y = x ** k
"""
CALLED = [
    "if b is None:\n    return a * 2.0\nreturn a * b",
    "if b is None:\n    b = np.ones_like(a)\nreturn a * b + b",
    "b = 1.0 if b is None else b\nreturn np.sin(a) * b",
    "if np.ndim(a) == 0:\n    return a * 3.0\nreturn a * a",
    "if a is None:\n    return None\nreturn a if b is None else a - b",
    "if np.ndim(b) > 0:\n    return a + b\nreturn a * 0.5",
    "return a * a.dtype.type(2) if hasattr(a, 'dtype') else a * 2.5",
]
BY_MODE = [
    "if mode == 'a':\n    return np.sin(a)\nelif mode == 'b':\n    return a * a\n"
    "raise ValueError(mode)",
    "return {'a': np.sin, 'b': np.cos}[mode](a)",
    "if mode is None:\n    return a\nscale = 2.0 if mode == 'a' else None\n"
    "return a * a if scale is None else a * scale",
    "f = np.exp if mode == 'a' else np.tanh\nreturn f(a * 0.3)",
]


def _lines(text: str) -> list[str]:
    return [one.strip() for row in text.strip().splitlines() for one in row.split(";")]


def _indented(text: str, by: str = "    ") -> str:
    return "".join(f"{by}{line}\n" for line in text.splitlines())


def program(seed: int) -> tuple[str, list[tuple]]:
    """The text of a module, and the arguments that its function is called with."""
    rng = Random(f"asked {seed}")
    body = []
    if rng.random() < 0.6:
        body.append(f"u = {rng.choice(['None', 'x', 'np.sum(x)', 'w'])}")
    for _ in range(rng.choice((1, 2, 2, 3))):
        body.append(_question(rng))
    body.append(rng.choice(_lines(OWN)))
    end = rng.choice(["np.sum(y * y)", "np.sum(y)", "y", "np.mean(y) * 2.0"])
    text = "import numpy as np\n\n\ndef h(a, b=None):\n"
    text += _indented(rng.choice(CALLED)) + "\n\ndef g(a, mode='a'):\n"
    text += _indented(rng.choice(BY_MODE))
    text += "\n\ndef f(x, w=None, mode='a', flag=False, k=2):\n"
    text += _indented("\n".join(body)) + f"    return {end}\n"
    return text, [_arguments(rng) for _ in range(4)]


def _question(rng: Random) -> str:
    asked = rng.choice(_lines(ASKED))
    if rng.random() < 0.2:
        asked = f"({asked}) {rng.choice(['and', 'or'])} {rng.choice(_lines(ASKED))}"
    inner = _indented(rng.choice(_lines(DONE)))
    text = f"if {asked}:\n{inner}"
    if rng.random() < 0.4:
        text += f"else:\n{_indented(rng.choice(_lines(DONE)))}"
    elif rng.random() < 0.2:
        text += (
            f"elif {rng.choice(_lines(ASKED))}:\n{_indented(rng.choice(_lines(DONE)))}"
        )
    if rng.random() < 0.15:
        text = f"for _ in range({rng.choice(['2', 'k', 'x.ndim'])}):\n{_indented(text)}"
    return text.rstrip()


def _arguments(rng: Random) -> tuple:
    numbers = np.random.default_rng(rng.randrange(10**6))
    dtype = rng.choice([np.float64, np.float64, np.float32])
    shape = rng.choice([(), (3,), (2,), (4,), (2, 2), (2, 3)])
    x = numbers.uniform(0.4, 1.6, shape).astype(dtype)
    if not shape:
        x = dtype(x)
    w = rng.choice([None, None, 0.5, 2, "own", "row", "single"])
    if w == "own":
        w = numbers.uniform(0.4, 1.6, shape)
    elif w == "row":
        w = numbers.uniform(0.4, 1.6, shape[-1:] or (2,))
    elif w == "single":
        w = np.float32(0.75)
    mode = rng.choice(["a", "a", "b", "c"])
    given = (x, w, mode, rng.random() < 0.5, rng.choice((1, 2, 3)))
    return given[: rng.choice((1, 2, 3, 5))]


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    text, calls = program(seed)
    made = Module((Parameter("x", ("n",)),), ("return x",), seed, "f", text=text)
    case = Case(made, {}, "x", level="none")
    found = Verdict(text=text)
    with noted(found), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        _by_calls(imported(text, "f"), calls, engine, found)
        if not found.faults:
            _by_text(imported(text, "f"), calls, engine, found)
    yield case, found


def _by_calls(function, calls, engine, found: Verdict) -> None:
    derivative = engine.value_and_grad(function, wrt="x")
    for args in [*calls, calls[0]]:
        want = _measured(function, args)
        if want is None:
            continue
        try:
            got = derivative(*args)
        except GradgenError as refusal:
            found.refusal = str(refusal)
            continue
        except Exception as error:
            if not isinstance(want, Exception):
                found.faults.append(broken_off())
                return
            if type(error) is not type(want) and not isinstance(error, TypeError):
                told = f"{error!r}, not {want!r}"
                found.faults.append(Fault("exception", told))
            continue
        found.faults += _compared(args, got, want, derivative.source)


def _by_text(function, calls, engine, found: Verdict) -> None:
    try:
        text = engine.emit(function, wrt="x")
    except GradgenError as refusal:
        found.refusal = found.refusal or str(refusal)
        return
    space: dict = {}
    exec(text, space)
    # where nothing is told, an option that may be an array makes float32 float64
    for args in calls:
        want = _measured(function, args)
        if want is None:
            continue
        gradient, seed = space["grad_f"], {}
        if not isinstance(want, Exception) and np.shape(want[0]):
            last = [*inspect.signature(gradient).parameters][-1]
            seed = {last: np.ones(np.shape(want[0]), np.asarray(want[0]).dtype)}
        try:
            got = gradient(*args, **seed)
        except Exception as error:
            if not isinstance(want, Exception) and not _is_told(error):
                found.faults.append(Fault("text raises", f"{args}: {error!r}\n{text}"))
            continue
        value = want if isinstance(want, Exception) else want[0]
        faults = _compared(args, (value, got), want, text)
        found.faults += (one for one in faults if one.kind != "dtype")


def _is_told(error: Exception) -> bool:
    """Whether an exception says what the text takes."""
    return bool(
        re.search(
            r"is taken|takes|must be|for |a number|expects|have no gradient", str(error)
        )
    )


def _compared(args, got, want, text: str) -> Iterator[Fault]:
    if isinstance(want, Exception):
        yield Fault("value where the primal raises", f"{args}: {got}, {want!r}\n{text}")
        return
    (value, gradient), (right, slope, wide) = got, want
    close = dict(rtol=wide, atol=wide, equal_nan=True)
    if np.shape(value) != np.shape(right) or not np.allclose(value, right, **close):
        yield Fault("value", f"{args}: value {value}, not {right}\n{text}")
    elif np.shape(gradient) != np.shape(slope):
        yield Fault("shape", f"{args}: {gradient}, not {slope}\n{text}")
    elif not np.allclose(gradient, slope, rtol=20 * wide, atol=20 * wide):
        yield Fault("value", f"{args}: {gradient}, not {slope}\n{text}")
    elif np.asarray(gradient).dtype != np.asarray(args[0]).dtype:
        kinds = np.asarray(gradient).dtype, np.asarray(args[0]).dtype
        yield Fault("dtype", f"{args}: {kinds}\n{text}")


def _measured(function, args):
    """Value and gradient by differences that keep the dtype, and how exact they are.

    The exception where it raises one of its own; None where there is nothing to tell.
    """
    x = args[0]
    single = np.asarray(x).dtype == np.float32
    steps, wide = ((0.04, 0.02), 3e-4) if single else ((2e-3, 1e-3), 1e-6)

    def total(moved):
        return np.sum(np.asarray(function(moved, *args[1:]), dtype=np.float64))

    try:
        value = function(x, *args[1:])
    except ValueError as error:
        return error
    except Exception:
        return None  # what NumPy and Python do not take is not promised to raise
    if value is None or isinstance(value, (str, tuple, list)):
        return None
    slope = np.zeros(np.shape(x))
    for place in np.ndindex(np.shape(x)):
        found = []
        for step in steps:
            move = np.zeros(np.shape(x))
            move[place] = step
            up, down = (x + move).astype(x.dtype), (x - move).astype(x.dtype)
            found.append((total(up) - total(down)) / (2 * step))
        if not np.isclose(*found, rtol=0.1, atol=0.1):
            return None  # so steep that neither step measures it
        slope[place] = (4 * found[1] - found[0]) / 3
    return value, slope, wide
