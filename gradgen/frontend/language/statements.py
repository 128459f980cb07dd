"""Plain statements: assignments, returns, expressions that stand alone."""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.calls.arguments import raise_unless_long
from gradgen.frontend.calls.effects import changes, effect, is_check, unless_known
from gradgen.frontend.calls.effects import unsettle
from gradgen.frontend.calls.evaluation import evaluated_call
from gradgen.frontend.calls.fields import augment_field, store_field
from gradgen.frontend.calls.methods import with_receiver
from gradgen.frontend.calls.results import wish_for_results
from gradgen.frontend.control.returned import by_parts
from gradgen.frontend.control.bindings import raise_where
from gradgen.frontend.control.branches import if_statement, leave
from gradgen.frontend.control.comprehensions import listed_items
from gradgen.frontend.control.module_names import bind_name
from gradgen.frontend.control.probes import is_asked, is_item_asked
from gradgen.frontend.control.unpacking import unpacked_items
from gradgen.frontend.control.yielding import write_yield
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.lists import new_list, part_of_list
from gradgen.frontend.heap.stores import augment_item
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.held import Held, Slot
from gradgen.frontend.lowering.items import count_of_results
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.source.fence import refused_statement
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import BINARY
from gradgen.shapes.shape import ShapeConflict


@answers(Lowering.statement)
def statement(lowering: Lowering, node: gast.AST) -> None:
    """Writes one statement; a refused one is noted."""
    around, lowering.whole = lowering.whole, getattr(node, "value", None)
    try:
        lowering.write(node)
    except Refusal:
        unsettle(lowering, node)
    except ShapeConflict as error:
        lowering.unequal = lowering.unequal or error.unequal
        lowering.problem("GG401", str(error), node, error.advice)
        if isinstance(node, gast.Return):
            leave(lowering, REFUSED)
        unsettle(lowering, node)
    finally:
        lowering.whole = around


@handles(gast.Pass)
def nothing(lowering: Lowering, node: gast.Pass) -> None:
    pass


@handles(gast.If)
def if_(lowering: Lowering, node: gast.If) -> None:
    if_statement(lowering, node, [])


@handles(gast.Expr)
def alone(lowering: Lowering, node: gast.Expr) -> None:
    if isinstance(value := node.value, gast.Constant):
        return
    yields = isinstance(value, (gast.Yield, gast.YieldFrom))
    if yields and lowering.frame.number in lowering.consumers:
        return write_yield(lowering, node)
    if yields and lowering.frame is lowering.root:
        return None  # refused with the function
    if isinstance(value, gast.NamedExpr):
        named = gast.Assign(targets=[value.target], value=value.value)
        return lowering.statement(gast.copy_location(named, node))
    call: Any = value if isinstance(value, gast.Call) else None
    made = lowering.resolve(call.func) if call else None
    if isinstance(made, type) and made.__module__ == "builtins":
        if issubclass(made, BaseException):
            return None  # an exception that is made, and not raised
    asked = lowering.trying and (
        is_asked(value, lowering.resolve) or is_item_asked(lowering, value)
    )
    if call or asked:
        lowering.start(node, "")
    if call and not asked:
        call = with_receiver(lowering, call)
    if asked:
        lowering.read(value)
    elif not call or not effect(lowering, call) and not changes(lowering, call):
        if call and is_check(lowering, call):
            row = lowering.source.first + node.lineno - 1
            return lowering.decided(f"nothing is raised in line {row}")
        if call and evaluated_call(lowering, call)[0] is not None:
            return None  # it has been called, of what is known, and did not raise
        unless_known(lowering, call)
        if not _reads_for_nothing(lowering, node.value):
            lowering.problems.append(refused_statement(lowering.source, node))


def _reads_for_nothing(lowering: Lowering, value: gast.AST) -> bool:
    """Whether a value is one of an array's, and dropped: x.reshape(3, 1) leaves x as it is.

    An entry that is not there would raise, and other functions may change something.
    """
    func = value.func if isinstance(value, gast.Call) else value
    reads = isinstance(func, (gast.Attribute, gast.BinOp, gast.UnaryOp))
    if not reads or any(isinstance(one, gast.Subscript) for one in gast.walk(value)):
        return False
    known = len(lowering.problems)
    lowering.start(value, "")
    try:
        refused = lowering.read(value) is REFUSED
    except Refusal:
        refused = True
    refused = refused or len(lowering.problems) > known
    del lowering.problems[known:]
    return not refused


@handles(gast.Return)
def return_(lowering: Lowering, node: gast.Return) -> None:
    if node.value is None:
        leave(lowering, Const(None))
        return
    lowering.start(node, lowering.frame.target)
    mark = lowering.mark()
    try:
        value = lowering.read(node.value)
    except Refusal:
        leave(lowering, REFUSED)
        raise
    if lowering.frame is lowering.root:
        wish_for_results(lowering, value, mark)
    leave(lowering, by_parts(lowering, value))


@handles(gast.Assign, gast.AnnAssign)
def assignment(lowering: Lowering, node: gast.AST) -> None:
    targets = node.targets if isinstance(node, gast.Assign) else [node.target]
    if node.value is None:
        return
    # the columns of a list of tuples have names that stand nowhere
    names = (getattr(t, "id", None) or lowering.source.segment(t) for t in targets)
    lowering.start(node, ", ".join(names))
    mark = lowering.mark()
    is_unpacked = all(isinstance(t, (gast.Tuple, gast.List)) for t in targets)
    read = lowering.read_at_once if is_unpacked and len(targets) == 1 else lowering.read
    value = unpacked_items(lowering, targets, node.value) or read(node.value)
    for target in targets:
        # The second name of a = b = value is another name of the first.
        value = lowering.assign(target, value, mark)


