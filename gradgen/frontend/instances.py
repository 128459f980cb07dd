"""Instances that a function makes, and questions about the class of a value."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import types
from typing import Any

import gast

from gradgen.frontend.evaluation import GETTERS
from gradgen.frontend.callables import is_users
from gradgen.frontend.jumps import FALSE, TRUE, flag_of
from gradgen.frontend.lasting import refuse_identity
from gradgen.frontend.lookup import MISSING, looked_up, refused_class
from gradgen.frontend.memory import Record
from gradgen.frontend.names import NO_VALUE
from gradgen.frontend.fields import object_of
from gradgen.frontend.asked import Asked
from gradgen.frontend.reach import is_users_class, reach
from gradgen.frontend.records import is_record_class, unlike_its_fields
from gradgen.frontend.writer import REFUSED
from gradgen.ir.nodes import Apply, Const, Expr, Ref

DEFAULT_FACTORIES = {list: "list", dict: "dict"}


class Instances(Asked):
    """Reads calls of classes, and isinstance, hasattr, getattr and type."""

    # the attributes that the function, or what it calls, stores
    stored: frozenset[str] | None = None

    def other_call(self, node: gast.Call) -> Expr:
        cls = self.resolve(node.func)
        if isinstance(cls, type) and is_users_class(cls) and cls not in GETTERS:
            if not issubclass(cls, (enum.Enum, BaseException)):
                if not is_record_class(cls) or self._is_changed(cls):
                    return self._instance_of(cls, node)
        asked = getattr(cls, "__name__", "") if cls is not NO_VALUE else ""
        if asked in QUESTIONS and cls is QUESTIONS[asked]:
            own = getattr(self, f"_object_{asked}")
            found: Expr | None = self.unless_none(node, lambda: own(node))
            if found is not None:
                return found
        return super().other_call(node)

    # making

    def _is_changed(self, cls: Any) -> bool:
        """Whether a dataclass is made otherwise than of its fields, or stored into."""
        if issubclass(cls, tuple):
            return False
        params = vars(cls).get("__dataclass_params__")
        if params is not None and params.frozen:
            return bool(unlike_its_fields(cls)) and not refused_class(cls)
        if unlike_its_fields(cls):
            return True
        if self.stored is None:
            receiver = self.root.source.receiver
            classes = [] if receiver is None else [receiver.cls]
            self.stored = reach(self.root.source.function, classes).stored
        names = {field.name for field in dataclasses.fields(cls)}
        return bool(names & (self.stored | reach(None, [cls]).stored))

    def _instance_of(self, cls: type, node: gast.Call) -> Expr:
        """Net(3): an instance without fields, and what __init__ does with it."""
        reason = refused_class(cls)
        if reason:
            self.fail("GG270", f"{cls.__name__} {reason}", node, "plain attributes")
        args, kwargs = self.positional(node), self.by_keyword(node)
        if any(one is REFUSED for one in (*args, *(v for _, v in kwargs))):
            return REFUSED
        kind = "dataclass" if dataclasses.is_dataclass(cls) else "object"
        if kind == "dataclass" and unlike_its_fields(cls):
            kind = "object"
        handle = self.new_list(Record(kind, (), (), cls=cls), self.wish_of_list())
        init = looked_up(cls, "__init__")
        generated = dataclasses.is_dataclass(cls) and getattr(
            init, "__qualname__", ""
        ).endswith("__create_fn__.<locals>.__init__")
        if generated or (dataclasses.is_dataclass(cls) and not _has_text(init)):
            self._fields(cls, handle, args, dict(kwargs), node)
        elif isinstance(init, types.FunctionType):
            self.call(init, [handle, *args], kwargs, node)
        elif args or kwargs:
            self.fail("GG209", f"{cls.__name__} takes no arguments", node, "none")
        return handle

    def _fields(
        self, cls: Any, handle: Ref, args: list[Any], kwargs: Any, node: gast.AST
    ) -> None:
        """What the __init__ that @dataclass writes does."""
        try:
            bound = inspect.signature(cls).bind(*args, **kwargs).arguments
        except TypeError as error:
            known = ", ".join(inspect.signature(cls).parameters)
            self.fail("GG209", f"{cls.__name__}: {error}", node, known)
        fields: dict[str, Expr] = {}
        for one in dataclasses.fields(cls):
            if one.name in bound:
                fields[one.name] = bound[one.name]
            elif one.default is not dataclasses.MISSING:
                fields[one.name] = self.held_value(one.default, node)
            elif one.default_factory is not dataclasses.MISSING:
                fields[one.name] = self._by_factory(one.default_factory, node)
        empty = self.state.versions[handle.var]
        assert isinstance(empty, Record)
        self.state.versions[handle.var] = object_of(empty, fields)
        after = looked_up(cls, "__post_init__")
        if after is not MISSING:
            own = {field.name for field in dataclasses.fields(cls)}
            more = [value for name, value in bound.items() if name not in own]
            self.call(after, [handle, *more], (), node)

    def _by_factory(self, factory: Any, node: gast.AST) -> Expr:
        if factory in DEFAULT_FACTORIES:
            return self.new_list(Apply(DEFAULT_FACTORIES[factory], ()))
        if is_users(factory):
            return self.call(factory, [], (), node)
        if isinstance(factory, type) and is_users_class(factory):
            call = gast.Call(self.lent(node, Const(factory)), [], [])
            return self._instance_of(factory, gast.copy_location(call, node))
        self.fail("GG116", "this default_factory is not supported", node, "list, dict")

    # loops

    def needs_rounds(self, node: gast.For) -> bool:
        """Whether each round of a loop over a range is about another instance.

        That is so where the index chooses from a list of instances or functions, and
        where each round makes an instance for a list. So it is where each round makes
        a tuple longer: out = out + (y,).
        """
        targets = {n.id for n in gast.walk(node.target) if isinstance(n, gast.Name)}
        for part in (inner for one in node.body for inner in gast.walk(one)):
            if isinstance(part, gast.Subscript):
                read = {n.id for n in gast.walk(part.slice) if isinstance(n, gast.Name)}
                if read & targets and self._chooses(part.value):
                    return True
            if self._lengthens(part):
                return True
            if isinstance(part, gast.Call):
                func = part.func
                if isinstance(func, gast.Attribute) and func.attr == "append":
                    if any(self._makes(arg) for arg in part.args):
                        return True
        return False

    def _lengthens(self, node: gast.AST) -> bool:
        """Whether a statement adds to a name that is a tuple by now."""
        if isinstance(node, gast.AugAssign) and isinstance(node.op, gast.Add):
            target = node.target
        elif isinstance(node, gast.Assign) and isinstance(node.value, gast.BinOp):
            (target, *_), sides = node.targets, (node.value.left, node.value.right)
            name = getattr(target, "id", None)
            if name not in [getattr(side, "id", "") for side in sides]:
                return False
        else:
            return False
        handle = self.lookup(target.id) if isinstance(target, gast.Name) else None
        return isinstance(handle, Apply) and handle.op == "tuple"

    def _chooses(self, node: gast.AST) -> bool:
        """Whether an expression is a list, known by now, of instances or functions."""
        base = node
        while isinstance(base, gast.Attribute):
            base = base.value
        if not isinstance(base, gast.Name) or self.lookup(base.id) is None:
            return False
        problems, body, state = len(self.problems), list(self.body), self.state.copy()
        handle = self.read(node)
        del self.problems[problems:]
        self.body[:], self.state = body, state
        known = self.contents(handle) if handle is not REFUSED else None
        return known is not None and any(
            callable(getattr(one, "value", None)) or self.contents(one) is not None
            for one in known.args
        )

    def _makes(self, node: gast.AST) -> bool:
        """Whether an expression makes an instance."""
        calls = (part for part in gast.walk(node) if isinstance(part, gast.Call))
        made = (self.resolve(call.func) for call in calls)
        return any(isinstance(cls, type) and is_users_class(cls) for cls in made)

    # questions

    def _record_at(self, node: gast.AST) -> tuple[Expr, Record] | None:
        """The instance that an expression is, None where it is none."""
        found = self.known_object(node)
        known = None if found is None else self.contents(found[0])
        return (found[0], known) if found and isinstance(known, Record) else None

    def _object_isinstance(self, node: gast.Call) -> Expr | None:
        found = self._record_at(node.args[0]) if len(node.args) == 2 else None
        if found is None:
            return None
        classes = self._named_classes(node.args[1])
        return None if classes is None else Const(issubclass(found[1].cls, classes))

    def _named_classes(self, node: gast.AST) -> Any:
        """The class, or the tuple of classes, that an expression names."""
        if isinstance(node, gast.Tuple):
            every = [self._named_classes(one) for one in node.elts]
            return None if None in every else tuple(every)
        value = self.class_of(node) or self.resolve(node)
        return value if isinstance(value, type) else None

    def _object_hasattr(self, node: gast.Call) -> Expr | None:
        asked = self._asked_of(node)
        if asked is None:
            return None
        (_, known), name = asked
        fields = {key.value: value for key, value in self.pairs(known)}
        if flag_of(name) in fields:
            return fields[flag_of(name)]
        return Const(name in fields or looked_up(known.cls, name) is not MISSING)

    def _object_getattr(self, node: gast.Call) -> Expr | None:
        asked = self._asked_of(node)
        if asked is None:
            return None
        (handle, known), name = asked
        # Python computes what it may not need
        default = self.read(node.args[2]) if len(node.args) == 3 else None
        fields = {key.value: value for key, value in self.pairs(known)}
        if default is not None and name not in fields:
            if looked_up(known.cls, name) is MISSING:
                return default
        flag = fields.get(flag_of(name), TRUE)
        if default is not None and flag != TRUE:
            if flag == FALSE:
                return default
            own, given = fields[name], default
            return self.choose(flag, lambda: own, lambda: given, name, self.note)
        lent = self.lent(node.args[0], handle)
        read = gast.Attribute(lent, name, gast.Load())
        return self.read(gast.copy_location(read, node))

    def _object_setattr(self, node: gast.Call) -> Expr | None:
        asked = self._asked_of(node)
        if asked is None or len(node.args) != 3:
            return None
        (handle, _), name = asked
        mark = self.mark()
        lent = self.lent(node.args[0], handle)
        target = gast.copy_location(gast.Attribute(lent, name, gast.Store()), node)
        self.store_field(target, self.read(node.args[2]), mark, handle)
        return Const(None)

    def _asked_of(self, node: gast.Call) -> tuple[tuple[Expr, Record], str] | None:
        """The instance and the name that getattr and its like are called with."""
        found = self._record_at(node.args[0]) if len(node.args) > 1 else None
        if found is None:
            return None
        name = getattr(self.read(node.args[1]), "value", None)
        if not isinstance(name, str):
            self.fail("GG271", "this name is not known here", node, "self.name")
        return found, name

    def _object_type(self, node: gast.Call) -> Expr | None:
        found = self._record_at(node.args[0]) if len(node.args) == 1 else None
        return None if found is None else Const(found[1].cls)

    def _object_len(self, node: gast.Call) -> Expr | None:
        found = self._record_at(node.args[0]) if len(node.args) == 1 else None
        own = MISSING if found is None else looked_up(found[1].cls, "__len__")
        if found is None or not isinstance(own, types.FunctionType):
            return None
        return self.call(own, [found[0]], (), node)

    def _object_callable(self, node: gast.Call) -> Expr | None:
        if len(node.args) != 1:
            return None
        found = self.known_object(node.args[0])
        handle = self.read(node.args[0]) if found is None else found[0]
        known = None if handle is REFUSED else self.contents(handle)
        if isinstance(known, Record):
            return Const(looked_up(known.cls, "__call__") is not MISSING)
        return Const(callable(handle.value)) if isinstance(handle, Const) else None

    def _are_known(self, *sides: Expr) -> bool:
        """Whether both are instances, functions or None, which are one object or not."""
        return all(
            side == Const(None)
            or callable(getattr(side, "value", None))
            or isinstance(self.contents(side), Record)
            for side in sides
        )

    def _is_one_of_the_module(
        self, left: Expr, right: Expr, node: gast.AST
    ) -> bool | None:
        """Whether two are one, where one is an instance around the function, or None."""
        sides = [self.contents(side) for side in (left, right) if side is not REFUSED]
        own = [getattr(side, "outer", 0) for side in sides]
        if len(own) < 2 or not any(own):
            return None
        if all(own) or Const in (type(left), type(right)):
            return bool(own[0] == own[1])
        self.fail(
            "GG271",
            "whether these are one object is not known here",
            node,
            "a comparison of something that they hold",
        )

    def comparison(
        self, op: gast.cmpop, left: Expr, right: Expr, node: gast.AST
    ) -> Expr:
        """A comparison of members of enums, of classes, of instances is known."""
        name = type(op).__name__
        if name in ("Is", "IsNot"):
            same = self._is_one_of_the_module(left, right, node)
            if same is not None:
                return Const(same is (name == "Is"))
        if name in ("Is", "IsNot"):
            refuse_identity(self, left, right, node)
        if name in ("Is", "IsNot") and self._are_known(left, right):
            return Const((left == right) is (name == "Is"))
        sides = [getattr(side, "value", NO_VALUE) for side in (left, right)]
        odd = any(isinstance(side, (enum.Enum, type)) for side in sides)
        if odd and NO_VALUE not in sides and name in ("Is", "IsNot", "Eq", "NotEq"):
            one, other = sides
            same = one is other if name in ("Is", "IsNot") else one == other
            return Const(bool(same) is (name in ("Is", "Eq")))
        member = any(isinstance(side, enum.Enum) for side in sides)
        if member and NO_VALUE in sides and name not in ("In", "NotIn"):
            if not all(isinstance(s, int) for s in sides if s is not NO_VALUE):
                self.fail(
                    "GG211",
                    "what a member of an enum is compared with is not known here",
                    node,
                    "a default of the parameter",
                )
        return super().comparison(op, left, right, node)


QUESTIONS = {
    "isinstance": isinstance,
    "hasattr": hasattr,
    "getattr": getattr,
    "setattr": setattr,
    "type": type,
    "len": len,
    "callable": callable,
}


def _has_text(function: object) -> bool:
    """Whether a function stands in a file."""
    code = getattr(function, "__code__", None)
    return code is not None and not code.co_filename.startswith("<")
