"""Reductions beyond the plain ones: masks, nan, weights, quantiles, covariances."""

import warnings

import numpy as np
import pytest

import gradgen
from tests.fuzz.program import imported
from tests.refusals import refusal
from tests.rules.checker import by_turns, faults, ranked, shaped
from tests.rules.test_rules import AXES, label

# a nan where x is above 1.5, so that no difference crosses the pattern
HOLES = "np.where(x > 1.5, np.nan, x)"
# functions at each form of axis=, by turns
FORMS = [
    shaped(f"np.{name}({call.replace('x', HOLES, 1)})", fact)
    for name in "nansum nanmean nanvar nanmax nanmin nanprod".split()
    for call, fact in AXES
]
NAN = [
    shaped(f"np.{name}(x)", "d")
    for name in "nansum nanmean nanstd nanvar nanmax nanmin nanprod".split()
]
# of one entry alone std is 0, where it has no derivative: long rows
LONG = [
    ("x", "n d"),
    ("x, keepdims=True", "n d"),
    ("x, axis=0", "m n"),
    ("x, axis=-1", "n m"),
    ("x, axis=1, keepdims=True", "b m n"),
    ("x, axis=(0, -1)", "m n b"),
]
NAN += [
    shaped(f"np.nanstd({call.replace('x', HOLES, 1)})", fact) for call, fact in LONG
]
NAN += [
    shaped(f"np.nanstd({HOLES}, ddof=1)", "n d"),
    shaped(f"np.nanvar({HOLES}, axis=1, correction=0.5)", "n d"),
    shaped(f"np.nancumsum({HOLES})", "n d"),
    shaped(f"np.nancumsum({HOLES}, axis=1)", "n d"),
]

MASK = "np.abs(x) < 1.5"
FORMS += [
    shaped(f"np.{name}({call}, where={MASK})", fact)
    for name in "sum mean var prod".split()
    for call, fact in AXES
]
FORMS += [
    shaped(f"np.{name}({call}, where={MASK}, initial={initial})", fact)
    for name, initial in (("max", -9), ("min", 9.5), ("max", 0.4), ("nanmin", 0.1))
    for call, fact in AXES
]
MASKED = [shaped(f"np.std({call}, where={MASK})", fact) for call, fact in LONG]
MASKED += [
    shaped("np.sum(x, axis=0, where=x[:, :1] > 0)", "n d"),
    shaped("np.mean(x, axis=0, where=x[:, :1] < 5)", "n d"),
    shaped("np.var(x, axis=1, where=x[:1] < 5)", "n d"),
    shaped("np.prod(x, axis=1, where=x[:1] < 1)", "n d"),
    shaped("x.sum(axis=1, where=x > 0)", "n d"),
    shaped("np.std(x, axis=1, ddof=0.5, where=np.abs(x) < 1.5)", "n m"),
    shaped("np.std(x, correction=1)", "n d"),
    shaped("np.var(x, axis=0, correction=1)", "n d"),
    shaped("np.prod(x, axis=0, initial=2)", "n d"),
    shaped("np.prod(x, axis=1, initial=y)", "n d", ""),
    shaped("np.max(x, axis=1, initial=0.5)", "n d"),
    shaped("np.min(x, initial=y)", "n d", ""),
    shaped("np.max(x, axis=1, initial=y, keepdims=True)", "n d", ""),
    shaped("np.nanmax(x, axis=1, initial=0.5)", "n d"),
    shaped("np.sum(x, axis=1, dtype=x.dtype)", "n d"),
    shaped("np.mean(x, dtype=np.float64)", "n d"),
    shaped("np.prod(x, axis=0, dtype=np.float64)", "n d"),
]

