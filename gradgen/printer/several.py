"""Lines that give several names at once: w, x = q, y, backprop = vjp_g(x)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import gast

from gradgen.ir.callee import VALUES, is_unpacked
from gradgen.ir.nodes import Apply, Branch, Const, Expr, Let, Origin, Ref, Stmt, Var
from gradgen.ir.operators import getitem
from gradgen.ir.walk import raises
from gradgen.printer.scopes import name
from gradgen.printer.syntax import Syntax

# variables that a line a, b = f(x) need not name
TAKEN_APART = (Origin.TEMP, Origin.TANGENT, Origin.SAVED)

TUPLES = (gast.Tuple, gast.List)


class Several:
    """Finds and prints them.

    `read` counts how often each variable is read; `items` tells how many items a value
    has, where that is certain.
    """

    def __init__(
        self,
        names: Mapping[Var, str],
        syntax: Syntax,
        read: Mapping[Var, int],
        items: Callable[[Expr], int | None],
    ) -> None:
        self.names, self.syntax, self.read, self.items = names, syntax, read, items

    def values(self, body: tuple[Stmt, ...], at: int) -> list[Let] | None:
        """The statements after a call that name its values; None for no call."""
        first = body[at]
        if not isinstance(first, Let) or not is_unpacked(first.value):
            return None
        found: list[Let] = []
        for let in body[at + 1 :]:
            if not isinstance(let, Let) or not isinstance(let.value, Apply):
                break
            if let.value.op not in VALUES or let.value.args[0] != Ref(first.var):
                break
            found.append(let)
        return found

    def unpacked(self, body: tuple[Stmt, ...], at: int) -> int:
        """How many statements after this one only take its items apart, in order."""
        count = last = 0
        first = body[at]
        if not isinstance(first, Let) or first.var.origin not in TAKEN_APART:
            return 0
        for let in body[at + 1 :]:
            value = let.value if isinstance(let, Let) else None
            if not (
                isinstance(value, Apply)
                and value.op in ("getitem", "item")
                and value.args[0] == Ref(first.var)
            ):
                break
            place = getattr(value.args[1], "value", None)
            if type(place) is not int:
                return 0  # a part of one array
            count, last = count + 1, max(last, place)
        alone = count == self.read[first.var]  # nothing reads it as a whole
        targets = _targets(first, body[at + 1 : at + 1 + count])
        cut = _cut(first)
        if any(one.startswith("*") for one in targets) or last >= len(targets):
            targets = []  # it has more items than names
        if cut is None and self.items(first.value) != len(targets):
            targets = []  # or it may have: a, b = x.T[0], x.T[1]
        if cut is not None and not _is_of_first(cut, len(targets)):
            targets = []
        room = count if first.var.origin is Origin.SAVED else len(targets)
        return count if alone and 1 < count <= room else 0

    def unpacking(self, body: tuple[Stmt, ...], at: int, count: int) -> gast.stmt:
        first, *parts = body[at : at + 1 + count]
        assert isinstance(first, Let)
        # one that nobody reads has no let
        saved = first.var.origin is Origin.SAVED
        words = [self.unread] * (count if saved else len(_targets(first, parts)))
        for let in parts:
            assert isinstance(let, Let)
            words[let.value.args[1].value] = self.names[let.var]
        targets = [name(word, store=True) for word in words]
        value = self.syntax.expression(first.value)
        cut = _cut(first)
        if cut is not None:
            value = gast.Subscript(value, cut, gast.Load())
        return gast.Assign([gast.Tuple(targets, gast.Store())], value, None)

    def counted(self, body: tuple[Stmt, ...], at: int) -> int:
        """How many statements after a test of a length are a line w, x = q.

        That line raises a ValueError of its own where there are more or fewer items.
        """
        test = body[at]
        if not isinstance(test, Branch) or not raises(test.then) or test.orelse:
            return 0
        found = self.taken_apart(body, at + 1, True)
        if not found:
            return 0
        item = body[at + 1]
        assert isinstance(item, Let) and isinstance(item.value, Apply)
        length = Apply("len", item.value.args[:1], (), "name:len")
        count = Const(len(_targets(item)))
        wanted = Apply("numpy.not_equal", (length, count), (), "operator")
        own = test.note.lines == item.note.lines and test.test == wanted
        return found if own else 0

    def taken_apart(self, body: tuple[Stmt, ...], at: int, known: bool = False) -> int:
        """How many statements are the user's one line w, x = q, most of them read.

        It is `known` that there are as many items as names, or the line is q itself.
        """
        first = body[at] if at < len(body) else None
        if not isinstance(first, Let) or first.note.derived or not first.note.lines:
            return 0
        names = _targets(first)
        if len(names) < 2:
            return 0
        is_item = isinstance(first.value, Apply) and first.value.args
        source = first.value.args[0] if is_item else None
        given = first.note.lines[0].text.partition("=")[2]
        if not known and ("," in given or "(" in given):
            if not _is_made_there(source, body[:at], first, given):
                return 0  # a, b = x[0], x[1], of an x with more entries
        if not isinstance(source, Ref) or self.names[source.var] in names:
            return 0
        count = place = 0
        for let in body[at:]:
            item = let.value if isinstance(let, Let) else None
            if not isinstance(let, Let) or let.note.lines != first.note.lines:
                break
            while place < len(names) and item != getitem(source, place):
                place += 1
            if place == len(names) or self.names[let.var] != names[place]:
                return 0
            count, place = count + 1, place + 1
        starred = any(one.startswith("*") for one in names)
        enough = count == len(names) or not starred and 2 * count >= len(names)
        return count if count > 1 and enough else 0

    def as_written(self, lets: tuple[Stmt, ...]) -> gast.stmt:
        """The user's line w, x = q, without what is not read: x = q[1:], w, _ = q."""
        first = lets[0]
        assert isinstance(first, Let)
        source = first.value.args[0]
        read = {let.value for let in lets if isinstance(let, Let)}
        words = [
            word if getitem(source, place) in read else self.unread
            for place, word in enumerate(_targets(first))
        ]
        value = self.syntax.expression(source)
        ahead = next(i for i, one in enumerate(words) if one != self.unread)
        if ahead and self.unread not in words[ahead:]:
            words = words[ahead:]
            part = gast.Slice(gast.Constant(ahead, None), None, None)
            value = gast.Subscript(value, part, gast.Load())
        targets = [name(one, store=True) for one in words]
        return gast.Assign([gast.Tuple(targets, gast.Store())], value, None)

    @property
    def unread(self) -> str:
        """The name of what nobody reads."""
        return "_" if "_" not in self.names.values() else "_unread"


