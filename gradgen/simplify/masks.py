"""Masks at the end of what they mask: no 0 * inf in lanes that were not chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from gradgen.frozen import dataclass
from gradgen.ir.depth import depth
from gradgen.ir.nodes import Apply, Branch, Const, Expr, Function, Let, Origin, Ref
from gradgen.ir.nodes import Stmt, Supply, Var
from gradgen.ir.operators import ADDITIVE, COMPARISONS, MULTIPLICATIVE
from gradgen.ir.operators import add, call, getitem
from gradgen.ir.walk import children, substitute, uses, with_blocks, with_children
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR
from gradgen.simplify.masks_ahead import LINEAR, Ahead, read_whole
from gradgen.simplify.masks_apart import HOLE, ZEROS, either_of, factor, holes
from gradgen.simplify.masks_apart import multiple
from gradgen.simplify.masks_apart import tests, truth, with_tests
from gradgen.simplify.masks_finite import stays
from gradgen.simplify.masks_moved import FILLED, beyond_axes, beyond_stretch, beyond_sum
from gradgen.simplify.masks_moved import (
    beyond_view,
    complex_like,
    divided,
    fits,
    is_view,
)
from gradgen.simplify.masks_moved import like, multiplied, spread_at, stored_axes
from gradgen.simplify.masks_moved import view_of, wider
from gradgen.simplify.masks_summed import factors_inside

# what takes or gives whole lanes, and how a choice goes beyond it
MOVED = {
    "numpy.sum": beyond_sum,
    "getitem": beyond_axes,
    "helper._unbroadcast": beyond_stretch,
    FILLED: beyond_stretch,
}
# d_x + d_y, and d_x += d_y
SUMS = {*ADDITIVE, "accumulate"}
# choices in one another that are written out
DEEPEST, SHARED = 6, 4  # ... and that both ways of another one have


@dataclass(frozen=True)
class Mask:
    """What stands around a value: a choice, or an array that it is stored into.

    `around` is the choice, with HOLE for the value. With `key`, a boolean array,
    the value is what is stored there into `around`, an array of zeros.
    """

    around: Expr
    key: Expr | None = None


Masked = tuple[Expr, Mask | None]


def masks(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function whose adjoints are selected last, not first.

        before:  d_Y = np.where(M, d_Z, 0)
                 d_X = d_Y * E
                 return d_X
        after:   d_Y = np.where(M, d_Z, 0)
                 d_X = d_Z * E
                 d_X = np.where(M, d_X, 0)
                 return d_X

    An adjoint that leaves np.where, a maximum, a clip, a nansum or x[mask] is a
    value and a mask. Elementwise adjoints act on the value and hand the mask on;
    whatever else follows (a sum, a product of matrices, another mask, a store)
    reads the masked value. No finite entry changes, but for the sign of a zero. A mask
    stays where several statements read what it masks, and no lane of 0 gets infinite.
    """
    function = factors_inside(function, facts)
    made = _Masks(facts, supply, read_whole(function.body))
    made.ahead = Ahead(function.body, facts)
    made.divided = divided(function.body, facts)
    made.multiplied, made.counted = multiplied(function.body), uses(function)
    made.body = function.body
    return replace(function, body=tuple(made.block(function.body)))