FORMS += [
    shaped(f"np.{name}({call})", fact)
    for name in "average ptp median".split()
    for call, fact in AXES
]
OTHERS = [
    shaped("np.nansum(x, initial=y)", "n d", ""),
    shaped("np.nansum(x, axis=1, where=np.abs(x) < 1.5)", "n d"),
    shaped("np.nanmean(np.where(x > 1.5, np.nan, x), where=np.abs(x) < 1.6)", "n d"),
    shaped("np.nanvar(x, where=np.abs(y) < 1.6, ddof=1)", "n d", "n d"),
    shaped("np.nanstd(x, axis=0, where=np.abs(y) < 1.6)", "m d", "m d"),
    shaped("np.quantile(x, [0.2, 0.5], axis=0)", "m d"),
    shaped("np.quantile(x, (0.2, 0.5, 1.0), keepdims=True)", "n d"),
    shaped("np.percentile(x, [25, 60], axis=-1)", "n d"),
    shaped("np.average(x, weights=y)", "d", "d"),
    shaped("np.average(x, weights=y * y)", "n d", "n d"),
    shaped("np.average(x[:2], weights=[1, 3])", "d"),
    ranked("np.average(x[:, :2], axis=1, weights=(1, 3))", "n d"),
    ranked("np.average(x[:2], axis=0, weights=[1.0, 3.0])", "n d"),
    ranked("np.average(x, axis=0, weights=y * y)", "n d", "n d"),
    ranked("np.average(x, axis=-1, weights=y * y, keepdims=True)", "n d", "n d"),
    ranked("np.average(x, axis=0, weights=y * y)", "n d", "n"),
    ranked("np.average(x, axis=1, weights=y * y)", "n d", "d"),
    ranked("np.average(x, axis=1, weights=y * y)", "b n d", "n"),
    ranked("np.average(x, 1, y * y, keepdims=True)", "b n d", "n"),
    ranked("np.average(x, axis=0, weights=y * y)", "d", "d"),
    ranked("np.average(x, axis=(0, 1), weights=y * y)", "b n d", "b n d"),
]
FORMS += [
    shaped(f"np.{name}({call.replace('x', f'x, {q}', 1)})", fact)
    for name, q in (("quantile", 0.3), ("percentile", 25))
    for call, fact in AXES
]
OTHERS += [
    shaped("np.quantile(x, 0)", "n d"),
    shaped("np.quantile(x, 1.0, axis=0)", "n d"),
    shaped("np.percentile(x, 99.5, axis=-1)", "n d"),
    shaped("np.cumprod(x)", "d"),
    shaped("np.cumprod(x)", "n d"),
    shaped("np.cumprod(x, axis=0)", "n d"),
    shaped("np.cumprod(x, axis=-1)", "b n d"),
    shaped("x.cumprod(axis=1)", "n d"),
    ranked("np.cov(x)", "n d"),
    ranked("np.cov(x, rowvar=False)", "n d"),
    ranked("np.cov(x, ddof=0)", "n d"),
    ranked("np.cov(x, bias=True)", "n d"),
    ranked("np.cov(x)", "d"),
    ranked("np.cov(x)", "1 d"),
    ranked("np.cov(x, rowvar=False)", "n 1"),
    ranked("np.corrcoef(x)", "n d"),
    ranked("np.corrcoef(x, rowvar=False)", "n d"),
    ranked("np.corrcoef(x)", "d"),
    ranked("np.cov(x, y)", "d", "d"),
    ranked("np.cov(x, y, ddof=0)[0, 1]", "d", "d"),
    ranked("np.corrcoef(x, y)", "d", "d"),
    ranked("np.corrcoef(x, y)[0, 1]", "d", "d"),
]
if hasattr(np, "cumulative_sum"):
    OTHERS += [
        shaped("np.cumulative_sum(x)", "d"),
        shaped("np.cumulative_sum(x, axis=0)", "n d"),
        shaped("np.cumulative_sum(x, axis=-1)", "n d"),
        shaped("np.cumulative_sum(x, axis=(0,))", "n d"),
        shaped("np.cumulative_sum(x, axis=(-1,))", "b n d"),
        shaped("np.cumulative_sum(x, axis=1, include_initial=True)", "n d"),
        shaped("np.cumulative_sum(x, include_initial=True)", "d"),
        shaped("np.cumulative_prod(x)", "d"),
        shaped("np.cumulative_prod(x, axis=1)", "n d"),
    ]


@pytest.mark.parametrize("line", [*by_turns(FORMS), *NAN, *MASKED, *OTHERS], ids=label)
def test_line(line):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = faults(line, gradgen, forward=True)
    if found:
        pytest.fail(found, pytrace=False)


def grad(text: str, x, facts: str = "", **options):
    """The gradient of one expression in x at a point."""
    function = imported(f"import numpy as np\n\n\ndef f(x):\n    return {text}\n", "f")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return gradgen.grad(function, shapes={"x": facts} if facts else {}, **options)(
            np.asarray(x)
        )


