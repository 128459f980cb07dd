"""Python expressions as IR: one reading for the user's code and for rule files.

What a name means, and what happens to each operation (a statement of its own in
the user's code, a nested expression in a rule), is left to the subclass.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NoReturn

import gast

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.signs import signed
from gradgen.ir.operators import (
    ATTRIBUTES,
    BINARY,
    COMPARE,
    FINFO,
    LIMITS,
    METHODS,
    SPREAD_METHODS,
    UNARY,
)
from gradgen.ir.written import as_written

# what a refused expression is called, and what to write instead
REFUSED = {
    "IfExp": ("conditional expressions", "np.where(condition, a, b)"),
    "BoolOp": ("`and` and `or`", "a & b, a | b on masks"),
    "ListComp": ("comprehensions", "an operation on the whole array"),
    "GeneratorExp": ("generators", "an operation on the whole array"),
    "SetComp": ("comprehensions", "an operation on the whole array"),
    "DictComp": ("comprehensions", "one name for each value"),
    "Dict": ("dictionaries", "one name for each value"),
    "Set": ("sets", "a tuple"),
    "NamedExpr": ("assignments inside expressions", "an assignment on a line before"),
    "JoinedStr": ("f-strings", "nothing: drop it"),
    "Lambda": ("lambdas", "the lambda's body, in place of the call"),
    "Await": ("awaited values", "a plain function"),
    "Yield": ("generators", "a return"),
    "Starred": ("starred values", "the values one by one"),
}


class ExpressionReader(ABC):
    """Turns gast expressions into IR expressions."""

    @abstractmethod
    def name(self, node: gast.Name) -> Expr:
        """What a plain name stands for."""

    @abstractmethod
    def callee(self, node: gast.AST) -> tuple[str, str] | None:
        """(operation, spelling) of a callee that is not a method, else None."""

    @abstractmethod
    def constant_of(self, node: gast.Attribute) -> Expr | None:
        """The constant a dotted name stands for (np.pi), else None."""

    @abstractmethod
    def bind(self, value: Apply, node: gast.AST | None) -> Expr:
        """What stands for an operation in the surrounding expression."""

    @abstractmethod
    def fail(
        self, code: str, message: str, node: gast.AST, advice: str = ""
    ) -> NoReturn:
        """Raises the error for a place in the source."""

    def literal(self, node: gast.Constant) -> str | None:
        """How the source spells a literal."""
        return None

    def read(self, node: gast.AST) -> Expr:
        """The expression's value."""
        name = "read_" + type(node).__name__
        method: Callable[[gast.AST], Expr] | None = getattr(self, name, None)
        if method is None:
            kind = type(node).__name__
            what, instead = REFUSED.get(
                kind, (f"{kind} expressions", "a plain operation")
            )
            self.fail("GG201", f"{what} are not supported", node, instead)
        return method(node)

    def read_Name(self, node: gast.Name) -> Expr:
        return self.name(node)

    def read_Constant(self, node: gast.Constant) -> Expr:
        value = node.value
        if isinstance(value, bytes):
            self.fail("GG202", "bytes literals are not supported", node, "numbers")
        text = self.literal(node) if isinstance(value, (int, float, complex)) else None
        return Const(value, text)

    def read_BinOp(self, node: gast.BinOp) -> Expr:
        op = BINARY[type(node.op).__name__]
        # A chain such as a + b + c + ... is as deep as it is long.
        left, right = self.read(node.left), self.read(node.right)
        return self.bind(Apply(op, (left, right), spelling="operator"), node)

    def read_UnaryOp(self, node: gast.UnaryOp) -> Expr:
        if isinstance(node.op, gast.Not):
            operand = self.read(node.operand)
            return self.bind(Apply("not", (operand,), spelling="operator"), node)
        op = UNARY[type(node.op).__name__]
        operand = self.read(node.operand)
        known = signed(type(node.op).__name__, operand)
        if known is not None:
            return known
        return self.bind(Apply(op, (operand,), spelling="operator"), node)

    def read_Compare(self, node: gast.Compare) -> Expr:
        if len(node.ops) > 1:
            self.fail(
                "GG204",
                "a chained comparison has no meaning on arrays",
                node,
                "(a < b) & (b < c)",
            )
        name = type(node.ops[0]).__name__
        left, right = self.read(node.left), self.read(node.comparators[0])
        if name in ("Is", "IsNot"):
            op = "is" if name == "Is" else "is_not"
            return self.bind(Apply(op, (left, right), spelling="operator"), node)
        if name not in COMPARE:
            self.fail(
                "GG203",
                f"the operator {name} is not supported",
                node,
                "an operator of NumPy",
            )
        value = Apply(COMPARE[name], (left, right), spelling="operator")
        return self.bind(value, node)

    def read_Tuple(self, node: gast.Tuple) -> Expr:
        return Apply("tuple", tuple(self.read(item) for item in node.elts))

    def read_List(self, node: gast.List) -> Expr:
        return Apply("list", tuple(self.read(item) for item in node.elts))

    def read_Slice(self, node: gast.Slice) -> Expr:
        parts = (node.lower, node.upper, node.step)
        none = Const(None)
        return Apply("slice", tuple(self.read(p) if p else none for p in parts))

    def read_Subscript(self, node: gast.Subscript) -> Expr:
        value = self.read(node.value)
        key = self.read(node.slice)
        return self.bind(Apply("getitem", (value, key), spelling="operator"), node)

    def read_Attribute(self, node: gast.Attribute) -> Expr:
        constant = self.constant_of(node)
        if constant is not None:
            return constant
        found = ATTRIBUTES.get(node.attr)
        if node.attr in LIMITS and isinstance(node.value, gast.Call):
            if (self.callee(node.value.func) or ("",))[0] == FINFO:
                found = LIMITS[node.attr]
        value = self.read(node.value)
        if found is None and node.attr in LIMITS and self.made_by(value) == FINFO:
            found = LIMITS[node.attr]  # of a name for np.finfo(x.dtype)
        if found is None:
            self.no_attribute(node, value)
        # an array where x.flat is an iterator
        spelling = "" if node.attr == "flat" else f"attribute:{node.attr}"
        return self.bind(Apply(found, (value,), (), spelling), node)

    def made_by(self, value: Expr) -> str:
        """The operation that made a value; "" where that is not known."""
        return ""

    def read_Call(self, node: gast.Call) -> Expr:
        callee = self.callee(node.func)
        if callee is None:
            return self._method(node)
        op, spelling = callee
        args = tuple(self._argument(arg) for arg in node.args)
        value = as_written(op, spelling, args, self._keywords(node))
        return self.bind(value, node)

    def _argument(self, node: gast.AST) -> Expr:
        if isinstance(node, gast.Starred):
            self.fail(
                "GG207", "starred arguments are not supported", node, "each by name"
            )
        return self.read(node)

    def _keywords(self, node: gast.Call) -> tuple[tuple[str, Expr], ...]:
        given = [(keyword.arg, keyword.value) for keyword in node.keywords]
        named = [(name, value) for name, value in given if name is not None]
        if len(named) < len(given):
            self.fail("GG207", "** arguments are not supported", node, "each by name")
        return tuple((name, self.read(value)) for name, value in named)

    def no_attribute(self, node: gast.Attribute, value: Expr) -> NoReturn:
        """Refuses an attribute that arrays have not."""
        message = f"the attribute .{node.attr} is not supported"
        known = ", ".join(f".{name}" for name in ATTRIBUTES)
        self.fail("GG206", message, node, f"one of {known}")

    def no_method(self, node: gast.Attribute, receiver: Expr) -> NoReturn:
        """Refuses a method that arrays have not."""
        message = f"the method .{node.attr}() is not supported"
        self.fail("GG206", message, node, "a NumPy function that has a rule")

    def _method(self, node: gast.Call) -> Expr:
        func = node.func
        if not isinstance(func, gast.Attribute):
            self.fail(
                "GG208",
                "which function is called here is not known",
                node,
                "a function by its name, in each arm of a branch: np.f(x)",
            )
        receiver = self.read(func.value)
        if func.attr not in METHODS:
            self.no_method(func, receiver)
        args = tuple(self._argument(arg) for arg in node.args)
        op, spelling = METHODS[func.attr], f"method:{func.attr}"
        if func.attr in SPREAD_METHODS and (
            len(args) > 1 or (len(args) == 1 and _is_number(args[0]))
        ):
            args = (Apply("tuple", args),)
            spelling = f"method*:{func.attr}"
        value = as_written(op, spelling, (receiver, *args), self._keywords(node))
        return self.bind(value, node)


def _is_number(expr: Expr) -> bool:
    # x.reshape(-1) is x.reshape((-1,)); what a variable holds is not known here.
    return isinstance(expr, Const) and isinstance(expr.value, int)
