"""What a class says of its instances in operators, subscripts, loops and tests.

before:  a + b; a[0]; for v in a; x in a; abs(a)
after:   a.__add__(b); a.__getitem__(0); for v in a.__iter__(); a.__contains__(x) ...
"""

from __future__ import annotations

import types

import gast

from gradgen.frontend.calls.evaluation import constant_key
from gradgen.frontend.calls.protocols import COMPARED, own_method
from gradgen.frontend.control.truths import known_truth
from gradgen.frontend.control.yielding import place_of
from gradgen.frontend.heap.arguments_changed import note_all_keys
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.lengths import combined, value_known
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.source.flags import flags_combined, is_flag
from gradgen.frontend.source.lookup import MISSING, among, looked_up
from gradgen.ir import operators
from gradgen.ir.nodes import Apply, Const, Expr

BINARY = {
    "Add": "add",
    "Sub": "sub",
    "Mult": "mul",
    "Div": "truediv",
    "FloorDiv": "floordiv",
    "Mod": "mod",
    "Pow": "pow",
    "MatMult": "matmul",
    "BitAnd": "and",
    "BitOr": "or",
    "BitXor": "xor",
    "LShift": "lshift",
    "RShift": "rshift",
}
UNARY = {"USub": "__neg__", "UAdd": "__pos__", "Invert": "__invert__"}


CALLED = {
    abs: "__abs__",
    float: "__float__",
    int: "__int__",
    bool: "__bool__",
    round: "__round__",
}
# what an operation of NumPy's is called among Python's operators
AUGMENTED = {op: name for name, op in operators.BINARY.items()}


@handles(gast.BinOp)
def binary_operation(lowering: Lowering, node: gast.BinOp) -> Expr:
    left, right = lowering.read(node.left), lowering.read(node.right)
    if REFUSED in (left, right):
        return REFUSED
    found = lowering.by_methods(type(node.op).__name__, left, right, node)
    if found is not None:
        return found
    flags = flags_combined(type(node.op).__name__, left, right)
    if flags is not None:
        return flags
    if is_flag(left, right):
        lowering.fail(
            "GG211",
            "what a member of an enum is combined with is not known here",
            node,
            "a default of the parameter that is a member",
        )
    first, second = combined(lowering, left, right, node)
    if second is None:
        return first
    one, other = Held(first, node.left), Held(second, node.right)
    made = gast.BinOp(left=one, op=node.op, right=other)
    return binary_operation.further(lowering, gast.copy_location(made, node))


@answers(Lowering.by_methods)
def by_methods(
    lowering: Lowering, name: str, left: Expr, right: Expr, node: gast.AST
) -> Expr | None:
    """left + right by a method of one of the two; None where neither has one."""
    word = BINARY.get(name, name)
    ways = [(left, right, f"__{word}__"), (right, left, f"__r{word}__")]
    if _is_more_special(lowering, right, left, f"__r{word}__"):
        ways = ways[::-1]
    return _first_that_answers(lowering, ways, node)


def _is_more_special(lowering: Lowering, one: Expr, other: Expr, name: str) -> bool:
    """Whether Python asks the right operand first: one of a subclass."""
    mine, others = contents(lowering, one), contents(lowering, other)
    if not isinstance(mine, Record) or not isinstance(others, Record):
        return False
    special = mine.cls is not others.cls and issubclass(mine.cls, others.cls)
    return special and looked_up(mine.cls, name) is not looked_up(others.cls, name)


def _first_that_answers(
    lowering: Lowering, ways: list[tuple[Expr, Expr, str]], node: gast.AST
) -> Expr | None:
    for one, other, name in ways:
        method = own_method(lowering, one, name)
        if method is not None:
            found = lowering.call(method, [one, other], (), node)
            if getattr(found, "value", None) is not NotImplemented:
                return found
    return None


@handles(gast.UnaryOp)
def unary_operation(lowering: Lowering, node: gast.UnaryOp) -> Expr:
    name = UNARY.get(type(node.op).__name__)
    operand = lowering.read(node.operand)
    if operand is REFUSED:
        return REFUSED
    method = None if name is None else own_method(lowering, operand, name)
    if method is not None:
        return lowering.call(method, [operand], (), node)
    made = gast.UnaryOp(op=node.op, operand=Held(operand, node.operand))
    return unary_operation.further(lowering, gast.copy_location(made, node))


@answers(Lowering.augment)
def augment(
    lowering: Lowering, handle: Expr, op: str, value: Expr, node: gast.AST, name: str
) -> Expr:
    """a += b: by __iadd__, else as a = a + b."""
    if REFUSED not in (handle, value) and op in AUGMENTED:
        word = AUGMENTED[op]
        method = own_method(lowering, handle, f"__i{BINARY[word]}__")
        if method is not None:
            return lowering.call(method, [handle, value], (), node)
        found = lowering.by_methods(word, handle, value, node)
        if found is not None:
            return found
    return augment.further(lowering, handle, op, value, node, name)


