"""Lists that a program fills, reads, stores into, shortens and joins."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written
from tests.refusals import refusal

X = np.array([0.7, 1.2, 0.4, 0.9])
PROGRAMS = {
    "put_into_and_deleted": """
    hs = [x]
    for i in range(n):
        hs.insert(1, hs[-1] * x)
        hs.append(np.sin(hs[0]))
        del hs[0]
    del hs[1:2]
    return np.sum(hs[0]*hs[-1]) + np.sum(sum(hs))
""",
    "stores": """
    hs = [x]
    for i in range(n):
        hs.append(np.sin(hs[-1]))
    hs[-1] = hs[-1]*2
    hs[0] = x**2
    return np.sum(hs[0]*hs[-1]*hs[1])
""",
    "filled_by_index": """
    hs = [None]*n
    for i in range(n):
        hs[i] = np.sin(x*i)
    return np.sum(np.array(hs))
""",
    "sum_of_a_list": """
    hs = [0.0]*n
    for i in range(n):
        hs[i] = x[i]**2
    return sum(hs)
""",
    "pop_and_slices": """
    hs = []
    for i in range(n):
        hs.append(x*i)
    last = hs.pop()
    return np.sum(np.array(hs[:-1])) + np.sum(last) + len(hs)*np.sum(hs[1:][0])
""",
    "rows_of_rows": """
    rows = []
    for i in range(n):
        row = []
        for j in range(n):
            row.append(x[i]*x[j])
        rows.append(row)
    return np.sum(np.array(rows)) + rows[1][0]
""",
    "rows_by_comprehension": """
    rows = []
    for i in range(n):
        rows.append([x[i]*x[j] for j in range(n)])
    return np.sum(np.array(rows)) + rows[1][0]
""",
    "sums_of_generators": """
    hs = [x[i]**2 for i in range(n)]
    return sum(h for h in hs if h > 0.5) + sum([h*g for h, g in zip(hs, reversed(hs))])
""",
    "rebound_in_a_loop": """
    hs = [x]
    for i in range(n):
        hs.append(hs[-1] + np.sin(hs[0]))
        hs = hs[1:]
    return np.sum(hs[0])
""",
    "popped_to_the_end": """
    hs = [x[i]**2 for i in range(n)]
    t = 0.0
    while len(hs) > 0:
        t = t*0.5 + hs.pop()
    return t
""",
    "popped_and_stored": """
    hs = [x[i]**2 for i in range(n)]
    t = 0.0
    for i in range(3):
        a = hs.pop()
        b = hs.pop(0) if i == 1 else a
        t = t*0.5 + a*b
        hs.append(a*x[0])
        hs[0] = hs[0]*b
    return t*hs[0]*hs[-1]
""",
    "copies_and_aliases": """
    hs = []
    for i in range(n):
        hs.append(x*i)
    keep = hs
    other = hs[:]
    hs[1] = hs[1]*x
    other[0] = x**3
    old = hs.copy()
    hs.pop()
    keep.append(np.sin(x))
    return np.sum(np.array(hs)*np.array(keep)) + np.sum(np.array(other)**2) + np.sum(np.array(old)**2)
""",
    "concatenated": """
    hs = [x[i]**2 for i in range(n)]
    gs = [x[i]*2 for i in range(n)]
    fs = hs + gs + [x[0]]
    hs += gs
    hs.extend(fs[1:3])
    gs += [x[1]]
    return np.mean(hs)*np.dot(fs, fs) + np.max(gs)
""",
    "a_stack": """
    stack = [x[0]]
    t = 0.0
    i = 0
    while len(stack) > 0 and i < 6:
        v = stack.pop()
        t = t + v**2
        i += 1
        if i < n:
            stack.append(v*x[i])
            stack.append(v+x[i])
    return t
""",
    "a_table": """
    memo = [0.0]*(n+1)
    memo[0] = x[0]
    memo[1] = x[1]
    for i in range(2, n+1):
        memo[i] = memo[i-1]*memo[i-2] + x[i-1]
    return memo[n]
""",
    "filled_backwards": """
    out = [None]*n
    for i in range(n-1, -1, -1):
        out[i] = np.sin(x*i) if i == n-1 else out[i+1]*x
    return np.sum(np.stack(out, axis=0))
""",
    "two_kept": """
    buf = [x, x*2]
    for i in range(n):
        buf = [buf[1], buf[0]*buf[1]]
    return np.sum(buf[0]+buf[1])
""",
    "a_queue": """
    q = [x*i for i in range(n)]
    for i in range(n):
        q.append(q.pop(0)*x)
    return np.sum(np.array(q[::2])) + np.sum(q[-2])
