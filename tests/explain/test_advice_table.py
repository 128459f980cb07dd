"""Every refusal code: a program that follows its advice and emits, or why there is none.

Programs stand in codes.toml (`refused`, `taken`), in test_advice.py,
test_advised_requests.py and here, each pair
the refused function and the same with the advice followed.
"""

import tomllib
from pathlib import Path

import pytest

import gradgen
from tests.cli.command import gradgens, refused
from tests.explain import test_advised_requests
from tests.explain.test_advice import PAIRS, followed

CODES = tomllib.loads(
    (Path(gradgen.__file__).parent / "explain" / "codes.toml").read_text("utf-8")
)
LIST = "def f(x):\n    v = []\n    for t in x:\n        v.append({})\n    {}"
P = "import typing\n\n\nclass P(typing.NamedTuple):\n    a: float\n{}\n\ndef f(x):\n    p = P(x[0])\n    return p.a * p.a"
Z = "def f(x):\n    z = x + 1j * x\n    {}"
DEEP, FLAT = "def f(x):\n", "def f(x):\n    go = True\n"
for i in range(98):
    tab = "    " * (i + 1)
    DEEP += f"{tab}if x[{i}] > 0:\n{tab}    x = np.sin(x)\n"
    FLAT += f"    go = go and x[{i}] > 0\n    if go:\n        x = np.sin(x)\n"
OUT = "import dataclasses\n\n\n@dataclasses.dataclass\nclass Out:\n    a: float\n\n\ndef made(v):\n    return Out(v)\n\n\ndef f(x):\n    {0} = x * 2\n    return made(np.sum({0}))"
LONG = "T = tuple(float(i) for i in range(3000))\n\n\ndef f(x):\n    s = 0.0\n    for t in {}:\n        s = s + t * x[0]\n    return s"
SECOND = "import gradgen\n\n\ndef h(x):\n    return np.sum({} ** 2)\n\n\ndef f(x):\n    return np.sum(gradgen.grad(h)(x) ** 2)"
ROW, ROWS = (
    "[x[0], x[1]], [x[2], x[0]]",
    "np.array([x[0], x[1]]), np.array([x[2], x[0]])",
)
MORE = {
    "GG199": [(DEEP + "    return np.sum(x)", FLAT + "    return np.sum(x)", {"style": "callback"}, {"style": "callback"})],
    "GG217": [(OUT.format("Out"), OUT.format("y"))],
    "GG223": [
        ("def f(x, k):\n    if k > 0:\n        g = np.sin\n    else:\n        g = x\n    return np.sum(g(x))", "def f(x, k):\n    if k > 0:\n        y = np.sin(x)\n    else:\n        y = x\n    return np.sum(y)"),
        ("def f(x, k):\n    g = np.sin if k > 0 else 2.0\n    return np.sum(g(x))", "def f(x, k):\n    return np.sum(np.sin(x) if k > 0 else 2.0 * x)"),
    ],
    "GG242": [(LONG.format("T"), LONG.format("np.array(T)"))],
    "GG266": [(SECOND.format("np.kron(np.kron(x, x), x)"), SECOND.format("np.kron(np.kron(x, x), x)"), {}, {"shapes": {"x": "n"}})],
    "GG316": [("def f(x):\n    return np.sum(np.tile(x, 2) ** 3)", "def f(x):\n    return np.sum(np.tile(x, 2) ** 3)", {"mode": "hvp", "general": True}, {"mode": "hvp", "shapes": {"x": "n"}})],
    "GG202": [("def f(x):\n    return np.sum(x) * len(b'ab')", "def f(x):\n    return np.sum(x) * 2")],
    "GG220": [("def f(x, b):\n    y = x * 1\n    z = y if b > 0 else x\n    z[0] = 3.0\n    return np.sum(y)", "def f(x, b):\n    y = x * 1\n    z = y.copy() if b > 0 else x.copy()\n    z[0] = 3.0\n    return np.sum(y)")],
    "GG222": [("def f(x):\n    if x[0] > 0:\n        v = (x, x)\n    else:\n        v = x\n    return np.sum(v[0])", "def f(x):\n    if x[0] > 0:\n        v = (x, x)\n        y = v[0]\n    else:\n        y = x[0]\n    return np.sum(y)")],
    "GG231": [(LIST.format("t", "v[0:2] = 3.0\n    return v[0]"), LIST.format("t", "v[0] = 3.0\n    v[1] = 3.0\n    return v[0]"))],
    "GG233": [("def f(x, b):\n    y = b\n    y += x\n    return np.sum(b * y)", "def f(x, b):\n    y = b\n    y = y + x\n    return np.sum(b * y)", {"general": True}, {})],
    "GG243": [("def f(x):\n    s = 0.0\n    for k in 5:\n        s = s + x[0]\n    return s", "def f(x):\n    s = 0.0\n    for k in range(5):\n        s = s + x[0]\n    return s")],
    "GG246": [(P.format("\n    def __iter__(self):\n        return iter((1.0,))\n"), P.format(""))],
    "GG248": [(LIST.format("{'a': t, 'b': t * t}", "return sum(d['a'] * d.pop('b') for d in v)"), "def f(x):\n    v, w = [], []\n    for t in x:\n        v.append(t)\n        w.append(t * t)\n    return sum(a * b for a, b in zip(v, w))")],
    "GG249": [("def f(x):\n    v = [x[0], x[1]]\n    for t in v:\n        if t > 9:\n            v.append(t)\n    return v[0]", "def f(x):\n    v = [x[0], x[1]]\n    w = []\n    for t in v:\n        if t > 9:\n            w.append(t)\n    return v[0]")],
    "GG251": [("def f(x, kinds):\n    if isinstance(x, kinds):\n        return np.sum(x)\n    return np.sum(x * x)", "def f(x):\n    if isinstance(x, np.ndarray):\n        return np.sum(x)\n    return np.sum(x * x)")],
    "GG261": [("def f(x):\n    if x[0] > 0:\n        raise (ValueError if x[1] > 0 else TypeError)(x)\n    return np.sum(x)", "def f(x):\n    if x[0] > 0:\n        raise ValueError(x)\n    return np.sum(x)")],
    "GG262": [("def f(x):\n    y = x\n    match x:\n        case [a, *b, c] if a > 0:\n            y = x * 2\n    return np.sum(y)", "def f(x):\n    y = x\n    if x[0] > 0:\n        y = x * 2\n    return np.sum(y)")],
    "GG268": [("def f(x):\n    g = (v * v for v in x)\n    x = x * 2\n    return sum(g)", "def f(x):\n    g = [v * v for v in x]\n    x = x * 2\n    return sum(g)")],
    "GG270": [("class C:\n    def __getattr__(self, name):\n        return 2.0\n\n\ndef f(x):\n    return np.sum(x) * C().k", "class C:\n    def __init__(self):\n        self.k = 2.0\n\n\ndef f(x):\n    return np.sum(x) * C().k")],
    "GG301": [
        ("def f(x, k):\n    return np.sum(np.diff(x, n=k) ** 2)", "def f(x):\n    return np.sum(np.diff(x, n=2) ** 2)"),
        ("def f(x, m):\n    return np.sum(np.pad(x, 1, mode=m))", "def f(x):\n    return np.sum(np.pad(x, 1, mode='edge'))"),
    ],
    "GG302": [("def f(A):\n    return np.sum(np.linalg.qr(A, mode=\"complete\")[1])", "def f(A):\n    return np.sum(np.linalg.qr(A, mode=\"reduced\")[1])")],
    "GG305": [
        ("def f(x):\n    return np.sum(np.arange(x[0], 3.0, dtype=np.float32))", "def f(x):\n    return np.sum(x[0] + np.arange(3.0))"),
        ("def f(x):\n    return np.sum(np.arange(0.0, 1.0, x[0], dtype=np.float32))", "def f(x):\n    return np.sum(x[0] * np.arange(5.0))"),
    ],
    "GG308": [("def f(x):\n    return np.sum(np.roll(x, x[0]))", "def f(x):\n    return np.sum(np.roll(x, 2))"), ("def f(x):\n    return np.percentile(x, x[0])", "def f(x):\n    return np.percentile(x, 30.0)")],
    "GG312": [(Z.format("return np.sum(np.convolve(z, z).real)"), Z.format("return np.sum(np.convolve(np.real(z), np.imag(z)))"))],
    "GG313": [(Z.format("y = np.zeros(3)\n    y[:] = z\n    return np.sum(y)"), Z.format("y = np.zeros(3)\n    y[:] = np.real(z)\n    return np.sum(y)"))],
    "GG401": [
        ("def f(x):\n    y = np.zeros((3, 3)) + np.sum(x)\n    return np.sum(np.sum(y, axis=2))", "def f(x):\n    y = np.zeros((3, 3)) + np.sum(x)\n    return np.sum(np.sum(y, axis=1))"),
        ("def f(x):\n    y = np.zeros(3) + np.sum(x)\n    return np.sum(y * np.ones(4))", "def f(x):\n    y = np.zeros(3) + np.sum(x)\n    return np.sum(y * np.ones(3))"),
    ],
}  # fmt: skip
CASES = [(code, *pair) for code, pairs in MORE.items() for pair in pairs]

