"""A function, or the name of one -> its text, its syntax tree, its globals."""

from __future__ import annotations

import copy
import inspect
import os
import time
import tokenize
import types
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import gast

from gradgen.errors import GradgenError
from gradgen.frontend.source.namespaces import is_of_namespace
from gradgen.frontend.source.places import read_by_entries
from gradgen.frontend.source.axis_names import names_in_axes, speaks_of_matrices
from gradgen.frontend.source.images import IMAGES
from gradgen.frontend.source.mangled import path_in_classes
from gradgen.frontend.source.classes import held_of_class
from gradgen.frontend.source.columns import in_columns
from gradgen.frontend.source.complex_values import has_complex
from gradgen.frontend.source.filtered import with_filters
from gradgen.frontend.source.unwrapped import stands_for, undecorated
from gradgen.frontend.source.holding import Held
from gradgen.frontend.source.named import class_named, resolve
from gradgen.frontend.source.written import written
from gradgen.frozen import dataclass
from gradgen.ir.nodes import Place
from gradgen.ir.room import room
from gradgen.lines import lines_of, on_one_line, segment
from gradgen.shapes.spec import is_complex_annotation


@dataclass(frozen=True)
class Source:
    """The text of one function and what its names mean.

    `name` is how the header names it; `lines` are the dedented lines of the definition, the
    first of which is line `first` of `file`; `indent` is what was removed in front.
    """

    name: str
    file: str
    first: int
    indent: int
    lines: tuple[str, ...]
    node: gast.FunctionDef
    globals: dict[Any, Any]
    closure: Mapping[str, Any]
    defaults: dict[Any, Any]
    # whether the docstring and the defaults tell what arguments are
    described: bool = True
    # parameters that the docstring calls numbers, and that may be arrays all the same
    opened: tuple[str, ...] = ()
    # parameters that are taken to have the values of their defaults
    fixed: frozenset[str] = frozenset()
    unrolled: bool = False  # whether loops over few numbers are written out
    looped: bool = False  # whether loops over lists of numbers, or of rows, stay loops
    # functions whose calls stay calls, each with facts that these have in common
    kept: tuple[tuple[tuple[Any, ...], tuple[str | None, ...]], ...] = ()
    apart: bool = False  # whether lists of tuples are taken for lists of their parts
    forms: tuple[str, ...] = ()  # TABLES, WITHHELD: what else is tried of it
    # whether the end of the function raises, by which nothing returns
    ended: bool = False
    # whether the module's arrays may be parameters or written out: it is in process
    at_hand: bool = False
    # facts of arguments that nothing tells of, by name: what is assumed of them
    assumed: tuple[tuple[str, str], ...] = ()
    # the arguments that are taken for dictionaries of the keys that are read
    keyed: tuple[str, ...] = ()
    # the keys that these may lack, by their paths, with what is read then
    optional: tuple[tuple[tuple[Any, ...], str], ...] = ()
    # whether their parts are asked for, in arms that are refused as well
    asks: bool = False
    # whether anything may be assumed of them
    assumes: bool = True
    # whether what has to have two axes has no more; the ranks that are assumed anyway
    two_axes: bool = False
    anyway: tuple[tuple[str, int, str], ...] = ()
    guess: int = 0  # the rank that is tried for operands, or for these arguments
    guessed: tuple[str, ...] = ()
    # the function itself, and what the instance that it is a method of holds
    function: Any = None
    receiver: Held | None = None
    instance: Any = None
    # what the objects hold that arguments are, by the names of these
    objects: tuple[tuple[str, Held], ...] = ()
    # whether no argument is asked for as a complex one
    real: bool = False
    # the same with what the class sets, where no text is general, and whether that is read
    decided: Held | None = None
    as_set: bool = False
    # the arguments that an example has lists of numbers for, and how deep these are
    listed: tuple[tuple[str, int], ...] = ()
    # the whole numbers of the instance that may be any others: self.steps
    open_counts: frozenset[str] = frozenset()

    @property
    def how(self) -> object:
        """How the text is read: what is told, taken for granted, and tried."""
        told = self.described, self.fixed, self.unrolled, self.apart, self.looped
        guessed = self.guess, self.guessed, self.ended, self.forms
        return told, self.assumed, self.assumes, self.two_axes, guessed

    @cached_property
    def subscripted(self) -> frozenset[int]:
        """The expressions that one entry is read of, by identity: x of x[0], not x[1:]."""
        return read_by_entries(self.node)

    @cached_property
    def over_axes(self) -> frozenset[str]:
        """The names that stand for axes somewhere: k of np.sum(x, axis=k)."""
        told = any("ax" in line or "tination" in line for line in self.lines)
        told = told or any(
            "source" in line or "sections" in line for line in self.lines
        )
        return names_in_axes(self.node) if told else frozenset()

    @cached_property
    def is_real(self) -> bool:
        """Whether arguments count as real: none is complex by what is asked or written."""
        return self.real and not (self.complex_annotated or has_complex(self.defaults))

    @cached_property
    def complex_annotated(self) -> frozenset[str]:
        """The parameters that are annotated as complex."""
        args = (*self.node.args.args, *self.node.args.kwonlyargs)
        told = ((a.id, a.annotation) for a in args if a.annotation is not None)
        return frozenset(
            n for n, one in told if is_complex_annotation(self.one_line(one))
        )

    def counted_as_real(self, names: Collection[str]) -> Source:
        """The source where these parameters are no complex ones by their annotations."""
        if self.complex_annotated.isdisjoint(names):
            return self
        node = copy.deepcopy(self.node)
        for arg in (*node.args.args, *node.args.kwonlyargs):
            if arg.id in names and arg.id in self.complex_annotated:
                arg.annotation = None
        return replace(self, node=node)

    @property
    def has_matrices(self) -> bool:
        """Whether a matrix is spoken of: by a product, by linalg, or by its name."""
        named = any(x[:1].isupper() or x in IMAGES for x in self.parameters)
        return named or speaks_of_matrices(self.node)

    @property
    def compares(self) -> bool:
        """Whether a test asks which of two numbers is less."""
        kinds = (gast.If, gast.While)
        tests = (one.test for one in gast.walk(self.node) if isinstance(one, kinds))
        return any(
            isinstance(one, gast.Compare)
            and isinstance(one.ops[0], (gast.Lt, gast.LtE, gast.Gt, gast.GtE))
            for one in tests
        )

    @cached_property
    def knows_time(self) -> bool:
        """Whether the function has the module time, or what is of it, or imports it."""
        values = (*self.globals.values(), *self.closure.values())
        own = any(one is time or _module_of(one) == "time" for one in values)
        return own or any("time" in line for line in self.lines)

    @property
    def constants(self) -> list[object]:
        """The constants of the function, in the order that they stand in."""
        found = [one for one in gast.walk(self.node) if isinstance(one, gast.Constant)]
        found.sort(key=lambda one: (one.lineno, one.col_offset))
        return [one.value for one in found]

    @property
    def parameters(self) -> list[str]:
        """The names of the arguments that a caller hands over: without self."""
        args = self.node.args
        own = [arg.id for arg in (*args.args, *args.kwonlyargs)]
        return own if self.receiver is None else own[1:]

    def place(self, node: gast.AST | None = None) -> Place:
        """Where a node stands; the def without one."""
        row = getattr(node, "lineno", 1)
        line = self.lines[row - 1]
        before = line.encode("utf-8", "replace")[: getattr(node, "col_offset", 0)]
        return Place(
            self.file,
            self.first + row - 1,
            len(before.decode("utf-8", "replace")) + self.indent + 1,
            " " * self.indent + line,
        )

    def error(
        self, code: str, message: str, node: gast.AST | None = None, advice: str = ""
    ) -> GradgenError:
        """The error for a place in this source."""
        return GradgenError(code, message, advice=advice).at(self.place(node))

    def segment(self, node: gast.AST) -> str:
        """The text of a node as it stands in the source."""
        return segment(self.lines, node)

    def one_line(self, node: gast.AST) -> str:
        """The text of a statement, comments dropped, on one line."""
        text = self.segment(node)
        return on_one_line(text) if "\n" in text else text


