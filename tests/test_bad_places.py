"""Refusals of one construct: the code, the caret's place, the reason and a way out."""

import pytest

from tests.refusals import HEAD, refusal

# name: the body of f(x, y), what the caret points at, code, words of the message
# and of the way out. The text pointed at stands once in its line.
PLACES = {
    "unknown numpy function": (
        "return np.sum(np.packbits(x, y))", "np.packbits", "GG205", "np.packbits", "gradgen ops",
    ),
    "misspelt numpy function": ("return np.smu(x)", "np.smu", "GG205", "smu", "sum"),
    "unknown submodule": (
        "return np.char.upper(x)", "np.char.upper", "GG205", "upper", "gradgen ops",
    ),
    "unsupported keyword": (
        "return np.mean(x, initial=2)", "np.mean", "GG209", "initial=", "mean(a, axis=",
    ),
    "too many arguments": ("return np.sqrt(x, y, x)", "np.sqrt", "GG209", "3", "sqrt(x)"),
    "loop over a number": (
        "for i in 3.5:\n        x = x + i\n    return x",
        "3.5", "GG243", "a loop over", "range",
    ),
    "with": (
        "with open('f'):\n        x = x + 1\n    return x",
        "with", "GG113", "a with block", "without the with",
    ),
    "try": (
        "try:\n        x = x + 1\n    except* ValueError:\n        pass\n    return x",
        "try", "GG113", "a try block", "without the try",
    ),
    "store into a tuple": (
        "z = (x, y)\n    z[0] = y\n    return x", "z[0]", "GG230", "a tuple", "an array",
    ),
    "alias by a branch": (
        "z = np.ones(3)\n    if y[0] > 0:\n        z = x\n    z[0] = 1\n    return np.sum(x) + z[1]",
        "np.sum(x) +", "GG220", "may or may not", ".copy()",
    ),
    "number or array": (
        "z = x\n    z += y\n    return x * 3", "x * 3", "GG233", "if z is an array", "--shape",
    ),
    "store through reshape": (
        "z = x.reshape(-1)\n    z[0] = y[0]\n    return x * 3", "x * 3", "GG220", "share", ".copy()",
    ),
    "read before assigned": (
        "x = late * x\n    for late in range(2):\n        x = x + y\n    return x",
        "late * x", "GG215", "before", "late = ...",
    ),
    "attribute store": ("x.flat = y\n    return x", "x.flat", "GG115", "names", "name = value"),
    "global": ("global q\n    q = x\n    return x", "q = x", "GG113", "a global", "a parameter"),
    "import": ("import gone_for_good\n    return x", "import", "GG113", "import", ""),
    "delete": ("del y[0]\n    return x", "del", "GG113", "a del", "drop it"),
    "expression statement": ("x[0]\n    return x", "x[0]", "GG112", "nothing", "assignment"),
    "starred argument": ("return np.sum(*x)", "*x", "GG207", "starred", ""),
    "double starred": ("return np.sum(x, **y)  # keys", "y)  #", "GG245", "a container", "--shape y.name"),
    "chained comparison": (
        "z = np.ones(3)\n    return np.where(0 < z < y, x, y)",
        "0 < z < y", "GG204", "`and`", "& b",
    ),
    "unknown method": ("return x.smooth()", "x.smooth", "GG206", ".smooth()", "gradgen ops"),
    "unknown attribute": ("return x.flags", "x.flags", "GG206", ".flags", ".shape"),
    "nothing returned": ("x = x + y", "x = x + y", "GG111", "returns nothing", "return"),
    "unresolved name": ("return x * exq", "exq", "GG210", "exq", "did you mean exp?"),
    "array global": ("return x * TABLE", "TABLE", "GG211", "of the module", "a parameter"),
    "builtin without a rule": ("return hash(x)", "hash", "GG205", "hash", "gradgen ops"),
    "recursion": (
        "def g(z):\n        return g(z - 1)\n    return g(x)", "g(z - 1)", "GG250", "calls itself", "a loop",
    ),
    "and": (
        "z = np.ones(3)\n    return z and y", "z and", "GG204", "`and`", "a & b",
    ),
    "f-string": ("return x * f'{y}'", "x * f", "GG213", "a string", ""),
    "bytes literal": ("return x * b'y'", "b'y'", "GG202", "bytes", ""),
    "complex in a real rule": ("return np.maximum(x * 2j, y)", "np.max", "GG312", "complex", "np.abs"),
    "in": ("return x * (3 in y)", "3 in y", "GG203", "operator in", "x == a"),
    "axis that is a variable": ("return np.sum(x, axis=y)", "np.sum", "GG303", "axis", "keepdims=True"),
    "unequal unpacking": ("a, b = x, y, x\n    return a", "a, b", "GG118", "2 names", ""),
    "conflicting shapes": ("return x @ y", "x @ y", "GG401", "", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", PLACES)
def test_the_place_the_reason_and_a_way_out(write, name):
    body, pointed, code, reason, advice = PLACES[name]
    target = write(f"def f(x, y):\n    {body}\n")
    shapes = {"x": "n d", "y": "k d"} if name == "conflicting shapes" else {}
    error = refusal(target, shapes=shapes, general=True)
    source = (HEAD + f"def f(x, y):\n    {body}").splitlines()
    (number,) = (i for i, line in enumerate(source) if i > 3 and pointed in line)
    column = source[number].index(pointed) + 1
    assert (error.code, error.line) == (code, number + 1), str(error)
    assert error.source == source[number]
    assert error.column == column, str(error)
    place, line, caret, *rest = str(error).splitlines()
    assert place.startswith(
        f"{target.removesuffix(':f')}:{number + 1}:{column}: {code} "
    )
    assert caret.index("^") == line.index(pointed)
    assert reason in error.message
    assert advice in error.advice and bool(error.advice) == bool(rest)


@pytest.mark.parametrize("name", PLACES)
def test_every_refusal_has_a_way_out(write, name):
    target = write(f"def f(x, y):\n    {PLACES[name][0]}\n")
    shapes = {"x": "n d", "y": "k d"} if name == "conflicting shapes" else {}
    assert refusal(target, shapes=shapes, general=True).advice
