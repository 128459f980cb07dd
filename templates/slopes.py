"""np.gradient: differences of neighbours, and of one side at the ends."""

import numpy as np
from gradgen.rules import (
    as_array,
    at_slope,
    axis_of_slope,
    beside_slope,
    beyond,
    d,
    each,
    floats,
    general,
    in_slope,
    is_number,
    is_sequence,
    places,
    positions,
    rank,
    refuse,
    results,
    shape,
    slopes,
    spacing_of,
    spread,
    t,
    unbroadcast,
    unreduce,
    unused,
    varies,
)


@general
def gradient(z, f, *varargs, axis=None, edge_order=1):
    shape[z] = slopes(f, axis)
    t[z] = spread(
        np.gradient(t[f], varargs, axis=axis, edge_order=beyond(edge_order, 1))
    )
    if varies(t[varargs]) and (is_number(axis) or rank(f) == 1):
        if rank(spacing_of(varargs, 0)) == 0:
            t[z] = -z * spacing_of(t[varargs], 0) / spacing_of(varargs, 0)
    if axis is None and rank(f) is None:
        d[f] = refuse(d[z], "np.gradient of what may have several axes", "axis=-1")
    for i in positions(results(z)):
        if unused(each(d[z], i)):
            pass
        elif rank(spacing_of(varargs, i)) == 0:
            slope = each(d[z], i) / spacing_of(varargs, i)
            inner = slope[in_slope(f, axis, i, 1, -1)] / 2
            d[f][in_slope(f, axis, i, 2, None)] += inner
            d[f][in_slope(f, axis, i, None, -2)] += -inner
            first = slope[at_slope(f, axis, i, 0)]
            last = slope[at_slope(f, axis, i, -1)]
            if edge_order == 1:
                d[f][at_slope(f, axis, i, 1)] += first
                d[f][at_slope(f, axis, i, 0)] += -first
                d[f][at_slope(f, axis, i, -1)] += last
                d[f][at_slope(f, axis, i, -2)] += -last
            else:
                d[f][at_slope(f, axis, i, 0)] += -1.5 * first
                d[f][at_slope(f, axis, i, 1)] += 2 * first
                d[f][at_slope(f, axis, i, 2)] += -0.5 * first
                d[f][at_slope(f, axis, i, -1)] += 1.5 * last
                d[f][at_slope(f, axis, i, -2)] += -2 * last
                d[f][at_slope(f, axis, i, -3)] += 0.5 * last
            d[spacing_of(varargs, i)] = unbroadcast(
                -slope * each(z, i), spacing_of(varargs, i)
            )
        elif rank(f) is None or rank(as_array(spacing_of(varargs, i))) is None:
            d[f] = refuse(d[z], "np.gradient of unknown rank", "shape facts")
            d[spacing_of(varargs, i)] = refuse(
                each(d[z], i), "np.gradient of unknown rank", "shape facts"
            )
        elif edge_order == 2:
            d[f] = refuse(d[z], "np.gradient with places, edge_order=2", "edge_order=1")
            d[spacing_of(varargs, i)] = refuse(
                each(d[z], i), "np.gradient with places, edge_order=2", "edge_order=1"
            )
        else:
            heights = np.diff(floats(f), axis=beyond(axis_of_slope(f, axis, i), -1))
            gaps = np.diff(floats(as_array(spacing_of(varargs, i))))
            if rank(f) == 1:
                before = gaps[:-1]
                behind = gaps[1:]
            else:
                before = unreduce(gaps[:-1], f, beside_slope(f, axis, i), False)
                behind = unreduce(gaps[1:], f, beside_slope(f, axis, i), False)
            # Inside it is the mean of both sides, of the nearer one the more.
            slope = each(d[z], i)
            inner = slope[in_slope(f, axis, i, 1, -1)] / (before + behind)
            left = inner * behind / before
            right = inner * before / behind
            first = slope[at_slope(f, axis, i, 0)] / gaps[0]
            last = slope[at_slope(f, axis, i, -1)] / gaps[-1]
            d[f][in_slope(f, axis, i, 1, -1)] += left - right
            d[f][in_slope(f, axis, i, None, -2)] += -left
            d[f][in_slope(f, axis, i, 2, None)] += right
            d[f][at_slope(f, axis, i, 1)] += first
            d[f][at_slope(f, axis, i, 0)] += -first
            d[f][at_slope(f, axis, i, -1)] += last
            d[f][at_slope(f, axis, i, -2)] += -last
            if is_sequence(spacing_of(varargs, i)):
                d[spacing_of(varargs, i)] = refuse(
                    each(d[z], i), "np.gradient with places in a list", "np.array"
                )
            else:
                values = each(z, i)
                middle = values[in_slope(f, axis, i, 1, -1)]
                downs = heights[in_slope(f, axis, i, None, -1)] / before
                ups = heights[in_slope(f, axis, i, 1, None)] / behind
                earlier = inner * (ups - middle) - left * downs
                later = inner * (downs - middle) - right * ups
                start = -first * values[at_slope(f, axis, i, 0)]
                end = -last * values[at_slope(f, axis, i, -1)]
                if rank(f) == 1:
                    d[spacing_of(varargs, i)][1:-1] += earlier - later
                    d[spacing_of(varargs, i)][:-2] += -earlier
                    d[spacing_of(varargs, i)][2:] += later
                    d[spacing_of(varargs, i)][1] += start
                    d[spacing_of(varargs, i)][0] += -start
                    d[spacing_of(varargs, i)][-1] += end
                    d[spacing_of(varargs, i)][-2] += -end
                else:
                    of_earlier = np.sum(earlier, axis=beside_slope(f, axis, i))
                    of_later = np.sum(later, axis=beside_slope(f, axis, i))
                    d[spacing_of(varargs, i)][1:-1] += of_earlier - of_later
                    d[spacing_of(varargs, i)][:-2] += -of_earlier
                    d[spacing_of(varargs, i)][2:] += of_later
                    d[spacing_of(varargs, i)][1] += np.sum(start)
                    d[spacing_of(varargs, i)][0] += -np.sum(start)
                    d[spacing_of(varargs, i)][-1] += np.sum(end)
                    d[spacing_of(varargs, i)][-2] += -np.sum(end)
