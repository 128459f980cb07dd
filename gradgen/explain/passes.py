"""The table of passes, as `gradgen explain --passes` prints it."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.explain.record import says
from gradgen.pipeline.passes import PASSES, Pass, Until

# attribute of the context -> when a pass runs, in words
WHEN = {
    "is_guarded": "with --guard",
    "is_unguarded": "without --guard",
    "is_numpy": "for NumPy",
    "has_halves": "for NumPy and CuPy",
    "is_compiled": "for numba",
    "is_assumed": "where ranks are assumed",
    "is_joint": "where the seed comes before the function runs",
    "fast": "with --fast",
    "is_alike": "but for torch and numba",
    "is_interpreted": "but for numba",
}


def passes_text() -> str:
    """The passes over a derivative in their order: name, what comes out, when."""
    lines = []
    for group, items in PASSES.items():
        lines.append(f"{group}:")
        for item in items:
            if isinstance(item, Until):
                lines.append("  until nothing changes:")
                lines += [f"    {row}" for row in _rows(item.passes)]
            else:
                lines += [f"  {row}" for row in _rows((item,))]
    return "\n".join(lines)


def _rows(passes: tuple[Pass, ...]) -> Iterator[str]:
    for one in passes:
        when = f" ({WHEN[one.when]})" if one.when else ""
        yield f"{one.name:<18}{says(one.run)}{when}"
