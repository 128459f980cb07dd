"""Odd texts in every place that an emitted text is made of: none becomes code."""

import ast
import collections
import contextlib
import importlib.util
import io
import itertools
import linecache
import logging
import sys
import types

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.lines import lines_of
from gradgen.quoting import visible
from gradgen.verify.finite import numeric_gradient

ODD = [
    "x'); PWNED('",
    'x"); PWNED("',
    "a\nPWNED()",
    "a\rPWNED()",
    "a\\",
    '""" + PWNED() + """',
    "# PWNED()",
    "\x00\x1b[31m",
    "\u202ePWNED()\u2066",
    "\ud800",
    "a\u2028PWNED()\x85\x0cPWNED()",
    "encoding: latin-1",
    "{PWNED} {{}} %s",
    "import PWNED",
    "class",
    "x\u00b2",
    "",
    "caf\u00e9 \u540d\t",
]
_cells = itertools.count()
CELL = "import logging\nimport warnings\nimport numpy as np\n\n\n"


def cell(body: str, name: str = "cell", **names) -> types.FunctionType:
    """The function f of a text that stands in no file, in a module of this name."""
    text, file = CELL + body, f"<odd {next(_cells)}>"
    linecache.cache[file] = (len(text), None, lines_of(text, ends=True), file)
    module = types.ModuleType(name)
    vars(module).update(names)
    exec(compile(text, file, "exec"), vars(module))
    return module.f


PLAIN = "def f(x, s='a'):\n    return np.sum(x * x)\n"


def sound(text: str) -> ast.Module:
    """The tree of a text in which nothing but imports, values and functions stand."""
    compile(text.encode(), "emitted", "exec")
    assert "\r" not in text and visible(text.replace("\n", "")) == text.replace(
        "\n", ""
    )
    assert text.splitlines() == lines_of(text)
    tree = ast.parse(text)
    for node in tree.body:
        assert isinstance(
            node, (ast.Import, ast.ImportFrom, ast.Assign, ast.FunctionDef)
        )
    names = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name)]
    names += [a.name for n in ast.walk(tree) for a in getattr(n, "names", [])]
    assert "PWNED" not in names
    return tree


def emitted(function, *args, **options) -> str | None:
    """A sound text, None where gradgen refuses in words that are fit to be shown."""
    try:
        text = gradgen.emit(function, *args, **options)
    except GradgenError as error:
        assert all(visible(line) == line for line in str(error).split("\n"))
        return None
    sound(text)
    return text


def run(text: str, **names):
    space = dict(names)
    exec(text, space)
    return space


odd = pytest.mark.parametrize("text", ODD, ids=ascii)


@odd
@pytest.mark.parametrize("attribute", ["__qualname__", "__module__"])
def test_names_in_the_header(attribute, text):
    function = cell(PLAIN)
    setattr(function, attribute, text or "q")
    assert emitted(function) is not None


@odd
def test_a_function_under_another_name(text):
    function = cell(PLAIN)
    function.__name__ = text
    assert emitted(function) is None


@odd
def test_a_module_of_any_name(text):
    assert emitted(cell(PLAIN, name=text)) is not None


@odd
def test_defaults_are_the_values_that_they_are(text):
    function = cell(PLAIN)
    function.__defaults__ = (text,)
    space = run(emitted(function))
    assert space["grad_f"].__defaults__[0] == text


class One:
    def __repr__(self):
        return "1"


@pytest.mark.parametrize("value", [True, 1.0, One()], ids=repr)
def test_a_default_is_not_spelled_as_another_value(value):
    function = cell("def f(x, k=1):\n    return np.sum(x * x)\n")
    function.__defaults__ = (value,)
    text = emitted(function)
    if text is None:
        assert type(value) is One
        return
    found = run(text)["grad_f"].__defaults__[0]
    if type(value) is One:  # an object is handed over, or left out
        assert found is None
        return
    assert type(found) is type(value) and found == value


@pytest.mark.parametrize(
    "head",
    [
        "def f(x, s='a'\n      'b', k=(1.5)):",
        "def f(\n    x,  # a, \x0cs='PWNED'\n    s='ab', k=1.5,  # \x85k=9\n):",
        "def f(x, *, s='é\x0cb'[:0] or 'ab', k=1.5):  # \u2028",
    ],
)
def test_defaults_that_stand_over_lines(head):
    function = cell(f"{head}\n    return k * np.sum(x * x)\n")
    space = run(emitted(function))
    found = dict(zip(("s", "k"), space["grad_f"].__defaults__))
    found |= space["grad_f"].__kwdefaults__ or {}
    assert {"s": found["s"], "k": found["k"]} == {"s": "ab", "k": 1.5}


