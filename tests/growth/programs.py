"""Programs of any size: one generator for each shape that long code has.

A generator takes a size and returns the text of a module with a function `f`. What a
size counts (statements, terms, loops in loops) is what the generator's name says.
"""

from __future__ import annotations

from collections.abc import Callable

Generator = Callable[[int], str]


def function(lines: list[str], parameters: str = "x, y", head: str = "") -> str:
    body = "\n".join(f"    {line}" for line in lines)
    return f"import numpy as np\n\n\n{head}def f({parameters}):\n{body}\n"


def chain(n: int) -> str:
    """Each statement reads the two before it."""
    lines = ["v0 = x * y", "v1 = x + y"]
    lines += [f"v{i} = np.tanh(v{i - 1}) * v{i - 2} + y" for i in range(2, n)]
    return function([*lines, f"return np.sum(v{n - 1})"])


def reassigned(n: int) -> str:
    """One name, assigned again and again."""
    words = ["v = np.sin(v) * y + x", "v = v / (1 + v * v)", "v = v - 0.5 * x"]
    lines = [words[i % 3] for i in range(n)]
    return function(["v = x * y", *lines, "return np.sum(v)"])


def residual(n: int) -> str:
    """A network whose layers add to what they are given."""
    lines = ["h = np.tanh(W @ h) + h" for _ in range(n)]
    return function([*lines, "return np.sum(h * h)"], "h, W")


def gradient_steps(n: int) -> str:
    """A matrix that is corrected by outer products."""
    lines = ["W = W - 0.1 * np.outer(W @ h - b, h)" for _ in range(n)]
    return function([*lines, "return np.sum(W * W)"], "W, h, b")


def layers(n: int) -> str:
    """A network with weights of its own for each layer."""
    lines = [f"h = np.maximum(h @ W{i} + b{i}, 0)" for i in range(n)]
    names = ", ".join(f"W{i}, b{i}" for i in range(n))
    return function([*lines, "return np.sum(h * h)"], f"h, {names}")


def matrices(n: int) -> str:
    """Products of matrices in a row."""
    lines = [f"M = M @ {'AB'[i % 2]}" for i in range(n)]
    return function(["M = A @ B", *lines, "return np.sum(M)"], "A, B")


def wide_sum(n: int) -> str:
    """One sum of products of different waves."""
    terms = (f"np.sin(x * {i + 1}) * y" for i in range(n))
    return function([f"return np.sum({' + '.join(terms)})"])


def plain_sum(n: int) -> str:
    """One sum whose terms are products."""
    terms = (f"x * {i + 1}.5" if i % 2 else f"y * x * {i}.25" for i in range(n))
    return function([f"return np.sum({' + '.join(terms)})"])


def sum_of_numbers(n: int) -> str:
    """One sum of an argument with itself: its adjoint is a sum of numbers."""
    terms = " + ".join("x" if i % 3 else "y" for i in range(n))
    return function([f"return np.sum({terms} * y)"])


def squares(n: int) -> str:
    """Helpers whose argument, an expression, is read twice."""
    text = "x * y"
    for _ in range(n):
        text = f"square({text} + 1)"
    head = "def square(a):\n    return a * a / (1 + a * a)\n\n\n"
    return function([f"return np.sum({text})"], head=head)


def wide_product(n: int) -> str:
    """One product of many factors."""
    factors = (f"(x + {i + 1})" for i in range(n))
    return function([f"return np.sum({' * '.join(factors)} * y)"])


def totals(n: int) -> str:
    """A sum that grows statement by statement."""
    lines = [f"total = total + np.sum(np.cos(x * {i + 1}) * y)" for i in range(n)]
    return function(["total = 0.0", *lines, "return total"])


def polynomial(n: int) -> str:
    """A polynomial, its powers written out."""
    terms = (f"{i + 1} * x**{i}" for i in range(1, n))
    return function([f"return np.sum({' + '.join(terms)} + y)"])


