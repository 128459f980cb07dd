"""What a request comes to: a text, and what was noticed on the way."""

from __future__ import annotations

from typing import Any

from gradgen.facts.assumed import Assumed
from gradgen.frozen import dataclass
from gradgen.guard.selects import Finding
from gradgen.frontend.source.holding import Held
from gradgen.ir.handled import Handled
from gradgen.ir.structure import LEAF, Structure
from gradgen.shapes.dims import Dim


@dataclass(frozen=True)
class Emitted:
    """The text of a gradient, and what was noticed on the way.

    `structure` is that of the result; `seeded` tells of each leaf whether it has a seed.
    `complex` are the arguments that are complex, `factors` those that are only multiplied
    by @, `changed` those that the primal changes in place. `hazards` are what is guarded,
    or without a guard what would be; `file` is where the primal stands. `captured` are
    the parameters for arrays around it, and how these are read. `facts` and `numbers` are
    what a call can be checked by: see `facts/declared.py`. `bundles` are the arguments
    that are containers, `assumed` is what was assumed where nothing tells.
    """

    text: str
    function: str
    helpers: tuple[str, ...]
    unknown: tuple[str, ...]
    structure: Structure = LEAF
    seeded: tuple[bool, ...] = (True,)
    complex: tuple[str, ...] = ()
    complex_result: tuple[bool, ...] = (False,)
    factors: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    hazards: tuple[Finding, ...] = ()
    file: str = ""
    captured: tuple[tuple[str, str], ...] = ()
    facts: tuple[tuple[str, tuple[Any, ...], str], ...] = ()
    numbers: tuple[str, ...] = ()
    bundles: tuple[tuple[str, Structure], ...] = ()
    optional: tuple[
        tuple[Any, ...], ...
    ] = ()  # the keys that these may lack, by their paths
    assumed: tuple[Assumed, ...] = ()
    left: bool = False  # whether it is NumPy's, as compiling makes it no faster
    # sizes that would have to be one for variables of loops and arms to keep their shape
    alike: tuple[tuple[Dim, Dim], ...] = ()
    # try blocks of which the text has the bodies alone
    handled: tuple[Handled, ...] = ()
    receiver: Held | None = None  # what an instance is taken to hold
    decided: tuple[str, ...] = ()  # what is the same for every call of the text
    stopped: bool = False  # whether something in it counts as constant that is none
    unequal: tuple[Dim, Dim] | None = None  # with which more that is assumed is refused
