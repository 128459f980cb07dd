"""What a text is made of for an instance: the text looks whether it is still so.

before:  if self.mode == "mean":            self.mode is "mean" while the text is made
             return np.mean(z)
         return np.sum(z)
after:   if self.mode != "mean":
             raise ValueError("self.mode is taken for 'mean'")
         return np.mean(z)
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import gast
from gradgen.frontend.calls.differing import SINGLE, another_number, differs, field_of
from gradgen.frontend.calls.differing import has_no_name
from gradgen.frontend.heap.contents import contents, pairs_of
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.sharing import is_slice
from gradgen.frontend.source.lookup import said
from gradgen.frontend.source.names import NO_VALUE
from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Branch, Const, Effect, Expr, Note, Param, Ref, Role
from gradgen.ir.operators import getitem
from gradgen.ir.strong import number_of
from gradgen.ir.structure import key_text
from gradgen.ir.walk import static

PLAIN = (str, bytes, int)
# so long a message fits into a line of its own
LONGEST = 74


def setting_of(value: Expr) -> Any:
    """What a text is made of: a constant, a slice of whole numbers; else NO_VALUE."""
    if isinstance(value, Const):
        return number_of(value)
    try:
        return static(value) if is_slice(value) else NO_VALUE
    except ValueError:
        return NO_VALUE


def read_field(
    lowering: Lowering, handle: Expr, value: Expr, node: gast.Attribute
) -> None:
    """Notes what a field of an instance is, unless an entry of it is what is read."""
    place = lowering.places.get(handle.var) if isinstance(handle, Ref) else None
    if place is None or f"{place}.{node.attr}" in lowering.left:
        return
    is_placed = isinstance(value, Ref) and value.var in lowering.places
    if not is_placed or id(node) not in lowering.source.subscripted:
        read_setting(lowering, f"{place}.{node.attr}", value, node)


def read_class(lowering: Lowering, handle: Expr, cls: type) -> None:
    """Notes that the class of an object that an instance holds has told something.

    That of a method's own instance is the text's own, whatever inherits it.
    """
    place = lowering.places.get(handle.var) if isinstance(handle, Ref) else None
    source = lowering.root.source
    is_own = source.receiver is not None and place == source.node.args.args[0].id
    if place is not None and not is_own and not source.at_hand:
        lowering.looked_at[f"type({place}).__name__"] = cls.__name__


def read_presence(lowering: Lowering, handle: Expr, name: str, has: bool) -> None:
    """Notes that a text is made for an object that has an attribute, or has it not."""
    place = lowering.places.get(handle.var) if isinstance(handle, Ref) else None
    if place is not None and not lowering.root.source.at_hand:
        if f"{place}.{name}" not in lowering.left:
            lowering.looked_at[f"hasattr({place}, {name!r})"] = has


def read_entry(
    lowering: Lowering, base: Expr, key: Any, value: Expr, node: gast.AST | None
) -> None:
    """Notes what an entry of a container of an instance is, as `read_field` does."""
    place = lowering.places.get(base.var) if isinstance(base, Ref) else None
    key = key.value if isinstance(key, Const) else key
    if place is None or place in lowering.left or not isinstance(key, (str, int)):
        return
    is_placed = isinstance(value, Ref) and value.var in lowering.places
    if not is_placed or id(node) not in lowering.source.subscripted:
        read_setting(lowering, f"{place}[{key_text(key)}]", value, node)


def read_setting(
    lowering: Lowering, place: str, value: Expr, node: gast.AST | None = None
) -> None:
    """Notes that a field has been read of which the text is made.

    Raises GradgenError: of a function that the text could not tell from another one.
    """
    known_as = setting_of(value)
    source = lowering.root.source
    if known_as is not NO_VALUE and (type(known_as) is not int or source.as_set):
        lowering.settings.setdefault(f"{place} is {_said(known_as)}")
    if not source.at_hand:
        found = dict(_inside(lowering, place, value))
        for where, one in found.items():
            if node is not None and has_no_name(one):
                told = (
                    f"a text cannot tell {where}, {said(one)}, from others of that name"
                )
                lowering.fail("GG208", told, node, "a function that def names")
        lowering.looked_at.update(found)


def _inside(lowering: Lowering, place: str, value: Expr) -> Iterator[tuple[str, Any]]:
    """The settings in a value, by where they are read, and how long containers are."""
    known_as = setting_of(value)
    if known_as is not NO_VALUE:
        yield place, known_as
        return
    known = contents(lowering, value)
    if known is None or isinstance(known, Record) or known.op == "slice":
        return
    if known.op != "dict" and known.args and all(map(_is_written, known.args)):
        values = [one.value for one in known.args if isinstance(one, Const)]
        yield place, values if known.op == "list" else tuple(values)
        return
    found: Iterable[tuple[Any, Expr]] = enumerate(known.args)
    if known.op == "dict":
        pairs = pairs_of(lowering, known)
        found = [(key.value, one) for key, one in pairs if isinstance(key, Const)]
    yield f"len({place})", len(known.args)
    for key, one in found:
        if isinstance(key, (str, int)):
            yield from _inside(lowering, f"{place}[{key_text(key)}]", one)


def _is_written(value: Expr) -> bool:
    """Whether a text can hold what a value is held against: "a", 2, None."""
    return isinstance(value, Const) and type(value.value) in (*SINGLE, *PLAIN)


@dataclass(frozen=True)
class Tied:
    """An array that an instance holds in another place as well, where it is read.

    before:  Net of self.params["W"] and self.layer.W, one array
    after:   if self.layer.W is not self.params["W"]: raise ValueError(...)
    """

    place: str


def looks(lowering: Lowering, params: Iterable[Param]) -> tuple[Branch, ...]:
    """One statement that raises where a setting is another than it was."""
    params = [param for param in params if not param.path]
    roots = {param.bundle: Ref(param.var) for param in params}
    # what may be left out is as the text was made for it then
    optional = {param.bundle for param in params if param.default == "None"}
    tests, told = [], []
    known = _grouped(lowering)
    for place, value in known.items():
        own = _read(place, roots)
        if isinstance(value, Tied):
            both = own, _read(value.place, roots)
            test: Expr | None = Apply("is_not", both, (), "operator")
        else:
            test = differs(own, value)
        if test is None:
            continue
        if type(value) is int and lowering.kinds_of_numbers:
            test = another_number(_read(place, roots), int, test)
        for root in optional:
            if _is_in(root, place):
                given = Apply("is_not", (roots[root], Const(None)), (), "operator")
                test = Apply("and", (given, test), (), "operator")
        tests.append(test)
        told.append((place, _said(value)))
    if not tests:
        return ()
    test = tests[0] if len(tests) == 1 else Apply("or", tuple(tests), (), "operator")
    (first, known_as), *others = told
    message = f"{first} is taken for {known_as}"
    message += "".join(f", {place} for {known_as}" for place, known_as in others)
    if len(message) > LONGEST:
        named = [
            root for root in roots if any(_is_in(root, place) for place, _ in told)
        ]
        message = f"{' or '.join(named)} has other settings than this text is made for"
    note = Note(Role.FORWARD)
    args = Const(ValueError, "ValueError"), Const(message)
    return (Branch(test, (Effect(Apply("raise", args), note),), (), (), note),)


def _is_in(root: str, place: str) -> bool:
    """Whether a place is read from a root: self in self.layers[0].mode"""
    names = (node for node in ast.walk(ast.parse(place)) if isinstance(node, ast.Name))
    return any(node.id == root for node in names)


def _grouped(lowering: Lowering) -> dict[str, Any]:
    """What is looked at: a container in the place of its entries where it is."""
    found = {}
    for place, value in lowering.looked_at.items():
        inner = place.removeprefix("len(").removesuffix(")")
        is_any = type(value) is int and place in lowering.root.source.open_counts
        whole = place.rpartition("[")[0]
        if not is_any and inner not in lowering.emptied:
            if type(lowering.looked_at.get(whole)) not in (list, tuple):
                found[place] = value
    return found


def _said(value: Any) -> str:
    """A setting in words, a container of some as well."""
    if isinstance(value, Tied):
        return value.place
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    return repr(value) if isinstance(value, (tuple, list, float)) else said(value)


def _read(place: str, roots: Mapping[str, Ref]) -> Expr:
    """The expression that reads a place: self.layers[0].mode"""

    def made(node: ast.AST) -> Expr:
        if isinstance(node, ast.Attribute):
            return field_of(made(node.value), node.attr)
        if isinstance(node, ast.Subscript):
            return getitem(made(node.value), ast.literal_eval(node.slice))
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            more = (Const(ast.literal_eval(one)) for one in node.args[1:])
            return Apply(name, (made(node.args[0]), *more), (), f"name:{name}")
        if isinstance(node, ast.Compare):
            key = Const(ast.literal_eval(node.left))
            return Apply("in", (key, made(node.comparators[0])), (), "operator")
        assert isinstance(node, ast.Name)
        return roots[node.id]

    return made(ast.parse(place, mode="eval").body)
