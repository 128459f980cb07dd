"""IR expressions -> gast, under the chosen names."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import gast

from gradgen.errors import InternalError
from gradgen.ir.callee import VALUES
from gradgen.ir.library import NUMPY, Library
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.operators import BINARY, BY_ROWS, COMPARE, STORES, UNARY
from gradgen.ir.strong import maker_of
from gradgen.printer.differences import as_difference, without_minus
from gradgen.printer.expression import joined
from gradgen.printer.of_lists import OF_LISTS, text_of_lists
from gradgen.printer.ranks import of_numbers
from gradgen.printer.rescaled import IN_PLACE
from gradgen.printer.places import by_rows, is_chain, short_range
from gradgen.printer.scopes import dotted, name, outside

_BINARY = {op: getattr(gast, name) for name, op in BINARY.items()}
_COMPARE = {op: getattr(gast, name) for name, op in COMPARE.items()}
_COMPARE |= {"is": gast.Is, "is_not": gast.IsNot, "in": gast.In, "not_in": gast.NotIn}
_LOGIC = {"and": gast.And, "or": gast.Or}
_UNARY = {op: getattr(gast, name) for name, op in UNARY.items()} | {"not": gast.Not}


# operations without a name of their own, however they are spelled
WRITTEN_OUT = "tuple list slice getitem not and or is is_not in not_in".split()


def literal(value: object, text: str | None = None) -> gast.expr:
    """A constant; `text` is the user's spelling of it."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if isinstance(value, float) and not math.isfinite(value):
            raise InternalError("a constant that is not finite")
        if value < 0 or (value == 0 and math.copysign(1, value) < 0):
            positive = literal(-value, text and text.removeprefix("-"))
            return gast.UnaryOp(gast.USub(), positive)
    node = gast.Constant(value, None)
    if text is not None:
        node.spelling = text
    return node


