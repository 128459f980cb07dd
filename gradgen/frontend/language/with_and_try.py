"""with, try, import, del and nonlocal."""

from __future__ import annotations

import contextlib
import importlib
import types
import warnings
from typing import Any, NoReturn

import gast
import numpy

from gradgen.frontend.calls.arguments import by_keyword, spread
from gradgen.frontend.calls.contexts import JUMPS, LOCKS, entered, on_every_way
from gradgen.frontend.calls.effects import SILENT, is_check, is_numpys
from gradgen.frontend.calls.evaluation import is_pure
from gradgen.frontend.calls.lasting import bound_around
from gradgen.frontend.control.bindings import bound
from gradgen.frontend.control.branches import block, close, has_gone
from gradgen.frontend.control.comprehensions import placed
from gradgen.frontend.control.fallbacks import caught_as, fall_back, fallback_of
from gradgen.frontend.control.fallbacks import goes_on, unless_number
from gradgen.frontend.control.handled import leaves_in_finally, noted
from gradgen.frontend.control.probes import is_undecided
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.lists import is_a_list, new_list, refuse_gone_over
from gradgen.frontend.heap.names import lookup
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.jumps import FALSE
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Poison
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.lowering.pending import Raised, Trying
from gradgen.frontend.lowering.sharing import is_slice
from gradgen.frontend.lowering.statics import is_known
from gradgen.frontend.source.fence import own_nodes, refused_statement
from gradgen.frontend.source.lookup import MISSING, among, part_of
from gradgen.frontend.source.names import is_plain
from gradgen.ir.nodes import Apply, Branch, Const, Expr, Ref

# blocks that do nothing to what is computed in them
PLAIN: tuple[Any, ...] = (warnings.catch_warnings, numpy.printoptions)


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    if among(value, SILENT):
        return Const(None)
    return special_call.further(lowering, value, node)


@handles(gast.With)
def with_block(lowering: Lowering, node: gast.With) -> None:
    item, *others = node.items
    if others:
        inner = gast.With(items=others, body=node.body, type_comment=None)
        body: list[Any] = [gast.copy_location(inner, node)]
    else:
        body = list(node.body)
    call: Any = item.context_expr
    value = lowering.resolve(call.func) if isinstance(call, gast.Call) else None
    target: Any = item.optional_vars
    named = target is not None
    if value is numpy.errstate and not named and not call.args:
        _errstate(lowering, node, call, body)
    elif among(value, PLAIN) and not named:
        block(lowering, body)
    elif value is contextlib.suppress and not named:
        kinds = tuple(_classes_named(lowering, [one]) for one in call.args)
        tried = _suppressed(call, body)
        if fallback_of(lowering, tried, kinds) is not None:
            return lowering.write(tried)
        going = tuple(True for _ in kinds)
        raised = _within(lowering, body, node, kinds, going)
        noted(lowering, body, kinds, going, raised, _caught)
        if raised is None:
            lowering.decided(f"nothing is suppressed in line {_row(lowering, node)}")
    elif value is contextlib.nullcontext and len(call.args) <= 1:
        if named:
            lowering.start(node, lowering.source.segment(target))
            mark = lowering.mark()
            held = lowering.read(call.args[0]) if call.args else Const(None)
            lowering.assign(target, held, mark)
        block(lowering, body)
    elif isinstance(lowering.resolve(call), LOCKS) and not named:
        block(lowering, body)
    else:
        entered(lowering, node, body)


def _errstate(
    lowering: Lowering, node: gast.With, call: gast.Call, body: list[Any]
) -> None:
    """with np.errstate(...): the block, and the with in the text."""
    text = f"with {lowering.source.one_line(call)}"
    lowering.start(node, "", text, call)
    note = lowering.note
    kwargs = by_keyword(lowering, spread(lowering, call))
    before, mark = lowering.state, lowering.mark()
    then = lowering.arm(before, lambda: block(lowering, body))
    orelse = lowering.arm(before, lambda: setattr(lowering.state, "dead", True))
    ended = then.state.dead
    place = len(lowering.body)
    close(lowering, Apply("numpy.errstate", (), kwargs), then, orelse, mark, note)
    lowering.state.dead = ended
    assert isinstance(lowering.body[place], Branch)


def _row(lowering: Lowering, node: gast.AST) -> int:
    return lowering.source.first + node.lineno - 1


@answers(Lowering.store)
def store(
    lowering: Lowering,
    target: Expr,
    key: Expr,
    value: Expr,
    node: gast.AST,
    add: bool = False,
    op: str = "",
) -> None:
    if lowering.trying:
        unless_number(lowering, target)
    store.further(lowering, target, key, value, node, add, op)


