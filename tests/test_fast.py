"""Texts with fast=True: right to rounding, and they write into what they made alone."""

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.cli.command import gradgen as command


def softmax(x, w):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    p = e / np.sum(e, axis=1, keepdims=True)
    return np.mean((p - w) ** 2) + np.sum(p * w)


def normed(x, w):
    y = x / np.linalg.norm(x, axis=1, keepdims=True)
    return np.sum(np.einsum("ij,kj->ik", y, w) ** 3) + np.linalg.norm(y + w)


def held(x, w):
    kept, y = [], np.sin(x)
    for _ in range(3):
        kept.append(y)
        y = np.tanh(y * 0.5 + w)
        part = y[1:]
        y = y * 2
        y[:1] = 0.1
    return np.sum(kept[1] * kept[2]) + np.sum(part**4) + np.sum(y)


def returned(x, w):
    y = np.exp(x * 0.1)
    z = y * y
    return z - y * w


def powered(x, w):
    r = np.sum((x[:, None] - w[None]) ** 2, axis=-1) + 1
    return np.sum(r**-1.5 + r**-3 - r**6 / 1e6) + np.mean(r**2.5)


def branched(x, w):
    y = x * 2
    alias = y
    if np.sum(w) > 0:
        y = y - np.mean(y, axis=0)
        y = np.sqrt(y * y + 1)
    else:
        y = np.outer(x[:, 0], w[0])
    return np.sum(y * w) + np.sum(alias)


def read_again(x, w):
    y = np.sin(x)
    z = (y - y[:1]) * 2 + np.mean(y)
    u = np.cos(w)
    v = np.exp(u - np.sum(u, axis=1, keepdims=True)) + u[:, :1]
    return np.sum(z) + np.sum(v)


FORMS = (read_again, softmax, normed, held, returned, powered, branched)


def arguments(n, m, dtype=np.float64):
    rng = np.random.default_rng([n, m])
    return [rng.uniform(0.2, 1.5, (n, m)).astype(dtype) for _ in "xw"]


@pytest.mark.parametrize("function", FORMS, ids=lambda f: f.__name__)
def test_value_and_gradient_are_those_of_the_function(function):
    told = {"x": "n m", "w": "n m"}
    for shapes in (told, {}):
        both = gradgen.value_and_grad(
            function, wrt=("x", "w"), shapes=shapes, fast=True
        )
        for n, m in ((4, 3), (2, 1)):
            args = arguments(n, m)
            seed = np.ones(np.shape(function(*args))) if function is returned else 1.0
            value, found = both(*args, seed=seed)
            assert np.allclose(value, function(*arguments(n, m)), 1e-12, 1e-13)
            for at, gradient in enumerate(found):
                want = numeric_gradient(function, arguments(n, m), at, seed).value
                assert gradient.shape == want.shape
                scale = np.max(np.abs(want))
                assert np.max(np.abs(gradient - want)) <= 1e-6 * scale + 1e-9
            again = both(*args, seed=seed)
            assert all(map(np.array_equal, args, arguments(n, m)))
            assert all(map(np.array_equal, again[1], found))
            memory = [value, *found, *args]
            pairs = [(a, b) for i, a in enumerate(memory) for b in memory[:i]]
            assert not any(np.shares_memory(a, b) for a, b in pairs)
    narrow = arguments(4, 3, np.float32)
    seed = np.ones((4, 3), np.float32) if function is returned else 1.0
    value, found = both(*narrow, seed=seed)
    assert np.asarray(value).dtype == np.asarray(function(*narrow)).dtype
    assert [one.dtype for one in found] == [np.float32] * 2


@pytest.mark.parametrize("function", FORMS, ids=lambda f: f.__name__)
def test_a_pullback_may_be_called_twice(function):
    args = arguments(4, 3)
    value, pullback = gradgen.vjp(function, wrt=("x", "w"), fast=True)(*args)
    seed, kept = np.ones(np.shape(value)), np.copy(value)
    first = pullback(seed)
    wanted = [np.copy(one) for one in first]
    for one in first:
        one[...] = np.nan
    assert all(map(np.array_equal, pullback(seed), wanted))
    assert np.array_equal(value, kept)


