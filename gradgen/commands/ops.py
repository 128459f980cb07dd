"""`gradgen ops`: the functions that have a rule, or one rule as its file says it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import click

from gradgen.commands.terminal import (
    colour_option,
    console,
    is_terminal,
    print_code,
    put,
)
from gradgen.errors import GradgenError
from gradgen.lines import lines_of
from gradgen.quoting import markdown as quoted
from gradgen.rules.rule import Rule

HEADINGS = (
    "function",
    "kind",
    "parameters",
    "differentiable",
    "forward",
    "second order",
    "complex",
    "not for",
    "convention",
)

# why functions of these kinds have no derivative
REASONS = {
    "constant": "0 everywhere",
    "boolean": "true or false",
    "integer": "integers",
    "creation": "a new array",
}


@click.command()
@click.argument("name", required=False)
@click.option("--markdown", is_flag=True, help="The table as a page: docs/ops.md.")
@colour_option
def ops(name: str | None, markdown: bool, color: str) -> None:
    """List the supported functions, or show the rule of one (sum, linalg.norm)."""
    from gradgen.request.settings import here, rule_folders
    from gradgen.rules.load import operations, use

    use(rule_folders(here()))
    rules = operations()
    if name is not None:
        print_code(_rule_text(_found(name, rules)) + "\n", color)
        return
    # a helper's rule is for files that gradgen wrote itself
    table = [_row(rule) for op, rule in rules.items() if op[:7] != "helper."]
    if markdown:
        put(_page(table) + "\n")
    elif is_terminal(sys.stdout):
        _print_table(table, color)
    else:
        put(_plain(table) + "\n")


def _found(name: str, rules: Mapping[str, Rule]) -> Rule:
    """The rule of sum, np.sum, numpy.sum, linalg.norm or norm."""
    short = name.removeprefix("numpy.").removeprefix("np.")
    for op in (f"numpy.{short}", short, f"numpy.linalg.{short}"):
        if op in rules:
            return rules[op]
    return _by_alias(name, short, rules)


def _by_alias(name: str, short: str, rules: Mapping[str, Rule]) -> Rule:
    """The rule of another of numpy's names for a function (absolute: abs)."""
    import numpy

    from gradgen.frontend.source.named import did_you_mean
    from gradgen.rules.load import operation_of

    value: Any = numpy
    for part in short.split("."):
        value = getattr(value, part, None)
    op = operation_of().get(id(value))
    if op is None:
        known = [op.removeprefix("numpy.") for op in rules]
        near = did_you_mean(short, known)
        advice = near if near.startswith("did") else "a function that gradgen ops lists"
        raise GradgenError("GG205", f"{name} has no rule", advice=advice)
    return rules[op]


def _row(rule: Rule) -> tuple[str, ...]:
    """One line of the table."""
    from gradgen.target.offered import lacking

    differentiable = rule.given
    names = [param.var.name for param in rule.params]
    return (
        rule.op.removeprefix("numpy."),
        rule.kind,
        rule.called.partition("(")[2].removesuffix(")"),
        ", ".join(name for name in names if name in differentiable) or "-",
        ("yes" if rule.forward else "no") if differentiable else "-",
        ("yes" if second_order(rule) else "no") if differentiable else "-",
        "yes" if rule.field else "no",
        lacking(rule.op) if rule.kind != "refused" else "",
        _remark(rule),
    )


def second_order(rule: Rule) -> bool:
    """Whether the functions that a rule's own gradient calls have derivatives."""
    from gradgen.rules.load import operations

    rules = operations()
    called = (rules[op] for op in rule.calls if op in rules)
    return all(one.kind in REASONS or one.given for one in called)


def _remark(rule: Rule) -> str:
    """The convention at kinks, or why there is no derivative."""
    if rule.kind == "refused":
        return f"{rule.linear[0]}; write {rule.linear[1]}"
    if rule.differentiable and not rule.given:
        return "it may be used in comparisons; its derivative is refused"
    return rule.convention or REASONS.get(rule.kind, "")


