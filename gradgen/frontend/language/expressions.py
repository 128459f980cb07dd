"""What the expressions of the user's code mean: names, operations, conditions."""

from __future__ import annotations

import types
from dataclasses import replace
from typing import Any, NoReturn

import gast
import numpy

from gradgen.frontend.calls.texts import beside_a_string
from gradgen.frontend.calls.arguments import ends, unread
from gradgen.frontend.calls.axes import with_known_options
from gradgen.frontend.calls.said_anyway import without_idle
from gradgen.frontend.calls.own import spelled
from gradgen.frontend.control.bindings import raise_unless_bound
from gradgen.frontend.heap.module_parts import of_module
from gradgen.frontend.heap.names import constant_handle, global_value, lookup
from gradgen.frontend.heap.outer_values import attribute_of
from gradgen.frontend.heap.outside import constant_in, is_free, module_name
from gradgen.frontend.heap.triangles import of_one_triangle
from gradgen.frontend.heap.views import seen_now
from gradgen.frontend.heap.written_lists import beside_arrays, with_arrays
from gradgen.frontend.heap.of_instances import which_function
from gradgen.frontend.lowering.frames import REFUSED, Frame, Refusal
from gradgen.frontend.lowering.items import in_parts, known_item
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Poison, is_structure, leaves
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.source.advice import NO_FUNCTION, call_advice, function_advice
from gradgen.frontend.source.advice import method_advice
from gradgen.frontend.source.advice import unbound_advice
from gradgen.frontend.source.names import NO_VALUE, is_plain, looked_up
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.ir.operators import AS_ARRAY, BUILTINS, EQUALITIES, ITSELF, MATH
from gradgen.ir.renaming import in_expression
from gradgen.ir.temporaries import ROOT, norm_name, temporary_name
from gradgen.ir.walk import substitute
from gradgen.rules.binding import in_place
from gradgen.rules.load import operation_of, operations, own_operation, ufunc_method
from gradgen.rules.methods import operation_of_method
from gradgen.rules.rule import Rule


@answers(Lowering.read)
def read(lowering: Lowering, node: gast.AST) -> Expr:
    try:
        return read.further(lowering, node)
    except Refusal as refusal:
        if ends(lowering, refusal, node):
            raise
        if not lowering.problems:  # a statement without it would be another function
            told = unread(lowering, refusal)
            lowering.problem("GG113", told, node, "the value under another name")
        return REFUSED


@answers(Lowering.bind)
def bind(lowering: Lowering, value: Apply, node: gast.AST | None) -> Expr:
    if any(leaf is REFUSED for leaf in leaves(Apply("tuple", value.args))):
        return REFUSED
    if any(v is REFUSED for _, v in value.kwargs):
        return REFUSED
    value, dtype = _without_dtype(without_idle(value))
    if dtype is not None and not _is_its_own(lowering, value, dtype, node):
        array = lowering.bind(value, node)
        named = _as_it_may_be(lowering, value)
        cast = Apply("numpy.astype", (array, dtype), named, "method:astype")
        return array if array is REFUSED else lowering.bind(cast, node)
    rule = operations().get(value.op)
    if rule is None:
        lowering.fail("GG205", f"{value.op} has no rule", node)
    if rule.kind == "refused":
        reason, instead = rule.linear
        name = rule.op.removeprefix("numpy.")
        lowering.fail("GG218", f"no gradient through {name}: {reason}", node, instead)
    value = with_known_options(lowering, value, rule)
    value = beside_arrays(lowering, in_place(rule, value), node)
    _check_values(lowering, value, rule, node)
    value = of_one_triangle(lowering, value, node)
    try:
        parts = in_parts(rule, value, lowering.facts)
    except TypeError as error:
        lowering.fail("GG209", str(error), node, call_advice(rule, value))
    known = known_item(value, lowering.facts)
    if known is not None:
        return known
    for arg, items in parts.items():
        whole = Apply("tuple", tuple(lowering.bind(item, node) for item in items))
        changed = substitute(value, {arg.var: whole})
        assert isinstance(changed, Apply)
        value = changed
    value = with_arrays(lowering, value, rule, node)
    return lowering.result(value, wished(lowering, value), node)


