"""Strings that are made when the text runs: messages, and options by their names."""

from __future__ import annotations


from typing import Any

import gast

from gradgen.frontend.lookup import among
from gradgen.frontend.evaluation import METHODS
from gradgen.frontend.held import Held
from gradgen.frontend.iterators import Iterators
from gradgen.frontend.names import NO_VALUE
from gradgen.frontend.writer import REFUSED, Refusal
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.ir.operators import EQUALITIES, TEXTS

# operations that strings take part in
COMPARED = (*EQUALITIES, "is", "is_not")
# methods of strings that the text calls itself, and of which a condition may be made
CALLED = METHODS[str] - {"split", "rsplit", "partition", "rpartition", "encode"}


class Texts(Iterators):
    """Reads what makes strings."""

    def is_text(self, handle: Expr) -> bool:
        """Whether a value surely is a string."""
        if isinstance(handle, Const):
            return isinstance(handle.value, str)
        return isinstance(handle, Apply) and handle.op in TEXTS

    def _are_texts(self, left: Expr, right: Expr) -> bool:
        """Whether a sum is one of strings: "no " + name, where name is a string."""
        known = [self.is_text(one) for one in (left, right)]
        return any(known) and all(
            text or self._is_text_option(one) for text, one in zip(known, (left, right))
        )

    def _is_text_option(self, handle: Expr) -> bool:
        """Whether a value is a parameter that is a string, as its default says."""
        if not isinstance(handle, Ref) or handle.var.origin is not Origin.PARAM:
            return False
        return isinstance(self.root.source.defaults.get(handle.var.name), str)

    def other_call(self, node: gast.Call) -> Expr:
        """ "...".format(x) of what is not known, and x.lower() of an argument."""
        func = node.func
        if isinstance(func, gast.Attribute) and func.attr in CALLED:
            if self.resolve(func) is NO_VALUE and self.resolve(func.value) is NO_VALUE:
                found, node = self._evaluated_call(node)
                if found is not None:
                    return found
                assert isinstance(node.func, gast.Attribute)
                receiver = self.read(node.func.value)
                if self._may_be_text(receiver, func.attr):
                    return self._of_string(receiver, func.attr, node)
        return super().other_call(node)

    def _may_be_text(self, handle: Expr, name: str) -> bool:
        """Whether a method is one of a string: no array has it, or this is none."""
        if self.is_text(handle):
            return True
        shared = name in ("index", "count", "find", "replace", "translate")
        is_param = isinstance(handle, Ref) and handle.var.origin is Origin.PARAM
        unknown = is_param and self.contents(handle) is None
        return unknown and not shared and not self.is_number(handle)

    def _of_string(self, receiver: Expr, name: str, node: gast.Call) -> Expr:
        args = [self._as_text(self.read(arg), node) for arg in node.args]
        kwargs = tuple(
            (str(k.arg), self._as_text(self.read(k.value), node)) for k in node.keywords
        )
        if any(one is REFUSED for one in (*args, *(v for _, v in kwargs))):
            return REFUSED
        spelling = f"method:{name}"
        made = Apply("of_string", (receiver, *args), kwargs, spelling)
        return self.current(made, node)

    def _as_text(self, handle: Expr, node: gast.AST) -> Expr:
        """An argument of a message: as it is, records and functions by what they say."""
        if isinstance(handle, Const) and callable(handle.value):
            return Const(getattr(handle.value, "__name__", "function"))
        return handle

    def special_call(self, value: object, node: gast.Call) -> Expr | None:
        if among(value, (str, repr)) and len(node.args) == 1:
            shown = self._as_text(self.read(node.args[0]), node)
            if shown is REFUSED:
                return REFUSED
            word = "str" if value is str else "repr"
            made = Apply(word, (shown,), (), f"name:{word}")
            return self.current(made, node)
        return super().special_call(value, node)

    def read_BinOp(self, node: gast.BinOp) -> Expr:
        """ "..." % x and "..." + text, of what is not known."""
        if not isinstance(node.op, (gast.Mod, gast.Add)):
            return super().read_BinOp(node)
        left, right = self.read(node.left), self.read(node.right)
        if REFUSED in (left, right):
            return REFUSED
        unknown = NO_VALUE in (self.value_known(left), self.value_known(right))
        if isinstance(node.op, gast.Mod) and self.is_text(left) and unknown:
            made = Apply("percent", (left, right), (), "operator")
            return self.current(made, node)
        if isinstance(node.op, gast.Add) and unknown:
            if self._are_texts(left, right):
                parts = tuple(self._in_parts(one, node) for one in (left, right))
                flat = [p for part in parts for p in part]
                return Apply("text", tuple(flat))
        plain = gast.BinOp(
            left=Held(left, node.left), op=node.op, right=Held(right, node.right)
        )
        return super().read_BinOp(gast.copy_location(plain, node))

    def _in_parts(self, handle: Expr, node: gast.AST) -> list[Expr]:
        """A string as parts of a formatted one."""
        if isinstance(handle, Const):
            return [Const(str(handle.value))]
        now = self.current(handle, node)
        return [Apply("format", (now, Const(-1), Const("")))]

    def read_JoinedStr(self, node: gast.JoinedStr) -> Expr:
        """An f-string: what it says, or how it reads values, each read once."""
        values = [self._held_value(part) for part in node.values]
        node = gast.copy_location(gast.JoinedStr(values=values), node)
        known = self.known_text(node)
        return self.text_of(node) if known is None else known

    def _held_value(self, part: Any) -> Any:
        """{value} of an f-string with what the value is in its place."""
        if isinstance(part, gast.Constant):
            return part
        value = Held(self.read(part.value), part.value)
        made = gast.FormattedValue(value, part.conversion, part.format_spec)
        return gast.copy_location(made, part)

    def text_of(self, node: gast.JoinedStr) -> Expr:
        """An f-string that reads values."""
        parts: list[Expr] = []
        for part in node.values:
            if isinstance(part, gast.Constant):
                parts.append(Const(part.value))
                continue
            value = self._as_text(self.read(part.value), part)
            spec = (
                Const("") if part.format_spec is None else self.read(part.format_spec)
            )
            if REFUSED in (value, spec):
                raise Refusal
            if not isinstance(spec, Const):
                self.fail("GG201", "computed formats are not supported", node, "")
            if set("{}") & set(str(spec.value)):
                self.fail("GG201", "a format of braces is not supported", node, "")
            args = (self.current(value, node), Const(part.conversion), spec)
            parts.append(Apply("format", args))
        return Apply("text", tuple(parts))

    def bind(self, value: Apply, node: gast.AST | None) -> Expr:
        """An operation; a string is no number."""
        if value.op not in COMPARED and any(map(self._is_made, value.args)):
            self.fail("GG213", "a string is not a number", node, "a number")
        return super().bind(value, node)

    def _is_made(self, handle: Expr) -> bool:
        return isinstance(handle, Apply) and handle.op in TEXTS
