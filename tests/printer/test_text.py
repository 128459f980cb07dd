"""The printed text: its parentheses, spaces and lines, and that black leaves it alone."""

import ast
import random
import subprocess
import sys
import time

import black
import gast
import numpy as np
import pytest

from gradgen.errors import InternalError
from gradgen.printer.text import Blank, Comment, to_text

MODE = black.Mode()

# What is read -> what is printed; one text alone is printed as it is.
STATEMENTS = [
    # parentheses
    ("a - (b + c)",),
    ("a / (b * c)",),
    ("(a / b) * c", "a / b * c"),
    ("(a @ b) @ c", "a @ b @ c"),
    ("a @ (b @ c)",),
    ("-(x + y)",),
    ("(-x) ** 2",),
    ("-(x ** 2)", "-(x**2)"),
    ("not x ** 2", "not (x**2)"),
    ("a * -b",),
    ("- -a", "--a"),
    ("not (a and b)",),
    ("(not a) == b",),
    ("(a < b) & (c < d)",),
    ("(a < b) < c",),
    ("a < b <= c is not d not in e",),
    ("a and (b or c) and not d",),
    ("a or (b or c)",),
    ("(x if c else y) + 1",),
    ("(a if b else c) if d else e",),
    ("a if b else (c if d else e)", "a if b else c if d else e"),
    ("(lambda: x)()",),
    ("(a + b)[0].T",),
    ("a << (b >> c) ^ d | e",),
    ("2 ** (3 ** x)", "2**3**x"),
    ("(2 ** 3) ** x", "(2**3) ** x"),
    # powers
    ("h**2",),
    ("x ** -1", "x**-1"),
    ("(a + b) ** 2",),
    ("x.y ** 2", "x.y**2"),
    ("f(x) ** 2",),
    ("x[0] ** 2",),
    ("2 ** f(x)",),
    ("x ** y.z", "x**y.z"),
    ("x ** n if f(y) else z", "(x**n) if f(y) else z"),
    ("x ** n if y else z", "x**n if y else z"),
    ("f(**a, b=x ** 2)", "f(**a, b=x**2)"),
    # subscripts
    ("x[1:-1]",),
    ("x[i + 1:]", "x[i + 1 :]"),
    ("x[: i + 1]",),
    ("x[fn(a):fn(b)]", "x[fn(a) : fn(b)]"),
    ("x[i:-j:2]",),
    ("x[a.b : c : 2]",),
    ("x[::2]",),
    ("x[:: f(n)]",),
    ("x[i + 1 :: 2]",),
    ("x[:, None]",),
    ("x[..., None]",),
    ("x[a + b :, ::2]",),
    ("x[(1, 2)]", "x[1, 2]"),
    ("x[1,]", "x[(1,)]"),
    ("x[()]",),
    # calls, lambdas, displays
    ("f(*args, k=1, **more)",),
    ("f((x for x in y))", "f(x for x in y)"),
    ("f((x for x in y), 1)",),
    ("f((a, b))",),
    ("lambda x, *y, z=1, **w: x + z",),
    ("lambda *, k: k",),
    ("lambda: 0",),
    ("[x * 2 for x, y in z if x if y]",),
    ("[x for x in (a if b else c)]",),
    ("{k: v + 1 for k, v in d.items()}",),
    ("{**a, 'b': -1}", '{**a, "b": -1}'),
    ("{1, 2}",),
    ("[]",),
    ("{}",),
    ("()",),
    ("(a,)",),
    ("[(a, b), *c]",),
    ("(n := 10) + 1",),
    ("f(n := 10)",),
    ("1.5.real", "(1.5).real"),
    ("x.T.sum().T",),
    # literals
    ("0XaB + 1E5 + 10J", "171 + 100000.0 + 10j"),
    ("'it' + \"it's\" + 'say \"it\"'", '"it" + "it\'s" + \'say "it"\''),
    ("b'x\\n' + r'\\d'", 'b"x\\n" + "\\\\d"'),
    ("f'{x!r:>{w}} {{}}'", 'f"{x!r:>{w}} {{}}"'),
    ("None is True",),
    # statements
    ("x = y = z",),
    ("(a, b) = c, (d, e) = f", "a, b = c, (d, e) = f"),
    ("(x,) = y",),
    ("x[i] += y, z",),
    ("x: Float[np.ndarray, 'n d'] = 1.0", 'x: Float[np.ndarray, "n d"] = 1.0'),
    ("(x): int = 1",),
    ("assert (x), 'no'", 'assert x, "no"'),
    ("del a, b[0]",),
    ("raise E(1) from None",),
    ("import numpy as np, math",),
    ("from ..a import b as c, d",),
]
BLOCKS = [
    "for i, (a, b) in f(x):\n    pass\nelse:\n    pass",
    "for i in (1, 2):\n    break",
    "while (n := n - 1):\n    continue",
    "if a:\n    pass\nelif b:\n    pass\nelse:\n    pass",
    "with f(x) as y, z:\n    pass",
    "try:\n    pass\nexcept (A, B) as e:\n    raise\nfinally:\n    pass",
    "@a.b(1)\ndef f(a, /, b: int, c=1, *d: int, e, g: int = 2, **h) -> tuple[int, ...]:\n"
    "    global q\n    return a, (b, c)",
    "def f(a, *, b=-1):\n    return",
    "class A(B):\n    x = 1",
    "match x:\n    case [1, *_]:\n        pass",
]
LONG = [
    # brackets on one line inside, or one element to a line
    "value = some_function_name(argument_number_one, argument_number_two, argument_three)",
    "value = np.some_function_name(argument_number_one, argument_number_two, axis=-1, keep=a)",
    "value = np.some_function_name(argument_number_one, argument_number_two, axis=-1, keep=a,"
    " another_argument=another_value, still_another_argument=another_value)",
    "value = [element_number_one, element_number_two, element_number_three, element_number_4]",
    "def value_and_grad_of_a_function(weights, bias, inputs, targets, regularisation=0.1):\n"
    "    return weights",
    "def value_and_grad_of_a_function(weights, bias, inputs, targets, regularisation=0.1,"
    ' scale: Float[np.ndarray, "n d"] = 1.0) -> float:\n    return weights',
    "def value_and_grad_of_a_function_with_a_name_that_is_far_too_long_to_be_a_good_name(x):\n"
    "    return x",
    # operators
    "d_weights = d_hidden_state_of_layer @ inputs.T + regularisation * weights - d_previous_x",
    "return -np.sum(targets * np.log(predictions) + (1 - targets) * np.log(1 - predictions))",
    "return d_weights_of_layer_one, d_bias_of_layer_one, d_weights_of_layer_two, d_bias_two_x",
    "x = first_condition_value and second_condition_value or third_condition_value == fourth",
    "result = some_value_of_a_function if some_condition_of_a_value else another_function_value",
    "result = f(some_value_of_a_function if some_condition_of_a_value else another_function, 2)",
    "rows[some_index_of_the_row, another_index] = np.maximum(hidden_state_of_layer, threshold)",
    "first_gradient_of_weights, second_gradient_of_weights, third_gradient_of_weights = back(x)",
    "assert first_condition_of_the_values, 'a message that says what went wrong with the x'",
    "if some_condition_of_the_values(argument_one) and another_condition_of_values(argument):\n"
    "    pass",
    "for first_index, second_index in enumerate(zip(some_sequence_of_values, another_sequence)):"
    "\n    pass",
    "from some_module_of_a_package import first_name_of_a_thing, second_name, third_name_thing",
    "raise ValueError('a message that is a good deal longer than the line may be: ' + str(x))",
]


