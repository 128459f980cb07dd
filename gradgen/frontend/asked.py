"""What Python and NumPy ask of an instance that no operator of the text names.

before:  if n: ...; a == b; y * v; np.sum(w)
after:   if n.__bool__(): ...; a is b, where there is no __eq__; else refused

NumPy on the left decides first: an array goes over its entries, and takes what has
items for an array, before `__rmul__` is asked.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gast
import numpy

from gradgen.frontend.dunders import COMPARED, Dunders
from gradgen.frontend.held import Held
from gradgen.frontend.lookup import MISSING, looked_up
from gradgen.frontend.memory import Record, is_object, is_structure
from gradgen.frontend.writer import REFUSED
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.rules.load import operations

# operations that take any object
OF_OBJECTS = ("is", "is_not", "isinstance", "type", "hasattr", "callable", "id")
# what makes NumPy take an object for an array
LIKE_ARRAYS = ("__getitem__", "__array__", "__array_interface__", "__array_struct__")


class Asked(Dunders):
    """Reads the truth and the equality of instances, and instances beside arrays."""

    def as_truth(self, handle: Expr, node: gast.AST) -> Expr:
        """What a test asks of a value: of an instance __bool__, else __len__."""
        known = self.contents(handle) if handle is not REFUSED else None
        if not isinstance(known, Record) or known.op == "namedtuple":
            return handle
        for name in ("__bool__", "__len__"):
            method = self.own_method(handle, name)
            if method is not None:
                found = self.call(method, [handle], (), node)
                value = self.value_known(found)
                return Const(bool(value)) if type(value) in (bool, int) else found
            if looked_up(known.cls, name) is not MISSING:
                self._refuse_object(known, f"the {name} of", "is not known here", node)
        return Const(True)

    def _refuse_object(self, known: Record, what: str, why: str, node: Any) -> None:
        name = known.cls.__name__
        self.fail("GG243", f"{what} a {name} {why}", node, "its fields one by one")

    def read_UnaryOp(self, node: gast.UnaryOp) -> Expr:
        if not isinstance(node.op, gast.Not):
            return super().read_UnaryOp(node)
        operand = self.read(node.operand)
        if operand is REFUSED:
            return REFUSED
        asked = self.as_truth(operand, node)
        if asked is not operand and isinstance(asked, Const):
            return Const(not asked.value)
        made = gast.UnaryOp(op=node.op, operand=Held(asked, node.operand))
        return super().read_UnaryOp(gast.copy_location(made, node))

    def special_call(self, value: object, node: gast.Call) -> Expr | None:
        if value is bool and len(node.args) == 1:
            handle = self.read(node.args[0])
            asked = self.as_truth(handle, node)
            if asked is not handle and isinstance(asked, Const):
                return asked
            if asked is not handle and asked is not REFUSED:
                return self.bind(Apply("bool", (asked,), (), "name:bool"), node)
            held = Held(asked, node.args[0])
            made = gast.Call(func=node.func, args=[held], keywords=node.keywords)
            node = gast.copy_location(made, node)
        return super().special_call(value, node)

    def length_of(self, handle: Expr, known: Record, node: gast.AST) -> Expr:
        """len of an instance, which its class tells."""
        method = self.own_method(handle, "__len__")
        if method is None:
            self._refuse_object(known, "the length of", "is not known", node)
        return self.call(method, [handle], (), node)

    def unless_reversed(self, node: gast.AST) -> gast.AST:
        """What is reversed, read once; refuses an instance that has a way of its own."""
        found = self.known_object(node)
        known = None if found is None else self.contents(found[0])
        if is_object(known):
            own = ("__reversed__", "__iter__")
            if any(looked_up(known.cls, name) is not MISSING for name in own):
                self._refuse_object(known, "reversed of", "is not supported", node)
        return node if found is None else found[1]

    def unless_divided(self, one: Expr, other: Expr, node: gast.AST) -> None:
        """Refuses divmod of an instance that has a way of its own."""
        for name, handle in (("__divmod__", one), ("__rdivmod__", other)):
            known = self.contents(handle) if handle is not REFUSED else None
            if is_object(known) and looked_up(known.cls, name) is not MISSING:
                self._refuse_object(known, "divmod of", "is not supported", node)

    # equality

    def comparison(
        self, op: gast.cmpop, left: Expr, right: Expr, node: gast.AST
    ) -> Expr:
        names = COMPARED.get(type(op).__name__)
        if names is None or REFUSED in (left, right):
            return super().comparison(op, left, right, node)
        both = map(self.contents, (left, right))
        records = [known for known in both if is_object(known)]
        if not records:
            return super().comparison(op, left, right, node)
        asked = [*names, "__eq__"] if names[0] == "__ne__" else list(names)
        methods = [self.own_method(h, n) for h in (left, right) for n in asked]
        if any(method is not None for method in methods):
            self._beside_numpy(left, right, node)
            return super().comparison(op, left, right, node)
        equal = self._identical(left, right, records, node)
        if names[0] not in ("__eq__", "__ne__") or equal is None:
            self._refuse_object(
                records[0], "the comparison of", "is not supported", node
            )
        return Const(equal is (names[0] == "__eq__"))

    def _identical(
        self, left: Expr, right: Expr, records: list[Any], node: gast.AST
    ) -> bool | None:
        """Whether two objects are one, where their classes have no __eq__."""
        if any(looked_up(r.cls, "__eq__") is not object.__eq__ for r in records):
            return None
        if len(records) == 1:
            other = right if is_object(self.contents(left)) else left
            number = isinstance(other, Ref) and self.facts.rank(other) == 0
            if isinstance(other, Const) or number or self.contents(other) is not None:
                return False
            return None
        if not isinstance(left, Ref) or not isinstance(right, Ref):
            return None
        one, two = self.memory.buffer(left.var), self.memory.buffer(right.var)
        if one == two:
            return True
        given = {Origin.PARAM} & {left.var.origin, right.var.origin}
        held = left.var in self.places or right.var in self.places
        return None if given or held else False

    # NumPy on the left

    def by_methods(
        self, name: str, left: Expr, right: Expr, node: gast.AST
    ) -> Expr | None:
        self._beside_numpy(left, right, node)
        return super().by_methods(name, left, right, node)

    def augment(
        self, handle: Expr, op: str, value: Expr, node: gast.AST, name: str
    ) -> Expr:
        if REFUSED not in (handle, value):
            self._beside_numpy(handle, value, node, in_place=True)
        return super().augment(handle, op, value, node, name)

    def _beside_numpy(
        self, left: Expr, right: Expr, node: gast.AST, in_place: bool = False
    ) -> None:
        """Refuses NumPy's value on the left of an instance that it goes into."""
        known = self.contents(right)
        if not is_object(known) or self.contents(left) is not None:
            return
        if isinstance(left, Const) and not isinstance(left.value, numpy.generic):
            return
        rank = 0 if isinstance(left, Const) else self.facts.rank(left)
        if not (in_place and rank != 0) and _asked_first(known.cls, rank == 0):
            return
        like = [n for n in LIKE_ARRAYS if looked_up(known.cls, n) is not MISSING]
        if rank == 0 and not like:
            return
        self.fail(
            "GG243",
            f"NumPy takes the entries of an array, or the items of a "
            f"{known.cls.__name__}, before it asks the class",
            node,
            f"the {known.cls.__name__} on the left, or __array_ufunc__ = None in it",
        )

    # instances as arguments of NumPy's functions

    def bind(self, value: Apply, node: gast.AST | None) -> Expr:
        """An operation; an instance in the place of an array is refused."""
        if value.op in OF_OBJECTS:
            return super().bind(value, node)
        value = replace(value, args=tuple(map(_number_of, value.args)))
        if value.spelling != "operator":
            args = tuple(self._as_tuple(arg) for arg in value.args)
            kwargs = tuple((key, self._as_tuple(v)) for key, v in value.kwargs)
            value = replace(value, args=args, kwargs=kwargs)
        if self.memory.optional:
            self._unless_axis_may_be_none(value, node)
        for arg in (*value.args, *(v for _, v in value.kwargs)):
            for known in self._records_in(arg):
                self.fail(
                    "GG214",
                    f"a {known.cls.__name__} is not an array",
                    node,
                    "its fields one by one",
                )
        return super().bind(value, node)

    def _unless_axis_may_be_none(self, value: Apply, node: gast.AST | None) -> None:
        """Refuses an axis that is None by one way: the result has another shape."""
        rule = operations().get(value.op)
        named = dict(zip(rule.by_name, value.args)) if rule is not None else {}
        axis = (named | dict(value.kwargs)).get("axis")
        if isinstance(axis, Ref) and self.memory.is_optional(axis):
            self.fail(
                "GG303",
                "the axis may be None here, which makes another shape",
                node,
                "a branch for None, and one for an axis",
            )

    def _as_tuple(self, handle: Expr) -> Expr:
        """A namedtuple as the tuple that NumPy takes it for."""
        known = self.contents(handle) if handle is not REFUSED else None
        if isinstance(known, Record) and known.op == "namedtuple":
            return Apply("tuple", tuple(map(self._as_tuple, known.args)))
        return handle

    def _records_in(self, handle: Expr) -> Iterator[Record]:
        known = self.contents(handle) if handle is not REFUSED else None
        if isinstance(known, Record):
            yield known
        elif is_structure(known) and not isinstance(handle, Const):
            for part in known.args:
                yield from self._records_in(part)


def _number_of(handle: Expr) -> Expr:
    """A member of an IntEnum as the number that it is."""
    value = getattr(handle, "value", None)
    if isinstance(handle, Const) and isinstance(value, (enum.IntEnum, enum.IntFlag)):
        return Const(int(value))
    return handle


def _asked_first(cls: type, is_number: bool) -> bool:
    """Whether NumPy leaves an operator to a class: __array_ufunc__, __array_priority__."""
    own = looked_up(cls, "__array_ufunc__")
    if own is not MISSING:
        return own is None
    priority = looked_up(cls, "__array_priority__")
    return type(priority) in (int, float) and priority > (-1e6 if is_number else 0)
