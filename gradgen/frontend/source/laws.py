"""The laws of scipy.stats: norm, and norm(mean, deviation)."""

from __future__ import annotations

import sys
from typing import Any

from gradgen.frontend.source.stand_ins import stood_in_for

LAWS = "scipy.stats._distn_infrastructure"


def is_law(value: object) -> bool:
    """Whether a value is a law that may be called with its parameters."""
    laws: Any = sys.modules.get(LAWS)
    return laws is not None and isinstance(value, laws.rv_generic)


def frozen_law() -> Any:
    """The class that is read in the place of that of a law with its parameters."""
    return stood_in_for(sys.modules[LAWS].rv_frozen)