def text_of(source: str) -> str:
    return to_text(gast.parse(source))


def function(body: list) -> gast.Module:
    nothing = gast.arguments([], [], None, [], [], None, [])
    return gast.Module([gast.FunctionDef("f", nothing, body, [], None, None, [])], [])


def name(text: str):
    return gast.Name(text, gast.Load(), None, None)


def assign(value, target="x"):
    return gast.Assign([name(target)], value, None)


def constant(value, spelling=None):
    node = gast.Constant(value, None)
    if spelling is not None:
        node.spelling = spelling
    return node


@pytest.mark.parametrize("case", STATEMENTS, ids=lambda case: case[0])
def test_statement(case):
    inside = "def f():\n    " + case[-1] + "\n"
    assert text_of("def f():\n    " + case[0]) == inside
    assert black.format_str(inside, mode=MODE) == inside


@pytest.mark.parametrize("source", BLOCKS)
def test_block(source):
    text = text_of(source)
    assert text.rstrip() == source.replace("(n := n - 1)", "n := n - 1")
    assert black.format_str(text, mode=MODE) == text


@pytest.mark.parametrize("source", LONG)
def test_long_line_is_broken_as_black_breaks_it(source):
    if source.startswith("return"):
        source = f"def f():\n    {source}"
    assert text_of(source) == black.format_str(source, mode=MODE)


def test_stars_get_a_trailing_comma():
    arguments = ", ".join(f"argument_number_{i}" for i in range(5))
    text = text_of(f"def value_and_gradient({arguments}, *, k=1, **more):\n    pass")
    assert text.endswith("    k=1,\n    **more,\n):\n    pass\n")
    assert black.format_str(text, mode=MODE) == text
    text = text_of(f"value = function({arguments}, *more)")
    assert text.endswith("    *more,\n)\n")
    assert black.format_str(text, mode=MODE) == text


