"""Prints what gradients cost, and how long their texts are: `python -m bench --help`."""

from __future__ import annotations

import os

# One thread for all columns, and before NumPy loads its BLAS, which reads this once.
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

from pathlib import Path

import click

from bench import generation, memory, report
from bench.rows import candidates, measured
from bench.workloads import WORKLOADS

NAMES = [workload.name for workload in WORKLOADS]
SIZES = ("small", "large")
CHAINS = (250, 500, 1000)


@click.group(invoke_without_command=True)
@click.option("--only", multiple=True, type=click.Choice(NAMES), help="This row only.")
@click.option("--quick", is_flag=True, help="Few rounds: seconds, not minutes.")
@click.option("--json", "json_path", type=click.Path(dir_okay=False, path_type=Path))
@click.pass_context
def main(context, only, quick, json_path):
    """Time of value and gradient over time of the primal, one thread, float64."""
    if context.invoked_subcommand is not None:
        return
    rounds, seconds = (11, 0.002) if quick else (101, 0.005)
    rows = []
    for workload in WORKLOADS:
        if only and workload.name not in only:
            continue
        functions = candidates(workload)
        for size in SIZES:
            click.echo(f"{workload.name} {size}", err=True)
            rows.append(measured(workload, functions, size, rounds, seconds))
    click.echo(report.table(rows))
    if json_path is not None:
        json_path.write_text(report.as_json(rows), encoding="utf-8")


@main.command()
def chain():
    """Seconds to generate the gradient of 250, 500 and 1000 statements."""
    import gradgen

    # The first gradient of a process also reads the rules.
    generation.chain_seconds(gradgen.emit, 5, repetitions=1)
    lines = [["statements", "seconds", "ms per statement", f"over {CHAINS[0]}"]]
    shortest = None
    for length in CHAINS:
        seconds = generation.chain_seconds(gradgen.emit, length)
        each = seconds / length
        shortest = shortest or each
        lines.append(
            [
                str(length),
                f"{seconds:.2f}",
                f"{each * 1e3:.2f}",
                f"{each / shortest:.2f}",
            ]
        )
    click.echo(report.aligned(lines, names=0))


@main.command()
def emit():
    """Wall seconds of the command `gradgen emit` on cosine_loss."""
    seconds = generation.command_seconds()
    click.echo(f"gradgen {' '.join(generation.COMMAND)}: {seconds:.3f} s")


@main.command("emission")
@click.option("--only", multiple=True, help="Rows whose name contains this.")
def of_emission(only):
    """What writing a gradient costs, in units of `import numpy`, by fresh processes."""
    from bench import emission

    click.echo(report.aligned(emission.rows(only), names=1))


@main.command("call")
def of_call():
    """What a call of a derivative adds to its emitted function, nothing told."""
    from bench import call

    click.echo(report.aligned(call.rows(), names=0))


@main.command("api")
@click.option("--only", multiple=True, type=click.Choice(NAMES), help="This row only.")
@click.option("--quick", is_flag=True, help="Few rounds: seconds, not minutes.")
def of_api(only, quick):
    """Gradients through the library with nothing told, over the hand-written ones."""
    from bench import api

    rounds, seconds = (11, 0.002) if quick else (101, 0.005)
    chosen = [one for one in WORKLOADS if not only or one.name in only]
    lines, said = api.table(chosen, SIZES, rounds, seconds)
    click.echo(f"{report.aligned(lines)}\n\n{said}")


@main.command("modes")
@click.option("--quick", is_flag=True, help="Few rounds: seconds, not minutes.")
def of_modes(quick):
    """Hessians times vectors and Jacobians, against autograd and JAX."""
    # One thread for XLA as well; JAX reads this once.
    os.environ["XLA_FLAGS"] = (
        "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    )
    from bench import modes

    click.echo(modes.versions())
    rounds, seconds = (11, 0.002) if quick else (101, 0.005)
    click.echo(report.aligned(modes.lines(rounds, seconds), names=2))


@main.command("gpu")
@click.option("--only", multiple=True, type=click.Choice(NAMES), help="This row only.")
@click.option("--size", type=click.Choice(SIZES), default="large")
@click.option("--quick", is_flag=True, help="Few rounds: seconds, not minutes.")
def of_gpu(only, size, quick):
    """Gradients for cupy on a GPU, over those by hand, beside JAX and PyTorch."""
    import torch

    from bench import device
    from bench.compiled import LOOPS

    torch.set_default_device("cuda")
    chosen = [
        one
        for one in WORKLOADS
        if (one.name in only if only else one.name not in LOOPS)
    ]
    rounds, seconds = (5, 0.005) if quick else (31, 0.02)
    lines = list(device.lines(chosen, size, rounds, seconds))
    click.echo(f"{report.aligned(lines, names=2)}\n\n{device.conditions()}")


@main.command("peers")
@click.option("--only", multiple=True, type=click.Choice(NAMES), help="This row only.")
@click.option("--quick", is_flag=True, help="Few rounds: seconds, not minutes.")
@click.option("--write", "page", type=click.Path(exists=True, path_type=Path))
def of_peers(only, quick, page):
    """Beside autograd, JAX and PyTorch where installed, over gradients by hand."""
    os.environ["XLA_FLAGS"] = (
        "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    )
    from bench import peers

    rounds, seconds = (11, 0.002) if quick else (101, 0.005)
    lines = []
    for workload in WORKLOADS:
        if only and workload.name not in only:
            continue
        for size in SIZES:
            click.echo(f"{workload.name} {size}", err=True)
            lines.append(peers.measured(workload, size, rounds, seconds))
    click.echo(f"{report.aligned(peers.table(lines))}\n\n{peers.versions()}")
    if page is not None:
        peers.write(page, lines)


@main.command("numba")
@click.option("--only", multiple=True, type=click.Choice(NAMES), help="This row only.")
@click.option("--quick", is_flag=True, help="Few rounds: seconds, not minutes.")
def of_numba(only, quick):
    """Compiled gradients against those by hand in NumPy, and against JAX."""
    os.environ["XLA_FLAGS"] = (
        "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    )
    from bench import compiled

    rounds, seconds = (11, 0.002) if quick else (101, 0.005)
    table = []
    for line in compiled.lines(rounds, seconds, only):
        table.append(line)
        click.echo("  ".join(one for one in line if one), err=True)
    click.echo(f"{report.aligned(table, names=2)}\n\n{compiled.versions()}")


@main.command("memory")
def of_memory():
    """Peak memory of the Runge-Kutta gradient, by what its loop keeps."""
    lines = [["steps", "values MB", "state MB", "state/values", "values s", "state s"]]
    for steps in memory.STEPS:
        found = memory.peaks(steps)
        (values, slow), (state, fast) = found["values"], found["state"]
        lines.append(
            [
                str(steps),
                f"{values / 1e6:.1f}",
                f"{state / 1e6:.1f}",
                f"{state / values:.2f}",
                f"{slow:.2f}",
                f"{fast:.2f}",
            ]
        )
    click.echo(report.aligned(lines, names=0))


@main.command("text")
@click.option("--untold", is_flag=True, help="Texts that nothing is told for.")
@click.option("--example", is_flag=True, help="Texts that an example is told for.")
def of_text(untold, example):
    """Statements of the texts over those of gradients written by hand."""
    from bench import text

    click.echo(report.aligned(text.rows(not untold and not example, example), names=1))


if __name__ == "__main__":
    main(prog_name="python -m bench")
