"""The cosine transform of type 2 as a product with a matrix of cosines."""

module = "scipy.fftpack scipy.fft"


def dct(
    x,
    type=2,
    n=None,
    axis=-1,
    norm=None,
    overwrite_x=False,
    workers=None,
    *,
    orthogonalize=None,
):
    if type != 2 or n is not None or norm not in (None, "ortho", "backward"):
        raise NotImplementedError("a cosine transform of another type or norm, or of n")
    moved = np.moveaxis(x, axis, -1)
    size = moved.shape[-1]
    places = np.arange(size)
    waves = 2 * np.cos(np.pi * np.outer(places, 2 * places + 1) / (2 * size))
    if norm == "ortho":
        waves = waves * np.sqrt(np.where(places == 0, 0.25, 0.5) / size)[:, None]
    found = (moved @ waves.T).astype(np.result_type(x, 1.0))
    return np.moveaxis(found, -1, axis)
