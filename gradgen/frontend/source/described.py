"""The shapes that a docstring describes: numpydoc's and Google's sections, Sphinx's fields."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping

import gast

from gradgen.frontend.source.places import counts_read
from gradgen.frontend.source.source import Source
from gradgen.frontend.source.tested import numbers_tested

# X : (n, d) ndarray    X, Y : ndarray of shape (n, d)    lam : float, optional
NUMPYDOC = re.compile(r"(\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*:\s*(\S.*)$")
# X (ndarray of shape (n, d)): the data    lam (float, optional): how much
GOOGLE = re.compile(r"(\w+)\s*\(((?:[^()]|\([^()]*\))*)\)\s*:")
SPHINX = re.compile(r":(?:type|param)\s+(?:[\w.]+\s+)?(\w+)\s*:\s*(\S.*)$")
SECTIONS = re.compile(r"(Other )?(Parameters|Args|Arguments|Params):?$")
HEADING = re.compile(r"\w[\w ]*:?$")
# what stands in a description for the shape of an array
AXES = re.compile(
    r"\(\s*((?:[A-Za-z_]\w*|\d+)(?:\s*[-+*]\s*\w+)*(?:\s*,\s*[^(),]+)*,?)\s*\)"
)
AXIS = re.compile(
    r"\d+$|[A-Za-z_]\w*$|(?:\d+\s*\*\s*)?[A-Za-z_]\w*\s*[-+]\s*\d+$|\d+\s*\*\s*[A-Za-z_]\w*$"
)
# array_like(float): what the entries are, and no length
SORT = re.compile(r"(float|int|complex|bool|double|real|number|scalar)\d*$", re.I)
ARRAY = re.compile(r"\b(nd)?array(_like|-like)?\b|\bmatrix\b|\bvector\b", re.I)
MAYBE_ARRAY = re.compile(r"array|matrix|matrices|vector|tensor|sequence|list\b", re.I)
NUMBER = re.compile(r"(python )?(float|scalar|number|real)\b", re.I)
WHOLE = re.compile(r"(int|integer)\b", re.I)
FLAG = re.compile(r"bool(ean)?\b", re.I)
INTEGERS = re.compile(r"\b(u?int\d*|integers?)\b", re.I)
BOOLEANS = re.compile(r"\b(bool|boolean|mask)\b", re.I)
# what makes an array of an argument, or asks what it is
ASKING = {*"asarray asanyarray array atleast_1d atleast_2d atleast_3d".split()}
ASKING |= {
    *"isinstance isscalar ndim shape size len iter broadcast_to full_like".split()
}
# several sorts of values: nothing is told
EITHER = re.compile(r"\bor\b|\||\{")
OPTIONAL = re.compile(
    r"\bor None\b|\bNone or\b|,?\s*\boptional\b|,?\s*default\b.*$", re.I
)


def described(text: str) -> dict[str, str]:
    """The facts that a docstring tells of arguments, by name.

    before:  Parameters
             ----------
             X : ndarray of shape (n_samples, n_features)
             lam : float, optional
             rows : (k,) int array
    after:   {"X": "n_samples n_features", "lam": "", "rows": "k:int"}

    Where it names several sorts of values (float or ndarray), nothing is told.
    """
    found: dict[str, str] = {}
    for name, said in _entries(inspect.cleandoc(text)):
        fact = _fact(said)
        if fact is not None:
            found.setdefault(name, fact)
    return found


def facts_described(
    node: gast.FunctionDef, defaults: Mapping[str, object]
) -> dict[str, str]:
    """What a function's docstring tells, and its defaults: a float is a number.

    So is a whole number, but where the body makes an array of it, or asks what it is;
    and what stands among lengths, range(n), is an integer. What a function takes for a
    number alone is one: if not isinstance(k, (int, float)): raise TypeError.
    """
    asked: set[str] = set()
    counts: set[str] = set()
    if any(type(value) is int for value in defaults.values()):
        counts = counts_read(node, ends=False)
        asked = {
            call.args[0].id
            for call in gast.walk(node)
            if isinstance(call, gast.Call) and _last(call.func) in ASKING
            if call.args and isinstance(call.args[0], gast.Name)
        }
    numbers = dict.fromkeys(sorted(numbers_tested(node)), "")
    for name, value in defaults.items():
        if type(value) is float:
            numbers[name] = ""
        elif type(value) is int and name not in asked:
            numbers[name] = ":int" if name in counts else ""
    return numbers | described(gast.get_docstring(node) or "")


def _last(func: gast.AST) -> str:
    """asarray of np.asarray."""
    return getattr(func, "attr", "") or getattr(func, "id", "")


def documented(source: Source) -> frozenset[str]:
    """The arguments that the docstring of a function tells facts of."""
    return frozenset(described(gast.get_docstring(source.node) or ""))


def arrays_described(source: Source) -> frozenset[str]:
    """The arguments that a docstring or an annotation calls arrays, whatever else."""
    args = source.node.args.args + source.node.args.kwonlyargs
    said = dict(_entries(inspect.cleandoc(gast.get_docstring(source.node) or "")))
    for arg in args:
        if arg.annotation is not None:
            text = source.one_line(arg.annotation)
            alias = _alias(source, text)
            said[arg.id] = f"{said.get(arg.id, '')} {text} {alias}"
    return frozenset(name for name, text in said.items() if MAYBE_ARRAY.search(text))


def either_described(source: Source) -> frozenset[str]:
    """The arguments that a docstring calls numbers or arrays: ndarray or float."""
    said = _entries(inspect.cleandoc(gast.get_docstring(source.node) or ""))
    return frozenset(
        name
        for name, text in said
        if MAYBE_ARRAY.search(text)
        and EITHER.search(text)
        and any(map(NUMBER.match, EITHER.sub("|", text).replace(" ", "").split("|")))
    )


def _alias(source: Source, text: str) -> str:
    """What a name of the module stands for that is an annotation: R6, types.Floats.

    before:  Floats = np.typing.NDArray[np.float64]
    after:   "numpy.ndarray[typing.Any, numpy.dtype[numpy.float64]]"
    """
    first, *rest = text.split(".")
    found = source.globals.get(first)
    for name in rest:
        found = getattr(found, name, None)
    return "" if found is None or isinstance(found, str) else str(found)


def tells(source: Source) -> bool:
    """Whether the docstring or the defaults of a function tell of its arguments."""
    return source.described and bool(facts_described(source.node, source.defaults))


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """The arguments with what is said of their types."""
    inside, indent = False, 0
    lines = text.split("\n")
    for i, line in enumerate(lines):
        stripped = line.strip()
        below = lines[i + 1].strip() if i + 1 < len(lines) else ""
        field = SPHINX.match(stripped)
        if field:
            yield field[1], field[2]
        elif SECTIONS.match(stripped):
            inside, indent = True, -1
        elif set(stripped) == {"-"} or not stripped:
            continue
        elif set(below) == {"-"} and len(below) > 2:
            inside = False  # the next section
        elif inside:
            depth = len(line) - len(line.lstrip())
            indent = depth if indent < 0 else indent
            google = GOOGLE.match(stripped)
            numpydoc = NUMPYDOC.match(stripped)
            if (
                depth < indent
                or depth == 0
                and HEADING.match(stripped)
                and not numpydoc
            ):
                inside = False
            elif depth == indent and google:
                yield google[1], google[2]
            elif depth == indent and numpydoc:
                for name in numpydoc[1].split(","):
                    yield name.strip().lstrip("*"), numpydoc[2]


def _fact(said: str) -> str | None:
    """The fact in what is said of a type; None where it is none, or several."""
    said = OPTIONAL.sub("", said).strip().rstrip(".")
    shapes = AXES.findall(said)
    rest = AXES.sub("", said)
    if EITHER.search(rest):
        return None
    if len(shapes) == 1 and (ARRAY.search(rest) or "shape" in rest):
        axes = [axis.strip() for axis in shapes[0].split(",") if axis.strip()]
        if not all(map(AXIS.match, axes)) or any(map(SORT.match, axes)):
            return None
        sort = ":int" if INTEGERS.search(rest) else ""
        sort = ":bool" if BOOLEANS.search(rest) else sort
        return " ".join(axis.replace(" ", "") for axis in axes) + sort
    if shapes or ARRAY.search(rest):
        return None
    if NUMBER.match(rest):
        return ""
    return ":int" if WHOLE.match(rest) else ":bool" if FLAG.match(rest) else None
