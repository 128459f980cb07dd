"""The names that subexpressions wish for: X * Y -> XY, np.sum(XY) -> XY_sum."""

from __future__ import annotations

from collections.abc import Iterable

from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.ir.operators import BINARY
from gradgen.ir.walk import reads

# Longer names are joined by an underscore.
SHORT = 2
INNER = "inner"
DIFFERENCE = "diff"
LENGTH = "n"
# in a return, and of a part of a long line, what a word says more of than that
CHOICES = {
    "numpy.where": "chosen",
    "numpy.maximum": "larger",
    "numpy.minimum": "smaller",
    "numpy.clip": "clipped",
    "numpy.outer": "outer",
    "numpy.linalg.solve": "solved",
}
# 1 - z
REST = "one_minus_"
# what goes into A[1:-1] = ...
STORED = "rhs"
# parts of a long line
TERM, FACTOR = "terms", "factor"
OF_ADJOINTS = (Origin.ADJOINT, Origin.SEED, Origin.TANGENT, Origin.LOCAL)
OF_THE_USER = (Origin.PARAM, Origin.USER)
POWERS = {2: "squared", 3: "cubed"}
# what functions give that are called like Python's own
OF_PYTHON = {
    "sum": "total",
    "max": "largest",
    "min": "smallest",
    "abs": "magnitude",
    "round": "rounded",
    "pow": "power",
}
ROOT = "numpy.sqrt"
# what a function's name begins with that says nothing of its result
VERBS = ("calc", "calculate", "compute", "eval", "evaluate", "get", "make")
# A name longer than this is no help.
LONG = 20
# What reads more has no shorter one.
MANY = 6


def temporary_name(value: Apply, target: str) -> str:
    """The name a person would give the result of an operation.

    Where its arguments suggest none, it is what goes into the statement's
    target: h_in for the argument in h = np.tanh(X @ W + b), and near_diff for that
    in near = np.sum((a - b) ** 2). An entry is x_first for x[first], a length n.
    """
    if value.op == "len":
        return LENGTH
    own = _own_name(value, target) or _entry_name(value) or _rest_name(value)
    own = own or _power_name(value)
    if own.isidentifier():
        return own
    word = DIFFERENCE if _is_difference(value) else ""
    if target.isidentifier() and target != "out":
        return f"{target}_{word or 'in'}"
    if word and not target.endswith("]"):
        return word
    if value.op in CHOICES and not target.endswith("]"):
        return CHOICES[value.op]
    return STORED if target.endswith("]") else INNER


def says_nothing(name: str) -> bool:
    """Whether a name only says where its value goes, or that it is a difference."""
    return name in (INNER, STORED, DIFFERENCE) or name.endswith(("_in", "_diff"))


def argument_name(name: str, parameter: str, target: str, several: bool) -> str:
    """The name of a call's argument that has none of its own, by its parameter.

    It is what goes into the target that is called like the parameter: x2_in for x of
    x2, y2 = rates(...). An only argument keeps what it has from an only target.
    """
    own = f"{target}_in", f"{target}_{DIFFERENCE}"
    if name not in (INNER, DIFFERENCE) and not (several and name in own):
        return name
    for one in target.split(", "):
        if one.isidentifier() and one.rstrip("0123456789_") == parameter:
            return f"{one}_in"
    word = DIFFERENCE if name == DIFFERENCE else "in"
    return f"{parameter}_{word}"


def result_name(function: str, arguments: Iterable[tuple[str, str]]) -> str:
    """The name of what a call gives: u_length of length_of(u), force of force(q, k).

    `arguments` are the names of values that it is given, by its parameters. What
    argument_name has named stands for nothing, but that a difference is one.
    """
    words = function.strip("_").split("_")
    words = words[len(words) > 1 and words[0] in VERBS :]
    word = "_".join(words[: -1 if words[-1] == "of" else None])
    if not word.isidentifier() or len(word) > LONG or function.startswith("__"):
        return ""
    names = [name.removeprefix(f"{parameter}_") for parameter, name in arguments]
    long = len(names) != 1 or names[0] == "in" or len(f"{names[0]}_{word}") > LONG
    return word if long else f"{names[0]}_{word}"


def part_name(value: Expr, target: str) -> str:
    """The name for a part of a long line: what it is, or whose term or factor it is.

    What no adjoint is in is no part of one: sqrt, of np.sqrt((1 - s) * (1 + s)).
    """
    own = _name(_unsigned(value), "") if len(reads(value)) <= MANY else ""
    if own.isidentifier() and len(own) <= LONG:
        return own
    bare = _unsigned(value)
    if isinstance(bare, Apply) and bare.spelling != "operator" and bare.op in CHOICES:
        return CHOICES[bare.op]
    target = target.removesuffix(f"_{FACTOR}").removesuffix(f"_{TERM}")
    whole = isinstance(value, Apply) and value.op in (BINARY["Add"], BINARY["Sub"])
    word = TERM if whole else FACTOR
    if any(var.origin in OF_ADJOINTS for var in reads(value)):
        return f"{target}_{word}"
    called = isinstance(bare, Apply) and bare.spelling != "operator"
    function = bare.op.rpartition(".")[2] if isinstance(bare, Apply) and called else ""
    if isinstance(bare, Apply) and _is_difference(bare):
        return DIFFERENCE
    function = OF_PYTHON.get(function, function)
    return function if function.isidentifier() else word