# codes of other things than what a function says: no rewrite of it is advised
NOT_OF_A_TEXT = {
    "GG0": "options, names and files of a request",
    "GG10": "the function cannot be found, or its file cannot be read",
    "GG402": "a fact that does not read as one",
    "GG403": "--strict",
    "GG404": "--shape names no argument",
    "GG405": "a fact against an annotation",
    "GG406": "--complex names no argument",
    "GG407": "a class in a fact",
    "GG408": "a fact that tells no container",
    "GG5": "the arguments of a call, or the result of a run",
    "GG6": "what another library or an older Python lacks",
    "GG7": "the entries and files of gradgen build and check",
    "GG8": "what is measured of a backward pass written by hand",
    "GG9": "a fault of gradgen, or of a rule",
}
# No function is known that gets these: a loop whose facts do not settle, and a rule,
# a user's own, that says nothing of an argument.
OPEN = frozenset(["GG224", "GG307"])
ELSEWHERE = frozenset(
    ["GG219"]
)  # a file's name: test_a_file_whose_name_cannot_be_imported


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_what_is_advised_is_taken(case):
    followed(*case)


def test_each_code_is_followed_or_has_its_reason():
    tried = {code for code, entry in CODES.items() if "taken" in entry}
    tried |= PAIRS.keys() | MORE.keys() | test_advised_requests.MORE.keys()
    elsewhere = {c for c in CODES if c.startswith(tuple(NOT_OF_A_TEXT))}
    assert CODES.keys() - tried - elsewhere == OPEN | ELSEWHERE


PACKED = """import typing

import numpy as np


class Pair(typing.NamedTuple):
    a: float
    b: float


def f(x):
    return Pair(np.sum(x), np.sum(x * x))
"""


def test_a_file_whose_name_cannot_be_imported(tmp_path):
    """GG219: the text imports the class of the result."""
    for name in ("my-model", "my_model"):
        (tmp_path / f"{name}.py").write_text(PACKED)
    asked = [["emit", f"{name}.py:f", "--value"] for name in ("my-model", "my_model")]
    one, other = gradgens(asked, tmp_path)
    assert refused(one, "GG219", "write instead: a module whose file's name is a name")
    assert other.code == 0 and "from my_model import Pair" in other.out
