"""The parameters of the function: arrays and numbers, and containers of them."""

from __future__ import annotations

import ast
import dataclasses
import enum
import functools
import types
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gast

from gradgen.errors import GradgenError
from gradgen.frontend.calls.default_texts import default_text, is_handed
from gradgen.frontend.calls.default_texts import FACTS, structure_of_default
from gradgen.frontend.calls.fixed import fixed, is_fixed, of_value
from gradgen.frontend.calls.receiver import NO_NUMBER, receiver_parameters
from gradgen.ir.records import read_in_its_way
from gradgen.frontend.calls.results import imported_class
from gradgen.frontend.heap.containers import new_dict
from gradgen.frontend.lowering.frames import Refusal
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.source.bundles import bundle_of
from gradgen.frontend.source.complex_values import has_complex, is_complex_by_default
from gradgen.frontend.source.described import facts_described
from gradgen.frontend.source.documented import shapes_documented
from gradgen.frontend.source.hints import hint_of
from gradgen.frontend.source.filled_by_keys import is_filled_by_keys
from gradgen.frontend.source.holding import Held, Holding
from gradgen.frontend.source.lacking import read_in_arms
from gradgen.frontend.source.names import is_no_option
from gradgen.frontend.source.reach import is_users_class
from gradgen.frontend.source.rows import depth_of
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Param, Ref, Var
from gradgen.ir.structure import Structure, path_text
from gradgen.quoting import as_name, is_name
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR, Shape, whole
from gradgen.shapes.spec import RANK_0, read_annotation, read_shape, read_sort
from gradgen.shapes.statics import is_static

# the kinds of numbers that have no gradient, by the facts of leaves
SORTS = {":int": Kind.COUNT, ":bool": Kind.BOOLEAN, ":integer": Kind.INTEGER}


def own_parameters(lowering: Lowering) -> Iterator[Param]:
    """A Param for each parameter; for a container, one for each leaf."""
    # a call tells of what it leaves out as well
    defaults = {} if lowering.source.at_hand else lowering.source.defaults
    for param in _parameters(lowering):
        by_default = is_complex_by_default(param, defaults)
        yield replace(param, is_complex=param.is_complex or by_default)


