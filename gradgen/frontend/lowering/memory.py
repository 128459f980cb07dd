"""Which names are bound to which objects, and what is in the objects now.

A name is bound to a handle: a constant, a tuple of handles, or a Ref to the
variable that an object began as. A store makes a new version of the object's
buffer; every handle of it then reads the new version. An object may also be a
view: a buffer and the operations that lead to the view, done again when the
buffer has changed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from typing import Any, TypeGuard

from gradgen.frontend.lowering.jumps import flag_of, tells_of_value
from gradgen.frontend.lowering.links import Links
from gradgen.frontend.source.names import is_plain
from gradgen.frozen import dataclass
from gradgen.ir.absent import is_absent
from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var

STRUCTURES = "tuple list dict slice namedtuple dataclass object".split()

# (number of the call, name) -> the name is that call's own
Key = tuple[int, str]


@dataclass(frozen=True)
class Record(Apply):
    """A NamedTuple, a dataclass or an instance of handles: the keywords' values are its fields.

    `outer` is the id of the instance around the function that it is, `behind` itself.
    """

    cls: type = tuple
    outer: int = 0
    behind: Any = field(default=None, compare=False)


@dataclass(frozen=True)
class Poison(Expr):
    """What a name or a buffer holds when it is not known: refused when it is read.

    `alike` has the shape of what a buffer holds.
    """

    code: str
    message: str
    advice: str
    alike: Expr | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Outer(Poison):
    """What an instance around the function holds, looked at where it is read."""

    number: int = 0
    value: Any = field(default=None, compare=False)
    text: str = ""


@dataclass(frozen=True)
class Home:
    """Where an object lies: its buffer, and the steps to the part that it is.

    A step is an operation whose first argument is left open. `is_sure` is False
    for x[0], a view of a matrix and a number out of a row, where the rank of x
    is not known.
    """

    buffer: Var
    path: tuple[Apply, ...] = ()
    is_sure: bool = True
    # the buffer's version that the object was read from
    version: Expr | None = None


@dataclass
class State:
    """What holds at one point of the function; copied where control divides.

    `dead` says that the point is not reached, after a raise; `left` are the
    calls that have returned here.
    """

    names: dict[Key, Expr] = field(default_factory=dict)
    versions: dict[Var, Expr] = field(default_factory=dict)
    renewed: dict[Var, tuple[Expr, Expr]] = field(default_factory=dict)
    dead: bool = False
    left: frozenset[int] = frozenset()
    # buffers that were stored into on the way here, so arrays
    stored: frozenset[Var] = frozenset()

    def copy(self) -> State:
        """The same state, to be changed apart."""
        return replace(
            self,
            names=dict(self.names),
            versions=dict(self.versions),
            renewed=dict(self.renewed),
        )

    def is_as(self, before: State, mark: int) -> bool:
        """Whether nothing has changed that there was when a mark was made."""
        known = {v: now for v, now in self.versions.items() if v.id < mark}
        return self.names == before.names and known == before.versions

    def version(self, buffer: Var) -> Expr:
        """What is in a buffer now."""
        return self.versions.get(buffer, Ref(buffer))

    def held(self, handle: Expr) -> Expr | None:
        """What was put into the object of a handle; None where nothing was."""
        return self.versions.get(handle.var) if isinstance(handle, Ref) else None


class Memory:
    """The homes of objects and what may overlap: these only grow."""

    def __init__(self) -> None:
        self.homes: dict[Var, Home] = {}
        self.overlaps: dict[Var, set[Var]] = {}
        # objects that surely are numbers, and that surely are arrays
        self.numbers: set[Var] = set()
        self.arrays: set[Var] = set()
        # entries of lists by keys that are not known here
        self.chosen: set[Var] = set()
        # ... which is a list for Python: one of the lists in a list
        self.rows: set[Var] = set()
        # what has no value yet, while a loop's body is written for the first time
        self.bottoms: set[Var] = set()
        # values that are None by one way
        self.optional: set[Var] = set()
        # lists whose length is not known, and places of lists whose length is
        self.lists: set[Var] = set()
        # of these, the ones that may hold arrays, and those whose entries take +=
        self.boxed: set[Var] = set()
        self.bumped: set[Var] = set()
        # and the ones that were given x[0], where it is not known to be a number
        self.unsure: set[Var] = set()
        # instances whose fields were taken for their values, which do not change later
        self.valued: dict[Var, type] = {}
        # which of the lists are one, and which hold which
        self.links = Links()

    def is_bottom(self, handle: Expr | None) -> bool:
        """Whether a handle has no value as far as is known."""
        if isinstance(handle, Ref):
            return handle.var in self.bottoms
        return handle == Const(None)

    def is_optional(self, handle: Expr | None) -> bool:
        """Whether a value may be None, which the function says by one way."""
        if isinstance(handle, Ref):
            return handle.var in self.optional
        return handle == Const(None) and handle is not None and not is_absent(handle)

    def home(self, var: Var) -> Home:
        """Where the object of a variable lies: its own buffer by default."""
        return self.homes.get(var) or Home(var)

    def around(self, buffer: Var) -> set[Var]:
        """The buffers that a change of what is in one may be seen in."""
        return {buffer, *self.overlaps.get(buffer, ())}

    def buffer(self, var: Var) -> Var:
        """The buffer that a variable's object lies in."""
        return self.home(var).buffer

    def overlap(self, a: Var, b: Var) -> None:
        """Notes that two buffers may share memory."""
        if a != b:
            self.overlaps.setdefault(a, set()).add(b)
            self.overlaps.setdefault(b, set()).add(a)

    def may_share(self, a: Var, b: Var) -> bool:
        """Whether the objects of two variables may share memory."""
        a, b = self.buffer(a), self.buffer(b)
        return a == b or b in self.overlaps.get(a, ())

    def reach(self, var: Var) -> set[Var]:
        """The buffers that an object may lie in."""
        if var in self.numbers:
            return set()
        buffer = self.buffer(var)
        return {buffer, *self.overlaps.get(buffer, ())}

    def join(self, var: Var, others: set[Var]) -> None:
        """Notes that an object may lie in any of these buffers."""
        for other in others:
            self.overlap(self.buffer(var), other)


