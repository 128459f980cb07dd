"""Functions that no gradient of NumPy's could be written of, with the reason.

By hand, and only of those that are refused: one that gets a right gradient is counted
as right, whatever stands here.
"""

from __future__ import annotations

CANNOT: dict[str, str] = {}
