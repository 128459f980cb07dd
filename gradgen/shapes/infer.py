"""Function -> what is known of the shape and the kind of each variable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Var
from gradgen.ir.walk import static, substitute
from gradgen.rules.load import operations
from gradgen.rules.rule import Rule, bind, decide
from gradgen.shapes.complexes import is_complex, refuse_complex
from gradgen.shapes.dims import Dim
from gradgen.shapes.kinds import Kind, kind_of
from gradgen.shapes.shape import (
    SCALAR,
    Below,
    Shape,
    ShapeConflict,
    equal,
    join,
    ranked,
    whole,
)
from gradgen.shapes.words import WORDS

# which argument's shape a result has: words of the engine, and copied helpers
LIKE_ARGUMENT = {
    "real": 1,
    "owned": 1,
    "unbroadcast": 2,
    "setitem": 0,
    "additem": 0,
    "add_at": 0,
    "helper._unbroadcast": 1,
    "helper._matmul_left": 1,
    "helper._matmul_right": 2,
    "helper._inner_left": 1,
    "helper._inner_right": 2,
    "helper._dot_left": 1,
    "helper._dot_right": 2,
    "helper._product_of_the_others": 0,
    "helper._matrix_power": 1,
    "helper._cumprod_adjoint": 1,
    "helper._share_in_quantile": 0,
    "helper._added_along_axis": 1,
    "helper._convolve_adjoint": 1,
    "helper._correlate_left": 1,
    "helper._correlate_right": 2,
    "helper._resized": 1,
    "helper._twice_inside": 0,
}


class Facts:
    """The shapes and kinds of variables, and what follows for expressions."""

    def __init__(
        self,
        shapes: Mapping[Var, Shape],
        kinds: Mapping[Var, Kind],
        complexes: Iterable[Var] = (),
    ):
        self.shapes = dict(shapes)
        self.kinds = dict(kinds)
        self.complexes = set(complexes)
        self.definitions: dict[Var, Expr] = {}
        # (a, b) -> the user's variable that is a / b
        self.quotients: dict[tuple[Expr, Expr], Var] = {}
        self._unknowns = 0

    def copy(self) -> Facts:
        """The same facts, to be added to."""
        other = Facts(self.shapes, self.kinds, self.complexes)
        other.definitions = dict(self.definitions)
        other.quotients = dict(self.quotients)
        other._unknowns = self._unknowns
        return other

    def seed_shape(self, result: Shape) -> Shape:
        """The shape of a result's seed: the result's, or a number where unknown."""
        if result.dims is not None:
            return result
        return Shape(frozenset([Below(result)]))

    def fresh(self) -> Shape:
        """A shape that nothing is known of."""
        self._unknowns += 1
        return whole(f"?{self._unknowns}")

    def fresh_dim(self) -> Dim:
        """A size that nothing is known of."""
        self._unknowns += 1
        return Dim.of(f"?{self._unknowns}")

    def learn(self, let: Let) -> None:
        """Adds what follows for the variable of a statement."""
        self.shapes[let.var] = self.of(let.value)
        self.kinds[let.var] = self.kind(let.value)
        if self.is_complex(let.value):
            self.complexes.add(let.var)
        self.definitions[let.var] = let.value
        value = let.value
        if isinstance(value, Apply) and value.op == "numpy.divide":
            if let.var.origin is Origin.USER:
                self.quotients.setdefault((value.args[0], value.args[1]), let.var)

    def of(self, expr: Expr) -> Shape:
        """The shape of an expression's value. Raises ShapeConflict."""
        if isinstance(expr, Ref):
            return self.shapes[expr.var]
        if isinstance(expr, Const):
            if isinstance(expr.value, tuple):  # numpy makes an array of it
                return ranked(*np.shape(expr.value))
            return SCALAR
        assert isinstance(expr, Apply)
        if expr.op in LIKE_ARGUMENT:
            return self.of(expr.args[LIKE_ARGUMENT[expr.op]])
        item = self._item(expr)
        if item is not None:
            return item
        rule = operations().get(expr.op)
        if rule is None or self.several(expr):
            return self.fresh()
        if rule.shape is None:
            return join(*(self.of(arg) for arg in expr.args if arg != Const(None)))
        return self._by_rule(rule, expr)

    def several(self, expr: Expr) -> int:
        """How many results the operation behind a value has, when not one."""
        if isinstance(expr, Ref):
            expr = self.definitions.get(expr.var, expr)
        rule = operations().get(expr.op) if isinstance(expr, Apply) else None
        if rule is None or not rule.items:
            return 0
        if rule.alone is not None:
            test = substitute(rule.alone, bind(rule, expr))
            try:
                if decide(test, self.rank, rule):
                    return 0
            except GradgenError:
                return 0  # a form that is not known: nothing is said of its results
        return len(rule.items)

    def _item(self, expr: Apply) -> Shape | None:
        """The shape of one of several results, when the expression is one."""
        if expr.op != "getitem" or not isinstance(expr.args[1], Const):
            return None
        source = expr.args[0]
        if isinstance(source, Ref):
            source = self.definitions.get(source.var, source)
        if not self.several(source):
            return None
        rule, index = operations()[source.op], expr.args[1].value
        if not isinstance(index, int) or not -len(rule.items) <= index < len(
            rule.items
        ):
            raise ShapeConflict(f"{rule.op} has {len(rule.items)} results")
        return self._by_rule(rule, source, rule.items[index])

    def _by_rule(self, rule: Rule, expr: Apply, line: Expr | None = None) -> Shape:
        word = substitute(line or rule.shape, bind(rule, expr))
        assert isinstance(word, Apply)
        try:
            return WORDS[word.op](self, *word.args)
        except ValueError as error:
            if isinstance(error, ShapeConflict):
                raise
            return self.fresh()  # an argument that is not a constant

    def rank(self, expr: Expr) -> int | None:
        """The number of dimensions, or None when it is not known."""
        return self.of(expr).rank

    def same(self, a: Expr, b: Expr) -> bool:
        """Whether two expressions provably have the same shape."""
        return equal(self.of(a), self.of(b))

    def kind(self, expr: Expr) -> Kind:
        """What sort of value an expression has."""
        return kind_of(expr, self.kinds, self.rank)

    def is_complex(self, expr: Expr) -> bool:
        """Whether the value is complex."""
        return is_complex(expr, self.complexes)

    def may_flow_complex(self, let: Let) -> bool:
        """Whether what flows through an operation may be complex, though it is real."""
        rule = operations().get(let.value.op) if isinstance(let.value, Apply) else None
        return bool(self.complexes) or rule is not None and rule.field == "to_real"

    def is_boolean(self, expr: Expr) -> bool:
        """Whether the value is surely a boolean (mask)."""
        return self.kind(expr) is Kind.BOOLEAN

    def is_index(self, expr: Expr) -> bool:
        """Whether the value is surely one integer."""
        return self.kind(expr) is Kind.INTEGER and self.rank(expr) == 0

    def dim(self, expr: Expr) -> Dim:
        """The size of an axis that an integer expression gives."""
        if isinstance(expr, Ref):
            if expr.var in self.definitions:
                return self.dim(self.definitions[expr.var])
            # The same variable is the same size wherever it is used.
            return Dim.of(f"?{expr.var.name}.{expr.var.id}")
        if isinstance(expr, Const) and isinstance(expr.value, int):
            return Dim.of(expr.value)
        if isinstance(expr, Apply):
            found = self._dim_of_apply(expr)
            if found is not None:
                return found
        return self.fresh_dim()

    def _dim_of_apply(self, expr: Apply) -> Dim | None:
        first = expr.args[0] if expr.args else None
        if expr.op == "len":
            dims = self.of(first).dims
            return dims[0] if dims else None
        if expr.op == "getitem":
            shape = self.definitions.get(first.var) if isinstance(first, Ref) else first
            if isinstance(shape, Apply) and shape.op == "numpy.shape":
                dims = self.of(shape.args[0]).dims
                try:
                    return dims[static(expr.args[1])] if dims else None
                except (ValueError, IndexError, TypeError):
                    return None
        if expr.op in ("numpy.add", "numpy.subtract", "numpy.multiply"):
            left, right = map(self.dim, expr.args)
            if expr.op == "numpy.add":
                return left + right
            return left - right if expr.op == "numpy.subtract" else left * right
        return None


def infer(
    function: Function, shapes: Mapping[str, Shape], complexes: Iterable[str] = ()
) -> Facts:
    """The facts of a primal, from the shapes of its parameters by name.

    `complexes` are the names of the parameters that are complex.

    A parameter without a shape gets one of unknown rank. Raises GradgenError,
    naming the line, when shapes conflict.
    """
    given = {
        param.var: shapes.get(param.var.name) or whole(param.var.name)
        for param in function.params
    }
    # A number stays weak; what nothing is known of is taken for an array.
    kinds = {v: Kind.WEAK if s == SCALAR else Kind.LIKE for v, s in given.items()}
    facts = Facts(given, kinds, {v for v in given if v.name in complexes})
    for let in function.body:
        try:
            refuse_complex(let.value, facts.complexes)
            facts.learn(let)
        except GradgenError as error:
            raise error.at(let.note.place) from None
        except ShapeConflict as error:
            refusal = GradgenError(
                "GG401", str(error), advice=f"{error.advice}, or another shape"
            )
            raise refusal.at(let.note.place) from None
    return facts
