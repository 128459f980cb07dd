"""The text of an expression on one line, with the parentheses it needs and no more.

Spaces stand where black puts them, but for those around `**`: whether they
stay depends on the whole line, so the layout takes them out.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import gast

from gradgen.errors import InternalError
from gradgen.printer.formatted import Part, formatted, shown, template
from gradgen.printer.literal import literal

# Levels of precedence; an expression below the level asked for gets parentheses.
ALWAYS, VALUE, TEST, OR, AND, NOT, COMPARE, BITOR = range(8)
BITXOR, BITAND, SHIFT, SUM, TERM, FACTOR, POWER, AWAIT, ATOM = range(8, 17)

BINARY = {
    "BitOr": ("|", BITOR),
    "BitXor": ("^", BITXOR),
    "BitAnd": ("&", BITAND),
    "LShift": ("<<", SHIFT),
    "RShift": (">>", SHIFT),
    "Add": ("+", SUM),
    "Sub": ("-", SUM),
    "Mult": ("*", TERM),
    "MatMult": ("@", TERM),
    "Div": ("/", TERM),
    "Mod": ("%", TERM),
    "FloorDiv": ("//", TERM),
    "Pow": ("**", POWER),
}
_UNARY = {"UAdd": ("+", FACTOR), "USub": ("-", FACTOR), "Invert": ("~", FACTOR)}
_UNARY |= {"Not": ("not ", NOT)}
_COMPARE = {"Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">="}
_COMPARE |= {"Is": "is", "IsNot": "is not", "In": "in", "NotIn": "not in"}

# a text and the level that it binds at
Written = tuple[str, int]
_Comprehension = gast.ListComp | gast.SetComp | gast.DictComp | gast.GeneratorExp


def expression(node: ast.AST, level: int = TEST) -> str:
    """The expression's text, in parentheses where it binds less than `level`."""
    if type(node).__name__ == "Name":  # most of what there is
        return node.id  # type: ignore[attr-defined, no-any-return]
    # a node that is only measured keeps its text
    text, own = getattr(node, "written", None) or written(node)
    return text if own >= level else f"({text})"


def written(node: ast.AST) -> Written:
    """The expression's text, and the level that it binds at."""
    return _WRITERS.get(type(node).__name__, _other)(node)


def item(node: gast.AST) -> str:
    """The text where brackets or a colon follow, so that `:=` may stand bare."""
    return expression(node, ALWAYS if isinstance(node, gast.NamedExpr) else TEST)


def parameters(args: gast.arguments) -> str:
    """The parameters of a definition or a lambda, less the brackets."""
    plain = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
    parts = [_parameter(name, value) for name, value in zip(plain, defaults)]
    if args.posonlyargs:
        parts.insert(len(args.posonlyargs), "/")
    if args.vararg:
        parts.append("*" + _parameter(args.vararg))
    elif args.kwonlyargs:
        parts.append("*")
    parts += map(_parameter, args.kwonlyargs, args.kw_defaults)
    if args.kwarg:
        parts.append("**" + _parameter(args.kwarg))
    return ", ".join(parts)


def _parameter(name: gast.Name, default: gast.expr | None = None) -> str:
    annotation = getattr(name, "annotation", None)
    text = name.id if annotation is None else f"{name.id}: {expression(annotation)}"
    if default is None:
        return text
    return text + ("=" if annotation is None else " = ") + expression(default)


def _binary(node: gast.BinOp) -> Written:
    sign, own = BINARY[type(node.op).__name__]
    if own == POWER:
        left, right = expression(node.left, AWAIT), expression(node.right, FACTOR)
        return f"{left} ** {right}", POWER
    parts = []
    rest: gast.expr = node
    while isinstance(rest, gast.BinOp):  # a long sum is deep on its left: no recursion
        sign, level = BINARY[type(rest.op).__name__]
        if level != own:
            break
        parts.append(f" {sign} {expression(rest.right, own + 1)}")
        rest = rest.left
    return expression(rest, own) + "".join(reversed(parts)), own


def _unary(node: gast.UnaryOp) -> Written:
    operand = node.operand
    word, own = _UNARY[type(node.op).__name__]
    power = isinstance(operand, gast.BinOp) and isinstance(operand.op, gast.Pow)
    return word + expression(operand, AWAIT if power else own), own


def _boolean(node: gast.BoolOp) -> Written:
    word, own = (" and ", AND) if isinstance(node.op, gast.And) else (" or ", OR)
    return word.join([expression(value, own + 1) for value in node.values]), own


def _compare(node: gast.Compare) -> Written:
    parts = [expression(node.left, BITOR)]
    for op, value in zip(node.ops, node.comparators):
        parts += _COMPARE[type(op).__name__], expression(value, BITOR)
    return " ".join(parts), COMPARE


def _conditional(node: gast.IfExp) -> Written:
    body, test = expression(node.body, OR), expression(node.test, OR)
    return f"{body} if {test} else {expression(node.orelse)}", TEST


def _lambda(node: gast.Lambda) -> Written:
    names = parameters(node.args)
    return f"lambda{' ' if names else ''}{names}: {expression(node.body)}", TEST


def _attribute(node: gast.Attribute) -> Written:
    value = expression(node.value, ATOM)
    if value[0].isdigit():
        value = f"({value})"
    return f"{value}.{node.attr}", ATOM


