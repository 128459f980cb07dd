"""Views by strides that are multiples of an array's own: windows of it, rows, repeats.

    s0, s1 = x.strides
    as_strided(x, (n, rows, cols, k), (s0, step * s1, 0, s1))

A stride of an array's is known here by its axis and by what it is multiplied by, and is
nothing that is computed with: which entries a view has is told by these alone, however
the array lies in memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast
import numpy

from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.source.names import NO_VALUE
from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Ref

VIEW = numpy.lib.stride_tricks.as_strided
WINDOWS = numpy.lib.stride_tricks.sliding_window_view
NAMES = ("x", "shape", "strides", "subok", "writeable")
OWN = "a view whose strides are no multiples of the array's own"
WRITE = "x.strides[0], step * x.strides[1] or 0, two of an axis at most"


@dataclass(frozen=True)
class Stride:
    """The stride of an axis of an array, times what it is multiplied by."""

    array: Expr
    axis: int
    times: tuple[Expr, ...] = ()


@handles(gast.Attribute)
def attribute(lowering: Lowering, node: gast.Attribute) -> Expr:
    """x.strides of an array of so many axes: one for each."""
    if node.attr != "strides" or lowering.resolve(node.value) is not NO_VALUE:
        return attribute.further(lowering, node)
    base = lowering.read(node.value)
    if base is REFUSED:
        return REFUSED
    if not isinstance(base, Ref) or contents(lowering, base) is not None:
        again = gast.Attribute(Held(base, node.value), node.attr, node.ctx)
        return attribute.further(lowering, gast.copy_location(again, node))
    count = lowering.facts.rank(lowering.current(base))
    if count is None:
        told = "how many axes this array has is not known"
        lowering.fail("GG214", told, node, lowering.shape_fact())
    return Apply("tuple", tuple(Const(Stride(base, axis)) for axis in range(count)))


@handles(gast.BinOp)
def product(lowering: Lowering, node: gast.BinOp) -> Expr:
    """step * x.strides[0] is a stride as well."""
    if not isinstance(node.op, gast.Mult):
        return product.further(lowering, node)
    left, right = lowering.read(node.left), lowering.read(node.right)
    if REFUSED in (left, right):
        return REFUSED
    for one, other in ((left, right), (right, left)):
        stride = getattr(one, "value", None)
        if isinstance(stride, Stride):
            times = (*stride.times, other)
            return Const(Stride(stride.array, stride.axis, times))
    sides = Held(left, node.left), Held(right, node.right)
    again = gast.BinOp(left=sides[0], op=node.op, right=sides[1])
    return product.further(lowering, gast.copy_location(again, node))


@answers(Lowering.bind)
def bind(lowering: Lowering, value: Apply, node: gast.AST | None) -> Expr:
    """Nothing else is computed with strides: they tell how an array lies in memory."""
    for arg in (*value.args, *(word for _, word in value.kwargs)):
        for one in arg.args if isinstance(arg, Apply) else (arg,):
            if isinstance(getattr(one, "value", None), Stride):
                told = "strides are known here only where a view is made by them"
                lowering.fail("GG206", told, node or lowering.frame.node, WRITE)
    return bind.further(lowering, value, node)


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    """as_strided of what the shape and the strides tell of.

    before:  as_strided(x, (n, k), (2 * x.strides[0], x.strides[0]))
    after:   sliding_window_view(x, (k,), (0,))[: (n - 1) * 2 + 1 : 2]
    """
    if value is not VIEW:
        return special_call.further(lowering, value, node)
    given = _arguments(lowering, node)
    if given is None:
        return REFUSED
    array, shape, strides = (given.get(name, Const(None)) for name in NAMES[:3])
    if not isinstance(array, Ref) or contents(lowering, array) is not None:
        lowering.fail("GG209", OWN, node, WRITE)
    count = lowering.facts.rank(lowering.current(array))
    steps = contents(lowering, strides)
    if steps is None or count is None:
        told = "how many axes this view has is not known"
        lowering.fail("GG214", told, node, lowering.shape_fact())
    sizes = _sizes(lowering, shape, len(steps.args), node)
    axes: list[list[int]] = [[] for _ in range(count)]
    for place, step in enumerate(steps.args):
        own = getattr(step, "value", None)
        if isinstance(own, Stride) and own.array == array:
            axes[own.axis].append(place)
        elif own != 0 or isinstance(own, bool):
            lowering.fail("GG209", OWN, node, WRITE)
    if len(sizes) != len(steps.args) or any(len(places) > 2 for places in axes):
        lowering.fail("GG209", OWN, node, WRITE)
    times = [getattr(getattr(s, "value", None), "times", ()) for s in steps.args]
    own_lengths = {
        place
        for axis, places in enumerate(axes)
        for place in places
        if _is_length(lowering, sizes[place], array, axis)
    }
    made = _View(node, sizes, times, axes, own_lengths).text(array)
    return lowering.expression(gast.fix_missing_locations(made))


def _sizes(
    lowering: Lowering, shape: Expr, count: int, node: gast.Call
) -> tuple[Expr, ...]:
    """The lengths of a view: of a tuple, of a number, or of another array's shape."""
    known = contents(lowering, shape)
    if known is not None:
        return known.args
    if isinstance(shape, Const) or count == 1 and lowering.is_number(shape):
        return (shape,)
    return tuple(lowering.item(shape, Const(axis), node) for axis in range(count))