@handles(gast.Try)
def try_block(lowering: Lowering, node: gast.Try) -> None:
    caught = [handler for handler in node.handlers if goes_on(handler)]
    kinds = tuple(_caught(lowering, handler) for handler in node.handlers)
    place = fallback_of(lowering, node, kinds)
    if place is not None:
        fall_back(lowering, node, node.handlers[place], kinds[place])
        if node.finalbody:
            _finally(lowering, node)
        return
    going = tuple(map(goes_on, node.handlers))
    raised = _within(lowering, node.body, node, kinds, going)
    every = (*kinds, (BaseException,)), (*going, leaves_in_finally(node))
    noted(lowering, node.body, *every, raised, _caught)
    if raised is not None:
        _handled(lowering, node, raised, kinds)
    else:
        if caught:
            lowering.decided(f"nothing is caught in line {_row(lowering, node)}")
        if has_gone(lowering) == FALSE:
            block(lowering, node.orelse)
    if node.finalbody:
        _finally(lowering, node)


def _within(
    lowering: Lowering,
    body: list[Any],
    node: gast.AST,
    kinds: Any,
    goes_on: tuple[bool, ...],
) -> Exception | None:
    """The statements of a try block, and what one of them surely raises.

    What stands before that one is done, whatever is done behind it.
    """
    frame, note, loops, before = (
        lowering.frame,
        lowering.note,
        lowering.frame.loops,
        lowering.state,
    )
    flags = {name: before.names.get((frame.number, name)) for name in JUMPS}
    active, lists = len(lowering.active), list(lowering.lists_read)
    gone_over, generated = list(lowering.gone_over), list(lowering.generated)
    depth, calls = len(lowering.trying), lowering.calls_made
    lowering.trying.append(Trying(lowering.body, kinds, goes_on))
    try:
        _certain(lowering, body, node)
        return None
    except Raised as found:
        error = found.error
    finally:
        own = lowering.trying[depth]
        del lowering.trying[depth:]
    if own.handler_of(type(error)) is None and not getattr(node, "finalbody", 0):
        raise Raised(error)  # a try block around takes it
    lowering.frame, lowering.note, lowering.frame.loops = frame, note, loops
    del lowering.active[active:]
    lowering.lists_read, lowering.gone_over = lists, gone_over
    lowering.generated = generated
    names = lowering.state.names
    for key in [key for key in names if key[0] > calls]:
        del names[key]  # of calls that it has left
    for name, value in flags.items():
        names.pop((frame.number, name), None)
        if value is not None:
            names[frame.number, name] = value
    return error


def _caught(lowering: Lowering, handler: Any) -> tuple[type, ...]:
    """The exceptions that a handler takes."""
    if handler.type is None:
        return (BaseException,)
    return _classes_named(lowering, getattr(handler.type, "elts", [handler.type]))


def _classes_named(lowering: Lowering, nodes: list[Any]) -> tuple[type, ...]:
    """The classes of exceptions that expressions name, those of tuples too."""
    found: list[type] = []
    for one in nodes:
        inner = one.value if isinstance(one, gast.Starred) else one
        value = lowering.resolve(inner)
        every = value if isinstance(value, tuple) else (value,)
        found += [cls for cls in every if isinstance(cls, type)]
    return tuple(found)


def _handled(lowering: Lowering, node: gast.Try, error: Exception, kinds: Any) -> None:
    """The handler of what the body surely raises."""
    for handler, classes in zip(node.handlers, kinds, strict=True):
        if isinstance(error, classes):
            caught_as(lowering, handler)
            block(lowering, handler.body)
            return
    lowering.fail("GG269", f"this raises {type(error).__name__}", node, "another value")


def _certain(lowering: Lowering, body: list[Any], node: gast.AST) -> None:
    """The statements of a block in which an exception is part of what happens.

    What is computed for its exceptions alone would be left out of the text.
    """
    first = len(lowering.body)
    block(lowering, body)
    own = [n for statement in body for n in gast.walk(statement)]
    read = {
        n.id
        for n in own_nodes(lowering.frame.node.body)
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)
    }
    for statement in own:
        targets = getattr(statement, "targets", [])
        names = [t.id for t in targets if isinstance(t, gast.Name)]
        idle = isinstance(statement, gast.Expr) or names and not set(names) & read
        called = getattr(statement, "value", None)
        if idle and called and _is_caught(lowering, TypeError, IndexError):
            if is_undecided(lowering, called):
                _refuse_idle(lowering, called)
        if idle and isinstance(called, gast.Call) and is_check(lowering, called):
            continue
        if isinstance(called, gast.Call) and is_pure(lowering, called):
            continue  # called while the text is made
        if idle and isinstance(called, gast.Call) and len(lowering.body) > first:
            word = lowering.callee(called.func) if is_numpys(lowering, called) else None
            if word is not None:
                _refuse_idle(lowering, called)


def _is_caught(lowering: Lowering, *kinds: type[BaseException]) -> bool:
    """Whether a handler of the try block around goes on behind one of these."""
    own = lowering.trying[-1]
    places = [own.handler_of(kind) for kind in kinds]
    return any(place is not None and own.goes_on[place] for place in places)


