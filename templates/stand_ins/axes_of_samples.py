"""Samples that are broadcast but along one axis: NumPy does so where they are used."""

module = "scipy.stats._axis_nan_policy"


def _broadcast_arrays(arrays, axis=None, xp=None):
    arrays = tuple(arrays)
    if axis is None:
        return np.broadcast_arrays(*arrays)
    for one in arrays[1:]:
        if np.ndim(one) != np.ndim(arrays[0]):
            raise NotImplementedError("samples with different numbers of axes")
    return arrays


def _get_nan(*data, shape=(), xp=None):
    return np.nan


def _broadcast_array_shapes_remove_axis(arrays, axis=None):
    return ()