def horner(n: int) -> str:
    """A polynomial in brackets in brackets."""
    text = "y"
    for i in range(n):
        text = f"({text}) * x + {i + 1}"
    return function([f"return np.sum({text})"])


def calls_in_calls(n: int) -> str:
    """np.sin(np.cos(np.sin(...)))."""
    text = "x * y"
    for i in range(n):
        text = f"np.{'sin' if i % 2 else 'cos'}({text})"
    return function([f"return np.sum({text})"])


def loop_body(n: int) -> str:
    """A loop with a long body."""
    lines = ["    v0 = x * y"]
    lines += [f"    v{i} = np.sin(v{i - 1}) * y + x" for i in range(1, n)]
    lines = ["for k in range(3):", *lines, f"    x = x + 0.1 * v{n - 1}"]
    return function([*lines, "return np.sum(x)"])


def loop_nest(n: int) -> str:
    """Loops in loops, a statement in each."""
    lines = []
    for i in range(n):
        lines += ["    " * i + f"for i{i} in range(2):"]
        lines += ["    " * (i + 1) + f"x = np.sin(x) * y + {i}"]
    return function([*lines, "return np.sum(x)"])


def bare_nest(n: int) -> str:
    """Loops in loops, entries stored in the innermost."""
    lines = ["    " * i + f"for i{i} in range(2):" for i in range(n)]
    lines += ["    " * n + "s = s + x[i0] * y[i0]"]
    return function(["s = 0.0", *lines, "return s"])


def loops(n: int) -> str:
    """Loops one behind the other."""
    lines = []
    for i in range(n):
        lines += [f"for k in range({i % 3 + 2}):", "    x = x + 0.1 * np.sin(x * y)"]
    return function([*lines, "return np.sum(x)"])


def whiles(n: int) -> str:
    """Loops with a test, one behind the other."""
    lines = []
    for i in range(n):
        lines += [f"k{i} = 0", f"while k{i} < 3:"]
        lines += ["    x = np.tanh(x) * y", f"    k{i} = k{i} + 1"]
    return function([*lines, "return np.sum(x)"])


def branches(n: int) -> str:
    """Branches one behind the other, on data."""
    lines = []
    for i in range(n):
        lines += [f"if np.sum(x) > {i}:", "    x = np.sin(x) * y"]
        lines += ["else:", "    x = x + y"] if i % 2 else []
    return function([*lines, "return np.sum(x)"])


def branch_nest(n: int) -> str:
    """Branches in branches."""
    lines = []
    for i in range(n):
        lines += ["    " * i + f"if np.sum(x) > {i}:"]
        lines += ["    " * (i + 1) + "x = np.sin(x) * y"]
    for i in reversed(range(n)):
        lines += ["    " * i + "else:", "    " * (i + 1) + "x = x * x"]
    return function([*lines, "return np.sum(x)"])


def elifs(n: int) -> str:
    """One choice among many."""
    lines = []
    for i in range(n):
        lines += [f"{'elif' if i else 'if'} k == {i}:", f"    z = np.sin(x * {i + 1})"]
    return function([*lines, "else:", "    z = x", "return np.sum(z * y)"], "x, y, k")


def early_returns(n: int) -> str:
    """A function that returns at many places."""
    lines = []
    for i in range(n):
        lines += [f"if k == {i}:", f"    return np.sum(np.sin(x * {i + 1}) * y)"]
    return function([*lines, "return np.sum(x * y)"], "x, y, k")


def masks(n: int) -> str:
    """Entries chosen with np.where again and again."""
    lines = [f"v = np.where(v > {i}, np.sin(v) * y, v + x)" for i in range(n)]
    return function(["v = x * y", *lines, "return np.sum(v)"])