KINKS = {
    "np.max(x)": ([1.0, 3.0, 3.0], [0, 0.5, 0.5]),
    "np.max(x, initial=3)": ([1.0, 3.0, 3.0], [0, 1 / 3, 1 / 3]),
    "np.max(x, initial=4)": ([1.0, 3.0, 3.0], [0, 0, 0]),
    "np.max(x, initial=0, where=x < 3)": ([1.0, 3.0, 2.0], [0, 0, 1]),
    "np.nanmax(x)": ([np.nan, 2.0, 2.0], [0, 0.5, 0.5]),
    "np.nanmin(x)": ([np.nan, 2.0, 4.0], [0, 1, 0]),
    "np.ptp(x)": ([1.0, 1.0, 4.0], [-0.5, -0.5, 1]),
    "np.ptp(2 * x)": ([5.0, 5.0, 5.0], [0, 0, 0]),
    "np.median(x)": ([1.0, 2.0, 2.0, 2.0, 5.0], [0, 1 / 3, 1 / 3, 1 / 3, 0]),
    "np.median(x) + 0": ([4.0, 1.0, 3.0, 2.0], [0, 0, 0.5, 0.5]),
    "np.median(x) - 0": ([4.0, 3.0, 3.0, 2.0], [0, 0.5, 0.5, 0]),
    "np.quantile(x, 0.5)": ([4.0, 3.0, 3.0, 2.0], [0, 0.5, 0.5, 0]),
    "np.percentile(x, 75)": ([0.0, 2.0, 1.0], [0, 0.5, 0.5]),
    "np.nansum(x)": ([np.nan, 2.0, -1.0], [0, 1, 1]),
    "np.nanmean(x)": ([np.nan, 2.0, 4.0], [0, 0.5, 0.5]),
    "np.nanstd(x)": ([np.nan, 2.0, 4.0], [0, -0.5, 0.5]),
    "np.nanprod(x)": ([np.nan, 2.0, 4.0], [0, 4, 2]),
    "np.prod(x)": ([0.0, 2.0, -1.0], [-2, 0, 0]),
    "np.sum(np.cumprod(x))": ([0.0, 2.0, -1.0], [1 + 2 - 2, 0, 0]),
    "np.sum(np.cumprod(3 * x)[1:])": ([2.0, 0.0, 0.0], [0, 18, 0]),
}


@pytest.mark.parametrize("facts", ["", "n"])
@pytest.mark.parametrize("text", KINKS)
def test_kink_or_hole(text, facts):
    point, wanted = KINKS[text]
    found = grad(text, point, facts)
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


def test_what_is_masked_out_gets_zero_whatever_flows():
    x = np.array([1.0, np.inf, np.nan, 4.0])
    for text in ("np.sum(x, where=np.isfinite(x))", "np.mean(x, where=np.isfinite(x))"):
        found = grad(text, x, "n")
        assert found[1] == found[2] == 0 and found[0] == found[3] > 0


def test_quantiles_agree_with_differences_at_every_place():
    x = np.random.default_rng(0).permutation(np.arange(11.0))
    for dtype in (np.float64, np.float32):
        for q in np.linspace(0, 1, 41):
            found = grad(f"np.quantile(x, {float(q)!r})", x.astype(dtype))
            assert found.dtype == dtype
            place = float(q) * 10
            low = int(place)
            wanted = np.where(x == low, 1 - place + low, 0)
            wanted = wanted + np.where(x == low + 1, place - low, 0)
            np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_a_float64_result_of_float32_gives_a_float32_gradient():
    x = np.random.default_rng(0).random((2, 5)).astype(np.float32)
    assert grad("np.cov(x)", x, "n d").dtype == np.float32
    assert grad("np.sum(np.corrcoef(x))", x, "n d").dtype == np.float32


REFUSALS = {
    "np.quantile(x, np.array([0.1, 0.9]))": "np.quantile in this form",
    "np.quantile(x, 0.5, method='hazen')": "np.quantile in this form",
    "np.percentile(x, 10, method='midpoint')": "np.percentile in this form",
    "np.average(x, axis=0, weights=x * x)": "np.average of arrays of unknown rank",
    "np.cov(x, rowvar=False)": "np.cov of an array of unknown rank",
    "np.cov(x, x)": "np.cov of an array of unknown rank",
    "np.corrcoef(x)": "np.corrcoef of an array of unknown rank",
    "np.corrcoef(x, x)": "np.corrcoef of an array of unknown rank",
    "np.sum(x, dtype=int)": "sum makes integers here",
    "np.mean(x, dtype=np.int64)": "mean makes integers here",
    "np.prod(x, dtype=bool)": "prod makes integers here",
    "np.mean(x, initial=3)": "mean has no rule for the argument initial=",
    "np.std(x, mean=0)": "std has no rule for the argument mean=",
    "np.median(x, overwrite_input=True)": "no rule for the argument overwrite_input=",
    "np.average(x, returned=True)": "average has no rule for the argument returned=",
}


@pytest.mark.parametrize("text", REFUSALS)
def test_refusal(text):
    source = f"import numpy as np\n\n\ndef f(x):\n    return {text}\n"
    assert REFUSALS[text] in str(refusal(imported(source, "f"), general=True))
