"""What each pass costs, as `gradgen explain --times` prints it."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

from gradgen.ir.nodes import Function
from gradgen.pipeline.observer import Printing, Watch
from gradgen.printer.render import Rendered
from gradgen.shapes.infer import Facts

READ, PRINTED = "read, shapes and kinds", "names, headings and layout"


class Times(Watch):
    """Adds up the time between one report and the next, by what is reported."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.runs: dict[str, int] = {}
        self._last = perf_counter()

    def primal(self, function: Function, facts: Facts) -> None:
        self._add(READ)

    def step(self, run: Callable[..., Any], function: Function, facts: Facts) -> None:
        self._add(run.__name__.replace("_", " "))

    def printed(self, rendered: Rendered, printing: Printing) -> None:
        self._add(PRINTED)

    def _add(self, name: str) -> None:
        now = perf_counter()
        self.seconds[name] = self.seconds.get(name, 0.0) + now - self._last
        self.runs[name] = self.runs.get(name, 0) + 1
        self._last = now


def times_text(times: Times) -> str:
    """A line for each pass: milliseconds, share, how often it ran; the costliest first.

    What a pass changes in the text is not counted: a pass that found nothing to do
    has its line as well.
    """
    total = sum(times.seconds.values())
    rows = sorted(times.seconds.items(), key=lambda row: -row[1])
    lines = [f"{'ms':>8} {'share':>6} {'runs':>5}  pass"]
    for name, seconds in rows:
        share = f"{seconds / total:.1%}"
        lines.append(f"{1e3 * seconds:>8.2f} {share:>6} {times.runs[name]:>5}  {name}")
    lines.append(f"{1e3 * total:>8.2f} {'':>6} {'':>5}  in all")
    return "\n".join(lines)
