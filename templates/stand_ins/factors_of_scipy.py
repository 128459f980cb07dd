"""SciPy's factors of matrices, which are NumPy's in another spelling."""

module = "scipy.linalg"


def svd(
    a,
    full_matrices=True,
    compute_uv=True,
    overwrite_a=False,
    check_finite=True,
    lapack_driver="gesdd",
):
    return np.linalg.svd(a, full_matrices=full_matrices, compute_uv=compute_uv)


def svdvals(a, overwrite_a=False, check_finite=True):
    return np.linalg.svd(a, compute_uv=False)


def eigvalsh(
    a,
    b=None,
    *,
    lower=True,
    overwrite_a=False,
    overwrite_b=False,
    type=1,
    check_finite=True,
    subset_by_index=None,
    subset_by_value=None,
    driver=None,
):
    if type != 1:
        raise NotImplementedError("eigenvalues of a @ b or b @ a")
    if subset_by_index is not None or subset_by_value is not None:
        raise NotImplementedError("some of the eigenvalues")
    if b is not None:  # of inv(root) @ a @ inv(root).T
        root = np.linalg.cholesky(b)
        a = np.linalg.solve(root, np.linalg.solve(root, a).T)
    return np.linalg.eigvalsh(a, UPLO="L" if lower else "U")


def qr(
    a,
    overwrite_a=False,
    lwork=None,
    mode="full",
    pivoting=False,
    check_finite=True,
):
    if pivoting or mode == "raw":
        raise NotImplementedError("a factor with pivots, or a raw one")
    if mode == "r":
        raise NotImplementedError("the second factor alone")
    return np.linalg.qr(a, mode="reduced" if mode == "economic" else "complete")


def pinv(a, *, atol=None, rtol=None, return_rank=False, check_finite=True):
    if atol is not None or rtol is not None or return_rank:
        raise NotImplementedError("a pseudoinverse with a tolerance, or its rank")
    eps = np.finfo(np.result_type(a, 1.0)).eps
    return np.linalg.pinv(a, rcond=max(np.shape(a)) * eps)


def norm(a, ord=None, axis=None, keepdims=False, check_finite=True):
    return np.linalg.norm(a, ord=ord, axis=axis, keepdims=keepdims)


def lstsq(
    a,
    b,
    cond=None,
    overwrite_a=False,
    overwrite_b=False,
    check_finite=True,
    lapack_driver=None,
):
    if lapack_driver is not None and lapack_driver == "gelsy":
        raise NotImplementedError("least squares by lapack_driver='gelsy'")
    x, residues, rank, values = np.linalg.lstsq(a, b, rcond=cond)
    if np.ndim(b) == 1 and np.shape(a)[0] > np.shape(a)[1]:
        residues = residues[0]
    return x, residues, rank, values


def pinvh(a, atol=None, rtol=None, lower=True, return_rank=False, check_finite=True):
    if atol is not None or rtol is not None:
        raise NotImplementedError("a pseudo-inverse with a tolerance of its own")
    if return_rank:
        raise NotImplementedError("a rank beside a pseudo-inverse")
    half = np.tril(a) if lower else np.triu(a)
    whole = half + np.conj(np.swapaxes(half, -1, -2)) - np.diag(np.diag(half))
    return np.linalg.pinv(whole)