def wished(lowering: Lowering, value: Apply) -> str:
    """The name that an operation's result wishes for."""
    target = lowering.note.lines[0].target if lowering.note.lines else ""
    known = in_expression(value, {}, lowering.renamed)
    if value.op == ROOT:
        whole = in_expression(_written_out(lowering, value), {}, lowering.renamed)
        if name := norm_name(whole):
            return name
    return temporary_name(known if isinstance(known, Apply) else value, target)


def _written_out(lowering: Lowering, value: Expr, depth: int = 3) -> Expr:
    """An operation with the ones in it that have no name of the user's."""
    if isinstance(value, Ref) and depth:
        var = lowering.renamed.get(value.var.id, value.var)
        made = lowering.facts.definitions.get(value.var)
        if var.origin is not Origin.TEMP or made is None:
            return value
        value = made
    if not isinstance(value, Apply):
        return value
    args = (_written_out(lowering, arg, depth - 1) for arg in value.args)
    return replace(value, args=tuple(args))


def _check_values(
    lowering: Lowering, value: Apply, rule: Rule, node: gast.AST | None
) -> None:
    every = (*value.args, *(v for _, v in value.kwargs))
    if any(map(_holds_a_dict, every)):
        lowering.fail(
            "GG214", "a dictionary is not an array", node, "one of its values"
        )
    for leaf in leaves(Apply("tuple", every)):
        version = lowering.state.held(leaf)
        if isinstance(version, Apply) and _holds_a_dict(version):
            lowering.fail(
                "GG214", "a dictionary is not an array", node, "one of its values"
            )
        kind = getattr(leaf, "value", None)
        if callable(kind) and not isinstance(kind, type):
            name = getattr(kind, "__name__", "")
            sort, text = type(kind).__name__, getattr(leaf, "text", None)
            told = f"{name} is a function, not a value"
            if not name:
                told = f"{text or 'an operand'} is a {sort}, not a plain number"
            advice = f"{name}(...)" if name else "a parameter"
            lowering.fail("GG211", told, node, advice)
    for param, arg in zip(rule.params, value.args):
        needed = param.default is None and param.var.name in rule.differentiable
        if needed and arg == Const(None) and value.op not in EQUALITIES:
            lowering.fail("GG213", "None is not an array", node, "an array")
    if value.spelling != "operator" or rule.kind != "elementwise":
        return
    for arg in value.args:
        version = lowering.state.held(arg)
        arg = version if isinstance(version, Apply) else arg
        tuples = isinstance(arg, Const) and isinstance(arg.value, tuple)
        if tuples or is_structure(arg):
            lowering.fail(
                "GG214",
                "a list is not an array yet",
                node,
                "np.array([...]), as a parameter or at the module's top",
            )
        if isinstance(arg, Const) and isinstance(arg.value, (str, type(None))):
            if value.op not in EQUALITIES:
                advice = beside_a_string(value.args) if arg.value else "a number"
                told = f"{arg.value!r} is not a number"
                lowering.fail("GG213", told, node, advice)


def _holds_a_dict(value: Expr) -> bool:
    """Whether a value is a dictionary that is an argument, or a list of such."""
    if not isinstance(value, Apply) or not is_structure(value):
        return False
    return value.op == "dict" or any(map(_holds_a_dict, value.args))


@answers(Lowering.made_by)
def made_by(lowering: Lowering, value: Expr) -> str:
    if not isinstance(value, Ref):
        return ""
    return getattr(lowering.facts.definitions.get(value.var), "op", "")


@answers(Lowering.name)
def name(lowering: Lowering, node: gast.Name) -> Expr:
    value = lookup(lowering, node.id)
    if isinstance(value, Poison):
        lowering.fail(value.code, value.message, node, value.advice)
    if value is REFUSED:
        raise Refusal
    if value is not None:
        raise_unless_bound(lowering, node.id)
        return seen_now(lowering, value)
    if node.id in lowering.frame.locals:
        lowering.fail(
            "GG215",
            f"{node.id} may be read before it is assigned",
            node,
            f"{node.id} = ..., on a line before",
        )
    value = global_value(lowering, node.id)
    if value is NO_VALUE:
        known = [name for _, name in lowering.state.names]
        known += lowering.source.globals
        lowering.fail(
            "GG210",
            f"the name {node.id} resolves to nothing",
            node,
            unbound_advice(node.id, [n for n in known if n[0] not in "_%"]),
        )
    return constant_handle(lowering, value, node, node.id)


