"""Containers as arguments: their structure from annotations and facts."""

from __future__ import annotations

import ast
import dataclasses
from dataclasses import replace

from gradgen.errors import GradgenError
from gradgen.frontend.source.source import Source
from gradgen.ir.structure import LEAF, Structure
from gradgen.shapes.spec import read_annotation
from gradgen.shapes.tree import is_tree, read_tree

SORTS = ("int", "bool", "str")
# dictionaries as they are annotated, of which no keys are said
DICTIONARIES = ("dict", "Dict", "Mapping", "MutableMapping", "OrderedDict")


def bundle_of(
    source: Source, name: str, annotation: str | None, text: str | None
) -> Structure | None:
    """The structure of an argument that is a container, else None.

    A fact comes before the annotation, which knows the classes of records and what
    the fact leaves open; an array at hand is one, whatever is annotated. Raises
    GradgenError.
    """
    told = _annotated(annotation, source)
    if text is None:
        told = _as_by_default(told, source.defaults.get(name))
        return told if told else None
    if not is_tree(text):
        if told and not source.at_hand:
            raise GradgenError(
                "GG405",
                f"{name} is annotated as a container, and --shape says {text!r}",
                advice=f'--shape {name}=\'("...", "...")\'',
            )
        return None
    return _of_values(_joined(name, read_tree(text), told, source), annotation, source)


def tells_no_parts(annotation: str) -> bool:
    """Whether an annotation says no more than that an argument may be a dictionary."""
    head = annotation.strip("\"'").partition("[")[0].rpartition(".")[2]
    return head in (*DICTIONARIES, "Any", "object")


def _of_values(given: Structure, annotation: str | None, source: Source) -> Structure:
    """A dictionary with what is said of all its values: numbers in dict[str, float]."""
    node = _parsed(annotation)
    if given.sort != "dict" or not isinstance(node, ast.Subscript):
        return given
    pair = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
    if len(pair) != 2 or not tells_no_parts(ast.unparse(node)):
        return given
    number = ast.unparse(pair[1]) == float.__name__
    value = Structure(fact="") if number else _of_node(pair[1], source) or LEAF
    parts = (value if part == LEAF else part for part in given.parts)
    return replace(given, parts=tuple(parts))


def _as_by_default(told: Structure | None, default: object) -> Structure | None:
    """The structure that an annotation tells; a default of another length knows better.

    before:  pad: tuple[int] = (0, 0)       by the annotation a tuple of one
    after:   pad is a tuple of two integers
    """
    if told is None or told.sort != "tuple" or type(default) is not tuple:
        return told
    if len(default) == len(told.parts):
        return told
    alike = len(told.parts) == 1
    return replace(told, parts=told.parts * len(default)) if alike else None


def _joined(
    name: str, given: Structure, told: Structure | None, source: Source
) -> Structure:
    """A fact with what the annotation says besides."""
    if not given:
        if given.fact is None and told is not None:
            return told
        return given
    if given.sort == "record":
        found = _record(source.globals.get(given.name), source)
        if found is None or set(given.keys) - set(found.keys):
            raise GradgenError(
                "GG407",
                f"{given.name} in the fact of {name} is no NamedTuple or dataclass "
                "with these fields",
                advice="the class's name in the function's module, and its fields",
            )
        return _merged(name, found, given, source)
    if told and told.is_record and given.sort == "dict":
        # params.W=n m: the annotation knows the class
        if not set(given.keys) - set(told.keys):
            return _merged(name, told, given, source)
    if told and not (told.sort == "list" and not told.parts):
        same = told.sort == given.sort and len(told.parts) == len(given.parts)
        if not same or told.keys and set(told.keys) != set(given.keys):
            raise GradgenError(
                "GG405",
                f"the fact of {name} has another structure than its annotation",
                advice="one of the two",
            )
    inner = dict(told.steps()) if told and told.parts else {}
    parts = tuple(
        _joined(name, part, inner.get(key), source) for key, part in given.steps()
    )
    return replace(given, parts=parts)


def _merged(
    name: str, record: Structure, given: Structure, source: Source
) -> Structure:
    told = dict(given.steps())
    parts = tuple(
        _joined(name, told[key], part, source) if key in told else part
        for key, part in record.steps()
    )
    return replace(record, parts=parts)


def _annotated(annotation: str | None, source: Source) -> Structure | None:
    """The structure that an annotation tells; a leaf's has its fact."""
    node = _parsed(annotation)
    return None if node is None else _of_node(node, source)


def _parsed(annotation: str | None) -> ast.expr | None:
    try:
        return ast.parse((annotation or "").strip("\"'"), mode="eval").body
    except (SyntaxError, ValueError):
        return None


def _known(found: Structure | None) -> Structure:
    return LEAF if found is None else found


def _of_node(node: ast.expr, source: Source) -> Structure | None:
    text = ast.unparse(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _annotated(node.value, source)
    if isinstance(node, ast.Subscript):
        head = ast.unparse(node.value).rpartition(".")[2]
        if head in ("tuple", "Tuple"):
            items = (
                node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            )
            if any(isinstance(i, ast.Constant) and i.value is ... for i in items):
                return None
            parts = tuple(_known(_of_node(item, source)) for item in items)
            return Structure("tuple", parts)
    if text in SORTS:
        return Structure(fact=":" + text)
    fact = read_annotation(text.replace("'", '"'))
    if fact is not None:
        return Structure(fact=" ".join(fact.split()))
    return _record(_meant(node, source), source)


def _meant(node: ast.expr, source: Source) -> object:
    """What a dotted name stands for, else None. An annotation is not run."""
    if isinstance(node, ast.Attribute):
        return getattr(_meant(node.value, source), node.attr, None)
    return source.globals.get(node.id) if isinstance(node, ast.Name) else None


def _record(cls: object, source: Source) -> Structure | None:
    """The structure of a NamedTuple, a dataclass or a TypedDict."""
    if not isinstance(cls, type):
        return None
    hints = getattr(cls, "__annotations__", {})
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        sort, keys = "namedtuple", cls._fields
    elif dataclasses.is_dataclass(cls):
        sort, keys = "dataclass", tuple(f.name for f in dataclasses.fields(cls))
        hints = {f.name: f.type for f in dataclasses.fields(cls)}
    elif hasattr(cls, "__total__"):
        sort, keys = "dict", tuple(hints)
    else:
        return None
    parts = tuple(_known(_of_hint(hints.get(key), source)) for key in keys)
    return Structure(sort, parts, tuple(keys), cls.__name__, cls=cls)


def _of_hint(hint: object, source: Source) -> Structure | None:
    if isinstance(hint, str):
        return _annotated(hint, source)
    if hint in (int, bool, str):
        return Structure(fact=":" + hint.__name__)
    if hint is float:
        return Structure(fact="")
    found = _record(hint, source)
    if found is not None:
        return found
    origin = getattr(hint, "__origin__", None)
    items = getattr(hint, "__args__", (...,))  # typing.Tuple alone has none
    if origin is tuple and ... not in items:
        parts = tuple(_known(_of_hint(item, source)) for item in items)
        return Structure("tuple", parts)
    forward = getattr(hint, "__forward_arg__", None)
    return _annotated(forward, source) if forward else None
