"""Operations of the engine and copied helpers whose result has an argument's shape."""

from __future__ import annotations

# which argument's shape a result has: words of the engine, and copied helpers
LIKE_ARGUMENT = {
    "real": 1,
    "hosting": 1,
    "unbroadcast": 2,
    "accumulate": 0,
    "append": 0,
    "setitem": 0,
    "put": 0,
    "additem": 0,
    "add_at": 0,
    "helper._unbroadcast": 1,
    "helper._matmul_left": 1,
    "helper._matmul_right": 2,
    "helper._inner_left": 1,
    "helper._inner_right": 2,
    "helper._dot_left": 1,
    "helper._dot_right": 2,
    "helper._product_of_the_others": 0,
    "helper._matrix_power": 1,
    "helper._cumprod_adjoint": 1,
    "helper._cumprod_tangent": 0,
    "helper._share_in_quantile": 0,
    "helper._added_along_axis": 1,
    "helper._convolve_adjoint": 1,
    "helper._correlate_left": 1,
    "helper._correlate_right": 2,
    "helper._signal_adjoint": 1,
    "helper._banded_adjoint": 2,
    "helper._cofactors": 0,
    "helper._eigvals_adjoint": 2,
    "helper._eigvectors_adjoint": 2,
    "helper._resized": 1,
    "helper._twice_inside": 0,
}
