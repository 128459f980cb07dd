"""Writes gradgen/target/names/*.json: what each library offers under NumPy's names.

    python tools/link_tables.py [cupy] [jax] [torch] [dask]

For each name of numpy, numpy.linalg, numpy.fft and scipy that the library has too, the
keywords that it takes; null where no signature can be read. No GPU is needed: the
libraries are only imported.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from unittest.mock import MagicMock

import numpy

FOLDER = Path(__file__).resolve().parent.parent / "gradgen" / "target" / "names"
NUMPY = ("", "linalg", "fft")
SCIPY = ("special", "linalg", "signal", "stats")
# library: its package's names, its module like numpy, its module like scipy, its array
LIBRARIES = {
    "cupy": (("cupy", "cupy-cuda12x", "cupy-cuda13x"), "cupy", "cupyx.scipy"),
    "jax": (("jax",), "jax.numpy", "jax.scipy"),
    "torch": (("torch",), "torch", ""),
    "dask": (("dask",), "dask.array", ""),
}
ARRAYS = {
    "cupy": "cupy.ndarray",
    "jax": "jax.Array",
    "torch": "torch.Tensor",
    "dask": "dask.array.Array",
}
# the keywords of a cupy.ufunc, whose signature cannot be read
CUPY_UFUNC = ("out", "dtype", "casting")
# what cupyx.scipy loads, and a machine without a GPU does not have
CUDA_LIBRARIES = ("cublas", "cusolver", "cusparse")
UFUNC_METHODS = ("at", "accumulate", "reduce", "outer")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("libraries", nargs="*", default=list(LIBRARIES))
    for name in parser.parse_args().libraries:
        table = table_of(name)
        FOLDER.mkdir(exist_ok=True)
        file = FOLDER / f"{name}.json"
        file.write_text(_as_text(table), encoding="utf-8", newline="\n")
        print(f"{file.name}: {len(table['names'])} names, {table['version']}")


def table_of(library: str) -> dict:
    """The names of a library that NumPy or SciPy has as well, with their keywords."""
    packages, module, scipy = LIBRARIES[library]
    names: dict[str, list[str] | None] = {}
    if library == "cupy":
        _without_cuda()
    for part in NUMPY:
        names |= _shared("numpy", module, part, "")
    for part in SCIPY if scipy else ():
        names |= _shared("scipy", scipy, part, "scipy.")
    if library == "torch":
        names |= _shared("scipy", "torch", "special", "scipy.")
    root = importlib.import_module(module)
    for name in sorted(dir(numpy)):
        if isinstance(getattr(numpy, name), numpy.ufunc):
            for method in UFUNC_METHODS:
                if _is_there(getattr(getattr(root, name, None), method, None), method):
                    names[f"{name}.{method}"] = None
    package, _, kind = ARRAYS[library].rpartition(".")
    array = getattr(importlib.import_module(package), kind)
    methods = [n for n in dir(numpy.ndarray) if n[0] != "_" and hasattr(array, n)]
    return {
        "library": library,
        "version": _version(packages),
        "numpy": numpy.__version__,
        "names": dict(sorted(names.items())),
        "methods": methods,
    }


def _without_cuda() -> None:
    """Lets cupyx.scipy be imported where CUDA's libraries are missing."""
    found = importlib.import_module("cupy_backends.cuda.libs")
    for name in CUDA_LIBRARIES:
        module = f"{found.__name__}.{name}"
        try:
            importlib.import_module(module)
        except ImportError:
            sys.modules[module] = MagicMock()
            setattr(found, name, sys.modules[module])


def _is_there(method: object, name: str) -> bool:
    """Whether a method of a ufunc does something: cupy has all, and most only raise."""
    if not callable(method):
        return False
    if not type(getattr(method, "__self__", None)).__module__.startswith("cupy."):
        return True
    try:
        method(None, *((None,) if name in ("at", "outer") else ()))
    except NotImplementedError:
        return False
    except Exception:  # it takes no None
        return True
    return True


def _shared(theirs: str, module: str, part: str, prefix: str) -> dict:
    """The public names of two modules that both have."""
    try:
        original = importlib.import_module(f"{theirs}.{part}" if part else theirs)
        other = importlib.import_module(f"{module}.{part}" if part else module)
    except ModuleNotFoundError:
        return {}
    found = {}
    for name in dir(original):
        if name[0] != "_" and hasattr(other, name):
            value = getattr(other, name)
            if not inspect.ismodule(value):
                dotted = f"{part}.{name}" if part else name
                found[prefix + dotted] = _keywords(value)
    return found


def _keywords(value: object) -> list[str] | None:
    """The names of the parameters; null where they cannot be read."""
    if not callable(value):
        return []
    if type(value).__module__.startswith("cupy.") and type(value).__name__ == "ufunc":
        return list(CUPY_UFUNC)
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    return [p.name for p in parameters if p.kind is not p.VAR_POSITIONAL]


def _version(packages: tuple[str, ...]) -> str:
    for package in packages:
        try:
            return version(package)
        except PackageNotFoundError:
            continue
    raise SystemExit(f"none of {', '.join(packages)} is installed")


def _as_text(table: dict) -> str:
    """JSON with a line for each name."""
    head = {k: v for k, v in table.items() if k not in ("names", "methods")}
    lines = [f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in head.items()]
    lines.append(f'  "methods": {json.dumps(table["methods"])}')
    names = [f"    {json.dumps(k)}: {json.dumps(v)}" for k, v in table["names"].items()]
    lines.append('  "names": {\n' + ",\n".join(names) + "\n  }")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    main()
