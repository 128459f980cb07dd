"""What a command of the tests sees of the environment the tests run in."""

from __future__ import annotations

import os

# Read by pytest, rich and others, which print otherwise where a CI runs them.
_OTHERS = ("CI", "BUILD_NUMBER", "GITHUB_ACTIONS", "COLUMNS", "LINES", "TERM")


def surroundings(**settings: str) -> dict[str, str]:
    """The environment without what says who runs the tests, and with `settings`."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in _OTHERS
        and not name.endswith("_COLOR")
        and not name.startswith(("PYTEST", "COV", "GRADGEN"))
    }
    return kept | settings