def _is_made_there(
    source: object, before: Sequence[Stmt], first: Let, given: str
) -> bool:
    """Whether the user's line takes apart what it computes itself.

    a, b = np.exp(q)        w, x, y, z = q / np.linalg.norm(q)
    """
    made = before[-1] if before else None
    if not isinstance(made, Let) or source != Ref(made.var):
        return False
    if made.var.origin is not Origin.TEMP or made.note.lines != first.note.lines:
        return False
    try:
        whole = gast.parse(given.strip(), mode="eval").body
    except SyntaxError:
        return False
    if isinstance(whole, gast.BinOp):
        return isinstance(made.value, Apply) and made.value.spelling == "operator"
    if not isinstance(whole, gast.Call) or not isinstance(whole.func, gast.Attribute):
        return False
    op = made.value.op if isinstance(made.value, Apply) else ""
    return len(first.note.lines) == 1 and op == f"numpy.{whole.func.attr}"


def _cut(first: Let) -> gast.Slice | None:
    """The slice of results that the user's line takes: a, b = np.linalg.lstsq(A, y)[:2]."""
    text = first.note.lines[0].text if first.note.lines else ""
    value = text.partition("=")[2].strip() if text.endswith("]") else ""
    try:
        whole = gast.parse(value, mode="eval").body if value else None
    except SyntaxError:
        return None
    made = first.value.op if isinstance(first.value, Apply) else ""
    if not isinstance(whole, gast.Subscript) or made in ("getitem", "sliced"):
        return None
    return whole.slice if isinstance(whole.slice, gast.Slice) else None


def _is_of_first(cut: gast.Slice, count: int) -> bool:
    """Whether a slice is of the first results, so many: [:2], [0:2]."""
    start, stop = (getattr(one, "value", None) for one in (cut.lower, cut.upper))
    plain = cut.step is None and (cut.lower is None or start == 0)
    return plain and type(stop) is int and stop == count


def _targets(let: Let, parts: Sequence[Stmt] = ()) -> list[str]:
    """The names that the user's line unpacks its value into.

    Of `for i, (a, b) in enumerate(C)` those of the tuple that the parts, a = C[i][0]
    and b = C[i][1], are named by.
    """
    target = let.note.lines[0].target if let.note.lines else ""
    try:
        whole = gast.parse(target, mode="eval").body
    except SyntaxError:  # none, or of a loop that pairs = list(zip(x, y)) stands for
        return []
    tuples = [one for one in gast.walk(whole) if isinstance(one, TUPLES)]
    if len(tuples) > 1:
        tuples = [one for one in tuples if _names_each(one, parts)]
    return [gast.unparse(one) for one in tuples[0].elts] if tuples else [target]


def _names_each(target: gast.Tuple | gast.List, parts: Sequence[Stmt]) -> bool:
    """Whether each part, the item at a place of a value, has its name at that place."""
    for let in parts:
        assert isinstance(let, Let)
        at = let.value.args[1].value
        if not 0 <= at < len(target.elts):
            return False
        if getattr(target.elts[at], "id", None) != let.var.name:
            return False
    return True
