"""Changes in place by what needs more room than there is raise, as in NumPy."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

ALONE = np.random.default_rng(3)
FITTING = ALONE.uniform(0.5, 1.5, (3, 2)), ALONE.uniform(0.5, 1.5, (3, 2))
WIDER = {
    "an axis of one": ((3, 1), (3, 2)),
    "another axis": ((2,), (3, 2)),
    "a vector of one": ((1,), (3,)),
}


def multiplied(x, y):
    z = np.exp(x)
    z *= y
    return np.sum(z)


def added(x, y):
    z = np.exp(x)
    z += y
    return np.sum(z)


def nobody_reads(x, y):
    z = x * 1.0
    z -= y
    return np.sum(x**2)


def stored(x, y):
    z = np.zeros_like(x)
    z[:] = x * y
    return np.sum(z)


def a_part(x, y):
    z = x * 1.0
    z[:] += y
    return np.sum(z * x)


def in_a_loop(x, y):
    z = np.zeros_like(x)
    for i in range(2):
        z += y * x
    return np.sum(z)


def in_an_arm(x, y):
    z = np.exp(x)
    if np.sum(y) > 0:
        z /= y
    return np.sum(z)


def in_a_list(x, y):
    zs = [x * 1.0]
    zs[0] += y
    return np.sum(zs[0])


def in_a_list_that_nobody_reads(x, y):
    zs = [np.exp(x)]
    zs[0] += y
    return np.sum(x**2)


def in_a_dictionary(x, y):
    zs = {"a": np.exp(x)}
    zs["a"] *= y
    return np.sum(x**2)


def each_of_two(x, y):
    for z in (np.exp(x), x * 2):
        z -= y
    return np.sum(x**2)


def into_out(x, y):
    z = np.exp(x)
    np.multiply(z, y, out=z)
    return np.sum(z)


def through_a_view(x, y):
    z = np.exp(x)
    z = z.T
    z += y.T
    return np.sum(z) * np.sum(x)


FORMS = [multiplied, added, nobody_reads, stored, a_part, in_a_loop, in_an_arm]
FORMS += [in_a_list, in_a_list_that_nobody_reads, in_a_dictionary, each_of_two]
FORMS += [into_out, through_a_view]


@pytest.mark.parametrize("function", FORMS)
def test_what_has_no_room_raises(function):
    names: dict = {}
    exec(gradgen.emit(function), names)
    ways = {"grad": gradgen.grad(function), "text": names[f"grad_{function.__name__}"]}
    for way, gradient in ways.items():
        want = numeric_gradient(function, FITTING, 0).value
        np.testing.assert_allclose(gradient(*FITTING), want, rtol=1e-6, err_msg=way)
        for name, shapes in WIDER.items():
            args = [np.full(shape, 0.7) for shape in shapes]
            with pytest.raises(ValueError):
                function(*args)
            with pytest.raises((ValueError, gradgen.GradgenError)):
                print(way, name, gradient(*args))


@pytest.mark.parametrize("change", ["z += y", "z[:] = y", "z[...] *= y"])
def test_told_shapes_without_room_are_refused(change, tmp_path, monkeypatch):
    lines = "import numpy as np", "def f(x, y):", "    z = np.exp(x)"
    text = "\n".join([*lines, f"    {change}", "    return np.sum(z)"])
    (tmp_path / "roomy.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, "roomy", raising=False)
    import roomy

    with pytest.raises(gradgen.GradgenError, match="GG401"):
        gradgen.emit(roomy.f, shapes={"x": "n,1", "y": "n,m"})


def test_what_surely_has_room_is_left_out():
    def scaled(x):
        z = np.exp(x)
        z -= np.max(x, axis=-1, keepdims=True)
        return np.sum(x)

    assert "exp" not in gradgen.emit(scaled)


@pytest.mark.parametrize("axis", [0, 1])
def test_the_last_axes_of_a_product_have_to_be_those_of_out(axis):
    def product(x, y):
        z = np.zeros((3, 3))
        np.matmul(x, y, out=z)
        return np.sum(z)

    names: dict = {}
    exec(gradgen.emit(product), names)
    args = [np.ones((3, 3)), np.ones((3, 3))]
    names["grad_product"](*args)
    args[axis] = np.ones([(1, 3), (3, 1)][axis])
    with pytest.raises(ValueError):
        product(*args)
    for gradient in (names["grad_product"], gradgen.grad(product)):
        with pytest.raises((ValueError, gradgen.GradgenError)):
            gradient(*args)
