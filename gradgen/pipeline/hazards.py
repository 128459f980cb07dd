"""What a text says of its guards."""

from __future__ import annotations

from gradgen.guard.selects import Finding
from gradgen.request.request import Request

# A longer expression is no help in a docstring.
SHORT = 24


def what_is_guarded(hazards: tuple[Finding, ...], request: Request) -> str:
    """The docstring's words for the guards, "" without any."""
    if request.guard is False or not hazards:
        return ""
    found: dict[str, list[str]] = {}
    for one in hazards:
        names = found.setdefault(one.what, [])
        short = one.hazard if len(one.hazard) <= SHORT else "a divisor"
        names += [short] if short not in names else []
    return ", ".join(
        what if what.startswith("|") else f"{what} for {' and '.join(of)}"
        for what, of in found.items()
    )
