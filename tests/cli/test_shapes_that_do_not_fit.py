"""Shapes that do not fit: the operands are named with theirs, and a fact that fits."""

import re
import shlex

import pytest

from tests.cli.command import gradgens, refused

# name -> a function, the facts, what is said of them, and the fact that is advised
CASES = {
    "product": ("W @ x", "W=h,d x=n,k", "W is (h, d), x is (n, k): d and n differ", 'x="d k"'),
    "transposed": ("W.T @ x", "W=h,d x=d", "W.T is (d, h), x is (d): h and d differ", 'x="h"'),
    "bias": ("W + x", "W=n,d x=n", "W is (n, d), x is (n): d and n do not broadcast", 'x="d"'),
    "numbers": ("W + x", "W=3,4 x=3", "W is (3, 4), x is (3): 4 and 3 do not broadcast", 'x="4"'),
    "dot": ("np.dot(W, x)", "W=n x=m", "W is (n), x is (m): n and m differ", 'x="n"'),
    "joined": ("np.concatenate([W, x], axis=1)", "W=n,m x=k,m", "W is (n, m), x is (k, m): n and k differ", 'x="n m"'),
    "stacked": ("np.stack([W, x])", "W=n x=m", "W is (n), x is (m): n and m do not broadcast", 'x="n"'),
    "einsum": ("np.einsum('ij,jk->ik', W, x)", "W=n,m x=k,l", "W is (n, m), x is (k, l): m and k differ", 'x="m l"'),
    "tensordot": ("np.tensordot(W, x, axes=1)", "W=n,m x=k,l", "W is (n, m), x is (k, l): m and k differ", 'x="m l"'),
    "solved": ("np.linalg.solve(W, x)", "W=n,n x=m", "W is (n, n), x is (m): n and m differ", 'x="n"'),
    "selected": ("np.where(W > 0, W, x)", "W=n x=m", "W > 0 is (n), W is (n), x is (m): n and m do not broadcast", 'x="n"'),
    "axis": ("np.sum(W, axis=1) * np.sum(x)", "W=n x=n", "W is (n): there is no axis 1", 'W="n m"'),
    "key": ("W[0, 1] * x", "W=n x=n", "W is (n): 2 indices for 1 axis", 'W="n m"'),
    "inside": ("np.tanh(W @ x) @ x", "W=h,d x=d", "np.tanh(W @ x) is (h), x is (d): h and d differ", 'W="d d"'),
    "factor": ("np.linalg.cholesky(W) * np.sum(x)", "W=n,m x=n", "n and m differ, which its gradient takes for one size", 'W="m m"'),
    "halves": ("W @ np.concatenate([x, x])", "W=m,k x=d", "W is (m, k), np.concatenate([x, x]) is (2*d): k and 2*d differ", 'W="m 2*d"'),
    "longer": ("W @ np.append(x, 1.0)", "W=m,k x=d", "W is (m, k), np.append(x, 1.0) is (d + 1): k and d + 1 differ", 'W="m d+1"'),
    "entry": ("W[5] * x", "W=3 x=3", "W is (3): the index 5 lies outside of 3 entries", None),
    "lettered": ("np.einsum('ij->k', W) * np.sum(x)", "W=n,n x=n", "W is (n, n): the axis 'k' of the result is none of theirs", None),
    "split": ("np.split(W, 4)[0] * np.sum(x)", "W=6 x=6", "6 entries do not split into 4 equal parts", None),
    "filled": ("W.reshape(3, 4) * np.sum(x)", "W=10 x=10", "W is (10): 10 entries do not fill the shape (3, 4)", None),
}  # fmt: skip
STORED = """

def stored(W, x):
    y = np.zeros_like(W)
    y[1:] = x
    return np.sum(y * W)


def entry_stored(W, x):
    W = W.copy()
    W[7] = 1.0
    return np.sum(W * x)


def layer(W, x):
    return np.tanh(W @ x)


def layers(W, V, x):
    return np.sum(layer(V, layer(W, x)))


def gates(W, V, x):
    h = np.append(x, 1.0)
    return np.sum(np.tanh(W @ h) * (V @ h))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shapes")
    text = "import numpy as np\n" + STORED
    for name, (line, *_) in CASES.items():
        text += f"\n\ndef {name}(W, x):\n    return np.sum({line})\n"
    (folder / "lines.py").write_text(text)
    return folder


def command(name, facts):
    told = (word for fact in facts.split() for word in ("--shape", fact))
    return ["emit", f"lines.{name}", *told]


def followed(names, facts, done, folder):
    """The same requests with the fact that each refusal advises."""
    again = []
    for name, one in zip(names, done, strict=True):
        told = dict(fact.split("=") for fact in facts[name].split())
        option, *advised = shlex.split(re.search(r"write instead: (.*)", one.err)[1])
        told |= [word.split("=") for word in advised if word != option]
        again.append(["emit", f"lines.{name}"])
        again[-1] += [w for n, shape in told.items() for w in (option, f"{n}={shape}")]
    return gradgens(again, folder)


def test_each_operand_is_named_with_its_shape(folder):
    done = gradgens([command(name, CASES[name][1]) for name in CASES], folder)
    for (name, case), one in zip(CASES.items(), done, strict=True):
        assert refused(one, f"GG401 {case[2]}\n"), (name, one.err)
        assert one.err.count("GG") == 1, (name, one.err)
        if case[3] is not None:
            assert one.err.endswith(f"  write instead: --shape {case[3]}\n"), one.err
    names = [name for name in CASES if CASES[name][3] is not None]
    facts = {name: CASES[name][1] for name in CASES}
    told = [one for name, one in zip(CASES, done, strict=True) if name in names]
    assert all(one.code == 0 for one in followed(names, facts, told, folder))


def test_stores_and_calls(folder):
    facts = {"stored": "W=5 x=3", "layers": "W=h,d V=o,d x=d"}
    done = gradgens([command(name, told) for name, told in facts.items()], folder)
    said = (
        "y[1:] is (4), x is (3): 4 and 3 do not broadcast",
        "V is (o, d), np.tanh(W @ x) is (h): d and h differ",
    )
    for one, words in zip(done, said, strict=True):
        assert refused(one, f"GG401 {words}\n"), one.err
    assert all(one.code == 0 for one in followed(facts, facts, done, folder))
    (outside,) = gradgens([command("entry_stored", "W=3 x=3")], folder)
    assert refused(outside, "GG401 W is (3): the index 7 lies outside of 3 entries\n")


def test_a_size_of_several_facts_is_another_one_in_all_of_them(folder):
    facts = {"gates": "W=m,k V=m,k x=d"}
    done = gradgens([command("gates", facts["gates"])], folder)
    advised = '--shape W="m d+1" --shape V="m d+1"'
    assert refused(done[0], f"write instead: {advised}\n"), done[0].err
    assert all(one.code == 0 for one in followed(facts, facts, done, folder))
