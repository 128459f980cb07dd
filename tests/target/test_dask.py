"""On dask's chunked arrays gradients are lazy, and give NumPy's numbers.

Every file of generated/ that the lint of --target dask accepts: where its text has the
body of the committed file, the committed file itself runs. Nothing is computed on the
way, and a cluster of two worker processes computes the result. Needs dask, as the
extra `libraries` installs it: python -m pytest -m libraries.
"""

import ast
import warnings

import numpy as np
import pytest

from gradgen.errors import GradgenError
from tests.target.elsewhere import converted, fault, programs, result, taken
from tests.target.texts import Asked, committed, defined, difference
from tests.test_generated import FILES, call

pytestmark = pytest.mark.libraries
# a branch on a value, a mask of places, np.add.at, transforms, cholesky
REFUSED = set(
    "cholesky_loops dose fixed_point gp_marginal_likelihood kalman_loglik lstm_loss "
    "masked_ratio rnn_loss soft_length spectral_loss validation_loss".split()
)


def uneven(array: np.ndarray):
    """The array in two chunks along each axis, the first one larger."""
    import dask.array

    chunks = tuple((n - n // 3, n // 3) if n // 3 else (n,) for n in array.shape)
    return dask.array.from_array(array, chunks=chunks)


def raising(graph, keys, **_):
    raise AssertionError("something was computed on the way")


@pytest.fixture(scope="module")
def client():
    """Two worker processes on this machine."""
    from dask.distributed import Client, LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        with Client(cluster) as client:
            yield client


@pytest.fixture(autouse=True)
def no_silent_changes():
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        yield


def fetched(value):
    """A result as numpy's arrays: now the graph runs, on the cluster."""
    if isinstance(value, (tuple, list)):
        return tuple(map(fetched, value))
    return np.asarray(value.compute() if hasattr(value, "compute") else value)


def body(text: str) -> str:
    """The code of a text without its header and its comments."""
    return ast.unparse(ast.parse(text))


def lazily(text: str, form: str, args: list, seed):
    """The result of a text, not computed; a call that computes fails."""
    import dask

    with dask.config.set(scheduler=raising):
        return result(text, form, converted(args, uneven), converted(seed, uneven))


def text_on_dask(name: str, text: str) -> str:
    """The committed file where the text for dask has its body, else that text."""
    plain = committed(name, "numpy")
    return plain if body(plain) == body(text) else text


def test_the_files_that_are_refused():
    assert set(FILES) - set(taken("dask")) == REFUSED


def test_committed_files_are_lazy_and_right_on_a_cluster(client):
    plain, chunked = 0, 0
    for name, text in taken("dask").items():
        form = FILES[name][1]
        text = text_on_dask(name, text)
        plain += text == committed(name, "numpy")
        args, _, seed = call(name, 0)
        got = lazily(text, form, args, seed)
        chunked += any(hasattr(one, "dask") for one in np.atleast_1d(parts(got)))
        with np.errstate(all="ignore"):
            want = result(committed(name, "numpy"), form, args, seed)
        found = difference(fetched(got), fetched(want), 1e-10)
        assert not found, f"{name}: {found}"
    assert plain >= 20 and chunked >= 30


def parts(value) -> np.ndarray:
    """The leaves of a result, as an array of objects."""
    leaves = []

    def visit(one):
        if isinstance(one, (tuple, list)):
            for inner in one:
                visit(inner)
        else:
            leaves.append(one)

    visit(value)
    found = np.empty(len(leaves), object)
    found[:] = leaves
    return found


def test_float32_stays_float32():
    for name, text in taken("dask").items():
        text = text_on_dask(name, text)
        found = fault(name, text, uneven, fetched, dtype=np.float32, rtol=2e-3)
        assert not found, f"{name}: {found}"


def test_programs_with_views():
    tried = 0
    for name, text, want, args in programs("dask"):
        got = defined(text)(*map(uneven, args))
        assert not difference(fetched(got), fetched(want)), f"{name}\n{text}"
        tried += 1
    assert tried >= 5


def test_data_that_no_worker_holds():
    """The gradient of logistic regression, chunk by chunk, and the memory it takes."""
    from examples.out_of_core import dataset, measured

    found = measured(megabytes=800, limit=300)
    assert sum(found["peaks"]) < found["dataset"] == 800 * 10**6
    X, y = dataset(800)
    w, d_w = np.full(X.shape[1], 0.1), 0.0
    for k in range(X.numblocks[0]):
        rows, labels = X.blocks[k].compute(), y.blocks[k].compute()
        d_w = d_w + rows.T @ (1 / (1 + np.exp(-rows @ w - 0.2)) - labels) / len(X)
    assert not difference(found["d_w"], d_w, 1e-10)


def handed_on(x):
    z = x * 1
    y = z.astype(z.dtype)
    y[0] = 3 * y[1]
    w = np.concatenate([z])
    z[1] = 2 * w[0]
    return np.sum(y * z * np.where(True, w, 0))


def rows_of_a_list(x):
    rows = []
    for i in range(3):
        rows.append(np.sin(x * i))
    return np.sum(np.array(rows) ** 2)


@pytest.mark.parametrize("function", [handed_on, rows_of_a_list])
def test_what_numpy_makes_anew_is_new_and_not_computed(function):
    x = np.array([0.5, -1.2, 0.8, 2.0])
    for form in ({}, {"mode": "forward"}):
        asked = Asked(function, ("x",), {"x": "4"}, form)
        more = [np.ones(4)] if form else [1.0]
        got = lazily(asked.text("dask"), "joint", [x], *more)
        want = defined(asked.text())(x, *more)
        assert not difference(fetched(got), fetched(want)), asked.text("dask")


def between(x):
    y = np.ones((4, 4, 4)) * x
    return np.sum(y[0, :, [0, 1, 1, 2]] * x)


def largest(x):
    return x[np.argmax(x)] ** 2


def of_an_array(x):
    return np.sum(np.array(x) * x)


@pytest.mark.parametrize("function", [between, largest, of_an_array])
def test_what_dask_reads_otherwise_or_computes_is_refused(function):
    with pytest.raises(GradgenError, match="GG70[14]"):
        Asked(function, ("x",), {"x": "4"}, {}).text("dask")


def test_what_computes_on_the_way_is_found():
    text = "def grad_f(x, d_out):\n    return x * 2 if x.sum() > 0 else x\n"
    with pytest.raises(AssertionError, match="on the way"):
        lazily(text, "joint", [np.ones(4)], 1.0)
