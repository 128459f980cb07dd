"""The gradients as they are handed out: of the argument's shape and dtype, and owned."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.callee import stays
from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Note,
    Origin,
    Ref,
    Result,
    Role,
    Supply,
    Var,
)
from gradgen.ir.operators import ARITHMETIC, BINARY, COMPARISONS, IN_PLACE, READ_ONLY
from gradgen.ir.operators import UNARY, call, getitem
from gradgen.ir.sharing import PARTS, VIEWS_OF_ALL, viewed
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import uses
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind

# a dtype that is none of the arguments': 0 * np.sum(mask) has integers
NO_LIKE = (Kind.WIDE, Kind.BOOLEAN, Kind.INTEGER)
# how a call of the library is spelled: not as an operator, nor as Python's abs
OWN = ("", "name:numpy")
# what may be written with a sign
SYMBOLS = {*BINARY.values(), *UNARY.values(), *COMPARISONS}
# views that may not be written to, or that have several parts or arguments
NOT_OWNED = READ_ONLY | PARTS | VIEWS_OF_ALL


def results(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function with each gradient in the exact shape and dtype of its argument.

        before:  d_x = 2 * d_out
                 return d_x
        after:   d_x = np.full_like(x, 2 * d_out)
                 return d_x

    A gradient that would share memory with a seed, a tangent, an argument or another
    gradient is copied.
    """
    return _Results(function, facts, supply).finished()


