"""The parameters of the function: arrays and numbers, and containers of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
import dataclasses
import enum
from dataclasses import replace
import types
from typing import Any

import gast

from gradgen.errors import GradgenError
from gradgen.frontend.bundles import bundle_of
from gradgen.frontend.hints import hint_of
from gradgen.frontend.holding import Held, Holding
from gradgen.frontend.reach import is_users_class
from gradgen.frontend.memory import Record
from gradgen.frontend.records import read_in_its_way
from gradgen.frontend.receiver import NO_NUMBER, Receiver
from gradgen.frontend.names import canonical, is_plain, looked_up
from gradgen.frontend.spelling import written
from gradgen.frontend.default_texts import (
    default_text,
    is_handed,
    structure_of_default,
)
from gradgen.frontend.writer import Refusal
from gradgen.frontend.statics import is_known
from gradgen.frontend.outer_values import CONTAINERS
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Param, Ref, Var
from gradgen.ir.structure import Structure, path_text
from gradgen.quoting import as_name, is_name
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR, Shape, whole
from gradgen.frontend.described import facts_described
from gradgen.frontend.documented import shapes_documented
from gradgen.shapes.spec import RANK_0, read_annotation, read_shape, read_sort
from gradgen.shapes.statics import is_static, read_static, shown

# the kinds of numbers that have no gradient, by the facts of leaves
SORTS = {":int": Kind.INTEGER, ":bool": Kind.BOOLEAN}


class Parameters(Receiver):
    """Gives the parameters their variables."""

    texts: dict[str, str]

    def parameters(self) -> Iterator[Param]:
        """A Param for each parameter; for a container, one for each leaf."""
        self.arguments: list[Var] = []
        self.bundles: dict[str, Structure] = {}
        self.leaf_names: dict[Var, str] = {}
        args = self.source.node.args
        documented = self._documented()
        objects = self._default_objects() | dict(self.source.objects)
        self.guards: list[tuple[Expr, str]] = []
        self.likely: set[Var] = set()
        if args.vararg is not None:
            self.state.names[0, args.vararg.id] = Apply("tuple", ())
            self.decided(f"no *{args.vararg.id} are given")
        if args.kwarg is not None:
            self.state.names[0, args.kwarg.id] = self.new_dict({})
            self.decided(f"no **{args.kwarg.id} are given")
        for keyword_only, group in ((False, args.args), (True, args.kwonlyargs)):
            for arg in group:
                held = self.source.receiver
                if held is not None and arg is args.args[0]:
                    yield from self.receiver_parameters(arg, held)
                    continue
                if arg.id in objects:
                    one = objects[arg.id], self._default(arg), keyword_only
                    yield from self.receiver_parameters(arg, *one)
                    continue
                if arg.id in self.static:
                    self.state.names[0, arg.id] = self.static[arg.id]
                    continue
                if self._is_fixed(arg.id):
                    yield self._fixed(arg, keyword_only)
                    continue
                annotation = self._annotation(arg.annotation)
                hint = hint_of(annotation, self.source.globals)
                default = self._default(arg)
                text = self.texts.get(arg.id)
                if text is None and read_annotation(annotation) is None:
                    sort = documented.get(arg.id)
                    text = sort if sort in SORTS else None
                if text is not None and is_static(text):
                    yield self._of_value(arg, text, default, keyword_only)
                    continue
                if text in SORTS:
                    var = self.supply.var(arg.id, Origin.PARAM)
                    self.state.names[0, arg.id] = Ref(var)
                    self.arguments.append(var)
                    self.assume(var, SCALAR, SORTS[text])
                    self.memory.numbers.add(var)
                    if arg.id not in self.texts:
                        self.likely.add(var)
                    yield Param(
                        var, default, annotation, keyword_only, fact=text, hint=hint
                    )
                    continue
                try:
                    bundle = bundle_of(self.source, arg.id, annotation, text)
                    if bundle is None and text is None:
                        bundle = self._structure_of_default(arg.id)
                    _refuse_own_reading(bundle)
                except GradgenError as error:
                    self.problems.append(error.at(self.source.place(arg)))
                    bundle = None
                if bundle is None:
                    var = self.supply.var(arg.id, Origin.PARAM)
                    self.state.names[0, arg.id] = Ref(var)
                    self.arguments.append(var)
                    told = self.texts.get(arg.id, read_annotation(annotation))
                    fact = documented.get(arg.id) if told is None else None
                    if fact is not None and not self._is_looked_at(arg.id):
                        self.likely.add(var)
                    if read_sort(told) is not None or told == RANK_0:
                        fact = told
                    shape = self._shape(arg.id, annotation)
                    shape = shape if fact is None else read_shape(fact)
                    self._told_of(var, shape, read_sort(fact), fact == RANK_0)
                    self._needs_argument(arg, var, default)
                    yield Param(
                        var, default, annotation, keyword_only, fact=fact, hint=hint
                    )
                    continue
                self.bundles[arg.id] = bundle
                if not list(bundle.leaves()):  # an empty one is an argument as well
                    var = self.supply.var(arg.id, Origin.PARAM)
                    self.assume(var, SCALAR, Kind.OTHER)
                    yield Param(var, default, None, keyword_only, arg.id, (), NO_NUMBER)
                leaves = []
                for path, leaf in bundle.leaves():
                    var = self.supply.var(_leaf_name(arg.id, path), Origin.PARAM)
                    leaves.append(Ref(var))
                    self.leaf_names[var] = var.name
                    label = path_text(arg.id, path)
                    if leaf.fact in SORTS:
                        self.assume(var, SCALAR, SORTS[leaf.fact])
                        self.memory.numbers.add(var)
                    elif leaf.fact == RANK_0:
                        self._told_of(var, SCALAR, is_array=True)
                    elif leaf.fact is None or leaf.fact.startswith(":"):
                        self._told_of(var, whole(label))
                    else:
                        self._told_of(var, read_shape(leaf.fact), read_sort(leaf.fact))
                    yield Param(
                        var, default, None, keyword_only, arg.id, path, leaf.fact, hint
                    )
                self.state.names[0, arg.id] = _handle(bundle, iter(leaves))

    def _is_looked_at(self, name: str) -> bool:
        """Whether the text asks an argument for its type, as for its rank."""
        return self.source.guess > 0 and name in self.source.guessed

    def _of_value(
        self, arg: gast.Name, text: str, default: str | None, keyword_only: bool
    ) -> Param:
        """A parameter that the text is made for one value of."""
        var = self.supply.var(arg.id, Origin.PARAM)
        value = self.held(read_static(text), arg, arg.id)
        assert value is not None
        self.state.names[0, arg.id] = value
        self.assume(var, SCALAR, Kind.OTHER)
        return Param(var, default, None, keyword_only, fact=text)

    def _is_fixed(self, name: str) -> bool:
        """Whether a parameter is what its default is: a function, a table of them."""
        if name not in self.source.defaults or name in self.texts:
            return False
        value = self.source.defaults[name]
        if name in self.source.fixed or isinstance(value, enum.Enum):
            return True
        if is_plain(value) or type(value) is tuple and shown(value) is not None:
            return False
        return is_known(value)

    def _fixed(self, arg: gast.Name, keyword_only: bool) -> Param:
        """A parameter that has the value of its default, which the text tests."""
        value = self.source.defaults[arg.id]
        var = self.supply.var(arg.id, Origin.PARAM)
        self.assume(var, SCALAR, Kind.OTHER)
        self.memory.numbers.add(var)
        if isinstance(value, enum.Enum):
            handle: Expr = Const(value)
            shown = "None"
        elif is_plain(value):
            handle = Const(value)
            shown = written(value)
        elif isinstance(value, CONTAINERS):
            found = self.held(value, arg, arg.id)
            assert found is not None  # a container is taken apart or refused
            handle, shown = found, "None"
        else:
            shown = name_of(value)
            handle = Const(value, None if shown == "None" else shown)
        self.state.names[0, arg.id] = handle
        given = Const(None) if shown == "None" else handle
        word = "is_not" if not is_plain(value) or value is None else "numpy.not_equal"
        test = Apply(word, (Ref(var), given), (), "operator")
        told = shown
        if shown == "None" and value is not None:
            told = getattr(value, "__name__", "") or f"as in {self.source.node.name}"
        self.guards.append(
            (test, f"values of {arg.id} other than {told} have no gradient here")
        )
        self.decided(f"{arg.id} is {told}")
        return Param(var, shown, None, keyword_only)

    def _default_objects(self) -> dict[str, Held]:
        """What the objects hold that are defaults; at hand each call tells it."""
        found = {}
        for name, value in self.source.defaults.items():
            kind = type(value)
            is_own = is_users_class(kind) or kind is types.SimpleNamespace
            known = tuple, enum.Enum  # a member is what it is, and no object at hand
            is_known = dataclasses.is_dataclass(value) or isinstance(value, known)
            if is_own and not is_known and is_handed(value):
                if name not in self.texts and not self.source.at_hand:
                    found[name] = Holding(self.source.function).of(value)
        return found

    def _structure_of_default(self, name: str) -> Structure | None:
        """The structure of an argument whose default is a container of arrays."""
        value = self.source.defaults.get(name)
        return structure_of_default(value) if is_handed(value) else None

    def _documented(self) -> dict[str, str]:
        """What the docstring tells of the parameters, and their defaults.

        A parameter whose default is a Python float is a number.
        """
        node = self.source.node
        known = dict(self.source.assumed) | shapes_documented(node)
        if len(known) > len(self.source.assumed) or not self.source.described:
            return known
        return known | facts_described(node, self.source.defaults)

    def _annotation(self, node: gast.AST | None) -> str | None:
        return None if node is None else self.source.one_line(node)

    def hint_of_result(self) -> str | None:
        """The annotation of the result, as the emitted text may carry it."""
        returns = self._annotation(self.source.node.returns)
        return hint_of(returns, self.source.globals)

    def _told_of(
        self, var: Var, shape: Shape, sort: Kind | None = None, is_array: bool = False
    ) -> None:
        plain = Kind.WEAK if shape == SCALAR and not is_array else Kind.LIKE
        self.assume(var, shape, plain if sort is None else sort)
        if is_array:
            self.memory.arrays.add(var)
        elif shape == SCALAR:
            self.memory.numbers.add(var)

    def final_parameters(self, params: tuple[Param, ...]) -> tuple[Param, ...]:
        """The parameters under their final names: leaves as the user unpacks them."""
        taken = {param.bundle or param.var.name for param in params}
        taken |= self.root.locals | set(self.context)
        plain = [p.var for p in params if p.bundle and p.var.id not in self.renamed]
        keys = Counter(var.name for var in plain)
        final = []
        for param in params:
            var = self.renamed.get(param.var.id, param.var)
            if var in plain and param.var.id not in self.renamed:
                if var.name in taken or keys[var.name] > 1:
                    path = "_".join(str(key) for _, key in param.path)
                    name = as_name(f"{param.bundle}_{path}")
                    var = self.wish(var, name, Origin.PARAM).var
                taken.add(var.name)
            final.append(replace(param, var=var))
        return tuple(final)

    def name_leaf(self, value: Expr, name: str) -> None:
        """Takes the first name that the user gives a leaf for its name."""
        if isinstance(value, Ref) and value.var in self.leaf_names:
            if value.var.id not in self.renamed:
                self.wish(value.var, name, Origin.PARAM)

    def _shape(self, name: str, annotation: str | None) -> Shape:
        text = self.texts.get(name, read_annotation(annotation))
        try:
            return whole(name) if text is None else read_shape(text)
        except GradgenError:
            return whole(name)  # told when the request is read

    def _default(self, arg: gast.Name) -> str | None:
        if arg.id not in self.source.defaults:
            return None
        value = self.source.defaults[arg.id]
        args = self.source.node.args
        positional = args.args[len(args.args) - len(args.defaults) :]
        written = dict(zip((a.id for a in positional), args.defaults))
        written |= {a.id: d for a, d in zip(args.kwonlyargs, args.kw_defaults) if d}
        node = written[arg.id]
        if isinstance(node, gast.Constant) and type(value) in (int, float, complex):
            if type(node.value) is type(value) and repr(node.value) == repr(value):
                return self.source.segment(node)
        text = default_text(value, node, self.source, self._class_in_text)
        return "None" if text is None else text

    def _class_in_text(self, cls: type) -> str | None:
        """The name of a record's class in the text; None where it has none there."""
        problems = len(self.problems)
        try:
            name = self.imported_class(cls, self.source.node)
        except Refusal:
            name = ""
        is_named = bool(name) and len(self.problems) == problems
        del self.problems[problems:]
        return name if is_named else None

    def _needs_argument(self, arg: gast.Name, var: Var, default: str | None) -> None:
        """Lets the text raise where an argument is left out whose default it lacks.

        before:  def f(x, w=W), W an array of 1,000 entries
        after:   if w is None:
                     raise ValueError("w is left out, and its default is no text")
        """
        if default == "None" and self.source.defaults[arg.id] is not None:
            test = Apply("is", (Ref(var), Const(None)), (), "operator")
            told = f"{arg.id} is left out, and this text does not hold its default"
            self.guards.append((test, told))


