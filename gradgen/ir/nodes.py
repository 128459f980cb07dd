"""The SSA form of a NumPy function: variables, expressions, statements.

All are frozen dataclasses; what an analysis finds is a side table keyed by Var.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import Enum
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar

from gradgen.frozen import dataclass, field
from gradgen.ir.handled import Handled
from gradgen.ir.structure import LEAF, Structure, path_text


class Origin(Enum):
    """Where a variable comes from; the printer's naming depends on it."""

    PARAM = "parameter of the primal"
    USER = "name that the user assigned"
    TEMP = "subexpression of a user's statement"
    SEED = "adjoint of a result, a parameter of the gradient"
    ADJOINT = "adjoint of a variable"
    TANGENT = "tangent of a variable, in forward mode"
    SAVED = "values kept for the gradient"
    COUNT = "number of a loop's round, or of its rounds"
    LOCAL = "value that several lines of a rule share"
    NAMED = "value that a rule gives a line of its own"


@dataclass(frozen=True)
class Var:
    """One value. Identity is `id`; `name` is only the name it wishes for."""

    id: int
    name: str = field(compare=False)
    origin: Origin = field(compare=False)
    of: Var | None = field(compare=False, default=None)
    order: int = field(compare=False, default=0)

    def __hash__(self) -> int:
        return self.id


class Expr:
    """A value's computation: Ref, Const or Apply."""

    __slots__ = ()

    if TYPE_CHECKING:
        # Which of the three it is, is often known by its operation alone.
        __dataclass_fields__: ClassVar[dict[str, Any]]

        @property
        def op(self) -> str: ...
        @property
        def args(self) -> tuple[Expr, ...]: ...
        @property
        def kwargs(self) -> tuple[tuple[str, Expr], ...]: ...
        @property
        def spelling(self) -> str: ...
        @property
        def var(self) -> Var: ...
        @property
        def value(self) -> Any: ...
        @property
        def text(self) -> str | None: ...


@dataclass(frozen=True)
class Ref(Expr):
    """The value of a variable."""

    var: Var


@dataclass(frozen=True)
class Const(Expr):
    """A Python constant; `text` is how the user wrote it ("1e-8", "-np.pi").

    A number of NumPy's has a `dtype`, which takes part in promotion: "float32".
    """

    value: Any
    text: str | None = field(default=None, compare=False)
    dtype: str = ""
    # 1, 1.0 and True are equal in Python and not the same constant, nor are 0.0 and -0.0
    type_name: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        name, value = type(self.value).__name__, self.value
        if name in ("float", "complex") and value == 0 and "-" in repr(value):
            name = f"{name} {value!r}"
        object.__setattr__(self, "type_name", name)


@dataclass(frozen=True)
class Apply(Expr):
    """An operation on arguments.

    `op` is "numpy.sum", "numpy.linalg.norm", or a structural word without a
    dot: "tuple", "list", "slice", "getitem", "setitem", "additem", "len",
    "unreduce", "unbroadcast", "real", "nonzero". `spelling` is how the user
    wrote it: "" (the canonical name), "operator", "method:sum",
    "method*:reshape", "attribute:T" or "name:math.sqrt".
    """

    op: str
    args: tuple[Expr, ...] = ()
    kwargs: tuple[tuple[str, Expr], ...] = ()
    spelling: str = field(default="", compare=False)

    def __hash__(self) -> int:
        # Found once: a whole is looked up at each level of an expression.
        found = self.__dict__.get("_hash")
        if found is None:
            found = hash((self.op, self.args, self.kwargs))
            object.__setattr__(self, "_hash", found)
        return int(found)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if other.__class__ is not self.__class__:
            return NotImplemented
        assert isinstance(other, Apply)
        if self.op != other.op:
            return False
        mine, its = self.__dict__.get("_hash"), other.__dict__.get("_hash")
        if mine is not None and its is not None and mine != its:
            return False
        return self.args == other.args and self.kwargs == other.kwargs


@dataclass(frozen=True)
class Line:
    """A statement of the user's source: number, text, what it assigns, comments."""

    number: int
    text: str
    target: str
    comments: tuple[str, ...] = ()
    trailing: str = ""
    call: Line | None = None  # the line of the call whose return it is


class Role(Enum):
    """Which half of the text a statement belongs to, and who wrote it.

    Tangents stand in the forward half, between the statements of the primal.
    """

    FORWARD = "forward"
    TANGENT = "tangent"
    GRAD = "gradient"


@dataclass(frozen=True)
class Place:
    """Where in a file an operation stands: row and column from 1, and the line."""

    file: str
    row: int
    column: int
    text: str


@dataclass(frozen=True)
class Note:
    """Which lines of the source a statement comes from, and in which half it is.

    `place` is the operation's own, for errors.
    """

    role: Role
    lines: tuple[Line, ...] = ()
    place: Place | None = field(default=None, compare=False)

    @property
    def derived(self) -> bool:
        """Whether the statement is a derivative's, not one of the primal."""
        return self.role is not Role.FORWARD


class Stmt:
    """A statement: Let, Branch, Loop or Effect."""

    __slots__ = ()

    if TYPE_CHECKING:
        # Every statement has a note, and is a dataclass.
        __dataclass_fields__: ClassVar[dict[str, Any]]

        @property
        def note(self) -> Note: ...


@dataclass(frozen=True)
class Let(Stmt):
    """One assignment; each Var is assigned once."""

    var: Var
    value: Expr
    note: Note


@dataclass(frozen=True)
class Merge:
    """A value that leaves a branch: one of two, by the arm that was taken."""

    var: Var
    then: Expr
    orelse: Expr


