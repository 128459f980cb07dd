"""Writes statements: fresh variables, operations with their homes, current values."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NoReturn, TypeGuard, TypeVar

import gast

from gradgen.errors import GradgenError, gather
from gradgen.frontend.lowering.frames import REFUSED, Arm, Frame, Refusal
from gradgen.frontend.lowering.memory import Home, Memory, Poison, State, applied
from gradgen.frontend.lowering.memory import is_structure, leaves
from gradgen.frontend.lowering.nests import Nests
from gradgen.frontend.lowering.sharing import NUMBERS, SHAPED, Sharing, arrays, is_slice
from gradgen.frontend.lowering.sharing import sharing
from gradgen.frontend.source.source import Source
from gradgen.ir.boxes import MAKERS
from gradgen.ir.handled import Handled
from gradgen.ir.nodes import Apply, Branch, Const, Expr, Let, Line, Merge, Note, Origin
from gradgen.ir.nodes import Ref, Role, Stmt, Supply, Var
from gradgen.ir.operators import AS_ARRAY
from gradgen.ir.sharing import CHOOSING
from gradgen.rules.load import operations
from gradgen.shapes.indexing import key_items
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR, Shape, ShapeConflict

T = TypeVar("T")


MANY = 40  # problems: whoever has so many needs no more


class Writer:
    """The statements written so far, and the state after them."""

    # the call that is being read, and the function itself
    frame: Frame
    root: Frame

    def __init__(self, supply: Supply) -> None:
        self.supply = supply
        self.state, self.memory, self.facts = State(), Memory(), Facts({}, {})
        self.body: list[Stmt] = []
        self.context: dict[str, str] = {}
        # what chooses the module that stands for NumPy: get_array_module(x)
        self.chooser = ""
        self.problems: list[GradgenError] = []
        self.unequal: Any = None  # two sizes that a line takes for equal
        self.note = Note(Role.FORWARD)
        self.decisions: dict[str, None] = {}
        # try blocks of which the body is written alone; False where one surely raises
        self.handled: dict[Handled, bool] = {}
        # better names that variables got, by number
        self.renamed: dict[int, Var] = {}
        self.active: list[Frame] = []  # the calls around the statement
        self.changing: dict[int, tuple[gast.AST, bool]] = {}
        # what each call has read and not used yet, the innermost last
        self.operands: list[list[Expr]] = [[]]
        self.calls_made, self.nests = 0, Nests(self.memory)

    @property
    def source(self) -> Source:
        """The text that is being read."""
        return self.frame.source

    def outlives(self, number: int, name: str) -> bool:
        """Whether a function that a call around has returned reads one of its names."""
        frames = (one for one in self.active if one.number == number)
        return any(name in one.outlived for one in frames)

    def decided(self, what: str) -> None:
        self.decisions.setdefault(what)

    # variables

    def mark(self) -> int:
        """A number: the variables made from now on have greater ones."""
        return self.supply.var("mark", Origin.TEMP).id

    def wish(self, var: Var, name: str, origin: Origin = Origin.USER) -> Ref:
        """The variable under another name."""
        var = replace(var, name=name, origin=origin)
        self.renamed[var.id] = var
        return Ref(var)

    def known_name(self, var: Var) -> str:
        """The name that a variable has by now."""
        return self.renamed.get(var.id, var).name

    def learn(self, var: Var, value: Expr) -> None:
        """What follows for a variable; what does not fit is left to inference."""
        let = Let(var, value, self.note)
        try:
            self.facts.learn(let)
        except (GradgenError, ShapeConflict, KeyError) as error:
            self.unequal = self.unequal or getattr(error, "unequal", None)
            self.assume(var, self.facts.fresh(), Kind.LIKE)
            self.facts.definitions[var] = value

    def assume(self, var: Var, shape: Shape, kind: Kind) -> None:
        """Sets what is known of a variable that no operation defines."""
        self.facts.shapes[var], self.facts.kinds[var] = shape, kind

    def counter(self, name: str, origin: Origin = Origin.COUNT) -> Var:
        """A variable for a number of rounds."""
        var = self.supply.var(name, origin)
        self.assume(var, SCALAR, Kind.COUNT)
        self.memory.numbers.add(var)
        return var

    # statements

    def start(
        self,
        node: gast.AST,
        target: str,
        text: str | None = None,
        end: gast.AST | None = None,
    ) -> None:
        """Makes the statement the one that new operations belong to."""
        row = node.lineno
        frame = self.frame
        if frame.note is not None:
            self.note = frame.note
            return
        line = Line(
            frame.source.first + row - 1,
            frame.source.one_line(node) if text is None else text,
            unicodedata.normalize("NFKC", target),  # as Python reads names
            tuple(frame.above.get(row, ())),
            frame.trailing.get((end or node).end_lineno, ""),
            frame.call if isinstance(node, gast.Return) else None,
        )
        self.note = Note(Role.FORWARD, (line,), frame.source.place(node))
        self.operands[-1].clear()

    def emit(
        self, value: Expr, name: str, node: Any = None, origin: Origin = Origin.TEMP
    ) -> Ref:
        """A new variable for a value whose arguments are current."""
        var = self.supply.var(name, origin)
        note = self.note
        if node is not None:
            note = replace(note, place=self.source.place(node))
        self.body.append(Let(var, value, note))
        self.learn(var, value)
        return Ref(var)

    def result(self, value: Apply, name: str, node: Any = None) -> Ref:
        """A new object: the operation on handles, and where its result lies."""
        flat = self.current(value, node)
        assert isinstance(flat, Apply)
        ref = self.emit(flat, name, node)
        how = sharing(flat, self.facts)
        if value.op in AS_ARRAY and self.is_sequence(value.args[0]):
            how = Sharing.FRESH
        self._settle(ref.var, value, flat, how)
        return ref

    def _settle(self, var: Var, value: Apply, flat: Apply, how: Sharing) -> None:
        memory = self.memory
        if how is Sharing.NUMBER or how is Sharing.FRESH and self._is_number(var, flat):
            memory.numbers.add(var)
        elif flat.spelling in CHOOSING and all(map(self.is_number, value.args)):
            memory.numbers.add(var)
        elif how is Sharing.MAYBE:
            for leaf in leaves(Apply("tuple", value.args)):
                if isinstance(leaf, Ref):
                    memory.join(var, memory.reach(leaf.var))
        elif how in (Sharing.VIEW, Sharing.ELEMENT):
            first = value.args[0]
            if isinstance(first, Ref) and first.var not in memory.numbers:
                self._view(var, first.var, flat, how)
        if arrays(flat, self.facts):
            memory.arrays.add(var)

    def _view(self, var: Var, base: Var, flat: Apply, how: Sharing) -> None:
        home = self.memory.home(base)
        if home.buffer in self.memory.lists:
            # An item that a list was given may be an array that has other names.
            self.memory.join(var, self.memory.reach(home.buffer))
            self.memory.links.taken(var, home.buffer)
            return
        is_item = flat.op == "getitem"
        if is_item and not home.is_sure:
            home = replace(home, is_sure=True)  # what has parts is no number
        self.memory.homes[var] = Home(
            home.buffer,
            (*home.path, applied(flat, Const(None))),
            home.is_sure and how is Sharing.VIEW,
            self.state.version(home.buffer),
        )

    def _is_number(self, var: Var, value: Apply) -> bool:
        """Whether an operation surely makes a number, not an array of rank 0."""
        rule = operations().get(value.op)
        if rule is None or value.op in MAKERS or self.facts.rank(Ref(var)) != 0:
            return False
        return rule.kind == "elementwise" or value.op.rpartition(".")[2] in NUMBERS

    def is_number(self, handle: Expr | None) -> bool:
        """Whether an object surely is a number, which nothing changes in place."""
        if isinstance(handle, Ref):
            return handle.var in self.memory.numbers
        return isinstance(handle, Const)

    def is_array(self, handle: Expr) -> bool:
        """Whether an object surely is an array."""
        if not isinstance(handle, Ref) or self.is_number(handle):
            return False
        home = self.memory.home(handle.var)
        if not home.path:
            if home.buffer in self.memory.arrays | self.state.stored:
                return True
            current = self.state.version(home.buffer)
            return isinstance(current, Ref) and bool(self.facts.rank(current))
        key = home.path[-1]
        if key.op == "getitem" and any(
            is_slice(i) or i == Const(...) for i in key_items(key.args[1])
        ):
            return True
        return bool(self.facts.rank(handle))

    def is_sequence(self, handle: Expr) -> bool:
        """Whether a handle surely is a tuple or a list: an array of it is a new one."""
        held = self.state.held(handle)
        return is_structure(handle) or is_structure(held) or self.is_dynamic(handle)

    def is_dynamic(self, handle: Expr) -> TypeGuard[Ref]:
        """Whether a handle is a list whose length is not known."""
        if not isinstance(handle, Ref) or isinstance(
            self.state.versions.get(handle.var), Apply
        ):
            return False
        home = self.memory.home(handle.var)
        return home.buffer in self.memory.lists and not home.path

    def shape_fact(self) -> str:
        """The facts that would tell more: of the parameters without any."""
        arguments = self.root.source.node.args
        names = [arg.id for arg in (*arguments.args, *arguments.kwonlyargs)]
        facts = {var.name: shape for var, shape in self.facts.shapes.items()}
        unknown = [n for n in names if n in facts and facts[n].rank is None]
        return " ".join(f'--shape {name}="..."' for name in unknown or names[:1])

    # current values

    def current(self, expr: Expr, node: Any = None) -> Expr:
        """What the objects hold now, for handles and operations on them."""
        if isinstance(expr, Poison):
            self.fail(expr.code, expr.message, node, expr.advice)
        if expr is REFUSED:
            raise Refusal
        if isinstance(expr, Ref):
            return self._now(expr.var, node)
        if isinstance(expr, Apply):
            first = (self._first(expr, node),) if expr.args else ()
            args = (*first, *(self.current(arg, node) for arg in expr.args[1:]))
            kwargs = tuple((k, self.current(v, node)) for k, v in expr.kwargs)
            return replace(expr, args=args, kwargs=kwargs)
        return expr

    def _first(self, expr: Apply, node: Any) -> Expr:
        """An operation's first argument; what it reads the shape of is as it was."""
        first = expr.args[0]
        if expr.op in SHAPED and isinstance(first, Ref):
            home = self.memory.home(first.var)
            version = self.state.version(home.buffer)
            if isinstance(version, Poison) and version.alike and not home.path:
                return version.alike
        return self.current(first, node)

    def shaped_like(self, buffer: Var) -> Expr | None:
        """Something that has the shape of what is in a buffer, whatever that is."""
        version = self.state.version(buffer)
        if isinstance(version, Poison):
            return version.alike
        if not isinstance(version, Ref) or buffer not in self.facts.shapes:
            return None  # as a list that was known item by item, which is no value
        # An array keeps the shape that it began with; a number may become one.
        first = Ref(buffer)
        keeps = bool(self.facts.rank(first)) or self.facts.same(version, first)
        return first if keeps else None

    def _now(self, var: Var, node: Any) -> Expr:
        if var in self.memory.numbers:
            return Ref(self.renamed.get(var.id, var))
        home = self.memory.home(var)
        base = self.state.version(home.buffer)
        if isinstance(base, Poison):
            self.fail(base.code, base.message, node, base.advice)
        if not home.path:
            return base if isinstance(base, Ref) else self.current(base, node)
        if base == home.version:
            return Ref(self.renamed.get(var.id, var))
        cached = self.state.renewed.get(var)
        if cached and cached[0] == base:
            return cached[1]
        if home.is_sure:
            value = self._viewed_again(var, home, base, node)
        else:
            value = self._number_or_view(var, home, base, node)
        self.memory.homes[value.var] = replace(home, version=base)
        self.state.renewed[var] = (base, value)
        return value

    def _viewed_again(self, var: Var, home: Home, base: Expr, node: Any) -> Ref:
        """A part of an array that has changed since, as it is now."""
        value: Expr = base
        origin = self.renamed.get(var.id, var).origin
        for i, step in enumerate(home.path, 1):
            last = i == len(home.path)
            value = self.emit(
                applied(step, value),
                self.known_name(var) if last else "inner",
                node,
                origin if last else Origin.TEMP,
            )
        assert isinstance(value, Ref)  # a part is some steps away
        return value

    def _number_or_view(self, var: Var, home: Home, base: Expr, node: Any) -> Ref:
        """A number or a row, by a rank that is not known: a number stays what it was.

        before:  row = A[0]; A[0] = b; return row
        after:   row = A[0]; A[0] = b
                 if np.ndim(row) > 0:
                     row = A[0]
        """
        old = Ref(self.renamed.get(var.id, var))
        rank = self.emit(Apply("numpy.ndim", (old,)), "rank", node)
        more = Apply("numpy.greater", (rank, Const(0)), (), "operator")
        test = self.emit(more, "test", node)
        body, self.body = self.body, []
        now = self._viewed_again(var, home, base, node)
        arm, self.body = tuple(self.body), body
        new = self.supply.var(self.known_name(var), old.var.origin)
        self.assume(new, self.facts.shapes[var], self.facts.kinds[var])
        self.body.append(Branch(test, arm, (), (Merge(new, now, old),), self.note))
        return Ref(new)

    # arms

    def arm(self, state: State, write: Callable[[], None]) -> Arm:
        """What `write` writes from a state on, apart from the statements so far."""
        body, before, note = self.body, self.state, self.note
        self.body, self.state = [], state.copy()
        try:
            write()
            return Arm(self.body, self.state)
        finally:
            self.body, self.state, self.note = body, before, note

    def resume(self, arm: Arm, write: Callable[[], T]) -> T:
        """Writes more into an arm."""
        body, before, note = self.body, self.state, self.note
        self.body, self.state = arm.body, arm.state
        try:
            return write()
        finally:
            arm.body, arm.state = self.body, self.state
            self.body, self.state, self.note = body, before, note

    # problems

    def fail(self, code: str, message: str, node: Any, advice: str = "") -> NoReturn:
        """Notes a problem and gives the statement up."""
        self.problem(code, message, node, advice)
        raise Refusal

    def problem(self, code: str, message: str, node: Any, advice: str = "") -> None:
        """Notes a problem. Raises GradgenError with all of them where there are many."""
        error = self.source.error(code, message, node, advice)
        if node is None and self.note.place is not None:
            error = GradgenError(code, message, advice=advice).at(self.note.place)
        self.problems.append(error)
        if len(self.problems) >= MANY:
            raise gather(self.problems)