def wheres_in_wheres(n: int) -> str:
    """np.where in np.where."""
    text = "x"
    for i in range(n):
        text = f"np.where(x > {i}, x * y * {i + 1}, {text})"
    return function([f"return np.sum({text})"])


def clips(n: int) -> str:
    """Clips, maxima and minima in a row."""
    words = ["np.clip(v * y, -5, 5)", "np.maximum(v, 0.1 * x)", "np.minimum(v + x, 9)"]
    lines = [f"v = {words[i % 3]}" for i in range(n)]
    return function(["v = x * y", *lines, "return np.sum(v)"])


def stores(n: int) -> str:
    """Entries stored one by one."""
    lines = [f"z[{i}] = np.sin(x[{i}]) * y[{i}]" for i in range(n)]
    lines = ["z = np.zeros(2000)", *lines]
    return function([*lines, "return np.sum(z * z)"])


def sums_in_place(n: int) -> str:
    """One array that is added to."""
    words = ["z += np.sin(x)", "z *= y", "z[1:] += x[1:] * y[1:]", "z -= x * z"]
    lines = [words[i % 4] for i in range(n)]
    return function(["z = x * y", *lines, "return np.sum(z)"])


def reads(n: int) -> str:
    """Entries of one array, read one by one."""
    lines = [f"s = s + x[{i}] * y[{i + 1}]" for i in range(n)]
    return function(["s = 0.0", *lines, "return s * s"])


def appended(n: int) -> str:
    """A list that grows statement by statement."""
    lines = [f"parts.append(np.sin(x) * {i + 1})" for i in range(n)]
    lines = ["parts = []", *lines]
    return function([*lines, "return np.sum(np.stack(parts)) + np.sum(y)"])


def long_list(n: int) -> str:
    """A list display and its parts joined."""
    parts = ", ".join(f"x * {i + 1}" for i in range(n))
    lines = [f"z = np.concatenate([{parts}])", "return np.sum(z * z) + np.sum(y)"]
    return function(lines)


def helpers(n: int) -> str:
    """Calls of one helper."""
    lines = [f"v = helper(v, y, {i}.5)" for i in range(n)]
    head = "def helper(a, b, c):\n    t = np.tanh(a * b)\n    return t * c + a\n\n\n"
    return function(["v = x", *lines, "return np.sum(v)"], head=head)


def helpers_in_helpers(n: int) -> str:
    """Functions that call functions."""
    head = "def g0(a):\n    return np.sin(a)\n\n\n"
    for i in range(1, n):
        head += f"def g{i}(a):\n    return g{i - 1}(a * 2) + a\n\n\n"
    return function([f"return np.sum(g{n - 1}(x) * y)"], head=head)


def sums(n: int) -> str:
    """Means, sums and norms of what came before."""
    words = ["v - np.mean(v, axis=0)", "v / np.sqrt(np.sum(v * v) + 1)", "v * y + x"]
    lines = [f"v = {words[i % 3]}" for i in range(n)]
    return function(["v = x * y", *lines, "return np.sum(v)"])


def quotients(n: int) -> str:
    """Quotients whose divisors have been computed."""
    lines = [f"v = np.exp(-v) / (1 + v * v / (y * y + {i + 1}))" for i in range(n)]
    return function(["v = x * y", *lines, "return np.sum(v)"])


def conditionals(n: int) -> str:
    """a if test else b, in a row."""
    lines = [f"v = v * y if k > {i} else np.sin(v)" for i in range(n)]
    return function(["v = x", *lines, "return np.sum(v)"], "x, y, k")


def parameters(n: int) -> str:
    """A function with many parameters, each used once."""
    names = [f"p{i}" for i in range(n)]
    lines = ["v = x"] + [f"v = np.sin(v) * {name}" for name in names]
    return function([*lines, "return np.sum(v)"], ", ".join(["x", *names]))


