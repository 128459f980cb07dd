"""The functions that are rewritten: those of the examples, the benches and the corpus."""

from __future__ import annotations

import ast
import builtins
import copy
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from typing import Any

import numpy as np

from bench.workload import Workload
from bench.workloads import WORKLOADS
from tests.corpus import python as corpus
from tests.fuzz.imperative import imperative
from tests.fuzz.program import _folder
from tests.wild.limits import TookTooLong, limited

SMALL = (3, 4, 5, 2)  # lengths of axes, and how often loops run, where they may be
_numbers = count()


@dataclass(frozen=True)
class Original:
    """A module's text, the function in it, and arguments for it."""

    label: str
    text: str
    name: str
    names: tuple[str, ...]
    args: tuple[Any, ...]
    package: str = ""

    @property
    def function(self) -> Callable[..., Any]:
        """The function, imported from a file of its own."""
        return loaded(self.text, self.name, self.package)

    def fresh(self) -> list[Any]:
        return [copy.deepcopy(arg) for arg in self.args]

    def value(self, seconds: int = 2) -> Any:
        """What it returns; None where it raises, or has no end."""
        try:
            with limited(seconds):
                return self.function(*self.fresh())
        except (Exception, TookTooLong):
            return None


def loaded(
    text: str, name: str, package: str = "", known: dict[str, Any] | None = None
) -> Callable[..., Any]:
    """A function of a module of this text, which may belong to a package.

    The module begins with what is `known`.
    """
    module_name = f"metamorphic_{next(_numbers)}"
    path = _folder() / f"{module_name}.py"
    path.write_text(text, encoding="utf-8")
    full = f"{package}.{module_name}" if package else module_name
    spec = importlib.util.spec_from_file_location(full, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[full] = module
    vars(module).update(known or {})
    spec.loader.exec_module(module)
    return getattr(module, name)


def originals() -> list[Original]:
    """All of them but the random ones, in order."""
    return list(_originals())


@lru_cache(maxsize=None)
def _originals() -> tuple[Original, ...]:
    found = [of_workload(workload) for workload in WORKLOADS if not workload.in_place]
    return (*found, *of_corpus())


def of_workload(workload: Workload) -> Original:
    """A function of the benches, at the smallest sizes that it takes."""
    letters = workload.sizes["small"]
    least = {key: min(n, SMALL[k % 4]) for k, (key, n) in enumerate(letters.items())}
    text = needed(inspect.getsource(sys.modules[workload.primal.__module__]))
    for sizes in (least, letters):
        small = replace(workload, sizes={"small": sizes})
        args = small.inputs("small", np.random.default_rng(3))
        args = tuple(
            np.abs(a) + 0.3 if "" == workload.shapes[key] else a
            for key, a in zip(workload.shapes, args, strict=True)
        )
        args = tuple(float(a) if isinstance(a, np.floating) else a for a in args)
        names = tuple(workload.shapes)
        made = Original(workload.name, text, workload.primal.__name__, names, args)
        value = made.value()
        if value is not None and np.all(np.isfinite(value)):
            break
    return pruned(made)


def of_corpus() -> Iterator[Original]:
    """The functions of the corpus of Python around NumPy."""
    text = inspect.getsource(corpus)
    for name in corpus.PROGRAMS:
        x = np.array([0.4, 0.9, 1.31, 1.7])
        yield pruned(Original(name, text, name, ("x",), (x,)))


def of_program(seed: int) -> Original:
    """A random imperative program, as the fuzzers have them."""
    program = imperative(seed)
    names = tuple(param.name for param in program.params)
    args = tuple(program.arguments(0))
    return Original(f"A {seed}", program.source, program.name, names, args)


def needed(text: str) -> str:
    """A module's text without `from __future__`, whose place is fixed."""
    return text.replace("from __future__ import annotations\n", "")


def pruned(original: Original) -> Original:
    """With what the function needs of its module alone.

    Statements that bind no name which is read, however far away, are left out.
    """
    tree = ast.parse(original.text)
    kept: set[int] = set()
    wanted, asked = {original.name}, set()
    while wanted - asked:
        asked |= wanted
        for k, statement in enumerate(tree.body):
            if k not in kept and bound(statement) & asked:
                kept.add(k)
                wanted |= read(statement)
    body = [statement for k, statement in enumerate(tree.body) if k in kept]
    tree.body = [undocumented(statement) for statement in body]
    return replace(original, text=ast.unparse(tree) + "\n")


def undocumented(statement: ast.stmt) -> ast.stmt:
    """A function without its docstring: what it tells of shapes is not told then."""
    if isinstance(statement, ast.FunctionDef) and ast.get_docstring(statement):
        statement.body = statement.body[1:] or [ast.Pass()]
    return statement


def bound(statement: ast.AST) -> set[str]:
    """The names that a statement binds."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return {statement.name}
    found = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found


def read(statement: ast.AST) -> set[str]:
    """The names that a statement reads."""
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)} - set(
        dir(builtins)
    )
