"""Random functions of unsupported syntax: nothing but a refusal escapes from emit."""

import re

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError
from tests.refusals import HEAD, TAIL

EXPRESSIONS = (
    """
x if y else z|lambda q: q|[q for q in x]|{q for q in x}|{q: q for q in x}|(q for q in x)
x and y|not x|x or y|x in y|x is y|x is not None|0 < x < 1|x << 1|x >> y|x // y|x % y|~x|x | y
x[0]|x[1:, None]|x[..., 0]|x[x > 0]|x[[0, 1]]|x[y]|x[::-1]|x[z:]|x[0][1]|x["a"]|x[()]
f"{x}"|"a" "b"|b"a"|2j|1_000.0|1e400|...|None|True|{}|{1: x}|{x}|[]|[x, y]|()|(x,)|(x, y)
x.T|x.real|x.shape|x.shape[0]|x.foo|x.foo()|x.sum|x.sum()|x.sum(0, 1, 2)|x().y|x(y)|(x)(y)
np|np.pi|np.nope|np.sum|np.sum()|np.sum(x, 0)|np.sum(x, axis=y)|np.sum(*x)|np.sum(x, **y)
np.sum(x, axis=(0, "a"))|np.sum(x, axis=None, keepdims=y)|np.reshape(x, -1)|np.reshape(x, (y, 2))
np.einsum("ij,jk", x, y)|np.einsum(x, "ij")|np.einsum("zz->", x)|np.concatenate([x, y], z)
np.concatenate(x)|np.stack([])|np.where(x)|np.where(x, y, z)|np.clip(x, y, z)|np.float32(x)
np.array([x, y])|np.zeros(x)|np.zeros(3)|np.arange(x)|np.linalg.nope(x)|np.transpose(x, (9, 9))
np.expand_dims(x, y)|np.squeeze(x, "a")|np.moveaxis(x, 0, y)|np.tensordot(x, y)|np.dot(x, y, z)
max(x, y)|sum(x)|len(x)|float(x)|abs(x)|int(x)|range(3)|print(x)|zip(x, y)|sorted(x)|open("f")
sin(x)|exp(x)|sin|missing|missing(x)|missing.part|__name__|__file__|f|f(x, y, z)|TABLE|other(x)
(q := x)|await x|yield|yield x|*x|x @ y|x @ 2|x ** y|x ** -1|2 ** x|x ** 0|x / 0|-(-x)|+x|-True
-missing|-None|-"a"|~missing|missing[0]|missing.T|missing.sum()|not missing|missing < x
[missing]|(missing, x)|np.where(missing, x, -missing)|missing @ x|x[missing]|x[-missing:]
super().x|x.y.z|x.T.T.T|x.reshape(-1)|x.reshape()|x.reshape(y)|x.astype(float)|x.astype("f4")
""".replace("\n", "|")
    .strip("|")
    .replace("x | y", "x !or! y")
    .split("|")
)
STATEMENTS = (
    """
a = {0}|a, b = {0}, {1}|a, *b = {0}|(a, b), c = {0}|a = b = {0}|a: float = {0}|a: int|a += {0}
a[0] = {0}|a.b = {0}|x[0], y = {0}|del x|pass|{0}|"text"|return|return {0}|raise {0}|assert {0}
if {0}: a = {1}|while {0}: pass|for a in {0}: pass|for a in x: y = {0}|with {0} as a: pass
try: pass\\n    finally: pass|def g(): return {0}|class C: pass|import os|from os import path
global x|nonlocal q|a = lambda: {0}|x = {0}|y = {0}|z = {0}; a = {1}|async def g(): pass
match x:\\n        case 1: pass|a = ({0},\\n        {1})|# {0}|if x:\\n        pass\\n    else:\\n        pass
a = yield {0}|a = 1 # type: int|a = {0} \\\\\\n        + 1|print({0})|type A = int|return {0}, {1}
""".replace("\n", "|")
    .strip("|")
    .replace("\\n", "\n")
    .replace("\\\\", "\\")
    .split("|")
)


def expression(rng: np.random.Generator) -> str:
    """One of the expressions, perhaps with another in the place of x."""
    outer, inner = (
        str(text).replace("!or!", "|") for text in rng.choice(EXPRESSIONS, 2)
    )
    if rng.random() < 0.5:
        return outer
    return re.sub(r"\bx\b", lambda _: f"({inner})", outer, count=1)


def snippet(rng: np.random.Generator) -> str:
    """A function of one to four statements, most of which are refused."""
    lines = []
    for _ in range(rng.integers(1, 5)):
        line = str(rng.choice(STATEMENTS))
        for slot in ("{0}", "{1}"):
            line = line.replace(slot, expression(rng))
        lines.append(line)
    if rng.random() < 0.9:
        lines.append("return " + expression(rng))
    heads = ["x, y, z", "x, y=1, *, z=None", "x, /, y, z", "x, *y, z=2.0", "x, y, **z"]
    head = rng.choice(heads, p=[0.6, 0.1, 0.1, 0.1, 0.1])
    return f"def f({head}):\n    " + "\n    ".join(lines) + "\n"


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("seed", range(4))
def test_nothing_but_a_refusal_escapes(write, seed):
    rng = np.random.default_rng(seed)
    tried = refused = 0
    escaped = []
    while tried < 100:
        text = snippet(rng)
        try:
            compile(HEAD + text + TAIL, "snippet", "exec")
        except SyntaxError:
            continue
        tried += 1
        try:
            compile(
                gradgen.emit(write(text), (0, 1)[: rng.integers(1, 3)]), "text", "exec"
            )
        except GradgenError as error:
            refused += 1
            assert re.search(r"GG\d\d\d \S", str(error))
        except Exception as error:
            escaped.append(f"{type(error).__name__}: {error}\n{text}")
    assert refused > 50
    assert not escaped, f"{len(escaped)} of {tried}\n" + "\n".join(escaped[:5])
