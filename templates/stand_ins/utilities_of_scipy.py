"""What SciPy's functions ask of NaNs: nothing, where these propagate."""

module = "scipy._lib._util"


def _contains_nan(a, nan_policy="propagate", *, xp_omit_okay=False, xp=None):
    if nan_policy == "propagate":
        return False
    found = np.isnan(np.max(a))
    if nan_policy == "raise" and found:
        raise ValueError("The input contains nan values")
    return found