@odd
@pytest.mark.parametrize("how", ["literal", "constant", "formatted"])
def test_what_is_printed(how, text):
    shown = {"literal": ascii(text), "constant": "NOTE"}.get(how)
    if shown is None:
        shown = (
            f"f{ascii(text.replace('{', '{{').replace('}', '}}'))}, f'{{len(x)!r:>4}}'"
        )
    function = cell(
        f"def f(x):\n    print({shown})\n    return np.sum(x * x)\n", NOTE=text
    )
    gradient = run(emitted(function))["grad_f"]
    said = []
    for one in (function, gradient):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            one(np.ones(3))
        said.append(out.getvalue())
    assert said[0] == said[1]


@pytest.mark.parametrize(
    "shown",
    [
        "f'{x[0]:.2f}\\r{x[1]!r}'",
        "f'{{{x[0]}}}\"\\'{len(x)}'",
        'f"""{x[0]}\n  \'and\' "{x[1]}" """',
        "f'{np.sum(x):>8}'",
        "f'a' \"b\" f'{x[0]}\\x00\\ud800'",
        'f\'{np.einsum("i->", x)}"\'',
    ],
)
def test_formatted_strings(shown):
    function = cell(f"def f(x):\n    print({shown})\n    return np.sum(x * x)\n")
    gradient = run(emitted(function))["grad_f"]
    said = []
    for one in (function, gradient):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            one(np.array([1.5, 2.5]))
        said.append(out.getvalue())
    assert said[0] == said[1]


@odd
def test_keys_of_arguments_and_results(text):
    body = f"def f(p):\n    return np.sum(p[{ascii(text)}] ** 2)\n"
    found = emitted(cell(body), shapes={"p": {text: "n"}})
    if found is not None:
        gradient = run(found)["grad_f"]({text: np.array([1.0, 2.0])})
        assert list(gradient) == [text]
        np.testing.assert_array_equal(gradient[text], [2.0, 4.0])
    part = f"p[{text!r}]"
    emitted(cell(body), wrt=part, shapes={"p": {text: "n"}})
    body = f"def f(x):\n    return {{{ascii(text)}: np.sum(x * x)}}\n"
    value = emitted(cell(body), value=True)
    assert list(run(value)["value_and_grad_f"](np.ones(2), 1.0)[0]) == [text]


@odd
def test_options(text):
    function = cell(PLAIN)
    for option in ("stop", "of", "complex"):
        emitted(function, **{option: (text,)})
    for option in ("python", "target", "mode", "style", "save"):
        emitted(function, **{option: text})
    emitted(function, text)
    emitted(function, shapes={"x": text})
    emitted(function, shapes={text: "n"})
    for target in (text, f"{text}.f", f"json.{text}", f"{text}:f", f"{text}.py:f"):
        assert emitted(target) is None


@odd
def test_annotations_and_docstrings(text):
    emitted(cell(f"def f(x: {ascii(text)}):\n    return np.sum(x * x)\n"))
    body = f"def f(x):\n    {ascii(text)}\n    return np.sum(x * x)\n"
    assert emitted(cell(body)) is not None


def test_an_annotation_is_not_run():
    ran = []
    body = "def f(x: 'note(1)', y: 'note(2)' = 1.0):\n    return np.sum(x * x)\n"
    emitted(cell(body, note=ran.append))
    assert ran == []


@odd
def test_loggers(text):
    body = "def f(x):\n    log.info('%s', 1)\n    log.info('b')\n    return np.sum(x)\n"
    found = emitted(cell(body, log=logging.getLogger(text)))
    assert run(found)["log"] is logging.getLogger(text)


def test_a_logger_that_no_name_leads_to_is_refused():
    body = "def f(x):\n    log.info('a')\n    return np.sum(x)\n"
    assert emitted(cell(body, log=logging.Logger("alone"))) is None


@odd
def test_warnings_errors_and_asserts(text):
    lit = ascii(text)
    body = (
        f"def f(x):\n    warnings.warn({lit})\n    assert len(x) < 9, {lit}\n"
        f"    if len(x) > 5:\n        raise ValueError({lit})\n"
        "    return np.sum(x * x)\n"
    )
    gradient = run(emitted(cell(body)))["grad_f"]
    with pytest.warns(UserWarning) as told, pytest.raises(ValueError) as raised:
        gradient(np.ones(6))
    assert str(told[0].message) == text == str(raised.value)


@odd
@pytest.mark.parametrize("attribute", ["__module__", "__name__"])
def test_classes_that_are_imported(attribute, text):
    cls = collections.namedtuple("S", "a b")
    cls.__module__ = "cell"
    if attribute == "__name__" and ("\0" in text or "\ud800" in text):
        return  # which Python refuses
    setattr(cls, attribute, text)
    emitted(cell("def f(x):\n    return S(np.sum(x), x)\n", S=cls), value=True)


