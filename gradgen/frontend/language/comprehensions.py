"""Comprehensions, and what is gone through at once."""

from __future__ import annotations

import itertools
from typing import Any

import gast

from gradgen.frontend.control.comprehensions import filled_list, keyed
from gradgen.frontend.heap.containers import new_dict
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.lowering.statics import set_of
from gradgen.frontend.source.lookup import among
from gradgen.ir.nodes import Const, Expr

# what is computed as a loop goes on, and what goes over its arguments as they are
LAZY: tuple[object, ...] = (map, filter, itertools.starmap)


@answers(Lowering.read_at_once)
def read_at_once(lowering: Lowering, node: Any) -> Expr:
    """An expression whose items are all taken at once: [*x], a, b = x."""
    is_lazy = isinstance(node, gast.GeneratorExp)
    return filled_list(lowering, node) if is_lazy else lowering.read(node)


@answers(Lowering.gone_through)
def gone_through(lowering: Lowering, handle: Expr, node: gast.AST) -> Expr:
    """What going through a value gives: of an instance what its class says."""
    return handle


@handles(gast.GeneratorExp)
def generator_expression(lowering: Lowering, node: gast.GeneratorExp) -> Expr:
    lowering.fail(
        "GG268",
        "a generator is not supported here: it is computed as it is gone "
        "through, and once",
        node,
        "a list: [...]",
    )


@answers(Lowering.is_lazy)
def is_lazy(lowering: Lowering, node: gast.AST) -> bool:
    """Whether what an expression gives is computed as it is gone through."""
    if isinstance(node, gast.Call):
        return among(lowering.resolve(node.func), LAZY)
    return isinstance(node, gast.GeneratorExp)


@handles(gast.ListComp)
def list_comprehension(lowering: Lowering, node: gast.ListComp) -> Expr:
    return filled_list(lowering, node)


@handles(gast.DictComp)
def dict_comprehension(lowering: Lowering, node: gast.DictComp) -> Expr:
    """{k: v for ...}: a dictionary that is stored into."""
    return keyed(lowering, node, new_dict(lowering, {}))


@handles(gast.SetComp)
def set_comprehension(lowering: Lowering, node: gast.SetComp) -> Expr:
    """{x for ...} of constants."""
    made = gast.ListComp(elt=node.elt, generators=node.generators)
    known = contents(lowering, filled_list(lowering, gast.copy_location(made, node)))
    if known is None or not all(isinstance(one, Const) for one in known.args):
        lowering.fail("GG201", "sets of values are not supported", node, "a list")
    return set_of(list(known.args))
