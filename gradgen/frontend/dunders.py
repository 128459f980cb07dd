"""What a class says of its instances in operators, subscripts, loops and tests.

before:  a + b; a[0]; for v in a; x in a; abs(a)
after:   a.__add__(b); a.__getitem__(0); for v in a.__iter__(); a.__contains__(x) ...
"""

from __future__ import annotations

import types
from typing import Any

import gast

from gradgen.frontend.flags import flags_combined, is_flag
from gradgen.frontend.lookup import among, MISSING, is_method, looked_up, refused_class
from gradgen.frontend.held import Held
from gradgen.frontend.lengths import combined
from gradgen.frontend.memory import Record
from gradgen.frontend.writer import REFUSED
from gradgen.frontend.yielding import Yielding
from gradgen.ir import operators
from gradgen.ir.nodes import Apply, Const, Expr

BINARY = {
    "Add": "add",
    "Sub": "sub",
    "Mult": "mul",
    "Div": "truediv",
    "FloorDiv": "floordiv",
    "Mod": "mod",
    "Pow": "pow",
    "MatMult": "matmul",
    "BitAnd": "and",
    "BitOr": "or",
    "BitXor": "xor",
}
UNARY = {"USub": "__neg__", "UAdd": "__pos__", "Invert": "__invert__"}
COMPARED = {
    "Eq": ("__eq__", "__eq__"),
    "NotEq": ("__ne__", "__ne__"),
    "Lt": ("__lt__", "__gt__"),
    "LtE": ("__le__", "__ge__"),
    "Gt": ("__gt__", "__lt__"),
    "GtE": ("__ge__", "__le__"),
}
CALLED = {
    abs: "__abs__",
    float: "__float__",
    int: "__int__",
    bool: "__bool__",
    round: "__round__",
}
# what an operation of NumPy's is called among Python's operators
AUGMENTED = {op: name for name, op in operators.BINARY.items()}


