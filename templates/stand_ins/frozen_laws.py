"""Laws of scipy.stats whose parameters are told once: norm(mean, deviation).cdf(x)."""

module = "scipy.stats._distn_infrastructure"


class rv_frozen:
    def __init__(self, dist, args, kwds):
        self.dist, self.args, self.kwds = dist, args, kwds

    def pdf(self, x):
        return self.dist.pdf(x, *self.args, **self.kwds)

    def pmf(self, k):
        return self.dist.pmf(k, *self.args, **self.kwds)

    def logpdf(self, x):
        return self.dist.logpdf(x, *self.args, **self.kwds)

    def logpmf(self, k):
        return self.dist.logpmf(k, *self.args, **self.kwds)

    def cdf(self, x):
        return self.dist.cdf(x, *self.args, **self.kwds)

    def logcdf(self, x):
        return self.dist.logcdf(x, *self.args, **self.kwds)

    def sf(self, x):
        return self.dist.sf(x, *self.args, **self.kwds)

    def logsf(self, x):
        return self.dist.logsf(x, *self.args, **self.kwds)

    def ppf(self, q):
        return self.dist.ppf(q, *self.args, **self.kwds)

    def isf(self, q):
        return self.dist.isf(q, *self.args, **self.kwds)

    def median(self):
        return self.dist.ppf(0.5, *self.args, **self.kwds)

    def interval(self, confidence):
        low, high = (1.0 - confidence) / 2, (1.0 + confidence) / 2
        return self.ppf(low), self.ppf(high)