def _call(node: gast.Call) -> Written:
    parts = [item(arg) for arg in node.args]
    for keyword in node.keywords:
        start = f"{keyword.arg}=" if keyword.arg else "**"
        parts.append(start + expression(keyword.value))
    if len(parts) == 1 and node.args and isinstance(node.args[0], gast.GeneratorExp):
        parts[0] = parts[0][1:-1]
    return f"{expression(node.func, ATOM)}({', '.join(parts)})", ATOM


def _subscript(node: gast.Subscript) -> Written:
    index = node.slice
    elements = index.elts if isinstance(index, gast.Tuple) else []
    if len(elements) > 1 or elements and isinstance(elements[0], gast.Slice):
        text = ", ".join(map(expression, elements)) + "," * (len(elements) == 1)
    else:
        text = expression(index)
    return f"{expression(node.value, ATOM)}[{text}]", ATOM


def _slice(node: gast.Slice) -> Written:
    bounds = [node.lower, node.upper, node.step]
    lower, upper, step = [expression(b) if b is not None else "" for b in bounds]
    space = "" if all(b is None or _is_bare(b) for b in bounds) else " "
    text = f"{lower}{space}:" if lower else ":"
    text += f"{space}{upper}" if upper else ""
    if step:
        text += f"{space if upper else ''}:{space}{step}"
    return text, TEST


def _is_bare(node: gast.AST) -> bool:
    """Whether a bound is a name, a number, or one of them with a sign."""
    if isinstance(node, gast.UnaryOp) and not isinstance(node.op, gast.Not):
        return _is_bare(node.operand)
    return isinstance(node, (gast.Name, gast.Constant))


def _tuple(node: gast.Tuple) -> Written:
    if not node.elts:
        return "()", ATOM
    if len(node.elts) == 1:
        return f"({item(node.elts[0])},)", ATOM
    return ", ".join([expression(element) for element in node.elts]), VALUE


def _set(node: gast.Set) -> Written:
    return f"{{{', '.join(map(item, node.elts)) or '*()'}}}", ATOM


def _dict(node: gast.Dict) -> Written:
    parts = []
    for key, value in zip(node.keys, node.values):
        start = "**" if key is None else f"{expression(key)}: "
        parts.append(start + expression(value, BITOR if key is None else TEST))
    return f"{{{', '.join(parts)}}}", ATOM


def _clauses(node: _Comprehension) -> str:
    text = ""
    for part in node.generators:
        target, source = expression(part.target, VALUE), expression(part.iter, OR)
        text += f" {'async ' * part.is_async}for {target} in {source}"
        text += "".join([f" if {expression(test, OR)}" for test in part.ifs])
    return text


def _joined(node: gast.JoinedStr) -> Written:
    text = formatted(_parts(node.values))
    if text is None:
        raise InternalError("a value cannot stand in a formatted string")
    return text, ATOM


def joined(values: Sequence[gast.expr]) -> gast.expr:
    """A formatted string, or a call of `format` where it cannot hold a value."""
    parts = _parts(values)
    if formatted(parts) is not None:
        return gast.JoinedStr(list(values))
    given = [one.value for one in values if isinstance(one, gast.FormattedValue)]
    form = gast.Attribute(gast.Constant(template(parts), None), "format", gast.Load())
    return gast.Call(form, given, [])


def _parts(values: Sequence[gast.expr]) -> list[Part]:
    """The parts of a formatted string: its texts, and its values as texts."""
    parts: list[Part] = []
    for part in values:
        if isinstance(part, gast.Constant):
            parts.append(part.value)
            continue
        form = part.format_spec.values if part.format_spec else []
        said = "".join(
            one.value if isinstance(one, gast.Constant) else shown(_parts([one])[0])
            for one in form
        )
        parts.append((expression(part.value, OR), part.conversion, said))
    return parts


def _comprehension(start: str, end: str) -> Callable[[_Comprehension], Written]:
    def write(node: _Comprehension) -> Written:
        if isinstance(node, gast.DictComp):
            element = f"{expression(node.key)}: {expression(node.value)}"
        else:
            element = item(node.elt)
        return f"{start}{element}{_clauses(node)}{end}", ATOM

    return write


def _other(node: ast.AST) -> Written:
    text = gast.unparse(node).strip()
    return text, ATOM if text.startswith("(") else ALWAYS


def _constant(node: gast.Constant) -> Written:
    text = literal(node.value, getattr(node, "spelling", None))
    if isinstance(node.value, (str, bytes)):
        return text, ATOM
    return text, SUM if " " in text else FACTOR if text.startswith("-") else ATOM


# by the kind of node that each is for
_WRITERS: dict[str, Callable[[Any], Written]] = {
    "Name": lambda node: (node.id, ATOM),
    "Constant": _constant,
    "BinOp": _binary,
    "UnaryOp": _unary,
    "BoolOp": _boolean,
    "Compare": _compare,
    "IfExp": _conditional,
    "Lambda": _lambda,
    "NamedExpr": lambda node: (f"{node.target.id} := {expression(node.value)}", ALWAYS),
    "Starred": lambda node: (f"*{expression(node.value, BITOR)}", TEST),
    "Attribute": _attribute,
    "Call": _call,
    "Subscript": _subscript,
    "Slice": _slice,
    "Tuple": _tuple,
    "List": lambda node: (f"[{', '.join(map(item, node.elts))}]", ATOM),
    "Set": _set,
    "Dict": _dict,
    "ListComp": _comprehension("[", "]"),
    "SetComp": _comprehension("{", "}"),
    "DictComp": _comprehension("{", "}"),
    "GeneratorExp": _comprehension("(", ")"),
    "JoinedStr": _joined,
}
