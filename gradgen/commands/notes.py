"""What a person should know of a text that is right: helpers, and zeros."""

from __future__ import annotations

from dataclasses import replace

from gradgen.commands.order import Made, Order, asked_of
from gradgen.errors import GradgenError
from gradgen.frontend.source.described import facts_described
from gradgen.guard.selects import OVERFLOW, Finding
from gradgen.pipeline.emitted import Emitted
from gradgen.pipeline.run import run
from gradgen.shapes.spec import read_annotation
from gradgen.signature.refitted import refitted
from gradgen.facts.words import told_of
from gradgen.signature.proposal import completed, proposal


def notes(made: Made, proposing: bool = False) -> list[str]:
    """The notes on an emitted text, helpers first.

    With `proposing` the facts that would make it shorter are looked for.
    """
    shorter = _proposed(made) if proposing else []
    helpers = shorter or _helpers(made)
    said = [*made.told, *_overruled(made), *_assumed(made)]
    return [*said, *helpers, *_hazards(made)]


def _overruled(made: Made) -> list[str]:
    """Where the docstring says another rank than an option or an annotation."""
    node = made.source.node
    told = dict(made.request.shapes)
    args = {arg.id: arg for arg in node.args.args + node.args.kwonlyargs}
    said = []
    for name, text in facts_described(node, made.source.defaults).items():
        if name not in args or text.startswith(":"):
            continue
        written = args[name].annotation
        annotated = None if written is None else made.source.one_line(written)
        other = told.get(name, read_annotation(annotated))
        if other is None or other.startswith(("*", "{", ":")):
            continue
        if len(text.partition(":")[0].split()) != len(other.partition(":")[0].split()):
            by = "--shape" if name in told else "the annotation"
            said.append(
                f'note: {by} says {name} is "{other}", and the docstring "{text}"; '
                f"{by} holds"
            )
    return said


def worked_out(order: Order) -> str:
    """The command with all facts, where a text is refused for want of them; else ""."""
    if (
        order["example"] is not None
        or order["calls"] is not None
        or order.target == "-"
    ):
        return ""
    try:
        source, asked, _ = asked_of(order)
        found = completed(asked, source)
    except GradgenError:
        return ""
    if found is None:
        return ""
    command, shapes = found[0].command()
    return f"{' '.join([command, *shapes])}  # with these facts there is a text"


def fitting(order: Order, refusal: GradgenError) -> str:
    """The fact with which shapes fit that were told and do not; else ""."""
    if refusal.code != "GG401" or not order["shape"] or order.target == "-":
        return ""
    try:
        source, asked, _ = asked_of(order)
    except GradgenError:
        return ""
    return refitted(asked, source, refusal)


def _proposed(made: Made) -> list[str]:
    """The command with all facts, in one line, and what it saves."""
    found = proposal(made.request, made.source, made.emitted)
    if found is None:
        return []
    command, shapes = found.request.command()
    return [f"{' '.join([command, *shapes])}  # {found.saves}"]


def _assumed(made: Made) -> list[str]:
    """What was assumed of arguments that nothing tells of."""
    words = told_of(made.emitted.assumed)
    return [f"assumed: {words}; --general assumes nothing"] if words else []


def _helpers(made: Made) -> list[str]:
    """Which shapes would make the text shorter."""
    emitted = made.emitted
    if not emitted.helpers:
        return []
    helpers = ", ".join(emitted.helpers)
    if not emitted.unknown:
        return [f"note: the text carries {helpers}"]
    options = " ".join(f'--shape {name}="..."' for name in emitted.unknown)
    return [
        f"note: the text carries {helpers}, for shapes that are not known;\n"
        f"      name the axes to be rid of it: {options}"
    ]


def _hazards(made: Made) -> list[str]:
    """What divides by what may be zero, where nothing guards it, and what does."""
    if made.request.guard is not False:
        return []
    stable = _with_stable(made)
    left = {one.line for one in stable.hazards} if stable else set()
    found: dict[tuple[str, str], dict[str, None]] = {}
    for one in made.emitted.hazards:
        said = f"{place_of(made, one)}{one.words or 'a divisor of its gradient'}"
        helps = stable and (one.what == OVERFLOW or one.line not in left)
        remedy = "--stable, or --guard" if helps else "--guard"
        found.setdefault((said, remedy), {})[one.what] = None
    return [
        f"note: {said} is not guarded ({', '.join(whats)}): {remedy}"
        for (said, remedy), whats in found.items()
    ]


def _with_stable(made: Made) -> Emitted | None:
    """The text with --stable, where exponentials overflow that it writes otherwise."""
    overflows = any(one.what == OVERFLOW for one in made.emitted.hazards)
    if made.request.stable or not overflows:
        return None
    try:
        found = run(replace(made.request, stable=True), made.source)
    except GradgenError:
        return None
    return found if "Rewritten (--stable)" in found.text else None


def place_of(made: Made, hazard: Finding) -> str:
    """The primal's file and line that a hazard comes from."""
    if hazard.line is None:
        return ""
    return f"{made.emitted.file}:{hazard.line.number}: "
