"""Operations of the engine and copied helpers whose result has an argument's shape."""

from __future__ import annotations

# which argument's shape a result has: words of the engine, and copied helpers
LIKE_ARGUMENT = {
    "point": 0,
    "stopped": 0,
    "real": 1,
    "hosting": 1,
    "unbroadcast": 2,
    "accumulate": 0,
    "append": 0,
    "setitem": 0,
    "put": 0,
    "additem": 0,
    "add_at": 0,
    "helper._eigvectors_adjoint": 2,
    "helper._twice_inside": 0,
    "helper._chosen": 0,  # of numbers, for numba
}