def mixed(x, w):
    y = np.exp(x)
    y = y + w
    return np.sum(y * y)


def scaled(x, w):
    y = np.tanh(x)
    y = y * np.mean(w) + 1
    return np.sum(w) + np.sum(y)


def widened(x, w):
    y = x * 1.0
    for _ in range(2):
        y = y + w
    return np.sum(y**3)


@pytest.mark.parametrize("function", [mixed, scaled, widened])
def test_arrays_of_two_dtypes_are_not_narrowed(function):
    told = {"x": "n m", "w": "n m"}
    both = gradgen.value_and_grad(function, wrt="w", shapes=told, fast=True).function
    x, w = arguments(4, 3)
    value, _ = both(x.astype(np.float32), w)
    wanted = function(x.astype(np.float32), w)
    assert value.dtype == wanted.dtype == np.float64
    assert np.allclose(value, wanted, 1e-13)


@pytest.mark.parametrize("n, m", [(0, 3), (3, 0), (1, 1)])
def test_axes_of_no_entry_and_of_one(n, m):
    def f(x, w):
        y = np.exp(x - w)
        return np.sum(y * y) + np.sum(np.sum(y * w, axis=1) ** 2)

    x, w = arguments(n, m)
    told = {"x": "n m", "w": "n m"}
    value, gradient = gradgen.value_and_grad(f, shapes=told, fast=True)(x, w)
    assert np.isclose(value, f(x, w))
    want = (
        2
        * np.exp(x - w)
        * (np.exp(x - w) + w * np.sum(np.exp(x - w) * w, axis=1, keepdims=True))
    )
    assert gradient.shape == want.shape and np.allclose(gradient, want)


def deeper(x, n):
    if n == 0:
        return x * 2
    return np.sin(deeper(x * x, n - 1)) * x


def doubled(x):
    return x * np.sin(x) * 2


def handed_on(x, w):
    y = np.cos(x)
    z = deeper(y, 3)
    y = np.exp(y)
    return np.sum(z) + np.sum(y * 3)


def kept_calls(x, w):
    y = np.exp(x)
    z = doubled(y)
    y = y + 1
    return np.sum(z * z) + np.sum(y)


@pytest.mark.parametrize("function", [handed_on, kept_calls])
def test_what_a_callback_reads_later_stays(function):
    args = [np.array([0.3, 0.4, 0.5]), np.ones(3)]
    for shapes in ({"x": "n", "w": "n"}, {}):
        told = {"shapes": shapes, "keep_calls": True, "fast": True}
        value, found = gradgen.value_and_grad(function, **told)(*args)
        want = numeric_gradient(function, args, 0, 1.0).value
        assert np.isclose(value, function(*args)) and np.allclose(found, want, 1e-7)


def of_complex(z, k):
    y = np.exp(1j * z)
    y = y * z
    return np.sum(np.abs(y) ** 2) + np.real(np.sum(y * y * k))


def of_integers(z, k):
    y = z * k
    return np.sum(y * y) + np.sum(k * k) + np.mean(k) + np.sum(k**3 * z)


def of_masks(z, k):
    m = z > 0.5
    return np.sum(m * m) + np.sum(m * z) + np.mean(m) * np.sum(z**3)


@pytest.mark.parametrize("function", [of_complex, of_integers, of_masks])
def test_other_sorts_of_numbers(function):
    z, k = np.array([0.3, 1.2, 0.9]), np.array([2, 3, 100], np.int8)
    value, gradient = gradgen.value_and_grad(function, fast=True)(z, k)
    assert np.isclose(value, function(z, k))
    want = numeric_gradient(lambda z: function(z, k), [z], 0, 1.0).value
    assert np.allclose(gradient, want, 1e-6)


def test_a_value_is_not_taken_for_the_next_one_while_it_is_read():
    def f(x):
        y = np.exp(x)
        z = y * 2
        return np.sum(z), np.sum(y), y, z

    text = gradgen.emit(f, shapes={"x": "n"}, fast=True, value=True)
    assert "out=y" not in text and "z *=" not in text
    x = np.arange(3.0)
    ones = (1.0, 1.0, np.ones(3), np.ones(3))
    value, _ = gradgen.value_and_grad(f, shapes={"x": "n"}, fast=True)(x, seed=ones)
    assert np.allclose(value[2] * 2, value[3]) and np.allclose(value[2], np.exp(x))


