"""What somebody new reads of a slip, or of another library's word: one cause, one message."""

import re

import pytest

from tests.cli.command import gradgens, refused

# name -> the lines of a function of x, what is said, what is advised, and the line with it
SLIPS = {
    "sun": ("np.sun(x * x)", "GG205 numpy has no sun", "did you mean sum?", "np.sum(x * x)"),
    "norm": ("np.norm(x)", "GG205 numpy has no norm", "did you mean np.linalg.norm?", "np.linalg.norm(x)"),
    "nrom": ("np.linalg.nrom(x)", "GG205 numpy.linalg has no nrom", "did you mean norm?", "np.linalg.norm(x)"),
    "relu": ("np.sum(np.relu(x))", "GG205 numpy has no relu", "write instead: np.maximum(x, 0)", "np.sum(np.maximum(x, 0))"),
    "sigmoid": ("np.sum(np.sigmoid(x))", "GG205 numpy has no sigmoid", "write instead: 1 / (1 + np.exp(-x))", "np.sum(1 / (1 + np.exp(-x)))"),
    "method": ("x.summ()", "GG206 the method .summ() is not supported", "did you mean .sum()?", "x.sum()"),
    "exp": ("np.sum(x.exp())", "GG206 the method .exp() is not supported", "write instead: np.exp(x)", "np.sum(np.exp(x))"),
    "pow": ("np.sum(x.pow(2))", "GG206 the method .pow() is not supported", "write instead: x ** p", "np.sum(x ** 2)"),
    "view": ("np.sum(x.view(-1) * 2)", "GG206 the method .view() is not supported", "write instead: x.reshape(-1)", "np.sum(x.reshape(-1) * 2)"),
    "axes": ("np.sum(np.sum(x, axes=0))", "GG209 sum has no rule for the argument axes=", "did you mean axis=?", "np.sum(np.sum(x, axis=0))"),
    "keepdim": ("np.sum(np.sum(x, axis=0, keepdim=True))", "GG209 sum has no rule for the argument keepdim=", "did you mean keepdims=?", "np.sum(np.sum(x, axis=0, keepdims=True))"),
    "dim": ("np.mean(x, dim=0)", "GG209 mean has no rule for the argument dim=", "did you mean axis=?", "np.mean(x, axis=0)"),
    "shap": ("np.sum(x) / x.shap[0]", "GG206 an array has no .shap", "did you mean shape?", "np.sum(x) / x.shape[0]"),
    "keyword": ("scaled(x, sclae=2.0)", "GG209 scaled has no argument sclae", "did you mean scale?", "scaled(x, scale=2.0)"),
    "key": ("{'W1': np.sum(x)}['W2']", "GG240 there is no key 'W2'", "write instead: one of W1", "{'W1': np.sum(x)}['W1']"),
}  # fmt: skip
# ... with what follows from it, of which nothing is said
ALONE = {
    "module": ("    return np.sum(special.expit(x))", "GG210 the name special resolves to nothing"),
    "twice": ("    return np.sum(np.matrix(x) * np.matrix(x))", "GG205 np.matrix has no rule"),
    "iterator": ("    it = iter(x)\n    s = next(it)\n    return s + next(it)", "GG205 iter has no rule"),
    "generator": ("    for v in x:\n        yield v * v", "GG201 generators are not supported"),
    "random": ("    return np.sum(x * np.random.randn(3))", "GG205 np.random.randn has no rule"),
    "called": ("    y = lost(x)\n    z = lost(y)\n    return np.sum(z)", "GG205 numpy has no nope"),
    "imported": ("    import nowhere as no\n    return no.sum(x) + no.mean(x)", "GG113 an import inside the function raises ModuleNotFoundError"),
    "package": ("    return scipy.special.expit(x).sum()", "GG210 the name scipy resolves to nothing"),
    "argument": ("    return np.reshape(x)", "GG209 reshape needs the argument shape"),
    "library": ("    r = optimize.minimize(scaled, x)\n    return np.sum(r.x)", "GG205 optimize.minimize is read in its library"),
}  # fmt: skip
HEAD = """import numpy as np
from scipy import optimize


def scaled(x, scale=1.0):
    return np.sum(x * scale)


def lost(x):
    return np.nope(x)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slips")
    text = HEAD
    for name, (line, _, _, better) in SLIPS.items():
        text += f"\n\ndef f_{name}(x):\n    return {line}\n"
        text += f"\n\ndef g_{name}(x):\n    return {better}\n"
    for name, (lines, _) in ALONE.items():
        text += f"\n\ndef f_{name}(x):\n{lines}\n"
    text += "\n\ndef f_flag(x, mode='a'):\n    return np.sum(x)\n"
    (folder / "slips.py").write_text(text)
    return folder


def test_a_slip_is_told_with_what_was_meant(folder):
    done = gradgens([["emit", f"slips.f_{name}"] for name in SLIPS], folder)
    for (name, (_, said, advice, _)), one in zip(SLIPS.items(), done, strict=True):
        assert refused(one, said), (name, one.err)
        assert one.err.endswith(f"\n  {advice}\n"), (name, one.err)
        assert one.err.count("GG") == 1, (name, one.err)


def test_what_was_meant_is_taken(folder):
    done = gradgens([["emit", f"slips.g_{name}"] for name in SLIPS], folder)
    assert [one.code for one in done] == [0] * len(SLIPS)


def test_one_cause_is_one_message(folder):
    done = gradgens([["emit", f"slips.f_{name}"] for name in ALONE], folder)
    for (name, (_, said)), one in zip(ALONE.items(), done, strict=True):
        assert refused(one, said), (name, one.err)
        assert one.err.count("GG") == 1, (name, one.err)
        assert "site-packages" not in one.err, (name, one.err)
        assert "write instead: did you mean" not in one.err
        assert not re.search(r"did you mean (real|std|radians|max)", one.err)


def test_a_string_is_nothing_to_differentiate(folder):
    (done,) = gradgens([["emit", "slips.f_flag", "--wrt", "mode"]], folder)
    assert refused(done, "GG002 mode is a string", "write instead: one of x")
