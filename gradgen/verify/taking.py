"""How a hand-written backward pass takes its arguments, and the seed where it has one.

By name where its parameters are called as those of the function: their order is
its own then, and those that it needs no more may be missing. By position else.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any

from gradgen.errors import GradgenError
from gradgen.frozen import dataclass

# d_out, dY, dloss, grad_output, g, seed, upstream, Y_bar: the gradient of a result
_SEED = re.compile(
    r"(seed|g|d|delta\w*|grad\w*|upstream\w*|cotangent\w*|d_\w+|d[A-Z]\w*"
    r"|d(out|loss|y|z)\w*|g_\w+|\w+_bar)$"
)


@dataclass(frozen=True)
class Taking:
    """Where the function's arguments go, and the seed.

    `by_name` are the names of the arguments that go in by name; None for all by
    position, the seed at `place` among them. `seed` is the parameter that takes the
    seed, "" for none. `remark` tells of names that were not understood.
    """

    by_name: tuple[str, ...] | None = None
    seed: str = ""
    place: int = -1
    remark: str = ""

    def call(
        self,
        hand: Callable[..., Any],
        names: Sequence[str],
        args: Sequence[Any],
        seed: Any,
    ) -> Any:
        """What the backward pass returns for the function's arguments."""
        if self.by_name is None:
            given = list(args)
            if self.seed:
                at = self.place if self.place >= 0 else len(given)
                given.insert(at, seed)
            return hand(*given)
        named = dict(zip(names, args, strict=True))
        chosen = {name: named[name] for name in self.by_name}
        return hand(**chosen, **({self.seed: seed} if self.seed else {}))


def taking(hand: Callable[..., Any], names: Sequence[str], title: str) -> Taking:
    """How a backward pass of a function with these parameters is called.

    Raises GradgenError where it needs what is neither an argument nor a seed.
    """
    if hasattr(hand, "primal"):
        return Taking()  # one of gradgen's own, called as the function is
    try:
        parameters = list(inspect.signature(hand).parameters.values())
    except (TypeError, ValueError):
        return Taking()
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return Taking()
    plain = [p for p in parameters if p.kind is not p.VAR_KEYWORD]
    own = [p.name for p in plain]
    required = [p.name for p in plain if p.default is p.empty]
    unknown = [name for name in required if name not in names]
    needed = [name for name in names if name in own]
    nameless = any(p.kind is p.POSITIONAL_ONLY for p in plain)
    like_seed = [name for name in own if name not in names and _SEED.match(name)]
    if not nameless and len(unknown) <= 1 and needed:
        whole = len(needed) == len(names)
        if not unknown:
            # A seed may have a default: d_out=1.0.
            return Taking(tuple(needed), next(iter(like_seed), ""))
        if whole or unknown[0] in like_seed:
            return Taking(tuple(needed), unknown[0])
    return _by_position(required, own, names, like_seed, title)


def _by_position(
    required: list[str],
    own: list[str],
    names: Sequence[str],
    like_seed: list[str],
    title: str,
) -> Taking:
    """The arguments in order; one parameter more is the seed's, first or last."""
    pairs = [f"{a} is given {b}" for a, b in zip(required, names) if a != b]
    if len(required) <= len(names) <= len(own):
        more = [name for name in own[len(names) :] if name in like_seed]
        if more and own.index(more[0]) == len(names):
            return Taking(None, more[0], -1, ", ".join(pairs))
        return Taking(remark=", ".join(pairs))
    if len(required) == len(names) + 1:
        first = required[0] in like_seed and required[-1] not in like_seed
        seed, rest = (required[0], required[1:]) if first else (required[-1], required)
        pairs = [f"{a} is given {b}" for a, b in zip(rest, names) if a != b]
        return Taking(None, seed, 0 if first else -1, ", ".join(pairs))
    taken = ", ".join(required)
    raise GradgenError(
        "GG605",
        f"{title} takes {taken}, and the function {', '.join(names) or 'nothing'}",
        advice="a def of the function's arguments, and of a seed, that calls it",
    )
