"""The adjoints of loops and branches: the same structure, walked backwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradgen.derive.activity import varied_inside
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Carried,
    Const,
    Expr,
    Let,
    Loop,
    Merge,
    Note,
    Ref,
    Role,
    Stmt,
    Var,
)
from gradgen.ir.walk import all_defined

if TYPE_CHECKING:
    from gradgen.derive.adjoints import Block


def reverse_loop(block: Block, loop: Loop) -> None:
    """The loop's rounds in reverse.

    The adjoints of carried variables are carried the other way. A variable from
    outside that the body reads gets an accumulator, which starts as what the
    statements after the loop have contributed.
    """
    note = _gradient_note(loop)
    child = block.child(loop.body)
    own = [slot for slot in loop.carried if _active(block, slot.inner, slot.exit)]
    inside = set(all_defined((loop,)))
    found = varied_inside(loop, block.active, entries=False)
    outside = [var for var in found if var not in inside]
    for slot in own:
        block.finish(slot.exit)
    so_far = {slot.exit: block.adjoints.get(slot.exit) for slot in own}
    so_far = {
        var: value if value is None else _in_full(block, value, var)
        for var, value in so_far.items()
    } | {var: block.collapsed(var) for var in outside}
    entries = {
        var: _named(block, block.zero(var), var, note) if value is None else value
        for var, value in so_far.items()
    }
    slots: list[tuple[Var, Expr, Var, Var]] = []
    for slot in own:
        inner = block.new(slot.inner)
        if isinstance(slot.next, Ref):
            child.add(slot.next.var, Ref(inner))
        slots.append((inner, entries[slot.exit], slot.inner, block.new(slot.exit)))
        child.carried.add(slot.inner)
    for var in outside:
        inner = block.new(var)
        child.go_on(var, Ref(inner))
        slots.append((inner, entries[var], var, block.new(var)))
    child.run()
    carried = []
    for inner, entry, of, after in slots:
        child.finish(of)
        value = child.adjoints.get(of)
        if of in outside:
            back = Ref(inner) if value is None else value
        else:
            if value is None:
                value = child.zero(of)
            back = _named(child, value, of, note)
        # what comes in has the shape of what the loop left, not of a round's start
        entry = block.host(entry, after.of or of, note)
        back = child.host(back, of, note)
        carried.append(Carried(inner, entry, back, after))
    index = block.supply.var(loop.index.name, loop.index.origin)
    count = block.supply.var(loop.count.name, loop.count.origin)
    over = _backwards(loop)
    body = tuple(child.body)
    block.body.append(
        Loop(index, over, None, None, tuple(carried), body, count, note, loop.mark)
    )
    for slot, gone in zip(own, carried, strict=False):
        if isinstance(slot.entry, Ref) and slot.entry.var in block.active:
            block.add(slot.entry.var, Ref(gone.exit), loop.note.lines)
    for var, gone in zip(outside, carried[len(own) :], strict=True):
        block.go_on(var, Ref(gone.exit), loop.note.lines)


def _in_full(block: Block, value: Expr, var: Var) -> Expr:
    """An adjoint that enters a loop, in full where its variable surely has a value.

    Where it may have none, each round has one, and takes the shape of that.
    """
    if var in block.facts.unset and not block.facts.is_list(Ref(var)):
        return value
    return block.in_full(value, var)


def _backwards(loop: Loop) -> Apply:
    """What the index of the reversed loop runs over."""
    over = loop.over
    if over is None:
        over = Apply("range", (Const(0), Ref(loop.count), Const(1)))
    elif loop.until is not None:
        made = Apply("slice", (Const(None), Ref(loop.count), Const(None)))
        over = Apply("getitem", (over, made), spelling="operator")
    return Apply("reversed", (over,))


def reverse_branch(block: Block, branch: Branch) -> None:
    """The adjoints of the arm that was taken.

    What an arm contributes to a variable from outside leaves the branch as a
    value: added to what the statements after the branch have contributed, where
    they have, and otherwise the contribution itself, 0 where the arm has none.
    """
    note = _gradient_note(branch)
    is_with = isinstance(branch.test, Apply) and branch.test.op == "numpy.errstate"
    arms = [block.child(branch.then), block.child(branch.orelse)]
    for merge in branch.merges:
        if merge.var not in block.active:
            continue
        block.finish(merge.var)
        adjoint = block.adjoints.get(merge.var)
        if adjoint is None:
            continue
        for arm, way in zip(arms, (merge.then, merge.orelse), strict=True):
            if isinstance(way, Ref) and way.var in block.active:
                own = _of_its_kind(block, adjoint, way, merge.var)
                arm.add(way.var, own, branch.note.lines)
    for arm, body in zip(arms, (branch.then, branch.orelse), strict=True):
        _with_later_reads(block, arm, body, branch)
    inside = set(all_defined((branch,)))
    outside = [v for v in varied_inside(branch, block.active) if v not in inside]
    running: dict[Var, Expr] = {}
    for var in outside:
        so_far = block.collapsed(var)
        if so_far is not None:
            running[var] = so_far
            for arm in arms:
                arm.go_on(var, so_far)
    for arm in arms[: 1 if is_with else 2]:
        arm.run()
        for var in outside:
            arm.finish(var)
    merges = []
    for var in outside:
        given = [arm.adjoints.get(var) for arm in arms]
        if all(value is None or value == running.get(var) for value in given):
            if var in running:
                block.go_on(var, running[var])
            continue
        ways: list[Expr] = []
        for arm, value in zip(arms, given, strict=True):
            if is_with and arm is arms[1]:
                ways.append(Const(None))
            elif var in running:
                value = running[var] if value is None else value
                ways.append(arm.host(value, var, note))
            else:
                value = arm.zero(var) if value is None else value
                ways.append(_named(arm, value, var, note))
        merged = block.new(var)
        merges.append(Merge(merged, *ways))
        if var in running:
            block.go_on(var, Ref(merged), branch.note.lines)
        else:
            block.add(var, Ref(merged), branch.note.lines)
    if merges:
        then, orelse = (tuple(arm.body) for arm in arms)
        test = branch.went if branch.is_try else branch.test
        block.body.append(Branch(test, then, orelse, tuple(merges), note, branch.mark))


def _of_its_kind(block: Block, adjoint: Expr, way: Ref, merged: Var) -> Expr:
    """The adjoint of an arm's value: a list where that is one, and an array otherwise.

    before:  if k > 1: p = [2 * v for v in x]        after:  d_p = np.zeros_like(p) ...
             else: p = x                                     if k > 1: d_p = list(d_p)
    """
    facts = block.facts
    if facts.is_list(way) and not facts.is_list(Ref(merged)):
        return Apply("entries", (block.in_full(adjoint, merged),))
    return adjoint


def _with_later_reads(
    block: Block, arm: Block, body: tuple[Stmt, ...], branch: Branch
) -> None:
    """Hands an arm what statements after the branch contribute to its own variables.

    A derivative inside the function reads them where the same arm was taken:

        if x[0] > 0: k = x[1]; y = k * p
        if x[0] > 0: d_p = k  # the gradient of y in p
    """
    for var in all_defined(body):
        if var in block.active:
            block.finish(var)
            adjoint = block.adjoints.get(var)
            if adjoint is not None:
                arm.add(var, adjoint, branch.note.lines)


def _active(block: Block, *variables: Var) -> bool:
    return any(var in block.active for var in variables)


def _gradient_note(stmt: Stmt) -> Note:
    return Note(Role.GRAD, stmt.note.lines, stmt.note.place)


def _named(block: Block, value: Expr, var: Var, note: Note) -> Expr:
    """An adjoint in the full shape of its variable, as a variable of the block."""
    real = value
    # What may have no value yet has no shape either; its adjoint came in full.
    if isinstance(value, Ref) and var not in block.facts.unset:
        real = Apply("real", (value, Ref(var)))
    adjoint = block.new(var)
    block.body.append(Let(adjoint, real, note))
    return Ref(adjoint)
