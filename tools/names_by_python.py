"""Writes gradgen/backport/names.json: what each Python, with its NumPy and SciPy, offers.

    python tools/names_by_python.py PYTHON...

Each PYTHON is an interpreter with numpy and scipy, the oldest first; it is asked for its
public names and, where they can be read, the keywords of its functions. A Python in
between counts as the one below it. The names of a later interpreter that an earlier one
has too are written once.
"""

from __future__ import annotations

import argparse
import builtins
import importlib
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "gradgen" / "backport" / "names.json"
MODULES = (
    "builtins",
    "cmath",
    "collections",
    "dataclasses",
    "functools",
    "itertools",
    "logging",
    "math",
    "numpy",
    "numpy.fft",
    "numpy.linalg",
    "operator",
    "scipy.linalg",
    "scipy.signal",
    "scipy.special",
    "scipy.stats",
    "typing",
    "warnings",
)
UFUNC = ("out", "where", "casting", "order", "dtype", "subok", "signature", "extobj")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pythons", nargs="*", metavar="PYTHON")
    parser.add_argument("--here", action="store_true", help="Print what this one has.")
    options = parser.parse_args()
    if options.here:
        json.dump(offered(), sys.stdout)
        return
    asked = [[python, __file__, "--here"] for python in options.pythons]
    read = [subprocess.run(one, capture_output=True, check=True) for one in asked]
    tables = [json.loads(one.stdout) for one in read]
    FILE.write_text(as_text(merged(tables)), encoding="utf-8", newline="\n")
    print(f"{FILE.name}: {', '.join(t['python'] for t in tables)}")


def offered() -> dict:
    """The names of the interpreter that runs this, by module, and their keywords."""
    names: dict[str, dict[str, list[str] | None]] = {}
    for module in MODULES:
        loaded = importlib.import_module(module)
        public = [name for name in dir(loaded) if is_public(name, module)]
        names[module] = {name: keywords(getattr(loaded, name)) for name in public}
    import numpy
    import scipy

    names["numpy.ndarray"] = {n: None for n in dir(numpy.ndarray) if n[0] != "_"}
    return {
        "python": "{}.{}".format(*sys.version_info),
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
        "names": names,
        "aliases": aliases(),
    }


def is_public(name: str, module: str) -> bool:
    return name[0] != "_" or module == "builtins" and name.startswith("__")


def keywords(value: object) -> list[str] | None:
    """The keywords that a function takes; None where neither its signature nor the
    first line of its docstring tells them."""
    if not callable(value) or isinstance(value, type):
        told = value.__doc__ if value in vars(builtins).values() else ""
        return described(told) if isinstance(value, type) else []
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return described(value.__doc__)
    named = [
        p.name
        for p in parameters
        if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    ]
    if not any(p.kind is p.VAR_KEYWORD for p in parameters):
        return named
    # np.clip hands the others on to a ufunc
    return [*named, *UFUNC] if named else described(value.__doc__)


def described(told: str | None) -> list[str] | None:
    """The keywords with a default in a docstring's first paragraph."""
    head = (told or "").strip().partition("\n\n")[0]
    return re.findall(r"(\w+)=", head) or ([] if re.match(r"\w+\(", head) else None)


def aliases() -> dict[str, str]:
    """The oldest names of NumPy's functions that have several: concat, concatenate."""
    import numpy

    first: dict[int, str] = {}
    found = {}
    for name in (n for n in dir(numpy) if callable(getattr(numpy, n)) and n[0] != "_"):
        same = first.setdefault(id(getattr(numpy, name)), name)
        if same != name:
            found[name], found[same] = same, name
    return found


def merged(tables: list[dict]) -> dict:
    """What each version has that the one before it has not."""
    found: dict[str, dict] = {"versions": {}, "names": {}, "keywords": {}}
    before: dict[str, dict] = {module: {} for module in tables[0]["names"]}
    for table in tables:
        python = table["python"]
        found["versions"][python] = {key: table[key] for key in ("numpy", "scipy")}
        new = {m: sorted(own.keys() - before[m]) for m, own in table["names"].items()}
        found["names"][python] = {
            module: names for module, names in new.items() if names
        }
        found["keywords"][python] = dict(newer_keywords(before, table["names"]))
        before = table["names"]
    later = {
        n for t in tables[1:] for n in found["names"][t["python"]].get("numpy", ())
    }
    same = tables[-1]["aliases"]
    found["aliases"] = {name: same[name] for name in sorted(later) if name in same}
    return found


def newer_keywords(before: dict, now: dict) -> Iterator[tuple[str, list[str]]]:
    """The keywords of functions that both versions have and only one knows."""
    for module, own in now.items():
        for name, given in own.items():
            old = before[module].get(name)
            more = sorted(set(given or ()) - set(old or ()))
            if old is not None and more:
                yield f"{module}.{name}", more


def as_text(table: dict, indent: int = 0) -> str:
    """JSON with a line for each list of names."""
    space = "  " * (indent + 1)
    lines = []
    for key, value in table.items():
        nested = isinstance(value, dict) and any(
            isinstance(v, (dict, list)) for v in value.values()
        )
        shown = as_text(value, indent + 1) if nested else json.dumps(value)
        lines.append(f"{space}{json.dumps(key)}: {shown}")
    end = "\n" if indent == 0 else ""
    return "{\n" + ",\n".join(lines) + "\n" + "  " * indent + "}" + end


if __name__ == "__main__":
    main()
