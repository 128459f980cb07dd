"""Stacks of work: lists that loops fill and empty, of numbers, arrays, pairs and lists.

Every program is one way to write an entry, to fill the list, and to work it off. It is
right or refused, through a call and as an emitted text, with nothing told.
"""

import itertools
import signal

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

# an entry of two numbers; what is read of an entry; the entry that is made of two
ENTRIES = {
    "number": ("{v} * {w}", "{e} ** 2", "{a} * {b} + {a}"),
    "pair": (
        "[{v}, 2 * {w}]",
        "{e}[0] * {e}[1]",
        "[{a}[0] * {b}[1] + {a}[0], {b}[0] - {a}[1]]",
    ),
    "tuple": (
        "({v}, 2 * {w})",
        "{e}[0] * {e}[1]",
        "({a}[0] * {b}[1] + {a}[0], {b}[0] - {a}[1])",
    ),
    "counted": (
        "[{v}, 1]",
        "{e}[0] * {e}[1]",
        "[{a}[0] * {b}[0] + {a}[0], {a}[1] + {b}[1]]",
    ),
    "array": ("x[:2] * {v}", "np.sum({e} ** 2)", "{a} * {b} + {a}"),
    "mixed": (
        "[x[:2] * {v}, {w}]",
        "np.sum({e}[0]) * {e}[1]",
        "[{a}[0] * {b}[1], {b}[1] - np.sum({a}[0])]",
    ),
    "nested": (
        "[{v}, [{w}, {v} * {w}]]",
        "{e}[0] * {e}[1][0] + {e}[1][1]",
        "[{a}[0] * {b}[1][0], [{b}[0], {a}[1][1]]]",
    ),
}
FILLED = {
    "empty": "st = []\n    for v in x:\n        st.append({vv})",
    "literal": "v, w = x[0], x[1]\n    st = [{vv}, {wv}, {vv}]",
    "comprehension": "st = [{vv} for v in x]",
    "longer": "v = x[0]\n    st = [{vv}]\n    for v in x:\n        st.append({vv})",
}
WORKED_OFF = {
    "reduced": "while len(st) > 1:\n        a = st.pop()\n        b = st.pop()\n"
    "        st.append({ab})\n    t = {st0}",
    "from the front": "while len(st) > 1:\n        a = st.pop(0)\n"
    "        b = st.pop(0)\n        st.append({ab})\n    t = {st0}",
    "drained": "t = 0.0\n    while st:\n        a = st.pop()\n"
    "        t = t * 0.5 + {va}",
    "left out": "t = 0.0\n    while len(st) > 0:\n        a = st.pop()\n"
    "        t += {va}\n        if len(st) > 3:\n            st.pop()",
    "now and then": "k = 0\n    while st and k < 5:\n        a = st[-1]\n        k += 1\n"
    "        if {va} > 0.35:\n            b = st.pop()\n            st.append({ab})\n"
    "        else:\n            st.pop()\n    t = 0.0\n    for a in st:\n"
    "        t += {va}",
    "backwards": "t = 0.0\n    for a in reversed(st):\n        t = t * 0.5 + {va}",
}
# refused, by code and for which entries; every other program is right
NO_DEPTH = "GG310"  # numbers beside lists
NO_TUPLE = "GG248|GG112"  # a tuple in a list of unknown length
X = np.array([0.5, 1.2, 0.7, -0.4, 0.9, 0.3])
PROGRAMS = list(itertools.product(ENTRIES, FILLED, WORKED_OFF))


def text_of(entry: str, filled: str, worked: str) -> str:
    made, read, both = ENTRIES[entry]
    words = {
        "{vv}": made.format(v="v", w="v"),
        "{wv}": made.format(v="w", w="v"),
        "{ab}": both.format(a="a", b="b"),
        "{va}": read.format(e="a"),
        "{st0}": read.format(e="st[0]"),
    }
    body = f"{FILLED[filled]}\n    {WORKED_OFF[worked]}"
    for word, meant in words.items():
        body = body.replace(word, meant)
    return f"def f(x):\n    {body}\n    return t\n"


# Every program has its turn in the long tests, every third in the test command.
SOME = [
    one if at % 3 == 0 else pytest.param(*one, marks=pytest.mark.long)
    for at, one in enumerate(PROGRAMS)
]


@pytest.mark.parametrize("entry, filled, worked", SOME)
def test_right_or_refused(entry, filled, worked, tmp_path):
    function = written(text_of(entry, filled, worked), tmp_path)
    want = numeric_gradient(function, [X], 0).value
    signal.alarm(60)  # a list of lists of itself was looked at for ever
    try:
        found = gradgen.grad(function)(X)
        names: dict = {}
        exec(gradgen.emit(function), names)
        emitted = names["grad_f"](X)
    except GradgenError as refusal:
        codes = {"nested": NO_DEPTH, "tuple": NO_TUPLE}.get(entry)
        assert codes and any(c in str(refusal) for c in codes.split("|")), refusal
        return
    finally:
        signal.alarm(0)
    for g in (found, emitted):
        assert g.shape == X.shape and g.dtype == X.dtype
        np.testing.assert_allclose(g, want, rtol=1e-6, atol=1e-8)


LINKED = {
    "cell": "    st = []\n    for v in x:\n        st = [v, st]\n    return st[0] ** 2\n",
    "pair": "    st = [x[0]]\n    for v in x:\n        st = [st, st]\n    return x[0] * len(st[0])\n",
    "itself": "    st = []\n    for v in x:\n        st.append(st)\n    return x[0]\n",
}


@pytest.mark.parametrize("text", LINKED.values(), ids=LINKED)
def test_a_list_of_lists_of_itself_is_refused(text, tmp_path):
    signal.alarm(60)
    try:
        with pytest.raises(GradgenError, match="GG310"):
            gradgen.grad(written(f"def f(x):\n{text}", tmp_path))(X)
    finally:
        signal.alarm(0)


CONDITIONS = {
    "if not st": "if not st:\n            st.append(v)\n        elif v > 0.5 and st:\n"
    "            t += st.pop() * v\n        else:\n            st.append(2 * v)",
    "if st": "if st:\n            t += st[-1] * v\n        st.append(v * v)",
}


@pytest.mark.parametrize("text", CONDITIONS.values(), ids=CONDITIONS)
def test_a_list_is_asked_whether_it_has_entries(text, tmp_path):
    source = f"def f(x):\n    st = []\n    t = 0.0\n    for v in x:\n        {text}\n"
    function = written(source + "    return t\n", tmp_path)
    want = numeric_gradient(function, [X], 0).value
    np.testing.assert_allclose(gradgen.grad(function)(X), want, rtol=1e-6)


def test_an_entry_is_taken_by_one_statement(tmp_path):
    source = text_of("pair", "empty", "reduced")
    text = gradgen.emit(written(source, tmp_path))
    assert "a = st.pop()\n" in text and "b = st.pop()\n" in text
    assert " st.pop()" not in text.replace("= st.pop()", "")
