"""Rows and columns for the values of a flow: values go down, adjoints come back up.

A layered drawing after Sugiyama, Tagawa and Toda (1981): rows by longest paths,
the order in a row by the means of the neighbours, and places in a row by least
squares with a least distance (pool adjacent violators). The two halves stand side
by side, an adjoint in the row of its value where no edge would turn around.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gradgen.explain.flow import Flow
from gradgen.frozen import dataclass

SWEEPS = 12


@dataclass(frozen=True)
class Layout:
    """The row of each value, its place in it, and the bends of the long edges.

    A place is the middle, in the unit of the widths that were given. `bends` are
    (place, row) for each row that an edge passes.
    """

    rows: tuple[int, ...]
    places: tuple[float, ...]
    bends: Mapping[tuple[int, int], tuple[tuple[float, int], ...]]
    widths: tuple[float, float]


def layout(flow: Flow, widths: Sequence[float], gap: float) -> Layout:
    """The layout of a flow whose values are as wide as told, `gap` apart."""
    rows = _rows(flow)
    places: dict[int, float] = {}
    bends: dict[tuple[int, int], tuple[tuple[float, int], ...]] = {}
    ends: list[float] = []
    for adjoint in (False, True):
        half = [i for i, v in enumerate(flow.values) if v.adjoint is adjoint]
        edges = [e for e in _forward(flow) if e[0] in half and e[1] in half]
        found, bent, end = _half(half, edges, rows, widths, gap)
        places |= found
        bends |= bent
        ends.append(end)
    return Layout(
        tuple(rows),
        tuple(places[i] for i in range(len(rows))),
        bends,
        (ends[0], ends[1]),
    )


def _forward(flow: Flow) -> list[tuple[int, int]]:
    """The edges inside one half, without those that lead back in a loop."""
    halves = [value.adjoint for value in flow.values]
    return [(a, b) for a, b in flow.edges if a < b and halves[a] == halves[b]]


def _rows(flow: Flow) -> list[int]:
    """A row for each value: below what it reads; for an adjoint, above."""
    count = len(flow.values)
    above = [(b, a) if flow.values[a].adjoint else (a, b) for a, b in _forward(flow)]
    group = list(range(count))
    for place, value in enumerate(flow.values):
        if value.of is None or flow.values[value.of].adjoint:
            continue
        merged = list(group)
        old, new = merged[place], merged[value.of]
        merged = [new if one == old else one for one in merged]
        if _order(merged, above) is not None:
            group = merged
    order = _order(group, above) or []
    row = dict.fromkeys(order, 0)
    for one in order:
        for a, b in above:
            if group[b] == one:
                row[one] = max(row[one], row[group[a]] + 1)
    sources = set(order) - {group[b] for _, b in above}
    for one in sources:  # an argument stands right above its first use
        below = [row[group[b]] for a, b in above if group[a] == one]
        beside = [row[group[b]] for a, b in flow.edges if group[a] == one != group[b]]
        row[one] = min(below) - 1 if below else min(beside, default=0)
    return [row[one] for one in group]


def _order(group: Sequence[int], above: Sequence[tuple[int, int]]) -> list[int] | None:
    """The groups, each after those above it; None where they go round.

    No group may have an edge inside.
    """
    if any(group[a] == group[b] for a, b in above):
        return None
    pairs = {(group[a], group[b]) for a, b in above}
    waiting = {one: 0 for one in group}
    for _, b in pairs:
        waiting[b] += 1
    below: dict[int, list[int]] = {}
    for a, b in sorted(pairs):
        below.setdefault(a, []).append(b)
    ready = [one for one, count in waiting.items() if count == 0]
    order: list[int] = []
    while ready:
        one = ready.pop(0)
        order.append(one)
        for b in below.get(one, ()):
            waiting[b] -= 1
            if waiting[b] == 0:
                ready.append(b)
    return order if len(order) == len(waiting) else None


def _half(
    half: Sequence[int],
    edges: Sequence[tuple[int, int]],
    rows: Sequence[int],
    widths: Sequence[float],
    gap: float,
) -> tuple[dict[int, float], dict[tuple[int, int], Any], float]:
    """Places in the rows of one half, the bends of its edges, and its width."""
    levels: dict[int, list[Any]] = {}
    for i in half:
        levels.setdefault(rows[i], []).append(i)
    near: dict[object, list[Any]] = {i: [] for i in half}
    width: dict[object, float] = {i: widths[i] for i in half}
    paths: dict[tuple[int, int], list[Any]] = {}
    for a, b in edges:
        step = 1 if rows[b] > rows[a] else -1
        path: list[Any] = [a]
        for row in range(rows[a] + step, rows[b], step):
            bend = (a, b, row)
            levels.setdefault(row, []).append(bend)
            near[bend], width[bend] = [], 0.0
            path.append(bend)
        path.append(b)
        paths[a, b] = path
        for one, two in zip(path, path[1:]):
            near[one].append(two)
            near[two].append(one)
    at: dict[object, float] = {}
    for level in levels.values():
        _spread(level, [0.0] * len(level), width, gap, at)
    for _ in range(SWEEPS):
        for row in [*sorted(levels), *sorted(levels, reverse=True)]:
            level = levels[row]
            wished = {n: _mean([at[m] for m in near[n]], at[n]) for n in level}
            level.sort(key=lambda n: wished[n])
            _spread(level, [wished[n] for n in level], width, gap, at)
    left = min((at[n] - width[n] / 2 for n in at), default=0.0)
    places = {i: at[i] - left for i in half}
    bends = {
        edge: tuple((at[bend] - left, bend[2]) for bend in path[1:-1])
        for edge, path in paths.items()
    }
    end = max((at[n] - left + width[n] / 2 for n in at), default=0.0)
    return places, bends, end


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default


def _spread(
    level: Sequence[object],
    wished: Sequence[float],
    width: Mapping[object, float],
    gap: float,
    at: dict[object, float],
) -> None:
    """Places as near to those wished for as the widths allow, in the same order."""
    offsets, offset = [], 0.0
    for before, one in zip([None, *level], level):
        if before is not None:
            offset += (width[before] + width[one]) / 2 + gap
        offsets.append(offset)
    blocks: list[list[float]] = []  # [sum, count]
    for wish, offset in zip(wished, offsets):
        blocks.append([wish - offset, 1])
        while len(blocks) > 1 and _over(blocks[-2]) > _over(blocks[-1]):
            total, count = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += count
    means = [_over(block) for block in blocks for _ in range(int(block[1]))]
    for one, mean, offset in zip(level, means, offsets):
        at[one] = mean + offset


def _over(block: Sequence[float]) -> float:
    return block[0] / block[1]
