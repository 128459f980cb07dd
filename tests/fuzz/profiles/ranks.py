"""One text with nothing told, or with one rank, run on arguments of every other rank.

Axes, views, products, joins and stores as they are written for vectors, matrices and
stacks alike. All axes are equally long, so that a text for another rank gives another
number and not an error. What the text assumes, it checks, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import Case, tolerance
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.program import Parameter, Program

PROGRAMS = 40
REFUSED_AT_MOST = 0.02
LONG = 3  # each axis
RAISED = ("taken for", "is wanted", "are wanted")

ONE = """
{a}.T; {a}[0]; {a}[-1]; {a}[..., 0]; {a}[:, None]; {a}[None]; {a}[1:]; {a}[::-1]; {a}[:, 0]
np.sum({a}); np.sum({a}, axis=0); np.sum({a}, axis=-1); np.sum({a}, axis=1); {a}.mean(0)
np.mean({a}, axis=0, keepdims=True); np.max({a}, axis=-1); np.max({a}); {a}.min(axis=0)
np.cumsum({a}); np.cumsum({a}, axis=0); np.cumsum({a}, axis=-1); np.ravel({a}); {a}.flatten()
{a}.reshape(-1); {a}.reshape(3, -1); np.transpose({a}); np.swapaxes({a}, 0, -1); np.diag({a})
np.trace({a}); np.tril({a}); np.triu({a}, 1); np.linalg.norm({a}); np.moveaxis({a}, 0, -1)
np.linalg.norm({a}, axis=-1); np.flip({a}); np.flip({a}, 0); np.roll({a}, 1); np.fliplr({a})
np.roll({a}, 1, axis=0); np.diff({a}); np.diff({a}, axis=0); np.sort({a}); np.sort({a}, axis=0)
np.expand_dims({a}, 0); np.atleast_2d({a}); np.squeeze({a}); np.tile({a}, 2); np.atleast_1d({a})
np.repeat({a}, 2); np.repeat({a}, 2, axis=0); np.var({a}, axis=0); np.std({a} * np.arange(1, 4)); np.prod({a})
np.pad({a}, 1); np.take({a}, [0, 2]); np.take({a}, [0, 2], axis=0); {a}[[0, 2]]; np.rot90({a})
np.median({a}); np.median({a}, axis=0); np.ptp({a}); np.gradient({a}, axis=0); np.trapezoid({a})
np.sin({a}); np.exp(-{a}); {a} ** 2; -{a}; 1 / (2 + {a} * {a}); np.full((3,), np.sum({a}))
{a} / np.sum({a}, axis=-1, keepdims=True); {a} - np.mean({a}, axis=0); {a} / len({a})
{a} / {a}.shape[-1]; {a} * {a}.size; {a} / (1 + {a}.ndim); np.array([{a}, {a}]); np.asarray({a}) * 2
np.zeros_like({a}) + {a}; np.ones((3, 3)) @ {a}; {a} @ np.arange(3.0); np.where({a} > 0.7, {a}, 0)
np.argsort({a}, axis=-1) * {a}; {a}[{a} > 0.6]; np.clip({a}, 0.4, 0.8); np.triu({a}) + np.tril({a}, -1)
"""
TWO = """
{a} + {b}; {a} * {b}; {a} - 2 * {b}; {a} / (2 + {b}); np.maximum({a}, {b}); np.hypot({a}, {b})
{a} @ {b}; {a} @ {b}.T; {a}.T @ {b}; np.dot({a}, {b}); np.inner({a}, {b}); np.outer({a}, {b})
np.matmul({a}, {b}); np.kron({a}, {b}); np.tensordot({a}, {b}, 1); np.cross({a}, {b})
np.einsum('...i,...i->...', {a}, {b}); np.einsum('...i,...j->...ij', {a}, {b})
np.einsum('i...,i...->...', {a}, {b}); np.einsum('i...,j...->ij...', {a}, {b})
np.concatenate([{a}, {b}]); np.stack([{a}, {b}]); np.vstack([{a}, {b}]); np.hstack([{a}, {b}])
np.stack([{a}, {b}], axis=-1); np.concatenate([{a}, {b}], axis=-1); np.append({a}, {b})
np.column_stack([{a}, {b}]); np.where({a} > {b}, {a}, {b}); np.average({a}, weights=np.abs({b}))
np.sum({a} * {b}, axis=-1); np.logaddexp({a}, {b}); {a}[:, None] * {b}; {a}[..., None] * {b}[..., None, :]
np.broadcast_to({a}, np.shape({a} + {b})); ({a} @ {b}).T; ({a}.T @ {b}).T; {a} @ ({b} @ {a})
np.sum({a}, axis=0) * {b}; {a} - np.max({b}); np.linalg.norm({a} - {b} - 5, axis=-1); np.dot({a}.T, {b})
"""
STORES = """
{v} = {a}.copy(); {v}[0] = {v}[0] * 2; {v} = {v} * 1.0
{v} = {a} * 1.0; {v}[...] += {b}; {v} = np.sin({v})
{v} = np.zeros_like({a}); {v}[:-1] = {a}[1:] * 2
{v} = {a} * 1.0; {v}[:, 0] *= 3.0
{v} = {a} * 1.0; {v}[..., -1] -= np.sum({b})
{v} = {a} * 1.0; {v} += {b}
{v} = {a} * 1.0; {v}[{a} > 0.6] = 0.5
{v} = 0.0; FOR row in {a}: {v} = {v} + row * {b}
{v} = {a} * 1.0; FOR i in range(len({a})): {v}[i] = {v}[i] * np.sum({b}) / (i + 1)
{v} = {a} * 1.0; FOR i in range(1, len({a})): {v}[i] += 0.5 * {v}[i - 1]
{v} = np.array([r @ {b} for r in {a}])
{v} = np.stack([r * 2 for r in {a}])
{v} = sum(np.sum(r * r) for r in {a}) * {b}
{v} = {a} if {a}.ndim > 1 else {a} * 2.0
"""
LINES = {
    name: text.replace("\n", ";").split(";")
    for name, text in {"1": ONE, "2": TWO}.items()
}
PHRASES = {
    name: [one.strip() for one in some if one.strip()] for name, some in LINES.items()
}
BLOCKS = [one for one in STORES.strip().split("\n")]


def generate(seed: int) -> Program:
    """A program of two arrays, and one to three statements."""
    rng = Random(f"ranks {seed}")
    names, lines = ["x", "y"], []
    for number in range(rng.randint(1, 3)):
        a, b = rng.choice(names), rng.choice(names)
        new, roll = f"v{number}", rng.random()
        if roll < 0.2:
            words = {"v": new, "a": a, "b": b}
            parts = rng.choice(BLOCKS).format(**words).split("; ")
            lines += [part.replace("FOR", "for") for part in parts]
        else:
            form = rng.choice(PHRASES["1" if roll < 0.6 else "2"])
            lines.append(f"{new} = {form.format(a=a, b=b)}")
        names.append(new)
    last = names[-1]
    lines.append(
        "return "
        + rng.choice([last, f"np.sum(np.sin({last}))", f"{last} * {names[0]}"])
    )
    params = tuple(Parameter(name, ("n",)) for name in "xy")
    return Program(params, tuple(lines), seed).without_unused()


def arguments(rng: np.random.Generator, ranks: list[int]) -> list:
    """Arrays of these ranks, a number for rank 0, with entries that lie apart."""
    drawn = [rng.uniform(0.2, 1.3, (LONG,) * rank) for rank in ranks]
    return [float(one) if one.ndim == 0 else one for one in drawn]


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    program = generate(seed)
    if not program.params:
        return
    names = tuple(param.name for param in program.params)
    rng = np.random.default_rng([seed, 5])
    told = int(rng.integers(4)) if seed % 2 else None
    shapes = {} if told is None else {names[0]: " ".join("nnn"[:told])}
    case, verdict = Case(program, shapes, names, level="none"), Verdict()
    # NumPy gives a number an axis where it is asked for; a text for arrays does not
    least = 1 if "axis=" in program.source or "> 0.6]" in program.source else 0
    ranks = [list(rng.integers(least, 4, len(names))) for _ in range(9)]
    for some in ranks:
        some[0] = some[0] if told is None else told
    tried = [t for t in map(lambda r: truth(program, arguments(rng, r)), ranks) if t]
    if not tried:
        return
    try:
        verdict.text = engine.emit(program.function, wrt=names, shapes=shapes)
    except GradgenError as refusal:
        verdict.refusal = str(refusal)
        yield case, verdict
        return
    space: dict = {}
    exec(compile(verdict.text, "<gradgen text>", "exec"), space)
    gradient = space["grad_program"]
    try:
        for args, seed_, wants in tried:
            verdict.faults += faults_of(gradient, args, seed_, wants, names)
    except Exception:
        verdict.faults.append(broken_off())
    yield case, verdict


def truth(program: Program, args: list):
    """The arguments with a seed and the measured gradients; None where there are none."""
    with np.errstate(all="ignore"):
        try:
            value = np.asarray(program.function(*map(np.copy, args)))
        except Exception:
            return None
        if value.dtype != float or not np.all(np.isfinite(value)) or value.size > 300:
            return None
        seed = np.cos(np.arange(value.size)).reshape(value.shape) if value.ndim else 1.0
        wants = []
        for i in range(len(args)):
            given = [np.copy(arg)[()] for arg in args]
            try:
                found = numeric_gradient(program.function, given, i, seed)
            except ValueError:  # a step changes how many entries a mask picks
                return None
            if np.any(found.error > tolerance(found.value) / 4):
                return None
            wants.append(found.value)
    return args, seed, wants


def faults_of(gradient, args, seed, wants, names) -> Iterator[Fault]:
    shapes = [np.shape(arg) for arg in args]
    try:
        with np.errstate(all="ignore"):
            got = gradient(*map(np.copy, args), seed) if len(args) else ()
    except ValueError as error:
        if any(word in str(error) for word in RAISED):
            return
        raise
    for name, found, want in zip(names, got if len(names) > 1 else (got,), wants):
        if np.shape(found) != np.shape(want):
            yield Fault("shape", f"of {shapes}: d_{name} {np.shape(found)}")
        elif not np.all(np.abs(found - want) <= tolerance(want)):
            yield Fault("value", f"of {shapes}: d_{name} {found}, not {want}")