class _Masks:
    def __init__(self, facts: Facts, supply: Supply, read_whole: set[Var]) -> None:
        self.facts, self.supply, self.read_whole = facts, supply, read_whole
        # of a masked variable: its value before the mask, and the mask around it
        self.masked: dict[Var, tuple[Expr, Mask]] = {}
        # the parts of the statement in question, by identity: each is split once
        self.parts: dict[int, tuple[Expr, Masked]] = {}
        self.done: list[Stmt] = []
        self.divided: set[Var] = set()
        self.ahead = Ahead((), facts)
        self.multiplied: set[Var] = set()
        self.counted: Counter[Var] = Counter()
        self.body: tuple[Stmt, ...] = ()
        self.tests: dict[Expr, Ref] = {}  # comparisons, and what names them first

    def block(self, body: Iterable[Stmt], arm: bool = False) -> list[Stmt]:
        """One block; a mask is handed on into an arm, and into no round."""
        outer, self.done, before = self.done, [], self.masked
        self.masked = dict(before) if arm else {}
        for stmt in body:
            if stmt.note.derived and isinstance(stmt, Let):
                self._let(stmt)
            else:
                inner = partial(self.block, arm=isinstance(stmt, Branch))
                self.done.append(with_blocks(stmt, inner))
        done, self.done, self.masked = self.done, outer, before
        return done

    def _let(self, let: Let) -> None:
        self.let, self.parts = let, {}
        value, mask = self._split(let.value)
        if mask is None or isinstance(let.value, Ref):  # another name has the mask
            self._put(let if mask else replace(let, value=value))
            if mask is not None:
                self.masked[let.var] = value, mask
            return
        if mask.key is None and self.counted[let.var] > 1:
            if stays(let, mask.around, self.body, self.facts):
                return self._put(replace(let, value=self._around(value, mask)))
        if not isinstance(value, Ref | Const):
            value = self._named(value)
        if self._is_multiple(let.value):
            self.read_whole.add(let.var)
        else:
            let = replace(let, value=self._around(value, mask))
        self._put(let)
        self.masked[let.var] = value, mask

    def _is_multiple(self, expr: Expr) -> bool:
        """Whether an expression is a multiple of what has to be masked anyway."""
        if not isinstance(expr, Apply) or expr.op not in MULTIPLICATIVE | LINEAR:
            return False
        first, *others = (arg for arg in expr.args if not isinstance(arg, Const))
        is_name = isinstance(first, Ref) and not others
        return is_name and first.var in self.read_whole and first.var in self.masked

    def _put(self, let: Let) -> None:
        self.facts.learn(let)
        self.done.append(let)

    def _named(self, value: Expr) -> Ref:
        """A value under a name of its own, before the statement."""
        name = self.supply.var(self.let.var.name, Origin.LOCAL)
        self._put(Let(name, value, self.let.note))
        return Ref(name)

    def _split(self, expr: Expr) -> Masked:
        """A value and the mask around it, None where there is none."""
        if isinstance(expr, Ref):
            if self.counted[expr.var] > 1 and self.let.var not in self.multiplied:
                return expr, None  # it has a name anyway, and its mask in it
            return self.masked.get(expr.var, (expr, None))
        if not isinstance(expr, Apply):
            return expr, None
        if id(expr) not in self.parts:
            self.parts[id(expr)] = expr, self._apart(expr)
        return self.parts[id(expr)][1]

    def _apart(self, expr: Apply) -> Masked:
        """The same of an operation, by what it is."""
        if expr.op in MOVED or is_view(expr):
            return self._lanes(expr)
        if expr.kwargs:
            return with_children(expr, map(self._whole, children(expr))), None
        if expr.op == "numpy.where" and len(expr.args) == 3:
            return self._chosen(expr)
        if expr.op == "setitem":
            return self._stored(expr)
        if expr.op in MULTIPLICATIVE and len(expr.args) == 2:
            return self._product(expr)
        if expr.op in LINEAR and len(expr.args) == 1:
            value, mask = self._split(expr.args[0])
            return with_children(expr, (value,)), mask
        if expr.op in SUMS and len(expr.args) == 2:
            (one, mask), (other, same) = map(self._split, expr.args)
            if mask is not None and mask == same:
                if expr.op == "accumulate":
                    return add(one, other), mask
                return with_children(expr, (one, other)), mask
            if mask is not None and same is not None and expr.op != "accumulate":
                return self._either(expr, (one, mask), (other, same))
        if expr.op == "numpy.transpose" and len(expr.args) == 1:
            return self._transposed(expr)
        return with_children(expr, map(self._whole, children(expr))), None

    def _either(
        self, expr: Apply, one: tuple[Expr, Mask], other: tuple[Expr, Mask]
    ) -> Masked:
        """A sum of two masked values: where neither is chosen it is 0 as well."""
        whole = with_children(expr, map(self._whole, expr.args))
        masks = [mask.around for _, mask in (one, other) if mask.key is None]
        tests = [truth(around, self.facts) for around in masks]
        alike = len(tests) == 2 and expr.op == "numpy.add"
        if not alike or None in tests or self.let.var not in self.divided:
            return whole, None
        first, second = (test for test in tests if test)
        if not all(
            fits(test, self.facts.of(expr), self.facts) for test in (first, second)
        ):
            return whole, None
        both = either_of(first, second, self.facts)
        if both is None:  # there is no other lane
            return whole, None
        return whole, Mask(call("numpy.where", both, Ref(HOLE), Const(0)))

    def _whole(self, expr: Expr) -> Expr:
        """An expression with its mask in it, for what is not linear in it."""
        if isinstance(expr, Ref):
            return expr
        value, mask = self._split(expr)
        if mask is None:
            return value
        whole = self._around(value, mask)
        # A store is a statement of its own.
        return whole if mask.key is None else self._named(whole)

    def _around(self, value: Expr, mask: Mask) -> Expr:
        """The mask around a value, which gets a name where it is read twice."""
        if mask.key is not None:
            zeros = self._zeros(mask.around)
            if self.facts.is_complex(value) and not self.facts.is_complex(zeros):
                zeros = complex_like(zeros)
            return Apply("setitem", (self._named(zeros), mask.key, value))
        if isinstance(value, Apply) and holes(mask.around) > 1:
            value = self._named(value)
        return substitute(mask.around, {HOLE: value})

    def _zeros(self, zeros: Expr) -> Expr:
        """Zeros like the argument that they are a gradient in, where it is like them.

        What the primal computes is not needed then for its shape alone.
        """
        of, facts = self.let.var.of, self.facts
        if of is None or of.origin is not Origin.PARAM:
            return zeros
        alike = facts.same(zeros, Ref(of)) and facts.kind(zeros) is facts.kinds[of]
        alike = alike and facts.is_complex(zeros) == facts.is_complex(Ref(of))
        return call("numpy.zeros_like", Ref(of)) if alike else zeros

    def _product(self, expr: Apply) -> Masked:
        """A masked value times or over what has no mask, or has it written."""
        left, right = expr.args
        value, mask = self._split(left)
        if mask is None and expr.op == "numpy.multiply":
            other, mask = self._split(right)
            left, mask = self._beside(self._whole(left), mask)
            if mask is None:
                other = self._whole(right)
            return with_children(expr, (left, other)), mask
        right, mask = self._beside(self._whole(right), mask)
        if mask is None:
            value = self._whole(left)
        return with_children(expr, (value, right)), mask

    def _beside(self, other: Expr, mask: Mask | None) -> Masked:
        """The other factor at the entries that the mask keeps."""
        if mask is None or mask.key is None or self.facts.of(other) == SCALAR:
            return other, mask
        if self.facts.same(other, mask.around):
            return getitem(other, mask.key), mask
        if self.let.var in self.divided and wider(other, mask.around, self.facts):
            return getitem(other, mask.key), Mask(like(other), mask.key)
        return other, None

    def _stored(self, expr: Apply) -> Masked:
        """A value that a mask stores into zeros; d[m] = 0 is np.where(m, 0, d)."""
        base, key, value = expr.args
        if value in ZEROS and self.facts.kind(key) is Kind.BOOLEAN:
            if self.facts.same(base, key) and self.let.var in self.divided:
                return self._chosen(call("numpy.where", key, Const(0), base))
        key, value = self._whole(key), self._whole(value)
        zeros = self.facts.definitions.get(base.var) if isinstance(base, Ref) else None
        if isinstance(zeros, Apply) and zeros.op == "numpy.zeros_like":
            if isinstance(key, Ref) and self.facts.kind(key) is Kind.BOOLEAN:
                return value, Mask(zeros, key)
        return with_children(expr, (base, key, value)), None

    def _chosen(self, expr: Apply) -> Masked:
        """A choice between a value and 0, or between multiples of one value."""
        test, *ways = expr.args
        test = self._first(self._whole(test))
        for zero, other in (ways, ways[::-1]):
            if zero not in ZEROS or isinstance(other, Const):
                continue
            value, inner = self._split(other)
            if inner is not None and inner.key is not None:
                value, inner = self._whole(other), None
            inside = Ref(HOLE) if inner is None else inner.around
            both = self._both(test, inside) if zero is ways[1] else None
            if both is None:
                args = [way if way is zero else inside for way in ways]
                both = replace(expr, args=(test, *args))
            return value, Mask(self._shallow(both))
        for way_of in (self._scaled, multiple):
            (first, one), (second, two) = map(way_of, ways)
            if first == second and first is not None:
                return first, Mask(replace(expr, args=(test, one, two)))
        return replace(expr, args=(test, *map(self._whole, ways))), None

    def _first(self, test: Expr) -> Expr:
        """The first variable that is the same comparison, of those that stand outside."""
        made = self.facts.definitions.get(test.var) if isinstance(test, Ref) else None
        if not isinstance(test, Ref) or not isinstance(made, Apply):
            return test
        if made.op not in COMPARISONS or self.facts.homes.get(test.var, ()):
            return test
        return self.tests.setdefault(made, test)

    def _both(self, test: Expr, inside: Expr) -> Expr | None:
        """One choice for a choice in a choice: where both are true."""
        if not isinstance(inside, Apply) or inside.op != "numpy.where":
            return None
        first, *ways = inside.args
        kinds = {self.facts.kind(test), self.facts.kind(first)}
        if ways[0] != Ref(HOLE) or ways[1] not in ZEROS or kinds != {Kind.BOOLEAN}:
            return None
        both = Apply("numpy.bitwise_and", (first, test), spelling="operator")
        return replace(inside, args=(both, *ways))

    def _shallow(self, around: Expr) -> Expr:
        """A choice in many choices as one choice by a mask that has a name.

        Each level of np.where in np.where is part of all those inside it: without a
        name what is written grows with the square of the depth.
        """
        chosen = truth(around, self.facts) if depth(around) > DEEPEST else None
        if chosen is None:
            return around
        mask = self.supply.var("selected", Origin.NAMED)
        self._put(Let(mask, chosen, self.let.note))
        return call("numpy.where", Ref(mask), Ref(HOLE), Const(0))

    def _scaled(self, expr: Expr) -> tuple[Expr | None, Expr]:
        """What a way of a choice is a multiple of before all choices, and how."""
        one, how = factor(expr)
        if isinstance(one, Apply) and one.op == "numpy.where" or isinstance(one, Ref):
            value, mask = self._split(one)
            if mask is None and isinstance(one, Ref):
                return one, how
            if mask is None or mask.key is not None or depth(mask.around) > SHARED:
                return None, expr
            return value, substitute(how, {HOLE: mask.around})
        return one, how

    def _lanes(self, expr: Apply) -> Masked:
        """A sum, or new axes, of a masked value: the mask chooses among its lanes."""
        value, mask = self._split(expr.args[spread_at(expr)])
        if mask is not None and mask.key is None and is_view(expr):
            around = beyond_view(expr, mask.around, self.facts)
            if around is not None and self.let.var in self.multiplied:
                return view_of(expr, value, self._whole, self.facts), Mask(around)
        beyond = MOVED.get(expr.op)
        after = self.multiplied if beyond is beyond_stretch else self.divided
        goes_on = expr.op != "getitem" or self.ahead.is_divided(self.let, expr)
        if mask and beyond and self.let.var in after and goes_on:
            if mask.key is None:
                found = beyond(expr, value, mask.around, self.facts)
            else:
                found = stored_axes(expr, value, mask.around, self.facts)
            if found is not None:
                return found[0], Mask(found[1], mask.key)
        return with_children(expr, map(self._whole, children(expr))), None

    def _transposed(self, expr: Apply) -> Masked:
        """A mask moves its axes as its value does."""
        value, mask = self._split(expr.args[0])
        if mask is None:
            return with_children(expr, (value,)), None
        moved = self._moved(expr, value)
        inside = list(tests(mask.around)) if mask.key is None else []
        shapes = {self.facts.of(test) for test in inside}
        whole = len(shapes) == 1 and self.facts.rank(expr) == shapes.pop().rank
        if moved is None or not whole:
            return with_children(expr, (self._whole(expr.args[0]),)), None
        turned: dict[Expr, Expr] = {
            test: with_children(expr, (test,)) for test in inside
        }
        return moved, Mask(with_tests(mask.around, turned))

    def _moved(self, expr: Apply, value: Expr) -> Expr | None:
        """A value with its axes moved, where it may be smaller than the whole."""
        rank, whole = self.facts.rank(value), self.facts.rank(expr)
        if rank == 0:
            return value
        if rank is not None and rank == whole:
            return with_children(expr, (value,))
        if (rank, whole) == (1, 2):
            return getitem(value, (slice(None), None))
        return None