class _Results:
    def __init__(self, function: Function, facts: Facts, supply: Supply) -> None:
        self.function, self.facts, self.supply = function, facts, supply
        self.lets = {stmt.var: stmt for stmt in function.body if isinstance(stmt, Let)}
        self.uses = uses(function)
        self.given = {param.var for param in function.params}
        self.taken: set[Var] = set()
        self.body = list(function.body)

    def finished(self) -> Function:
        """The function with its results made ready."""
        done = tuple(self._result(result) for result in self.function.results)
        return replace(self.function, body=tuple(self.body), results=done)

    def _result(self, result: Result) -> Result:
        value = self._definition(result.value)
        ready = self._ready(value, result)
        if ready is value and isinstance(result.value, Ref):
            return result
        return self._assigned(result, ready)

    def _definition(self, value: Expr) -> Expr:
        """What a gradient that only the return reads is computed from."""
        if isinstance(value, Ref) and self.uses[value.var] == 1:
            let = self.lets.get(value.var)
            if let is not None and let.note.derived and _is_plain(let):
                return let.value
        return value

    def _ready(self, value: Expr, result: Result) -> Expr:
        # A matrix of derivatives has the dtype of its argument, and a shape of its own.
        facts, x = self.facts, Ref(result.of)
        if facts.is_list(x):
            if self._take(value):
                return value
            return Apply("numpy.copy", (value,), spelling="function:list")
        shaped = Ref(result.like or result.of)
        zero = value in (Const(0), Const(0.0))
        is_number = facts.rank(shaped) == 0 == facts.rank(value)
        own = not zero and shaped == result.value  # a matrix is like nothing else
        if zero and is_number:
            return Const(0j if facts.is_complex(x) else 0.0)
        if zero or not own and not facts.same(value, shaped):
            if zero:
                return call("numpy.zeros_like", shaped)
            return call("numpy.full_like", shaped, value)
        if isinstance(value, Const) and isinstance(value.value, int):
            value = Const(float(value.value))  # the derivative of 2 * x is 2.0
        rank = facts.rank(shaped)
        if rank == 0 and self._is_part(value):
            return getitem(value, ())  # x[..., 0] of a vector is an array of rank 0
        owned = self._take(value)
        lifted = facts.is_complex(x) and not facts.is_complex(value)
        narrows = self._narrows(value, result.of)
        numpys = narrows and (self._is_numpys(value) or self._sums(value))
        widens = numpys or self._widens(value, result.of)
        if is_number and not lifted and widens:
            dtype = Apply("dtype", (x,), spelling="attribute:dtype")
            return Apply("astype", (value, dtype), spelling="method:astype")
        if is_number and not lifted:
            return value  # of a Python number the gradient is a number, uncast
        if lifted or narrows or facts.kind(value) in NO_LIKE:
            if is_number:  # [()] makes a number of an array that holds one
                return getitem(call("numpy.full_like", x, value), ())
            if rank == 0 or rank is None and not self._is_numpys(value):
                return call("numpy.full_like", x, value)
            dtype = Apply("dtype", (x,), spelling="attribute:dtype")
            if not facts.rank(x):  # it may be a Python number
                dtype = call("numpy.result_type", x)
            return Apply("astype", (value, dtype), spelling="method:astype")
        if owned or rank == 0:
            return value
        if rank is None:
            return call("numpy.full_like", x, value)
        return Apply("numpy.copy", (value,), spelling="method:copy")

    def _widens(self, value: Expr, of: Var) -> bool:
        """Whether a tangent would be of float64 where a sum may be of float32."""
        facts, let = self.facts, self.lets.get(of)
        if facts.kinds.get(of) is not Kind.LIKE or facts.kind(value) is not Kind.WIDE:
            return False
        made = let.value if let is not None and not let.note.derived else None
        if not isinstance(made, Apply) or made.op in SYMBOLS or not self._sums(value):
            return False
        return made.op.startswith("numpy.") and bool(facts.rank(made.args[0]))

    def _narrows(self, value: Expr, of: Var) -> bool:
        """Whether a tangent may be of float32 where the value is of float64."""
        facts = self.facts
        if of in self.given or facts.kinds.get(of) is not Kind.WIDE:
            return False
        return facts.kind(value) in (Kind.LIKE, Kind.MIXED)

    def _sums(self, value: Expr) -> bool:
        """Whether a value is what a function of NumPy's makes of an array."""
        made = self._definition(value)
        if isinstance(made, Ref):
            let = self.lets.get(made.var)
            made = let.value if let is not None else made
        if isinstance(made, Apply) and made.op in ARITHMETIC:
            return any(map(self._sums, made.args))
        if not isinstance(made, Apply) or made.op in SYMBOLS:
            return False
        first = made.args[0] if made.args else None
        return made.op.startswith("numpy.") and bool(first and self.facts.rank(first))

    def _is_numpys(self, value: Expr) -> bool:
        """Whether a value is surely no Python number, which could not be cast."""
        made = {var: let.value for var, let in self.lets.items()}
        ends = upstream(value, made, self._of_numbers)
        return any(self._is_made_by_numpy(end) for end in ends)

    def _of_numbers(self, made: Apply) -> tuple[Expr, ...] | None:
        """The operands of which one has to be NumPy's for the value to be."""
        if self.facts.rank(made):
            return None
        if made.op in ARITHMETIC:
            return made.args
        return made.args[:1] if made.op == "helper._unbroadcast" else None

    def _is_made_by_numpy(self, end: Expr) -> bool:
        if self.facts.rank(end):
            return True
        let = self.lets.get(end.var) if isinstance(end, Ref) else None
        made = let.value if let is not None else end
        if not isinstance(made, Apply):
            return False
        rule = operations().get(made.op)
        if rule is None or rule.kind != "elementwise" or made.op in SYMBOLS:
            return False
        return made.op.startswith(("numpy.", "scipy.")) and made.spelling in OWN

    def _is_part(self, value: Expr) -> bool:
        """Whether a value of rank 0 is an array that shows an entry of another one."""
        let = self.lets.get(value.var) if isinstance(value, Ref) else None
        made = let.value if let is not None else value
        if not isinstance(made, Apply) or made.op != "getitem":
            return False
        key = made.args[1]
        return Const(...) in (key.args if isinstance(key, Apply) else (key,))

    def _take(self, value: Expr) -> bool:
        """Whether the value's memory is its own; if so, it is given away."""
        while True:
            if isinstance(value, Apply):
                made = value.op == "numpy.diag" and self.facts.rank(value.args[0]) == 1
                if value.op in NOT_OWNED and not made:
                    return False
                base = viewed(value)
                if not base:
                    return True
                if value.op == "getitem" and self._gathers(value.args[1]):
                    return True
                value = base[0]
                continue
            if not isinstance(value, Ref) or value.var in self.taken | self.given:
                return False
            let = self.lets.get(value.var)
            if let is None and value.var.origin in (Origin.ADJOINT, Origin.TANGENT):
                return (
                    value.var.of is not None
                )  # a loop's or a branch's: storage sees to it
            if let is None or not let.note.derived:
                return False
            self.taken.add(value.var)
            value = let.value

    def _gathers(self, key: Expr) -> bool:
        """Whether a key has a mask or an array of indices: x[key] is a copy."""
        if isinstance(key, Apply) and key.op == "list":
            return True
        arrays = (Kind.BOOLEAN, *INTEGRAL)
        return self.facts.kind(key) in arrays and bool(self.facts.rank(key))

    def _assigned(self, result: Result, value: Expr) -> Result:
        """The result under its own name, at the place of its old definition."""
        if isinstance(result.value, Ref) and self.uses[result.value.var] == 1:
            old = self.lets.get(result.value.var)
            if old is not None and old.note.derived and _is_plain(old):
                at = self.body.index(old)
                del self.body[at]
                # The cast to a tangent's dtype reads the result that it belongs to.
                place = max(at, self._place_after(result.of))
                self.body.insert(place, replace(old, value=value))
                return result
        of = result.of
        var = self.supply.var(
            result.name or f"d_{of.name}", Origin.ADJOINT, of, of.order + 1
        )
        self.facts.shapes[var] = self.facts.of(Ref(of))
        self.facts.kinds[var] = Kind.LIKE
        if of in self.facts.complexes:
            self.facts.complexes.add(var)
        self.body.append(Let(var, value, Note(Role.GRAD, result.lines)))
        return replace(result, value=Ref(var))

    def _place_after(self, var: Var) -> int:
        """The place of the statement behind the one that defines a variable."""
        own = self.lets.get(var)
        return self.body.index(own) + 1 if own in self.body else 0


def _is_plain(let: Let) -> bool:
    """Whether an assignment may be written otherwise: no store, no part of a call."""
    is_store = isinstance(let.value, Apply) and let.value.op in IN_PLACE
    return not is_store and not stays(let.value)
