"""Seeds and tangents of every kind, of real results and of complex ones.

A result is a number, an array, or complex; what seeds it is a number of Python's or of
NumPy's, an array of some dtype, a list, a complex one of these, or what is no seed: of
another shape, a matrix, a word. A seed is right, or refused by name; a complex result
has no default. The function's own arguments may be called `seed`, `d_out`, `example`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import Case
from tests.fuzz.judge import Fault, Verdict, broken_off, noted
from tests.fuzz.profiles.constants import Module
from tests.fuzz.program import Parameter, imported

PROGRAMS = 24
REFUSED_AT_MOST = 0.05
RTOL = 1e-6
# results of x and c, each of which may be complex, and what makes one real or complex
INSIDE = """x * c; c * x + 0.5; np.exp(0.3 * x) * c; np.sin(x) * c; x * x + c; x / (c + 3.0)
np.fft.fft(x * c); np.conj(x) * c; x - np.conj(c); np.fft.ifft(x) * c; x * c * 1j
np.cos(x) + 1j * np.sin(c * x); np.where(x.real > 0.9, x, c * x); np.outer(x, c * x)"""
OUTER = """{}; {}; np.sum({}); np.sum({}); np.abs({}); ({}).real; np.imag({}); np.real({})
np.sum(np.abs({}) ** 2); np.mean({}); ({})[1]; np.angle({} + 4.0); np.prod({})"""
NAMES = ("x", "x", "seed", "d_out", "example", "value", "d_x", "shapes", "tangent")
DOORS = ("grad", "grad", "value_and_grad", "vjp", "vjp", "text", "jvp")
KINDS: dict[str, Callable[[np.ndarray], Any]] = {
    "none": lambda v: None,
    "float": lambda v: 0.5,
    "int": lambda v: 2,
    "bool": lambda v: True,
    "complex": lambda v: 0.5 - 1.5j,
    "unit": lambda v: 1j,
    "float32": lambda v: np.float32(0.5),
    "complex64": lambda v: np.complex64(0.5 - 2j),
    "int8": lambda v: np.int8(2),
    "0-d": lambda v: np.array(1.5),
    "0-d complex": lambda v: np.array(1.5j),
    "array": lambda v: v,
    "array float32": lambda v: v.astype(np.float32),
    "array of ints": lambda v: np.round(v * 3).astype(np.int32),
    "array of bools": lambda v: v > 1,
    "complex array": lambda v: v * (0.5 - 1j),
    "complex array 64": lambda v: (v * (0.5 - 1j)).astype(np.complex64),
    "no complex part": lambda v: v + 0j,
    "list": lambda v: v.tolist(),
    "list of complex": lambda v: (v * 1j).tolist(),
    "tuple": lambda v: tuple(v.tolist()) if v.ndim else (1.0,),
    "strided": lambda v: np.repeat(v, 2, axis=0)[::2] if v.ndim else v,
    "one axis more": lambda v: v[None],
    "one entry": lambda v: v.ravel()[:1].reshape((1,) * max(v.ndim, 1)),
    "matrix": lambda v: np.matrix(v),
    "masked": lambda v: np.ma.array(v),
    "objects": lambda v: np.array([object()] * v.size).reshape(v.shape),
    "word": lambda v: "1",
    "dictionary": lambda v: {"a": v},
}
NEVER = ("one axis more", "matrix", "masked", "objects", "word", "dictionary")


@dataclass(frozen=True)
class Asked:
    """A module's text, the arguments of its function f, and by which door with what."""

    text: str
    name: str
    args: tuple
    door: str
    kind: str
    seed_of: int

    def seed(self, like: Any) -> Any:
        """The seed, of the shape of what it is a seed of."""
        numbers = np.random.default_rng(self.seed_of)
        return KINDS[self.kind](np.array(numbers.uniform(0.4, 1.6, np.shape(like))))


def asked(seed: int) -> Asked:
    rng = Random(f"seeds {seed}")
    name = rng.choice(NAMES)
    pool = [one.strip() for row in INSIDE.split("\n") for one in row.split(";")]
    outer = [one.strip() for row in OUTER.split("\n") for one in row.split(";")]
    body = rng.choice(outer).format(rng.choice(pool))
    names = {"x": name, "c": "c"}
    words = "".join(f"    {a} = {b}\n" for a, b in names.items() if a != b)
    text = f"import numpy as np\n\n\ndef f({name}, c):\n{words}    return {body}\n"
    numbers = np.random.default_rng(rng.randrange(10**6))
    narrow = rng.random() < 0.15
    args = []
    for is_complex in (rng.random() < 0.4, rng.random() < 0.4):
        value = numbers.uniform(0.4, 1.6, 3)
        value = value + 1j * numbers.uniform(0.2, 0.8, 3) if is_complex else value
        args.append(value.astype("F" if is_complex else "f") if narrow else value)
    door, kind = rng.choice(DOORS), rng.choice(list(KINDS))
    return Asked(text, name, tuple(args), door, kind, rng.randrange(10**6))


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    one = asked(seed)
    made = Module((Parameter("x", ("n",)),), ("return x",), seed, "f", text=one.text)
    case = Case(made, {}, "x", level=f"{one.door}, {one.kind}")
    found = Verdict(text=f"{one.args}\n{one.text}")
    with noted(found), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        judge(one, engine, found)
    yield case, found


