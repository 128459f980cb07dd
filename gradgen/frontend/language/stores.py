"""Stores into arrays: each makes a new version of the array's buffer."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.calls.evaluation import raised
from gradgen.frontend.heap.changes import advance, poison, refuse_shared
from gradgen.frontend.heap.chosen import refuse_one_of
from gradgen.frontend.heap.arguments_changed import held_anew
from gradgen.frontend.heap.containers import extended, new_dict
from gradgen.frontend.heap.contents import contents, pairs_of
from gradgen.frontend.heap.lengths import lengths, value_known
from gradgen.frontend.heap.lists import grows_dynamic, is_a_list, refuse_gone_over
from gradgen.frontend.heap.lists import store_entry
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Home, Poison, applied, is_structure, leaves
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.lowering.sharing import Sharing, is_basic_key, is_scalar_key
from gradgen.frontend.lowering.sharing import sharing
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Apply, Const, Expr, Let, Origin, Ref, Var
from gradgen.ir.operators import ADDITIVE, ITSELF
from gradgen.ir.walk import static
from gradgen.shapes.growing import may_grow
from gradgen.shapes.indexing import key_items

# views that are undone by the same operation
MIRRORED = {
    f"numpy.{name}"
    for name in "matrix_transpose linalg.matrix_transpose swapaxes flip fliplr flipud".split()
}


# views of all entries in another shape, and what is an array itself
RESHAPED = {f"numpy.{name}" for name in "squeeze expand_dims reshape ravel".split()}

# what a dictionary holds whose keys rounds compute, which is refused where it is read
OF_KEYS = "storing into a dict needs a constant key"
IN_ARRAYS = "an array: np.array([...])"


@answers(Lowering.touch)
def touch(lowering: Lowering, changed: Var) -> None:
    """Notes that a list has changed: so have those that may be it, or hold it."""
    for other in lowering.memory.links.touched(changed):
        poison(lowering, other, lowering.known_name(changed))


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
    """target[key] = value, or another kind of store, for handles."""
    op = op or ("additem" if add else "setitem")
    if REFUSED in (target, key, value):
        return
    target = held_anew(lowering, target)
    if not isinstance(target, Ref):
        lowering.fail(
            "GG230",
            f"{_called(target)} cannot be stored into",
            node,
            "an array, a list",
        )
    version = lowering.state.versions.get(target.var)
    if isinstance(version, Poison) and version.message == OF_KEYS:
        return None  # a dictionary that keeps what nobody reads
    if isinstance(version, Apply):
        return store_item(lowering, target, key, value, node)
    home = lowering.memory.home(target.var)
    refuse_shared(lowering, home.buffer, node)
    if home.buffer in lowering.memory.lists:
        return store_entry(lowering, target, key, value, node, op)
    if target.var in lowering.memory.numbers:
        raised(lowering, TypeError("a number cannot be stored into"), node)
        lowering.fail("GG230", "a number cannot be stored into", node, "an array")
    _refuse_entry(lowering, target, node)
    _refuse_lost(lowering, target, node)
    known = contents(lowering, value)
    if known is not None and known.op in ("tuple", "list"):
        if any(not isinstance(leaf, Const) for leaf in leaves(known)):
            rows = Apply("numpy.array", (replace(known, op="list"),))
            value = lowering.bind(rows, node)
            if value is REFUSED:
                return
    _write(lowering, home, key, value, node, op)


def _refuse_lost(lowering: Lowering, target: Ref, node: gast.AST) -> None:
    """Refuses a store into what may be a view or a copy, and has no name."""
    value = lowering.facts.definitions.get(target.var)
    refuse_one_of(lowering, target, node)
    is_named = lowering.renamed.get(target.var.id, target.var).origin is Origin.USER
    unsure = isinstance(value, Apply) and sharing(value, lowering.facts)
    if isinstance(value, Apply) and unsure is Sharing.MAYBE and not is_named:
        word = value.op.removeprefix("numpy.")
        lowering.fail(
            "GG232",
            f"a store through np.{word}, which may be a view or a copy, is not "
            "supported",
            node,
            "a store into the array itself, or into a named copy",
        )


def _refuse_entry(lowering: Lowering, target: Ref, node: gast.AST) -> None:
    """Refuses a store into an array that a list holds: x[i][j] = value."""
    value = lowering.facts.definitions.get(target.var)
    if isinstance(value, Apply) and value.op == "getitem":
        base = value.args[0]
        if isinstance(base, Ref) and lowering.memory.buffer(base.var) in (
            lowering.memory.lists
        ):
            name = lowering.known_name(base.var)
            lowering.fail(
                "GG231",
                f"a store into an entry of the list {name}, which other names may "
                "have as well, is not supported",
                node,
                f"y = {name}[i].copy(); y[j] = ...; {name}[i] = y, or an array",
            )


def _write(
    lowering: Lowering, home: Home, key: Expr, value: Expr, node: gast.AST, op: str
) -> None:
    path = home.path
    last = path[-1] if path else None
    basic = is_basic_key(lowering.current(key), lowering.facts)
    if (
        last is not None
        and last.op == "getitem"
        and basic
        and is_scalar_key(last.args[1])
        and is_basic_key(last.args[1], lowering.facts)
    ):
        # A[i][j] = v is A[i, j] = v
        key = Apply("tuple", (*key_items(last.args[1]), *key_items(key)))
        return _into(lowering, home.buffer, path[:-1], key, value, node, op)
    _into(lowering, home.buffer, path, key, value, node, op)


def _into(
    lowering: Lowering,
    buffer: Var,
    path: tuple[Any, ...],
    key: Expr,
    value: Expr,
    node: gast.AST,
    op: str,
) -> None:
    """Stores into a part of a buffer: from the part outwards."""
    base = lowering.current(Ref(buffer), node)
    parts = [base]
    for step in path:
        parts.append(lowering.emit(applied(step, parts[-1]), "inner", node))
    key, value = lowering.current(key, node), lowering.current(value, node)
    new = lowering.emit(Apply(op, (parts[-1], key, value)), "inner", node)
    for step, part in zip(reversed(path), reversed(parts[:-1]), strict=True):
        new = _put_back(lowering, step, part, new, node)
    lowering.state.stored |= {buffer}
    advance(lowering, buffer, new.var, node)


def _put_back(
    lowering: Lowering, step: Apply, part: Expr, new: Ref, node: gast.AST
) -> Ref:
    if step.op == "getitem":
        return lowering.emit(Apply("setitem", (part, step.args[1], new)), "inner", node)
    if step.op in MIRRORED:
        return lowering.emit(applied(step, new), "inner", node)
    if step.op in ITSELF:
        return new
    if step.op in RESHAPED:
        shape = lowering.emit(Apply("numpy.shape", (part,)), "inner", node)
        return lowering.emit(Apply("numpy.reshape", (new, shape)), "inner", node)
    back = _transposed_back(step)
    if back is None:
        word = step.op.removeprefix("numpy.")
        lowering.fail(
            "GG232",
            f"a store through np.{word} is not supported",
            node,
            "a store into the array itself",
        )
    return lowering.emit(applied(back, new), "inner", node)


@answers(Lowering.augment)
def augment(
    lowering: Lowering, handle: Expr, op: str, value: Expr, node: gast.AST, name: str
) -> Expr:
    """handle op= value; the handle of the result."""
    if REFUSED in (handle, value):
        return REFUSED
    if op == "numpy.add" and is_structure(value) and value.op == "tuple":
        handle = lengths(lowering, handle, node)
    if isinstance(handle, Ref) and isinstance(
        lowering.state.versions.get(handle.var), Apply
    ):
        return extended(lowering, handle, op, value, node)
    if isinstance(handle, Ref) and lowering.is_dynamic(handle):
        if op == "numpy.add" and is_a_list(lowering, value):
            lowering.list_method(handle, "extend", [value], node)
            return handle
        told = "a list takes only += of a list"
        advice = "x.append(y)" if op == "numpy.add" else "x = np.array(x), first"
        lowering.fail("GG241", told, node, advice)
    if isinstance(handle, Apply) and handle.op == "list":
        lowering.fail(
            "GG230",
            "a container that is an argument may not be changed",
            node,
            f"{name} = [*{name}, ...]",
        )
    if isinstance(handle, Apply) or not isinstance(handle, Ref):
        rule = Apply(op, (handle, value), spelling="operator")
        return lowering.sequence_operation(rule, node)
    if lowering.is_number(handle):
        return _rebound(lowering, handle, op, value, node)
    home = lowering.memory.home(handle.var)
    refuse_shared(lowering, home.buffer, node)
    shared = lowering.is_shared(handle)
    if lowering.is_array(handle) or (not shared and not home.path):
        if home.path:
            _augment_part(lowering, handle, op, value, node)
            return handle
        new = _rebound(lowering, handle, op, value, node)
        if new is not REFUSED:
            advance(lowering, home.buffer, new.var, node, name)
        return handle
    # A number is bound anew, an array is changed: what shares it is not known.
    new = _rebound(lowering, handle, op, value, node)
    if new is not REFUSED:
        for other in {home.buffer, *lowering.memory.overlaps.get(home.buffer, ())}:
            known = lowering.known_name(other)
            lowering.state.versions[other] = Poison(
                "GG233",
                f"{known} has changed if {name} is an array, and not if it is a number",
                f"{lowering.shape_fact()}, or {name} = {name} + ...",
                lowering.shaped_like(other),
            )
    return new


def _rebound(
    lowering: Lowering, handle: Expr, op: str, value: Expr, node: gast.AST
) -> Expr:
    result = lowering.bind(Apply(op, (handle, value), spelling="operator"), node)
    if result is REFUSED or not isinstance(result, Ref):
        return result
    let = lowering.body[-1]
    assert isinstance(let, Let)
    spelled = replace(let.value, spelling="augmented")
    lowering.body[-1] = replace(let, value=spelled)
    lowering.learn(let.var, spelled)  # an array that is changed keeps its shape
    var = handle.var if isinstance(handle, Ref) else let.var
    if may_grow(spelled, lowering.facts):
        # x += y may raise where x + y does not: it is a statement, and x has a name
        for one in (var, let.var):
            if one.origin is Origin.TEMP:
                name = lowering.known_name(var)
                known = replace(one, name=name, origin=Origin.USER)
                lowering.renamed.setdefault(one.id, known)
    return result


def _augment_part(
    lowering: Lowering, handle: Ref, op: str, value: Expr, node: gast.AST
) -> None:
    """view op= value, into the array that it is a view of."""
    if op in ADDITIVE:
        if op == "numpy.subtract":
            value = lowering.bind(
                Apply("numpy.negative", (value,), spelling="operator"), node
            )
        lowering.store(handle, Const(...), value, node, add=True)
        return
    new = lowering.bind(Apply(op, (handle, value), spelling="operator"), node)
    lowering.store(handle, Const(...), new, node)


@answers(Lowering.is_shared)
def is_shared(lowering: Lowering, handle: Ref) -> bool:
    """Whether another name may see a change of an object."""
    buffer = lowering.memory.buffer(handle.var)
    around = lowering.memory.around(buffer)
    seen = 0
    every = [*lowering.state.names.values()]
    every += [v for v in lowering.state.versions.values() if isinstance(v, Apply)]
    for tree in every:
        for leaf in leaves(tree):
            if isinstance(leaf, Ref) and leaf.var not in lowering.memory.numbers:
                seen += lowering.memory.buffer(leaf.var) in around
    return seen > 1 or bool(lowering.memory.homes.get(handle.var, Home(buffer)).path)


def store_item(
    lowering: Lowering, target: Ref, key: Expr, value: Expr, node: gast.AST
) -> None:
    """items[0] = value, for a list or a dictionary whose items are known."""
    version = lowering.state.versions[target.var]
    assert isinstance(version, Apply)
    key = lowering.current(key, node)
    refuse_gone_over(lowering, target, node, _place_in(lowering, version, key))
    place = value_known(lowering, key)  # 2 of ax + 1, in a round that is written out
    if version.op == "dict" and place is not NO_VALUE and isinstance(place, Hashable):
        items = {k.value: v for k, v in pairs_of(lowering, version)} | {place: value}
        made = new_dict(lowering, items)
        lowering.state.versions[target.var] = lowering.state.versions[made.var]
        lowering.touch(target.var)
        return
    if version.op == "list" and grows_dynamic(lowering, target, key):
        return store_entry(lowering, target, key, value, node, "setitem")
    try:
        index = static(key) if place is NO_VALUE else place
        args = list(version.args)
        if isinstance(index, slice):
            known = contents(lowering, value)
            if known is None:
                raise TypeError("a part takes a list")
            args[index] = known.args
        else:
            args[index] = value
    except (ValueError, IndexError, TypeError, AttributeError):
        if version.op == "dict":  # refused where it is read
            lowering.state.versions[target.var] = Poison("GG231", OF_KEYS, IN_ARRAYS)
            lowering.touch(target.var)
            return
        told = f"storing into a {version.op} needs a constant place in it"
        lowering.fail("GG231", told, node, IN_ARRAYS)
    lowering.state.versions[target.var] = replace(version, args=tuple(args))
    lowering.touch(target.var)


def _place_in(lowering: Lowering, version: Apply, key: Expr) -> int | None:
    """Which entry of a list a key is; None where that is not known."""
    value = value_known(lowering, key)
    if version.op != "list" or type(value) is not int:
        return None
    return value % len(version.args) if version.args else None


def _called(target: Expr) -> str:
    """What a message calls something that is no object of the function's own."""
    if isinstance(target, Apply):
        return "a tuple" if target.op == "tuple" else "a container that is an argument"
    value = getattr(target, "value", None)
    if callable(value):
        return str(getattr(value, "__name__", "a function"))
    return repr(value)


def _transposed_back(step: Apply) -> Apply | None:
    """The transposition that undoes one, where its axes are known."""
    if step.op == "numpy.moveaxis" and len(step.args) == 3:
        first, source, destination = step.args
        return replace(step, args=(first, destination, source))
    if step.op != "numpy.transpose":
        return None
    given = [*step.args[1:], *(value for _, value in step.kwargs)]
    if not given or given[0] == Const(None):
        return step
    try:
        axes = list(static(given[0]))
        if min(axes) < 0:
            axes = [axis % len(axes) for axis in axes]
        back = tuple(Const(axes.index(i)) for i in range(len(axes)))
    except (ValueError, TypeError):
        return None
    return Apply("numpy.transpose", (step.args[0], Apply("tuple", back)))
