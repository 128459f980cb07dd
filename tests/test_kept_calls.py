"""Calls that stay calls: recursion, and functions kept by --keep-calls."""

import inspect

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

rng = np.random.default_rng(7)
x = rng.normal(size=5)
w = rng.normal(size=5)
A = rng.normal(size=(4, 5))
B = rng.normal(size=(5, 3))

# name -> text, arguments, wrt, facts
RECURSIVE = {
    "a power by squaring": (
        """
        def f(x, n):
            if n == 0:
                return 1.0
            if n % 2:
                return x * f(x, n - 1)
            half = f(x, n // 2)
            return half * half
        """,
        (1.3, 11), "x", {"x": "", "n": ""},
    ),
    "a power of an array": (
        """
        def power(x, n):
            if n == 0:
                return np.ones_like(x)
            if n % 2:
                return x * power(x, n - 1)
            half = power(x, n // 2)
            return half * half


        def f(x, n):
            return np.sum(np.sin(power(x, n)))
        """,
        (x, 6), "x", {"x": "n"},
    ),
    "a polynomial by Horner": (
        """
        def f(c, z):
            if len(c) == 1:
                return c[0]
            return c[0] + z * f(c[1:], z)
        """,
        (x, 0.7), "c z", {"c": "n", "z": ""},
    ),
    "a sum over halves": (
        """
        def f(x):
            n = len(x)
            if n == 1:
                return x[0] ** 2
            m = n // 2
            return f(x[:m]) + np.sin(f(x[m:]))
        """,
        (x,), "x", {"x": "n"},
    ),
    "a dot product over halves": (
        """
        def f(x, w):
            if len(x) < 3:
                return np.sum(x * np.sin(w))
            m = len(x) // 2
            return f(x[:m], w[:m]) * f(x[m:], w[m:])
        """,
        (x, w), "x w", {"x": "n", "w": "n"},
    ),
    "a tree": (
        """
        def tree(x, depth):
            if depth <= 0:
                return np.sum(x * x)
            return tree(np.sin(x), depth - 1) + tree(np.cos(x), depth - 2) ** 2


        def f(x, depth):
            return tree(x, depth)
        """,
        (x, 4), "x", {"x": "n"},
    ),
    "an accumulator": (
        """
        def f(x, total, n):
            if n == 0:
                return total
            return f(np.sin(x), total + n * x, n - 1)
        """,
        (x, w, 4), "x total", {"x": "n", "total": "n"},
    ),
    "an accumulator that is copied and changed": (
        """
        def f(x, total, n):
            if n == 0:
                return total
            new = total.copy()
            new[n % 3] += np.sum(x ** n)
            more = f(x * 0.9, new, n - 1)
            return more * total
        """,
        (x, w, 4), "x total", {"x": "n", "total": "m"},
    ),
    "a continued fraction": (
        """
        def fraction(a, b, n, last):
            if n > last:
                return b
            return b + a * n / fraction(a, b, n + 1, last)


        def f(a, b, last):
            return fraction(a, b, 1, last)
        """,
        (1.2, 2.1, 6), "a b", {"a": "", "b": ""},
    ),
    "two that call each other": (
        """
        def even(x, n):
            return 1.0 if n == 0 else x * odd(x, n - 1)


        def odd(x, n):
            return x if n == 0 else np.sin(x) + even(x, n - 1)


        def f(x, n):
            return even(x, n) * odd(x, n + 1)
        """,
        (0.8, 7), "x", {"x": ""},
    ),
    "adaptive quadrature of a function": (
        """
        def bump(t, c):
            return np.exp(-c * t * t)


        def simpson(g, a, b, c, tolerance):
            m = (a + b) / 2
            left, right = (a + m) / 2, (m + b) / 2
            once = (b - a) / 6 * (g(a, c) + 4 * g(m, c) + g(b, c))
            first = (m - a) / 6 * (g(a, c) + 4 * g(left, c) + g(m, c))
            second = (b - m) / 6 * (g(m, c) + 4 * g(right, c) + g(b, c))
            if abs(first + second - once) < 15 * tolerance:
                return first + second + (first + second - once) / 15
            half = tolerance / 2
            return simpson(g, a, m, c, half) + simpson(g, m, b, c, half)


        def f(a, b, c):
            return simpson(bump, a, b, c, 1e-4)
        """,
        (-1.0, 2.0, 0.7), "a b c", {"a": "", "b": "", "c": ""},
    ),
    "an end that hangs on a value": (
        """
        def f(x):
            return np.sum(x) if x[0] > 1 else f(x * 1.5 + 0.1)
        """,
        (np.abs(x),), "x", {"x": "n"},
    ),
    "in a loop, with a change in place before": (
        """
        def g(v, n):
            if n == 0:
                return v * v
            return np.sin(g(v[::-1] * 0.9, n - 1))


        def f(x, n):
            y = x.copy()
            total = 0.0
            for i in range(n):
                y[i] = y[i] ** 2 + 1
                z = g(y, i)
                z[0] = 0.5 * z[0]
                total += np.sum(z * y)
            return total
        """,
        (x, 4), "x", {"x": "n"},
    ),
    "several results": (
        """
        def both(x, n):
            if n == 0:
                return x, 1.0
            a, b = both(np.sin(x), n - 1)
            return a * b, np.sum(a) + b


        def f(x, n):
            a, b = both(x, n)
            return np.sum(a) * b
        """,
        (x, 3), "x", {"x": "n"},
    ),
    "a matrix, one row less each time": (
        """
        def f(A):
            if A.shape[0] == 1:
                return np.sum(A ** 2)
            head, rest = A[0], A[1:]
            return f(rest - 0.1 * np.outer(rest[:, 0], head)) + np.sum(np.cos(head))
        """,
        (A,), "A", {"A": "n m"},
    ),
    "a while loop around": (
        """
        def g(x, n):
            return x if n < 1 else np.cos(g(x, n - 1))


        def f(x, n):
            k = 0
            y = x
            while np.sum(y * y) > 0.5 and k < n:
                y = 0.6 * g(y, k)
                k += 1
            return np.sum(y)
        """,
        (x, 3), "x", {"x": "n"},
    ),
}  # fmt: skip

