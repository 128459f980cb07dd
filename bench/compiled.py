"""Gradients for numba over gradients by hand in NumPy: time, and time to compile."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec

import numpy as np

import gradgen
from bench.loop_workloads import LOOPS
from bench.rows import agree
from bench.timing import geometric_mean, interleaved
from bench.workload import Workload
from bench.workloads import WORKLOADS

HEADINGS = ["", "numba/hand", "jax/hand", "numba/NumPy text", "compile s"]


def lines(rounds: int, seconds: float, only: Sequence[str] = ()) -> Iterator[list[str]]:
    """A line for each workload and size, and the geometric means of those of loops."""
    loops: dict[str, list[float]] = {"small": [], "large": []}
    yield HEADINGS
    for workload in WORKLOADS:
        if only and workload.name not in only:
            continue
        try:
            made = of_numba(workload)
        except gradgen.GradgenError as error:
            yield [workload.name, f"refused: {error.code}", "", "", ""]
            continue
        plain = of_text(workload, "numpy")
        jax = of_jax(workload)
        for size in ("small", "large"):
            args = workload.inputs(size, np.random.default_rng(0))
            start = time.process_time()
            try:
                made(*args)
            except Exception as error:
                if not type(error).__module__.startswith("numba."):
                    raise
                yield [f"{workload.name} {size}", "not compiled", "", "", ""]
                continue
            compiled = time.process_time() - start
            functions = {"numba": made, "hand": workload.hand, "text": plain}
            if jax is not None:
                functions["jax"] = jax(args)
            for name in ("numba", "text"):
                label, want = f"{workload.name} {size}: {name}", workload.hand(*args)
                agree(label, workload, functions[name], args, want)
            times = interleaved(functions, args, rounds, seconds)
            ratio = times["numba"] / times["hand"]
            if workload in LOOPS:
                loops[size].append(ratio)
            yield [
                f"{workload.name} {size}",
                f"{ratio:.3f}",
                f"{times['jax'] / times['hand']:.3f}" if jax is not None else "",
                f"{times['numba'] / times['text']:.3f}",
                f"{compiled:.2f}" if size == "small" else "",
            ]
    for size, ratios in loops.items():
        yield [f"loops, {size}", f"{geometric_mean(ratios):.3f}", "", "", ""]


def of_text(workload: Workload, target: str):
    """The function of the text for a library."""
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


def of_numba(workload: Workload):
    """The compiled function. Raises GradgenError where it is refused."""
    return of_text(workload, "numba")


def of_jax(workload: Workload):
    """What makes a function of JAX of arguments, None where jax cannot be asked."""
    if find_spec("jax") is None or workload.name in ("cholesky_loops",):
        return None
    import jax

    jax.config.update("jax_enable_x64", True)
    names: dict = {"__name__": "bench"}
    try:
        text = gradgen.emit(
            workload.primal,
            wrt=workload.wrt,
            value=True,
            shapes=workload.facts,
            target="jax",
        )
    except gradgen.GradgenError:
        return None
    exec(text, names)
    function = names[f"value_and_grad_{workload.primal.__name__}"]

    def of(args):
        known = tuple(k for k, a in enumerate(args) if type(a) is int)
        compiled = jax.jit(function, static_argnums=known)
        given = [a if k in known else jax.numpy.asarray(a) for k, a in enumerate(args)]
        jax.block_until_ready(compiled(*given))
        return lambda *_: jax.block_until_ready(compiled(*given))

    return of