def _parameters(lowering: Lowering) -> Iterator[Param]:
    lowering.arguments = []
    lowering.bundles = {}
    lowering.leaf_names, lowering.leaf_paths = {}, {}
    args = lowering.source.node.args
    documented = _documented(lowering)
    objects = _default_objects(lowering) | dict(lowering.source.objects)
    lowering.guards = []
    lowering.likely, lowering.given = set(), set()
    if args.vararg is not None:
        lowering.state.names[0, args.vararg.id] = Apply("tuple", ())
        lowering.decided(f"no *{args.vararg.id} are given")
    if args.kwarg is not None:
        lowering.state.names[0, args.kwarg.id] = new_dict(lowering, {})
        lowering.decided(f"no **{args.kwarg.id} are given")
    for keyword_only, group in ((False, args.args), (True, args.kwonlyargs)):
        for arg in group:
            held = lowering.source.receiver
            if held is not None and arg is args.args[0]:
                yield from receiver_parameters(lowering, arg, held)
                continue
            if arg.id in objects:
                one = objects[arg.id], _default(lowering, arg), keyword_only
                yield from receiver_parameters(lowering, arg, *one)
                continue
            if arg.id in lowering.static:
                lowering.state.names[0, arg.id] = lowering.static[arg.id]
                continue
            if is_fixed(lowering, arg.id):
                yield fixed(lowering, arg, keyword_only)
                continue
            if arg.id in lowering.of and is_filled_by_keys(
                lowering.source.node, arg.id
            ):
                lowering.state.names[0, arg.id] = new_dict(lowering, {})
                var = lowering.supply.var(arg.id, Origin.PARAM)
                lowering.assume(var, SCALAR, Kind.OTHER)
                default = _default(lowering, arg)
                lowering.bundles[arg.id] = Structure("dict")
                yield Param(var, default, None, keyword_only, arg.id, (), NO_NUMBER)
                continue
            annotation = _annotation(lowering, arg.annotation)
            hint = hint_of(annotation, lowering.source.globals)
            default = _default(lowering, arg)
            text = lowering.texts.get(arg.id)
            if text is None and read_annotation(annotation) is None:
                sort = documented.get(arg.id)
                text = sort if sort in SORTS else None
            if text is not None and is_static(text):
                yield of_value(lowering, arg, text, default, keyword_only)
                continue
            if text in SORTS:
                var = lowering.supply.var(arg.id, Origin.PARAM)
                lowering.state.names[0, arg.id] = Ref(var)
                lowering.arguments.append(var)
                lowering.assume(var, SCALAR, SORTS[text])
                lowering.memory.numbers.add(var)
                own = lowering.given if arg.id in lowering.texts else lowering.likely
                own.add(var)
                yield Param(
                    var, default, annotation, keyword_only, fact=text, hint=hint
                )
                continue
            try:
                bundle = bundle_of(lowering.source, arg.id, annotation, text)
                if bundle is None and text is None:
                    bundle = _structure_of_default(lowering, arg.id)
                _refuse_own_reading(bundle)
            except GradgenError as error:
                lowering.problems.append(error.at(lowering.source.place(arg)))
                bundle = None
            if bundle is None:
                var = lowering.supply.var(arg.id, Origin.PARAM)
                lowering.state.names[0, arg.id] = Ref(var)
                lowering.arguments.append(var)
                told = lowering.texts.get(arg.id, read_annotation(annotation))
                fact = documented.get(arg.id) if told is None else None
                if fact is not None and not _is_looked_at(lowering, arg.id):
                    lowering.likely.add(var)
                if told is not None:
                    lowering.given.add(var)
                if read_sort(told) is not None or told == RANK_0:
                    fact = told
                shape = _shape(lowering, arg.id, annotation)
                shape = shape if fact is None else read_shape(fact, arg.id)
                _told_of(lowering, var, shape, read_sort(fact), fact == RANK_0)
                _needs_argument(lowering, arg, var, default)
                untold = told is None and fact is None
                listed = depth_of(lowering.source, arg.id, annotation, untold)
                lowering.sequences.update((var,) if listed else ())
                made = Param(var, default, annotation, keyword_only, fact=fact)
                yield replace(made, hint=hint, listed=listed)
                continue
            lowering.bundles[arg.id] = bundle
            lacking = dict(lowering.source.optional)
            may_lack = any(path[0] == arg.id for path in lacking)
            # an empty one is an argument as well, and so is options={}
            if not list(bundle.leaves()) or default is not None and may_lack:
                var = lowering.supply.var(arg.id, Origin.PARAM)
                lowering.assume(var, SCALAR, Kind.OTHER)
                yield Param(var, default, None, keyword_only, arg.id, (), NO_NUMBER)
            seldom = frozenset[str]()
            if arg.id in lowering.source.keyed:
                seldom = read_in_arms(lowering.source.node, arg.id)
            leaves = []
            for path, leaf in bundle.leaves():
                var = lowering.supply.var(_leaf_name(arg.id, path), Origin.PARAM)
                leaves.append(Ref(var))
                lowering.leaf_names[var] = var.name
                lowering.leaf_paths[var] = (arg.id, *(key for _, key in path))
                if leaf.fact is not None and leaf.fact != NO_NUMBER:
                    lowering.given.add(var)
                label = path_text(arg.id, path)
                missing = lacking.get(lowering.leaf_paths[var])
                if missing is not None:
                    made = _optional(lowering, var, arg.id, path, missing or "None")
                    yield replace(made, keyword_only=keyword_only)
                    continue
                if leaf.fact in SORTS:
                    lowering.assume(var, SCALAR, SORTS[leaf.fact])
                    lowering.memory.numbers.add(var)
                elif leaf.fact == RANK_0:
                    _told_of(lowering, var, SCALAR, is_array=True)
                elif leaf.fact is None or leaf.fact.startswith(":"):
                    _told_of(lowering, var, whole(label))
                else:
                    told_shape = read_shape(leaf.fact, label)
                    _told_of(lowering, var, told_shape, read_sort(leaf.fact))
                made = Param(
                    var, default, None, keyword_only, arg.id, path, leaf.fact, hint
                )
                in_arms = [key for _, key in path] in [[one] for one in seldom]
                yield replace(made, in_arms=in_arms)
            handle = lowering.state.names[0, arg.id] = _handle(bundle, iter(leaves))
            is_told = default is None and not may_lack and arg.id in lowering.texts
            if is_told and not _has_lists(bundle):
                lowering.containers[arg.id] = handle


def _optional(
    lowering: Lowering, var: Var, name: str, path: tuple[Any, ...], missing: str
) -> Param:
    """A key that a dictionary may lack, as a parameter that has a default."""
    label = path_text(name, path)
    value = ast.literal_eval(missing)
    fact = FACTS.get(type(value))
    if fact == "" and not _is_looked_at(lowering, label):
        lowering.likely.add(var)
    if fact in SORTS:
        lowering.assume(var, SCALAR, SORTS[fact])
        lowering.memory.numbers.add(var)
    else:
        _told_of(lowering, var, SCALAR if fact == "" else whole(label))
    made = Param(var, missing, None, False, name, path, fact, optional=True)
    return replace(made, is_complex=has_complex(value))


def _is_looked_at(lowering: Lowering, name: str) -> bool:
    """Whether the text asks an argument for its type, as for its rank."""
    return lowering.source.guess > 0 and name in lowering.source.guessed


def _default_objects(lowering: Lowering) -> dict[str, Held]:
    """What the objects hold that are defaults; at hand each call tells it."""
    found, receiver = {}, lowering.source.receiver
    beside = (() if receiver is None else (receiver.cls,)), ()
    for name, value in lowering.source.defaults.items():
        kind = type(value)
        is_own = is_users_class(kind) or kind is types.SimpleNamespace
        known = tuple, enum.Enum  # a member is what it is, and no object at hand
        is_known = dataclasses.is_dataclass(value) or isinstance(value, known)
        if is_own and not is_known and is_handed(value):
            if name not in lowering.texts and not lowering.source.at_hand:
                found[name] = Holding(lowering.source.function).of(value, beside)
    return found