def _rule_text(rule: Rule) -> str:
    """The lines of the rule, under where they stand and what follows from them."""
    import ast

    from gradgen.rules.load import text_of

    text = text_of(rule)
    (node,) = (
        node
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef) and node.lineno == rule.line
    )
    first = min(d.lineno for d in node.decorator_list)
    lines = lines_of(text)[first - 1 : node.end_lineno]
    place = f"# {rule.file}, lines {first} to {node.end_lineno}: {rule.op}"
    return "\n".join([place, *_facts(rule), *lines])


def _facts(rule: Rule) -> list[str]:
    """What the table says of a rule, as comments: modes, arguments, convention."""
    from gradgen.target.offered import LETTERS

    _, kind, _, differentiable, forward, again, complexes, lacking, remark = _row(rule)
    named = [("reverse", rule.given), ("forward", forward == "yes")]
    named += [("second order", again == "yes"), ("complex", complexes == "yes")]
    modes = [name for name, holds in named if holds]
    facts = [f"# kind: {kind}", f"# modes: {', '.join(modes) or '-'}"]
    if differentiable != "-":
        facts.append(f"# differentiable: {differentiable}")
    if lacking:
        names = {letter: name for name, letter in LETTERS.items()}
        facts.append(f"# not for: {', '.join(names[one] for one in lacking.split())}")
    return facts + ([f"# convention: {remark}"] if remark else [])


def _plain(table: list[tuple[str, ...]]) -> str:
    """The table as text, one line for each function."""
    rows = [HEADINGS, *table]
    widths = [max(len(row[k]) for row in rows) for k in range(len(HEADINGS))]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths)) for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


PAGE = """# Functions with a rule

Made by `gradgen ops --markdown`. A function is known under each of NumPy's names for
it, as a method, and as an operator; `np.f.outer` of an elementwise function of two
arguments needs no rule of its own, and `np.add.reduce` and its like are `np.sum` and
its like. `differentiable` are the arguments that get an adjoint; a keyword that is not
listed is refused. `forward` says whether forward mode knows the function, `second
order` whether an emitted gradient of it can be differentiated again, by either mode,
`complex` whether complex arguments are taken. `not for` are the [targets](targets.md) whose
library has no such function: c cupy, d dask, j jax, t torch; what the gradient calls may be
other functions. The convention says what is done where the derivative does not exist.
"""


def _page(table: list[tuple[str, ...]]) -> str:
    """The table as Markdown, sorted by name; functions without derivative apart."""

    def lines(
        rows: list[tuple[str, ...]], columns: tuple[int, ...], last: str = ""
    ) -> list[str]:
        cells = [tuple(quoted(row[k]) for k in columns) for row in rows]
        head = [HEADINGS[k] for k in columns]
        head[-1] = last or head[-1]
        ruled = [tuple(head), ("---",) * len(columns), *sorted(cells)]
        return ["| " + " | ".join(row) + " |" for row in ruled]

    derived = [row for row in table if row[3] != "-"]
    refused = [row for row in table if row[1] == "refused"]
    constant = [row for row in table if row[3] == "-" and row[1] != "refused"]
    text = [
        PAGE,
        *lines(derived, (0, 2, 3, 4, 5, 6, 7, 8)),
        "",
        "## Without a derivative",
        "",
    ]
    text += [
        "They may be used: their derivative is zero, or their result is not a real"
    ]
    text += [
        "number.",
        "",
        *lines(constant, (0, 2, 7, 8), "reason"),
        "",
        "## Refused",
        "",
    ]
    return "\n".join([*text, *lines(refused, (0, 8), "reason")])


def _print_table(table: list[tuple[str, ...]], color: str) -> None:
    from rich.table import Table

    shown = Table(box=None, pad_edge=False, header_style="bold")
    for heading in HEADINGS:
        shown.add_column(heading, overflow="fold")
    for row in table:
        shown.add_row(*row)
    console(color).print(shown)