def find(target: str | Callable[..., Any]) -> Source:
    """The source of a function, or of the function that a name leads to.

    Names: "module.fn", "module:fn", "path/file.py:fn", and "module:Net.loss" of a
    method, of whose instance its class tells. Raises GradgenError.
    """
    if callable(target):
        target = undecorated(target)
        module = getattr(target, "__module__", None) or "__main__"
        name = f"{module}.{getattr(target, '__qualname__', '?')}"
        found = source_of(target, name)
        owner = owner_of(target)
    else:
        found = source_of(undecorated(resolve(target)), target)
        owner = owner_of(found.function, target)
    if owner is None:
        return found
    held = (held_of_class(owner, found.function, decided) for decided in (False, True))
    receiver, decided = held
    return replace(found, receiver=receiver, decided=decided)


def owner_of(function: Any, target: str = "") -> type | None:
    """The class that a function is a method of; the `target` may name one that inherits it.

    None for functions, for static methods and for class methods.
    """
    path = path_in_classes(function)
    if len(path) < 2 or "<locals>" in path[-2] or not inspect.isfunction(function):
        return None
    function = stands_for(function)
    names = inspect.unwrap(function).__globals__
    near: Any = names.get(target.rpartition(":")[2].split(".")[-2:][0])
    for cls in (near or class_named(target), names.get(path[-2])):
        bases = cls.__mro__ if isinstance(cls, type) else ()
        found = [vars(base).get(path[-1]) for base in bases]
        found = [one for one in found if not isinstance(one, staticmethod)]
        if function in (*found, *map(inspect.unwrap, filter(callable, found))):
            return None if is_of_namespace(function, cls) else cls
    return None


