"""Refusals: each names the code, the place, the reason and a way out; no text is made."""

import re
import sys

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError

HEAD = "import numpy as np\nfrom math import sin\nfrom numpy import exp\n\n"


@pytest.fixture
def write(tmp_path, monkeypatch):
    """write(text) is the name of the function f in a file of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "path", list(sys.path))
    numbers = iter(range(10**6))

    def written(text: str) -> str:
        file = f"source_{next(numbers)}.py"
        (tmp_path / file).write_text(HEAD + text)
        return f"{file}:f"

    return written


def refusal(target, *args, **options) -> GradgenError:
    with pytest.raises(GradgenError) as caught:
        gradgen.emit(target, *args, **options)
    error = caught.value
    assert re.fullmatch(r"GG\d\d\d", error.code)
    assert "Traceback" not in str(error)
    return error


# name: the body of f(x, y), what the caret points at, code, words of the message
# and of the way out. The text pointed at stands once in its line.
PLACES = {
    "unknown numpy function": (
        "return np.sum(np.kaiser(x, y))", "np.kaiser", "GG205", "np.kaiser", "gradgen ops",
    ),
    "misspelt numpy function": ("return np.smu(x)", "np.smu", "GG205", "smu", "sum"),
    "unknown submodule": (
        "return np.fft.rfft(x)", "np.fft.rfft", "GG205", "rfft", "gradgen ops",
    ),
    "unsupported keyword": (
        "return np.sum(x, where=x > 0)", "np.sum", "GG209", "where=", "sum(a, axis=",
    ),
    "out=": ("return np.exp(x, out=y)", "np.exp", "GG209", "out=", "exp(x)"),
    "too many arguments": ("return np.sqrt(x, y, x)", "np.sqrt", "GG209", "3", "sqrt(x)"),
    "for": (
        "for i in range(3):\n        x = x + i\n    return x",
        "for i", "GG113", "a for loop", "array operations",
    ),
    "while": (
        "while True:\n        x = x + 1\n    return x",
        "while", "GG113", "a while loop", "straight-line",
    ),
    "if": ("if y:\n        x = y\n    return x", "if y", "GG113", "an if", "np.where"),
    "with": (
        "with np.errstate():\n        x = x + 1\n    return x",
        "with", "GG113", "a with block", "without the with",
    ),
    "try": (
        "try:\n        x = x + 1\n    except ValueError:\n        pass\n    return x",
        "try", "GG113", "a try block", "without the try",
    ),
    "augmented assignment": ("x += y\n    return x", "x += y", "GG113", "augmented", "x = x + y"),
    "subscript store": ("x[0] = y\n    return x", "x[0]", "GG114", "storing", "np.where"),
    "attribute store": ("x.flat = y\n    return x", "x.flat", "GG115", "names", "name = value"),
    "nested def": (
        "def g(z):\n        return z\n    return x",
        "def g", "GG113", "a nested function", "its body",
    ),
    "lambda": ("g = lambda z: z\n    return x", "lambda", "GG201", "ambda", ""),
    "global": ("global q\n    return x", "global", "GG113", "a global", "a parameter"),
    "import": ("import math\n    return x", "import", "GG113", "import", "module's top"),
    "assert": ("assert x is not None\n    return x", "assert", "GG113", "assert", "before"),
    "delete": ("del y\n    return x", "del", "GG113", "a del", "drop it"),
    "expression statement": ("np.sum(x)\n    return x", "np.sum", "GG112", "nothing", "assignment"),
    "starred argument": ("return np.sum(*x)", "*x", "GG207", "starred", ""),
    "double starred": ("return np.sum(x, **y)", "np.sum", "GG207", "**", ""),
    "chained comparison": (
        "return np.where(0 < x < y, x, y)", "0 < x < y", "GG204", "chained", "(a < b) & (b < c)",
    ),
    "unknown method": ("return x.smooth()", "x.smooth", "GG206", ".smooth()", "gradgen ops"),
    "unknown attribute": ("return x.flags", "x.flags", "GG206", ".flags", ".shape"),
    "tuple result": ("return y, x", "y, x", "GG117", "a tuple", "one value"),
    "nothing returned": ("x = x + y", "x = x + y", "GG111", "returns nothing", "return"),
    "unreachable": ("return x\n    y = x", "y = x", "GG110", "never reached", ""),
    "unresolved name": ("return x * exq", "exq", "GG210", "exq", "did you mean exp?"),
    "array global": ("return x * TABLE", "TABLE", "GG211", "ndarray", "a parameter"),
    "call of a function": ("return other(x)", "other", "GG212", "other", "the body"),
    "comprehension": ("return np.sum([z for z in x])", "[z for", "GG201", "ListComp", ""),
    "conditional": ("return x if y else -x", "x if", "GG201", "IfExp", ""),
    "walrus": ("return (z := x) * 2", "z := x", "GG201", "NamedExpr", ""),
    "and": ("return x and y", "x and", "GG201", "BoolOp", ""),
    "f-string": ("return x * f'{y}'", "f'{y}'", "GG201", "JoinedStr", ""),
    "complex literal": ("return x * 2j", "2j", "GG202", "complex", ""),
    "floor division matrix": ("return x << y", "x <<", "GG203", "LShift", ""),
    "axis that is a variable": ("return np.sum(x, axis=y)", "np.sum", "GG303", "axis", "keepdims=True"),
    "unequal unpacking": ("a, b = x, y, x\n    return a", "a, b", "GG118", "2 names", ""),
    "conflicting shapes": ("return x @ y", "x @ y", "GG401", "", ""),
}  # fmt: skip
TAIL = "\n\n\nTABLE = np.ones(3)\n\n\ndef other(x):\n    return x\n"


@pytest.mark.parametrize("name", PLACES)
def test_the_place_the_reason_and_a_way_out(write, name):
    body, pointed, code, reason, advice = PLACES[name]
    target = write(f"def f(x, y):\n    {body}{TAIL}")
    shapes = {"x": "n d", "y": "k d"} if name == "conflicting shapes" else {}
    error = refusal(target, shapes=shapes)
    source = (HEAD + f"def f(x, y):\n    {body}").splitlines()
    (number,) = (i for i, line in enumerate(source) if i > 3 and pointed in line)
    column = source[number].index(pointed) + 1
    assert (error.code, error.line) == (code, number + 1), str(error)
    assert error.source == source[number]
    assert error.column == column, str(error)
    place, line, caret, *rest = str(error).splitlines()
    assert place.startswith(f"{target.removesuffix(':f')}:{number + 1}:{column}: {code} ")
    assert caret.index("^") == line.index(pointed)
    assert reason in error.message
    assert advice in error.advice and bool(error.advice) == bool(rest)


@pytest.mark.parametrize("name", PLACES)
def test_every_refusal_has_a_way_out(write, name):
    target = write(f"def f(x, y):\n    {PLACES[name][0]}{TAIL}")
    shapes = {"x": "n d", "y": "k d"} if name == "conflicting shapes" else {}
    assert refusal(target, shapes=shapes).advice


def test_decorators_and_stars_of_the_definition(write):
    error = refusal(write("def dec(f):\n    return f\n\n\n@dec\ndef f(x):\n    return x\n"))
    assert (error.code, error.line, error.column) == ("GG108", 9, 2)
    error = refusal(write("def f(*xs):\n    return xs\n"))
    assert error.code == "GG109" and "*xs" in error.message
    error = refusal(write("def f(x, **options):\n    return x\n"))
    assert error.code == "GG109" and "**options" in error.message
    error = refusal(write("def f():\n    return 1.0\n"))
    assert error.code == "GG001"
    error = refusal(write("def f(x, /, y):\n    return np.kaiser(x, y)\n"))
    assert error.code in ("GG109", "GG205") and "resolves to nothing" not in str(error)


def test_a_function_of_python_is_not_called_numpys(write):
    error = refusal(write("def f(x):\n    return sum(x)\n"))
    assert "did you mean sum?" not in error.advice and "np.sum" in error.advice


def test_a_statement_after_return_is_one_problem(write):
    error = refusal(write("def f(x, y):\n    return x\n    y = x\n"))
    assert [problem.code for problem in error.problems] == ["GG110"]


def test_all_problems_at_once_in_source_order(write):
    target = write(
        "def f(x, y):\n"
        "    x[0] = 1\n"
        "    a = np.kaiser(x, 3) + np.sum(x, where=y)\n"
        "    for i in x:\n"
        "        y += i\n"
        "    b = a * missing\n"
        "    return b, y\n"
    )
    error = refusal(target)
    found = [(p.code, p.line, p.column) for p in error.problems]
    assert found == [
        ("GG114", 6, 5),
        ("GG205", 7, 9),
        ("GG209", 7, 27),
        ("GG113", 8, 5),
        ("GG210", 10, 13),
        ("GG117", 11, 12),
    ]
    places = re.findall(r"^source_0\.py:(\d+:\d+): ", str(error), re.M)
    assert places == [f"{line}:{column}" for _, line, column in found]


def test_one_mistake_is_told_once(write):
    target = write("def f(x):\n    a = np.kaiser(x, 3)\n    b = a * a\n    return b + a\n")
    assert len(refusal(target).problems) == 1


FINE = "def f(x, y, scale=2.0):\n    return np.sum(x * y) * scale\n"


def test_wrt(write):
    target = write(FINE)
    error = refusal(target, "scal")
    assert error.code == "GG002" and error.advice == "did you mean scale?"
    assert refusal(target, "z").advice == "one of x, y, scale"
    for position in (3, -4):
        error = refusal(target, position)
        assert error.code == "GG006" and str(position) in error.message
    assert refusal(target, ()).code == "GG005"
    assert refusal(target, ("x", "x")).code == "GG007"
    assert refusal(target, ("x", 0)).code == "GG007"
    assert refusal(target, style="tape").code == "GG003"
    assert "did you mean scale?" in refusal(target, stop="scales").advice


def test_integer_arguments(write):
    target = write(FINE)
    with pytest.raises(GradgenError, match="GG502.*y is an array of int64"):
        gradgen.grad(target, ("x", "y"))(np.ones(3), np.arange(3))
    with pytest.raises(GradgenError, match="x.astype\\(float\\)"):
        gradgen.vjp(target)(np.arange(3), np.ones(3))
    error = refusal(target, "x", example=(np.arange(3), np.ones(3)))
    assert error.code == "GG502" and "astype(float)" in error.advice
    # Not where nobody asks for its gradient, nor where it is a plain number.
    assert gradgen.emit(target, "y", example=(np.arange(3), np.ones(3)))
    assert gradgen.grad(target)(2, 3) == 6.0


@pytest.mark.parametrize(
    "result, word",
    [
        ("x > y", "true or false"),
        ("np.any(x > 0)", "true or false"),
        ("np.argmax(x)", "an integer"),
        ("len(x)", "an integer"),
        ("x.shape", "an integer"),
        ("'text'", "not a number"),
        ("None", "not a number"),
    ],
)
def test_results_without_a_gradient(write, result, word):
    error = refusal(write(f"def f(x, y):\n    return {result}\n"))
    assert error.code == "GG501" and "no gradient" in error.message
    assert word in error.message and error.advice


def test_functions_without_source_text():
    names: dict = {}
    exec("def made(x):\n    return x\n", names)
    assert refusal(names["made"]).code == "GG106"
    for other in (np.sum, np.exp, len, dict, np.ndarray, "x".join):
        error = refusal(other)
        assert error.code in ("GG105", "GG106", "GG108"), other
        assert error.advice
    error = refusal(lambda x: x)
    assert error.code == "GG107" and "def" in error.advice


def test_targets_that_lead_nowhere(write, tmp_path):
    target = write(FINE)
    file = target.removesuffix(":f")
    error = refusal(f"{file}:ff")
    assert error.code == "GG102" and error.advice == "did you mean f?"
    assert refusal("nothing.py:f").code == "GG103"
    assert refusal("no_such_module.f").code == "GG104"
    assert refusal("no_such_module:f").code == "GG104"
    assert refusal("f").code == "GG101"
    assert refusal(f"{file}:").code == "GG101"
    assert refusal("").code == "GG101"
    assert refusal("numpy.linalg").code == "GG105"
    assert refusal(3).code == "GG101"
    assert refusal(None).code == "GG101"


def test_modules_that_fail(write, tmp_path):
    (tmp_path / "raising.py").write_text("1 / 0\n")
    for name in ("raising.f", "raising.py:f", "raising.f"):
        error = refusal(name)  # the second time as well
        assert error.code == "GG104" and "ZeroDivisionError" in error.message, name
    (tmp_path / "exiting.py").write_text("import sys\n\nsys.exit(3)\n")
    assert "SystemExit" in refusal("exiting.f").message
    (tmp_path / "broken.py").write_text("def f(:\n")
    assert "SyntaxError" in refusal("broken.f").message


def test_shapes(write):
    target = write(FINE)
    error = refusal(target, shapes={"x": "n+1"})
    assert error.code == "GG402" and "'n+1'" in error.message and '"n d"' in error.advice
    for text in ("*s d", "n -1", "...", "n*2", "#"):
        assert refusal(target, shapes={"x": text}).code == "GG402", text
    error = refusal(target, shapes={"scal": ""})
    assert error.code == "GG404" and error.advice == "did you mean scale?"
    annotated = write('def f(x: Float[np.ndarray, "n d"]):\n    return np.sum(x)\n')
    annotated_text = "from __future__ import annotations\n" + HEAD
    with open(annotated.removesuffix(":f"), "r+") as file:
        rest = file.read().removeprefix(HEAD)
        file.seek(0)
        file.write(annotated_text + rest)
    error = refusal(annotated, shapes={"x": "n"})
    assert error.code == "GG405" and "'n d'" in error.message and "'n'" in error.message
    assert gradgen.emit(annotated, shapes={"x": "n, d"})
    error = refusal(target, shapes={"x": "n", "y": "m"})
    assert error.code == "GG401" and error.line == 6
    assert "(n)" in error.message and "(m)" in error.message


def test_an_unknown_rank_needs_a_helper_or_is_refused(write):
    target = write("def f(x, y):\n    return np.sum(np.tanh(x @ y))\n")
    text = gradgen.emit(target, ("x", "y"))
    assert "def _matmul_left(" in text and "def _matmul_right(" in text
    error = refusal(target, ("x", "y"), strict=True)
    assert error.code == "GG403" and "_matmul" in error.message
    assert error.advice == '--shape x="..." --shape y="..."'
    known = {"x": "n d", "y": "d"}
    assert "def _" not in gradgen.emit(target, ("x", "y"), shapes=known, strict=True)


EXPRESSIONS = """
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
""".replace("\n", "|").strip("|").replace("x | y", "x !or! y").split("|")
STATEMENTS = """
a = {0}|a, b = {0}, {1}|a, *b = {0}|(a, b), c = {0}|a = b = {0}|a: float = {0}|a: int|a += {0}
a[0] = {0}|a.b = {0}|x[0], y = {0}|del x|pass|{0}|"text"|return|return {0}|raise {0}|assert {0}
if {0}: a = {1}|while {0}: pass|for a in {0}: pass|for a in x: y = {0}|with {0} as a: pass
try: pass\\n    finally: pass|def g(): return {0}|class C: pass|import os|from os import path
global x|nonlocal q|a = lambda: {0}|x = {0}|y = {0}|z = {0}; a = {1}|async def g(): pass
match x:\\n        case 1: pass|a = ({0},\\n        {1})|# {0}|if x:\\n        pass\\n    else:\\n        pass
a = yield {0}|a = 1 # type: int|a = {0} \\\\\\n        + 1|print({0})|type A = int|return {0}, {1}
""".replace("\n", "|").strip("|").replace("\\n", "\n").replace("\\\\", "\\").split("|")


def expression(rng: np.random.Generator) -> str:
    """One of the expressions, perhaps with another in the place of x."""
    outer, inner = (str(text).replace("!or!", "|") for text in rng.choice(EXPRESSIONS, 2))
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
    return f"def f({head}):\n    " + "\n    ".join(lines) + "\n" + TAIL


@pytest.mark.parametrize("seed", range(4))
def test_nothing_but_a_refusal_escapes(write, seed):
    rng = np.random.default_rng(seed)
    tried = refused = 0
    escaped = []
    while tried < 200:
        text = snippet(rng)
        try:
            compile(HEAD + text, "snippet", "exec")
        except SyntaxError:
            continue
        tried += 1
        try:
            compile(gradgen.emit(write(text), (0, 1)[: rng.integers(1, 3)]), "text", "exec")
        except GradgenError as error:
            refused += 1
            assert re.search(r"GG\d\d\d \S", str(error))
        except Exception as error:
            escaped.append(f"{type(error).__name__}: {error}\n{text.removesuffix(TAIL)}")
    assert refused > 100
    assert not escaped, f"{len(escaped)} of {tried}\n" + "\n".join(escaped[:5])