def _is_difference(value: Apply) -> bool:
    """Whether a value is what two others differ by: neither is a number."""
    if value.op != BINARY["Sub"]:
        return False
    return all(isinstance(arg, (Ref, Apply)) for arg in value.args)


def _entry_name(value: Apply) -> str:
    """x_first for x[first], where the user has both names."""
    if value.op != "getitem":
        return ""
    named = [arg.var for arg in value.args if isinstance(arg, Ref)]
    if len(named) < 2 or any(var.origin not in OF_THE_USER for var in named):
        return ""
    return "_".join(var.name for var in named)


def _rest_name(value: Apply) -> str:
    """one_minus_z for 1 - z, where the user has the name."""
    if value.op != BINARY["Sub"] or value.spelling != "operator":
        return ""
    first, second = value.args
    if not isinstance(first, Const) or type(first.value) not in (int, float):
        return ""
    if first.value != 1 or not isinstance(second, Ref):
        return ""
    var = second.var
    short = var.origin in OF_THE_USER and len(var.name) <= LONG // 4
    return f"{REST}{var.name}" if short else ""


def _power_name(value: Apply) -> str:
    """x_squared for x**2, where x has a name."""
    if value.op != BINARY["Pow"] or not isinstance(value.args[1], Const):
        return ""
    word = POWERS.get(value.args[1].value)
    base = value.args[0]
    if word is None or not isinstance(base, Ref) or base.var.origin not in OF_THE_USER:
        return ""
    name = f"{base.var.name}_{word}"
    return name if len(name) <= LONG else ""


def norm_name(value: Expr) -> str:
    """x_norm for the square root of the sum of the squares of x, all written out."""
    if not isinstance(value, Apply) or value.op != ROOT:
        return ""
    total = value.args[0]
    if isinstance(total, Apply) and total.op == "numpy.sum":
        total = total.args[0]
    elif not isinstance(total, Apply) or total.op != "numpy.matmul":
        return ""
    if not isinstance(total, Apply) or len(total.args) != 2:
        return ""
    first, second = total.args
    squared = total.op == BINARY["Pow"] and second == Const(2)
    if not squared and (
        first != second or total.op not in (BINARY["Mult"], BINARY["MatMult"])
    ):
        return ""
    named = isinstance(first, Ref) and first.var.origin in OF_THE_USER
    return f"{first.var.name}_norm" if named else ""


def _unsigned(value: Expr) -> Expr:
    """What stands behind a minus."""
    while isinstance(value, Apply) and value.op == "numpy.negative":
        value = value.args[0]
    return value


def _own_name(value: Apply, target: str) -> str:
    refs = [arg for arg in value.args if isinstance(arg, (Ref, Apply))]
    names = [_name(arg, target) for arg in refs]
    names = [name for name in names if name]
    if value.op in ("numpy.multiply", "numpy.matmul") and len(names) == 2:
        short = all(len(name.removesuffix("T")) <= SHORT for name in names)
        both = ("" if short else "_").join(names)
        return both if len(both) <= LONG else ""
    if value.spelling == "operator" or "." not in value.op:
        return ""
    word = value.op.rpartition(".")[2]
    if names and _is_turned(value):
        return f"{names[0]}T" if len(names[0]) <= SHORT else f"{names[0]}_T"
    if len(refs) == 1 and (names or target):
        return f"{names[0] if names else target}_{word}"
    return ""


def _is_turned(value: Apply) -> bool:
    """Whether a value is a matrix, or a stack of them, with rows for columns."""
    axes = [arg.value for arg in value.args[1:] if isinstance(arg, Const)]
    last = value.op.endswith("swapaxes") and sorted(axes, key=str) == [-1, -2]
    return last or value.spelling in ("attribute:T", "attribute:mT")


def _name(expr: Expr, target: str) -> str:
    """The name of a subexpression, "" where it has none of its own."""
    if isinstance(expr, Ref):
        name = expr.var.name
        own = INNER, DIFFERENCE, f"{target}_in", f"{target}_{DIFFERENCE}"
        ends = tuple(f"_{word}" for word in POWERS.values())
        rest = name.startswith(REST) or name.endswith(ends)
        rest &= expr.var.origin is Origin.TEMP
        return "" if rest or name in own else name
    return _own_name(expr, "") if isinstance(expr, Apply) else ""
