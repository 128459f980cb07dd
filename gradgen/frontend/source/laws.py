"""The laws of scipy.stats: norm, and norm(mean, deviation); multivariate_normal."""

from __future__ import annotations

import sys
from typing import Any

from gradgen.frontend.source.stand_ins import stood_in_for

LAWS = "scipy.stats._distn_infrastructure"
OF_VECTORS = "scipy.stats._multivariate"


def is_law(value: object) -> bool:
    """Whether a value is a law that may be called with its parameters."""
    laws: Any = sys.modules.get(LAWS)
    is_one = laws is not None and isinstance(value, laws.rv_generic)
    return is_one or is_normal_of_vectors(value)


def is_normal_of_vectors(value: object) -> bool:
    """Whether a value is scipy.stats.multivariate_normal."""
    laws: Any = sys.modules.get(OF_VECTORS)
    return laws is not None and value is laws.multivariate_normal


def frozen_law(law: object) -> Any:
    """The class that is read in the place of that of a law with its parameters."""
    if is_normal_of_vectors(law):
        return stood_in_for(sys.modules[OF_VECTORS].multivariate_normal_frozen)
    return stood_in_for(sys.modules[LAWS].rv_frozen)