@dataclass(frozen=True)
class Branch(Stmt):
    """if test: then, else: orelse.

    What the rest of the function reads of an arm is a Merge; an arm's variables
    are not read outside it. A test "errstate" stands for a with block: only
    `then` runs. A test "try" stands for a try block: `orelse` runs where `then`
    raises, and the first merge tells whether `then` has ended.
    """

    test: Expr
    then: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]
    merges: tuple[Merge, ...]
    note: Note
    mark: int | None = None

    @property
    def is_try(self) -> bool:
        """Whether it is a try block and its handler."""
        return isinstance(self.test, Apply) and self.test.op == "try"

    @property
    def went(self) -> Ref:
        """What tells whether the body of a try block has ended."""
        first = self.merges[0]
        assert (first.then, first.orelse) == (Const(True), Const(False))
        return Ref(first.var)


@dataclass(frozen=True)
class Carried:
    """A variable that goes from round to round of a loop.

    `inner` is its value at the start of each round, `entry` before the first
    round, `next` at the end of each, `exit` after the loop.
    """

    inner: Var
    entry: Expr
    next: Expr
    exit: Var


@dataclass(frozen=True)
class Loop(Stmt):
    """A for or a while loop.

    With `over` (the operation "range" of start, stop and step) the index takes
    its values; without, it counts the rounds from 0. `test` is computed before
    each round (a while loop), from the carried `inner` values and from outside.
    When `until` is true at the end of a round, the loop ends there. `count`, after
    the loop, is the number of rounds made. A loop of the gradient has the mark of
    the primal's loop whose rounds it goes through backwards.
    """

    index: Var
    over: Expr | None
    test: Expr | None
    until: Expr | None
    carried: tuple[Carried, ...]
    body: tuple[Stmt, ...]
    count: Var
    note: Note
    mark: int | None = None


@dataclass(frozen=True)
class Effect(Stmt):
    """What is kept for what it does: "assert", "raise", a call ("print"), of what it reads."""

    value: Expr
    note: Note


@dataclass(frozen=True)
class Param:
    """A parameter: its variable, and its default and annotation as text.

    A leaf of a container is one too: `bundle` is its name, `path` the way to the leaf,
    `fact` what is told of it. `hint`: the annotation of the text. `assumed`: its rank is.
    `outer` is how an array around the function is read, net.W; `listed`: how deep a list
    it is; `by_entries`: it may be one, as entries are read of it alone, or (`given`)
    functions of NumPy (`has_axes`: along an axis). `optional`: its dictionary may lack it;
    `in_arms`: so may the argument, which arms read; `of_class`: its class alone tells it;
    `is_complex`: its default is; `whole`: whole numbers may be; `size`: axes as long.
    """

    var: Var
    default: str | None = None
    annotation: str | None = None
    keyword_only: bool = False
    bundle: str = ""
    path: tuple[Any, ...] = ()
    fact: str | None = None
    hint: str | None = None
    assumed: bool = False
    outer: str = ""
    listed: int = 0
    by_entries: bool = False
    given: bool = False
    has_axes: bool = False
    optional: bool = False
    in_arms: bool = False
    of_class: bool = False
    is_complex: bool = False
    whole: bool = False
    size: str = ""

    @property
    def label(self) -> str:
        """What the user calls it: the parameter's name, or how a leaf is read."""
        return path_text(self.bundle, self.path) if self.bundle else self.var.name


@dataclass(frozen=True)
class Result:
    """A gradient to return: the adjoint's value, and the argument it belongs to.

    `lines` are the lines of the source that it is the gradient of, `name` what it
    is called ("" for d_ and the argument's name), `like` what has its shape, where the
    argument has not.
    """

    value: Expr
    of: Var
    lines: tuple[Line, ...] = ()
    name: str = ""
    like: Var | None = None


@dataclass(frozen=True)
class Function:
    """A primal, or the gradient of one.

    `values` are the leaves of the primal's result, in the order of `structure`;
    `results` are the gradients (empty in a primal). `bundles` are the arguments that
    are containers, by name. `seeds` are the adjoints of the values that the caller gives.
    `context` are the names of the primal's module that the text may need, each with the
    line that defines it. `hint` is the result's annotation as the text carries it.
    `chooser` is what the primal calls to choose the module that stands for NumPy, "" where
    that is NumPy. `decided` says what is known of arguments. `left` are attributes that are
    stored, `handled` the try blocks that it has the bodies of. `starred`: it takes *args.
    `counted` are lists whose lengths are read, `keys_found` dictionaries asked for a key,
    `called` the functions that are written out, their places and operations.
    """

    name: str
    params: tuple[Param, ...]
    body: tuple[Stmt, ...]
    values: tuple[Expr, ...]
    results: tuple[Result, ...] = ()
    seeds: tuple[Var, ...] = ()
    context: tuple[tuple[str, str], ...] = ()
    structure: Structure = LEAF
    bundles: tuple[tuple[str, Structure], ...] = ()
    hint: str | None = None
    chooser: str = ""
    decided: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    handled: tuple[Handled, ...] = ()
    starred: bool = False
    counted: tuple[str, ...] = ()
    keys_found: tuple[tuple[str, str], ...] = ()
    called: tuple[tuple[tuple[Any, ...], int, int], ...] = ()

    def told(self, facts: Mapping[str, str | None]) -> Function:
        """The function with what is known of parameters, and of parts: params[0] is (n, d)."""
        params = (replace(p, fact=facts.get(p.label, p.fact)) for p in self.params)
        return replace(self, params=tuple(params))


class Supply:
    """Gives out fresh variables, numbered in the order of asking."""

    def __init__(self, start: int = 0) -> None:
        self._next: Iterator[int] = count(start)

    def var(
        self, name: str, origin: Origin, of: Var | None = None, order: int = 0
    ) -> Var:
        return Var(next(self._next), name, origin, of, order)
