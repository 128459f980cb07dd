"""Stores into arrays: each makes a new version of the array's buffer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from gradgen.frontend.chosen import refuse_one_of
from gradgen.frontend.changes import Changes
from gradgen.frontend.evidence import arrays_among
from gradgen.frontend.lengths import lengths
from gradgen.frontend.memory import is_structure, Home, Poison, applied, leaves
from gradgen.frontend.sharing import Sharing, is_basic_key, is_scalar_key, sharing
from gradgen.frontend.writer import REFUSED, Frame
from gradgen.ir.nodes import Apply, Const, Expr, Let, Origin, Ref, Var
from gradgen.ir.operators import ADDITIVE, BINARY, ITSELF, getitem
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


class Stores(Changes):
    """Writes stores."""

    def store(
        self,
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
        if not isinstance(target, Ref):
            self.fail(
                "GG230",
                f"{_called(target)} cannot be stored into",
                node,
                "an array, a list",
            )
        version = self.state.versions.get(target.var)
        if isinstance(version, Apply) or isinstance(target.var, Poison):
            return self.store_item(target, key, value, node)
        home = self.memory.home(target.var)
        self.refuse_shared(home.buffer, node)
        if home.buffer in self.memory.lists:
            return self.store_entry(target, key, value, node, op)
        if target.var in self.memory.numbers:
            self.raised(TypeError("a number cannot be stored into"), node)
            self.fail("GG230", "a number cannot be stored into", node, "an array")
        self._refuse_entry(target, node)
        self._refuse_lost(target, node)
        known = self.contents(value)
        if known is not None and known.op in ("tuple", "list"):
            if any(not isinstance(leaf, Const) for leaf in leaves(known)):
                rows = Apply("numpy.array", (replace(known, op="list"),))
                value = self.bind(rows, node)
                if value is REFUSED:
                    return
        self._write(home, key, value, node, op)

    def _refuse_lost(self, target: Ref, node: gast.AST) -> None:
        """Refuses a store into what may be a view or a copy, and has no name."""
        value = self.facts.definitions.get(target.var)
        refuse_one_of(self, target, node)
        is_named = self.renamed.get(target.var.id, target.var).origin is Origin.USER
        unsure = isinstance(value, Apply) and sharing(value, self.facts)
        if isinstance(value, Apply) and unsure is Sharing.MAYBE and not is_named:
            word = value.op.removeprefix("numpy.")
            self.fail(
                "GG232",
                f"a store through np.{word}, which may be a view or a copy, is not "
                "supported",
                node,
                "a store into the array itself, or into a named copy",
            )

    def _refuse_entry(self, target: Ref, node: gast.AST) -> None:
        """Refuses a store into an array that a list holds: x[i][j] = value."""
        value = self.facts.definitions.get(target.var)
        if isinstance(value, Apply) and value.op == "getitem":
            base = value.args[0]
            if isinstance(base, Ref) and self.memory.buffer(base.var) in (
                self.memory.lists
            ):
                name = self.known_name(base.var)
                self.fail(
                    "GG231",
                    f"a store into an entry of the list {name}, which other names may "
                    "have as well, is not supported",
                    node,
                    f"y = {name}[i].copy(); y[j] = ...; {name}[i] = y, or an array",
                )

    def refuse_shared(self, buffer: Var, node: gast.AST) -> None:
        """Refuses a change of an array of the module, which outlives the call."""
        if self.shared_arrays & {buffer, *self.memory.overlaps.get(buffer, ())}:
            self.fail(
                "GG230",
                f"{self.known_name(buffer)} is of the module, or kept by a cache: a call "
                "would change it for all others",
                node,
                f"{self.known_name(buffer)}.copy() first",
            )

    def _write(
        self, home: Home, key: Expr, value: Expr, node: gast.AST, op: str
    ) -> None:
        path = home.path
        last = path[-1] if path else None
        basic = is_basic_key(self.current(key), self.facts)
        if (
            last is not None
            and last.op == "getitem"
            and basic
            and is_scalar_key(last.args[1])
            and is_basic_key(last.args[1], self.facts)
        ):
            # A[i][j] = v is A[i, j] = v
            key = Apply("tuple", (*key_items(last.args[1]), *key_items(key)))
            return self._into(home.buffer, path[:-1], key, value, node, op)
        self._into(home.buffer, path, key, value, node, op)

    def taken_apart(self, frame: Frame) -> None:
        """Notes which arguments of a call are arrays, since it takes them apart."""
        names, memory = self.state.names, self.memory
        found = arrays_among(names, frame.number, frame.node.body, memory)
        self.state.stored |= found

    def _into(
        self,
        buffer: Var,
        path: tuple[Any, ...],
        key: Expr,
        value: Expr,
        node: gast.AST,
        op: str,
    ) -> None:
        """Stores into a part of a buffer: from the part outwards."""
        base = self.current(Ref(buffer), node)
        parts = [base]
        for step in path:
            parts.append(self.emit(applied(step, parts[-1]), "inner", node))
        key, value = self.current(key, node), self.current(value, node)
        new = self.emit(Apply(op, (parts[-1], key, value)), "inner", node)
        for step, part in zip(reversed(path), reversed(parts[:-1]), strict=True):
            new = self._put_back(step, part, new, node)
        self.state.stored |= {buffer}
        self.advance(buffer, new.var, node)

    def _put_back(self, step: Apply, part: Expr, new: Ref, node: gast.AST) -> Ref:
        if step.op == "getitem":
            return self.emit(Apply("setitem", (part, step.args[1], new)), "inner", node)
        if step.op in MIRRORED:
            return self.emit(applied(step, new), "inner", node)
        if step.op in ITSELF:
            return new
        if step.op in RESHAPED:
            shape = self.emit(Apply("numpy.shape", (part,)), "inner", node)
            return self.emit(Apply("numpy.reshape", (new, shape)), "inner", node)
        back = _transposed_back(step)
        if back is None:
            word = step.op.removeprefix("numpy.")
            self.fail(
                "GG232",
                f"a store through np.{word} is not supported",
                node,
                "a store into the array itself",
            )
        return self.emit(applied(back, new), "inner", node)

    # augmented assignments

    def augment(
        self, handle: Expr, op: str, value: Expr, node: gast.AST, name: str
    ) -> Expr:
        """handle op= value; the handle of the result."""
        if REFUSED in (handle, value):
            return REFUSED
        if op == "numpy.add" and is_structure(value) and value.op == "tuple":
            handle = lengths(self, handle, node)
        if isinstance(handle, Ref) and isinstance(
            self.state.versions.get(handle.var), Apply
        ):
            return self.extended(handle, op, value, node)
        if isinstance(handle, Ref) and self.is_dynamic(handle):
            if op == "numpy.add" and self.is_a_list(value):
                self.list_method(handle, "extend", [value], node)
                return handle
            self.fail("GG241", "a list takes only += of a list", node, "x.append(y)")
        if isinstance(handle, Apply) and handle.op == "list":
            self.fail(
                "GG230",
                "a container that is an argument may not be changed",
                node,
                f"{name} = [*{name}, ...]",
            )
        if isinstance(handle, Apply) or not isinstance(handle, Ref):
            rule = Apply(op, (handle, value), spelling="operator")
            return self.sequence_operation(rule, node)
        if self.is_number(handle):
            return self._rebound(handle, op, value, node)
        home = self.memory.home(handle.var)
        self.refuse_shared(home.buffer, node)
        shared = self.is_shared(handle)
        if self.is_array(handle) or (not shared and not home.path):
            if home.path:
                self._augment_part(handle, op, value, node)
                return handle
            new = self._rebound(handle, op, value, node)
            if new is not REFUSED:
                self.advance(home.buffer, new.var, node, name)
            return handle
        # A number is bound anew, an array is changed: what shares it is not known.
        new = self._rebound(handle, op, value, node)
        if new is not REFUSED:
            for other in {home.buffer, *self.memory.overlaps.get(home.buffer, ())}:
                known = self.known_name(other)
                self.state.versions[other] = Poison(
                    "GG233",
                    f"{known} has changed if {name} is an array, and not if it is a "
                    "number",
                    f"{self.shape_fact()}, or {name} = {name} + ...",
                    self.shaped_like(other),
                )
        return new

    def _rebound(self, handle: Expr, op: str, value: Expr, node: gast.AST) -> Expr:
        result = self.bind(Apply(op, (handle, value), spelling="operator"), node)
        if result is REFUSED or not isinstance(result, Ref):
            return result
        let = self.body[-1]
        assert isinstance(let, Let)
        spelled = replace(let.value, spelling="augmented")
        self.body[-1] = replace(let, value=spelled)
        self.learn(let.var, spelled)  # an array that is changed keeps its shape
        var = handle.var if isinstance(handle, Ref) else let.var
        if may_grow(spelled, self.facts):
            # x += y may raise where x + y does not: it is a statement, and x has a name
            for one in (var, let.var):
                if one.origin is Origin.TEMP:
                    name = self.known_name(var)
                    known = replace(one, name=name, origin=Origin.USER)
                    self.renamed.setdefault(one.id, known)
        return result

    def _augment_part(self, handle: Ref, op: str, value: Expr, node: gast.AST) -> None:
        """view op= value, into the array that it is a view of."""
        if op in ADDITIVE:
            if op == "numpy.subtract":
                value = self.bind(
                    Apply("numpy.negative", (value,), spelling="operator"), node
                )
            self.store(handle, Const(...), value, node, add=True)
            return
        new = self.bind(Apply(op, (handle, value), spelling="operator"), node)
        self.store(handle, Const(...), new, node)

    def is_shared(self, handle: Ref) -> bool:
        """Whether another name may see a change of an object."""
        buffer = self.memory.buffer(handle.var)
        around = self.memory.around(buffer)
        seen = 0
        every = [*self.state.names.values()]
        every += [v for v in self.state.versions.values() if isinstance(v, Apply)]
        for tree in every:
            for leaf in leaves(tree):
                if isinstance(leaf, Ref) and leaf.var not in self.memory.numbers:
                    seen += self.memory.buffer(leaf.var) in around
        return seen > 1 or bool(self.memory.homes.get(handle.var, Home(buffer)).path)

    def augment_item(self, node: gast.AugAssign) -> None:
        """A[key] op= value."""
        op = BINARY[type(node.op).__name__]
        base = self.read(node.target.value)
        key = self.read(node.target.slice)
        if REFUSED in (base, key):
            self.read(node.value)
            return
        version = self.state.held(base)
        if (
            isinstance(base, Ref)
            and isinstance(version, Apply)
            and version.op == "list"
        ):
            if self.grows_dynamic(base, self.current(key, node)):
                version = None
        if not isinstance(base, Ref) or isinstance(version, Apply):
            item = self.item(base, key, node.target)
            value = self.read(node.value)
            new = self.augment(item, op, value, node, self.source.segment(node.target))
            self.store(base, key, new, node)
            return
        before = self.state.version(self.memory.buffer(base.var))
        value = self.read(node.value)
        if value is REFUSED:
            return
        if before != self.state.version(self.memory.buffer(base.var)):
            self.fail(
                "GG234",
                "the value changes the array that it is added to",
                node,
                "the value under a name, on a line before",
            )
        if self.is_dynamic(base):
            old = self.item(base, key, node.target)
            return self.bump_entry(base, key, old, op, value, node.target)
        basic = is_basic_key(self.current(key, node), self.facts)
        if basic and op in ADDITIVE:
            if op == "numpy.subtract":
                value = self.bind(
                    Apply("numpy.negative", (value,), spelling="operator"), node
                )
            self.store(base, key, value, node.target, add=True)
            return
        old = self.bind(replace(getitem(base, key), spelling="operator"), node.target)
        new = self.bind(Apply(op, (old, value), spelling="operator"), node)
        self.store(base, key, new, node.target)

    def store_item(self, target: Ref, key: Expr, value: Expr, node: gast.AST) -> None:
        """items[0] = value, for a list or a dictionary whose items are known."""
        self.refuse_gone_over(target, node)
        version = self.state.versions[target.var]
        assert isinstance(version, Apply)
        key = self.current(key, node)
        if version.op == "dict" and isinstance(key, Const):
            items = {k.value: v for k, v in self.pairs(version)} | {key.value: value}
            made = self.new_dict(items)
            self.state.versions[target.var] = self.state.versions[made.var]
            self.touch(target.var)
            return
        if version.op == "list" and self.grows_dynamic(target, key):
            return self.store_entry(target, key, value, node, "setitem")
        try:
            index = static(key)
            args = list(version.args)
            if isinstance(index, slice):
                known = self.contents(value)
                if known is None:
                    raise TypeError("a part takes a list")
                args[index] = known.args
            else:
                args[index] = value
        except (ValueError, IndexError, TypeError, AttributeError):
            what = "key" if version.op == "dict" else "place in it"
            self.fail(
                "GG231",
                f"storing into a {version.op} needs a constant {what}",
                node,
                "an array: np.array([...])",
            )
        self.state.versions[target.var] = replace(version, args=tuple(args))
        self.touch(target.var)


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