def _is_length(lowering: Lowering, size: Expr, array: Expr, axis: int) -> bool:
    """Whether a size is read off the array: x.shape[axis], len(x)."""
    made = lowering.facts.definitions.get(size.var) if isinstance(size, Ref) else None
    if not isinstance(made, Apply):
        return False
    if made.op == "len":
        return axis == 0 and made.args[0] == array
    if made.op != "getitem" or made.args[1] != Const(axis):
        return False
    of = made.args[0]
    shape = lowering.facts.definitions.get(of.var) if isinstance(of, Ref) else of
    return shape == Apply("numpy.shape", (array,))


def _arguments(lowering: Lowering, node: gast.Call) -> dict[str, Expr] | None:
    """The arguments by their names; None where one is refused."""
    if any(isinstance(arg, gast.Starred) for arg in node.args):
        lowering.fail("GG207", "starred arguments are not supported", node, WRITE)
    given: dict[str, Any] = dict(zip(NAMES, node.args))
    given |= {str(one.arg): one.value for one in node.keywords}
    found = {name: lowering.read(one) for name, one in given.items()}
    return None if REFUSED in found.values() else found


class _View:
    """The text of a view: entries, windows along axes, their order, and repeats."""

    def __init__(
        self,
        node: gast.Call,
        sizes: tuple[Expr, ...],
        times: list[tuple[Expr, ...]],
        axes: list[list[int]],
        own_lengths: set[int],
    ) -> None:
        self.node, self.sizes, self.times, self.axes = node, sizes, times, axes
        self.own_lengths = own_lengths  # places that go over all of an axis

    def text(self, array: Expr) -> Any:
        """The expression that has the entries of the view."""
        alone = {places[0] for places in self.axes if len(places) == 1}
        windows = [places for places in self.axes if len(places) == 2]
        keys = [self._key(places) for places in self.axes]
        found: Any = Held(array, self.node)
        if any(not _is_whole(key) for key in keys):
            found = self._item(found, keys)
        kept = [places for places in self.axes if places]
        if windows:
            at = [i for i, places in enumerate(kept) if len(places) == 2]
            lengths = [self._extent(self._window(places)) for places in windows]
            found = self._call(WINDOWS, found, self._tuple(lengths), self._ints(at))
            after = [self._steps(self._start(p), p[0] in alone) for p in kept]
            after += [_slice(None, self._by(self._window(p))) for p in windows]
            if any(not _is_whole(key) for key in after):
                found = self._item(found, after)
        order = [self._start(places) for places in kept]
        order += [self._window(places) for places in windows]
        if order != sorted(order):
            turned = [order.index(place) for place in sorted(order)]
            found = self._call(numpy.transpose, found, self._ints(turned))
        count = len(self.sizes)
        if len(order) == count:
            return found
        new = [_slice() if i in order else self._const(None) for i in range(count)]
        shape = self._tuple([Held(size, self.node) for size in self.sizes])
        return self._call(numpy.broadcast_to, self._item(found, new), shape)

    def _window(self, places: list[int]) -> int:
        """Which of two places goes through a window: one that takes each entry."""
        first, last = places
        return first if self.times[last] and not self.times[first] else last

    def _start(self, places: list[int]) -> int:
        """Which place goes from one window to the next, or along the axis."""
        if len(places) == 1:
            return places[0]
        return next(place for place in places if place != self._window(places))

    def _key(self, places: list[int]) -> Any:
        """What is taken of an axis before there are windows of it."""
        if not places:
            return self._const(0)
        return self._steps(places[0], False) if len(places) == 1 else _slice()

    def _steps(self, place: int, done: bool) -> Any:
        """The entries of a place's axis: as many as it has, so far apart."""
        step = self._by(place)
        if done or step is None and place in self.own_lengths:
            return _slice()
        return _slice(self._extent(place), step)

    def _by(self, place: int) -> Any:
        """What the place's stride is multiplied by; None for once."""
        factors = [Held(one, self.node) for one in self.times[place]]
        return _product(factors) if factors else None

    def _extent(self, place: int) -> Any:
        """How many entries of the array's the place goes over: (n - 1) * step + 1."""
        size = self.sizes[place]
        count: Any = Held(size, self.node)
        step = self._by(place)
        if step is None:
            return count
        less: Any = gast.BinOp(count, gast.Sub(), self._const(1))
        if isinstance(size, Const) and type(size.value) is int:
            less = self._const(size.value - 1)
        over = gast.BinOp(less, gast.Mult(), step)
        return gast.BinOp(over, gast.Add(), self._const(1))

    def _item(self, base: Any, keys: list[Any]) -> Any:
        index = keys[0] if len(keys) == 1 else self._tuple(keys)
        return self._placed(gast.Subscript(base, index, gast.Load()))

    def _call(self, function: Any, *args: Any) -> Any:
        held = Held(Const(function), self.node)
        return self._placed(gast.Call(held, list(args), []))

    def _const(self, value: int | None) -> Held:
        return Held(Const(value), self.node)

    def _ints(self, values: Iterable[int]) -> Any:
        return self._tuple([self._const(value) for value in values])

    def _tuple(self, items: list[Any]) -> Any:
        return self._placed(gast.Tuple(items, gast.Load()))

    def _placed(self, made: Any) -> Any:
        for inner in gast.walk(made):
            if not isinstance(inner, Held):
                gast.copy_location(inner, self.node)
        return made


def _slice(upper: Any = None, step: Any = None) -> Any:
    return gast.Slice(None, upper, step)


def _is_whole(key: Any) -> bool:
    return isinstance(key, gast.Slice) and key.upper is None and key.step is None


def _product(factors: list[Any]) -> Any:
    found = factors[0]
    for one in factors[1:]:
        found = gast.BinOp(found, gast.Mult(), one)
    return found
