"""`python -m gradgen.observing ARGS` is `python ARGS`, observed."""

from __future__ import annotations

import os
import runpy
import sys

from gradgen.observing.watching import start


def main(arguments: list[str]) -> None:
    """Runs what `python ARGS` runs: a script, -m a module, -c a command, or stdin."""
    start()
    first = arguments[0] if arguments else "-"
    if first == "-m":
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    elif first in ("-c", "-"):
        sys.argv = [first, *arguments[2 if first == "-c" else 1 :]]
        sys.path[0] = ""
        text = arguments[1] if first == "-c" else sys.stdin.read()
        exec(compile(text, "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv = arguments
        if not os.path.isdir(first):  # which has its __main__.py found by runpy
            sys.path[0] = os.path.dirname(os.path.realpath(first))
        runpy.run_path(first, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
