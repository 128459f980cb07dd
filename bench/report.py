"""The benchmark's rows as a text table with geometric means, and as JSON."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence

import numpy as np

from bench.rows import Row
from bench.tape import autograd_version
from bench.timing import geometric_mean

# Column title, and the two times whose ratio it shows.
RATIOS = (
    ("generated/primal", "generated", "primal"),
    ("hand/primal", "hand", "primal"),
    ("autograd/primal", "autograd", "primal"),
    ("generated/hand", "generated", "hand"),
    ("fast/hand", "fast", "hand"),
    ("generated/tuned", "generated", "tuned"),
)


def environment() -> dict[str, object]:
    """What the numbers depend on besides the code."""
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "autograd": autograd_version(),
        "threads": int(os.environ.get("OPENBLAS_NUM_THREADS", 0)) or None,
    }


def summary(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """Geometric mean of each ratio: over all rows, and over those of each size."""
    groups = {"all": list(rows)}
    for row in rows:
        groups.setdefault(row.size, []).append(row)
    means = {}
    for group, members in groups.items():
        means[group] = {}
        for title, name, to in RATIOS:
            ratios = [row.ratio(name, to) for row in members]
            known = [ratio for ratio in ratios if ratio is not None]
            if known:
                means[group][title] = geometric_mean(known)
    return means


def table(rows: Sequence[Row]) -> str:
    """One line per row, then the geometric means, then the versions."""
    titles = [title for title, _, _ in RATIOS]
    lines = [["workload", "size", "primal us", *titles]]
    for row in rows:
        ratios = [figure(row.ratio(name, to)) for _, name, to in RATIOS]
        primal = f"{row.seconds['primal'] * 1e6:.1f}"
        lines.append([row.workload, row.size, primal, *ratios])
    for group, means in summary(rows).items():
        ratios = [figure(means.get(title)) for title in titles]
        lines.append(["geometric mean", group, "", *ratios])
    return f"{aligned(lines)}\n\n{conditions()}"


def conditions() -> str:
    """One line that says under what the numbers were taken."""
    found = environment()
    threads = found["threads"] or "default"
    with_autograd = found["autograd"] or "not installed"
    return (
        f"CPU time, medians of interleaved rounds, float64; threads: {threads}, "
        f"Python {found['python']}, numpy {found['numpy']}, autograd {with_autograd}"
    )


def figure(ratio: float | None) -> str:
    """A ratio to two decimals, a dash for one that was not measured."""
    return "-" if ratio is None else f"{ratio:.2f}"


def aligned(lines: Sequence[Sequence[str]], names: int = 2) -> str:
    """Columns of equal width: the first `names` flush left, the others flush right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place < names else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def as_json(rows: Sequence[Row]) -> str:
    """Environment, rows and geometric means as JSON text."""
    content = {
        "environment": environment(),
        "rows": [
            {
                "workload": row.workload,
                "size": row.size,
                "lengths": row.lengths,
                "seconds": row.seconds,
                "ratios": {title: row.ratio(name, to) for title, name, to in RATIOS},
            }
            for row in rows
        ],
        "geometric_means": summary(rows),
    }
    return json.dumps(content, indent=2) + "\n"