""",
    "longer_after_it_was_read": """
    hs=[]
    for i in range(n):
        hs.append(np.sin(x*(i+1)))
    y = np.sum(hs[0])
    hs.append(x)
    return y * len(hs)
""",
    "longer_in_a_loop": """
    hs=[]
    for i in range(n):
        hs.append(np.sin(x*(i+1)))
    y = np.sum(hs[0])
    for i in range(n):
        hs.append(x)
        y *= len(hs)
    return y
""",
    "longer_after_a_loop": """
    hs=[]
    y = 0.0
    for i in range(n):
        hs.append(np.sin(x*(i+1)))
        y += np.sum(hs[0]*hs[-1])
    hs.append(x)
    return y*len(hs)
""",
    "entries_that_take_a_sum": """
    hs = [0.0] * n
    for i in range(n):
        hs[i] += i * 1.5
        hs[i] -= 2
    for i, h in enumerate(hs):
        hs[i] = h * x[i]
    return np.dot(hs, hs) + max(1.0, 2.0)
""",
    "reversed_in_place": """
    hs = [x[i] ** 2 for i in range(n)]
    other = hs
    hs.reverse()
    first, *rest = other
    *most, last = rest
    return first * 3 + len(most) * last + sum(rest, first)
""",
    "slices_of_rows": """
    rows = []
    for i in range(n):
        rows.append([x[i] * x[j] for j in range(n)])
    part = rows[1:]
    part = part[:1] + [[x[0], x[1]]] + part[2:]
    return part[1][0] * part[1][1] + rows[1][2] * len(part)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("facts", [{}, {"x": "n"}])
def test_gradients_through_lists(tmp_path, name, facts):
    if name == "entries_that_take_a_sum" and not facts:
        facts = {"x": "n"}
    f = written(f"def f(x, n):{PROGRAMS[name]}", tmp_path)
    want = numeric_gradient(f, (X, 4), 0).value
    value, got = gradgen.value_and_grad(f, shapes=facts)(X, 4)
    assert np.array_equal(value, f(X, 4))
    np.testing.assert_allclose(got, want, 1e-7, 1e-9)
    _, pullback = gradgen.vjp(f, shapes=facts)(X, 4)
    for _ in range(2):
        np.testing.assert_allclose(pullback(), want, 1e-7, 1e-9)
    state = gradgen.grad(f, shapes=facts, save="state")(X, 4)
    np.testing.assert_allclose(state, want, 1e-7, 1e-9)


def test_the_text_changes_lists_as_the_program_does(tmp_path):
    f = written(f"def f(x, n):{PROGRAMS['popped_and_stored']}", tmp_path)
    text = gradgen.emit(f, shapes={"x": "n"})
    for line in ("hs.pop()", "hs.append(a * x[0])", "hs[0] = "):
        assert line in text


