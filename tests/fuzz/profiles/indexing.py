"""Keys of every kind, read and stored through, and then something of shape.

Numbers, slices with steps, None, ..., lists, arrays of integers of 0 to 2 axes and
masks of 1 and 2 axes, in any order on arrays of 1 to 4 axes; np.take and its like.
What is read goes into an operation that depends on where its axes are: NumPy puts
the axes of index arrays first where a slice stands between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from tests.fuzz.case import Case, Truth
from tests.fuzz.facts import LEVELS
from tests.fuzz.judge import Verdict, examine
from tests.fuzz.program import GENERAL, SAMPLES, Parameter, Program

PROGRAMS = 30
REFUSED_AT_MOST = 0.03
LETTERS = "bndm"


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = generate(seed)
    truth = Truth(program)
    names = tuple(param.name for param in program.params)
    told = {name: param.fact for name, param in zip(names, program.params)}
    some = Random(seed).choice(names)
    for level, shapes in zip(LEVELS, (told, {some: told[some]}, {})):
        case = Case(program, shapes, names, level=level)
        yield case, examine(case, engine, truth, companions=False)


def generate(seed: int) -> Program:
    """The first program of this seed that runs at all sizes."""
    rng = Random(f"indexing {seed}")
    while True:
        program = drawn(rng, seed)
        if program is not None and program.fits():
            return program


def drawn(rng: Random, seed: int) -> Program | None:
    dims = tuple(rng.sample(LETTERS, rng.choice((1, 2, 3, 3, 3, 4, 4))))
    lines: list[str] = []
    read = part(rng, dims, lines) if rng.random() < 0.8 else taken(rng, dims, lines)
    x = Parameter("x", dims)
    found = result_dims(Program((x,), (*lines, f"return {read}"), seed))
    if found is None:
        return None
    w = Parameter("w", found)
    known = all(found)  # every axis has a name or a number
    if "[" in read and read.startswith("x[") and rng.random() < 0.4:
        key = read[1:]
        lines += stored(rng, key, known)
    else:
        lines += used(rng, read, found, known)
    text = " ".join(lines)
    params = (x, w) if "w" in text.replace("where", "") else (x,)
    return Program(params, tuple(lines), seed)


def part(rng: Random, dims: tuple[str, ...], lines: list[str]) -> str:
    """x[key] of a random key; index arrays and tuples may stand on lines of their own."""
    items: list[str] = []
    axis = 0
    # half of the keys have what NumPy puts first: index arrays around a slice
    around = rng.choice([("number", "array"), ("array", "number"), ("index",) * 2])
    wanted = [around[0], "between", around[1]] if rng.random() < 0.7 else []
    if wanted and len(dims) > 2 and rng.random() < 0.5:
        wanted.insert(0, "between")
    while axis < len(dims) and (wanted or rng.random() < 0.85):
        want = wanted.pop(0) if wanted else "any"
        item, used_axes = one_item(rng, len(dims), axis, want)
        items.append(item)
        axis += used_axes
    if "..." not in items and axis < len(dims) and rng.random() < 0.4:
        items.append("...")
        while axis < len(dims) and rng.random() < 0.7:
            # counted from the end: only what takes one axis
            items.append(rng.choice(["0", "-1", ":", "[0, 1]", "1:", "None"]))
            axis += items[-1] != "None"
    items = items or ["..."]
    for k, item in enumerate(items):
        if item.startswith(("np.", "(", "[")) and rng.random() < 0.25:
            lines.append(f"k{k} = {item}")
            items[k] = f"k{k}"
    key = ", ".join(items)
    if len(items) > 1 and ":" not in key and rng.random() < 0.3:
        lines.append(f"key = ({key})")
        key = "key"
    return f"x[{key}]"


KINDS = {
    "any": "int int slice slice array array list none mask zero masks".split(),
    "index": "int int int array array list mask zero masks".split(),
    "number": ["int"],
    "array": "array array list mask masks".split(),
    "between": "slice slice slice none".split(),
}


def one_item(rng: Random, rank: int, axis: int, want: str) -> tuple[str, int]:
    """One part of a key, and how many axes it takes."""
    k = axis
    kind = rng.choice(KINDS[want])
    if kind == "int":
        return rng.choice(["0", "1", "-1", "-2", "np.argmax(np.abs(x)) % 2"]), 1
    if kind == "slice":
        return rng.choice([":", ":", "1:", ":-1", "::2", "::-1", "-2:", "1:2"]), 1
    if kind == "list":
        return rng.choice(["[1, 0]", "[0, 0]", "[-1, 0]", "[1]", "[[0, 1], [1, 1]]"]), 1
    if kind == "array":
        found = [
            "np.array([0, 1])",
            "np.array([1, 1])",
            "np.arange(2)",
            "np.array([1])",
        ]
        found += ["np.array([[0, 1], [1, 0]])", "np.array([[0], [1]])"]
        found += ["np.argsort(np.ravel(x)[:4])[:2] % 2"]
        return rng.choice(found), 1
    if kind == "zero":
        return "np.array(1)", 1
    if kind == "none":
        return "None", 0
    if kind == "mask":
        forms = [
            f"(np.arange(x.shape[{k}]) % 2 == 0)",
            f"(np.arange(x.shape[{k}]) < 2)",
        ]
        if axis == 0 and rank == 1:
            forms.append("(x > 0)")
        return rng.choice(forms), 1
    if rank - axis < 2:
        return ":", 1
    rows, columns = f"np.arange(x.shape[{k}])", f"np.arange(x.shape[{k + 1}])"
    return f"(({rows}[:, None] + {columns}) % 2 == 0)", 2


def taken(rng: Random, dims: tuple[str, ...], lines: list[str]) -> str:
    """A function that takes entries: np.take, np.ix_, np.compress, ..."""
    rank = len(dims)
    axis = rng.randrange(-rank, rank)
    index = rng.choice(["[0, 1, 0]", "1", "np.array([[0, 1], [1, 1]])", "np.array(0)"])
    forms = [f"np.take(x, {index}, axis={axis})", f"x.take({index}, axis={axis})"]
    forms += ["np.take(x, [1, 0])", f"np.take(x, {index}, {axis})"]
    mask = f"np.arange(x.shape[{axis}]) % 2 == 0"
    forms += [f"np.compress({mask}, x, axis={axis})"]
    forms += [f"np.delete(x, {rng.choice(['0', '-1', '[0, 1]'])}, axis={axis})"]
    order = f"np.argsort(x, axis={axis})"
    forms += [f"np.take_along_axis(x, {order}, axis={axis})"]
    forms += [
        f"np.take_along_axis(x, np.argmax(x, axis={axis}, keepdims=True), {axis})"
    ]
    if rank > 1:
        forms += [f"x[np.ix_([0, 1], {rng.choice(['[1]', '[0, 1, 1]', mask0(1)])})]"]
        forms += ["x[np.nonzero(x > 0)]", "x[np.arange(2), ..., np.array([0, 1])]"]
    if rank > 2:
        forms += ["x[:, np.ix_([0, 1], [1, 0])[0], np.ix_([0, 1], [1, 0])[1]]"]
        forms += ["np.choose([0, 1], [x[0, ..., 0:1], x[1, ..., 1:2]])"]
    forms += ["np.select([x > 0.5, x < -0.5], [x * x, -x], 0.1)"]
    return rng.choice(forms)


def mask0(axis: int) -> str:
    return f"np.arange(x.shape[{axis}]) < 2"


def result_dims(program: Program) -> tuple[str, ...] | None:
    """The axes of the result by name or number, "" for what has neither."""
    shapes = []
    for k in (*SAMPLES, None):
        base = program
        if k is None:
            base = Program(program.params, program.lines, program.seed)
            object.__setattr__(base, "sizes", (GENERAL, GENERAL))
        try:
            with np.errstate(all="ignore"):
                value = base.function(*base.arguments(k or 0))
        except (IndexError, ValueError, TypeError):
            return None
        sizes = base.sizes[k or 0]
        shapes.append((np.shape(value), sizes))
    if len({len(shape) for shape, _ in shapes}) > 1:
        return None
    found = []
    for axis in range(len(shapes[0][0])):
        lengths = [(shape[axis], sizes) for shape, sizes in shapes]
        letters = [c for c in LETTERS if all(n == sizes[c] for n, sizes in lengths)]
        numbers = {n for n, _ in lengths}
        number = str(*numbers) if len(numbers) == 1 else ""
        found.append(letters[0] if letters else number)
    return tuple(found)


def used(rng: Random, read: str, dims: tuple[str, ...], known: bool) -> list[str]:
    """Statements that use what was read by its shape, and return a number or more."""
    lines = [f"v = {read}"]
    waves = "np.cos(np.arange(u.size)).reshape(u.shape)"
    forms = ["u = v * v"]
    if dims:
        axis = rng.randrange(-len(dims), len(dims))
        kept = rng.choice(["", ", keepdims=True"])
        forms += [f"u = np.{f}(v, axis={axis}{kept})" for f in ("mean", "var", "max")]
        forms += [f"u = v - np.mean(v, axis={axis}, keepdims=True)"]
        forms += [f"u = np.concatenate([v, 2 * v], axis={axis})"]
        forms += [f"u = np.cumsum(v, axis={axis}) ** 2"]
        forms += [f"u = np.stack([v, v * v], axis={axis})"]
        forms += ["u = v @ np.cos(np.arange(v.shape[-1]))", "u = v.T"]
        forms += ["u = np.mean(v)", "u = v.reshape(-1)", "u = v / np.sum(v * v)"]
    if known:
        forms += ["u = v * w", "u = w - v", "u = np.where(v > w, v, w)"] * 2
        forms += ["u = np.minimum(v, 2 * w)"]
    lines.append(rng.choice(forms))
    return [*lines, rng.choice([f"return np.sum(u * {waves})", "return u"])]


def stored(rng: Random, key: str, known: bool) -> list[str]:
    """Statements that store through the key."""
    start = rng.choice(["z = x * x", "z = np.zeros_like(x)", "z = x.copy()"])
    sign = rng.choice(["=", "+=", "*=", "-="])
    values = ["np.sum(x)", "2.0", "np.ravel(x)[0]"]
    if known:
        values += ["w", "w * w"] * 3
    values += [f"np.sin(x{key})"]
    waves = "np.cos(np.arange(z.size)).reshape(z.shape)"
    end = rng.choice([f"return np.sum(z * z * {waves})", "return z", f"return z{key}"])
    return [start, f"z{key} {sign} {rng.choice(values)}", end]