def name_of(value: Any) -> str:
    """A function or a class of NumPy's or Python's as a text names it, else None."""
    name = getattr(value, "__name__", "")
    if isinstance(value, types.ModuleType):
        return "np" if name == "numpy" else "None"
    if isinstance(value, type) and value.__module__ in ("builtins", "numpy"):
        return canonical(value, "None")
    return f"np.{name}" if name and looked_up(f"numpy.{name}") is value else "None"


def _leaf_name(bundle: str, path: tuple[Any, ...]) -> str:
    """The name of a leaf that the user gives none: its key, or its place."""
    last = path[-1][1]
    if is_name(last):
        return str(last)
    words = "_".join(str(key) for _, key in path)
    return as_name(f"{bundle}_{words}")


def _refuse_own_reading(structure: Structure | None) -> None:
    """Refuses a record whose class reads its fields in its own way."""
    if structure is None:
        return
    if structure.is_record and read_in_its_way(structure.cls):
        reason = read_in_its_way(structure.cls)
        raise GradgenError("GG246", f"{structure.name} {reason}", advice="a dict")
    for part in structure.parts:
        _refuse_own_reading(part)


def _handle(structure: Structure, leaves: Iterator[Expr]) -> Expr:
    """The container as a known one, of the leaves' handles."""
    if not structure:
        return next(leaves)
    args = tuple(_handle(part, leaves) for part in structure.parts)
    names = tuple((str(i), Const(key)) for i, key in enumerate(structure.keys))
    if structure.is_record:
        assert isinstance(structure.cls, type)
        return Record(structure.sort, args, names, cls=structure.cls)
    return Apply(structure.sort, args, names)
