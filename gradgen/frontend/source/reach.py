"""Which attributes the methods that a method calls read, and which they only change.

Of an instance nothing else decides on a text: a list of losses that a training loop
fills is no part of a layer's forward pass.
"""

from __future__ import annotations

import ast
import functools
import inspect
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from typing import Any

from gradgen.frontend.source.mangled import mangled
from gradgen.frozen import dataclass
from gradgen.lines import dedented

# methods of containers that change them; called for nothing else, they read nothing
CHANGING = ("append", "extend", "insert", "clear", "update", "add")
# functions that read an attribute by a name in a string
BY_NAME = ("getattr", "hasattr", "setattr", "__setattr__")
STORING = ("setattr", "__setattr__")
ANY = "*"  # a name that is computed
FIXED = "builtins numpy scipy collections abc typing functools enum".split()
FUNCTIONS = (types.FunctionType, types.MethodType)
# what a class has not
NOTHING: Any = object()
# what reads all attributes at once
EVERYTHING = ("__dict__", "__slots__", "vars")
# called by Python for an operator, an index, a call, a test
SPECIAL = """__call__ __len__ __getitem__ __iter__ __add__ __radd__ __sub__ __rsub__
__mul__ __rmul__ __truediv__ __rtruediv__ __pow__ __rpow__ __matmul__ __rmatmul__
__neg__ __pos__ __abs__ __bool__ __contains__ __eq__ __lt__ __le__ __gt__ __ge__""".split()


@dataclass(frozen=True)
class Reach:
    """The attributes that are read by name, those stored, and those only changed.

    With `every` a name is computed at run time, so that each attribute counts.
    """

    read: frozenset[str] = frozenset()
    stored: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    every: bool = False
    # those that are compared with None, and those that are called
    asked: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    # those of which entries are read, or that are gone through: self.y[i], len(self.y)
    parted: frozenset[str] = frozenset()
    # the functions, and what was found under which name of which class
    functions: tuple[Any, ...] = field(default=(), compare=False)
    lookups: tuple[tuple[type, str, object], ...] = field(default=(), compare=False)

    def needs(self, name: str) -> bool:
        """Whether an attribute of an instance may count."""
        return self.every or name in self.read or name in self.changed

    def stores(self, names: Iterable[str]) -> bool:
        """Whether one of these attributes may be stored."""
        return ANY in self.stored or not self.stored.isdisjoint(names)

    def only_changes(self, name: str) -> bool:
        """Whether what is in a container does not count: it is filled, never read."""
        return not self.every and name in self.changed and name not in self.read


def reach(function: Any, classes: Iterable[type], also: Iterable[Any] = ()) -> Reach:
    """What a function, and all that it may call on instances of classes, reads.

    `also` are the functions of methods that an instance holds, self.step = self.euler.
    """
    read: set[str] = set()
    stored: set[str] = set()
    changed: set[str] = set()
    asked: set[str] = set()
    called: set[str] = set()
    parted: set[str] = set()
    every = False
    functions: dict[Any, Any] = {}
    lookups: dict[tuple[type, str], object] = {}
    work: list[Any] = [function, *also]
    classes = list(classes)
    bases = list(dict.fromkeys(base for cls in classes for base in cls.__mro__))
    new, seen = set(SPECIAL), set[str]()
    if function is None:
        work += [f for cls in classes for n in vars(cls) for f in methods(cls, n)]
    while work:
        one = work.pop()
        code = getattr(one, "__code__", None)
        # wrappers of one decorator have one code, and each another function inside
        key = code, tuple(map(id, getattr(one, "__closure__", None) or ()))
        if code is None or key in functions:
            continue
        functions[key] = one
        more = attributes(code)
        read |= more.read
        stored |= more.stored
        changed |= more.changed
        asked |= more.asked
        called |= more.called
        parted |= more.parted
        every = every or more.every
        work += _called(one)
        new |= (more.read | more.stored) - seen
        for name in sorted(new):
            for base in bases:
                if base is not object:
                    lookups[base, name] = vars(base).get(name, NOTHING)
                    work += functions_of(lookups[base, name])
        seen |= new
        new = set()
    told = frozenset(read), frozenset(stored), frozenset(changed)
    more_told = frozenset(asked), frozenset(called), frozenset(parted)
    found = Reach(*told, every, *more_told)
    kept = tuple((base, name, held) for (base, name), held in lookups.items())
    return replace(found, functions=tuple(functions.values()), lookups=kept)


def _called(function: Any) -> Iterator[Any]:
    """The user's functions, and methods of classes, that a function names."""
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        yield from written(value)
        if isinstance(value, type) and is_users_class(value):
            for own in vars(value).values():
                yield from functions_of(own)
    for cell in function.__closure__ or ():
        try:
            value = cell.cell_contents
        except ValueError:
            continue
        yield from written(value)


