"""Results that go into an array that is there: np.add(a, b, out=c)."""

from __future__ import annotations

import gast
import numpy

from gradgen.frontend.lookup import among
from gradgen.errors import GradgenError
from gradgen.frontend.memory import leaves
from gradgen.frontend.names import NO_VALUE
from gradgen.frontend.instances import Instances
from gradgen.frontend.sharing import ARRAYS
from gradgen.frontend.writer import REFUSED
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.rules.refusals import sort_of_dtype
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import equal

# what takes a dtype as its second argument
MADE = ("numpy.zeros", "numpy.ones", "numpy.empty", "numpy.array")


class Outs(Instances):
    """Writes calls with out=."""

    def method_call(self, node: gast.Call) -> Expr | None:
        """y.cumsum(out=c): as a function's; a method of a container, else None."""
        if any(keyword.arg == "out" for keyword in node.keywords):
            return self.into_out(node)
        return super().method_call(node)

    def into_out(self, node: gast.Call) -> Expr:
        """np.add(a, b, out=c): a store into c, and c."""
        (out,) = (k.value for k in node.keywords if k.arg == "out")
        kept = [k for k in node.keywords if k.arg != "out"]
        if any(k.arg == "where" for k in kept):
            self.fail("GG209", "out= with where= is not supported", node, "np.where")
        plain = gast.Call(func=node.func, args=node.args, keywords=kept)
        value = self.read(gast.copy_location(plain, node))
        target = self.read(out)
        if REFUSED in (value, target):
            return REFUSED
        if isinstance(target, Const):
            return value
        self._raise_unless_fits(value, target, node)
        self.store(target, Const(...), value, node)
        return target

    def _stretches(self, function: object) -> bool:
        """Whether out= may have more places than the result, which is repeated."""
        if isinstance(function, numpy.ufunc):
            return function.signature is None  # matmul's last axes have to be the same
        return among(function, (numpy.clip, numpy.round, numpy.around))

    def _is_whole(self, into: Ref) -> bool:
        """Whether an array surely was made of integers or of booleans."""
        if self.facts.kind(into) in (Kind.INTEGER, Kind.BOOLEAN):
            return True
        made = self.facts.definitions.get(self.memory.buffer(into.var))
        if not isinstance(made, Apply) or made.op not in ARRAYS:
            return False
        given = dict(made.kwargs).get("dtype")
        if given is None and made.op == "numpy.array" and len(made.args) == 1:
            values = [getattr(leaf, "value", None) for leaf in leaves(made.args[0])]
            return bool(values) and all(type(v) in (int, bool) for v in values)
        if given is None and made.op in MADE and len(made.args) == 2:
            given = made.args[1]
        try:
            return given is not None and sort_of_dtype(given) in ("i", "u", "b")
        except GradgenError:  # an argument that is a dtype
            return False

    def _raise_unless_fits(self, value: Expr, target: Expr, node: gast.Call) -> None:
        """Raises where out= is smaller than what goes into it, or takes no floats."""
        into, now = self.current(target, node), self.current(value, node)
        if not isinstance(into, Ref) or self.is_a_list(target):
            return
        if self._is_whole(into) and self.facts.kind(now) >= Kind.WEAK:
            self.fail(
                "GG309",
                f"{self.known_name(into.var)} is an array of integers, and out= takes "
                "no floats then",
                node,
                "an array of floats: dtype=float, or 1.0 among its numbers",
            )
        function = self.resolve(node.func)
        if function is NO_VALUE:  # a method
            function = getattr(numpy, node.func.attr, None)
        exact = not self._stretches(function)
        first, last = self.facts.of(now), self.facts.of(into)
        if equal(first, last) or not exact and first <= last:
            return
        both = now if exact else Apply("numpy.add", (now, into), (), "operator")
        shapes = tuple(Apply("numpy.shape", (part,)) for part in (both, into))
        test = Apply("numpy.not_equal", shapes, (), "operator")
        self.raise_where(test, ValueError, "out= does not fit")


def with_out(node: gast.Call) -> gast.Call:
    """np.add(a, b, c) as np.add(a, b, out=c)."""
    *args, out = node.args
    words = [*node.keywords, gast.keyword("out", out)]
    return gast.copy_location(
        gast.Call(func=node.func, args=args, keywords=words), node
    )
