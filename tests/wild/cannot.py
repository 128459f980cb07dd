"""Functions that no gradient of NumPy's could be written of, with the reason.

By hand, and only of those that are refused: one that gets a right gradient is counted
as right, whatever stands here.
"""

from __future__ import annotations

IN_A = "the incomplete gamma or beta function has no derivative in closed form in a"
COMPILED = "it is compiled, and its derivative has no name in NumPy or SciPy"
RANKS = "it depends on its arguments by ranks and counts alone"
SEARCH = "it searches for a minimum or a root, in as many steps as that takes"
PANDAS = "it computes with objects of pandas"
DIGAMMA = "its derivative is the digamma function, which NumPy has not"
TRUTHS = "it takes truths, and counts them"

_STATS = "scipy.stats._stats_py."
_MORE = "scipy.stats._morestats."
_KERNELS = "statsmodels.nonparametric.kernels_asymmetric."
_REASONS = {
    IN_A: [_KERNELS + f"kernel_cdf_{n}" for n in "beta beta2 gamma gamma2".split()],
    COMPILED: [
        f"scipy.special._basic.{n}"
        for n in "mathieu_even_coef mathieu_odd_coef lqmn lqn zeta".split()
    ],
    RANKS: [
        *(
            _STATS + n
            for n in (
                "mode percentileofscore cumfreq relfreq kendalltau ks_2samp ranksums "
                "brunnermunzel rankdata"
            ).split()
        ),
        *(_MORE + n for n in "ansari mood wilcoxon".split()),
    ],
    SEARCH: [
        _STATS + "expectile",
        *(
            _MORE + n
            for n in (
                "ppcc_max boxcox boxcox_normmax yeojohnson yeojohnson_normmax"
            ).split()
        ),
        "empyrical.stats.gpd_loglikelihood_minimizer_aligned",
    ],
    PANDAS: [
        f"empyrical.stats.{n}"
        for n in (
            "beta_fragility_heuristic beta_fragility_heuristic_aligned "
            "gpd_risk_estimates gpd_risk_estimates_aligned"
        ).split()
    ],
    DIGAMMA: [f"quantecon.quad.{n}" for n in "qnwbeta qnwgamma".split()],
    TRUTHS: [
        f"scipy.spatial.distance.{n}"
        for n in "yule dice rogerstanimoto sokalsneath".split()
    ],
}
CANNOT: dict[str, str] = {
    name: reason for reason, names in _REASONS.items() for name in names
}
