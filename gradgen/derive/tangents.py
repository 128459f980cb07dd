"""The tangents of one function's statements, each behind its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gradgen.derive.activity import differentiable_reads
from gradgen.errors import GradgenError
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Carried,
    Const,
    Expr,
    Let,
    Loop,
    Merge,
    Note,
    Origin,
    Ref,
    Role,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import IN_PLACE, LINEAR_WORDS, STORES, call, getitem
from gradgen.ir.walk import reads
from gradgen.rules.load import operations
from gradgen.rules.push import push
from gradgen.rules.binding import NOTHING, Call, bind
from gradgen.shapes.complexes import DROPPING, refuse_real_rule
from gradgen.shapes.infer import Facts
from gradgen.shapes.wholes import whole_operands


class Tangents:
    """The walk through the statements; `known` are the tangents found so far.

    A reversed loop reads the variables of the primal's loop as they were in its
    rounds, and their tangents with them.
    """

    def __init__(
        self, facts: Facts, supply: Supply, active: frozenset[Var], letter: str = "d"
    ) -> None:
        self.facts, self.supply, self.active = facts, supply, active
        self.letter = letter
        self.known: dict[Var, Expr] = {}

    def block(self, source: Sequence[Stmt]) -> list[Stmt]:
        """One block with its tangents."""
        body: list[Stmt] = []
        waiting: list[Let] = []  # tangents of a line a, b = f(x) stand behind it
        for k, stmt in enumerate(source):
            following = source[k + 1] if k + 1 < len(source) else None
            if isinstance(stmt, Let):
                body.append(stmt)
                if stmt.var in self.active:
                    waiting += self._tangent(stmt, self._results(source[k:]))
            elif isinstance(stmt, Branch):
                body.append(self._branch(stmt))
            elif isinstance(stmt, Loop):
                body += self._loop(stmt)
            else:
                body.append(stmt)
            if not self._is_taken_apart(following):
                body += waiting
                waiting = []
        return body

    # branches and loops

    def _branch(self, branch: Branch) -> Branch:
        """The branch with its arms' tangents, those that leave it merged."""
        arms = [self.block(branch.then), self.block(branch.orelse)]
        merges = list(branch.merges)
        for merge in branch.merges:
            if merge.var in self.active:
                ways = (
                    self._way(way, merge.var, arm, branch.note)
                    for arm, way in zip(arms, (merge.then, merge.orelse))
                )
                merges.append(Merge(self._new(merge.var), *ways))
        for merge in merges[len(branch.merges) :]:
            assert merge.var.of is not None  # what it is the tangent of
            self.known[merge.var.of] = Ref(merge.var)
        then, orelse = map(tuple, arms)
        return replace(branch, then=then, orelse=orelse, merges=tuple(merges))

    def _loop(self, loop: Loop) -> list[Stmt]:
        """The loop with the tangents of what it carries, and what they start from."""
        before: list[Stmt] = []
        own = [s for s in loop.carried if {s.inner, s.exit} & self.active]
        entries = [self._way(s.entry, s.inner, before, loop.note) for s in own]
        inners = [self._new(slot.inner) for slot in own]
        for slot, inner in zip(own, inners):
            self.known[slot.inner] = Ref(inner)
        body = self.block(loop.body)
        carried = list(loop.carried)
        for slot, entry, inner in zip(own, entries, inners):
            after = self._way(slot.next, slot.inner, body, loop.note)
            carried.append(Carried(inner, entry, after, self._new(slot.exit)))
        for slot, new in zip(own, carried[len(loop.carried) :]):
            self.known[slot.exit] = Ref(new.exit)
        return [*before, replace(loop, carried=tuple(carried), body=tuple(body))]

    def _way(self, way: Expr, var: Var, body: list[Stmt], note: Note) -> Expr:
        """The tangent of a value that leaves a block as `var`, in full and named."""
        if way == Const(None):
            return way
        tangent = self.of(way)
        if isinstance(way, Ref) and isinstance(tangent, Ref):
            if way.var not in self.facts.unset and not self.facts.is_list(way):
                tangent = self._hosted(tangent, way)
        name = self._new(var)
        body.append(Let(name, tangent, self._beside(note)))
        return Ref(name)

    def of(self, expr: Expr) -> Expr:
        """The tangent of a value; 0, or an array of zeros, where it has none."""
        if isinstance(expr, Ref) and expr.var in self.known:
            return self.known[expr.var]
        definitions = self.facts.definitions
        made = definitions.get(expr.var) if isinstance(expr, Ref) else None
        if self.facts.is_list(expr):
            if made is not None and made == Apply("list", ()):
                return made
            if isinstance(made, Apply) and made.op == "zeros_of":
                return made
            return Apply("zeros_of", (expr, Const(self.facts.depth(expr))))
        unset = isinstance(expr, Ref) and expr.var in self.facts.unset
        if isinstance(expr, Const) or self.facts.rank(expr) == 0 or unset:
            return Const(0.0)
        if isinstance(made, Apply) and made.op == "numpy.zeros_like":
            return made
        return call("numpy.zeros_like", expr)

    # assignments

    def _tangent(self, let: Let, result: Expr) -> list[Let]:
        """The statements for the tangent of one operation's result."""
        if isinstance(let.value, Ref):
            self.known[let.var] = self.known[let.value.var]
            return []
        operation = let.value
        assert isinstance(operation, Apply)
        if operation.op in LINEAR_WORDS:
            return self._word(let)
        if operation.spelling == "augmented":
            operation = replace(operation, spelling="operator")
            let = replace(let, value=operation)
        source = operation.args[0] if operation.args else None
        if source is not None and self.facts.several(source):
            if operation.op == "getitem":
                return self._named(let, self._taken(let, self.known[source.var]))
        rule = operations()[operation.op]
        if operation.op in STORES and not rule.tangents:
            return self._store(let)
        place = Call(
            result=result,
            bound=bind(rule, operation),
            cotangent=Const(0),
            rank=self.facts.rank,
            fresh=lambda name: self.supply.var(name, Origin.LOCAL),
            is_complex=self.facts.is_complex,
            is_mask=self.facts.is_boolean,
            whole=whole_operands(self.facts),
            is_square=self.facts.is_square,
            optional=self.facts.optional,
        )
        given = {v: self.known[v] for v in differentiable_reads(let) if v in self.known}
        if operation.op in DROPPING and isinstance(source, Ref) and source.var in given:
            given[source.var] = self._hosted(given[source.var], source)
        try:
            refuse_real_rule(operation, self.facts.complexes)  # a gradient's own too
            shared, value = push(rule, operation, place, given)
        except GradgenError as error:
            raise error.at(let.note.place) from None
        if self.facts.may_flow_complex(let) and not self.facts.is_complex(Ref(let.var)):
            value = Apply("realpart", (value,))
        note = self._beside(let.note)
        shared_lets = [Let(local, expr, note) for local, expr in shared]
        several = isinstance(result, Apply) and isinstance(value, Apply)
        if several and value.op == "tuple":
            self.known[let.var] = value  # a tuple, whose items are taken
            return shared_lets
        return shared_lets + self._named(let, value)

    def _word(self, let: Let) -> list[Let]:
        """The same word, of tangents; what it changes in place has a name."""
        value, before = let.value, []
        places = LINEAR_WORDS[value.op] or range(len(value.args))
        args = list(value.args[:3] if value.op == "put" else value.args)
        for at in places:
            args[at] = self._entry(args[at])
        if value.op in IN_PLACE and not isinstance(args[0], Ref):
            base = self._new(value.args[0].var)
            before.append(Let(base, args[0], self._beside(let.note)))
            args[0] = Ref(base)
        return before + self._named(let, replace(value, args=tuple(args)))

    def _store(self, let: Let) -> list[Let]:
        """The same store, of the tangent of the value into that of the array."""
        array, key, value = let.value.args
        base = self._new(array.var)
        before = self._entry(array)
        if self.facts.rank(array) == 0:  # a number has no places to store into
            before = call("numpy.array", before)
        first = Let(base, before, self._beside(let.note))
        change = self._entry(value) if self._varies(value) else Const(0)
        stored = replace(let.value, args=(Ref(base), key, change))
        return [first, *self._named(let, stored)]

    def _varies(self, expr: Expr) -> bool:
        return any(var in self.known for var in reads(expr))

    def _entry(self, expr: Expr) -> Expr:
        """The tangent of what stands in a list, in its full shape."""
        if isinstance(expr, Apply) and expr.op in ("tuple", "list"):
            return replace(expr, args=tuple(map(self._entry, expr.args)))
        tangent = self.of(expr)
        if isinstance(expr, Ref) and expr.var in self.facts.unset:
            if tangent == Const(0.0) and self.facts.rank(expr) != 0:
                return call("numpy.zeros_like", expr)  # the primal reads it here
        if isinstance(expr, Ref) and isinstance(tangent, Ref):
            if not self.facts.is_list(expr):
                return self._hosted(tangent, expr)
        return tangent

    def _hosted(self, tangent: Expr, var: Ref) -> Expr:
        """A tangent with the full shape of its variable, which takes what that takes.

        A real tangent of what is complex would drop the imaginary parts stored in it.
        """
        word = "hosting" if self.facts.is_complex(var) else "real"
        return Apply(word, (tangent, var))

    def _taken(self, let: Let, tangent: Expr) -> Expr:
        """The tangent of one result that a statement takes from several."""
        if not isinstance(tangent, Apply):
            return replace(let.value, args=(tangent, *let.value.args[1:]))
        index: int = let.value.args[1].value
        if tangent.args[index] == NOTHING:
            raise GradgenError(
                "GG306",
                f"no forward rule for the result {index} of this function",
                advice="reverse mode",
            ).at(let.note.place)
        return tangent.args[index]

    def _named(self, let: Let, value: Expr) -> list[Let]:
        """The statement that makes a value the tangent of a variable."""
        var = self._new(let.var)
        self.known[let.var] = Ref(var)
        return [Let(var, value, self._beside(let.note))]

    def _new(self, var: Var) -> Var:
        name = f"{self.letter}_{var.name}"
        return self.supply.var(name, Origin.TANGENT, var, var.order + 1)

    def _beside(self, note: Note) -> Note:
        """The note of a tangent that stands behind its statement."""
        role = Role.TANGENT if note.role is Role.FORWARD else note.role
        return Note(role, note.lines, note.place)

    # operations of several results

    def _is_taken_apart(self, let: Stmt | None) -> bool:
        """Whether a statement takes one of several results that has just been made."""
        if not isinstance(let, Let) or not isinstance(let.value, Apply):
            return False
        return let.value.op == "getitem" and bool(self.facts.several(let.value.args[0]))

    def _results(self, body: Sequence[Stmt]) -> Expr:
        """What the first statement makes: a tuple of its results, where it has several.

        Those that the statements behind it take have their names, a, b = f(x).
        """
        first = body[0]
        assert isinstance(first, Let)
        made, count = first.var, self.facts.several(first.value)
        if not count:
            return Ref(made)
        results: list[Expr] = [getitem(Ref(made), i) for i in range(count)]
        for stmt in body[1:]:
            if not isinstance(stmt, Let) or not isinstance(stmt.value, Apply):
                break
            if stmt.value not in results:
                break
            results[stmt.value.args[1].value] = Ref(stmt.var)
        return Apply("tuple", tuple(results))
