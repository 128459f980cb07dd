"""What SciPy's functions ask of NaNs, and how they choose by masks, for arrays of NumPy's."""

module = "scipy._lib._util"


def _contains_nan(a, nan_policy="propagate", *, xp_omit_okay=False, xp=None):
    if nan_policy == "propagate":
        return False
    found = np.isnan(np.max(a))
    if nan_policy == "raise" and found:
        raise ValueError("The input contains nan values")
    return found


def _lazyselect(condlist, choicelist, arrays, default=0):
    arrays = np.broadcast_arrays(*arrays)
    out = np.full(np.shape(arrays[0]), default, dtype=np.result_type(*arrays, 1.0))
    for func, cond in zip(choicelist, condlist):
        cond, _ = np.broadcast_arrays(cond, arrays[0])
        if np.ndim(cond) == 0:
            out = np.where(cond, func(*arrays), out)
        else:
            out[cond] = func(*[one[cond] for one in arrays])
    return out


def _asarray_validated(
    a,
    check_finite=True,
    sparse_ok=False,
    objects_ok=False,
    mask_ok=False,
    as_inexact=False,
):
    if check_finite:
        a = np.asarray_chkfinite(a)
    else:
        a = np.asarray(a)
    if as_inexact:
        a = a * 1.0
    return a