def written(value: object) -> Iterator[Any]:
    """The function of the user's that a value is, or that a partial of it calls."""
    while isinstance(value, functools.partial):  # which is of functools itself
        value = value.func
    if isinstance(value, FUNCTIONS) and _is_users(value):
        yield value


def methods(cls: type, name: str) -> Iterator[Any]:
    """The functions behind a name in a class and in its bases."""
    for base in cls.__mro__:
        if name in vars(base):
            yield from functions_of(vars(base)[name])


def functions_of(value: object) -> Iterator[Callable[..., Any]]:
    """The functions of a method, a property, a static or a class method."""
    if isinstance(value, (staticmethod, classmethod)):
        value = value.__func__
    if isinstance(value, functools.cached_property):
        value = value.func
    if isinstance(value, property):
        both = (value.fget, value.fset)
        yield from (f for f in both if isinstance(f, types.FunctionType))
    elif isinstance(value, types.FunctionType):
        yield value


def _is_users(value: Any) -> bool:
    """Whether a function is neither Python's own nor of a library of arrays.

    functools.wraps(np.cos) gives a function of the user's the name of NumPy's module.
    """
    around = getattr(value, "__globals__", {}).get("__name__")
    written_in = around or getattr(value, "__module__", "") or ""
    return written_in.partition(".")[0] not in FIXED


def is_users_class(cls: type) -> bool:
    """Whether a class is written in Python, and neither Python's own nor NumPy's."""
    module = (cls.__module__ or "").partition(".")[0]
    plain = bool(cls.__flags__ & (1 << 9))
    return plain and (module not in FIXED or is_helper_of_scipy(cls))


def is_helper_of_scipy(cls: type) -> bool:
    """Whether a class is one that SciPy's functions make for themselves: no base, _Name."""
    module = (cls.__module__ or "").partition(".")[0]
    return module == "scipy" and cls.__bases__ == (object,) and cls.__name__[:1] == "_"


def is_written_class(cls: type) -> bool:
    """Whether the methods of an instance can be read: of a user's class, or SciPy's.

    An instance of SciPy's is only read, stats.argus; what makes one is not. A sparse
    matrix is no such instance.
    """
    library, _, module = (cls.__module__ or "").partition(".")
    plain = bool(cls.__flags__ & (1 << 9)) and module.partition(".")[0] != "sparse"
    return is_users_class(cls) or library == "scipy" and plain


@functools.lru_cache(maxsize=4096)
def attributes(code: types.CodeType) -> Reach:
    """The attributes that the text of one code names."""
    try:
        tree = mangled(ast.parse(dedented(inspect.getsource(code))), code)
    except (OSError, TypeError, SyntaxError, ValueError):
        return Reach(frozenset(_names(code)))
    changed: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            func = node.value.func
            if isinstance(func, ast.Attribute) and func.attr in CHANGING:
                changed.add(id(_base(func.value)))
        elif isinstance(node, ast.Assign):
            stores = [t for t in node.targets if isinstance(t, ast.Subscript)]
            changed.update(id(_base(target)) for target in stores)
    read: set[str] = set()
    only: set[str] = set()
    stored: set[str] = set()
    asked: set[str] = set()
    callees: set[str] = set()
    parted: set[str] = set()
    every = False
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            every = every or node.attr in EVERYTHING
            if isinstance(node.ctx, ast.Store):
                stored.add(node.attr)
            else:
                (only if id(node) in changed else read).add(node.attr)
        elif isinstance(node, (ast.Subscript, ast.For)):
            whole = node.value if isinstance(node, ast.Subscript) else node.iter
            parted.add(getattr(whole, "attr", ""))
        elif isinstance(node, ast.Compare):
            if isinstance(node.left, ast.Attribute) and _is_none(node.comparators[0]):
                asked.add(node.left.attr)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute):
            read.add(node.target.attr)
        elif isinstance(node, ast.Call):
            called = _name(node.func)
            callees.add(getattr(node.func, "attr", ""))
            if called == "len" and node.args:
                parted.add(getattr(node.args[0], "attr", ""))
            every = every or called in EVERYTHING
            if called in BY_NAME and len(node.args) > 1:
                name = getattr(node.args[1], "value", None)
                every = every or not isinstance(name, str)
                read |= {name} if isinstance(name, str) else set()
                if called in STORING:
                    stored.add(name if isinstance(name, str) else ANY)
    told = frozenset(read), frozenset(stored), frozenset(only)
    return Reach(*told, every, frozenset(asked), frozenset(callees), frozenset(parted))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _name(func: ast.AST) -> str:
    """The name that is called: setattr, and __setattr__ of object.__setattr__."""
    if isinstance(func, ast.Name):
        return func.id
    if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
        return func.attr if func.attr == "__setattr__" else ""
    return ""


def _base(node: ast.AST) -> ast.AST:
    """What the first of several indices is of: self.cache of self.cache["Z"][0]."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)
