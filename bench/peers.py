"""The same primals by gradgen, autograd, JAX and PyTorch, over gradients by hand.

Each library gets the primal with its own module in NumPy's place, and its own arrays:
autograd.numpy; jax.numpy, compiled by jax.jit; torch._numpy, the module that
torch.compile puts in NumPy's place, on tensors. A library that cannot run the primal,
or whose numbers are others, has no figure but a word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from bench import tape
from bench.report import conditions
from bench.rows import agree, generated
from bench.timing import geometric_mean, interleaved
from bench.workload import Workload, own

BEGIN, END = "<!-- peers: begin -->\n", "<!-- peers: end -->\n"
# how each library calls itself on PyPI, by its column
PACKAGES = {"autograd": "autograd", "JAX": "jax", "PyTorch": "torch"}
ABSENT, CANNOT, OTHER = "not installed", "cannot", "other numbers"
# more operations than this are not handed to XLA: it would compile for minutes
MOST = 4000


@dataclass(frozen=True)
class Line:
    """One workload at one size: ratios to the gradient by hand, or a word."""

    name: str
    size: str
    found: dict[str, float | str]


def by_autograd(workload: Workload, args: tuple) -> Callable:
    """A function without arguments that gives value and gradients, by autograd."""
    made = tape.value_and_grad(workload)
    if made is None:
        raise NotImplementedError("stores into arrays")
    return lambda: made(*args)


def by_jax(workload: Workload, args: tuple) -> Callable:
    """The same, compiled by JAX; returns when the numbers are there."""
    import jax

    jax.config.update("jax_enable_x64", True)
    primal = tape.on_tape(workload.primal, jax.numpy)
    known = tuple(k for k, arg in enumerate(args) if type(arg) is int)
    derivative = jax.value_and_grad(primal, places(workload))
    given = [a if k in known else jax.numpy.asarray(a) for k, a in enumerate(args)]
    operations = jax.make_jaxpr(derivative, static_argnums=known)(*given).eqns
    if len(operations) > MOST:
        raise NotImplementedError("a loop of Python is unrolled")
    function = jax.jit(derivative, static_argnums=known)
    return lambda: jax.block_until_ready(function(*given))


def by_torch(workload: Workload, args: tuple) -> Callable:
    """The same by PyTorch's tape, on its array type that reads NumPy's names."""
    import torch
    import torch._numpy as module

    torch.set_num_threads(1)
    primal = tape.on_tape(workload.primal, module)
    wanted = places(workload)
    tensors = [torch.as_tensor(a) if hasattr(a, "dtype") else a for a in args]

    def run():
        given = list(tensors)
        for k in wanted:
            of = torch.as_tensor(args[k], dtype=torch.float64)
            given[k] = of.detach().requires_grad_()
        # a leaf that the primal writes into is copied, as the hand-written one does
        passed = [
            module.ndarray(t.clone() if workload.in_place else t)
            if isinstance(t, torch.Tensor)
            else t
            for t in given
        ]
        value = primal(*passed).tensor
        return value.detach(), torch.autograd.grad(value, [given[k] for k in wanted])

    return run


MAKERS = {"autograd": by_autograd, "JAX": by_jax, "PyTorch": by_torch}


def places(workload: Workload) -> tuple[int, ...]:
    """The positions of the arguments that gradients are for."""
    return tuple(list(workload.shapes).index(name) for name in workload.wrt)


def installed(library: str) -> str | None:
    """The version of a library, None where it is not installed."""
    try:
        return version(PACKAGES[library])
    except PackageNotFoundError:
        return None


def tried(library: str, workload: Workload, args: tuple, want: tuple) -> Callable | str:
    """The library's function, or the word for why there is none."""
    if installed(library) is None:
        return ABSENT
    try:
        function = MAKERS[library](workload, tuple(map(own, args)))
        value, gradients = function()
    except Exception:  # what another library raises is its own affair
        return CANNOT
    fetched = [np.asarray(one) for one in gradients]
    try:
        agree(library, workload, lambda *_: (float(value), fetched), args, want)
    except AssertionError:
        return OTHER
    return function


def measured(workload: Workload, size: str, rounds: int, seconds: float) -> Line:
    """One line of the table: all functions agree, then are timed in turns."""
    args = workload.inputs(size, np.random.default_rng(0))
    want = workload.hand(*args)
    text = generated(workload)
    agree(f"{workload.name} {size}", workload, text, args, want)
    functions = {"hand": lambda: workload.hand(*args), "gradgen": lambda: text(*args)}
    words: dict[str, float | str] = {}
    for library in MAKERS:
        function = tried(library, workload, args, want)
        if isinstance(function, str):
            words[library] = function
        else:
            functions[library] = function
    times = interleaved(functions, (), rounds, seconds)
    ratios = {name: taken / times["hand"] for name, taken in times.items()}
    del ratios["hand"]
    return Line(workload.name, size, {**ratios, **words})


def table(lines: Sequence[Line]) -> list[list[str]]:
    """The lines as cells, below them the geometric means beside gradgen's.

    A library's mean is over the rows that it can run; where those are not all, gradgen's
    mean on them and their number stand in brackets.
    """
    columns = ["gradgen", *MAKERS]
    cells = [["", "", *columns]]
    for line in lines:
        own_cells = [line.found[name] for name in columns]
        shown = [f"{c:.2f}" if isinstance(c, float) else c for c in own_cells]
        cells.append([line.name, line.size, *shown])
    for size in dict.fromkeys(line.size for line in lines):
        there = [line for line in lines if line.size == size]
        cells.append(["geometric mean", size, *[mean(there, c) for c in columns]])
    return cells


def mean(lines: Sequence[Line], column: str) -> str:
    """The mean of a column, in brackets gradgen's where rows are missing."""
    known = [line for line in lines if isinstance(line.found[column], float)]
    if not known:
        return "-"
    found = f"{geometric_mean(line.found[column] for line in known):.2f}"
    if len(known) == len(lines):
        return found
    beside = geometric_mean(line.found["gradgen"] for line in known)
    return f"{found} ({beside:.2f} on {len(known)})"


def versions() -> str:
    """Under what the numbers were taken."""
    others = [f"{name} {installed(name) or 'not installed'}" for name in MAKERS]
    return f"{conditions().rsplit(', autograd', 1)[0]}, {', '.join(others)}"


def markdown(lines: Sequence[Line]) -> str:
    """The table as a part of a page."""
    head, *rest = table(lines)
    rows = [head, ["---"] * 2 + ["---:"] * (len(head) - 2), *rest]
    written = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    return f"{written}\n\n{versions()}.\n"


def write(page: Path, lines: Sequence[Line]) -> None:
    """Put the table between the marks of a page. Raises ValueError without them."""
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    page.write_text(before + BEGIN + markdown(lines) + END + after, encoding="utf-8")