@pytest.mark.parametrize(
    "words, line",
    [
        ([f"weights_{i} (n, {i})" for i in range(9)], ', weights_3 (n, 3), "'),
        (["a word", "another one"] * 9, 'a word, "'),
        (["one and the other"] * 9, ""),
        (['quotes \\" and \\\\ and\\n'] * 9, ""),
    ],
)
def test_a_long_string_is_several(words, line):
    between = ", " if line else " "
    source = f'raise ValueError("{between.join(words)}")'
    text = text_of(source)
    assert max(map(len, text.splitlines())) <= 88 < len(source)
    assert black.format_str(text, mode=MODE) == text
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(source))
    assert text.splitlines()[1][:-1].endswith(line[:-1] or " ")


def test_one_word_stays_whole():
    text = text_of(f'raise ValueError("{"word" * 30}")')
    assert len(text.splitlines()) == 3


def test_ruff_leaves_the_text_alone():
    lines = [case[-1] for case in STATEMENTS]
    lines += [line for line in LONG if not line.startswith("assert")]
    bodies = [line.replace("\n", "\n    ") for line in lines]
    sources = [f"def f():\n    {body}\n" for body in bodies] + BLOCKS
    rng = random.Random(3)
    sources += [f"x = {expression(rng, 2)}" for _ in range(200)]
    text = text_of("\n".join(sources))
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "-"]
    run = subprocess.run(command, input=text, capture_output=True, text=True)
    assert run.stdout == text


def test_constants_become_python_literals():
    cases = [
        (np.float64(1.5), "1.5"),
        (np.float32(0.5), "0.5"),
        (np.int64(3), "3"),
        (np.bool_(True), "True"),
        (-2, "-2"),
        (-0.0, "-0.0"),
        (1e-08, "1e-08"),
        (1e16, "1e16"),
        (1j, "1j"),
        (-1.5j, "-1.5j"),
        (1 - 2j, "1.0 - 2j"),
        (..., "..."),
    ]
    for value, text in cases:
        assert to_text(gast.Module([assign(constant(value))], [])) == f"x = {text}\n"


def test_negative_constants_keep_their_sign_in_a_power():
    minus = constant(-2)
    power = gast.BinOp(minus, gast.Pow(), name("x"))
    other = gast.BinOp(name("x"), gast.Pow(), minus)
    body = [assign(power), assign(other), assign(gast.BinOp(other, gast.Sub(), minus))]
    text = to_text(gast.Module(body, []))
    assert text == "x = (-2) ** x\nx = x**-2\nx = x**-2 - -2\n"


def test_a_literal_keeps_its_spelling():
    cases = [
        (1e-8, "1e-8", "1e-8"),
        (0.33333, "0.33333", "0.33333"),
        (1000, "1_000", "1_000"),
        (16, "0x10", "0x10"),
        (171, "0XaB", "0xAB"),
        (1e5, "1E+5", "1e5"),
        (0.5, ".5", "0.5"),
        (1.0, "1.", "1.0"),
        (2j, "2J", "2j"),
    ]
    for value, spelling, text in cases:
        tree = gast.Module([assign(constant(value, spelling))], [])
        assert to_text(tree) == f"x = {text}\n"


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, complex(0, np.inf), (1, 2)])
def test_a_constant_without_literal_is_refused(value):
    with pytest.raises(InternalError):
        to_text(gast.Module([assign(constant(value))], []))


def test_a_text_that_reads_differently_is_refused():
    for wrong in (
        constant(1e-8, "1e-7"),
        constant(1, "1.0"),
        name("a b"),
        name("a.b"),
        gast.List([Comment("x")], gast.Load()),
    ):
        with pytest.raises(InternalError):
            to_text(gast.Module([assign(wrong)], []))
    with pytest.raises(InternalError):
        to_text(function([Comment("a body of comments alone")]))


def test_comments_and_blank_lines():
    loop = gast.For(
        name("i"), name("y"), [Blank(), assign(name("i")), Blank()], [], None
    )
    loop.trailing = "over rows"
    guarded = assign(name("y"))
    guarded.trailing = "guard: x / 0 -> 0"
    inner = function([Comment("Grad of: x ** y"), gast.Return(name("x"))]).body[0]
    doc = gast.Expr(constant('Say "it".\n\nShapes: x (n)\n    -> y ()'))
    module = function([doc, guarded, loop, inner, gast.Return(name("f"))])
    header = [Comment("Generated."), Comment(""), Comment("    more"), Blank()]
    imports = [gast.Import([gast.alias("numpy", "np")])]
    module.body = [*header, *imports, *module.body, Comment("last")]
    text = to_text(module)
    wanted = '''\
# Generated.
#
#     more

import numpy as np


def f():
    """Say "it".

    Shapes: x (n)
        -> y ()
    """
    x = y  # guard: x / 0 -> 0
    for i in y:  # over rows
        x = i

    def f():
        # Grad of: x ** y
        return x

    return f


# last
'''
    assert text == wanted
    assert black.format_str(text, mode=MODE) == text


