"""What a function tells somebody, raises, or reads of its module, in its gradient."""

import logging

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

x = np.array([0.4, -0.7, 1.1, 0.3])


def test_prints_and_logs_are_written_as_they_were(tmp_path, capsys, caplog):
    text = """
    import logging
    import warnings

    logger = logging.getLogger("told")


    def f(x):
        y = np.sin(x)
        print("first", y[0], f"{len(x)} {x[1]:.2f}!", sep="|")
        logger.info("second %s", y.shape)
        logging.warning("third")
        warnings.warn("fourth")
        return np.sum(y)
    """
    function = written(text, tmp_path, "primal_that_tells")
    emitted = gradgen.emit(function, shapes={"x": "n"})
    assert 'print("first", y[0], f"{len(x)} {x[1]:.2f}!", sep="|")' in emitted
    assert 'logger = logging.getLogger("told")\n' in emitted
    assert "import logging\n" in emitted and "import warnings\n" in emitted
    gradient = gradgen.grad(function, shapes={"x": "n"})
    with caplog.at_level(logging.INFO), pytest.warns(UserWarning, match="fourth"):
        assert np.allclose(gradient(x), np.cos(x))
    assert capsys.readouterr().out.startswith("first|0.389")
    assert [r.getMessage() for r in caplog.records] == ["second (4,)", "third"]


def test_what_is_raised_keeps_its_message(tmp_path):
    text = """
    def f(x, mode):
        if mode == "sum":
            return np.sum(x * x)
        raise ValueError(f"unknown {mode!r}")
    """
    function = written(text, tmp_path, "primal_that_raises")
    gradient = gradgen.grad(function, wrt="x", shapes={"x": "n"})
    assert np.allclose(gradient(x, "sum"), 2 * x)
    with pytest.raises(ValueError, match="unknown 'mean'"):
        gradient(x, "mean", seed=1.0)


def test_an_array_of_the_module_is_defined_in_the_text(tmp_path):
    text = """
    STENCIL = np.array([1.0, -2.0, 1.0])
    GRID = np.linspace(0.0, 1.0, 4)


    def f(x):
        s = 0.0
        for i in range(len(x) - 2):
            s += np.sum(STENCIL * x[i : i + 3]) ** 2 * GRID[i]
        return s
    """
    function = written(text, tmp_path, "primal_with_arrays")
    emitted = gradgen.emit(function, shapes={"x": "n"})
    assert emitted.count("STENCIL = np.array([1.0, -2.0, 1.0])") == 1
    assert emitted.count("GRID = np.linspace(0.0, 1.0, 4)") == 1
    got = gradgen.grad(function, shapes={"x": "n"})(x)
    want = numeric_gradient(function, (x,), 0, 1.0)
    assert np.max(np.abs(got - want.value)) < 1e-9


REFUSED = {
    "an array that was changed since": (
        """
        A = np.array([1.0, 2.0])
        A[0] = 5.0


        def f(x):
            return np.sum(A * x)
        """,
        "GG211",
    ),
    "an array made anew each time": (
        """
        A = np.random.default_rng().normal(size=2)


        def f(x):
            return np.sum(A * x)
        """,
        "GG211",
    ),
    "a change of an array of the module": (
        """
        A = np.array([1.0, 2.0])


        def f(x):
            A[0] = x[0]
            return np.sum(A * x)
        """,
        "GG230",
    ),
    "a change of it in a view": (
        """
        A = np.array([1.0, 2.0])


        def f(x):
            part = A[1:]
            part += x[0]
            return np.sum(A * x)
        """,
        "GG230",
    ),
    "a list that grows while a loop goes over it": (
        """
        def f(x):
            items = [x, 2 * x]
            for one in items:
                items.append(one)
            return np.sum(items[2])
        """,
        "GG249",
    ),
    "a list whose item changes while a loop goes over it": (
        """
        def f(x):
            items = [x, 2 * x]
            s = 0.0
            for i, one in enumerate(items):
                items[1] = x * x
                s += np.sum(one)
            return s
        """,
        "GG249",
    ),
    "a filled list that grows while a loop goes over it": (
        """
        def f(x):
            items = []
            for i in range(len(x)):
                items.append(x[i])
            for one in items:
                items.append(one)
            return np.sum(items[0])
        """,
        "GG249",
    ),
    "a dictionary as an array": (
        """
        def f(x):
            both = {"a": x}
            return np.sum(both)
        """,
        "GG214",
    ),
    "subscripts of einsum that are no text": (
        """
        def f(x):
            return np.einsum(1.0, x)
        """,
        "GG302",
    ),
    "starred parameters": (
        """
        def f(*args):
            return sum(np.sum(one) for one in args)
        """,
        "GG109",
    ),
    "a loop over what is no sequence": (
        """
        def f(x):
            s = x[0]
            for one in True:
                s += one
            return s
        """,
        "GG243",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused(name, tmp_path):
    text, code = REFUSED[name]
    function = written(text, tmp_path, "primal_refused")
    with pytest.raises(GradgenError) as caught:
        gradgen.emit(function, shapes={"x": "n"} if "(x)" in text else {})
    assert caught.value.code == code


def test_a_store_into_a_function_names_it(tmp_path):
    text = """
    def f(x):
        def inner(y):
            return y
        inner[0] = x
        return x
    """
    with pytest.raises(GradgenError) as caught:
        gradgen.emit(written(text, tmp_path, "primal_store"))
    assert caught.value.message == "inner cannot be stored into"


def test_parts_of_lists_in_loops(tmp_path):
    text = """
    def f(x):
        hs = []
        for i in range(len(x)):
            hs.append(x * i)
        s = 0.0
        for h in hs[1:]:
            s += np.sum(h)
        for h in hs[::-1]:
            s = s * 1.5 + h[0]
        for i, h in enumerate(hs[1:-1]):
            s += i * h[0] ** 2
        for a, b in zip(hs[:-1], hs[1:]):
            s += np.sum(a * b)
        rows = []
        for i in range(3):
            row = []
            for j in range(i + 1):
                row.append(np.sin(x * j) * hs[i])
            rows.append(row)
        for i in reversed(range(3)):
            for j in range(i + 1):
                s += np.sum(rows[i][j] ** 2) + rows[i][0][1]
        return s
    """
    function = written(text, tmp_path, "primal_with_lists")
    got = gradgen.grad(function, shapes={"x": "n"})(x)
    want = numeric_gradient(function, (x,), 0, 1.0)
    assert np.max(np.abs(got - want.value)) < 1e-8


def test_tuples_are_added(tmp_path):
    text = """
    def f(x):
        a, b, c = (x, 2.0) + (x[0],)
        return np.sum(a) * b * c
    """
    function = written(text, tmp_path, "primal_with_tuples")
    got = gradgen.grad(function, shapes={"x": "n"})(x)
    want = numeric_gradient(function, (x,), 0, 1.0)
    assert np.max(np.abs(got - want.value)) < 1e-9


def test_an_array_that_is_first_set_in_a_loop_is_read_in_parts(tmp_path):
    text = """
    def f(A):
        s = 0.0
        for i in range(2):
            for j in range(2):
                new = A * 1.5
            s += new[1, i] ** 2
        return s
    """
    function = written(text, tmp_path, "primal_first_set_in_a_loop")
    A = np.arange(6.0).reshape(2, 3)
    got = gradgen.grad(function, shapes={"A": "n m"})(A)
    want = numeric_gradient(function, (A,), 0, 1.0)
    assert np.max(np.abs(got - want.value)) < 1e-9