@answers(Lowering.comparison)
def comparison(
    lowering: Lowering, op: gast.cmpop, left: Expr, right: Expr, node: gast.AST
) -> Expr:
    names = COMPARED.get(type(op).__name__)
    if names is not None and REFUSED not in (left, right):
        ways = [(left, right, names[0]), (right, left, names[1])]
        found = _first_that_answers(lowering, ways, node)
        if found is None and names[0] == "__ne__":
            equal = _first_that_answers(
                lowering, [(left, right, "__eq__"), (right, left, "__eq__")], node
            )
            if equal is not None:
                return Apply("not", (lowering.current(equal, node),), (), "operator")
        if found is not None:
            return found
    return comparison.further(lowering, op, left, right, node)


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    if among(value, CALLED) and len(node.args) == 1:
        handle = lowering.read(node.args[0])
        method = own_method(lowering, handle, CALLED[value])
        if method is not None:
            return lowering.call(method, [handle], (), node)
        held = Held(handle, node.args[0])
        made = gast.Call(func=node.func, args=[held], keywords=node.keywords)
        node = gast.copy_location(made, node)
    if value is iter and len(node.args) == 1:
        # of a method __iter__, whose result is gone through at once
        if getattr(lowering.frame.node, "name", "") == "__iter__":
            return lowering.read_at_once(node.args[0])
    return special_call.further(lowering, value, node)


@answers(Lowering.item)
def item(lowering: Lowering, base: Expr, key: Expr, node: gast.AST | None) -> Expr:
    method = own_method(lowering, base, "__getitem__")
    if method is not None and node is not None:
        return lowering.call(method, [base, key], (), node)
    return item.further(lowering, base, key, node)


@answers(Lowering.store)
def store(
    lowering: Lowering,
    target: Expr,
    key: Expr,
    value: Expr,
    node: gast.AST,
    add: bool = False,
    op: str = "",
) -> None:
    method = own_method(lowering, target, "__setitem__")
    if method is None:
        known = contents(lowering, target) if target is not REFUSED else None
        if known is not None and known.op == "dict":
            key = constant_key(lowering, key)
        store.further(lowering, target, key, value, node, add, op)
    else:
        lowering.call(method, [target, key, value], (), node)


@answers(Lowering.gone_through)
def gone_through(lowering: Lowering, handle: Expr, node: gast.AST) -> Expr:
    """What going through an instance gives; another value as it is."""
    known = contents(lowering, handle) if handle is not REFUSED else None
    note_all_keys(lowering, handle)
    if not isinstance(known, Record):
        return handle
    method = own_method(lowering, handle, "__iter__")
    if method is not None:
        place = place_of(lowering, node)
        before = lowering.taking.get(place, MISSING)
        lowering.taking[place] = None
        try:
            found = lowering.call(method, [handle], (), node)
        finally:
            del lowering.taking[place]
            if before is not MISSING:
                lowering.taking[place] = before
        return _no_iterator(lowering, found, node)
    if known.op == "namedtuple":
        return handle
    method, length = (
        own_method(lowering, handle, "__getitem__"),
        _length(lowering, known),
    )
    if method is None or length is None:
        lowering.fail(
            "GG243",
            f"a loop over a {known.cls.__name__} is not supported",
            node,
            "a loop over what it holds",
        )
    items = (lowering.call(method, [handle, Const(i)], (), node) for i in range(length))
    return Apply("tuple", tuple(items))


def _no_iterator(lowering: Lowering, found: Expr, node: gast.AST) -> Expr:
    """Refuses an instance with a __next__ of its own, which is no container."""
    known = contents(lowering, found) if found is not REFUSED else None
    if isinstance(known, Record) and known.op != "namedtuple":
        lowering.fail(
            "GG243",
            f"a loop over a {known.cls.__name__} is not supported: its __next__ "
            "is called for each item",
            node,
            "__iter__ as a generator: for v in items: yield v",
        )
    return found


def _length(lowering: Lowering, known: Record) -> int | None:
    """How many items an instance has, where that is known."""
    method = looked_up(known.cls, "__len__")
    if not isinstance(method, types.FunctionType):
        return None
    count = value_known(
        lowering, lowering.call(method, [known], (), lowering.frame.node)
    )
    return count if type(count) is int else None


@answers(Lowering.membership)
def membership(
    lowering: Lowering, inside: bool, left: Expr, right: Expr, node: gast.AST
) -> Expr:
    method = own_method(lowering, right, "__contains__")
    if method is None:
        known = contents(lowering, right) if right is not REFUSED else None
        if isinstance(known, Record):
            right = lowering.gone_through(right, node)
        return membership.further(lowering, inside, left, right, node)
    found = lowering.call(method, [right, left], (), node)
    truth = known_truth(lowering, found)
    if truth is not None:
        return Const(truth is inside)
    return found if inside else Apply("not", (found,), (), "operator")
