"""The rules of the helpers that an emitted file has a copy of."""

import numpy as np
import pytest

import gradgen
from gradgen.rules.load import folder, helpers, operations
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

rng = np.random.default_rng(11)


def some(*shape):
    return rng.normal(size=shape)


# (call, arguments g, a, b, which of them have a gradient)
CASES = [
    ("_unbroadcast(g, a)", (some(3, 4), some(4), None), "g"),
    ("_unbroadcast(g, a)", (some(3, 4), some(3, 1), None), "g"),
    ("_unbroadcast(g, a)", (some(2, 3, 4), some(1, 4), None), "g"),
    ("_unbroadcast(g, a)", (some(3, 4), 2.0, None), "g"),
    ("_unbroadcast(g, a)", (1.5, 2.0, None), "g"),
    ("_matmul_left(g, a, b)", (some(3), some(3, 4), some(4)), "gb"),
    ("_matmul_left(g, a, b)", (some(2, 3, 5), some(3, 4), some(2, 4, 5)), "gb"),
    ("_matmul_left(g, a, b)", (some(5), some(4), some(4, 5)), "gb"),
    ("_matmul_left(g, a, b)", (1.5, some(4), some(4)), "gb"),
    ("_matmul_right(g, a, b)", (some(3), some(3, 4), some(4)), "ga"),
    ("_matmul_right(g, a, b)", (some(2, 3, 5), some(3, 4), some(2, 4, 5)), "ga"),
    ("_matmul_right(g, a, b)", (some(5), some(4), some(4, 5)), "ga"),
    ("_inner_left(g, a, b)", (some(3, 2), some(3, 4), some(2, 4)), "gb"),
    ("_inner_left(g, a, b)", (some(3), 2.0, some(3)), "gb"),
    ("_inner_right(g, a, b)", (some(3, 2), some(3, 4), some(2, 4)), "ga"),
    ("_inner_right(g, a, b)", (some(3), some(3), 2.0), "ga"),
    ("_dot_left(g, a, b)", (some(3, 5), some(3, 4), some(4, 5)), "gb"),
    ("_dot_left(g, a, b)", (some(3, 2, 5), some(3, 4), some(2, 4, 5)), "gb"),
    ("_dot_left(g, a, b)", (some(3), 2.0, some(3)), "gb"),
    ("_dot_right(g, a, b)", (some(3, 5), some(3, 4), some(4, 5)), "ga"),
    ("_dot_right(g, a, b)", (some(3), some(3, 4), some(4)), "ga"),
    ("_convolve_adjoint(g, a, b, 'same')", (some(6), some(6), some(3)), "gb"),
    ("_convolve_adjoint(g, a, b, 'valid')", (some(4), some(6), some(3)), "gb"),
    ("_convolve_adjoint(g, a, b, 'valid')", (some(4), some(3), some(6)), "gb"),
    ("_correlate_left(g, a, b, 'same')", (some(6), some(6), some(3)), "gb"),
    ("_correlate_left(g, a, b, 'valid')", (some(4), some(6), some(3)), "gb"),
    ("_correlate_right(g, a, b, 'same')", (some(6), some(6), some(3)), "ga"),
    ("_correlate_right(g, a, b, 'valid')", (some(4), some(6), some(3)), "ga"),
    ("_from_windows(g, (5,), None)", (some(3, 3), None, None), "g"),
    ("_from_windows(g, (4, 3), (0, 0))", (some(2, 3, 2, 2), None, None), "g"),
    (
        "_added_along_axis(g, a, np.array([[0, 2], [1, 1]]), 1)",
        (some(2, 2), some(2, 3), None),
        "g",
    ),
]


@pytest.mark.parametrize("call, args, wanted", CASES)
def test_a_copied_helper_has_its_gradients(call, args, wanted, tmp_path):
    text = "\n\n\n".join(helpers().values())
    text += f"\n\n\ndef f(g, a, b):\n    return np.sum(np.sin({call}))\n"
    function = written(text, tmp_path, "primal_with_helpers")
    for name in wanted:
        emitted = gradgen.emit(function, wrt=name)
        assert "GG" not in emitted
        got = gradgen.grad(function, wrt=name)(*args)
        want = numeric_gradient(function, args, "gab".index(name), 1.0)
        assert np.shape(got) == np.shape(args["gab".index(name)])
        assert np.max(np.abs(got - want.value)) < 1e-8, (call, name)


def test_every_rule_is_that_of_a_helper():
    rules = {op.removeprefix("helper.") for op in operations() if op[:7] == "helper."}
    assert rules <= set(helpers())
    assert (folder() / "copied.py").is_file()


def test_a_function_of_that_name_and_another_text_is_the_users(tmp_path):
    text = """
    def _unbroadcast(g, x):
        return g * 2


    def f(g, x):
        return np.sum(_unbroadcast(g, x))
    """
    function = written(text, tmp_path, "primal_with_a_name")
    got = gradgen.grad(function, wrt="g", shapes={"g": "n"})(some(3), some(3))
    assert np.array_equal(got, np.full(3, 2.0))
