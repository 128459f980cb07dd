"""Arrays where a library's functions take nothing else: of lists, and of numbers.

NumPy makes an array of whatever it is given. cupy's elementwise functions take numbers
beside arrays, its other functions arrays alone, and neither takes lists.
"""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref, Var
from gradgen.ir.operators import call
from gradgen.shapes.infer import Facts

# the parameters of NumPy's functions that are arrays, by the names in the tables
ARRAYS = frozenset(
    "a ary arr array b condition filt fp m p v values weights x x1 x2 xp y z".split()
)
# functions of which the table says otherwise
OWN = {
    "numpy.size": ["a"],
    "numpy.where": ["condition"],
    "numpy.linalg.cond": ["x"],
    "numpy.digitize": ["x", "b"],
    "scipy.special.polygamma": ["a", "x"],
}
# tables of ufuncs name no arrays
UFUNC = ("out", "dtype", "casting")
# functions of lists of arrays
JOINING = frozenset(
    "numpy.stack numpy.concatenate numpy.hstack numpy.vstack numpy.dstack "
    "numpy.column_stack numpy.array numpy.asarray".split()
)
# these make arrays of what they get, or tell of it
MAKING = frozenset(
    "numpy.array numpy.asarray numpy.asanyarray numpy.ascontiguousarray numpy.ndim "
    "numpy.shape numpy.full numpy.isclose numpy.isscalar".split()
)


class Arrays:
    """Makes arrays of lists, and on a device of what may be numbers of the host."""

    def __init__(self, facts: Facts, device: bool):
        self.facts, self.device = facts, device
        self.numbers: set[Var] = set()

    def begin(self, function: Function) -> None:
        """Notes the parameters that a caller may give as Python numbers."""
        self.numbers |= {
            param.var
            for param in function.params
            if self.facts.rank(Ref(param.var)) == 0
        }

    def learn(self, let: Let) -> None:
        """Notes a variable that operators compute of such numbers alone."""
        if self._is_number(let.value):
            self.numbers.add(let.var)

    def of(self, node: Apply, words: list[str] | None) -> Apply:
        """A call whose arguments are arrays; `words` are its parameters in the table.

        before:  np.where(1 == 0, x, y)               np.sum([1, 3])
        after:   cp.where(cp.asarray(1 == 0), x, y)   cp.sum(cp.asarray([1, 3]))
        """
        if node.op in JOINING:
            return self._joined(node)
        if node.op in MAKING:
            return node
        words = OWN.get(node.op, words)
        elementwise = words is not None and tuple(words) == UFUNC

        def made(arg: Expr, name: str) -> Expr:
            number = not elementwise and name in ARRAYS and self._is_number(arg)
            listed = _is_list(arg) and (elementwise or name in ARRAYS)
            return call("numpy.asarray", arg) if number or listed else arg

        names = [*(words or ()), *[""] * len(node.args)]
        args = tuple(map(made, node.args, names))
        kwargs = tuple((name, made(value, name)) for name, value in node.kwargs)
        return replace(node, args=args, kwargs=kwargs)

    def of_helper(self, node: Apply) -> Apply:
        """A call of a function that is copied into the text; a tuple is an axis."""
        args = tuple(
            call("numpy.asarray", arg) if getattr(arg, "op", "") == "list" else arg
            for arg in node.args
        )
        return replace(node, args=args)

    def _joined(self, node: Apply) -> Apply:
        """np.hstack([x, 2.0]) with an array of each entry."""
        parts, *others = node.args
        if not _is_list(parts) or not isinstance(parts, Apply):
            return node
        numbers = [self._is_number(part) for part in parts.args]
        if node.op in MAKING and all(numbers):
            return node
        entries = tuple(
            call("numpy.asarray", part) if number else part
            for part, number in zip(parts.args, numbers)
        )
        return replace(node, args=(replace(parts, args=entries), *others))

    def _is_number(self, arg: Expr) -> bool:
        """Whether an argument is, or may be, a number that has to be an array."""
        if not self.device:
            return False
        if isinstance(arg, Const):
            return isinstance(arg.value, (bool, int, float, complex))
        if isinstance(arg, Ref):
            return arg.var in self.numbers
        return (
            isinstance(arg, Apply)
            and arg.spelling == "operator"
            and all(map(self._is_number, arg.args))
        )


def _is_list(arg: Expr) -> bool:
    """Whether an argument is written as a list or a tuple."""
    if isinstance(arg, Const):
        return isinstance(arg.value, (tuple, list))
    return isinstance(arg, Apply) and arg.op in ("list", "tuple")
