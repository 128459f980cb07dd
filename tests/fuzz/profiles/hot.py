"""Calls whose tests stand in the call itself, and then arguments of another kind.

A derivative is called until its signature is written into its call. Then arguments
change: a rank, a length, an axis of length 1, the dtype, its byte order, the strides, a
subclass, a list, a number in place of an array. Each gradient is held against measured
differences; where the function raises, its derivative raises as well.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.called import Called, called
from tests.fuzz.judge import Fault, Verdict, broken_off

PROGRAMS = 15
REFUSED_AT_MOST = 0.1
MAKERS = ("grad", "value_and_grad", "vjp", "jvp", "hessian")
TERMS = (
    "np.sum({a} * {b})",
    "np.sum(np.tanh({a}) + {b})",
    "np.sum({a} * {a})",
    "np.sum(np.sin({a}))",
    "np.mean({a}) * np.sum({b} * {b})",
    "np.sum({a}[1:] * {b}[:-1])",
    "np.sum({a}.T @ {b})",
    "np.sum(np.exp(-{a}) / (1 + {b} * {b}))",
)
SHAPES = ((), (3,), (4,), (3, 3), (4, 3), (1, 3), (4, 1), (1,), (2, 4, 3))


class Own(np.ndarray):
    """A subclass of NumPy's that changes nothing."""


def text_of(rng: Random, names: str) -> str:
    """A module whose function is a sum of terms."""
    terms = []
    for name in names:
        other = rng.choice(names)
        terms.append(rng.choice(TERMS).format(a=name, b=other))
    body = " + ".join(terms)
    return f"import numpy as np\ndef f({', '.join(names)}):\n    return {body}\n"


def fitting(rng: Random, f: Any, count: int) -> list[Any] | None:
    """Arguments that the function takes; None where no draw fits."""
    for _ in range(40):
        shape = rng.choice(SHAPES)
        shapes = [shape if rng.random() < 0.6 else rng.choice(SHAPES)] * count
        if rng.random() < 0.5:
            shapes = [rng.choice(SHAPES) for _ in range(count)]
        dtype = np.float32 if rng.random() < 0.2 else np.float64
        args = [drawn(rng, one, dtype) for one in shapes]
        if all(not np.ndim(one) for one in args) or value_of(f, args) is not None:
            return args if value_of(f, args) is not None else None
    return None


def drawn(rng: Random, shape: tuple[int, ...], dtype: Any = np.float64) -> Any:
    """A number for no axes, else an array."""
    if not shape and rng.random() < 0.7:
        return rng.uniform(0.2, 1.5)
    entries = np.random.default_rng(rng.getrandbits(30)).uniform(0.2, 1.5, shape)
    return np.asarray(entries, dtype)


def value_of(f: Any, args: list[Any]) -> Any:
    """The function's value; None where it raises."""
    try:
        return f(*args)
    except Exception:
        return None


def changed(rng: Random, value: Any) -> Any:
    """An argument of another kind or size."""
    if isinstance(value, float):
        return rng.choice([2.0 * value, 2, np.float64(value), np.array(value), True])
    if not isinstance(value, np.ndarray):
        return value
    forms = [
        value[:-1] if value.ndim and len(value) > 1 else value * 2,
        value[:1] if value.ndim else value,
        value[None],
        value[..., None],
        value[0] if value.ndim else value,
        np.asfortranarray(value) if value.ndim else value,
        np.repeat(value, 2)[::2] if value.ndim == 1 else value.T,
        value[::-1] if value.ndim else value,
        value.astype(np.float32),
        value.astype(np.float64),
        value.astype(value.dtype.newbyteorder()),
        np.round(value * 3).astype(int),
        value.view(Own),
        value.tolist(),
        rng.uniform(0.2, 1.5),
    ]
    return rng.choice(forms)


def verdicts(seed: int, engine) -> Iterator[tuple[Called, Verdict]]:
    """A program, and one request for each call after the first three."""
    rng = Random(f"hot {seed}")
    names = "abcdefgh"[: rng.choice((1, 2, 2, 3, 4, 6))]
    text = text_of(rng, names)
    case = called(text, seed, rng.choice(names))
    f = case.program.function
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        base = fitting(rng, f, len(names))
        if base is None:
            return
        maker, at = rng.choice(MAKERS), names.index(case.wrt)
        made = getattr(engine, maker)(f, wrt=case.wrt)
        for turn in range(9):
            args = list(base)
            for _ in range(rng.randint(1, 2) if turn > 2 else 0):
                k = rng.randrange(len(args))
                args[k] = changed(rng, args[k])
            yield case, judged(f, made, maker, args, at, text)


def judged(f: Any, made: Any, maker: str, args: list[Any], at: int, text: str) -> Any:
    """One call held against measured differences."""
    kinds = [
        f"{type(a).__name__} {np.shape(a)} {getattr(a, 'dtype', '')}" for a in args
    ]
    found = Verdict(text=f"{text}# {maker} in {at}: {', '.join(kinds)}")
    value = value_of(f, args)
    x = args[at]
    plain = np.asarray(x)
    tangent = np.cos(np.arange(plain.size)).reshape(plain.shape).astype(plain.dtype)
    tangent = float(tangent) if isinstance(x, (float, int)) else tangent
    try:
        got = made(*args, *([tangent] if maker == "jvp" else []))
    except GradgenError as refusal:
        found.refusal = "" if value is None else str(refusal)
        return found
    except Exception:
        if value is not None:
            found.faults.append(broken_off())
        return found
    if value is None and re.search(r"[@[]", text) and not all(map(np.ndim, args)):
        return found  # a part of a number: a text may leave the line out
    if value is None and "[" in text and any(map(_is_one_row, args)):
        return found  # its [:-1] is [], which has no axis of columns: left out as well
    if value is None:
        found.faults.append(Fault("no error", "the function raises"))
        return found
    if plain.dtype.kind != "f" or maker == "hessian":
        if maker == "hessian" and np.shape(got) != 2 * plain.shape:
            found.faults.append(Fault("shape", f"{np.shape(got)}"))
        return found
    exact = [as_float64(one) for one in args]
    want = numeric_gradient(f, exact, at).value
    narrow = any(getattr(a, "dtype", None) == np.float32 for a in args)
    rtol = 2e-4 if narrow else 1e-6
    if maker in ("value_and_grad", "vjp", "jvp"):
        if not np.allclose(got[0], value, rtol):
            found.faults.append(Fault("value", f"{got[0]}, not {value}"))
        got = got[1]
    if maker == "vjp":
        got = got()
    if maker == "jvp":
        want = np.sum(want * tangent)
    elif np.shape(got) != plain.shape:
        found.faults.append(Fault("shape", f"{np.shape(got)}"))
        return found
    elif isinstance(x, np.ndarray) and native(got) != native(x):
        found.faults.append(Fault("dtype", f"{got.dtype}, not {x.dtype}"))
    scale = np.max(np.abs(want), initial=1.0)
    if not np.allclose(got, want, rtol=0, atol=rtol * scale):
        found.faults.append(Fault("value", f"{got}, not {want}"))
    return found


def _is_one_row(value: Any) -> bool:
    """Whether a value is a list of one list."""
    return isinstance(value, list) and np.ndim(value) > 1 and len(value) == 1


def native(value: Any) -> np.dtype:
    """The dtype of an array in the machine's byte order."""
    return value.dtype.newbyteorder("=")


def as_float64(value: Any) -> Any:
    """An argument with its floats in double precision; np.tanh(True) is of 11 bits."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return np.asarray(value, np.float64)
    return np.asarray(value) if isinstance(value, list) else value