KEPT = {
    "a layer twice": (
        """
        def layer(x, w):
            return np.tanh(x @ w)


        def f(x, w, v):
            h = layer(x, w)
            return np.sum(layer(h, v) ** 2)
        """,
        (A, B, rng.normal(size=(3, 2))), "w v", {"x": "n d", "w": "d h", "v": "h k"},
    ),
    "in a loop and in a branch": (
        """
        def step(y, dt):
            return y + dt * np.cos(y)


        def f(y, dt, n):
            for i in range(n):
                y = step(y, dt)
                if y[0] > 0.3:
                    y = step(y, 2 * dt)
            return np.sum(y ** 2)
        """,
        (x, 0.1, 5), "y dt", {"y": "n", "dt": ""},
    ),
    "constants among the arguments": (
        """
        def scaled(x, factor, name, shift=1.0):
            if name == "sin":
                return np.sin(factor * x) + shift
            return factor * x


        def f(x):
            return np.sum(scaled(x, 3, "sin") * scaled(x, 0.5, "plain"))
        """,
        (x,), "x", {"x": "n"},
    ),
    "keyword-only arguments": (
        """
        def g(x, *, scale, n=2):
            return scale * x ** n


        def f(x, s):
            return np.sum(g(x, scale=s) + g(x, scale=2.0, n=3))
        """,
        (x, 0.7), "x s", {"x": "n", "s": ""},
    ),
    "a tuple of results, one of them unread": (
        """
        def stats(x):
            mean = np.mean(x)
            return mean, np.mean((x - mean) ** 2), x - mean


        def f(x):
            mean, var, rest = stats(x)
            a, b, c = stats(np.sin(x))
            return mean * var + np.sum(c * x)
        """,
        (x,), "x", {"x": "n"},
    ),
    "a result that is its argument, changed afterwards": (
        """
        def same(x):
            return x * 1.0


        def f(x):
            y = same(x)
            z = np.exp(same(y))
            y[0] = 3 * y[1]
            z[1:] *= y[1:]
            y += z
            return np.sum(y * z)
        """,
        (x,), "x", {"x": "n"},
    ),
    "a value that the callback reads, changed afterwards": (
        """
        def squashed(x):
            y = np.tanh(x)
            return y


        def f(x):
            y = squashed(x)
            y *= 2
            y[0] = 1.0
            return np.sum(y ** 2)
        """,
        (x,), "x", {"x": "n"},
    ),
    "an argument that changes in every round": (
        """
        def g(v):
            return np.sum(v ** 3)


        def f(x):
            y = np.zeros_like(x)
            total = 0.0
            for i in range(len(x)):
                y[i] = np.sin(x[i])
                total = total + g(y)
            return total
        """,
        (x,), "x", {"x": "n"},
    ),
    "calls in calls": (
        """
        def inner(x, a):
            return np.sin(a * x)


        def outer(x, a):
            total = 0.0
            for k in range(3):
                total = total + inner(x, a * k) * inner(x, 1.0)
            return total


        def f(x, a):
            return np.sum(outer(outer(x, a), 0.5))
        """,
        (x, 0.4), "x a", {"x": "n", "a": ""},
    ),
    "the same variable twice": (
        """
        def g(a, b):
            return a * np.sin(b)


        def f(x):
            return np.sum(g(x, x) + g(x, 2.0))
        """,
        (x,), "x", {"x": "n"},
    ),
    "a call that carries no derivative": (
        """
        def g(a):
            return np.cos(a)


        def f(x, w):
            return np.sum(g(w) * x)
        """,
        (x, w), "x", {"x": "n", "w": "n"},
    ),
    "a function that changes its argument is written out": (
        """
        def fill(y, x):
            y[1:] = x[1:] ** 2


        def g(x):
            return np.sin(x)


        def f(x):
            y = x.copy()
            fill(y, x)
            return np.sum(g(y))
        """,
        (x,), "x", {"x": "n"},
    ),
    "a module's constant and another's loop": (
        """
        RATE = 0.3


        def g(x, n):
            for i in range(n):
                x = x - RATE * np.sin(x)
            return x


        def f(x, n):
            return np.sum(g(x, n) ** 2)
        """,
        (x, 3), "x", {"x": "n"},
    ),
    "an early end of a loop": (
        """
        def g(y):
            return 0.5 * (y + 2 / y)


        def f(y, n):
            for i in range(n):
                new = g(y)
                if abs(new - y) < 1e-3:
                    break
                y = new
            return y * new
        """,
        (5.0, 9), "y", {"y": ""},
    ),
    "calls in tests": (
        """
        def size(v):
            return np.sum(v * v)


        def shrink(v, by):
            return by * np.sin(v)


        def f(x, n):
            assert size(x) >= 0, "size"
            y = x
            k = 0
            while size(shrink(y, 0.9)) > 0.2 and k < n:
                y = shrink(y, 0.8) if size(y) > 1 else y * size(y) ** 0.1
                k += 1
            if k > 1 and (size(y) < 0.4 or not size(x) < 1):
                y = y + shrink(x, 2.0)
            elif size(x) > 9:
                return size(x)
            return size(y) + sum(size(shrink(y, j)) for j in range(3))
        """,
        (x, 6), "x", {"x": "n"},
    ),
    "a nested function and a lambda around": (
        """
        def g(x, s):
            return np.exp(-s * x * x)


        def f(x, s):
            def h(y):
                return g(y, s) + g(s, 2.0)
            return np.sum(h(x) * (lambda y: g(y, 0.5))(h(x)))
        """,
        (x, 0.7), "x s", {"x": "n", "s": ""},
    ),
    "lists of results": (
        """
        def g(x, k):
            return np.sin(x * k), np.sum(x)


        def f(x, n):
            rows, sums = [], []
            for k in range(n):
                a, b = g(x, k + 1)
                rows.append(a)
                sums.append(b * k)
            total = 0.0
            for row, s in zip(rows, sums):
                total += np.sum(row ** 2) * s
            return total + np.sum(np.array([g(row, 2)[1] for row in rows]))
        """,
        (x, 3), "x", {"x": "n"},
    ),
    "nested loops and a view": (
        """
        def blend(row, other, a):
            out = row.copy()
            out[1:] = a * row[:-1] + other[1:]
            return out


        def f(A, a):
            B = A.copy()
            for t in range(2):
                for i in range(1, len(A)):
                    B[i] = blend(B[i], B[i - 1], a)
                    if B[i, 0] > 0:
                        B[i, 1:] *= blend(A[i], B[i], 0.5)[1:]
            return np.sum(B * B)
        """,
        (A, 0.3), "A a", {"A": "n m", "a": ""},
    ),
    "a view of its argument as result": (
        """
        def part(v, n):
            return v[n:]


        def wave(v):
            return np.sin(part(v, 0))


        def f(x):
            y = wave(x)
            z = part(y, 2)
            w = part(x, 1)
            z[0] = 3.0
            return np.sum(z ** 2) * np.sum(w) * y[2]
        """,
        (x,), "x", {"x": "n"},
    ),
    "names that are taken": (
        """
        def g(x):
            return np.sin(x)


        def f(x):
            vjp_g = g(x)
            backprop_g = g(2 * vjp_g)
            return np.sum(vjp_g * backprop_g)
        """,
        (x,), "x", {"x": "n"},
    ),
}  # fmt: skip