def fits(kind: str, seed: Any, like: Any) -> bool:
    """Whether it is a seed, or a tangent, of what is `like` this."""
    if kind in NEVER:
        return False
    if seed is None:
        return not np.iscomplexobj(like)
    shapes = ((), np.shape(like))
    return np.shape(seed) in shapes and (
        np.iscomplexobj(like) or not np.iscomplexobj(seed)
    )


def judge(one: Asked, engine, found: Verdict) -> None:
    function = imported(one.text, "f")
    result = function(*one.args)
    like = one.args[0] if one.door == "jvp" else result
    seed = one.seed(like)
    fine = fits(one.kind, seed, like)
    if one.door == "jvp":  # no number stands for a tangent, and nothing does
        fine = fine and seed is not None and np.shape(seed) == np.shape(like)
    if one.door == "text" and seed is not None:
        if not fine or isinstance(seed, (list, tuple)):
            return  # a text takes arrays and numbers, and does not check what it is given
    try:
        got = answer(one, engine, function, seed)
    except GradgenError as refusal:
        if not re_fits(refusal, fine):
            found.faults.append(Fault("refusal", str(refusal)))
        elif fine:
            found.refusal = str(refusal)
        return
    except ValueError:
        if one.door != "text" or np.shape(seed) == np.shape(result):
            raise
        return  # a number of an array: a text names the shape, and may need it
    except TypeError as error:
        if fine or one.door != "text":
            found.faults.append(broken_off())
        elif "d_out" not in str(error):
            found.faults.append(Fault("message", str(error)))
        return
    if not fine:
        found.faults.append(Fault("accepted", f"{seed!r} of {like!r}: {got!r}"))
        return
    found.faults += compared(one, function, result, seed, got)


def re_fits(refusal: GradgenError, fine: bool) -> bool:
    """Whether a refusal speaks of the seed where that is what is wrong."""
    of_seed = refusal.code in ("GG506", "GG508", "GG509", "GG513")
    return bool(refusal.advice) and (not of_seed or refusal.code == "GG513" or not fine)


def answer(one: Asked, engine, function, seed: Any) -> Any:
    """What comes of one request: (value, gradient), or the gradient alone."""
    if one.door == "jvp":
        return engine.jvp(function, wrt=one.name)(*one.args, seed)
    if one.door == "vjp":
        value, pullback = engine.vjp(function, wrt=one.name)(*one.args)
        return value, pullback() if seed is None else pullback(seed)
    if one.door == "text":
        names = {one.name: one.args[0], "c": one.args[1]}
        told = [name for name, arg in names.items() if np.iscomplexobj(arg)]
        text = engine.emit(function, wrt=one.name, complex=told)
        space: dict = {}
        exec(compile(text, "<gradgen alone>", "exec"), space)
        if seed is None:
            return None, space["grad_f"](*one.args)
        return None, space["grad_f"](*one.args, seed)
    derivative = getattr(engine, one.door)(function, wrt=one.name)
    got = derivative(*one.args, **({} if seed is None else {"seed": seed}))
    return got if one.door == "value_and_grad" else (None, got)


def compared(one: Asked, function, result, seed: Any, got: Any) -> Iterator[Fault]:
    """The faults of an answer, against differences in the parts of x."""
    value, derivative = got
    if value is not None and not np.array_equal(value, result):
        yield Fault("primal value", f"{value!r}, not {result!r}")
    double = [arg.astype("D" if np.iscomplexobj(arg) else "d") for arg in one.args]
    if one.door == "jvp":
        tangent = np.asarray(seed)
        step, like = 1e-5, np.asarray(result)
        ahead, behind = (
            function(double[0] + s * step * tangent, double[1]) for s in (1, -1)
        )
        want = (ahead - behind) / (2 * step)
    else:
        weight = 1.0 if seed is None else np.asarray(seed)
        true = numeric_gradient(
            lambda x, c: np.sum((weight * function(x, c)).real), double, 0
        )
        if not np.all(true.error <= RTOL):
            return
        want, like = true.value, one.args[0]
    if one.door == "text" and hasattr(seed, "dtype"):
        derivative = np.asarray(derivative).astype(like.dtype)  # a text computes in it
    form = np.shape(derivative), np.asarray(derivative).dtype
    if form != (np.shape(like), like.dtype):
        yield Fault("form", f"{form}, not {np.shape(like)} {like.dtype}")
    narrow = one.args[0].dtype.char in "fF" or one.args[1].dtype.char in "fF"
    close = (1e-4 if narrow else 4 * RTOL) * np.max(np.abs(want), initial=1.0)
    if not np.all(np.abs(derivative - want) <= close):
        yield Fault("value", f"{derivative!r}, not {want!r}")