@answers(Lowering.is_local)
def is_local(lowering: Lowering, name: str) -> bool:
    """Whether a name is assigned in this function or in an enclosing one."""
    frame: Frame | None = lowering.frame
    while frame is not None:
        if name in frame.locals:
            return True
        if name in frame.shared:
            break
        frame = frame.parent
    return False


@answers(Lowering.resolve)
def resolve(lowering: Lowering, node: gast.AST) -> Any:
    """The Python object a dotted name of modules leads to, or NO_VALUE."""
    if isinstance(node, gast.Name):
        return (
            NO_VALUE if lowering.is_local(node.id) else global_value(lowering, node.id)
        )
    if isinstance(node, gast.Attribute):
        base = lowering.resolve(node.value)
        if isinstance(base, types.ModuleType):
            return of_module(lowering, base, node)
        return attribute_of(base, node.attr)
    return NO_VALUE


@answers(Lowering.constant_of)
def constant_of(lowering: Lowering, node: gast.Attribute) -> Expr | None:
    value, base = lowering.resolve(node), lowering.resolve(node.value)
    if value is NO_VALUE and base is not NO_VALUE:
        if operation_of_method(base, node.attr) is not None:
            return Const(getattr(base, node.attr), lowering.source.segment(node))
    if value is NO_VALUE:
        return None
    if value is None:
        return Const(None)
    if is_plain(value) and base is numpy:
        return Const(value, f"np.{node.attr}")
    if type(value) is float and getattr(numpy, node.attr, None) is value:
        return Const(value, f"np.{node.attr}")  # NumPy's own, of another module
    if is_plain(value) and isinstance(base, types.ModuleType):
        return constant_in(lowering, base, node.attr, value)
    if not isinstance(base, types.ModuleType):
        text = lowering.source.segment(node)
        return (
            Const(value)
            if is_plain(value)
            else constant_handle(lowering, value, node, text)
        )
    prefix = "np" if base is numpy else base.__name__
    return constant_handle(lowering, value, node, f"{prefix}.{node.attr}")


@answers(Lowering.callee)
def callee(lowering: Lowering, node: gast.AST) -> tuple[str, str] | None:
    value = lowering.resolve(node)
    if value is NO_VALUE and isinstance(node, gast.Name):
        # a name of the function's own, bound to a function of numpy's
        handle = lowering.name(node)
        value = getattr(handle, "value", NO_VALUE)
        if not callable(value):
            told = which_function(lowering, handle, node)
            lowering.fail("GG208", told, node, NO_FUNCTION)
    if value is NO_VALUE and isinstance(node, gast.Attribute):
        owner = lowering.resolve(node.value)
        if isinstance(owner, numpy.ufunc):
            method = ufunc_method(operation_of().get(id(owner)), node.attr)
            return method or no_rule(lowering, getattr(owner, node.attr, None), node)
        op = None if owner is NO_VALUE else operation_of_method(owner, node.attr)
        if op is not None:
            return op, ""
    if value is NO_VALUE:
        return None
    op = operation_of().get(id(value))
    own = own_operation(value) if op is None else None
    if own:
        spelling, lines = spelled(own, node, lowering)
        for name, line in lines.items():
            if not is_free(lowering, name, line):
                lowering.fail(
                    "GG217",
                    f"{name} is what the gradient calls, and another name here",
                    node,
                    f"another name for the other {name}",
                )
        lowering.context |= lines
        return own, spelling
    if op is not None and op.startswith("math."):
        return op, f"name:{module_name(lowering, 'math')}.{op.partition('.')[2]}"
    if op is not None:
        last = node.attr if isinstance(node, gast.Attribute) else ""
        written = f"{op.rpartition('.')[0]}.{last}"
        same = last and operation_of().get(id(looked_up(written))) == op
        return op, f"name:{written}" if same and written != op else ""
    module = getattr(value, "__module__", "")
    name = getattr(value, "__name__", "?")
    if module == "math" and name in MATH:
        return MATH[name], f"name:{module_name(lowering, 'math')}.{name}"
    if module == "builtins" and name in BUILTINS:
        return BUILTINS[name], f"name:{name}"
    no_rule(lowering, value, node)