def leaves(tree: Expr) -> Iterator[Expr]:
    """The handles in a tuple of handles, nested ones included."""
    if is_structure(tree):
        for arg in tree.args:
            yield from leaves(arg)
    else:
        yield tree


def leaf_names(tree: Expr, name: str) -> Iterator[str]:
    """The names that the parts of `name` wish for: s_x for a field x, else s."""
    if not is_structure(tree):
        yield name
        return
    for i, arg in enumerate(tree.args):
        key = getattr(tree.kwargs[i][1], "value", "") if tree.kwargs else ""
        key = key.removesuffix(".") if isinstance(key, str) else ""
        is_word = key.isidentifier()
        yield from leaf_names(arg, f"{name}_{key}" if is_word else name)


def is_structure(tree: Expr | None) -> TypeGuard[Apply]:
    """Whether an expression is a container of handles."""
    return isinstance(tree, Apply) and tree.op in STRUCTURES


def is_object(tree: Expr | None) -> TypeGuard[Record]:
    """Whether an expression is an instance with its fields."""
    return isinstance(tree, Record) and tree.op in ("object", "dataclass")


def field_names(tree: Record) -> tuple[Any, ...]:
    """The names of the fields that an instance has."""
    return tuple(getattr(key, "value", None) for _, key in tree.kwargs)


def with_fields(tree: Apply, names: tuple[Any, ...]) -> Apply:
    """An instance with these fields in this order.

    One that it lacks holds what its class has under the name, or nothing; what tells
    of it says so.
    """
    assert isinstance(tree, Record)
    held = dict(zip(field_names(tree), tree.args))
    flags = {flag_of(name): Const(True) for name in held if not tells_of_value(name)}
    keys = tuple((str(i), Const(name)) for i, name in enumerate(names))
    args = list[Expr]()
    for name in names:
        lacking = Const(False) if tells_of_value(name) else _of_class(tree.cls, name)
        args.append(held.get(name, flags.get(name, lacking)))
    return replace(tree, args=tuple(args), kwargs=keys)


def with_flags(a: Record, b: Record, names: Iterable[Any]) -> tuple[Any, ...]:
    """Names of fields, and of what tells which of them an instance has by its way.

    A field that its class has as well always has a value.
    """
    both = {*field_names(a)} & {*field_names(b)}
    lacking = (n for n in names if n not in both and not tells_of_value(n))
    missing = object()
    flags = (
        flag_of(name)
        for name in lacking
        if inspect.getattr_static(a.cls, name, missing) is missing
    )
    return tuple(dict.fromkeys((*names, *flags)))


def _of_class(cls: type, name: str) -> Expr:
    """What an instance without a field of its own reads under its name."""
    value = inspect.getattr_static(cls, name, None)
    if is_plain(value):
        return Const(value)
    return Poison(
        "GG222",
        f"{name} is what the class has, or a field of the instance, by the way taken",
        f"self.{name} = ... in __init__",
    )


def same_structure(a: Expr, b: Expr) -> bool:
    """Whether two handles have the same nesting."""
    if is_structure(a) and is_structure(b):
        return (
            a.op == b.op
            and len(a.args) == len(b.args)
            and (not a.kwargs or a.kwargs == b.kwargs)
            and getattr(a, "cls", None) is getattr(b, "cls", None)
            and all(same_structure(x, y) for x, y in zip(a.args, b.args))
        )
    return not is_structure(a) and not is_structure(b)


def map_leaves(change: Callable[..., Expr], *trees: Expr) -> Expr:
    """`change` of the leaves at each place of trees of the same structure."""
    first = trees[0]
    if is_structure(first):
        parts = zip(*(tree.args for tree in trees), strict=True)
        return replace(first, args=tuple(map_leaves(change, *part) for part in parts))
    return change(*trees)


def applied(step: Apply, base: Expr) -> Apply:
    """A step of a path, done on a base."""
    return replace(step, args=(base, *step.args[1:]))


def is_constant(expr: Expr) -> bool:
    """Whether a handle is a plain constant."""
    return isinstance(expr, Const)