def source_of(function: Callable[..., Any], name: str) -> Source:
    """The source of a function under a name. Raises GradgenError."""
    try:
        with room():
            return _source_of(function, name)
    except (RecursionError, MemoryError):
        code = getattr(function, "__code__", None)
        raise GradgenError(
            "GG199",
            "an expression is nested too deeply",
            advice="a name for a part of it",
            file=_relative(code.co_filename) if code else None,
            line=code.co_firstlineno if code else None,
        ) from None


def _source_of(function: Callable[..., Any], name: str) -> Source:
    if not inspect.isfunction(function):
        _refuse_decorated(function, name)
        raise GradgenError(
            "GG105",
            f"{name} is a {_kind(function)}, not a function written in Python",
            advice="a def that calls it",
        )
    try:
        found = written(function)
    except (OSError, TypeError, SyntaxError, tokenize.TokenError):
        raise GradgenError(
            "GG106",
            f"the source text of {name} cannot be read",
            advice="a function that stands in a file",
        ) from None
    node, file, first = found.node, _relative(found.file), found.first
    if node is None:
        raise GradgenError(
            "GG107",
            f"{name} is not written as a def",
            advice="a def without async"
            if inspect.iscoroutinefunction(function)
            else "def f(x): return ... in place of a lambda",
            file=file,
            line=first,
        )
    name, node = name.replace("<lambda>", node.name), _by_name(node)
    if not found.own:
        raise GradgenError(
            "GG106",
            f"the text of {name} was edited after it was imported",
            advice="a new start of Python, or importlib.reload of its module",
            file=file,
            line=first,
        )
    closure = _held_around(function, name)
    around = {*function.__globals__, *closure}
    if "filter" in found.text:
        node = with_filters(node, around)
    code, given = function.__code__, function.__defaults__ or ()
    last = code.co_varnames[: code.co_argcount][code.co_argcount - len(given) :]
    defaults = dict(zip(last, given)) | (function.__kwdefaults__ or {})
    return Source(
        name,
        file,
        first,
        found.indent,
        tuple(lines_of(found.text)),
        in_columns(node, around),
        function.__globals__,
        closure,
        defaults,
        function=function,
    )


def _by_name(node: gast.FunctionDef) -> gast.FunctionDef:
    """The definition with its positional-only parameters as others: f(x, /, y)."""
    first = getattr(node.args, "posonlyargs", None)
    if not first:
        return node
    node = copy.copy(node)
    node.args = copy.copy(node.args)
    node.args.args, node.args.posonlyargs = [*first, *node.args.args], []
    return node


def _refuse_decorated(function: Any, name: str) -> None:
    """Refuses what a decorator has made that is no function, at the decorator."""
    inner = getattr(function, "__wrapped__", None)
    if not isinstance(inner, types.FunctionType) or inspect.isclass(function):
        return
    kind = type(function).__name__
    raise GradgenError(
        "GG108",
        f"{name} is the {kind} that a decorator has made of {inner.__name__}",
        advice="the undecorated function",
        file=_relative(inner.__code__.co_filename),
        line=inner.__code__.co_firstlineno,
    )


def _kind(value: object) -> str:
    """What a value is called that is not a function."""
    if inspect.isclass(value):
        return "class"
    return "builtin" if inspect.isbuiltin(value) else type(value).__name__


def with_closure(source: Source, function: Callable[..., Any]) -> Source:
    """The source with what the names around a function mean now."""
    if not function.__closure__:
        return source
    return replace(source, closure=_held_around(function, source.name))


def _held_around(function: Any, name: str) -> dict[str, Any]:
    """What the names around a function mean now."""
    found = {}
    cells = function.__closure__ or ()
    for free, cell in zip(function.__code__.co_freevars, cells, strict=True):
        try:
            found[free] = cell.cell_contents
        except ValueError:
            raise GradgenError(
                "GG210",
                f"{free}, which {name} reads, has no value yet",
                advice=f"{free} = ..., on a line before",
            ) from None
    return found


def _relative(file: str) -> str:
    relative = os.path.relpath(file) if os.path.isabs(file) else file
    return file if relative.startswith("..") else relative


def parameters(node: gast.AST) -> list[Any]:
    """The parameters of a function or a lambda."""
    args = node.args
    stars = [star for star in (args.vararg, args.kwarg) if star is not None]
    return [*getattr(args, "posonlyargs", []), *args.args, *args.kwonlyargs, *stars]


def _module_of(value: object) -> str | None:
    """Where a function of C is from."""
    builtin = isinstance(value, types.BuiltinFunctionType)
    return value.__module__ if builtin else None