def _structure_of_default(lowering: Lowering, name: str) -> Structure | None:
    """The structure of an argument whose default is a container of arrays."""
    value = lowering.source.defaults.get(name)
    if is_no_option(value):
        return None
    return structure_of_default(value) if is_handed(value) else None


def _documented(lowering: Lowering) -> dict[str, str]:
    """What the docstring tells of the parameters, and their defaults.

    A parameter whose default is a Python float is a number.
    """
    node = lowering.source.node
    known = dict(lowering.source.assumed) | shapes_documented(node)
    if len(known) > len(lowering.source.assumed) or not lowering.source.described:
        return known
    told = facts_described(node, lowering.source.defaults)
    return known | {n: f for n, f in told.items() if n not in lowering.source.opened}


def _annotation(lowering: Lowering, node: gast.AST | None) -> str | None:
    return None if node is None else lowering.source.one_line(node)


def hint_of_result(lowering: Lowering) -> str | None:
    """The annotation of the result, as the emitted text may carry it."""
    returns = _annotation(lowering, lowering.source.node.returns)
    return hint_of(returns, lowering.source.globals)


def _told_of(
    lowering: Lowering,
    var: Var,
    shape: Shape,
    sort: Kind | None = None,
    is_array: bool = False,
) -> None:
    plain = Kind.WEAK if shape == SCALAR and not is_array else Kind.LIKE
    lowering.assume(var, shape, plain if sort is None else sort)
    if is_array:
        lowering.memory.arrays.add(var)
    elif shape == SCALAR:
        lowering.memory.numbers.add(var)


def final_parameters(
    lowering: Lowering, params: tuple[Param, ...]
) -> tuple[Param, ...]:
    """The parameters under their final names: leaves as the user unpacks them."""
    taken = {param.bundle or param.var.name for param in params}
    taken |= lowering.root.locals | set(lowering.context)
    plain = [p.var for p in params if p.bundle and p.var.id not in lowering.renamed]
    keys = Counter(var.name for var in plain)
    final = []
    for param in params:
        var = lowering.renamed.get(param.var.id, param.var)
        if var in plain and param.var.id not in lowering.renamed:
            if var.name in taken or keys[var.name] > 1:
                path = "_".join(str(key) for _, key in param.path)
                name = as_name(f"{param.bundle}_{path}")
                var = lowering.wish(var, name, Origin.PARAM).var
            taken.add(var.name)
        final.append(replace(param, var=var))
    return tuple(final)


def _shape(lowering: Lowering, name: str, annotation: str | None) -> Shape:
    text = lowering.texts.get(name, read_annotation(annotation))
    try:
        return whole(name) if text is None else read_shape(text, name)
    except GradgenError:
        return whole(name)  # told when the request is read


def _default(lowering: Lowering, arg: gast.Name) -> str | None:
    if arg.id not in lowering.source.defaults:
        return None
    value = lowering.source.defaults[arg.id]
    args = lowering.source.node.args
    positional = args.args[len(args.args) - len(args.defaults) :]
    written = dict(zip((a.id for a in positional), args.defaults))
    written |= {a.id: d for a, d in zip(args.kwonlyargs, args.kw_defaults) if d}
    node = written[arg.id]
    is_number = type(value) in (int, float, complex) and value - value == 0
    if isinstance(node, gast.Constant) and is_number:  # 1e400 has no literal
        if type(node.value) is type(value) and repr(node.value) == repr(value):
            return lowering.source.segment(node)
    text = default_text(
        value, node, lowering.source, functools.partial(_class_in_text, lowering)
    )
    return "None" if text is None else text


def _class_in_text(lowering: Lowering, cls: type) -> str | None:
    """The name of a record's class in the text; None where it has none there."""
    problems = len(lowering.problems)
    try:
        name = imported_class(lowering, cls, lowering.source.node)
    except Refusal:
        name = ""
    is_named = bool(name) and len(lowering.problems) == problems
    del lowering.problems[problems:]
    return name if is_named else None


def _needs_argument(
    lowering: Lowering, arg: gast.Name, var: Var, default: str | None
) -> None:
    """Lets the text raise where an argument is left out whose default it lacks.

    before:  def f(x, w=W), W an array of 1,000 entries
    after:   if w is None:
                 raise ValueError("w is left out, and its default is no text")
    """
    if default == "None" and lowering.source.defaults[arg.id] is not None:
        test = Apply("is", (Ref(var), Const(None)), (), "operator")
        told = f"{arg.id} is left out, and this text does not hold its default"
        lowering.guards.append((test, told))


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


def _has_lists(structure: Structure) -> bool:
    """Whether there is something in a container that may grow."""
    return structure.sort == "list" or any(map(_has_lists, structure.parts))


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
