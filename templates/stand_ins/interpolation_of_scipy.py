"""Straight lines between points: scipy.interpolate.interp1d."""

module = "scipy.interpolate scipy.interpolate._interpolate"


class interp1d:
    def __init__(
        self,
        x,
        y,
        kind="linear",
        axis=-1,
        copy=True,
        bounds_error=None,
        fill_value=np.nan,
        assume_sorted=False,
    ):
        if kind != "linear" and kind != 1:
            raise NotImplementedError("interp1d of another kind than 'linear'")
        x, y = np.asarray(x), np.asarray(y)
        if np.ndim(y) != 1:
            raise NotImplementedError("interp1d of values of several axes")
        if not assume_sorted:
            order = np.argsort(x, kind="stable")
            x, y = x[order], y[order]
        self.x, self.y = x, y
        self.extrapolates = isinstance(fill_value, str)
        if self.extrapolates and bounds_error:
            raise ValueError("Cannot extrapolate and raise at the same time.")
        self.bounds_error = bounds_error is None or bounds_error
        two = isinstance(fill_value, tuple)
        self.below = fill_value[0] if two else fill_value
        self.above = fill_value[1] if two else fill_value

    def __call__(self, x):
        x = np.asarray(x)
        if self.extrapolates:
            places = np.clip(np.searchsorted(self.x, x), 1, len(self.x) - 1)
            low = places - 1
            slope = (self.y[places] - self.y[low]) / (self.x[places] - self.x[low])
            return slope * (x - self.x[low]) + self.y[low]
        if self.bounds_error:
            if np.any(x < self.x[0]):
                raise ValueError("A value is below the interpolation range.")
            if np.any(x > self.x[-1]):
                raise ValueError("A value is above the interpolation range.")
            return np.interp(x, self.x, self.y)
        inside = np.interp(x, self.x, self.y)
        inside = np.where(x < self.x[0], self.below, inside)
        return np.where(x > self.x[-1], self.above, inside)
