"""What functions ask of arrays that may be of several libraries: of NumPy's alone."""

module = """
scipy._lib.array_api_compat.common._helpers
array_api_compat.common._helpers
sklearn.externals.array_api_compat.common._helpers
"""


def array_namespace(*xs, api_version=None, use_compat=None):
    return np


def is_torch_array(x):
    return False


def is_jax_array(x):
    return False


def is_cupy_array(x):
    return False


def is_dask_array(x):
    return False


def is_ndonnx_array(x):
    return False


def is_pydata_sparse_array(x):
    return False


def is_lazy_array(x):
    return False


def is_writeable_array(x):
    return True


def is_array_api_obj(x):
    return isinstance(x, (np.ndarray, np.generic))


def is_numpy_array(x):
    return isinstance(x, (np.ndarray, np.generic))


def is_numpy_namespace(xp):
    return True


def is_torch_namespace(xp):
    return False


def is_jax_namespace(xp):
    return False


def is_cupy_namespace(xp):
    return False


def is_dask_namespace(xp):
    return False


def is_ndonnx_namespace(xp):
    return False


def is_pydata_sparse_namespace(xp):
    return False


def is_array_api_strict_namespace(xp):
    return False


def device(x):
    return None


def to_device(x, device, /, *, stream=None):
    return x


def size(x):
    return x.size


def _check_device(xp, device):
    return None
