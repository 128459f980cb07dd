"""The values and adjoints of a gradient as SVG, in the layout of layers.py."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any

from gradgen.explain.flow import Flow, Value
from gradgen.explain.layers import Layout, layout

# sizes in pixels of the picture
LETTER, HEIGHT, ROW, GAP, MARGIN, BETWEEN = 8.2, 40.0, 78.0, 18.0, 16.0, 72.0
SMALLEST = 44.0
BOW = 30.0  # how far the way back of a loop bows out
LOOPED = "\u21bb "  # stands before the name of what is computed in rounds


def picture(flow: Flow, title: str) -> str:
    """The SVG element; values on the left go down, adjoints on the right come up."""
    widths = [_width(value) for value in flow.values]
    placed = layout(flow, widths, GAP)
    shift = placed.widths[0] + BETWEEN
    xs = [
        MARGIN + place + (shift if value.adjoint else 0)
        for value, place in zip(flow.values, placed.places)
    ]
    ys = [MARGIN + row * ROW + HEIGHT / 2 for row in placed.rows]
    width = 2 * MARGIN + shift + placed.widths[1] + BOW
    height = 2 * MARGIN + max(placed.rows, default=0) * ROW + HEIGHT
    parts = [
        f'<svg class="flow" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="group" '
        f'aria-label="{html.escape(title)}">',
        _ARROWS,
    ]
    parts += _edges(flow, placed, xs, ys, widths, shift)
    parts += _nodes(flow, xs, ys, widths)
    return "\n".join([*parts, "</svg>"])


_ARROWS = "<defs>" + "".join(
    f'<marker id="arrow-{kind}" class="{kind}" viewBox="0 0 8 8" refX="7" refY="4" '
    'markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0 0.8 L7 4 L0 7.2 z"/></marker>'
    for kind in ("primal", "adjoint", "across")
) + "</defs>"  # fmt: skip


def _label(value: Value) -> str:
    return (LOOPED if value.looped else "") + value.name


def _width(value: Value) -> float:
    letters = max(len(_label(value)), 0.85 * len(value.shape))
    return max(SMALLEST, letters * LETTER + 20)


def _nodes(
    flow: Flow, xs: Sequence[float], ys: Sequence[float], widths: Sequence[float]
) -> Iterable[str]:
    for i, value in enumerate(flow.values):
        kinds = ["node", "adjoint" if value.adjoint else "primal"]
        kinds += ["returned"] if value.returned else []
        left, top, width = xs[i] - widths[i] / 2, ys[i] - HEIGHT / 2, widths[i]
        middle = ys[i] + (0.0 if value.shape else 5.0)
        lines = " ".join(value.lines)
        yield (
            f'<g class="{" ".join(kinds)}" data-node="{i}" data-lines="{lines}" '
            f'data-name="{html.escape(value.name)}" tabindex="-1" role="img" '
            f'aria-label="{html.escape(_spoken(value))}">'
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" '
            f'height="{HEIGHT:.0f}" rx="6"/>'
            f'<text x="{xs[i]:.1f}" y="{middle:.1f}">{html.escape(_label(value))}</text>'
        )
        if value.shape:
            yield (
                f'<text class="shape" x="{xs[i]:.1f}" y="{ys[i] + 14:.1f}">'
                f"{html.escape(value.shape)}</text>"
            )
        yield "</g>"


def _spoken(value: Value) -> str:
    """What a screen reader says of a value."""
    words = ["adjoint" if value.adjoint else "value", value.name]
    words += [f"of shape {value.shape}"] if value.shape else []
    words += ["computed in a loop"] if value.looped else []
    words += ["returned"] if value.returned else []
    return " ".join(words)


def _edges(
    flow: Flow,
    placed: Layout,
    xs: Sequence[float],
    ys: Sequence[float],
    widths: Sequence[float],
    shift: float,
) -> Iterable[str]:
    for a, b in flow.edges:
        one, two = flow.values[a], flow.values[b]
        if one.adjoint is not two.adjoint:
            kind, path = "across", _across(a, b, xs, ys, widths)
        else:
            kind = "adjoint" if one.adjoint else "primal"
            bends = placed.bends.get((a, b))
            if bends is None:  # it leads back, to the next round
                kind, path = f"{kind} back", _back(a, b, xs, ys, widths)
            else:
                moved = shift if one.adjoint else 0.0
                points = [
                    (MARGIN + x + moved, MARGIN + row * ROW + HEIGHT / 2)
                    for x, row in bends
                ]
                path = _down_or_up((xs[a], ys[a]), points, (xs[b], ys[b]))
        arrow = kind.split()[0]
        yield (
            f'<path class="edge {kind}" data-from="{a}" data-to="{b}" d="{path}" '
            f'marker-end="url(#arrow-{arrow})"/>'
        )


def _down_or_up(start: Any, points: Any, end: Any) -> str:
    """A curve through the bends; it leaves and enters its nodes upright."""
    way = HEIGHT / 2 if end[1] > start[1] else -HEIGHT / 2
    at = (start[0], start[1] + way)
    path = f"M{at[0]:.1f} {at[1]:.1f}"
    for x, y in [*points, (end[0], end[1] - way)]:
        half = (at[1] + y) / 2
        path += f" C{at[0]:.1f} {half:.1f} {x:.1f} {half:.1f} {x:.1f} {y:.1f}"
        at = (x, y)
    return path


def _across(
    a: int, b: int, xs: Sequence[float], ys: Sequence[float], widths: Sequence[float]
) -> str:
    """A curve from a value to an adjoint that reads it, or back."""
    way = 1 if xs[b] > xs[a] else -1
    x, end = xs[a] + way * widths[a] / 2, xs[b] - way * widths[b] / 2
    half = (x + end) / 2
    return (
        f"M{x:.1f} {ys[a]:.1f} C{half:.1f} {ys[a]:.1f} {half:.1f} {ys[b]:.1f} "
        f"{end:.1f} {ys[b]:.1f}"
    )


def _back(
    a: int, b: int, xs: Sequence[float], ys: Sequence[float], widths: Sequence[float]
) -> str:
    """A curve around the right sides of two values of one loop."""
    x, end = xs[a] + widths[a] / 2, xs[b] + widths[b] / 2
    far = max(x, end) + BOW
    return (
        f"M{x:.1f} {ys[a]:.1f} C{far:.1f} {ys[a]:.1f} {far:.1f} {ys[b]:.1f} "
        f"{end:.1f} {ys[b]:.1f}"
    )
