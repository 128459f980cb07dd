"""An array or a list that changes while a container holds it, from round to round."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported
from tests.refusals import refusal

X, Y = np.array([0.7, 1.2, 0.4]), np.array([0.5, 0.9, 1.1])
HEAD = """
def step(v, x):
    v[:] = 0.5 * v + x
    return v

def kept(items, v):
    items.append(v)

"""
# each holds HELD, which is an array that changes in place: refused, and right with
# a copy of it
HOLDING = {
    "plus_equals": """
    for i in range(3):
        v += x
        out.append(HELD)
""",
    "before_the_change": """
    for i in range(3):
        out.append(HELD)
        v += x
""",
    "slice_and_list_plus": """
    for i in range(3):
        v[:] = v + x
        out += [HELD]
""",
    "entry": """
    for i in range(3):
        v[i % 2] = x[0] * y[i]
        out = out + [HELD]
""",
    "out_of_a_ufunc": """
    for i in range(3):
        np.multiply(v, 0.5, out=v)
        out.append(HELD)
""",
    "third_argument": """
    for i in range(3):
        np.add(v, x, v)
        out.extend([HELD])
""",
    "in_a_branch": """
    for i in range(3):
        if i > 0:
            v -= x
        out.append(HELD)
""",
    "in_an_inner_loop": """
    for i in range(3):
        for j in range(2):
            v += j * x
        out.append(HELD)
""",
    "by_index": """
    out = [None] * 3
    for i in range(3):
        v *= y
        out[i] = HELD
""",
    "by_a_helper": """
    for i in range(3):
        v += x
        kept(out, HELD)
""",
    "other_name": """
    u = v
    for i in range(3):
        u += x
        out.append(HELD)
""",
    "other_name_of_the_list": """
    other = out
    for i in range(3):
        v += x
        other.append(HELD)
""",
    "while_loop": """
    i = 0
    while i < 3:
        v += x
        out.append(HELD)
        i += 1
""",
    "copied_into": """
    for i in range(3):
        np.copyto(v, v + x)
        out.append(HELD)
""",
    "added_at": """
    for i in range(3):
        np.add.at(v, [0, 0], x[:2])
        out.append(HELD)
""",
    "list_in_a_dict": """
    d = {"h": out}
    for i in range(3):
        v += x
        d["h"].append(HELD)
""",
    "by_a_conditional": """
    for i in range(3):
        v += x
        out.append(HELD if i > 0 else y)
""",
    "made_in_the_round": """
    u = np.ones_like(x)
    for i in range(3):
        u[0] += x[1]
        v = v + u
        w = v
        w[:] = w * y
        out.append(HELD)
        v[1] = x[0]