def test_the_text_says_so_and_the_header_makes_it_again(tmp_path):
    source = (
        "import numpy as np\n\n\ndef f(x):\n    return np.sum(np.exp(x) * x) ** 2\n"
    )
    (tmp_path / "mine.py").write_text(source)
    plain = command("emit", "mine.f", "--shape", "x=n", cwd=tmp_path)
    fast = command("emit", "mine.f", "--shape", "x=n", "--fast", cwd=tmp_path)
    assert "Fast" not in plain.out and "vdot" not in plain.out
    assert "(x_exp @ x)" in fast.out and "out=x_exp)" in fast.out
    assert "    Fast (--fast): the value of f but for rounding.\n" in fast.out
    assert "# Regenerate: gradgen emit mine.f --fast --shape x=n\n" in fast.out
    (tmp_path / "made.py").write_text(fast.out)
    assert command("check", "made.py", cwd=tmp_path).code == 0
    entry = '[[tool.gradgen.emit]]\nfunction = "mine.f"\nout = "made.py"\n'
    entry += 'fast = true\nshape = {x = "n"}\n'
    (tmp_path / "pyproject.toml").write_text(entry)
    assert command("build", "--check", cwd=tmp_path).code == 0


@pytest.mark.parametrize("library", ["jax", "torch", "cupy"])
def test_other_libraries_are_refused(library):
    with pytest.raises(GradgenError, match="GG009"):
        gradgen.emit(mixed, fast=True, target=library)


def of_an_arm(x, v, k, c):
    """What an arm has given is subtracted from what a line has made."""
    s0 = np.sum(v) / (1 + v @ v)
    s0 += c
    c1 = 1.0 * (1 + (np.max(x, axis=1, keepdims=True) ** 2 + 1) / np.sum(k))
    c1 += k
    s3 = 1.0 * (-0.5 * v @ v / s0**2)
    s3 += s0
    if s3 > 0.0137:
        s4 = -0.5 * v @ v / s3**2
    else:
        s4 = np.log(np.sum(np.exp(v - np.max(v)))) + np.max(v)
    return np.sum(s4) + np.sum(c1 * (c * c + 1))


@pytest.mark.parametrize("length", [1, 3])
@pytest.mark.parametrize("make", [gradgen.grad, gradgen.value_and_grad])
def test_two_arrays_have_two_names(make, length):
    rng = np.random.default_rng(length)
    wrt = ("x", "v", "k", "c")
    derivative = make(of_an_arm, wrt=wrt, fast=True)
    for c in (-1.3, 0.7):
        args = [rng.uniform(0.3, 1.7, (length, 2)), rng.uniform(0.3, 1.7, length)]
        args += [rng.uniform(0.3, 1.7, (length, 1)), np.array(c)]
        found = derivative(*args)
        found = found[1] if make is gradgen.value_and_grad else found
        for i, one in enumerate(found):
            want = numeric_gradient(of_an_arm, args, i).value
            np.testing.assert_allclose(one, want, rtol=1e-5, atol=1e-7)


def of_a_diagonal(x, w):
    """Rounds that keep a vector whose outer product's diagonal is read."""
    a, c = np.sin(x), x * w
    other = a + x
    b = a * a + np.max(other, axis=0)
    for _ in range(2):
        u = np.outer(np.diag(a.T @ (other - b[::-1])), np.mean(c * b, axis=0))
        a = 0.3 * np.tanh(c @ u) + 0.1 * x
    return a * other


@pytest.mark.parametrize("wrt", ("x", "w"))
def test_what_loops_keep_is_read_as_a_diagonal(wrt):
    rng = np.random.default_rng(3)
    args = rng.normal(size=(4, 4)), np.ones(4)
    seed = rng.uniform(0.3, 1.7, (4, 4))
    _, pullback = gradgen.vjp(of_a_diagonal, wrt=wrt, fast=True)(*args)
    places = "xw".index(wrt)
    want = numeric_gradient(lambda *a: np.sum(of_a_diagonal(*a) * seed), args, places)
    np.testing.assert_allclose(pullback(seed), want.value, rtol=1e-5, atol=1e-7)
