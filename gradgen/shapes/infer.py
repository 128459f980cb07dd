"""What is known of the shape and the kind of each variable, and what follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from math import prod
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.ir.callee import CALLS, results_of
from gradgen.ir.nodes import Apply, Const, Expr, Let, Ref, Var
from gradgen.ir.operators import ADDITIVE, ARITHMETIC, TEXTS, getitem
from gradgen.ir.slope import slope_of
from gradgen.ir.walk import static, substitute
from gradgen.rules.deciding import decide
from gradgen.rules.load import operations
from gradgen.rules.binding import bind
from gradgen.rules.rule import Rule
from gradgen.shapes.callees import shape_of_call
from gradgen.shapes.complexes import is_complex
from gradgen.shapes.dims import Dim
from gradgen.shapes.entries import Entries
from gradgen.shapes.named import note_quotient
from gradgen.shapes.kinds import INTEGRAL, Kind, Known, highest, kind_of
from gradgen.shapes.likeness import LIKE_ARGUMENT
from gradgen.shapes.slopes import shape_of_slope
from gradgen.shapes.python_math import is_of_math
from gradgen.shapes.shape import SCALAR, Below, Shape, ShapeConflict
from gradgen.shapes.shape import equal, join, ranked, whole
from gradgen.shapes.given import in_words
from gradgen.shapes.tuples import compares_tuples
from gradgen.shapes.words_parts import PARTS

# what Python decides on: a single value
LOGIC = ("not", "and", "or", "is", "is_not", "in", "not_in", *TEXTS)


class Facts(Entries):
    """The shapes and kinds of variables, and what follows for expressions."""

    def __init__(
        self,
        shapes: Mapping[Var, Shape],
        kinds: Mapping[Var, Kind],
        complexes: Iterable[Var] = (),
    ) -> None:
        self.shapes = dict(shapes)
        self.kinds = dict(kinds)
        self.complexes = set(complexes)
        self.definitions: dict[Var, Expr] = {}
        # of what leaves an arm, or goes from round to round: the values it may have
        self.ways: dict[Var, tuple[Expr, ...]] = {}
        self.labels: Mapping[Var, str] = {}  # names of parameters: params["W"]
        # where each variable is defined: the loops and arms around it
        self.homes: dict[Var, tuple[Any, ...]] = {}
        # what may have no value on some way: a name first set in a loop or an arm
        self.unset: set[Var] = set()
        # what has no value at all, in the first pass through a loop
        self.bottom: set[Var] = set()
        # of a list: the shape of its entries, None before it has any
        self.entries: dict[Var, Shape | None] = {}
        # of a list of lists: a list like its entries
        self.examples: dict[Var, Expr] = {}
        self.counts: dict[Var, Dim] = {}  # of a list: how many entries it has
        # (a, b) -> the user's variable that is a / b
        self.quotients: dict[tuple[Expr, Expr], Var] = {}
        self.named: set[Var] = set()  # temporaries that the text has a name for
        self.here: tuple[Any, ...] = ()  # the loops and arms around a statement
        self.ahead: set[Var] = set()  # variables that are assigned behind it
        # whether the primal stands between the gradient, and `ahead` does not tell where
        self.unordered = False
        self.in_turn = False  # whether `ahead` tells it, of statements one by one
        # variables of the primal that are not in the function any more
        self.gone: frozenset[Var] = frozenset()
        self._unknowns = [0]
        # shapes of expressions and the work of products, while nothing is learned
        self._found: dict[int, tuple[Expr, Shape]] | None = None
        self._kinds_found: Known | None = None
        self.works: dict[Var, int] | None = None
        # expressions that are in their shortest form, seen from these loops and arms
        self.settled: dict[int, tuple[Expr, tuple[Any, ...]]] = {}
        # the name of a part of an equal split -> what was split, and in how many
        self.split: dict[str, tuple[Dim, int]] = {}
        self.optional: frozenset[Var] = frozenset()  # None where they are left out
        self.bare: frozenset[Var] = frozenset()  # ends of slices: numbers, or None
        self.held: frozenset[Var] = frozenset()  # without a gradient: may be integers
        # the name of a loop's index as a size -> its least and its greatest value
        self.spans: dict[str, tuple[Dim, Dim]] = {}
        self.twins: list[tuple[Dim, Dim]] = []  # that one shape would make one
        self.sized: Mapping[Var, str] = {}  # whole numbers that are lengths of axes
        self.along: dict[Shape, Shape | None] = {}  # shapes with axes: that of rows
        self.begun: set[Var] = set()  # numbers in the first round, arrays from there on

    def copy(self) -> Facts:
        """The same facts, to be added to."""
        other = Facts(self.shapes, self.kinds, self.complexes)
        other.definitions, other.labels = dict(self.definitions), self.labels
        other.homes, other.entries = dict(self.homes), dict(self.entries)
        other.examples, other.counts = dict(self.examples), dict(self.counts)
        other.unset, other.ways = set(self.unset), dict(self.ways)
        other.quotients, other.named = dict(self.quotients), set(self.named)
        other.split, other.spans = dict(self.split), dict(self.spans)
        other.optional, other.held, other.sized = self.optional, self.held, self.sized
        other.along, other.begun = dict(self.along), set(self.begun)
        other._unknowns, other.bare = self._unknowns, self.bare
        return other

    def within(self, path: tuple[Any, ...]) -> Facts:
        """The same facts, seen from inside of loops and arms."""
        other = copy(self)
        other.here = path
        return other

    def remembering(self) -> Facts:
        """The same facts, for a pass that learns nothing: it asks for shapes often."""
        other = copy(self)
        other._found, other._kinds_found, other.works = {}, {}, {}
        return other

    def visible(self, var: Var) -> bool:
        """Whether a variable of the primal can be read here."""
        home = self.homes.get(var)
        gone = self.ahead and var in self.ahead or self.gone and var in self.gone
        return not gone and (not home or home == self.here[: len(home)])

    def quotient(self, a: Expr, b: Expr) -> Var | None:
        """The user's variable that is a / b, where it can be read."""
        var = None if self.unordered else self.quotients.get((a, b))
        return var if var is not None and self.visible(var) else None

    def seed_shape(self, result: Shape) -> Shape:
        """The shape of a result's seed: the result's, or a number where unknown."""
        if result.dims is not None or result in self.along:
            return result
        return Shape(frozenset([Below(result)]))

    def fresh_name(self) -> str:
        """A name for a size or a shape that nothing is known of."""
        self._unknowns[0] += 1
        return f"?{self._unknowns[0]}"

    def fresh(self) -> Shape:
        """A shape that nothing is known of."""
        return whole(self.fresh_name())

    def fresh_dim(self) -> Dim:
        """A size that nothing is known of."""
        return Dim.of(self.fresh_name())

    def rejoined(self, dim: Dim) -> Dim:
        """The size of all the parts of an equal split together: twice n/2 is n."""
        if len(dim.terms) == 1:
            ((names, count),) = dim.terms
            whole, parts = self.split.get("*".join(names), (dim, None))
            if parts == count:
                return whole
        return dim

    def learn(self, let: Let) -> None:
        """Adds what follows for the variable of a statement."""
        self.shapes[let.var] = self.of(let.value)
        self.kinds[let.var] = self.kind(let.value)
        if self.is_complex(let.value):
            self.complexes.add(let.var)
        self.definitions[let.var] = let.value
        value = let.value
        if self.is_list(value):
            self.learn_list(let)
            if isinstance(value, Apply) and value.op == "setitem":
                # an entry of a list comes with a dtype of its own
                stored = self.kind(value.args[2])
                self.kinds[let.var] = highest((self.kinds[let.var], stored))
        note_quotient(self, let)

    def of(self, expr: Expr) -> Shape:
        """The shape of an expression's value. Raises ShapeConflict."""
        if type(expr) is Ref:
            return self.shapes[expr.var]
        if type(expr) is Const:
            return self._of_constant(expr.value)
        if self._found is None:
            return self._of_operation(expr)
        known = self._found.get(id(expr))
        if known is None:
            known = self._found[id(expr)] = expr, self._of_operation(expr)
        return known[1]

    def _of_operation(self, expr: Expr) -> Shape:
        assert isinstance(expr, Apply)
        plain = expr.spelling == "operator" and not expr.kwargs
        if plain and expr.op in ARITHMETIC:
            return join(*map(self.of, expr.args))
        if expr.op in ("count", "extent") or expr.op in LOGIC:
            return SCALAR
        if is_of_math(expr) and not self.several(expr):
            return SCALAR
        if compares_tuples(expr, self.definitions):
            return SCALAR
        if expr.spelling == "augmented" and self.rank(expr.args[0]):
            return self.of(expr.args[0])
        if expr.op in CALLS:
            return shape_of_call(self, expr)
        slope = slope_of(expr)
        if slope is not None:
            return shape_of_slope(self, slope)
        if expr.op in LIKE_ARGUMENT:
            return self.of(expr.args[LIKE_ARGUMENT[expr.op]])
        if expr.op in ("helper._stored_last", "helper._stored_at_last"):
            return self.of(Apply("getitem", expr.args[:2]))
        if expr.op in ("item", "getitem") and self.is_list(expr.args[0]):
            return self._entry(self.entries_of(expr.args[0]))
        item = self._item(expr)
        if item is not None:
            return item
        rule = operations().get(expr.op)
        if rule is None or self.several(expr):
            return self.fresh()
        if _counts_results(rule) and self._by_rule(rule, expr) == ():
            raise ShapeConflict(f"{rule.op} has no results here", "an array")
        if rule.shape is None:
            args = bind(rule, expr).values() if expr.kwargs else expr.args
            return join(*(self.of(arg) for arg in args if arg != Const(None)))
        return self._one_by_rule(rule, expr)

    def _entry(self, shape: Shape | None) -> Shape:
        """The shape of one entry: what may differ among them is not known."""
        if shape is None or any("?" in repr(atom) for atom in shape.atoms):
            dims = None if shape is None else shape.dims
            if dims is None:
                return self.fresh()
            return ranked(*(self.fresh_dim() if "?" in str(d) else d for d in dims))
        return shape

    def _of_constant(self, value: object) -> Shape:
        if not isinstance(value, tuple):
            return SCALAR
        try:
            return ranked(*np.shape(value))  # numpy makes an array of it
        except ValueError:
            return self.fresh()

    def several(self, expr: Expr) -> int:
        """How many results the operation behind a value has, when not one."""
        if isinstance(expr, Ref):
            expr = self.definitions.get(expr.var, expr)
        if not isinstance(expr, Apply):
            return 0
        if expr.op == "kept":
            return results_of(expr)
        rule = operations().get(expr.op)
        if rule is not None and _counts_results(rule):
            found = self._by_rule(rule, expr)
            return 0 if isinstance(found, Shape) else len(found)
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
        if not isinstance(source, Apply) or not self.several(source):
            return None
        rule, index = operations().get(source.op), expr.args[1].value
        if rule is None:
            return shape_of_call(self, source, index)
        total = self.several(source)
        if not isinstance(index, int) or not -total <= index < total:
            raise ShapeConflict(f"{rule.op} has {total} results here")
        if not rule.items:
            several = self._by_rule(rule, source)
            assert isinstance(several, tuple)
            return several[index]
        return self._one_by_rule(rule, source, rule.items[index])

    def key(self, key: Expr) -> Expr:
        """A key that has several results, x[np.ix_(i, j)], as the tuple it is."""
        count = self.several(key) if isinstance(key, Ref) else 0
        if not count:
            return key
        return Apply("tuple", tuple(getitem(key, i) for i in range(count)))

    def _one_by_rule(self, rule: Rule, expr: Apply, line: Expr | None = None) -> Shape:
        """The shape by a shape line of one result."""
        found = self._by_rule(rule, expr, line)
        assert isinstance(found, Shape)
        return found

    def _by_rule(
        self, rule: Rule, expr: Apply, line: Expr | None = None
    ) -> Shape | tuple[Shape, ...]:
        """The shape by a shape line; a tuple of shapes where there are several."""
        line = line or rule.shape
        assert line is not None
        word = substitute(line, bind(rule, expr))
        assert isinstance(word, Apply)
        return in_words(self, word, rule.op)

    def rank(self, expr: Expr) -> int | None:
        """The number of dimensions, or None when it is not known."""
        return self.of(expr).rank

    def same(self, a: Expr, b: Expr) -> bool:
        """Whether two expressions provably have the same shape."""
        return equal(self.of(a), self.of(b))

    def kind(self, expr: Expr) -> Kind:
        """What sort of value an expression has."""
        return kind_of(expr, self.kinds, self.rank, self._kinds_found)

    def is_square(self, expr: Expr) -> bool:
        """Whether the last two axes are known to be equally long."""
        dims = self.of(expr).dims
        return dims is not None and len(dims) > 1 and dims[-1] == dims[-2]

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
        return self.kind(expr) in INTEGRAL and self.rank(expr) == 0

    def size_of(self, var: Var) -> str:
        """An integer as the name of a size: the same one wherever it is used."""
        return self.sized.get(var) or f"?{var.name}.{var.id}"

    def dim(self, expr: Expr) -> Dim:
        """The size of an axis that an integer expression gives."""
        if isinstance(expr, Ref):
            made = self.definitions.get(expr.var)
            if isinstance(made, Apply):
                return self._dim_of_apply(made) or Dim.of(self.size_of(expr.var))
            return Dim.of(self.size_of(expr.var)) if made is None else self.dim(made)
        if isinstance(expr, Const) and isinstance(expr.value, int):
            return Dim.of(expr.value)
        found = self._dim_of_apply(expr) if isinstance(expr, Apply) else None
        return found or self.fresh_dim()

    def _dim_of_apply(self, expr: Apply) -> Dim | None:
        if not expr.args:
            return None
        first = expr.args[0]
        if expr.op in ("count", "extent") and expr.args[1] != Const(None):
            dims, axis = self.of(first).dims, expr.args[1].value
            return dims[axis] if dims and isinstance(axis, int) else None
        if expr.op == "len":
            if self.is_list(first):
                return self.count_of(first)
            dims = self.of(first).dims
            return dims[0] if dims else None
        if expr.op == "numpy.size" and len(expr.args) == 1:
            dims = self.of(first).dims
            return None if dims is None else prod(dims, start=Dim.of(1))
        if expr.op == "getitem":
            shape = self.definitions.get(first.var) if isinstance(first, Ref) else first
            if isinstance(shape, Apply) and shape.op == "numpy.shape":
                dims = self.of(shape.args[0]).dims
                try:
                    return dims[static(expr.args[1])] if dims else None
                except (ValueError, IndexError, TypeError):
                    return None
        if expr.op in ADDITIVE or expr.op == "numpy.multiply":
            left, right = map(self.dim, expr.args)
            if expr.op == "numpy.add":
                return left + right
            return left - right if expr.op == "numpy.subtract" else left * right
        if expr.op == "numpy.negative":
            return Dim.of(0) - self.dim(first)
        if expr.op == "numpy.floor_divide":
            # Without a rest, as 4*h is by 4, it is what / gives.
            return self.dim(first).divided_by(self.dim(expr.args[1]))
        return None


def _counts_results(rule: Rule) -> bool:
    """Whether the arguments of the function decide how many results it has."""
    return isinstance(rule.shape, Apply) and rule.shape.op in PARTS