class Syntax:
    """Builds gast expressions; remembers which helpers and modules they need."""

    def __init__(
        self,
        names: Mapping[Var, str],
        module: str,
        scipy: Mapping[str, str],
        library: Library = NUMPY,
    ) -> None:
        self.names, self.module, self.scipy = names, module, scipy
        self.library, self.methods = library, dict(library.methods)
        self.helpers: dict[str, None] = {}
        self.used: set[str] = set()
        self.containers: frozenset[str] = frozenset()

    def expression(self, expr: Expr) -> gast.AST:
        """The gast of an expression."""
        if isinstance(expr, Ref):
            return name(self.names[expr.var])
        if isinstance(expr, Const):
            return self._constant(expr)
        assert isinstance(expr, Apply)
        if expr.op in OF_LISTS:
            return self._of_lists(expr)
        if expr.op == "text":
            return self._text(expr.args)
        if expr.op in ("vjp", "pulled"):
            return self._of_calls(expr)
        if expr.op in VALUES:  # outside of the line that names all
            place = self.expression(expr.args[1])
            return gast.Subscript(self.expression(expr.args[0]), place, gast.Load())
        kind, _, word = expr.spelling.partition(":")
        if kind == "conditional":
            return gast.IfExp(*(self.expression(arg) for arg in expr.args))
        if expr.op == "numpy.copy" and kind != "function" and "copy" in self.methods:
            kind, word = "method", "copy"
        if kind in ("operator", "augmented", IN_PLACE) or expr.op in WRITTEN_OUT:
            return self._operator(expr)
        if expr.op == "range":
            expr = Apply("range", short_range(expr.args))
        args = [self.expression(arg) for arg in expr.args]
        if kind != "method*":
            args = [self._as_value(arg) for arg in args]
        if kind == "attribute":
            return gast.Attribute(args[0], word, gast.Load())
        keywords = [gast.keyword(k, self.expression(v)) for k, v in expr.kwargs]
        if kind == "method*":
            args = [args[0], *args[1].elts]
        if kind in ("method", "method*"):
            word = self.methods.get(word, word)
            func = gast.Attribute(args[0], word, gast.Load())
            return gast.Call(func, args[1:], keywords)
        if expr.op.startswith("helper.") and self.library.given:
            args.insert(0, name(self.module))
        return gast.Call(self._function(word or expr.op), args, keywords)

    def _of_calls(self, expr: Apply) -> gast.expr:
        """Calls of functions that give a callback, and of callbacks."""
        given = expr.args[1:]
        func: gast.AST = outside(expr.args[0].text or "")
        library = [gast.keyword(self.module, name(self.module))]
        if expr.op == "pulled":
            func, given = self.expression(given[0]), given[1:]
        args = [self.expression(arg) for arg in given]
        keywords = [gast.keyword(k, self.expression(v)) for k, v in expr.kwargs]
        keywords += (
            library
            if self.library.given and expr.op == "vjp" and not self.library.chooser
            else []
        )
        return gast.Call(func, args, keywords)

    def unpacking(self, value: Apply, targets: Mapping[int, str]) -> gast.stmt:
        """The line that names the values of a call: y, backprop_g = vjp_g(x)."""
        first = value.args[0].value
        if value.op == "pulled":
            places, last = range(first.count), None
        else:
            last = len(first.callee.outcomes)
            places = range(last)
        unread = "_" if "_" not in self.names.values() else "_unread"
        words: list[gast.expr] = [
            name(targets.get(i, unread), store=True) for i in places
        ]
        if last is not None:
            values: gast.expr = words[0]
            if last > 1:
                values = gast.Tuple(words, gast.Store())
                if not any(i in targets for i in places):
                    values = name(unread, store=True)
            words = [values, name(targets.get(last, unread), store=True)]
        target = gast.Tuple(words, gast.Store())
        return gast.Assign([target], self.expression(value), None)

    def _of_lists(self, expr: Apply) -> gast.expr:
        """Operations on lists, as Python writes them."""
        written = [self.expression(arg) for arg in expr.args]
        return text_of_lists(expr, written, self._dotted)

    def _function(self, text: str) -> gast.expr:
        if text.startswith("helper."):
            helper = text.removeprefix("helper.")
            self.helpers[helper] = None
            return outside(helper)
        return self._dotted(text)

    def _dotted(self, text: str) -> gast.expr:
        first, dot, rest = text.partition(".")
        if first in ("numpy", "np") and dot:
            first = self.module
        elif rest.partition(".")[0] in self.scipy and first == "scipy":
            module, dot, rest = rest.partition(".")
            first = self.scipy[module]
        self.used.add(first)
        own = self.library.given and first == self.module  # a parameter
        return dotted(first + dot + rest, own)

    def _constant(self, expr: Const) -> gast.expr:
        text = expr.text or ""
        word = text.lstrip("-~")
        if expr.dtype and not word[:1].isidentifier():
            return self._number(expr)
        if word[:1].isidentifier() and word not in ("True", "False", "None"):
            own = word.replace("[", ".").partition(".")[0] in self.containers
            own = own or word == "type(None)"
            node = gast.parse(word, mode="eval").body if own else self._dotted(word)
            for sign in reversed(text.removesuffix(word)):
                node = gast.UnaryOp(gast.USub() if sign == "-" else gast.Invert(), node)
            return node
        if isinstance(expr.value, float) and not math.isfinite(expr.value):
            if math.isnan(expr.value):
                return self._dotted("np.nan")
            infinity = self._dotted("np.inf")
            if expr.value > 0:
                return infinity
            return gast.UnaryOp(gast.USub(), infinity)
        if isinstance(expr.value, complex) and not math.isfinite(abs(expr.value)):
            parts = (Const(expr.value.real), Const(expr.value.imag))
            made = gast.Name("complex", gast.Load(), None, None)
            return gast.Call(made, [self._constant(part) for part in parts], [])
        if isinstance(expr.value, tuple):
            items = [self._constant(Const(value)) for value in expr.value]
            return gast.Tuple(items, gast.Load())
        is_number = type(expr.value) in (int, float) and "~" not in text
        return literal(expr.value, text or None if is_number else None)

    def _number(self, expr: Const) -> gast.expr:
        """A number of NumPy's: np.float32(0.3)."""
        name, digits = maker_of(expr.value, expr.dtype)
        return gast.Call(self._dotted(name), [self._constant(Const(digits))], [])

    def _operator(self, expr: Apply) -> gast.AST:
        args = [self.expression(arg) for arg in expr.args]
        load = gast.Load()
        if expr.op == "percent":
            return gast.BinOp(args[0], gast.Mod(), args[1])
        if expr.op == "tuple":
            return gast.Tuple(args, load)
        if expr.op == "list":
            return gast.List(args, load)
        if expr.op == "or" and not self.library.decorator:
            args = of_numbers(args, {*self.names.values(), *self.containers})
        if expr.op in ("and", "or"):
            return args[0] if len(args) == 1 else gast.BoolOp(_LOGIC[expr.op](), args)
        if expr.op == "slice":
            return gast.Slice(
                *(
                    None if a == Const(None) else g
                    for a, g in zip(expr.args, args, strict=True)
                )
            )
        if expr.op == "getitem" and is_chain(expr.args[1]):
            return self._place(expr.args[0], expr.args[1], gast.Load())
        if expr.op == "getitem" and expr.spelling == BY_ROWS:
            made: gast.AST = by_rows(args[0], args[1].elts)
            return made
        if expr.op == "getitem":
            return gast.Subscript(args[0], args[1], load)
        if expr.op in _UNARY and len(args) == 1:
            return gast.UnaryOp(_UNARY[expr.op](), args[0])
        if expr.op in _COMPARE:
            return gast.Compare(args[0], [_COMPARE[expr.op]()], args[1:])
        return gast.BinOp(args[0], _BINARY[expr.op](), args[1])

    def effect(self, value: Expr) -> gast.stmt:
        """A statement kept for what it does."""
        assert isinstance(value, Apply)
        args = [self.expression(arg) for arg in value.args]
        if value.op == "assert":
            return gast.Assert(args[0], args[1] if len(args) > 1 else None)
        keywords = [gast.keyword(k, self.expression(v)) for k, v in value.kwargs]
        if value.op == "raise":
            made = gast.Call(args[0], args[1:], []) if args[1:] else args[0]
            return gast.Raise(made, None)
        return gast.Expr(gast.Call(args[0], args[1:], keywords))

    def _text(self, parts: tuple[Expr, ...]) -> gast.expr:
        """f"...", from its parts."""
        values: list[Any] = []
        for part in parts:
            if isinstance(part, Const):
                values.append(gast.Constant(part.value, None))
                continue
            shown, conversion, spec = part.args
            form = gast.JoinedStr([gast.Constant(spec.value, None)])
            values.append(
                gast.FormattedValue(
                    self.expression(shown),
                    conversion.value,
                    form if spec.value else None,
                )
            )
        return joined(values)

    def statement(self, target: Var, value: Expr) -> gast.stmt:
        """An assignment, or the store that an in-place operation is."""
        if isinstance(value, Apply) and value.op in ("at.set", "at.add"):
            return self._stored_anew(target, value)
        if isinstance(value, Apply) and value.op in STORES:
            stored = self.expression(value.args[2])
            if value.op == "add_at" and self.library.index_put:
                return self._put_in(value)
            if value.op == "add_at":
                base, key = (self.expression(arg) for arg in value.args[:2])
                # as by hand: a name is subtracted, a product is added with its minus
                less = without_minus(value.args[2]) if self.library == NUMPY else None
                if isinstance(less, Ref):
                    stored = self.expression(less)
                at = "subtract" if isinstance(less, Ref) else "add"
                func = self._dotted(f"np.{at}.at")
                key = self._as_value(key)
                return gast.Expr(gast.Call(func, [base, key, stored], []))
            if getattr(value.args[2], "spelling", "") == "out":
                into = self._place(value.args[0], value.args[1], gast.Load())
                factors = map(self.expression, value.args[2].args)
                return gast.Expr(
                    gast.Call(self._dotted("np.dot"), [*factors, into], [])
                )
            place = self._place(value.args[0], value.args[1], gast.Store())
            if getattr(value.args[2], "spelling", "") == IN_PLACE:
                return self._rescaled(place, value)
            if value.op == "additem":
                positive = without_minus(value.args[2])
                if positive is None:
                    return gast.AugAssign(place, gast.Add(), stored)
                return gast.AugAssign(place, gast.Sub(), self.expression(positive))
            return gast.Assign([place], stored, None)
        if isinstance(value, Apply) and value.op in ("popped", "shortened"):
            func = gast.Attribute(self.expression(value.args[0]), "pop", gast.Load())
            return gast.Expr(gast.Call(func, [], []))
        if isinstance(value, Apply) and value.op == "append":
            items, item = (self.expression(arg) for arg in value.args)
            func = gast.Attribute(items, "append", gast.Load())
            return gast.Expr(gast.Call(func, [item], []))
        if isinstance(value, Apply) and self._in_place(target, value):
            return self._augmented(target, value)
        node = self.expression(_plain(value))
        return gast.Assign([name(self.names[target], store=True)], node, None)

    def _rescaled(self, place: gast.expr, value: Apply) -> gast.stmt:
        """x[key] *= y; x_new[key] = x[key] * y where the product is of another array."""
        base, _, stored = value.args
        assert isinstance(stored, Apply) and isinstance(stored.args[0], Apply)
        read = stored.args[0].args[0]
        names = [
            self.names.get(one.var) for one in (read, base) if isinstance(one, Ref)
        ]
        if len(set(names)) != 1 or len(names) != 2:
            return gast.Assign([place], self.expression(stored), None)
        factor = self.expression(stored.args[1])
        return gast.AugAssign(place, _BINARY[stored.op](), factor)

    def _stored_anew(self, target: Var, value: Apply) -> gast.stmt:
        """x = x.at[key].set(y), for arrays that do not change."""
        base, key, stored = (self.expression(arg) for arg in value.args)
        at = gast.Attribute(base, "at", gast.Load())
        place = gast.Subscript(at, key, gast.Load())
        func = gast.Attribute(place, value.op.removeprefix("at."), gast.Load())
        made = gast.Call(func, [stored], [])
        return gast.Assign([name(self.names[target], store=True)], made, None)

    def _put_in(self, value: Apply) -> gast.stmt:
        """x.index_put_((i, j), y, accumulate=True), torch's np.add.at."""
        base, key, stored = (self.expression(arg) for arg in value.args)
        places = key if isinstance(key, gast.Tuple) else gast.Tuple([key], gast.Load())
        func = gast.Attribute(base, "index_put_", gast.Load())
        both = [gast.keyword("accumulate", gast.Constant(True, None))]
        return gast.Expr(gast.Call(func, [places, stored], both))

    def _as_value(self, key: gast.AST) -> gast.AST:
        """A key as an argument of a call: np.s_[:, i] where it has slices."""
        parts = getattr(key, "elts", None) or [key]
        if any(isinstance(part, gast.Slice) for part in parts):
            return gast.Subscript(self._dotted("np.s_"), key, gast.Load())
        return key

    def _place(self, base: Expr, key: Expr, context: gast.expr_context) -> gast.expr:
        """x[key]; x[a][b] for a chain of two."""
        node = self.expression(base)
        if is_chain(key):
            first, key = key.args
            node = gast.Subscript(node, self.expression(first), gast.Load())
        return gast.Subscript(node, self.expression(key), context)

    def _in_place(self, target: Var, value: Apply) -> bool:
        """Whether x = x + y is to be written x += y."""
        if value.op != "accumulate" and value.spelling != "augmented":
            return False
        base = value.args[0]
        return isinstance(base, Ref) and self.names[base.var] == self.names[target]

    def _augmented(self, target: Var, value: Apply) -> gast.stmt:
        added = value.args[1]
        op = gast.Add if value.op == "accumulate" else _BINARY[value.op]
        positive = without_minus(added) if value.op == "accumulate" else None
        if positive is not None:
            op, added = gast.Sub, positive
        place = name(self.names[target], store=True)
        return gast.AugAssign(place, op(), self.expression(added))


def _plain(value: Expr) -> Expr:
    """x + y for what could not be written x += y."""
    if isinstance(value, Apply):
        if value.op == "accumulate":
            value = replace(value, op="numpy.add", spelling="operator")
            return as_difference(value)
        if value.spelling == "augmented":
            return replace(value, spelling="operator")
    return value
