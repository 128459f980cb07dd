# mypy: disable-error-code="empty-body"
"""The lowering: what is known and written so far, and what handlers may ask of it.

Its methods without a body are operations. Handlers answer them (`operations.py`), each
for what it knows of, and all reach them here: no handler knows of another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import gast

from gradgen.errors import GradgenError
from gradgen.frontend.lowering.callees import Callees
from gradgen.frontend.lowering.frames import Frame
from gradgen.frontend.lowering.operations import FIRST
from gradgen.frontend.lowering.pending import Consumer, GoneOver, Items, Place, Read
from gradgen.frontend.lowering.pending import Trying, View
from gradgen.frontend.lowering.writer import Writer
from gradgen.frontend.source.fence import fence, refused_statement
from gradgen.frontend.source.names import assigned, declared
from gradgen.frontend.source.holding import Held
from gradgen.frontend.source.source import Source, parameters
from gradgen.ir.nodes import Apply, Const, Expr, Function, Param, Ref, Stmt, Supply, Var
from gradgen.ir.structure import Structure
from gradgen.rules.expression import ExpressionReader


class Lowering(Writer, ExpressionReader):
    """One reading of a function's text, from its first statement to its results."""

    def __init__(
        self,
        source: Source,
        supply: Supply,
        shapes: dict[str, str],
        of: tuple[str, ...] = (),
    ) -> None:
        super().__init__(supply)
        # the facts of the parameters as text, and those whose changes are results
        self.texts, self.of, self.aux = shapes, of, False
        # the function, and what is refused in it before anything is read
        outer = declared(source.node)
        own = [name for name in assigned(source.node.body) if name not in outer]
        local = own + [a.id for a in parameters(source.node)]
        self.frame = Frame(0, source, frozenset(local), node=source.node, shared=outer)
        self.root, self.active = self.frame, [self.frame]
        self.problems: list[GradgenError] = fence(source, of)
        # the functions that stay calls, the texts of all, and how deep calls go
        self.callees, self.outermost = Callees(), ""
        self.sources: dict[Any, Any] = {}  # of what is written otherwise than it stands
        self.self_calls = 0
        # the arguments that are constants other than numbers, such as functions
        self.static: dict[str, Const] = {}
        # the array arguments, what containers among them are, how leaves are called
        self.arguments: list[Var] = []
        self.bundles: dict[str, Structure] = {}
        self.all_keys: dict[str, int] = {}  # of which all keys matter, and how many
        self.not_empty: set[str] = set()  # containers of which a condition asks that
        # what a text looks at where it was decided what an argument is, with what it says
        self.kinds_decided: dict[Expr, str] = {}
        self.kinds_of_numbers = False  # whether that is asked of a number that is known
        self.keys_found: set[tuple[str, str]] = set()  # dictionaries, and keys in them
        self.counted: set[str] = set()  # lists whose length is read
        self.own_dictionaries: set[str] = set()  # arguments that are stored into
        self.leaf_names: dict[Var, str] = {}
        self.leaf_paths: dict[Var, tuple[Any, ...]] = {}
        # the objects that arguments are, the variable of each and what is known of it,
        # the containers that others are, and what all held at first
        self.instances: list[tuple[Expr, Var, Held]] = []
        self.containers: dict[str, Expr] = {}
        self.held_first: dict[Var, Apply] = {}
        # the parameters whose defaults are tuples or lists of numbers
        self.sequences: set[Var] = set()
        self.words: dict[tuple[Any, ...], str] = {}
        self.same: dict[int, Expr] = {}
        self.same_arrays: dict[int, str] = {}  # and where arrays are read first
        self.counting = 0  # so many loops over a count of rounds are read
        self.likely: set[Var] = set()
        self.given: set[Var] = set()  # those that a fact tells to be no None
        self.guards: list[tuple[Expr, str]] = []
        # what was refused in arms in which the text raises
        self.given_up: list[GradgenError] = []
        # where the objects that the receiver holds are read, what is stored there,
        # its settings that were read, the attributes that are stored at all
        self.places: dict[Any, str] = {}
        self.left: dict[str, None] = {}
        self.settings: dict[str, None] = {}
        self.looked_at: dict[str, Any] = {}  # and what they are
        self.emptied: set[str] = set()  # containers that are filled, and never read
        self.flat: set[Var] = set()  # the values of x.flat
        self.stored: frozenset[str] | None = None
        # what the function starts with, the handle of each array of a module, and
        # parameters for the arrays of an enclosing function by where these are
        self.preamble: list[Stmt] = []
        self.module_arrays: dict[tuple[int, str, object], Expr] = {}
        self.captured: dict[str, Param] = {}
        # buffers that outlive the call, which nothing may change
        self.shared_arrays: set[Var] = set()
        # how often a name of a module has been bound that nothing surely binds back
        self.loose = 0
        # results of cached functions, and what these have read at first
        self.kept_objects: list[Expr] = []
        self.first_seen: dict[object, object] = {}
        # buffers of the lists that loops go over, and that were read to go over them
        self.gone_over: list[GoneOver] = []
        self.lists_read: list[Var] = []
        # what the generators read that the next loop goes over, and the calls of
        # iterators whose items are being found
        self.generated: list[Read] = []
        self.gone_into: set[int] = set()
        # what is done with what the generator call at a place yields, and what that
        # of a call hands its values to: a loop, or else a list
        self.taking: dict[Place, Consumer | None] = {}
        self.consumers: dict[int, Consumer | None] = {}
        self.lists_yielded: dict[int, Expr] = {}
        # views of dictionaries as they were read, and the first of those that the
        # loop goes over; None where it goes over a copy
        self.views: list[View] = []
        self.live_from: int | None = None
        # the try blocks around, with what they catch
        self.trying: list[Trying] = []
        # what the statement that is being read is of: a call in x = f(y)
        self.whole: gast.AST | None = None
        # what the dictionaries that make their values are made with, deques with
        # their lengths, classes of the function's own
        self.factories: dict[Var, Expr] = {}
        self.deques: dict[Var, int | None] = {}
        self.local_classes: dict[Any, Any] = {}

    # nodes

    def read(self, node: gast.AST) -> Expr:
        """The handle of an expression, which operands around it may wait for."""
        return self.expression(node)

    def expression(self, node: gast.AST) -> Expr:
        """The same, as the handlers of its node read it."""
        first = FIRST.get(type(node))
        return super().read(node) if first is None else first(self, node)

    def asks(self) -> bool:
        """Whether parts of arguments are asked for, which is noted to have been of use."""
        self.callees.asked = True
        return self.root.source.asks

    def statement(self, node: gast.AST) -> None:
        """Writes one statement; a refused one is noted."""

    def write(self, node: gast.AST) -> None:
        """The same, as the handlers of its node write it."""
        first = FIRST.get(type(node))
        if first is None:
            self.problems.append(refused_statement(self.source, node))
        else:
            first(self, node)

    def literal(self, node: gast.Constant) -> str | None:
        # one that no line has is of a kind of its own
        return None if node.kind else self.source.segment(node)

    # the function and its calls

    def lowered(self) -> Function:
        """The whole function."""

    def inlined(self, frame: Frame, bound: dict[Any, Any], node: gast.AST) -> Expr:
        """The result of a call whose statements take the place of it."""

    def call(
        self, function: Callable[..., Any], args: list[Any], kwargs: Any, node: gast.AST
    ) -> Expr:
        """The handle of a function's result."""

    def other_call(self, node: gast.Call) -> Expr:
        """A call of something that is not the user's function."""

    def special_call(self, value: object, node: gast.Call) -> Expr | None:
        """A call that stands for something else than one operation, else None."""

    def method_call(self, node: gast.Call) -> Expr | None:
        """A method of a container, else None."""

    def function_of(self, node: gast.AST) -> Any:
        """The user's function that a callee is, or None."""

    def is_called(self, value: object) -> bool:
        """Whether a value is a function that is read where it is called."""

    # expressions, beside what every reader of them asks

    def bind(self, value: Apply, node: gast.AST | None) -> Expr:
        """The handle of an operation, which is written."""

    def name(self, node: gast.Name) -> Expr:
        """The handle of what a name is bound to."""

    def constant_of(self, node: gast.Attribute) -> Expr | None:
        """The constant that a dotted name stands for, else None."""

    def callee(self, node: gast.AST) -> tuple[str, str] | None:
        """The operation that a callee is, and how it is spelled, else None."""

    def made_by(self, value: Expr) -> str:
        """The operation that made a value; "" where that is not known."""

    def no_attribute(self, node: gast.Attribute, value: Expr) -> NoReturn:
        """Refuses an attribute that arrays have not."""
        super().no_attribute(node, value)

    def no_method(self, node: gast.Attribute, receiver: Expr) -> NoReturn:
        """Refuses a method that arrays have not."""

    # names

    def resolve(self, node: gast.AST) -> Any:
        """The Python object a dotted name of modules leads to, or NO_VALUE."""

    def is_local(self, name: str) -> bool:
        """Whether a name is assigned in this function or in an enclosing one."""

    def assign(self, target: gast.AST, value: Expr, mark: int) -> Expr:
        """Binds a name, or stores; the handle of what was assigned."""

    # tests and operators

    def as_truth(self, handle: Expr, node: gast.AST) -> Expr:
        """What a test asks of a value: the value itself, if it is no instance."""

    def comparison(
        self, op: gast.cmpop, left: Expr, right: Expr, node: gast.AST
    ) -> Expr:
        """One comparison of handles."""

    def membership(self, inside: bool, left: Expr, right: Expr, node: gast.AST) -> Expr:
        """left in right, or left not in right."""

    def by_methods(
        self, name: str, left: Expr, right: Expr, node: gast.AST
    ) -> Expr | None:
        """left + right by a method of one of the two; None where neither has one."""

    def augment(
        self, handle: Expr, op: str, value: Expr, node: gast.AST, name: str
    ) -> Expr:
        """handle op= value; the handle of the result."""

    # items

    def item(self, base: Expr, key: Expr, node: gast.AST | None) -> Expr:
        """base[key]."""

    def items(self, node: gast.AST, sets: bool = False) -> Items:
        """What an expression after `in` goes over; a set only where it has no order."""

    def is_lazy(self, node: gast.AST) -> bool:
        """Whether what an expression gives is computed as it is gone through."""

    def read_at_once(self, node: Any) -> Expr:
        """An expression whose items are all taken at once: [*x], a, b = x."""

    def gone_through(self, handle: Expr, node: gast.AST) -> Expr:
        """What going through a value gives: of an instance what its class says."""

    # lists and other containers

    def store(
        self,
        target: Expr,
        key: Expr,
        value: Expr,
        node: gast.AST,
        add: bool = False,
        op: str = "",
    ) -> None:
        """target[key] = value, or another kind of store, for handles."""

    def touch(self, changed: Var) -> None:
        """Notes that a list has changed: so have those that may be it, or hold it."""

    def is_shared(self, handle: Ref) -> bool:
        """Whether another name may see a change of an object."""

    def as_dynamic(self, buffer: Var, version: Expr) -> Ref:
        """A list as a value of the text's own, whose length may change."""

    def list_method(
        self, handle: Ref, name: str, args: list[Any], node: gast.AST
    ) -> Expr:
        """x.append(y), x.extend(ys), x.pop(), x.copy()."""

    def method_of_known(
        self,
        handle: Expr,
        known: Apply,
        name: str,
        args: list[Any],
        named: Mapping[str, Expr],
    ) -> Expr | None:
        """The result of a method; None where it is not known."""

    def sequence_operation(self, value: Apply, node: gast.AST) -> Expr:
        """(a, b) + (c,), or plain arithmetic."""
