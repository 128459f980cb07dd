"""Axes that a call hands over: None, 0, 1 and -1, or left out, of every function of one.

A rule asks whether its axis is None. Of an argument that nothing tells of it is not known,
and the text is made for the value that is handed over. Most calls are long tests.
"""

import warnings

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.random.default_rng(1).normal(size=(3, 3))
CALLS = """
np.cumsum(x,axis=k)
np.cumsum(x,k)
np.cumprod(x,axis=k)
np.nancumsum(x,axis=k)
np.nancumprod(x,axis=k)
np.sort(x,axis=k)
np.partition(x,1,axis=k)
np.median(x,axis=k)
np.percentile(x,40,axis=k)
np.quantile(x,[.2,.4],axis=k)
np.take(x,I,axis=k)
np.take_along_axis(x,np.argsort(x,axis=k),axis=k)
np.repeat(x,2,axis=k)
np.roll(x,1,axis=k)
np.flip(x,axis=k)
np.concatenate([x,x**2],axis=k)
np.linalg.norm(x,axis=k)
np.mean(x,axis=k)
np.var(x,axis=k)
np.std(x,axis=k,ddof=1)
np.max(x,axis=k)
np.min(x,axis=k)
np.prod(x,axis=k)
np.ptp(x,axis=k)
np.average(x,axis=k)
np.average(x,axis=k,weights=x**2)
np.nanmean(x,axis=k)
np.nanstd(x,axis=k)
np.nanmax(x,axis=k)
np.compress([True,False,True],x,axis=k)
np.delete(x,1,axis=k)
np.insert(x,1,x[0,0],axis=k)
np.append(x,x*2,axis=k)
np.squeeze(x[None],axis=0 if k is None else 0)
np.sum(x,axis=k)
np.sum(x,k)
x.sum(k)
x.cumsum(k)
x.mean(axis=k)
x.max(k)
np.add.reduce(x,axis=k)
np.logaddexp.reduce(x,axis=k)
np.maximum.reduce(x,axis=k)
special.logsumexp(x,axis=k)
special.softmax(x,axis=k)
np.linalg.vector_norm(x,axis=k)
np.trapezoid(x,axis=-1 if k is None else k)
stats.gmean(np.abs(x),axis=k)
np.expand_dims(x,0 if k is None else k)
np.fft.ifftshift(x,axes=k)
np.fft.fftshift(x,k)
np.abs(np.fft.fftn(x,axes=k if k is None else (k,)))
np.tensordot(x,x,2 if k is None else k)
np.cumulative_sum(x.ravel() if k is None else x,axis=k)
np.cumulative_sum(x,axis=(0 if k is None else k,))
np.nanmedian(x,axis=k)
np.unwrap(x,axis=-1 if k is None else k)
np.diff(x,axis=-1 if k is None else k)
np.rot90(x,0 if k is None else k)
np.vecdot(x,x,axis=-1 if k is None else k)
np.lib.stride_tricks.sliding_window_view(x,(2,2) if k is None else 2,axis=k)
np.unstack(x,axis=0 if k is None else k)[0]
np.amax(x,k)
np.linalg.norm(x,None,k)
np.sum(x,axis=k,keepdims=True)
np.max(x,axis=k,keepdims=True)
np.argmax(x,axis=k)*x[0]
np.clip(x,None,k)
np.clip(x,k,None)
""".strip().splitlines()
GIVEN = [(), (None,), (0,), (1,), (-1,)]
HEAD = (
    "import numpy as np\nfrom scipy import special, stats\n\nI = np.array([2, 0])\n\n\n"
)


def cases() -> list:
    """Every call with every axis; each seventh in the test command."""
    found = [(call, given) for call in CALLS for given in GIVEN]
    return [
        pytest.param(*case, marks=[pytest.mark.long] if at % 7 else [])
        for at, case in enumerate(found)
    ]


@pytest.mark.parametrize("call, given", cases())
def test_an_axis_that_is_handed_over(call, given, tmp_path):
    text = f"{HEAD}def f(x, k=None):\n    return np.sum(({call}) ** 2)\n"
    function = written(text, tmp_path, "primal_of_an_axis")
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            function(X.copy(), *given)
        except (TypeError, ValueError, IndexError):
            return  # NumPy takes no such axis here
        found = gradgen.grad(function, wrt="x")(X.copy(), *given)
        wanted = numeric_gradient(function, [X, *given], 0).value
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "sort"])
def test_a_text_is_made_for_the_default(name, tmp_path):
    text = f"{HEAD}def f(x, k=None):\n    return np.sum(np.{name}(x, axis=k) ** 2)\n"
    function = written(text, tmp_path, "primal_with_an_axis")
    names: dict = {}
    exec(gradgen.emit(function, wrt="x"), names)
    wanted = numeric_gradient(function, [X], 0).value
    np.testing.assert_allclose(names["grad_f"](X), wanted, rtol=1e-5, atol=1e-7)
    try:
        found = names["grad_f"](X, 0)
    except ValueError:
        return  # the text is for None, and says so
    wanted = numeric_gradient(function, [X, 0], 0).value
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-7)
