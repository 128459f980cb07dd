"""gast -> IR: one Let for each operation, each variable assigned once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from gradgen.errors import GradgenError, gather
from gradgen.frontend.jumps import BROKE, GONE, RESULT, RETURNED, STOP, TRUE
from gradgen.frontend.callees import Again, Callees
from gradgen.frontend.fence import fence, refused_statement
from gradgen.frontend.held import Held, Slot
from gradgen.frontend.items import count_of_results
from gradgen.frontend.names import assigned, declared
from gradgen.frontend.operands import Operands
from gradgen.frontend.prune import prune
from gradgen.frontend.probes import is_asked
from gradgen.frontend.source import Source, parameters
from gradgen.frontend.writer import REFUSED, Frame, Refusal
from gradgen.ir.absent import as_written
from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Origin,
    Ref,
    Supply,
)
from gradgen.ir.operators import BINARY
from gradgen.shapes.dims import Dim
from gradgen.shapes.shape import ShapeConflict


def lower(
    source: Source,
    supply: Supply,
    shapes: Mapping[str, str] | None = None,
    of: tuple[str, ...] = (),
    aux: bool = False,
    keep_calls: bool = False,
) -> Function:
    """The function as IR; `shapes` are the facts of its parameters as text.

    What the function leaves in the arguments named in `of` belongs to its result.
    With `keep_calls` calls of other functions stay calls where they can; those of
    functions that call themselves, no one knows how often, always do.

    Raises GradgenError with every problem it has.
    """
    callees = Callees(keep_calls)
    while True:
        lowering = _Lowering(source, supply, dict(shapes or {}), of)
        lowering.aux, lowering.callees = aux, callees
        try:
            return lowering.lowered()
        except Again:
            pass


class _Lowering(Operands):
    def __init__(
        self,
        source: Source,
        supply: Supply,
        shapes: dict[str, str],
        of: tuple[str, ...] = (),
    ) -> None:
        super().__init__(source, supply, {})
        self.texts, self.of, self.operands = shapes, of, [[]]
        self.gone_over, self.lists_read, self.generated = [], [], []
        self.views, self.live_from = [], None
        self.preamble, self.module_arrays, self.shared_arrays = [], {}, set()
        # results of cached functions, and what these have read at first
        self.kept_objects: list[Expr] = []
        self.first_seen: dict[object, object] = {}
        self.captured, self.trying, self.factories = {}, [], {}
        self.places, self.left, self.settings = {}, {}, {}
        self.deques, self.local_classes, self.gone_into = {}, {}, set()
        self.taking, self.consumers, self.lists_yielded = {}, {}, {}
        outer = declared(source.node)
        own = [name for name in assigned(source.node.body) if name not in outer]
        local = own + [a.id for a in parameters(source.node)]
        self.frame = Frame(0, source, frozenset(local), node=source.node, shared=outer)
        self.root, self.active = self.frame, [self.frame]
        self.problems: list[GradgenError] = fence(source, of)

    def lowered(self) -> Function:
        """The whole function."""
        self.hold_outer()
        params = tuple(self.parameters())
        if not self.callees.working and self.callees.must_stay(self.source):
            self._call_itself()
        else:
            self.begin(self.frame)
            self.taken_apart(self.frame)
            for test, told in self.guards:
                self.raise_where(test, ValueError, told)
            self.block(self.source.node.body)
        if not self.state.dead and not self.problems:
            self.refuse_bound()
        values, structure = self.results()
        if (not values or REFUSED in values) and not self.problems:
            self.problem(
                "GG111",
                f"{self.source.node.name} returns nothing that can be told",
                self.source.node.body[-1],
                "return result, as the last statement",
            )
        if self.problems:
            refusal = gather(_once(self.problems))
            refusal.unequal = refusal.unequal or self.unequal
            raise refusal
        name, context = self.source.node.name, tuple(self.context.items())
        function = Function(
            name,
            (*self.final_parameters(params), *self.captured.values()),
            (*self.preamble, *self.body),
            values,
            context=context,
            structure=structure,
            bundles=tuple(self.bundles.items()),
            hint=self.hint_of_result(),
            chooser=self.chooser,
            decided=(*self.decisions, *self.settings),
            left=tuple(self.left),
        )
        return prune(function, self.renamed)

    def _call_itself(self) -> None:
        """Writes the function as one call of it: what it does is told elsewhere."""
        node = self.source.node
        given = ", ".join(arg.id for arg in parameters(node))
        self.start(node, "out", f"return {node.name}({given})")
        mark = self.mark()
        try:
            value = self.through_itself()
        except Refusal:
            return self.leave(REFUSED)
        self.wish_for_results(value, mark)
        self.leave(value)

    # statements

    def statement(self, node: gast.AST) -> None:
        """Writes one statement; a refused one is noted."""
        method = getattr(self, "write_" + type(node).__name__, None)
        try:
            if method is None:
                self.problems.append(refused_statement(self.source, node))
            else:
                method(node)
        except Refusal:
            self.unsettle(node)
        except ShapeConflict as error:
            self.unequal = self.unequal or error.unequal
            self.problem("GG401", str(error), node, error.advice)
            if isinstance(node, gast.Return):
                self.leave(REFUSED)
            self.unsettle(node)

    def write_Pass(self, node: gast.Pass) -> None:
        pass

    def write_If(self, node: gast.If) -> None:
        self.if_statement(node, [])

    def write_Expr(self, node: gast.Expr) -> None:
        if isinstance(value := node.value, gast.Constant):
            return
        yields = isinstance(value, (gast.Yield, gast.YieldFrom))
        if yields and self.frame.number in self.consumers:
            return self.write_yield(node)
        if yields and self.frame is self.root:
            return None  # refused with the function
        call: Any = value if isinstance(value, gast.Call) else None
        asked = self.trying and is_asked(value, self.resolve)
        if call or asked:
            self.start(node, "")
        if call and not asked:
            call = self.with_receiver(call)
        if asked:
            self.read(value)
        elif not call or not self.effect(call) and not self.changes(call):
            if call and self.is_check(call):
                row = self.source.first + node.lineno - 1
                return self.decided(f"nothing is raised in line {row}")
            self.unless_known(call)
            self.problems.append(refused_statement(self.source, node))

    def write_Return(self, node: gast.Return) -> None:
        if node.value is None:
            self.leave(Const(None))
            return
        self.start(node, self.frame.target)
        mark = self.mark()
        try:
            value = self.read(node.value)
        except Refusal:
            self.leave(REFUSED)
            raise
        if self.frame is not self.root:
            return self.leave(value)
        self.wish_for_results(value, mark)
        self.leave(value)

    def leave(self, value: Expr) -> None:
        """Returns from the call."""
        own = self.frame is not self.root
        self.set_flag(RESULT, as_written(value) if own else value)
        for name in (RETURNED, GONE):
            self.set_flag(name, TRUE)
        if self.frame.loops:
            self.set_flag(STOP, TRUE)
            self.set_flag(BROKE, TRUE)
        self.state.left |= {self.frame.number}

    def write_Assign(self, node: gast.AST) -> None:
        targets = node.targets if isinstance(node, gast.Assign) else [node.target]
        if node.value is None:
            return
        # the columns of a list of tuples have names that stand nowhere
        names = (getattr(t, "id", None) or self.source.segment(t) for t in targets)
        self.start(node, ", ".join(names))
        mark = self.mark()
        is_unpacked = all(isinstance(t, (gast.Tuple, gast.List)) for t in targets)
        read = self.read_at_once if is_unpacked and len(targets) == 1 else self.read
        value = self.unpacked_items(targets, node.value) or read(node.value)
        for target in targets:
            # The second name of a = b = value is another name of the first.
            value = self.assign(target, value, mark)

    write_AnnAssign = write_Assign

    def write_AugAssign(self, node: gast.AugAssign) -> None:
        target = node.target
        self.start(node, self.source.segment(target))
        if type(node.op).__name__ not in BINARY:
            # n <<= 1 of whole numbers that are known; of others it is refused
            if not isinstance(target, gast.Name):
                word = f"the operator {type(node.op).__name__} is not supported"
                self.fail("GG203", word, node, "an operator of NumPy")
            left = gast.Name(target.id, gast.Load(), None, None)
            value = self.read_BinOp(
                gast.copy_location(
                    gast.BinOp(left=left, op=node.op, right=node.value), node
                )
            )
            self.assign(target, value, self.mark())
            return
        if isinstance(target, gast.Subscript):
            self.augment_item(node)
        elif isinstance(target, gast.Attribute):
            self.augment_field(node, BINARY[type(node.op).__name__])
        elif isinstance(target, gast.Name):
            handle = self.read(
                gast.copy_location(
                    gast.Name(target.id, gast.Load(), None, None), target
                )
            )
            mark = self.mark()
            value = self.read(node.value)
            op = BINARY[type(node.op).__name__]
            result = self.augment(handle, op, value, node, target.id)
            self.bind_name(target, result, mark)
        else:
            self.fail("GG115", "only names can be assigned", target, "name = value")

    def assign(self, target: gast.AST, value: Expr, mark: int) -> Expr:
        """Binds a name, or stores; the handle of what was assigned."""
        if isinstance(target, gast.Name):
            return self.bind_name(target, value, mark)
        if isinstance(target, gast.Starred):
            return self.assign(target.value, value, mark)
        elif isinstance(target, (gast.Tuple, gast.List)):
            for item, part in zip(
                target.elts, self._unpacked(target, value), strict=True
            ):
                self.assign(item, part, mark)
        elif isinstance(target, gast.Subscript):
            base, key = self.read(target.value), self.read(target.slice)
            self.store(base, key, value, target)
        elif isinstance(target, gast.Attribute):
            self.store_field(target, value, mark)
        elif isinstance(target, Slot):
            target.handle = value
        else:
            self.fail("GG115", "only names can be assigned", target, "name = value")
        return value

    def _unpacked(self, target: gast.Tuple | gast.List, value: Expr) -> list[Expr]:
        wanted = len(target.elts)
        stars = [i for i, t in enumerate(target.elts) if isinstance(t, gast.Starred)]
        if stars and value is not REFUSED:
            return self._starred(target, value, stars[0])
        if value is REFUSED:
            return [REFUSED] * wanted
        value = self.gone_through(value, target)
        known = self.contents(value)
        if known is not None:
            if len(known.args) != wanted:
                self.problem(
                    "GG118",
                    f"{wanted} names for {len(known.args)} values",
                    target,
                    "as many names as values",
                )
                return [REFUSED] * wanted
            return list(known.args)
        count = count_of_results(value, self.facts)
        if count and count != wanted:
            self.problem(
                "GG118",
                f"{wanted} names for {count} results",
                target,
                "as many names as results",
            )
            return [REFUSED] * wanted
        self._raise_unless_long(value, wanted, target)
        return [self.item(value, Const(i), target) for i in range(wanted)]

    def _raise_unless_long(self, value: Expr, wanted: int, target: gast.AST) -> None:
        """Raises where there are more or fewer values than names."""
        now = self.current(value, target)
        if not isinstance(now, Ref) or count_of_results(now, self.facts):
            return
        dims = self.facts.of(now).dims
        if not dims or dims[0] != Dim.of(wanted):
            length = Apply("len", (now,), (), "name:len")
            test = Apply("numpy.not_equal", (length, Const(wanted)), (), "operator")
            self.raise_where(test, ValueError, f"{wanted} values are wanted")

    def _starred(
        self, target: gast.Tuple | gast.List, value: Expr, star: int
    ) -> list[Expr]:
        known, after = self.contents(value), len(target.elts) - star - 1
        if self.is_dynamic(value):
            first = [self.item(value, Const(i), target) for i in range(star)]
            last = [self.item(value, Const(i), target) for i in range(-after, 0)]
            places = (Const(star), Const(-after if after else None), Const(None))
            rest = self.part_of_list(value, Apply("slice", places), target)
            return [*first, rest, *last]
        count = count_of_results(value, self.facts)
        if count:
            items = (self.item(value, Const(i), target) for i in range(count))
            known = Apply("tuple", tuple(items))
        if known is None and isinstance(value, Ref) and not self.is_number(value):
            return self._starred_rows(target, value, star, after)
        if known is None or len(known.args) < star + after:
            self.fail(
                "GG207",
                "a starred name needs a known length",
                target.elts[star],
                "slices: x[0], x[1:]",
            )
        end = len(known.args) - after
        rest = self.new_list(Apply("list", known.args[star:end]), "items")
        return [*known.args[:star], rest, *known.args[end:]]

    def _starred_rows(
        self, target: gast.Tuple | gast.List, value: Ref, star: int, after: int
    ) -> list[Expr]:
        """first, *rest = x of an array: the rest is a list."""
        length = self.bind(Apply("len", (value,), (), "name:len"), target)
        few = Apply("numpy.less", (length, Const(star + after)), (), "operator")
        self.raise_where(few, ValueError, f"at least {star + after} values are wanted")
        first = [self.item(value, Const(i), target) for i in range(star)]
        last = [self.item(value, Const(i), target) for i in range(-after, 0)]
        end = Const(-after) if after else Const(None)
        rows = self.item(value, Apply("slice", (Const(star), end, Const(None))), target)
        over = gast.Call(
            func=Held(rows, target), args=[Held(rows, target)], keywords=[]
        )
        rest = self.listed(gast.copy_location(over, target))
        return [*first, rest, *last]

    def named(self, value: Expr, name: str, mark: int) -> Expr:
        """The value under the user's name: its last operation takes the name."""
        self.name_leaf(value, name)
        if isinstance(value, Ref) and self._is_own(value, mark):
            return self.wish(value.var, name)
        # A plain number keeps its name as well; other constants are inlined.
        if isinstance(value, Const) and type(value.value) is float:
            ref = self.emit(value, name, None, Origin.USER)
            self.memory.numbers.add(ref.var)
            return ref
        return value


def _once(problems: list[GradgenError]) -> list[GradgenError]:
    """Each problem once, though loops are read more than once."""
    seen: dict[tuple[Any, ...], GradgenError] = {}
    for problem in problems:
        for each in problem.problems:
            place = (each.code, each.file, each.line, each.column, each.message)
            seen.setdefault(place, each)
    return list(seen.values())