@pytest.mark.parametrize(
    "doc",
    [
        "One.",
        'Say "x"',
        '"x"',
        "a\\b",
        'a """ b',
        "  a\n\n\n  b\n    c\n",
        "a  \n\tb",
        "\\",
    ],
)
def test_docstrings(doc):
    text = to_text(function([gast.Expr(constant(doc)), gast.Return(name("x"))]))
    assert black.format_str(text, mode=MODE) == text
    read = ast.get_docstring(ast.parse(text).body[0])
    assert read.split() == doc.split()


def test_long_comments_break_the_line_and_not_themselves():
    long = assign(gast.BinOp(name("y"), gast.Add(), name("z")))
    long.trailing = "a comment that says why, " * 4
    text = to_text(gast.Module([Comment("x ** y " * 20), long], []))
    assert black.format_str(text, mode=MODE) == text
    assert max(map(len, text.splitlines())) > 100


def expression(rng: random.Random, depth: int) -> str:
    """The source of a random expression, all of it in parentheses."""
    if depth == 0 or rng.random() < 0.1:
        return rng.choice(["x", "loss", "d_weights", "hidden_state", "2", "0.5", "-1"])
    parts = [f"({expression(rng, depth - 1)})" for _ in range(3)]
    a, b, c = parts
    operator = rng.choice("+ - * / @ // % ** ** + * & | << < == and or is in".split())
    forms = [f"{a} {operator} {b}"] * 8 + [
        f"{a} {rng.choice('+ - *'.split())} {b} / {c}",
        f"-{a}",
        f"not {a}",
        f"{a} if {b} else {c}",
        f"np.sum({a}, axis={b}, keepdims=True)",
        f"np.log({a})",
        f"{a}.reshape({b}).T",
        f"hidden_state[{a} + 1:-{b}.T, None]",
        f"x[{a}]",
        f"[{a}, {b}]",
        f"({a}, {b}, {c})",
        f"[{a} for x in {b} if {c}]",
        f"lambda x: {a}",
        f"function({a}, *{b}, out={c})",
    ]
    return rng.choice(forms)


def statement(rng: random.Random, depth: int) -> str:
    value = expression(rng, depth)
    forms = [f"d_weights = {value}"] * 3 + [
        f"d_weights[{expression(rng, 1)}] += {value}",
        f"return {value}",
        f"return loss, ({value})",
        f"d_weights, d_bias = {value}",
        f"np.add.at({value}, x)",
        f"if {value}: pass",
        f"for x in {value}: pass",
        f"assert {value}, x",
    ]
    return f"def f(x):\n    {rng.choice(forms)}\n"


def failures(seeds: range, depth: int) -> tuple[list[str], int]:
    """The texts that black changes, and how many have a broken line."""
    changed, broken = [], 0
    for seed in seeds:
        source = statement(random.Random(seed), depth)
        text = text_of(source)
        assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(source)), source
        broken += any(line.endswith(("(", "[")) for line in text.splitlines())
        if black.format_str(text, mode=MODE) != text:
            changed.append(text)
    return changed, broken


def test_random_statements_are_fixed_points_of_black():
    changed, broken = failures(range(250), 2)
    assert changed == []
    changed, broken = failures(range(250), 3)
    assert broken > 50
    assert len(changed) <= 1, changed


@pytest.mark.long
def test_many_random_statements_are_fixed_points_of_black():
    for depth in (2, 3, 4):
        changed, broken = failures(range(1000, 11000), depth)
        assert broken > 500
        assert len(changed) <= broken / 100, changed


def test_a_long_body_is_printed_in_linear_time():
    sides = [gast.BinOp(name("a"), gast.Mult(), name("b")) for _ in range(12000)]
    body = [assign(side, f"x{i}") for i, side in enumerate(sides)]
    times = {3000: [], 12000: []}
    for count in (3000, 12000) * 3:
        start = time.process_time()
        text = to_text(function(body[:count]))
        times[count].append(time.process_time() - start)
        assert text.count("\n") == count + 1
    assert min(times[12000]) < 12 * min(times[3000])


def test_a_long_sum_is_no_deep_recursion():
    total = name("x")
    for _ in range(600):
        total = gast.BinOp(total, gast.Add(), name("x"))
    assert to_text(gast.Module([assign(total)], [])).count("+") == 600
