"""Names in the text are those that the function gives, one for each thing; no flags."""

import json
import re

import numpy as np
import pytest

from gradgen.verify.finite import numeric_gradient
from tests.cli.command import gradgens
from tests.fuzz.program import imported

PARTS = ["--shape", "p.W=d,h", "--shape", "p.b=h", "--shape", "x=n,d"]
LAYERS = '--shape=layers=[{"W": "d h", "b": "h"}, {"W": "h o", "b": "o"}]'
# name -> the function, what is told, the names of the gradients, words the text has not
PACKED = {
    "alias": ("    W = p['W']\n    b = p['b']\n    return np.sum((x @ W + b) ** 2)", "d_W d_b", "p_W"),
    "renamed": ("    V, c = p['W'], p['b']\n    return np.sum((x @ V + c) ** 2)", "d_V d_c", "xW"),
    "values": ("    W, b = p.values()\n    return np.sum((x @ W + b) ** 2)", "d_W d_b", "p_W"),
    "direct": ("    return np.sum(np.tanh(x @ p['W']) + p['b'])", "d_W d_b", "p_W"),
    "again": ("    W = p['W']\n    W = W * 2\n    return np.sum(x @ W + p['b'])", "d_W d_b", "p_W"),
    "got": ("    W = p.get('W')\n    h = x @ W\n    return np.sum(h * h + p['b'])", "d_W d_b", "p_W"),
}  # fmt: skip
# name -> the lines of a function of x and kind; the seed is d_out
CHOSEN = {
    "elif_raise": "    if kind == 'sin':\n        return np.sum(np.sin(x))\n    elif kind == 'square':\n        return np.sum(x * x)\n    raise ValueError(kind)",
    "elifs_raise": "    e = x * x\n    if kind == 'sin':\n        return np.sum(np.sin(e))\n    elif kind == 'cube':\n        return np.sum(e * x)\n    elif kind == 'square':\n        return np.sum(e)\n    raise ValueError(kind)",
    "ifs_raise": "    if kind == 'sin':\n        return np.sum(np.sin(x))\n    if kind == 'square':\n        return np.sum(x * x)\n    raise ValueError(kind)",
    "else_raise": "    if kind == 'sin':\n        y = np.sin(x)\n    elif kind == 'square':\n        y = x * x\n    else:\n        raise ValueError(kind)\n    return np.sum(y)",
    "nested": "    if kind == 'sin':\n        if len(x) > 9:\n            return np.sum(x)\n        else:\n            return np.sum(np.sin(x))\n    elif kind == 'square':\n        return np.sum(x * x)\n    raise ValueError(kind)",
    "last": "    if kind == 'raise':\n        raise ValueError(kind)\n    elif kind == 'sin':\n        return np.sum(np.sin(x))\n    elif kind == 'square':\n        y = x * x\n    else:\n        raise ValueError(kind)\n    return np.sum(y)",
    "cases": "    match kind:\n        case 'sin':\n            return np.sum(np.sin(x))\n        case 'square':\n            return np.sum(x * x)\n        case _:\n            raise ValueError(kind)",
}  # fmt: skip
# the result has no name of this function's: the seed is d_out
SEEDED = {
    "added": "    return sum(v * v for v in x)",
    "mapped": "    return sum(map(lambda v: v ** 2, x))",
    "called": "    return squares(np.sin(x))",
    "looped": "    return folded(x)",
    "plain": "    return np.sum(x * x)",
}
HEAD = """import numpy as np


def squares(x):
    y = np.sum(x * x)
    return y


def folded(x):
    total = 0.0
    for v in x:
        total = total + v * v
    return total
"""


def module(functions):
    return HEAD + "".join(f"\n\ndef {head}:\n{body}\n" for head, body in functions)


@pytest.fixture
def texts(tmp_path):
    def made(functions, options):
        (tmp_path / "named.py").write_text(module(functions.items()))
        heads = [head.partition("(")[0] for head in functions]
        asked = [["emit", f"named.{name}", *options, "-q"] for name in heads]
        done = gradgens(asked, tmp_path)
        assert [(one.code, one.err) for one in done] == [(0, "")] * len(heads)
        return dict(zip(heads, (one.out for one in done), strict=True))

    return made


def run(text, name, *args):
    names = {}
    exec(text, names)
    return names[f"grad_{name}"](*args)


def test_parts_have_one_name_and_come_back_as_they_came(texts):
    given = {f"{name}(p, x)": case[0] for name, case in PACKED.items()}
    rng = np.random.default_rng(5)
    p = {"W": rng.normal(size=(3, 2)), "b": rng.normal(size=2)}
    x = rng.normal(size=(4, 3))
    for name, text in texts(given, PARTS).items():
        _, words, missing = PACKED[name]
        last = text.rstrip().rpartition("\n")[2]
        assert re.findall(r"d_\w+", last) == words.split(), text
        shapes = text.partition("->")[2].partition('"""')[0]
        assert re.findall(r"d_\w+", shapes) == words.split(), text
        assert not re.search(rf"\b{missing}\w*", text), text
        got = run(text, name, p, x)
        assert list(got) == ["W", "b"]
        primal = imported(module([(f"{name}(p, x)", PACKED[name][0])]), name)
        for key in p:
            want = numeric_gradient(
                lambda part, key=key, f=primal: f(p | {key: part}, x), [p[key]], 0
            ).value
            np.testing.assert_allclose(got[key], want, rtol=1e-6, atol=1e-8)


