"""`gradgen explain`: what each guard of a gradient is for."""

from __future__ import annotations

import click

from gradgen.commands.emit import place_of
from gradgen.request import MODES
from gradgen.commands.order import Made, Order, make
from gradgen.guard.selects import Finding


@click.command()
@click.argument("target")
@click.option("--wrt", metavar="X,Y", help="The arguments: names or positions.")
@click.option(
    "--mode",
    type=click.Choice(list(MODES)),
    default="reverse",
    show_default=True,
    help="The gradient, or the derivative along tangents.",
)
@click.option("--shape", multiple=True, metavar='X="n d"', help="A shape fact.")
@click.option("--complex", multiple=True, metavar="NAME,..", help="Complex arguments.")
@click.option("--of", metavar="A,B", help="Arguments that hold the results.")
@click.option(
    "--guard",
    is_flag=False,
    flag_value="yes",
    metavar="[EPS]",
    help="Tell of the guards, as `gradgen emit --guard` writes them.",
)
def explain(**options) -> None:
    """Print where the gradient of TARGET divides by what may be zero.

    For each guard, or each place that has none, the line of the function that needs
    it, and why no proof was found that it is not zero.
    """
    made = make(Order(**options))
    hazards = made.emitted.hazards
    if not hazards:
        click.echo("nothing to guard: no denominator of the gradient may be 0")
    for hazard in hazards:
        click.echo(_told(made, hazard))


def _told(made: Made, hazard: Finding) -> str:
    state = "guarded" if made.request.guard is not False else "not guarded"
    first = f"{place_of(made, hazard)}{hazard.hazard}: {state}, {hazard.what}"
    lines = [first]
    if hazard.line is not None:
        lines.append(f"    {hazard.line.text}")
    return "\n".join([*lines, f"    {hazard.reason}"])
