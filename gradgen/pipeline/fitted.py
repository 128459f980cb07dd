"""What is assumed of arguments that no rank is known of: what they broadcast to."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from gradgen.errors import GradgenError
from gradgen.facts.assumed import is_free, is_optional
from gradgen.facts.axes import Axes
from gradgen.facts.declared import complexes_told, shapes_told
from gradgen.facts.fitting import (
    ITS,
    factors_of,
    fitting,
    is_formula,
    main_array,
    masking,
    states,
    surely_arrays,
    twins,
)
from gradgen.facts.fitting_numbers import as_squares, of_shapes_apart
from gradgen.facts.fitting_numbers import of_squares, of_windows
from gradgen.facts.gathers import is_count
from gradgen.facts.meeting import met_alone, read_by_entries
from gradgen.facts.rows import as_columns, as_covariances, as_rows
from gradgen.facts.rows import beside_any_rows, gains_and_shifts
from gradgen.ir.nodes import Function
from gradgen.request.options import Request
from gradgen.request.parts import path_of
from gradgen.shapes.flow import infer
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import SCALAR, Shape, ShapeConflict, whole

# capitals of numbers: a temperature, a constant, a gain
CONSTANTS = {"T", "C", "G", "L", "R"}


def _is_part(label: str, wrt: Collection[str]) -> bool:
    """Whether a gradient is asked of an argument, of what holds it, or of a part of it.

    Of self.W and self.b, which an instance holds, it is asked one by one.
    """
    name, keys = path_of(label)
    asked = [own for one, own in map(path_of, wrt) if one == name]
    return any(all(a == b for a, b in zip(keys, own)) for own in asked)


def fitted(
    primal: Function,
    facts: Facts,
    request: Request,
    axes: Axes,
    surer: Collection[str] = (),
) -> bool:
    """Whether more is assumed of arguments of no rank: they fit what a number meets.

    First what has known axes is looked at; then one of these arguments itself is an
    array, and the others meet that, or have its shape as the states of a loop. None of
    the gradient's is where others are `surer` arrays.
    """
    free = [one.label for one in primal.params if is_free(one, facts)]
    free = [name for name in free if name not in axes.axes | axes.twins]
    labels = [one.label for one in primal.params]
    wholes = dict.fromkeys(asked_of(primal, request))
    wrt = request.wrt or tuple(wholes)
    asked = {name if name in labels else path_of(name)[0] for name in wrt}  # self.k
    # all that an instance holds are its weights; in those a gradient is asked of
    parts = {*wholes} | {label for label in labels if path_of(label)[0] in wholes}
    own = asked | {label for label in labels if _is_part(label, wrt)}
    left_out = [one.label for one in primal.params if is_optional(one, facts)]
    left_out = [name for name in left_out if name not in asked]
    told = shapes_told(primal, request)
    taken = not axes.main and whole(ITS) in told.values()
    if not free and not left_out or not axes.may_fit or taken:
        return False
    complexes = complexes_told(primal, request)
    arrays = surely_arrays(primal, facts, free)  # entries are read of those
    # center of `def f(x, center=0)`, where a gradient is asked of it; d of `d: int`
    counts = {
        one.label
        for one in primal.params
        if one.annotation == "int" or one.label in asked and is_count(one)
    }
    plain = [name for name in free if name not in arrays]
    entries = read_by_entries(primal, left_out)
    shapes = told | dict.fromkeys((*plain, *left_out), SCALAR)
    letters = axes.letters | axes.told

    def found(shapes: Mapping[str, Shape], names: list[str]) -> bool:
        try:
            known = infer(primal, shapes, complexes)
        except (GradgenError, ShapeConflict) as error:
            if error.unequal is not None and axes.learn_alike([error.unequal]):
                return True
            known = facts
        if axes.learn_alike(known.twins):
            return True
        # a capital is no smaller than what has none, but for a temperature and the like
        small = axes.main[:1].islower() and not is_formula(primal, known, True)
        capital = {name for name in names if name[:1].isupper()} - CONSTANTS
        larger = [name for name in names if not small or name not in capital]
        fits = fitting(primal, known, larger, letters, axes.vectors)
        columns = as_columns(fits, parts, primal, known)
        if axes.pair({name: fact for name, fact in columns.items() if name in own}):
            return True
        biases = beside_any_rows(primal, known, larger, letters, parts)
        if request.library != "numba":  # where a shape is of one length
            rows = as_rows(fits, parts, primal, known)
            rows |= {name: fact for name, fact in biases.items() if fact}
            fits |= {name: fact for name, fact in rows.items() if name in own}
        numbers = of_squares(fits, asked, axes.shapes) | of_windows(fits, asked)
        numbers |= {name for name in counts if name in fits}
        apart = of_shapes_apart(primal, known, larger, letters)
        numbers |= apart - gains_and_shifts(names)
        squares = as_covariances(fits, asked, primal, known)
        numbers -= arrays | squares.keys() | biases.keys()
        if axes.pair(dict.fromkeys(numbers, "")):
            return True
        if axes.pair(as_squares(fits, asked) | squares):
            return True
        # w of `if w is None: w = np.ones(n)`: a number has no entries
        if axes.pair({name: fits[name] for name in entries & fits.keys()}):
            return True
        paired = met_alone(primal, known, fits, asked)
        if axes.pair({name: fits[name] for name in paired}):
            return True
        alike = twins(primal, known, fits, asked, axes.main)
        alike |= factors_of(primal, known, fits, axes.main)
        alike |= masking(primal, known, larger)
        axes.states |= alike
        return axes.fit({n: f for n, f in fits.items() if n not in alike}) or bool(
            alike
        )

    if found(shapes, [*free, *left_out]):
        return True
    axes.main = axes.main or main_array(primal, facts, free, asked, surer)
    if not axes.main:
        return False
    shapes |= {axes.main: whole(ITS)}
    try:
        grown = states(primal, infer(primal, shapes, complexes), free) | {axes.main}
        alike = shapes | dict.fromkeys(grown, whole(ITS))
        if len(grown) > 1 and not states(primal, infer(primal, alike, complexes), free):
            axes.states = grown - {axes.main}
            return True
    except (GradgenError, ShapeConflict):
        return False
    return found(shapes, [name for name in (*free, *left_out) if name != axes.main])


def asked_of(primal: Function, request: Request) -> list[str]:
    """The arguments of the gradient: the first one, where none is named.

    Those whole of which a part is named, and no instance whose parts the function reads.
    """
    instances = {p.bundle for p in primal.params if p.bundle and not p.path}
    own = [p.label for p in primal.params if p.bundle not in instances]
    return [path_of(name)[0] for name in request.wrt or own[:1]]