class Dunders(Yielding):
    """Reads operators, subscripts and loops of instances as calls of their methods."""

    def own_method(self, handle: Expr, name: str) -> Any:
        """What an instance's class has under a name, where it has a text; else None."""
        known = self.contents(handle) if handle is not REFUSED else None
        if not isinstance(known, Record) or refused_class(known.cls):
            return None
        found = looked_up(known.cls, name)
        plain = isinstance(found, types.FunctionType)
        generated = plain and not is_method(found)
        return found if plain and not generated else None

    # operators

    def read_BinOp(self, node: gast.BinOp) -> Expr:
        left, right = self.read(node.left), self.read(node.right)
        if REFUSED in (left, right):
            return REFUSED
        found = self.by_methods(type(node.op).__name__, left, right, node)
        if found is not None:
            return found
        flags = flags_combined(type(node.op).__name__, left, right)
        if flags is not None:
            return flags
        if is_flag(left, right):
            self.fail(
                "GG211",
                "what a member of an enum is combined with is not known here",
                node,
                "a default of the parameter that is a member",
            )
        first, second = combined(self, left, right, node)
        if second is None:
            return first
        one, other = Held(first, node.left), Held(second, node.right)
        made = gast.BinOp(left=one, op=node.op, right=other)
        return super().read_BinOp(gast.copy_location(made, node))

    def by_methods(
        self, name: str, left: Expr, right: Expr, node: gast.AST
    ) -> Expr | None:
        """left + right by a method of one of the two; None where neither has one."""
        word = BINARY.get(name, name)
        ways = [(left, right, f"__{word}__"), (right, left, f"__r{word}__")]
        if self._is_more_special(right, left, f"__r{word}__"):
            ways = ways[::-1]
        return self._first_that_answers(ways, node)

    def _is_more_special(self, one: Expr, other: Expr, name: str) -> bool:
        """Whether Python asks the right operand first: one of a subclass."""
        mine, others = self.contents(one), self.contents(other)
        if not isinstance(mine, Record) or not isinstance(others, Record):
            return False
        special = mine.cls is not others.cls and issubclass(mine.cls, others.cls)
        return special and looked_up(mine.cls, name) is not looked_up(others.cls, name)

    def _first_that_answers(
        self, ways: list[tuple[Expr, Expr, str]], node: gast.AST
    ) -> Expr | None:
        for one, other, name in ways:
            method = self.own_method(one, name)
            if method is not None:
                found = self.call(method, [one, other], (), node)
                if getattr(found, "value", None) is not NotImplemented:
                    return found
        return None

    def read_UnaryOp(self, node: gast.UnaryOp) -> Expr:
        name = UNARY.get(type(node.op).__name__)
        operand = self.read(node.operand)
        if operand is REFUSED:
            return REFUSED
        method = None if name is None else self.own_method(operand, name)
        if method is not None:
            return self.call(method, [operand], (), node)
        made = gast.UnaryOp(op=node.op, operand=Held(operand, node.operand))
        return super().read_UnaryOp(gast.copy_location(made, node))

    def augment(
        self, handle: Expr, op: str, value: Expr, node: gast.AST, name: str
    ) -> Expr:
        """a += b: by __iadd__, else as a = a + b."""
        if REFUSED not in (handle, value) and op in AUGMENTED:
            word = AUGMENTED[op]
            method = self.own_method(handle, f"__i{BINARY[word]}__")
            if method is not None:
                return self.call(method, [handle, value], (), node)
            found = self.by_methods(word, handle, value, node)
            if found is not None:
                return found
        return super().augment(handle, op, value, node, name)

    def comparison(
        self, op: gast.cmpop, left: Expr, right: Expr, node: gast.AST
    ) -> Expr:
        names = COMPARED.get(type(op).__name__)
        if names is not None and REFUSED not in (left, right):
            ways = [(left, right, names[0]), (right, left, names[1])]
            found = self._first_that_answers(ways, node)
            if found is None and names[0] == "__ne__":
                equal = self._first_that_answers(
                    [(left, right, "__eq__"), (right, left, "__eq__")], node
                )
                if equal is not None:
                    return Apply("not", (self.current(equal, node),), (), "operator")
            if found is not None:
                return found
        return super().comparison(op, left, right, node)

    def special_call(self, value: object, node: gast.Call) -> Expr | None:
        if among(value, CALLED) and len(node.args) == 1:
            handle = self.read(node.args[0])
            method = self.own_method(handle, CALLED[value])
            if method is not None:
                return self.call(method, [handle], (), node)
            held = Held(handle, node.args[0])
            made = gast.Call(func=node.func, args=[held], keywords=node.keywords)
            node = gast.copy_location(made, node)
        if value is iter and len(node.args) == 1:
            # of a method __iter__, whose result is gone through at once
            if getattr(self.frame.node, "name", "") == "__iter__":
                return self.read_at_once(node.args[0])
        return super().special_call(value, node)

    # subscripts

    def item(self, base: Expr, key: Expr, node: gast.AST | None) -> Expr:
        method = self.own_method(base, "__getitem__")
        if method is not None and node is not None:
            return self.call(method, [base, key], (), node)
        return super().item(base, key, node)

    def store(
        self,
        target: Expr,
        key: Expr,
        value: Expr,
        node: gast.AST,
        add: bool = False,
        op: str = "",
    ) -> None:
        method = self.own_method(target, "__setitem__")
        if method is None:
            known = self.contents(target) if target is not REFUSED else None
            if known is not None and known.op == "dict":
                key = self.constant_key(key)
            super().store(target, key, value, node, add, op)
        else:
            self.call(method, [target, key, value], (), node)

    # what is gone through

    def gone_through(self, handle: Expr, node: gast.AST) -> Expr:
        """What going through an instance gives; another value as it is."""
        known = self.contents(handle) if handle is not REFUSED else None
        if not isinstance(known, Record):
            return handle
        method = self.own_method(handle, "__iter__")
        if method is not None:
            place = self.place_of(node)
            before = self.taking.get(place, MISSING)
            self.taking[place] = None
            try:
                found = self.call(method, [handle], (), node)
            finally:
                del self.taking[place]
                if before is not MISSING:
                    self.taking[place] = before
            return self._no_iterator(found, node)
        if known.op == "namedtuple":
            return handle
        method, length = self.own_method(handle, "__getitem__"), self._length(known)
        if method is None or length is None:
            self.fail(
                "GG243",
                f"a loop over a {known.cls.__name__} is not supported",
                node,
                "a loop over what it holds",
            )
        items = (self.call(method, [handle, Const(i)], (), node) for i in range(length))
        return Apply("tuple", tuple(items))

    def _no_iterator(self, found: Expr, node: gast.AST) -> Expr:
        """Refuses an instance with a __next__ of its own, which is no container."""
        known = self.contents(found) if found is not REFUSED else None
        if isinstance(known, Record) and known.op != "namedtuple":
            self.fail(
                "GG243",
                f"a loop over a {known.cls.__name__} is not supported: its __next__ "
                "is called for each item",
                node,
                "__iter__ as a generator: for v in items: yield v",
            )
        return found

    def _length(self, known: Record) -> int | None:
        """How many items an instance has, where that is known."""
        method = looked_up(known.cls, "__len__")
        if not isinstance(method, types.FunctionType):
            return None
        count = self.value_known(self.call(method, [known], (), self.frame.node))
        return count if type(count) is int else None

    def membership(self, inside: bool, left: Expr, right: Expr, node: gast.AST) -> Expr:
        method = self.own_method(right, "__contains__")
        if method is None:
            known = self.contents(right) if right is not REFUSED else None
            if isinstance(known, Record):
                right = self.gone_through(right, node)
            return super().membership(inside, left, right, node)
        found = self.call(method, [right, left], (), node)
        truth = self.truth(found)
        if truth is not None:
            return Const(truth is inside)
        return found if inside else Apply("not", (found,), (), "operator")
