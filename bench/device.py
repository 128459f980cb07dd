"""Gradients for cupy on a GPU: over those by hand, beside JAX's and PyTorch's.

The gradient by hand is the one of `hand.py` with cupy in NumPy's place. All of them get
arrays that are on the device, and a time ends when the device is done. JAX is compiled
by jax.jit. Wall time, for the work is another processor's.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np

import gradgen
from bench.peers import by_jax, by_torch
from bench.rows import agree, bundle
from bench.tape import on_tape
from bench.timing import geometric_mean
from bench.workload import Workload, own

HEADINGS = ["", "", "hand ms", "gradgen/hand", "JAX/hand", "PyTorch/hand", "NumPy/GPU"]
PEERS = {"JAX/hand": by_jax, "PyTorch/hand": by_torch}


def conditions() -> str:
    """The card and the versions that the times were taken with."""
    import cupy
    import jax
    import torch

    card = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    numbers = (
        f"NumPy {np.__version__}, JAX {jax.__version__}, torch {torch.__version__}"
    )
    return f"{card}, cupy {cupy.__version__}, {numbers}"


def lines(
    workloads: Sequence[Workload], size: str, rounds: int, seconds: float
) -> Iterator[list[str]]:
    """A line for each workload, then the geometric mean of each column."""
    means: dict[str, list[float]] = {}
    yield HEADINGS
    for workload in workloads:
        found = row(workload, size, rounds, seconds)
        for name in HEADINGS[3:]:
            if isinstance(found.get(name), float):
                means.setdefault(name, []).append(found[name])
        yield [workload.name, size, *(shown(found.get(n)) for n in HEADINGS[2:])]
    rest = (shown(geometric_mean(means.get(n, ()))) for n in HEADINGS[3:])
    yield ["geometric mean", size, "", *rest]


def shown(value: float | str | None) -> str:
    return f"{value:.2f}" if isinstance(value, float) else value or ""


def row(workload: Workload, size: str, rounds: int, seconds: float) -> dict:
    """Milliseconds by hand and the ratios to it, or a word where there is no time."""
    import cupy

    args = workload.inputs(size, np.random.default_rng(0))
    want = workload.hand(*args)
    given = [cupy.asarray(a) if isinstance(a, np.ndarray) else a for a in args]
    wrt = workload.wrt if len(workload.wrt) > 1 else workload.wrt[0]
    text = gradgen.emit(
        workload.primal,
        wrt=wrt,
        shapes=workload.facts,
        value=True,
        target="cupy",
        **workload.options,
    )
    names: dict = {"__name__": "alone"}
    exec(compile(str(text), "<text>", "exec"), names)
    of_text = [v for n, v in names.items() if n.startswith("value_and_grad")][-1]
    of_hand = on_tape(workload.hand, cupy)
    words: dict = {}
    functions: dict[str, Callable] = {}

    def taken(name: str, call: Callable) -> None:
        def fetched(*_):
            value, gradients = call()
            numbers = [to_host(one) for one in bundle(gradients)]
            return float(to_host(value)), numbers

        try:
            agree(f"{workload.name}: {name}", workload, fetched, args, want)
        except Exception as error:
            words[name] = f"{type(error).__name__}"
            print(f"{workload.name}, {name}: {error}"[:300], flush=True)
            return
        functions[name] = call

    def of(function: Callable) -> Callable:
        if workload.in_place:
            return lambda: function(*map(copied, given))
        return lambda: function(*given)

    taken("hand", of(of_hand))
    taken("gradgen/hand", of(of_text))
    for name, maker in PEERS.items():
        try:
            taken(name, maker(workload, tuple(map(own, args))))
        except Exception:  # what another library raises is its own affair
            words[name] = "cannot"
    if "hand" not in functions:
        return words
    times = interleaved(functions, rounds, seconds)
    start, calls = time.perf_counter(), 0
    while calls < 3 or time.perf_counter() - start < 5 * seconds:
        workload.hand(*map(own, args))
        calls += 1
    host = (time.perf_counter() - start) / calls
    ratios = {name: taken / times["hand"] for name, taken in times.items()}
    return {
        **words,
        **ratios,
        "hand ms": times["hand"] * 1e3,
        "NumPy/GPU": host / times["hand"],
    }


def copied(value):
    return value.copy() if hasattr(value, "copy") else value


def to_host(value) -> np.ndarray:
    """A number or array of any of the libraries as NumPy's."""
    if hasattr(value, "cpu"):
        value = value.cpu()
    return value.get() if hasattr(value, "get") else np.asarray(value)


def interleaved(
    functions: dict[str, Callable], rounds: int, seconds: float
) -> dict[str, float]:
    """Median wall seconds of a call of each, in turns, with the device waited for."""
    import cupy

    wait = cupy.cuda.Device().synchronize

    def seconds_of(function: Callable, count: int) -> float:
        wait()
        start = time.perf_counter()
        for _ in range(count):
            function()
        wait()
        return time.perf_counter() - start

    counts = {}
    for name, function in functions.items():
        seconds_of(function, 2)
        once = seconds_of(function, 2) / 2
        counts[name] = max(1, round(seconds / once))
    samples: dict[str, list[float]] = {name: [] for name in functions}
    order, shuffle = list(functions), random.Random(0).shuffle
    for _ in range(rounds):
        shuffle(order)
        for name in order:
            samples[name].append(
                seconds_of(functions[name], counts[name]) / counts[name]
            )
    return {name: statistics.median(taken) for name, taken in samples.items()}