@handles(gast.AugAssign)
def augmented(lowering: Lowering, node: gast.AugAssign) -> None:
    target = node.target
    lowering.start(node, lowering.source.segment(target))
    if isinstance(target, gast.Subscript):
        augment_item(lowering, node)
    elif isinstance(target, gast.Attribute):
        augment_field(lowering, node, BINARY[type(node.op).__name__])
    elif isinstance(target, gast.Name):
        handle = lowering.read(
            gast.copy_location(gast.Name(target.id, gast.Load(), None, None), target)
        )
        mark = lowering.mark()
        value = lowering.read(node.value)
        op = BINARY[type(node.op).__name__]
        result = lowering.augment(handle, op, value, node, target.id)
        bind_name(lowering, target, result, mark)
    else:
        lowering.fail("GG115", "only names can be assigned", target, "name = value")


@answers(Lowering.assign)
def assign(lowering: Lowering, target: gast.AST, value: Expr, mark: int) -> Expr:
    """Binds a name, or stores; the handle of what was assigned."""
    if isinstance(target, gast.Name):
        return bind_name(lowering, target, value, mark)
    if isinstance(target, gast.Starred):
        return lowering.assign(target.value, value, mark)
    elif isinstance(target, (gast.Tuple, gast.List)):
        for item, part in zip(
            target.elts, _unpacked(lowering, target, value), strict=True
        ):
            lowering.assign(item, part, mark)
    elif isinstance(target, gast.Subscript):
        base, key = lowering.read(target.value), lowering.read(target.slice)
        lowering.store(base, key, value, target)
    elif isinstance(target, gast.Attribute):
        store_field(lowering, target, value, mark)
    elif isinstance(target, Slot):
        target.handle = value
    else:
        lowering.fail("GG115", "only names can be assigned", target, "name = value")
    return value


def _unpacked(
    lowering: Lowering, target: gast.Tuple | gast.List, value: Expr
) -> list[Expr]:
    wanted = len(target.elts)
    stars = [i for i, t in enumerate(target.elts) if isinstance(t, gast.Starred)]
    if stars and value is not REFUSED:
        return _starred(lowering, target, value, stars[0])
    if value is REFUSED:
        return [REFUSED] * wanted
    value = lowering.gone_through(value, target)
    known = contents(lowering, value)
    if known is not None:
        if len(known.args) != wanted:
            lowering.problem(
                "GG118",
                f"{wanted} names for {len(known.args)} values",
                target,
                "as many names as values",
            )
            return [REFUSED] * wanted
        return list(known.args)
    count = count_of_results(value, lowering.facts)
    if count and count != wanted:
        lowering.problem(
            "GG118",
            f"{wanted} names for {count} results",
            target,
            "as many names as results",
        )
        return [REFUSED] * wanted
    raise_unless_long(lowering, value, wanted, target)
    return [lowering.item(value, Const(i), target) for i in range(wanted)]


def _starred(
    lowering: Lowering, target: gast.Tuple | gast.List, value: Expr, star: int
) -> list[Expr]:
    known, after = contents(lowering, value), len(target.elts) - star - 1
    if lowering.is_dynamic(value):
        first = [lowering.item(value, Const(i), target) for i in range(star)]
        last = [lowering.item(value, Const(i), target) for i in range(-after, 0)]
        places = (Const(star), Const(-after if after else None), Const(None))
        rest = part_of_list(lowering, value, Apply("slice", places), target)
        return [*first, rest, *last]
    count = count_of_results(value, lowering.facts)
    if count:
        items = (lowering.item(value, Const(i), target) for i in range(count))
        known = Apply("tuple", tuple(items))
    if known is None and isinstance(value, Ref) and not lowering.is_number(value):
        return _starred_rows(lowering, target, value, star, after)
    if known is None or len(known.args) < star + after:
        lowering.fail(
            "GG207",
            "a starred name needs a known length",
            target.elts[star],
            "slices: x[0], x[1:]",
        )
    end = len(known.args) - after
    rest = new_list(lowering, Apply("list", known.args[star:end]), "items")
    return [*known.args[:star], rest, *known.args[end:]]


def _starred_rows(
    lowering: Lowering,
    target: gast.Tuple | gast.List,
    value: Ref,
    star: int,
    after: int,
) -> list[Expr]:
    """first, *rest = x of an array: the rest is a list."""
    length = lowering.bind(Apply("len", (value,), (), "name:len"), target)
    few = Apply("numpy.less", (length, Const(star + after)), (), "operator")
    raise_where(lowering, few, ValueError, f"at least {star + after} values are wanted")
    first = [lowering.item(value, Const(i), target) for i in range(star)]
    last = [lowering.item(value, Const(i), target) for i in range(-after, 0)]
    end = Const(-after) if after else Const(None)
    rows = lowering.item(value, Apply("slice", (Const(star), end, Const(None))), target)
    over = gast.Call(func=Held(rows, target), args=[Held(rows, target)], keywords=[])
    rest = listed_items(lowering, gast.copy_location(over, target))
    return [*first, rest, *last]
