"""complex_faults(text, *facts): what is wrong with the gradient of one call, in words.

The arguments z, w and u are complex, x and y are real. Each line makes up to four
functions: the array itself with a complex seed, its sum, its length, and its real
part read again. The first of them is tried with all shape facts at one set of sizes
and with none at another, each other one by one of these two ways, as is the line's
turn; the `whole` tries all of them by both.
"""

from __future__ import annotations

import ast
import warnings
import zlib
from collections.abc import Iterator

import numpy as np

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.judge import OLD_PROMOTION
from tests.fuzz.program import FIRST_SIZES, OTHER_SIZES, imported

COMPLEX = ("z", "w", "u")
FORMS = ("{}", "np.sum({})", "np.sum(np.abs({}))", "np.sum(np.real({}) * np.imag({}))")


def names_in(text: str) -> list[str]:
    """The arguments, in the order in which the expression reads them."""
    nodes = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)]
    nodes.sort(key=lambda node: node.col_offset)
    return [n for n in dict.fromkeys(node.id for node in nodes) if n in "zwuxy"]


def function_of(text: str, given: list[str] | None = None):
    """The function of one expression, with a source that can be read."""
    names = ", ".join(given or names_in(text))
    source = f"import numpy as np\n\n\ndef program({names}):\n    return {text}\n"
    return imported(source, "program")


def arguments(text: str, facts: tuple[str, ...], sample: int, wide=True) -> list:
    """Random arguments of the facts' shapes at one of two sets of sizes."""
    sizes = (FIRST_SIZES, OTHER_SIZES[0])[sample]
    rng = np.random.default_rng([sample, *text.encode()])
    found = []
    for name, fact in zip(names_in(text), facts, strict=True):
        shape = tuple(sizes[d] if d in sizes else int(d) for d in fact.split())

        def part():
            return rng.uniform(0.3, 1.4, shape) * rng.choice([-1, 1], shape)

        value = part() + 1j * part() if name in COMPLEX else part()
        if not wide:
            narrow = np.complex64 if name in COMPLEX else np.float32
            value = narrow(value) if shape == () else value.astype(narrow)
        found.append(value[()] if shape == () else value)
    return found


def complex_faults(
    text: str, *facts: str, forms=FORMS, ranked=False, whole=False
) -> str:
    """Reports on all that is wrong with the line, a refusal included; "" if nothing.

    `ranked`: with nothing told it may be refused, and has its facts in every form.
    """
    names = names_in(text)
    told = dict(zip(names, facts, strict=True))
    turn = zlib.crc32(text.encode())
    found = []
    for k, form in enumerate(forms):
        shown = form.format(*[text] * form.count("{}"))
        function = function_of(shown)
        for shapes in (told, {}):
            needed = whole or not k or ranked and shapes
            if not needed and (turn + k) % 2 == bool(shapes):
                continue
            pushed = whole or k or (turn + bool(shapes)) % 2
            given = facts, function, names, shapes, pushed
            try:
                found += faults_of(shown, *given)
            except GradgenError as refusal:
                if not (ranked and not shapes):
                    found.append(f"{shown} with {shapes}: {refusal}")
    return "\n".join(found[:2])


def faults_of(text, facts, function, names, shapes, pushed) -> Iterator[str]:
    """Reports on one function with one set of facts, forward too where `pushed`."""
    complexes = tuple(name for name in names if name in COMPLEX)
    options = {"wrt": tuple(names), "shapes": shapes, "complex": complexes}
    gradient = gradgen.grad(function, **options)
    about = f"{text} with {shapes}"
    for sample in (0,) if shapes else (1,):
        args = arguments(text, facts, sample)
        seed = _seed(function(*args), sample)
        found = gradient(*args, seed=seed)
        for i, (name, got) in enumerate(zip(names, found, strict=True)):
            want = numeric_gradient(function, args, i, seed)
            assert np.all(want.error < 1e-6 * np.max(np.abs(want.value)) + 1e-7), about
            if np.shape(got) != np.shape(args[i]):
                yield f"{about}: d_{name} of {np.shape(got)}\n{gradient.source}"
            elif np.iscomplexobj(got) != (name in COMPLEX):
                yield f"{about}: d_{name} of {got.dtype}\n{gradient.source}"
            elif not np.allclose(got, want.value, rtol=1e-6, atol=1e-7):
                yield f"{about}: d_{name}\n{got}\n{want.value}\n{gradient.source}"
            others = (*args, seed, *found[:i])
            if any(np.shares_memory(got, other) for other in others):
                yield f"{about}: d_{name} is not its own\n{gradient.source}"
        if pushed:
            yield from _forward_faults(about, function, options, args, seed, found)
    yield from _narrow_faults(about, text, facts, function, gradient, names)


WIDE = (np.float64, np.complex128)


def _seed(result, sample: int):
    rng = np.random.default_rng(sample)
    seed = rng.uniform(0.5, 1.5, np.shape(result))
    if np.iscomplexobj(result):
        seed = seed + 1j * rng.uniform(0.5, 1.5, np.shape(result))
    return seed if np.ndim(result) else seed.item() if np.ndim(seed) == 0 else seed


def _narrow_faults(about, text, facts, function, gradient, names) -> Iterator[str]:
    """float32 and complex64 stay what they are."""
    args = arguments(text, facts, 0, wide=False)
    result = np.asarray(function(*args))
    seed = _seed(result, 0)
    if OLD_PROMOTION and (not result.ndim or result.dtype in WIDE):
        return  # NumPy before 2.0 widens the primal, or a number on the way
    seed = seed.astype(result.dtype) if result.ndim else seed
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = gradient(*args, seed=seed)
    for name, arg, got in zip(names, args, found):
        if np.ndim(arg) and np.asarray(got).dtype != arg.dtype:
            yield f"{about}: d_{name} is {got.dtype}\n{gradient.source}"


def _forward_faults(about, function, options, args, seed, found) -> Iterator[str]:
    """Forward against reverse: Re <seed, J v> = Re <J^T seed, v>."""
    try:
        forward = gradgen.jvp(function, **options)
    except GradgenError as refusal:
        if "GG306" not in str(refusal):
            yield f"{about}: forward: {refusal}"
        return
    rng = np.random.default_rng(7)
    vectors = []
    for arg in args:
        vector = rng.normal(size=np.shape(arg))
        if np.iscomplexobj(arg):
            vector = vector + 1j * rng.normal(size=np.shape(arg))
        vectors.append(np.asarray(vector)[()])
    value, change = forward(*args, *vectors)
    if np.shape(change) != np.shape(value):
        yield f"{about}: forward: shape {np.shape(change)}\n{forward.source}"
    elif np.iscomplexobj(change) and not np.iscomplexobj(value):
        yield f"{about}: forward: complex for a real value\n{forward.source}"
    else:
        got = np.real(np.sum(seed * change))
        want = sum(np.real(np.sum(g * v)) for g, v in zip(found, vectors))
        scale = sum(np.sum(np.abs(g * v)) for g, v in zip(found, vectors))
        if abs(got - want) > 1e-9 * scale + 1e-12:
            yield f"{about}: forward: {got}, not {want}\n{forward.source}"