def _refuse_idle(lowering: Lowering, node: gast.AST) -> NoReturn:
    lowering.fail(
        "GG113",
        "a try block around what is computed for its exceptions alone is not supported",
        node,
        "a test before it: np.all(np.linalg.eigvalsh(A) > 0), or np.ndim(x) > 0",
    )


def _finally(lowering: Lowering, node: gast.Try) -> None:
    """What stands in finally, behind a block that has not returned."""
    if leaves_in_finally(node):
        if has_gone(lowering) == FALSE:
            return block(lowering, node.finalbody)
        lowering.fail(
            "GG113",
            "a return in a finally behind a return is not supported",
            node.finalbody[0],
            "a name for the result, and the return behind the try",
        )
    on_every_way(lowering, lambda: block(lowering, node.finalbody))


@handles(gast.Import)
def import_(lowering: Lowering, node: gast.Import) -> None:
    for alias in node.names:
        module = _module_of(lowering, alias.name, node)
        if alias.asname is None and "." in alias.name:
            module = _module_of(lowering, alias.name.partition(".")[0], node)
        name = alias.asname or alias.name.partition(".")[0]
        _set(lowering, name, Const(module))


@handles(gast.ImportFrom)
def import_from(lowering: Lowering, node: gast.ImportFrom) -> None:
    package = lowering.source.globals.get("__package__")
    for alias in node.names:
        where = "." * (node.level or 0) + (node.module or "")
        module = _module_of(lowering, where, node, package)
        value = part_of(module, alias.name)
        if value is MISSING:
            full = f"{module.__name__}.{alias.name}"
            value = _module_of(lowering, full, node)
        handle: Expr | None = None
        if is_plain(value) or callable(value) or is_known(value):
            handle = Const(value)
        elif isinstance(value, types.ModuleType):
            handle = Const(value)
        if handle is None:
            lowering.fail(
                "GG211", f"{alias.name} is no plain value", node, "a parameter"
            )
        _set(lowering, alias.asname or alias.name, handle)


def _set(lowering: Lowering, name: str, value: Expr) -> None:
    lowering.state.names[lowering.frame.number, name] = value
    bound(lowering, lowering.frame.number, name)


def _module_of(
    lowering: Lowering, name: str, node: Any, package: Any = None
) -> types.ModuleType:
    try:
        return importlib.import_module(name, package)
    except Exception as error:
        kind = type(error).__name__
        lowering.fail(
            "GG113",
            f"an import inside the function raises {kind}",
            node,
            "the import at the module's top",
        )


@handles(gast.Nonlocal)
def nonlocal_(lowering: Lowering, node: gast.Nonlocal) -> None:
    """nonlocal total: the name is bound in the call around it."""
    name = bound_around(lowering, node)
    if name is not None:
        lowering.fail(
            "GG113",
            f"a nonlocal statement for {name}, which outlives the call, is not "
            "supported",
            node,
            f"{name} as a result, or as a parameter",
        )


@handles(gast.Delete)
def delete(lowering: Lowering, node: gast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, gast.Name):
            handle = lookup(lowering, target.id)
            if handle is None or handle is REFUSED:
                lowering.problems.append(refused_statement(lowering.source, node))
                raise Refusal
            gone = f"{target.id} is read where it may have been deleted"
            key = lowering.frame.number, target.id
            lowering.state.names[key] = Poison("GG215", gone, "the read before the del")
        elif isinstance(target, gast.Subscript):
            lowering.start(node, "")
            _deleted(lowering, target, node)
        else:
            lowering.problems.append(refused_statement(lowering.source, node))


def _deleted(lowering: Lowering, target: gast.Subscript, node: gast.Delete) -> None:
    """del items[i], of a container; del items[a:b] is items[a:b] = []."""
    base, key = lowering.read(target.value), lowering.read(target.slice)
    held, place = Held(base, target.value), Held(key, target.slice)
    listed = is_a_list(lowering, base) and is_slice(key)
    if isinstance(base, Ref) and listed and key.args[2] == Const(None):
        refuse_gone_over(lowering, base, node)
        return lowering.store(base, key, new_list(lowering, Apply("list", ())), node)
    pop = gast.Attribute(value=held, attr="pop", ctx=gast.Load())
    call = gast.Call(func=pop, args=[place], keywords=[])
    placed(lowering, call, target)
    known = contents(lowering, base) if REFUSED not in (base, key) else None
    if known is None and not is_a_list(lowering, base) or listed:
        lowering.problems.append(refused_statement(lowering.source, node))
    elif lowering.method_call(call) is None:
        lowering.problems.append(refused_statement(lowering.source, node))


def _suppressed(call: gast.Call, body: list[Any]) -> gast.Try:
    """with suppress(ValueError): ..., as a try block with a handler for each."""
    passed = [gast.copy_location(gast.Pass(), call)]
    handlers = [gast.ExceptHandler(one, None, passed) for one in call.args]
    made = gast.Try(body, [gast.copy_location(h, call) for h in handlers], [], [])
    return gast.copy_location(made, body[0])
