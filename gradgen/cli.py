"""The command `gradgen`: its subcommands, and what becomes of their errors.

Exit codes: 0 all is well; 1 drift or a wrong gradient; 2 a usage mistake or code
that is not supported; 3 a fault of gradgen itself. Code goes to stdout, all else
to stderr.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any, cast

import click

from gradgen.commands.alone import FORKS, OWN, Fault, hold_standard_streams
from gradgen.commands.build import build
from gradgen.commands.check import check
from gradgen.commands.emit import emit
from gradgen.commands.explain import explain
from gradgen.commands.observe import observe
from gradgen.commands.ops import ops
from gradgen.commands.parsing import EXIT_CODES
from gradgen.commands.terminal import Unread, put, say_error
from gradgen.errors import GradgenError
from gradgen.lines import lines_of

REFUSED, FAULT, INTERRUPTED = 2, 3, 130
SHOWN_LINES = 8  # of an internal error's traceback


def _print_versions(
    context: click.Context, option: click.Parameter, asked: bool
) -> None:
    """The versions that a report of a fault needs."""
    if not asked or context.resilient_parsing:
        return
    import platform
    from importlib.metadata import version

    from gradgen import __version__

    lines = [f"gradgen {__version__}"]
    for package in ("numpy", "gast", "astor", "click", "rich"):
        lines.append(f"{package} {version(package)}")
    put("\n".join([*lines, f"Python {platform.python_version()}", ""]))
    context.exit()


COMPLETION = """\b
Completion of commands, options and functions, in the shell's own start file:
  bash  eval "$(_GRADGEN_COMPLETE=bash_source gradgen)"
  zsh   eval "$(_GRADGEN_COMPLETE=zsh_source gradgen)"
  fish  _GRADGEN_COMPLETE=fish_source gradgen | source
"""


class _Group(click.Group):
    """The commands; errors are told while the context of --color is at hand."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except GradgenError as error:
            say_error(str(error))
            raise click.exceptions.Exit(REFUSED) from None
        except click.ClickException as error:
            raise click.exceptions.Exit(_told_of_usage(error)) from None


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=f"{COMPLETION}\n{EXIT_CODES}",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_versions,
    help="Show the versions of gradgen and of what it stands on.",
)
def gradgen() -> None:
    """Reads a NumPy function and writes its gradient as readable Python."""


for _command in (emit, build, observe, check, explain, ops):
    cast(click.Command, _command).epilog = EXIT_CODES
    gradgen.add_command(cast(click.Command, _command))


def main(
    arguments: list[str] | None = None, before: Callable[[], object] = lambda: None
) -> None:
    """Runs the command line and leaves the process with its exit code.

    `before` is called as soon as interrupts are caught here.
    """
    hold_standard_streams()
    _leave(run(arguments, OWN, before))


def _leave(code: int) -> None:
    """Ends the process at once: to take apart all that was loaded takes long.

    Modules of the user's were read in a process of their own. What cannot be written
    is for Python to tell.
    """
    if FORKS:
        with contextlib.suppress(Exception):
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()
            os._exit(code)
    sys.exit(code)


def run(
    arguments: list[str] | None = None,
    process: str = "",
    before: Callable[[], object] = lambda: None,
) -> int:
    """The exit code of one command; messages have gone to stderr.

    `process` is OWN where nothing but the command runs in this process.
    """
    try:
        before()
        code = gradgen.main(arguments, "gradgen", standalone_mode=False, obj=process)
        return code or 0
    except GradgenError as error:
        say_error(str(error))
        return REFUSED
    except click.ClickException as error:
        return _told_of_usage(error)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except (BrokenPipeError, Unread):
        # `gradgen emit ... | head`: the reader has what it wanted. Python would
        # complain once more when it flushes stdout at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Fault as error:
        _tell_of_fault(str(error))
        return FAULT
    except Exception:
        _tell_of_fault(traceback.format_exc())
        return FAULT


def _told_of_usage(error: click.ClickException) -> int:
    told = io.StringIO()
    error.show(told)
    say_error(told.getvalue().rstrip("\n"))
    return error.exit_code


def _tell_of_fault(told: str) -> None:
    lines = lines_of(told.rstrip())[-SHOWN_LINES:]
    say_error(
        "internal error: this is a fault of gradgen, and nothing was written.\n"
        "Please report it with the function, the command, the output of\n"
        "`gradgen --version` and these lines:\n\n" + "\n".join(lines),
    )
