"""Shape facts as text: "n d", "3 #n", "*s", "", "n:int" -> Shape and Kind."""

from __future__ import annotations

import ast
import re

from gradgen.errors import GradgenError
from gradgen.shapes.dims import Dim
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR, Shape, ranked, row, whole, within

_COMPLEX = re.compile(r"\b[cC]omplex(64|128|256|floating)?\b")
_NAME = re.compile(r"[#?]?[^\W\d]\w*$")
# jaxtyping's names for arrays of integers, and for all others
_INTEGERS = ("Int", "UInt", "Integer") + tuple(
    f"{name}{bits}" for name in ("Int", "UInt") for bits in (2, 4, 8, 16, 32, 64)
)
_ARRAYS = (
    "Float Float16 Float32 Float64 BFloat16 Complex Complex64 Complex128 Bool Inexact "
    "Real Num Shaped"
).split() + list(_INTEGERS)
# sizes made of others: 4*h, d+h, n-1
_FACTORS = r"(?:\d+|[^\W\d]\w*)(?:\*(?:\d+|[^\W\d]\w*))*"
_MADE = re.compile(rf"{_FACTORS}(?:[+-]{_FACTORS})*")
_TERM = re.compile(rf"([+-]?)({_FACTORS})")
# what an axis is called there that has one meaning here: n, 3, #n, and *s alone
_AXIS = re.compile(r"\d+|#?[^\W\d_]\w*")
# what a fact says of entries behind a colon: they have no gradient
SORTS = {"int": Kind.INTEGER, "bool": Kind.BOOLEAN, "integer": Kind.INTEGER}
# what a fact begins with that tells the largest shape alone
FITS = "<"
# between the shapes of a vector and of one row: "d|1 d"
OR_ROW = "|"
# an array of rank 0: z += 1 changes it, where a number is bound anew
RANK_0 = ":array"
# a list of arrays, however many: ":list ? ?" of matrices, ":list *" of any
LISTED = ":list"


def read_shape(text: str, name: str = "") -> Shape:
    """The shape that a fact names.

    "n d" names each axis, a number is a fixed length, "4*h", "n+1" and "n-m" are
    made of others, "#n" is n or 1, "*s" is one unknown shape, "" and "()" are a scalar's; "?n" is a length that nothing is
    known of, and "<n d" whatever broadcasts to "n d": a number, a vector of d; "d|1 d" is
    a vector or one row. `name` is that of the argument, whose shape is then its own. What stands behind a colon is told by read_sort. Raises GradgenError.
    """
    if text == RANK_0:
        return SCALAR
    text, colon, sort = text.partition(":")
    if colon and sort.strip() not in SORTS:
        raise GradgenError(
            "GG402",
            f"{sort.strip()!r} in the shape {text + colon + sort!r} is no sort of entries",
            advice='"n:int" for integers, "n:bool" for a mask',
        )
    text = text.strip()
    if text.startswith(FITS):
        return within(name or text, read_shape(text[1:]))
    if OR_ROW in text:
        return row(name or text, *_dims_of_row(text))
    words = text.strip("()").replace(",", " ").split()
    if not words:
        return SCALAR
    if len(words) == 1 and words[0].startswith("*"):
        return whole(words[0])
    dims = [read_size(word) for word in words]
    for word, dim in zip(words, dims):
        if dim is None:
            raise GradgenError(
                "GG402",
                f"{word!r} in the shape {text!r} is not a name, a number or #name",
                advice='a shape such as "n d", "3 n", "d 4*h", "#n d", "*s" or ""',
            )
    return ranked(*(dim for dim in dims if dim is not None))


def _dims_of_row(text: str) -> tuple[Dim, ...]:
    """The axes of a vector that may be one row as well: (d) of "d|1 d"."""
    words = text.strip("()").replace(",", " ")
    dims = read_shape(words.partition(OR_ROW)[0]).dims or ()
    if len(dims) != 1 or read_shape(words.partition(OR_ROW)[2]) != ranked(1, *dims):
        raise GradgenError(
            "GG402", f"the shape {text!r} has another | than d|1 d", advice='"d|1 d"'
        )
    return dims


def read_size(word: str) -> Dim | None:
    """The size that a word of a fact names: n, 3, #n, 4*h, n-1; None for another."""
    if word.isdecimal():
        return Dim.of(int(word))
    if _NAME.match(word):
        return Dim.of(word)
    if not _MADE.fullmatch(word):
        return None
    total = Dim.of(0)
    for sign, product in _TERM.findall(word):
        term = Dim.of(-1 if sign == "-" else 1)
        for factor in product.split("*"):
            term = term * Dim.of(int(factor) if factor.isdecimal() else factor)
        total = total + term
    return total if any(k > 0 for _, k in total.terms) else None


def read_sort(text: str | None) -> Kind | None:
    """The kind of entries that a fact names: "n:int" are integers, "n:bool" a mask.

    A number, ":int", is one of Python's, ":integer" one of NumPy's.
    """
    axes, _, sort = (text or "").partition(":")
    kind = SORTS.get(sort.strip())
    is_python = sort.strip() == "int" and axes.strip() in ("", "()")
    return Kind.COUNT if is_python else kind


def entries_told(fact: str | None) -> Shape | None:
    """The shape of the entries of what a fact tells to be a list; None of no list.

    before:  ":list ? ?"          ":list *"
    after:   (?1, ?2)             a shape of any rank, as each entry has its own
    """
    word, _, axes = (fact or "").partition(" ")
    if word != LISTED:
        return None
    if axes == "*":
        return whole("?entry")
    return ranked(*(Dim.of(f"?{i}") for i, _ in enumerate(axes.split())))


def read_annotation(annotation: str | None) -> str | None:
    """The shape text of an annotation such as Float[np.ndarray, "n d"], or None.

    A plain `float` or `complex` is a scalar; Int[np.ndarray, "n"] is "n:int".
    """
    if annotation is None:
        return None
    try:
        node = ast.parse(annotation.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return read_annotation(node.value)  # in quotes as a whole
    if isinstance(node, ast.Name) and node.id in ("float", "complex"):
        return ""
    name, shape = _array_and_axes(node)
    if name not in _ARRAYS:
        return None
    words = shape.replace(",", " ").split()
    # "...", "*batch n", "_" and "n+1" name shapes that only a helper can treat.
    is_whole = len(words) == 1 and re.fullmatch(r"\*[^\W\d_]\w*", words[0])
    if not is_whole and not all(map(_AXIS.fullmatch, words)):
        return None
    sort = "int" if name in _INTEGERS else "bool" if name == "Bool" else ""
    return f"{shape}:{sort}" if sort else shape


def _array_and_axes(node: ast.expr) -> tuple[str, str]:
    """The name and the axes of Float[np.ndarray, "n d"]; empty for all else."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple):
        return "", ""
    axes = node.slice.elts[-1]
    if len(node.slice.elts) != 2:
        return "", ""
    if not isinstance(axes, ast.Constant) or not isinstance(axes.value, str):
        return "", ""
    return ast.unparse(node.value).rpartition(".")[2], axes.value


def is_complex_annotation(annotation: str | None) -> bool:
    """Whether an annotation speaks of complex numbers: NDArray[np.complex128]."""
    return bool(annotation and _COMPLEX.search(annotation))


def shape_of_example(value: object) -> str:
    """The shape text of an example argument: its sizes become numbers.

    A mask is told to be one; integers may stand for any numbers.
    """
    shape = " ".join(str(n) for n in getattr(value, "shape", ()))
    is_mask = shape and getattr(value, "dtype", None) == bool
    return shape + ":bool" if is_mask else shape
