"""What is read before a loop goes on, and changed by its body: refused, or right."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported
from tests.refusals import refusal

X = np.array([0.7, 1.2, -0.4, 0.9])
HEAD = """
import itertools
import numpy as np

def doubled(v):
    for i in range(3):
        v[i] *= 2.0
        yield v[i]

"""
LOCAL = """
def f(x):
    y = x * 1.0
    s = 0.5
    def g(v):
        y[3] = v * y[0]
        return v * y[3]
    def half(v):
        nonlocal s
        s = s * 0.5
        return v * s
"""
# where the source is changed in the body: all of them copy, or keep what they read
COPIES = """
for v in list(y): <change>; s = s + v**2
for v in tuple(y): s = s + v**2; <change>
for i, v in enumerate(list(y)): s = s + v**2 * i; <change>
for a, b in zip(list(y), y): s = s + a * b; <change>
for a, b in zip(y, (1.0, 2.0, 3.0, 4.0)): s = s + a * b; <change>
for a, b in list(zip(y, y[::-1])): s = s + a * b; <change>
for v in reversed(list(y)): s = s + v**2; <change>
for a, b in itertools.product(y, y): s = s + a * b; <change>
for a, k, b in itertools.product(y, range(2), y): s = s + a * b * k; <change>
for a, b in itertools.combinations(y, 2): s = s + a * b; <change>
for a, b in itertools.permutations(y, 2): s = s + a * b**2; <change>
for a, b in itertools.combinations_with_replacement(y, 2): s = s + a * b; <change>
for a, b in itertools.pairwise(y): s = s + a * b; <change>
for v in itertools.chain(y, y): s = s + v**2; <change>
for v in itertools.chain([s], y): s = s + v**2; <change>
for v in itertools.accumulate(y): s = s + v**2; <change>
for v in itertools.accumulate(y, initial=1.0): s = s + v**2; <change>
for v, c in zip(range(7), itertools.cycle(y)): s = s + c * v; <change>
""".strip().splitlines()
CHANGES = ["y[3] = s", "y *= 0.9", "y[1:] *= 0.8", "g(s)"]
# a function is called earlier, more or less often than Python does
EFFECTS = """
s = s + sum([g(a) * b for a, b in itertools.product(y, y)])
s = s + sum(a * b * g(s) for a, b in itertools.combinations(y, 2))
s = s + sum([g(a) * b for a, b in itertools.pairwise(y)])
s = s + sum([g(v) for v in list(y)]) * y[3]
for v in itertools.accumulate(y, lambda a, b: g(a) + b): s = s + v * y[3]
for v in itertools.chain(y, map(g, y)): s = s + v * y[3]
for v in itertools.chain(y, [g(v) for v in (1.0, 2.0)]): s = s + v
for v in list(map(half, y)): s = s * 0.5 + v
for v in map(np.sum, [x * 1.0, y]): y *= v; s = s + v
for v in itertools.islice(map(g, y), 2): s = s + v * y[3]
for v in filter(half, (1.0, 2.0)): s = s + v
for v in itertools.starmap(lambda a, b: a * b * s, [(x[0], 2.0), (x[1], 3.0)]): s += v
if any(half(v) > 0.1 for v in (1.0, 2.0, 3.0)): s = s * 2
if all(half(v) > 0.1 for v in x): s = s * 2
if any(v > 0 for v in doubled(y)): s = s + y[1]
if any(map(half, (1.0, 2.0, 3.0))): s = s * 2
if any((w := v) > 0 for v in x): s = s + w
if all((w := v) > 0.1 for v in (x[0], x[1], x[2], x[3])): s = s + w
s = s * next((w := v) * 2 for v in (x[0], x[1])) + w
s = s * next(half(v) for v in (1.0, 2.0, 3.0)) + s
s = s * next((v for v in (1.0, 2.0, 3.0) if half(v) > 0.1), 1.0) + s
""".strip().splitlines()
# what is read as the loop goes on, or at once, as Python does
RIGHT = """
for v in y: s = s + v**2; y[3] = s
for a, b in zip(y, y[::-1]): s = s + a * b; y[3] = s
for v in reversed(y): s = s + v**2; y[0] = s
for v in sorted(y): s = s + v**2; y[3] = s
for v in itertools.islice(y, 1, 4): s = s + v**2; y[3] = s
for v in list(y): y = y * v; s = s + v
for v in itertools.chain([s], y): s = s + v**2
for a, b in itertools.product(y, y): s = s + a * b * y[0]
for v in map(lambda v: v * s, y): s = s + v; y[3] = s
for k, v in list(dict(a=x[0], b=s).items()): s = s + v * y[3]; y[3] = s
s = s + sum([half(v) for v in (1.0, 2.0, 3.0)]) * s
if any([half(v) > 0.1 for v in (1.0, 2.0)]): s = s * 2
s = s + any(v > 0.1 for v in y) + next(v * 2 for v in (s, 2.0))
for p in itertools.product(y, repeat=0): s = s + len(p) + y[0]
for p in itertools.combinations(y, 0): s = s + len(p) + y[0]
s = s + len(list(itertools.permutations(y, 0))) * y[0]
""".strip().splitlines()
MATRIX = """
for a, b in itertools.product(m, m): s = s + np.sum(a * b); m[1] = m[1] * 0.9
for a in list(m): s = s + np.sum(a * a); m[1] = m[1] * 0.9
for a, b in itertools.combinations(m, 2): s = s + np.sum(a * b); m[1] *= 0.9
""".strip().splitlines()


def program(line: str):
    head, colon, rest = line.partition(": ")
    loop = head.startswith(("for", "if")) and "lambda" not in head
    if line.startswith("for") and "lambda" in line:
        head, colon, rest = line.rpartition("): ")
        head, loop = head + ")", True
    lines = [line]
    if loop:
        lines = [f"{head}:", *(f"    {one}" for one in rest.split("; "))]
    body = "".join(f"    {one}\n" for one in lines)
    return imported(HEAD + LOCAL + body + "    return s + y[3] * 0.1\n", "f")


def check(f, x=X):
    got, want = gradgen.grad(f)(x.copy()), numeric_gradient(f, [x], 0).value
    assert got.shape == want.shape and got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("line", COPIES)
def test_a_loop_that_changes_what_was_read_first_is_refused(line, change):
    f = program(line.replace("<change>", change))
    assert refusal(f, shapes={"x": "n"}).code == "GG268"
    assert refusal(f).code in ("GG268", "GG233", "GG220")


@pytest.mark.parametrize("line", COPIES)
def test_a_loop_that_does_not_change_it_is_right(line):
    check(program(line.replace("<change>", "s = s * 0.5")))


@pytest.mark.parametrize("line", EFFECTS)
def test_functions_that_are_called_at_another_time_are_refused(line):
    f = program(line)
    assert refusal(f, shapes={"x": "n"}).code in ("GG268", "GG243")
    assert refusal(f).code in ("GG268", "GG243", "GG220")


@pytest.mark.parametrize("line", RIGHT)
def test_what_is_read_when_python_reads_it_is_right(line):
    check(program(line))


@pytest.mark.parametrize("line", MATRIX)
def test_rows_are_views(line):
    line = line.replace("for", "m = x.reshape(2, 2) * 1.0\nfor")
    first, _, rest = line.partition("\n")
    head, _, body = rest.partition(": ")
    lines = [first, f"{head}:", *(f"    {one}" for one in body.split("; "))]
    text = "".join(f"    {one}\n" for one in lines)
    check(imported(HEAD + LOCAL + text + "    return s\n", "f"))


@pytest.mark.parametrize(
    "over", ["combinations(x, 5)", "permutations(x, 6)", "product(x, x, x, repeat=2)"]
)
def test_more_loops_inside_each_other_than_four_are_refused(over):
    line = f"for p in itertools.{over}: s = s + p[0]"
    assert refusal(program(line)).code == "GG242"


EMPTY = """
s = s + sum(itertools.accumulate(y[:0])) * y[1]
s = s + sum([v * 2 for v in itertools.accumulate(y[:n], lambda a, b: a * b)]) * y[1]
for v in itertools.accumulate(y[4:]): s = s + v
s = s + len(list(itertools.accumulate(y[:0], initial=1.0))) * y[0]
""".strip().splitlines()


@pytest.mark.parametrize("line", EMPTY)
def test_accumulate_of_nothing_is_nothing(line):
    check(program(line.replace("[:n]", "[: len(x) - 4]")))


REDUCED = """
itertools.accumulate(y, initial=0.5)
itertools.accumulate(y)
itertools.chain(y, y)
itertools.islice(y, 3)
map(np.sin, y)
(v * 2 for v in y)
reversed(y)
""".strip().splitlines()
STEPS = ["y[2] = a", "y[1] *= 2.0"]


def reduction(over: str, step: str):
    text = f"    def step(a, b):\n        {step}\n        return a * 0.5 + b\n"
    text += f"    return functools.reduce(step, {over})\n"
    head = "import functools\n" + HEAD
    return imported(f"{head}\ndef f(x):\n    y = x * 1.0\n{text}", "f")


@pytest.mark.parametrize("over", REDUCED)
@pytest.mark.parametrize("step", STEPS)
def test_reduce_with_a_function_that_changes_what_comes_later_is_refused(over, step):
    assert refusal(reduction(over, step)).code in ("GG268", "GG220")


@pytest.mark.parametrize("over", [*REDUCED, "y"])
def test_reduce_with_a_function_that_changes_nothing_is_right(over):
    check(reduction(over, "pass"))


@pytest.mark.parametrize("step", STEPS)
def test_reduce_of_an_array_sees_each_change(step):
    check(reduction("y", step))


GOES_OVER = [
    "itertools.chain.from_iterable([y, y])",
    "itertools.chain.from_iterable((y, 2 * y))",
    "itertools.chain.from_iterable(rows)",
    "itertools.chain.from_iterable(np.outer(y, y)[:2])",
    "itertools.chain.from_iterable(m)",
    "itertools.chain.from_iterable({'a': y, 'b': y}.values())",
    "(v for v in itertools.chain.from_iterable([y, y]))",
]


@pytest.mark.parametrize("over", GOES_OVER)
@pytest.mark.parametrize("target", ["y[0]", "y[2]", "m[1, 0]"])
def test_rows_that_the_loop_changes(over, target):
    text = (
        "    y = x * 1.0\n    m = np.outer(x, x)\n    rows = [y, y]\n    s = 0.0\n"
        f"    for v in {over}:\n        s = s + v**2\n        {target} += s\n"
    )
    end = "    return s * y[0] + m[1, 0]\n"
    f = imported(HEAD + "def f(x):\n" + text + end, "f")
    x = np.array([0.3, 0.5, 0.4])
    want = numeric_gradient(f, [x], 0).value
    try:
        value, found = gradgen.value_and_grad(f)(x)
    except gradgen.GradgenError as refusal:
        held = ("m" if "m" in target else "y") in over or "rows" in over
        assert held and refusal.code in ("GG268", "GG220", "GG243", "GG249")
        return
    assert np.allclose(value, f(x)) and np.allclose(found, want, rtol=1e-6)