CASES = {**RECURSIVE, **KEPT}
KNOWN = ["told", "not told"]


def by_turns():
    """Each program, with its facts or with none; the other way is a long test."""
    for turn, name in enumerate(CASES):
        for at, told in enumerate(KNOWN, turn):
            marks = pytest.mark.long if at % 2 else ()
            yield pytest.param(name, told, marks=marks)


def asked(name, tmp_path, told):
    """A program's function, arguments, wrt and options."""
    text, args, wrt, shapes = CASES[name]
    function = written(text, tmp_path, "primal_with_calls")
    options = {"keep_calls": name in KEPT}
    numbers = {k: "" for k, v in zip(inspect.signature(function).parameters, args)}
    numbers = {k: "" for k, v in zip(numbers, args) if isinstance(v, float)}
    options["shapes"] = shapes if told == "told" else numbers
    return function, args, tuple(wrt.split()), options


def copied(args):
    return tuple(a.copy() if isinstance(a, np.ndarray) else a for a in args)


def assert_alike(got, want, like):
    assert np.shape(got) == np.shape(like)
    error = np.max(np.abs(got - want), initial=0)
    assert error < 1e-7 * (1 + np.max(np.abs(want), initial=0))


@pytest.mark.parametrize("name, told", list(by_turns()))
def test_the_gradient_is_right_in_every_style(name, told, tmp_path):
    function, args, wrt, options = asked(name, tmp_path, told)
    names = list(inspect.signature(function).parameters)
    value = function(*copied(args))
    seed = rng.normal(size=np.shape(value)) if np.shape(value) else 0.7
    places = [names.index(one) for one in wrt]
    wants = [numeric_gradient(function, args, i, seed).value for i in places]

    given = copied(args)
    gots = gradgen.grad(function, wrt, **options)(*given, seed=seed)
    for got, want, i in zip(gots, wants, places, strict=True):
        assert_alike(got, want, args[i])
    for before, after in zip(args, given, strict=True):
        assert np.array_equal(before, after)

    same, gots = gradgen.value_and_grad(function, wrt, **options)(*args, seed=seed)
    assert np.array_equal(same, value)
    for got, want, i in zip(gots, wants, places, strict=True):
        assert_alike(got, want, args[i])

    same, pullback = gradgen.vjp(function, wrt, **options)(*args)
    assert np.array_equal(same, value)
    for factor in (2.0, 1.0):
        gots = pullback(factor * seed)
        for got, want, i in zip(gots, wants, places, strict=True):
            assert_alike(got, factor * want, args[i])
            if isinstance(got, np.ndarray):
                got[...] = np.nan  # the next call does not see it


