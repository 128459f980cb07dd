"""Gradients for numba over gradients by hand in NumPy: time, and time to compile.

Each row has a process of its own: what one function has compiled of numba's library
would be there for the next. JAX compiles the primal as one writes it for JAX, its loops
as scans (`jax_loops.py`), and its gradient is jax.value_and_grad's.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from importlib.metadata import version

import numpy as np

import gradgen
from bench.peers import MOST, places
from bench.rows import agree
from bench.tape import on_tape
from bench.timing import geometric_mean, interleaved
from bench.workload import Workload, own
from bench.workloads import WORKLOADS

SIZES = ("small", "large")
HEADINGS = ["", "", "numba/hand", "JAX/hand", "numba/NumPy text", "compile s"]
# the rows of primals with loops, which the means are over
LOOPS = (
    "jacobi_1d heat_2d rnn_loss lstm_loss cholesky_loops rk4_lotka_volterra "
    "image_filter wave_2d fitzhugh_nagumo kalman_filter hidden_markov garch "
    "asian_option tree_likelihood"
).split()


def lines(rounds: int, seconds: float, only: Sequence[str] = ()) -> Iterator[list[str]]:
    """A line for each workload and size, and the geometric means of those of loops."""
    loops: dict[tuple[str, str], list[float]] = {}
    yield HEADINGS
    for workload in WORKLOADS:
        if only and workload.name not in only:
            continue
        for cells, ratios in alone(row, workload.name, rounds, seconds):
            for column, ratio in ratios.items() if workload.name in LOOPS else ():
                loops.setdefault((cells[1], column), []).append(ratio)
            yield cells
    for size in SIZES:
        means = (loops.get((size, column), ()) for column in ("numba", "jax", "text"))
        shown = [f"{geometric_mean(one):.3f}" if one else "" for one in means]
        yield ["geometric mean of loops", size, *shown, ""]


def alone(function: Callable, *args: object):
    """What a function of this module returns in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, args)


def row(name: str, rounds: int, seconds: float) -> list[tuple[list[str], dict]]:
    """The lines of one workload, with the ratios to the gradient by hand."""
    (workload,) = [one for one in WORKLOADS if one.name == name]
    try:
        made = of_text(workload, "numba")
    except gradgen.GradgenError as error:
        return [([name, "", f"refused: {error.code}", "", "", ""], {})]
    plain, found = of_text(workload, "numpy"), []
    compiled = compile_seconds(made, workload)
    for size in SIZES:
        args = workload.inputs(size, np.random.default_rng(0))
        functions: dict[str, Callable] = {
            "numba": made,
            "hand": workload.hand,
            "text": plain,
        }
        jax = of_jax(workload, args)
        if jax is not None:
            functions["jax"] = jax
        for one in functions:
            label, want = f"{name} {size}: {one}", workload.hand(*args)
            agree(label, workload, functions[one], args, want)
        times = interleaved(functions, args, rounds, seconds)
        ratios = {one: taken / times["hand"] for one, taken in times.items()}
        ratios["text"] = times["numba"] / times["text"]
        cells = [f"{ratios[one]:.3f}" if one in ratios else "" for one in COLUMNS]
        shown = f"{compiled:.2f}" if size == "small" else ""
        found.append(([name, size, *cells, shown], ratios))
    return found


COLUMNS = ("numba", "jax", "text")


def compile_seconds(made: Callable, workload: Workload) -> float:
    """CPU seconds that the first call takes more than the second."""
    warmed()
    taken = []
    for _ in range(2):
        args = workload.inputs("small", np.random.default_rng(0))
        start = time.process_time()
        made(*args)
        taken.append(time.process_time() - start)
    return taken[0] - taken[1]


def warmed() -> None:
    """Has numba loaded: its own start is not a function's."""
    import numba

    @numba.njit
    def doubled(x):
        return 2.0 * x

    doubled(1.0)
    doubled(np.ones(2))


def of_text(workload: Workload, target: str):
    """The function of the text for a library. Raises GradgenError."""
    text = gradgen.emit(
        workload.primal,
        wrt=workload.wrt,
        value=True,
        shapes=workload.facts,
        target=target,
    )
    names: dict = {"__name__": "bench"}
    exec(text.replace("cache=True, ", ""), names)
    return names[f"value_and_grad_{workload.primal.__name__}"]


def of_jax(workload: Workload, args: tuple) -> Callable | None:
    """The function that JAX compiles for these arguments, None where JAX has none."""
    if find_spec("jax") is None:
        return None
    import jax

    from bench import jax_loops

    jax.config.update("jax_enable_x64", True)
    primal = jax_loops.primal_of(workload.name)
    primal = primal or on_tape(workload.primal, jax.numpy)
    known = tuple(k for k, arg in enumerate(args) if type(arg) is int)
    derivative = jax.value_and_grad(primal, places(workload))
    given = [a if k in known else jax.numpy.asarray(own(a)) for k, a in enumerate(args)]
    operations = jax.make_jaxpr(derivative, static_argnums=known)(*given).eqns
    if len(operations) > MOST:
        return None
    function = jax.jit(derivative, static_argnums=known)
    return lambda *_: jax.block_until_ready(function(*given))


def versions() -> str:
    """What the numbers were taken with."""
    names = [one for one in ("numpy", "numba", "jax") if find_spec(one)]
    return ", ".join(f"{one} {version(one)}" for one in names)
