"""Laws of several variables whose parameters are told once, and densities of them."""

module = "scipy.stats._multivariate"


class multivariate_normal_frozen:
    def __init__(self, dist, args, kwds):
        self.dist, self.args, self.kwds = dist, args, kwds

    def logpdf(self, x):
        return self.dist.logpdf(x, *self.args, **self.kwds)

    def pdf(self, x):
        return np.exp(self.dist.logpdf(x, *self.args, **self.kwds))
