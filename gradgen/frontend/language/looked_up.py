"""Tables that are asked, or stored into, by a key that the text compares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from gradgen.frontend.control.bindings import raise_where
from gradgen.frontend.control.branches import choose, is_block
from gradgen.frontend.heap.contents import contents, pairs_of
from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import is_structure
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.source.names import NO_VALUE
from gradgen.shapes.spans import side
from gradgen.ir.nodes import Apply, Branch, Const, Expr, Let, Ref
from gradgen.ir.operators import TEXTS

# a table of more entries is not compared key by key
MOST = 8


@answers(Lowering.item)
def item(lowering: Lowering, base: Expr, key: Expr, node: gast.AST | None) -> Expr:
    known = contents(lowering, base) if REFUSED not in (base, key) else None
    now = lowering.current(key, node) if isinstance(key, Ref) else key
    asked = isinstance(now, Ref) or isinstance(now, Apply) and now.op in TEXTS
    if known is not None and known.op == "dict" and asked:
        return _looked_up(lowering, pairs_of(lowering, known), now, node)
    if isinstance(now, Ref) and isinstance(base, Apply) and is_structure(base):
        plain = all(isinstance(value, Const) for value in base.args)
        if any(callable(getattr(v, "value", None)) for v in base.args) and plain:
            pairs = [(Const(i), value) for i, value in enumerate(base.args)]
            place = _from_the_start(lowering, now, len(pairs), node)
            return _looked_up(lowering, pairs, place, node, IndexError)
    return item.further(lowering, base, key, node)


def _from_the_start(lowering: Lowering, key: Ref, length: int, node: Any) -> Expr:
    """A place in a list of so many entries, counted from its start: -1 is the last.

    before:  FS[-n](x)                     # FS has three entries
    after:   place = 3 - n if -n < 0 else -n
    """
    span = lowering.facts.spans.get(lowering.facts.size_of(key.var))
    made = lowering.facts.definitions.get(key.var)
    remainder = getattr(made, "op", "") == "numpy.remainder"
    if remainder or span is not None and side(span[0]) >= 0:
        return key
    held = Held(key, node)
    behind = gast.BinOp(left=held, op=gast.Add(), right=Held(Const(length), node))
    test = gast.Compare(left=held, ops=[gast.Lt()], comparators=[Held(Const(0), node)])
    place = gast.IfExp(test=test, body=behind, orelse=held)
    for one in (behind, test, place):
        if node is not None:
            gast.copy_location(one, node)
    return lowering.read(place)


def _looked_up(
    lowering: Lowering,
    pairs: Sequence[tuple[Expr, Expr]],
    key: Expr,
    node: gast.AST | None,
    error: type[LookupError] | None = KeyError,
) -> Expr:
    """One of the values of a dictionary, by a key that the text compares."""
    may = _values(lowering, key)
    if may is not None and may.issubset(_names(pairs)):
        pairs = [pair for pair in pairs if _names([pair]) <= may]
        error = None
    _refuse_table(lowering, pairs, node)
    if error is not None:
        raise_where(lowering, _none_of(pairs, key), error, key)

    def chosen(rest: Sequence[tuple[Expr, Expr]]) -> Expr:
        (name, value), *others = rest
        if not others:
            return value
        same = Apply("numpy.equal", (key, name), (), "operator")
        target = lowering.note.lines[0].target if lowering.note.lines else ""
        word = target if target.isidentifier() else "chosen"
        return choose(
            lowering, same, lambda: value, lambda: chosen(others), word, lowering.note
        )

    return chosen(pairs)


def _refuse_table(
    lowering: Lowering, pairs: Sequence[tuple[Expr, Expr]], node: gast.AST | None
) -> None:
    """Refuses a table whose keys are not compared one by one."""
    if not pairs:
        told = "a key that is not known here is read of what has no keys yet"
        advice = "a list or an array in place of the dictionary, as [0.0] * n"
        lowering.fail("GG240", told, node, advice)
    if len(pairs) > MOST:
        lowering.fail(
            "GG240",
            f"a table of {len(pairs)} entries is read by a key that is not known here",
            node,
            f"a literal key, or a table of at most {MOST} entries",
        )
    if any(callable(getattr(name, "value", None)) for name, _ in pairs):
        told = "which class or function a dictionary is asked for is not known here"
        lowering.fail("GG244", told, node, "if isinstance(x, np.ndarray): ...")


def _names(pairs: Sequence[tuple[Expr, Expr]]) -> set[Any]:
    """The keys, with their types: 1, 1.0 and True are one key, and differ in a text."""
    values = [getattr(name, "value", None) for name, _ in pairs]
    return {(type(value), value) for value in values}


def _values(lowering: Lowering, key: Expr) -> set[Any] | None:
    """What a key may be, where branches of this block give it constants; else None.

    before:  key = "up" if v > 0 else "down"
    after:   "up" and "down"
    """
    if isinstance(key, Const):
        return _names([(key, key)])
    if not isinstance(key, Ref):
        return None
    for stmt in reversed(lowering.body):
        if isinstance(stmt, Branch) and not is_block(stmt.test):
            for merge in stmt.merges:
                if merge.var == key.var:
                    one = _values(lowering, merge.then)
                    other = _values(lowering, merge.orelse)
                    return None if one is None or other is None else one | other
        if isinstance(stmt, Let) and stmt.var == key.var:
            return _values(lowering, stmt.value)
    return None


def _is_looked_at(lowering: Lowering, none: Expr) -> bool:
    """Whether this block has raised where a key is none of a dictionary."""
    every = (one for one in lowering.body if isinstance(one, Branch))
    return any(one.test == none for one in every)


def _none_of(pairs: Sequence[tuple[Expr, Expr]], key: Expr) -> Expr:
    """Whether a key is none of a dictionary."""
    tests: list[Expr] = []
    for name, _ in pairs:
        tests.append(Apply("numpy.not_equal", (key, name), (), "operator"))
    return Apply("and", tuple(tests), (), "operator") if tests[1:] else tests[0]


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
    """A store into a dictionary by a key that the text compares, one of those it has.

    The values that the key may have tell that, or that it has been read: d[k] += v.

    before:  total[key] = v                    # total = {"pos": a, "neg": b}
    after:   if key == "pos": total = {"pos": v, "neg": b}
             else: total = {"pos": a, "neg": v}
    """
    known = contents(lowering, target) if REFUSED not in (target, key) else None
    now = lowering.current(key, node) if isinstance(key, Ref) else key
    asked = isinstance(now, Ref) or isinstance(now, Apply) and now.op in TEXTS
    if known is None or known.op != "dict" or not asked or not known.args:
        return store.further(lowering, target, key, value, node, add, op)
    if value_known(lowering, now) is not NO_VALUE:
        return store.further(lowering, target, key, value, node, add, op)
    pairs = pairs_of(lowering, known)
    may = _values(lowering, now)
    if may is not None and may.issubset(_names(pairs)):
        pairs = [pair for pair in pairs if _names([pair]) <= may]
    elif not _is_looked_at(lowering, _none_of(pairs, now)):
        return store.further(lowering, target, key, value, node, add, op)
    _refuse_table(lowering, pairs, node)

    def stored(rest: Sequence[tuple[Expr, Expr]]) -> Expr:
        (name, _), *others = rest

        def put() -> Expr:
            lowering.store(target, name, value, node)
            return Const(None)

        if not others:
            return put()
        same = Apply("numpy.equal", (now, name), (), "operator")
        return choose(
            lowering, same, put, lambda: stored(others), "chosen", lowering.note
        )

    stored(pairs)