@odd
def test_modules_that_are_imported(text):
    module = types.ModuleType(text)
    module.C = 2.5
    emitted(cell("def f(x):\n    return np.sum(x) * o.C\n", o=module))


@pytest.mark.parametrize("value", [0.0, -0.0, 1, True, 1.0, 1e3, np.inf, (1, 2.0)])
def test_a_constant_is_spelled_as_its_own_value(tmp_path, value):
    path = tmp_path / f"constant_{next(_cells)}.py"
    text = "import numpy as np\nK = 1e3\nK = 0.0\nK = 1\n" if value != 1e3 else ""
    text = text or "import numpy as np\nK = 1e3\n"
    path.write_text(text + "def f(x):\n    print(K)\n    return np.sum(x * x)\n")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    module.K = value
    names = run(emitted(module.f))
    if value == np.inf:  # it has no digits, and is written out
        assert "print(np.inf)" in emitted(module.f)
    else:
        assert repr(names["K"]) == repr(value)
    if value == 1e3:
        assert "K = 1e3" in emitted(module.f)


BREAKS = ["\x0b", "\x0c", "\x1c", "\x85", "\u2028"]


@pytest.mark.parametrize("mark", BREAKS, ids=ascii)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=ascii)
@pytest.mark.parametrize("place", ["module", "comment", "trailing", "doc", "string"])
def test_lines_of_a_file(tmp_path, place, end, mark):
    odd = {place: f"note{mark}y = 0 * x"}
    lines = [
        f'"""{odd.get("module", "")}"""',
        "import numpy as np",
        "def f(x, k=1.5):",
        f'    """{odd.get("doc", "Doc.")}"""',
        f"    # {odd.get('comment', 'plain')}",
        f"    y = k * np.sin(x)  # {odd.get('trailing', 'plain')}",
        f'    print("{odd.get("string", "plain")}")',
        "    return np.sum(y)",
    ]
    path = tmp_path / f"lines_{next(_cells)}.py"
    path.write_bytes(end.join([*lines, ""]).encode())
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    x = np.array([0.3, -0.7])
    got = run(emitted(module.f))["grad_f"](x)
    want = numeric_gradient(module.f, [x, 1.5], 0, 1.0).value
    np.testing.assert_allclose(got, want, rtol=1e-7)


FILES = [
    ("\ufeff", "utf-8", "é = 2.0"),
    ("# -*- coding: latin-1 -*-\n", "latin-1", "é = 2.0"),
    ("# vim: set fileencoding=cp1252 :\n", "cp1252", "é = 2.0  # \u201c"),
    ("", "utf-8", "\u540d = 1; é = 2.0"),
]


@pytest.mark.parametrize("head, encoding, line", FILES)
@pytest.mark.parametrize("indent", ["    ", "\t", "\x0c    "], ids=ascii)
@pytest.mark.parametrize("last", ["\n", ""], ids=ascii)
def test_encodings_and_indentations(tmp_path, head, encoding, line, indent, last):
    text = f"{head}import numpy as np\n{line}\nW = np.array([1.0, 2.0])  # é\n"
    text += f"def f(x):\n{indent}y = 'é' and x * é + W[1]\n{indent}return np.sum(y * y)"
    text = text.replace("'é' and ", "") + last
    path = tmp_path / f"encoded_{next(_cells)}.py"
    path.write_bytes(text.encode(encoding))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    x = np.array([0.3, -0.7])
    found = emitted(module.f)
    assert "é = 2.0" in found
    want = numeric_gradient(module.f, [x], 0, 1.0).value
    np.testing.assert_allclose(run(found)["grad_f"](x), want, rtol=1e-7)


def test_strings_of_a_nested_function_keep_their_indentation():
    body = (
        "def outer():\n    def f(x):\n"
        '        print("""a\n            b\n    c""")\n'
        "        return np.sum(x * x)\n    return f\nf = outer()\n"
    )
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        run(emitted(cell(body)))["grad_f"](np.ones(2))
    assert out.getvalue() == "a\n            b\n    c\n"


def test_lines_that_somebody_else_has_split_are_refused():
    """Notebooks keep cells as str.splitlines has them."""
    text = CELL + "def f(x):\n    # note\x0c    x = 2 * x\n    return np.sum(x * x)\n"
    file = f"<odd {next(_cells)}>"
    lines = [line + "\n" for line in text.splitlines()]
    linecache.cache[file] = (len(text), None, lines, file)
    space = {"__name__": "cell"}
    exec(compile(text, file, "exec"), space)
    with pytest.raises(GradgenError, match="GG10[67]"):
        gradgen.emit(space["f"])
