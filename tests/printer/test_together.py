"""What people write in one line is one line: swaps, a, b = x, y, and zeros."""

import ast

import gast
import numpy as np
import pytest

import gradgen
from gradgen.ir.nodes import Note, Role
from gradgen.printer.together import together
from gradgen.verify.finite import numeric_gradient


def wave(u, p, n):
    for _ in range(n):
        u, p = 2 * np.sin(u) - p, u
    return np.sum(u * p)


def turned(u, v, n):
    for _ in range(n):
        u, v = u * np.cos(v), v * np.sin(u)
    return np.sum(u + v)


def parted(u, p, n):
    for i in range(n):
        left, right = u * p[i], np.tanh(u)
        u = left * right
    return np.sum(u)


def counted(u, p, n):
    a, b = p[0], p[1]
    for _ in range(n):
        b, u = b * a, u + b * a
    return np.sum(u) * b


def rates(a, b):
    return a * b, a - b * b


def stepped(u, p, n):
    for _ in range(n):
        du, dp = rates(u, p)
        eu, ep = rates(u + 0.1 * du, p + 0.1 * dp)
        u, p = u + 0.1 * eu, p + 0.1 * ep
    return np.sum(u * p)


@pytest.mark.parametrize(
    ("primal", "line"),
    [
        (wave, "u, p = 2 * np.sin(u) - p, u"),
        (turned, "u, v = u * np.cos(v), v * np.sin(u)"),
        (parted, "left, right = u * p[i], np.tanh(u)"),
        (counted, "a, b = p[0], p[1]"),
        (stepped, "a_in, b_in = u + 0.1 * du, p + 0.1 * dp"),
    ],
)
def test_lines_of_several_names(primal, line):
    u, p = np.array([0.3, 0.7, 1.1]), np.array([0.6, 0.9, 0.4])
    second = primal.__code__.co_varnames[1]
    told = {"u": "n", second: "n", "n": "int"}
    text = gradgen.emit(primal, wrt=["u", second], shapes=told)
    assert line in text
    namespace = {}
    exec(text, namespace)
    found = namespace[f"grad_{primal.__name__}"](u, p, 2)
    for at, one in enumerate(found):
        truth = numeric_gradient(lambda *a: primal(*a, 2), [u, p], at, np.float64(1))
        np.testing.assert_allclose(one, truth.value, rtol=1e-7)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("c = a + b\na, b = c, a", "a, b = a + b, a"),
        ("c = a\nd = b\na, b = d, c", "a, b = b, a"),
        # read once more, or twice in the swap, or not next to it
        ("c = f(a)\na, b = c, c", "c = f(a)\na, b = c, c"),
        ("c = f(a)\na, b = c, a\nd = c", "c = f(a)\na, b = c, a\nd = c"),
        ("c = f(a)\na = g(b)\na, b = c, a", "c = f(a)\na = g(b)\na, b = c, a"),
        ("c = f(a)\na = g(c)\na, b = c, a", "c = f(a)\na = g(c)\na, b = c, a"),
        ("c = f(a)\nb += c\na, b = b, a", "c = f(a)\nb += c\na, b = b, a"),
    ],
)
def test_what_a_swap_alone_reads_is_written_in_it(before, after):
    parsed = gast.parse(
        "def h(a, b):\n" + "\n".join("    " + line for line in before.split("\n"))
    )
    together(parsed.body[0])
    written = gast.unparse(parsed.body[0]).strip().split("\n")[1:]
    expected = after.split("\n")
    assert [line.strip().replace("(", "").replace(")", "") for line in written] == [
        line.replace("(", "").replace(")", "") for line in expected
    ]


def garch(w, a, b, r):
    s, loss = w, 0.0
    for t in range(len(r)):
        loss = loss + np.log(s) + r[t] ** 2 / s
        s = w + a * r[t] ** 2 + b * s
    return loss


def test_zeros_are_one_line_in_the_order_of_the_parameters():
    told = {"w": "", "a": "", "b": "", "r": "n"}
    text = gradgen.emit(garch, wrt=["w", "a", "b"], shapes=told)
    assert "d_s = d_w = d_a = d_b = 0.0" in text


def decay(x, a, n):
    y = np.zeros(n)
    y[0] = x[0]
    for t in range(1, n):
        y[t] = a * y[t - 1] + (1 - a) * x[t] ** 2
    return np.sum(y**2)


def test_numbers_start_before_arrays():
    told = {"x": "n", "a": "", "n": "int"}
    text = gradgen.emit(decay, wrt=["x", "a"], shapes=told)
    assert text.index("d_a = 0.0") < text.index("d_x = np.zeros_like(x)")


@pytest.mark.parametrize(
    "line", ["t = xs.pop()", "t = np.add(x, 1, out=x)", "t = f(ys.pop())"]
)
def test_what_changes_something_is_not_moved_into_a_swap(line):
    """The other values of the swap would be read before the change."""
    text = f"def f(x, xs, ys):\n    {line}\n    a, b = xs[-1], t\n    return a, b"
    (function,) = gast.parse(text).body
    together(function)
    assert gast.unparse(function).split("\n")[1].strip() == line


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("x_before = x; p_before = p; x = F @ x", "x_before, p_before = x, p"),
        (
            "a_before = a; b_before = b; c_before = c",
            "a_before, b_before, c_before = a, b, c",
        ),
        ("x_before = x; x_before_before = x_before", "x_before = x\n"),
        ("x_before = x; y = x; p_before = p", "x_before = x\n"),
        ("before = x; p_before = p", "before = x\n"),
    ],
)
def test_what_a_round_keeps_of_several_names(body, after):
    tree = gast.parse(f"def f(n):\n    for i in n:\n        {body}").body[0]
    for node in gast.walk(tree):
        if isinstance(node, gast.Assign):
            node.origin = Note(Role.FORWARD)
    together(tree)
    text = ast.unparse(ast.fix_missing_locations(gast.gast_to_ast(tree)))
    assert after in text.replace("(x, p)", "x, p").replace("(a, b, c)", "a, b, c")
