"""What is copied from outside: no character of it ends a line or closes a quote."""

import ast
import shlex

import pytest

from gradgen.request import shellwords
from gradgen.lines import dedented, lines_of, on_one_line, segment
from gradgen.quoting import as_name, import_line, is_name, string_literal, visible

ATTACKS = [
    "x'); PWNED('",
    'x"); PWNED("',
    "a\nPWNED()",
    "a\r\nPWNED()",
    "a\\",
    '"""',
    "'''",
    "# PWNED",
    "\x00",
    "\x1b[31m",
    "\u202ePWNED",
    "\ud800",
    "\u2028PWNED()",
    "\x0cPWNED()",
    "\x85",
    "encoding: latin-1",
    "coding=utf-7",
    "{PWNED}",
    "$(PWNED) `PWNED` ;",
    "\ufeff",
    "caf\u00e9 \u540d",
    "a\tb",
    "",
    " ",
    "\\N{DASH}",
    "long " * 2000,
]


@pytest.mark.parametrize("text", ATTACKS, ids=ascii)
def test_a_literal_is_one_string_of_the_same_value(text):
    literal = string_literal(text)
    assert ast.literal_eval(literal) == text
    assert visible(literal) == literal and "\t" not in literal
    assert lines_of(literal) == [literal] == literal.splitlines()


@pytest.mark.parametrize("text", [b"", b"\xff\x80'\"", b"\r\n\x00\\", "é\x85".encode()])
def test_a_literal_of_bytes(text):
    assert ast.literal_eval(string_literal(text)) == text


@pytest.mark.parametrize("text", ATTACKS, ids=ascii)
def test_a_visible_text_is_one_line_and_stays_it(text):
    shown = visible(text)
    assert len(shown.splitlines()) <= 1 and visible(shown) == shown
    assert visible("plain ascii, é and \u540d") == "plain ascii, é and \u540d"


@pytest.mark.parametrize("text", ATTACKS, ids=ascii)
def test_a_word_of_a_command_is_read_back(text):
    written = shellwords.word(text)
    assert visible(written) == written
    read = shellwords.words(f"gradgen emit {written} --wrt x")
    if text != "\ud800":  # which no file's name can hold
        assert read == ["gradgen", "emit", text, "--wrt", "x"]
    assert "coding:" not in written and "coding=" not in written


@pytest.mark.parametrize(
    "command",
    ["a 'b c' \"d e\"f\\ g", "a='n d' --x='' \"\"", "--shape X=\"n d\" '#' a#b"],
)
def test_words_are_those_of_a_shell(command):
    assert shellwords.words(command) == shlex.split(command)


@pytest.mark.parametrize("command", ["a 'b", 'a "b', "it's"])
def test_quotes_that_do_not_close_are_an_error(command):
    with pytest.raises(ValueError):
        shellwords.words(command)


@pytest.mark.parametrize("name, text", [("encoding", "n d"), ("coding", "n")])
def test_a_fact_is_read_back_and_is_no_encoding(name, text):
    written = shellwords.fact(name, text, False)
    assert shellwords.words(written) == [f"{name}={text}"]
    assert "coding=" not in written
    assert shellwords.fact("X", "n d", False) == 'X="n d"'


@pytest.mark.parametrize(
    "module, name, line",
    [
        ("os", None, "import os"),
        ("a.b", "c", "from a.b import c"),
        ("a-b", None, None),
        ("os; PWNED", None, None),
        ("os\nPWNED()", "c", None),
        ("a..b", None, None),
        ("a", "class", None),
        ("a", "", None),
        ("a", "\ufb01", None),
    ],
)
def test_an_import_is_of_names_alone(module, name, line):
    assert import_line(module, name) == line


@pytest.mark.parametrize("text", [*ATTACKS[:10], "class", "x\u00b2", "\ufb01", "1"])
def test_a_name_is_made_of_any_text(text):
    name = as_name(text)
    assert is_name(name)
    ast.parse(f"{name} = 1")


BREAKS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"


@pytest.mark.parametrize("mark", BREAKS, ids=ascii)
def test_lines_are_pythons(mark):
    text = f"a = 1  # x{mark}y\r\nb = 2\rc = '{mark}'\n"
    assert lines_of(text) == [f"a = 1  # x{mark}y", "b = 2", f"c = '{mark}'"]
    assert "".join(lines_of(text, ends=True)) == text
    assert len(ast.parse(text).body) == len(lines_of(text))


@pytest.mark.parametrize("before", ["", "é = 1; ", "'\u540d'; "])
def test_a_segment_counts_bytes(before):
    text = f"{before}x = (1 +\n  é)"
    value = ast.parse(text).body[-1].value
    assert segment(lines_of(text), value) == "1 +\n  é"


DEDENTED = [
    ("    def f(x):\n        return x\n", "def f(x):\n    return x\n"),
    (
        '    def f(x):\n        s = """a\n  b\n        c"""\n        return x\n',
        'def f(x):\n    s = """a\n  b\n        c"""\n    return x\n',
    ),
    ("\tdef f(x):\n\t\treturn g(\nx)\n", "def f(x):\n\treturn g(\nx)\n"),
    ("\x0c    def f(x):\n    \x0c        return x\n", "def f(x):\n    return x\n"),
    ("    def f(x):\n# low\n        return x\n", "def f(x):\n# low\n    return x\n"),
]


@pytest.mark.parametrize("text, wanted", DEDENTED)
def test_dedented_keeps_what_is_in_strings(text, wanted):
    assert dedented(text) == wanted
    around = ast.parse("if True:\n" + text).body[0].body[0]
    assert ast.dump(around) == ast.dump(ast.parse(wanted).body[0])


@pytest.mark.parametrize(
    "text, wanted",
    [
        ('x = f(\n    a,  # one\n    "# no",\n)', 'x = f(a, "# no")'),
        ("x = a + \\\n    b  # two", "x = a + b"),
        ('x = [\n    """a\nb""", c]', 'x = ["""a\\nb""", c]'),
        ('x = f(f"{a} # {b}",\n  c)', 'x = f(f"{a} # {b}", c)'),
    ],
)
def test_a_statement_on_one_line(text, wanted):
    assert on_one_line(text) == wanted
