"""Shell completion of TARGET: modules, files, and the functions that stand in them.

Files are read, never imported: a press of TAB runs nobody's code.
"""

from __future__ import annotations

import ast
from pathlib import Path

import click
from click.shell_completion import CompletionItem


def functions(
    context: click.Context, parameter: click.Parameter, typed: str
) -> list[CompletionItem]:
    """What a TARGET that begins so may be, from the working directory."""
    module, separator, start = typed.rpartition(":")
    if separator:
        file = Path(module if module.endswith(".py") else _file_of(module))
        return _items(f"{module}:", _functions_in(file), start)
    if "/" in typed or typed.endswith(".py"):
        return _paths(typed)
    module, separator, start = typed.rpartition(".")
    found = _items(f"{module}{separator}", _modules_in(module), start)
    if separator:
        names = _functions_in(Path(_file_of(module)))
        found = _items(f"{module}.", names, start) + found
    return found


def _items(before: str, names: list[str], start: str) -> list[CompletionItem]:
    return [CompletionItem(before + name) for name in names if name.startswith(start)]


def _file_of(module: str) -> str:
    """The file of a module below the working directory; it may not be there."""
    path = module.replace(".", "/")
    package = f"{path}/__init__.py"
    return package if Path(package).is_file() else f"{path}.py"


def _functions_in(file: Path) -> list[str]:
    try:
        body = ast.parse(file.read_text(encoding="utf-8")).body
    except (OSError, SyntaxError, ValueError):
        return []
    return [node.name for node in body if isinstance(node, ast.FunctionDef)]


def _modules_in(module: str) -> list[str]:
    """The modules and packages of a package, those of the working directory for ""."""
    folder = Path(module.replace(".", "/"))
    if not folder.is_dir():
        return []
    files = [path.stem for path in folder.glob("*.py") if path.stem.isidentifier()]
    packages = [path.parent.name for path in folder.glob("*/__init__.py")]
    return sorted(name for name in files + packages if name != "__init__")


def _paths(typed: str) -> list[CompletionItem]:
    """Files and folders; a whole file's name goes on with its functions."""
    if Path(typed).is_file():
        return _items(f"{typed}:", _functions_in(Path(typed)), "")
    folder, _, start = typed.rpartition("/")
    found = (
        sorted(Path(folder or ".").iterdir()) if Path(folder or ".").is_dir() else []
    )
    names = [path.name + "/" for path in found if path.is_dir()]
    names += [path.name for path in found if path.suffix == ".py"]
    return _items(f"{folder}/" if "/" in typed else "", names, start)