def shared(n: int) -> str:
    """Values that many later statements read."""
    lines = ["a = np.sin(x) * y", "b = np.exp(a)"]
    lines += [f"c{i} = a * b + {i}" for i in range(n)]
    total = " + ".join(f"np.sum(c{i} * a)" for i in range(min(n, 20)))
    lines += ["s = " + total]
    lines += [f"s = s + np.sum(c{i} * b)" for i in range(n)]
    return function([*lines, "return s"])


def mixed(n: int) -> str:
    """Statements of many kinds in turn."""
    words = [
        ["v = np.tanh(v) * y + x"],
        ["m = np.mean(v)", "v = v - m"],
        ["for k in range(3):", "    v = v + 0.1 * np.sin(v)"],
        ["if np.sum(v) > 0:", "    v = v * 2", "else:", "    v = v / 3"],
        ["v = np.where(v > 0, v, 0.1 * v)"],
        ["z = v.copy()", "z[1:] = v[:-1] * y[1:]", "v = z + x"],
    ]
    lines = [line for i in range(n) for line in words[i % len(words)]]
    return function(["v = x * y", *lines, "return np.sum(v)"])


def entry_sums(n: int) -> str:
    """A sum over entries, a statement for each: many shapes in one, where none is told."""
    lines = [f"v = v + x[{i}] * np.exp(-y[{i}])" for i in range(n)]
    return function(["v = 0.0", *lines, "return np.sum(v)"])


def columns(n: int) -> str:
    """A loop over rows that stores their entries one by one."""
    lines = [f"    A[k, {i}] = np.sin(x[k]) * {i} + A[k, {i - 1}]" for i in range(1, n)]
    head = [f"A = np.zeros((4, {n}))", "for k in range(4):", "    A[k, 0] = y[k]"]
    return function([*head, *lines, "return np.sum(A * A)"])


# A shape: its generator, the sizes of the quick test, and how far it has to go.
SHAPES: dict[str, tuple[Generator, int, int]] = {
    "chain": (chain, 20, 5000),
    "reassigned": (reassigned, 24, 2000),
    "residual": (residual, 20, 1000),
    "gradient steps": (gradient_steps, 16, 500),
    "layers": (layers, 15, 300),
    "matrices": (matrices, 20, 1000),
    "wide sum": (wide_sum, 20, 2000),
    "plain sum": (plain_sum, 20, 2000),
    "sum of numbers": (sum_of_numbers, 20, 2000),
    "squares": (squares, 12, 90),
    "wide product": (wide_product, 24, 200),
    "totals": (totals, 16, 1000),
    "polynomial": (polynomial, 12, 100),
    "horner": (horner, 12, 90),
    "calls in calls": (calls_in_calls, 20, 150),
    "loop body": (loop_body, 16, 500),
    "loop nest": (loop_nest, 3, 8),
    "bare nest": (bare_nest, 3, 8),
    "loops": (loops, 6, 100),
    "whiles": (whiles, 6, 100),
    "branches": (branches, 8, 100),
    "branch nest": (branch_nest, 3, 6),
    "elifs": (elifs, 12, 60),
    "early returns": (early_returns, 10, 60),
    "masks": (masks, 16, 500),
    "wheres in wheres": (wheres_in_wheres, 12, 60),
    "clips": (clips, 18, 500),
    "stores": (stores, 16, 500),
    "sums in place": (sums_in_place, 16, 500),
    "reads": (reads, 16, 1000),
    "appended": (appended, 14, 500),
    "long list": (long_list, 14, 500),
    "helpers": (helpers, 12, 200),
    "helpers in helpers": (helpers_in_helpers, 12, 100),
    "sums": (sums, 18, 500),
    "quotients": (quotients, 12, 500),
    "conditionals": (conditionals, 12, 200),
    "parameters": (parameters, 16, 300),
    "shared": (shared, 16, 500),
    "mixed": (mixed, 12, 300),
    "entry sums": (entry_sums, 12, 300),
    "columns": (columns, 12, 200),
}