@pytest.mark.parametrize("name", CASES)
def test_a_float32_argument_has_a_float32_gradient(name, tmp_path):
    function, args, wrt, options = asked(name, tmp_path, "told")
    names = list(inspect.signature(function).parameters)
    small = tuple(
        a.astype(np.float32) if isinstance(a, np.ndarray) else a for a in args
    )
    value = np.asarray(function(*copied(small)))
    seed = np.ones_like(value) if value.ndim else 1.0
    gots = gradgen.grad(function, wrt, **options)(*small, seed=seed)
    for got, one in zip(gots, wrt, strict=True):
        like = small[names.index(one)]
        if isinstance(like, np.ndarray):
            assert got.dtype == np.float32


@pytest.mark.parametrize("name", CASES)
def test_the_text_calls_functions_of_its_own(name, tmp_path):
    function, _, wrt, options = asked(name, tmp_path, "told")
    text = gradgen.emit(function, wrt, **options)
    assert text.count("def vjp_") >= 1
    assert "backprop" in text


REFUSED = {
    "no end": ("def f(x):\n    return f(x)", "it has no end"),
    "a change of an argument": (
        """
        def f(x, n):
            if n == 0:
                return np.sum(x)
            x[0] = 2 * x[0]
            return f(x, n - 1)
        """,
        "it changes its argument x",
    ),
    "a container": (
        """
        def f(x, n):
            return g((x, x), n)


        def g(pair, n):
            a, b = pair
            return np.sum(a * b) if n == 0 else g((b, a), n - 1)
        """,
        "it is given a container",
    ),
    "a number and an array in turn": (
        """
        def f(x, n):
            if n == 0:
                return np.sum(x)
            return f(np.sum(x), n - 1)
        """,
        "it is called with a number and an array in turn",
    ),
    "a list as result": (
        """
        def f(x, n):
            a, b = g(x, n)
            return np.sum(a * b)


        def g(x, n):
            if n == 0:
                return [x, x]
            a, b = g(x, n - 1)
            return [np.sin(a), b]
        """,
        "it returns a container",
    ),
    "a function inside another": (
        """
        def f(x, n):
            def g(y, k):
                return np.sum(y) if k == 0 else g(np.sin(y), k - 1)
            return g(x, n)
        """,
        "when it ends is not known",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_stay_a_call_is_refused(name, tmp_path):
    text, reason = REFUSED[name]
    function = written(text, tmp_path, "primal_that_is_refused")
    with pytest.raises(GradgenError) as caught:
        gradgen.emit(function, wrt="x", shapes={"x": "n"})
    assert caught.value.code == "GG250"
    assert "calls itself" in str(caught.value) and reason in str(caught.value)
    assert "GG111" not in str(caught.value)


def test_complex_arguments_are_refused(tmp_path):
    text = """
    def f(z, n):
        return np.abs(z) if n == 0 else f(z * z, n - 1)
    """
    function = written(text, tmp_path, "primal_of_complex")
    with pytest.raises(GradgenError, match="GG314 the call of f has complex") as caught:
        gradgen.emit(function, wrt="z", complex="z")
    assert "a loop" in str(caught.value)


def test_forward_mode_is_refused(tmp_path):
    function = asked("a power by squaring", tmp_path, "told")[0]
    with pytest.raises(GradgenError, match="GG315 no forward mode of f, which calls"):
        gradgen.jvp(function).source
    with pytest.raises(GradgenError, match="GG009 mode forward writes"):
        gradgen.emit(function, mode="forward", keep_calls=True)


def test_without_the_option_calls_are_written_out(tmp_path):
    function, _, wrt, options = asked("a layer twice", tmp_path, "told")
    assert "def vjp_" not in gradgen.emit(function, wrt, shapes=options["shapes"])


def test_the_text_of_a_recursive_gradient(tmp_path):
    function = asked("a power by squaring", tmp_path, "told")[0]
    text = gradgen.emit(function, style="callback", shapes={"x": "", "n": ""})
    assert text.partition('"""\n    if n')[2] == HAND[1:]


HAND = """
 == 0:
        out = 1.0
    else:
        test = n % 2
        if test:
            f_value, backprop_f = vjp_f(x, n - 1)
            out = x * f_value
        else:
            half, backprop_f = vjp_f(x, n // 2)
            out = half * half

    def backprop(d_out=1.0):
        # Grad of: if n == 0
        if n == 0:
            d_x = 0.0
        elif test:
            # Grad of: return x * f(x, n - 1)
            d_x = d_out * f_value + backprop_f(d_out * x)
        else:
            # Grad of: return half * half
            d_half = 2 * d_out * half
            # Grad of: half = f(x, n // 2)
            d_x = backprop_f(d_half)
        return d_x

    return out, backprop
"""


def test_a_layer_that_is_called_twice_reads_as_by_hand(tmp_path):
    function, _, wrt, options = asked("a layer twice", tmp_path, "told")
    text = gradgen.emit(function, wrt, **options)
    assert "    h, backprop_h = vjp_layer(x, w)\n" in text
    assert "    layer_value, backprop_layer = vjp_layer_2(h, v)\n" in text
    assert "    d_w = backprop_h(d_h)\n" in text


def test_the_text_is_refused_or_read_again(tmp_path):
    function, _, _, options = asked("a power by squaring", tmp_path, "told")
    text = gradgen.emit(function, **options).replace("import numpy as np\n", "")
    again = written(text, tmp_path, "gradient_that_calls_itself", "grad_f")
    with pytest.raises(GradgenError, match="GG501 the result of vjp_f is a function"):
        gradgen.emit(again, wrt="x", shapes={"x": "", "n": ""})
    function, args, wrt, options = asked("a layer twice", tmp_path, "told")
    text = gradgen.emit(function, "v", **options).replace("import numpy as np\n", "")
    again = written(text, tmp_path, "gradient_of_layers", "grad_f")

    def total(v):
        return np.sum(np.sin(again(args[0], args[1], v)))

    gradient = gradgen.grad(again, "v", shapes=options["shapes"] | {"d_out": ""})
    got = gradient(*args, seed=np.cos(again(*args)))
    want = numeric_gradient(total, args[2:], 0).value
    assert_alike(got, want, args[2])


def test_a_loop_may_keep_the_state_alone(tmp_path):
    function, args, wrt, options = asked("in a loop and in a branch", tmp_path, "told")
    gots = gradgen.grad(function, wrt, save="state", **options)(*args)
    for i, got in enumerate(gots):
        assert_alike(got, numeric_gradient(function, args, i).value, args[i])


def test_what_is_held_constant_is_so_in_functions_that_are_called(tmp_path):
    text = """
    def g(x):
        scale = np.sum(x)
        return scale * x


    def f(x):
        return np.sum(g(x) ** 2)
    """
    function = written(text, tmp_path, "primal_with_a_constant")
    kept = gradgen.grad(function, stop="scale", keep_calls=True)
    plain = gradgen.grad(function, stop="scale")
    assert "def vjp_g" in kept.source
    assert np.allclose(kept(x), plain(x), rtol=1e-12)
    assert np.allclose(kept(x), 2 * np.sum(x) ** 2 * x, rtol=1e-12)
    with pytest.raises(GradgenError, match="GG008"):
        gradgen.grad(function, stop="nothing", keep_calls=True).source


def test_the_header_says_how_to_make_it_again(tmp_path):
    function, _, wrt, options = asked("a layer twice", tmp_path, "told")
    text = gradgen.emit(function, wrt, **options)
    assert "--wrt w,v --keep-calls" in text


def halved(x):
    if len(x) <= 1:
        return np.sum(x) ** 2
    half = len(x) // 2
    return halved(x[:half]) * 1.5 + halved(x[half:])


def halved_pair(x):
    if len(x) <= 1:
        return np.array([np.sum(x) ** 2, x[0]])
    half = len(x) // 2
    return halved_pair(x[:half]) * 1.5 + halved_pair(x[half:])


def powers(x, n=3):
    return x if n == 0 else x * powers(x * 1.1, n - 1)


def of_powers(x):
    return powers(x, 2) * x[0]


@pytest.mark.parametrize("function", (halved, halved_pair, powers, of_powers))
def test_the_jacobian_of_a_recursive_function(function):
    x = np.array([0.5, 0.2, 0.9, 1.3])
    units = np.eye(4) * 1e-5
    columns = [(function(x + e) - function(x - e)) / 2e-5 for e in units]
    want = np.moveaxis(np.array(columns), 0, -1)
    got = gradgen.jacobian(function)(x)
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-8)
    text = gradgen.emit(function, mode="jacobian")
    space: dict = {}
    exec(text, space)
    alone = space[f"jacobian_{function.__name__}"](x)
    np.testing.assert_allclose(alone, want, rtol=1e-7, atol=1e-8)


def test_what_a_kept_function_is_given_is_written_out_in_it():
    def mean_times(x, axis):
        return np.mean(x, axis=axis, keepdims=True) * x

    z, seed = rng.normal(size=(2, 3)), np.ones((2, 3))
    for axis in ((0, 1), (1,)):
        kept = gradgen.grad(mean_times, keep_calls=True)(z, axis, seed=seed)
        plain = gradgen.grad(mean_times)(z, axis, seed=seed)
        np.testing.assert_allclose(kept, plain, rtol=1e-12)


def test_one_of_several_adjoints_of_a_callback_in_a_loop(tmp_path):
    text = """
        @np.vectorize
        def one(a, b=2.0):
            if a > 0:
                return a * b
            return a ** 2

        def f(x, b):
            return np.sum(one(x, b))
        """
    function = written(text, tmp_path)
    z = np.array([1.0, -2.0, 3.0])
    found = gradgen.grad(function, wrt="x", keep_calls=True)(z, 1.5)
    np.testing.assert_allclose(found, [1.5, -4.0, 1.5], rtol=1e-12)
    np.testing.assert_allclose(
        gradgen.grad(function, wrt="b", keep_calls=True)(z, 1.5), 4.0, rtol=1e-12
    )


def test_keywords_in_another_order_than_the_parameters(tmp_path):
    text = """
        def h(x, y):
            z = np.sin(x) * y
            return (z**2 + x) / (1 + y**2)

        def rec(x, y, n):
            if n == 0:
                return x * y
            return rec(y=x * 0.5, x=y + x, n=n - 1)

        def f(x, w):
            return np.sum(h(y=x, x=w)) + np.sum(rec(y=x, x=w, n=30))
        """
    function = written(text, tmp_path)
    z, v = np.array([0.3, 0.5, -0.2]), np.array([0.5, -1.0, 0.2])
    for keep in (False, True):
        found = gradgen.grad(function, wrt=("x", "w"), keep_calls=keep)(z, v)
        for at in (0, 1):
            want = numeric_gradient(function, [z, v], at).value
            np.testing.assert_allclose(found[at], want, rtol=1e-6, atol=1e-8)


def test_kept_functions_take_no_matrix_for_symmetric(tmp_path):
    text = """
        def energy(S):
            return np.sum(np.linalg.eigvalsh(S) ** 3)

        def rec(S, n):
            if n == 0:
                return energy(S)
            return rec(0.5 * S, n - 1) + 1

        def f(x):
            return energy(np.tril(x)) * 2 + energy(x * x.T[::-1]) + rec(np.tril(x), 3)
        """
    function = written(text, tmp_path)
    A = np.random.default_rng(0).normal(size=(3, 3))
    want = numeric_gradient(function, [A], 0).value
    for keep in (False, True):
        found = gradgen.grad(function, keep_calls=keep)(A)
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-7)


def test_kinks_of_kept_functions_may_cancel(tmp_path):
    text = """
        def relu(v):
            return np.maximum(v, 0)

        def f(x):
            return relu(x) - relu(-x)
        """
    function = written(text, tmp_path)
    x = np.array([0.0, 1.0, -1.0])
    for keep in (False, True):
        found = gradgen.grad(function, keep_calls=keep)(x, seed=np.ones(3))
        np.testing.assert_array_equal(found, np.ones(3))
