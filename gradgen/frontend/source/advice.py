"""What to write instead of a name that is not known here."""

from __future__ import annotations

import numpy

from gradgen.frontend.source.named import did_you_mean
from gradgen.ir.nodes import Apply
from gradgen.ir.operators import METHODS
from gradgen.rules.elsewhere import KEYWORDS, numpy_for
from gradgen.rules.load import operations
from gradgen.rules.rule import Rule

# what a name that is called should be, where it is no function that can be read
NO_FUNCTION = "a function of the module by its name, or as the default of the argument"
NO_FIELD = (
    "an instance that holds it: --instance, or its method in gradgen.emit or grad"
)
LISTED = "functions that gradgen ops lists"
RANDOM = "the random numbers as an argument of the function"
# builtins of Python without a rule
BUILTINS_ELSE = {
    "iter": "for v in x: ..., or x[0], x[1]",
    "next": "x[i], with i counted by the loop",
    "set": "a list, whose entries keep their order",
    "frozenset": "a list, whose entries keep their order",
    "open": "what is read of the file as an argument",
    "input": "what is read as an argument",
    "eval": "the expression itself",
    "exec": "the statements themselves",
}


def named_elsewhere(name: str) -> str:
    """What is known under a name in another place: np.linalg.norm, or other words."""
    same = [op for op in operations() if op.rpartition(".")[2] == name]
    if same:
        found = min(same, key=len)
        return f"did you mean {found.replace('numpy.', 'np.', 1)}?"
    return numpy_for(name) or LISTED


def call_advice(rule: Rule, call: Apply) -> str:
    """How a function is called that was called otherwise: the keyword meant, or all."""
    known = list(rule.by_name)
    for name in (name for name, _ in call.kwargs if name not in known):
        near = KEYWORDS.get(name) or did_you_mean(name, known)
        if near in known:
            return f"did you mean {near}=?"
        if near.startswith("did"):
            return f"{near[:-1]}=?"
    return f"np.{rule.called}" if rule.op.startswith("numpy.") else rule.called


def unbound_advice(name: str, known: list[str]) -> str:
    """What to write for a name that is bound to nothing."""
    near = did_you_mean(name, known)
    if near.startswith("did"):
        return near
    return f"{name} as an argument, or an import or a value of the module"


def function_advice(value: object, written: str) -> str:
    """What to write for a function without a rule, which is `written` there."""
    name = getattr(value, "__name__", written)
    if ".random." in f".{written}":
        return RANDOM
    if getattr(value, "__module__", "") == "builtins" and "." not in written:
        return BUILTINS_ELSE.get(name, LISTED)
    near = did_you_mean(name, [op.removeprefix("numpy.") for op in operations()])
    if not near.startswith("did"):
        return named_elsewhere(name)
    numpys = "" if written.startswith("np.") else "np."
    return near.replace("did you mean ", f"did you mean {numpys}")


def method_advice(name: str, operand: str) -> str:
    """What to write for a method that arrays have not: np.exp(x) for x.exp()."""
    known = numpy_for(name, operand)
    if known:
        return known
    if f"numpy.{name}" in operations():
        return f"np.{name}({operand})"
    if hasattr(numpy.random.Generator, name):
        return RANDOM
    near = did_you_mean(name, list(METHODS))
    if near.startswith("did"):
        return f"did you mean .{near.removeprefix('did you mean ')[:-1]}()?"
    return "a NumPy function that has a rule (gradgen ops lists them)"
