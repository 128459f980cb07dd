"""`gradgen observe -- COMMAND`: entries of pyproject.toml for what a command calls."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import click

from gradgen.commands.alone import alone
from gradgen.commands.running import Root, Seen, observed, root_of, roots_of
from gradgen.commands.seen import Facts, facts_of, target_of
from gradgen.commands.terminal import put, say
from gradgen.errors import GradgenError
from gradgen.request.options import Request
from gradgen.request.settings import here, nearest

PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"


class Behind(click.Command):
    """A command whose arguments stand behind a --, which is part of their meaning."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        behind: list[str] = []
        if "--" in args:
            at = args.index("--")
            args, behind = args[:at], args[at + 1 :]
        ctx.meta["gradgen.command"] = behind
        return super().parse_args(ctx, args)


@click.command(cls=Behind)
@click.argument("functions", nargs=-1)
@click.option(
    "--module", multiple=True, metavar="NAME", help="A module or a package to observe."
)
@click.option("--quiet", "-q", is_flag=True, help="No messages but errors.")
@click.pass_context
def observe(
    context: click.Context,
    functions: tuple[str, ...],
    module: tuple[str, ...],
    quiet: bool,
) -> None:
    """Print the entries of pyproject.toml for the functions that a command calls.

    Behind -- stands the command: python script.py, python -m package, pytest tests.
    It runs as always, its output on stderr; the arguments of the calls tell what
    `gradgen emit` would be told by --shape. Observed are FUNCTIONS, or those of each
    --module, or of the modules of the entries that there are, or of all files below
    the working directory but tests.
    """
    command = context.meta["gradgen.command"]
    if not command:
        raise click.UsageError("gradgen observe -- COMMAND")
    seen = observed(command, _roots(functions, module))
    found, refused = alone(lambda: _entries(seen))
    if not quiet:
        for line in refused:
            say(line)
    if not found:
        raise GradgenError(
            "GG036",
            "no call with arrays was seen of a function that can be differentiated",
            advice="a command that calls it: gradgen observe -- python script.py",
        )
    put("\n".join(found))


def _roots(functions: Sequence[str], modules: Sequence[str]) -> list[Root]:
    """What is observed. Raises GradgenError."""
    roots = roots_of(modules)
    for name in functions:
        roots.append(root_of(name))
    if roots:
        return roots
    project = nearest(here())
    given = project.table.get("emit", []) if project else []
    for entry in given if isinstance(given, list) else []:
        target = entry.get("function") if isinstance(entry, dict) else None
        if isinstance(target, str):
            try:
                roots.append(Root(root_of(target).path))
            except GradgenError:
                continue
    return roots or [Root(str(here()), None, True)]


def _entries(seen: Sequence[Seen]) -> tuple[list[str], list[str]]:
    """The entries as text, and what is said of functions that have none."""
    project = nearest(here())
    given = project.table.get("emit", []) if project else []
    known = [one for one in given if isinstance(one, dict)]
    taken = {str(one.get("out", "")) for one in known}
    found, refused = [], []
    for one in sorted(seen, key=target_of):
        try:
            told = facts_of(one)
        except GradgenError as error:
            first = error.problems[0]
            refused.append(f"note: no entry for {target_of(one)}: {first}")
            continue
        same = [entry for entry in known if entry.get("function") == told_name(told)]
        for number, facts in enumerate(told):
            if len(told) == 1 and len(same) == 1:
                found.append(_table(same[0], facts.request))
                continue
            entry: dict[str, Any] = {"function": facts.target}
            if facts.request.wrt is not None:
                entry["wrt"] = list(facts.request.wrt)
            if facts.request.complex:
                entry["complex"] = list(facts.request.complex)
            entry["out"] = _out(one, number, taken)
            found.append(_table(entry, facts.request))
    return found, refused


def told_name(told: Sequence[Facts]) -> str:
    return told[0].target if told else ""


def _out(one: Seen, number: int, taken: set[str]) -> str:
    """A file of its own, by the name of the function."""
    stem = one.name if not number else f"{one.name}_{number + 1}"
    for name in (stem, f"{_module(one)}_{stem}"):
        out = f"generated/{name}.py"
        if out not in taken and not os.path.exists(here() / out):
            break
    while out in taken:
        out = out.removesuffix(".py") + "_.py"
    taken.add(out)
    return out


def _module(one: Seen) -> str:
    last = one.module.rpartition(".")[2]
    return last or os.path.basename(one.file).removesuffix(".py")


def _table(entry: Mapping[str, Any], asked: Request) -> str:
    """An entry as TOML, its facts the last."""
    lines = ["[[tool.gradgen.emit]]"]
    for key, value in entry.items():
        if key not in ("shape", "example", "compare"):
            lines.append(f"{_key(key)} = {_value(value)}")
    if asked.compare:
        lines.append(f"compare = {_value(list(asked.compare))}")
    facts = ", ".join(f"{_key(name)} = {_value(text)}" for name, text in asked.shapes)
    if facts:
        lines.append(f"shape = {{{facts}}}")
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return name if name and set(name) <= set(PLAIN) else json.dumps(name)


def _value(value: Any) -> str:
    """A value as TOML writes it: a text, a number, a flag, a list of these."""
    if isinstance(value, Mapping):
        inner = (f"{_key(name)} = {_value(one)}" for name, one in value.items())
        return "{" + ", ".join(inner) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False)