""",
}
FORMS = ["v", "v[:]", "v.T", "v.reshape(-1)", "np.asarray(v)", "step(v, x)"]
from tests.frontend.writing import written


def program(body: str, held: str):
    text = "    v = np.zeros_like(x)\n    out = []\n" + body.strip("\n")
    ends = "\n    return sum(np.sum(o * y) for o in out) + np.sum(v)\n"
    text = text.replace("HELD", held)
    source = f"import numpy as np\n{HEAD}\ndef f(x, y):\n{text}{ends}"
    return imported(source, "f")


def check(f, shapes):
    got = gradgen.grad(f, wrt=("x", "y"), shapes=shapes)(X.copy(), Y.copy())
    for i, gradient in enumerate(got):
        want = numeric_gradient(f, [X, Y], i).value
        assert gradient.shape == want.shape and gradient.dtype == want.dtype
        np.testing.assert_allclose(gradient, want, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("facts", ["n", None])
@pytest.mark.parametrize("name", HOLDING)
def test_an_array_in_a_list_that_changes_is_refused_and_its_copy_is_right(name, facts):
    shapes = {"x": "n", "y": "n"} if facts else {}
    error = refusal(program(HOLDING[name], "v"), shapes=shapes)
    assert error.code in ("GG220", "GG233")
    assert "copy()" in str(error) or "--shape" in str(error)
    check(program(HOLDING[name], "v.copy()"), shapes)


@pytest.mark.parametrize("held", FORMS)
@pytest.mark.parametrize("name", ["plus_equals", "slice_and_list_plus", "by_index"])
def test_views_of_it_are_refused_as_well(name, held):
    f = program(HOLDING[name], held)
    assert refusal(f, shapes={"x": "n", "y": "n"}).code == "GG220"


RIGHT = {
    "rebound": "for i in range(3):\n    v = v + x\n    out.append(v)",
    "rebound_and_stored": (
        "for i in range(3):\n    v = v + x\n    v[0] = y[i]\n    out.append(v)"
    ),
    "made_in_the_round": (
        "for i in range(3):\n    u = x * y\n    u[1:] += x[1:]\n    out.append(u)"
    ),
    "copied_on": (
        "for i in range(3):\n    v = v.copy()\n    v += x\n    out.append(v)"
    ),
    "another_array_changes": (
        "w = y.copy()\nfor i in range(3):\n    w += x\n    out.append(w * v + x)\n    v[0] = w[1]"
    ),
    "numbers": (
        "for i in range(3):\n    v[i] = x[i] * y[0]\n    out.append(v[i] * v[0])"
    ),
    "changed_and_summed": (
        "t = 0.0\nfor i in range(3):\n    v += x\n    t += np.sum(v * y)\nout.append(t * x)"
    ),
    "two_lists": (
        "b = []\nfor i in range(3):\n    u = x * i\n    out.append(u)\n    b.append(u)\n"
        "out.append(b[0] * b[-1])"
    ),
    "swapped_buffers": (
        "w = x.copy()\nfor i in range(3):\n    w[:] = 0.5 * v + x\n    v, w = w, v\n"
        "    out.append(v + w)"
    ),
    "swapped_lists": (
        "b = []\nfor i in range(3):\n    out.append(x * i)\n    out, b = b, out\n"
        "out = out + b"
    ),
    "rows": (
        "for i in range(3):\n    row = []\n    for j in range(2):\n"
        "        row.append(x * j)\n    out.append(row[1] * i)"
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_no_entry_sees_is_right(name):
    body = "\n".join(f"    {line}" for line in RIGHT[name].splitlines())
    check(program(body, ""), {"x": "n", "y": "n"})
    if name != "numbers":  # without facts x[i] may be a row
        check(program(body, ""), {})


# lists themselves: one that another holds, or may be, changes
LISTS = {
    "row_grows": "row = []\nfor i in range(3):\n    row.append(x * i)\n    out.append(row)",
    "row_grows_after": (
        "row = [x]\nfor i in range(3):\n    out.append(row)\n    row.append(x * i)"
    ),
    "row_grows_by_plus": (
        "row = [x]\nfor i in range(3):\n    out.append(row)\n    row += [x * i]"
    ),
    "row_is_stored_into": (
        "row = [x, y]\nfor i in range(3):\n    out.append(row)\n    row[0] = x * i"
    ),
    "cut_list_holds_it": (
        "row = [x]\nfor i in range(3):\n    out.append(row)\nout = out[1:]\nrow.append(y)"
    ),
    "another_name_from_a_round": (
        "cur = [x]\nout = [[y]]\nrow = [x]\nfor i in range(3):\n    cur.append(x * i)\n"
        "    cur = row\nout = [row, cur]"
    ),
    "chosen_by_a_branch": (
        "row = [x]\nother = [y]\nc = row if np.sum(x) > 1 else other\nc.append(x)\n"
        "out = [row, other]"
    ),
    "chosen_by_an_if": (
        "row = [x]\nother = [y]\nif np.sum(x) > 1:\n    c = row\nelse:\n    c = other\n"
        "c += [y]\nout = [row, other]"
    ),
    "two_names_of_a_new_list": (
        "a = [x]\nb = [x]\nfor i in range(3):\n    a.append(x * i)\n    out = [b]\n"
        "    a = [y]\n    b = a\nout = [b]\na.append(x)\nout = [b, a]"
    ),
}


def listed(text: str):
    body = "\n".join(f"    {line}" for line in text.splitlines())
    return imported(
        "import numpy as np\n\ndef f(x, y):\n    out = []\n" + body + "\n"
        "    return sum((len(row) + k) * np.sum(sum(row) * y)"
        " for k, row in enumerate(out))\n",
        "f",
    )


@pytest.mark.parametrize("name", LISTS)
def test_a_list_that_others_see_change_is_right_or_refused(name):
    f = listed(LISTS[name])
    shapes = {"x": "n", "y": "n"}
    try:
        check(f, shapes)
    except gradgen.GradgenError as error:
        assert error.code == "GG220", error


@pytest.mark.parametrize(
    "name", ["row_grows", "row_grows_after", "row_grows_by_plus", "chosen_by_an_if"]
)
def test_a_list_that_another_holds_is_refused_with_a_copy_as_rewrite(name):
    error = refusal(listed(LISTS[name]), shapes={"x": "n", "y": "n"})
    assert error.code == "GG220" and "copy()" in error.advice


def test_a_copy_of_the_row_is_right():
    text = LISTS["row_grows"].replace("out.append(row)", "out.append(row.copy())")
    check(listed(text), {"x": "n", "y": "n"})


# entries of other containers that go on from round to round
CARRIED = {
    "dict": (
        'd = {"a": x, "b": y}\nfor i in range(3):\n    v += x\n    d["b"] = d["a"]\n'
        '    d["a"] = HELD\nout = [d["a"], d["b"]]'
    ),
    "tuple": (
        "t = (x, y)\nfor i in range(3):\n    v += x\n    t = (HELD, t[0])\n"
        "out = [t[0], t[1]]"
    ),
    "known_list": (
        "t = [x, y]\nfor i in range(3):\n    v += x\n    t[1] = t[0]\n"
        "    t[0] = HELD\nout = [t[0], t[1]]"
    ),
    "name": (
        "old = y\nfor i in range(3):\n    out = [old]\n    v += x\n    old = HELD\n"
        "out = out + [old]"
    ),
}


@pytest.mark.parametrize("name", CARRIED)
def test_entries_that_go_on_are_right_or_refused(name):
    for held in ("v", "v[:]", "v.copy()"):
        body = "\n".join(f"    {line}" for line in CARRIED[name].splitlines())
        f = program(body, held)
        try:
            check(f, {"x": "n", "y": "n"})
        except gradgen.GradgenError as error:
            assert error.code in ("GG220", "GG222") and held != "v.copy()", error


@pytest.mark.parametrize("facts", [{"x": "n", "y": "n"}, {}])
@pytest.mark.parametrize("put", ["out.append(out[-1])", "out = out", "out = out[:]"])
@pytest.mark.parametrize("change", ["v *= y", "v[:] = v + y", "v[0] = y[1]"])
def test_what_a_list_held_before_the_loop_it_holds_after_it(change, put, facts):
    source = (
        "import numpy as np\n\ndef f(x, y):\n    v = x.copy()\n    out = [v]\n"
        f"    for i in range(3):\n        {put}\n    {change}\n    return sum(np.sum(o * y) for o in out)\n"
    )
    assert refusal(imported(source, "f"), shapes=facts).code in ("GG220", "GG233")
    check(imported(source.replace("[v]", "[v.copy()]"), "f"), facts)


COPIES = "out|out[:]|out[0:]|list(out)|out.copy()|out + []|[r for r in out]".split("|")


@pytest.mark.parametrize("copied", COPIES)
def test_a_list_that_grows_in_a_list_that_is_made_anew(copied, tmp_path):
    """Each round makes another list of the same rows: a row's change shows in it."""
    text = f"""
    def f(x, y):
        out = []
        row = []
        for k in range(len(x)):
            row.append(y)
            out.append(row)
            out = {copied}
        s = 0.0
        for r in out:
            for e in r:
                s = s + np.sum(e * e)
        return s
    """
    primal = written(text, tmp_path)
    x, y = np.ones(3), np.array([0.3, 0.5, 0.7])
    with pytest.raises(gradgen.GradgenError, match="GG220 .*may hold row") as error:
        gradgen.grad(primal, "y")(x, y)
    assert "row.copy()" in error.value.advice
    followed = written(text.replace("append(row)", "append(row.copy())"), tmp_path)
    found = gradgen.grad(followed, "y")(x, y)
    want = numeric_gradient(followed, [x, y], 1).value
    np.testing.assert_allclose(found, want, rtol=1e-9)
