"""What SciPy's functions do first with their arguments, for arrays of NumPy's."""

module = "scipy._lib._array_api"


def xp_result_type(*args, force_floating=False, xp):
    given = [arg for arg in args if not none(arg)]
    given = [np.asarray(x) if isinstance(x, (list, tuple)) else x for x in given]
    if force_floating:
        given.append(1.0)
    return np.result_type(*given)


def xp_promote(*args, broadcast=False, force_floating=False, xp):
    given = [arg for arg in args if not none(arg)]
    given = [np.asarray(x) if isinstance(x, (list, tuple)) else x for x in given]
    dtype = np.result_type(*given, *([1.0] if force_floating else []))
    made = [None if none(arg) else np.asarray(arg, dtype=dtype) for arg in args]
    if broadcast and len(given) > 1:
        whole = np.broadcast_arrays(*[arg for arg in made if not none(arg)])
        whole = list(whole)
        made = [None if none(arg) else whole.pop(0) for arg in made]
    return made[0] if len(made) == 1 else tuple(made)


def xp_copy(x, *, xp=None):
    return np.array(x)


def xp_ravel(x, /, *, xp=None):
    return np.ravel(x)


def xp_swapaxes(a, axis1, axis2, xp=None):
    return np.swapaxes(a, axis1, axis2)


def xp_vector_norm(x, /, *, axis=None, keepdims=False, ord=2, xp=None):
    return np.linalg.norm(x, ord=ord, axis=axis, keepdims=keepdims)


def xp_default_dtype(xp):
    return np.float64


def xp_result_device(*args):
    return None


def xp_device_type(a):
    return "cpu"


def is_complex(x, xp):
    return np.iscomplexobj(x)


def is_marray(xp):
    return False


def _length_nonmasked(x, axis, keepdims=False, xp=None):
    if axis is None:
        return x.size
    return x.shape[axis]


def _share_masks(*args, xp):
    return args[0] if len(args) == 1 else args


def concat_1d(xp, *arrays):
    return np.concatenate([np.atleast_1d(one) for one in arrays])


def scipy_namespace_for(xp):
    return None
