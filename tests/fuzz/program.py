"""A program under test: its parameters, its text, and two sets of arguments."""

from __future__ import annotations

import ast
import atexit
import importlib.util
import re
import sys
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import count
from pathlib import Path

import numpy as np

from gradgen.verify.finite import Estimate, numeric_gradient

# Distinct primes: no two dims agree by accident, at either set of sizes. The
# second set may hold a 1, where a dim that is named broadcasts all the same.
FIRST_SIZES = {"b": 2, "n": 3, "d": 5, "m": 7}
OTHER_SIZES = (
    {"b": 3, "n": 5, "d": 2, "m": 7},
    {"b": 5, "n": 2, "d": 3, "m": 11},
    {"b": 1, "n": 5, "d": 3, "m": 2},
    {"b": 3, "n": 4, "d": 6, "m": 5},
)
SAMPLES = (0, 1)
# modules that a program's text may name, besides np
SCIPY = ("integrate", "linalg", "optimize", "signal", "spatial", "special", "stats")
# A program that fits here agrees in its dims, not by chance: no slice, no list of
# indices and no product of dims is as long as another dim.
GENERAL = {"b": 11, "n": 13, "d": 17, "m": 19}


@dataclass(frozen=True)
class Parameter:
    """A name, its dims ("1" or a letter; () for a scalar), and its values.

    `kind` is "array", or for a scalar "float" (a Python number) or "numpy"
    (np.float64); "int" and "bool" are arguments that have no gradient. Values lie
    in (low, high), with random signs when `signed`.
    """

    name: str
    dims: tuple[str, ...] = ()
    kind: str = "array"
    low: float = 0.3
    high: float = 1.7
    signed: bool = True

    @property
    def fact(self) -> str:
        return " ".join(self.dims)

    @property
    def differentiable(self) -> bool:
        return self.kind not in ("int", "bool")

    def value(self, sizes: dict[str, int], rng: np.random.Generator, dtype):
        if self.kind == "int":
            return int(rng.integers(2, 4))
        if self.kind == "bool":
            return bool(rng.integers(2))
        shape = tuple(int(d) if d.isdecimal() else sizes[d] for d in self.dims)
        value = rng.uniform(self.low, self.high, shape)
        if self.signed:
            value = value * rng.choice([-1.0, 1.0], shape)
        if self.kind == "float":
            return float(value)
        return dtype(value) if self.kind == "numpy" else np.asarray(value, dtype)


@dataclass(frozen=True)
class Program:
    """One function as text; `seed` decides its arguments, name by name."""

    params: tuple[Parameter, ...]
    lines: tuple[str, ...]
    seed: int = 0
    name: str = "program"
    sizes: tuple[dict, dict] = field(
        default=(FIRST_SIZES, OTHER_SIZES[0]), compare=False
    )

    @property
    def source(self) -> str:
        header = f"def {self.name}({', '.join(p.name for p in self.params)}):"
        body = "".join(f"    {line}\n" for line in self.lines)
        imports = ["import numpy as np"]
        if any("math." in line for line in self.lines):
            imports.insert(0, "import math")
        for name in (*SCIPY, "fft"):
            if re.search(rf"(?<![\w.]){name}\.", body):
                imports.append(f"from scipy import {name}")
        return "\n".join(imports) + f"\n\n\n{header}\n{body}"

    @cached_property
    def function(self) -> Callable:
        """The function, imported from a file, so that its source can be read.

        Programs of the same text at other sizes share it, and what is made for it.
        """
        return _of_text(self.source, self.name)

    def arguments(self, sample: int, dtype=np.float64) -> list:
        """Fresh arguments; each depends on its name alone, not on the others."""
        drawn = []
        for param in self.params:
            key = [self.seed, sample, *param.name.encode()]
            rng = np.random.default_rng(key)
            drawn.append(param.value(self.sizes[sample], rng, dtype))
        return drawn

    def without_unused(self) -> Program:
        """The same program without parameters that its text does not read."""
        read = {
            n.id for n in ast.walk(ast.parse(self.source)) if isinstance(n, ast.Name)
        }
        kept = tuple(p for p in self.params if p.name in read)
        return replace(self, params=kept)

    def measured(self, sample: int, i: int, seed) -> Estimate:
        """The gradient of sum(seed * result) in the parameter i, measured."""
        return numeric_gradient(self.function, self.arguments(sample), i, seed)

    def fits(self) -> bool:
        """Whether it is a program that the generator could have written."""
        try:
            function = self.function
        except Exception:  # a module that cannot be imported is no program
            return False
        results = [run(function, self.arguments(k)) for k in SAMPLES]
        return all(result is not None for result in results) and is_general(self)


def is_general(program: Program) -> bool:
    """Whether the program fits at any sizes, whatever its values are worth there."""
    large = replace(program, sizes=(GENERAL, GENERAL))
    try:
        with np.errstate(all="ignore"):
            large.function(*large.arguments(0))
    except (ValueError, IndexError, TypeError, NameError):
        return False
    return True


def run(function: Callable, args: list):
    """The result, or None when it warns, fails, or is no finite array of floats."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = function(*args)
            fine = np.all(np.isfinite(result)) and np.asarray(result).dtype.kind == "f"
    except Exception:  # any failure of a random program means: not this one
        return None
    return result if fine else None


_numbers = count()


@lru_cache(maxsize=None)
def _folder() -> Path:
    folder = tempfile.TemporaryDirectory(prefix="fuzz_programs_")
    atexit.register(folder.cleanup)
    return Path(folder.name)


@lru_cache(maxsize=32)
def _of_text(source: str, name: str) -> Callable:
    return imported(source, name)


def imported(source: str, name: str) -> Callable:
    """The function `name` of a module of this text, written to a file of its own."""
    module_name = f"fuzz_program_{next(_numbers)}"
    path = _folder() / f"{module_name}.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(module_name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    return getattr(module, name)