def no_rule(lowering: Lowering, value: object, node: gast.AST) -> NoReturn:
    """Refuses a function that is not known."""
    written = lowering.source.segment(node)
    if f"numpy.{written}" in operations():
        lowering.fail("GG205", f"Python's {written} has no rule", node, f"np.{written}")
    advice = function_advice(value, written)
    lowering.fail("GG205", f"{written} has no rule", node, advice)


@answers(Lowering.no_attribute)
def no_attribute(lowering: Lowering, node: gast.Attribute, value: Expr) -> NoReturn:
    if value is REFUSED:
        raise Refusal
    no_attribute.further(lowering, node, value)


@answers(Lowering.no_method)
def no_method(lowering: Lowering, node: gast.Attribute, receiver: Expr) -> NoReturn:
    if receiver is REFUSED:
        raise Refusal
    message = f"the method .{node.attr}() is not supported"
    operand = lowering.source.segment(node.value)
    lowering.fail("GG206", message, node, method_advice(node.attr, operand))


def _copied(option: Expr) -> Expr:
    """copy= as True, None or False: NumPy has an enum for it as well."""
    name = getattr(getattr(option, "value", None), "name", "")
    ways = {"ALWAYS": True, "IF_NEEDED": None, "NEVER": False}
    return Const(ways[name]) if name in ways else option


def _is_its_own(
    lowering: Lowering, value: Apply, dtype: Expr, node: gast.AST | None
) -> bool:
    """Whether a dtype is that of the array itself: np.asarray(x, dtype=x.dtype)."""
    made = lowering.facts.definitions.get(dtype.var) if isinstance(dtype, Ref) else None
    if not isinstance(made, Apply) or made.op != "dtype":
        return False
    return made.args[0] == lowering.current(value.args[0], node)


def _as_it_may_be(lowering: Lowering, value: Apply) -> tuple[tuple[str, Expr], ...]:
    """How a cast to a dtype keeps memory: np.asarray(x, dtype) may be x itself.

    np.array(x, dtype) is new, and so is what is made of a list or a number.
    """
    first = value.args[0]
    is_new = value.op == "numpy.array" or lowering.is_number(first)
    if is_new or lowering.is_sequence(first):
        return ()
    return (("copy", Const(False)),)


def _without_dtype(value: Apply) -> tuple[Apply, Expr | None]:
    """np.array(x, dtype) as np.array(x) and the dtype that it is cast to."""
    if value.op not in AS_ARRAY:
        return value, None
    named = dict(value.kwargs)
    op = value.op
    if "copy" in named:
        named["copy"] = _copied(named["copy"])
    if op == "numpy.array" and named.get("copy") == Const(True):
        named.pop("copy")
    elif named.get("copy") in (Const(False), Const(None)):
        named.pop("copy")
        op = "numpy.asarray"
    elif op in ITSELF and named.get("copy") == Const(True):
        named.pop("copy")
        op = "numpy.array"
    if named.get("order") in (*map(Const, "CcKk"), Const(None)):
        named.pop("order")
    if named.get("subok") in (Const(False), Const(True)):
        named.pop("subok")  # arrays are of no class of their own
    value = replace(value, op=op, kwargs=tuple(named.items()))
    dtype = value.args[1] if len(value.args) == 2 else named.pop("dtype", None)
    if not named and dtype == Const(None):
        return replace(value, args=value.args[:1], kwargs=()), None
    if named or len(value.args) > 2 or dtype is None:
        return value, None
    return replace(value, args=value.args[:1], kwargs=()), dtype
