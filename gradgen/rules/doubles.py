"""The functions that compute in float64, be it of float32."""

from __future__ import annotations

# whatever they are given
ALWAYS_DOUBLE = {
    f"{module}.{name}"
    for module, names in (
        ("numpy", "corrcoef cov float_power interp linspace"),
        ("scipy.linalg", "det expm_frechet"),
        ("scipy.spatial.distance", "canberra cdist pdist"),
        ("scipy.special", "factorial spherical_in spherical_jn spherical_yn"),
    )
    for name in names.split()
}
# ... and of integers alone in integers, which they multiply and count
OF_INTEGERS = {f"numpy.{name}" for name in ("bincount", "polyder", "vander")}
