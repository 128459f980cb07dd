"""Writes generated/cupy/*.py: each file of generated/ for cupy, and what is refused.

    python tools/write_cupy.py

The refusals are in generated/cupy/refused.txt, a line for each file.
"""

from __future__ import annotations

from pathlib import Path

from gradgen.commands.emit import emit
from gradgen.commands.order import make, order_of
from gradgen.errors import GradgenError
from gradgen.printer.header import read_header
from gradgen.request.shellwords import words

GENERATED = Path(__file__).resolve().parent.parent / "generated"


def retargeted(file: Path, library: str = "cupy") -> str:
    """The text that the command in a file's header makes for a library.

    Raises GradgenError where the library cannot run it.
    """
    command = read_header(file.read_text(encoding="utf-8"))["command"]
    params = emit.make_context("gradgen emit", words(command)[2:]).params
    params |= {"library": library, "guard": params["guard"] or "no"}
    return make(order_of(params)).emitted.text


def written() -> dict[str, str]:
    """The files of generated/cupy by name, and the list of those that are refused."""
    files, refused = {}, []
    for file in sorted(GENERATED.glob("*.py")):
        try:
            files[file.name] = retargeted(file)
        except GradgenError as error:
            first = str(error).splitlines()[0]
            refused.append(f"{file.stem}: {first}\n")
    return files | {"refused.txt": "".join(refused)}


def main() -> None:
    folder = GENERATED / "cupy"
    folder.mkdir(exist_ok=True)
    found = written()
    for file in folder.iterdir():
        if file.name not in found:
            file.unlink()
    for name, text in found.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(found) - 1} files, {found['refused.txt'].count(chr(10))} refused")


if __name__ == "__main__":
    main()