REFUSED = {
    "x[0] in hs[i]": ("hs[i][0] = x[0]", "GG231", "hs[i].copy()"),
    "insert": ("hs.insert(n - 1, x)", "GG241", "a place that is a constant"),
    "tuples": ("hs.append((x, x))", "GG248", "a list for each of its parts"),
    "arrays": ("a = hs[0]\n    hs[i] += x", "GG231", "hs[i] = hs[i] + ..."),
    "times": ("hs = hs * 2", "GG241", "[x for _ in range(n)]"),
    "plus": ("hs = hs + 1.0", "GG214", "np.array(x) + y"),
    "del": ("del hs[::2]", "GG113", "x[:i] + x[i + 1 :]"),
    "a part's truth": ("while hs[1:]:\n        hs.pop()", "GG310", "len(x) > 0"),
    "an alias": ("a = hs[0]\n    a[0] = 1.0", "GG231", "hs[i].copy()"),
    "in place": ("gs = [hs[0]]\n    hs[0] *= 2", "GG231", "hs[i] = hs[i] + ..."),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(tmp_path, name):
    line, code, words = REFUSED[name]
    text = f"""
def f(x, n):
    hs = []
    for i in range(n):
        hs.append(x * i)
    {line}
    return np.sum(np.array(hs))
"""
    error = refusal(written(text, tmp_path), shapes={"x": "m"})
    assert error.code.startswith(code) and words in str(error)


REWRITES = [
    "row = hs[1].copy()\n    row[0] = x[0]\n    hs[1] = row",
    "hs = [x] + hs",
    "hs[1] = hs[1] + x",
    "hs = hs[:1] + hs[2:]",
    "while len(hs) > 2:\n        x = x * hs.pop()",
    "hs[0] = [x for _ in range(n)][1]",
    "gs = [x] * n\n    hs[0] = gs[1]",
]


@pytest.mark.parametrize("lines", REWRITES)
def test_the_rewrites_that_the_refusals_name(tmp_path, lines):
    text = f"""
def f(x, n):
    hs = []
    for i in range(n):
        hs.append(x * i)
    {lines}
    return np.sum(np.array(hs) ** 2 * x)
"""
    f = written(text, tmp_path)
    got = gradgen.grad(f, shapes={"x": "m"})(X, 4)
    np.testing.assert_allclose(got, numeric_gradient(f, (X, 4), 0).value, 1e-7)


def stored_parts(x):
    past = []
    for i in range(len(x)):
        past.append(np.sin(x[i]) * i)
    past[1:] = [a * b for a, b in zip(past[1:], past)]
    past[:1] = [x[0] * past[-1]]
    rows = list(np.array(past) ** 2)
    return sum(rows) + past[-1]


def listed_rows(x):
    rows = list(np.outer(x, x))
    rows[0] = rows[1] * 2
    rows[1:3] = [r * r for r in rows[:2]]
    rows[:] = rows[1:]
    return np.sum(np.array(rows)) + np.sum(rows[0] * rows[-1])


@pytest.mark.parametrize("function", [stored_parts, listed_rows])
@pytest.mark.parametrize("shapes", [{}, {"x": "n"}])
def test_parts_of_lists_are_stored_and_arrays_listed(function, shapes):
    x = np.array([0.4, -0.7, 1.1, 0.6])
    found = gradgen.grad(function, shapes=shapes)(x)
    want = numeric_gradient(function, [x], 0, 1.0).value
    np.testing.assert_allclose(found, want, rtol=1e-8, atol=1e-9)


# whether x[i] += y of arrays that only the list holds is another entry
BUMPS = {
    "nothing else": ("hs.append(i * np.sin(x))", "", True),
    "a call's result": ("hs.append(made(x))", "", True),
    "a name before": ("y = i * np.sin(x)\n        hs.append(y)", "", False),
    "a name after": ("hs.append(np.sin(x))", "p = hs[1]", False),
    "a tuple before": ("hs.append(t[0])", "", False),
    "a tuple after": ("hs.append(np.sin(x))", "p = (hs[0], hs[1])", False),
    "another list": ("hs.append(np.sin(x))\n        gs.append(hs[i])", "", False),
}


@pytest.mark.parametrize("name", BUMPS)
def test_entries_that_grow(tmp_path, name):
    inside, after, accepted = BUMPS[name]
    text = f"""
def f(x, n):
    def made(v):
        u = np.cos(v)
        return u

    hs, gs, t = [], [], (np.sin(x), 2.0)
    for i in range(n):
        {inside}
    {after}
    hs[1] += 0.2 * hs[0]
    hs[1] *= x
    return np.sum(np.array(hs) ** 2) + np.sum(t[0])
"""
    f = written(text, tmp_path)
    x = np.array([0.3, -0.8])
    if not accepted:
        assert refusal(f, shapes={"x": "m", "n": ""}).code == "GG231"
        assert refusal(f).code == "GG231"
        return
    want = numeric_gradient(f, (x, 3), 0).value
    for shapes in ({"x": "m", "n": ""}, {}):
        got = gradgen.grad(f, shapes=shapes)(x, 3)
        assert np.allclose(got, want, rtol=1e-9, atol=1e-12)


def returns_of(rewards, values):
    ext = values + [0.0]
    total = 0.0
    for i in range(len(rewards)):
        total = total + rewards[i] + 0.9 * ext[i + 1] - ext[i]
    return total


def test_lists_that_mean_nothing_as_arrays_are_lists():
    args = [0.1, 0.5], [0.2, 0.4]
    want = [-1, -0.1]
    np.testing.assert_allclose(gradgen.grad(returns_of, "values")(*args), want)
    told = {"rewards": ["", ""], "values": ["", ""]}
    found = gradgen.grad(returns_of, "values", shapes=told)(*args)
    np.testing.assert_allclose(found, want)


def test_a_text_with_nothing_told_does_not_compare_bare_lists(tmp_path):
    f = written(
        """
        def f(m1, m2):
            hi, lo = np.maximum(m1, m2), np.minimum(m1, m2)
            return (lo / hi) ** 1.89
        """,
        tmp_path,
    )
    names: dict = {}
    exec(gradgen.emit(f, wrt=("m1", "m2")), names)
    lists = [70.0, 30.0, 5.0], [1.0, 20.0, 6.0]
    found = names["grad_f"](*lists, np.ones(3))
    for k in (0, 1):
        arrays = [np.array(one) for one in lists]
        true = numeric_gradient(f, arrays, k, np.ones(3)).value
        np.testing.assert_allclose(found[k], true, rtol=1e-6)
