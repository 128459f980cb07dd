"""Profiles that are each after one class of fault: a file of this folder is a profile.

A profile is a module with

- `verdicts(seed, engine)`, which yields a case and its verdict for each request that
  is made of the program of this seed (most end in `judge.examine`);
- `PROGRAMS`, how many programs the test command runs;
- `REFUSED_AT_MOST`, the share of its cases that may be refused (default 0.02).

`python -m tests.fuzz --kind NAME` runs the file NAME.py. A new class of fault is a
new file, and nothing else.
"""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType


def profiles() -> dict[str, ModuleType]:
    """The profiles by name, in the order of their names."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__))
    return {name: importlib.import_module(f"{__name__}.{name}") for name in names}