def test_parts_of_one_key_are_told_apart_by_their_places(texts):
    body = "    for layer in layers:\n        x = np.tanh(x @ layer['W'] + layer['b'])\n    return np.sum(x)"
    (text,) = texts({"net(layers, x)": body}, [LAYERS, "--shape", "x=n,d"]).values()
    names = [f"d_layers_{i}_{key}" for i in (0, 1) for key in "Wb"]
    last = text[text.rindex("return") :]
    assert re.findall(r"d_\w+", last) == names, text
    assert json.dumps("W") in last


def test_options_are_branches_without_flags(texts):
    given = {f"{name}(x, kind)": body for name, body in CHOSEN.items()}
    x = np.array([0.3, -0.4, 0.9])
    for name, text in texts(given, ["--shape", "x=n"]).items():
        assert "done" not in text, text
        assert not re.search(r"if '|zeros_like\(e\)", text), text
        for kind, want in (("sin", np.cos(x)), ("square", 2 * x)):
            if name == "elifs_raise" and kind == "sin":
                want = 2 * x * np.cos(x * x)
            np.testing.assert_allclose(run(text, name, x, kind), want, rtol=1e-12)
        for kind in ("raise", "other"):
            with pytest.raises(ValueError, match=kind):
                run(text, name, x, kind)


def test_the_seed_of_a_result_without_a_name_is_d_out(texts):
    given = {f"{name}(x)": body for name, body in SEEDED.items()}
    x = np.array([0.3, -0.4, 0.9])
    for name, text in texts(given, ["--shape", "x=n"]).items():
        assert f"def grad_{name}(x, d_out=1.0):" in text, text
        want = np.sin(2 * x) if name == "called" else 2 * x
        np.testing.assert_allclose(run(text, name, x), want, rtol=1e-12)


def test_what_a_call_gives_has_the_name_it_is_given(texts):
    act = "    if k == 1:\n        return np.sin(v)\n    return np.tanh(v)"
    body = "    h = act(x @ W, k)\n    return np.sum(h * h)"
    text = texts({"f(x, W, k)": body, "act(v, k)": act}, [])["f"]
    assert re.search(r"^ +h = ", text, re.MULTILINE) and "out = " not in text, text


HELPER = "def helper(t):\n    # inside helper\n    u = t * t  # square\n    # almost\n    return u + 1\n\n\n"
# name -> the parameters, what is told, the lines with comments in odd places
COMMENTED = {
    "chain": ('x, k', 'x=n', "    # top\n    if k == 'a':\n        # in a\n        return np.sum(x)  # all\n    # between\n    elif k == 'b':\n        # in b\n        return np.sum(x * x)\n    # before raise\n    raise ValueError(k)  # never\n    # tail"),
    "list_made": ('x', 'x=n', '    # a list\n    ys = []\n    for t in x:\n        # each\n        ys.append(t * t)  # kept\n    # sum\n    return sum(ys)'),
    "guarded": ('x', 'x=n', "    # guard\n    if x.ndim != 1:\n        # wrong\n        raise ValueError('ndim')\n    # go\n    y = x * 2\n    # twice, unused\n    z = y + 1\n    # last\n    return np.sum(y)"),
    "helped": ('x', 'x=n', '    # call helper\n    y = helper(x)  # once\n    # again\n    z = helper(y)\n    return np.sum(z)'),
    "tried": ('x', 'x=n,n', '    try:\n        # inverse\n        y = np.linalg.inv(x)\n    except np.linalg.LinAlgError:\n        # fallback\n        y = np.linalg.pinv(x)\n    # trace\n    return np.trace(y)'),
    "looped": ('x', 'x=n', '    i = 0\n    # while small\n    while i < 3:\n        # body\n        x = np.sin(x)\n        i += 1  # count\n    # end\n    return np.sum(x)'),
    "flagged": ('x, *, debug=False', 'x=n', "    if debug:\n        # tell\n        print('x', x.shape)\n    # norm\n    n = np.linalg.norm(x)\n    # unit\n    u = x / n\n    # pick\n    return u[0]"),
    "swapped": ('x', 'x=n', '    # (1) a tuple\n    a, b = x[0], x[1]  # two\n    # (2) swap\n    a, b = b, a\n    # (3)\n    return a * b + a'),
}  # fmt: skip


def test_no_comment_stands_without_a_statement(tmp_path):
    text = "import numpy as np\n\n\n" + HELPER
    for name, (given, _, body) in COMMENTED.items():
        text += f"\n\ndef {name}({given}):\n{body}\n"
    (tmp_path / "told.py").write_text(text)
    forms = ([], ["--value"], ["--style", "callback"])
    asked = [
        ["emit", f"told.{name}", "--shape", facts, "-q", *form]
        for name, (_, facts, _) in COMMENTED.items()
        for form in forms
    ]
    for one in gradgens(asked, tmp_path):
        assert one.code == 0, one.err
        lines = one.out.rstrip().split("\n")
        for i, line in enumerate(lines):
            if line.startswith(" ") and line.strip().startswith("#"):
                after = next(s for s in lines[i + 1 :] if not s.strip().startswith("#"))
                depth = len(line) - len(line.lstrip())
                assert after.strip() and after.startswith(" " * depth), one.out
