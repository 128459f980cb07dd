"""Stores by a key with an operation, as x[i] += y, and tuples taken apart."""

from __future__ import annotations

from dataclasses import replace

import gast

from gradgen.frontend.heap.evidence import arrays_among
from gradgen.frontend.heap.lists import bump_entry, grows_dynamic
from gradgen.frontend.lowering.frames import REFUSED, Frame
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.sharing import is_basic_key
from gradgen.ir.nodes import Apply, Ref
from gradgen.ir.operators import ADDITIVE, BINARY, getitem
from gradgen.shapes.indexing import names_places_once


def taken_apart(lowering: Lowering, frame: Frame) -> None:
    """Notes which arguments of a call are arrays, since it takes them apart."""
    names, memory = lowering.state.names, lowering.memory
    found = arrays_among(names, frame.number, frame.node, memory)
    lowering.state.stored |= found


def augment_item(lowering: Lowering, node: gast.AugAssign) -> None:
    """A[key] op= value."""
    op = BINARY[type(node.op).__name__]
    base = lowering.read(node.target.value)
    key = lowering.read(node.target.slice)
    if REFUSED in (base, key):
        lowering.read(node.value)
        return
    version = lowering.state.held(base)
    if isinstance(base, Ref) and isinstance(version, Apply) and version.op == "list":
        if grows_dynamic(lowering, base, lowering.current(key, node)):
            version = None
    if not isinstance(base, Ref) or isinstance(version, Apply):
        item = lowering.item(base, key, node.target)
        value = lowering.read(node.value)
        new = lowering.augment(
            item, op, value, node, lowering.source.segment(node.target)
        )
        lowering.store(base, key, new, node)
        return
    before = lowering.state.version(lowering.memory.buffer(base.var))
    value = lowering.read(node.value)
    if value is REFUSED:
        return
    if before != lowering.state.version(lowering.memory.buffer(base.var)):
        lowering.fail(
            "GG234",
            "the value changes the array that it is added to",
            node,
            "the value under a name, on a line before",
        )
    if lowering.is_dynamic(base):
        old = lowering.item(base, key, node.target)
        return bump_entry(lowering, base, key, old, op, value, node.target)
    seen = lowering.current(key, node)
    basic = is_basic_key(seen, lowering.facts)
    if op in ADDITIVE and (basic or names_places_once(lowering.facts, seen)):
        if op == "numpy.subtract":
            value = lowering.bind(
                Apply("numpy.negative", (value,), spelling="operator"), node
            )
        lowering.store(base, key, value, node.target, add=True)
        return
    old = lowering.bind(replace(getitem(base, key), spelling="operator"), node.target)
    new = lowering.bind(Apply(op, (old, value), spelling="operator"), node)
    lowering.store(base, key, new, node.target)
